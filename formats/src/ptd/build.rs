//! New files, laid out as the Python writer of `ExecuTorch` 1.5 does.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use binfmt_runtime::{BinFormat, Error, FbVec, FlatBuffer, FlatBuild as _, Placed, Reserved};
use hashbrown::HashMap;

use super::equal::Equal;
use super::{
    DataSegment, FlatTensor, HEADER_END, IDENTIFIER, MAGIC, NamedData, Ptd, ScalarType, Tables,
    TensorLayout,
};
use crate::pieces::Pieces;
use crate::shared::{MOST_ALIGN, is_permutation, wide};

/// What the Python writer aligns segments to.
const SEGMENT_ALIGN: u64 = 128;

/// The header and the padding behind it.
const PADDED_HEADER: u64 = 48;

/// Collects tensors and blobs for a new file in the schema of 0.7.
///
/// Equal bytes share a segment; segments lie in the order in which names first stand for them.
///
/// ```
/// use binfmt_formats::ptd::{Builder, Ptd, ScalarType};
/// use binfmt_runtime::BinFormat;
///
/// let mut file = Builder::new();
/// file.tensor("bias", ScalarType::Float, &[2], &[0, 0, 128, 63, 0, 0, 0, 64])?;
/// file.blob("note", b"not a tensor", 1)?;
/// let bytes = file.to_vec()?;
/// let keys = Ptd::parse(&bytes)?.keys()?;
/// let bias = keys.get("bias").unwrap()?;
/// assert_eq!(bias.layout.unwrap().scalar_type, ScalarType::Float);
/// assert_eq!(keys.get("note").unwrap()?.bytes, Some(&b"not a tensor"[..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Builder<'a> {
    align: u64,
    names: Vec<Name>,
    keys: HashMap<String, ()>,
    segments: Vec<Segment<'a>>,
    equal: Equal<'a>,
}

#[derive(Debug)]
struct Name {
    key: String,
    segment: usize,
    layout: Option<Layout>,
}

/// What the bytes behind a key are.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    scalar_type: ScalarType,
    sizes: Vec<i32>,
    dim_order: Vec<u8>,
}

#[derive(Debug)]
struct Segment<'a> {
    bytes: &'a [u8],
    align: u64,
}

/// Why something cannot be put into a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuildError {
    /// There is such a name already.
    Key(String),
    /// The tensor has not as many bytes as its type and its sizes say.
    Len {
        /// How many they say.
        expected: Option<u64>,
        /// How many it has.
        found: u64,
    },
    /// A size that the format does not store: negative, above 2^31, or in more than 255 dimensions.
    Sizes,
    /// An order of dimensions that does not have each of them once.
    DimOrder,
    /// An alignment that is no power of two, or out of range.
    Align(u64),
    /// The file is too large.
    TooLarge,
    /// The tables cannot be written.
    Tables(Error),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => write!(f, "the key {key:?} is there already"),
            Self::Len { expected: Some(expected), found } => {
                write!(f, "type and sizes make {expected} bytes, and the tensor has {found}")
            }
            Self::Len { expected: None, .. } => {
                f.write_str("type and sizes make more bytes than 64 bits count")
            }
            Self::Sizes => f.write_str("the format stores no such sizes"),
            Self::DimOrder => {
                f.write_str("the order of dimensions does not have each of them once")
            }
            Self::Align(align) => write!(
                f,
                "{align} is no alignment: use a power of two up to 65,536; segments begin on 16 at least"
            ),
            Self::TooLarge => f.write_str("the file is too large"),
            Self::Tables(error) => write!(f, "the tables cannot be written: {error}"),
        }
    }
}

impl core::error::Error for BuildError {}

impl From<Error> for BuildError {
    fn from(error: Error) -> Self {
        Self::Tables(error)
    }
}

impl Default for Builder<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Builder<'a> {
    /// An empty file.
    pub fn new() -> Self {
        Self {
            align: SEGMENT_ALIGN,
            names: Vec::new(),
            keys: HashMap::new(),
            segments: Vec::new(),
            equal: Equal::new(),
        }
    }

    /// Aligns segments to another number than 128, such as the size of a page.
    pub fn align(&mut self, align: u64) -> Result<&mut Self, BuildError> {
        // Less than 16 would misalign what runtimes load.
        if !align.is_power_of_two() || !(16..=MOST_ALIGN).contains(&align) {
            return Err(BuildError::Align(align));
        }
        self.align = align;
        Ok(self)
    }

    /// Adds a tensor with its elements in the order of its dimensions.
    pub fn tensor(
        &mut self,
        key: &str,
        scalar_type: ScalarType,
        sizes: &[u64],
        bytes: &'a [u8],
    ) -> Result<&mut Self, BuildError> {
        self.put(key, Some(Layout::in_order(scalar_type, sizes)?), bytes)?;
        Ok(self)
    }

    /// Adds a tensor whose elements lie in another order of dimensions, the outermost first.
    pub fn tensor_with(
        &mut self,
        key: &str,
        scalar_type: ScalarType,
        sizes: &[u64],
        dim_order: &[u8],
        bytes: &'a [u8],
    ) -> Result<&mut Self, BuildError> {
        self.put(key, Some(Layout::new(scalar_type, sizes, dim_order)?), bytes)?;
        Ok(self)
    }

    /// Adds bytes of no known type, aligned to `align` at least.
    pub fn blob(
        &mut self,
        key: &str,
        bytes: &'a [u8],
        align: u64,
    ) -> Result<&mut Self, BuildError> {
        if !align.is_power_of_two() || align > MOST_ALIGN {
            return Err(BuildError::Align(align));
        }
        self.add(key, None, bytes, align)?;
        Ok(self)
    }

    /// Adds what a layout says, or a blob without one.
    pub(super) fn put(
        &mut self,
        key: &str,
        layout: Option<Layout>,
        bytes: &'a [u8],
    ) -> Result<(), BuildError> {
        let align = layout.as_ref().and_then(|layout| layout.scalar_type.size()).unwrap_or(1);
        if let Some(layout) = &layout {
            layout.fits(bytes)?;
        }
        self.add(key, layout, bytes, align)
    }

    fn add(
        &mut self,
        key: &str,
        layout: Option<Layout>,
        bytes: &'a [u8],
        align: u64,
    ) -> Result<(), BuildError> {
        if self.keys.insert(key.into(), ()).is_some() {
            return Err(BuildError::Key(key.into()));
        }
        let segment = self.equal.first_of(bytes, self.segments.len());
        match self.segments.get_mut(segment) {
            Some(shared) => shared.align = shared.align.max(align),
            None => self.segments.push(Segment { bytes, align }),
        }
        self.names.push(Name { key: key.into(), segment, layout });
        Ok(())
    }

    /// The whole file.
    pub fn to_vec(&self) -> Result<Vec<u8>, BuildError> {
        Ok(self.pieces()?.to_vec())
    }

    /// The whole file in pieces: what was added is not copied.
    pub fn pieces(&self) -> Result<Pieces<'a>, BuildError> {
        let (runs, data) = self.place().ok_or(BuildError::TooLarge)?;
        let tables = self.tables(&runs)?;
        let tables = Split::parse(&tables)?.tables;
        let used = HEADER_END.saturating_add(wide(tables.bytes().len()));
        let padding = up(used, self.align).and_then(|base| base.checked_sub(used));
        let padding =
            padding.and_then(|len| usize::try_from(len).ok()).ok_or(BuildError::TooLarge)?;
        let head = Ptd {
            root_offset: 0,
            identifier: IDENTIFIER,
            magic: MAGIC,
            header_len: 40,
            flatbuffer_offset: PADDED_HEADER,
            flatbuffer_size: 0,
            segment_base_offset: 0,
            segment_data_size: data.len(),
            tables,
            padding: &vec![0; padding],
            data: &[],
        };
        let mut file = Pieces::from(head.to_vec()?);
        file.append(data);
        Ok(file)
    }

    /// Where each segment begins, and all of them with the padding between them.
    fn place(&self) -> Option<(Vec<DataSegment>, Pieces<'a>)> {
        let (mut runs, mut data) = (Vec::new(), Pieces::new());
        for segment in &self.segments {
            // Both are powers of two, so the larger one is a multiple of both.
            let align = self.align.max(segment.align);
            up(data.len(), align)?;
            data.pad(align);
            runs.push(DataSegment {
                offset: Placed::from(data.len()),
                size: Placed::from(wide(segment.bytes.len())),
            });
            data.push(segment.bytes);
        }
        Some((runs, data))
    }

    /// The tables as a buffer of their own, with room for the header in it.
    fn tables(&self, runs: &[DataSegment]) -> Result<Vec<u8>, BuildError> {
        let names: Result<Vec<NamedData<'_>>, BuildError> =
            self.names.iter().map(Name::table).collect();
        let names = names?;
        let root = FlatTensor {
            version: 0,
            segments: FbVec::from(runs),
            named_data: FbVec::from(&names[..]),
        };
        let buffer = root.to_buffer()?;
        let whole = Whole::parse(&buffer)?;
        let root = whole.root.checked_add(48).ok_or(BuildError::TooLarge)?;
        let (header, padding) = (Reserved::default(), Reserved::default());
        let Whole { identifier, rest, .. } = whole;
        Ok(Apart { root, identifier, header, padding, rest }.to_vec()?)
    }
}

/// A buffer as it is built.
#[derive(BinFormat)]
#[bin(little)]
struct Whole<'a> {
    root: u32,
    identifier: [u8; 4],
    #[bin(until_end)]
    rest: &'a [u8],
}

/// A buffer with room for the header in it.
#[derive(BinFormat)]
#[bin(little)]
struct Apart<'a> {
    root: u32,
    identifier: [u8; 4],
    header: Reserved<40>,
    padding: Reserved<8>,
    #[bin(until_end)]
    rest: &'a [u8],
}

/// The same, to be read again.
#[derive(BinFormat)]
#[bin(little)]
struct Split<'a> {
    root: u32,
    identifier: [u8; 4],
    header: Reserved<40>,
    #[bin(until_end, root = root)]
    tables: FlatBuffer<'a, Tables<'a>>,
}

impl Name {
    fn table(&self) -> Result<NamedData<'_>, BuildError> {
        let segment = u32::try_from(self.segment).map_err(|_| BuildError::TooLarge)?;
        Ok(NamedData {
            key: Placed::from(self.key.as_str()),
            segment_index: Placed::from(segment),
            tensor_layout: self.layout.as_ref().map(|layout| Placed::from(layout.table())),
        })
    }
}

impl Layout {
    /// A tensor whose elements lie in that order of dimensions, the outermost first.
    pub(super) fn new(
        scalar_type: ScalarType,
        sizes: &[u64],
        dim_order: &[u8],
    ) -> Result<Self, BuildError> {
        let sizes: Result<Vec<i32>, _> = sizes.iter().map(|size| i32::try_from(*size)).collect();
        let sizes = sizes.map_err(|_| BuildError::Sizes)?;
        if dim_order.len() != sizes.len() || !is_permutation(dim_order) {
            return Err(BuildError::DimOrder);
        }
        Ok(Self { scalar_type, sizes, dim_order: dim_order.to_vec() })
    }

    /// A tensor whose elements lie row by row.
    pub(super) fn in_order(scalar_type: ScalarType, sizes: &[u64]) -> Result<Self, BuildError> {
        let dims = u8::try_from(sizes.len()).map_err(|_| BuildError::Sizes)?;
        Self::new(scalar_type, sizes, &(0..dims).collect::<Vec<_>>())
    }

    /// The layout that a file has.
    pub(super) fn of(layout: &TensorLayout<'_>) -> Result<Self, BuildError> {
        let sizes = layout.shape().map(|size| size.ok_or(BuildError::Sizes));
        Self::new(layout.scalar_type, &sizes.collect::<Result<Vec<_>, _>>()?, layout.dim_order)
    }

    /// Whether these are all its elements.
    pub(super) fn fits(&self, bytes: &[u8]) -> Result<(), BuildError> {
        let (expected, found) = (self.table().byte_len(), wide(bytes.len()));
        if expected == Some(found) { Ok(()) } else { Err(BuildError::Len { expected, found }) }
    }

    fn table(&self) -> TensorLayout<'_> {
        TensorLayout {
            scalar_type: self.scalar_type,
            sizes: FbVec::from(&self.sizes[..]),
            dim_order: &self.dim_order,
        }
    }
}

/// The next multiple of a power of two.
fn up(offset: u64, align: u64) -> Option<u64> {
    offset.checked_next_multiple_of(align)
}
