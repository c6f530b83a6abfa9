//! The tensors and blobs of a file, as any format has them.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::vec::Vec;

use binfmt_runtime::Error;

use super::{Ptd, Tables};
use crate::tensor::Tensor;

impl<'a> Ptd<'a> {
    /// Every tensor and every blob, in file order.
    ///
    /// ```
    /// use binfmt_formats::ptd::{Builder, Ptd, ScalarType};
    /// use binfmt_runtime::BinFormat;
    ///
    /// let mut file = Builder::new();
    /// file.tensor("scale", ScalarType::Byte, &[2], &[1, 2])?;
    /// let file = file.to_vec()?;
    /// let tensors = Ptd::parse(&file)?.tensors()?;
    /// assert_eq!((tensors[0].dtype(), &tensors[0].shape[..]), (Some("u8"), &[2][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tensors(&self) -> Result<Vec<Tensor<'a>>, Error> {
        // The old schema has two lists: tensors inside of segments, then names of whole segments.
        let inside = match self.tables.root()? {
            Tables::FlatTensor(_) => 0,
            Tables::FlatTensor06(root) => root.tensors.count(),
        };
        let mut all = Vec::new();
        for (entry, index) in self.entries()?.zip(0_u64..) {
            let entry = entry?;
            let path = match (index.checked_sub(inside), &entry.layout) {
                (None, _) => format!("tables.tensors[{index}]"),
                (Some(index), None) => format!("tables.named_data[{index}]"),
                (Some(index), Some(_)) => format!("tables.named_data[{index}].tensor_layout"),
            };
            let layout = entry.layout.as_ref();
            all.push(Tensor {
                path,
                name: entry.key.to_owned(),
                scalar_type: layout.map(|layout| layout.scalar_type),
                shape: layout.map(|layout| layout.shape().flatten().collect()).unwrap_or_default(),
                dim_order: layout.map(|layout| layout.dim_order.to_vec()).unwrap_or_default(),
                bytes: entry.bytes,
            });
        }
        Ok(all)
    }
}
