//! `checksum(T, over = .., zero = .., except = ..)`: a field that a digest of other bytes is written into.

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
    /// Fields that it leaves out.
    pub(crate) except: Vec<Ident>,
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
#[derive(Default)]
struct Keys {
    over: Option<Over>,
    zero: Option<Vec<Ident>>,
    except: Option<Vec<Ident>>,
}

impl Keys {
    /// The name of a key that is given and takes a part of what is covered.
    fn part(&self) -> Option<&'static str> {
        let zero = self.zero.as_ref().map(|_| "zero");
        zero.or(self.except.as_ref().map(|_| "except"))
    }
}

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
        let mut keys = Keys::default();
        let mut number = None;
        while !inner.is_empty() {
            inner.parse::<Token![,]>().map_err(|_| wrong(inner.span()))?;
            if is_number(&inner) && number.is_none() {
                number = Some(inner.parse()?);
            } else if !inner.is_empty() {
                key(at, &inner, &mut keys, &wrong)?;
            }
        }
        if let Some(message) = contradiction(&keys, number.is_some()) {
            at.errors.add(at.word.span(), message);
        }
        let Keys { over, zero, except } = keys;
        let over = over.or_else(|| number.as_ref().map(|_| Over::default())).ok_or_else(|| {
            at.wrong(format!("nothing says what the checksum covers: `{example}`"))
        })?;
        let (zero, except) = (zero.unwrap_or_default(), except.unwrap_or_default());
        Ok(Self { digest, over, zero, except, number })
    }
}

/// Keys that mean nothing beside one another.
fn contradiction(keys: &Keys, of_item: bool) -> Option<String> {
    let part = keys.part();
    if of_item && (keys.over.is_some() || part.is_some()) {
        return Some(
            "the checksum of an item covers its value, all of it; remove `over`, `zero` and `except`"
                .into(),
        );
    }
    match (&keys.over, part?) {
        (Some(Over { decoded: Some(_), .. }), part) => {
            Some(format!("no field lies in decoded bytes; remove `{part}`"))
        }
        (Some(Over { file: true, .. }), part) => Some(format!(
            "a checksum over the file counts itself as zero, and covers all else; remove `{part}`"
        )),
        _ => None,
    }
}

/// Whether a number of an item comes next: `it.sum`.
fn is_number(input: ParseStream<'_>) -> bool {
    input.fork().parse::<Ident>().is_ok_and(|name| name == "it")
}

/// `over = ..`, `zero = ..` or `except = ..`.
fn key(
    at: &mut Reading<'_>,
    inner: ParseStream<'_>,
    keys: &mut Keys,
    wrong: &dyn Fn(proc_macro2::Span) -> syn::Error,
) -> syn::Result<()> {
    let key: Ident = inner.parse().map_err(|_| wrong(inner.span()))?;
    if key != "over" && key != "zero" && key != "except" {
        return Err(syn::Error::new(
            key.span(),
            "a checksum takes `over = ..`, `zero = ..` and `except = ..`",
        ));
    }
    inner.parse::<Token![=]>().map_err(|_| wrong(key.span()))?;
    let twice = if key == "over" {
        keys.over.replace(covered(inner)?).is_some()
    } else if key == "zero" {
        keys.zero.replace(fields(inner)?).is_some()
    } else {
        keys.except.replace(fields(inner)?).is_some()
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
            "fields are given by name: `over = first..=last`, `zero = count`, `except = flags`",
        )
    })
}
