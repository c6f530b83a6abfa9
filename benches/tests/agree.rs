//! The races are fair: all contestants read and write the same, and hand-written loops accept the same
//! files as derived readers.
#![allow(missing_docs, reason = "tests are named, not documented")]

use binfmt_benches::tasks::{fatbin, payload, ptd, pte, records, rten, union, vpt};
use binfmt_benches::{Product, Race, Run, data, races};
use binfmt_formats::ptd::{Ptd, Tables};
use binfmt_formats::pte::Pte;
use binfmt_formats::rten::{NodeData, Rten};
use binfmt_runtime::{BinFormat, FbVec};

type Read = fn(&[u8]) -> Option<u64>;

#[test]
fn contestants_agree() {
    races().map(Race::file).for_each(drop);
}

#[test]
fn races_are_told_apart_and_begin_with_hand_written_code() {
    let mut names: Vec<_> = races().map(|race| (race.task, race.product.name())).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    for race in races() {
        assert_eq!(race.contestants[0].0, "hand", "{race:?}");
        assert_eq!(race.contestants[1].0, "derived", "{race:?}");
    }
}

#[test]
fn neither_reads_half_a_file() {
    for race in races().filter(|race| race.product != Product::Write) {
        let file = (race.data)(race.count);
        for (name, run) in &race.contestants[..2] {
            let Run::Read(read) = run else { panic!("{name} reads") };
            assert_eq!(read(&file[..file.len() / 2]), None, "{} {name}", race.task);
        }
    }
}

/// Returns how many mutants were accepted and how many rejected.
fn compare(
    mutants: impl Iterator<Item = (String, Vec<u8>)>,
    hand: Read,
    derived: Read,
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

#[track_caller]
fn agree(file: &[u8], pairs: &[(Read, Read)]) {
    for (hand, derived) in pairs {
        let (accepted, rejected) = compare(mutants(file), *hand, *derived);
        assert!(accepted > 100 && rejected > 100, "{accepted} accepted, {rejected} rejected");
    }
}

#[test]
fn same_mutants_of_tables() {
    agree(
        &data::records(5),
        &[
            (records::hand::read, records::derived::read),
            (records::hand::own, records::derived::own),
            (records::hand::is_valid, records::derived::is_valid),
        ],
    );
}

#[test]
fn same_mutants_of_unions() {
    agree(
        &data::union(40),
        &[
            (union::hand::read, union::derived::read),
            (union::hand::own, union::derived::own),
            (union::hand::is_valid, union::derived::is_valid),
        ],
    );
}

#[test]
fn same_mutants_of_payloads() {
    let mut file = data::payload(1);
    file.truncate(12);
    file[4..].copy_from_slice(&200_u64.to_le_bytes());
    file.resize(300, 7);
    agree(
        &file,
        &[
            (payload::hand::read, payload::derived::read),
            (payload::hand::own, payload::derived::own),
            (payload::hand::is_valid, payload::derived::is_valid),
        ],
    );
}

#[test]
fn same_mutants_of_vpt() {
    agree(
        &data::vpt(12),
        &[
            (vpt::hand::read, vpt::derived::read),
            (vpt::hand::own, vpt::derived::own),
            (vpt::hand::is_valid, vpt::derived::is_valid),
        ],
    );
}

#[test]
fn same_mutants_of_fatbin() {
    let file = data::fatbin(9);
    let read: [(Read, Read); 2] = [
        (fatbin::hand::read, fatbin::derived::read),
        (fatbin::hand::is_valid, fatbin::derived::is_valid),
    ];
    agree(&file, &read);

    // Two containers with zero words between them, and entries that turn into concatenated ones.
    let two = [&file[..], &[0; 24], &data::fatbin(2)].concat();
    compare(mutants(&two), fatbin::hand::read, fatbin::derived::read);
}

/// Hand-written loops know the tables that the test files have. They may reject what has others, and
/// nothing else that the declarations accept.
#[track_caller]
fn agree_on_tables(file: &[u8], pairs: &[(Read, Read)], has_others: fn(&[u8]) -> bool) {
    for (hand, derived) in pairs {
        let (mut accepted, mut rejected, mut others) = (0, 0, 0);
        for (what, file) in mutants(file) {
            match (hand(&file), derived(&file)) {
                (None, Some(_)) if has_others(&file) => others += 1,
                (hand, derived) => {
                    assert_eq!(hand, derived, "{what}");
                    *if hand.is_some() { &mut accepted } else { &mut rejected } += 1;
                }
            }
        }
        assert!(accepted > 100 && rejected > 100, "{accepted} accepted, {rejected} rejected");
        assert!(others * 20 < accepted + rejected, "{others} are not compared");
    }
}

fn has_items<T>(list: Option<FbVec<'_, T>>) -> bool {
    list.is_some_and(|list| !list.is_empty())
}

#[test]
fn same_mutants_of_pte() {
    let pairs: [(Read, Read); 2] =
        [(pte::hand::read, pte::derived::read), (pte::hand::is_valid, pte::derived::is_valid)];
    agree_on_tables(&data::pte(4), &pairs, |file| {
        let Ok(file) = Pte::parse(file) else { return false };
        let Ok(program) = file.program() else { return false };
        let plans = program.plans().into_iter().flatten().any(|plan| {
            has_items(plan.values)
                || has_items(plan.delegates)
                || has_items(Some(plan.non_const_buffer_device))
                || plan
                    .chains()
                    .into_iter()
                    .flatten()
                    .any(|chain| has_items(chain.instructions) || has_items(chain.stacktrace))
        });
        let no_size = file.header().is_none_or(|header| header.data_size.is_none());
        plans
            || no_size
            || has_items(program.constant_buffer)
            || has_items(program.backend_delegate_data)
            || has_items(program.mutable_data_segments)
            || program.constant_segment.is_some()
    });
}

#[test]
fn same_mutants_of_ptd() {
    let pairs: [(Read, Read); 2] =
        [(ptd::hand::read, ptd::derived::read), (ptd::hand::is_valid, ptd::derived::is_valid)];
    agree_on_tables(&data::ptd(4), &pairs, |file| {
        let root = Ptd::parse(file).and_then(|file| file.tables.root());
        matches!(root, Ok(Tables::FlatTensor06(_)))
    });
}

#[test]
fn same_mutants_of_rten() {
    let pairs: [(Read, Read); 2] =
        [(rten::hand::read, rten::derived::read), (rten::hand::is_valid, rten::derived::is_valid)];
    agree_on_tables(&data::rten(6), &pairs, |file| {
        let Ok(Rten::V2(file)) = Rten::parse(file) else { return true };
        let Ok(model) = file.model.root() else { return false };
        let node = |data| match data {
            Some(NodeData::Operator(operator)) => operator.attributes.is_some(),
            Some(NodeData::Constant(constant)) => constant.data.is_some(),
            Some(NodeData::Value(_)) => false,
            Some(NodeData::Other(_)) | None => true,
        };
        model.metadata.is_some() || model.graph.nodes.iter().flatten().any(|found| node(found.data))
    });
}

#[test]
fn same_random_damage() {
    let mut state = 1_u64;
    let mut next = move |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(state >> 33).unwrap() % end
    };
    let cases: [(Vec<u8>, Read, Read); 2] = [
        (data::vpt(12), vpt::hand::read, vpt::derived::read),
        (data::fatbin(9), fatbin::hand::read, fatbin::derived::read),
    ];
    for _ in 0..60_000 {
        for (file, hand, derived) in &cases {
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
