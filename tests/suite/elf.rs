//! ELF files: objects of the corpus, a library that the compiler of this machine makes, and damaged
//! ones.

use std::path::Path;
use std::process::Command;

use binfmt_formats::elf::{
    Content, Elf, FileKind, Machine, RULES, SECTION_LEN, SEGMENT_LEN, SectionKind, SegmentKind, tag,
};
use binfmt_runtime::{BinFormat, Severity};

use crate::laws;

const SOURCE: &str = "\
int number = 7;
int *place = &number, *other = &number;
static __thread int mine = 3;
__attribute__((section(\"named\"), used)) static const int kept[4] = {1, 2, 3, 4};
extern int puts(const char *);
int answer(void) { puts(\"x\"); return *place + mine; }
";

/// What `cc` makes of the source, with more arguments; `None` where there is no `cc`.
fn compiled(arguments: &[&str]) -> Option<Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    let (from, to) = (dir.path().join("a.c"), dir.path().join("a.out"));
    std::fs::write(&from, SOURCE).unwrap();
    let run = |path: &Path| {
        Command::new("cc")
            .args(["-fPIC", "-g"])
            .args(arguments)
            .arg("-o")
            .arg(path)
            .arg(&from)
            .output()
    };
    let output = run(&to).ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(std::fs::read(&to).unwrap())
}

fn library() -> Option<Vec<u8>> {
    compiled(&["-shared", "-Wl,-z,pack-relative-relocs"])
}

fn codes(file: &[u8]) -> Vec<&'static str> {
    Elf::validate(file).findings().iter().map(|finding| finding.code).collect()
}

fn objects() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/fatbin");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "o"))
        .collect();
    files.sort();
    assert!(files.len() >= 5);
    files.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[test]
fn laws_hold_on_every_file() {
    let made = [library(), compiled(&["-c"]), compiled(&["-shared", "-s"])];
    for file in objects().into_iter().chain(made.into_iter().flatten()) {
        laws::hold::<Elf<'_>>(&file, ());
        assert_eq!(Elf::parse(&file).unwrap().to_vec().unwrap(), file);
        let report = Elf::validate(&file);
        assert!(report.findings().iter().all(|it| it.severity == Severity::Note), "{report}");
        laws::round_trip::<Elf<'_>>(file.leak(), ());
    }
}

#[test]
fn damaged_files_break_no_law() {
    let Some(file) = library() else { return };
    let elf = Elf::parse(&file).unwrap();
    let tables = [(0, 64), (64, elf.segments().count() * 56)];
    let sections = usize::try_from(elf.sections_at).unwrap();
    let tables = tables.into_iter().chain([(sections, file.len() - sections)]);
    for (start, len) in tables {
        for at in (start..start + len).step_by(5) {
            let mut file = file.clone();
            file[at] ^= [0xFF, 1, 0x80][at % 3];
            laws::hold::<Elf<'_>>(&file, ());
        }
    }
    for len in (0..file.len()).step_by(97) {
        assert!(Elf::parse(&file[..len]).is_err(), "{len}");
    }
}

#[test]
fn parts_are_found_by_name_and_address() {
    let Some(file) = library() else { return };
    let elf = Elf::parse(&file).unwrap();
    assert_eq!((elf.kind, elf.machine), (FileKind::Shared, Machine::X86_64));
    let (index, section) = elf.section(b"named").unwrap();
    let Some(Content::Bytes(SectionKind::Program, content)) = &elf.contents[index] else {
        panic!()
    };
    assert_eq!(content.bytes[..4], 1_u32.to_le_bytes());
    let memory = elf.memory();
    assert_eq!(memory.offset_of(section.address), Some(section.offset));
    assert_eq!(memory.address_of(section.offset), Some(section.address));
    assert!(memory.maps(section.offset, section.size, section.address));
    assert!(!memory.maps(section.offset, section.size, section.address + 1));
    let (index, symbols) = elf.section(b".dynsym").unwrap();
    assert_eq!(elf.dynamic(tag::SYMBOLS), Some(symbols.address));
    let Some(Content::Symbols(_, table)) = &elf.contents[index] else { panic!() };
    let texts = elf.contents[usize::try_from(symbols.link).unwrap()].as_ref().unwrap();
    let mut names = table.symbols.iter().map(|symbol| texts.text_at(symbol.unwrap().name).unwrap());
    assert!(names.any(|name| name == b"answer"));
    assert!(elf.section(b"nothing").is_none());
}

#[test]
fn one_field_changes_the_byte_order_of_a_file() {
    let Some(file) = library() else { return };
    let mut elf = Elf::parse(&file).unwrap();
    elf.ident.data = 2;
    let big = elf.to_vec().unwrap();
    assert_eq!(big[16..20], [0, 3, 0, 62]);
    let read = Elf::parse(&big).unwrap();
    assert_eq!(read.contents, elf.contents);
    assert_eq!(read.sections, elf.sections);
    let report = Elf::validate(&big);
    assert!(report.findings().iter().all(|it| it.severity == Severity::Note), "{report}");
}

/// Where a field is that a case breaks: in the file header, in the header of the first segment of a
/// kind, in that of a section, or in the first item of a section.
enum At {
    Header(u64),
    Segment(SegmentKind, u64),
    Section(&'static [u8], u64),
    Inside(&'static [u8], u64),
}

impl At {
    fn offset(&self, elf: &Elf<'_>) -> usize {
        let offset = match *self {
            Self::Header(field) => field,
            Self::Segment(kind, field) => {
                let index = elf.segments().position(|it| it.kind == kind).unwrap() as u64;
                elf.segments_at + index * u64::from(SEGMENT_LEN) + field
            }
            Self::Section(name, field) => {
                let index = elf.section(name).unwrap().0 as u64;
                elf.sections_at + index * u64::from(SECTION_LEN) + field
            }
            Self::Inside(name, field) => elf.section(name).unwrap().1.offset + field,
        };
        usize::try_from(offset).unwrap()
    }
}

#[test]
fn every_rule_is_told() {
    use At::{Header, Inside, Section, Segment};
    let Some(file) = library() else { return };
    let elf = Elf::parse(&file).unwrap();
    let long = u64::MAX >> 8;
    let cases: &[(&str, At, &[u8])] = &[
        ("elf.ident.class.known", Header(4), &[1]),
        ("elf.ident.data.known", Header(5), &[0]),
        ("elf.ident.version.known", Header(6), &[2]),
        ("elf.elf.version.known", Header(20), &[2]),
        ("elf.elf.header-len.known", Header(52), &[63]),
        ("elf.elf.segment-len.known", Header(54), &[55]),
        ("elf.elf.segment-count.range", Header(56), &[255, 255]),
        ("elf.elf.section-len.known", Header(58), &[63]),
        ("elf.elf.section-count.range", Header(60), &[0, 0]),
        ("elf.elf.names-index.range", Header(62), &[255, 0]),
        ("elf.segment.memory-size.min", Segment(SegmentKind::Load, 40), &[0; 8]),
        ("elf.segment.align.power", Segment(SegmentKind::Load, 48), &[3]),
        ("elf.segment.align.offset", Segment(SegmentKind::Load, 8), &[1]),
        ("elf.section.align.power", Section(b"named", 48), &[3]),
        ("elf.section.align.address", Section(b"named", 16), &[1]),
        ("elf.elf.segments.end", Segment(SegmentKind::Load, 32), &long.to_le_bytes()),
        ("elf.elf.segments.order", Segment(SegmentKind::Load, 16), &long.to_le_bytes()),
        ("elf.elf.segments.overlap", Segment(SegmentKind::Load, 40), &long.to_le_bytes()),
        // The note becomes the segment of the headers.
        ("elf.elf.segments.headers", Segment(SegmentKind::Note, 0), &[6]),
        ("elf.elf.segments.loaded", Segment(SegmentKind::Dynamic, 16), &[1]),
        ("elf.elf.sections.first", Section(b"", 4), &[8]),
        ("elf.section.name.range", Section(b"named", 0), &[255; 4]),
        ("elf.section.link.range", Section(b".dynsym", 40), &[255]),
        ("elf.section.entry-size.known", Section(b".dynsym", 56), &[25]),
        ("elf.section.address.segment", Section(b"named", 16), &[0; 8]),
        ("elf.symbol.name.range", Inside(b".symtab", 48), &[255; 4]),
        ("elf.symbol.section.range", Inside(b".symtab", 30), &[250, 250]),
        ("elf.relocation.info.symbol", Inside(b".rela.dyn", 12), &[250, 250]),
        ("elf.relocation.place.segment", Inside(b".rela.dyn", 0), &[255; 8]),
        ("elf.relative-table.words.first", Inside(b".relr.dyn", 0), &[1]),
        ("elf.relative-table.words.segment", Inside(b".relr.dyn", 0), &[254; 8]),
        ("elf.dynamics.entries.end", Section(b".dynamic", 32), &[16, 0]),
        ("elf.dynamic.value.segment", Section(b".dynamic", 0), &[]),
        ("elf.dynamic.value.len", Section(b".dynamic", 0), &[]),
        ("elf.dynamic.value.section", Section(b".gnu.hash", 16), &[0; 8]),
    ];
    for (code, at, bytes) in cases {
        let mut file = file.clone();
        let at = match *code {
            "elf.dynamic.value.segment" => dynamic_value(&elf, tag::SYMBOLS),
            "elf.dynamic.value.len" => dynamic_value(&elf, tag::SYMBOL_LEN),
            _ => at.offset(&elf),
        };
        let bytes = if bytes.is_empty() { &[255; 8] } else { *bytes };
        file[at..at + bytes.len()].copy_from_slice(bytes);
        assert!(codes(&file).contains(code), "{code}: {}", Elf::validate(&file));
    }
    for rule in RULES {
        assert!(cases.iter().any(|(code, ..)| *code == rule.code), "{} has no case", rule.code);
    }
}

/// Where the value of a dynamic tag lies in the file.
fn dynamic_value(elf: &Elf<'_>, tag: u64) -> usize {
    let index = elf.dynamics().position(|entry| entry.tag == tag).unwrap();
    usize::try_from(elf.section(b".dynamic").unwrap().1.offset).unwrap() + index * 16 + 8
}
