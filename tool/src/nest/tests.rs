use std::io::{Cursor, Write as _};

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

fn zipped(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn tarred(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len().try_into().unwrap());
        header.set_mode(0o644);
        builder.append_data(&mut header, name, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
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
