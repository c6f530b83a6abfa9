//! Attributes of the layers of networks: windows, products, recurrence, normalization, attention.

use binfmt_runtime::{BinFormat, FbVec};

/// Who says how large the padding is.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(u8)]
pub enum AutoPad {
    /// The size of the output does; the value of files that do not store one.
    Same = 0,
    /// The attribute `pads`.
    NotSet = 1,
    /// A number that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// In which order a recurrent operator takes the steps of its input.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(u8)]
pub enum Direction {
    /// From the first one.
    Forward = 0,
    /// From the last one.
    Reverse = 1,
    /// Once from each end.
    Bidirectional = 2,
    /// A number that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// How means of windows are taken.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct AveragePoolAttributes<'a> {
    /// The size of the window in each of its dimensions.
    #[bin(slot = 0, required)]
    pub kernel_size: FbVec<'a, u32>,
    /// Where the padding comes from.
    #[bin(slot = 1)]
    pub auto_pad: AutoPad,
    /// Padding of the dimensions of a picture: all their beginnings, then all their ends.
    #[bin(slot = 2)]
    pub pads: Option<FbVec<'a, u32>>,
    /// How far the window moves in each of these dimensions.
    #[bin(slot = 3)]
    pub strides: Option<FbVec<'a, u32>>,
    /// Whether padding counts as elements.
    #[bin(slot = 4)]
    pub count_include_pad: bool,
    /// Whether a window that reaches over the end counts.
    #[bin(slot = 5)]
    pub ceil_mode: bool,
}

/// How the largest elements of windows are taken.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct MaxPoolAttributes<'a> {
    /// The size of the window in each of its dimensions.
    #[bin(slot = 0, required)]
    pub kernel_size: FbVec<'a, u32>,
    /// Where the padding comes from.
    #[bin(slot = 1)]
    pub auto_pad: AutoPad,
    /// Padding of the dimensions of a picture: all their beginnings, then all their ends.
    #[bin(slot = 2)]
    pub pads: Option<FbVec<'a, u32>>,
    /// How far the window moves in each of these dimensions.
    #[bin(slot = 3)]
    pub strides: Option<FbVec<'a, u32>>,
    /// Whether a window that reaches over the end counts.
    #[bin(slot = 4)]
    pub ceil_mode: bool,
}

/// How a convolution goes; that of integers too.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ConvAttributes<'a> {
    /// Where the padding comes from.
    #[bin(slot = 0)]
    pub auto_pad: AutoPad,
    /// Padding of the dimensions of a picture: all their beginnings, then all their ends.
    #[bin(slot = 1)]
    pub pads: Option<FbVec<'a, u32>>,
    /// Into how many groups the channels fall.
    #[bin(slot = 2)]
    pub groups: u32,
    /// How far the window moves in each of these dimensions.
    #[bin(slot = 3)]
    pub strides: Option<FbVec<'a, u32>>,
    /// How far the weights of a window lie apart.
    #[bin(slot = 4)]
    pub dilations: Option<FbVec<'a, u32>>,
}

/// How a transposed convolution goes.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ConvTransposeAttributes<'a> {
    /// How far the window moves in each of these dimensions.
    #[bin(slot = 0)]
    pub strides: Option<FbVec<'a, u32>>,
    /// Where the padding comes from; old files have `pads` alone.
    #[bin(slot = 1, default = AutoPad::NotSet)]
    pub auto_pad: AutoPad,
    /// Padding of the dimensions of a picture: all their beginnings, then all their ends.
    #[bin(slot = 2)]
    pub pads: Option<FbVec<'a, u32>>,
    /// Into how many groups the channels fall.
    #[bin(slot = 3, default = 1)]
    pub groups: u32,
    /// What is added to the size of the output.
    #[bin(slot = 4)]
    pub output_padding: Option<FbVec<'a, u32>>,
    /// How far the weights of a window lie apart.
    #[bin(slot = 5)]
    pub dilations: Option<FbVec<'a, u32>>,
}

/// The factors of a product of matrices with a sum.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct GemmAttributes {
    /// The factor of the product.
    #[bin(slot = 0)]
    pub alpha: f32,
    /// The factor of what is added.
    #[bin(slot = 1)]
    pub beta: f32,
    /// Whether the first matrix is transposed.
    #[bin(slot = 2)]
    pub transpose_a: bool,
    /// Whether the second matrix is transposed.
    #[bin(slot = 3)]
    pub transpose_b: bool,
}

/// A recurrent layer with gates.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct GruAttributes {
    /// The order of the steps.
    #[bin(slot = 0)]
    pub direction: Direction,
    /// How many elements the state has.
    #[bin(slot = 1)]
    pub hidden_size: u32,
    /// Whether the reset gate acts behind the product.
    #[bin(slot = 2)]
    pub linear_before_reset: bool,
}

/// A recurrent layer with memory.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct LstmAttributes {
    /// The order of the steps.
    #[bin(slot = 0)]
    pub direction: Direction,
    /// How many elements the state has.
    #[bin(slot = 1)]
    pub hidden_size: u32,
}

/// What keeps a division from being one by zero, in batch and instance normalization.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct EpsilonAttributes {
    /// A small number that is added to the variance.
    #[bin(slot = 0)]
    pub epsilon: f32,
}

/// Over which elements a layer is normalized.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct LayerNormalizationAttributes {
    /// The first dimension of them; a negative one counts from the last.
    #[bin(slot = 0)]
    pub axis: i32,
    /// A small number that is added to the variance.
    #[bin(slot = 1)]
    pub epsilon: f32,
}

/// By which norm elements are divided.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct LpNormalizationAttributes {
    /// The dimension; a negative one counts from the last.
    #[bin(slot = 0, default = -1)]
    pub axis: i32,
    /// Which norm it is.
    #[bin(slot = 1, default = 2)]
    pub p: u32,
}

/// How positions are turned into angles.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct RotaryEmbeddingAttributes {
    /// Whether pairs are neighbours, and not halves apart.
    #[bin(slot = 0)]
    pub interleaved: bool,
    /// How many heads there are, if the shape does not say so.
    #[bin(slot = 1)]
    pub num_heads: u32,
    /// How many elements of a head are turned; 0 is all.
    #[bin(slot = 2)]
    pub rotary_embedding_dim: u32,
}

/// How attention is computed.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct AttentionAttributes {
    /// Whether nothing looks at what comes later.
    #[bin(slot = 0)]
    pub is_causal: bool,
    /// How many heads queries have; inputs of four dimensions say so themselves.
    #[bin(slot = 1)]
    pub q_num_heads: Option<u32>,
    /// How many heads keys and values have; as with queries.
    #[bin(slot = 2)]
    pub kv_num_heads: Option<u32>,
    /// The factor of the products; else it follows from the size of a head.
    #[bin(slot = 3)]
    pub scale: Option<f32>,
    /// The bound of the products; 0 is none.
    #[bin(slot = 4)]
    pub softcap: f32,
}
