//! Models in another version, or with other metadata.

use binfmt_formats::rten::{Edit, Metadata, Rten};
use binfmt_runtime::BinFormat as _;

use binfmt_tool::Edits;
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

/// The model with other elements in constants, which are all that can be changed in it.
pub(super) fn edited<'f>(file: &'f [u8], edits: &Edits<'f>) -> Result<Vec<u8>, String> {
    let only = "in a `.rten`, --put changes the elements of constants; nothing else can be edited";
    let others = edits.upgrade || edits.align.is_some();
    if others || !edits.segments.is_empty() || !edits.drop.is_empty() {
        return Err(only.to_owned());
    }
    let rten = Rten::parse(file).map_err(|error| error.to_string())?;
    let mut edit = Edit::new(&rten).map_err(|error| error.to_string())?;
    for (name, bytes) in &edits.put {
        let at = edit.position(name).ok_or_else(|| format!("there is no constant `{name}`"))?;
        edit.set_constant(at, *bytes).map_err(|error| format!("`{name}`: {error}"))?;
    }
    edit.to_vec().map_err(|error| error.to_string())
}
