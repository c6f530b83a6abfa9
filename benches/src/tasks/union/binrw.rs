//! The union as `binrw` declarations.
//!
//! Variants are tried in turn, and each that was tried in vain leaves a message; with
//! `return_unexpected_error` none does, and nobody learns what was expected. A magic may stand on the
//! variant or on the struct that it holds.

pub mod plain;
pub mod structs;
pub mod terse;

pub use plain::{own, write};
pub use structs::own as own_structs;
pub use terse::own as own_terse;
