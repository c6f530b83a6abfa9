//! Containers for `scan`: walked, not decoded.

use binfmt_formats::fatbin::file::Placed;
use binfmt_formats::fatbin::{self, Kind, Member, payload};
use binfmt_runtime::BinFormat as _;

use binfmt_tool::driver::{Container, Entry};
use binfmt_tool::item::offset_in;
use binfmt_tool::json::wide;

/// Walks the container at `at` to its end, or says how many entries the walk came.
pub(super) fn prove(file: &[u8], at: usize) -> Result<Container, u64> {
    let container = fatbin::Container::parse_in(file, at..file.len(), ()).map_err(|_| 1_u64)?;
    let len = u64::from(container.header_len).checked_add(container.size);
    let len = len.and_then(|len| usize::try_from(len).ok()).ok_or(1_u64)?;
    let is_empty = container.size == 0;
    let placed = Placed { offset: wide(at), index: 0, container };
    let mut entries = Vec::new();
    for (steps, entry) in (1_u64..).zip(placed.entries()) {
        let (_, entry) = entry.map_err(|_| steps)?;
        add(&mut entries, file, &entry);
    }
    // No tool writes a container that holds bytes but no entry.
    if entries.is_empty() && !is_empty {
        return Err(1);
    }
    Ok(Container { range: at..at.saturating_add(len), entries })
}

/// Adds an entry, or the members of a concatenated one.
fn add(entries: &mut Vec<Entry>, file: &[u8], entry: &fatbin::Entry<'_>) {
    let stored = wide(entry.payload.len());
    let mut offset = offset_in(file, entry.payload);
    let claimed = if entry.flags.is_compressed() { entry.uncompressed_len } else { stored };
    let decoded = Some(claimed).filter(|claimed| *claimed <= entry.flags.codec().most(stored));
    if entry.kind != Kind::Concat {
        let arch = payload::arch_name(entry.arch, entry.flags);
        entries.push(Entry { kind: entry.kind.name().to_owned(), arch, offset, stored, decoded });
        return;
    }
    let members = entry.members.iter().flat_map(|table| table.members.iter());
    let members: Vec<Member<'_>> = members.map_while(Result::ok).collect();
    // All members together are the blob, whatever each of them says.
    let mut left = decoded;
    for (member, stored) in members.iter().zip(shares(&members, stored)) {
        left = left.and_then(|left| left.checked_sub(member.len));
        entries.push(Entry {
            kind: member.kind.name().to_owned(),
            arch: payload::arch_name(member.arch, member.flags),
            offset,
            stored,
            decoded: left.map(|_| member.len),
        });
        offset = offset.saturating_add(stored);
    }
}

/// Divides the stored bytes of a blob among its members by their decoded lengths, so that sums
/// over members are sums over the file.
fn shares(members: &[Member<'_>], stored: u64) -> Vec<u64> {
    let total: u128 = members.iter().map(|member| u128::from(member.len)).sum();
    let up_to = |done: u128| {
        let share = (u128::from(stored) * done).checked_div(total).unwrap_or(0);
        u64::try_from(share).unwrap_or(stored)
    };
    let mut done = 0;
    let share = |member: &Member<'_>| {
        let before = up_to(done);
        done += u128::from(member.len);
        up_to(done) - before
    };
    members.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use binfmt_formats::fatbin::Flags;
    use binfmt_formats::fatbin::codec::Codec;

    use super::*;

    fn container<'a>(entries: &'a [fatbin::Entry<'a>]) -> Vec<u8> {
        fatbin::Container::new(entries).to_vec().unwrap()
    }

    #[test]
    fn entries_are_counted_as_their_headers_say() {
        let entries = [
            fatbin::Entry::plain(Kind::Elf, 90, b"12345678"),
            fatbin::Entry {
                flags: Flags::ZSTD | Flags::FAMILY_SPECIFIC,
                ..fatbin::Entry::compressed(Kind::Nvvm, 100, Codec::Zstd, b"1234", 30)
            },
        ];
        let bytes = container(&entries);
        let file = [b"....", &bytes[..], b"...."].concat();
        let proven = prove(&file, 4).unwrap();
        assert_eq!(proven.range, 4..4 + bytes.len());
        let found = proven.entries.iter().map(|entry| {
            let place = usize::try_from(entry.offset).unwrap();
            let stored = &file[place..place + usize::try_from(entry.stored).unwrap()];
            (entry.kind.as_str(), entry.arch.as_str(), stored, entry.decoded)
        });
        let expected =
            [("elf", "sm_90", &b"12345678"[..], Some(8)), ("nvvm", "sm_100f", b"1234", Some(30))];
        assert!(found.eq(expected));
    }

    #[test]
    fn lengths_that_cannot_be_are_not_counted() {
        for (codec, most) in [
            (Codec::Zlib, 4128),
            (Codec::Lz4, 1036),
            (Codec::Lz4Frame, 1036),
            (Codec::Zstd, 1 << 17),
        ] {
            for (claimed, decoded) in [(most, Some(most)), (most + 1, None), (u64::MAX, None)] {
                let entry = fatbin::Entry::compressed(Kind::Elf, 90, codec, b"1234", claimed);
                let proven = prove(&container(&[entry]), 0).unwrap();
                assert_eq!(proven.entries[0].decoded, decoded, "{codec:?} {claimed}");
            }
        }
    }

    #[test]
    fn container_that_is_cut_off_is_none() {
        let bytes = container(&[fatbin::Entry::plain(Kind::Elf, 90, b"12345678")]);
        for len in 0..bytes.len() {
            assert!(prove(&bytes[..len], 0).is_err(), "{len}");
        }
        assert_eq!(prove(&container(&[]), 0).unwrap().range, 0..16);
    }
}
