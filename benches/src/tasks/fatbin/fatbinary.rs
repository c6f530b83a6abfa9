//! The crate of the format. It tells neither the kind nor the flags of an entry as they are stored,
//! and the length of a payload without its padding only for LZ4, so its race folds less.

use std::io::Cursor;

use fatbinary::FatBinary;

use crate::fold;

/// Reads one container into values of its own, and folds what the crate tells.
pub fn own_coarse(file: &[u8]) -> Option<u64> {
    let container = FatBinary::read(Cursor::new(file)).ok()?;
    Some(container.entries().iter().fold(0, |sum, entry| {
        let texts = [entry.get_identifier(), entry.get_ptxas_options()];
        let texts = texts.map(|text| text.unwrap_or_default().as_bytes());
        let len = entry.get_payload().len();
        fold::coarse(sum, entry.contains_elf(), entry.get_sm_arch(), texts, len)
    }))
}
