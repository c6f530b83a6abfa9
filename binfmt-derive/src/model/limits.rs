//! What `range`, `one_of`, `unique` and `sorted_by` mean: rules with texts and codes of their own.

use proc_macro2::Span;
use quote::ToTokens as _;
use syn::{Ident, LitStr};

use super::Kind;
use crate::attr::{Choice, Key, Range, Rule, RuleKind, Word, Words};
use crate::expr::{Expr, Op};

/// The rules that `range` and `one_of` make; each speaks of the value inside an `Option`.
pub(crate) fn rules(code: &str, name: &Ident, kind: Kind<'_>, limits: &Words) -> Vec<Rule> {
    let rule = |span, word: &str, condition, text: String| {
        let (text, code) = (LitStr::new(&text, span), format!("{code}.{word}"));
        Rule::new(RuleKind::Check, condition, &text, Some(LitStr::new(&code, span)), true)
    };
    let range = limits.range.as_ref().and_then(|Word { span, value }| {
        let condition = inside(name, value)?;
        Some(rule(*span, "range", condition, format!("the value is not in {}", range_text(value))))
    });
    let one_of = limits.one_of.as_ref().and_then(|Word { span, value }| {
        let condition = among(name, value)?;
        let spelled = match kind {
            Kind::Text { .. } => format!("{{{name}:?}}"),
            _ => "the value".into(),
        };
        let list: Vec<String> = value.iter().map(|choice| escaped(&choice.text)).collect();
        Some(rule(*span, "one_of", condition, format!("{spelled} is none of {}", list.join(", "))))
    });
    range.into_iter().chain(one_of).collect()
}

fn compare(name: &Ident, op: Op, with: &Expr) -> Expr {
    Expr::Binary(Box::new(Expr::Name(name.clone())), op, Box::new(with.clone()))
}

fn inside(name: &Ident, range: &Range) -> Option<Expr> {
    let low = range.low.as_ref().map(|low| compare(name, Op::Ge, low));
    let below = if range.closed { Op::Le } else { Op::Lt };
    let high = range.high.as_ref().map(|high| compare(name, below, high));
    join(low.into_iter().chain(high), Op::And)
}

fn among(name: &Ident, choices: &[Choice]) -> Option<Expr> {
    join(choices.iter().map(|choice| compare(name, Op::Eq, &choice.value)), Op::Or)
}

fn join(parts: impl Iterator<Item = Expr>, op: Op) -> Option<Expr> {
    parts.reduce(|left, right| Expr::Binary(Box::new(left), op, Box::new(right)))
}

/// A range as a text shows it: ends that are names show their values.
fn range_text(range: &Range) -> String {
    let end = |end: &Option<Expr>| match end {
        Some(Expr::Name(name)) => Some(format!("{{{name}}}")),
        Some(Expr::Int(..) | Expr::Negative(..)) | None => Some(String::new()),
        Some(_) => None,
    };
    let names = [&range.low, &range.high].into_iter().any(|end| matches!(end, Some(Expr::Name(_))));
    let (Some(low), Some(high), true) = (end(&range.low), end(&range.high), names) else {
        return escaped(&range.text);
    };
    let number = |end: &Option<Expr>| match end {
        Some(Expr::Int(value, _)) => value.to_string(),
        Some(Expr::Negative(value, _)) => value.to_string(),
        _ => String::new(),
    };
    let dots = if range.closed { "..=" } else { ".." };
    format!("{}{low}{dots}{}{high}", number(&range.low), number(&range.high))
}

fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// `unique` or `sorted_by`: a rule about the items of a field.
pub(crate) struct ItemRule<'m> {
    pub(crate) span: Span,
    pub(crate) key: &'m Key,
    /// Whether it is `unique`.
    pub(crate) unique: bool,
    pub(crate) text: String,
}

impl ItemRule<'_> {
    /// The word that makes the rule.
    pub(crate) fn word(&self) -> &'static str {
        if self.unique { "unique" } else { "sorted_by" }
    }
}

/// The rules about the items of a field.
pub(crate) fn item_rules(limits: &Words) -> Vec<ItemRule<'_>> {
    let unique = limits.unique.as_ref().map(|Word { span, value }| {
        let text = match path_text(value) {
            Some(path) => format!("two items have the same `{path}`"),
            None => "two items are the same".into(),
        };
        ItemRule { span: *span, key: value, unique: true, text }
    });
    let sorted = limits.sorted_by.as_ref().map(|Word { span, value }| {
        let text = match path_text(value) {
            Some(path) => format!("the items are not in the order of `{path}`"),
            None => "the items are not in order".into(),
        };
        ItemRule { span: *span, key: value, unique: false, text }
    });
    unique.into_iter().chain(sorted).collect()
}

/// A path into an item as it was written.
fn path_text(key: &Key) -> Option<String> {
    fn text(expr: &Expr) -> String {
        match expr {
            Expr::Field(of, name) => step(of, name.to_token_stream().to_string()),
            Expr::Method(of, name, _) => step(of, format!("{name}()")),
            _ => String::new(),
        }
    }
    fn step(of: &Expr, name: String) -> String {
        match text(of) {
            before if before.is_empty() => name,
            before => format!("{before}.{name}"),
        }
    }
    key.as_ref().map(text)
}
