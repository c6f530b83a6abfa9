//! What is in two files, compared: tensors, entries, methods.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, Write};
use std::ops::Range;

use binfmt_formats::cast::floats;
use binfmt_formats::host::{self, HostKind};
use binfmt_formats::scalar_type::ScalarType;
use binfmt_formats::summary::Method;
use serde_json::{Value, json};

use crate::driver::{Driver, Options};
use crate::item::Item;
use crate::json::{self, wide};
use crate::output::{BAD, GOOD, WARNING, printable};
use crate::tensor::Tensor;

/// What something is called: its kind, its name, and which of several of the same name.
type Key = (String, String, usize);

/// Something in a file.
struct Thing<'f> {
    key: Key,
    /// What is said about it beside its bytes.
    facts: Vec<(&'static str, String)>,
    /// The type of its elements, if it is a tensor.
    dtype: Option<&'static str>,
    bytes: Result<Cow<'f, [u8]>, String>,
    /// Where it begins.
    at: usize,
}

/// How two files differ in one thing.
#[derive(Debug, PartialEq)]
pub(super) struct Difference {
    change: &'static str,
    kind: String,
    name: String,
    /// What is different about it, or what it is.
    what: Vec<String>,
    /// The largest difference of two elements, if that was asked for.
    largest: Option<f64>,
}

/// How two files differ, and how many things have only moved.
#[derive(Debug, Default)]
pub(super) struct Differences {
    pub(super) all: Vec<Difference>,
    pub(super) moved: usize,
}

/// Whether more can be said of a file than the fields of its format.
pub(super) fn is_told(driver: Option<&dyn Driver>, file: &[u8]) -> bool {
    let has_summary = driver.is_some_and(|driver| driver.extras().summarize.is_some());
    has_summary || host::kind_of(file) == HostKind::Elf
}

/// Compares what is in two files of a format; of libraries without one, the sections.
pub(super) fn compare(
    (old, new): (&[u8], &[u8]),
    driver: Option<&dyn Driver>,
    values: bool,
) -> Differences {
    let options = Options::default();
    let (olds, news) = (things(old, driver, &options), things(new, driver, &options));
    let mut found = Differences::default();
    let mut left: HashMap<&Key, &Thing<'_>> = news.iter().map(|it| (&it.key, it)).collect();
    let mut gone = Vec::new();
    for before in &olds {
        match left.remove(&before.key) {
            None => gone.push(before),
            Some(after) => {
                let what = changes(before, after, values);
                if let Some((what, largest)) = what {
                    found.push("changed", before, what, largest);
                } else if before.at != after.at {
                    found.moved += 1;
                }
            }
        }
    }
    let added: Vec<_> = news.iter().filter(|it| left.contains_key(&it.key)).collect();
    found.renamed(gone, added);
    if let Some(driver) = driver {
        found.methods((old, new), driver, &options);
    }
    found
}

/// What is in a file.
fn things<'f>(file: &'f [u8], driver: Option<&dyn Driver>, options: &Options) -> Vec<Thing<'f>> {
    let mut counts: HashMap<(String, String), usize> = HashMap::new();
    let mut key = |kind: &str, name: String| {
        let count = counts.entry((kind.to_owned(), name.clone())).or_default();
        *count += 1;
        (kind.to_owned(), name, *count)
    };
    let mut all = Vec::new();
    if let Some(driver) = driver {
        tensors_of(file, driver, options, &mut key, &mut all);
        let has_tensors = driver.extras().tensors.is_some();
        let items = driver.list(file, "", options).into_iter().filter(|item| item.is_file);
        for item in items.filter(|item| !has_tensors || item.kind == "delegate") {
            let name = name(&item);
            all.push(entry(file, &item, |kind| key(kind, name)));
        }
    }
    for (name, bytes) in sections(file, &all) {
        let (key, at) = (key("section", name), offset(file, bytes));
        let bytes = Ok(Cow::Borrowed(bytes));
        all.push(Thing { key, facts: Vec::new(), dtype: None, bytes, at });
    }
    all
}

/// Adds the tensors of a file.
fn tensors_of<'f>(
    file: &'f [u8],
    driver: &dyn Driver,
    options: &Options,
    key: &mut dyn FnMut(&str, String) -> Key,
    all: &mut Vec<Thing<'f>>,
) {
    let tensors = driver.tensors(file, options).unwrap_or_default();
    // What several methods use is one thing.
    let mut seen = HashSet::new();
    let mut is_new = |tensor: &Tensor<'f>| {
        seen.insert((tensor.name.clone(), tensor.bytes.map(<[u8]>::as_ptr_range)))
    };
    for tensor in tensors.into_iter().filter(|it| is_new(it)) {
        let kind = if tensor.dtype.is_some() { "tensor" } else { "data" };
        let shape: Vec<_> = tensor.shape.iter().map(ToString::to_string).collect();
        let shape = format!("[{}]", shape.join(","));
        let dtype = tensor.dtype.unwrap_or_default();
        let facts = if tensor.dtype.is_some() {
            vec![("type", dtype.to_owned()), ("shape", shape)]
        } else {
            Vec::new()
        };
        let at = tensor.bytes.map_or(0, |bytes| offset(file, bytes));
        let bytes = match tensor.bytes {
            None => Ok(Cow::Borrowed(&[][..])),
            Some(_) => tensor.rows(),
        };
        all.push(Thing { key: key(kind, tensor.name), facts, dtype: tensor.dtype, bytes, at });
    }
}

/// The sections of a library in which nothing lies that is told already.
fn sections<'f>(file: &'f [u8], told: &[Thing<'_>]) -> Vec<(String, &'f [u8])> {
    if host::kind_of(file) != HostKind::Elf {
        return Vec::new();
    }
    let mut places: Vec<_> = told.iter().map(|thing| thing.at).collect();
    places.sort_unstable();
    let is_told = |range: &Range<usize>| {
        let next = places.partition_point(|at| *at < range.start);
        places.get(next).is_some_and(|at| *at < range.end)
    };
    let parts = host::elf_sections(file, 0).unwrap_or_default();
    let parts = parts.into_iter().filter(|part| !is_told(&part.range));
    parts.filter_map(|part| Some((part.name, file.get(part.range)?))).collect()
}

/// An entry that is no tensor.
fn entry<'f>(file: &[u8], item: &Item<'f>, key: impl FnOnce(&str) -> Key) -> Thing<'f> {
    let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let places = ["segment", "blob_offset"];
    let columns = item.columns.iter().chain(&item.details);
    let columns = columns.filter(|(name, value)| !places.contains(name) && !value.is_null());
    let facts = columns.map(|(name, value)| (*name, shown(value))).collect();
    let bytes = (item.payload)();
    let at = bytes.as_ref().map_or(0, |bytes| offset(file, bytes));
    Thing { key: key(&item.kind), facts, dtype: None, bytes, at }
}

/// What an entry is called: the file or section around it, its name, its architecture.
fn name(item: &Item<'_>) -> String {
    let around = item.path.rsplit_once(':').map_or("", |(around, _)| around);
    let parts = [around.to_owned(), item.shown_name(), item.column("method"), item.column("arch")];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

fn offset(file: &[u8], part: &[u8]) -> usize {
    usize::try_from(crate::item::offset_in(file, part)).unwrap_or(0)
}

/// What is different about a thing, and by how much its elements differ.
fn changes(old: &Thing<'_>, new: &Thing<'_>, values: bool) -> Option<(Vec<String>, Option<f64>)> {
    let mut what = Vec::new();
    let names: BTreeSet<&str> = old.facts.iter().chain(&new.facts).map(|(name, _)| *name).collect();
    for name in names {
        let find = |thing: &Thing<'_>| {
            let found = thing.facts.iter().find(|(known, _)| *known == name);
            found.map_or_else(|| "none".to_owned(), |(_, value)| value.clone())
        };
        let (from, to) = (find(old), find(new));
        if from != to {
            what.push(format!("{name} {from} becomes {to}"));
        }
    }
    let mut largest = None;
    match (&old.bytes, &new.bytes) {
        (Ok(from), Ok(to)) if from == to => {}
        (Ok(from), Ok(to)) if old.dtype.is_some() && old.facts == new.facts => {
            let (text, most) = elements(old.dtype, from, to, values);
            what.push(text);
            largest = most;
        }
        (Ok(from), Ok(to)) if from.len() != to.len() => {
            what.push(format!("{} bytes become {}", from.len(), to.len()));
        }
        (Ok(_), Ok(_)) => what.push("other bytes".to_owned()),
        (Err(from), Err(to)) if from == to => {}
        (_, Err(why)) | (Err(why), _) => what.push(why.clone()),
    }
    (!what.is_empty()).then_some((what, largest))
}

/// How many elements differ, and by how much.
fn elements(dtype: Option<&str>, old: &[u8], new: &[u8], values: bool) -> (String, Option<f64>) {
    let ty = dtype.and_then(ScalarType::named).filter(|_| values);
    let both = ty.and_then(|ty| Some((floats(ty, old)?, floats(ty, new)?)));
    let Some((from, to)) = both else { return ("other elements".to_owned(), None) };
    let (mut count, mut all, mut largest) = (0_u64, 0_u64, 0_f64);
    for (from, to) in from.zip(to) {
        all += 1;
        if from.to_bits() != to.to_bits() {
            count += 1;
            let distance = (from - to).abs();
            // What is no number has no distance, and is the largest there is.
            if distance.is_nan() || distance > largest {
                largest = if distance.is_nan() { f64::INFINITY } else { distance };
            }
        }
    }
    (format!("{count} of {all} elements differ, by {largest} at most"), Some(largest))
}

impl Differences {
    /// A file that is different as a whole.
    pub(super) fn file(&mut self, change: &'static str, name: String, what: Vec<String>) {
        self.all.push(Difference { change, kind: "file".to_owned(), name, what, largest: None });
    }

    /// What is different in a file inside, whose name goes in front.
    pub(super) fn add(&mut self, around: &str, inner: Self) {
        let all = inner.all.into_iter();
        self.all.extend(all.map(|it| Difference { name: format!("{around}{}", it.name), ..it }));
        self.moved += inner.moved;
    }

    fn push(
        &mut self,
        change: &'static str,
        thing: &Thing<'_>,
        what: Vec<String>,
        largest: Option<f64>,
    ) {
        let (kind, name, count) = &thing.key;
        let name = if *count > 1 { format!("{name} #{count}") } else { name.clone() };
        self.all.push(Difference { change, kind: kind.clone(), name, what, largest });
    }

    /// What went and what came; the same bytes under another name are one thing that was renamed.
    fn renamed(&mut self, gone: Vec<&Thing<'_>>, added: Vec<&Thing<'_>>) {
        let mut by_bytes: HashMap<(&str, &[u8]), Vec<&Thing<'_>>> = HashMap::new();
        for thing in added.iter().rev() {
            if let Some(bytes) = thing.bytes.as_ref().ok().filter(|bytes| !bytes.is_empty()) {
                by_bytes.entry((&thing.key.0, bytes)).or_default().push(thing);
            }
        }
        let mut taken = HashSet::new();
        for thing in gone {
            let same = thing.bytes.as_ref().ok().and_then(|bytes| {
                let same = by_bytes.get_mut(&(thing.key.0.as_str(), &**bytes))?;
                let at = same.iter().position(|it| it.facts == thing.facts)?;
                Some(same.remove(at))
            });
            match same {
                Some(new) => {
                    taken.insert(&new.key);
                    self.push("renamed", thing, vec![format!("now {}", new.key.1)], None);
                }
                None => self.push("removed", thing, described(thing), None),
            }
        }
        for thing in added.into_iter().filter(|it| !taken.contains(&it.key)) {
            self.push("added", thing, described(thing), None);
        }
    }

    fn methods(&mut self, (old, new): (&[u8], &[u8]), driver: &dyn Driver, options: &Options) {
        let methods =
            |file: &[u8]| match driver.extras().summarize.map(|it| it.summarize(file, options)) {
                Some(Ok(summary)) => summary.methods,
                _ => Vec::new(),
            };
        let (old, new) = (methods(old), methods(new));
        let mut push = |change, name: &str, what| {
            let name = if name.is_empty() { "graph" } else { name };
            let kind = "method".to_owned();
            self.all.push(Difference { change, kind, name: name.to_owned(), what, largest: None });
        };
        for before in &old {
            match new.iter().find(|after| after.name == before.name) {
                None => push("removed", &before.name, Vec::new()),
                Some(after) => {
                    let what = method(before, after);
                    if !what.is_empty() {
                        push("changed", &before.name, what);
                    }
                }
            }
        }
        for after in new.iter().filter(|after| old.iter().all(|it| it.name != after.name)) {
            push("added", &after.name, Vec::new());
        }
    }

    pub(super) fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for Difference { change, kind, name, what, .. } in &self.all {
            let (sign, style) = match *change {
                "added" => ('+', GOOD),
                "removed" => ('-', BAD),
                "renamed" => ('>', WARNING),
                _ => ('~', WARNING),
            };
            let what =
                if what.is_empty() { String::new() } else { format!(": {}", what.join("; ")) };
            let line = printable(&format!("{sign} {kind} {name}{what}"));
            writeln!(out, "{style}{line}{style:#}")?;
        }
        match self.moved {
            0 => Ok(()),
            1 => writeln!(out, "1 more has only moved"),
            more => writeln!(out, "{more} more have only moved"),
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let difference = |it: &Difference| {
            json!({
                "change": it.change,
                "kind": it.kind,
                "name": it.name,
                "what": it.what,
                "largest": it.largest.map(|it| if it.is_finite() { json!(it) } else { "inf".into() }),
            })
        };
        let all: Vec<_> = self.all.iter().map(difference).collect();
        json!({"contents": all, "moved": json::number(wide(self.moved))})
    }
}

/// What something is that is in one file alone.
fn described(thing: &Thing<'_>) -> Vec<String> {
    let facts = thing.facts.iter().filter(|(name, _)| *name == "type" || *name == "shape");
    let facts: String = facts.map(|(_, value)| value.as_str()).collect();
    let len = thing.bytes.as_ref().map(|bytes| format!("{} bytes", bytes.len()));
    let len = len.unwrap_or_else(Clone::clone);
    if facts.is_empty() { vec![len] } else { vec![format!("{facts}, {len}")] }
}

/// What is different about a method.
fn method(old: &Method, new: &Method) -> Vec<String> {
    let mut what = Vec::new();
    for (name, from, to) in
        [("inputs", &old.inputs, &new.inputs), ("outputs", &old.outputs, &new.outputs)]
    {
        if from != to {
            let shown = |ports: &[binfmt_formats::summary::Port]| {
                let shown: Vec<_> = ports.iter().map(crate::summary::port).collect();
                shown.join(", ")
            };
            what.push(format!("{name} {} become {}", shown(from), shown(to)));
        }
    }
    counted("", &old.operators, &new.operators, &mut what);
    for (at, from) in old.delegates.iter().enumerate() {
        if let Some(to) = new.delegates.get(at).filter(|to| to.backend == from.backend) {
            let (from, to) = (from.operators.as_deref(), to.operators.as_deref());
            let name = format!("{}: ", old.delegates[at].backend);
            counted(&name, from.unwrap_or_default(), to.unwrap_or_default(), &mut what);
        }
    }
    let backends = |method: &Method| {
        method.delegates.iter().map(|it| it.backend.clone()).collect::<Vec<_>>().join(", ")
    };
    let (from, to) = (backends(old), backends(new));
    if from != to {
        what.push(format!("delegates {from:?} become {to:?}"));
    }
    if old.planned != new.planned {
        what.push(format!("planned memory {:?} becomes {:?}", old.planned, new.planned));
    }
    what
}

/// Names that are counted, and are more or fewer now.
fn counted(of: &str, old: &[(String, u64)], new: &[(String, u64)], what: &mut Vec<String>) {
    let count = |all: &[(String, u64)], name: &str| {
        all.iter().find(|(known, _)| known == name).map_or(0, |(_, count)| *count)
    };
    let mut names: Vec<&str> = old.iter().chain(new).map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let (from, to) = (count(old, name), count(new, name));
        if from != to {
            what.push(format!("{of}{from} {name} become {to}"));
        }
    }
}
