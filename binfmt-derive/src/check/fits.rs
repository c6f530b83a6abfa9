//! Sizes that constants and types tell, and rooms that they do not fit into.

use syn::Type;

use super::never::constant;
use crate::attr::Word;
use crate::errors::Errors;
use crate::expr::Expr;
use crate::model::{Field, Kind, Model, alternatives, array_len, magic_len, scalar};

/// So many items have another length.
pub(super) fn two_lengths(errors: &mut Errors, field: &Field<'_>) {
    let (Some(len), Some(_)) = (&field.words.len, &field.words.count) else { return };
    if let (Some(said), Some(size)) = (constant(&len.value), typed_size(field))
        && said != size
    {
        let message = format!("`count` says that the field has {size} bytes; keep one of both");
        errors.add_range(len.value.ends(), message);
    }
}

/// A text of two bytes a unit has no half of one.
pub(super) fn half_a_unit(errors: &mut Errors, field: &Field<'_>) {
    let Some(len) = field.words.len.as_ref().filter(|_| is_wide(field)) else { return };
    if let Some(odd) = constant(&len.value).filter(|len| len % 2 != 0) {
        let (name, even) = (&field.name, odd.saturating_add(1));
        errors.add_range(
            len.value.ends(),
            format!("each unit of `{name}` has two bytes, and `len` counts bytes; write an even number: `len = {even}`"),
        );
    }
}

/// A value of a fixed size does not fit into a region of fewer bytes.
pub(super) fn too_small(errors: &mut Errors, field: &Field<'_>) {
    let Some(Word { value, .. }) = &field.words.pad_to else { return };
    if let (Some(size), Some(room)) = (size(field), constant(value))
        && room < size
        && !field.is_optional()
    {
        let name = &field.name;
        errors.add_range(
            value.ends(),
            format!("`{name}` has {size} bytes and does not fit into this"),
        );
    }
}

/// What a type always has does not fit into the bytes that it has.
pub(super) fn too_short(errors: &mut Errors, model: &Model<'_>) {
    let Some(Word { value, .. }) = &model.words.len else { return };
    let magic = magic(model);
    let fields = model.fields().iter().map(|field| least(field)).fold(0, i128::saturating_add);
    let needed = magic.saturating_add(fields);
    if constant(value).is_some_and(|room| room < needed) {
        let message = match (magic, fields) {
            (_, 0) => format!("the magic has {magic} bytes and does not fit into this"),
            (0, _) => format!("the fields have {fields} bytes at least, and do not fit into this"),
            _ => format!("magic and fields have {needed} bytes at least, and do not fit into this"),
        };
        errors.add_range(value.ends(), message);
    }
}

/// The fewest bytes of the magics that a value may begin with.
pub(super) fn magic(model: &Model<'_>) -> i128 {
    let several = alternatives(model).into_iter().map(|(bytes, _)| bytes.len()).min();
    let one = model.words.magic.as_ref().map(|magic| magic_len(&magic.value));
    one.or(several).and_then(|len| i128::try_from(len).ok()).unwrap_or(0)
}

/// The fewest bytes that a field has in the sequence, as far as constants say it.
fn least(field: &Field<'_>) -> i128 {
    let words = &field.words;
    // The bytes of a `keeper` are those of the magic.
    let apart = field.is_located() || field.parallel.is_some() || words.keeper.is_some();
    if apart || field.is_optional() {
        return 0;
    }
    let pads = [&words.pad_before, &words.pad_after].into_iter().filter_map(told);
    pads.fold(room(field), i128::saturating_add)
}

/// The fewest bytes of a field with its magic and what fills it up to its `pad_to`.
pub(super) fn room(field: &Field<'_>) -> i128 {
    let inside = told(&field.words.pad_to).max(size(field)).unwrap_or(0);
    inside.saturating_add(own_magic(field))
}

fn own_magic(field: &Field<'_>) -> i128 {
    let magic = field.words.magic.as_ref().map_or(0, |magic| magic_len(&magic.value));
    i128::try_from(magic).unwrap_or(0)
}

/// How many bytes a field has with its magic, and without what is filled up.
pub(super) fn bytes(field: &Field<'_>) -> Option<i128> {
    size(field)?.checked_add(own_magic(field))
}

/// How many bytes a value has with the prefix in front of it and the NUL behind it, where literals and types
/// say it.
fn size(field: &Field<'_>) -> Option<i128> {
    let words = &field.words;
    let prefix = match &words.prefix {
        Some(prefix) => size_of(&prefix.value)?,
        None => 0,
    };
    let nul = match (field.has_nul(), is_wide(field)) {
        (true, true) => 2,
        (wide, _) => i128::from(wide),
    };
    let value = match &words.len {
        Some(len) => constant(&len.value)?,
        None => typed_size(field)?,
    };
    value.checked_add(prefix)?.checked_add(nul)
}

/// The size of a number, of an array of numbers, and of so many of them, where literals say it.
fn typed_size(field: &Field<'_>) -> Option<i128> {
    let words = &field.words;
    if words.map.is_some() || words.with.is_some() {
        return None;
    }
    match (field.kind, &words.count) {
        (Kind::Vec(item) | Kind::Seq(item), Some(count)) => {
            size_of(item)?.checked_mul(constant(&count.value)?)
        }
        (Kind::Auto(_, number), _) => size_of(number),
        _ => size_of(field.inner),
    }
}

fn size_of(ty: &Type) -> Option<i128> {
    if let Type::Array(array) = ty {
        return size_of(&array.elem)?.checked_mul(i128::try_from(array_len(array)?).ok()?);
    }
    scalar(ty).filter(|scalar| !scalar.variable).map(|scalar| i128::from(scalar.size))
}

fn is_wide(field: &Field<'_>) -> bool {
    matches!(field.kind, Kind::Utf16)
}

/// The constant that a word says.
#[expect(clippy::ref_option, reason = "every word is kept as an `Option`")]
pub(super) fn told(word: &Option<Word<Expr>>) -> Option<i128> {
    word.as_ref().and_then(|word| constant(&word.value))
}
