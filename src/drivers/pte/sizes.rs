//! What makes a program big.

use std::collections::BTreeMap;

use binfmt_formats::pte::{Pte, Role};
use binfmt_runtime::Error;
use serde_json::{Value, json};

use binfmt_tool::covered;
use binfmt_tool::item::offset_in;
use binfmt_tool::json::{number, wide};

/// Bytes by what they are for; all of them together are the file.
pub(super) fn summary(file: &[u8], pte: &Pte<'_>) -> Result<Vec<(&'static str, Value)>, Error> {
    let program = pte.program()?;
    let roles = program.roles();
    let base = pte.header().map_or(0, |header| header.segment_base);
    let mut by_role: BTreeMap<&str, Vec<(u64, u64)>> = BTreeMap::new();
    for (segment, index) in program.segments().iter().zip(0_u64..) {
        let Ok(segment) = segment else { continue };
        let role = roles.get(&index).map_or("unused", |role| role.name());
        by_role.entry(role).or_default().push((base.saturating_add(segment.offset), segment.size));
    }
    let constants = program.constant_buffer.unwrap_or_default();
    let constants = constants.iter().flatten().map(|constant| constant.bytes());
    let blobs = program.backend_delegate_data.unwrap_or_default();
    let blobs = blobs.iter().flatten().map(|blob| blob.bytes());
    let mut inside = Vec::new();
    let constants = constants.map(|bytes| (Role::Constants, bytes));
    for (role, bytes) in constants.chain(blobs.map(|bytes| (Role::Delegate, bytes))) {
        let range = (offset_in(file, bytes), wide(bytes.len()));
        by_role.entry(role.name()).or_default().push(range);
        inside.push(range);
    }
    let tables = pte.header().map_or(wide(file.len()), |header| header.program_size);
    let mut sizes = serde_json::Map::new();
    let mut known = tables.saturating_sub(covered(&mut inside));
    sizes.insert("program".to_owned(), number(known));
    for (role, mut ranges) in by_role {
        let bytes = covered(&mut ranges);
        known = known.saturating_add(bytes);
        sizes.insert(role.to_owned(), number(bytes));
    }
    sizes.insert("padding".to_owned(), number(wide(file.len()).saturating_sub(known)));
    Ok(vec![("sizes", json!(sizes))])
}
