//! What a file is that no format wants: the mistakes that people make, by name.

use binfmt_formats::host::{self, HostKind};
use binfmt_runtime::{Class, Problem, Report, Severity, Show};

use crate::nest;

/// What a file starts with, and what to say then.
const STARTS: &[(&[u8], &str)] = &[
    (
        b"version https://git-lfs.github.com/spec",
        "this is a git-lfs pointer, not the file it stands for; `git lfs pull` fetches that",
    ),
    (b"PK\x03\x04", "this is a zip archive, as Python wheels are"),
    (b"PK\x05\x06", "this is an empty zip archive"),
    (b"\x1f\x8b", "this is a gzip file"),
    (b"BZh", "this is a bzip2 file; unpack it first"),
    (b"\xfd7zXZ\0", "this is an xz file"),
    (b"\x28\xb5\x2f\xfd", "this is a zstd file"),
    (b"\x04\x22\x4d\x18", "this is an LZ4 file; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "this is a 7z archive; unpack it first"),
    (b"\x89HDF", "this is an HDF5 file"),
    (b"\x93NUMPY", "this is a NumPy array"),
    (b"GGUF", "this is a GGUF model"),
    (b"%PDF", "this is a PDF document"),
    (b"\x89PNG", "this is a PNG picture"),
    (b"\xff\xd8\xff", "this is a JPEG picture"),
    (b"SQLite format 3\0", "this is an SQLite database"),
    (b"MZ", "this is a Windows program or library; `binfmt scan` looks for containers in it"),
    (
        b"\xcf\xfa\xed\xfe",
        "this is a macOS program or library; `binfmt scan` looks for containers in it",
    ),
    (b"\xca\xfe\xba\xbe", "this is a macOS universal file or a Java class"),
    (
        b"\xb1\x43\x62\x46",
        "this is the wrapper that points to a fat binary, not the fat binary itself",
    ),
];

/// One sentence about a file of no known format.
pub(crate) fn describe(file: &[u8]) -> String {
    if let Some(sentence) = host_file(file) {
        return sentence;
    }
    let known =
        STARTS.iter().find(|(start, _)| file.starts_with(start)).map(|(_, sentence)| *sentence);
    known.or_else(|| by_content(file)).map_or_else(|| unknown(file), str::to_owned)
}

/// Whether it is an ELF file or an archive that was read to its end and has no device code: most
/// libraries are, and nothing is wrong with them.
pub(crate) fn has_nothing(file: &[u8]) -> bool {
    let is_host = host::kind_of(file) != HostKind::Raw && !is_cubin(file);
    is_host && host::device_code_parts(file).is_ok()
}

fn is_archive(file: &[u8]) -> bool {
    nest::Kind::of(file).is_some_and(|kind| kind != nest::Kind::Ar)
}

/// A report that says why a file is not recognised; of an archive, whether all that is in it was
/// looked at.
pub(crate) fn report(file: &[u8], is_whole: bool) -> Report {
    let sentence = describe(file);
    let (severity, code) = match file {
        [] => (Severity::Error, "empty"),
        file if has_nothing(file) || is_archive(file) && is_whole => (Severity::Note, "nothing"),
        _ => (Severity::Error, "unrecognised"),
    };
    let problem = Problem {
        code,
        class: Class::Malformed,
        start: 0,
        end: file.len().min(4),
        what: format_args!("{sentence}"),
        expected: Show::Nothing,
        found: Show::Nothing,
    };
    let mut report = Report::new();
    report.add(severity, "", &problem);
    report
}

/// Device code itself.
fn is_cubin(file: &[u8]) -> bool {
    /// The machine number of device code, at its place in the header.
    const CUDA: [u8; 2] = [190, 0];
    file.starts_with(b"\x7fELF") && file.get(18..20) == Some(&CUDA)
}

/// ELF files and archives: a format would have taken them if there were containers in them.
fn host_file(file: &[u8]) -> Option<String> {
    let what = match host::kind_of(file) {
        HostKind::Raw => return None,
        HostKind::Elf => "this ELF file",
        HostKind::Archive => "this archive",
    };
    if let Err(error) = host::device_code_parts(file) {
        return Some(format!("{what} cannot be looked into: {error}"));
    }
    Some(if is_cubin(file) {
        format!("{what} is device code itself (a cubin), not a container of device code")
    } else {
        format!("{what} has no device code")
    })
}

fn by_content(file: &[u8]) -> Option<&'static str> {
    if file.is_empty() {
        return Some("the file is empty");
    }
    if file.iter().all(|byte| *byte == 0) {
        return Some("the file holds nothing but zero bytes");
    }
    if file.get(257..262) == Some(b"ustar") {
        return Some("this is a tar archive");
    }
    if looks_like_safetensors(file) {
        return Some("this is a safetensors model");
    }
    text(file).or_else(|| looks_like_onnx(file).then_some("this looks like an ONNX model"))
}

fn text(file: &[u8]) -> Option<&'static str> {
    let head = file.get(..4096).unwrap_or(file);
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // The cut may go through a character.
        Err(error) if error.error_len().is_none() && head.len() < file.len() => {
            std::str::from_utf8(head.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}')) {
        return None;
    }
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let start = text.get(..15).unwrap_or(text).to_ascii_lowercase();
    Some(if start.starts_with("<!doctype html") || start.starts_with("<html") {
        "this is a web page; a download probably went wrong"
    } else if start.starts_with("<?xml") {
        "this is XML text"
    } else if text.starts_with(['{', '[']) {
        "this is JSON text"
    } else {
        "this is a text file"
    })
}

/// An ONNX model is a protocol buffer that starts with its version (field 1) and then names its
/// producer (field 2) or comes to its graph (field 7), which begins with a node (field 1).
fn looks_like_onnx(file: &[u8]) -> bool {
    match file {
        [0x08, 1..=32, 0x12, len, name @ ..] => {
            let name = name.get(..usize::from(*len));
            name.is_some_and(|name| name.iter().all(u8::is_ascii_graphic))
        }
        [0x08, 1..=32, 0x3a, graph @ ..] => {
            // The length is a varint, of which every byte but the last has its top bit set.
            let len = graph.iter().take(10).take_while(|byte| **byte >= 0x80).count();
            graph.get(len.saturating_add(1)) == Some(&0x0a)
        }
        _ => false,
    }
}

/// A safetensors file is the length of its header, then the header as JSON.
pub(crate) fn looks_like_safetensors(file: &[u8]) -> bool {
    let Some((len, header)) = file.split_first_chunk::<8>() else { return false };
    let len = usize::try_from(u64::from_le_bytes(*len)).unwrap_or(usize::MAX);
    let header = header.get(..len).unwrap_or_default();
    header.starts_with(b"{\"") || header.trim_ascii_end() == b"{}"
}

fn unknown(file: &[u8]) -> String {
    let head = file.get(..8).unwrap_or(file);
    format!("no format that binfmt knows starts with {}", Show::bytes(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &[u8], expected: &str) {
        let sentence = describe(file);
        assert!(sentence.contains(expected), "{sentence}");
    }

    #[test]
    fn mistakes_have_names() {
        check(b"", "is empty");
        check(b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "git-lfs pointer");
        check(b"\n <!DOCTYPE HTML>\n<html>", "web page");
        check(b"<html lang=\"en\">", "web page");
        check(b"PK\x03\x04\x14\0", "wheels");
        check(b"\x1f\x8b\x08\0", "gzip");
        check(b"{\"a\": 1}", "JSON");
        check("grüße\n".as_bytes(), "text file");
        check(b"\x08\x07\x12\x07pytorch\x1a\x05", "ONNX");
        check(b"\x08\x08\x3a\xff\x03\x0a\x1c", "ONNX");
        check(b"\x08\x08\x3a\xff\x03\x0b", "starts with");
        check(b"\x0b\0\0\0\0\0\0\0{\"a\":\"b\"} 1234", "safetensors");
        check(b"\x08\0\0\0\0\0\0\0{}      ", "safetensors");
        check(b"\x08\0\0\0\0\0\0\0{}", "starts with");
        check(b"GGUF\x03\0\0\0", "GGUF");
        check(b"\0\0\0\0\0", "zero bytes");
        check(b"\x01\x02", "starts with 01 02");
    }

    #[test]
    fn host_files_without_device_code_are_named() {
        let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
        check(&elf, "this ELF file cannot be looked into");
        elf.resize(64, 0);
        check(&elf, "this ELF file has no device code");
        elf[18] = 190;
        check(&elf, "cubin");
        check(b"!<arch>\n", "this archive has no device code");
        check(b"!<thin>\n", "this archive cannot be looked into: thin archive");
    }

    #[test]
    fn text_may_be_cut_inside_a_character() {
        let mut long = b"x".to_vec();
        long.extend("ü".repeat(4000).bytes());
        check(&long, "text file");
        check(b"text \xff", "starts with");
        check(b"text\x07", "starts with");
    }

    #[test]
    fn report_has_one_error_with_a_range() {
        let found = report(b"\x01\x02\x03\x04\x05", true);
        let [finding] = found.findings() else { panic!("one finding") };
        assert_eq!((finding.code, finding.start, finding.end), ("unrecognised", 0, 4));
        assert_eq!(report(b"", true).findings()[0].code, "empty");
    }

    #[test]
    fn host_files_without_device_code_are_no_error() {
        let mut elf = b"\x7fELF\x02\x01\x01".to_vec();
        assert!(!report(&elf, true).is_ok());
        elf.resize(64, 0);
        let found = report(&elf, true);
        assert_eq!((found.findings()[0].code, found.is_ok()), ("nothing", true));
        assert!(report(b"!<arch>\n", true).is_ok());
        assert!(!report(b"!<thin>\n", true).is_ok());
        elf[18] = 190;
        assert!(!report(&elf, true).is_ok());
    }
}
