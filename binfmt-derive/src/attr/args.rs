//! Words that list names with types or values.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{Parse as _, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, Token, Type, WherePredicate};

use super::Place;
use super::value::{Reading, Value, equals, separated};
use crate::expr::{Expr, OR};
use crate::ungroup;

/// `args(..)`: parameters of a type, or values for those of a field's type; `set(..)`: values.
pub(crate) enum Args {
    Declared(Vec<Parameter>),
    Passed(Vec<(Ident, Expr)>),
    /// Values without names, which functions of the user take in order.
    Values(Vec<Expr>),
    /// Numbers of the items of a table, and their values: `set(it.size = ..)`.
    OfItems(Vec<(Expr, Expr)>),
}

/// One parameter of a type.
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) default: Option<Expr>,
}

const NO_COMMA: &str = "an argument ends here; a comma is missing";

impl Args {
    /// The values that are passed by name.
    pub(crate) fn passed(&self) -> &[(Ident, Expr)] {
        if let Self::Passed(list) = self { list } else { &[] }
    }

    /// The values that are passed, in order.
    pub(crate) fn values(&self) -> Vec<&Expr> {
        match self {
            Self::Passed(list) => list.iter().map(|(_, expr)| expr).collect(),
            Self::Values(list) => list.iter().collect(),
            Self::OfItems(list) => list.iter().map(|(_, expr)| expr).collect(),
            Self::Declared(_) => Vec::new(),
        }
    }

    /// Names alone are values that functions take in order.
    pub(super) fn in_order(&mut self) {
        let alone = |(name, value): &(Ident, Expr)| matches!(value, Expr::Name(own) if own == name);
        if let Self::Passed(list) = self
            && list.iter().all(alone)
        {
            *self = Self::Values(list.drain(..).map(|(_, value)| value).collect());
        }
    }

    /// The same, to be changed.
    pub(crate) fn passed_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Passed(list) => list.iter_mut().map(|(_, expr)| expr).collect(),
            Self::Values(list) => list.iter_mut().collect(),
            Self::OfItems(list) => list.iter_mut().map(|(_, expr)| expr).collect(),
            Self::Declared(_) => Vec::new(),
        }
    }

    /// The numbers of items that are set, and their values.
    pub(crate) fn of_items(&self) -> &[(Expr, Expr)] {
        if let Self::OfItems(list) = self { list } else { &[] }
    }

    /// The parameters that are declared.
    pub(crate) fn declared(&self) -> &[Parameter] {
        if let Self::Declared(list) = self { list } else { &[] }
    }
}

impl Value for Args {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        if at.word == "set" {
            let inner = at.list("nothing is set in `set()`; remove it")?;
            return setters(separated(&inner, NO_COMMA, setter)?);
        }
        if at.place == Place::Type {
            at.example = "args(name: Type = default)";
            let inner = at.list("there are no arguments in `args()`; remove it")?;
            return separated(&inner, NO_COMMA, parameter).map(Self::Declared);
        }
        let inner = at.list("there are no arguments in `args()`; remove it")?;
        if are_values(&inner) {
            return separated(&inner, NO_COMMA, Expr::parse).map(Self::Values);
        }
        separated(&inner, NO_COMMA, argument).map(Self::Passed)
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.values()
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        self.passed_mut()
    }
}

/// A name of `let`.
pub(crate) struct Let {
    pub(crate) name: Ident,
    pub(crate) expr: Expr,
    /// Both as written, for the structs of variants.
    pub(crate) written: TokenStream,
}

/// `let(name = e)`; its expressions are a part of those that use the names.
impl Value for Vec<Let> {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        let inner = at.list("there are no values in `let()`; remove it")?;
        separated(&inner, NO_COMMA, |input| {
            let whole: TokenStream = input.fork().parse()?;
            let (name, expr) = named(input, "a value")?;
            let left: TokenStream = input.fork().parse()?;
            let taken = whole.clone().into_iter().count() - left.into_iter().count();
            Ok(Let { name, expr, written: whole.into_iter().take(taken).collect() })
        })
    }
}

/// `bound(T: Copy)`: what a type parameter must be able to do.
impl Value for Vec<WherePredicate> {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        let inner = at.list("there are no bounds in `bound()`; remove it")?;
        let list = Punctuated::<WherePredicate, Token![,]>::parse_terminated(&inner);
        list.map(|list| list.into_iter().collect()).map_err(|error| {
            syn::Error::new(error.span(), format!("bounds are given as in `{}`", at.example))
        })
    }
}

/// `name: Type = default`.
fn parameter(input: ParseStream<'_>) -> syn::Result<Parameter> {
    let name = argument_name(input, "an argument is given as `name: Type`")?;
    if !input.peek(Token![:]) {
        let message = format!("argument `{name}` needs a type: `{name}: Type`");
        return Err(syn::Error::new(name.span(), message));
    }
    input.parse::<Token![:]>()?;
    let ty = input.call(ungroup::parsed)?;
    let mut default = None;
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        default = Some(input.parse()?);
    }
    Ok(Parameter { name, ty, default })
}

/// `name = value`, or a name that is its own value.
fn named(input: ParseStream<'_>, what: &str) -> syn::Result<(Ident, Expr)> {
    let name = argument_name(input, "an argument is given as `name = value`")?;
    if input.peek(Token![=]) {
        equals(input, &name, "args(name = value)")?;
        return Ok((name, input.parse()?));
    }
    if input.is_empty() || input.peek(Token![,]) {
        return Ok((name.clone(), Expr::Name(name)));
    }
    Err(syn::Error::new(name.span(), format!("{what} is given as `name = value`")))
}

/// Whether no argument has a name, and one is more than a name.
fn are_values(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let mut names_alone = true;
    while !ahead.is_empty() {
        if ahead.peek(Ident) && ahead.peek2(Token![=]) && !ahead.peek2(Token![==]) {
            return false;
        }
        names_alone &=
            ahead.parse::<Ident>().is_ok() && (ahead.is_empty() || ahead.peek(Token![,]));
        while !ahead.is_empty() && !ahead.peek(Token![,]) {
            if ahead.parse::<TokenTree>().is_err() {
                return false;
            }
        }
        if ahead.parse::<Token![,]>().is_err() {
            break;
        }
    }
    !names_alone
}

/// An argument, of items also `name = previous.part or first`.
fn argument(input: ParseStream<'_>) -> syn::Result<(Ident, Expr)> {
    let (name, value) = named(input, "an argument")?;
    if !input.peek(Ident) {
        return Ok((name, value));
    }
    let or: Ident = input.parse()?;
    if or != OR {
        return Err(syn::Error::new(or.span(), NO_COMMA));
    }
    Ok((name, Expr::Builtin(or, vec![value, input.parse()?])))
}

/// `size = len(data)`: a field of the field's type, or a number of an item, and its value.
fn setter(input: ParseStream<'_>) -> syn::Result<(Expr, Expr)> {
    let example = "set(size = len(data))";
    let name = argument_name(input, "a field is set as in `set(size = len(data))`")?;
    let mut target = Expr::Name(name.clone());
    while target.is_of_it() && input.peek(Token![.]) {
        input.parse::<Token![.]>()?;
        target = Expr::Field(Box::new(target), input.parse()?);
    }
    if input.peek(Token![.]) {
        let message = format!(
            "`set` names fields of the value itself; what lies inside of `{name}` is set by a `set` on `{name}`, in its own type"
        );
        return Err(syn::Error::new(name.span(), message));
    }
    equals(input, &name, example)?;
    Ok((target, input.parse()?))
}

/// All that one word sets: numbers of an item, or fields of a value.
fn setters(list: Vec<(Expr, Expr)>) -> syn::Result<Args> {
    if !list.iter().any(|(target, _)| target.is_of_it()) {
        let field = |(target, value)| match target {
            Expr::Name(name) => Some((name, value)),
            _ => None,
        };
        return Ok(Args::Passed(list.into_iter().filter_map(field).collect()));
    }
    match list.iter().find(|(target, _)| !target.is_of_it()) {
        Some((Expr::Name(name), _)) => Err(syn::Error::new(
            name.span(),
            format!("`{name}` is no number of an item, as the others are; write `it.{name}`"),
        )),
        _ => Ok(Args::OfItems(list)),
    }
}

fn argument_name(input: ParseStream<'_>, message: &str) -> syn::Result<Ident> {
    input.parse().map_err(|error| syn::Error::new(error.span(), message))
}
