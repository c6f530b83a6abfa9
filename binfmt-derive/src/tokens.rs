//! What stands among tokens, and where they are.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::Lifetime;

/// Whether a name, or a lifetime without its apostrophe, is among the tokens, at any depth.
pub(crate) fn mention(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mention(group.stream(), name),
        _ => false,
    })
}

/// Tokens at another place, so that what the compiler finds wrong lies there. Names mean what they did.
pub(crate) fn respanned(tokens: TokenStream, place: Span) -> TokenStream {
    let tokens = tokens.into_iter().map(|mut token| {
        let span = token.span().located_at(place);
        if let TokenTree::Group(group) = &token {
            let inner = respanned(group.stream(), place);
            token = TokenTree::Group(Group::new(group.delimiter(), inner));
        }
        token.set_span(span);
        token
    });
    tokens.collect()
}

/// Code in which a local has another name.
pub(crate) fn renamed(tokens: TokenStream, from: &str, to: &Ident) -> TokenStream {
    let tokens = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == from => to.clone().into(),
        TokenTree::Group(group) => {
            let inner = renamed(group.stream(), from, to);
            let mut changed = Group::new(group.delimiter(), inner);
            changed.set_span(group.span());
            changed.into()
        }
        other => other,
    });
    tokens.collect()
}

/// A type whose lifetimes are all the one that is given, but for `'static`.
pub(crate) fn borrowing(tokens: TokenStream, lifetime: &Lifetime) -> TokenStream {
    let mut code = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(quote)
                if quote.as_char() == '\''
                    && tokens.next_if(|name| name.to_string() != "static").is_some() =>
            {
                lifetime.to_tokens(&mut code);
            }
            TokenTree::Group(group) => {
                let inner = borrowing(group.stream(), lifetime);
                code.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
            }
            other => code.extend([other]),
        }
    }
    code
}

/// Code in which `Self::name` says whose `name` it is, as it has to outside of that trait.
pub(crate) fn of_trait(tokens: TokenStream, name: &str, of: &TokenStream) -> TokenStream {
    let mut code: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let inner = of_trait(group.stream(), name, of);
                let mut changed = Group::new(group.delimiter(), inner);
                changed.set_span(group.span());
                code.push(changed.into());
            }
            TokenTree::Ident(ident) if ident == name && follows_self(&code) => {
                let colons = code.split_off(code.len().saturating_sub(2));
                code.pop();
                code.extend(of.clone().into_iter().chain(colons));
                code.push(ident.into());
            }
            other => code.push(other),
        }
    }
    code.into_iter().collect()
}

/// Whether code ends in `Self::`.
fn follows_self(code: &[TokenTree]) -> bool {
    let is_colon =
        |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ':');
    match code {
        [.., TokenTree::Ident(of), a, b] => of == "Self" && is_colon(a) && is_colon(b),
        _ => false,
    }
}
