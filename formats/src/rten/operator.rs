//! What operators are called, and which attributes they have (crate `rten-model-file`, schema).

use binfmt_runtime::{BinFormat, FbRef};

use super::Graph;

/// What an operator computes, named as in ONNX.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names are those of ONNX")]
pub enum OperatorType {
    Add = 0,
    ArgMin = 1,
    ArgMax = 2,
    AveragePool = 3,
    BatchNormalization = 4,
    Cast = 5,
    Clip = 6,
    Concat = 7,
    ConstantOfShape = 8,
    Conv = 9,
    ConvTranspose = 10,
    Cos = 11,
    CumSum = 12,
    Div = 13,
    Equal = 14,
    Erf = 15,
    Expand = 16,
    Flatten = 17,
    Gather = 18,
    Gemm = 19,
    GlobalAveragePool = 20,
    Greater = 21,
    GRU = 22,
    Identity = 23,
    LeakyRelu = 24,
    Less = 25,
    LessOrEqual = 26,
    Log = 27,
    LogSoftmax = 28,
    LSTM = 29,
    MatMul = 30,
    MaxPool = 31,
    Mod = 32,
    Mul = 33,
    Pad = 34,
    Pow = 35,
    Range = 36,
    ReduceMean = 37,
    ReduceL2 = 38,
    Relu = 39,
    Reshape = 40,
    Resize = 41,
    Shape = 42,
    Sigmoid = 43,
    Sin = 44,
    Slice = 45,
    Split = 46,
    Sqrt = 47,
    Squeeze = 48,
    Softmax = 49,
    Sub = 50,
    Tanh = 51,
    Transpose = 52,
    Unsqueeze = 53,
    Where = 54,
    ReduceProd = 55,
    ReduceSum = 56,
    ReduceMin = 57,
    ReduceMax = 58,
    NonZero = 59,
    ScatterElements = 60,
    Tile = 61,
    Not = 62,
    Abs = 63,
    Max = 64,
    Mean = 65,
    Min = 66,
    Sum = 67,
    OneHot = 68,
    Round = 69,
    Floor = 70,
    Ceil = 71,
    Reciprocal = 72,
    TopK = 73,
    Neg = 74,
    Exp = 75,
    GreaterOrEqual = 76,
    Size = 77,
    Tan = 78,
    Acos = 79,
    Asin = 80,
    Atan = 81,
    InstanceNormalization = 82,
    HardSigmoid = 83,
    HardSwish = 84,
    And = 85,
    Or = 86,
    Xor = 87,
    Trilu = 88,
    ScatterND = 89,
    NonMaxSuppression = 90,
    Sign = 91,
    GatherElements = 92,
    LayerNormalization = 93,
    ReduceSumSquare = 94,
    RandomUniform = 95,
    Elu = 96,
    RandomUniformLike = 97,
    RandomNormal = 98,
    RandomNormalLike = 99,
    Softplus = 100,
    GatherND = 101,
    Gelu = 102,
    Einsum = 103,
    If = 104,
    DequantizeLinear = 105,
    QuantizeLinear = 106,
    DynamicQuantizeLinear = 107,
    MatMulInteger = 108,
    DepthToSpace = 109,
    ConvInteger = 110,
    CastLike = 111,
    Dropout = 112,
    EyeLike = 113,
    IsNaN = 114,
    IsInf = 115,
    Loop = 116,
    SequenceEmpty = 117,
    SequenceAt = 118,
    SequenceInsert = 119,
    ConcatFromSequence = 120,
    SplitToSequence = 121,
    SequenceLength = 122,
    SequenceConstruct = 123,
    SequenceErase = 124,
    GridSample = 125,
    PRelu = 126,
    STFT = 127,
    GlobalMaxPool = 128,
    ReduceL1 = 129,
    Acosh = 130,
    Asinh = 131,
    Atanh = 132,
    Cosh = 133,
    Sinh = 134,
    Multinomial = 135,
    ReverseSequence = 136,
    DFT = 137,
    Scatter = 138,
    Upsample = 139,
    RotaryEmbedding = 140,
    Attention = 141,
    LpNormalization = 142,
    ReduceLogSum = 143,
    ReduceLogSumExp = 144,
    /// A number that the crate does not know; its loader refuses such a model.
    #[bin(other)]
    Other(u8),
}

/// The attributes of an operator. Only those that hold graphs are declared; the others are known by
/// name, and stay as they are.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
#[expect(missing_docs, reason = "the names are those of the schema, without `Attrs`")]
pub enum Attributes<'a> {
    #[bin(id = 1)]
    ArgMax,
    #[bin(id = 2)]
    AveragePool,
    #[bin(id = 3)]
    BatchNormalization,
    #[bin(id = 4)]
    Cast,
    #[bin(id = 5)]
    Concat,
    #[bin(id = 6)]
    ConstantOfShape,
    #[bin(id = 7)]
    Conv,
    #[bin(id = 8)]
    ConvTranspose,
    #[bin(id = 9)]
    Flatten,
    #[bin(id = 10)]
    Gather,
    #[bin(id = 11)]
    Gemm,
    #[bin(id = 12)]
    GRU,
    #[bin(id = 13)]
    LeakyRelu,
    #[bin(id = 14)]
    LSTM,
    #[bin(id = 15)]
    MaxPool,
    #[bin(id = 16)]
    ReduceMean,
    #[bin(id = 17)]
    Reshape,
    #[bin(id = 18)]
    Resize,
    #[bin(id = 19)]
    Split,
    #[bin(id = 20)]
    Softmax,
    #[bin(id = 21)]
    Transpose,
    #[bin(id = 22)]
    Mod,
    #[bin(id = 23)]
    ScatterElements,
    #[bin(id = 24)]
    OneHot,
    #[bin(id = 25)]
    TopK,
    #[bin(id = 26)]
    HardSigmoid,
    #[bin(id = 27)]
    Trilu,
    #[bin(id = 28)]
    ScatterND,
    #[bin(id = 29)]
    NonMaxSuppression,
    #[bin(id = 30)]
    LayerNormalization,
    #[bin(id = 31)]
    RandomUniform,
    #[bin(id = 32)]
    Elu,
    #[bin(id = 33)]
    RandomUniformLike,
    #[bin(id = 34)]
    RandomNormal,
    #[bin(id = 35)]
    RandomNormalLike,
    #[bin(id = 36)]
    GatherND,
    #[bin(id = 37)]
    Gelu,
    #[bin(id = 38)]
    Einsum,
    #[bin(id = 39)]
    If(IfAttributes<'a>),
    #[bin(id = 40)]
    Pad,
    #[bin(id = 41)]
    DequantizeLinear,
    #[bin(id = 42)]
    QuantizeLinear,
    #[bin(id = 43)]
    DepthToSpace,
    #[bin(id = 44)]
    CastLike,
    #[bin(id = 45)]
    Shape,
    #[bin(id = 46)]
    Dropout,
    #[bin(id = 47)]
    EyeLike,
    #[bin(id = 48)]
    IsInf,
    #[bin(id = 49)]
    Loop(LoopAttributes<'a>),
    #[bin(id = 50)]
    SequenceEmpty,
    #[bin(id = 51)]
    ConcatFromSequence,
    #[bin(id = 52)]
    SplitToSequence,
    #[bin(id = 53)]
    GridSample,
    #[bin(id = 54)]
    STFT,
    #[bin(id = 55)]
    Multinomial,
    #[bin(id = 56)]
    ReverseSequence,
    #[bin(id = 57)]
    DFT,
    #[bin(id = 58)]
    Upsample,
    #[bin(id = 59)]
    RotaryEmbedding,
    #[bin(id = 60)]
    Attention,
    #[bin(id = 61)]
    CumSum,
    #[bin(id = 62)]
    LpNormalization,
    /// A table that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// The branches of an `If`; constants in them lie in the same tensor section.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct IfAttributes<'a> {
    /// What runs if the condition holds.
    #[bin(slot = 0, error(then_branch.is_some(), "the `If` has no branch for true"))]
    pub then_branch: Option<FbRef<'a, Graph<'a>>>,
    /// What runs otherwise.
    #[bin(slot = 1, error(else_branch.is_some(), "the `If` has no branch for false"))]
    pub else_branch: Option<FbRef<'a, Graph<'a>>>,
}

/// The body of a `Loop`.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct LoopAttributes<'a> {
    /// What runs every time.
    #[bin(slot = 0, error(body.is_some(), "the `Loop` has no body"))]
    pub body: Option<FbRef<'a, Graph<'a>>>,
}

impl OperatorType {
    /// Whether the crate knows the operator.
    pub const fn is_known(&self) -> bool {
        !matches!(self, Self::Other(_))
    }
}

impl<'a> Attributes<'a> {
    /// The graphs inside, in the order of the schema, with the names of their fields.
    pub fn graphs(&self) -> impl Iterator<Item = (&'static str, FbRef<'a, Graph<'a>>)> {
        let [first, second] = match self {
            Self::If(branches) => [
                branches.then_branch.map(|graph| ("then_branch", graph)),
                branches.else_branch.map(|graph| ("else_branch", graph)),
            ],
            Self::Loop(attributes) => [attributes.body.map(|graph| ("body", graph)), None],
            _ => [None, None],
        };
        first.into_iter().chain(second)
    }
}
