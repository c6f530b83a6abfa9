//! A declaration as a list of steps: what happens to its bytes, in order.
//!
//! The model is lowered once. Reader, writer and layout are matches over the same list, so a step
//! cannot be forgotten by one of them, and whoever reads a step need not look at words again.

mod codes;
mod lower;
mod plain;
#[cfg(test)]
mod print;
mod referenced;
#[cfg(test)]
mod tests;
mod value;

use std::ops::Range;

use syn::{LitInt, LitStr, Path, Type};

use crate::attr::{Filling, Magic, Map, Rule, Terminator};
use crate::expr::{Expr, Measure};
use crate::model::limits::ItemRule;
use crate::model::{Cut, Space};

pub(crate) use codes::{code_base, rule_codes};
pub(crate) use lower::lower;
pub(crate) use plain::{Plain, PlainKind};
pub(crate) use referenced::{all_exprs, all_measures};

/// All steps of a type: those of the type itself, and those of its fields where they stand.
///
/// Fields come in the order in which they are read: those that follow one another first, then those
/// that lie at offsets.
pub(crate) struct Steps<'m> {
    list: Vec<Step<'m>>,
    /// Where the steps of each field are in the list.
    fields: Vec<Range<usize>>,
    /// The lengths, counts and places that expressions ask for, each with its field.
    pub(crate) measures: Vec<(Measure, usize)>,
}

/// One step.
pub(crate) struct Step<'m> {
    /// The index of its field; `None` for a step of the type.
    pub(crate) field: Option<usize>,
    pub(crate) what: What<'m>,
}

/// What a step does.
///
/// The steps of a field are: `Measure(Remaining)`, `Each`, `If`, `Place`; then the field itself from
/// its padding to its padding, with `Measure(Remaining)` once more where its length asks behind that; then `Done`, behind which the field has its value, and its rules.
pub(crate) enum What<'m> {
    /// A constant of the type or in front of a field.
    Magic(&'m Magic),
    /// The value or the field begins: the field in front of its prefix.
    Enter,
    /// The value or the field ends.
    Leave,
    /// A rule, with its code.
    Rule(LitStr, &'m Rule),
    /// Fill up to an alignment.
    Align { word: &'static str, to: &'m Expr, fill: Filling<'m> },

    /// A value that is not on the wire, by its number.
    Computed(usize),
    /// The byte order that the value tells is known from here on.
    Order,
    /// Nothing of the value follows the next field, which may have all that is left of the region.
    Last,
    /// The rest of the value lies in so many bytes, counted from its start, as the first
    /// `known` fields tell.
    Limit { len: &'m Expr, known: usize },
    /// The value has read all of its region.
    Finish,
    /// Where located fields begin that share a place, before the first of them that ends there is read.
    Starts(Slots),
    /// The place that located fields share, once all of them are known.
    Slots(Slots),
    /// What a checksum over the whole value covers ends.
    Covered,
    /// Computed fields against what is stored.
    Derived,
    /// Checksums against what they cover.
    Checksums,

    /// A field of fixed size with nothing around it: all of its steps but the rules.
    Plain(Plain<'m>),
    /// One value for every item of a table.
    Parallel(Parallel),
    /// The field may be absent.
    If(Presence<'m>),
    /// The field lies at an offset.
    Place(Place<'m>),
    /// So many bytes of fill.
    Pad { word: &'static str, size: &'m Expr, fill: Filling<'m> },
    /// All up to `Rest` lies in so many bytes.
    Region(Region<'m>),
    /// The length or count of the value, as a number of that type.
    Prefix(&'m Type),
    /// The value.
    Value(Value<'m>),
    /// A number about the field that expressions ask for.
    Measure(Measure),
    /// A NUL of one or two bytes.
    Nul { wide: bool },
    /// The constant behind a value, which ends it.
    Terminator,
    /// What is left of the region is fill.
    Rest(Region<'m>),
    /// The value of the field is known, or that it is absent.
    Done,
    /// A rule over all items.
    Items(ItemRule<'m>),
}

/// The table that has an item for every value of a field.
#[derive(Clone, Copy)]
pub(crate) struct Parallel {
    /// The index of the table.
    pub(crate) table: usize,
}

/// When a field is there; all that is given must hold.
#[derive(Clone, Copy)]
pub(crate) struct Presence<'m> {
    pub(crate) condition: Option<&'m Expr>,
    /// Its magic comes next.
    pub(crate) magic: bool,
    /// The offset is not this one.
    pub(crate) null: Option<(&'m Expr, &'m LitInt)>,
}

/// Where a located field lies.
#[derive(Clone, Copy)]
pub(crate) struct Place<'m> {
    pub(crate) at: &'m Expr,
    pub(crate) base: Base,
    /// What it lies in.
    pub(crate) space: Space,
    /// A multiple at which the writer places the value, and its word.
    pub(crate) align: Option<(&'static str, &'m Expr)>,
    /// Whether equal values may lie in one place.
    pub(crate) shared: bool,
}

/// The bytes that a value and the fill behind it have together.
#[derive(Clone, Copy)]
pub(crate) struct Region<'m> {
    pub(crate) size: &'m Expr,
    /// What the writer rounds the size of a new value up to.
    pub(crate) align: Option<&'m Expr>,
    pub(crate) fill: Filling<'m>,
}

/// What the offset of a located field counts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Base {
    Origin,
    File,
    /// The start of the value.
    Start,
    Field(usize),
}

/// Located fields that share a place.
pub(crate) struct Slots {
    /// The place.
    pub(crate) space: Space,
    /// The fields, in declaration order.
    pub(crate) fields: Vec<usize>,
}

/// What is stored for a field.
pub(crate) enum Value<'m> {
    Number,
    Bool,
    /// A number that the struct does not hold.
    Auto(&'m Type),
    /// Which of several magics of the type there is.
    Keeper,
    /// Converted by functions of the user.
    Map(&'m Map, Size<'m>),
    /// Read and written by functions of the user.
    With(&'m Path, Size<'m>),
    /// Bytes or a text.
    Bytes(Bytes<'m>),
    /// An array of bytes.
    ByteArray,
    Items(Items<'m>),
    Nested(Size<'m>),
}

/// How a sequence of values is stored.
pub(crate) struct Items<'m> {
    pub(crate) lazy: bool,
    pub(crate) ends: Ends<'m>,
    /// Whether a region may hold more than the items.
    pub(crate) slack: bool,
    pub(crate) size: Size<'m>,
}

/// How bytes or a text are stored.
pub(crate) struct Bytes<'m> {
    pub(crate) size: Size<'m>,
    /// What ends it, where nothing else does.
    pub(crate) stop: Option<Stop<'m>>,
    /// What is cut off its width.
    pub(crate) cut: Option<Cut>,
}

/// What ends bytes or a text of no stored size.
#[derive(Clone, Copy)]
pub(crate) enum Stop<'m> {
    Nul,
    Terminator(&'m Terminator),
}

/// How many bytes a value has.
#[derive(Clone, Copy)]
pub(crate) enum Size<'m> {
    /// As many as it needs, or all that are left.
    Rest,
    Len(&'m Expr),
    Prefix,
    /// As many as its codec takes.
    Codec,
}

/// Where a sequence ends.
#[derive(Clone, Copy)]
pub(crate) enum Ends<'m> {
    Prefix,
    Count(&'m Expr),
    /// Where less is left than this.
    Remaining(Option<&'m Expr>),
    /// Behind the first item for which this holds.
    Last(&'m Expr),
    /// In front of a constant.
    Before,
}

impl<'m> Steps<'m> {
    /// All steps, in the order in which a value is read.
    pub(crate) fn all(&self) -> &[Step<'m>] {
        &self.list
    }

    /// The steps of a field.
    pub(crate) fn of(&self, field: usize) -> &[Step<'m>] {
        let range = self.fields.get(field).cloned().unwrap_or_default();
        self.list.get(range).unwrap_or_default()
    }

    /// When a field is there, if it may be absent.
    pub(crate) fn presence(&self, field: usize) -> Option<Presence<'m>> {
        self.of(field).iter().find_map(|step| match step.what {
            What::If(presence) => Some(presence),
            _ => None,
        })
    }

    /// Where a field lies, if that is at an offset.
    pub(crate) fn place(&self, field: usize) -> Option<Place<'m>> {
        self.of(field).iter().find_map(|step| match step.what {
            What::Place(place) => Some(place),
            _ => None,
        })
    }

    /// The table that has an item for every value of a field.
    pub(crate) fn table(&self, field: usize) -> Option<usize> {
        self.of(field).iter().find_map(|step| match step.what {
            What::Parallel(parallel) => Some(parallel.table),
            _ => None,
        })
    }

    /// Whether a located field takes more bytes than its value has: magic and padding are around it.
    pub(crate) fn has_extents(&self) -> bool {
        let around = |step: &Step<'_>| {
            matches!(
                step.what,
                What::Magic(_) | What::Pad { .. } | What::Align { .. } | What::Rest(_)
            )
        };
        (0..self.fields.len())
            .any(|field| self.place(field).is_some() && self.of(field).iter().any(around))
    }

    /// Whether the value says how long it is.
    pub(crate) fn has_limit(&self) -> bool {
        self.list.iter().any(|step| matches!(step.what, What::Limit { .. }))
    }

    /// Whether an expression asks for a number about any field.
    pub(crate) fn measures_any(&self, measure: Measure) -> bool {
        self.measures.iter().any(|(other, _)| *other == measure)
    }
}
