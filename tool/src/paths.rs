//! Paths as text and as JSON, without loss where they are no text.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::json;

/// A path as messages show it: bytes that are no text look like `\xff`.
pub fn shown(path: &Path) -> String {
    let chunks = path.as_os_str().as_encoded_bytes().utf8_chunks();
    chunks.fold(String::new(), |mut text, chunk| {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            // Writing to a string does not fail.
            let _ = write!(text, "\\x{byte:02x}");
        }
        text
    })
}

/// Adds the bytes of a path to a line that has its text under `key`, where that is not all of it.
pub fn put_exact(line: &mut Value, key: &str, path: &Path) {
    if path.to_str().is_none() {
        line[format!("{key}_hex")] = json::hex(path.as_os_str().as_encoded_bytes()).into();
    }
}

/// A name that an archive has, as the system has names.
pub(crate) fn from_bytes(name: &[u8]) -> OsString {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        OsStr::from_bytes(name).to_owned()
    }
    #[cfg(not(unix))]
    {
        String::from_utf8_lossy(name).into_owned().into()
    }
}

/// The name of a file in another one: both with a separator between them.
pub(crate) fn inner(outer: &Path, separator: char, name: &OsStr) -> PathBuf {
    let mut path = outer.as_os_str().to_owned();
    path.push(separator.to_string());
    path.push(name);
    path.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_are_not_lost() {
        use serde_json::json;

        let path = PathBuf::from(from_bytes(b"a\xffb\xc3\xbc"));
        assert_eq!(shown(&path), "a\\xffbü");
        let mut line = json!({ "file": shown(&path) });
        put_exact(&mut line, "file", &path);
        assert_eq!(line["file_hex"], "61ff62c3bc");
        let mut line = json!({ "file": "ü" });
        put_exact(&mut line, "file", Path::new("ü"));
        assert!(line.get("file_hex").is_none());
    }
}
