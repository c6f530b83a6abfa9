//! Which attributes operators have (crate `rten-model-file`, schema).
//!
//! Tables with the same fields are one type. What an attribute means is said by ONNX; a number that is
//! not stored is 0 and a truth value false, unless its field says otherwise.

mod layers;
mod numbers;
mod random;
mod shapes;

use binfmt_runtime::{BinFormat, FbRef, Step, path};

use super::Graph;

pub use layers::{
    AttentionAttributes, AutoPad, AveragePoolAttributes, ConvAttributes, ConvTransposeAttributes,
    Direction, EpsilonAttributes, GemmAttributes, GruAttributes, LayerNormalizationAttributes,
    LpNormalizationAttributes, LstmAttributes, MaxPoolAttributes, RotaryEmbeddingAttributes,
};
pub use numbers::{
    AlphaAttributes, ArgMaxAttributes, BoxOrder, CastAttributes, ConstantOfShapeAttributes,
    CumSumAttributes, EinsumAttributes, EyeLikeAttributes, FloatScalar, GeluApproximation,
    GeluAttributes, HardSigmoidAttributes, IntScalar, ModAttributes, NonMaxSuppressionAttributes,
    QuantizeLinearAttributes, ReduceAttributes, Scalar, ScatterElementsAttributes,
    ScatterNdAttributes, ScatterReduction, TopKAttributes, TriluAttributes,
};
pub use random::{
    DftAttributes, DropoutAttributes, MultinomialAttributes, RandomNormalAttributes,
    RandomNormalLikeAttributes, RandomUniformAttributes, RandomUniformLikeAttributes,
    StftAttributes,
};
pub use shapes::{
    AxisAttributes, ConcatFromSequenceAttributes, CoordTransformMode, DepthToSpaceAttributes,
    DepthToSpaceMode, GatherNdAttributes, GridSampleAttributes, NearestMode, PadAttributes,
    PadMode, ReshapeAttributes, ResizeAttributes, ResizeMode, ReverseSequenceAttributes,
    SequenceEmptyAttributes, ShapeAttributes, SplitAttributes, SplitToSequenceAttributes,
    TransposeAttributes, UpsampleAttributes,
};

/// The attributes of an operator; several operators may have the same ones.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
#[expect(missing_docs, reason = "the names are those of the schema, without `Attrs`")]
pub enum Attributes<'a> {
    #[bin(id = 1)]
    ArgMax(ArgMaxAttributes),
    #[bin(id = 2)]
    AveragePool(AveragePoolAttributes<'a>),
    #[bin(id = 3)]
    BatchNormalization(EpsilonAttributes),
    #[bin(id = 4)]
    Cast(CastAttributes),
    #[bin(id = 5)]
    Concat(AxisAttributes),
    #[bin(id = 6)]
    ConstantOfShape(ConstantOfShapeAttributes),
    #[bin(id = 7)]
    Conv(ConvAttributes<'a>),
    #[bin(id = 8)]
    ConvTranspose(ConvTransposeAttributes<'a>),
    #[bin(id = 9)]
    Flatten(AxisAttributes),
    #[bin(id = 10)]
    Gather(AxisAttributes),
    #[bin(id = 11)]
    Gemm(GemmAttributes),
    #[bin(id = 12)]
    GRU(GruAttributes),
    #[bin(id = 13)]
    LeakyRelu(AlphaAttributes),
    #[bin(id = 14)]
    LSTM(LstmAttributes),
    #[bin(id = 15)]
    MaxPool(MaxPoolAttributes<'a>),
    #[bin(id = 16)]
    ReduceMean(ReduceAttributes<'a>),
    #[bin(id = 17)]
    Reshape(ReshapeAttributes),
    #[bin(id = 18)]
    Resize(ResizeAttributes),
    #[bin(id = 19)]
    Split(SplitAttributes),
    #[bin(id = 20)]
    Softmax(AxisAttributes),
    #[bin(id = 21)]
    Transpose(TransposeAttributes<'a>),
    #[bin(id = 22)]
    Mod(ModAttributes),
    #[bin(id = 23)]
    ScatterElements(ScatterElementsAttributes),
    #[bin(id = 24)]
    OneHot(AxisAttributes),
    #[bin(id = 25)]
    TopK(TopKAttributes),
    #[bin(id = 26)]
    HardSigmoid(HardSigmoidAttributes),
    #[bin(id = 27)]
    Trilu(TriluAttributes),
    #[bin(id = 28)]
    ScatterND(ScatterNdAttributes),
    #[bin(id = 29)]
    NonMaxSuppression(NonMaxSuppressionAttributes),
    #[bin(id = 30)]
    LayerNormalization(LayerNormalizationAttributes),
    #[bin(id = 31)]
    RandomUniform(RandomUniformAttributes<'a>),
    #[bin(id = 32)]
    Elu(AlphaAttributes),
    #[bin(id = 33)]
    RandomUniformLike(RandomUniformLikeAttributes),
    #[bin(id = 34)]
    RandomNormal(RandomNormalAttributes<'a>),
    #[bin(id = 35)]
    RandomNormalLike(RandomNormalLikeAttributes),
    #[bin(id = 36)]
    GatherND(GatherNdAttributes),
    #[bin(id = 37)]
    Gelu(GeluAttributes),
    #[bin(id = 38)]
    Einsum(EinsumAttributes<'a>),
    #[bin(id = 39)]
    If(IfAttributes<'a>),
    #[bin(id = 40)]
    Pad(PadAttributes),
    #[bin(id = 41)]
    DequantizeLinear(AxisAttributes),
    #[bin(id = 42)]
    QuantizeLinear(QuantizeLinearAttributes),
    #[bin(id = 43)]
    DepthToSpace(DepthToSpaceAttributes),
    #[bin(id = 44)]
    CastLike,
    #[bin(id = 45)]
    Shape(ShapeAttributes),
    #[bin(id = 46)]
    Dropout(DropoutAttributes),
    #[bin(id = 47)]
    EyeLike(EyeLikeAttributes),
    #[bin(id = 48)]
    IsInf,
    #[bin(id = 49)]
    Loop(LoopAttributes<'a>),
    #[bin(id = 50)]
    SequenceEmpty(SequenceEmptyAttributes),
    #[bin(id = 51)]
    ConcatFromSequence(ConcatFromSequenceAttributes),
    #[bin(id = 52)]
    SplitToSequence(SplitToSequenceAttributes),
    #[bin(id = 53)]
    GridSample(GridSampleAttributes),
    #[bin(id = 54)]
    STFT(StftAttributes),
    #[bin(id = 55)]
    Multinomial(MultinomialAttributes),
    #[bin(id = 56)]
    ReverseSequence(ReverseSequenceAttributes),
    #[bin(id = 57)]
    DFT(DftAttributes),
    #[bin(id = 58)]
    Upsample(UpsampleAttributes),
    #[bin(id = 59)]
    RotaryEmbedding(RotaryEmbeddingAttributes),
    #[bin(id = 60)]
    Attention(AttentionAttributes),
    #[bin(id = 61)]
    CumSum(CumSumAttributes),
    #[bin(id = 62)]
    LpNormalization(LpNormalizationAttributes),
    /// A table that the crate does not know.
    #[bin(other)]
    Other(u8),
}

/// The branches of an `If`; constants in them lie in the same tensor section.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct IfAttributes<'a> {
    /// What runs if the condition holds.
    #[bin(slot = 0, error(then_branch.is_some(), "the `If` has no branch for true", code = "rten.if-attributes.then-branch.missing"))]
    pub then_branch: Option<FbRef<'a, Graph<'a>>>,
    /// What runs otherwise.
    #[bin(slot = 1, error(else_branch.is_some(), "the `If` has no branch for false", code = "rten.if-attributes.else-branch.missing"))]
    pub else_branch: Option<FbRef<'a, Graph<'a>>>,
}

/// The body of a `Loop`.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct LoopAttributes<'a> {
    /// What runs every time.
    #[bin(slot = 0, error(body.is_some(), "the `Loop` has no body", code = "rten.loop-attributes.body.missing"))]
    pub body: Option<FbRef<'a, Graph<'a>>>,
}

impl<'a> Attributes<'a> {
    /// The graphs inside, in the order of the schema, with their fields.
    pub fn graphs(&self) -> impl Iterator<Item = (Step, FbRef<'a, Graph<'a>>)> {
        let [then_branch] = path!(IfAttributes.then_branch);
        let [else_branch] = path!(IfAttributes.else_branch);
        let [body] = path!(LoopAttributes.body);
        let [first, second] = match self {
            Self::If(branches) => [
                branches.then_branch.map(|graph| (then_branch, graph)),
                branches.else_branch.map(|graph| (else_branch, graph)),
            ],
            Self::Loop(attributes) => [attributes.body.map(|graph| (body, graph)), None],
            _ => [None, None],
        };
        first.into_iter().chain(second)
    }
}
