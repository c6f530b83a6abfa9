//! The declarations of `binfmt-formats`.

use binfmt_formats::rten::{ConstantDataType, DataType, NodeData, OperatorType, Rten};
use binfmt_runtime::{BinFormat, FbVec};

use crate::fold;
use crate::race::Writer;

/// Reads the nodes.
pub fn read(file: &[u8]) -> Option<u64> {
    let file = Rten::parse(file).ok()?;
    let model = file.model().root().ok()?;
    let mut sum = 0;
    for node in &model.graph.nodes {
        let node = node.ok()?;
        let (kind, numbers) = match node.data? {
            NodeData::Operator(operator) => {
                let numbers =
                    indices(u64::from(operator.op == OperatorType::Sigmoid), &operator.inputs)?;
                (1, indices(numbers, &operator.outputs)?)
            }
            NodeData::Constant(constant) => {
                let mut numbers = 0;
                for size in &constant.shape {
                    numbers = fold::index(numbers, size.ok()?);
                }
                let dtype = matches!(constant.dtype, Some(ConstantDataType::Float32));
                (2, numbers ^ *constant.data_offset? ^ u64::from(dtype) << 48)
            }
            NodeData::Value(value) => {
                let mut numbers = 0;
                for dim in &value.shape.unwrap_or_default() {
                    numbers = fold::index(numbers, dim.ok()?.value);
                }
                let dtype = matches!(value.dtype, Some(DataType::Float));
                (3, numbers ^ u64::from(dtype) << 48)
            }
            NodeData::Other(_) => return None,
        };
        sum = fold::node(sum, node.name.unwrap_or_default(), kind, numbers);
    }
    Some(sum)
}

fn indices(numbers: u64, indices: &FbVec<'_, i32>) -> Option<u64> {
    indices
        .iter()
        .try_fold(numbers, |numbers, index| Some(fold::index(numbers, index.ok()?.cast_unsigned())))
}

/// Whether all that the file has can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    Rten::is_valid(file).then_some(1)
}

/// Whether there are no errors.
pub fn validate(file: &[u8]) -> Option<u64> {
    Rten::validate(file).errors().next().is_none().then_some(1)
}

/// Writes the file again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let file = Rten::parse(file).ok()?;
    Some(Box::new(move || file.to_vec().ok()))
}
