//! Expressions in the language of Kaitai.

use std::collections::BTreeMap;

use binfmt_runtime::{Layout, Shape};

use super::super::expr::Expr;
use super::types::{Ty, id, type_id};
use super::{Ksy, Need};
use crate::words::{Words, parts};

/// What names stand for at some place of a type.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// Fields that have been read, as they are reached from here.
    pub(super) fields: BTreeMap<String, Known>,
    /// Arguments of the type: their types in Rust.
    pub(super) args: BTreeMap<String, String>,
    /// Abbreviations.
    pub(super) lets: BTreeMap<String, Expr>,
    /// How the parameters of the type are reached from here.
    pub(super) around: String,
    /// What is left of the region, where it has an end.
    pub(super) remaining: bool,
}

/// A field that can be named.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) path: String,
    pub(super) ty: Ty,
    pub(super) nested: Option<&'static Layout>,
}

impl Known {
    /// What it says in an expression.
    fn value(&self) -> String {
        match self.ty {
            Ty::Bool => format!("({} != 0)", self.path),
            Ty::Leb => format!("{}.value", self.path),
            _ => self.path.clone(),
        }
    }
}

/// An expression with the parameters that it needs.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) needs: Vec<Need>,
}

impl Said {
    /// The text of an expression; what is wanted of it says the type of what must be asked for.
    pub(super) fn say(
        &mut self,
        ksy: &Ksy,
        scope: &Scope,
        text: &str,
        wanted: &'static str,
    ) -> Result<String, String> {
        let expr = Expr::parse(text).ok_or_else(|| format!("`{text}` is code of Rust"))?;
        self.expr(ksy, scope, &expr).or_else(|why| self.ask(scope, text, &expr, wanted).ok_or(why))
    }

    /// A parameter for what only arguments and constants decide.
    fn ask(&mut self, scope: &Scope, text: &str, expr: &Expr, ty: &'static str) -> Option<String> {
        if expr.names().iter().any(|name| !scope.args.contains_key(*name)) {
            return None;
        }
        let words: String =
            text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
        let words: Vec<String> = words.split_whitespace().map(id).collect();
        Some(self.need(scope, Need::new(id(&words.join("_")), ty, text)))
    }

    fn need(&mut self, scope: &Scope, need: Need) -> String {
        let path = format!("{}{}", scope.around, need.id);
        if !self.needs.contains(&need) {
            self.needs.push(need);
        }
        path
    }

    fn expr(&mut self, ksy: &Ksy, scope: &Scope, expr: &Expr) -> Result<String, String> {
        Ok(match expr {
            Expr::Number(number) => number.to_string(),
            Expr::Bool(value) => value.to_string(),
            Expr::Bytes(bytes) => format!("{bytes:?}"),
            Expr::Path(path) => self.path(ksy, scope, path)?,
            Expr::Field(inner, name) => {
                let no_value = || format!("`.{name}` is of a value in Rust");
                let outer = known(scope, inner).ok_or_else(no_value)?;
                let nested = outer.nested.ok_or_else(no_value)?;
                match known(scope, expr) {
                    // Bit fields are instances, which have their value already.
                    Some(field) if !Words::of(nested.words).has("bits") => field.value(),
                    _ => format!("{}.{}", outer.path, inside(nested, name)),
                }
            }
            Expr::Call(name, list) => self.call(ksy, scope, name, list)?,
            Expr::Not(inner) => format!("(not {})", self.expr(ksy, scope, inner)?),
            Expr::Minus(inner) => format!("(-{})", self.expr(ksy, scope, inner)?),
            Expr::List(list) => {
                let list: Result<Vec<_>, _> =
                    list.iter().map(|expr| self.expr(ksy, scope, expr)).collect();
                format!("[{}]", list?.join(", "))
            }
            Expr::Two(operator, left, right) => {
                let operator = match *operator {
                    "||" => "or",
                    "&&" => "and",
                    "or" => return Err("`or` has no word in Kaitai".to_owned()),
                    operator => operator,
                };
                let [left, right] = [left, right].map(|expr| self.expr(ksy, scope, expr));
                format!("({} {operator} {})", left?, right?)
            }
            Expr::If(condition, then, other) => {
                let [condition, then, other] =
                    [condition, then, other].map(|expr| self.expr(ksy, scope, expr));
                format!("({} ? {} : {})", condition?, then?, other?)
            }
            Expr::Index(..) => return Err("an item by its number is code of Rust".to_owned()),
        })
    }

    fn path(&mut self, ksy: &Ksy, scope: &Scope, path: &str) -> Result<String, String> {
        if let Some((ty, variant)) = path.rsplit_once("::") {
            let layout = ksy
                .layout(ty.rsplit("::").next().unwrap_or(ty))
                .filter(|layout| layout.shape == Shape::Enum);
            let known = layout
                .is_some_and(|layout| layout.fields.iter().any(|field| field.name == variant));
            return match layout {
                Some(layout) if known => Ok(format!("{}::{}", type_id(layout), id(variant))),
                _ => Err(format!("`{path}` is a constant of Rust")),
            };
        }
        if let Some(expr) = scope.lets.get(path) {
            return self.expr(ksy, scope, expr);
        }
        if let Some(known) = scope.fields.get(path) {
            return Ok(known.value());
        }
        if path == "remaining" && scope.remaining {
            return Ok("(_io.size - _io.pos)".to_owned());
        }
        if let Some(ty) = scope.args.get(path) {
            let mut numbers = None;
            let kaitai = match Ty::of(ty) {
                Ty::Number(name) => name,
                Ty::Named(_) if let Some((base, named)) = enum_of(ksy, ty) => {
                    numbers = Some(named);
                    base
                }
                Ty::Bool => "bool",
                Ty::Fixed(_) | Ty::Bytes => "bytes",
                _ => return Err(format!("`{path}` is a value of Rust")),
            };
            let need = Need { numbers, ..Need::new(id(path), kaitai, path) };
            return Ok(self.need(scope, need));
        }
        if path.starts_with(|c: char| c.is_uppercase()) {
            let id = format!("const_{}", path.to_ascii_lowercase());
            return Ok(self.need(scope, Need::new(id, "s8", path)));
        }
        Err(format!("`{path}` is not known where it is needed"))
    }

    fn call(
        &mut self,
        ksy: &Ksy,
        scope: &Scope,
        name: &str,
        list: &[Expr],
    ) -> Result<String, String> {
        match (name, list) {
            ("len", [of]) => {
                let known =
                    known(scope, of).ok_or("`len` is of something that is not known there")?;
                match known.ty {
                    Ty::Bytes | Ty::Fixed(_) => Ok(format!("{}.length", known.path)),
                    _ => Err("the length of anything but bytes has no word in Kaitai".to_owned()),
                }
            }
            ("align_up", [value, to]) => {
                let [value, to] = [value, to].map(|expr| self.expr(ksy, scope, expr));
                let (value, to) = (value?, to?);
                Ok(format!("(({value} + {to} - 1) / {to} * {to})"))
            }
            ("abs", [value]) => {
                let value = self.expr(ksy, scope, value)?;
                Ok(format!("({value} < 0 ? -{value} : {value})"))
            }
            ("min" | "max", [left, right]) => {
                let operator = if name == "min" { "<" } else { ">" };
                let [left, right] = [left, right].map(|expr| self.expr(ksy, scope, expr));
                let (left, right) = (left?, right?);
                Ok(format!("({left} {operator} {right} ? {left} : {right})"))
            }
            _ => Err(format!("`{}` is a function of Rust", name.trim_start_matches('.'))),
        }
    }

    /// What a type is told that stands in a field: `passed` are the arguments that the field says.
    pub(super) fn arguments(
        &mut self,
        ksy: &Ksy,
        scope: &Scope,
        nested: &'static Layout,
        passed: Option<&str>,
    ) -> Result<String, String> {
        let passed: BTreeMap<&str, &str> = passed.map(arguments).unwrap_or_default();
        let words = Words::of(nested.words);
        let defaults = words.get("args").map(declared).unwrap_or_default();
        let mut told = Vec::new();
        for need in ksy.needs(nested).to_vec() {
            // What is asked of the arguments there is asked of what is passed here.
            let mut text = need.text.clone();
            for (name, (_, default)) in &defaults {
                if let Some(value) = passed.get(name.as_str()).copied().or(default.as_deref()) {
                    text = replaced(&text, name, value);
                }
            }
            told.push(self.say(ksy, scope, &text, need.ty)?);
        }
        Ok(if told.is_empty() { String::new() } else { format!("({})", told.join(", ")) })
    }
}

/// The numbers of an enum, and the name that it has in a description.
fn enum_of(ksy: &Ksy, ty: &str) -> Option<(&'static str, String)> {
    let layout = ksy.layout(ty.rsplit("::").next().unwrap_or(ty))?;
    let base = Ty::of(Words::of(layout.words).get("repr").unwrap_or("u8"));
    match (layout.shape, base) {
        (Shape::Enum, Ty::Number(base)) => Some((base, type_id(layout))),
        _ => None,
    }
}

/// The field that an expression names.
fn known(scope: &Scope, expr: &Expr) -> Option<Known> {
    match expr {
        Expr::Path(name) => scope.fields.get(name).cloned(),
        Expr::Field(inner, name) => {
            let known = known(scope, inner)?;
            let nested = known.nested?;
            let field = nested.fields.iter().find(|field| field.name == name)?;
            Some(Known {
                path: format!("{}.{}", known.path, inside(nested, name)),
                ty: Ty::of(&nested.type_of(field)),
                nested: field.nested.map(|nested| nested()),
            })
        }
        _ => None,
    }
}

/// How a field is reached from the value that it lies in: what a length limits lies in its body.
fn inside(layout: &'static Layout, name: &str) -> String {
    let words = Words::of(layout.words);
    let Some(len) = words.get("len").and_then(Expr::parse) else { return id(name) };
    let asked = len.names();
    let last = layout.fields.iter().rposition(|field| asked.contains(&field.name));
    let at = layout.fields.iter().position(|field| field.name == name);
    if at <= last { id(name) } else { format!("body.{}", id(name)) }
}

/// `name = value` or `name` alone, for each argument.
fn arguments(text: &str) -> BTreeMap<&str, &str> {
    let argument = |text| match <str>::split_once(text, '=') {
        Some((name, value)) => (name.trim(), value.trim()),
        None => (text, text),
    };
    parts(text, ',').into_iter().map(argument).collect()
}

/// The arguments that a type declares: their types and what they are if nothing is passed.
pub(super) fn declared(text: &str) -> BTreeMap<String, (String, Option<String>)> {
    let argument = |text: &str| {
        let (name, rest) = text.split_once(':')?;
        let (ty, default) = match rest.split_once(" = ") {
            Some((ty, default)) => (ty, Some(default.trim().to_owned())),
            None => (rest, None),
        };
        Some((name.trim().to_owned(), (ty.trim().to_owned(), default)))
    };
    parts(text, ',').into_iter().filter_map(argument).collect()
}

/// A text with a name in it replaced.
pub(super) fn replaced(text: &str, name: &str, value: &str) -> String {
    let mut new = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        new.push_str(if word == name { value } else { &word });
        word.clear();
        new.push(c);
    }
    new.trim_end().to_owned()
}
