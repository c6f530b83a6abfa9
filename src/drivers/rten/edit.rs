//! Models in another version, or with other metadata.

use binfmt_formats::rten::{Metadata, Rten};
use binfmt_runtime::BinFormat as _;

use binfmt_tool::driver::Change;

pub(super) fn to_version(file: &[u8], target: &str) -> Result<Vec<u8>, String> {
    let rten = Rten::parse(file).map_err(|error| error.to_string())?;
    let written = match target {
        "rten1" => rten.to_v1(),
        "rten2" => rten.to_v2(),
        other => return Err(format!("there is no version `{other}`")),
    };
    written.map_err(|error| error.to_string())
}

/// The metadata, as far as it can be read.
pub(super) fn metadata(file: &[u8]) -> Metadata<'_> {
    let model = Rten::parse(file).and_then(|rten| rten.model().root());
    model.ok().and_then(|model| model.metadata).unwrap_or(Metadata::EMPTY)
}

pub(super) fn with_metadata(file: &[u8], changes: &[Change<'_>]) -> Result<Vec<u8>, String> {
    let rten = Rten::parse(file).map_err(|error| error.to_string())?;
    let mut metadata = metadata(file);
    for change in changes {
        let Some(text) = metadata.text_mut(change.name) else {
            return Err(format!("there is no metadata called `{}`", change.name));
        };
        *text = change.text;
    }
    let metadata = Some(metadata).filter(|metadata| *metadata != Metadata::EMPTY);
    rten.with_metadata(metadata).map_err(|error| error.to_string())
}
