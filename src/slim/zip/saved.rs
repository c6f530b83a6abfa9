//! Whether a new archive is what it should be: what is compared is read from both files.

use std::io::Cursor;
use std::path::Path;

use ::zip::ZipArchive;
use binfmt_tool::input::Input;

use super::Archive;
use super::members::{Members, Stopped};

/// Every member is there, in the old order but for the list of a wheel; what has not changed has the
/// bytes that it was stored as, and what has changed the hash that it should have.
pub(super) fn check(
    input: &Input,
    old: &mut Archive<'_>,
    written: &Path,
    members: &Members<'_>,
) -> Result<(), Stopped> {
    let file = Input::open(written).map_err(|trouble| wrong(&trouble.to_string()))?;
    let mut new = ZipArchive::new(Cursor::new(&*file))?;
    let record = members.wheel.map(|wheel| wheel.record.0.as_str());
    let names = |archive: &Archive<'_>| -> Vec<Vec<u8>> {
        archive.file_names_raw().map(<[u8]>::to_vec).collect()
    };
    let (mut expected, found) = (names(old), names(&new));
    if let Some(record) = record {
        expected.retain(|name| name != record.as_bytes());
        expected.push(record.as_bytes().to_vec());
    }
    if expected != found {
        return Err(wrong("other members"));
    }
    for (index, name) in found.iter().enumerate() {
        let sum = std::str::from_utf8(name).ok().and_then(|name| members.sums.get(name));
        let same = match sum {
            Some(sum) => sum.same_of(new.by_index(index)?)? == *sum,
            None => {
                let place = old.index_for_name_raw(name).ok_or_else(|| wrong("other members"))?;
                stored(input, old, place)? == stored(&file, &mut new, index)?
            }
        };
        if !same {
            return Err(wrong(&format!("another {}", String::from_utf8_lossy(name))));
        }
    }
    Ok(())
}

/// A member as it is stored: the check of its bytes, their number, its attributes, and the bytes.
type Stored<'f> = (u32, u64, Option<u32>, &'f [u8]);

fn stored<'f>(
    file: &'f Input,
    archive: &mut Archive<'_>,
    index: usize,
) -> Result<Stored<'f>, Stopped> {
    let member = archive.by_index_raw(index)?;
    let start = member.data_start().and_then(|start| usize::try_from(start).ok());
    let len = usize::try_from(member.compressed_size()).ok();
    let end = start.zip(len).and_then(|(start, len)| start.checked_add(len));
    let bytes = start.zip(end).and_then(|(start, end)| file.get(start..end));
    let bytes = bytes.ok_or_else(|| wrong("a member that is cut off"))?;
    Ok((member.crc32(), member.size(), member.unix_mode(), bytes))
}

fn wrong(found: &str) -> Stopped {
    Stopped::Wrong(format!("the new archive is not as it was planned, it has {found}"))
}
