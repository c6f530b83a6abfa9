//! Venice Program Table: named payloads for programs of the VEX V5.
//!
//! Specified by "VPT Format Details" (*document*). Two entry layouts exist under the same magic
//! and the same version 0.1: that of the document, with an entry header of 8 bytes, and the one
//! that today's command-line tool and runtime use, with 16. Only a complete walk tells them apart.
//!
//! [`Vpt`] is a file in either layout, [`Table`] its header and programs. A writer computes `size`,
//! `program_count`, and the lengths of names and payloads.
//!
//! ```
//! use binfmt_formats::vpt::{EntryLayout, Expect, Program, Table, Vpt};
//! use binfmt_formats::BinFormat;
//!
//! # #[cfg(feature = "std")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let programs = [Program::plain(b"main", b"first"), Program::plain(b"probe", b"second")];
//! let layout = (Expect::ANY, EntryLayout::Plain);
//! let written = Table::new(0x1123_5813, &programs).to_vec_with(layout)?;
//!
//! let file = Vpt::parse(&written)?;
//! for program in &file.table().programs {
//!     let program = program?;
//!     println!("{}: {} bytes", String::from_utf8_lossy(program.name), program.payload.len());
//! }
//!
//! // Edited: the same programs for another vendor, and one of them with other bytes.
//! let mut programs = file.table().programs.iter().collect::<Result<Vec<_>, _>>()?;
//! programs[1].payload = b"another second";
//! let edited = Table::new(7, &programs).to_vec_with(layout)?;
//! assert!(Vpt::validate(&edited).is_ok());
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "std"))]
//! # fn main() {}
//! ```

#[cfg(feature = "alloc")]
mod build;
#[cfg(feature = "alloc")]
mod summary;

use binfmt_runtime::{Auto, BinFormat, Seq};
use bitflags::bitflags;

#[cfg(feature = "alloc")]
pub use build::Change;

/// The first four bytes of every table, as a little-endian number.
pub const MAGIC: u32 = 0x675C_3ED9;

/// The version that all known tools write.
pub const VERSION: Version = Version { major: 0, minor: 1 };

/// A table in either entry layout.
///
/// The variants are told apart by reading: if neither can be walked exactly, the one that gets
/// further is reported, else that of the document. A table without entries fits both.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(probe, args(expect: Expect = Expect::ANY))]
pub enum Vpt<'a> {
    /// Entry headers of 8 bytes, as in the document.
    #[bin(args(expect, entries = EntryLayout::Plain))]
    Plain(Table<'a>),
    /// Entry headers of 16 bytes, with flags.
    #[bin(args(expect, entries = EntryLayout::Flagged))]
    Flagged(Table<'a>),
}

/// The header and the programs (document, "`VptHeader`").
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(
    little,
    magic = 0x675C_3ED9u32,
    len = size,
    args(expect: Expect = Expect::ANY, entries: EntryLayout = EntryLayout::Plain),
    spec = "VPT document, VptHeader"
)]
pub struct Table<'a> {
    /// Version of the format; see [`Expect::accepts`] for what fits which reader.
    #[bin(check(expect.accepts(version), "the table has version {version}; the reader expects {expect}", code = "vpt.table.version.accepted"))]
    pub version: Version,
    /// Whom the table was built for.
    #[bin(check(expect.vendor_matches(vendor_id), "the table was built for vendor {vendor_id:#x}; the reader expects {expect}", code = "vpt.table.vendor-id.accepted"))]
    pub vendor_id: u32,
    /// Length of the whole table, header and padding included; bytes may follow it.
    size: Auto<u32>,
    /// How many programs follow.
    program_count: Auto<u32>,
    /// The programs, in no particular order; of equal names the runtime takes the last.
    #[bin(count = program_count, args(entries))]
    pub programs: Seq<'a, Program<'a>>,
}

/// One named payload, padded so that the next one starts on 8 bytes (document, "Program Entry").
#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(
    little,
    align_after = 8,
    args(entries: EntryLayout = EntryLayout::Plain),
    spec = "VPT document, Program Entry"
)]
pub struct Program<'a> {
    /// Length of the name.
    name_len: Auto<u32>,
    /// Length of the payload.
    payload_len: Auto<u32>,
    /// What the payload is; only with [`EntryLayout::Flagged`].
    #[bin(if = entries.has_flags())]
    pub flags: Option<ProgramFlags>,
    /// Padding of the flags. The builder copies it from uninitialised memory, so it is kept as it
    /// is and may hold anything.
    #[bin(if = entries.has_flags())]
    pub flags_padding: Option<[u8; 7]>,
    /// The program, usually compiled bytecode.
    #[bin(len = payload_len)]
    pub payload: &'a [u8],
    /// Its name: raw bytes, usually a dotted module path, without a NUL.
    #[bin(len = name_len)]
    pub name: &'a [u8],
}

/// What a program is. Only tables with [`EntryLayout::Flagged`] say so.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(bitflags)]
pub struct ProgramFlags(pub u8);

bitflags! {
    impl ProgramFlags: u8 {
        /// The payload is the `__init__` of a package.
        const PACKAGE = 0x01;
    }
}

/// Version of the format.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(little)]
pub struct Version {
    /// Incremented for incompatible changes.
    pub major: u32,
    /// Incremented for compatible changes, once `major` is not 0.
    pub minor: u32,
}

impl core::fmt::Display for Version {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Which header the entries have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EntryLayout {
    /// 8 bytes: two lengths, as in the document.
    #[default]
    Plain,
    /// 16 bytes: two lengths, flags and padding.
    Flagged,
}

impl EntryLayout {
    /// Whether entries store flags.
    pub const fn has_flags(self) -> bool {
        matches!(self, Self::Flagged)
    }
}

/// What a reader insists on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Expect {
    /// The version that the reader was built for.
    pub version: Option<Version>,
    /// The vendor that the reader was built for.
    pub vendor_id: Option<u32>,
}

impl core::fmt::Display for Expect {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.version {
            Some(version) => write!(f, "version {version}")?,
            None => f.write_str("any version")?,
        }
        match self.vendor_id {
            Some(vendor_id) => write!(f, " and vendor {vendor_id:#x}"),
            None => f.write_str(" and any vendor"),
        }
    }
}

impl Expect {
    /// Any version and any vendor.
    pub const ANY: Self = Self { version: None, vendor_id: None };

    /// Whether a table of `version` fits (document, "Versioning and Compatibility"): the major
    /// numbers are equal; with major 0 the minor ones are too, else the table's is not lower.
    pub fn accepts(&self, version: &Version) -> bool {
        let Some(own) = self.version else { return true };
        let minor =
            if own.major == 0 { version.minor == own.minor } else { version.minor >= own.minor };
        own.major == version.major && minor
    }

    /// Whether a table for `vendor_id` fits (document, "Vendor ID"): the numbers are equal.
    pub fn vendor_matches(&self, vendor_id: u32) -> bool {
        self.vendor_id.is_none_or(|own| own == vendor_id)
    }
}

impl<'a> Vpt<'a> {
    /// The table, whichever layout its entries have.
    pub const fn table(&self) -> &Table<'a> {
        match self {
            Self::Plain(table) | Self::Flagged(table) => table,
        }
    }

    /// The layout of the entries.
    pub const fn entries(&self) -> EntryLayout {
        match self {
            Self::Plain(_) => EntryLayout::Plain,
            Self::Flagged(_) => EntryLayout::Flagged,
        }
    }
}

impl<'a> Table<'a> {
    /// A table of the current version; `programs` must have flags if it is written with
    /// [`EntryLayout::Flagged`], and none otherwise.
    pub fn new(vendor_id: u32, programs: &'a [Program<'a>]) -> Self {
        let programs = Seq::from(programs);
        Self {
            version: VERSION,
            vendor_id,
            size: Auto::new(),
            program_count: Auto::new(),
            programs,
        }
    }
}

impl<'a> Program<'a> {
    /// A program for [`EntryLayout::Plain`].
    pub fn plain(name: &'a [u8], payload: &'a [u8]) -> Self {
        Self { payload, name, ..Self::default() }
    }

    /// A program for [`EntryLayout::Flagged`].
    pub fn flagged(name: &'a [u8], payload: &'a [u8], flags: ProgramFlags) -> Self {
        Self { flags: Some(flags), flags_padding: Some([0; 7]), ..Self::plain(name, payload) }
    }

    /// Whether the program is a package; `None` where the layout does not say.
    pub fn is_package(&self) -> Option<bool> {
        self.flags.map(|flags| flags.contains(ProgramFlags::PACKAGE))
    }
}

#[cfg(test)]
mod tests {
    use super::{Expect, Version};

    /// Document, "Versioning and Compatibility".
    #[test]
    fn a_reader_accepts_the_versions_of_the_document() {
        let cases = [
            ((0, 1), (0, 1), true),
            ((0, 1), (0, 0), false),
            ((0, 1), (0, 2), false),
            ((0, 1), (1, 1), false),
            ((2, 1), (2, 1), true),
            ((2, 1), (2, 2), true),
            ((2, 1), (2, 0), false),
            ((2, 1), (1, 1), false),
            ((2, 1), (3, 1), false),
            ((2, 0), (2, 0), true),
        ];
        for (own, table, accepted) in cases {
            let version = |(major, minor)| Version { major, minor };
            let expect = Expect { version: Some(version(own)), vendor_id: None };
            assert_eq!(expect.accepts(&version(table)), accepted, "{own:?} {table:?}");
            assert!(Expect::ANY.accepts(&version(table)));
        }
    }

    #[test]
    fn a_reader_for_a_vendor_accepts_no_other() {
        let expect = Expect { version: None, vendor_id: Some(7) };
        assert!(expect.vendor_matches(7) && !expect.vendor_matches(8));
        assert!(Expect::ANY.vendor_matches(8));
    }
}
