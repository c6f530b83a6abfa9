//! The ids of variants: numbers, constants and ranges of them.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned as _;
use syn::{LitInt, Path, Token};

/// `3`, `A | B` or `5..=9`: the tags that a variant stands for.
pub(crate) struct Ids(pub(crate) Vec<Id>);

/// One number, or all between two.
pub(crate) struct Id {
    pub(crate) low: End,
    pub(crate) high: Option<End>,
}

/// A number or a constant.
pub(crate) enum End {
    Int(u64, Span),
    Path(Path),
}

impl Ids {
    /// Whether the variant stands for more than one tag.
    pub(crate) fn several(&self) -> bool {
        !matches!(self.0.as_slice(), [Id { high: None, .. }])
    }
}

impl Ids {
    /// The one number that this is, if it is no more than that.
    pub(crate) fn number(&self) -> Option<(u64, Span)> {
        match self.0.as_slice() {
            [Id { low: End::Int(number, span), high: None }] => Some((*number, *span)),
            _ => None,
        }
    }
}

impl End {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Int(_, span) => *span,
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
            Self::Path(path) => path.to_token_stream(),
        }
    }
}

impl Parse for Ids {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut list = vec![input.parse()?];
        while input.peek(Token![|]) {
            input.parse::<Token![|]>()?;
            list.push(input.parse()?);
        }
        Ok(Self(list))
    }
}

impl Parse for Id {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let low = input.parse()?;
        if input.peek(Token![..]) && !input.peek(Token![..=]) {
            return Err(syn::Error::new(input.span(), "a range of ids names its last: `5..=9`"));
        }
        let high = if input.peek(Token![..=]) {
            input.parse::<Token![..=]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        Ok(Self { low, high })
    }
}

impl Parse for End {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let message = "an id is a number or a constant: `id = 3`, `id = A | B`, `id = 5..=9`";
        if input.peek(LitInt) {
            let int: LitInt = input.parse()?;
            let value = int.base10_parse().map_err(|_| syn::Error::new(int.span(), message))?;
            return Ok(Self::Int(value, int.span()));
        }
        let span = input.span();
        match Path::parse_mod_style(input) {
            Ok(path) if path.get_ident().is_none_or(is_constant) => Ok(Self::Path(path)),
            _ => Err(syn::Error::new(span, message)),
        }
    }
}

/// A name in lower case would catch every tag.
fn is_constant(name: &syn::Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}
