//! One field in the order of its type: its condition, its paddings, its value.

use binfmt_runtime::{FieldLayout, Layout, Shape};
use serde_json::{Map, Value, json};

use super::super::constants::{Order, constant};
use super::say::{Said, Scope};
use super::types::{Ty, id, key, type_id};
use super::{Ksy, is_number, runs};
use crate::words::Words;

/// What is read for a field, one after the other.
pub(super) type Items = Vec<Map<String, Value>>;

/// Where a field stands.
pub(super) struct At<'s> {
    pub(super) layout: &'static Layout,
    pub(super) field: &'s FieldLayout,
    pub(super) scope: &'s Scope,
    /// How far the type around it has been read.
    pub(super) position: &'s str,
    /// The byte order of the type around it.
    pub(super) order: Option<Order>,
    /// Whether nothing follows it, so that its end need not be known.
    pub(super) open: bool,
}

fn map(value: Value) -> Map<String, Value> {
    if let Value::Object(map) = value { map } else { Map::new() }
}

/// The items of a field in the sequence.
pub(super) fn items(ksy: &mut Ksy, said: &mut Said, at: &At<'_>) -> Result<Items, String> {
    let words = Words::of(at.field.words);
    let name = id(at.field.name);
    if let Some(word) =
        words.first(&["with", "codec", "until_codec", "view", "bits", "optional", "skip"])
    {
        return Err(format!("`{word}` has no word in Kaitai"));
    }
    let condition = condition(ksy, said, at, &words)?;
    let mut items = Items::new();
    if let Some(size) = words.get("pad_before") {
        let size = said.say(ksy, at.scope, size, "s8")?;
        items.push(map(json!({"id": format!("padding_before_{name}"), "size": size})));
    }
    if let Some(to) = words.get("align_before") {
        items.push(aligned(ksy, said, at, to, &format!("padding_before_{name}"))?);
    }
    if let Some(magic) = words.get("magic").filter(|magic| !magic.is_empty()) {
        let magic = constant(magic, at.order).ok_or("the magic is a constant of Rust")?;
        items.push(map(json!({"id": format!("magic_of_{name}"), "contents": magic})));
    }
    if let Some(prefix) = words.get("prefix") {
        let Ty::Number(ty) = Ty::of(prefix) else {
            return Err(format!("a prefix of {prefix} has no word in Kaitai"));
        };
        items.push(map(
            json!({"id": format!("len_of_{name}"), "type": ordered(ty, &words, at.order)}),
        ));
    }
    let mut value = value(ksy, said, at, &words)?;
    if !at.field.doc.trim().is_empty() {
        value.insert("doc".to_owned(), at.field.doc.trim().into());
    }
    let has_end = words.first(&["len", "prefix", "count"]).is_some();
    items.push(value);
    if words.get("nul") == Some("") && has_end {
        let nul =
            if Ty::of(&at.layout.type_of(at.field)) == Ty::Utf16 { vec![0, 0] } else { vec![0] };
        items.push(map(json!({"id": format!("nul_of_{name}"), "contents": nul})));
    }
    if let Some(size) = words.get("pad_after") {
        let size = said.say(ksy, at.scope, size, "s8")?;
        items.push(map(json!({"id": format!("padding_of_{name}"), "size": size})));
    }
    if let Some(space) = words.get("pad_to") {
        let space = said.say(ksy, at.scope, space, "s8")?;
        let used = words.get("len").ok_or("`pad_to` without `len` has no word in Kaitai")?;
        let used = said.say(ksy, at.scope, used, "s8")?;
        items.push(map(
            json!({"id": format!("padding_of_{name}"), "size": format!("{space} - {used}")}),
        ));
    } else if let Some(to) = words.get("align_after") {
        items.push(aligned(ksy, said, at, to, &format!("padding_of_{name}"))?);
    }
    if let Some(condition) = condition {
        for item in &mut items {
            item.insert("if".to_owned(), condition.clone().into());
        }
    }
    Ok(items)
}

/// Fill up to a multiple.
fn aligned(
    ksy: &Ksy,
    said: &mut Said,
    at: &At<'_>,
    to: &str,
    id: &str,
) -> Result<Map<String, Value>, String> {
    let to = said.say(ksy, at.scope, to, "s8")?;
    let size = format!("({to} - {} % {to}) % {to}", at.position);
    Ok(map(json!({"id": id, "size": size})))
}

/// When a field is there.
pub(super) fn condition(
    ksy: &Ksy,
    said: &mut Said,
    at: &At<'_>,
    words: &Words<'_>,
) -> Result<Option<String>, String> {
    if let Some(condition) = words.get("if") {
        return said.say(ksy, at.scope, condition, "bool").map(Some);
    }
    if let Some(flag) = words.get("flag") {
        let (flag, is) = flag.strip_prefix('!').map_or((flag, "!="), |flag| (flag, "=="));
        return said.say(ksy, at.scope, flag, "bool").map(|flag| Some(format!("{flag} {is} 0")));
    }
    let version = Words::of(at.layout.words).get("version");
    let mut conditions = Vec::new();
    for (word, operator) in [("since", ">="), ("before", "<")] {
        if let (Some(limit), Some(version)) = (words.get(word), version) {
            let [version, limit] = [version, limit].map(|text| said.say(ksy, at.scope, text, "s8"));
            conditions.push(format!("{} {operator} {}", version?, limit?));
        }
    }
    Ok((!conditions.is_empty()).then(|| conditions.join(" and ")))
}

/// A number with its byte order.
pub(super) fn ordered(ty: &'static str, words: &Words<'_>, order: Option<Order>) -> String {
    match Order::of(words).filter(|said| !ty.ends_with('1') && Some(*said) != order) {
        None => ty.to_owned(),
        Some(Order::Little) => format!("{ty}le"),
        Some(Order::Big) => format!("{ty}be"),
    }
}

/// The value itself.
pub(super) fn value(
    ksy: &mut Ksy,
    said: &mut Said,
    at: &At<'_>,
    words: &Words<'_>,
) -> Result<Map<String, Value>, String> {
    let field = at.field;
    let ty = words.get("map").map_or_else(
        || Ty::of(&at.layout.type_of(field)),
        |map| Ty::of(map.split(',').next().unwrap_or_default()),
    );
    if words.has("map") {
        let place = format!("{}.{}", at.layout.full_name(), field.name);
        ksy.leave_out(&place, "`map` is code of Rust; what is there is what is stored");
    }
    let mut item = map(json!({"id": id(field.name)}));
    match &ty {
        Ty::Bytes | Ty::Text | Ty::Utf16 => runs::text(ksy, said, at, words, &ty, &mut item)?,
        Ty::List(inner) => runs::list(ksy, said, at, words, inner, &mut item)?,
        Ty::Array(inner, count) => {
            item.insert("type".to_owned(), of_item(ksy, said, at, words, inner)?);
            item.insert("repeat".to_owned(), "expr".into());
            item.insert("repeat-expr".to_owned(), (*count).into());
        }
        Ty::Fixed(size) => drop(item.insert("size".to_owned(), (*size).into())),
        ty => {
            item.insert("type".to_owned(), of_item(ksy, said, at, words, ty)?);
            if let Ty::Named(_) = ty
                && let Some(numbers) =
                    field.nested.map(|nested| nested()).filter(|nested| nested.shape == Shape::Enum)
                && ksy.enums.contains_key(&type_id(numbers))
            {
                item.insert("enum".to_owned(), type_id(numbers).into());
            }
            if let Some(size) = size(ksy, said, at, words)? {
                item.insert("size".to_owned(), size);
            }
        }
    }
    Ok(item)
}

/// How many bytes a field says that it has.
pub(super) fn size(
    ksy: &Ksy,
    said: &mut Said,
    at: &At<'_>,
    words: &Words<'_>,
) -> Result<Option<Value>, String> {
    if let Some(len) = words.get("len") {
        return said.say(ksy, at.scope, len, "s8").map(|len| Some(len.into()));
    }
    Ok(words.has("prefix").then(|| format!("len_of_{}", id(at.field.name)).into()))
}

/// The type of a value or of an item.
pub(super) fn of_item(
    ksy: &mut Ksy,
    said: &mut Said,
    at: &At<'_>,
    words: &Words<'_>,
    ty: &Ty,
) -> Result<Value, String> {
    match ty {
        Ty::Number(ty) => Ok(ordered(ty, words, at.order).into()),
        Ty::Bool => Ok("u1".into()),
        Ty::Odd(bits) => match Order::of(words).or(at.order) {
            Some(Order::Big) => Ok(format!("b{bits}be").into()),
            Some(Order::Little) => Ok(format!("b{bits}le").into()),
            None => Err(
                "a number of that width has no word in Kaitai where its byte order is not fixed"
                    .to_owned(),
            ),
        },
        Ty::Leb => {
            ksy.types.entry("leb128".to_owned()).or_insert_with(leb128);
            Ok("leb128".into())
        }
        Ty::Named(name) => {
            let nested = at.field.nested.map(|nested| nested());
            let nested = nested.ok_or_else(|| format!("`{name}` is a type of Rust"))?;
            let own = Words::of(nested.words);
            match nested.shape {
                Shape::Enum => {
                    let base = own.get("repr").unwrap_or("u8");
                    let Ty::Number(base) = Ty::of(base) else {
                        return Err(format!("`{base}` is no number"));
                    };
                    Ok(ordered(base, &own, at.order).into())
                }
                Shape::Struct if is_number(nested) => {
                    match nested.fields.first().map(|field| Ty::of(&nested.type_of(field))) {
                        Some(Ty::Number(base)) => Ok(ordered(base, &own, at.order).into()),
                        _ => Err(format!("`{name}` is no number")),
                    }
                }
                _ if own.has("flatbuffer") => Err(format!(
                    "a buffer of {} is bytes: tables of FlatBuffers are not described",
                    nested.name
                )),
                Shape::Struct | Shape::Union if ksy.is_described(nested) => {
                    if !at.open
                        && words.first(&["len", "prefix"]).is_none()
                        && ksy.broken.contains(key(nested))
                    {
                        return Err(format!("where a {} ends is not known", nested.full_name()));
                    }
                    let arguments = said.arguments(ksy, at.scope, nested, words.get("args"))?;
                    Ok(format!("{}{arguments}", type_id(nested)).into())
                }
                _ => Err(format!("a {} cannot be said here", nested.full_name())),
            }
        }
        _ => Err("a list of lists has no word in Kaitai".to_owned()),
    }
}

/// A number of seven bits a byte, the lowest first.
fn leb128() -> Value {
    let value = (0..10).map(|group| {
        format!("(groups.size > {group} ? (groups[{group}] & 127) << {} : 0)", group * 7)
    });
    json!({
        "doc": "A number of seven bits a byte, the lowest first.",
        "seq": [{"id": "groups", "type": "u1", "repeat": "until", "repeat-until": "_ < 128"}],
        "instances": {"value": {"value": value.collect::<Vec<_>>().join(" | ")}},
    })
}
