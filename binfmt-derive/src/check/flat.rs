//! Rules about `FlatBuffers`: tables, unions, structs, and the fields that hold a buffer.

mod align;
mod default;
mod schemas;
mod union;

use syn::LitInt;

use super::exprs::{self, Scope, Wanted};
use super::{limits, texts, types};
use crate::attr::{Order, Word};
use crate::errors::Errors;
use crate::model::{Body, Field, Kind, Model, Numeric, option_argument, takes_arguments};

/// The last slot that an offset of 16 bits in a vtable reaches.
const LAST_SLOT: u64 = 32_765;

/// Checks a table or a union; in other types only that no word of theirs is used.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) -> bool {
    match &model.body {
        Body::Struct(fields) if model.is_table() => {
            table_words(errors, model);
            for (index, field) in fields.iter().enumerate() {
                table_field(errors, model, index, field);
            }
            slots(errors, fields);
            texts::codes(errors, model);
            true
        }
        Body::Union(variants) if model.schemas().is_some() => {
            schemas::check(errors, model, variants);
            true
        }
        Body::Union(variants) if model.is_flat_union() => {
            parameters(errors, model);
            for variant in variants {
                union::member(errors, model, variant);
            }
            union::ids(errors, variants);
            true
        }
        _ => {
            inline(errors, model);
            false
        }
    }
}

/// The words of a type that is no table, and the members of a struct in one.
fn inline(errors: &mut Errors, model: &Model<'_>) {
    let words = &model.words;
    if let (Some(_), Some(Word { value: Order::Big, span })) = (&words.flatbuffer, &words.order) {
        errors.add(*span, "numbers in a table are little-endian; write `little`");
    }
    if words.inline.is_some() {
        model.fields().iter().for_each(|field| struct_member(errors, field));
    }
}

/// The members of a struct have a fixed size.
fn struct_member(errors: &mut Errors, field: &Field<'_>) {
    let fixed = matches!(field.kind, Kind::Scalar(_) | Kind::Array(_) | Kind::Nested);
    if !fixed || field.is_optional() || field.is_located() || option_argument(field.ty).is_some() {
        errors.add_at(
            field.ty,
            "the members of a struct are numbers, arrays and other structs, which have a fixed size",
        );
    }
}

fn table_words(errors: &mut Errors, model: &Model<'_>) {
    let words = &model.words;
    if let Some(identifier) = &words.identifier
        && identifier.value.value().len() != 4
    {
        errors
            .add(identifier.value.span(), "an identifier has four bytes: `identifier = b\"ABCD\"`");
    }
    for rule in &words.rules {
        rule_words(errors, model, rule, Scope::all(model));
    }
    parameters(errors, model);
}

fn parameters(errors: &mut Errors, model: &Model<'_>) {
    if let Some(parameter) = model.input.generics.type_params().next() {
        errors
            .add(parameter.ident.span(), "a table has no type parameters; declare it for one type");
    }
}

fn rule_words(errors: &mut Errors, model: &Model<'_>, rule: &crate::attr::Rule, scope: Scope) {
    let word = rule.kind.word();
    if let Some((_, name)) = rule.condition.measures().first() {
        errors.add(
            name.span(),
            format!(
                "a table does not say how its fields lie; call a method of the field: `{name}.is_empty()`"
            ),
        );
    }
    exprs::check(errors, model, word, &rule.condition, scope, Wanted::Condition);
    texts::text(errors, model, rule, scope);
}

fn table_field(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let words = &field.words;
    if let Some(parallel) = &field.parallel {
        let table = &parallel.root;
        errors.add(table.span(), format!("the items of `{table}` say nothing about a table, whose fields lie where its vtable says; remove the `for_each`"));
        return;
    }
    let Some(slot) = &words.slot else {
        errors.add(
            field.name.span(),
            format!("`{}` is a field of a table; say where it is stored: `slot = 0`", field.name),
        );
        return;
    };
    let number = plain_number(errors, &slot.value, "slot = 0");
    if number.is_some_and(|number| number > LAST_SLOT) {
        errors.add(slot.value.span(), format!("a vtable has no slot behind {LAST_SLOT}"));
    }
    if words.union.is_some() && number == Some(0) {
        errors.add(
            slot.value.span(),
            "the tag of a union lies in the slot before; its own slot is 1 at least",
        );
    }
    field_type(errors, model, field);
    align::check(errors, field);
    default::presence(errors, field);
    let rules = Scope { values: index.saturating_add(1), ..Scope::all(model) };
    for rule in words.rules.iter().filter(|rule| !rule.limit) {
        rule_words(errors, model, rule, Scope { own: Some(index), ..rules });
    }
    limits::check(errors, model, index, field);
}

/// A number as it stands, without a type.
fn plain_number(errors: &mut Errors, number: &LitInt, example: &str) -> Option<u64> {
    let value = number.base10_parse::<u64>().ok().filter(|_| number.suffix().is_empty());
    if value.is_none() {
        errors.add(number.span(), format!("this is a plain number: `{example}`"));
    }
    value
}

fn field_type(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    types::lifetimes(errors, model, field.inner);
    let instead = match field.kind {
        Kind::Scalar(_) | Kind::Bytes { owned: false } | Kind::Text { owned: false } => None,
        Kind::Nested if option_argument(field.inner).is_some() => {
            Some("an `Option` in an `Option` has no meaning here; remove one")
        }
        Kind::Nested if takes_arguments(field.inner, "FlatBuffer") => {
            Some("a buffer in a table is bytes: `&'a [u8]`; read it with `FlatBuffer::parse`")
        }
        Kind::Nested => {
            types::unreadable(errors, field.inner);
            None
        }
        Kind::Seq(_) | Kind::Vec(_) => Some("a vector in a table is an `FbVec<'a, T>`"),
        Kind::Bytes { .. } => Some("bytes in a table are borrowed: `&'a [u8]`"),
        Kind::Text { .. } => Some("a text in a table is borrowed: `&'a str`"),
        Kind::Utf16 => Some("a text in a table is UTF-8: `&'a str`"),
        Kind::Array(_) => Some("an array lies in a struct; declare one with `flatbuffer, inline`"),
        Kind::Auto(..) => Some("nothing in a table is derived; write the number's own type"),
    };
    if let Some(instead) = instead {
        errors.add_at(field.inner, instead);
    }
}

/// Every slot is declared once; a union takes the one before, too.
fn slots(errors: &mut Errors, fields: &[Field<'_>]) {
    let mut taken: Vec<(u64, &Field<'_>)> = Vec::new();
    for field in fields {
        let Some(slot) = &field.words.slot else { continue };
        let Ok(number) = slot.value.base10_parse::<u64>() else { continue };
        let tag = field.words.union.as_ref().and_then(|_| number.checked_sub(1));
        for slot_taken in tag.into_iter().chain([number]) {
            match taken.iter().find(|(other, _)| *other == slot_taken) {
                Some((_, other)) => {
                    errors.add(
                        slot.value.span(),
                        format!("slot {slot_taken} is that of `{}` already", other.name),
                    );
                    break;
                }
                None => taken.push((slot_taken, field)),
            }
        }
    }
}

/// A buffer takes bytes, and may be told its root by a field before it.
pub(super) fn buffer(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let words = &field.words;
    if !takes_arguments(field.inner, "FlatBuffer") {
        return;
    }
    if words.len.is_none() && words.until_end.is_none() && words.with.is_none() {
        errors.add_at(
            field.inner,
            format!("`{}` needs a size: `len = ..` or `until_end`", field.name),
        );
    }
    let Some(root) = &words.root else { return };
    let name = &root.value;
    if field.is_optional() || field.is_located() {
        errors.add(root.span, "a buffer whose root another field tells is always there, behind that field; remove `root`, or the condition or offset");
    }
    exprs::field(errors, model, name, Scope { own: Some(index), ..Scope::first(index) });
    let number = |field: &Field<'_>| {
        let scalar = field.kind.scalar().filter(|_| !field.is_optional());
        scalar.is_some_and(|scalar| scalar.size == 4 && scalar.numeric == Numeric::Unsigned)
    };
    if let Some((_, given)) = model.field(name).filter(|(at, given)| *at < index && !number(given))
    {
        errors.add_at(name, format!("the root is told by a `u32`; `{}` is none", given.name));
    }
}
