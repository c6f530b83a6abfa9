//! Words that list names with types or values.

use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Ident, Token, WherePredicate, parenthesized};

use super::words::{expr, list};
use super::{Args, Parameter};
use crate::expr::Expr;

/// `bound(T: Copy)`: what a type parameter must be able to do.
pub(super) fn bound(input: ParseStream<'_>, word: &Ident) -> syn::Result<Vec<WherePredicate>> {
    let example = "bound(T: Copy)";
    list(input, word, example)?;
    let inner;
    parenthesized!(inner in input);
    let list =
        Punctuated::<WherePredicate, Token![,]>::parse_terminated(&inner).map_err(|error| {
            syn::Error::new(error.span(), format!("bounds are given as in `{example}`"))
        })?;
    if list.is_empty() {
        return Err(syn::Error::new(word.span(), "there are no bounds in `bound()`; remove it"));
    }
    Ok(list.into_iter().collect())
}

pub(super) fn declared(input: ParseStream<'_>, word: &Ident) -> syn::Result<Args> {
    list(input, word, "args(name: Type = default)")?;
    let inner;
    parenthesized!(inner in input);
    if inner.is_empty() {
        return Err(syn::Error::new(word.span(), "there are no arguments in `args()`; remove it"));
    }
    let parameter = |input: ParseStream<'_>| {
        let name: Ident = argument_name(input, "name: Type")?;
        if !input.peek(Token![:]) {
            return Err(syn::Error::new(
                name.span(),
                format!("argument `{name}` needs a type: `{name}: Type`"),
            ));
        }
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        let default = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        Ok(Parameter { name, ty, default })
    };
    let list = arguments(&inner, parameter)?;
    Ok(Args::Declared(list))
}

pub(super) fn passed(input: ParseStream<'_>, word: &Ident) -> syn::Result<Args> {
    named(input, word, "args(name = value)").map(Args::Passed)
}

/// Names with values, in parentheses.
pub(super) fn named(
    input: ParseStream<'_>,
    word: &Ident,
    example: &str,
) -> syn::Result<Vec<(Ident, Expr)>> {
    list(input, word, example)?;
    let inner;
    parenthesized!(inner in input);
    if inner.is_empty() {
        let what = if word == "args" { "arguments" } else { "values" };
        let message = format!("there are no {what} in `{word}()`; remove it");
        return Err(syn::Error::new(word.span(), message));
    }
    let argument = |input: ParseStream<'_>| {
        let name: Ident = argument_name(input, "name = value")?;
        if input.peek(Token![=]) {
            let value = expr(input, &name, "args(name = value)")?;
            return Ok((name, value));
        }
        if input.is_empty() || input.peek(Token![,]) {
            return Ok((name.clone(), Expr::Name(name)));
        }
        let what = if word == "args" { "an argument" } else { "a value" };
        Err(syn::Error::new(name.span(), format!("{what} is given as `name = value`")))
    };
    arguments(&inner, argument)
}

/// `set(size = len(data))`: fields of the field's type, each with its value.
pub(super) fn setters(input: ParseStream<'_>, word: &Ident) -> syn::Result<Args> {
    list(input, word, "set(size = len(data))")?;
    let inner;
    parenthesized!(inner in input);
    if inner.is_empty() {
        return Err(syn::Error::new(word.span(), "nothing is set in `set()`; remove it"));
    }
    let setter = |input: ParseStream<'_>| {
        let name: Ident = input.parse().map_err(|error| {
            syn::Error::new(error.span(), "a field is set as in `set(size = len(data))`")
        })?;
        let value = expr(input, &name, "set(size = len(data))")?;
        Ok((name, value))
    };
    Ok(Args::Passed(arguments(&inner, setter)?))
}

fn argument_name(input: ParseStream<'_>, example: &str) -> syn::Result<Ident> {
    input.parse().map_err(|error| {
        syn::Error::new(error.span(), format!("an argument is given as `{example}`"))
    })
}

/// A list of arguments, with our own word for a missing comma.
fn arguments<T>(
    input: ParseStream<'_>,
    mut one: impl FnMut(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Vec<T>> {
    let mut list = Vec::new();
    while !input.is_empty() {
        list.push(one(input)?);
        if input.is_empty() {
            break;
        }
        if !input.peek(Token![,]) {
            return Err(syn::Error::new(input.span(), "an argument ends here; a comma is missing"));
        }
        input.parse::<Token![,]>()?;
    }
    Ok(list)
}
