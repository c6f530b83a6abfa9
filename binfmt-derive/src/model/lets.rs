//! `let(name = e)`: every place that uses the name gets the expression.

use syn::Ident;

use super::Field;
use crate::attr::{Args, Endian, Words};
use crate::errors::Errors;
use crate::expr::Expr;

/// Replaces the names by what they stand for, in all words of a declaration.
pub(super) fn expand<'w>(
    errors: &mut Errors,
    words: &mut Words,
    fields: &mut [Field<'_>],
    variants: impl Iterator<Item = &'w mut Words>,
) {
    let Some(word) = words.lets.take() else { return };
    let mut list = word.value;
    let mut used = vec![false; list.len()];
    // A name may use those before it.
    for index in 1..list.len() {
        let (earlier, own) = list.split_at_mut(index);
        if let Some((_, expr)) = own.first_mut() {
            replace(expr, earlier, &mut used);
        }
    }
    in_words(words, &list, &mut used);
    for field in fields.iter_mut() {
        in_words(&mut field.words, &list, &mut used);
        if let Some(each) = &mut field.each {
            in_words(&mut each.element.words, &list, &mut used);
        }
    }
    for words in variants {
        in_words(words, &list, &mut used);
    }
    for ((name, _), used) in list.iter().zip(used) {
        if !used && !name.to_string().starts_with(char::is_uppercase) {
            errors.add(name.span(), format!("nothing uses `{name}`; remove it"));
        }
    }
}

fn in_words(words: &mut Words, list: &[(Ident, Expr)], used: &mut [bool]) {
    for expr in exprs(words) {
        replace(expr, list, used);
    }
}

/// Every expression of some words.
fn exprs(words: &mut Words) -> Vec<&mut Expr> {
    let own = [
        &mut words.len,
        &mut words.count,
        &mut words.calc,
        &mut words.at,
        &mut words.condition,
        &mut words.tag,
        &mut words.align_before,
        &mut words.align_after,
        &mut words.pad_before,
        &mut words.pad_after,
        &mut words.pad_to,
    ];
    let mut list: Vec<&mut Expr> = own.into_iter().flatten().map(|word| &mut word.value).collect();
    list.extend(words.rules.iter_mut().map(|rule| &mut rule.condition));
    if let Some(word) = &mut words.endian
        && let Endian::Computed(expr) = &mut word.value
    {
        list.push(expr);
    }
    if let Some(word) = &mut words.args
        && let Args::Passed(passed) = &mut word.value
    {
        list.extend(passed.iter_mut().map(|(_, expr)| expr));
    }
    list
}

/// Replaces the names inside one expression.
fn replace(expr: &mut Expr, list: &[(Ident, Expr)], used: &mut [bool]) {
    expr.replace(&mut |expr| {
        let Expr::Name(name) = expr else { return };
        let found = list.iter().zip(used.iter_mut()).find(|((other, _), _)| other == name);
        if let Some(((_, value), used)) = found {
            *used = true;
            *expr = value.clone();
        }
    });
}

/// A name that is taken already, or one that would read as something else.
pub(super) fn names(errors: &mut Errors, words: &Words, fields: &[Field<'_>]) {
    let Some(word) = &words.lets else { return };
    let parameters: Vec<&Ident> = match &words.args {
        Some(args) => match &args.value {
            Args::Declared(list) => list.iter().map(|parameter| &parameter.name).collect(),
            Args::Passed(_) => Vec::new(),
        },
        None => Vec::new(),
    };
    for (index, (name, _)) in word.value.iter().enumerate() {
        let field = fields.iter().any(|field| field.name == *name);
        let twice = word.value.iter().take(index).any(|(earlier, _)| earlier == name);
        if field || parameters.contains(&name) || twice {
            errors.add(
                name.span(),
                format!("`{name}` is taken already; give this value another name"),
            );
        }
        if name.to_string().starts_with(char::is_uppercase) {
            errors.add(
                name.span(),
                format!("`{name}` would read as a constant; give the value a name in lower case"),
            );
        }
    }
}
