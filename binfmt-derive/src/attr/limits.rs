//! `range`, `one_of`, `unique` and `sorted_by`: rules that need no text of their own.

use proc_macro2::{Span, TokenTree};
use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Ident, Member, Token, bracketed};

use super::plain;
use super::value::{Reading, Value, separated};
use crate::expr::{self, Expr};
use crate::ungroup;

/// `range = low..=high`.
pub(crate) struct Range {
    pub(crate) low: Option<Expr>,
    pub(crate) high: Option<Expr>,
    /// Whether `high` itself is allowed.
    pub(crate) closed: bool,
    /// The range as written.
    pub(crate) text: String,
    /// Its first and last token.
    pub(crate) ends: (Span, Span),
}

/// One value of `one_of`.
pub(crate) struct Choice {
    pub(crate) value: Expr,
    /// The value as written.
    pub(crate) text: String,
}

/// What `unique` and `sorted_by` compare: a path into the item; `None` for the item itself.
pub(crate) type Key = Option<Expr>;

impl Value for Range {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.equals()?;
        Self::parse(at.input, at.example)
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.low.iter().chain(&self.high).collect()
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        self.low.iter_mut().chain(&mut self.high).collect()
    }
}

impl Range {
    fn parse(input: ParseStream<'_>, example: &str) -> syn::Result<Self> {
        // A `macro_rules!` may have been given all of it as one expression.
        let inner = |input: ParseStream<'_>| Self::parse(input, example);
        if let Some(Ok(range)) = ungroup::group(input).map(|given| inner.parse2(given)) {
            input.parse::<TokenTree>()?;
            return Ok(range);
        }
        let (first, before) = (input.span(), input.fork());
        let low = if input.peek(Token![..]) { None } else { Some(expr::operand(input)?) };
        let low_text = between(&before, input);
        let dots = input.span();
        let closed = input.peek(Token![..=]);
        if closed {
            input.parse::<Token![..=]>()?;
        } else if input.peek(Token![..]) {
            input.parse::<Token![..]>()?;
        } else {
            return Err(syn::Error::new(first, format!("`range` is given as in `{example}`")));
        }
        let before = input.fork();
        let ends = input.is_empty() || input.peek(Token![,]);
        let high = if ends { None } else { Some(expr::operand(input)?) };
        if closed && high.is_none() {
            return Err(syn::Error::new(dots, format!("`..=` needs an end: `{example}`")));
        }
        let last = high.as_ref().map_or(dots, |high| high.ends().1);
        let dots = if closed { "..=" } else { ".." };
        let text = format!("{low_text}{dots}{}", between(&before, input));
        Ok(Self { low, high, closed, text, ends: (first, last) })
    }
}

impl Value for Vec<Choice> {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        at.equals()?;
        let (input, example) = (at.input, at.example);
        if !input.peek(syn::token::Bracket) {
            let message = format!("`one_of` is given as in `{example}`");
            return Err(syn::Error::new(input.span(), message));
        }
        let inner;
        bracketed!(inner in input);
        let list = separated(&inner, "a comma is missing between two values", |input| {
            let before = input.fork();
            let value = choice(input)?;
            Ok(Choice { value, text: between(&before, input) })
        })?;
        if list.is_empty() {
            return Err(at.wrong(format!("no value is allowed; list some: `{example}`")));
        }
        Ok(list)
    }

    fn exprs(&self) -> Vec<&Expr> {
        self.iter().map(|choice| &choice.value).collect()
    }

    fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        self.iter_mut().map(|choice| &mut choice.value).collect()
    }
}

/// A path into an item names nothing of the declaration.
impl Value for Key {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        if at.word == "unique" && (at.input.is_empty() || at.input.peek(Token![,])) {
            return Ok(None);
        }
        at.equals()?;
        key(at.input)
    }
}

fn choice(input: ParseStream<'_>) -> syn::Result<Expr> {
    if input.peek(syn::LitStr) {
        return input.parse().map(Expr::Text);
    }
    if input.peek(syn::LitByteStr) {
        return input.parse().map(Expr::Bytes);
    }
    input.parse()
}

/// A path into an item: `offset`, `header.offset`, `end()`; `it` is the item itself.
fn key(input: ParseStream<'_>) -> syn::Result<Key> {
    let at = input.span();
    let wrong = || {
        syn::Error::new(
            at,
            "an item is compared by a field or a method of it: `offset`, `header.offset` or `end()`; `it` is the item itself",
        )
    };
    if !input.peek(Ident) {
        return Err(wrong());
    }
    let name = input.call(Ident::parse_any)?;
    let it = Expr::Name(Ident::new("it", name.span()));
    let mut path = match (input.peek(syn::token::Paren), name == "it") {
        (true, _) => method(input, it, name)?,
        (false, true) => it,
        (false, false) => Expr::Field(Box::new(it), Member::Named(name)),
    };
    while input.peek(Token![.]) {
        input.parse::<Token![.]>()?;
        let name: Ident = input.parse().map_err(|_| wrong())?;
        path = if input.peek(syn::token::Paren) {
            method(input, path, name)?
        } else {
            Expr::Field(Box::new(path), Member::Named(name))
        };
    }
    Ok(if matches!(path, Expr::Name(_)) { None } else { Some(path) })
}

fn method(input: ParseStream<'_>, of: Expr, name: Ident) -> syn::Result<Expr> {
    let inner;
    syn::parenthesized!(inner in input);
    if inner.is_empty() {
        return Ok(Expr::Method(Box::new(of), name, Vec::new()));
    }
    Err(syn::Error::new(inner.span(), "a method that tells what to compare takes no arguments"))
}

/// The tokens between two states of one input, as a person would write them.
fn between(before: ParseStream<'_>, after: ParseStream<'_>) -> String {
    let mut text = proc_macro2::TokenStream::new();
    while before.cursor() < after.cursor() {
        match before.parse::<TokenTree>() {
            Ok(tree) => tree.to_tokens(&mut text),
            Err(_) => break,
        }
    }
    let text = plain(&text);
    let tight = [(" :: ", "::"), (" . ", "."), (" (", "("), ("( ", "("), (" )", ")"), (" ,", ",")];
    let text = tight.iter().fold(text, |text, (loose, tight)| text.replace(loose, tight));
    text.strip_prefix("- ").map_or_else(|| text.clone(), |number| format!("-{number}"))
}
