//! A description for Kaitai Struct, as far as that has words for what a declaration says.
//!
//! A type whose length stands in it becomes two: what is read before the length is known, and its
//! `body`, a stream of its own, so that what fills the rest ends where it should. What has no words is
//! left out and named; where that hides how long something is, the rest of the region stays bytes.

mod bits;
mod fields;
mod located;
mod runs;
mod say;
mod structs;
#[cfg(test)]
mod tests;
mod types;
mod unions;
mod yaml;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use binfmt_runtime::{Layout, Shape};
use serde_json::{Map, Value, json};

use super::constants::Order;
use super::expr::number;
use crate::driver::Driver;
use crate::schema;
use crate::words::Words;
use types::{id, key, type_id};

/// A description, and what it does not say.
#[derive(Debug)]
pub(super) struct Description {
    pub(super) text: String,
    /// A field, such as `Entry.name`, and why it is not there.
    pub(super) unsaid: Vec<(String, String)>,
}

/// The description of a format.
pub(super) fn describe(driver: &dyn Driver, program: &str) -> Description {
    let root = driver.layout();
    let mut ksy = Ksy::new(root);
    ksy.declare(root);
    // What a type that contains itself must be told is known when it has been described once.
    for _ in 0..4 {
        if ksy.asked == ksy.needs {
            break;
        }
        ksy = Ksy { asked: ksy.needs, ..Ksy::new(root) };
        ksy.declare(root);
    }
    let name = id(driver.name());
    let mut meta = json!({"id": name, "title": schema::about(driver), "ks-version": "0.11", "encoding": "UTF-8"});
    if let Some(endian) = Ksy::endian(root).or_else(|| ksy.first_endian()) {
        meta["endian"] = endian;
    }
    let mut top = Map::new();
    top.insert("meta".to_owned(), meta);
    let root_type = ksy.types.remove(&type_id(root)).unwrap_or_default();
    if name != type_id(root) && ksy.contains(root) {
        // Within itself it has the name of the type.
        ksy.types.insert(type_id(root), root_type.clone());
    }
    if Words::of(root.words).get("endian") == Some("magic") {
        // Types have the byte order of the type that they stand in.
        let body = format!("{}_body", type_id(root));
        let mut inner = ksy.types.remove(&body).unwrap_or_default();
        inner["types"] = std::mem::take(&mut ksy.types).into_iter().collect::<Map<_, _>>().into();
        ksy.types.insert(body, inner);
    }
    if let Value::Object(root_type) = root_type {
        top.extend(root_type.into_iter().filter(|(key, _)| key != "meta"));
    }
    if !ksy.types.is_empty() {
        top.insert("types".to_owned(), ksy.types.into_iter().collect::<Map<_, _>>().into());
    }
    if !ksy.enums.is_empty() {
        top.insert("enums".to_owned(), ksy.enums.into_iter().collect::<Map<_, _>>().into());
    }
    let mut text = format!(
        "# {}\n# Made by `{program} export {} --to ksy`.\n",
        schema::about(driver),
        driver.name()
    );
    if !ksy.unsaid.is_empty() {
        text.push_str("#\n# What Kaitai has no words for, and this description does not say:\n");
    }
    for (place, why) in &ksy.unsaid {
        // Writing to a string does not fail.
        let _ = writeln!(text, "#   {place}: {}", why.replace('\n', " "));
    }
    text.push_str(&yaml::yaml(&top.into()));
    Description { text, unsaid: ksy.unsaid }
}

/// What a type must be told when it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Need {
    /// The name of the parameter.
    id: String,
    /// Its type in Kaitai.
    ty: &'static str,
    /// The argument that it is, or what is asked of the arguments in Rust.
    text: String,
    /// The enum whose number it is.
    numbers: Option<String>,
}

impl Need {
    fn new(id: String, ty: &'static str, text: &str) -> Self {
        Self { id, ty, text: text.to_owned(), numbers: None }
    }
}

struct Ksy {
    root: &'static Layout,
    layouts: Vec<&'static Layout>,
    unsaid: Vec<(String, String)>,
    types: BTreeMap<String, Value>,
    enums: BTreeMap<String, Value>,
    /// What has been begun, by name.
    begun: BTreeSet<&'static str>,
    /// Types that are not described at all.
    absent: BTreeSet<&'static str>,
    /// Types of which the end is not known.
    broken: BTreeSet<&'static str>,
    needs: BTreeMap<&'static str, Vec<Need>>,
    /// What types have been found out to need before.
    asked: BTreeMap<&'static str, Vec<Need>>,
}

impl Ksy {
    fn new(root: &'static Layout) -> Self {
        Self {
            root,
            layouts: root.all(),
            unsaid: Vec::new(),
            types: BTreeMap::new(),
            enums: BTreeMap::new(),
            begun: BTreeSet::new(),
            absent: BTreeSet::new(),
            broken: BTreeSet::new(),
            needs: BTreeMap::new(),
            asked: BTreeMap::new(),
        }
    }

    /// Notes what cannot be said, once.
    fn leave_out(&mut self, place: &str, why: &str) {
        let entry = (place.to_owned(), why.to_owned());
        if !self.unsaid.contains(&entry) {
            self.unsaid.push(entry);
        }
    }

    /// Makes a type, and those in it.
    fn declare(&mut self, layout: &'static Layout) {
        if !self.begun.insert(key(layout)) {
            return;
        }
        for nested in layout.fields.iter().filter_map(|field| field.nested) {
            self.declare(nested());
        }
        if Words::of(layout.words).has("flatbuffer") && layout.shape != Shape::Enum {
            return;
        }
        if let Some(why) = self.order_unsaid(layout) {
            self.leave_out(&layout.full_name(), why);
            self.absent.insert(key(layout));
            return;
        }
        if Words::of(layout.words).has("bits") {
            if let Err(why) = bits::declare(self, layout) {
                self.leave_out(&layout.full_name(), &why);
                self.absent.insert(key(layout));
            }
            return;
        }
        match layout.shape {
            Shape::Scalar | Shape::Table => {}
            Shape::Enum => self.named_numbers(layout),
            Shape::Struct if is_number(layout) => {}
            Shape::Struct => structs::declare(self, layout),
            Shape::Union => unions::declare(self, layout),
        }
    }

    /// Why the byte order of a type cannot be said, if so.
    fn order_unsaid(&self, layout: &'static Layout) -> Option<&'static str> {
        let root = Words::of(self.root.words);
        let by_magic = root.get("endian") == Some("magic");
        let orders: BTreeSet<_> =
            self.layouts.iter().filter_map(|layout| Order::of(&Words::of(layout.words))).collect();
        match Words::of(layout.words).get("endian")? {
            "magic" if key(layout) == key(self.root) => None,
            "inherit" if by_magic || orders.len() == 1 => None,
            "inherit" => Some("its byte order is that of what is around, which differs"),
            _ => Some("its byte order is an expression"),
        }
    }

    /// Whether there is, or will be, a type of that name.
    fn is_described(&self, layout: &'static Layout) -> bool {
        self.begun.contains(key(layout)) && !self.absent.contains(key(layout))
    }

    fn named_numbers(&mut self, layout: &'static Layout) {
        let named = layout.fields.iter().filter_map(|field| {
            let (number, _) = number(field.words)?;
            let doc = field.doc.trim();
            let name = if doc.is_empty() {
                id(field.name).into()
            } else {
                json!({"id": id(field.name), "doc": doc})
            };
            Some((number.to_string(), name))
        });
        let named: Map<String, Value> = named.collect();
        if !named.is_empty() {
            self.enums.insert(type_id(layout), named.into());
        }
    }

    /// The byte order that a type says, for `meta`.
    fn endian(layout: &'static Layout) -> Option<Value> {
        Order::of(&Words::of(layout.words)).map(|order| match order {
            Order::Little => "le".into(),
            Order::Big => "be".into(),
        })
    }

    /// A byte order that the magic tells: numbers that stand there highest byte first, or lowest.
    fn endian_of_magic(layout: &'static Layout) -> Option<Value> {
        let words = Words::of(layout.words);
        let list = words.get("magic")?;
        let list = list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or(list);
        let mut cases = Map::new();
        for text in crate::words::parts(list, ',') {
            let (constant, order) = text.split_once("=>").unwrap_or((text, ""));
            let orders = [("be", "big", Order::Big), ("le", "little", Order::Little)];
            let is_said = |word: &str| order.is_empty() || order.trim() == word;
            for (name, _, order) in orders.into_iter().filter(|(_, word, _)| is_said(word)) {
                let bytes = super::constants::constant(constant.trim(), Some(order))?;
                cases.insert(format!("{bytes:?}"), name.into());
            }
        }
        let kept = layout.fields.first().filter(|it| Words::of(it.words).get("magic") == Some(""));
        let magic = kept.map_or_else(|| "magic".to_owned(), |field| id(field.name));
        Some(json!({"switch-on": format!("_parent.{magic}"), "cases": cases}))
    }

    /// The byte order of the first type that has one, for those that have none around them.
    fn first_endian(&self) -> Option<Value> {
        self.layouts.iter().find_map(|layout| Self::endian(layout))
    }

    fn layout(&self, name: &str) -> Option<&'static Layout> {
        self.layouts.iter().copied().find(|layout| layout.name == name)
    }

    fn needs(&self, layout: &'static Layout) -> &[Need] {
        let needs = self.needs.get(key(layout)).or_else(|| self.asked.get(key(layout)));
        needs.map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether a field of some type holds a value of that one.
    fn contains(&self, layout: &'static Layout) -> bool {
        let fields = self.layouts.iter().flat_map(|layout| layout.fields);
        fields.filter_map(|field| field.nested).any(|nested| key(nested()) == key(layout))
    }

    /// Puts a type where it belongs, with what it must be told.
    fn add(&mut self, layout: &'static Layout, mut body: Map<String, Value>, needs: Vec<Need>) {
        let mut ty = Map::new();
        if let Some(endian) = Self::endian(layout).filter(|_| key(layout) != key(self.root)) {
            ty.insert("meta".to_owned(), json!({"endian": endian}));
        }
        if !layout.doc.trim().is_empty() {
            ty.insert("doc".to_owned(), layout.doc.trim().into());
        }
        if let Some(spec) = layout.spec {
            ty.insert("doc-ref".to_owned(), spec.into());
        }
        if !needs.is_empty() {
            let param = |need: &Need| {
                let mut param = json!({"id": need.id, "type": need.ty, "doc": need.text});
                if let Some(numbers) = &need.numbers {
                    param["enum"] = numbers.as_str().into();
                }
                param
            };
            ty.insert("params".to_owned(), needs.iter().map(param).collect());
        }
        ty.append(&mut body);
        if key(layout) == key(self.root) {
            for need in &needs {
                let why = format!(
                    "`{}` is code or a constant of Rust; the reader is told by `{}`",
                    need.text, need.id
                );
                self.leave_out(&layout.full_name(), &why);
            }
        }
        self.needs.insert(key(layout), needs);
        self.types.insert(type_id(layout), ty.into());
    }
}

/// Whether a type is one number with named bits.
fn is_number(layout: &Layout) -> bool {
    Words::of(layout.words).has("bitflags")
}
