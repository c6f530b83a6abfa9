//! Models with other elements in their constants.

use alloc::borrow::Cow;
use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use binfmt_runtime::{BinFormat as _, Error};

use super::{Constant, ConstantDataType, HEADER_LEN, Rten};
use crate::pieces::Pieces;
use crate::scalar_type::ScalarType;
use crate::shared::{offset_within, wide};
use crate::tensor::Tensor;
use crate::weights::{Fitted, Old, WeightError, Weights, fit};

/// A model whose constants are being changed, each in its place: nothing else changes.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/rten/");
/// use binfmt_formats::rten::{Edit, Rten};
/// use binfmt_runtime::BinFormat;
///
/// let old = std::fs::read(format!("{folder}mlp_v2.rten"))?;
/// let mut edit = Edit::new(&Rten::parse(&old)?)?;
/// let bias = edit.position("b2").unwrap();
/// edit.set_constant(bias, vec![0; 12])?;
/// let new = edit.to_vec()?;
/// assert_eq!(new.len(), old.len());
/// assert_eq!(Rten::parse(&new)?.constants().nth(bias).unwrap()?.bytes, Some(&[0; 12][..]));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Edit<'a> {
    model: Rten<'a>,
    constants: Vec<Constant<'a>>,
    changes: BTreeMap<usize, Cow<'a, [u8]>>,
}

/// Why constants cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The model cannot be read or written.
    Format(Error),
    /// The file that would be written breaks this rule.
    Broken(Error),
    /// There is no such constant, or its elements do not lie in the file.
    NoConstant(usize),
    /// The constant has another number of bytes.
    Len {
        /// How many bytes its type and its shape make.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// Two constants share bytes, and were to have different ones.
    Shared {
        /// The name or path of the one.
        changed: String,
        /// The name or path of the other.
        other: String,
    },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(error) => error.fmt(f),
            Self::Broken(error) => write!(f, "the file would break a rule: {error}"),
            Self::NoConstant(index) => write!(f, "there is no constant {index} with elements"),
            Self::Len { expected, found } => {
                write!(f, "type and shape make {expected} bytes, and {found} do not fit")
            }
            Self::Shared { changed, other } => write!(
                f,
                "`{changed}` and `{other}` share their bytes; both take the same elements, or none"
            ),
        }
    }
}

impl core::error::Error for EditError {}

impl From<Error> for EditError {
    fn from(error: Error) -> Self {
        Self::Format(error)
    }
}

impl<'a> Edit<'a> {
    /// The constants of a model.
    pub fn new(model: &Rten<'a>) -> Result<Self, EditError> {
        let constants = model.constants().collect::<Result<_, _>>()?;
        Ok(Self { model: model.clone(), constants, changes: BTreeMap::new() })
    }

    /// The index of the first constant with that name, in the order of
    /// [`constants`](Rten::constants).
    pub fn position(&self, name: &str) -> Option<usize> {
        self.constants.iter().position(|constant| constant.name == Some(name))
    }

    /// Puts other elements into a constant, as many bytes as it has.
    pub fn set_constant(
        &mut self,
        index: usize,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<(), EditError> {
        let old = self.constants.get(index).and_then(|constant| constant.bytes);
        let old = old.ok_or(EditError::NoConstant(index))?;
        let bytes = bytes.into();
        if old.len() != bytes.len() {
            let (expected, found) = (wide(old.len()), wide(bytes.len()));
            return Err(EditError::Len { expected, found });
        }
        self.changes.insert(index, bytes);
        Ok(())
    }

    /// Puts new elements into constants, which are found by the names that
    /// [`Rten::tensors`] gives. Either all are taken, or none, and then every reason is told.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/rten/");
    /// use binfmt_formats::rten::{Edit, Rten};
    /// use binfmt_formats::weights::Weights;
    /// use binfmt_runtime::BinFormat;
    ///
    /// let old = std::fs::read(format!("{folder}mlp_v2.rten"))?;
    /// let model = Rten::parse(&old)?;
    /// let mut new = model.tensors()?;
    /// new.retain(|tensor| tensor.name == "b2");
    /// new[0].bytes = Some(&[0; 12]);
    /// let mut edit = Edit::new(&model)?;
    /// edit.set_weights(&new, Weights::default()).unwrap();
    /// new[0].shape = vec![1, 3];
    /// let errors = edit.set_weights(&new, Weights::default()).unwrap_err();
    /// assert_eq!(errors[0].to_string(), "`b2`: it has the shape [3], not [1, 3]");
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_weights(
        &mut self,
        new: &[Tensor<'a>],
        how: Weights,
    ) -> Result<(), Vec<WeightError>> {
        let refused = |name: &str, error: &EditError| WeightError::refused(name, error);
        let old = self.model.tensors().map_err(|error| refused("", &error.into()))?;
        let old = old.into_iter().map(|tensor| {
            let bytes = tensor.bytes.unwrap_or_default();
            let start = self.offset_of(bytes).filter(|_| !bytes.is_empty());
            let range = start.map(|start| start..start.saturating_add(wide(bytes.len())));
            Old { tensor, range, is_external: false }
        });
        let old: Vec<_> = old.collect();
        let Fitted { changed, .. } = fit(&old, new, how, false)?;
        let mut next = self.clone();
        for (at, bytes) in changed {
            let name = old.get(at).map_or("", |old| &old.tensor.name);
            next.set_constant(at, bytes).map_err(|error| refused(name, &error))?;
        }
        *self = next;
        Ok(())
    }

    /// The file, which breaks no rule; without changes it is that which was read.
    pub fn to_vec(&self) -> Result<Vec<u8>, EditError> {
        let old = self.model.to_vec()?;
        let file = self.pieces(&old)?.to_vec();
        match Rten::validate(&file).errors().next() {
            Some(error) => Err(EditError::Broken(Error::new(error.clone()))),
            None => Ok(file),
        }
    }

    /// The same file in pieces, of which the large ones lie in `file`, the one that was read. Whether
    /// it breaks a rule is not looked at; [`Rten::validate`] does that, of the file that was written.
    pub fn pieces<'s>(&'s self, file: &'s [u8]) -> Result<Pieces<'s>, EditError> {
        self.shares()?;
        let mut patches: Vec<(u64, Cow<'s, [u8]>)> = Vec::new();
        for (index, bytes) in &self.changes {
            let old = self.constants.get(*index).and_then(|constant| constant.bytes);
            let start = old.and_then(|old| self.offset_of(old));
            let start = start.ok_or(EditError::NoConstant(*index))?;
            patches.push((start, Cow::Borrowed(&**bytes)));
        }
        // Constants with the same bytes that get the same ones are changed once.
        patches.sort();
        patches.dedup();
        let last = self.changes.keys().next_back().copied().unwrap_or_default();
        Pieces::patched(file, patches).ok_or(EditError::NoConstant(last))
    }

    /// Where bytes of the model lie in it.
    fn offset_of(&self, bytes: &[u8]) -> Option<u64> {
        match &self.model {
            Rten::V1(file) => offset_within(file.model.bytes(), bytes),
            Rten::V2(file) => {
                let model = HEADER_LEN.checked_add(wide(file.before_model.len()))?;
                let inside = offset_within(file.model.bytes(), bytes);
                let inside = inside.and_then(|offset| offset.checked_add(model));
                inside
                    .or_else(|| offset_within(file.tensors, bytes)?.checked_add(file.tensors_at()))
            }
        }
    }

    /// Whether changes would change other constants too.
    fn shares(&self) -> Result<(), EditError> {
        if self.changes.is_empty() {
            return Ok(());
        }
        let mut places: Vec<(u64, u64, usize)> = Vec::new();
        for (constant, index) in self.constants.iter().zip(0_usize..) {
            let Some(bytes) = constant.bytes.filter(|bytes| !bytes.is_empty()) else { continue };
            let start = self.offset_of(bytes).ok_or(EditError::NoConstant(index))?;
            places.push((start, start.saturating_add(wide(bytes.len())), index));
        }
        places.sort_unstable();
        let mut last: Option<(u64, u64, usize)> = None;
        for place in places {
            if let Some(before) = last.filter(|before| place.0 < before.1) {
                let same_place = (place.0, place.1) == (before.0, before.1);
                let (new, old) = (self.changes.get(&place.2), self.changes.get(&before.2));
                if new != old || (new.is_some() && !same_place) {
                    let (changed, other) =
                        if new.is_some() { (place.2, before.2) } else { (before.2, place.2) };
                    let (changed, other) = (self.shown(changed), self.shown(other));
                    return Err(EditError::Shared { changed, other });
                }
            }
            if last.is_none_or(|before| before.1 <= place.1) {
                last = Some(place);
            }
        }
        Ok(())
    }

    fn shown(&self, index: usize) -> String {
        let constant = self.constants.get(index);
        let name = constant.map(|constant| constant.name.unwrap_or(&constant.path));
        name.unwrap_or_default().to_owned()
    }
}

impl<'a> Rten<'a> {
    /// Every constant as a tensor, in file order; one without a name is called `constant-3` by its
    /// index.
    pub fn tensors(&self) -> Result<Vec<Tensor<'a>>, Error> {
        let tensor = |(constant, index): (Result<Constant<'a>, Error>, u64)| {
            let constant = constant?;
            let name = constant.name.filter(|name| !name.is_empty());
            Ok(Tensor {
                name: name.map_or_else(|| format!("constant-{index}"), str::to_owned),
                scalar_type: constant.dtype.and_then(ConstantDataType::scalar_type),
                shape: constant
                    .shape
                    .iter()
                    .map(|size| size.map(u64::from))
                    .collect::<Result<_, _>>()?,
                dim_order: Vec::new(),
                bytes: constant.bytes,
                path: constant.path,
            })
        };
        self.constants().zip(0_u64..).map(tensor).collect()
    }
}

impl ConstantDataType {
    /// The same type as the other formats call it, if it is known.
    pub const fn scalar_type(self) -> Option<ScalarType> {
        match self {
            Self::Int32 => Some(ScalarType::Int),
            Self::Float32 => Some(ScalarType::Float),
            Self::Int8 => Some(ScalarType::Char),
            Self::UInt8 => Some(ScalarType::Byte),
            Self::Other(_) => None,
        }
    }
}
