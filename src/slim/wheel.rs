//! What a wheel says about itself: its name, its list of files with their hashes, its build tag.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use binfmt_tool::json::wide;
use sha2::digest::DynDigest;

/// How many bytes of a file are hashed at a time.
const CHUNK: usize = 1 << 16;

/// The parts of the name of a wheel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    package: String,
    version: String,
    build: Option<String>,
    /// For which Python, interface and platform it is.
    tags: [String; 3],
}

impl Name {
    /// Reads a file name: `NAME-VERSION(-BUILD)?-PYTHON-ABI-PLATFORM.whl`.
    pub(super) fn parse(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.strip_suffix(".whl")?;
        let parts: Vec<_> = name.split('-').map(str::to_owned).collect();
        let (package, version, build, tags) = match parts.as_slice() {
            [package, version, tags @ ..] if tags.len() == 3 => (package, version, None, tags),
            [package, version, build, tags @ ..] if tags.len() == 3 && is_build(build) => {
                (package, version, Some(build.clone()), tags)
            }
            _ => return None,
        };
        let (package, version) = (package.clone(), version.clone());
        Some(Self { package, version, build, tags: tags.to_vec().try_into().ok()? })
    }

    /// The name of the wheel with code for some devices alone.
    pub(super) fn slimmed(&self, devices: &[u32]) -> Self {
        let old = self.build.as_deref().unwrap_or("0");
        // What such a name had already gives way.
        let base = old.split("_sm").next().unwrap_or(old);
        let mut devices = devices.to_vec();
        devices.sort_unstable();
        devices.dedup();
        let devices: String = devices.iter().map(|device| format!("_sm{device}")).collect();
        Self { build: Some(format!("{base}{devices}")), ..self.clone() }
    }

    /// Whether this can be the name of a wheel that was made from another one: all but the build tag
    /// is the same.
    pub(super) fn can_follow(&self, old: &Self) -> bool {
        let same = Self { build: old.build.clone(), ..self.clone() } == *old;
        same && self.build.is_some() && self.build != old.build
    }

    pub(super) fn build(&self) -> Option<&str> {
        self.build.as_deref()
    }

    pub(super) fn file_name(&self) -> String {
        let Self { package, version, build, tags } = self;
        let build = build.as_ref().map(|build| format!("-{build}")).unwrap_or_default();
        format!("{package}-{version}{build}-{}.whl", tags.join("-"))
    }
}

/// Build tags begin with a digit, so that they are told from tags of Python.
fn is_build(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'+');
    text.starts_with(|first: char| first.is_ascii_digit()) && text.bytes().all(fits)
}

/// The text of the file `WHEEL` with a build tag.
pub(super) fn with_build(text: &str, build: &str) -> String {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let is_build = |line: &str| line.to_ascii_lowercase().starts_with("build:");
    let mut lines: Vec<_> = text.lines().filter(|line| !is_build(line)).collect();
    // In front of an empty line, which would end the list.
    let at = lines.iter().position(|line| line.trim().is_empty()).unwrap_or(lines.len());
    let line = format!("Build: {build}");
    lines.insert(at, &line);
    lines.iter().map(|line| format!("{line}{end}")).collect()
}

/// The list of the files of a wheel: `RECORD`.
#[derive(Debug)]
pub(super) struct Record {
    text: String,
    rows: Vec<Row>,
    by_name: HashMap<String, usize>,
}

#[derive(Debug)]
struct Row {
    /// Where it lies in the text.
    range: std::ops::Range<usize>,
    name: String,
    /// The algorithm and the digest.
    hash: String,
    len: String,
}

impl Record {
    pub(super) fn parse(text: String) -> Result<Self, String> {
        let mut reader = csv::ReaderBuilder::new();
        let mut reader = reader.has_headers(false).flexible(true).from_reader(text.as_bytes());
        let mut rows: Vec<Row> = Vec::new();
        let mut by_name = HashMap::new();
        let position = |place: &csv::Position| usize::try_from(place.byte()).unwrap_or(usize::MAX);
        let mut row = csv::StringRecord::new();
        loop {
            let start = rows.last().map_or(0, |row| row.range.end);
            if !reader.read_record(&mut row).map_err(|error| error.to_string())? {
                break;
            }
            let cell = |at: usize| row.get(at).unwrap_or_default().to_owned();
            let (name, hash, len) = (cell(0), cell(1), cell(2));
            if by_name.insert(name.clone(), rows.len()).is_some() {
                return Err(format!("it names {name} twice"));
            }
            let end = line_end(&text, position(reader.position()));
            rows.push(Row { range: start..end, name, hash, len });
        }
        Ok(Self { text, rows, by_name })
    }

    /// The hash of a file, as the list has it, and its length; or why it has none.
    pub(super) fn of(&self, name: &str) -> Result<Sum, String> {
        let row = self.by_name.get(name).and_then(|index| self.rows.get(*index));
        let row = row.ok_or_else(|| "it does not name this file".to_owned())?;
        let known = hasher(&row.hash).is_some();
        match row.len.parse() {
            Ok(len) if known => Ok(Sum { hash: row.hash.clone(), len }),
            _ => Err("it has no hash and length that are known for this file".to_owned()),
        }
    }

    /// The list with other hashes and lengths for some files; all other lines stay as they are.
    pub(super) fn with(&self, sums: &HashMap<String, Sum>) -> Result<String, String> {
        let mut text = String::with_capacity(self.text.len());
        for row in &self.rows {
            let old = self.text.get(row.range.clone()).unwrap_or_default();
            let Some(sum) = sums.get(&row.name) else {
                text.push_str(old);
                continue;
            };
            let mut writer = csv::Writer::from_writer(Vec::new());
            let cells = [&row.name, &sum.hash, &sum.len.to_string()];
            let bytes = writer.write_record(cells).map_err(|error| error.to_string());
            let bytes = bytes.and_then(|()| writer.into_inner().map_err(|error| error.to_string()));
            let line = String::from_utf8(bytes?).map_err(|error| error.to_string())?;
            // Empty lines in front of it, and the end of the line.
            let (front, back) = (old.trim_start_matches(ENDS), old.trim_end_matches(ENDS));
            text.push_str(old.strip_suffix(front).unwrap_or_default());
            text.push_str(line.trim_end_matches('\n'));
            text.push_str(old.strip_prefix(back).unwrap_or("\n"));
        }
        let behind = self.rows.last().map_or(0, |row| row.range.end);
        text.push_str(self.text.get(behind..).unwrap_or_default());
        Ok(text)
    }
}

/// What ends a line.
const ENDS: [char; 2] = ['\r', '\n'];

/// The end of a line, of which the reader may have left the second half.
fn line_end(text: &str, read: usize) -> usize {
    let half = text.get(..read).is_some_and(|line| line.ends_with('\r'));
    let whole = half && text.get(read..).is_some_and(|rest| rest.starts_with('\n'));
    if whole { read.saturating_add(1) } else { read }
}

/// The hash of a file, with the name of its algorithm in front, and its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) hash: String,
    pub(super) len: u64,
}

impl Sum {
    /// That of other bytes, by the same algorithm.
    pub(super) fn same_of(&self, mut content: impl Read) -> std::io::Result<Self> {
        let (name, mut hasher) = hasher(&self.hash).ok_or(std::io::ErrorKind::Unsupported)?;
        let mut buffer = vec![0; CHUNK];
        let mut len = 0_u64;
        loop {
            let count = content.read(&mut buffer)?;
            if count == 0 {
                break;
            }
            hasher.update(buffer.get(..count).unwrap_or_default());
            len = len.saturating_add(wide(count));
        }
        let digest = URL_SAFE_NO_PAD.encode(hasher.finalize());
        Ok(Self { hash: format!("{name}={digest}"), len })
    }
}

/// What computes a hash as this one, and the name of its algorithm.
fn hasher(hash: &str) -> Option<(&'static str, Box<dyn DynDigest>)> {
    Some(match hash.split_once('=')?.0 {
        "sha256" => ("sha256", Box::new(sha2::Sha256::default())),
        "sha384" => ("sha384", Box::new(sha2::Sha384::default())),
        "sha512" => ("sha512", Box::new(sha2::Sha512::default())),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Option<Name> {
        Name::parse(Path::new(text))
    }

    #[test]
    fn names_have_five_or_six_parts() {
        let old = name("folder/a_b-1.0-py3-none-linux_x86_64.whl").unwrap();
        assert_eq!(old.build(), None);
        let new = old.slimmed(&[90, 80, 90]);
        assert_eq!(new.file_name(), "a_b-1.0-0_sm80_sm90-py3-none-linux_x86_64.whl");
        assert_eq!(name(&new.file_name()), Some(new.clone()));
        // A second time, and behind a tag of somebody else.
        assert_eq!(new.slimmed(&[90]).build(), Some("0_sm90"));
        let tagged = name("a_b-1.0-3cuda-py3-none-linux_x86_64.whl").unwrap();
        assert_eq!(tagged.slimmed(&[90]).build(), Some("3cuda_sm90"));
        for wrong in [
            "a-1.0-none-any.whl",
            "a-1.0-x-py3-none-any.whl",
            "a-1.0-1-2-py3-none-any.whl",
            "a.zip",
            "-",
        ] {
            assert_eq!(name(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn only_the_build_tag_may_differ() {
        let old = name("a-1.0-1-py3-none-any.whl").unwrap();
        for (new, can) in [
            ("a-1.0-2-py3-none-any.whl", true),
            ("a-1.0-1-py3-none-any.whl", false),
            ("a-1.0-py3-none-any.whl", false),
            ("a-1.1-2-py3-none-any.whl", false),
            ("b-1.0-2-py3-none-any.whl", false),
            ("a-1.0-2-py2-none-any.whl", false),
        ] {
            assert_eq!(name(new).unwrap().can_follow(&old), can, "{new}");
        }
    }

    #[test]
    fn a_build_tag_is_a_line_of_its_own() {
        for (old, new) in [
            ("Wheel-Version: 1.0\nTag: x\n", "Wheel-Version: 1.0\nTag: x\nBuild: 7\n"),
            ("Wheel-Version: 1.0\nTag: x", "Wheel-Version: 1.0\nTag: x\nBuild: 7\n"),
            ("Wheel-Version: 1.0\n\nrest\n", "Wheel-Version: 1.0\nBuild: 7\n\nrest\n"),
            ("Build: 1\r\nTag: x\r\n", "Tag: x\r\nBuild: 7\r\n"),
        ] {
            assert_eq!(with_build(old, "7"), new);
        }
    }

    #[test]
    fn lines_of_other_files_stay_as_they_are() {
        for end in ["\n", "\r\n"] {
            let text = format!(
                "a.so,sha256=x,3{end}\"b,c.so\",sha512=y,4{end}'odd' ,,{end}a.dist-info/RECORD,,{end}"
            );
            let record = Record::parse(text.clone()).unwrap();
            assert_eq!(record.with(&HashMap::new()).unwrap(), text);
            let sum = record.of("b,c.so").unwrap().same_of(&b"hello"[..]).unwrap();
            assert_eq!(sum.len, 5);
            assert!(
                sum.hash.starts_with("sha512=m3HSJL1i83hdltRq0-o9czGb-8KJDKra4t_3JRlnPKcjI8PZm6XB")
            );
            let sums = HashMap::from([("b,c.so".to_owned(), sum.clone())]);
            let new = record.with(&sums).unwrap();
            let expected = text.replace("sha512=y,4", &format!("{},5", sum.hash));
            assert_eq!(new, expected);
            assert!(record.of("a.dist-info/RECORD").unwrap_err().contains("no hash"));
            assert!(record.of("d.so").unwrap_err().contains("does not name"));
        }
        assert!(Record::parse("a,,\na,,\n".to_owned()).unwrap_err().contains("twice"));
        for (text, expected) in [
            ("\n\na,b,1\n\n", "\n\na,h,2\n\n"),
            ("x,,\r\n\r\na,b,1\r\n\r\n", "x,,\r\n\r\na,h,2\r\n\r\n"),
            ("x,,\na,b,1", "x,,\na,h,2"),
            ("a,b,1\r\nx,,", "a,h,2\r\nx,,"),
        ] {
            let sums = HashMap::from([("a".to_owned(), Sum { hash: "h".to_owned(), len: 2 })]);
            let record = Record::parse(text.to_owned()).unwrap();
            assert_eq!(record.with(&sums).unwrap(), expected, "{text:?}");
        }
    }
}
