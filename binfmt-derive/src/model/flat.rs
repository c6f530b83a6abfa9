//! What the words of `FlatBuffers` make of types and fields.

use super::{Body, Field, Model, Variant, option_argument};
use crate::attr::{Form, Order, Word, Words};

/// Gives structs and named numbers in tables the one byte order of these buffers.
pub(super) fn order(words: &mut Words, body: &Body<'_>) {
    let in_a_table = words.inline.is_some() || matches!(body, Body::Enum { .. });
    if let (Some(flat), None, None, true) =
        (&words.flatbuffer, &words.order, &words.endian, in_a_table)
    {
        words.order = Some(Word { value: Order::Little, span: flat.span });
    }
}

impl Model<'_> {
    /// What the declaration is.
    pub(crate) fn form(&self) -> Form {
        match &self.body {
            Body::Struct(_) if self.is_table() => Form::Table,
            Body::Struct(_) if self.words.bits.is_some() => Form::Bits,
            Body::Struct(_) => Form::Struct,
            Body::Enum { .. } => Form::Numbers,
            Body::Union(_) if self.schemas().is_some() => Form::Schemas,
            Body::Union(_) if self.is_flat_union() => Form::Tables,
            Body::Union(_) => Form::Shapes,
        }
    }

    /// Whether the type is a `FlatBuffers` table.
    pub(crate) fn is_table(&self) -> bool {
        self.words.flatbuffer.is_some()
            && self.words.inline.is_none()
            && matches!(self.body, Body::Struct(_))
    }

    /// Whether the type is a `FlatBuffers` union.
    pub(crate) fn is_flat_union(&self) -> bool {
        self.words.flatbuffer.is_some()
            && matches!(self.body, Body::Union(_))
            && self.schemas().is_none()
    }

    /// The variants of a table that has several schemas, told apart by their `slots`.
    pub(crate) fn schemas(&self) -> Option<&[Variant<'_>]> {
        let Body::Union(variants) = &self.body else { return None };
        let slots = variants.iter().any(|variant| variant.words.slots.is_some());
        (self.words.flatbuffer.is_some() && slots).then_some(variants)
    }
}

impl Field<'_> {
    /// Whether the field is in a table, which may leave it out.
    pub(super) fn is_slot_option(&self) -> bool {
        self.words.slot.is_some() && option_argument(self.ty).is_some()
    }
}

/// A field that tells the root of a buffer is computed from it, unless it says otherwise itself.
pub(super) fn roots(fields: &mut [Field<'_>]) {
    let given =
        fields.iter().filter_map(|field| Some((field.name.clone(), field.words.root.as_ref()?)));
    let given: Vec<_> =
        given.map(|(buffer, root)| (buffer, root.value.clone(), root.span)).collect();
    for (buffer, root, span) in given {
        let Some(field) = fields.iter_mut().find(|field| field.name == root) else { continue };
        let offset = quote::quote!(start(#buffer) - start(#root) + #buffer.root_at());
        if let (None, Ok(value)) = (&field.words.calc, syn::parse2(offset)) {
            field.words.computed(Word { span, value });
        }
    }
}
