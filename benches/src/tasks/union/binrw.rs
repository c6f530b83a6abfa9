//! The union as `binrw` declarations.
//!
//! Variants are tried in turn, and each that was tried in vain leaves a message; with
//! `return_unexpected_error` none does, and nobody learns what was expected.

pub mod plain;
pub mod terse;

pub use plain::{own, write};
pub use terse::own as own_terse;
