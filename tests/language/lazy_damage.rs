//! A writer meets what is damaged in lazy parts, and tells of it as a validator does: at the same path and place.

use binfmt_runtime::{BinFormat, Lazy, LinkedSeq, Seq};

#[derive(BinFormat, Debug, PartialEq)]
struct File<'a> {
    #[bin(prefix = u8)]
    list: Seq<'a, Item>,
    #[bin(prefix = u8)]
    whole: Lazy<'a, Item>,
    #[bin(count = 2, args(before = previous.kind or 1))]
    linked: LinkedSeq<'a, Linked>,
    #[bin(len = 8)]
    lists: Seq<'a, Inner<'a>>,
    #[bin(count = 2)]
    table: Seq<'a, Row>,
    #[bin(for_each = table, len = it.len)]
    values: Vec<String>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Item {
    #[bin(range = 1..=3)]
    kind: u8,
    #[bin(prefix = u8)]
    text: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(args(before: u8))]
struct Linked {
    #[bin(check(kind >= before, "kinds rise"))]
    kind: u8,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Inner<'a> {
    #[bin(count = 2)]
    items: Seq<'a, Item>,
}

#[derive(BinFormat, Debug, Clone, PartialEq)]
struct Row {
    #[bin(magic = b"r")]
    len: u8,
}

const FILE: &[u8] =
    b"\x02\x01\x01a\x02\0\x04\x03\x02bc\x01\x02\x01\0\x02\0\x03\0\x01\0r\x01r\x02xyz";

#[test]
fn writers_tell_of_damage_in_lazy_parts_as_validators_do() {
    assert_eq!(File::parse(FILE).unwrap().to_vec().unwrap(), FILE);
    let mut told = 0;
    for at in 0..FILE.len() {
        for byte in 0..=u8::MAX {
            let mut bytes = FILE.to_vec();
            bytes[at] = byte;
            let report = File::validate(&bytes);
            let Ok(file) = File::parse(&bytes) else { continue };
            let Err(error) = file.to_vec() else {
                assert!(report.is_ok(), "{at:#x} {byte:#x}: {report}");
                continue;
            };
            let place = |finding: &binfmt_runtime::Finding| {
                (finding.path.to_string(), finding.start, finding.end, finding.code)
            };
            let mut errors = report.errors().map(place);
            let error = place(error.finding());
            assert!(errors.any(|other| other == error), "{error:?}, and the validator {report}");
            told += 1;
        }
    }
    assert!(told > 1_000, "only {told}");
}
