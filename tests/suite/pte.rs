//! `ExecuTorch` programs: real files, damaged ones, and what a validator says about them.

use binfmt_formats::pte::bundle::Bundle;
use binfmt_formats::pte::{Bare, Extended, Pte};
use binfmt_runtime::BinFormat;

use crate::corpus::{self, Sample};
use crate::laws;
use crate::pte_facts::programs;

#[test]
fn laws_hold_on_every_file() {
    for sample in programs().chain(corpus::mutants("pte")) {
        laws::hold::<Pte<'_>>(&sample.bytes, ());
        laws::hold::<Extended<'_>>(&sample.bytes, ());
        laws::hold::<Bare<'_>>(&sample.bytes, ());
        laws::hold::<Bundle<'_>>(&sample.bytes, ());
    }
    for sample in programs() {
        laws::round_trip::<Pte<'_>>(sample.bytes.leak(), ());
    }
    laws::round_trip::<Bundle<'_>>(corpus::file("pte", "mlp_bundled.bpte").leak(), ());
}

/// Files with findings, all of them warnings: constants in the buffer itself, which the runtimes
/// since 1.3 refuse.
const INLINE: &[&str] = &[
    "add_mul_xnnpack_et021_delegseg.pte",
    "add_mul_xnnpack_et021_inline.pte",
    "conv_bn_softmax_et021_inline.pte",
    "mlp_et021_inline.pte",
    "multi_method_et021_inline.pte",
];

#[test]
fn real_files_have_no_errors_and_are_rewritten_as_they_are() {
    for Sample { name, bytes, .. } in programs() {
        let report = Pte::validate(&bytes);
        laws::assert_no_error(&name, &report);
        let codes: Vec<_> = report.findings().iter().map(|finding| finding.code).collect();
        let expected: &[&str] = if INLINE.contains(&name.as_str()) {
            &["pte.program.constant-buffer.inline"]
        } else {
            &[]
        };
        assert_eq!(codes, expected, "{name}");
        assert_eq!(Pte::parse(&bytes).unwrap().to_vec().unwrap(), bytes, "{name}");
    }
}

/// Mutants that load with the same result and are errors nevertheless: the program reaches into the
/// segments.
const STRICTER: &[&str] = &["program_size_to_eof.pte"];

/// Mutants whose errors lie on what depends on the damage, not on it.
const DEPENDS: &[(&str, &str)] = &[
    ("program_size_minus1.pte", "the tables that are cut off are told"),
    ("program_size_minus64.pte", "the tables that are cut off are told"),
    ("root_offset_near_end.pte", "the table is told that the root leads to"),
    ("root_offset_plus1.pte", "the table is told that the root leads to"),
    ("segment_offset_past_eof.pte", "the vtable is changed; the segment is told that it says"),
    ("segments_null.pte", "the vtable is changed; what needs the segments is told"),
    ("version_nonzero.pte", "the vtable is changed; the version is told that it says"),
];

/// Whether an error lies on the damage; of a file that is cut, in front of where it ends.
fn on_damage(report: &binfmt_runtime::Report, facts: &serde_json::Value, len: u64) -> bool {
    let changed = corpus::changed(facts);
    report.errors().any(|error| {
        changed.iter().any(|(start, end)| {
            let cut = *start == len && start == end;
            cut || error.start < *end && error.end > *start
        })
    })
}

#[test]
fn what_references_refuse_or_read_wrong_is_an_error() {
    let mut unharmed = 0;
    for Sample { name, bytes, facts } in corpus::mutants("pte") {
        let report = Pte::validate(&bytes);
        let same = facts["summary"].as_str().unwrap().starts_with("accept, same");
        if same && !STRICTER.contains(&name.as_str()) {
            laws::assert_no_error(&name, &report);
            let value = Pte::parse(&bytes).unwrap();
            assert_eq!(value.to_vec().unwrap(), bytes, "{name} is rewritten");
            assert!(!report.findings().is_empty(), "{name}: a warning");
            unharmed += 1;
            continue;
        }
        assert!(!report.is_ok(), "{name} ({}): no error\n{report}", facts["summary"]);
        let near = on_damage(&report, &facts, bytes.len() as u64);
        let excused = DEPENDS.iter().any(|(other, _)| *other == name);
        assert_eq!(near, !excused, "{name}: {:?}\n{report}", corpus::changed(&facts));
    }
    assert_eq!(unharmed, 4);
}

/// Sets bytes of a file of the corpus.
fn changed(name: &str, changes: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = corpus::file("pte", name);
    for (at, with) in changes {
        bytes[*at..*at + with.len()].copy_from_slice(with);
    }
    bytes
}

/// The findings of a file, as text.
fn told(bytes: &[u8]) -> Vec<String> {
    Pte::validate(bytes)
        .findings()
        .iter()
        .map(|finding| format!("{}: {finding}", finding.severity.name()))
        .collect()
}

#[test]
fn findings_name_rule_consequence_range_and_values() {
    let mlp = |changes: &[(usize, &[u8])]| changed("mlp.pte", changes);
    let cases: [(Vec<u8>, &str); 6] = [
        (
            mlp(&[(8, b"eh01")]),
            "error: program at 0x8..0xc: the header has another version than `eh00`: a runtime takes the file for one without a header, reads weights from offset 0, and computes with them; expected eh00, found 65 68 30 31 [pte.bare.program.header-version]",
        ),
        (
            mlp(&[(24, &[0; 8])]),
            "error: segment_base at 0x10..0x20: the segments begin at 0: a runtime would read weights from the header, and compute with them; expected 2152, found 0 [pte.extended.segment-base.zero]",
        ),
        (
            mlp(&[(24, &[0x81, 8])]),
            "error: data_size at 0x20..0x28: the header promises more segment bytes than the file has: it is cut, and a runtime refuses it; expected 267, found 268 [pte.extended.data-size.cut]",
        ),
        (
            mlp(&[(12, &[0xff; 4])]),
            "warning: header_len at 0xc..0x10: no release writes a header of 4294967295 bytes; runtimes ignore what they do not know [pte.extended.header-len.known]",
        ),
        (
            mlp(&[(32, &[0; 8])]),
            "warning: data_size at 0x20..0x28: the segments end elsewhere than the header says; a file that is cut may not be noticed; expected 268, found 0 [pte.extended.data-size.end]",
        ),
        (
            changed("mlp_xnnpack.pte", &[(552, &[1])]),
            "error: program.segments[3] at 0x21c..0x234: the segment does not begin on 8 bytes: what is in it would be read from wrong addresses; expected a multiple of 8, found 0x501 [pte.data-segment.offset.align]",
        ),
    ];
    for (bytes, text) in cases {
        let told = told(&bytes);
        assert!(told.iter().any(|line| line == text), "{text}\n{told:#?}");
    }
}

#[test]
fn every_cut_is_an_error() {
    for Sample { name, bytes, .. } in
        programs().filter(|sample| sample.bytes.get(8..12) == Some(b"eh00"))
    {
        // A file of an old release does not say how long its last segment is, but the table does.
        for len in (0..bytes.len()).rev().take(40).chain((0..bytes.len()).step_by(61)) {
            let report = Pte::validate(&bytes[..len]);
            assert!(!report.is_ok(), "{name} cut to {len}\n{report}");
        }
    }
}

#[test]
fn changed_files_are_read_without_panic() {
    for name in ["mlp_xnnpack.pte", "kv_cache_mutable_init.pte", "mlp_et021_inline.pte"] {
        let bytes = corpus::file("pte", name);
        for changed in corpus::single_byte_changes(&bytes, 64) {
            laws::hold::<Pte<'_>>(&changed, ());
        }
        for at in (64..bytes.len().min(3000)).step_by(17) {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            laws::hold::<Pte<'_>>(&changed, ());
        }
    }
}

#[test]
fn reading_and_checking_allocate_nothing() {
    let bytes = corpus::file("pte", "mlp_xnnpack.pte");
    let info = allocation_counter::measure(|| {
        let pte = Pte::parse(&bytes).unwrap();
        let program = pte.program().unwrap();
        let lens = program.segments().iter().map(|segment| segment.unwrap().size);
        assert_eq!(lens.sum::<u64>(), 1452);
        assert!(Pte::is_valid(&bytes));
    });
    assert_eq!(info.count_total, 0);
}
