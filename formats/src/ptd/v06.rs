//! The schema of `ExecuTorch` 0.6: tensors that lie inside of segments.

use binfmt_runtime::{BinFormat, FbVec, Placed};

use super::{DataSegment, ScalarType, TensorLayout, rules};

/// The root as of 0.6.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, spec = "flat_tensor.fbs of ExecuTorch 0.6")]
pub struct FlatTensor06<'a> {
    /// Version of the schema.
    #[bin(slot = 0, check(version == 0, "the schema has version {version}: the runtime knows version 0 and refuses the file", code = "ptd.flat-tensor06.version.known"))]
    pub version: u32,
    /// What the offsets of tensors are multiples of.
    #[bin(slot = 1)]
    pub tensor_alignment: u32,
    /// The tensors, sorted in no way.
    #[bin(slot = 2, required)]
    pub tensors: FbVec<'a, TensorMetadata<'a>>,
    /// Where the data lies.
    #[bin(slot = 3, required)]
    pub segments: FbVec<'a, DataSegment>,
    /// Blobs. The writer in C++ stores none.
    #[bin(slot = 4)]
    pub named_data: FbVec<'a, NamedData06<'a>>,
}

/// A tensor inside of a segment.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer, rules = rules::metadata)]
pub struct TensorMetadata<'a> {
    /// Its name.
    #[doc(alias = "fully_qualified_name")]
    #[bin(slot = 0, required)]
    pub name: Placed<&'a str>,
    /// The type of the elements.
    #[bin(
        slot = 1,
        default = ScalarType::Byte,
        error(scalar_type.is_known(), "there is no such element type: the runtime aborts when it is asked for the layout", code = "ptd.tensor-metadata.scalar-type.known")
    )]
    pub scalar_type: ScalarType,
    /// Size in every dimension.
    #[bin(slot = 2, required)]
    pub sizes: FbVec<'a, i32>,
    /// The dimensions, the outermost in memory first.
    #[bin(slot = 3, required)]
    pub dim_order: &'a [u8],
    /// Which segment it lies in.
    #[bin(slot = 4)]
    pub segment_index: Placed<u32>,
    /// Where it begins in that segment.
    #[bin(slot = 5)]
    pub offset: Placed<u64>,
}

/// A name for a segment.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct NamedData06<'a> {
    /// The name.
    #[bin(slot = 0, required)]
    pub key: Placed<&'a str>,
    /// Which segment it stands for.
    #[bin(slot = 1)]
    pub segment_index: Placed<u32>,
}

impl<'a> TensorMetadata<'a> {
    /// The layout alone.
    pub fn layout(&self) -> TensorLayout<'a> {
        TensorLayout { scalar_type: self.scalar_type, sizes: self.sizes, dim_order: self.dim_order }
    }
}
