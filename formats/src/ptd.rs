//! `ExecuTorch` tensor data: named tensors and blobs outside of a program.
//!
//! Specified by "`.ptd` file format" (*document*), by the schemas `flat_tensor.fbs` of `ExecuTorch`
//! 0.6 and of 0.7 and later, and by what the runtime and the writers of 1.5 do. Both schemas stand
//! behind the same magics and the same version 0; the number of slots of the root tells them apart.
//! The document's header is inserted *into* a `FlatBuffers` buffer: the root offset and the
//! identifier in front of it are the first eight bytes of that.
//!
//! [`Ptd`] is a file, [`Builder`] makes one, [`Edit`] changes one. Both compute every number of the
//! header and of the tables.
//!
//! ```
//! # #[cfg(feature = "std")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use binfmt_formats::BinFormat;
//! use binfmt_formats::ptd::{Builder, Edit, Ptd, ScalarType};
//!
//! let mut builder = Builder::new();
//! builder.tensor("scale", ScalarType::Byte, &[2], &[1, 2])?;
//! builder.blob("note", b"trained", 1)?;
//! let written = builder.to_vec()?;
//!
//! let file = Ptd::parse(&written)?;
//! for entry in file.entries()? {
//!     let entry = entry?;
//!     println!("{} at {}: {:?}", entry.key, entry.offset, entry.bytes.map(<[u8]>::len));
//! }
//!
//! let mut edit = Edit::new(&file)?;
//! edit.replace("scale", &[3, 4])?;
//! let edited = edit.to_vec()?;
//! assert!(Ptd::validate(&edited).is_ok());
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "std"))]
//! # fn main() {}
//! ```

#[cfg(feature = "alloc")]
mod build;
#[cfg(feature = "alloc")]
mod edit;
mod entries;
#[cfg(feature = "alloc")]
mod equal;
#[cfg(feature = "alloc")]
mod keys;
mod rules;
#[cfg(feature = "alloc")]
mod summary;
#[cfg(feature = "alloc")]
mod tensors;
mod v06;

use binfmt_runtime::{BinFormat, FbVec, FlatBuffer, Placed};

#[cfg(feature = "alloc")]
pub use build::{BuildError, Builder};
#[cfg(feature = "alloc")]
pub use edit::{Edit, EditError};
pub use entries::{Entries, Entry};
#[cfg(feature = "alloc")]
pub use keys::Keys;
pub use rules::RULES;
pub use v06::{FlatTensor06, NamedData06, TensorMetadata};

pub use crate::scalar_type::ScalarType;

/// The bytes at offset 4.
pub const IDENTIFIER: [u8; 4] = *b"FT01";

/// The bytes at offset 8.
pub const MAGIC: [u8; 4] = *b"FH01";

/// Where the header ends: behind its last field, without padding.
const HEADER_END: u64 = 48;

/// A file: tables, with the header in front of them, and segments.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, rules = rules::file, spec = ".ptd file format, Headers")]
pub struct Ptd<'a> {
    /// Where the root table lies in the file.
    pub root_offset: u32,
    /// The identifier of the tables.
    #[bin(check(
        rules::is(identifier, IDENTIFIER),
        "this is not `FT01`: the runtime refuses the file",
        code = "ptd.ptd.identifier.magic"
    ))]
    pub identifier: [u8; 4],
    /// The magic of the header. There are no files without.
    #[bin(check(
        rules::is(magic, MAGIC),
        "this is not `FH01`: the runtime finds no header and refuses the file",
        code = "ptd.ptd.magic.magic"
    ))]
    pub magic: [u8; 4],
    /// Length of the header, counted from its magic, without the padding behind it.
    #[bin(
        check(header_len >= 40, "the header claims {header_len} bytes, fewer than its five fields have: the runtime refuses the file", code = "ptd.ptd.header-len.min"),
        warn(header_len <= 40, "the header claims {header_len} bytes, and all writers say 40: runtimes do not look at the rest", code = "ptd.ptd.header-len.known")
    )]
    pub header_len: u32,
    /// How many bytes the header and its padding take: what was at 8 before they were inserted is
    /// that much further behind. The document calls it the start of the tables, which it is not.
    #[bin(
        calc = flatbuffer_offset,
        check(flatbuffer_offset >= 40, "the header and its padding are said to take {flatbuffer_offset} bytes, and the header alone takes 40: the runtime cuts the end of the tables off and crashes or reads other data", code = "ptd.ptd.flatbuffer-offset.min")
    )]
    pub flatbuffer_offset: u64,
    /// Length of the tables and of the eight bytes in front of the header, without the header.
    #[bin(check(
        flatbuffer_offset + flatbuffer_size >= HEADER_END + 4,
        "tables of {flatbuffer_size} bytes behind a header of {flatbuffer_offset} end before they begin, or nowhere: the runtime crashes", code = "ptd.ptd.flatbuffer-size.min"
    ))]
    pub flatbuffer_size: u64,
    /// Where the segments begin in the file.
    #[bin(check(
        segment_base_offset >= flatbuffer_offset + flatbuffer_size,
        "the segments begin at {segment_base_offset}, inside the header or the tables: the runtime reads those as weights", code = "ptd.ptd.segment-base-offset.inside"
    ))]
    pub segment_base_offset: u64,
    /// Length of all segments. The runtime accepts less, for it adds the offset of the segments once
    /// too often where it compares.
    pub segment_data_size: u64,
    /// The padding of the header, and the tables.
    #[bin(len = flatbuffer_size + flatbuffer_offset - HEADER_END, root = root_offset)]
    pub tables: FlatBuffer<'a, Tables<'a>>,
    /// Zeros, so that the segments are aligned.
    #[bin(
        len = segment_base_offset - flatbuffer_offset - flatbuffer_size,
        warn(rules::is_zero(padding), "the padding in front of the segments is not zero", code = "ptd.ptd.padding.zero")
    )]
    pub padding: &'a [u8],
    /// The segments, with the padding between them.
    #[bin(until_end)]
    pub data: &'a [u8],
}

/// The root table. Nothing but the number of its slots says which schema it has.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub enum Tables<'a> {
    /// As of 0.7.
    #[bin(slots = 3)]
    FlatTensor(FlatTensor<'a>),
    /// As of 0.6.
    #[bin(slots = 5)]
    FlatTensor06(FlatTensor06<'a>),
}

/// The root as of 0.7 (document, "`FlatTensor`").
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, identifier = b"FT01", spec = "flat_tensor.fbs")]
pub struct FlatTensor<'a> {
    /// Version of the schema.
    #[bin(slot = 0, check(version == 0, "the schema has version {version}: the runtime knows version 0 and refuses the file", code = "ptd.flat-tensor.version.known"))]
    pub version: u32,
    /// Where the data lies, in file order.
    #[bin(slot = 1, required)]
    pub segments: FbVec<'a, DataSegment>,
    /// What it is called; several names may share a segment.
    #[bin(slot = 2, required)]
    pub named_data: FbVec<'a, NamedData<'a>>,
}

/// A run of bytes (document, "Data segments").
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct DataSegment {
    /// Where it begins, counted from [`Ptd::segment_base_offset`].
    #[bin(slot = 0)]
    pub offset: Placed<u64>,
    /// Its length, without the padding behind it.
    #[bin(slot = 1)]
    pub size: Placed<u64>,
}

/// A name for a segment (document, "Named data access").
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct NamedData<'a> {
    /// The name: any text. The runtime crashes if there is none.
    #[bin(slot = 0, required)]
    pub key: Placed<&'a str>,
    /// Which segment it stands for.
    #[bin(slot = 1)]
    pub segment_index: Placed<u32>,
    /// What the segment holds, if it is a tensor; a blob has none.
    #[bin(slot = 2)]
    pub tensor_layout: Option<Placed<TensorLayout<'a>>>,
}

/// How the bytes of a segment are a tensor (document, "Tensor Layout").
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, rules = rules::layout)]
pub struct TensorLayout<'a> {
    /// The type of the elements.
    #[bin(
        slot = 0,
        default = ScalarType::Byte,
        error(scalar_type.is_known(), "there is no such element type: the runtime aborts when it is asked for the layout", code = "ptd.tensor-layout.scalar-type.known"),
        warn(scalar_type.is_in_schema(), "the schema has no such element type: the Python tools cannot read the file", code = "ptd.tensor-layout.scalar-type.schema")
    )]
    pub scalar_type: ScalarType,
    /// Size in every dimension.
    #[bin(slot = 1, required)]
    pub sizes: FbVec<'a, i32>,
    /// The dimensions, the outermost in memory first.
    #[bin(slot = 2, required)]
    pub dim_order: &'a [u8],
}

impl<'a> Ptd<'a> {
    /// Whether bytes are meant as tensor data, damaged or not: either magic will do, that of another
    /// version too.
    pub fn is_meant(bytes: &[u8]) -> bool {
        let versioned = |at: usize, magic: [u8; 4]| {
            let found = bytes.get(at..).unwrap_or_default().split_at_checked(2);
            let is_digits = |digits: &[u8]| {
                digits.first_chunk::<2>().is_some_and(|two| two.iter().all(u8::is_ascii_digit))
            };
            found.is_some_and(|(name, digits)| magic.starts_with(name) && is_digits(digits))
        };
        versioned(4, IDENTIFIER) || versioned(8, MAGIC)
    }

    /// Where the file ends by what its header says, counted from its start.
    pub fn end(&self) -> Option<u64> {
        self.segment_base_offset.checked_add(self.segment_data_size)
    }

    /// The segments, in either schema.
    pub fn segments(&self) -> Result<FbVec<'a, DataSegment>, binfmt_runtime::Error> {
        Ok(match self.tables.root()? {
            Tables::FlatTensor(root) => root.segments,
            Tables::FlatTensor06(root) => root.segments,
        })
    }

    /// The bytes of a segment; `None` if they do not lie in the file, as a validator says.
    pub fn segment(&self, segment: &DataSegment) -> Option<&'a [u8]> {
        part(self.data, *segment.offset, *segment.size)
    }
}

impl TensorLayout<'_> {
    /// How many bytes the elements take; `None` for sizes that no memory has, negative ones and
    /// types that the runtime does not know.
    pub fn byte_len(&self) -> Option<u64> {
        let size = self.scalar_type.size()?;
        self.shape().try_fold(size, |len, size| len.checked_mul(size?))
    }

    /// Size in every dimension; `None` for one that is negative. No tensor has more than 256.
    pub fn shape(&self) -> impl Iterator<Item = Option<u64>> {
        self.sizes.iter().take(256).map(|size| u64::try_from(size.ok()?).ok())
    }
}

/// A part of some bytes, if it lies in them.
fn part(bytes: &[u8], offset: u64, len: u64) -> Option<&[u8]> {
    let (offset, len) = (usize::try_from(offset).ok()?, usize::try_from(len).ok()?);
    bytes.get(offset..)?.get(..len)
}
