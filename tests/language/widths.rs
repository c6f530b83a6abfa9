//! Numbers of variable width around values whose places are found out while they are written.

use binfmt_runtime::{BinFormat, Leb128, laws};

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Entry {
    to: u16,
    #[bin(at = to, place = around, nul, align_before = 2, base = file)]
    name: String,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
#[bin(little)]
struct Body {
    #[bin(prefix = u8)]
    entries: Vec<Entry>,
    data_len: u16,
    #[bin(section = open, len = data_len)]
    data: Vec<u8>,
}

#[derive(BinFormat, Debug, Clone, PartialEq, Default)]
struct Prefixed {
    #[bin(prefix = Leb128<u16>)]
    body: Body,
    end: u8,
}

fn entry(to: u16, name: &str) -> Entry {
    Entry { to, name: name.into() }
}

/// A prefix has a byte more than it needs where it would need it without: that moves what it measures to
/// other padding. Such a file is reported, and a writer that knows the places again finds the shorter one.
#[test]
fn a_prefix_that_moves_what_it_measures_is_written_and_reported() {
    let (mut too_wide, mut written) = (0, 0);
    for (to, longest) in (0..140).flat_map(|to| (20..60).map(move |longest| (to, longest))) {
        let names = ["a", &"b".repeat(longest), "c"];
        let entries = [0, to, 0].into_iter().zip(names).map(|(to, name)| entry(to, name)).collect();
        let value = Prefixed { body: Body { entries, ..Body::default() }, end: 7 };
        let bytes = laws::written_is_read(&value, ()).unwrap().unwrap();
        written += 1;
        if Prefixed::parse(bytes).unwrap().to_vec().unwrap() != bytes {
            let report = Prefixed::validate(bytes);
            assert!(report.findings().iter().any(|found| found.code == "canonical"), "{report}");
            too_wide += 1;
        }
    }
    assert!(too_wide > 0 && too_wide < written / 50, "{too_wide} of {written}");
}
