//! Words that mean something of their own where a field is named: no field of that name is meant there.

use proc_macro2::Span;
use syn::Ident;

use crate::errors::Errors;
use crate::expr::{Expr, Measure};
use crate::model::{Model, Scope, is_before, is_given, is_group, is_value};

/// Refuses words of an expression that fields have as their names: both would read well.
pub(super) fn expr(errors: &mut Errors, model: &Model<'_>, expr: &Expr, scope: Scope) {
    let measured = expr.measures().into_iter().map(|(_, name)| name);
    for name in expr.names().into_iter().chain(measured) {
        let text = name.to_string();
        let (word, meaning) = match text.as_str() {
            "it" if scope.item => ("it", "an item of the table"),
            "index" if scope.item => ("index", "the number of the item"),
            _ if is_value(name) => ("value", "the value of the item"),
            _ if is_group(name) => match model.group_of(name) {
                Some(table) if table.root == "group" => continue,
                _ => ("group", "what holds the table"),
            },
            _ if text.starts_with("__last_") => ("last", "the item that was read last"),
            _ if text.starts_with("__previous_") || is_given(name) || is_before(name) => {
                ("previous", "the item before")
            }
            _ => continue,
        };
        refuse(errors, model, scope.values, &Ident::new(word, name.span()), meaning);
    }
    for (_, name) in expr.measures().into_iter().filter(|(one, _)| *one == Measure::Remaining) {
        remaining(errors, model, scope.values, name.span());
    }
}

/// Refuses `remaining` where one of so many fields has that name.
pub(super) fn remaining(errors: &mut Errors, model: &Model<'_>, fields: usize, span: Span) {
    let word = Ident::new("remaining", span);
    refuse(errors, model, fields, &word, "the number of bytes that are left");
}

/// Refuses `file` and `start`, as that from which offsets count or as what is covered, where one of so many
/// fields has that name.
pub(super) fn base(errors: &mut Errors, model: &Model<'_>, fields: usize, name: &Ident) {
    let meaning = if name == "file" { "the whole file" } else { "the start of this value" };
    refuse(errors, model, fields, name, meaning);
}

/// Refuses a word if one of the first fields, or an argument, has it as its name; fields behind them are not
/// known yet.
fn refuse(errors: &mut Errors, model: &Model<'_>, fields: usize, word: &Ident, meaning: &str) {
    let parameter = model.parameters().iter().any(|parameter| parameter.name == *word);
    let what = match model.field(word).filter(|(index, _)| *index < fields) {
        Some(_) => "a field",
        None if parameter => "an argument",
        None => return,
    };
    errors.add(
        word.span(),
        format!("`{word}` is {meaning} here, and {what} has that name; give that another one"),
    );
}
