//! One thing that can be listed and extracted.

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value};

use crate::json;
use crate::output::printable;

/// The bytes of an item, or why they cannot be had.
pub type Payload<'f> = Result<Cow<'f, [u8]>, String>;

/// One thing in a file.
pub struct Item<'f> {
    /// Where it is, such as `containers[0].entries[3]`.
    pub path: String,
    /// What it is, such as `elf`.
    pub kind: String,
    /// Its name in the file, if it has one.
    pub name: Option<Vec<u8>>,
    /// Absolute offset of its stored bytes.
    pub offset: u64,
    /// How many bytes are stored there.
    pub stored_size: u64,
    /// What else the table and JSON show.
    pub columns: Vec<(&'static str, Value)>,
    /// What else only JSON shows.
    pub details: Vec<(&'static str, Value)>,
    /// What `extract` would like to call it.
    pub file_name: String,
    /// Whether `extract` writes it; what has no bytes in the file is only listed.
    pub is_file: bool,
    /// How many bytes its header says it has when decoded, where finding that out takes time.
    pub promised: Option<u64>,
    /// Decodes it; the result is what `extract` writes.
    pub payload: Box<dyn Fn() -> Payload<'f> + Send + Sync + 'f>,
}

impl fmt::Debug for Item<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Item")
            .field("path", &self.path)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

impl Item<'_> {
    /// What a listing says about the content: without `check` or `hash` only what costs no time.
    pub fn measure(&self, check: bool, hash: bool) -> Measured {
        if let (Some(size), false) = (self.promised, check || hash) {
            return Measured { size: Ok(size), sha256: None };
        }
        match (self.payload)() {
            Ok(bytes) => Measured {
                size: Ok(json::wide(bytes.len())),
                sha256: (hash && self.is_file).then(|| json::sha256(&bytes)),
            },
            Err(error) => Measured { size: Err(error), sha256: None },
        }
    }

    /// The name as text, escaped where a terminal would obey it.
    pub fn shown_name(&self) -> String {
        match &self.name {
            None => String::new(),
            Some(name) => match std::str::from_utf8(name) {
                Ok(text) => printable(text),
                Err(_) => format!("0x{}", json::hex(name)),
            },
        }
    }

    /// The column with that heading, as the table shows it.
    pub fn column(&self, heading: &str) -> String {
        let value = self.columns.iter().find(|(name, _)| *name == heading).map(|(_, value)| value);
        match value {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => printable(text),
            Some(other) => printable(&json::plain(other)),
        }
    }

    /// The item as `list --json` shows it.
    pub fn to_json(&self, measured: &Measured) -> Value {
        let mut fields = Map::new();
        fields.insert("path".to_owned(), self.path.as_str().into());
        fields.insert("kind".to_owned(), self.kind.as_str().into());
        let (key, name) = json::name(self.name.as_deref());
        fields.insert(key.to_owned(), name);
        fields.insert("offset".to_owned(), json::number(self.offset));
        fields.insert("stored_size".to_owned(), json::number(self.stored_size));
        let size = measured.size.as_ref();
        fields.insert("size".to_owned(), size.map_or(Value::Null, |size| json::number(*size)));
        if let Some(sha256) = &measured.sha256 {
            fields.insert("sha256".to_owned(), sha256.as_str().into());
        }
        if let Err(error) = size {
            fields.insert("error".to_owned(), error.as_str().into());
        }
        for (key, value) in self.columns.iter().chain(&self.details) {
            fields.insert((*key).to_owned(), value.clone());
        }
        if self.is_file {
            fields.insert("file_name".to_owned(), self.file_name.as_str().into());
        }
        Value::Object(fields)
    }
}

/// What is known about an item only after decoding it.
#[derive(Debug)]
pub struct Measured {
    /// How many bytes `extract` writes, or why it cannot.
    pub size: Result<u64, String>,
    /// Their digest, if asked for.
    pub sha256: Option<String>,
}

/// The payload of an item that is stored as it is extracted.
pub fn stored(bytes: Option<&[u8]>) -> Payload<'_> {
    bytes.map(Cow::Borrowed).ok_or_else(|| "its bytes do not lie in the file".to_owned())
}

/// Where a part of a file lies in it, in bytes.
pub fn offset_in(file: &[u8], part: &[u8]) -> u64 {
    json::wide(part.as_ptr().addr().saturating_sub(file.as_ptr().addr()).min(file.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: Option<&[u8]>) -> Item<'static> {
        Item {
            path: "entries[3]".to_owned(),
            kind: "elf".to_owned(),
            name: name.map(<[u8]>::to_vec),
            offset: 1 << 60,
            stored_size: 8,
            columns: vec![("arch", "sm_90a".into())],
            details: vec![("debug", true.into())],
            file_name: "a.cubin".to_owned(),
            is_file: true,
            promised: None,
            payload: Box::new(|| Ok(Cow::Borrowed(b"abc"))),
        }
    }

    #[test]
    fn json_has_the_fields_in_order() {
        let item = item(Some(b"a"));
        let expected = concat!(
            r#"{"path":"entries[3]","kind":"elf","name":"a","offset":"1152921504606846976","#,
            r#""stored_size":8,"size":3,"#,
            r#""sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","#,
            r#""arch":"sm_90a","debug":true,"file_name":"a.cubin"}"#,
        );
        assert_eq!(item.to_json(&item.measure(true, true)).to_string(), expected);
    }

    #[test]
    fn name_that_is_not_text_is_hex() {
        let item = item(Some(b"\xff\x01"));
        let value = item.to_json(&Measured { size: Err("broken".to_owned()), sha256: None });
        assert_eq!(value["name_hex"], "ff01");
        assert!(value.get("name").is_none());
        assert_eq!(value["size"], Value::Null);
        assert_eq!(value["error"], "broken");
    }

    #[test]
    fn parts_are_found_in_their_file() {
        let file = [1, 2, 3, 4];
        assert_eq!(offset_in(&file, &file[2..]), 2);
        assert_eq!(offset_in(&file, &file[4..]), 4);
    }
}
