//! Operators of expressions in generated code.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use crate::expr::Op;

/// The runtime function of an operator between numbers.
pub(super) fn arithmetic(op: Op) -> Ident {
    let name = match op {
        Op::Add => "add",
        Op::Sub => "sub",
        Op::Mul => "mul",
        Op::Div => "div",
        Op::Rem => "rem",
        Op::Shl => "shl",
        _ => "shr",
    };
    format_ident!("{name}")
}

/// The operator of Rust that compares the same way.
pub(super) fn comparison(op: Op) -> TokenStream {
    match op {
        Op::Eq => quote!(==),
        Op::Ne => quote!(!=),
        Op::Lt => quote!(<),
        Op::Le => quote!(<=),
        Op::Gt => quote!(>),
        _ => quote!(>=),
    }
}

/// The operator of Rust with the same meaning, for constants.
pub(super) fn plain(op: Op) -> TokenStream {
    match op {
        Op::Or => quote!(||),
        Op::And => quote!(&&),
        Op::BitOr => quote!(|),
        Op::BitAnd => quote!(&),
        Op::Shl => quote!(<<),
        Op::Shr => quote!(>>),
        Op::Add => quote!(+),
        Op::Sub => quote!(-),
        Op::Mul => quote!(*),
        Op::Div => quote!(/),
        Op::Rem => quote!(%),
        _ => comparison(op),
    }
}
