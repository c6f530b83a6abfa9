//! Trees as JSON: their text is written as the rows come, and none is kept.

use std::io::{self, Write};

use binfmt_runtime::{NodeValue, Step};

use crate::driver::{Driver, Options, Part};
use crate::input::Input;
use crate::output::Out;
use crate::pattern::Shown;
use crate::rows::{Choice, Row, rows};
use crate::{json, paths};

/// How many bytes are collected before they are written.
const BUFFER: usize = 1 << 16;

/// One tree for each field that was chosen, and how many rows there were.
pub(crate) fn write_json(
    (input, part): (&Input, &Part),
    driver: &dyn Driver,
    options: &Options,
    choice: Choice<'_>,
    out: &mut Out<'_>,
) -> io::Result<u64> {
    let mut trees = Trees { input, part, told: 0, open: 0, buffer: Vec::new() };
    let mut tell = |row: &Row| {
        if out.is_closed() {
            trees.told = trees.told.saturating_add(1);
            return Ok(());
        }
        trees.row(row)?;
        if trees.buffer.len() >= BUFFER {
            // Nothing in it is a colour, and nothing has to look for some.
            out.write_file(&trees.buffer)?;
            trees.buffer.clear();
        }
        Ok(())
    };
    rows((input, part), driver, options, choice, &mut tell)?;
    trees.end();
    out.write_file(&trees.buffer)?;
    Ok(trees.told)
}

struct Trees<'t> {
    input: &'t Input,
    part: &'t Part,
    told: u64,
    /// How many objects are open.
    open: usize,
    buffer: Vec<u8>,
}

impl Trees<'_> {
    fn row(&mut self, row: &Row) -> io::Result<()> {
        self.told = self.told.saturating_add(1);
        let open = self.open;
        if row.depth < open {
            self.close(row.depth);
        }
        self.buffer.extend_from_slice(match (row.depth, open) {
            (0, 0) => b"",
            (0, _) => b"\n",
            (depth, open) if depth < open => b",",
            _ => b",\"children\":[",
        });
        self.open = row.depth + 1;
        self.head(row)
    }

    /// Closes the object of that depth, and all inside it.
    fn close(&mut self, depth: usize) {
        self.buffer.push(b'}');
        for _ in depth + 1..self.open {
            self.buffer.extend_from_slice(b"]}");
        }
    }

    fn end(&mut self) {
        if self.open > 0 {
            self.close(0);
            self.buffer.push(b'\n');
        }
    }

    /// What is known of a row, without what is in it: an object that stays open.
    fn head(&mut self, row: &Row) -> io::Result<()> {
        let to = &mut self.buffer;
        to.extend_from_slice(b"{\"name\":");
        match (row.depth, row.path.last()) {
            (0, _) if row.path.is_empty() => text(to, &self.part.name)?,
            (0, _) => text(to, &Shown(&row.path).to_string())?,
            (_, Some(Step::Index(index))) => write!(to, "\"[{index}]\"")?,
            (_, Some(step)) => text(to, &step.to_string())?,
            (_, None) => text(to, "")?,
        }
        to.extend_from_slice(b",\"type\":");
        text(to, row.ty)?;
        to.extend_from_slice(b",\"start\":");
        number(to, row.start)?;
        to.extend_from_slice(b",\"end\":");
        number(to, row.end)?;
        to.extend_from_slice(b",\"value\":");
        match &row.value {
            None => to.extend_from_slice(b"null,\"damaged\":true"),
            Some(NodeValue::Uint(value)) => number(to, *value)?,
            Some(NodeValue::Group | NodeValue::Absent) => to.extend_from_slice(b"null"),
            Some(NodeValue::Str(value)) => text(to, value)?,
            Some(value) => write!(to, "{}", json::escaped(&json::node_value(value).to_string()))?,
        }
        if !row.doc.is_empty() {
            to.extend_from_slice(b",\"doc\":");
            text(to, row.doc.trim())?;
        }
        if let (0, Some(_)) = (row.depth, self.input.inner()) {
            self.file()?;
        }
        Ok(())
    }

    /// Which of several files it is.
    fn file(&mut self) -> io::Result<()> {
        let mut line = serde_json::json!({ "file": self.input.name() });
        paths::put_exact(&mut line, "file", self.input.path());
        for (key, value) in line.as_object().into_iter().flatten() {
            write!(self.buffer, ",\"{key}\":{}", json::escaped(&value.to_string()))?;
        }
        Ok(())
    }
}

fn number(to: &mut Vec<u8>, value: u64) -> io::Result<()> {
    if value > json::EXACT { write!(to, "\"{value}\"") } else { write!(to, "{value}") }
}

fn text(to: &mut Vec<u8>, text: &str) -> io::Result<()> {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
    if text.bytes().all(is_plain) {
        to.push(b'"');
        to.extend_from_slice(text.as_bytes());
        to.push(b'"');
        return Ok(());
    }
    let quoted = serde_json::Value::from(text).to_string();
    write!(to, "{}", json::escaped(&quoted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_are_those_of_any_writer() {
        let written = |write: &dyn Fn(&mut Vec<u8>)| {
            let mut to = Vec::new();
            write(&mut to);
            String::from_utf8(to).unwrap()
        };
        for value in ["", "plain", "with \"quotes\" and \\", "ü", "a\u{202e}b", "line\n"] {
            let read = written(&|to| text(to, value).unwrap());
            assert_eq!(serde_json::from_str::<String>(&read).unwrap(), value);
            assert!(!read.contains(['\u{202e}', '\n']), "{read}");
        }
        for value in [0, 1 << 53, (1 << 53) + 1, u64::MAX] {
            assert_eq!(written(&|to| number(to, value).unwrap()), json::number(value).to_string());
        }
    }
}
