//! `checksum(T, over = .., zero = ..)`: a field that a digest of other bytes is written into.

use syn::parse::ParseStream;
use syn::{Ident, Token, Type, bracketed, parenthesized};

use super::value::{Reading, Value, separated};
use crate::expr::Expr;
use crate::ungroup;

/// One checksum: what computes it and from what.
pub(crate) struct Checksum {
    pub(crate) digest: Type,
    pub(crate) over: Over,
    /// Fields that count as zero bytes.
    pub(crate) zero: Vec<Ident>,
    /// The number of an item that keeps the checksum of its value.
    pub(crate) number: Option<Expr>,
}

/// The bytes that a checksum covers: from the first byte of a field, or of the value, to the last one
/// of another field, which may be the same, or of the value.
#[derive(Default)]
pub(crate) struct Over {
    pub(crate) first: Option<Ident>,
    pub(crate) last: Option<Ident>,
    /// All that is written, whatever lies around the value.
    pub(crate) file: bool,
    /// What a field in coded bytes decodes to.
    pub(crate) decoded: Option<Ident>,
}

/// The keys behind the type, with their values.
type Keys = (Option<Over>, Option<Vec<Ident>>);

impl Value for Checksum {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        let example = at.example;
        let wrong = |span| syn::Error::new(span, format!("a checksum is given as in `{example}`"));
        if !at.input.peek(syn::token::Paren) {
            return Err(wrong(at.word.span()));
        }
        let inner;
        parenthesized!(inner in at.input);
        let span = inner.span();
        let digest = inner.call(ungroup::parsed).map_err(|_| {
            let message = format!("a checksum names the type that computes it: `{example}`");
            syn::Error::new(span, message)
        })?;
        let mut keys: Keys = (None, None);
        let mut number = None;
        while !inner.is_empty() {
            inner.parse::<Token![,]>().map_err(|_| wrong(inner.span()))?;
            if is_number(&inner) && number.is_none() {
                number = Some(inner.parse()?);
            } else if !inner.is_empty() {
                key(at, &inner, &mut keys, &wrong)?;
            }
        }
        let (over, zero) = keys;
        if number.is_some() && (over.is_some() || zero.is_some()) {
            at.errors.add(
                at.word.span(),
                "the checksum of an item covers its value, all of it; remove `over` and `zero`",
            );
        }
        if let (Some(Over { decoded: Some(_), .. }), Some(_)) = (&over, &zero) {
            at.errors.add(
                at.word.span(),
                "no field counts as zero in decoded bytes, where none of them lies; remove `zero`",
            );
        }
        if let (Some(Over { file: true, .. }), Some(_)) = (&over, &zero) {
            at.errors.add(
                at.word.span(),
                "a checksum over the file counts itself as zero, and nothing else; remove `zero`",
            );
        }
        let over = over.or_else(|| number.as_ref().map(|_| Over::default())).ok_or_else(|| {
            at.wrong(format!("nothing says what the checksum covers: `{example}`"))
        })?;
        Ok(Self { digest, over, zero: zero.unwrap_or_default(), number })
    }
}

/// Whether a number of an item comes next: `it.sum`.
fn is_number(input: ParseStream<'_>) -> bool {
    input.fork().parse::<Ident>().is_ok_and(|name| name == "it")
}

/// `over = ..` or `zero = ..`.
fn key(
    at: &mut Reading<'_>,
    inner: ParseStream<'_>,
    (over, zero): &mut Keys,
    wrong: &dyn Fn(proc_macro2::Span) -> syn::Error,
) -> syn::Result<()> {
    let key: Ident = inner.parse().map_err(|_| wrong(inner.span()))?;
    if key != "over" && key != "zero" {
        return Err(syn::Error::new(key.span(), "a checksum takes `over = ..` and `zero = ..`"));
    }
    inner.parse::<Token![=]>().map_err(|_| wrong(key.span()))?;
    let twice = if key == "over" {
        over.replace(covered(inner)?).is_some()
    } else {
        zero.replace(fields(inner)?).is_some()
    };
    if twice {
        at.errors.add(key.span(), format!("duplicate `{key}`; keep one"));
    }
    Ok(())
}

fn covered(input: ParseStream<'_>) -> syn::Result<Over> {
    if input.peek(Token![self]) {
        input.parse::<Token![self]>()?;
        return Ok(Over::default());
    }
    let first = if input.peek(Token![..]) { None } else { Some(field(input)?) };
    if first.as_ref().is_some_and(|first| first == "file") && !input.peek(Token![..]) {
        return Ok(Over { file: true, ..Over::default() });
    }
    if first.as_ref().is_some_and(|first| first == "decoded") && input.peek(syn::token::Paren) {
        return decoded(input);
    }
    if input.peek(Token![..=]) {
        input.parse::<Token![..=]>()?;
        return Ok(Over { first, last: Some(field(input)?), ..Over::default() });
    }
    if first.is_none() {
        return Err(syn::Error::new(
            input.span(),
            "the whole value is `self`; a range names a field: `..=last`",
        ));
    }
    if input.peek(Token![..]) {
        let span = input.span();
        input.parse::<Token![..]>()?;
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(syn::Error::new(span, "the last field is covered too: write `..=`"));
        }
        return Ok(Over { first, ..Over::default() });
    }
    Ok(Over { last: first.clone(), first, ..Over::default() })
}

/// The field behind `decoded`, which is one alone.
fn decoded(input: ParseStream<'_>) -> syn::Result<Over> {
    let inner;
    parenthesized!(inner in input);
    let decoded = field(&inner)?;
    if inner.is_empty() {
        return Ok(Over { decoded: Some(decoded), ..Over::default() });
    }
    Err(syn::Error::new(inner.span(), "one field is decoded: `over = decoded(body)`"))
}

/// One field, or several in brackets.
fn fields(input: ParseStream<'_>) -> syn::Result<Vec<Ident>> {
    if !input.peek(syn::token::Bracket) {
        return field(input).map(|one| vec![one]);
    }
    let inner;
    bracketed!(inner in input);
    separated(&inner, "a comma is missing between two fields", field)
}

fn field(input: ParseStream<'_>) -> syn::Result<Ident> {
    input.parse().map_err(|error| {
        syn::Error::new(
            error.span(),
            "fields are given by name: `over = first..=last`, `zero = sum`",
        )
    })
}
