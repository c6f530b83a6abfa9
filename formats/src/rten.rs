//! `RTen` models: a graph of operators and constants, for the `rten` crate.
//!
//! Specified by "`RTen` model format" (*document*) and by the schema and the loader of the crates
//! `rten-model-file` and `rten` 0.27 (*crate*), which deprecates the format. A file of version 2 has a
//! header, a `FlatBuffers` buffer with the graph and a section with the bytes of tensors; one of
//! version 1 is the buffer alone. The buffer has no identifier, though the schema declares one.
//!
//! [`Rten`] is a file of either version, [`Edit`] changes elements of constants in their places. A
//! writer computes the places of model and tensors in the header of version 2.
//!
//! ```
//! # #[cfg(feature = "std")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/rten/");
//! use binfmt_formats::BinFormat;
//! use binfmt_formats::rten::{Edit, Rten};
//!
//! let bytes = std::fs::read(format!("{folder}mlp_v2.rten"))?;
//! let file = Rten::parse(&bytes)?;
//! for constant in file.constants() {
//!     let constant = constant?;
//!     println!("{:?}: {:?}", constant.name, constant.bytes.map(<[u8]>::len));
//! }
//!
//! // Written again: what nobody changed stays as it is.
//! assert_eq!(file.to_vec()?, bytes);
//!
//! let mut edit = Edit::new(&file)?;
//! let bias = edit.position("b2").ok_or("there is no such constant")?;
//! edit.set_constant(bias, vec![0; 12])?;
//! assert!(Rten::validate(&edit.to_vec()?).is_ok());
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "std"))]
//! # fn main() {}
//! ```

pub mod attributes;
mod constant;
#[cfg(feature = "alloc")]
mod constants;
#[cfg(feature = "alloc")]
mod edit;
#[cfg(feature = "alloc")]
mod graphs;
mod meant;
mod metadata;
mod operator;
mod rules;
#[cfg(feature = "alloc")]
mod summary;
mod tensors;
#[cfg(feature = "alloc")]
mod versions;

use binfmt_runtime::{Auto, BinFormat, FbVec, FlatBuffer};

pub use attributes::{Attributes, IfAttributes, LoopAttributes};
pub use constant::{
    ConstantData, ConstantDataType, ConstantNode, FloatData, Int8Data, Int32Data, UInt8Data,
};
#[cfg(feature = "alloc")]
pub use constants::{Constant, Constants, Nodes};
#[cfg(feature = "alloc")]
pub use edit::{Edit, EditError};
pub use metadata::Metadata;
pub use operator::OperatorType;
pub use rules::RULES;

/// The magic of version 2; version 1 has none.
pub const MAGIC: [u8; 4] = *b"RTEN";

/// The length of the header of version 2, magic included.
const HEADER_LEN: u64 = 32;

/// What the converter aligns the tensor section and every tensor in it to.
const TENSOR_ALIGN: u64 = 64;

/// A model in either version; what does not begin with the magic is tried as version 1, as by the
/// crate.
#[derive(BinFormat, Debug, Clone, PartialEq)]
pub enum Rten<'a> {
    /// With a header and a tensor section.
    #[bin(magic = b"RTEN")]
    V2(Sectioned<'a>),
    /// The model data alone.
    V1(Bare<'a>),
}

/// A file of version 2, behind its magic (document, "Overall structure").
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, rules = rules::sectioned, spec = "RTen model format, Header")]
pub struct Sectioned<'a> {
    /// Version of the file.
    #[bin(check(version == 2, "the file version is {version}, and only 2 has a header", code = "rten.sectioned.version.known"))]
    pub version: u32,
    /// Where the model data begins.
    #[bin(check(model_data_offset >= HEADER_LEN, "the model data begins at {model_data_offset}, inside the header", code = "rten.sectioned.model-data-offset.min"))]
    model_data_offset: Auto<u64>,
    /// How long the model data is.
    model_data_len: Auto<u64>,
    /// Where the tensor section begins; the crate allows it anywhere behind the header, and would
    /// read model data as numbers.
    #[bin(
        check(tensor_data_offset >= model_data_offset + model_data_len, "the tensor section begins at {tensor_data_offset}, before the model data ends", code = "rten.sectioned.tensor-data-offset.min"),
        warn(tensor_data_offset % TENSOR_ALIGN == 0, "the tensor section begins at {tensor_data_offset}, which is no multiple of 64", code = "rten.sectioned.tensor-data-offset.align")
    )]
    tensor_data_offset: Auto<u64>,
    /// What lies between header and model data; nothing, as the tools write it.
    #[bin(len = model_data_offset - HEADER_LEN, warn(before_model.is_empty(), "bytes lie between the header and the model data", code = "rten.sectioned.before-model.empty"))]
    pub before_model: &'a [u8],
    /// The graph (document, "Model data").
    #[doc(alias = "model_data")]
    #[bin(len = model_data_len)]
    pub model: FlatBuffer<'a, Model<'a>>,
    /// Padding, so that the tensor section is aligned.
    #[bin(len = tensor_data_offset - model_data_offset - model_data_len, warn(rules::is_zero(padding), "the padding before the tensor section is not zero", code = "rten.sectioned.padding.zero"))]
    pub padding: &'a [u8],
    /// The bytes of tensors, to which constants refer (document, "Tensor data").
    #[doc(alias = "tensor_data")]
    #[bin(until_end)]
    pub tensors: &'a [u8],
}

/// A file of version 1: the model data alone (document, "Earlier versions"). Nothing tells where it
/// ends.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(rules = rules::bare, spec = "RTen model format, Earlier versions")]
pub struct Bare<'a> {
    /// The graph.
    #[bin(until_end)]
    pub model: FlatBuffer<'a, Model<'a>>,
}

/// The root of the model data.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "rten-model-file, schema.fbs")]
pub struct Model<'a> {
    /// Version of the schema, the same in both versions of the file.
    #[bin(slot = 0, error(schema_version == 1, "the schema version is {schema_version}; the crate knows 1", code = "rten.model.schema-version.known"))]
    pub schema_version: i32,
    /// What is computed.
    #[bin(slot = 1, required)]
    pub graph: Graph<'a>,
    /// Where the model comes from.
    #[bin(slot = 2)]
    pub metadata: Option<Metadata<'a>>,
}

/// Values, constants and operators, the latter behind what they use.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct Graph<'a> {
    /// The nodes, in topological order.
    #[bin(slot = 0)]
    pub nodes: FbVec<'a, Node<'a>>,
    /// The inputs, by index.
    #[bin(slot = 1)]
    pub inputs: FbVec<'a, u32>,
    /// The outputs, by index.
    #[bin(slot = 2)]
    pub outputs: FbVec<'a, u32>,
    /// In a graph inside another one, the nodes that stand for values of that one.
    #[bin(slot = 3)]
    pub captures: Option<FbVec<'a, u32>>,
}

/// One node, with its name for debugging.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct Node<'a> {
    /// Its name, unique as the tools write it.
    #[bin(slot = 0)]
    pub name: Option<&'a str>,
    /// What it is.
    #[bin(
        slot = 2,
        union,
        error(
            rules::is_known_node(data),
            "the node is neither operator nor constant nor value",
            code = "rten.node.data.known"
        )
    )]
    pub data: Option<NodeData<'a>>,
}

/// What a node is.
#[doc(alias = "NodeKind")]
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub enum NodeData<'a> {
    /// A step of the computation.
    #[bin(id = 1)]
    Operator(OperatorNode<'a>),
    /// A tensor in the file.
    #[bin(id = 2)]
    Constant(ConstantNode<'a>),
    /// An input, or the result of an operator.
    #[bin(id = 3)]
    Value(ValueNode<'a>),
    /// A kind that the crate does not know; its loader refuses such a model.
    #[bin(other)]
    Other(u8),
}

/// A step of the computation.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(
    flatbuffer,
    error(
        rules::has_graphs(op, attributes),
        "the operator needs attributes with its graphs",
        code = "rten.operator-node.graphs"
    )
)]
pub struct OperatorNode<'a> {
    /// What is computed.
    #[doc(alias = "type")]
    #[bin(slot = 0, default = OperatorType::Add, error(op.is_known(), "the operator is none that the crate knows", code = "rten.operator-node.op.known"))]
    pub op: OperatorType,
    /// How.
    #[doc(alias = "attrs")]
    #[bin(slot = 2, union)]
    pub attributes: Option<Attributes<'a>>,
    /// The nodes that it reads, by index; an optional input that is missing is negative.
    #[bin(slot = 3)]
    pub inputs: FbVec<'a, i32>,
    /// The nodes that it writes, by index; an output that nobody uses is negative.
    #[bin(slot = 4)]
    pub outputs: FbVec<'a, i32>,
}

/// An input, or the result of an operator, as far as it is known before the model runs.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct ValueNode<'a> {
    /// Size in every dimension, if that is known.
    #[bin(slot = 0)]
    pub shape: Option<FbVec<'a, Dim<'a>>>,
    /// The type of the elements, if that is known.
    #[bin(slot = 1)]
    pub dtype: Option<DataType>,
}

/// One dimension of a value.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct Dim<'a> {
    /// Its size, unless it has a name.
    #[bin(slot = 0)]
    pub value: u32,
    /// The name of a size that is not known before the model runs.
    #[bin(slot = 1)]
    pub name: Option<&'a str>,
}

/// The type of a value's elements.
#[derive(BinFormat, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[bin(flatbuffer)]
#[repr(u8)]
pub enum DataType {
    /// Signed 32-bit integers.
    Int32 = 0,
    /// 32-bit floats.
    Float = 1,
    /// Signed bytes.
    Int8 = 2,
    /// Unsigned bytes.
    UInt8 = 3,
    /// A type that the crate does not know.
    #[bin(other)]
    Other(u8),
}

impl<'a> Rten<'a> {
    /// The model data, in either version.
    pub const fn model(&self) -> &FlatBuffer<'a, Model<'a>> {
        match self {
            Self::V2(file) => &file.model,
            Self::V1(file) => &file.model,
        }
    }

    /// The tensor section, if the version has one.
    pub const fn tensor_section(&self) -> Option<&'a [u8]> {
        match self {
            Self::V2(file) => Some(file.tensors),
            Self::V1(_) => None,
        }
    }
}

impl<'a> Sectioned<'a> {
    /// A file of version 2 around model data and tensors, as the converter lays it out.
    pub fn new(model: FlatBuffer<'a, Model<'a>>, tensors: &'a [u8]) -> Self {
        let file = Self {
            version: 2,
            model_data_offset: Auto::new(),
            model_data_len: Auto::new(),
            tensor_data_offset: Auto::new(),
            before_model: &[],
            model,
            padding: &[],
            tensors,
        };
        file.with_model(model)
    }

    /// The same file with other model data, and with the tensor section on a multiple of 64.
    #[must_use]
    pub fn with_model(self, model: FlatBuffer<'a, Model<'a>>) -> Self {
        static ZEROS: [u8; 64] = [0; 64];
        let file = Self { model, padding: &[], ..self };
        let used = usize::try_from(file.tensors_at() & 63).unwrap_or(0);
        let padding = ZEROS.get(used..).filter(|_| used > 0).unwrap_or_default();
        Self { padding, ..file }
    }

    /// Where the tensor section begins in the file.
    pub fn tensors_at(&self) -> u64 {
        let parts = [self.before_model, self.model.bytes(), self.padding];
        let lens = parts.iter().map(|part| u64::try_from(part.len()).unwrap_or(u64::MAX));
        lens.fold(HEADER_LEN, u64::saturating_add)
    }
}
