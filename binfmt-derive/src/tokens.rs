//! What stands among tokens.

use proc_macro2::{TokenStream, TokenTree};

/// Whether a name, or a lifetime without its apostrophe, is among the tokens, at any depth.
pub(crate) fn mention(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mention(group.stream(), name),
        _ => false,
    })
}
