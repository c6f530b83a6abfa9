use std::io::Write as _;

use super::made::{gzipped, tarred, zipped};
use super::*;

/// Names and sizes of files, and what was skipped.
#[derive(Default)]
struct Seen(Vec<String>);

impl Visitor for Seen {
    fn file(&mut self, path: &Path, bytes: &[u8], _: Option<&Arc<Content>>) -> bool {
        self.0.push(format!("{} {}", shown(path), bytes.len()));
        false
    }

    fn skipped(&mut self, path: &Path, why: &str) {
        self.0.push(format!("{} {why}", shown(path)));
    }
}

fn seen(name: &str, bytes: &[u8], mut limits: Limits) -> Vec<String> {
    let mut seen = Seen::default();
    visit(Path::new(name), bytes, &mut limits, &mut seen);
    // The file itself comes first.
    seen.0.split_off(1)
}

#[test]
fn files_are_found_in_files_in_files() {
    let inner = tarred(&[("x/y.bin", b"abc"), ("z", b"")]);
    let xz = {
        let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
        encoder.write_all(b"hello").unwrap();
        encoder.finish().unwrap()
    };
    let zst = zstd::encode_all(&b"hello"[..], 1).unwrap();
    let members: [(&str, &[u8]); 3] =
        [("a.tar.gz", &gzipped(&inner)), ("b.xz", &xz), ("d/c.zst", &zst)];
    let names: Vec<_> = seen("w.whl", &zipped(&members), Limits::default())
        .into_iter()
        .map(|line| line.split_once(' ').unwrap().0.to_owned())
        .collect();
    assert_eq!(
        names,
        [
            "w.whl!a.tar.gz",
            "w.whl!a.tar.gz!a.tar",
            "w.whl!a.tar.gz!a.tar!x/y.bin",
            "w.whl!a.tar.gz!a.tar!z",
            "w.whl!b.xz",
            "w.whl!b.xz!b",
            "w.whl!d/c.zst",
            "w.whl!d/c.zst!c",
        ]
    );
}

#[test]
fn large_members_are_whole() {
    let bytes: Vec<u8> = (0..3 * SMALL).map(|at| u8::try_from(at % 251).unwrap()).collect();
    for archive in [zipped(&[("m", &bytes)]), tarred(&[("m", &bytes)])] {
        struct Same<'s>(&'s [u8], bool);
        impl Visitor for Same<'_> {
            fn file(&mut self, path: &Path, bytes: &[u8], _: Option<&Arc<Content>>) -> bool {
                self.1 |= shown(path).ends_with("!m") && bytes == self.0;
                false
            }
            fn skipped(&mut self, _: &Path, why: &str) {
                panic!("{why}");
            }
        }
        let mut same = Same(&bytes, false);
        visit(Path::new("a"), &archive, &mut Limits::default(), &mut same);
        assert!(same.1);
    }
}

#[test]
fn bombs_meet_their_limits() {
    let zeros = vec![0; 8 << 20];
    let limits = Limits { member: 1 << 20, ..Limits::default() };
    let told = seen("a.gz", &gzipped(&zeros), limits);
    assert!(told.len() == 1 && told[0].contains("larger than 1048576 bytes"), "{told:?}");
    let limits = Limits { members: 1, ..Limits::default() };
    let told = seen("a.zip", &zipped(&[("a", b""), ("b", b""), ("c", b"")]), limits);
    assert_eq!(told, ["a.zip!a 0", "a.zip!b there are too many files in it"]);
    let limits = Limits { total: 5, ..Limits::default() };
    let told = seen("a.tar", &tarred(&[("a", b"1234"), ("b", b"1234")]), limits);
    assert!(told[1].contains("larger than 1 bytes"), "{told:?}");
    let mut nested = b"x".to_vec();
    for _ in 0..20 {
        nested = gzipped(&nested);
    }
    let told = seen("a", &nested, Limits::default());
    assert!(told.len() < 12 && told.last().unwrap().contains("archives already"), "{told:?}");
}

#[test]
fn damage_is_skipped_with_a_reason() {
    let whole = zipped(&[("a", b"some text that is long enough"), ("b", b"other")]);
    for cut in 0..whole.len() {
        let _ = seen("a.zip", &whole[..cut], Limits::default());
    }
    let told = seen("a.zip", &whole[..whole.len() - 30], Limits::default());
    assert!(told.iter().any(|line| line.contains("cannot be looked into")), "{told:?}");
    let mut gz = gzipped(b"some text");
    gz.truncate(15);
    let told = seen("a.gz", &gz, Limits::default());
    assert!(told[0].contains("cannot be unpacked"), "{told:?}");
}

#[test]
fn members_that_have_the_name_of_another_are_not_passed_over_in_silence() {
    let mut twice = zipped(&[("x1", b"first"), ("x2", b"second")]);
    for at in 0..twice.len() - 1 {
        if &twice[at..at + 2] == b"x2" {
            twice[at + 1] = b'1';
        }
    }
    let told = seen("a.zip", &twice, Limits::default());
    assert_eq!(told.last().unwrap(), "a.zip 1 of its members have the name of another");
}

#[test]
fn streams_without_an_end_are_read_up_to_a_limit() {
    let most = 3 * u64::try_from(SMALL).unwrap();
    assert!(kept(&mut io::repeat(7), most).unwrap().is_none());
    for len in [0, 1, most / 3 - 1, most / 3, most / 3 + 1, most] {
        let whole = kept(&mut io::repeat(7).take(len), most).unwrap().unwrap();
        assert_eq!(crate::json::wide(whole.len()), len);
        assert!(whole.iter().all(|byte| *byte == 7));
    }
}
