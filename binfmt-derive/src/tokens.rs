//! What stands among tokens, and where they are.

use proc_macro2::{Group, Span, TokenStream, TokenTree};

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
