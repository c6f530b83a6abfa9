//! `#[derive(BinFormat)]`.
//!
//! The pipeline is `attr` (tokens to words), `parts` (variants that hold fields become structs), `model` (what the declaration means), `check` (rules
//! between words), `derived` (what the writer computes), `steps` (what happens to the bytes, in
//! order), `emit` (the generated code); each uses those before it alone, as a test in `layers` says. A declaration with mistakes gets all of them at once and a
//! stub.

mod attr;
mod check;
mod derived;
mod emit;
mod errors;
mod expand;
mod expr;
mod fallback;
#[cfg(test)]
mod growth;
#[cfg(test)]
mod layers;
mod model;
#[cfg(test)]
mod names;
mod parts;
mod steps;
#[cfg(test)]
#[path = "../sweep/sweep.rs"]
mod sweep;
mod tokens;
mod ungroup;

#[doc = include_str!("../README.md")]
#[proc_macro_derive(BinFormat, attributes(bin, br, bw, brw, deku))]
pub fn derive(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let mut input = syn::parse_macro_input!(input as syn::DeriveInput);
    ungroup::ungroup(&mut input);
    expand::expand(&input).into()
}
