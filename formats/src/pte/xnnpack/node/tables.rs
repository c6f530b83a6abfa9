//! The tables of nodes: one for each shape of arguments.

use binfmt_runtime::{BinFormat, FbVec};

/// One value in, one out.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, _XNNNode1x1")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct Unary {
    #[bin(slot = 0)]
    pub input_id: u32,
    #[bin(slot = 1)]
    pub output_id: u32,
    #[bin(slot = 2)]
    pub flags: u32,
}

/// Two values in, one out.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, _XNNNode2x1")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct Binary {
    #[bin(slot = 0)]
    pub input1_id: u32,
    #[bin(slot = 1)]
    pub input2_id: u32,
    #[bin(slot = 2)]
    pub output_id: u32,
    #[bin(slot = 3)]
    pub flags: u32,
}

/// A matrix, and a bias or none.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XNNFullyConnected")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct FullyConnected {
    #[bin(slot = 0)]
    pub input1_id: u32,
    #[bin(slot = 1)]
    pub filter_id: u32,
    #[bin(slot = 2)]
    pub bias_id: u32,
    #[bin(slot = 3)]
    pub output_id: u32,
    #[bin(slot = 4)]
    pub flags: u32,
}

/// Other places for dimensions.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XNNStaticTranspose")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct StaticTranspose<'a> {
    #[bin(slot = 0)]
    pub num_dims: u32,
    #[bin(slot = 1)]
    pub perm: FbVec<'a, u32>,
    #[bin(slot = 2)]
    pub input_id: u32,
    #[bin(slot = 3)]
    pub output_id: u32,
    #[bin(slot = 4)]
    pub flags: u32,
}

/// An image of another size.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XNNStaticResizeBilinear2D")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct StaticResize {
    #[bin(slot = 0)]
    pub new_height: u32,
    #[bin(slot = 1)]
    pub new_width: u32,
    #[bin(slot = 2)]
    pub input_id: u32,
    #[bin(slot = 3)]
    pub output_id: u32,
    #[bin(slot = 4)]
    pub flags: u32,
}

/// A border of one number.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XNNStaticConstantPad")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct StaticPad<'a> {
    #[bin(slot = 0)]
    pub pre_paddings: FbVec<'a, u32>,
    #[bin(slot = 1)]
    pub post_paddings: FbVec<'a, u32>,
    #[bin(slot = 2)]
    pub padding_value: f32,
    #[bin(slot = 3)]
    pub input_id: u32,
    #[bin(slot = 4)]
    pub output_id: u32,
    #[bin(slot = 5)]
    pub flags: u32,
}

/// Two to five values behind one another.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, _XNNCat")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct Concatenate {
    #[bin(slot = 0)]
    pub axis: u32,
    #[bin(slot = 1)]
    pub input1_id: u32,
    #[bin(slot = 2)]
    pub input2_id: u32,
    #[bin(slot = 3)]
    pub input3_id: u32,
    #[bin(slot = 4)]
    pub input4_id: u32,
    #[bin(slot = 5)]
    pub output_id: u32,
    #[bin(slot = 6)]
    pub flags: u32,
    #[bin(slot = 7)]
    pub input5_id: u32,
}

/// An exponential linear unit.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XNNELU")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct Elu {
    #[bin(slot = 0)]
    pub alpha: f32,
    #[bin(slot = 1)]
    pub input_id: u32,
    #[bin(slot = 2)]
    pub output_id: u32,
    #[bin(slot = 3)]
    pub flags: u32,
}

/// A convolution, with a bias or without.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, _XNNNodeConv")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct Convolution {
    #[bin(slot = 0)]
    pub padding_top: u32,
    #[bin(slot = 1)]
    pub padding_right: u32,
    #[bin(slot = 2)]
    pub padding_bottom: u32,
    #[bin(slot = 3)]
    pub padding_left: u32,
    #[bin(slot = 4)]
    pub kernel_height: u32,
    #[bin(slot = 5)]
    pub kernel_width: u32,
    #[bin(slot = 6)]
    pub subsampling_height: u32,
    #[bin(slot = 7)]
    pub subsampling_width: u32,
    #[bin(slot = 8)]
    pub dilation_height: u32,
    #[bin(slot = 9)]
    pub dilation_width: u32,
    #[bin(slot = 10)]
    pub group_input_channels: u32,
    #[bin(slot = 11)]
    pub group_output_channels: u32,
    #[bin(slot = 12)]
    pub groups: u32,
    #[bin(slot = 13)]
    pub adjustment_height: u32,
    #[bin(slot = 14)]
    pub adjustment_width: u32,
    #[bin(slot = 15)]
    pub input1_id: u32,
    #[bin(slot = 16)]
    pub filter_id: u32,
    #[bin(slot = 17)]
    pub bias_id: u32,
    #[bin(slot = 18)]
    pub output_id: u32,
    #[bin(slot = 19)]
    pub flags: u32,
}

/// The mean or the largest of every window.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, _XNNPooling2D")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct Pooling {
    #[bin(slot = 0)]
    pub padding_top: u32,
    #[bin(slot = 1)]
    pub padding_right: u32,
    #[bin(slot = 2)]
    pub padding_bottom: u32,
    #[bin(slot = 3)]
    pub padding_left: u32,
    #[bin(slot = 4)]
    pub pooling_height: u32,
    #[bin(slot = 5)]
    pub pooling_width: u32,
    #[bin(slot = 6)]
    pub stride_height: u32,
    #[bin(slot = 7)]
    pub stride_width: u32,
    #[bin(slot = 8)]
    pub dilation_height: u32,
    #[bin(slot = 9)]
    pub dilation_width: u32,
    #[bin(slot = 10)]
    pub input_id: u32,
    #[bin(slot = 11)]
    pub output_id: u32,
    #[bin(slot = 12)]
    pub flags: u32,
}

/// Another shape.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XNNStaticReshape")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct StaticReshape<'a> {
    #[bin(slot = 0)]
    pub num_dims: u32,
    #[bin(slot = 1)]
    pub new_shape: FbVec<'a, u32>,
    #[bin(slot = 2)]
    pub input_id: u32,
    #[bin(slot = 3)]
    pub output_id: u32,
    #[bin(slot = 4)]
    pub flags: u32,
}

/// A part of a value.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XNNStaticSlice")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct StaticSlice<'a> {
    #[bin(slot = 0)]
    pub num_dims: u32,
    #[bin(slot = 1)]
    pub offsets: FbVec<'a, u32>,
    #[bin(slot = 2)]
    pub sizes: FbVec<'a, u32>,
    #[bin(slot = 3)]
    pub input_id: u32,
    #[bin(slot = 4)]
    pub output_id: u32,
    #[bin(slot = 5)]
    pub flags: u32,
}

/// Attention.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XNNScaledDotProductAttention")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct Attention {
    #[bin(slot = 0)]
    pub query_id: u32,
    #[bin(slot = 1)]
    pub key_id: u32,
    #[bin(slot = 2)]
    pub value_id: u32,
    #[bin(slot = 3)]
    pub scale_id: u32,
    #[bin(slot = 4)]
    pub mask_id: u32,
    #[bin(slot = 5)]
    pub output_id: u32,
    #[bin(slot = 6)]
    pub flags: u32,
}

/// The largest of every window, and where it is.
#[derive(BinFormat, Debug, Clone, PartialEq, Eq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XNNArgMaxPooling2d")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct ArgMaxPooling {
    #[bin(slot = 0)]
    pub padding_top: u32,
    #[bin(slot = 1)]
    pub padding_right: u32,
    #[bin(slot = 2)]
    pub padding_bottom: u32,
    #[bin(slot = 3)]
    pub padding_left: u32,
    #[bin(slot = 4)]
    pub pooling_height: u32,
    #[bin(slot = 5)]
    pub pooling_width: u32,
    #[bin(slot = 6)]
    pub input_id: u32,
    #[bin(slot = 7)]
    pub output_value_id: u32,
    #[bin(slot = 8)]
    pub output_index_id: u32,
    #[bin(slot = 9)]
    pub flags: u32,
}

/// A rectifier with a slope.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "executorch runtime_schema.fbs, XNNLeakyReLU")]
#[expect(missing_docs, reason = "the names are those of the schema")]
pub struct LeakyRelu {
    #[bin(slot = 0)]
    pub negative_slope: f32,
    #[bin(slot = 1)]
    pub input_id: u32,
    #[bin(slot = 2)]
    pub output_id: u32,
    #[bin(slot = 3)]
    pub flags: u32,
}
