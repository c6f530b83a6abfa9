//! Where a model comes from, and how that is changed.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use binfmt_runtime::BinFormat;
#[cfg(feature = "alloc")]
use binfmt_runtime::{Error, FlatBuffer, FlatBuild as _};

#[cfg(feature = "alloc")]
use super::{Model, Rten, Sectioned};
#[cfg(feature = "alloc")]
use crate::pieces::Pieces;

/// Where a model comes from.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(flatbuffer)]
pub struct Metadata<'a> {
    /// SHA-256 of the ONNX file that the model was converted from.
    #[bin(slot = 0)]
    pub onnx_hash: Option<&'a str>,
    /// What the model does.
    #[bin(slot = 1)]
    pub description: Option<&'a str>,
    /// Its licence, an SPDX identifier.
    #[bin(slot = 2)]
    pub license: Option<&'a str>,
    /// The commit of the code that produced it.
    #[bin(slot = 3)]
    pub commit: Option<&'a str>,
    /// Where that code is.
    #[bin(slot = 4)]
    pub code_repository: Option<&'a str>,
    /// Where the model is.
    #[bin(slot = 5)]
    pub model_repository: Option<&'a str>,
    /// The training run that produced it.
    #[bin(slot = 6)]
    pub run_id: Option<&'a str>,
    /// What that run logged.
    #[bin(slot = 7)]
    pub run_url: Option<&'a str>,
}

impl<'a> Metadata<'a> {
    /// Without any text.
    pub const EMPTY: Self = Self {
        onnx_hash: None,
        description: None,
        license: None,
        commit: None,
        code_repository: None,
        model_repository: None,
        run_id: None,
        run_url: None,
    };

    /// The texts and what they are called, in the order of the schema.
    pub const fn texts(&self) -> [(&'static str, Option<&'a str>); 8] {
        [
            ("onnx_hash", self.onnx_hash),
            ("description", self.description),
            ("license", self.license),
            ("commit", self.commit),
            ("code_repository", self.code_repository),
            ("model_repository", self.model_repository),
            ("run_id", self.run_id),
            ("run_url", self.run_url),
        ]
    }

    /// The text of that name, to be changed; `None` if there is none of that name.
    pub fn text_mut(&mut self, name: &str) -> Option<&mut Option<&'a str>> {
        match name {
            "onnx_hash" => Some(&mut self.onnx_hash),
            "description" => Some(&mut self.description),
            "license" => Some(&mut self.license),
            "commit" => Some(&mut self.commit),
            "code_repository" => Some(&mut self.code_repository),
            "model_repository" => Some(&mut self.model_repository),
            "run_id" => Some(&mut self.run_id),
            "run_url" => Some(&mut self.run_url),
            _ => None,
        }
    }
}

#[cfg(feature = "alloc")]
impl<'a> Rten<'a> {
    /// The file with other metadata, in the same version.
    ///
    /// The model data is made anew, of all that the schema of the crate declares; the tensor section
    /// stays as it is.
    pub fn with_metadata(&self, metadata: Option<Metadata<'_>>) -> Result<Vec<u8>, Error> {
        Ok(self.pieces_with_metadata(metadata)?.to_vec())
    }

    /// The same file in pieces, of which the tensor section lies in the one that was read.
    pub fn pieces_with_metadata(
        &self,
        metadata: Option<Metadata<'_>>,
    ) -> Result<Pieces<'a>, Error> {
        let texts = metadata.iter().flat_map(Metadata::texts).filter_map(|(_, text)| text);
        let texts = texts.fold(0_u64, |sum, text| {
            sum.saturating_add(u64::try_from(text.len()).unwrap_or(u64::MAX))
        });
        let limit = self.limit().saturating_add(texts);
        let model = Model { metadata, ..self.model().root()? }.to_buffer_within(limit)?;
        match self {
            Self::V1(_) => Ok(model.into()),
            Self::V2(file) => {
                let head = Sectioned { tensors: &[], ..file.clone() };
                let head = head.with_model(FlatBuffer::parse(&model)?);
                let mut new = Pieces::from(Rten::V2(head).to_vec()?);
                new.push(file.tensors);
                Ok(new)
            }
        }
    }
}
