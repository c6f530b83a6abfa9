//! Declare a binary container format once, as annotated Rust structs, and get the reader, the
//! writer, the validator, the inspector and the layout from that one declaration.
//!
//! ```
//! # #[cfg(all(feature = "derive", feature = "std"))] {
//! use binfmt_runtime::{Auto, BinFormat};
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! #[bin(little, magic = b"NOTE")]
//! struct Note {
//!     len: Auto<u16>, // in the file, but not in the struct: the writer computes it
//!     #[bin(len = len)]
//!     text: String,
//! }
//!
//! let bytes = Note { len: Auto::new(), text: "hello".to_owned() }.to_vec()?;
//! assert_eq!(Note::parse(&bytes)?.text, "hello");
//! print!("{}", Note::validate(&bytes)); // everything that is wrong: nothing
//! println!("{}", Note::inspect(&bytes)); // every field with its place
//! # }
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! # Where to go
//!
//! - [`guide::your_first_format`](guide/your_first_format/index.html): from a file to a program of
//!   your own in a quarter of an hour; the [`guide`](guide/index.html) goes on from there.
//! - [`BinFormat`](macro@BinFormat), the derive: every word of `#[bin(..)]`, and a
//!   [trait](trait@BinFormat): all that a declared type can do.
//! - [`guide::coming_from`](guide/coming_from/index.html), the cheat sheet: the words of other crates;
//!   [`guide::recipes`](guide/recipes/index.html).
//! - [`encodings`]: numbers of variable length, as text, in decimal digits: LEB128, those of MIDI, `SQLite`,
//!   DER, QUIC and TAR.
//! - [`binfmt-formats`](https://docs.rs/binfmt-formats): formats that are declared already;
//!   [`binfmt-tool`](https://docs.rs/binfmt-tool): a program for yours, whose [JSON](https://docs.rs/binfmt-cli/latest/binfmt_cli/json/) is described.
//!
//! # Features
//!
//! | feature | what it adds | needs |
//! |---|---|---|
//! | `derive` (default) | `#[derive(BinFormat)]` | |
//! | `std` (default) | [`BinFormat::write_to`] and [`Stream`] | `alloc` |
//! | `alloc` | `Vec` and `String` fields, [`Report`], [`Tree`], [`BinFormat::to_vec`] | |
//! | `laws` | `laws!`, the tests of your own declarations in one line | `std` |
//! | `binrw` | the module `binrw`, a bridge to types of that crate | `std` |
//! | `crc32`, `adler32` | `Crc32` and `Adler32` for `checksum(..)` | |
//! | `deflate` | the codecs `Zlib` and `Deflate` for `Encoded` | `alloc` |
//!
//! Without features the crate needs only `core`: it reads, checks and writes into slices.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        clippy::as_conversions,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::std_instead_of_core,
        clippy::alloc_instead_of_core,
        clippy::print_stdout
    )
)]
#![expect(
    clippy::inline_always,
    reason = "a walk is fast only when its steps melt into one another"
)]

/// The code of the README, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod array;
mod auto;
#[cfg(feature = "binrw")]
pub mod binrw;
mod bits;
mod blob;
#[cfg(feature = "alloc")]
mod boxed;
mod budget;
mod checksum;
mod coded;
mod compact;
mod compared;
mod cursor;
#[cfg(feature = "alloc")]
mod encoded;
pub mod encodings;
mod finding;
mod flat;
mod format;
#[cfg(any(doc, doctest))]
pub mod guide;
mod handed;
mod int;
mod items;
#[cfg(feature = "laws")]
pub mod laws;
mod layout;
mod lazy;
mod map;
#[cfg(feature = "alloc")]
mod markdown;
mod named;
mod narrow;
mod observe;
mod open;
mod ops;
mod overrides;
#[cfg(feature = "alloc")]
mod parallel;
mod parameter;
mod pass;
mod path;
mod pattern;
mod place;
mod previous;
mod record;
#[cfg(feature = "alloc")]
mod report;
mod rules;
mod seq;
mod setter;
mod stack;
#[cfg(feature = "std")]
mod stream;
mod strings;
mod terminator;
mod text;
#[cfg(feature = "alloc")]
mod tree;
mod tuple;
mod union;
#[cfg(feature = "alloc")]
mod update;
mod utf16;
mod value;
#[cfg(feature = "alloc")]
mod vec;
mod walk;
mod wanted;
mod write;
mod writer;

/// What generated code names. Nothing here is for hand-written code, and all of it may change.
#[doc(hidden)]
pub mod __private {
    /// Makes what modules have for generated code public under their names, here alone.
    macro_rules! modules {
        ($($(#[$attr:meta])* $name:ident)*) => {
            $($(#[$attr])* pub mod $name { pub use crate::$name::*; })*
        };
    }

    modules! {
        bits checksum compared flat handed items map named ops pass place previous rules setter stack strings terminator union walk wanted write
        #[cfg(feature = "alloc")] encoded
        #[cfg(feature = "alloc")] parallel
        #[cfg(feature = "alloc")] vec
    }

    #[cfg(feature = "alloc")]
    pub use crate::flat::{Builder, Built};
    pub use crate::layout::build as layout;
    pub use crate::walk::{Found, Shown, found, load, run};
    pub use crate::writer::{Affords, affords, used};

    /// The byte order in which the lowest byte comes first.
    pub const LE: Order = Order::Little;
    /// The byte order in which the highest byte comes first.
    pub const BE: Order = Order::Big;
    pub use crate::*;
    pub use core::option::Option::{self, None, Some};
    pub use core::result::Result::{self, Err, Ok};
}

/// What generated code has only where there is memory to build tables in.
#[cfg(feature = "alloc")]
#[doc(hidden)]
#[macro_export]
macro_rules! __flat_build {
    ($($tokens:tt)*) => { $($tokens)* };
}

/// What generated code has only where there is memory to build tables in.
#[cfg(not(feature = "alloc"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __flat_build {
    ($($tokens:tt)*) => {};
}

#[cfg(feature = "derive")]
pub use binfmt_derive::BinFormat;

pub use auto::{Auto, Reserved};
pub use bits::BitField;
pub use blob::Blob;
pub use budget::Limits;
#[cfg(feature = "adler32")]
pub use checksum::Adler32;
#[cfg(feature = "crc32")]
pub use checksum::Crc32;
pub use checksum::{ByteSum, Digest, Sum, WordSum};
pub use coded::{Coded, Decoded, Encoding, Number, NumberOf, Undecodable};
pub use compact::Compact;
pub use cursor::{Cursor, Fill};
#[cfg(feature = "alloc")]
pub use encoded::{Codec, CodecError, Encoded, EndsItself, Output, WithoutArguments, Xor};
#[cfg(feature = "deflate")]
pub use encoded::{Deflate, Zlib};
pub use encodings::{Leb, Leb128, SignedLeb};
pub use finding::{Class, Error, Fault, Finding, Problem, Severity, Show, Window};
#[cfg(feature = "alloc")]
pub use flat::FlatBuild;
pub use flat::{FbItems, FbRef, FbVec, FlatBuffer, FlatTable, FlatUnion, FlatValue, Placed};
pub use format::{BinFormat, DefaultArgs, Family, Wire};
#[doc(hidden)]
pub use int::Plain;
pub use int::{Int, Order};
pub use layout::{FieldLayout, Generic, Layout, Override, RuleLayout, Shape};
pub use lazy::Lazy;
pub use named::Named;
pub use narrow::{I24, I40, I48, I56, OutOfRange, U24, U40, U48, U56};
pub use observe::{Check, Events, Observer, Read};
pub use open::Open;
pub use parameter::{Ordered, Parameter, Unordered};
pub use path::{Path, Step};
pub use record::Recorder;
#[cfg(feature = "alloc")]
pub use report::{LeftOut, Report};
pub use rules::{Rule, Rules};
pub use seq::{Items, LinkedItems, LinkedSeq, Seq, Until};
#[cfg(feature = "std")]
pub use stream::Stream;
pub use text::Text;
#[cfg(feature = "alloc")]
pub use tree::{Node, NodeValue, Tree, TreeBuilder};
pub use union::{Probe, Tagged, TaggedBy};
#[cfg(feature = "std")]
pub use update::{Pages, update_file};
#[cfg(feature = "alloc")]
pub use update::{update, update_in};
pub use utf16::{Units, Utf16};
pub use value::{Names, Value};
#[doc(hidden)]
pub use writer::{Ahead, Hole, Region, Writer};
