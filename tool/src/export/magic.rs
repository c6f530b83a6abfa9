//! A `magic(5)` file, for `file`: what a declaration says about how files begin.

use std::fmt::Write as _;

use binfmt_runtime::{FieldLayout, Layout, Shape};

use super::expr::{literal, number};
use super::words::{Words, parts};
use crate::driver::Driver;
use crate::schema;

/// Bytes that must stand somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Test {
    at: usize,
    bytes: Vec<u8>,
}

/// One way in which files begin: all tests hold.
#[derive(Clone, Debug)]
struct Start {
    tests: Vec<Test>,
    /// What begins there, and where.
    layout: &'static Layout,
    at: usize,
    /// The byte order of the numbers in it, where the declaration has one.
    order: Option<Order>,
}

/// A byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    pub(super) fn of(words: &Words<'_>) -> Option<Self> {
        let little = words.has("little").then_some(Self::Little);
        little.or_else(|| words.has("big").then_some(Self::Big))
    }
}

/// How deep types lie in one another that begin at the first byte.
const DEEPEST: usize = 8;

/// The file, or why there is none.
pub(super) fn magic(driver: &dyn Driver, program: &str) -> Result<String, String> {
    let layout = driver.layout();
    let mut missing = Vec::new();
    let mut starts = starts(layout, 0, DEEPEST, &mut missing);
    // Those with more to tell them by first: `file` shows the first that is strong.
    starts.sort_by_key(|start| std::cmp::Reverse(start.tests.len()));
    if starts.is_empty() {
        return Err(format!(
            "no constant tells files of the format `{}` from others",
            driver.name()
        ));
    }
    let about = schema::about(driver);
    let mut text = format!(
        "# {about}\n# Made by `{program} export {} --to magic`; file -m FILE uses it.\n",
        driver.name()
    );
    for name in missing {
        // Writing to a string does not fail.
        let _ =
            writeln!(text, "# What is a {name} has no constant that tells it from other files.");
    }
    let title = title(driver.name(), &about);
    let mut known = Vec::new();
    for start in &starts {
        let lines = lines(start, &title);
        if !known.contains(&lines) {
            text.push_str(&lines);
            known.push(lines);
        }
    }
    Ok(text)
}

/// What `file` says of a file: it cuts what is longer than 63 bytes.
fn title(name: &str, about: &str) -> String {
    const LONGEST: usize = 56;
    let mut title = format!("{name}:");
    for word in about.split_whitespace() {
        if title.len().saturating_add(word.len()) >= LONGEST {
            title.push_str(" ..");
            break;
        }
        title.push(' ');
        title.push_str(word);
    }
    title.replace('%', "%%")
}

/// The lines of one way to begin.
fn lines(start: &Start, title: &str) -> String {
    let mut text = String::new();
    let last = start.tests.len().saturating_sub(1);
    for (level, test) in start.tests.iter().enumerate() {
        let said = if level == last { title } else { "" };
        let line =
            format!("{}{}\tstring\t{}\t{said}", ">".repeat(level), test.at, escaped(&test.bytes));
        let _ = writeln!(text, "{}", line.trim_end());
        if level == 0 && last > 0 {
            let _ = writeln!(text, "!:strength +{}", 20 * last);
        }
    }
    let level = ">".repeat(start.tests.len());
    for (at, name, ty) in numbers(start.layout, start.at, start.order) {
        let _ = writeln!(text, "{level}{at}\t{ty}\tx\t\\b, {name} %u");
    }
    text
}

/// Bytes as `file` reads them in a line.
fn escaped(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => text.push(char::from(*byte)),
            byte => {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
        text
    })
}

/// All ways in which values of a type begin; `missing` gets the types of which nothing is known.
fn starts(
    layout: &'static Layout,
    at: usize,
    deepest: usize,
    missing: &mut Vec<&'static str>,
) -> Vec<Start> {
    let Some(deepest) = deepest.checked_sub(1) else { return Vec::new() };
    let words = Words::of(layout.words);
    let order = Order::of(&words);
    let start =
        |bytes: &[u8]| Start { tests: vec![Test { at, bytes: bytes.to_vec() }], layout, at, order };
    let own: Vec<_> = layout.magics().filter(|magic| is_telling(magic)).map(start).collect();
    if !own.is_empty() {
        return own;
    }
    match layout.shape {
        Shape::Union => {
            let peek = words.get("peek").and_then(number).map(|(peek, _)| peek);
            let peek = peek.and_then(|peek| usize::try_from(peek).ok());
            let variants = layout.fields.iter().map(|variant| (variant, peek));
            variants
                .flat_map(|(variant, peek)| {
                    of_variant(layout, variant, (at, peek), deepest, missing)
                })
                .collect()
        }
        Shape::Enum => {
            let base = words.get("repr").unwrap_or("u8");
            let numbers = layout.fields.iter().filter_map(|field| number(field.words));
            let bytes = numbers.filter_map(|(number, _)| encoded(number, base, order));
            bytes.filter(|bytes| is_telling(bytes)).map(|bytes| start(&bytes)).collect()
        }
        Shape::Struct | Shape::Table => {
            let found = layout.fields.iter().map(|field| of_field(layout, field, at, deepest));
            let found = found.into_iter().find(|starts| !starts.is_empty()).unwrap_or_default();
            if found.is_empty() {
                missing.push(layout.name);
            }
            // What is around tells more about the file.
            found.into_iter().map(|start| Start { layout, at, order, ..start }).collect()
        }
        Shape::Scalar => Vec::new(),
    }
}

fn of_variant(
    layout: &'static Layout,
    variant: &'static FieldLayout,
    (at, peek): (usize, Option<usize>),
    deepest: usize,
    missing: &mut Vec<&'static str>,
) -> Vec<Start> {
    let words = Words::of(variant.words);
    let order = Order::of(&Words::of(layout.words));
    let magic = words.get("magic").and_then(|magic| constant(magic, order));
    let Some(magic) = magic else {
        return variant
            .nested
            .map(|nested| starts(nested(), at, deepest, missing))
            .unwrap_or_default();
    };
    if !is_telling(&magic) {
        return Vec::new();
    }
    let behind = if peek.is_some() { at } else { at.saturating_add(magic.len()) };
    let test = Test { at: at.saturating_add(peek.unwrap_or(0)), bytes: magic };
    let inner =
        variant.nested.map(|nested| (nested(), starts(nested(), behind, deepest, &mut Vec::new())));
    match inner {
        Some((_, inner)) if !inner.is_empty() => {
            let with = |start: Start| {
                let mut tests = vec![test.clone()];
                tests.extend(start.tests.iter().filter(|other| **other != test).cloned());
                Start { tests, ..start }
            };
            inner.into_iter().map(with).collect()
        }
        Some((nested, _)) => {
            let order = Order::of(&Words::of(nested.words));
            vec![Start { tests: vec![test], layout: nested, at: behind, order }]
        }
        None => vec![Start { tests: vec![test], layout, at, order }],
    }
}

/// What a field at a fixed place begins with.
fn of_field(
    layout: &'static Layout,
    field: &'static FieldLayout,
    at: usize,
    deepest: usize,
) -> Vec<Start> {
    let words = Words::of(field.words);
    let order = Order::of(&Words::of(layout.words));
    let here = field.offset.map(|offset| at.saturating_add(offset));
    let start =
        |at: usize, bytes: Vec<u8>| Start { tests: vec![Test { at, bytes }], layout, at, order };
    if words.has("if") || words.has("at") || field.ty.starts_with("Option") {
        return Vec::new();
    }
    if let Some(one_of) =
        words.get("one_of").and_then(|list| list.strip_prefix('[')?.strip_suffix(']'))
    {
        let bytes =
            parts(one_of, ',').into_iter().filter_map(|text| literal(text).map(|(bytes, _)| bytes));
        let bytes = bytes.filter(|bytes| is_telling(bytes));
        return here
            .map(|here| bytes.map(|bytes| start(here, bytes)).collect())
            .unwrap_or_default();
    }
    let Some(nested) = field.nested.map(|nested| nested()) else { return Vec::new() };
    let inner: Vec<_> = if nested.shape == Shape::Union && Words::of(nested.words).has("flatbuffer")
    {
        nested.fields.iter().filter_map(|variant| variant.nested).map(|nested| nested()).collect()
    } else {
        vec![nested]
    };
    let identifiers: Vec<_> = inner
        .iter()
        .filter_map(|table| {
            literal(Words::of(table.words).get("identifier")?).map(|(bytes, _)| bytes)
        })
        .collect();
    if !identifiers.is_empty() {
        // The identifier stands behind the root offset of the buffer.
        let root = words
            .get("root")
            .and_then(|root| layout.fields.iter().find(|field| field.name == root));
        let Some(begin) = root.map_or(field.offset, |root| root.offset) else { return Vec::new() };
        let place = at.saturating_add(begin).saturating_add(4);
        return identifiers.into_iter().map(|bytes| start(place, bytes)).collect();
    }
    match here.filter(|here| *here == at) {
        Some(here) => starts(nested, here, deepest, &mut Vec::new()),
        None => Vec::new(),
    }
}

/// Whether bytes tell files apart: zeros and single bytes are everywhere.
fn is_telling(bytes: &[u8]) -> bool {
    bytes.len() > 1 && bytes.iter().any(|byte| *byte != 0)
}

/// The bytes of a constant in a declaration.
pub(super) fn constant(text: &str, order: Option<Order>) -> Option<Vec<u8>> {
    if let Some((bytes, _)) = literal(text) {
        return Some(bytes);
    }
    let (number, ty) = number(text)?;
    encoded(number, ty, order)
}

/// A number of a type as bytes.
fn encoded(number: u64, ty: &str, order: Option<Order>) -> Option<Vec<u8>> {
    let bits: usize = ty.get(1..)?.parse().ok()?;
    let bytes = number.to_le_bytes();
    let mut bytes = bytes.get(..bits / 8)?.to_vec();
    match order {
        Some(Order::Big) => bytes.reverse(),
        None if bytes.len() > 1 => return None,
        _ => {}
    }
    Some(bytes)
}

/// The numbers at fixed places that say which kind of file it is.
fn numbers(
    layout: &'static Layout,
    at: usize,
    order: Option<Order>,
) -> Vec<(usize, String, &'static str)> {
    let mut numbers = Vec::new();
    for field in layout.fields {
        let Some(here) = field.offset.map(|offset| at.saturating_add(offset)) else { continue };
        let name = field.name.replace('_', " ");
        let ty = field.ty.trim_start_matches("Auto<").trim_end_matches('>');
        let ty = match (ty, order) {
            ("u8", _) => "ubyte",
            ("u16", Some(Order::Little)) => "uleshort",
            ("u16", Some(Order::Big)) => "ubeshort",
            ("u32", Some(Order::Little)) => "ulelong",
            ("u32", Some(Order::Big)) => "ubelong",
            _ => {
                let nested = field.nested.map(|nested| nested());
                let same =
                    nested.filter(|nested| nested.shape == Shape::Struct && name == "version");
                if let Some(nested) = same {
                    let order = Order::of(&Words::of(nested.words));
                    numbers.extend(self::numbers(nested, here, order));
                }
                continue;
            }
        };
        if ["version", "major", "minor"].contains(&name.as_str()) || name.ends_with("count") {
            numbers.push((here, name, ty));
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use binfmt_runtime::BinFormat;

    use super::*;
    use crate::format;

    /// A picture: nothing like it.
    #[derive(BinFormat)]
    #[bin(big, magic = b"P 1\n\x00\xff")]
    struct Picture {
        version: u16,
        #[bin(check(width > 0, "no"))]
        width: u32,
        color_count: u8,
        #[bin(until_end)]
        rest: Vec<u8>,
    }

    /// One of several, 100 % sure.
    #[derive(BinFormat)]
    #[bin(little, peek = 4)]
    enum Either {
        #[bin(magic = 0x0102_0304u32)]
        Left(Left),
        #[bin(magic = 0u64)]
        Zero(Left),
        Right(Right),
    }

    #[derive(BinFormat)]
    #[bin(little)]
    struct Left {
        kind: Kind,
        magic: u32,
    }

    #[derive(BinFormat, Clone, Copy)]
    #[bin(little)]
    #[repr(u32)]
    enum Kind {
        Nothing = 0,
        Old = 0x4141,
        New = 0x4242_4242,
    }

    #[derive(BinFormat)]
    struct Right {
        #[bin(one_of = [b"RR", b"rr"])]
        name: [u8; 2],
    }

    #[derive(BinFormat)]
    struct Plain {
        byte: u8,
    }

    #[test]
    fn constants_are_tests_and_versions_are_shown() {
        let text = magic(format::<Picture>("picture").driver(), "binfmt").unwrap();
        assert_eq!(
            text,
            "\
# A picture: nothing like it
# Made by `binfmt export picture --to magic`; file -m FILE uses it.
0\tstring\tP\\x201\\x0a\\x00\\xff\tpicture: A picture: nothing like it
>6\tubeshort\tx\t\\b, version %u
>12\tubyte\tx\t\\b, color count %u
"
        );
    }

    #[test]
    fn every_variant_has_its_tests() {
        let text = magic(format::<Either>("either").driver(), "binfmt").unwrap();
        let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(
            lines,
            [
                "4\tstring\t\\x04\\x03\\x02\\x01",
                "!:strength +20",
                ">0\tstring\tAA\\x00\\x00\teither: One of several, 100 %% sure",
                "4\tstring\t\\x04\\x03\\x02\\x01",
                "!:strength +20",
                ">0\tstring\tBBBB\teither: One of several, 100 %% sure",
                "0\tstring\tRR\teither: One of several, 100 %% sure",
                "0\tstring\trr\teither: One of several, 100 %% sure",
            ]
        );
    }

    #[test]
    fn format_without_constants_has_no_magic() {
        let why = magic(format::<Plain>("plain").driver(), "binfmt").unwrap_err();
        assert!(why.contains("no constant"), "{why}");
    }
}
