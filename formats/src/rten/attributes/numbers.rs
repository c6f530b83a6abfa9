//! Attributes of operators that compute, choose, convert and make elements.

use binfmt_runtime::{BinFormat, FbVec};

use crate::rten::DataType;

/// How an error function is computed.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(u8)]
pub enum GeluApproximation {
    /// Exactly.
    None = 0,
    /// By the hyperbolic tangent.
    Tanh = 1,
    /// A number that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// What the four numbers of a box are.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(u8)]
pub enum BoxOrder {
    /// Two corners.
    TopLeftBottomRight = 0,
    /// The middle and the size.
    CenterWidthHeight = 1,
    /// A number that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// What becomes of an element that is written.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(u8)]
pub enum ScatterReduction {
    /// It is replaced.
    None = 0,
    /// It is added to.
    Add = 1,
    /// It is multiplied.
    Mul = 2,
    /// The smaller one stays.
    Min = 3,
    /// The larger one stays.
    Max = 4,
    /// A number that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// Where the largest or smallest element is looked for.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ArgMaxAttributes {
    /// The dimension; a negative one counts from the last.
    #[bin(slot = 0)]
    pub axis: i32,
    /// Whether that dimension stays, with a size of one.
    #[bin(slot = 1)]
    pub keep_dims: bool,
}

/// Over which dimensions an operator sums up; of all operators that reduce.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ReduceAttributes<'a> {
    /// The dimensions; negative ones count from the last.
    #[bin(slot = 0)]
    pub axes: Option<FbVec<'a, i32>>,
    /// Whether they stay, with a size of one.
    #[bin(slot = 1)]
    pub keep_dims: bool,
    /// Whether no dimension means none, and not all.
    #[bin(slot = 2)]
    pub noop_with_empty_axes: bool,
}

/// How sums run; old files do not have them.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct CumSumAttributes {
    /// Whether an element is no part of its own sum.
    #[bin(slot = 0)]
    pub exclusive: bool,
    /// Whether the sums run from the end.
    #[bin(slot = 1)]
    pub reverse: bool,
}

/// Which elements are taken.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct TopKAttributes {
    /// The dimension; a negative one counts from the last.
    #[bin(slot = 0)]
    pub axis: i32,
    /// Whether it is the largest ones.
    #[bin(slot = 1)]
    pub largest: bool,
    /// Whether they come in order.
    #[bin(slot = 2)]
    pub sorted: bool,
}

/// Which triangle of a matrix is kept.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct TriluAttributes {
    /// Whether it is the upper one.
    #[bin(slot = 0)]
    pub upper: bool,
}

/// What the sign of a remainder is.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ModAttributes {
    /// That of the dividend, as in C; else that of the divisor.
    #[bin(slot = 0)]
    pub fmod: bool,
}

/// The factor of what is negative, in `LeakyRelu` and `Elu`.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct AlphaAttributes {
    /// The factor.
    #[bin(slot = 0)]
    pub alpha: f32,
}

/// A straight line instead of a curve.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct HardSigmoidAttributes {
    /// How steep it is.
    #[bin(slot = 0)]
    pub alpha: f32,
    /// Its value at zero.
    #[bin(slot = 1)]
    pub beta: f32,
}

/// How the error function is computed.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct GeluAttributes {
    /// Exactly or not.
    #[bin(slot = 0)]
    pub approximate: GeluApproximation,
}

/// What is multiplied and summed up.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct EinsumAttributes<'a> {
    /// The letters of the dimensions: `ij,jk->ik`.
    #[bin(slot = 0)]
    pub equation: Option<&'a str>,
}

/// What elements are converted to.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct CastAttributes {
    /// Their new type.
    #[bin(slot = 0)]
    pub to: DataType,
}

/// How elements become small integers.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct QuantizeLinearAttributes {
    /// The dimension with scales of its own; a negative one counts from the last.
    #[bin(slot = 0)]
    pub axis: i32,
    /// Their new type, if no input has it.
    #[bin(slot = 1)]
    pub output_dtype: Option<DataType>,
}

/// A matrix with ones in a diagonal.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct EyeLikeAttributes {
    /// The type of its elements; else that of the input.
    #[bin(slot = 0)]
    pub dtype: Option<DataType>,
    /// Which diagonal it is: 0 the main one, those above are positive.
    #[bin(slot = 1)]
    pub k: i32,
}

/// How single elements are written.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ScatterElementsAttributes {
    /// The dimension; a negative one counts from the last.
    #[bin(slot = 0)]
    pub axis: i32,
    /// What becomes of what is there.
    #[bin(slot = 1)]
    pub reduction: ScatterReduction,
}

/// How elements are written by place.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ScatterNdAttributes {
    /// What becomes of what is there.
    #[bin(slot = 0)]
    pub reduction: ScatterReduction,
}

/// How boxes are given.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct NonMaxSuppressionAttributes {
    /// What their numbers are.
    #[bin(slot = 0)]
    pub box_order: BoxOrder,
}

/// What a new tensor is filled with.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ConstantOfShapeAttributes {
    /// The value of every element.
    #[bin(slot = 1, union, required)]
    pub value: Scalar,
}

/// A number of either type.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub enum Scalar {
    /// An integer.
    #[bin(id = 1)]
    Int(IntScalar),
    /// A float.
    #[bin(id = 2)]
    Float(FloatScalar),
    /// A type that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// An integer.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct IntScalar {
    /// The number.
    #[bin(slot = 0)]
    pub value: i32,
}

/// A float.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct FloatScalar {
    /// The number.
    #[bin(slot = 0)]
    pub value: f32,
}
