//! # Declare your first format
//!
//! From a file that you have to a program that reads, checks and changes it, in a quarter of an hour.
//! You need Rust and a file; here it is a recording of two sensors, `attic.snsr`:
//!
//! ```text
//! 53 4e 53 52 01 02 10 00  06 00 61 74 74 69 63 00  SNSR......attic.
//! 02 00 c8 00 cd 00 04 00  6c 61 77 00 01 00 9c ff  ........law.....
//! ```
//!
//! ## 1. A project
//!
//! ```sh
//! cargo new sensors && cd sensors
//! printf 'SNSR\001\002\020\000\006\000attic\000\002\000\310\000\315\000' > attic.snsr
//! printf '\004\000law\000\001\000\234\377' >> attic.snsr
//! ```
//!
//! The crates are not published yet; `Cargo.toml` names a checkout beside the project:
//!
//! ```toml
//! [dependencies]
//! binfmt-runtime = { path = "../binfmt/binfmt-runtime", features = ["laws"] }
//! binfmt-tool = { path = "../binfmt/tool" }
//! ```
//!
//! ## 2. What you know of the bytes
//!
//! Write down what a document says, or what you see: the constant `SNSR`, a version, the number of
//! sensors, two bytes that nobody knows. Then, for each sensor, the length of its name with the NUL
//! behind it, the name, the number of its values, and the values, two bytes each, the lowest first.
//!
//! ## 3. The declaration
//!
//! It is that, nearly word for word; [the next chapter](super::first_format) and
//! [the one behind it](super::lengths_and_counts) explain the words. Put it into `src/main.rs`:
//!
//! ```
//! use binfmt_runtime::{Auto, BinFormat};
//!
//! /// What some sensors have measured.
//! #[derive(BinFormat, Debug, Clone, PartialEq)]
//! #[bin(little, magic = b"SNSR")]
//! struct Recording {
//!     #[bin(check(version == 1, "version {version} is not known"))]
//!     version: u8,
//!     /// How many sensors there are.
//!     count: Auto<u8>,
//!     /// Nobody knows what it is for.
//!     unknown: u16,
//!     #[bin(count = count)]
//!     sensors: Vec<Sensor>,
//! }
//!
//! /// One sensor.
//! #[derive(BinFormat, Debug, Clone, PartialEq)]
//! #[bin(little)]
//! struct Sensor {
//!     /// Length of the name and of the NUL behind it.
//!     name_len: Auto<u16>,
//!     #[bin(len = name_len - 1, pad_after = 1)]
//!     name: String,
//!     /// How many values there are.
//!     count: Auto<u16>,
//!     /// In tenths of a degree.
//!     #[bin(count = count)]
//!     values: Vec<i16>,
//! }
//! #
//! # let file = b"SNSR\x01\x02\x10\0\x06\0attic\0\x02\0\xc8\0\xcd\0\x04\0law\0\x01\0\x9c\xff";
//! # let recording = Recording::parse(file)?;
//! # assert_eq!(recording.sensors[0].name, "attic");
//! # assert_eq!(recording.to_vec()?, file);
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! What the compiler says about a word names the fix; nothing else needs to be known to go on.
//!
//! ## 4. A program
//!
//! One more line is a program:
//!
//! ```rust,ignore
//! fn main() -> std::process::ExitCode {
//!     binfmt_tool::main(&[binfmt_tool::format::<Recording>("recording")])
//! }
//! ```
//!
//! ```sh
//! cargo run -- inspect attic.snsr                    # every field with its place
//! cargo run -- validate attic.snsr                   # what is wrong: nothing
//! cargo run -- set attic.snsr 'sensors[1].name=cellar' -o new.snsr
//! cargo run -- diff attic.snsr new.snsr
//! head -c 30 attic.snsr | cargo run -- validate -    # two bytes are missing, and where
//! ```
//!
//! `set` has written the new length, too. `binfmt_tool` describes what else a program can do.
//!
//! ## 5. Values in your own code
//!
//! ```
//! # use binfmt_runtime::{Auto, BinFormat};
//! #
//! # /// What some sensors have measured.
//! # #[derive(BinFormat, Debug, Clone, PartialEq)]
//! # #[bin(little, magic = b"SNSR")]
//! # struct Recording {
//! #     #[bin(check(version == 1, "version {version} is not known"))]
//! #     version: u8,
//! #     /// How many sensors there are.
//! #     count: Auto<u8>,
//! #     /// Nobody knows what it is for.
//! #     unknown: u16,
//! #     #[bin(count = count)]
//! #     sensors: Vec<Sensor>,
//! # }
//! #
//! # /// One sensor.
//! # #[derive(BinFormat, Debug, Clone, PartialEq)]
//! # #[bin(little)]
//! # struct Sensor {
//! #     /// Length of the name and of the NUL behind it.
//! #     name_len: Auto<u16>,
//! #     #[bin(len = name_len - 1, pad_after = 1)]
//! #     name: String,
//! #     /// How many values there are.
//! #     count: Auto<u16>,
//! #     /// In tenths of a degree.
//! #     #[bin(count = count)]
//! #     values: Vec<i16>,
//! # }
//! # let file = b"SNSR\x01\x02\x10\0\x06\0attic\0\x02\0\xc8\0\xcd\0\x04\0law\0\x01\0\x9c\xff";
//! let mut recording = Recording::parse(file)?;
//! assert_eq!(recording.sensors[1].values, [-100]);
//!
//! recording.sensors[1].name = "cellar".to_owned();
//! recording.sensors[1].values.push(-95);
//! let bytes = recording.to_vec()?;
//! assert_eq!(Recording::parse(&bytes)?, recording);
//!
//! // What readers refuse, no writer writes.
//! recording.version = 2;
//! assert_eq!(recording.to_vec().unwrap_err().finding().code, "Recording.version");
//! # Ok::<(), binfmt_runtime::Error>(())
//! ```
//!
//! Where reading must not copy, a `Vec` becomes a [`Seq`](crate::Seq) and a `String` a `&str`.
//!
//! ## 6. A test
//!
//! The macro `laws!` (feature `laws`) damages the file in every field, and checks that reader,
//! writer, validator and inspector agree on all of it:
//!
//! ```
//! # use binfmt_runtime::{Auto, BinFormat};
//! #
//! # /// What some sensors have measured.
//! # #[derive(BinFormat, Debug, Clone, PartialEq)]
//! # #[bin(little, magic = b"SNSR")]
//! # struct Recording {
//! #     #[bin(check(version == 1, "version {version} is not known"))]
//! #     version: u8,
//! #     /// How many sensors there are.
//! #     count: Auto<u8>,
//! #     /// Nobody knows what it is for.
//! #     unknown: u16,
//! #     #[bin(count = count)]
//! #     sensors: Vec<Sensor>,
//! # }
//! #
//! # /// One sensor.
//! # #[derive(BinFormat, Debug, Clone, PartialEq)]
//! # #[bin(little)]
//! # struct Sensor {
//! #     /// Length of the name and of the NUL behind it.
//! #     name_len: Auto<u16>,
//! #     #[bin(len = name_len - 1, pad_after = 1)]
//! #     name: String,
//! #     /// How many values there are.
//! #     count: Auto<u16>,
//! #     /// In tenths of a degree.
//! #     #[bin(count = count)]
//! #     values: Vec<i16>,
//! # }
//! # #[cfg(feature = "laws")]
//! # fn laws() {
//! # let attic = b"SNSR\x01\x02\x10\0\x06\0attic\0\x02\0\xc8\0\xcd\0\x04\0law\0\x01\0\x9c\xff";
//! binfmt_runtime::laws!(Recording, [attic]);
//! # }
//! # #[cfg(feature = "laws")]
//! # laws();
//! ```
//!
//! In the project that is `#[test] fn laws() { binfmt_runtime::laws!(Recording,
//! [include_bytes!("../attic.snsr")]); }`.
//!
//! ## Where to go
//!
//! Real files have more: [offsets](super::offsets), [variants and
//! versions](super::variants_and_versions), [rules](super::rules_and_findings). The folder `examples/`
//! of the repository has PNG, WAV, pcap, ZIP, PAK and TAR.
//!
//! ---
//!
//! [contents](super) · next: [A first format](super::first_format)
