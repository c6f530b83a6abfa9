//! Values at offsets, and values beside the items of a table.

use binfmt_runtime::{FieldLayout, Layout};
use serde_json::{Map, Value, json};

use super::Ksy;
use super::fields::{At, condition, value};
use super::say::{Known, Scope};
use super::structs::Struct;
use super::types::{Ty, id, type_id};
use crate::derived;
use crate::words::Words;

/// What a field at an offset is: an instance.
pub(super) fn located(
    ksy: &mut Ksy,
    strukt: &mut Struct,
    field: &'static FieldLayout,
) -> Result<Map<String, Value>, String> {
    let words = Words::of(field.words);
    if words.has("for_each") {
        let scope = strukt.outer.clone();
        let mut list = beside(ksy, strukt, field, &scope)?;
        // The items say themselves where they lie.
        list.insert("pos".to_owned(), 0.into());
        list.remove("id");
        return Ok(list);
    }
    let scope = strukt.outer.clone();
    let at = At {
        layout: strukt.layout,
        field,
        scope: &scope,
        position: "",
        order: strukt.order,
        open: true,
    };
    let mut instance = placed(ksy, strukt, &at, &words)?;
    instance.remove("id");
    Ok(instance)
}

/// A value at the offset that it says.
fn placed(
    ksy: &mut Ksy,
    strukt: &mut Struct,
    at: &At<'_>,
    words: &Words<'_>,
) -> Result<Map<String, Value>, String> {
    if let Some(word) =
        words.first(&["with", "codec", "until_codec", "view", "prefix", "magic", "optional"])
    {
        return Err(format!("`{word}` at an offset has no word in Kaitai"));
    }
    let offset = said(ksy, strukt, at, words.get("at").unwrap_or_default(), "s8")?;
    let (io, begin) = origin(ksy, strukt, words)?;
    let mut instance = Map::new();
    instance.insert("io".to_owned(), io.into());
    let around = &at.scope.around;
    instance.insert(
        "pos".to_owned(),
        if begin { format!("{around}bin_begin + {offset}") } else { offset.clone() }.into(),
    );
    let mut conditions: Vec<String> =
        condition(ksy, &mut strukt.said, at, words)?.into_iter().collect();
    if let Some(null) = words.get("null") {
        conditions.push(format!("{offset} != {}", said(ksy, strukt, at, null, "s8")?));
    }
    if !conditions.is_empty() {
        let conditions: Vec<_> =
            conditions.iter().map(|condition| format!("({condition})")).collect();
        instance.insert("if".to_owned(), conditions.join(" and ").into());
    }
    instance.extend(value(ksy, &mut strukt.said, at, words)?);
    Ok(instance)
}

fn said(
    ksy: &Ksy,
    strukt: &mut Struct,
    at: &At<'_>,
    text: &str,
    wanted: &'static str,
) -> Result<String, String> {
    strukt.said.say(ksy, at.scope, text, wanted)
}

/// The stream that offsets count in, and whether they count from the start of the value.
fn origin(
    ksy: &Ksy,
    strukt: &mut Struct,
    words: &Words<'_>,
) -> Result<(&'static str, bool), String> {
    let own = Words::of(strukt.layout.words).has("origin");
    match words.get("base") {
        Some("file") => Ok(("_root._io", false)),
        Some("start") => {
            strukt.begin = true;
            Ok(("_io", true))
        }
        Some(_) => Err("an offset that counts from a field has no word in Kaitai".to_owned()),
        None if own => Ok(("_io", true)),
        None if ksy.layouts.iter().any(|layout| Words::of(layout.words).has("origin")) => {
            Err("from where the offset counts depends on what is around".to_owned())
        }
        None => Ok(("_root._io", false)),
    }
}

/// A list with one value for each item of a table.
pub(super) fn beside(
    ksy: &mut Ksy,
    strukt: &mut Struct,
    field: &'static FieldLayout,
    scope: &Scope,
) -> Result<Map<String, Value>, String> {
    let words = Words::of(field.words);
    let table = words.get("for_each").unwrap_or_default();
    let (layout, order) = (strukt.layout, strukt.order);
    let known = scope.fields.get(table).cloned();
    let source = layout.fields.iter().find(|field| field.name == table);
    // What lies at an offset itself is there if it could be described.
    let located = source.filter(|_| strukt.instances.contains_key(&id(table)));
    let (Some(known), Some(source)) = (known.or_else(|| located_table(layout, located)), source)
    else {
        return Err(format!("`{table}` is not known there"));
    };
    let (path, scope) = one_scope(known, source, scope);
    let name = format!("{}_{}", type_id(layout), id(field.name));
    let one = one_of(field);
    let at = At { layout, field: &one, scope: &scope, position: "", order, open: words.has("at") };
    let mut ty = Map::new();
    if let Some(endian) = Ksy::endian(layout) {
        ty.insert("meta".to_owned(), json!({"endian": endian}));
    }
    ty.insert("params".to_owned(), json!([{"id": "index", "type": "u4"}]));
    let mut instances = Map::new();
    instances.insert("it".to_owned(), json!({"value": format!("_parent.{path}[index]")}));
    if derived::counts_from_previous(field.words) {
        let previous = format!("_parent.{path}[index - 1]");
        instances.insert("previous".to_owned(), json!({"value": previous}));
    }
    if words.has("at") {
        let mut value = placed(ksy, strukt, &at, &words)?;
        value.remove("id");
        instances.insert("item".to_owned(), value.into());
    } else {
        ty.insert("seq".to_owned(), json!([in_order(ksy, strukt, &at, &words)?]));
    }
    ty.insert("instances".to_owned(), instances.into());
    ksy.types.insert(name.clone(), ty.into());
    let mut list = Map::new();
    list.insert("id".to_owned(), id(field.name).into());
    list.insert("type".to_owned(), format!("{name}(_index)").into());
    list.insert("repeat".to_owned(), "expr".into());
    list.insert("repeat-expr".to_owned(), format!("{path}.size").into());
    Ok(list)
}

/// One value of a list in which they follow one another.
fn in_order(
    ksy: &mut Ksy,
    strukt: &mut Struct,
    at: &At<'_>,
    words: &Words<'_>,
) -> Result<Map<String, Value>, String> {
    const PADDINGS: [&str; 6] =
        ["align_before", "align_after", "pad_before", "pad_after", "prefix", "nul"];
    if words.first(&PADDINGS).is_some() {
        return Err("paddings of values beside a table have no word in Kaitai".to_owned());
    }
    let mut value = value(ksy, &mut strukt.said, at, words)?;
    value.insert("id".to_owned(), "item".into());
    if let Some(condition) = condition(ksy, &mut strukt.said, at, words)? {
        value.insert("if".to_owned(), condition.into());
    }
    Ok(value)
}

/// How the table is reached, and what names mean for one item of it: those of the list around it, the
/// item itself, and its number.
fn one_scope(known: Known, source: &'static FieldLayout, scope: &Scope) -> (String, Scope) {
    // A list of so many bytes has its items inside.
    let is_list = Words::of(source.words).has("len");
    let path = if is_list { format!("{}.items", known.path) } else { known.path };
    let mut scope = Scope { around: format!("_parent.{}", scope.around), ..scope.clone() };
    for field in scope.fields.values_mut() {
        field.path = format!("_parent.{}", field.path);
    }
    let item = match known.ty {
        Ty::List(item) => *item,
        ty => ty,
    };
    let it = Known { path: "it".to_owned(), ty: item, nested: known.nested };
    let previous = Known { path: "previous".to_owned(), ..it.clone() };
    let index = Known { path: "index".to_owned(), ty: Ty::Number("u4"), nested: None };
    scope.fields.insert("it".to_owned(), it);
    scope.fields.insert("previous".to_owned(), previous);
    scope.fields.insert("index".to_owned(), index);
    (path, scope)
}

/// A table that lies at an offset itself, and so is no part of the sequence.
fn located_table(layout: &Layout, field: Option<&'static FieldLayout>) -> Option<Known> {
    let field = field.filter(|field| Words::of(field.words).has("at"))?;
    Some(Known {
        path: id(field.name),
        ty: Ty::of(&layout.type_of(field)),
        nested: field.nested.map(|nested| nested()),
    })
}

/// The field that stands for one item of a list.
fn one_of(field: &'static FieldLayout) -> FieldLayout {
    let inner =
        field.ty.split_once('<').and_then(|(_, rest)| rest.strip_suffix('>')).unwrap_or(field.ty);
    let ty = match inner.split_once(", ") {
        Some((lifetime, item)) if lifetime.starts_with('\'') => item,
        _ => inner,
    };
    FieldLayout { ty, ..*field }
}
