//! Tensors of a model, whatever format it has.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::scalar_type::ScalarType;
use crate::shared::wide;

/// A tensor of a model, or a blob beside the tensors.
#[derive(Clone, PartialEq)]
pub struct Tensor<'a> {
    /// Where it is declared, as findings say it, such as `program.plans[0].values[3].value`.
    pub path: String,
    /// Its name in the model; one is made where the model has none.
    pub name: String,
    /// The type of the elements; `None` for a blob.
    pub scalar_type: Option<ScalarType>,
    /// Size in every dimension.
    pub shape: Vec<u64>,
    /// The dimensions, the outermost in memory first; empty if the elements lie row by row.
    pub dim_order: Vec<u8>,
    /// The elements as they are stored, little-endian; `None` if they do not lie in the file.
    pub bytes: Option<&'a [u8]>,
}

impl fmt::Debug for Tensor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tensor")
            .field("path", &self.path)
            .field("name", &self.name)
            .field("dtype", &self.dtype())
            .field("shape", &self.shape)
            .field("dim_order", &self.dim_order)
            .field("bytes", &self.bytes.map(<[u8]>::len))
            .finish()
    }
}

/// Elements that cannot be brought into another order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderError;

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("its order of dimensions does not fit its sizes")
    }
}

impl core::error::Error for OrderError {}

impl<'a> Tensor<'a> {
    /// The common name of the type: `f32`; `None` for a blob.
    pub fn dtype(&self) -> Option<&'static str> {
        self.scalar_type.map(ScalarType::name)
    }

    /// How many elements the shape makes; `None` if they are too many to count.
    pub fn elements(&self) -> Option<u64> {
        self.shape.iter().try_fold(1_u64, |count, size| count.checked_mul(*size))
    }

    /// Whether the elements lie row by row: the last dimension is the innermost.
    pub fn is_in_rows(&self) -> bool {
        self.dim_order.iter().enumerate().all(|(at, dim)| at == usize::from(*dim))
    }

    /// The elements row by row; `None` if they do not lie in the file.
    ///
    /// ```
    /// use binfmt_formats::scalar_type::ScalarType;
    /// use binfmt_formats::tensor::Tensor;
    ///
    /// let tensor = Tensor {
    ///     path: "t".into(),
    ///     name: "t".into(),
    ///     scalar_type: Some(ScalarType::Byte),
    ///     shape: vec![2, 3],
    ///     dim_order: vec![1, 0],
    ///     bytes: Some(&[0, 3, 1, 4, 2, 5]),
    /// };
    /// let rows = tensor.rows().unwrap()?;
    /// assert_eq!(*rows, [0, 1, 2, 3, 4, 5]);
    /// // And back, as the file stores them.
    /// assert_eq!(*tensor.stored(&rows)?, [0, 3, 1, 4, 2, 5]);
    /// # Ok::<(), binfmt_formats::tensor::OrderError>(())
    /// ```
    pub fn rows(&self) -> Option<Result<Cow<'a, [u8]>, OrderError>> {
        let bytes = self.bytes?;
        if self.is_in_rows() {
            return Some(Ok(Cow::Borrowed(bytes)));
        }
        Some(self.reordered(bytes, true).map(Cow::Owned).ok_or(OrderError))
    }

    /// Elements that lie row by row, in the order in which the file stores them.
    pub fn stored<'r>(&self, rows: &'r [u8]) -> Result<Cow<'r, [u8]>, OrderError> {
        if self.is_in_rows() {
            return Ok(Cow::Borrowed(rows));
        }
        self.reordered(rows, false).map(Cow::Owned).ok_or(OrderError)
    }

    /// Brings elements into rows, or out of them.
    fn reordered(&self, bytes: &[u8], into_rows: bool) -> Option<Vec<u8>> {
        let shape = self.shape.iter().map(|size| usize::try_from(*size).ok());
        let shape: Vec<usize> = shape.collect::<Option<_>>()?;
        let count = usize::try_from(self.elements()?).ok()?;
        if count == 0 {
            return bytes.is_empty().then(Vec::new);
        }
        let element = bytes.len().checked_div(count)?;
        if self.dim_order.len() != shape.len() || element.checked_mul(count)? != bytes.len() {
            return None;
        }
        let strides = strides(&shape, &self.dim_order)?;
        let mut other = vec![0; bytes.len()];
        let mut index = vec![0_usize; shape.len()];
        let mut stored = 0_usize;
        for row in 0..count {
            let (from, to) = if into_rows { (stored, row) } else { (row, stored) };
            let from = bytes.get(from.checked_mul(element)?..)?.get(..element)?;
            other.get_mut(to.checked_mul(element)?..)?.get_mut(..element)?.copy_from_slice(from);
            for ((index, size), stride) in index.iter_mut().zip(&shape).zip(&strides).rev() {
                *index = index.checked_add(1)?;
                stored = stored.checked_add(*stride)?;
                if *index < *size {
                    break;
                }
                stored = stored.checked_sub(stride.checked_mul(*size)?)?;
                *index = 0;
            }
        }
        Some(other)
    }
}

/// How many elements lie between neighbours in every dimension.
fn strides(shape: &[usize], order: &[u8]) -> Option<Vec<usize>> {
    let mut strides = vec![0; shape.len()];
    let mut stride = 1_usize;
    for dim in order.iter().rev() {
        let dim = usize::from(*dim);
        *strides.get_mut(dim)? = stride;
        stride = stride.checked_mul(*shape.get(dim)?)?;
    }
    Some(strides)
}

/// Why elements do not go into the place of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misfit {
    /// They have another type.
    Type {
        /// The type that is there.
        expected: &'static str,
        /// The type of the new elements.
        found: &'static str,
    },
    /// They have another shape.
    Shape {
        /// The shape that is there.
        expected: Vec<u64>,
        /// The shape of the new elements.
        found: Vec<u64>,
    },
    /// Type and shape make another number of bytes.
    Len {
        /// How many they make.
        expected: Option<u64>,
        /// How many there are.
        found: u64,
    },
    /// What is there is a blob, whose bytes nobody knows to be elements.
    Blob,
    /// The order of dimensions is broken.
    Order,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { expected, found } => write!(f, "it has the type {expected}, not {found}"),
            Self::Shape { expected, found } => {
                write!(f, "it has the shape {expected:?}, not {found:?}")
            }
            Self::Len { expected: Some(expected), found } => {
                write!(f, "type and shape make {expected} bytes, and there are {found}")
            }
            Self::Len { expected: None, .. } => {
                f.write_str("type and shape make more bytes than 64 bits count")
            }
            Self::Blob => f.write_str("it is a blob and has neither type nor shape"),
            Self::Order => OrderError.fmt(f),
        }
    }
}

impl core::error::Error for Misfit {}

impl Tensor<'_> {
    /// New elements for this tensor as the file stores them, if type, shape and length are the same.
    /// They are given row by row.
    pub fn take<'r>(
        &self,
        scalar_type: ScalarType,
        shape: &[u64],
        rows: &'r [u8],
    ) -> Result<Cow<'r, [u8]>, Misfit> {
        let own = self.scalar_type.ok_or(Misfit::Blob)?;
        if own != scalar_type {
            return Err(Misfit::Type { expected: own.name(), found: scalar_type.name() });
        }
        if self.shape != shape {
            return Err(Misfit::Shape { expected: self.shape.clone(), found: shape.to_vec() });
        }
        let sizes = self.elements().zip(own.size());
        let expected = sizes.and_then(|(count, size)| count.checked_mul(size));
        let found = wide(rows.len());
        if expected != Some(found) {
            return Err(Misfit::Len { expected, found });
        }
        self.stored(rows).map_err(|OrderError| Misfit::Order)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor<'f>(shape: &[u64], order: &[u8], bytes: &'f [u8]) -> Tensor<'f> {
        Tensor {
            path: "t".into(),
            name: "t".into(),
            scalar_type: Some(ScalarType::UInt16),
            shape: shape.to_vec(),
            dim_order: order.to_vec(),
            bytes: Some(bytes),
        }
    }

    #[test]
    fn elements_in_order_are_borrowed() {
        for order in [&[][..], &[0, 1]] {
            let rows = tensor(&[1, 2], order, &[1, 2, 3, 4]).rows().unwrap().unwrap();
            assert!(matches!(rows, Cow::Borrowed([1, 2, 3, 4])));
        }
    }

    #[test]
    fn elements_in_another_order_become_rows_and_go_back() {
        for (shape, order, stored, rows) in [
            // Two rows of three, stored column by column.
            (&[2, 3][..], &[1, 0][..], [0, 3, 1, 4, 2, 5], [0, 1, 2, 3, 4, 5]),
            // Three channels of 1 by 2, stored with the channels last.
            (&[1, 3, 1, 2], &[0, 2, 3, 1], [0, 2, 4, 1, 3, 5], [0, 1, 2, 3, 4, 5]),
        ] {
            let wide = |all: [u8; 6]| all.iter().flat_map(|one| [*one, 0]).collect::<Vec<u8>>();
            let (stored, rows) = (wide(stored), wide(rows));
            let tensor = tensor(shape, order, &stored);
            assert_eq!(*tensor.rows().unwrap().unwrap(), rows);
            assert_eq!(*tensor.stored(&rows).unwrap(), stored);
            assert_eq!(*tensor.take(ScalarType::UInt16, shape, &rows).unwrap(), stored);
        }
        assert!(tensor(&[0, 4], &[1, 0], &[]).rows().unwrap().unwrap().is_empty());
    }

    #[test]
    fn order_that_does_not_fit_is_refused() {
        for (shape, order) in
            [(&[2, 3][..], &[1][..]), (&[2, 2], &[1, 2]), (&[u64::MAX, 2], &[1, 0])]
        {
            assert_eq!(tensor(shape, order, &[0; 12]).rows().unwrap(), Err(OrderError));
        }
    }

    #[test]
    fn other_elements_must_have_type_and_shape() {
        let old = tensor(&[2], &[], &[0; 4]);
        let new = [1, 0, 2, 0];
        let (short, byte) = (ScalarType::UInt16, ScalarType::Byte);
        assert_eq!(*old.take(short, &[2], &new).unwrap(), new);
        let ty = Misfit::Type { expected: "u16", found: "u8" };
        assert_eq!(old.take(byte, &[2], &new).unwrap_err(), ty);
        let shape = Misfit::Shape { expected: [2].into(), found: [1, 2].into() };
        assert_eq!(old.take(short, &[1, 2], &new).unwrap_err(), shape);
        let len = Misfit::Len { expected: Some(4), found: 3 };
        assert_eq!(old.take(short, &[2], &new[..3]).unwrap_err(), len);
        let blob = Tensor { scalar_type: None, ..old };
        assert_eq!(blob.take(short, &[2], &new).unwrap_err(), Misfit::Blob);
    }
}
