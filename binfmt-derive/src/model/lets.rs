//! `let(name = e)`: every place that uses the name gets the expression.

use syn::Ident;

use super::Field;
use crate::attr::Words;
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
    for expr in words.exprs_mut() {
        replace(expr, list, used);
    }
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
    let declared = words.args.iter().flat_map(|args| args.value.declared());
    let parameters: Vec<&Ident> = declared.map(|parameter| &parameter.name).collect();
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
