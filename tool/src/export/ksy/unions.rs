//! One of several shapes: a number tells which, and a switch over it reads it.

use binfmt_runtime::{FieldLayout, Layout, Shape};
use serde_json::{Map, Value, json};

use super::super::constants::{Order, constant};
use super::super::expr::number;
use super::fields::{At, of_item};
use super::say::{Said, Scope, declared};
use super::types::{Ty, key, type_id};
use super::{Ksy, Need};
use crate::words::{Words, parts};

/// Describes an enum of shapes.
pub(super) fn declare(ksy: &mut Ksy, layout: &'static Layout) {
    let words = Words::of(layout.words);
    let args = words.get("args").map(declared).unwrap_or_default();
    let args = args.into_iter().map(|(name, (ty, _))| (name, ty)).collect();
    let scope = Scope { args, remaining: true, ..Scope::default() };
    let mut said = Said::default();
    let mut ty = Map::new();
    match shape(ksy, &mut said, layout, &scope, &mut ty) {
        Ok(()) => {}
        Err(why) => {
            ksy.leave_out(&layout.full_name(), &why);
            ksy.broken.insert(key(layout));
        }
    }
    ksy.add(layout, ty, said.needs);
}

/// Why a union whose variants are tried is described by the one that the reader is told.
const TRIED: &str = "`probe` tells its variants apart by reading them; the reader is told which";

fn shape(
    ksy: &mut Ksy,
    said: &mut Said,
    layout: &'static Layout,
    scope: &Scope,
    ty: &mut Map<String, Value>,
) -> Result<(), String> {
    let words = Words::of(layout.words);
    let held = |field: &FieldLayout| field.nested.map(|nested| key(nested()));
    let same = layout.fields.iter().map(held).collect::<Vec<_>>();
    if words.has("probe") && same.windows(2).all(|pair| pair.first() == pair.last()) {
        return only_told_apart(ksy, said, layout, ty);
    }
    let (mut instances, mut seq) = (Map::new(), Vec::new());
    let which = if words.has("probe") {
        said.needs.push(Need::new("variant".to_owned(), "u1", "the number of the variant"));
        ksy.leave_out(&layout.full_name(), TRIED);
        None
    } else if let Some(tag) = words.get("tag") {
        Some(by_tag(ksy, said, layout, scope, tag)?)
    } else {
        Some(by_magic(layout, &words, &mut instances, &mut seq)?)
    };
    if let Some(which) = which {
        instances.insert("variant".to_owned(), json!({"value": which}));
    }
    let cases = cases(ksy, said, layout, scope);
    if !cases.is_empty() {
        seq.push(json!({"id": "value", "type": {"switch-on": "variant", "cases": cases}}));
    }
    ty.insert("seq".to_owned(), seq.into());
    if !instances.is_empty() {
        ty.insert("instances".to_owned(), instances.into());
    }
    Ok(())
}

/// A union whose variants hold the same type: only what that is told differs, and that is asked for.
fn only_told_apart(
    ksy: &mut Ksy,
    said: &mut Said,
    layout: &'static Layout,
    ty: &mut Map<String, Value>,
) -> Result<(), String> {
    let first = layout.fields.first().ok_or("it has no variants")?;
    let nested = first.nested.map(|nested| nested()).ok_or("its variants hold nothing")?;
    said.needs.extend(ksy.needs(nested).iter().cloned());
    let told: Vec<_> = said.needs.iter().map(|need| need.id.as_str()).collect();
    let told = if told.is_empty() { String::new() } else { format!("({})", told.join(", ")) };
    let value = format!("{}{told}", type_id(nested));
    ty.insert("seq".to_owned(), json!([{"id": "value", "type": value}]));
    ksy.leave_out(&layout.full_name(), TRIED);
    Ok(())
}

/// What each variant holds, by its number.
fn cases(
    ksy: &mut Ksy,
    said: &mut Said,
    layout: &'static Layout,
    scope: &Scope,
) -> Map<String, Value> {
    let mut cases = Map::new();
    for (field, index) in layout.fields.iter().zip(0_u32..).filter(|(it, _)| !it.ty.is_empty()) {
        match variant(ksy, said, layout, field, scope) {
            Ok(ty) => drop(cases.insert(index.to_string(), ty.into())),
            Err(why) => {
                ksy.leave_out(&format!("{}.{}", layout.full_name(), field.name), &why);
                ksy.broken.insert(key(layout));
            }
        }
    }
    cases
}

/// The type of what a variant holds.
fn variant(
    ksy: &mut Ksy,
    said: &mut Said,
    layout: &'static Layout,
    field: &'static FieldLayout,
    scope: &Scope,
) -> Result<String, String> {
    let words = Words::of(field.words);
    let order = Order::of(&Words::of(layout.words));
    let at = At { layout, field, scope, position: "", order, open: true };
    if field.nested.is_some_and(|nested| ksy.broken.contains(key(nested()))) {
        ksy.broken.insert(key(layout));
    }
    let ty = of_item(ksy, said, &at, &words, &Ty::of(&layout.type_of(field)))?;
    let ty = ty.as_str().ok_or("it is a choice itself")?;
    Ok(ty.to_owned())
}

fn by_tag(
    ksy: &Ksy,
    said: &mut Said,
    layout: &'static Layout,
    scope: &Scope,
    tag: &str,
) -> Result<String, String> {
    let tag = said.say(ksy, scope, tag, "u8")?;
    let mut which = "-1".to_owned();
    for (field, index) in layout.fields.iter().zip(0_u32..).collect::<Vec<_>>().into_iter().rev() {
        let words = Words::of(field.words);
        if words.has("other") {
            which = index.to_string();
            continue;
        }
        let Some(ids) = words.get("id") else { return Err("a tag is no number".to_owned()) };
        let mut conditions = Vec::new();
        for one in parts(ids, '|') {
            let (one, also) = one.split_once(" if ").map_or((one, None), |(id, it)| (id, Some(it)));
            let mut condition = match one.split_once("..") {
                Some((from, to)) => range(ksy, said, scope, &tag, from, to)?,
                None => format!("{tag} == {}", said.say(ksy, scope, one, "u8")?),
            };
            if let Some(also) = also {
                condition = format!("({condition} and {})", said.say(ksy, scope, also, "bool")?);
            }
            conditions.push(condition);
        }
        which = format!("({}) ? {index} : ({which})", conditions.join(" or "));
    }
    Ok(which)
}

fn range(
    ksy: &Ksy,
    said: &mut Said,
    scope: &Scope,
    tag: &str,
    from: &str,
    to: &str,
) -> Result<String, String> {
    let mut ends = Vec::new();
    if !from.trim().is_empty() {
        ends.push(format!("{tag} >= {}", said.say(ksy, scope, from, "u8")?));
    }
    let (operator, to) = to.strip_prefix('=').map_or(("<", to), |to| ("<=", to));
    if !to.trim().is_empty() {
        ends.push(format!("{tag} {operator} {}", said.say(ksy, scope, to, "u8")?));
    }
    Ok(if ends.is_empty() { "true".to_owned() } else { format!("({})", ends.join(" and ")) })
}

/// By the bytes that variants begin with, which stand in front of the value or are part of it.
fn by_magic(
    layout: &'static Layout,
    words: &Words<'_>,
    instances: &mut Map<String, Value>,
    seq: &mut Vec<Value>,
) -> Result<String, String> {
    let order = Order::of(words);
    let peek = words
        .get("peek")
        .map(|peek| number(peek).map(|(peek, _)| peek).ok_or("`peek` is a constant of Rust"));
    let peek = peek.transpose()?;
    let at = peek.map_or_else(|| "_io.pos".to_owned(), |peek| format!("_io.pos + {peek}"));
    let mut which = "-1".to_owned();
    let mut size = "0".to_owned();
    for (field, index) in layout.fields.iter().zip(0_u32..).collect::<Vec<_>>().into_iter().rev() {
        let magic = Words::of(field.words).get("magic").map(|magic| constant(magic, order));
        let nested =
            field.nested.map(|nested| nested()).filter(|nested| nested.shape != Shape::Scalar);
        let own = nested
            .map(|nested| nested.magics().map(<[u8]>::to_vec).collect::<Vec<_>>())
            .unwrap_or_default();
        let magics = match magic {
            Some(None) => return Err("a magic is a constant of Rust".to_owned()),
            Some(Some(magic)) => {
                if peek.is_none() {
                    size = format!("variant == {index} ? {} : ({size})", magic.len());
                }
                vec![magic]
            }
            // What has a magic of its own is told by that.
            None => own,
        };
        if magics.is_empty() {
            which = index.to_string();
            continue;
        }
        let mut conditions = Vec::new();
        for magic in magics {
            let name = format!("bin_magic_{}", magic.len());
            let len = magic.len();
            // There may be fewer bytes than that.
            let size = format!(
                "(_io.size - ({at}) < {len}) ? ((_io.size - ({at}) < 0) ? 0 : _io.size - ({at})) : {len}"
            );
            let pos = format!("(({at}) > _io.size) ? _io.size : ({at})");
            instances.insert(name.clone(), json!({"pos": pos, "size": size}));
            conditions.push(format!("{name} == {magic:?}"));
        }
        which = format!("({}) ? {index} : ({which})", conditions.join(" or "));
    }
    if size == "0" {
        // The choice is made before anything is read.
        seq.push(json!({"id": "bin_begins", "size": 0, "if": "variant >= -1"}));
    } else {
        seq.push(json!({"id": "variant_magic", "size": size}));
    }
    Ok(which)
}
