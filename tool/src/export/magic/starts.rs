//! The ways in which files of a format begin.

use binfmt_runtime::{FieldLayout, Layout, Shape};

use super::super::constants::{Order, constant, encoded};
use super::super::expr::{literal, number};
use crate::words::{Words, parts};

/// Bytes that must stand somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Test {
    pub(super) at: usize,
    pub(super) bytes: Vec<u8>,
}

/// One way in which files begin: all tests hold.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) tests: Vec<Test>,
    /// What begins there, and where.
    pub(super) layout: &'static Layout,
    pub(super) at: usize,
    /// The byte order of the numbers in it, where the declaration has one.
    pub(super) order: Option<Order>,
}

/// How deep types lie in one another that begin at the first byte.
pub(super) const DEEPEST: usize = 8;

/// All ways in which values of a type begin; `missing` gets the types of which nothing is known.
pub(super) fn starts(
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

/// The numbers at fixed places that say which kind of file it is.
pub(super) fn numbers(
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
