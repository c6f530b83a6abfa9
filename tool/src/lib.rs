//! A command-line tool for binary formats that are declared with [`binfmt_runtime`].
//!
//! One line per format gives a program that tells, inspects, validates, lists and rewrites files:
//!
//! ```no_run
//! use std::process::ExitCode;
//!
//! use binfmt_runtime::{Auto, BinFormat};
//!
//! /// A list of names.
//! #[derive(BinFormat)]
//! #[bin(little, magic = b"NAME")]
//! struct Names {
//!     count: Auto<u16>,
//!     #[bin(count = count)]
//!     names: Vec<Name>,
//! }
//!
//! /// One name, behind its length.
//! #[derive(BinFormat)]
//! #[bin(little)]
//! struct Name {
//!     len: Auto<u8>,
//!     #[bin(len = len)]
//!     text: String,
//! }
//!
//! fn main() -> ExitCode {
//!     binfmt_tool::main(&[binfmt_tool::format::<Names>("names")])
//! }
//! ```
//!
//! A format that has more to say than its declaration says it by small traits: [`driver::Items`] are
//! listed and extracted, [`driver::Tensors`] converted, [`driver::Metadata`] shown and changed,
//! [`driver::Places`] searched for in other files. They are added to a declared type
//! ([`Format::items`] and so on), or told by a [`Driver`] of its own.
//! A program that has more to do adds a [`Verb`]. Every verb is one file; what is common to all of
//! them (opening files, output files that appear whole, tables, JSON, exit codes) is here once.

#![cfg_attr(docsrs, feature(doc_cfg))]

/// The code of the README, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod args;
mod bits;
#[cfg(feature = "arrow")]
pub mod catalogue;
mod convert;
pub mod copying;
mod derived;
mod diff;
pub mod driver;
mod edit;
mod export;
mod extract;
#[cfg(test)]
mod fake;
mod files;
pub mod filter;
mod findings;
mod get;
mod identify;
pub mod input;
mod inspect;
pub mod item;
pub mod json;
pub mod library;
mod list;
mod map;
mod metadata;
mod names;
mod nest;
pub mod output;
mod pack;
pub mod paths;
mod pattern;
mod plain;
mod progress;
mod ranges;
mod recognise;
mod remake;
mod rewrite;
mod rows;
pub mod save;
mod scan;
mod schema;
mod search;
mod set;
mod shell;
pub mod sizes;
mod snapshot;
mod stream;
mod summary;
pub mod table;
mod tensor;
mod toolbox;
mod type_names;
mod undecoded;
mod validate;
mod verb;
mod view;
mod weights;
mod words;

pub use clap;

use std::fmt::Display;
use std::process::ExitCode;

pub use driver::Driver;
pub use edit::Edits;
pub use findings::tell_errors;
pub use plain::{Format, driver, format};
pub use ranges::covered;
pub use search::{Found, Place, search};
pub use tensor::Tensor;
pub use toolbox::{Called, Program, Toolbox};
pub use verb::Verb;

/// Runs a program for these formats with the arguments of the process: its name is that of the
/// executable.
pub fn main(formats: &[Format]) -> ExitCode {
    Program::new(formats).main()
}

/// [`main`] where there are arguments; without any, something else is shown.
pub fn main_or<E: Display>(formats: &[Format], show: impl FnOnce() -> Result<(), E>) -> ExitCode {
    if std::env::args_os().len() > 1 {
        return main(formats);
    }
    match show() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            output::error(&error.to_string());
            ExitCode::FAILURE
        }
    }
}
