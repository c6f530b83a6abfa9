//! Tensors of the formats, as the program shows them.

use binfmt_formats::tensor::Tensor;
use binfmt_runtime::Error;

/// All tensors of a file, or why they cannot be read.
pub(super) fn shown<'f>(
    tensors: Result<Vec<Tensor<'f>>, Error>,
) -> Result<Vec<binfmt_tool::Tensor<'f>>, String> {
    let tensors = tensors.map_err(|error| error.to_string())?;
    let shown = |tensor: Tensor<'f>| binfmt_tool::Tensor {
        dtype: tensor.dtype(),
        path: tensor.path,
        name: tensor.name,
        shape: tensor.shape,
        order: tensor.dim_order,
        bytes: tensor.bytes,
    };
    Ok(tensors.into_iter().map(shown).collect())
}
