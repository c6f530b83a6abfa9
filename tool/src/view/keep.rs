//! Which fields a page has: all, or of every list the first items, so many that there is room, and
//! the fields that findings are about.
//!
//! A first walk only counts: for every field, how far behind in its list it or anything around it
//! stands. So it is known how many items of a list there is room for, before anything is kept.

use std::collections::HashMap;

use binfmt_runtime::{Events, FieldLayout, Finding, Layout, Step, Value};

use super::marks::Marks;
use super::text;
use crate::driver::{Driver, Options};
use crate::json::wide;
use crate::undecoded::Undecoded;

/// How many fields a page has.
pub(super) const MOST: usize = 1 << 14;

/// How many of these there are at most for the sake of findings.
const MARKED: usize = 1 << 11;

/// How many fields of a field that a finding is about are kept.
const BESIDE: u64 = 32;

/// One field or item.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) depth: usize,
    pub(super) name: Name,
    /// The Rust type as declared; empty for items.
    pub(super) ty: &'static str,
    pub(super) doc: &'static str,
    pub(super) start: u64,
    pub(super) end: u64,
    /// How many fields or items are inside, in the page or not.
    pub(super) children: u64,
    /// The kind of its value and its text; nothing where damage ended the walk.
    pub(super) value: Option<(char, String)>,
}

/// What a row is called.
#[derive(Debug)]
pub(super) enum Name {
    /// A whole value, or a part of a host file.
    Part(String),
    Step(Step),
}

/// The rows of a file that a page has; those of `marks` are noted there.
pub(super) fn rows(
    file: &[u8],
    driver: &dyn Driver,
    options: &Options,
    marks: &mut Marks,
) -> Vec<Row> {
    let limits = Limits { items: u64::MAX, depth: usize::MAX };
    let mut counted = Walker::new(limits, marks, Some(Box::default()));
    counted.walk(file, driver, options);
    let limits = counted.counts.map_or(limits, |counts| counts.limits());
    let mut kept = Walker::new(limits, marks, None);
    kept.walk(file, driver, options);
    kept.rows
}

/// What is kept: so many items of each list, and so many levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limits {
    items: u64,
    depth: usize,
}

/// How many fields there are that need a list of so many items, and of those that need none, how
/// many on each level.
#[derive(Debug, Default)]
struct Counts {
    by_items: HashMap<u64, usize>,
    by_depth: HashMap<usize, usize>,
}

impl Counts {
    /// What lies as far behind in its list is never kept.
    const FAR: u64 = 1 << 14;

    fn add(&mut self, place: u64, depth: usize) {
        let count = if place > 0 {
            self.by_items.entry(place.min(Self::FAR)).or_default()
        } else {
            self.by_depth.entry(depth).or_default()
        };
        *count = count.saturating_add(1);
    }

    fn limits(&self) -> Limits {
        let all = MOST - MARKED;
        let mut left = all;
        let mut depth = 0;
        // Levels without lists come first: the fields that a declaration names.
        let mut levels: Vec<_> = self.by_depth.iter().collect();
        levels.sort_unstable();
        for (level, count) in levels {
            match left.checked_sub(*count) {
                Some(rest) => (left, depth) = (rest, level.saturating_add(1)),
                None => return Limits { items: 1, depth },
            }
        }
        let mut items = 1;
        let mut places: Vec<_> = self.by_items.iter().collect();
        places.sort_unstable();
        for (place, count) in places {
            match left.checked_sub(*count) {
                Some(rest) if *place < Self::FAR => (left, items) = (rest, place.saturating_add(1)),
                _ => return Limits { items, depth: usize::MAX },
            }
        }
        Limits { items: u64::MAX, depth: usize::MAX }
    }
}

/// A field or item that has started.
#[derive(Debug)]
struct Open {
    /// Its row, if it is kept.
    row: Option<usize>,
    /// How far behind in its list it, or anything around it, stands.
    place: u64,
    /// How many items there were in it so far.
    items: u64,
    children: u64,
    start: u64,
    /// What the fields inside span.
    inside: Option<(u64, u64)>,
    /// Where findings lead on from here.
    mark: Option<usize>,
    /// Whether a finding is about it.
    is_marked: bool,
}

struct Walker<'m> {
    limits: Limits,
    marks: &'m mut Marks,
    /// There in the first walk, which keeps nothing.
    counts: Option<Box<Counts>>,
    rows: Vec<Row>,
    /// How many rows are there for the sake of findings alone.
    marked: usize,
    open: Vec<Open>,
    part: String,
    /// How many parts there were so far.
    parts: u64,
}

impl<'m> Walker<'m> {
    fn new(limits: Limits, marks: &'m mut Marks, counts: Option<Box<Counts>>) -> Self {
        let (rows, open, part) = (Vec::new(), Vec::new(), String::new());
        Self { limits, marks, counts, rows, marked: 0, open, part, parts: 0 }
    }

    fn walk(&mut self, file: &[u8], driver: &dyn Driver, options: &Options) {
        for part in driver.parts(file, options) {
            self.part.clone_from(&part.name);
            driver.walk(file, &part, options, &mut Undecoded::new(self));
            self.open.clear();
            self.parts = self.parts.saturating_add(1);
        }
    }

    /// Whether the page has a field at this place, or for the sake of a finding alone.
    fn keeps(&mut self, place: u64, marked: bool) -> bool {
        let depth = self.open.len();
        if self.open.last().is_some_and(|parent| parent.row.is_none()) {
            return false;
        }
        if place < self.limits.items && depth < self.limits.depth {
            return self.rows.len().saturating_sub(self.marked) < MOST - MARKED;
        }
        let keeps = marked && self.marked < MARKED;
        self.marked = self.marked.saturating_add(usize::from(keeps));
        keeps
    }

    fn start(&mut self, step: Option<Step>, ty: &'static str, doc: &'static str, start: usize) {
        let start = wide(start);
        let (mut place, mut beside) = (self.parts, false);
        let mark = match (step, self.open.last_mut()) {
            (Some(step), Some(parent)) => {
                let item = matches!(step, Step::Index(_));
                place = parent.place.max(if item { parent.items } else { 0 });
                beside = parent.is_marked && parent.children < BESIDE;
                parent.items = parent.items.saturating_add(u64::from(item));
                parent.children = parent.children.saturating_add(1);
                parent.mark.and_then(|at| self.marks.step(at, step))
            }
            _ => self.marks.part(&self.part),
        };
        let is_marked = mark.is_some_and(|at| self.marks.is_end(at));
        let mut row = None;
        if let Some(counts) = &mut self.counts {
            counts.add(place, self.open.len());
        } else if self.keeps(place, mark.is_some() || beside) {
            row = Some(self.rows.len());
            let depth = self.open.len();
            let name = step.map_or_else(|| Name::Part(self.part.clone()), Name::Step);
            self.rows.push(Row {
                depth,
                name,
                ty,
                doc,
                start,
                end: start,
                children: 0,
                value: None,
            });
        }
        if let (Some(mark), Some(row)) = (mark, row) {
            self.marks.found(mark, row);
        }
        let (items, children, inside) = (0, 0, None);
        self.open.push(Open { row, place, items, children, start, inside, mark, is_marked });
    }

    fn close(&mut self, end: usize, value: Option<&Value<'_>>) {
        let Some(open) = self.open.pop() else { return };
        // Damage can end a located field in front of where it lies.
        let (mut start, mut end) = (open.start, wide(end).max(open.start));
        // What has no bytes of its own spans what is inside, wherever that lies.
        if let (Some(inside), true) = (open.inside, start == end) {
            (start, end) = inside;
        }
        if let Some(parent) = self.open.last_mut() {
            let (least, most) = parent.inside.unwrap_or((start, end));
            parent.inside = Some((least.min(start), most.max(end)));
        }
        if let Some(row) = open.row.and_then(|row| self.rows.get_mut(row)) {
            row.value = value.map(|value| text::of_value(value, open.children));
            (row.start, row.end, row.children) = (start, end, open.children);
        }
    }
}

impl Events for Walker<'_> {
    fn finding(&mut self, _: Finding) {}

    fn begin(&mut self, layout: &'static Layout, start: usize) {
        self.start(None, layout.name, layout.doc, start);
    }

    fn end(&mut self, end: usize, value: Option<&Value<'_>>) {
        self.close(end, value);
    }

    fn enter(&mut self, step: Step, field: Option<&'static FieldLayout>, start: usize) {
        let (ty, doc) = field.map_or(("", ""), |field| (field.ty, field.doc));
        self.start(Some(step), ty, doc, start);
    }

    fn leave(&mut self, end: usize, value: &Value<'_>) {
        self.close(end, Some(value));
    }

    fn unwind(&mut self, depth: usize, end: usize) {
        while self.open.len() > depth.saturating_add(1) {
            self.close(end, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use binfmt_runtime::{BinFormat, Seq};

    use super::*;
    use crate::format;

    #[derive(BinFormat)]
    #[bin(little)]
    struct Lists<'a> {
        #[bin(until_end)]
        lists: Seq<'a, List>,
    }

    #[derive(BinFormat)]
    #[bin(little)]
    struct List {
        count: u32,
        #[bin(count = count)]
        items: Vec<Item>,
    }

    #[derive(BinFormat)]
    #[bin(little)]
    struct Item {
        #[bin(range = 0..=9)]
        digit: u8,
        other: u8,
    }

    fn file(counts: &[u32]) -> Vec<u8> {
        let list = |count: &u32| {
            let items = std::iter::repeat_n([1, 2], usize::try_from(*count).unwrap()).flatten();
            count.to_le_bytes().into_iter().chain(items).collect::<Vec<_>>()
        };
        counts.iter().flat_map(list).collect()
    }

    /// The rows of a page, by path.
    fn kept(file: &[u8]) -> (Vec<Row>, Vec<String>, Vec<Option<usize>>) {
        let format = format::<Lists<'_>>("lists");
        let options = Options::default();
        let report = format.driver().validate(file, &options).report;
        let mut marks = Marks::new(report.findings());
        let rows = rows(file, format.driver(), &options, &mut marks);
        let mut path: Vec<String> = Vec::new();
        let paths = rows.iter().map(|row| {
            path.truncate(row.depth);
            path.push(match &row.name {
                Name::Part(_) => String::new(),
                Name::Step(step) => step.to_string(),
            });
            path.concat()
        });
        let paths = paths.collect();
        (rows, paths, marks.rows().collect())
    }

    #[test]
    fn small_files_have_all_of_their_fields() {
        let (rows, paths, _) = kept(&file(&[2, 0]));
        assert_eq!(rows.len(), 2 + 3 + 2 * 3 + 3);
        assert_eq!((paths[2].as_str(), rows[2].end), ("lists[0]", 8));
        assert_eq!(rows[1].children, 2);
        assert_eq!(rows[3].value, Some(('n', "2".to_owned())));
    }

    #[test]
    fn every_list_has_its_first_items() {
        let many = 15_000;
        let (rows, paths, _) = kept(&file(&[many, 3, many]));
        assert!(rows.len() <= MOST && rows.len() > MOST / 2, "{}", rows.len());
        for (list, count) in [(0, u64::from(many)), (1, 3), (2, u64::from(many))] {
            let at = paths.iter().position(|path| *path == format!("lists[{list}]items")).unwrap();
            assert_eq!(rows[at].children, count);
            assert!(paths.contains(&format!("lists[{list}]items[2]digit")));
        }
        assert_eq!(rows[0].end, u64::from(many) * 4 + 18);
        // A list of lists is cut as well.
        let (rows, paths, _) = kept(&file(&vec![1; 15_000]));
        assert!(rows.len() <= MOST && rows.len() > MOST / 2, "{}", rows.len());
        assert!(paths.contains(&"lists[9]items[0]other".to_owned()));
    }

    #[test]
    fn fields_with_findings_are_kept_wherever_they_are() {
        let mut file = file(&[20_000]);
        file[4 + 2 * 19_000] = 10;
        let (rows, paths, found) = kept(&file);
        let row = found[0].unwrap();
        assert_eq!(paths[row], "lists[0]items[19000]digit");
        assert_eq!((rows[row].start, rows[row].end), (38_004, 38_005));
        // Of very many, so many that the page stays small.
        file.iter_mut().skip(4).for_each(|byte| *byte = 77);
        let (rows, _, found) = kept(&file);
        assert!(rows.len() <= MOST);
        assert!(found.iter().filter(|row| row.is_some()).count() > 100);
    }

    #[test]
    fn damage_is_shown_where_it_is() {
        let whole = file(&[3]);
        let (rows, paths, found) = kept(&whole[..whole.len() - 1]);
        assert!(rows.iter().any(|row| row.value.is_none()));
        assert_eq!(paths[found[0].unwrap()], "lists[0]count");
        assert!(rows.iter().all(|row| row.end < 10), "{rows:?}");
    }
}
