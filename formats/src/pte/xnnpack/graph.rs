//! The graph: what is computed, over which values.

use binfmt_runtime::{BinFormat, FbVec, Placed};

use super::node::Node;

/// The root of a payload.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XNNGraph")]
pub struct Graph<'a> {
    /// Version of the graph; nobody looks at it.
    #[bin(slot = 0)]
    pub version: Option<&'a str>,
    /// What is computed, in this order.
    #[doc(alias = "xnodes")]
    #[bin(slot = 1)]
    pub nodes: FbVec<'a, Node<'a>>,
    /// What it is computed with.
    #[doc(alias = "xvalues")]
    #[bin(slot = 2)]
    pub values: FbVec<'a, XValue<'a>>,
    /// How many values a caller sets or gets.
    #[bin(slot = 3)]
    pub num_externs: u32,
    /// The values that a caller sets, by their identifiers.
    #[bin(slot = 4)]
    pub input_ids: FbVec<'a, u32>,
    /// The values that a caller gets, by their identifiers.
    #[bin(slot = 5)]
    pub output_ids: FbVec<'a, u32>,
    /// Constants in the graph itself, as the first releases wrote them; the first one stands for
    /// "not constant".
    #[bin(slot = 6)]
    pub constant_buffer: FbVec<'a, Buffer<'a>>,
    /// Not used.
    #[bin(slot = 7)]
    pub mem_buffer_sizes: FbVec<'a, u32>,
    /// Where constants lie; the first one stands for "not constant".
    #[doc(alias = "constant_data")]
    #[bin(slot = 8)]
    pub constants: FbVec<'a, ConstantData<'a>>,
}

/// A constant in the graph itself.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, Buffer")]
pub struct Buffer<'a> {
    /// Its bytes.
    #[bin(slot = 0, align_before = 16)]
    pub storage: Option<&'a [u8]>,
}

/// Where a constant lies.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, ConstantDataOffset")]
pub struct ConstantData<'a> {
    /// Where it begins among the constants of the payload; [`u64::MAX`] if it has a key.
    #[bin(slot = 0)]
    pub offset: u64,
    /// How many bytes it has.
    #[bin(slot = 1)]
    pub size: u64,
    /// The key that it has among the named data of the program, or in a `.ptd`; empty for none.
    #[bin(slot = 2)]
    pub named_key: Option<&'a str>,
}

/// A value of the graph.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XValue")]
pub struct XValue<'a> {
    /// The value.
    #[doc(alias = "xvalue_union")]
    #[bin(
        slot = 1,
        union,
        error(
            is_known(value),
            "the value is of a kind that no runtime knows; the method cannot be loaded",
            code = "xnnpack.x-value.value.known"
        )
    )]
    pub value: Option<Value<'a>>,
}

/// What a value is: always a tensor.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
#[doc(alias = "XValueUnion")]
pub enum Value<'a> {
    /// A tensor of plain numbers.
    #[bin(id = 1)]
    Tensor(TensorValue<'a>),
    /// A tensor of quantized numbers.
    #[bin(id = 2)]
    Quantized(QuantizedValue<'a>),
    /// A kind that this version does not know.
    #[bin(other)]
    Other(u8),
}

/// A tensor: its type, its shape, and where its elements are, if they are constants.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(
    flatbuffer,
    error(
        counts_agree(num_dims, dims),
        "the number of dimensions is not that of the sizes",
        code = "xnnpack.tensor-value.num-dims.count"
    ),
    spec = "executorch runtime_schema.fbs, XNNTensorValue"
)]
pub struct TensorValue<'a> {
    /// What its elements are.
    #[bin(slot = 0, error(datatype.is_known(), "there is no such element type; a runtime refuses the method", code = "xnnpack.tensor-value.datatype.known"))]
    pub datatype: Datatype,
    /// How many dimensions it has.
    #[bin(slot = 1)]
    pub num_dims: u32,
    /// Size in every dimension. Elements lie row by row.
    #[bin(slot = 2)]
    pub dims: FbVec<'a, u32>,
    /// Which constant it is; 0 for none.
    #[bin(slot = 3)]
    pub constant_buffer_idx: Placed<u32>,
    /// Which of the values of a caller it is; [`u32::MAX`] for none.
    #[bin(slot = 4)]
    pub external_id: u32,
    /// Whether a caller sets it (bit 0) or gets it (bit 1).
    #[bin(slot = 5)]
    pub flags: u32,
    /// What nodes call it.
    #[bin(slot = 6)]
    pub id_out: u32,
    /// What its elements become while the graph runs, if they are quantized then.
    #[bin(slot = 7)]
    pub dq_datatype: Datatype,
}

/// A tensor of quantized numbers.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XNNQuantizedTensorValue")]
pub struct QuantizedValue<'a> {
    /// The tensor.
    #[bin(slot = 0)]
    pub tensor: Option<TensorValue<'a>>,
    /// What its numbers mean.
    #[bin(slot = 2, union)]
    pub quantization: Option<Quantization<'a>>,
}

/// What quantized numbers mean.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
#[doc(alias = "XNNQuantParams")]
pub enum Quantization<'a> {
    /// A scale for every channel.
    #[bin(id = 1)]
    PerChannel(PerChannel<'a>),
    /// One scale.
    #[bin(id = 2)]
    PerTensor(PerTensor),
    /// A scale for every token, found while the graph runs.
    #[bin(id = 3)]
    PerToken(PerToken),
    /// A scale for every group of numbers of a channel.
    #[bin(id = 4)]
    PerGroup(PerGroup<'a>),
    /// A kind that this version does not know.
    #[bin(other)]
    Other(u8),
}

/// A scale for every channel.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, PerChannelQuant")]
pub struct PerChannel<'a> {
    /// The scales, if they lie in the graph.
    #[bin(slot = 0)]
    pub scale: FbVec<'a, f32>,
    /// Which dimension the channels are.
    #[bin(slot = 1)]
    pub channel_dim: i32,
    /// Which constant the scales are; 0 for none.
    #[bin(slot = 2)]
    pub scale_buffer_idx: u32,
    /// How many scales there are.
    #[bin(slot = 3)]
    pub num_scales: u32,
}

/// A scale for every token.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, PerTokenDynamicQuant")]
pub struct PerToken {
    /// How many dimensions are none of the batch.
    #[bin(slot = 0)]
    pub num_nonbatch_dims: i32,
}

/// One scale for all numbers.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, PerTensorQuant")]
pub struct PerTensor {
    /// The scale.
    #[bin(slot = 0)]
    pub scale: f32,
    /// The number that stands for 0.
    #[bin(slot = 1)]
    pub zero_point: i32,
}

/// A scale for every group of numbers.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, PerChannelGroupQuant")]
pub struct PerGroup<'a> {
    /// The scales, if they lie in the graph as 32-bit floats.
    #[bin(slot = 0)]
    pub scale: FbVec<'a, f32>,
    /// Which dimension the channels are.
    #[bin(slot = 1)]
    pub channel_dim: i32,
    /// How many numbers a group has.
    #[bin(slot = 2)]
    pub group_size: i32,
    /// The scales, if they lie in the graph as the upper halves of 32-bit floats.
    #[bin(slot = 3)]
    pub scale_bf16: FbVec<'a, u16>,
    /// Which constant the scales are, as the upper halves of 32-bit floats; 0 for none.
    #[bin(slot = 4)]
    pub scale_buffer_idx: u32,
    /// How many scales there are.
    #[bin(slot = 5)]
    pub num_scales: u32,
}

/// What elements are.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(i16)]
#[doc(alias = "XNNDatatype")]
pub enum Datatype {
    /// None.
    Invalid = 0,
    /// 32-bit floats.
    Fp32 = 1,
    /// 16-bit floats.
    Fp16 = 2,
    /// Signed bytes with one scale.
    Qint8 = 3,
    /// Unsigned bytes with one scale.
    Quint8 = 4,
    /// 32-bit integers with one scale.
    Qint32 = 5,
    /// Signed bytes with a scale for every channel.
    Qcint8 = 6,
    /// 32-bit integers with a scale for every channel.
    Qcint32 = 7,
    /// Numbers of 4 bits with a scale for every channel.
    Qcint4 = 8,
    /// Signed bytes whose scales are found while the graph runs.
    Qdint8 = 9,
    /// Numbers of 4 bits with a scale for every group.
    Qbint4 = 10,
    /// Signed bytes whose scales are found while the graph runs, packed.
    Qpint8 = 11,
    /// 32-bit integers.
    Int32 = 12,
    /// 32-bit floats, packed.
    Pfp32 = 13,
    /// The upper halves of 32-bit floats.
    Bf16 = 14,
    /// A type that this version does not know.
    #[bin(other)]
    Other(i16),
}

impl Datatype {
    /// Whether a value can have the type.
    pub const fn is_known(&self) -> bool {
        !matches!(self, Self::Invalid | Self::Other(_))
    }

    /// What the schema calls it, without `xnn_datatype_`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Fp32 => "fp32",
            Self::Fp16 => "fp16",
            Self::Qint8 => "qint8",
            Self::Quint8 => "quint8",
            Self::Qint32 => "qint32",
            Self::Qcint8 => "qcint8",
            Self::Qcint32 => "qcint32",
            Self::Qcint4 => "qcint4",
            Self::Qdint8 => "qdint8",
            Self::Qbint4 => "qbint4",
            Self::Qpint8 => "qpint8",
            Self::Int32 => "int32",
            Self::Pfp32 => "pfp32",
            Self::Bf16 => "bf16",
            Self::Other(_) => "unknown",
        }
    }

    /// How many bits an element takes, unless the type is not known or packed in a way that the
    /// library alone knows.
    pub const fn bits(self) -> Option<u64> {
        match self {
            Self::Fp32 | Self::Qint32 | Self::Qcint32 | Self::Int32 => Some(32),
            Self::Fp16 | Self::Bf16 => Some(16),
            Self::Qint8 | Self::Quint8 | Self::Qcint8 | Self::Qdint8 => Some(8),
            Self::Qcint4 | Self::Qbint4 => Some(4),
            Self::Invalid | Self::Qpint8 | Self::Pfp32 | Self::Other(_) => None,
        }
    }
}

impl<'a> XValue<'a> {
    /// The tensor, plain or quantized.
    pub fn tensor(&self) -> Option<&TensorValue<'a>> {
        match self.value.as_ref()? {
            Value::Tensor(tensor) => Some(tensor),
            Value::Quantized(quantized) => quantized.tensor.as_ref(),
            Value::Other(_) => None,
        }
    }

    /// What quantized numbers mean, if the value has such.
    pub fn quantization(&self) -> Option<&Quantization<'a>> {
        match self.value.as_ref()? {
            Value::Quantized(quantized) => quantized.quantization.as_ref(),
            Value::Tensor(_) | Value::Other(_) => None,
        }
    }
}

impl TensorValue<'_> {
    /// How many bytes the elements take: those of 4 bits begin a row on a byte. `None` if the type is
    /// not known, or if there are more than can be counted.
    pub fn byte_len(&self) -> Option<u64> {
        let bits = self.datatype.bits()?;
        let mut rows = 1_u64;
        let mut last = None;
        for size in &self.dims {
            if let Some(size) = last.replace(u64::from(size.ok()?)) {
                rows = rows.checked_mul(size)?;
            }
        }
        let row = last.unwrap_or(1).checked_mul(bits)?.div_ceil(8);
        rows.checked_mul(row)
    }
}

fn counts_agree(num_dims: u32, dims: &FbVec<'_, u32>) -> bool {
    u64::from(num_dims) == dims.count()
}

#[expect(clippy::ref_option, reason = "rules pass fields by reference")]
fn is_known(value: &Option<Value<'_>>) -> bool {
    !matches!(value, None | Some(Value::Other(_)))
}
