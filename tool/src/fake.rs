//! A format for the program's own tests: boxes of bytes, each behind its length.
//!
//! A box of length 0 is the end; so is the end of the file. A box that starts with `!` cannot be
//! decoded, and rewriting turns `~` into `_`.

use std::borrow::Cow;
use std::io::Write;

use binfmt_runtime::{
    Class, Events, FieldLayout, Layout, Problem, Report, Severity, Show, Step, Value,
};

use crate::driver::{
    Checked, Container, Driver, Entry, Extras, Items, Options, Part, Places, Unmade,
};
use crate::input::Input;
use crate::item::Item;
use crate::json::wide;

pub(crate) const GOOD: &[u8] = b"BOXS\x03abc\x02de";
pub(crate) const BROKEN: &[u8] = b"BOXS\x03abc\x01!";
pub(crate) const OPTIONS: Options = Options { decode: true, max_decoded: 1 << 20 };

/// An input named `test.box` with these bytes.
pub(crate) fn input(bytes: &[u8]) -> Input {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("test.box");
    std::fs::write(&path, bytes).unwrap();
    Input::open(&path).unwrap().renamed("test.box")
}

#[derive(Debug)]
pub(crate) struct Fake;

/// Offsets and lengths of all boxes, the end, and whether it was reached.
fn boxes(file: &[u8], at: usize) -> (Vec<(usize, usize)>, usize, bool) {
    let mut boxes = Vec::new();
    let mut pos = at + 4;
    while let Some(len) = file.get(pos).copied().map(usize::from) {
        pos += 1;
        if len == 0 {
            break;
        }
        if file.len() - pos < len {
            return (boxes, pos, false);
        }
        boxes.push((pos, len));
        pos += len;
    }
    (boxes, pos, true)
}

impl Driver for Fake {
    fn name(&self) -> &'static str {
        "fake"
    }

    fn layout(&self) -> &'static Layout {
        const { &Layout::scalar("Box") }
    }

    fn detect(&self, file: &[u8]) -> bool {
        file.starts_with(b"BOXS")
    }

    fn validate(&self, file: &[u8], _: &Options) -> Checked {
        let (boxes, end, complete) = boxes(file, 0);
        let mut report = Report::new();
        if !complete {
            let problem = Problem {
                code: "end",
                class: Class::Incomplete,
                start: end,
                end: file.len(),
                what: format_args!("the input ends here"),
                expected: Show::Nothing,
                found: Show::Nothing,
            };
            report.add(Severity::Error, &format!("boxes[{}]", boxes.len()), &problem);
        }
        Checked { variant: Some("v1".to_owned()), report }
    }

    fn walk(&self, file: &[u8], _: &Part, _: &Options, events: &mut dyn Events) {
        const FIELD: FieldLayout = FieldLayout {
            name: "boxes",
            ty: "Vec<Boxed>",
            doc: " What is in it.",
            ..*Layout::scalar("").field(0)
        };
        let (boxes, end, complete) = boxes(file, 0);
        events.begin(const { &Layout::scalar("Boxes") }, 0);
        events.enter(Step::Field("boxes"), Some(&FIELD), 4);
        for (&(start, len), index) in boxes.iter().zip(0..) {
            events.enter(Step::Index(index), None, start);
            events.leave(start + len, &Value::Bytes(&file[start..start + len]));
        }
        if complete {
            events.leave(end, &Value::Items(Some(wide(boxes.len()))));
            events.end(end, Some(&Value::Group));
        } else {
            events.unwind(0, end);
            events.end(end, None);
        }
    }

    fn rewrite_to(&self, file: &[u8], _: &Options, out: &mut dyn Write) -> Result<(), Unmade> {
        let written = file.iter().map(|byte| if *byte == b'~' { b'_' } else { *byte });
        if !boxes(file, 0).2 {
            return Err(Unmade::because("the input ends"));
        }
        Ok(out.write_all(&written.collect::<Vec<_>>())?)
    }

    fn extras(&self) -> Extras<'_> {
        Extras { items: Some(self), places: Some(self), ..Extras::default() }
    }
}

impl Items for Fake {
    fn list<'f>(&self, file: &'f [u8], _: &str, _: &Options) -> Vec<Item<'f>> {
        let item = |(index, (start, len)): (usize, (usize, usize))| {
            let bytes = &file[start..start + len];
            Item {
                path: format!("boxes[{index}]"),
                kind: "box".to_owned(),
                name: None,
                offset: wide(start),
                stored_size: wide(len),
                columns: vec![("arch", "none".into())],
                details: vec![],
                file_name: "../box".to_owned(),
                is_file: true,
                promised: None,
                payload: Box::new(move || match bytes {
                    [b'!', ..] => Err("this box is broken".to_owned()),
                    bytes => Ok(Cow::Borrowed(bytes)),
                }),
            }
        };
        boxes(file, 0).0.into_iter().enumerate().map(item).collect()
    }
}

impl Places for Fake {
    fn magics(&self) -> &'static [[u8; 4]] {
        const MAGIC: [u8; 4] = *b"BOXS";
        &[MAGIC]
    }

    fn prove(&self, file: &[u8], at: usize, _: &Options) -> Result<Container, u64> {
        let (boxes, end, complete) = boxes(file, at);
        if !complete {
            return Err(wide(boxes.len()) + 1);
        }
        let entry = |(start, len): &(usize, usize)| Entry {
            kind: "box".to_owned(),
            arch: format!("sm_{len}"),
            offset: wide(*start),
            stored: wide(*len),
            decoded: Some(wide(*len)),
        };
        Ok(Container { range: at..end, entries: boxes.iter().map(entry).collect() })
    }
}
