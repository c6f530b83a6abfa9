//! Models in another version, or with other metadata.

use std::io::Write;

use binfmt_formats::pieces::Pieces;
use binfmt_formats::rten::{Edit, Metadata, Rten};
use binfmt_runtime::BinFormat as _;

use binfmt_tool::Edits;
use binfmt_tool::driver::{Change, Packed, Packing, Unmade};

use crate::drivers::tensors;

pub(super) fn to_version<'f>(file: &'f [u8], target: &str) -> Result<Pieces<'f>, String> {
    let rten = Rten::parse(file).map_err(|error| error.to_string())?;
    let written = match target {
        "rten1" => rten.to_v1().map(Pieces::from),
        "rten2" => rten.pieces_of_v2(),
        other => return Err(format!("there is no version `{other}`")),
    };
    written.map_err(|error| error.to_string())
}

/// The metadata, as far as it can be read.
pub(super) fn metadata(file: &[u8]) -> Metadata<'_> {
    let model = Rten::parse(file).and_then(|rten| rten.model().root());
    model.ok().and_then(|model| model.metadata).unwrap_or(Metadata::EMPTY)
}

pub(super) fn with_metadata<'f>(
    file: &'f [u8],
    changes: &[Change<'_>],
) -> Result<Pieces<'f>, String> {
    let rten = Rten::parse(file).map_err(|error| error.to_string())?;
    let mut metadata = metadata(file);
    for change in changes {
        let Some(text) = metadata.text_mut(change.name) else {
            return Err(format!("there is no metadata called `{}`", change.name));
        };
        *text = change.text;
    }
    let metadata = Some(metadata).filter(|metadata| *metadata != Metadata::EMPTY);
    rten.pieces_with_metadata(metadata).map_err(|error| error.to_string())
}

/// Writes the model with other elements in constants, which are all that can be changed in it.
pub(super) fn edit<'f>(
    file: &'f [u8],
    edits: &Edits<'f>,
    out: &mut dyn Write,
) -> Result<(), Unmade> {
    let only = "in a `.rten`, --put and --weights change the elements of constants; nothing else can be edited";
    let others = edits.upgrade || edits.align.is_some();
    if others || !edits.segments.is_empty() || !edits.drop.is_empty() {
        return Err(Unmade::because(only));
    }
    let rten = Rten::parse(file).map_err(Unmade::because)?;
    let mut edit = Edit::new(&rten).map_err(Unmade::because)?;
    let (weights, how) = tensors::weights(edits);
    edit.set_weights(&weights, how).map_err(tensors::refused)?;
    for (name, bytes) in &edits.put {
        let at = edit.position(name);
        let at = at.ok_or_else(|| Unmade::because(format!("there is no constant `{name}`")))?;
        let done = edit.set_constant(at, *bytes);
        done.map_err(|error| Unmade::because(format!("`{name}`: {error}")))?;
    }
    Ok(edit.pieces(file).map_err(Unmade::because)?.write_to(out)?)
}

/// Writes the model with the bytes of other files in its constants.
pub(super) fn pack(packing: &Packing<'_>, out: &mut dyn Write) -> Result<(), Unmade> {
    let Some(file) = packing.template.filter(|_| packing.added.is_empty()) else {
        let why = "a model has a graph that no file has; constants are not added, nor is it made from scratch";
        return Err(Unmade::because(why));
    };
    if let Some(path) = packing.dropped.first() {
        return Err(Unmade::because(format!("{path}: a constant that the graph uses cannot go")));
    }
    let rten = Rten::parse(file).map_err(Unmade::because)?;
    let tensors = rten.tensors().map_err(Unmade::because)?;
    let mut edit = Edit::new(&rten).map_err(Unmade::because)?;
    for Packed { fields, path, bytes } in &packing.changed {
        let at = tensors.iter().position(|tensor| tensor.path == *path);
        let at = at.ok_or_else(|| Unmade::because(format!("there is no constant {path}")))?;
        let done = edit.set_constant(at, *bytes);
        done.map_err(|error| Unmade::because(format!("{}: {error}", fields.name())))?;
    }
    Ok(edit.pieces(file).map_err(Unmade::because)?.write_to(out)?)
}
