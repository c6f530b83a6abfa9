//! The declarations of `binfmt-formats`.

use binfmt_formats::ptd::{Ptd, ScalarType, Tables};
use binfmt_runtime::BinFormat;

use crate::fold::{self, Tensor};
use crate::race::Writer;

/// Reads the tensors.
pub fn read(file: &[u8]) -> Option<u64> {
    let file = Ptd::parse(file).ok()?;
    let Tables::FlatTensor(root) = file.tables.root().ok()? else { return None };
    let mut sum = 0;
    for named in &root.named_data {
        let named = named.ok()?;
        let segment = root.segments.get(u64::from(*named.segment_index))?.ok()?;
        let layout = named.tensor_layout?;
        let elements = layout.shape().try_fold(1_u64, |all, size| Some(all.wrapping_mul(size?)))?;
        let tensor = Tensor {
            key: *named.key,
            is_float: layout.scalar_type == ScalarType::Float,
            elements,
            order: layout.dim_order,
            bytes: file.segment(&segment)?,
        };
        sum = fold::tensor(sum, tensor);
    }
    Some(sum)
}

/// Whether all that the file has can be read.
pub fn is_valid(file: &[u8]) -> Option<u64> {
    Ptd::is_valid(file).then_some(1)
}

/// Whether there are no errors.
pub fn validate(file: &[u8]) -> Option<u64> {
    Ptd::validate(file).errors().next().is_none().then_some(1)
}

/// Writes the file again.
pub fn write(file: &[u8]) -> Option<Writer<'_>> {
    let file = Ptd::parse(file).ok()?;
    Some(Box::new(move || file.to_vec().ok()))
}
