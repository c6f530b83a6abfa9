//! The declaration as static data.

use crate::Order;

pub mod build;
#[cfg(feature = "alloc")]
mod names;

/// What a declared type looks like, without a file in sight.
#[derive(Debug)]
pub struct Layout {
    /// Name of the Rust type.
    pub name: &'static str,
    /// What the parameters of a generic type stand for; the name is the same for all of them.
    pub generic: Option<Generic>,
    /// Its doc comment.
    pub doc: &'static str,
    /// The words of its declaration, as written; for an enum of numbers also their type.
    pub words: &'static str,
    /// Where it is specified.
    pub spec: Option<&'static str>,
    /// The constant it starts with.
    pub magic: &'static [u8],
    /// The constants that it starts with one of, the one above among them; empty if there is one.
    pub alternatives: &'static [&'static [u8]],
    /// Those that it starts with, or that lie behind its start, in little-endian and in big-endian files, where the
    /// byte order is that of the value around.
    pub ordered: [&'static [&'static [u8]]; 2],
    /// The constants that lie so many bytes behind its start, one of which every value has, where `peek` says
    /// so; no others are known then.
    pub peeked: (usize, &'static [&'static [u8]]),
    /// Struct, enum or union.
    pub shape: Shape,
    /// Fields in declaration order; variants for enums.
    pub fields: &'static [FieldLayout],
    /// Rules on the whole value.
    pub rules: &'static [RuleLayout],
    /// What findings inside the value weigh, where that is not as usual.
    pub overrides: &'static [Override],
}

/// What the parameters of a generic type stand for.
#[derive(Clone, Copy, Debug)]
pub struct Generic {
    /// The names of its types and constants, in the order of the declaration.
    pub parameters: &'static [&'static str],
    /// The type with what they stand for, as the compiler names it: with modules.
    pub instance: fn() -> &'static str,
}

/// A code of findings, and what these weigh; with `None` they are not told.
pub type Override = (&'static str, Option<crate::Severity>);

/// What kind of declaration a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number, text or run of bytes.
    Scalar,
    /// Fields one after the other.
    Struct,
    /// Named numbers.
    Enum,
    /// One of several shapes.
    Union,
    /// A `FlatBuffers` table.
    Table,
}

/// One field of a struct, or one variant of an enum.
#[derive(Clone, Copy, Debug)]
pub struct FieldLayout {
    /// Name of the field.
    pub name: &'static str,
    /// Its Rust type, as written.
    pub ty: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// The words of its declaration, as written; of a variant that is a number, that number.
    pub words: &'static str,
    /// Where it begins in the value, in bytes, where that does not depend on the file.
    pub offset: Option<usize>,
    /// Size in bytes, where it does not depend on the file.
    pub size: Option<usize>,
    /// How many bits a bit field has.
    pub bits: Option<u8>,
    /// The layout of a declared field type.
    pub nested: Option<fn() -> &'static Layout>,
    /// Rules on the field.
    pub rules: &'static [RuleLayout],
    /// What findings inside the field weigh, where that is not as usual.
    pub overrides: &'static [Override],
    /// Whether it is a plain number that the writer of the type computes.
    pub computed: bool,
    /// Whether it is in the file: a value of `computed(..)` is not, and follows from the other fields.
    pub stored: bool,
}

/// One rule of a declaration.
#[derive(Clone, Copy, Debug)]
pub struct RuleLayout {
    /// Stable code that findings carry.
    pub code: &'static str,
    /// How much breaking it weighs.
    pub severity: crate::Severity,
    /// Whether breaking it stops the reader.
    pub stops: bool,
    /// Its text, with the placeholders as written.
    pub text: &'static str,
}

/// The bounds of a number of which nothing is known.
pub(crate) const ANY_NUMBER: (i128, i128) = (i128::MIN, i128::MAX);

impl FieldLayout {
    /// The least and the largest number that the field can hold, as far as its size and its type are known.
    pub(crate) fn bounds(&self) -> (i128, i128) {
        let in_bytes = |size: usize| u32::try_from(size.saturating_mul(8)).unwrap_or(u32::MAX);
        let bits = self.bits.map(u32::from).or(self.size.map(in_bytes)).unwrap_or(u32::MAX);
        let signed = matches!(self.ty, "i8" | "i16" | "i32" | "i64");
        let unsigned = self.bits.is_some() || matches!(self.ty, "u8" | "u16" | "u32" | "u64");
        let bits = bits.saturating_sub(u32::from(signed));
        let most = i128::from(u64::MAX.checked_shr(64_u32.saturating_sub(bits)).unwrap_or(0));
        (if unsigned { 0 } else { most.saturating_add(1).saturating_neg() }, most)
    }
}

impl Layout {
    /// A layout for a type that is one number, text or run of bytes.
    pub const fn scalar(name: &'static str) -> Self {
        Self {
            name,
            generic: None,
            doc: "",
            words: "",
            spec: None,
            magic: &[],
            alternatives: &[],
            ordered: [&[], &[]],
            peeked: (0, &[]),
            shape: Shape::Scalar,
            fields: &[],
            rules: &[],
            overrides: &[],
        }
    }

    /// This declaration and every one in it, each once, from the outside in. Numbers, texts and
    /// bytes are none.
    #[cfg(feature = "alloc")]
    pub fn all(&'static self) -> alloc::vec::Vec<&'static Self> {
        let mut all: alloc::vec::Vec<&'static Self> = alloc::vec::Vec::new();
        let mut seen: alloc::vec::Vec<&'static Self> = alloc::vec::Vec::new();
        let mut waiting = alloc::vec![self];
        while let Some(layout) = waiting.pop() {
            if seen.iter().any(|other| core::ptr::eq(*other, layout)) {
                continue;
            }
            seen.push(layout);
            // A type may have several copies of its layout, and a generic one has others beside them.
            let full_name = layout.full_name();
            let known =
                |other: &&Self| (other.full_name(), other.doc) == (full_name.clone(), layout.doc);
            // Tuples are no declarations, but what they hold may be.
            if layout.shape != Shape::Scalar && !all.iter().any(known) {
                all.push(layout);
            }
            let nested = layout.fields.iter().rev().filter_map(|field| field.nested);
            waiting.extend(nested.map(|nested| nested()));
        }
        all
    }

    /// Every constant that a value may start with; empty if there is none.
    pub fn magics(&'static self) -> impl Iterator<Item = &'static [u8]> {
        let one =
            Some(self.magic).filter(|magic| !magic.is_empty() && self.alternatives.is_empty());
        one.into_iter().chain(self.alternatives.iter().copied())
    }

    /// Whether bytes begin as every value of the type does, which has a magic, in a value of that byte order.
    pub(crate) fn begins(&'static self, bytes: &[u8], order: Order) -> bool {
        let (behind, peeked) = self.peeked;
        let is_behind =
            |magic: &&[u8]| bytes.get(behind..).is_some_and(|bytes| bytes.starts_with(magic));
        let [little, big] = self.ordered;
        let ordered = if order == Order::Big { big } else { little };
        if !ordered.is_empty() {
            return ordered.iter().any(is_behind);
        }
        peeked.iter().any(is_behind) || self.magics().any(|magic| bytes.starts_with(magic))
    }

    /// How many bytes [`begins`](Self::begins) looks at.
    pub(crate) fn head(&'static self) -> usize {
        let (behind, peeked) = self.peeked;
        let peeked = peeked.iter().map(|magic| behind.saturating_add(magic.len()));
        self.magics().map(<[u8]>::len).chain(peeked).max().unwrap_or(0)
    }

    /// The field at `index`, or a nameless one.
    pub const fn field(&'static self, index: usize) -> &'static FieldLayout {
        const NAMELESS: &FieldLayout = &FieldLayout {
            name: "",
            ty: "",
            doc: "",
            words: "",
            offset: None,
            size: None,
            bits: None,
            nested: None,
            rules: &[],
            overrides: &[],
            computed: false,
            stored: true,
        };
        match self.fields.split_at_checked(index) {
            Some((_, [field, ..])) => field,
            _ => NAMELESS,
        }
    }

    /// Every rule of this type: its own and those of its fields.
    pub fn all_rules(&'static self) -> impl Iterator<Item = &'static RuleLayout> {
        self.fields.iter().flat_map(|field| field.rules).chain(self.rules)
    }
}
