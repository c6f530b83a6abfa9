//! Rules about fields that are in the struct alone, and about what they hold.

use syn::Expr;

use crate::errors::Errors;
use crate::model::{Kind, Model, type_text};

/// Checks the fields with `skip`.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    for field in &model.skipped {
        let words = &field.one().words;
        let own = field.words.names.iter().chain(&words.names);
        for word in own.filter(|word| *word != "skip" && *word != "default") {
            errors.add(
                word.span(),
                format!(
                    "`{word}` says how a field lies in the file, and `skip` takes it out; keep one"
                ),
            );
        }
        if matches!(field.kind, Kind::Auto(..)) {
            errors.add_at(field.ty, "an `Auto` is in the file alone; a field with `skip` is not");
        }
        if let Some(argument) = model.kept_argument(field) {
            let (ty, argument) = (type_text(field.ty), &argument.ty);
            if ty != type_text(argument) {
                let wanted = type_text(argument);
                errors
                    .add_at(field.ty, format!("the field keeps an argument, so it is `{wanted}`"));
            }
        } else if let Some(default) = &words.default {
            known(errors, model, &default.value);
        }
    }
    if model.fields().is_empty()
        && let Some(skip) = model.skipped.first().and_then(|field| field.words.skip.as_ref())
        && model.words.bits.is_some()
    {
        errors.add(skip.span, "nothing is left of the bit fields; remove a `skip`");
    }
}

/// What a field holds without being read is known before anything is read.
fn known(errors: &mut Errors, model: &Model<'_>, default: &Expr) {
    match default {
        Expr::Path(path) => {
            let Some(name) = path.path.get_ident() else { return };
            let argument = model.parameters().iter().any(|parameter| parameter.name == *name);
            if argument || model.field(name).is_some() {
                errors.add(
                    name.span(),
                    if argument {
                        format!("an argument is kept as it is: `default = {name}`")
                    } else {
                        format!("a default is known before anything is read; `{name}` is not")
                    },
                );
            }
        }
        Expr::Call(call) => {
            known(errors, model, &call.func);
            call.args.iter().for_each(|arg| known(errors, model, arg));
        }
        Expr::Paren(paren) => known(errors, model, &paren.expr),
        // What a `macro_rules!` was given.
        Expr::Group(group) => known(errors, model, &group.expr),
        Expr::MethodCall(call) => {
            known(errors, model, &call.receiver);
            call.args.iter().for_each(|arg| known(errors, model, arg));
        }
        Expr::Unary(unary) => known(errors, model, &unary.expr),
        Expr::Reference(reference) => known(errors, model, &reference.expr),
        Expr::Binary(binary) => {
            known(errors, model, &binary.left);
            known(errors, model, &binary.right);
        }
        Expr::Tuple(tuple) => tuple.elems.iter().for_each(|part| known(errors, model, part)),
        Expr::Lit(_) => {}
        other => errors.add_at(
            other,
            "a default is made of literals, constants and calls; call a function of your own instead",
        ),
    }
}
