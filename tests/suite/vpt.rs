//! Venice Program Tables: real files, damaged files, and tables made from nothing.

use binfmt_formats::vpt::{
    EntryLayout, Expect, Program, ProgramFlags, Table, VERSION, Version, Vpt,
};
use binfmt_runtime::{BinFormat, Class};
use serde_json::Value;

use crate::corpus::{self, Sample};
use crate::laws;

/// What the reference readers insist on.
fn expect(vendor: &Value) -> Expect {
    let id = u32::from_str_radix(vendor.as_str().unwrap().trim_start_matches("0x"), 16).unwrap();
    Expect { version: Some(VERSION), vendor_id: Some(id) }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn laws_hold_on_every_file() {
    for sample in corpus::samples("vpt").into_iter().chain(corpus::mutants("vpt")) {
        laws::hold::<Vpt<'_>>(&sample.bytes, Expect::ANY);
        for layout in [EntryLayout::Plain, EntryLayout::Flagged] {
            laws::hold::<Table<'_>>(&sample.bytes, (Expect::ANY, layout));
        }
    }
    for sample in corpus::samples("vpt") {
        laws::round_trip::<Vpt<'_>>(sample.bytes.leak(), Expect::ANY);
    }
}

#[test]
fn programs_are_those_of_the_reference_reader() {
    for Sample { name, bytes, facts } in corpus::samples("vpt") {
        let vpt = Vpt::parse_with(&bytes, expect(&facts["vendor"])).unwrap();
        let flagged = facts["dialect_entry_header"] == 16;
        assert_eq!(vpt.entries().has_flags(), flagged, "{name}");
        let expected = facts["reference_same_dialect"]["programs"].as_array().unwrap();
        let found: Vec<Program<'_>> =
            vpt.table().programs.iter().collect::<Result<_, _>>().unwrap();
        // The list of programs is cut after 50, the count is not.
        assert_eq!(
            Some(found.len() as u64),
            facts["reference_same_dialect"]["iterated"].as_u64(),
            "{name}"
        );
        for (program, facts) in found.iter().zip(expected) {
            assert_eq!(hex(program.name), facts["name"], "{name}");
            assert_eq!(hex(program.payload), facts["payload_hex"], "{name}");
            assert_eq!(
                program.flags.map(|flags| u64::from(flags.bits())),
                facts["flags"].as_u64(),
                "{name}"
            );
        }
    }
}

#[test]
fn real_files_have_no_findings_and_are_rewritten_as_they_are() {
    for Sample { name, bytes, .. } in corpus::samples("vpt") {
        let report = Vpt::validate(&bytes);
        let notes_only = report.findings().iter().all(|finding| finding.code == "ambiguous");
        assert!(notes_only, "{name}: {report}");
        assert_eq!(Vpt::parse(&bytes).unwrap().to_vec().unwrap(), bytes, "{name}");
    }
}

/// Mutants that are valid tables: loaded at an odd address, with lengths that happen to fit, or
/// with bytes behind `size`, which the document allows. Padding is never looked at by readers.
const VALID: &[&str] = &[
    "misaligned_1.vpt",
    "misaligned_4.vpt",
    "lens_swap.vpt",
    "trailing_junk.vpt",
    "padding_nonzero.vpt",
];

#[test]
fn what_the_reference_rejects_or_reads_short_is_an_error() {
    for Sample { name, bytes, facts } in corpus::mutants("vpt") {
        let report = Vpt::validate_with(&bytes, expect(&facts["vendor"]));
        if VALID.contains(&name.as_str()) {
            laws::assert_no_error(&name, &report);
            continue;
        }
        let changed = corpus::changed(&facts);
        let first = changed.first().map_or(0, |range| range.0);
        let cut = first == bytes.len() as u64;
        let near = report
            .errors()
            .any(|finding| finding.end >= first || (cut && finding.class == Class::Incomplete));
        assert!(near, "{name}: no error on or behind {changed:?}\n{report}");
        assert!(!Vpt::is_valid_with(&bytes, expect(&facts["vendor"])), "{name}");
    }
}

#[test]
fn errors_name_field_range_and_values() {
    let bytes = corpus::file("vpt", "seed_two.vpt");
    let cases: [(usize, u8, &str, &str); 6] = [
        (
            0,
            0,
            "magic",
            "magic at 0x0..0x4: the magic is wrong; expected d9 3e 5c 67, found 00 3e 5c 67 [magic]",
        ),
        (
            4,
            1,
            "vpt.table.version.accepted",
            "version at 0x4..0xc: the table has version 1.1; the reader expects version 0.1 and any vendor [vpt.table.version.accepted]",
        ),
        (
            16,
            200,
            "size",
            "size at 0x10..0x14: the value claims more bytes than there are; expected 88, found 200 [size]",
        ),
        (
            20,
            9,
            "count",
            "program_count at 0x14..0x18: 9 items of at least 8 bytes do not fit behind 0x18; expected 64, found 72 [count]",
        ),
        (
            20,
            3,
            "end",
            "programs[2].name_len at 0x58..0x58: the region ends here; expected 4, found 0 [end]",
        ),
        (
            28,
            255,
            "size",
            "programs[0].payload_len at 0x1c..0x20: the field claims more bytes than are left behind 0x20; expected 56, found 255 [size]",
        ),
    ];
    for (at, value, code, text) in cases {
        let mut damaged = bytes.clone();
        damaged[at] = value;
        let expect = Expect { version: Some(VERSION), vendor_id: None };
        let report = Vpt::validate_with(&damaged, expect);
        let error = report.errors().next().unwrap_or_else(|| panic!("no error for {text}"));
        assert_eq!((error.code, error.to_string().as_str()), (code, text));
    }
}

#[test]
fn versions_fit_as_the_document_says() {
    let accepts = |own: (u32, u32), found: (u32, u32)| {
        let version = |(major, minor)| Version { major, minor };
        Expect { version: Some(version(own)), vendor_id: None }.accepts(&version(found))
    };
    assert!(accepts((0, 1), (0, 1)));
    assert!(!accepts((0, 1), (0, 2)));
    assert!(!accepts((0, 1), (1, 1)));
    assert!(accepts((2, 1), (2, 5)));
    assert!(!accepts((2, 5), (2, 1)));
}

#[test]
fn a_table_is_made_from_programs() {
    let programs = [Program::plain(b"main", b"print"), Program::plain(b"", b"")];
    let bytes = Table::new(0x1123_5813, &programs).to_vec().unwrap();
    assert_eq!(bytes.len(), 24 + 24 + 8);
    let vpt = Vpt::parse(&bytes).unwrap();
    assert_eq!(vpt.entries(), EntryLayout::Plain);
    assert!(vpt.table().programs.iter().map(Result::unwrap).eq(programs));
}

#[test]
fn flags_and_entry_layout_must_agree_when_written() {
    let args = (Expect::ANY, EntryLayout::Flagged);
    let good = [Program::flagged(b"pkg", b"init", ProgramFlags::PACKAGE)];
    let bytes = Table::new(1, &good).to_vec_with(args).unwrap();
    assert_eq!(
        Vpt::parse(&bytes).unwrap().table().programs.iter().next().unwrap().unwrap().is_package(),
        Some(true)
    );
    let bad = [Program::plain(b"pkg", b"init")];
    let error = Table::new(1, &bad).to_vec_with(args).unwrap_err();
    assert_eq!(
        (error.finding().code, error.finding().path.as_str()),
        ("presence", "programs[0].flags")
    );
}

#[test]
fn truncated_and_changed_files_are_read_without_panic() {
    for Sample { bytes, .. } in corpus::samples("vpt") {
        let cut = bytes.len().min(8192);
        for len in 0..cut {
            assert!(!Vpt::is_valid(&bytes[..len]));
            if len > 400 && len % 37 != 0 {
                continue;
            }
            laws::hold::<Vpt<'_>>(&bytes[..len], Expect::ANY);
        }
        for changed in corpus::single_byte_changes(&bytes, 64) {
            laws::hold::<Vpt<'_>>(&changed, Expect::ANY);
        }
    }
}

#[test]
fn reading_and_checking_allocate_nothing() {
    let bytes = corpus::file("vpt", "many_200.vpt");
    let info = allocation_counter::measure(|| {
        let vpt = Vpt::parse(&bytes).unwrap();
        assert_eq!(vpt.table().programs.iter().map(Result::unwrap).count(), 200);
        assert!(Vpt::is_valid(&bytes));
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn every_rule_has_a_witness() {
    let file = corpus::file("vpt", "seed_two.vpt");
    let vendor_id = Table::parse(&file).unwrap().vendor_id;
    let expect = Expect { version: Some(VERSION), vendor_id: Some(vendor_id) };
    let witnesses = binfmt_runtime::laws!(Table<'_>, [&file], args = (expect, EntryLayout::Plain));
    println!("{witnesses}");
    assert_eq!(witnesses.missing(), [] as [&str; 0]);
}
