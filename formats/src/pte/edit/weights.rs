//! New elements for the tensors of a program, found by name.

use alloc::vec::Vec;

use super::super::{Source, Storage};
use super::{Edit, EditError};
use crate::tensor::Tensor;
use crate::weights::{Fitted, Old, WeightError, Weights, fit};

impl<'a> Edit<'a> {
    /// Puts new elements into tensors and constants of delegates, which are found by the names that
    /// [`Pte::tensors`](super::Pte::tensors) gives. Either all are taken, or none, and then every
    /// reason is told.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/pte/");
    /// use binfmt_formats::pte::{Edit, Pte};
    /// use binfmt_formats::weights::Weights;
    /// use binfmt_runtime::BinFormat;
    ///
    /// let old = std::fs::read(format!("{folder}mlp.pte"))?;
    /// let other = std::fs::read(format!("{folder}mlp_align16.pte"))?;
    /// let new = Pte::parse(&other)?.tensors()?;
    /// let mut edit = Edit::new(&Pte::parse(&old)?)?;
    /// edit.set_weights(&new, Weights::default()).unwrap();
    /// // A misspelt name changes nothing.
    /// let mut wrong = new.clone();
    /// wrong[0].name = "forward-vlaue-0".to_owned();
    /// let errors = edit.set_weights(&wrong, Weights::default()).unwrap_err();
    /// assert!(errors[0].to_string().starts_with("`forward-vlaue-0`: the file has no such tensor"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_weights(
        &mut self,
        new: &[Tensor<'a>],
        how: Weights,
    ) -> Result<(), Vec<WeightError>> {
        let weights = self.pte.weights().map_err(|error| refused("", &error.into()))?;
        let blobs = self.pte.tensors().map_err(|error| refused("", &error.into()))?;
        let mut old: Vec<_> =
            weights.iter().map(|(tensor, source)| self.old(tensor, source)).collect();
        // Data with keys that is no tensor: told as such, and not as missing.
        let blobs = blobs.into_iter().filter(|tensor| tensor.scalar_type.is_none());
        old.extend(blobs.map(|tensor| Old { tensor, range: None, is_external: false }));
        let Fitted { changed, .. } = fit(&old, new, how, false)?;
        let mut next = self.clone();
        for (at, bytes) in changed {
            let Some((tensor, source)) = weights.get(at) else { continue };
            next.set_weight(source, bytes).map_err(|error| refused(&tensor.name, &error))?;
        }
        *self = next;
        Ok(())
    }

    fn old(&self, tensor: &Tensor<'a>, source: &Source<'a>) -> Old<'a> {
        // What has a key gets a segment of its own where others have the same.
        let in_place = !matches!(source, Source::Named { .. });
        let bytes = tensor.bytes.filter(|_| in_place);
        let is_missing = tensor.bytes.is_none() && source.key().is_some();
        let is_external = matches!(source, Source::Program(Storage::External { .. }));
        Old {
            tensor: tensor.clone(),
            range: bytes.and_then(|bytes| self.pte.range_of(bytes)),
            is_external: is_external || is_missing,
        }
    }
}

fn refused(name: &str, error: &EditError) -> Vec<WeightError> {
    WeightError::refused(name, error)
}
