//! What has many items and an end: bytes, texts and lists.

use serde_json::{Map, Value, json};

use super::super::constants::{Order, constant};
use super::super::expr::{Expr, number};
use super::Ksy;
use super::fields::{At, of_item, size};
use super::say::{Known, Said};
use super::types::{Ty, id, type_id};
use crate::words::Words;

/// Bytes, or a text.
pub(super) fn text(
    ksy: &Ksy,
    said: &mut Said,
    at: &At<'_>,
    words: &Words<'_>,
    ty: &Ty,
    item: &mut Map<String, Value>,
) -> Result<(), String> {
    if *ty == Ty::Utf16 {
        item.insert("encoding".to_owned(), utf16(at, words)?.into());
    }
    if *ty != Ty::Bytes {
        item.insert("type".to_owned(), "str".into());
    }
    if let Some(size) = size(ksy, said, at, words)? {
        item.insert("size".to_owned(), size);
        if words.get("nul") == Some("optional") {
            if *ty == Ty::Utf16 {
                return Err("an end of several bytes has no word in Kaitai".to_owned());
            }
            item.insert("terminator".to_owned(), 0.into());
        }
    } else if words.has("until_end") {
        item.insert("size-eos".to_owned(), true.into());
    } else if words.has("nul") && *ty != Ty::Utf16 {
        item.insert("terminator".to_owned(), 0.into());
    } else if let Some(count) = words.get("count") {
        item.insert("size".to_owned(), said.say(ksy, at.scope, count, "s8")?.into());
    } else if let Some(until) = words.get("until") {
        ended(at, words, until, item)?;
    } else {
        return Err("where it ends has no word in Kaitai".to_owned());
    }
    if let Some(fill) = words.get("trim") {
        let fill = Expr::parse(fill).ok_or("the fill is code of Rust")?;
        let Expr::Number(fill) = fill else { return Err("the fill is code of Rust".to_owned()) };
        item.insert("pad-right".to_owned(), fill.into());
    }
    Ok(())
}

fn utf16(at: &At<'_>, words: &Words<'_>) -> Result<&'static str, String> {
    match Order::of(words).or(at.order) {
        Some(Order::Big) => Ok("UTF-16BE"),
        Some(Order::Little) => Ok("UTF-16LE"),
        None => Err("a UTF-16 text whose byte order is not fixed has no word in Kaitai".to_owned()),
    }
}

/// Bytes up to a constant, which may be kept, or left to what follows.
fn ended(
    at: &At<'_>,
    words: &Words<'_>,
    until: &str,
    item: &mut Map<String, Value>,
) -> Result<(), String> {
    let (how, end) = Ending::of(until);
    if words.has("nul") || how == Ending::Last {
        return Err("that end has no word in Kaitai".to_owned());
    }
    let byte = number(end).and_then(|(byte, _)| u8::try_from(byte).ok()).map(|byte| vec![byte]);
    let end = byte.or_else(|| constant(end, at.order)).ok_or("the end is a constant of Rust")?;
    let [byte] = *end else {
        return Err("an end of several bytes has no word in Kaitai".to_owned());
    };
    item.insert("terminator".to_owned(), byte.into());
    match how {
        Ending::Kept => drop(item.insert("include".to_owned(), true.into())),
        Ending::Peek => drop(item.insert("consume".to_owned(), false.into())),
        Ending::Taken | Ending::Last => {}
    }
    Ok(())
}

/// What becomes of the constant that ends something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// It is read, and is no part of the value.
    Taken,
    Kept,
    /// It is left to what follows.
    Peek,
    /// So is the last one of several.
    Last,
}

impl Ending {
    fn of(until: &str) -> (Self, &str) {
        let words = [("kept", Self::Kept), ("peek", Self::Peek), ("peek_last", Self::Last)];
        let inside = |word: &str| until.strip_prefix(word)?.strip_prefix('(')?.strip_suffix(')');
        let found = words.iter().find_map(|(word, how)| Some((*how, inside(word)?.trim())));
        found.unwrap_or((Self::Taken, until))
    }
}

/// A list of values that all have the same type.
pub(super) fn list(
    ksy: &mut Ksy,
    said: &mut Said,
    at: &At<'_>,
    words: &Words<'_>,
    inner: &Ty,
    item: &mut Map<String, Value>,
) -> Result<(), String> {
    if *inner == Ty::Bytes || *inner == Ty::Text {
        return Err("items that have no length of their own have no word in Kaitai".to_owned());
    }
    if words.get("args").is_some_and(|args| args.contains("previous.")) {
        return Err("an argument that the item before tells has no word in Kaitai".to_owned());
    }
    let at = &At { open: false, ..*at };
    // A length is that of the list, not of its items.
    let ty = of_item(ksy, said, at, &Words::of_args(words), inner)?;
    if let Some(len) = words.get("len") {
        return within(ksy, said, at, (ty, len), item);
    }
    item.insert("type".to_owned(), ty);
    let mut repeat = |how: &str| item.insert("repeat".to_owned(), how.into());
    if let Some(count) = words.get("count") {
        repeat("expr");
        item.insert("repeat-expr".to_owned(), said.say(ksy, at.scope, count, "s8")?.into());
    } else if words.has("prefix") {
        repeat("expr");
        item.insert("repeat-expr".to_owned(), format!("len_of_{}", id(at.field.name)).into());
    } else if words.has("until_end") {
        repeat("eos");
    } else if let Some(until) = words.get("until") {
        repeat("until");
        repeat_until(ksy, said, at, (until, inner), item)?;
    } else {
        return Err("where the list ends has no word in Kaitai".to_owned());
    }
    Ok(())
}

/// A list of so many bytes: with a size of its own each item would have that size.
fn within(
    ksy: &mut Ksy,
    said: &mut Said,
    at: &At<'_>,
    (ty, len): (Value, &str),
    item: &mut Map<String, Value>,
) -> Result<(), String> {
    if ty.as_str().is_some_and(|ty| ty.contains('(')) {
        let why = "items with arguments in a list of so many bytes have no word in Kaitai";
        return Err(why.to_owned());
    }
    let name = format!("{}_{}", type_id(at.layout), id(at.field.name));
    let list = json!({"seq": [{"id": "items", "type": ty, "repeat": "eos"}]});
    ksy.types.insert(name.clone(), list);
    item.insert("type".to_owned(), name.into());
    item.insert("size".to_owned(), said.say(ksy, at.scope, len, "s8")?.into());
    Ok(())
}

/// A list up to an item for which something holds.
fn repeat_until(
    ksy: &mut Ksy,
    said: &mut Said,
    at: &At<'_>,
    (until, inner): (&str, &Ty),
    item: &mut Map<String, Value>,
) -> Result<(), String> {
    if let Some(least) = until.strip_prefix("remaining <") {
        let least = said.say(ksy, at.scope, least.trim(), "s8")?;
        item.insert("repeat-until".to_owned(), format!("_io.size - _io.pos < {least}").into());
        item.insert("if".to_owned(), format!("_io.size - _io.pos >= {least}").into());
        return Ok(());
    }
    let (how, end) = Ending::of(until);
    if let (Some((end, _)), Ending::Taken, Ty::Number(_)) = (number(end), how, inner) {
        let place = format!("{}.{}", at.layout.full_name(), at.field.name);
        ksy.leave_out(&place, "the constant that ends the list is its last item");
        item.insert("repeat-until".to_owned(), format!("_ == {end}").into());
        return Ok(());
    }
    if how != Ending::Taken || Expr::parse(until).is_some_and(|it| matches!(it, Expr::Bytes(_))) {
        return Err("the constant that ends the list has no word in Kaitai".to_owned());
    }
    let last = Known {
        path: "_".to_owned(),
        ty: inner.clone(),
        nested: at.field.nested.map(|nested| nested()),
    };
    let mut scope = at.scope.clone();
    scope.fields.insert("last".to_owned(), last);
    let until = said.say(ksy, &scope, until, "bool")?;
    item.insert("repeat-until".to_owned(), until.into());
    Ok(())
}
