//! The nodes of a graph, and what each reads and writes.

mod tables;

use binfmt_runtime::BinFormat;

pub use tables::{
    ArgMaxPooling, Attention, Binary, Concatenate, Convolution, Elu, FullyConnected, LeakyRelu,
    Pooling, StaticPad, StaticReshape, StaticResize, StaticSlice, StaticTranspose, Unary,
};

/// A step of the computation.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XNode")]
pub struct Node<'a> {
    /// What is computed.
    #[doc(alias = "xnode_union")]
    #[bin(
        slot = 1,
        union,
        error(
            is_known(operation),
            "the node is of a kind that no runtime knows; the method cannot be loaded",
            code = "xnnpack.node.operation.known"
        )
    )]
    pub operation: Option<Operation<'a>>,
    /// Which node of the model it was.
    #[bin(slot = 2)]
    pub debug_handle: u32,
    /// What its results are limited to.
    #[bin(slot = 3)]
    pub output_min_max: Option<OutputMinMax>,
}

/// What results are limited to.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, OutputMinMax")]
pub struct OutputMinMax {
    /// The least result.
    #[bin(slot = 0)]
    pub output_min: f32,
    /// The largest result.
    #[bin(slot = 1)]
    pub output_max: f32,
}

/// What is computed.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
#[doc(alias = "XNodeUnion")]
#[expect(missing_docs, reason = "the names are those of the schema, without `XNN`")]
pub enum Operation<'a> {
    #[bin(id = 1)]
    Add(Binary),
    #[bin(id = 2)]
    FullyConnected(FullyConnected),
    #[bin(id = 3)]
    Softmax(Unary),
    #[bin(id = 4)]
    Sigmoid(Unary),
    #[bin(id = 5)]
    StaticTranspose(StaticTranspose<'a>),
    #[bin(id = 6)]
    Clamp(Unary),
    #[bin(id = 7)]
    Conv2d(Convolution),
    #[bin(id = 8)]
    Div(Binary),
    #[bin(id = 9)]
    StaticResizeBilinear2D(StaticResize),
    #[bin(id = 10)]
    StaticConstantPad(StaticPad<'a>),
    #[bin(id = 11)]
    AvgPooling2d(Pooling),
    #[bin(id = 12)]
    Minimum(Binary),
    #[bin(id = 13)]
    DepthwiseConv2d(Convolution),
    #[bin(id = 14)]
    MaxPooling2d(Pooling),
    #[bin(id = 15)]
    Multiply(Binary),
    #[bin(id = 16)]
    Subtract(Binary),
    #[bin(id = 17)]
    Floor(Unary),
    #[bin(id = 18)]
    Convert(Unary),
    #[bin(id = 19)]
    GlobalAvgPooling2d(Unary),
    #[bin(id = 20)]
    StaticReshape(StaticReshape<'a>),
    #[bin(id = 21)]
    ArgMaxPooling2d(ArgMaxPooling),
    #[bin(id = 22)]
    SquareRoot(Unary),
    #[bin(id = 23)]
    Ceiling(Unary),
    #[bin(id = 24)]
    Hardswish(Unary),
    #[bin(id = 25)]
    LeakyReLU(LeakyRelu),
    #[bin(id = 26)]
    Maximum(Binary),
    #[bin(id = 27)]
    Negate(Unary),
    #[bin(id = 28)]
    Square(Unary),
    #[bin(id = 29)]
    ELU(Elu),
    #[bin(id = 30)]
    Abs(Unary),
    #[bin(id = 31)]
    PReLU(Binary),
    #[bin(id = 32)]
    Concatenate2(Concatenate),
    #[bin(id = 33)]
    Concatenate3(Concatenate),
    #[bin(id = 34)]
    Concatenate4(Concatenate),
    #[bin(id = 35)]
    StaticSlice(StaticSlice<'a>),
    #[bin(id = 36)]
    ScaledDotProductAttention(Attention),
    #[bin(id = 37)]
    BatchMatrixMultiply(Binary),
    #[bin(id = 38)]
    Concatenate5(Concatenate),
    #[bin(id = 39)]
    ConvTranspose2d(Convolution),
    #[bin(id = 40)]
    ReciprocalSquareRoot(Unary),
    #[bin(id = 41)]
    Log(Unary),
    #[bin(id = 42)]
    Gelu(Unary),
    #[bin(id = 43)]
    Tanh(Unary),
    #[bin(id = 44)]
    Exp(Unary),
    #[bin(id = 45)]
    Sin(Unary),
    #[bin(id = 46)]
    Copy(Unary),
    #[bin(id = 47)]
    Cos(Unary),
    /// A kind that this version does not know.
    #[bin(other)]
    Other(u8),
}

/// The identifier of no value.
pub const NONE: u32 = u32::MAX;

/// What a node reads and writes, by identifier; [`NONE`] for what is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Operands {
    inputs: [Option<u32>; 5],
    outputs: [Option<u32>; 2],
}

impl Operands {
    /// A node with these inputs and this output.
    fn of<const N: usize>(inputs: [u32; N], output: u32) -> Self {
        let mut operands = Self { outputs: [Some(output), None], ..Self::default() };
        for (place, input) in operands.inputs.iter_mut().zip(inputs) {
            *place = Some(input).filter(|input| *input != NONE);
        }
        operands
    }

    /// The values that it reads.
    pub fn inputs(&self) -> impl Iterator<Item = u32> + use<> {
        self.inputs.into_iter().flatten()
    }

    /// The values that it writes.
    pub fn outputs(&self) -> impl Iterator<Item = u32> + use<> {
        self.outputs.into_iter().flatten()
    }
}

impl Node<'_> {
    /// What it computes, as the schema calls it, without `XNN`.
    pub fn kind(&self) -> &'static str {
        self.operation.as_ref().map_or("none", Operation::name)
    }
}

impl Operation<'_> {
    /// What the schema calls it, without `XNN`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Add(_) => "Add",
            Self::FullyConnected(_) => "FullyConnected",
            Self::Softmax(_) => "Softmax",
            Self::Sigmoid(_) => "Sigmoid",
            Self::StaticTranspose(_) => "StaticTranspose",
            Self::Clamp(_) => "Clamp",
            Self::Conv2d(_) => "Conv2d",
            Self::Div(_) => "Div",
            Self::StaticResizeBilinear2D(_) => "StaticResizeBilinear2D",
            Self::StaticConstantPad(_) => "StaticConstantPad",
            Self::AvgPooling2d(_) => "AvgPooling2d",
            Self::Minimum(_) => "Minimum",
            Self::DepthwiseConv2d(_) => "DepthwiseConv2d",
            Self::MaxPooling2d(_) => "MaxPooling2d",
            Self::Multiply(_) => "Multiply",
            Self::Subtract(_) => "Subtract",
            Self::Floor(_) => "Floor",
            Self::Convert(_) => "Convert",
            Self::GlobalAvgPooling2d(_) => "GlobalAvgPooling2d",
            Self::StaticReshape(_) => "StaticReshape",
            Self::ArgMaxPooling2d(_) => "ArgMaxPooling2d",
            Self::SquareRoot(_) => "SquareRoot",
            Self::Ceiling(_) => "Ceiling",
            Self::Hardswish(_) => "Hardswish",
            Self::LeakyReLU(_) => "LeakyReLU",
            Self::Maximum(_) => "Maximum",
            Self::Negate(_) => "Negate",
            Self::Square(_) => "Square",
            Self::ELU(_) => "ELU",
            Self::Abs(_) => "Abs",
            Self::PReLU(_) => "PReLU",
            Self::Concatenate2(_) => "Concatenate2",
            Self::Concatenate3(_) => "Concatenate3",
            Self::Concatenate4(_) => "Concatenate4",
            Self::StaticSlice(_) => "StaticSlice",
            Self::ScaledDotProductAttention(_) => "ScaledDotProductAttention",
            Self::BatchMatrixMultiply(_) => "BatchMatrixMultiply",
            Self::Concatenate5(_) => "Concatenate5",
            Self::ConvTranspose2d(_) => "ConvTranspose2d",
            Self::ReciprocalSquareRoot(_) => "ReciprocalSquareRoot",
            Self::Log(_) => "Log",
            Self::Gelu(_) => "Gelu",
            Self::Tanh(_) => "Tanh",
            Self::Exp(_) => "Exp",
            Self::Sin(_) => "Sin",
            Self::Copy(_) => "Copy",
            Self::Cos(_) => "Cos",
            Self::Other(_) => "unknown",
        }
    }

    /// What it reads and writes.
    pub fn operands(&self) -> Operands {
        match self {
            Self::Add(node)
            | Self::Div(node)
            | Self::Minimum(node)
            | Self::Multiply(node)
            | Self::Subtract(node)
            | Self::Maximum(node)
            | Self::PReLU(node)
            | Self::BatchMatrixMultiply(node) => {
                Operands::of([node.input1_id, node.input2_id], node.output_id)
            }
            Self::FullyConnected(node) => node.operands(),
            Self::Softmax(node)
            | Self::Sigmoid(node)
            | Self::Clamp(node)
            | Self::Floor(node)
            | Self::Convert(node)
            | Self::GlobalAvgPooling2d(node)
            | Self::SquareRoot(node)
            | Self::Ceiling(node)
            | Self::Hardswish(node)
            | Self::Negate(node)
            | Self::Square(node)
            | Self::Abs(node)
            | Self::ReciprocalSquareRoot(node)
            | Self::Log(node)
            | Self::Gelu(node)
            | Self::Tanh(node)
            | Self::Exp(node)
            | Self::Sin(node)
            | Self::Copy(node)
            | Self::Cos(node) => Operands::of([node.input_id], node.output_id),
            Self::StaticTranspose(node) => Operands::of([node.input_id], node.output_id),
            Self::Conv2d(node) | Self::DepthwiseConv2d(node) | Self::ConvTranspose2d(node) => {
                node.operands()
            }
            Self::StaticResizeBilinear2D(node) => Operands::of([node.input_id], node.output_id),
            Self::StaticConstantPad(node) => Operands::of([node.input_id], node.output_id),
            Self::AvgPooling2d(node) | Self::MaxPooling2d(node) => {
                Operands::of([node.input_id], node.output_id)
            }
            Self::StaticReshape(node) => Operands::of([node.input_id], node.output_id),
            Self::ArgMaxPooling2d(node) => node.operands(),
            Self::LeakyReLU(node) => Operands::of([node.input_id], node.output_id),
            Self::ELU(node) => Operands::of([node.input_id], node.output_id),
            Self::StaticSlice(node) => Operands::of([node.input_id], node.output_id),
            Self::ScaledDotProductAttention(node) => Operands::of(
                [node.query_id, node.key_id, node.value_id, node.scale_id, node.mask_id],
                node.output_id,
            ),
            Self::Concatenate2(node) => node.operands(2),
            Self::Concatenate3(node) => node.operands(3),
            Self::Concatenate4(node) => node.operands(4),
            Self::Concatenate5(node) => node.operands(5),
            Self::Other(_) => Operands::default(),
        }
    }
}

impl ArgMaxPooling {
    /// The input; and the largest values with their places.
    fn operands(&self) -> Operands {
        Operands {
            outputs: [Some(self.output_value_id), Some(self.output_index_id)],
            ..Operands::of([self.input_id], self.output_value_id)
        }
    }
}

impl FullyConnected {
    /// The input, the weights and the bias; and the output.
    fn operands(&self) -> Operands {
        Operands::of([self.input1_id, self.filter_id, self.bias_id], self.output_id)
    }
}

impl Convolution {
    /// The input, the weights and the bias; and the output.
    fn operands(&self) -> Operands {
        Operands::of([self.input1_id, self.filter_id, self.bias_id], self.output_id)
    }
}

impl Concatenate {
    /// The first `count` inputs, and the output.
    fn operands(&self, count: usize) -> Operands {
        let inputs =
            [self.input1_id, self.input2_id, self.input3_id, self.input4_id, self.input5_id];
        let mut operands = Operands::of(inputs, self.output_id);
        operands.inputs.iter_mut().skip(count).for_each(|input| *input = None);
        operands
    }
}

#[expect(clippy::ref_option, reason = "rules pass fields by reference")]
fn is_known(operation: &Option<Operation<'_>>) -> bool {
    !matches!(operation, None | Some(Operation::Other(_)))
}
