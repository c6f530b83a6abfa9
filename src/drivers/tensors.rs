//! Tensors of the formats, as the program shows them.

use binfmt_formats::scalar_type::ScalarType;
use binfmt_formats::tensor::Tensor;
use binfmt_formats::weights::{WeightError, Weights};
use binfmt_runtime::Error;
use binfmt_tool::Edits;
use binfmt_tool::driver::Unmade;

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

/// New elements as the formats take them, and how.
pub(super) fn weights<'f>(edits: &Edits<'f>) -> (Vec<Tensor<'f>>, Weights) {
    let given = edits.weights.iter().map(|tensor| Tensor {
        path: tensor.path.clone(),
        name: tensor.name.clone(),
        scalar_type: tensor.dtype.and_then(ScalarType::named),
        shape: tensor.shape.clone(),
        dim_order: tensor.order.clone(),
        bytes: tensor.bytes,
    });
    (given.collect(), Weights { cast: edits.cast, add: edits.add })
}

/// What is told of new elements that are not taken.
pub(super) fn refused(errors: Vec<WeightError>) -> Unmade {
    Unmade::Refused(errors.into_iter().map(|error| error.to_string()).collect())
}
