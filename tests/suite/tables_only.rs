//! What large files cost: their tables are looked at, and not their weights.

#[path = "../../tool/src/map.rs"]
#[cfg(target_os = "linux")]
mod map;

use std::hint::black_box;
use std::time::Duration;

use binfmt_formats::ptd::{Builder, Ptd, ScalarType};
use binfmt_formats::pte::{Edit, Pte};
use binfmt_runtime::BinFormat as _;
use cpu_time::ThreadTime;

use crate::corpus;

/// Bytes without a pattern; none of them can be told from zeros by its place.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let word = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    std::iter::repeat_with(word).take(len.div_ceil(8)).flatten().take(len).collect()
}

const LARGE: usize = 100 << 20;

/// A program with all of the weights in one segment.
fn large_pte() -> Vec<u8> {
    let (small, weights) = (corpus::file("pte", "mlp_xnnpack.pte"), noise(LARGE));
    let mut edit = Edit::new(&Pte::parse(&small).unwrap()).unwrap();
    edit.add_named("weights", &weights).unwrap();
    edit.to_vec().unwrap()
}

/// Tensor data with the weights in ten tensors, of odd lengths so that there is padding.
fn large_ptd() -> Vec<u8> {
    let weights = noise(LARGE);
    let mut file = Builder::new();
    for (index, part) in weights.chunks(LARGE / 10 - 13).enumerate() {
        let len = part.len() as u64;
        file.tensor(&format!("layer.{index}"), ScalarType::Byte, &[len], part).unwrap();
    }
    file.to_vec().unwrap()
}

#[cfg(target_os = "linux")]
mod pages {
    use std::fs;
    use std::io::Write as _;

    use super::*;

    /// How many bytes of a map the system had to give, in whole pages and their neighbours.
    fn touched(map: &[u8]) -> u64 {
        let smaps = fs::read_to_string("/proc/self/smaps").unwrap();
        let start = format!("{:x}-", map.as_ptr().addr());
        let region = smaps.lines().skip_while(|line| !line.starts_with(&start));
        let rss = region.skip(1).find_map(|line| line.strip_prefix("Rss:")).unwrap();
        let kib: u64 = rss.trim().trim_end_matches(" kB").parse().unwrap();
        kib << 10
    }

    /// How many bytes of a file something touches, when it is mapped for it alone.
    fn cost(file: &fs::File, work: impl FnOnce(&[u8])) -> u64 {
        let map = map::map(file).unwrap();
        assert_eq!(touched(&map), 0);
        work(&map);
        touched(&map)
    }

    /// Something that is done with a file, by name.
    type Work = (&'static str, fn(&[u8]));

    /// Every touch brings 64 KiB with it, of a file that is in memory.
    const AROUND: u64 = 64 << 10;

    fn check(bytes: &[u8], places: u64, works: &[Work]) {
        let mut file = tempfile::tempfile().unwrap();
        // Page by page, or the system keeps more of them together than it gives at once.
        for page in bytes.chunks(4096) {
            file.write_all(page).unwrap();
        }
        for (name, work) in works {
            let cost = cost(&file, work);
            assert!(cost > 0 && cost <= places * AROUND, "{name}: {cost} bytes");
        }
        // Who looks at every byte is seen; the system may take back some pages meanwhile.
        let all = cost(&file, |bytes| {
            black_box(bytes.iter().fold(0_u8, |sum, byte| sum ^ byte));
        });
        assert!(all >= LARGE as u64 / 2, "{all}");
    }

    #[test]
    fn weights_of_a_program_stay_on_the_disk() {
        // The tables, and the end of the file.
        check(
            &large_pte(),
            4,
            &[
                ("parse", |bytes| {
                    let pte = Pte::parse(bytes).unwrap();
                    assert_eq!(pte.program().unwrap().named_data().iter().flatten().count(), 5);
                }),
                ("is_valid", |bytes| assert!(Pte::is_valid(bytes))),
                ("validate", |bytes| assert!(Pte::validate(bytes).findings().is_empty())),
            ],
        );
    }

    #[test]
    fn weights_of_tensor_data_stay_on_the_disk() {
        // The tables, and the padding behind each tensor.
        check(
            &large_ptd(),
            4 + 2 * 11,
            &[
                ("parse", |bytes| {
                    let keys = Ptd::parse(bytes).unwrap().keys().unwrap();
                    assert!(keys.get("layer.9").unwrap().unwrap().bytes.is_some());
                }),
                ("is_valid", |bytes| assert!(Ptd::is_valid(bytes))),
                ("validate", |bytes| assert!(Ptd::validate(bytes).findings().is_empty())),
            ],
        );
    }
}

/// Twenty thousand tensors with names such as models have.
fn many_keys() -> Vec<u8> {
    let names: Vec<String> =
        (0..20_000).map(|index| format!("model.layers.{index}.weight")).collect();
    let numbers: Vec<[u8; 4]> = (0..20_000_u32).map(u32::to_le_bytes).collect();
    let mut file = Builder::new();
    file.align(16).unwrap();
    for (name, number) in names.iter().zip(&numbers) {
        file.tensor(name, ScalarType::Int, &[1, 1], number).unwrap();
    }
    file.to_vec().unwrap()
}

/// The tables of a `.ptd`, read as one would by hand: every step checked, nothing kept.
mod by_hand {
    fn number(file: &[u8], at: usize) -> Option<usize> {
        usize::try_from(u32::from_le_bytes(*file.get(at..)?.first_chunk()?)).ok()
    }

    fn long(file: &[u8], at: usize) -> Option<usize> {
        usize::try_from(u64::from_le_bytes(*file.get(at..)?.first_chunk()?)).ok()
    }

    fn short(file: &[u8], at: usize) -> Option<usize> {
        Some(u16::from_le_bytes(*file.get(at..)?.first_chunk()?).into())
    }

    /// Where the field of a slot lies, if the table has it.
    fn field(file: &[u8], table: usize, slot: usize) -> Option<usize> {
        let vtable = table.checked_sub(number(file, table)?)?;
        let entry = 4 + 2 * slot;
        let offset = if entry < short(file, vtable)? { short(file, vtable + entry)? } else { 0 };
        (offset != 0).then(|| table.checked_add(offset))?
    }

    fn follow(file: &[u8], at: usize) -> Option<usize> {
        at.checked_add(number(file, at)?)
    }

    fn bytes(file: &[u8], at: usize) -> Option<&[u8]> {
        let start = follow(file, at)?;
        file.get(start.checked_add(4)?..)?.get(..number(file, start)?)
    }

    /// How many bytes an element takes.
    fn width(scalar: u8) -> Option<usize> {
        Some(match scalar {
            0 | 1 | 11..=13 | 16..=21 | 23..=26 => 1,
            2 | 5 | 15 | 22 | 27 => 2,
            3 | 6 | 8 | 14 | 28 => 4,
            4 | 7 | 9 | 29 => 8,
            10 => 16,
            _ => return None,
        })
    }

    /// The lengths of all keys, the bytes of all tensors, and their sizes.
    pub(super) fn listed(file: &[u8]) -> Option<(u64, u64, u64)> {
        let base = long(file, 32)?;
        let root = number(file, 0)?;
        let segments = follow(file, field(file, root, 1)?)?;
        let named = follow(file, field(file, root, 2)?)?;
        let (mut keys, mut content, mut sizes) = (0, 0, 0);
        for index in 0..number(file, named)? {
            let row = follow(file, named + 4 + 4 * index)?;
            let key = bytes(file, field(file, row, 0)?)?;
            keys += std::str::from_utf8(key).ok()?.len() as u64;
            let layout = follow(file, field(file, row, 2)?)?;
            let scalar = match field(file, layout, 0) {
                Some(at) => *file.get(at)?,
                None => 0,
            };
            let shape = follow(file, field(file, layout, 1)?)?;
            let order = bytes(file, field(file, layout, 2)?)?;
            for dim in 0..number(file, shape)? {
                sizes += number(file, shape + 4 + 4 * dim)? as u64;
            }
            sizes += u64::from(scalar == 3) + order.len() as u64;
            let segment = match field(file, row, 1) {
                Some(at) => number(file, at)?,
                None => 0,
            };
            if segment >= number(file, segments)? {
                return None;
            }
            let segment = follow(file, segments + 4 + 4 * segment)?;
            let offset = field(file, segment, 0).map_or(Some(0), |at| long(file, at))?;
            let size = field(file, segment, 1).map_or(Some(0), |at| long(file, at))?;
            let bytes = file.get(base.checked_add(offset)?..)?.get(..size)?;
            let mut len = width(scalar)?;
            for dim in 0..number(file, shape)? {
                len = len.checked_mul(number(file, shape + 4 + 4 * dim)?)?;
            }
            content += bytes.get(..len)?.len() as u64;
        }
        Some((keys, content, sizes))
    }
}

/// The same, through the declaration.
fn listed(file: &[u8]) -> Option<(u64, u64, u64)> {
    let (mut keys, mut content, mut sizes) = (0, 0, 0);
    for entry in Ptd::parse(file).ok()?.entries().ok()? {
        let entry = entry.ok()?;
        keys += entry.key.len() as u64;
        let layout = entry.layout?;
        for size in &layout.sizes {
            sizes += u64::try_from(size.ok()?).ok()?;
        }
        sizes += u64::from(layout.scalar_type == ScalarType::Int) + layout.dim_order.len() as u64;
        content += entry.bytes?.len() as u64;
    }
    Some((keys, content, sizes))
}

/// The processor time of one run.
fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = ThreadTime::now();
    black_box(work());
    start.elapsed()
}

/// Without optimisation, what vanishes in a release is called.
const MOST: u32 = if cfg!(debug_assertions) { 10 } else { 3 };

#[test]
fn many_keys_are_listed_in_a_few_times_what_it_takes_by_hand() {
    let file = many_keys();
    assert_eq!(listed(&file), by_hand::listed(&file));
    assert!(by_hand::listed(&file).is_some());
    let runs = (0..15).map(|_| (time(|| listed(&file)), time(|| by_hand::listed(&file))));
    let (ours, hand): (Vec<_>, Vec<_>) = runs.unzip();
    let (ours, hand) = (ours.into_iter().min().unwrap(), hand.into_iter().min().unwrap());
    assert!(ours <= hand * MOST, "{ours:?} against {hand:?}");
}
