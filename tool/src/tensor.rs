//! Tensors, whatever format they come from.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use npyz::WriterBuilder as _;

use crate::item::Item;

/// A tensor, or a blob beside the tensors.
#[derive(Clone, Debug)]
pub struct Tensor<'f> {
    /// The path of its item.
    pub path: String,
    /// Its name in the file.
    pub name: String,
    /// The type of the elements, such as `f32`; `None` for a blob.
    pub dtype: Option<&'static str>,
    /// Size in every dimension.
    pub shape: Vec<u64>,
    /// The dimensions, the outermost in memory first; empty if they lie in order.
    pub order: Vec<u8>,
    /// The elements as they are stored, little-endian; `None` if they do not lie in the file.
    pub bytes: Option<&'f [u8]>,
}

impl<'f> Tensor<'f> {
    /// The elements row by row: the last dimension is the innermost.
    pub fn rows(&self) -> Result<Cow<'f, [u8]>, String> {
        let bytes = self.bytes.ok_or("its bytes do not lie in the file")?;
        if self.order.iter().enumerate().all(|(at, dim)| at == usize::from(*dim)) {
            return Ok(Cow::Borrowed(bytes));
        }
        let rows = reorder(bytes, &self.shape, &self.order);
        rows.map(Cow::Owned).ok_or_else(|| "its order of dimensions does not fit its sizes".into())
    }
}

/// Brings elements into rows.
fn reorder(bytes: &[u8], shape: &[u64], order: &[u8]) -> Option<Vec<u8>> {
    let shape: Vec<usize> =
        shape.iter().map(|size| usize::try_from(*size).ok()).collect::<Option<_>>()?;
    let count = shape.iter().try_fold(1_usize, |count, size| count.checked_mul(*size))?;
    if count == 0 {
        return bytes.is_empty().then(Vec::new);
    }
    let element = bytes.len() / count;
    if order.len() != shape.len() || element * count != bytes.len() {
        return None;
    }
    // How many elements lie between neighbours in a dimension.
    let mut strides = vec![0; shape.len()];
    let mut stride = 1;
    for dim in order.iter().rev() {
        let dim = usize::from(*dim);
        *strides.get_mut(dim)? = stride;
        stride *= shape.get(dim)?;
    }
    let mut rows = Vec::with_capacity(bytes.len());
    let mut index = vec![0; shape.len()];
    for _ in 0..count {
        let at: usize = index.iter().zip(&strides).map(|(index, stride)| index * stride).sum();
        rows.extend_from_slice(bytes.get(at * element..)?.get(..element)?);
        for (index, size) in index.iter_mut().zip(&shape).rev() {
            *index += 1;
            if *index < *size {
                break;
            }
            *index = 0;
        }
    }
    Some(rows)
}

/// What `NumPy` calls a type, if it has it.
pub(crate) fn numpy(dtype: &str) -> Option<&'static str> {
    Some(match dtype {
        "bool" => "|b1",
        "i8" => "|i1",
        "u8" => "|u1",
        "i16" => "<i2",
        "u16" => "<u2",
        "i32" => "<i4",
        "u32" => "<u4",
        "i64" => "<i8",
        "u64" => "<u8",
        "f16" => "<f2",
        "f32" => "<f4",
        "f64" => "<f8",
        "c32" => "<c8",
        "c64" => "<c16",
        _ => return None,
    })
}

/// The type that `NumPy` calls so.
pub(crate) fn from_numpy(name: &str) -> Option<&'static str> {
    const ALL: [&str; 14] = [
        "bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64", "c32",
        "c64",
    ];
    ALL.into_iter().find(|dtype| numpy(dtype) == Some(name))
}

/// A tensor as a file of `NumPy`; `None` if that has no such type.
pub(crate) fn npy(dtype: &str, shape: &[u64], rows: &[u8]) -> Option<io::Result<Vec<u8>>> {
    let ty = numpy(dtype)?.parse::<npyz::TypeStr>().ok()?;
    let header = npyz::WriteOptions::new_header_only().dtype(npyz::DType::Plain(ty)).shape(shape);
    Some(header.writer(Vec::new()).write_header_only().map(|mut file| {
        file.extend_from_slice(rows);
        file
    }))
}

/// Makes the items of tensors that `NumPy` can have write such files.
pub(crate) fn npy_items<'f>(items: &mut [Item<'f>], tensors: Vec<Tensor<'f>>) {
    let mut by_path: HashMap<String, Tensor<'f>> =
        tensors.into_iter().map(|tensor| (tensor.path.clone(), tensor)).collect();
    for item in items {
        let Some(tensor) = by_path.remove(&item.path) else { continue };
        let Some(dtype) = tensor.dtype.filter(|dtype| numpy(dtype).is_some()) else { continue };
        item.file_name = format!("{}.npy", tensor.name);
        item.payload = Box::new(move || {
            let file = npy(dtype, &tensor.shape, &tensor.rows()?);
            let file = file.ok_or_else(|| format!("NumPy has no type {dtype}"))?;
            file.map(Cow::Owned).map_err(|error| error.to_string())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor<'f>(shape: &[u64], order: &[u8], bytes: &'f [u8]) -> Tensor<'f> {
        Tensor {
            path: "t".to_owned(),
            name: "t".to_owned(),
            dtype: Some("u16"),
            shape: shape.to_vec(),
            order: order.to_vec(),
            bytes: Some(bytes),
        }
    }

    #[test]
    fn elements_in_order_are_borrowed() {
        for order in [&[][..], &[0, 1]] {
            let rows = tensor(&[1, 2], order, &[1, 2, 3, 4]).rows().unwrap();
            assert!(matches!(rows, Cow::Borrowed([1, 2, 3, 4])));
        }
    }

    #[test]
    fn elements_in_another_order_become_rows() {
        // Two rows of three, stored column by column.
        let columns = [0, 0, 3, 0, 1, 0, 4, 0, 2, 0, 5, 0];
        let rows = tensor(&[2, 3], &[1, 0], &columns).rows().unwrap();
        assert_eq!(*rows, [0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0]);
        // Two channels of 1 by 2, stored with the channels last.
        let rows = tensor(&[1, 2, 1, 2], &[0, 2, 3, 1], &[0, 0, 2, 0, 1, 0, 3, 0]).rows().unwrap();
        assert_eq!(*rows, [0, 0, 1, 0, 2, 0, 3, 0]);
        assert!(tensor(&[0, 4], &[1, 0], &[]).rows().unwrap().is_empty());
    }

    #[test]
    fn order_that_does_not_fit_is_refused() {
        for (shape, order) in
            [(&[2, 3][..], &[1][..]), (&[2, 2], &[1, 2]), (&[u64::MAX, 2], &[1, 0])]
        {
            tensor(shape, order, &[0; 12]).rows().unwrap_err();
        }
    }

    #[test]
    fn numpy_files_are_read_by_their_crate() {
        let file = npy("f32", &[2, 1], &[0, 0, 128, 63, 0, 0, 0, 192]).unwrap().unwrap();
        let array = npyz::NpyFile::new(&file[..]).unwrap();
        assert_eq!(array.shape(), [2, 1]);
        assert_eq!(array.into_vec::<f32>().unwrap(), [1.0, -2.0]);
        let scalar = npy("bool", &[], &[1]).unwrap().unwrap();
        let array = npyz::NpyFile::new(&scalar[..]).unwrap();
        assert_eq!((array.shape(), array.len()), (&[][..], 1));
        assert!(npy("bf16", &[1], &[0, 0]).is_none());
    }
}
