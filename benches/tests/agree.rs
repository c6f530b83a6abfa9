//! The race is fair: hand-written loop and derived reader accept the same files and read the same.
#![allow(missing_docs, reason = "tests are named, not documented")]

use binfmt_benches::{RACES, Race, Run, data, derived, hand};
use binfmt_formats::{fatbin::Region, vpt::Table};
use binfmt_runtime::BinFormat;

#[test]
fn test_files_have_no_findings() {
    let report = Table::validate(&data::vpt(200));
    assert!(report.findings().is_empty(), "{report:?}");
    let report = Region::validate(&data::fatbin(200));
    assert!(report.findings().is_empty(), "{report:?}");
}

#[test]
fn contestants_agree() {
    RACES.iter().map(Race::file).for_each(drop);
}

/// Returns how many mutants were accepted and how many rejected.
fn compare(
    mutants: impl Iterator<Item = (String, Vec<u8>)>,
    hand: Run,
    derived: Run,
) -> (usize, usize) {
    let (mut accepted, mut rejected) = (0, 0);
    for (what, file) in mutants {
        let (hand, derived) = (hand(&file), derived(&file));
        assert_eq!(hand, derived, "{what}");
        *if hand.is_some() { &mut accepted } else { &mut rejected } += 1;
    }
    (accepted, rejected)
}

/// Every byte set to several values, every 4-byte word to several lengths, every truncation.
fn mutants(file: &[u8]) -> impl Iterator<Item = (String, Vec<u8>)> {
    let bytes = (0..file.len()).flat_map(move |at| {
        [0, 1, 4, 8, 16, 63, 64, 65, 127, 128, 255].into_iter().map(move |byte| {
            let mut file = file.to_vec();
            file[at] = byte;
            (format!("byte {at} = {byte}"), file)
        })
    });
    let words = (0..file.len() / 4).flat_map(move |word| {
        let near = u32::try_from(file.len()).unwrap();
        [0, near - 1, near, near + 1, 0x7FFF_FFFF, u32::MAX - 7, u32::MAX].into_iter().map(
            move |value| {
                let mut file = file.to_vec();
                file[word * 4..][..4].copy_from_slice(&value.to_le_bytes());
                (format!("word {} = {value}", word * 4), file)
            },
        )
    });
    let cuts = (0..file.len()).map(move |len| (format!("cut to {len}"), file[..len].to_vec()));
    let longer = (1..40).map(move |more| (format!("{more} more"), [file, &vec![0; more]].concat()));
    bytes.chain(words).chain(cuts).chain(longer)
}

#[test]
fn same_mutants_of_vpt() {
    let (accepted, rejected) = compare(mutants(&data::vpt(12)), hand::vpt, derived::vpt);
    assert!(accepted > 500 && rejected > 500, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn same_mutants_of_fatbin() {
    let file = data::fatbin(9);
    let (accepted, rejected) = compare(mutants(&file), hand::fatbin, derived::fatbin);
    assert!(accepted > 500 && rejected > 500, "{accepted} accepted, {rejected} rejected");

    // Two containers with zero words between them, and entries that turn into concatenated ones.
    let two = [&file[..], &[0; 24], &data::fatbin(2)].concat();
    compare(mutants(&two), hand::fatbin, derived::fatbin);
}

#[test]
fn same_random_damage() {
    let mut state = 1_u64;
    let mut next = move |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(state >> 33).unwrap() % end
    };
    let (vpt, fatbin) = (data::vpt(12), data::fatbin(9));
    for _ in 0..60_000 {
        for (file, hand, derived) in [
            (&vpt, hand::vpt as Run, derived::vpt as Run),
            (&fatbin, hand::fatbin as Run, derived::fatbin as Run),
        ] {
            let mut file = file.clone();
            for _ in 0..=next(3) {
                let at = next(file.len() / 4) * 4;
                let value = [next(256), next(2_000), 0x100, next(64) * 8][next(4)];
                file[at..][..4].copy_from_slice(&u32::try_from(value).unwrap().to_le_bytes());
            }
            assert_eq!(hand(&file), derived(&file), "{file:x?}");
        }
    }
}
