//! The crate of the format: a verifier, and accessors without checks, both made by `flatc`.

use rten_model_file::header::Header;
use rten_model_file::schema::{Model, root_as_model_with_opts};

use crate::fold;

fn open(file: &[u8]) -> Option<Model<'_>> {
    let header = Header::from_buf(file).ok()?;
    let start = usize::try_from(header.model_offset).ok()?;
    let len = usize::try_from(header.model_len).ok()?;
    let options = flatbuffers24::VerifierOptions { max_tables: 100_000_000, ..Default::default() };
    root_as_model_with_opts(&options, file.get(start..)?.get(..len)?).ok()
}

/// Reads the nodes.
pub fn read(file: &[u8]) -> Option<u64> {
    let mut sum = 0;
    for node in open(file)?.graph().nodes()? {
        let mut numbers = 0;
        let kind = node.data_type().0;
        if let Some(operator) = node.data_as_operator_node() {
            numbers = u64::from(operator.type_().0 == 43);
            for indices in [operator.inputs()?, operator.outputs()?] {
                for index in indices {
                    numbers = fold::index(numbers, index.cast_unsigned());
                }
            }
        } else if let Some(constant) = node.data_as_constant_node() {
            for size in constant.shape() {
                numbers = fold::index(numbers, size);
            }
            numbers ^= constant.data_offset()? ^ u64::from(constant.dtype()?.0) << 48;
        } else {
            let value = node.data_as_value_node()?;
            for dim in value.shape()? {
                numbers = fold::index(numbers, dim.value());
            }
            numbers ^= u64::from(value.dtype()?.0) << 48;
        }
        sum = fold::node(sum, node.name()?, kind, numbers);
    }
    Some(sum)
}

/// Whether all that the file has can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    open(file).map(|_| 1)
}
