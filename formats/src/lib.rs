//! Binary container formats, each declared once with [`binfmt_runtime`].
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
//! whose rule is broken.
//!
//! # Features
//!
//! One per format; `host` finds containers inside ELF files and archives; `codecs` decodes
//! compressed payloads; `alloc` and `std` as in the runtime.
#![no_std]
#![forbid(unsafe_code)]
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

#[cfg(feature = "elf")]
pub mod elf;
#[cfg(feature = "host")]
pub mod elf_len;
#[cfg(feature = "fatbin")]
pub mod fatbin;
#[cfg(feature = "host")]
pub mod host;
#[cfg(feature = "ptd")]
pub mod ptd;
#[cfg(feature = "pte")]
pub mod pte;
#[cfg(feature = "rten")]
pub mod rten;
#[cfg(any(feature = "ptd", feature = "pte", feature = "rten"))]
pub mod scalar_type;
#[cfg(any(
    feature = "elf",
    feature = "fatbin",
    feature = "ptd",
    feature = "pte",
    feature = "rten",
    feature = "vpt"
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
#[cfg(all(feature = "alloc", any(feature = "ptd", feature = "pte", feature = "rten")))]
pub mod tensor;
#[cfg(feature = "vpt")]
pub mod vpt;
