//! # Ready formats
//!
//! The last chapter of [the guide](https://docs.rs/binfmt-runtime/latest/binfmt_runtime/guide/):
//! what you can do with a format without declaring it.
//!
//! ## Open
//!
//! Each format has a type that is a file of it: [`Pte`](crate::pte::Pte), [`Ptd`](crate::ptd::Ptd),
//! [`Rten`](crate::rten::Rten), [`Region`](crate::fatbin::Region), [`Vpt`](crate::vpt::Vpt),
//! [`Elf`](crate::elf::Elf). All have what every declared type has, from the trait
//! [`BinFormat`](trait@crate::BinFormat): they borrow the bytes, and nothing is read that you do not ask for.
//!
//! ```
//! # #[cfg(all(feature = "std", feature = "ptd"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/ptd/direct_two_tensors.ptd");
//! use binfmt_formats::BinFormat;
//! use binfmt_formats::ptd::Ptd;
//!
//! let bytes = std::fs::read(path)?;
//! let file = Ptd::parse(&bytes)?;
//! assert!(Ptd::is_valid(&bytes)); // all of it has been looked at now
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "std", feature = "ptd")))]
//! # fn main() {}
//! ```
//!
//! ## Say what is wrong
//!
//! An error names the field and its bytes; a validator goes on behind it and finds everything.
//!
//! ```
//! # #[cfg(all(feature = "std", feature = "ptd"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use binfmt_formats::BinFormat;
//! # use binfmt_formats::ptd::Ptd;
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/ptd/direct_two_tensors.ptd");
//! # let bytes = std::fs::read(path)?;
//! let cut = &bytes[..bytes.len() / 2];
//! assert!(!Ptd::is_valid(cut));
//! let report = Ptd::validate(cut);
//! for finding in report.findings() {
//!     println!("{finding}"); // the field, its bytes, what was expected, and the code of the rule
//! }
//! # assert!(!report.is_ok());
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "std", feature = "ptd")))]
//! # fn main() {}
//! ```
//!
//! ## List tensors, whatever the format
//!
//! `.ptd`, `.pte` and `.rten` give tensors of one type, [`Tensor`](crate::tensor::Tensor).
//!
//! ```
//! # #[cfg(all(feature = "std", feature = "ptd", feature = "rten"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/");
//! # let data = std::fs::read(format!("{corpus}ptd/direct_two_tensors.ptd"))?;
//! # let model = std::fs::read(format!("{corpus}rten/mlp_v2.rten"))?;
//! use binfmt_formats::BinFormat;
//! use binfmt_formats::{ptd::Ptd, rten::Rten};
//!
//! let mut all = Ptd::parse(&data)?.tensors()?;
//! all.extend(Rten::parse(&model)?.tensors()?);
//! for tensor in &all {
//!     println!("{} {:?} {:?}", tensor.name, tensor.dtype(), tensor.shape);
//! }
//! # assert!(all.len() > 4);
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "std", feature = "ptd", feature = "rten")))]
//! # fn main() {}
//! ```
//!
//! ## Change a file
//!
//! What is only declared is changed in the value, and `to_vec` computes what depends on it. Files with
//! tables that lead to each other have an editor: [`pte::Edit`](crate::pte::Edit),
//! [`ptd::Edit`](crate::ptd::Edit), [`rten::Edit`](crate::rten::Edit). It keeps every byte that it need not
//! touch, and gives no file with errors.
//!
//! ```
//! # #[cfg(all(feature = "std", feature = "ptd"))]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/ptd/direct_two_tensors.ptd");
//! # let bytes = std::fs::read(path)?;
//! use binfmt_formats::BinFormat;
//! use binfmt_formats::ptd::{Edit, Ptd};
//!
//! let file = Ptd::parse(&bytes)?;
//! let first = file.tensors()?.remove(0);
//! let zeros = vec![0; first.bytes.map_or(0, <[u8]>::len)];
//! let mut edit = Edit::new(&file)?;
//! edit.replace(&first.name, zeros)?;
//! let edited = edit.to_vec()?;
//! assert!(Ptd::validate(&edited).is_ok() && edited.len() == bytes.len());
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "std", feature = "ptd")))]
//! # fn main() {}
//! ```
//!
//! ## Without writing a program
//!
//! `cargo install binfmt-cli` gives `binfmt`, with verbs for all of this: `binfmt list model.pte`. What it
//! prints with `--json` is described in [JSON](https://docs.rs/binfmt-cli/latest/binfmt_cli/json/).
//! The package `binfmt` for Python has the same functions.
//!
//! ---
//!
//! Previous: [Recipes](https://docs.rs/binfmt-runtime/latest/binfmt_runtime/guide/recipes/) · [contents](https://docs.rs/binfmt-runtime/latest/binfmt_runtime/guide/)
