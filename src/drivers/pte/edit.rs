//! Other data in a program.

use binfmt_formats::pte::edit::EditError;
use binfmt_formats::pte::{Edit, Pte};

use binfmt_tool::Edits;

/// The file with changes.
pub(super) fn edited<'f>(pte: &Pte<'f>, edits: &Edits<'f>) -> Result<Vec<u8>, EditError> {
    if edits.upgrade && edits.only_upgrades() {
        return pte.upgraded();
    }
    let mut edit = Edit::new(pte)?;
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
    if let Some(align) = edits.align {
        edit.set_align(align)?;
    }
    edit.to_vec()
}
