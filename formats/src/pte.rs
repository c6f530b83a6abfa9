//! `ExecuTorch` programs: methods, and the weights and blobs that they need.
//!
//! Specified by "`.pte` file format" (*document*) and by `program.fbs` of `ExecuTorch`, and corrected
//! where the releases 0.1 to 1.5 disagree with the document: a header has 24 or 32 bytes and may
//! grow, and a file without segment bytes has none. The doc comment of the field says so.
//!
//! The program is a `FlatBuffers` buffer into which the header is inserted: the buffer begins at the
//! first byte of the file, and the header is none of its bytes.
//!
//! [`Pte`] is a file with or without a header, [`Edit`] changes its segments, tensors and named data
//! and computes where everything is.
//!
//! ```
//! # #[cfg(feature = "std")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/pte/");
//! use binfmt_formats::BinFormat;
//! use binfmt_formats::pte::{Edit, Pte};
//!
//! let bytes = std::fs::read(format!("{folder}mlp.pte"))?;
//! let file = Pte::parse(&bytes)?;
//! for tensor in file.tensors()? {
//!     println!("{} {:?} {:?}", tensor.name, tensor.dtype(), tensor.shape);
//! }
//!
//! // Written again: what nobody changed stays as it is.
//! assert_eq!(file.to_vec()?, bytes);
//!
//! let mut edit = Edit::new(&file)?;
//! edit.add_named("author", b"Ada")?;
//! assert!(Pte::validate(&edit.to_vec()?).is_ok());
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "std"))]
//! # fn main() {}
//! ```

pub mod bundle;
pub mod call;
#[cfg(feature = "alloc")]
pub mod edit;
pub mod kind;
pub mod program;
#[cfg(feature = "alloc")]
mod roles;
#[cfg(feature = "alloc")]
mod rules;
#[cfg(feature = "alloc")]
mod summary;
#[cfg(feature = "alloc")]
mod tensors;
pub mod value;
pub mod xnnpack;

use core::ops::Range;

use binfmt_runtime::{Auto, BinFormat, Error, FlatBuffer};

use crate::shared::{is_zero, offset_within, wide};

pub use bundle::Bundle;
#[cfg(feature = "alloc")]
pub use edit::{Edit, EditError};
pub use program::{DataSegment, Plan, Plan as Method, Program};
#[cfg(feature = "alloc")]
pub use roles::Role;
#[cfg(feature = "alloc")]
pub use rules::RULES;
#[cfg(feature = "alloc")]
pub use tensors::{Source, value_name};
pub use value::{Storage, Tensor, Value};

/// What stands at offset 4 of every program of every release.
pub const MAGIC: [u8; 4] = *b"ET12";

/// What stands at offset 8, if there is a header.
pub const HEADER_MAGIC: [u8; 4] = *b"eh00";

/// A runtime always reads so many bytes, and refuses a shorter file.
pub const HEAD_LEN: u64 = 64;

/// A program with or without a header.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(peek = 8)]
pub enum Pte<'a> {
    /// With a header, and mostly with segments.
    #[bin(magic = b"eh00")]
    Extended(Extended<'a>),
    /// A buffer and nothing else.
    Bare(Bare<'a>),
}

/// A program with a header (document, "Headers").
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, rules = rules::extended, spec = "pte document, Headers")]
pub struct Extended<'a> {
    /// Where the root table is, from the first byte of the file.
    root: Auto<u32>,
    /// Says that it is a program.
    #[bin(
        check(!is_bundle(identifier), "this is a bundle: it has a program in it, and is none; a runtime refuses it", code = "pte.extended.identifier.bundle"),
        check(
            is_program(identifier) || is_bundle(identifier),
            "the file does not say `ET12`, which every release writes; a runtime refuses it", code = "pte.extended.identifier.magic"
        )
    )]
    pub identifier: [u8; 4],
    /// Says that a header follows.
    #[bin(check(
        is_header(header_magic),
        "the header does not say `eh00`",
        code = "pte.extended.header-magic.magic"
    ))]
    pub header_magic: [u8; 4],
    /// Length of the header from its magic on: 24 before release 1.0, then 32. Readers take any
    /// larger number, which claims no bytes.
    #[bin(
        calc = header_len, // The writer's choice; nothing follows from the fields.
        check(header_len >= 24, "the header is shorter than its 24 known bytes; a runtime refuses the file", code = "pte.extended.header-len.min"),
        warn(
            header_len <= 24 || header_len == 32,
            "no release writes a header of {header_len} bytes; runtimes ignore what they do not know", code = "pte.extended.header-len.known"
        )
    )]
    pub header_len: u32,
    /// Length of the buffer from the first byte of the file on, header included.
    #[bin(
        check(
            program_size >= head_len(header_len),
            "the program is shorter than its header; a runtime refuses the file", code = "pte.extended.program-size.min"
        ),
        error(program_size < 0x8000_0000, "a program of 2 GiB or more cannot be verified", code = "pte.extended.program-size.max"),
        calc = len(program) + head_len(header_len)
    )]
    pub program_size: u64,
    /// Where the first segment is, from the first byte of the file.
    #[doc(alias = "segment_base_offset")]
    #[bin(calc = if segment_base < program_size { segment_base } else { program_size + len(gap) })]
    pub segment_base: u64,
    /// Where the last segment ends, from `segment_base`; releases before 1.0 do not store it. The
    /// document does not have it.
    #[doc(alias = "segment_data_size")]
    #[bin(if = header_len >= 32)]
    pub data_size: Option<u64>,
    /// The program. What the header has behind the known bytes, and the padding behind it, come
    /// first.
    #[bin(len = program_size - head_len(header_len), root = root)]
    pub program: FlatBuffer<'a, Program<'a>>,
    /// Padding in front of the first segment; zeros, which no reader looks at.
    #[bin(
        len = if segment_base > program_size { segment_base - program_size } else { 0 },
        warn(is_zero(gap), "the padding in front of the segments is not zero, as every tool writes it", code = "pte.extended.gap.zero")
    )]
    pub gap: &'a [u8],
    /// The segments and the padding between them.
    #[bin(until_end)]
    pub segments: &'a [u8],
}

/// A program without a header, and so without segments.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, rules = rules::bare, spec = "pte document, Headers")]
pub struct Bare<'a> {
    /// Where the root table is, from the first byte of the file.
    root: Auto<u32>,
    /// Says that it is a program.
    #[bin(
        check(!is_bundle(identifier), "this is a bundle: it has a program in it, and is none; a runtime refuses it", code = "pte.bare.identifier.bundle"),
        check(
            is_program(identifier) || is_bundle(identifier),
            "the file does not say `ET12`, which every release writes; a runtime refuses it", code = "pte.bare.identifier.magic"
        )
    )]
    pub identifier: [u8; 4],
    /// The program.
    #[bin(until_end, root = root)]
    pub program: FlatBuffer<'a, Program<'a>>,
}

/// Bytes in front of the rest of the buffer, for a header of that length.
fn head_len(header_len: u32) -> u64 {
    if header_len >= 32 { 40 } else { 32 }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "rules pass fields by reference")]
fn is_program(identifier: &[u8; 4]) -> bool {
    *identifier == MAGIC
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "rules pass fields by reference")]
fn is_bundle(identifier: &[u8; 4]) -> bool {
    *identifier == bundle::MAGIC
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "rules pass fields by reference")]
fn is_header(magic: &[u8; 4]) -> bool {
    *magic == HEADER_MAGIC
}

impl<'a> Pte<'a> {
    /// Whether bytes are meant as a program, damaged or not: either of its magics will do, the one of
    /// the buffer of any version.
    pub fn is_meant(bytes: &[u8]) -> bool {
        let name = MAGIC.first_chunk::<2>();
        bytes.get(4..).is_some_and(|rest| rest.first_chunk() == name)
            || bytes.get(8..).is_some_and(|rest| rest.starts_with(&HEADER_MAGIC))
    }

    /// Where the program ends by what it says, counted from its start: behind the last of its segments.
    /// `None` for one without a header, which does not say so.
    pub fn end(&self) -> Option<u64> {
        let header = self.header()?;
        let segments = self.program().ok()?.segments();
        let ends = segments.iter().flatten();
        let ends = ends.map(|segment| segment.offset.saturating_add(segment.size));
        let data = header.data_size.or_else(|| ends.max()).unwrap_or(0);
        let end = if data == 0 { 0 } else { header.segment_base.checked_add(data)? };
        Some(end.max(header.program_size))
    }

    /// The buffer with the program.
    pub const fn buffer(&self) -> &FlatBuffer<'a, Program<'a>> {
        match self {
            Self::Extended(extended) => &extended.program,
            Self::Bare(bare) => &bare.program,
        }
    }

    /// The root table of the program.
    pub fn program(&self) -> Result<Program<'a>, Error> {
        self.buffer().root()
    }

    /// The header, if there is one.
    pub const fn header(&self) -> Option<&Extended<'a>> {
        match self {
            Self::Extended(extended) => Some(extended),
            Self::Bare(_) => None,
        }
    }

    /// The absolute offset of a segment.
    pub fn offset_of(&self, segment: &DataSegment) -> Option<u64> {
        self.header().map_or(0, |header| header.segment_base).checked_add(segment.offset)
    }

    /// The bytes of a segment, if they are in the file.
    pub fn segment(&self, segment: &DataSegment) -> Option<&'a [u8]> {
        if segment.size == 0 {
            return Some(&[]);
        }
        let header = self.header().filter(|header| header.segment_base >= header.program_size)?;
        let start = usize::try_from(segment.offset).ok()?;
        let len = usize::try_from(segment.size).ok()?;
        header.segments.get(start..)?.get(..len)
    }

    /// The bytes of a tensor that has some in the file, and all of them.
    pub fn tensor_bytes(&self, program: &Program<'a>, tensor: &Tensor<'a>) -> Option<&'a [u8]> {
        let (list, index) = match tensor.storage() {
            Storage::None | Storage::External { .. } => return None,
            Storage::Constant { index } if !program.has_constant_segment() => {
                let buffer = program.constant_buffer?.get(index.into())?.ok()?;
                return buffer.bytes().get(..usize::try_from(tensor.byte_len()?).ok()?);
            }
            Storage::Constant { index } => (program.constants()?, index),
            Storage::Mutable { list, index } => {
                (program.mutable_data_segments?.get(list)?.ok()?, index)
            }
        };
        let start = usize::try_from(list.offsets.get(index.into())?.ok()?).ok()?;
        let len = usize::try_from(tensor.byte_len()?).ok()?;
        self.segment_at(program, list.segment_index.into())?.get(start..)?.get(..len)
    }

    /// Where the bytes of a tensor lie, from the first byte of the program on.
    pub fn tensor_range(&self, program: &Program<'a>, tensor: &Tensor<'a>) -> Option<Range<u64>> {
        self.range_of(self.tensor_bytes(program, tensor)?)
    }

    /// The blob that a delegate hands to its backend, if it lies in the file.
    pub fn delegate_bytes(
        &self,
        program: &Program<'a>,
        delegate: &call::Delegate<'a>,
    ) -> Option<&'a [u8]> {
        let place = delegate.processed?.get().ok()?;
        match place.location {
            kind::DataLocation::Segment => self.segment_at(program, place.index.into()),
            kind::DataLocation::Inline => {
                let blobs = program.backend_delegate_data?;
                blobs.get(place.index.into())?.ok()?.data
            }
            kind::DataLocation::Other(_) => None,
        }
    }

    /// The bytes behind a key, if they lie in the file. Of equal keys the first counts, as for a
    /// runtime.
    pub fn named_bytes(&self, program: &Program<'a>, key: &str) -> Option<&'a [u8]> {
        let named = program.named_data();
        let named = named.iter().flatten().find(|named| named.key == Some(key))?;
        self.segment_at(program, named.segment_index.into())
    }

    /// Where bytes that were borrowed from the program lie, from its first byte on; `None` for others.
    pub fn range_of(&self, bytes: &[u8]) -> Option<Range<u64>> {
        let (front, buffer) = match self {
            Self::Extended(header) => (head_len(header.header_len), header.program.bytes()),
            Self::Bare(bare) => (8, bare.program.bytes()),
        };
        let inside = offset_within(buffer, bytes).and_then(|offset| offset.checked_add(front));
        let start = inside.or_else(|| {
            let header = self.header()?;
            offset_within(header.segments, bytes)?.checked_add(header.segment_base)
        })?;
        Some(start..start.checked_add(wide(bytes.len()))?)
    }

    /// The bytes of the segment at `index`, if there is one and they are in the file.
    pub fn segment_at(&self, program: &Program<'a>, index: u64) -> Option<&'a [u8]> {
        self.segment(&program.segments().get(index)?.ok()?)
    }
}

impl Extended<'_> {
    /// The same file with a header of 32 bytes, which says how many segment bytes there are: a
    /// runtime of release 1.0 or later then notices a file that is cut. Nothing moves, for the
    /// padding of the shorter header has room for the number. `None` if the header is longer
    /// already, or if there is something else in that place.
    pub fn with_data_size(&self) -> Option<Self> {
        let room = self.program.lead().get(..8)?;
        let program =
            self.program.behind(8).filter(|_| self.data_size.is_none() && is_zero(room))?;
        let ends = self.program.root().ok()?.segments();
        let ends = ends.iter().flatten().map(|segment| segment.offset.saturating_add(segment.size));
        Some(Self {
            header_len: 32,
            data_size: Some(ends.max().unwrap_or(0)),
            program,
            ..self.clone()
        })
    }

    /// Where the buffer ends, and whether the segments begin behind it.
    pub const fn has_segments_behind(&self) -> bool {
        self.segment_base >= self.program_size
    }
}

/// Without an allocator there is no validator to run rules.
#[cfg(not(feature = "alloc"))]
mod rules {
    use binfmt_runtime::Rules;

    pub(super) fn extended(_: &super::Extended<'_>, _: &mut Rules<'_>) {}
    pub(super) fn bare(_: &super::Bare<'_>, _: &mut Rules<'_>) {}
    pub(super) fn tensor(_: &super::Tensor<'_>, _: &mut Rules<'_>) {}
    pub(super) fn constant_sources(_: &super::Program<'_>, _: &mut Rules<'_>) {}
}
