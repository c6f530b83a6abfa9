//! Rules about the texts and codes of `check`, `error`, `warn` and `note`.

use syn::{Ident, LitStr};

use super::exprs::{self, Scope};
use crate::attr::Rule;
use crate::errors::Errors;
use crate::model::{Kind, Model};

/// Checks the placeholders of a text: each names a field or an argument that can be shown.
pub(super) fn text(errors: &mut Errors, model: &Model<'_>, rule: &Rule, scope: Scope) {
    let text = &rule.text;
    if text.value().trim().is_empty() {
        errors.add(text.span(), "an empty text says nothing; say what is wrong");
    }
    match placeholders(&text.value()) {
        Ok(list) => {
            for (name, spec) in list {
                placeholder(errors, model, text, name, spec);
            }
            for name in crate::emit::placeholders(text) {
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
        Err(message) => errors.add(text.span(), message),
    }
}

fn placeholder(errors: &mut Errors, model: &Model<'_>, text: &LitStr, name: &str, spec: &str) {
    let Ok(ident) = syn::parse_str::<Ident>(name) else {
        errors.add(
            text.span(),
            format!("`{{{name}}}` is no placeholder; one names a field or an argument: `{{size}}`"),
        );
        return;
    };
    if spec.contains('$') {
        errors.add(text.span(), format!("the width of `{{{name}}}` must be a number"));
    }
    let computed = model.computed(&ident).map(|computed| Kind::of(&computed.ty));
    let field = model.field(&ident).map(|(_, field)| (field.kind, field.is_optional()));
    let Some((kind, optional)) = field.or(computed.map(|kind| (kind, false))) else { return };
    let plain = match kind {
        Kind::Scalar(_) | Kind::Auto(..) | Kind::Text { .. } | Kind::Utf16 | Kind::Nested => {
            !optional
        }
        _ => false,
    };
    if !plain && !spec.ends_with('?') {
        errors
            .add(text.span(), format!("`{name}` has no plain form as text; write `{{{name}:?}}`"));
    }
}

/// Names and format specs of all placeholders of a text.
fn placeholders(text: &str) -> Result<Vec<(&str, &str)>, &'static str> {
    let mut list = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (brace, after) = rest.split_at(at).1.split_at(1);
        if let Some(behind) = after.strip_prefix(brace) {
            rest = behind;
            continue;
        }
        let inside = if brace == "{" { after.split_once('}') } else { None };
        let Some((inside, behind)) = inside.filter(|(inside, _)| !inside.contains('{')) else {
            return Err("a brace stands alone; write `{{` or `}}` for the character itself");
        };
        list.push(inside.split_once(':').unwrap_or((inside, "")));
        rest = behind;
    }
    Ok(list)
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

#[cfg(test)]
mod tests {
    use super::placeholders;

    #[test]
    fn placeholders_are_found_between_escaped_braces() {
        assert_eq!(placeholders("{{no}} {a} of {b:#x}").unwrap(), [("a", ""), ("b", "#x")]);
        assert!(placeholders("{a").is_err());
        assert!(placeholders("a}").is_err());
        assert!(placeholders("{a {b}}").is_err());
    }
}
