//! How generated code says what a declaration looks like: one line for a plain field.

use super::{FieldLayout, Generic, Layout, Override, RuleLayout, Shape};
use crate::{Severity, Wire};

/// The layout of a declared type, but for what few have.
pub const fn declared(
    name: &'static str,
    shape: Shape,
    doc: &'static str,
    words: &'static str,
) -> Layout {
    Layout { doc, words, shape, ..Layout::scalar(name) }
}

/// What the parameters of `T` stand for.
pub const fn generic<T: ?Sized>(parameters: &'static [&'static str]) -> Option<Generic> {
    Some(Generic { parameters, instance: core::any::type_name::<T> })
}

/// A field, or a variant, on the way to its layout.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    layout: FieldLayout,
    /// How many bytes the field has, with all that belongs to it, where that is known.
    extent: Option<usize>,
    /// How many of them stand in front of its value.
    lead: usize,
    /// Whether something that depends on the file lies in front of it.
    floats: bool,
}

/// A field that takes no place among the others, or a variant.
pub const fn field(name: &'static str, ty: &'static str) -> Field {
    let layout = FieldLayout {
        name,
        ty,
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
    Field { layout, extent: Some(0), lead: 0, floats: true }
}

/// A field of so many bytes.
pub const fn plain(name: &'static str, ty: &'static str, size: usize) -> Field {
    field(name, ty).extent(size, true).size(size)
}

impl Field {
    /// Its doc comment, and its words.
    #[must_use]
    pub const fn text(mut self, doc: &'static str, words: &'static str) -> Self {
        (self.layout.doc, self.layout.words) = (doc, words);
        self
    }

    /// It takes its place among the others, and so many bytes if their number is `fixed`.
    #[must_use]
    pub const fn extent(mut self, bytes: usize, fixed: bool) -> Self {
        self.extent = if fixed { Some(bytes) } else { None };
        self.floats = false;
        self
    }

    /// It takes the bytes of a declared type, of which its `Wire` tells, and its place among the others.
    #[must_use]
    pub const fn in_line(self, (bytes, fixed): (usize, bool)) -> Self {
        self.extent(bytes, fixed)
    }

    /// Its value has so many bytes.
    #[must_use]
    pub const fn size(mut self, bytes: usize) -> Self {
        self.layout.size = Some(bytes);
        self
    }

    /// So many bytes stand in front of its value.
    #[must_use]
    pub const fn lead(mut self, bytes: usize) -> Self {
        self.lead = bytes;
        self
    }

    /// What lies in front of it depends on the file.
    #[must_use]
    pub const fn floats(mut self) -> Self {
        self.floats = true;
        self
    }

    /// The writer of the type computes it.
    #[must_use]
    pub const fn computed(mut self) -> Self {
        self.layout.computed = true;
        self
    }

    /// It follows from the other fields, and is not in the file.
    #[must_use]
    pub const fn unstored(mut self) -> Self {
        self.layout.stored = false;
        self
    }

    /// A bit field of so many bits, in the one number that all of them have.
    #[must_use]
    pub const fn bits(mut self, width: u8) -> Self {
        (self.layout.offset, self.layout.bits) = (Some(0), Some(width));
        self
    }

    /// It holds a value of a declared type.
    #[must_use]
    pub const fn of<'a, T: Wire<'a>>(self) -> Self {
        // A type may contain itself.
        self.nested(|| T::WIRE)
    }

    /// It holds a value of a type with that layout.
    #[must_use]
    pub const fn nested(mut self, layout: fn() -> &'static Layout) -> Self {
        self.layout.nested = Some(layout);
        self
    }

    /// It has the size of a type parameter, where that is fixed.
    #[must_use]
    pub const fn size_of<'a, T: Wire<'a>>(self) -> Self {
        if T::FIXED { self.size(T::MIN_SIZE) } else { self }
    }

    /// Its rules.
    #[must_use]
    pub const fn rules(mut self, rules: &'static [RuleLayout]) -> Self {
        self.layout.rules = rules;
        self
    }

    /// What findings inside it weigh.
    #[must_use]
    pub const fn overrides(mut self, overrides: &'static [Override]) -> Self {
        self.layout.overrides = overrides;
        self
    }
}

/// The layouts of fields that follow one another, behind a magic of so many bytes.
pub const fn fields<const N: usize>(magic: usize, fields: [Field; N]) -> [FieldLayout; N] {
    let mut layouts = [field("", "").layout; N];
    let (mut from, mut into): (&[Field], &mut [FieldLayout]) = (&fields, &mut layouts);
    let mut at = Some(magic);
    while let ([one, others @ ..], [layout, behind @ ..]) = (from, into) {
        *layout = one.layout;
        if let (Some(at), false) = (at, one.floats) {
            layout.offset = Some(at.saturating_add(one.lead));
        }
        at = match (at, one.extent) {
            (Some(at), Some(bytes)) => Some(at.saturating_add(bytes)),
            _ => None,
        };
        (from, into) = (others, behind);
    }
    layouts
}

/// `check`, which stops a reader.
pub const fn check(code: &'static str, text: &'static str) -> RuleLayout {
    RuleLayout { code, severity: Severity::Error, stops: true, text }
}

/// `error`, which stops a writer.
pub const fn error(code: &'static str, text: &'static str) -> RuleLayout {
    items(code, text, Severity::Error)
}

/// `warn`.
pub const fn warn(code: &'static str, text: &'static str) -> RuleLayout {
    items(code, text, Severity::Warning)
}

/// `note`.
pub const fn note(code: &'static str, text: &'static str) -> RuleLayout {
    items(code, text, Severity::Note)
}

/// A rule over all items of a field, and what breaking it weighs.
pub const fn items(code: &'static str, text: &'static str, severity: Severity) -> RuleLayout {
    RuleLayout { code, severity, stops: false, text }
}
