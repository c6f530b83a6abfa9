//! Every refusal.

use binfmt_formats::elf::{Elf, Section, SectionKind, SegmentKind, tag};
use binfmt_formats::slim::{self, Options, Ptx, RULES};
use binfmt_runtime::BinFormat;

use super::made::{Build, container, entry};
use super::options;

fn index(number: u64) -> usize {
    usize::try_from(number).unwrap()
}

/// The library with a field changed: `at` finds it, and `bytes` go there.
fn with(bytes: &[u8], at: impl Fn(&Elf<'_>) -> u64) -> Vec<u8> {
    let mut file = Build::default().small().library().unwrap();
    let at = index(at(&Elf::parse(&file).unwrap()));
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

fn section(elf: &Elf<'_>, name: &[u8]) -> u64 {
    elf.section(name).unwrap().1.offset
}

/// Where the header of a section has a field.
fn section_field(elf: &Elf<'_>, name: &[u8], field: u64) -> u64 {
    elf.sections_at + elf.section(name).unwrap().0 as u64 * 64 + field
}

/// Where the tag of an entry of the dynamic section stands.
fn dynamic(elf: &Elf<'_>, wanted: u64) -> u64 {
    let index = elf.dynamics().position(|entry| entry.tag == wanted).unwrap();
    section(elf, b".dynamic") + index as u64 * 16
}

/// A file that breaks a rule, and the code of the rule.
fn cases() -> Vec<(&'static str, Vec<u8>)> {
    let small = || Build::default().small();
    let library = small().library().unwrap();
    let mut cut = library.clone();
    cut.truncate(library.len() / 2);
    vec![
        ("slim.file.damaged", cut),
        ("slim.file.damaged", with(&[9], |elf| section(elf, b".nv_fatbin") + 6)),
        ("slim.file.kind", with(&[4], |_| 16)),
        ("slim.file.kind", b"not a host at all".to_vec()),
        ("slim.file.program", with(&[2], |_| 16)),
        ("slim.file.program", small().program().unwrap()),
        ("slim.file.byte-order", big_endian()),
        ("slim.file.machine", with(&[243], |_| 18)),
        (
            "slim.file.device-code",
            with(b"x", |elf| {
                let (_, it) = elf.section(b".nv_fatbin").unwrap();
                section(elf, b".shstrtab") + u64::from(it.name) + 1
            }),
        ),
        ("slim.section.gap", small().behind(".quad 7\\n").library().unwrap()),
        ("slim.section.compressed", with(&[2, 8], |elf| section_field(elf, b".nv_fatbin", 8))),
        (
            "slim.relocations.kind",
            with(&tag::SHORT_RELOCATIONS.to_le_bytes(), |elf| dynamic(elf, 0x6FFF_FFF9)),
        ),
        ("slim.segments.place", moved_headers()),
        ("slim.segments.room", no_units()),
        ("slim.file.damaged", shared_bytes()),
        (
            "slim.segments.notes",
            with_stack_over(|elf| {
                let notes = elf.segments().find(|it| it.kind == SegmentKind::Note).unwrap();
                (notes.offset + 4, notes.file_size)
            }),
        ),
        (
            "slim.segments.crossing",
            with_stack_over(|elf| {
                let (_, section) = elf.section(b".nv_fatbin").unwrap();
                (section.offset, section.size)
            }),
        ),
        ("slim.plan.overlap", relocated_twice()),
        ("slim.archive.kind", b"!<thin>\n".to_vec()),
    ]
}

/// Nothing behind the program headers can be moved.
fn no_units() -> Vec<u8> {
    let mut file = Build::default().small().library().unwrap();
    let changes: Vec<_> = {
        let elf = Elf::parse(&file).unwrap();
        let notes = elf.sections().enumerate().filter(|(_, (it, _))| it.kind == SectionKind::Note);
        let sections = notes.map(|(index, _)| elf.sections_at + index as u64 * 64 + 4);
        let segments = elf.segments().enumerate();
        let segments = segments
            .filter(|(_, it)| matches!(it.kind, SegmentKind::Note | SegmentKind::GnuProperty))
            .map(|(index, _)| elf.segments_at + index as u64 * 56);
        sections.map(|at| (at, 1_u32)).chain(segments.map(|at| (at, 0))).collect()
    };
    for (at, kind) in changes {
        file[index(at)..index(at) + 4].copy_from_slice(&kind.to_le_bytes());
    }
    file
}

/// Two sections of device code in an object file, of which one lies in the other.
fn shared_bytes() -> Vec<u8> {
    let mut file = Build::default().small().object().unwrap();
    let elf = Elf::parse(&file).unwrap();
    let mut section: Section = elf.section(b".nv_fatbin").unwrap().1;
    let other = index(section_field(&elf, b".comment", 0));
    section.offset += 8;
    section.size -= 8;
    let header = section.to_vec().unwrap();
    file[other..other + header.len()].copy_from_slice(&header);
    file
}

/// The library with the segment of the stack, which has no bytes, over some.
fn with_stack_over(place: impl Fn(&Elf<'_>) -> (u64, u64)) -> Vec<u8> {
    let mut file = Build::default().small().library().unwrap();
    let elf = Elf::parse(&file).unwrap();
    let stack = elf.segments().position(|it| it.kind == SegmentKind::GnuStack).unwrap();
    let (offset, size) = place(&elf);
    let address = elf.memory().address_of(offset).unwrap();
    let at = index(elf.segments_at) + stack * 56 + 8;
    let fields = [offset, address, address, size, size].map(u64::to_le_bytes);
    file[at..at + 40].copy_from_slice(fields.as_flattened());
    file
}

/// The pointer to the last container is relocated twice, and stands in its place already.
fn relocated_twice() -> Vec<u8> {
    let mut file = Build::default().small().library().unwrap();
    let elf = Elf::parse(&file).unwrap();
    let wrapper = elf.section(b".nvFatBinSegment").unwrap().1;
    let table = index(section(&elf, b".rela.dyn"));
    let count = index(elf.section(b".rela.dyn").unwrap().1.size) / 24;
    let number = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    let of = |row: usize| (number(table + row * 24), number(table + row * 24 + 16));
    let last = wrapper.address + 2 * 24 + 8;
    let row = (0..count).find(|row| of(*row).0 == last).unwrap();
    let other = (0..count).find(|row| !(wrapper.address..last + 1).contains(&of(*row).0)).unwrap();
    let (address, place) = (of(row).1, index(wrapper.offset + 2 * 24 + 8));
    file[place..place + 8].copy_from_slice(&address.to_le_bytes());
    file.copy_within(table + row * 24..table + row * 24 + 24, table + other * 24);
    file
}

fn big_endian() -> Vec<u8> {
    let file = Build::default().small().library().unwrap();
    let mut elf = Elf::parse(&file).unwrap();
    elf.ident.data = 2;
    elf.to_vec().unwrap()
}

/// The table of program headers at the end of the file.
fn moved_headers() -> Vec<u8> {
    let mut file = Build::default().small().library().unwrap();
    let table = 64 + Elf::parse(&file).unwrap().segments().count() * 56;
    file.resize(file.len().next_multiple_of(8), 0);
    let at = file.len() as u64;
    file.extend_from_within(64..table);
    file[32..40].copy_from_slice(&at.to_le_bytes());
    file
}

#[test]
fn every_rule_refuses() {
    let cases = cases();
    for (code, file) in &cases {
        let refusal = slim::plan(file, &options(&[90])).unwrap_err();
        assert_eq!(refusal.rule.code, *code, "{refusal}");
        let text = refusal.to_string();
        assert!(text.contains("expected") && text.contains("0x") && text.contains(code), "{text}");
    }
    let lost = container(&[entry(75, 1000), entry(80, 1000)]);
    let entries = [
        binfmt_formats::fatbin::Entry::plain(binfmt_formats::fatbin::Kind::Ptx, 80, &[b' '; 64]),
        entry(75, 1000),
    ];
    let ptx = container(&entries);
    assert!(slim::plan(&lost, &options(&[90])).is_ok(), "it never had code for 90");
    let none = Options { ptx: Ptx::None, ..options(&[75, 90]) };
    assert_eq!(slim::plan(&ptx, &none).unwrap_err().rule.code, "slim.container.device");
    let library = Build::default().small().library().unwrap();
    let plan = slim::plan(&library, &options(&[90])).unwrap();
    let refusal = slim::check(&library, &library, &plan).unwrap_err();
    assert_eq!(refusal.rule.code, "slim.plan.result");
    for rule in RULES {
        let known = cases.iter().any(|(code, _)| *code == rule.code)
            || ["slim.container.device", "slim.plan.result"].contains(&rule.code);
        assert!(known, "{} has no case", rule.code);
    }
}
