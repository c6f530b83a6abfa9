//! The fields of a file as a tree that two files can be compared by.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use binfmt_runtime::{Events, FieldLayout, Finding, Layout, NodeValue, Step, Value};

use crate::bits::{self, Bits};
use crate::derived;
use crate::driver::{Driver, Options, Part};
use crate::item::offset_in;
use crate::json::wide;
use crate::undecoded::Undecoded;

/// How many fields of a part are compared.
const MOST: u64 = 500_000;

/// One field or item.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) step: Step,
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// `None` where damage ended the walk.
    pub(crate) value: Option<NodeValue>,
    /// Where its bytes, or those of its text, lie, if they are part of the file.
    pub(crate) bytes: Option<Range<usize>>,
    /// Whether a writer computes it.
    pub(crate) is_derived: bool,
    /// Its declaration, and that of its type.
    pub(crate) declared: Option<&'static FieldLayout>,
    pub(crate) ty: Option<&'static Layout>,
    /// Whether it is a number that has a form of its own, as those of variable length have.
    pub(crate) is_coded: bool,
    /// Whether it is a text in UTF-16.
    pub(crate) is_wide: bool,
    /// Where it lies in the number that it is a part of.
    pub(crate) bits: Option<Bits>,
    pub(crate) inside: Vec<Self>,
}

/// The fields of a part of a file.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) root: Field,
    /// How many fields are not in it.
    pub(crate) left_out: u64,
}

impl Snapshot {
    pub(crate) fn of(file: &[u8], part: &Part, driver: &dyn Driver, options: &Options) -> Self {
        let mut builder = Builder {
            file,
            open: Vec::new(),
            kept: 0,
            beyond: 0,
            left_out: 0,
            derived: HashMap::new(),
            tables: HashMap::new(),
            set: HashMap::new(),
        };
        driver.walk(file, part, options, &mut Undecoded::new(&mut builder));
        builder.unwind(0, part.range.end);
        let root = builder.open.pop().unwrap_or_else(|| Field::new(Step::Field(""), None, 0));
        Self { root, left_out: builder.left_out }
    }
}

impl Field {
    fn new(step: Step, declared: Option<&'static FieldLayout>, start: usize) -> Self {
        Self {
            step,
            start: wide(start),
            end: wide(start),
            value: None,
            bytes: None,
            is_derived: false,
            declared,
            ty: derived::declared(declared),
            is_coded: declared.is_some_and(|field| derived::is_coded(field.ty)),
            is_wide: false,
            bits: None,
            inside: Vec::new(),
        }
    }

    /// The field with that name inside.
    pub(crate) fn field(&self, name: &str) -> Option<&Self> {
        self.inside.iter().find(|field| field.step.to_string() == name)
    }

    /// The item at that index inside.
    pub(crate) fn item(&self, index: u64) -> Option<&Self> {
        let is_it = |item: &&Self| item.step == Step::Index(index);
        // A prefix may stand in front of the items.
        let first = usize::try_from(index).ok()?;
        let near = self.inside.get(first..)?.iter().take(2);
        near.chain(&self.inside).find(is_it)
    }
}

struct Builder<'f> {
    file: &'f [u8],
    open: Vec<Field>,
    kept: u64,
    /// How many fields are open that are not kept.
    beyond: usize,
    left_out: u64,
    derived: HashMap<*const Layout, HashSet<&'static str>>,
    tables: HashMap<*const Layout, HashMap<&'static str, HashSet<&'static str>>>,
    /// What the words of a field set inside of its value.
    set: HashMap<&'static str, Vec<&'static str>>,
}

impl Builder<'_> {
    /// Where the bytes of a value lie: of one that owns them, behind what stands in front of it.
    fn content(&self, field: &Field, bytes: &[u8]) -> Option<Range<usize>> {
        let behind = || {
            let lead = field.inside.iter().take_while(|inside| is_lead(inside.step)).last();
            let start = usize::try_from(lead.map_or(field.start, |lead| lead.end)).ok()?;
            let range = start..start.checked_add(bytes.len())?;
            (self.file.get(range.clone())? == bytes && wide(range.end) <= field.end)
                .then_some(range)
        };
        range_in(self.file, bytes).or_else(behind)
    }

    fn close(&mut self, end: usize, value: Option<&Value<'_>>) {
        if self.beyond > 0 {
            self.beyond -= 1;
            return;
        }
        let Some(mut field) = self.open.pop() else { return };
        field.end = wide(end).max(field.start);
        field.value = value.map(NodeValue::from);
        field.bytes = match value {
            Some(Value::Bytes(bytes)) => self.content(&field, bytes),
            Some(Value::Utf16(text)) => {
                field.is_wide = true;
                let mut all = wide_texts(&text.to_string()).into_iter();
                all.find_map(|bytes| self.content(&field, &bytes))
            }
            Some(Value::Str(text)) => self.content(&field, text.as_bytes()),
            _ => None,
        };
        // Bytes that are a table have no fields of their own.
        if matches!(field.value, Some(NodeValue::Bytes { .. })) {
            field.is_derived |= self.is_table_of_numbers(field.step);
        }
        match self.open.last_mut() {
            Some(parent) => parent.inside.push(field),
            None => self.open.push(field),
        }
    }
}

impl Builder<'_> {
    /// Whether what starts is a number in a table, or an item of one, that a value beside it tells.
    fn is_told_by_table(&mut self, step: Step) -> bool {
        let (name, list, holder) = match (step, self.open.as_slice()) {
            (Step::Field(name), [.., holder, list, _]) => (name, list.step, holder.ty),
            (Step::Index(_), [.., holder, list]) => ("it", list.step, holder.ty),
            _ => return false,
        };
        !name.is_empty() && self.is_in_table(holder, list, name)
    }

    /// Whether a field of what is open is a table of numbers that values beside it tell.
    fn is_table_of_numbers(&mut self, table: Step) -> bool {
        let holder = self.open.last().and_then(|holder| holder.ty);
        self.is_in_table(holder, table, "it")
    }

    fn is_in_table(&mut self, holder: Option<&'static Layout>, table: Step, name: &str) -> bool {
        let (Some(holder), Step::Field(table)) = (holder, table) else { return false };
        let tables = self.tables.entry(holder).or_insert_with(|| derived::in_tables(holder));
        tables.get(table).is_some_and(|names| names.contains(name))
    }
}

/// Where a bit field of a type lies in its number.
fn bits_of(ty: &'static Layout, field: &'static FieldLayout) -> Option<Bits> {
    field.bits?;
    let mut fields = bits::of_fields(ty).into_iter();
    fields.find(|(other, _)| other.name == field.name).map(|(_, bits)| bits)
}

/// A text in UTF-16 of each byte order.
pub(crate) fn wide_texts(text: &str) -> [Vec<u8>; 2] {
    let little = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    [little, big]
}

/// Whether something stands in front of the value of its field.
fn is_lead(step: Step) -> bool {
    matches!(step, Step::Field("prefix" | "magic" | "padding"))
}

/// Where a part of a file lies in it; `None` if it lies elsewhere, as decoded bytes do.
pub(crate) fn range_in(file: &[u8], part: &[u8]) -> Option<Range<usize>> {
    let start = usize::try_from(offset_in(file, part)).ok()?;
    let range = start..start.checked_add(part.len())?;
    let found = file.get(range.clone())?;
    std::ptr::eq(found.as_ptr(), part.as_ptr()).then_some(range)
}

impl Events for Builder<'_> {
    fn finding(&mut self, _: Finding) {}

    fn begin(&mut self, layout: &'static Layout, start: usize) {
        let mut root = Field::new(Step::Field(""), None, start);
        root.ty = Some(layout);
        self.open.push(root);
    }

    fn end(&mut self, end: usize, value: Option<&Value<'_>>) {
        self.close(end, value);
    }

    fn enter(&mut self, step: Step, declared: Option<&'static FieldLayout>, start: usize) {
        if self.kept >= MOST || self.beyond > 0 {
            self.beyond += 1;
            self.left_out += 1;
            return;
        }
        self.kept += 1;
        let mut field = Field::new(step, declared, start);
        field.is_derived = declared.is_none() && matches!(step, Step::Field("padding" | "prefix"));
        if let Some(parent) = self.open.last() {
            // Items have the type of their list.
            field.ty = field.ty.or(parent.ty.filter(|_| matches!(step, Step::Index(_))));
            if let (Some(ty), Step::Field(name)) = (parent.ty, step) {
                let names = self.derived.entry(ty).or_insert_with(|| derived::names(ty));
                field.is_derived |= names.contains(name);
                let words = parent.declared.map(|declared| declared.words).unwrap_or_default();
                let set = self.set.entry(words).or_insert_with(|| derived::set_inside(words));
                field.is_derived |= set.contains(&name);
            }
            field.bits = declared.and_then(|declared| bits_of(parent.ty?, declared));
            if step == Step::Field("prefix") && declared.is_none() {
                let words = parent.declared.map(|declared| declared.words).unwrap_or_default();
                field.is_coded = derived::is_coded(derived::prefix(words));
            }
            field.is_derived |= self.is_told_by_table(step);
        }
        self.open.push(field);
    }

    fn leave(&mut self, end: usize, value: &Value<'_>) {
        self.close(end, Some(value));
    }

    fn unwind(&mut self, depth: usize, end: usize) {
        while self.open.len().saturating_add(self.beyond) > depth.saturating_add(1) {
            self.close(end, None);
        }
    }
}
