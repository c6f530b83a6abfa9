//! Tensors in the file.

use binfmt_runtime::{BinFormat, FbVec, Placed};

use super::rules;

/// A tensor in the file: inside the graph, or in the tensor section of version 2.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(
    flatbuffer,
    error(
        rules::is_stored(data, data_offset),
        "the constant has no bytes: neither a known kind of inline data nor an offset",
        code = "rten.constant-node.data.missing"
    ),
    error(
        rules::external_has_type(dtype, data_offset, data),
        "the constant lies in the tensor section and has no known type",
        code = "rten.constant-node.dtype.missing"
    ),
    error(
        rules::count_fits(shape, data),
        "the number of elements inside the graph is not what the shape says",
        code = "rten.constant-node.shape.count"
    ),
    warn(
        rules::types_agree(dtype, data),
        "the stored type is not that of the elements inside the graph, which the crate goes by",
        code = "rten.constant-node.dtype.differs"
    )
)]
pub struct ConstantNode<'a> {
    /// Size in every dimension.
    #[bin(slot = 0, required)]
    pub shape: FbVec<'a, u32>,
    /// The elements, if they lie inside the graph: 16 at most, as version 2 is written.
    #[bin(slot = 2, union)]
    pub data: Option<ConstantData<'a>>,
    /// The type of the elements; old files do not have it.
    #[bin(slot = 3)]
    pub dtype: Option<ConstantDataType>,
    /// Where the elements begin in the tensor section.
    #[bin(slot = 4)]
    pub data_offset: Option<Placed<u64>>,
}

/// Elements inside the graph, by type.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub enum ConstantData<'a> {
    /// 32-bit floats.
    #[bin(id = 1)]
    Float(FloatData<'a>),
    /// Signed 32-bit integers.
    #[bin(id = 2)]
    Int32(Int32Data<'a>),
    /// Signed bytes.
    #[bin(id = 3)]
    Int8(Int8Data<'a>),
    /// Unsigned bytes.
    #[bin(id = 4)]
    UInt8(UInt8Data<'a>),
    /// A type that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// 32-bit floats.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct FloatData<'a> {
    /// The elements.
    #[bin(slot = 0, required)]
    pub elements: FbVec<'a, f32>,
}

/// Signed 32-bit integers.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct Int32Data<'a> {
    /// The elements.
    #[bin(slot = 0, required)]
    pub elements: FbVec<'a, i32>,
}

/// Signed bytes.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct Int8Data<'a> {
    /// The elements.
    #[bin(slot = 0, required)]
    pub elements: FbVec<'a, i8>,
}

/// Unsigned bytes.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct UInt8Data<'a> {
    /// The elements.
    #[bin(slot = 0, required)]
    pub elements: FbVec<'a, u8>,
}

/// The type of a constant's elements.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(u16)]
pub enum ConstantDataType {
    /// Signed 32-bit integers.
    Int32 = 0,
    /// 32-bit floats.
    Float32 = 1,
    /// Signed bytes.
    Int8 = 2,
    /// Unsigned bytes.
    UInt8 = 3,
    /// A type that the crate does not know.
    #[bin(other)]
    Other(u16),
}

impl ConstantDataType {
    /// The size of one element in bytes, if the type is known.
    pub const fn size(self) -> Option<u64> {
        match self {
            Self::Int32 | Self::Float32 => Some(4),
            Self::Int8 | Self::UInt8 => Some(1),
            Self::Other(_) => None,
        }
    }

    /// The name of the type in lower case: `f32`.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::Int32 => Some("i32"),
            Self::Float32 => Some("f32"),
            Self::Int8 => Some("i8"),
            Self::UInt8 => Some("u8"),
            Self::Other(_) => None,
        }
    }
}

impl<'a> ConstantData<'a> {
    /// The type of the elements.
    pub const fn dtype(&self) -> Option<ConstantDataType> {
        match self {
            Self::Float(_) => Some(ConstantDataType::Float32),
            Self::Int32(_) => Some(ConstantDataType::Int32),
            Self::Int8(_) => Some(ConstantDataType::Int8),
            Self::UInt8(_) => Some(ConstantDataType::UInt8),
            Self::Other(_) => None,
        }
    }

    /// The bytes of the elements, little-endian, and where they lie in the file.
    pub fn stored(&self) -> Option<(&'a [u8], u64)> {
        let (bytes, range) = match self {
            Self::Float(data) => (data.elements.bytes(), data.elements.bytes_range()),
            Self::Int32(data) => (data.elements.bytes(), data.elements.bytes_range()),
            Self::Int8(data) => (data.elements.bytes(), data.elements.bytes_range()),
            Self::UInt8(data) => (data.elements.bytes(), data.elements.bytes_range()),
            Self::Other(_) => (None, None),
        };
        bytes.zip(range.map(|range| range.start))
    }

    /// How many elements there are.
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::Float(data) => Some(data.elements.count()),
            Self::Int32(data) => Some(data.elements.count()),
            Self::Int8(data) => Some(data.elements.count()),
            Self::UInt8(data) => Some(data.elements.count()),
            Self::Other(_) => None,
        }
    }
}

impl ConstantNode<'_> {
    /// Whether the elements lie in the tensor section.
    pub fn is_external(&self) -> bool {
        self.data_offset.is_some() && self.data.as_ref().and_then(ConstantData::dtype).is_none()
    }

    /// The number of elements that the shape says; `None` if it is broken or too large to count.
    pub fn elements(&self) -> Option<u64> {
        rules::elements(&self.shape)
    }
}
