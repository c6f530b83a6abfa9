//! Rules about the texts and codes of `check`, `error`, `warn` and `note`.

use syn::{LitStr, Type};

use super::exprs::{self, Scope};
use crate::attr::{Placeholder, Rule};
use crate::errors::Errors;
use crate::model::{Kind, Model, Numeric, Scalar};

/// Checks the placeholders of a text: each names a field or an argument that can be shown.
pub(super) fn text(errors: &mut Errors, model: &Model<'_>, rule: &Rule, scope: Scope) {
    let text = &rule.text;
    if text.value().trim().is_empty() {
        errors.add(text.span(), "an empty text says nothing; say what is wrong");
    }
    match &rule.placeholders {
        Ok(list) => {
            for one in list {
                placeholder(errors, model, text, one);
            }
            for name in rule.names_in_text() {
                if let Some(computed) = model.computed(&name) {
                    for used in computed.expr.names() {
                        let mut used = used.clone();
                        used.set_span(name.span());
                        if model.field(&used).is_some() {
                            exprs::field(errors, model, &used, scope);
                        }
                    }
                } else if !model.parameters().iter().any(|parameter| parameter.name == name) {
                    exprs::field(errors, model, &name, scope);
                }
            }
        }
        Err(message) => errors.add(text.span(), *message),
    }
}

fn placeholder(errors: &mut Errors, model: &Model<'_>, text: &LitStr, one: &Placeholder) {
    let Placeholder { name, spec } = one;
    let Some(ident) = one.ident(text) else {
        errors.add(
            text.span(),
            format!("`{{{name}}}` is no placeholder; one names a field or an argument: `{{size}}`"),
        );
        return;
    };
    if spec.contains('$') || spec.contains(".*") {
        errors.add(text.span(), format!("the width of `{{{name}}}` must be a number"));
        return;
    }
    let computed = model.computed(&ident).map(|computed| (&computed.ty, false));
    let field = model.field(&ident).map(|(_, field)| (field.inner, field.is_optional()));
    let parameter = model.parameters().iter().find(|one| one.name == ident);
    let parameter = parameter.map(|one| (&one.ty, false));
    let Some((ty, optional)) = field.or(computed).or(parameter) else { return };
    let kind = Kind::of(ty);
    let plain = match kind {
        Kind::Nested if matches!(ty, Type::Tuple(_) | Type::Array(_)) => false,
        Kind::Scalar(_) | Kind::Auto(..) | Kind::Text { .. } | Kind::Utf16 | Kind::Nested => {
            !optional
        }
        _ => false,
    };
    if !plain && !spec.ends_with('?') {
        errors
            .add(text.span(), format!("`{name}` has no plain form as text; write `{{{name}:?}}`"));
    } else if plain && !is_shown_so(kind, spec) {
        let message =
            format!("`{name}` cannot be shown as `{{{name}:{spec}}}` says; write `{{{name}}}`");
        errors.add(text.span(), message);
    }
}

/// Whether a value has the digits that the last letter of a placeholder asks for.
fn is_shown_so(kind: Kind<'_>, spec: &str) -> bool {
    let integer = kind.scalar().is_some_and(Scalar::is_int) || matches!(kind, Kind::Nested);
    let float = kind.scalar().is_some_and(|scalar| scalar.numeric == Numeric::Float);
    match spec.chars().last() {
        Some('x' | 'X' | 'o' | 'b') => integer,
        Some('e' | 'E') => integer || float,
        Some('p') => false,
        _ => true,
    }
}

/// A code names one rule of a type.
pub(super) fn codes(errors: &mut Errors, model: &Model<'_>) {
    let fields = model.fields().iter().flat_map(|field| &field.words.rules);
    let mut seen: Vec<String> = Vec::new();
    for code in model.words.rules.iter().chain(fields).filter_map(|rule| rule.code.as_ref()) {
        let value = code.value();
        if value.is_empty() {
            errors.add(code.span(), "an empty code names nothing");
        } else if seen.contains(&value) {
            errors.add(
                code.span(),
                format!("another rule of this type has the code `{value}`; give each its own"),
            );
        }
        seen.push(value);
    }
}
