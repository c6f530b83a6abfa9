//! Other data in a program.

use std::io::Write;

use binfmt_formats::pte::edit::EditError;
use binfmt_formats::pte::{Edit, Pte};
use binfmt_runtime::BinFormat as _;
use binfmt_tool::Edits;
use binfmt_tool::driver::Unmade;

use crate::drivers::tensors;

/// Writes the file with changes.
pub(super) fn edit<'f>(
    file: &'f [u8],
    edits: &Edits<'f>,
    out: &mut dyn Write,
) -> Result<(), Unmade> {
    let pte = Pte::parse(file).map_err(Unmade::because)?;
    if edits.upgrade && edits.only_upgrades() {
        return Ok(out.write_all(&pte.upgraded().map_err(Unmade::because)?)?);
    }
    let edit = edited(&pte, edits)?;
    Ok(edit.pieces(file).map_err(Unmade::because)?.write_to(out)?)
}

fn edited<'f>(pte: &Pte<'f>, edits: &Edits<'f>) -> Result<Edit<'f>, Unmade> {
    let mut edit = Edit::new(pte).map_err(Unmade::because)?;
    let (weights, how) = tensors::weights(edits);
    edit.set_weights(&weights, how).map_err(tensors::refused)?;
    changed(&mut edit, edits).map_err(Unmade::because)?;
    Ok(edit)
}

fn changed<'f>(edit: &mut Edit<'f>, edits: &Edits<'f>) -> Result<(), EditError> {
    if edits.upgrade {
        edit.move_constants()?;
    }
    for (index, bytes) in &edits.segments {
        edit.replace_segment(*index, *bytes)?;
    }
    for key in &edits.drop {
        edit.drop_named(key)?;
    }
    for (key, bytes) in &edits.put {
        match edit.replace_named(key, *bytes) {
            Err(EditError::NoKey(_)) if edits.add => edit.add_named(*key, *bytes)?,
            other => other?,
        }
    }
    match edits.align {
        Some(align) => edit.set_align(align),
        None => Ok(()),
    }
}
