//! Binary container formats, each declared once with [`binfmt_runtime`].
//!
//! ```
//! # #[cfg(feature = "std")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/pte/mlp.pte");
//! use binfmt_formats::BinFormat;
//! use binfmt_formats::pte::Pte;
//!
//! let bytes = std::fs::read(path)?;
//! let file = Pte::parse(&bytes)?; // borrows; every length and offset is checked
//! for tensor in file.tensors()? {
//!     println!("{} {:?} {:?}", tensor.name, tensor.dtype(), tensor.shape);
//! }
//! print!("{}", Pte::validate(&bytes)); // everything that is wrong: nothing
//! println!("{}", Pte::inspect(&bytes)); // every field with its place
//! assert_eq!(file.to_vec()?, bytes); // and the file again
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "std"))]
//! # fn main() {}
//! ```
//!
//! | module | format | files |
//! |---|---|---|
//! | [`elf`] | ELF of 64 bits | object files, shared libraries, programs |
//! | [`fatbin`] | NVIDIA fat binaries | `.fatbin`, and sections of ELF files and archives |
//! | [`ptd`] | `ExecuTorch` tensor data | `.ptd` |
//! | [`rten`] | `RTen` models | `.rten` |
//! | [`pte`] | `ExecuTorch` programs | `.pte`, `.bpte` |
//! | [`vpt`] | Venice Program Tables | `.vpt` |
//!
//! Every module has the same order: where the format is specified, its declarations from the
//! outside in, then what the declarations cannot say. A finding names the document or the tool
//! whose rule is broken. The first type of a module is a file of the format; its page opens, lists,
//! writes and edits one. The [guide] has the same for all of them, and goes on in [the one of the
//! runtime](https://docs.rs/binfmt-runtime/latest/binfmt_runtime/guide/), which explains how formats are declared.
//!
//! # Features
//!
//! | feature | what it adds | needs |
//! |---|---|---|
//! | `elf`, `fatbin`, `ptd`, `pte`, `rten`, `vpt` | the format; all but `elf` without an allocator, too | `elf`: `alloc` |
//! | `host` | containers inside ELF files and archives | `std` |
//! | `codecs` | payloads decoded: LZ4, zlib, zstd | `std` |
//! | `slim` | libraries without GPU code that wanted devices cannot use | `host`, `elf`, `fatbin` |
//! | `alloc` | what owns memory: editors, builders, findings | |
//! | `std` | `write_to`, streams, errors as `std::error::Error` | `alloc` |
//! | `all` (default, with `std`) | all of these | |
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
        clippy::print_stdout
    )
)]

/// The code of the README, tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub use binfmt_runtime::BinFormat;

#[cfg(any(doc, doctest))]
pub mod guide;

#[cfg(all(feature = "alloc", feature = "tensors"))]
pub mod cast;
#[cfg(feature = "elf")]
pub mod elf;
#[cfg(feature = "host")]
pub mod elf_len;
#[cfg(feature = "fatbin")]
pub mod fatbin;
#[cfg(feature = "host")]
pub mod host;
#[cfg(feature = "alloc")]
#[cfg_attr(
    not(feature = "all"),
    allow(dead_code, reason = "a format alone needs less than all of them")
)]
pub mod pieces;
#[cfg(feature = "ptd")]
pub mod ptd;
#[cfg(feature = "pte")]
pub mod pte;
#[cfg(feature = "rten")]
pub mod rten;
#[cfg(feature = "tensors")]
pub mod scalar_type;
#[cfg(any(
    feature = "elf",
    feature = "fatbin",
    feature = "ptd",
    feature = "pte",
    feature = "rten",
    feature = "vpt",
    feature = "alloc"
))]
mod shared;
#[cfg(feature = "slim")]
pub mod slim;
#[cfg(feature = "alloc")]
#[cfg_attr(
    not(feature = "all"),
    allow(dead_code, unused_imports, reason = "a format alone needs less than all of them")
)]
pub mod summary;
#[cfg(all(feature = "alloc", feature = "tensors"))]
pub mod tensor;
#[cfg(feature = "vpt")]
pub mod vpt;
#[cfg(all(feature = "alloc", feature = "tensors"))]
#[cfg_attr(
    not(feature = "all"),
    allow(dead_code, reason = "a format alone needs less than all of them")
)]
pub mod weights;
