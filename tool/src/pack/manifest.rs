//! `manifest.json`: what is in a folder, and what it was taken from.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Component, Path};

use binfmt_formats::pieces::Pieces;
use serde_json::{Map, Value, json};

use crate::driver::Driver;
use crate::input::Input;
use crate::item::{Item, offset_in};
use crate::json::{self, number, wide};
use crate::map::map;
use crate::nest::Content;
use crate::save::{Existing, save_with};

/// What the manifest is called.
pub(crate) const MANIFEST: &str = "manifest.json";

/// What the file is called that has all bytes which are those of no item.
pub(crate) const TEMPLATE: &str = "template.bin";

/// A manifest.
#[derive(Debug)]
pub(super) struct Manifest {
    pub(super) format: String,
    /// What it says about the file as a whole.
    pub(super) settings: Map<String, Value>,
    pub(super) items: Vec<Planned>,
    /// The paths of all items that were taken from the file.
    pub(super) taken: Vec<String>,
    template: Option<Template>,
}

/// An item of a file that is made.
#[derive(Debug)]
pub(super) struct Planned {
    /// What is said about it, without its file and its path.
    pub(super) fields: Map<String, Value>,
    pub(super) file: String,
    /// Where it lay in the file that it was taken from.
    pub(super) path: Option<String>,
}

/// The bytes of the old file that are those of no item, and where the others go.
#[derive(Debug)]
struct Template {
    file: String,
    len: u64,
    holes: Vec<Hole>,
}

/// Bytes of the old file that are those of an item.
#[derive(Debug)]
struct Hole {
    offset: u64,
    len: u64,
    file: String,
}

impl Manifest {
    pub(super) fn read(text: &[u8]) -> Result<Self, String> {
        let value: Value = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        let Value::Object(mut all) = value else { return Err("it is no object".to_owned()) };
        let Some(Value::String(format)) = all.remove("format") else {
            return Err("`format` is missing, such as `fatbin`".to_owned());
        };
        let Some(Value::Array(items)) = all.remove("items") else {
            return Err("`items` is missing, a list".to_owned());
        };
        let items = items
            .into_iter()
            .zip(0_usize..)
            .map(|(item, index)| planned(item).map_err(|why| format!("items[{index}]: {why}")));
        let items = items.collect::<Result<_, _>>()?;
        let template = all.remove("template").filter(|it| !it.is_null());
        let taken = match all.remove("taken") {
            Some(Value::Array(taken)) => {
                taken.iter().map(|path| path.as_str().map(str::to_owned)).collect::<Option<_>>()
            }
            None => Some(Vec::new()),
            Some(_) => None,
        };
        let taken = taken.ok_or("`taken` is no list of paths")?;
        let template = template.as_ref().map(Template::read).transpose()?;
        Ok(Self { format, settings: all, items, taken, template })
    }

    /// The old file again, with the bytes of all items that still have their length.
    pub(super) fn template(&self, dir: &Path, files: &[Input]) -> Result<Option<Content>, String> {
        let Some(template) = &self.template else { return Ok(None) };
        let rest = Input::open(&dir.join(&template.file)).map_err(|error| error.to_string())?;
        let mut file = Pieces::new();
        let mut at = 0_usize;
        let damaged = || format!("{MANIFEST}: `template` does not fit {}", template.file);
        for hole in &template.holes {
            let gap = hole.offset.checked_sub(file.len()).ok_or_else(damaged)?;
            let gap = usize::try_from(gap).map_err(|_| damaged())?;
            file.push(rest.get(at..).and_then(|rest| rest.get(..gap)).ok_or_else(damaged)?);
            at += gap;
            let found = self.items.iter().zip(files).find(|(item, _)| item.file == hole.file);
            let bytes = found.map(|(_, input)| &**input).filter(|it| wide(it.len()) == hole.len);
            match bytes {
                Some(bytes) => file.push(bytes),
                // Its bytes are others now, or none.
                None => zeros(&mut file, hole.len.min(template.len)),
            }
        }
        file.push(rest.get(at..).unwrap_or_default());
        if file.len() != template.len {
            return Err(damaged());
        }
        let unpacked = || -> io::Result<Content> {
            let mut to = tempfile::tempfile()?;
            let mut out = BufWriter::with_capacity(0x1_0000, &mut to);
            file.write_to(&mut out)?;
            out.flush()?;
            drop(out);
            if file.is_empty() {
                Ok(Content::Small(Vec::new()))
            } else {
                map(&to).map(Content::Mapped)
            }
        };
        unpacked().map(Some).map_err(|error| format!("it cannot be put together: {error}"))
    }
}

/// Adds zeros, which are no memory.
fn zeros(file: &mut Pieces<'_>, len: u64) {
    static ZEROS: [u8; 0x1_0000] = [0; 0x1_0000];
    let mut left = len;
    while left > 0 {
        let part = usize::try_from(left).unwrap_or(usize::MAX).min(ZEROS.len());
        file.push(&ZEROS[..part]);
        left -= wide(part);
    }
}

fn planned(item: Value) -> Result<Planned, String> {
    let Value::Object(mut fields) = item else { return Err("it is no object".to_owned()) };
    let Some(Value::String(file)) = fields.remove("file") else {
        return Err("`file` is missing".to_owned());
    };
    inside(&file)?;
    let path = match fields.remove("path") {
        None | Some(Value::Null) => None,
        Some(Value::String(path)) => Some(path),
        Some(_) => return Err("`path` is no text".to_owned()),
    };
    Ok(Planned { fields, file, path })
}

/// Files lie in the folder: a manifest that somebody else wrote leads nowhere else.
fn inside(file: &str) -> Result<(), String> {
    let parts = || Path::new(file).components();
    if parts().count() > 0 && parts().all(|part| matches!(part, Component::Normal(_))) {
        Ok(())
    } else {
        Err(format!("`{file}` is no file in the folder"))
    }
}

impl Template {
    fn read(value: &Value) -> Result<Self, String> {
        let wrong = || "`template` is not as `extract` writes it".to_owned();
        let number = |value: &Value| {
            value.as_u64().or_else(|| value.as_str()?.parse().ok()).ok_or_else(wrong)
        };
        let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(wrong);
        let file = text(&value["file"])?;
        inside(&file)?;
        let hole = |value: &Value| {
            Ok(Hole {
                offset: number(&value["offset"])?,
                len: number(&value["len"])?,
                file: text(&value["file"])?,
            })
        };
        let holes = value["holes"].as_array().ok_or_else(wrong)?;
        let holes = holes.iter().map(hole).collect::<Result<_, String>>()?;
        Ok(Self { file, len: number(&value["len"])?, holes })
    }
}

/// What a manifest says about an item, besides its file.
pub(super) fn facts(item: &Item<'_>) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("path".to_owned(), item.path.as_str().into());
    fields.insert("kind".to_owned(), item.kind.as_str().into());
    let (key, name) = json::name(item.name.as_deref());
    fields.insert(key.to_owned(), name);
    for (key, value) in item.columns.iter().chain(&item.details) {
        fields.insert((*key).to_owned(), value.clone());
    }
    fields
}

/// Writes the manifest of items that were written, and all bytes that are none of theirs.
pub(crate) fn write(
    folder: &Path,
    input: &Input,
    driver: &dyn Driver,
    items: &[&Item<'_>],
    existing: Existing,
) -> io::Result<()> {
    let mut holes = Vec::new();
    for item in items {
        // What is stored as it is extracted lies in the file.
        let Ok(std::borrow::Cow::Borrowed(bytes)) = (item.payload)() else { continue };
        let range = input.as_ptr_range();
        let part = bytes.as_ptr_range();
        if !bytes.is_empty() && range.start <= part.start && part.end <= range.end {
            holes.push((offset_in(input, bytes), wide(bytes.len()), item.file_name.as_str()));
        }
    }
    holes.sort_unstable();
    let mut rest = Pieces::new();
    let (mut at, mut kept) = (0_u64, Vec::new());
    let part = |from: u64, to: u64| {
        let range = usize::try_from(from).ok().zip(usize::try_from(to).ok());
        range.and_then(|(from, to)| input.get(from..to)).unwrap_or_default()
    };
    for (offset, len, file) in holes {
        if offset < at {
            continue;
        }
        rest.push(part(at, offset));
        at = offset + len;
        kept.push(json!({"offset": number(offset), "len": number(len), "file": file}));
    }
    rest.push(part(at, wide(input.len())));
    let listed = items.iter().map(|item| {
        let mut fields = Map::new();
        fields.insert("file".to_owned(), item.file_name.as_str().into());
        fields.extend(facts(item));
        Value::Object(fields)
    });
    let taken: Vec<&str> = items.iter().map(|item| item.path.as_str()).collect();
    let manifest = json!({
        "format": driver.name(),
        "items": listed.collect::<Vec<_>>(),
        "taken": taken,
        "template": {"file": TEMPLATE, "len": number(wide(input.len())), "holes": kept},
    });
    let mut text = String::new();
    for line in serde_json::to_string_pretty(&manifest)?.lines() {
        text.push_str(&json::escaped(line));
        text.push('\n');
    }
    put(&folder.join(TEMPLATE), &rest, existing)?;
    put(&folder.join(MANIFEST), &Pieces::from(text.into_bytes()), existing)
}

fn put(path: &Path, bytes: &Pieces<'_>, existing: Existing) -> io::Result<()> {
    save_with(path, existing, |file: &mut File, _| {
        let mut out = BufWriter::with_capacity(0x1_0000, file);
        bytes.write_to(&mut out)?;
        out.flush()
    })
}

/// Whether one of the files of a manifest is there.
pub(crate) fn exists(folder: &Path) -> Option<&'static str> {
    [MANIFEST, TEMPLATE].into_iter().find(|name| fs::symlink_metadata(folder.join(name)).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_that_lead_elsewhere_or_say_nothing_are_refused() {
        for (text, sentence) in [
            ("", "EOF"),
            ("[]", "no object"),
            ("{}", "`format` is missing"),
            (r#"{"format": "x"}"#, "`items` is missing"),
            (r#"{"format": "x", "items": [1]}"#, "items[0]: it is no object"),
            (r#"{"format": "x", "items": [{}]}"#, "items[0]: `file` is missing"),
            (r#"{"format": "x", "items": [{"file": "../x"}]}"#, "no file in the folder"),
            (r#"{"format": "x", "items": [{"file": "/x"}]}"#, "no file in the folder"),
            (r#"{"format": "x", "items": [{"file": ""}]}"#, "no file in the folder"),
            (r#"{"format": "x", "items": [{"file": "x", "path": 1}]}"#, "`path` is no text"),
            (
                r#"{"format": "x", "items": [], "template": {"file": "/t"}}"#,
                "no file in the folder",
            ),
            (
                r#"{"format": "x", "items": [], "template": {"file": "t"}}"#,
                "not as `extract` writes",
            ),
            (r#"{"format": "x", "items": [], "taken": 1}"#, "`taken` is no list"),
        ] {
            let error = Manifest::read(text.as_bytes()).unwrap_err();
            assert!(error.contains(sentence), "{text}: {error}");
        }
    }
}
