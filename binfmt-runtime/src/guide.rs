//! A guide in nine chapters, each with a format that you can copy.
//!
//! Start with [`your_first_format`]: from a file to a program of your own in a quarter of an hour.
//!
//! 1. [`first_format`]: declare, read, write, look.
//! 2. [`lengths_and_counts`]: numbers that the writer computes.
//! 3. [`offsets`]: values that lie elsewhere.
//! 4. [`variants_and_versions`]: one of several shapes, fields that are not always there.
//! 5. [`rules_and_findings`]: what is wrong with a file.
//! 6. [`errors_and_limits`]: why reading or writing stops, and what a file may cost.
//! 7. [`coming_from`]: the cheat sheet: the words of other crates.
//! 8. [`recipes`]: what formats have in common, ready to copy.
//! 9. [Ready formats](https://docs.rs/binfmt-formats/latest/binfmt_formats/guide/): what is declared already, in `binfmt-formats`.
//!
//! Every word of `#[bin(..)]` is described in the reference, at the derive macro
//! [`BinFormat`](macro@crate::BinFormat); what programs print, in [JSON](https://docs.rs/binfmt-cli/latest/binfmt_cli/json/).

pub mod coming_from;
pub mod recipes;
pub mod your_first_format;

pub mod first_format {
    //! # A first format
    //!
    //! A declaration is a struct. Its fields are read in their order, one behind the other, and
    //! `#[bin(..)]` says what the types do not: here the byte order and the constant at the start.
    //!
    //! ```
    //! use binfmt_runtime::BinFormat;
    //!
    //! /// A picture of one colour.
    //! #[derive(BinFormat, Debug, PartialEq)]
    //! #[bin(little, magic = b"FLAT")]
    //! struct Flat {
    //!     /// In pixels.
    //!     width: u16,
    //!     /// In pixels.
    //!     height: u16,
    //!     rgb: [u8; 3],
    //! }
    //!
    //! let flat = Flat { width: 640, height: 480, rgb: [255, 0, 0] };
    //! let bytes = flat.to_vec()?;
    //! assert_eq!(bytes, b"FLAT\x80\x02\xe0\x01\xff\0\0");
    //! assert_eq!(Flat::parse(&bytes)?, flat);
    //!
    //! // The same declaration says where everything is, and shows itself.
    //! let tree = Flat::inspect(&bytes);
    //! assert_eq!((tree.root.children[2].name.as_str(), tree.root.children[2].start), ("height", 6));
    //! assert!(Flat::LAYOUT.to_markdown().contains("| 6 | 2 | `height` | `u16` | | In pixels. |"));
    //! # Ok::<(), binfmt_runtime::Error>(())
    //! ```
    //!
    //! A reader leaves bytes behind the value alone; a validator warns of them.
    //! [`parse_prefix`](crate::BinFormat::parse_prefix) returns them.
    //!
    //! ---
    //!
    //! Previous: [Declare your first format](super::your_first_format) · [contents](super) · next: [Lengths and counts](super::lengths_and_counts)
}

pub mod lengths_and_counts {
    //! # Lengths and counts
    //!
    //! A text, bytes or a sequence says where it ends: `len` in bytes, `count` in items, `until_end`.
    //! The number that it names is *derived*: the reader uses it, the writer computes it. As an
    //! [`Auto`](crate::Auto) it is in the file, but not in the struct, so it cannot be wrong.
    //!
    //! ```
    //! use binfmt_runtime::{Auto, BinFormat, Seq};
    //!
    //! #[derive(BinFormat, Clone, Debug, PartialEq)]
    //! #[bin(big)]
    //! struct Playlist<'a> {
    //!     count: Auto<u16>,
    //!     #[bin(count = count)]
    //!     songs: Seq<'a, Song<'a>>,
    //! }
    //!
    //! #[derive(BinFormat, Clone, Debug, PartialEq)]
    //! #[bin(big, align_after = 4)]
    //! struct Song<'a> {
    //!     /// The length of the title and of the number itself.
    //!     title_len: Auto<u8>,
    //!     seconds: u16,
    //!     #[bin(len = title_len - 1)]
    //!     title: &'a str,
    //! }
    //!
    //! let songs = ["Kashmir", "Etude"].map(|title| Song { title_len: Auto::new(), seconds: 300, title });
    //! let list = Playlist { count: Auto::new(), songs: Seq::from(&songs[..]) };
    //! let bytes = list.to_vec()?;
    //! assert_eq!(bytes, b"\0\x02\x08\x01\x2cKashmir\0\0\x06\x01\x2cEtude");
    //! assert_eq!(Playlist::parse(&bytes)?.songs.iter().count(), 2);
    //! # Ok::<(), binfmt_runtime::Error>(())
    //! ```
    //!
    //! [`Seq`](crate::Seq) and `&str` borrow from the input, so reading allocates nothing; a `Seq`
    //! reads its items when they are iterated, each as a `Result`. `Vec<Song>` and `String` own what
    //! they hold and are read at once.
    //!
    //! ---
    //!
    //! Previous: [A first format](super::first_format) · [contents](super) · next: [Offsets](super::offsets)
}

pub mod offsets {
    //! # Offsets
    //!
    //! A field with `at` lies at a stored offset, outside the sequence. With `for_each` a field has a
    //! value for every item of a table before it, which `it` stands for. The writer finds a place for
    //! each value and stores its offset and its length; nothing is written twice, nothing is sought.
    //!
    //! ```
    //! use binfmt_runtime::{Auto, BinFormat};
    //!
    //! #[derive(BinFormat, Debug, PartialEq)]
    //! #[bin(little)]
    //! struct Bundle {
    //!     count: Auto<u32>,
    //!     #[bin(count = count)]
    //!     entries: Vec<Entry>,
    //!     #[bin(for_each = entries, at = it.offset, len = it.size)]
    //!     bodies: Vec<Vec<u8>>,
    //! }
    //!
    //! #[derive(BinFormat, Clone, Debug, PartialEq)]
    //! #[bin(little)]
    //! struct Entry {
    //!     offset: u32,
    //!     size: u32,
    //! }
    //!
    //! let entries = vec![Entry { offset: 0, size: 0 }; 2];
    //! let bodies = vec![b"first".to_vec(), b"second".to_vec()];
    //! let bytes = Bundle { count: Auto::new(), entries, bodies }.to_vec()?;
    //!
    //! let read = Bundle::parse(&bytes)?;
    //! assert_eq!(read.entries[1], Entry { offset: 25, size: 6 });
    //! assert_eq!(read.bodies[1], b"second");
    //! # Ok::<(), binfmt_runtime::Error>(())
    //! ```
    //!
    //! `set(it.width = value.width)` beside `for_each` computes other numbers of the items, and
    //! `for_each = groups.offsets` is for tables that lie in other values.
    //!
    //! Stored offsets are *floors* when a value that was read is written again: what still fits stays
    //! where it is, so a file that nobody changed is written byte for byte.
    //!
    //! That holds for an offset 0, too. In a `section` whose offsets count from its own start it is a
    //! place like others: a value that is new keeps it, if nothing else lies there, aligned or not.
    //! [`compact`](crate::BinFormat::compact) writes without floors, and so with every value on its alignment:
    //!
    //! ```
    //! use binfmt_runtime::BinFormat;
    //!
    //! #[derive(BinFormat)]
    //! struct Heap {
    //!     kind: u8,
    //!     len: u8,
    //!     at: u8,
    //!     #[bin(section, len = len)]
    //!     heap: Vec<u8>,
    //!     #[bin(at = at, base = heap, place = heap, align_before = 4)]
    //!     value: u8,
    //! }
    //!
    //! let new = Heap { kind: 1, len: 0, at: 0, heap: vec![], value: 7 };
    //! assert_eq!(new.to_vec()?, [1, 1, 0, 7]);
    //! assert_eq!(new.compact().to_vec()?, [1, 2, 1, 0, 7]);
    //! # Ok::<(), binfmt_runtime::Error>(())
    //! ```
    //!
    //! In a file that has values already, give a new one the offset at which the last of the others ends, or
    //! one behind that: it comes behind them, on its alignment if that offset is on one.
    //!
    //! Some formats keep the offset of a text whose length is 0. A field with `if = len > 0` is absent then,
    //! and its offset becomes 0; without `if` the value is empty, and keeps its place:
    //!
    //! ```
    //! use binfmt_runtime::BinFormat;
    //!
    //! #[derive(BinFormat)]
    //! struct Name {
    //!     at: u8,
    //!     len: u8,
    //!     #[bin(at = at, len = len)]
    //!     name: String,
    //! }
    //!
    //! assert_eq!(Name::parse(&[2, 0])?.to_vec()?, [2, 0]);
    //! # Ok::<(), binfmt_runtime::Error>(())
    //! ```
    //!
    //! ---
    //!
    //! Previous: [Lengths and counts](super::lengths_and_counts) · [contents](super) · next: [Variants and versions](super::variants_and_versions)
}

pub mod variants_and_versions {
    //! # Variants and versions
    //!
    //! An enum of numbers has `#[repr(..)]`; `other` keeps numbers without a name. An enum of shapes
    //! is told apart by the magics of its variants. A field with `if` is an `Option`: it is there
    //! when the condition holds, and a writer refuses a value that disagrees.
    //!
    //! ```
    //! use binfmt_runtime::{Auto, BinFormat};
    //!
    //! #[derive(BinFormat, Debug, PartialEq)]
    //! #[bin(little)]
    //! struct Message {
    //!     version: u8,
    //!     urgency: Urgency,
    //!     // Since version 2.
    //!     #[bin(if = version >= 2)]
    //!     sent: Option<u32>,
    //!     body: Body,
    //! }
    //!
    //! #[derive(BinFormat, Debug, PartialEq)]
    //! #[repr(u8)]
    //! enum Urgency {
    //!     Low = 0,
    //!     High = 9,
    //!     #[bin(other)]
    //!     Other(u8),
    //! }
    //!
    //! #[derive(BinFormat, Debug, PartialEq)]
    //! #[bin(little)]
    //! enum Body {
    //!     #[bin(magic = b"TX")]
    //!     Text(Text),
    //!     #[bin(magic = b"NO")]
    //!     Nothing,
    //! }
    //!
    //! #[derive(BinFormat, Debug, PartialEq)]
    //! #[bin(little)]
    //! struct Text {
    //!     len: Auto<u16>,
    //!     #[bin(len = len)]
    //!     text: String,
    //! }
    //!
    //! let old = Message::parse(b"\x01\x09TX\x02\0hi")?;
    //! let text = Text { len: Auto::new(), text: "hi".to_owned() };
    //! let body = Body::Text(text);
    //! assert_eq!(old, Message { version: 1, urgency: Urgency::High, sent: None, body });
    //!
    //! let new = Message { version: 2, urgency: Urgency::Other(4), sent: None, body: Body::Nothing };
    //! assert_eq!(new.to_vec().unwrap_err().finding().code, "presence");
    //! assert_eq!(Message { sent: Some(7), ..new }.to_vec()?, b"\x02\x04\x07\0\0\0NO");
    //! # Ok::<(), binfmt_runtime::Error>(())
    //! ```
    //!
    //! ---
    //!
    //! Previous: [Offsets](super::offsets) · [contents](super) · next: [Rules and findings](super::rules_and_findings)
}

pub mod rules_and_findings {
    //! # Rules and findings
    //!
    //! `check` is a rule that stops a reader; `error`, `warn` and `note` are for validators, which
    //! report everything that they find, with the place in the declaration and in the file.
    //!
    //! ```
    //! use binfmt_runtime::{BinFormat, Severity};
    //!
    //! #[derive(BinFormat, Debug)]
    //! #[bin(big, warn(low <= high, "{low} is above {high}"))]
    //! struct Range {
    //!     #[bin(check(version == 1, "version {version} is not supported"))]
    //!     version: u8,
    //!     #[bin(range = 0..=100)]
    //!     low: u16,
    //!     #[bin(error(high % 2 == 0, "{high} is odd", code = "odd"))]
    //!     high: u16,
    //! }
    //!
    //! let file = b"\x01\0\x09\0\x05";
    //! assert!(Range::is_valid(file));
    //! let report = Range::validate(file);
    //! let told: Vec<_> =
    //!     report.findings().iter().map(|finding| (finding.severity, finding.code)).collect();
    //! assert_eq!(told, [(Severity::Warning, "Range"), (Severity::Error, "odd")]);
    //! assert_eq!(
    //!     report.to_string(),
    //!     "warning: low at 0x1..0x3: 9 is above 5 [Range]\n\
    //!      error: high at 0x3..0x5: 5 is odd [odd]\n"
    //! );
    //! assert_eq!(Range::parse(b"\x02\0\x09\0\x05").unwrap_err().finding().code, "Range.version");
    //! ```
    //!
    //! A reader, [`is_valid`](crate::BinFormat::is_valid) and the validator are one walk, so they
    //! agree: a file is readable when the validator has no finding that stops a reader.
    //!
    //! ---
    //!
    //! Previous: [Variants and versions](super::variants_and_versions) · [contents](super) · next: [Errors and limits](super::errors_and_limits)
}

pub mod errors_and_limits {
    //! # Errors and limits
    //!
    //! An [`Error`](crate::Error) is one finding: the first that stops. Its class tells a file that
    //! ends too early from one that is malformed, and from one that breaks a rule.
    //!
    //! ```
    //! use binfmt_runtime::{Auto, BinFormat, Class};
    //!
    //! #[derive(BinFormat, Debug)]
    //! #[bin(little)]
    //! struct Packet {
    //!     kind: u8,
    //!     len: Auto<u8>,
    //!     #[bin(len = len)]
    //!     text: String,
    //! }
    //!
    //! let error = Packet::parse(b"\x01\x05abc").unwrap_err();
    //! assert_eq!(error.class(), Class::Incomplete);
    //! assert_eq!(error.finding().path.as_str(), "len");
    //! assert_eq!((error.finding().start, error.finding().end), (1, 2));
    //!
    //! let error = Packet::parse(b"\x01\x02\xff\xff").unwrap_err();
    //! assert_eq!(error.class(), Class::Malformed);
    //!
    //! // The writer fails by name, too.
    //! let long = Packet { kind: 1, len: Auto::new(), text: "x".repeat(256) };
    //! assert_eq!(long.to_vec().unwrap_err().finding().code, "overflow");
    //! ```
    //!
    //! No file can make a reader panic, or allocate more than a small multiple of its own size:
    //!
    //! - a count or a length is compared with the bytes that are left before anything is done;
    //! - values nest through sequences no deeper than
    //!   [`Limits::MAX_DEPTH`](crate::Limits::MAX_DEPTH), and less deep where their walks take more stack than
    //!   [`Limits::MAX_STACK`](crate::Limits::MAX_STACK);
    //! - located fields have a budget, so that many offsets to one place cost no more than the input; a writer refuses
    //!   what no reader pays for (`budget`).
    //!
    //! ---
    //!
    //! Previous: [Rules and findings](super::rules_and_findings) · [contents](super) · next: [Coming from another crate](super::coming_from)
}
