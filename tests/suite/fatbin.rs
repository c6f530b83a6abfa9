//! Fat binaries: real files, and files damaged on purpose.

use std::collections::BTreeMap;

use binfmt_formats::fatbin::file::{self, Part};
use binfmt_formats::fatbin::{Entry, Item, Kind, Region, payload};
use binfmt_runtime::{BinFormat, Class, Problem, Report, Severity, Show, Wire as _};
use serde_json::Value;

use crate::corpus::{self, Sample};
use crate::laws;

/// Junk between containers, by what the corpus says of itself.
const DAMAGED: &str = "cat_gap_junk.fatbin";

/// All findings about a file, payloads included.
pub(crate) fn validate(bytes: &[u8]) -> Report {
    let mut report = Report::new();
    for part in file::parts(bytes).unwrap() {
        report.extend(file::validate(bytes, &part).findings().iter().cloned());
        for (offset, entry) in entries(bytes, &part) {
            if let Err(error) = payload::check(&entry, payload::DEFAULT_LIMIT) {
                let start =
                    usize::try_from(offset).unwrap() + usize::try_from(entry.header_len).unwrap();
                let problem = Problem {
                    code: error.rule().code,
                    class: Class::Invalid,
                    start,
                    end: start + entry.payload.len(),
                    what: format_args!("{error}"),
                    expected: Show::Nothing,
                    found: Show::Nothing,
                };
                report.add(error.rule().severity, "payload", &problem);
            }
        }
    }
    if bytes.is_empty() {
        let what = format_args!("the file is empty");
        let (expected, found) = (Show::Nothing, Show::Nothing);
        let class = Class::Incomplete;
        report.add(
            Severity::Error,
            "",
            &Problem { code: "empty", class, start: 0, end: 0, what, expected, found },
        );
    }
    report
}

fn entries<'a>(bytes: &'a [u8], part: &Part) -> Vec<(u64, Entry<'a>)> {
    let containers = file::containers(bytes, part).map_while(Result::ok);
    containers.flat_map(|placed| placed.entries().map_while(Result::ok)).collect()
}

#[test]
fn laws_hold_on_every_file() {
    for sample in corpus::samples("fatbin").into_iter().chain(corpus::mutants("fatbin")) {
        laws::hold::<Region<'_>>(&sample.bytes, ());
    }
    for sample in corpus::samples("fatbin") {
        if sample.name.ends_with(".fatbin") && sample.name != DAMAGED {
            laws::round_trip::<Region<'_>>(sample.bytes.leak(), ());
        }
    }
}

#[test]
fn headers_are_those_of_the_reference_layout() {
    for Sample { name, bytes, facts } in corpus::samples("fatbin") {
        let Some(sections) = facts["layout"].as_array().filter(|_| name != DAMAGED) else {
            continue;
        };
        let sections: Vec<_> =
            sections.iter().filter(|section| !section["containers"].is_null()).collect();
        let parts = file::parts(&bytes).unwrap();
        assert_eq!(parts.len(), sections.len(), "{name}");
        for (part, section) in parts.iter().zip(sections) {
            assert_eq!(part.name, section["section"].as_str().unwrap(), "{name}");
            compare_section(&name, &bytes, part, section);
        }
    }
}

fn compare_section(name: &str, bytes: &[u8], part: &Part, section: &Value) {
    let base = u64::try_from(part.range.start).unwrap();
    assert_eq!(Some(base), section["offset"].as_u64(), "{name}");
    let expected = section["containers"].as_array().unwrap();
    let found: Vec<_> =
        file::containers(bytes, part).take(expected.len()).map(Result::unwrap).collect();
    assert_eq!(found.len(), expected.len(), "{name}");
    for (placed, facts) in found.iter().zip(expected) {
        let container = &placed.container;
        assert_eq!(Some(placed.offset - base), facts["offset"].as_u64(), "{name}");
        assert_eq!(Some(u64::from(container.version)), facts["version"].as_u64(), "{name}");
        assert_eq!(Some(u64::from(container.header_len)), facts["header_size"].as_u64(), "{name}");
        assert_eq!(Some(container.size), facts["size"].as_u64(), "{name}");
        let entries: Vec<_> = placed.entries().map(Result::unwrap).collect();
        let facts = facts["entries"].as_array().unwrap();
        assert_eq!(entries.len(), facts.len(), "{name}");
        for ((offset, entry), facts) in entries.iter().zip(facts) {
            assert_eq!(Some(offset - base), facts["offset"].as_u64(), "{name}");
            compare_entry(name, entry, facts);
        }
    }
}

fn compare_entry(name: &str, entry: &Entry<'_>, facts: &Value) {
    let hex = |value: &Value| {
        u64::from_str_radix(value.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
    };
    let pairs = [
        (u64::from(kind_number(entry.kind)), hex(&facts["kind"])),
        (u64::from(entry.version), hex(&facts["ver"])),
        (entry.flags.bits(), hex(&facts["flags"])),
        (u64::from(entry.header_len), facts["hsize"].as_u64().unwrap()),
        (entry.padded_len, facts["psize"].as_u64().unwrap()),
        (u64::from(entry.stored_len), facts["csize"].as_u64().unwrap()),
        (entry.uncompressed_len, facts["usize"].as_u64().unwrap()),
        (u64::from(entry.options_offset), facts["opt_off"].as_u64().unwrap()),
        (u64::from(entry.code_minor), facts["minor"].as_u64().unwrap()),
        (u64::from(entry.code_major), facts["major"].as_u64().unwrap()),
        (u64::from(entry.arch), facts["arch"].as_u64().unwrap()),
        (u64::from(entry.name_offset), facts["name_off"].as_u64().unwrap()),
        (u64::from(entry.name_len), facts["name_len"].as_u64().unwrap()),
        (entry.obfuscation_key, facts["z"].as_u64().unwrap()),
    ];
    for (index, (found, expected)) in pairs.into_iter().enumerate() {
        assert_eq!(found, expected, "{name}: field {index}");
    }
    if let Some(sha256) = facts["stored_sha256"].as_str() {
        assert_eq!(corpus::sha256(entry.payload), sha256, "{name}");
    }
    if let Some(text) = facts["name"].as_str() {
        assert_eq!(String::from_utf8_lossy(entry.name_bytes()), text, "{name}");
    }
    if let Some(options) = facts["options"].as_str() {
        let data = entry.options.as_ref().and_then(|options| options.data).unwrap_or_default();
        let hex: String = data.iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(
            hex == options || String::from_utf8_lossy(data) == options,
            "{name}: {hex} against {options}"
        );
    }
}

fn kind_number(kind: Kind) -> u16 {
    match kind.value() {
        binfmt_runtime::Value::Enum { number, .. } => u16::try_from(number).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// What an entry is extracted as: file name to bytes, in listing order, members of concatenated
/// entries like entries of their own.
fn extracted(stem: &str, bytes: &[u8]) -> (Vec<String>, Vec<String>, BTreeMap<String, Vec<u8>>) {
    let (mut elf, mut ptx, mut files) = (Vec::new(), Vec::new(), BTreeMap::new());
    for part in file::parts(bytes).unwrap() {
        for (_, entry) in entries(bytes, &part) {
            let Ok(decoded) = payload::decode(&entry, payload::DEFAULT_LIMIT) else { continue };
            let mut add = |kind: Kind, arch, flags, name: Option<&[u8]>, code: &[u8]| {
                let (list, ending) = if kind.is_elf() {
                    (&mut elf, "cubin")
                } else if kind.is_ptx() {
                    (&mut ptx, "ptx")
                } else {
                    return;
                };
                let arch = payload::arch_name(arch, flags);
                // The reference names cubins of a family after the plain architecture.
                let arch = if kind.is_elf() { arch.trim_end_matches('f').to_owned() } else { arch };
                let name = match name {
                    Some(name) => {
                        let name = String::from_utf8_lossy(name);
                        let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
                        format!("{stem}.{arch}.{ending}")
                    }
                    None => format!("{stem}.{}.{arch}.{ending}", list.len() + 1),
                };
                files.insert(name.clone(), payload::content(kind, code).unwrap().to_vec());
                list.push(name);
            };
            match &entry.members {
                Some(table) => {
                    for member in table.members.iter().map(Result::unwrap) {
                        let code = payload::member(&decoded, &member).unwrap();
                        add(member.kind, member.arch, member.flags, member.name, code);
                    }
                }
                None => add(entry.kind, entry.arch, entry.flags, entry.name, &decoded),
            }
        }
    }
    (elf, ptx, files)
}

#[test]
fn listing_and_extraction_are_those_of_cuobjdump() {
    let mut compared = 0;
    for Sample { name, bytes, facts } in corpus::samples("fatbin") {
        let reference = &facts["reference"];
        if reference.is_null() {
            continue;
        }
        let stem = name.rsplit_once('.').unwrap().0;
        let (elf, ptx, files) = extracted(stem, &bytes);
        let names = |list: &Value| -> Vec<String> {
            list.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(elf, names(&reference["elf"]), "{name}");
        assert_eq!(ptx, names(&reference["ptx"]), "{name}");
        for (file, facts) in reference["extracted"].as_object().unwrap() {
            let found = files.get(file).unwrap_or_else(|| panic!("{name}: {file} is missing"));
            assert_eq!(Some(found.len() as u64), facts["size"].as_u64(), "{name}: {file}");
            assert_eq!(corpus::sha256(found), facts["sha256"], "{name}: {file}");
            compared += 1;
        }
    }
    assert!(compared > 90, "only {compared} payloads were compared");
}

#[test]
fn real_files_have_no_errors_and_are_rewritten_as_they_are() {
    for Sample { name, bytes, .. } in corpus::samples("fatbin") {
        let report = validate(&bytes);
        if name == DAMAGED {
            assert!(!report.is_ok());
            continue;
        }
        laws::assert_no_error(&name, &report);
        assert!(file::rewrite(&bytes).unwrap() == bytes, "{name} changes when it is rewritten");
    }
}

/// Rejected by the reference for a reason that is not damage: it steps over zero words between
/// containers, but not over 16 or more zero bytes behind the last one.
const REJECTED_THOUGH_INTACT: &[&str] = &["trail_zero_16.fatbin", "trail_zero_64.fatbin"];

/// Accepted by the reference although the file contradicts itself: a padded payload that runs over
/// the end of its container, and a container that ends before its last payload does.
const ACCEPTED_THOUGH_BROKEN: &[&str] = &["psize_over_end.fatbin", "csize_minus8.fatbin"];

#[test]
fn what_the_reference_rejects_is_an_error_and_nothing_else() {
    for Sample { name, bytes, facts } in corpus::mutants("fatbin") {
        let report = validate(&bytes);
        let rejected = facts["tools"]["13.5"]["verdict"] == "rejects";
        let broken = (rejected && !REJECTED_THOUGH_INTACT.contains(&name.as_str()))
            || ACCEPTED_THOUGH_BROKEN.contains(&name.as_str());
        if !broken {
            laws::assert_no_error(&name, &report);
            continue;
        }
        let changed = corpus::changed(&facts);
        let first = changed.first().unwrap().0;
        let cut = first == bytes.len() as u64;
        let near = report
            .errors()
            .any(|finding| finding.end >= first || (cut && finding.class == Class::Incomplete));
        assert!(near, "{name}: no error on or behind {changed:?}\n{report}");
    }
}

#[test]
fn the_program_finds_what_the_library_finds() {
    let samples = corpus::samples("fatbin").into_iter().map(|sample| ("", sample));
    let mutants = corpus::mutants("fatbin").into_iter().map(|sample| ("negative/", sample));
    for (folder, Sample { name, bytes, .. }) in samples.chain(mutants) {
        let path = format!("{}/tests/corpus/fatbin/{folder}{name}", env!("CARGO_MANIFEST_DIR"));
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_binfmt"));
        let output = program.args(["validate", "--json", &path]).output().unwrap();
        let line: Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = line["findings"].as_array().unwrap();
        let errors = findings.iter().filter(|finding| finding["severity"] == "error");
        let mut found: Vec<&str> = errors.map(|error| error["code"].as_str().unwrap()).collect();
        let report = validate(&bytes);
        let mut expected: Vec<&str> = report.errors().map(|error| error.code).collect();
        found.sort_unstable();
        expected.sort_unstable();
        // A file without a magic is not recognised as a fat binary, and read no further.
        if line["verdict"] == "unrecognised" {
            assert!(!expected.is_empty(), "{name}");
        } else {
            assert_eq!(found, expected, "{name}");
        }
        assert_eq!(output.status.code(), Some(i32::from(!expected.is_empty())), "{name}");
    }
}

#[test]
fn mutants_without_error_are_rewritten_as_they_are() {
    for Sample { name, bytes, .. } in corpus::mutants("fatbin") {
        if validate(&bytes).is_ok() && !bytes.is_empty() {
            assert!(file::rewrite(&bytes).unwrap() == bytes, "{name} changes when it is rewritten");
        }
    }
}

/// What no file of the corpus may take, however it is damaged: the decoders' own windows included.
const MEMORY_BOUND: u64 = 32 << 20;

/// Validates with a bound on memory and time; the file may be damaged in any way.
fn survives(name: &str, bytes: &[u8]) {
    let start = cpu_time::ThreadTime::now();
    let info = allocation_counter::measure(|| {
        if file::parts(bytes).is_ok() {
            validate(bytes);
        }
    });
    assert!(info.bytes_max < MEMORY_BOUND, "{name} takes {} bytes", info.bytes_max);
    assert!(start.elapsed().as_secs() < 10, "{name} takes {:?}", start.elapsed());
}

#[test]
fn every_mutant_is_validated_in_bounded_time_and_memory() {
    for Sample { name, bytes, .. } in corpus::mutants("fatbin") {
        survives(&name, &bytes);
    }
}

#[test]
fn every_truncation_is_read_without_panic() {
    for Sample { name, bytes, .. } in corpus::samples("fatbin") {
        for len in 0..bytes.len().min(8192) {
            let cut = &bytes[..len];
            if len < 300 || len % 101 == 0 {
                laws::hold::<Region<'_>>(cut, ());
                survives(&name, cut);
            }
            assert_eq!(
                Region::is_valid(cut),
                Region::parse(cut).is_ok_and(|region| all_read(&region))
            );
        }
    }
}

fn all_read(region: &Region<'_>) -> bool {
    region.items.iter().all(|item| match item {
        Ok(Item::Container(container)) => container.entries.iter().all(|entry| {
            let members = entry.as_ref().ok().and_then(|entry| entry.members.clone());
            entry.is_ok()
                && members.is_none_or(|table| table.members.iter().all(|member| member.is_ok()))
        }),
        Ok(Item::Gap) => true,
        Err(_) => false,
    })
}

#[test]
fn every_single_byte_change_of_the_first_headers_is_read_without_panic() {
    for Sample { name, bytes, .. } in corpus::samples("fatbin") {
        for changed in corpus::single_byte_changes(&bytes, 232) {
            laws::hold::<Region<'_>>(&changed, ());
        }
        for changed in corpus::single_byte_changes(&bytes, 96).step_by(9) {
            survives(&name, &changed);
        }
    }
}

#[test]
fn reading_and_checking_allocate_nothing() {
    let bytes = corpus::file("fatbin", "n13_many.fatbin");
    let info = allocation_counter::measure(|| {
        let region = Region::parse(&bytes).unwrap();
        assert!(region.items.iter().all(|item| item.is_ok()));
        assert!(Region::is_valid(&bytes));
    });
    assert_eq!(info.count_total, 0);
}

/// The rules that these copies break alone are shown by the tests of damage, with the others.
#[test]
fn laws_hold_on_damaged_copies() {
    let files = ["n13_ptx75_tiny.fatbin", "n13_concat_two.fatbin"];
    let [plain, concat] = files.map(|name| corpus::file("fatbin", name));
    let witnesses = binfmt_runtime::laws!(Region<'_>, [&plain, &concat]);
    assert!(witnesses.found().count() > 10, "{witnesses}");
}
