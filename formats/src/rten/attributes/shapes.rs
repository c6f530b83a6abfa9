//! Attributes of operators that move elements and change shapes, and of those on sequences.

use binfmt_runtime::{BinFormat, FbVec};

use crate::rten::DataType;

/// How new elements come from old ones.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(u8)]
pub enum ResizeMode {
    /// The nearest one is taken.
    Nearest = 0,
    /// Their neighbours are mixed.
    Linear = 1,
    /// A number that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// How places of the output become places of the input.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(u8)]
pub enum CoordTransformMode {
    /// An element is where its middle is.
    HalfPixel = 0,
    /// An element is where it begins.
    Asymmetric = 1,
    /// The first elements lie upon each other, and the last ones.
    AlignCorners = 2,
    /// As `HalfPixel`, but a size of one is the first element.
    PytorchHalfPixel = 3,
    /// A number that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// Which element is the nearest.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(u8)]
pub enum NearestMode {
    /// The one before.
    Floor = 0,
    /// The one behind.
    Ceil = 1,
    /// The closer one, in doubt that before.
    RoundPreferFloor = 2,
    /// The closer one, in doubt that behind.
    RoundPreferCeil = 3,
    /// A number that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// In which order the channels are spread.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(u8)]
pub enum DepthToSpaceMode {
    /// Depth, column, row.
    DCR = 0,
    /// Column, row, depth.
    CRD = 1,
    /// A number that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// What padding is made of.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(u8)]
pub enum PadMode {
    /// One value.
    Constant = 0,
    /// The elements, mirrored at the edge.
    Reflect = 1,
    /// The element at the edge.
    Edge = 2,
    /// The elements of the other end.
    Wrap = 3,
    /// A number that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// Along which dimension an operator works; of several operators.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct AxisAttributes {
    /// The dimension; a negative one counts from the last.
    #[bin(slot = 0)]
    pub axis: i32,
}

/// What a size of 0 in a new shape means.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ReshapeAttributes {
    /// Whether it is one; else the old size stays.
    #[bin(slot = 0)]
    pub allow_zero: bool,
}

/// The order of dimensions.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct TransposeAttributes<'a> {
    /// For each new dimension the old one; reversed without it.
    #[bin(slot = 0)]
    pub perm: Option<FbVec<'a, u32>>,
}

/// Into what a tensor is split.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct SplitAttributes {
    /// The dimension; a negative one counts from the last.
    #[bin(slot = 0)]
    pub axis: i32,
    /// How many parts there are, if no input says how large they are.
    #[bin(slot = 1)]
    pub num_outputs: Option<i32>,
}

/// With what a tensor is padded.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct PadAttributes {
    /// What the padding is made of.
    #[bin(slot = 0)]
    pub mode: PadMode,
}

/// How a picture gets another size.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ResizeAttributes {
    /// Where new elements come from.
    #[bin(slot = 0)]
    pub mode: ResizeMode,
    /// Which places correspond.
    #[bin(slot = 1)]
    pub coord_mode: CoordTransformMode,
    /// Which element is the nearest, for the mode of that name.
    #[bin(slot = 2)]
    pub nearest_mode: NearestMode,
}

/// How a picture grows.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct UpsampleAttributes {
    /// Where new elements come from.
    #[bin(slot = 0)]
    pub mode: ResizeMode,
}

/// How elements are taken by place.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct GridSampleAttributes {
    /// Whether the ends of the range are the middles of the outermost elements.
    #[bin(slot = 0)]
    pub align_corners: bool,
}

/// How channels become places.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct DepthToSpaceAttributes {
    /// In which order.
    #[bin(slot = 0)]
    pub mode: DepthToSpaceMode,
    /// How many elements of each dimension come from channels.
    #[bin(slot = 1)]
    pub block_size: u32,
}

/// Of which dimensions the sizes are wanted.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ShapeAttributes {
    /// The first one; negative ones count from the end.
    #[bin(slot = 0)]
    pub start: Option<i32>,
    /// The one behind the last; negative ones count from the end.
    #[bin(slot = 1)]
    pub end: Option<i32>,
}

/// How places are read.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct GatherNdAttributes {
    /// How many first dimensions are batches.
    #[bin(slot = 0)]
    pub batch_dims: i32,
}

/// Which dimensions sequences have.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ReverseSequenceAttributes {
    /// That which counts the sequences.
    #[bin(slot = 0, default = 1)]
    pub batch_axis: i32,
    /// That which is reversed.
    #[bin(slot = 1)]
    pub time_axis: i32,
}

/// How the tensors of a sequence become one.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ConcatFromSequenceAttributes {
    /// The dimension; a negative one counts from the last.
    #[bin(slot = 0)]
    pub axis: i32,
    /// Whether that dimension is a new one.
    #[bin(slot = 1)]
    pub new_axis: bool,
}

/// How a tensor becomes a sequence of tensors.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct SplitToSequenceAttributes {
    /// The dimension; a negative one counts from the last.
    #[bin(slot = 0)]
    pub axis: i32,
    /// Whether that dimension stays, with a size of one.
    #[bin(slot = 1, default = true)]
    pub keep_dims: bool,
}

/// What a new sequence may hold.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct SequenceEmptyAttributes {
    /// The type of the elements of its tensors.
    #[bin(slot = 0)]
    pub dtype: Option<DataType>,
}
