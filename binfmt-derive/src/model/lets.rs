//! `let(name = e)` and `computed(name: Type = e)`: every place that uses the name gets the expression.

use syn::Ident;

use super::{Field, Variant};
use crate::attr::{Rule, Words};
use crate::errors::Errors;
use crate::expr::Expr;
use crate::parts::Part;

/// Replaces the names by what they stand for, in all words of a declaration; the fields of a variant have the
/// names of the enum, about which it tells what is wrong.
pub(super) fn expand(
    errors: &mut Errors,
    words: &mut Words,
    fields: &mut [Field<'_>],
    (variants, part): (&mut [Variant<'_>], Option<&Part>),
) {
    let lets = words.lets.take().map(|word| word.value).unwrap_or_default();
    let mut list: Vec<_> = lets.into_iter().map(|one| (one.name, one.expr)).collect();
    // A name that is taken stays that of the field.
    let is_free = |name: &Ident| fields.iter().all(|field| field.name != *name);
    list.retain(|(name, _)| is_free(name));
    let mut used = vec![false; list.len()];
    let rules = fields.iter().flat_map(|field| &field.words.rules);
    for rule in words.rules.iter().chain(rules) {
        shown(errors, rule, &list, &mut used);
    }
    for computed in words.computed.iter().filter(|computed| is_free(&computed.name)) {
        list.push((computed.name.clone(), computed.expr.clone()));
        used.push(true);
    }
    let of_the_enum = &mut Errors::default();
    let errors = if part.is_some() { of_the_enum } else { errors };
    let mut settled = vec![false; list.len()];
    for index in 0..list.len() {
        settle(errors, &mut list, (&mut used, &mut settled), index, &mut Vec::new());
    }
    in_words(words, &list, &mut used);
    for field in fields.iter_mut() {
        in_words(&mut field.words, &list, &mut used);
        if let Some(parallel) = &mut field.parallel {
            in_words(&mut parallel.element.words, &list, &mut used);
        }
    }
    for variant in variants.iter_mut() {
        in_words(&mut variant.words, &list, &mut used);
    }
    let parts = || variants.iter().filter_map(|variant| variant.part);
    for ((name, _), used) in list.iter().zip(used) {
        let used = used || parts().any(|part| part.lets.contains(name));
        if !used && !name.to_string().starts_with(char::is_uppercase) {
            errors.add(name.span(), format!("nothing uses `{name}`; remove it"));
        }
    }
}

/// A text shows values that have a type, and these names have none.
fn shown(errors: &mut Errors, rule: &Rule, list: &[(Ident, Expr)], used: &mut [bool]) {
    for name in rule.names_in_text() {
        let Some(index) = list.iter().position(|(other, _)| *other == name) else { continue };
        if let Some(used) = used.get_mut(index) {
            *used = true;
        }
        errors.add(
            name.span(),
            format!("a text cannot show `{name}`, which `let` gives no type; write `computed({name}: u64 = ..)` on the type"),
        );
    }
}

/// Replaces the names in one expression of the list, those in theirs first.
fn settle(
    errors: &mut Errors,
    list: &mut [(Ident, Expr)],
    (used, settled): (&mut [bool], &mut [bool]),
    index: usize,
    open: &mut Vec<usize>,
) {
    let Some((own, expr)) = list.get(index).cloned() else { return };
    if settled.get(index).is_none_or(|settled| *settled) {
        return;
    }
    open.push(index);
    for name in expr.names() {
        let Some(other) = list.iter().position(|(other, _)| other == name) else { continue };
        if open.contains(&other) {
            errors.add(name.span(), format!("`{own}` is computed from itself by way of `{name}`"));
            continue;
        }
        settle(errors, list, (used, settled), other, open);
    }
    open.pop();
    let known = list.to_vec();
    if let Some((_, expr)) = list.get_mut(index) {
        replace(expr, &known, used);
    }
    if let Some(settled) = settled.get_mut(index) {
        *settled = true;
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

/// A name that is taken already, or one that would read as something else. Of those that the fields of a
/// variant have of the enum, that alone is left which the fields decide.
pub(super) fn names(errors: &mut Errors, words: &Words, fields: &[Field<'_>], part: Option<&Part>) {
    let declared = words.args.iter().flat_map(|args| args.value.declared());
    let parameters: Vec<&Ident> = declared.map(|parameter| &parameter.name).collect();
    let lets = words.lets.iter().flat_map(|word| &word.value).map(|one| &one.name);
    let names: Vec<&Ident> = lets.chain(words.computed.iter().map(|one| &one.name)).collect();
    for (index, name) in names.iter().copied().enumerate() {
        let field = fields.iter().any(|field| field.name == *name);
        let own = part.is_none();
        let twice = names.iter().take(index).any(|earlier| *earlier == name);
        if field || own && (parameters.contains(&name) || twice) {
            errors.add(
                name.span(),
                format!("`{name}` is taken already; give this value another name"),
            );
        }
        if own && name.to_string().starts_with(char::is_uppercase) {
            errors.add(
                name.span(),
                format!("`{name}` would read as a constant; give the value a name in lower case"),
            );
        }
    }
}
