//! What the registry knows about a word.

use super::Place;

/// One word: where it may stand, what it takes, and what it means there.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// How the word is written, with a value where it takes one.
    pub(crate) example: &'static str,
    on_type: Option<Meaning>,
    on_field: Option<Meaning>,
    on_variant: Option<Meaning>,
    /// What its expressions are, if it has any.
    pub(crate) expr: Option<Role>,
    /// The forms of types, fields and variants that have a use for it.
    pub(crate) forms: &'static [Form],
    /// The words that may not stand beside it, with the reasons, which follow their names.
    pub(crate) excludes: &'static [(&'static [&'static str], &'static str)],
    /// Words of which one stands beside it, and why, behind its name.
    pub(crate) needs: Option<(&'static [&'static str], &'static str)>,
    /// What it may stand on, and why, behind its name.
    pub(crate) fits: Option<(&'static [Sort], &'static str)>,
    /// The slot of `Words` that keeps its value.
    pub(super) slot: &'static str,
}

/// What a field holds, as far as its type tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Bytes and texts of any length.
    Strings,
    /// A sequence.
    Items,
    /// A declared type, or what cannot be seen.
    Nested,
    /// A declared type, or items of one.
    Declared,
    Lazy,
    /// A value in coded bytes, or items that are.
    Encoded,
    Blob,
    FlatBuffer,
    Unsigned,
    ByteArray,
    /// One value of a field with `for_each`, whatever its type.
    Element,
}

/// What a word means in one place, and what holds there without it.
type Meaning = (&'static str, &'static str);

/// What the expressions of a word may name, what they have to be, and what they are for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Role {
    pub(crate) known: Known,
    pub(crate) wanted: Wanted,
    pub(crate) purpose: Purpose,
}

/// What a declaration is, and what a field or a variant of it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Struct,
    /// A struct of bit fields.
    Bits,
    /// An enum of numbers.
    Numbers,
    /// An enum of shapes.
    Shapes,
    /// A `FlatBuffers` table.
    Table,
    /// A union of such tables.
    Tables,
    /// A table in one of several schemas.
    Schemas,
    /// A field that has bytes of its own.
    Sequence,
    /// One value of a field with `for_each`.
    Element,
    BitField,
    /// A field of a table.
    TableSlot,
}

impl Form {
    /// Every form of a type.
    pub(super) const TYPES: &[Self] = &[
        Self::Struct,
        Self::Bits,
        Self::Numbers,
        Self::Shapes,
        Self::Table,
        Self::Tables,
        Self::Schemas,
    ];
    /// Every form of a field.
    pub(super) const FIELDS: &[Self] =
        &[Self::Sequence, Self::Element, Self::BitField, Self::TableSlot];
    /// Whatever a rule can be about.
    const RULES: &[Self] = &[
        Self::Struct,
        Self::Bits,
        Self::Table,
        Self::Sequence,
        Self::Element,
        Self::BitField,
        Self::TableSlot,
    ];
    /// Where fields are bytes that follow one another.
    pub(super) const PLAIN: &[Self] = &[Self::Struct, Self::Sequence, Self::Element];
}

/// What is known where an expression of a field stands; on a type and on a variant it is all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// The fields before.
    Before,
    /// The length of the field itself, too.
    Behind,
    /// The value of the field itself, too.
    Own,
    /// Every field.
    All,
}

/// What an expression is wanted for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Number,
    Condition,
    /// An argument of a type or function of the user.
    Anything,
}

/// What the value of an expression is used for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A size, a count or an offset: it follows from a value, so a number in it can be derived.
    Derives,
    /// How many bytes are written, or in which form: it has to be known before they are.
    Shape,
    /// What a field holds.
    Value,
    /// Whether something is so; the writer checks it.
    Check,
    /// It is a part of another expression of the model.
    Part,
}

/// A word without a place.
pub(super) const fn word(name: &'static str, example: &'static str) -> Row {
    Row {
        name,
        example,
        on_type: None,
        on_field: None,
        on_variant: None,
        expr: None,
        forms: Form::PLAIN,
        excludes: &[],
        needs: None,
        fits: None,
        slot: "",
    }
}

/// A word that makes a rule with a text.
pub(super) const fn rule(name: &'static str, example: &'static str) -> Row {
    word(name, example).expr(Known::Own, Wanted::Condition, Purpose::Check).forms(Form::RULES)
}

impl Row {
    pub(super) const fn on_type(self, meaning: &'static str, without: &'static str) -> Self {
        Self { on_type: Some((meaning, without)), ..self }
    }

    pub(super) const fn on_field(self, meaning: &'static str, without: &'static str) -> Self {
        Self { on_field: Some((meaning, without)), ..self }
    }

    pub(super) const fn on_variant(self, meaning: &'static str, without: &'static str) -> Self {
        Self { on_variant: Some((meaning, without)), ..self }
    }

    pub(super) const fn expr(self, known: Known, wanted: Wanted, purpose: Purpose) -> Self {
        Self { expr: Some(Role { known, wanted, purpose }), ..self }
    }

    pub(super) const fn forms(self, forms: &'static [Form]) -> Self {
        Self { forms, ..self }
    }

    pub(super) const fn excludes(
        self,
        excludes: &'static [(&'static [&'static str], &'static str)],
    ) -> Self {
        Self { excludes, ..self }
    }

    pub(super) const fn needs(self, words: &'static [&'static str], why: &'static str) -> Self {
        Self { needs: Some((words, why)), ..self }
    }

    pub(super) const fn fits(self, sorts: &'static [Sort], why: &'static str) -> Self {
        Self { fits: Some((sorts, why)), ..self }
    }

    pub(super) const fn kept_in(self, slot: &'static str) -> Self {
        Self { slot, ..self }
    }

    /// Whether the word makes a rule with a text.
    pub(crate) fn is_rule(&self) -> bool {
        self.slot == "rules"
    }

    /// What the word means in a place, if it may stand there.
    pub(crate) fn on(&self, place: Place) -> Option<Meaning> {
        match place {
            Place::Type => self.on_type,
            Place::Field => self.on_field,
            Place::Variant => self.on_variant,
        }
    }
}
