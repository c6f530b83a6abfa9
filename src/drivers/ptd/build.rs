//! Tensor data from tensors of any format.

use binfmt_formats::ptd::{Builder, ScalarType};
use binfmt_tool::Tensor;
use binfmt_tool::driver::Built;

/// A file with these tensors.
pub(super) fn build<'f>(tensors: &[Tensor<'f>]) -> Built<'f> {
    let (mut file, mut left_out) = (Builder::new(), Vec::new());
    for tensor in tensors {
        if let Err(why) = add(&mut file, tensor) {
            left_out.push(format!("{}: {why}", tensor.name));
        }
    }
    Built { file: file.pieces().map_err(|error| error.to_string()), left_out }
}

/// Puts a tensor into a file as it is stored, for the format knows orders of dimensions.
fn add<'f>(file: &mut Builder<'f>, tensor: &Tensor<'f>) -> Result<(), String> {
    let bytes = tensor.bytes.ok_or("its bytes do not lie in the file")?;
    let order: Vec<u8> = (0..=u8::MAX).take(tensor.shape.len()).collect();
    let order = if tensor.order.is_empty() { &order } else { &tensor.order };
    let added = match tensor.dtype {
        None => file.blob(&tensor.name, bytes, 1),
        Some(dtype) => {
            let known = ScalarType::named(dtype);
            let known = known.ok_or_else(|| format!("the format has no type {dtype}"))?;
            file.tensor_with(&tensor.name, known, &tensor.shape, order, bytes)
        }
    };
    added.map(|_| ()).map_err(|error| error.to_string())
}
