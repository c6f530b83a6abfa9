//! Words by the form of the type, the field or the variant on which they stand.

use syn::Ident;

use super::relations;
use crate::attr::{Form, Words};
use crate::errors::Errors;
use crate::model::{Body, Field, Model};

/// Refuses every word that has no use where it stands, or that goes not with the others.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    let form = model.form();
    words(errors, form, &model.words, None);
    for field in model.fields() {
        let form = match form {
            Form::Bits => Form::BitField,
            Form::Table => Form::TableSlot,
            _ => Form::Sequence,
        };
        words(errors, form, &field.words, Some(field));
        if let Some(parallel) = field.parallel.as_ref().filter(|_| form == Form::Sequence) {
            words(errors, Form::Element, &parallel.element.words, Some(&parallel.element));
        }
    }
    if let Body::Union(variants) = &model.body {
        for variant in variants {
            words(errors, form, &variant.words, None);
        }
    }
}

/// Whether some words have any that a form has no use for.
pub(super) fn are_misplaced(form: Form, words: &Words) -> bool {
    words.rows().any(|(_, row)| !row.forms.contains(&form))
}

fn words(errors: &mut Errors, form: Form, words: &Words, field: Option<&Field<'_>>) {
    for (word, row) in words.rows() {
        if row.forms.contains(&form) {
            relations::check(errors, words, (word, row), field);
        } else {
            errors.add(word.span(), message(form, word));
        }
    }
}

/// What is wrong with a word, and what to do.
fn message(form: Form, word: &Ident) -> String {
    let name = word.to_string();
    let order = name == "little" || name == "big";
    match form {
        Form::Table | Form::TableSlot | Form::Schemas if order => {
            return "a table is little-endian in any case; remove the byte order".into();
        }
        Form::Tables if order => {
            return "a union has no numbers of its own; remove the byte order".into();
        }
        _ => {}
    }
    let why = special(form, &name).unwrap_or(match form {
        Form::Struct | Form::Sequence => "has no meaning here; remove it",
        Form::Bits => "has no meaning on a struct of bit fields; put it on a struct around it",
        Form::Numbers => "has no meaning on an enum of numbers; remove it",
        Form::Shapes => "has no meaning on an enum of shapes; put it on the type of a variant",
        Form::Table => "has no meaning on a table; remove it",
        Form::Tables => "has no meaning on a union of tables; put it on the table of a variant",
        Form::Schemas => "has no meaning on an enum of schemas; put it on the table of a variant",
        Form::Element => "has no meaning with `for_each`, whose values lie apart; remove it",
        Form::BitField => "has no meaning on a bit field; remove it",
        Form::TableSlot => "has no meaning in a table, whose fields lie where its vtable says",
    });
    format!("`{name}` {why}")
}

/// Better advice for single words.
fn special(form: Form, word: &str) -> Option<&'static str> {
    Some(match (form, word) {
        (Form::Struct, "probe" | "tag") => "tells variants apart, so it belongs on an enum",
        (_, "inline") => {
            "makes a struct of fixed size part of a table; it goes with `flatbuffer`, on a struct"
        }
        (_, "identifier") => "belongs to the table at the root of a buffer",
        (Form::Table | Form::TableSlot, "bits") => {
            "has no meaning in a table; declare the bit fields as a struct with `inline`"
        }
        (Form::Sequence | Form::Element, "bits") => {
            "is the width of a bit field; add `bits = u16` to the type, the integer that they lie in"
        }
        (_, "bits") => "goes on a struct of bit fields",
        (Form::Sequence | Form::Element | Form::BitField, "slot" | "required" | "union") => {
            "is a word of tables: types with `flatbuffer` and without `inline`"
        }
        (Form::Element, "map") => "converts one field; declare a type for the values of `for_each`",
        (Form::Struct, "peek") => "looks for the magics of variants, so it belongs on an enum",
        (Form::Shapes, "computed") => {
            "is a value of a struct; declare one for a variant and put it there, or write `let(name = ..)`, which the fields of all variants know"
        }
        (Form::Shapes, "slots") => {
            "tells the schemas of a table apart; add `flatbuffer` to the enum"
        }
        (Form::Table, "magic") => {
            "has no place in a table; a buffer begins with an `identifier`, which the table at its root declares"
        }
        (Form::Tables, "probe" | "peek" | "tag" | "magic") => {
            "has no meaning on a union of tables; its variants are told apart by their `id`"
        }
        (Form::Tables, "args") => "has no meaning on a union of tables; remove it",
        (Form::Schemas, "probe" | "peek" | "tag" | "magic" | "id" | "other") => {
            "has no meaning on an enum of schemas; they are told apart by their `slots`"
        }
        (Form::Schemas, "args") => "has no meaning on an enum of schemas; remove it",
        (Form::Element, "range" | "one_of" | "unique" | "sorted_by") => {
            "is a rule about items; put it on the table, or on their type"
        }
        _ => return None,
    })
}
