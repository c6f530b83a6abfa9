//! The ids of variants: numbers, bytes, texts, constants and ranges, and the conditions beside them.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::parse::discouraged::Speculative as _;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned as _;
use syn::{LitByteStr, LitInt, LitStr, Path, Token};

use super::Words;
use super::value::{Reading, Value, separated};
use crate::expr::Expr;

/// `3`, `A | B`, `5..=9`, `b"RIFF"` or `(1, 2)`: the tags that a variant stands for, `if` a condition holds.
pub(crate) struct Ids {
    pub(crate) list: Vec<Id>,
    pub(crate) guard: Option<Expr>,
}

/// One tag, or all from one up to another.
pub(crate) enum Id {
    One(End),
    Range(Option<End>, Option<End>),
    /// One id for each part of a tag of several; `None` for any, written `_`.
    Parts(Vec<Option<Self>>, Span),
}

/// A literal or a constant.
pub(crate) enum End {
    Int(u64, Span),
    Bytes(LitByteStr),
    Text(LitStr),
    Path(Path),
}

/// `tag = kind`, or `tag = (class, kind)`: what tells variants apart.
pub(crate) struct Tag {
    pub(crate) parts: Vec<Expr>,
    /// Whether it is written in parentheses.
    pub(crate) tuple: bool,
}

impl Tag {
    /// The tag, if it has no parts.
    pub(crate) fn one(&self) -> Option<&Expr> {
        self.parts.first().filter(|_| !self.tuple)
    }
}

impl Value for Tag {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.equals()?;
        let (input, ahead) = (at.input, at.input.fork());
        if let Ok(parts) = tuple(&ahead)
            && parts.len() > 1
        {
            input.advance_to(&ahead);
            return Ok(Self { parts, tuple: true });
        }
        Ok(Self { parts: vec![input.parse()?], tuple: false })
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.parts.iter().collect()
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        self.parts.iter_mut().collect()
    }
}

/// Several expressions in parentheses, with nothing behind them.
fn tuple(input: ParseStream<'_>) -> syn::Result<Vec<Expr>> {
    let inner;
    syn::parenthesized!(inner in input);
    let parts = separated(&inner, "a comma is missing between two parts of the tag", Expr::parse)?;
    if input.is_empty() || input.peek(Token![,]) { Ok(parts) } else { Err(input.error(EXAMPLES)) }
}

const EXAMPLES: &str = "an id is a number, bytes, a text or a constant: `id = 3`, `id = b\"RIFF\"`, `id = A | B`, `id = 5..=9`";

/// Why no id is below 0.
const NEGATIVE: &str = "no id is below 0: a tag is an unsigned number or an enum of numbers, where each number below 0 is a variant (`None = -1`) that an id can name: `id = Kind::None`";

impl Words {
    /// Whether a variant with these words, of an enum with those, stands for several tags or magics, so
    /// that it keeps the one that was read. What is peeked at is a part of its value.
    pub(crate) fn keep_a_tag(&self, whole: &Self) -> bool {
        self.other.is_some()
            || self.id.as_ref().is_some_and(|id| id.value.several())
            || (self.magics.is_some() && whole.peek.is_none())
    }
}

impl Ids {
    /// Whether the variant stands for more than one tag.
    pub(crate) fn several(&self) -> bool {
        !matches!(self.list.as_slice(), [id] if id.is_one())
    }

    /// The one number that this is, if it is no more than that.
    pub(crate) fn number(&self) -> Option<(u64, Span)> {
        match (self.list.as_slice(), &self.guard) {
            ([Id::One(End::Int(number, span))], None) => Some((*number, *span)),
            _ => None,
        }
    }
}

impl Id {
    /// What is written of it.
    pub(crate) fn ends(&self) -> Vec<&End> {
        match self {
            Self::One(one) => vec![one],
            Self::Range(low, high) => low.iter().chain(high).collect(),
            Self::Parts(parts, _) => parts.iter().flatten().flat_map(Self::ends).collect(),
        }
    }

    /// Whether it stands for one tag alone.
    fn is_one(&self) -> bool {
        match self {
            Self::One(_) => true,
            Self::Range(..) => false,
            Self::Parts(parts, _) => {
                parts.iter().all(|part| part.as_ref().is_some_and(Self::is_one))
            }
        }
    }
}

impl End {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Int(_, span) => *span,
            Self::Bytes(bytes) => bytes.span(),
            Self::Text(text) => text.span(),
            Self::Path(path) => path.span(),
        }
    }

    pub(crate) fn tokens(&self) -> TokenStream {
        match self {
            Self::Int(value, span) => {
                let mut literal = proc_macro2::Literal::u64_unsuffixed(*value);
                literal.set_span(*span);
                quote!(#literal)
            }
            Self::Bytes(bytes) => {
                let bytes = bytes.value();
                quote!([#(#bytes),*])
            }
            Self::Text(text) => text.to_token_stream(),
            Self::Path(path) => path.to_token_stream(),
        }
    }
}

/// Reads with the messages that the value itself has.
impl Value for Ids {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.equals()?;
        at.input.parse()
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.guard.iter().collect()
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        self.guard.iter_mut().collect()
    }
}

impl Parse for Ids {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut list = vec![input.parse()?];
        while input.peek(Token![|]) {
            input.parse::<Token![|]>()?;
            list.push(input.parse()?);
        }
        let guard = input.peek(Token![if]).then(|| {
            input.parse::<Token![if]>()?;
            input.parse()
        });
        Ok(Self { list, guard: guard.transpose()? })
    }
}

impl Parse for Id {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::token::Paren) {
            let span = input.span();
            let inner;
            syn::parenthesized!(inner in input);
            let parts = separated(&inner, "a comma is missing between two parts", part)?;
            return Ok(Self::Parts(parts, span));
        }
        let low = if input.peek(Token![..]) { None } else { Some(input.parse()?) };
        if input.peek(Token![..=]) {
            input.parse::<Token![..=]>()?;
            return Ok(Self::Range(low, Some(input.parse()?)));
        }
        if !input.peek(Token![..]) {
            return low.map(Self::One).ok_or_else(|| input.error(EXAMPLES));
        }
        let dots = input.parse::<Token![..]>()?;
        let ends = input.is_empty() || input.peek(Token![,]) || input.peek(Token![|]);
        if low.is_none() || !(ends || input.peek(Token![if])) {
            let message = "a range of ids names its last, `5..=9`, or has none: `5..`";
            return Err(syn::Error::new(dots.spans[0], message));
        }
        Ok(Self::Range(low, None))
    }
}

/// One part of an id: any tag, or some.
fn part(input: ParseStream<'_>) -> syn::Result<Option<Id>> {
    if input.peek(Token![_]) {
        return input.parse::<Token![_]>().map(|_| None);
    }
    let part = input.parse()?;
    if input.peek(Token![|]) {
        return Err(input.error(
            "a part is a number, a range or `_`; write each tag whole: `id = (1, 2) | (1, 3)`",
        ));
    }
    Ok(Some(part))
}

impl Parse for End {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![-]) {
            return Err(input.error(NEGATIVE));
        }
        if input.peek(LitInt) {
            let int: LitInt = input.parse()?;
            let value = int.base10_parse().map_err(|_| syn::Error::new(int.span(), EXAMPLES))?;
            return Ok(Self::Int(value, int.span()));
        }
        if input.peek(syn::LitByte) {
            let byte: syn::LitByte = input.parse()?;
            return Ok(Self::Int(u64::from(byte.value()), byte.span()));
        }
        if input.peek(LitByteStr) {
            return input.parse().map(Self::Bytes);
        }
        if input.peek(LitStr) {
            return input.parse().map(Self::Text);
        }
        let span = input.span();
        match Path::parse_mod_style(input) {
            Ok(path) if path.get_ident().is_none_or(is_constant) => Ok(Self::Path(path)),
            _ => Err(syn::Error::new(span, EXAMPLES)),
        }
    }
}

/// A name in lower case would catch every tag.
fn is_constant(name: &syn::Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}
