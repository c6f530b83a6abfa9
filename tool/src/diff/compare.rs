//! Two trees of fields, compared.

use std::fmt;

use binfmt_runtime::{NodeValue, Step};
use serde_json::{Value, json};

use crate::driver::Part;
use crate::inspect::shown;
use crate::json;
use crate::pattern::Shown;
use crate::snapshot::Field;

/// What has become of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Added,
    Removed,
    Changed,
}

/// A field that differs.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) kind: Kind,
    path: String,
    pub(super) steps: Vec<Step>,
    /// Whether a writer computes it.
    pub(super) is_derived: bool,
    from: Option<Side>,
    to: Option<Side>,
}

#[derive(Debug)]
struct Side {
    text: String,
    json: Value,
}

impl Change {
    pub(super) fn part(kind: Kind, part: &Part) -> Self {
        Self {
            kind,
            path: part.name.clone(),
            steps: Vec::new(),
            is_derived: false,
            from: None,
            to: None,
        }
    }

    pub(super) fn to_json(&self) -> Value {
        let side =
            |side: &Option<Side>| side.as_ref().map_or(Value::Null, |side| side.json.clone());
        json!({
            "path": self.path,
            "kind": match self.kind {
                Kind::Added => "added",
                Kind::Removed => "removed",
                Kind::Changed => "changed",
            },
            "derived": self.is_derived,
            "from": side(&self.from),
            "to": side(&self.to),
        })
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::Added => "+ ",
            Kind::Removed => "- ",
            Kind::Changed => "~ ",
        })?;
        f.write_str(if self.path.is_empty() { "the file" } else { &self.path })?;
        match (&self.from, &self.to) {
            (Some(from), Some(to)) => write!(f, ": {} becomes {}", from.text, to.text),
            (Some(only), None) | (None, Some(only)) if !only.text.is_empty() => {
                write!(f, ": {}", only.text)
            }
            _ => Ok(()),
        }
    }
}

/// Adds the fields in which two trees differ.
pub(super) fn compare(
    files: (&[u8], &[u8]),
    fields: (&Field, &Field),
    part: &str,
    changes: &mut Vec<Change>,
) {
    let prefix = if part.is_empty() { String::new() } else { format!("{part}:") };
    Comparison { files, prefix, path: Vec::new(), changes }.fields(fields.0, fields.1);
}

struct Comparison<'c> {
    files: (&'c [u8], &'c [u8]),
    prefix: String,
    path: Vec<Step>,
    changes: &'c mut Vec<Change>,
}

impl Comparison<'_> {
    fn fields(&mut self, old: &Field, new: &Field) {
        if !self.same_value(old, new) {
            self.tell(Kind::Changed, Some(old), Some(new));
        }
        let is_item = |field: &Field| matches!(field.step, Step::Index(_));
        if old.inside.iter().chain(&new.inside).any(is_item) {
            self.items(&old.inside, &new.inside);
        } else {
            self.named(&old.inside, &new.inside);
        }
    }

    /// Fields are the same if they have the same name; of several with one, those in the same order.
    fn named(&mut self, olds: &[Field], news: &[Field]) {
        let mut used = vec![false; news.len()];
        for old in olds {
            let found =
                news.iter().zip(&used).position(|(new, used)| !used && new.step == old.step);
            match found.and_then(|at| Some((news.get(at)?, used.get_mut(at)?))) {
                Some((new, used)) => {
                    *used = true;
                    self.inside(old.step, |this| this.fields(old, new));
                }
                None => self.inside(old.step, |this| this.tell(Kind::Removed, Some(old), None)),
            }
        }
        for (new, _) in news.iter().zip(&used).filter(|(_, used)| !**used) {
            self.inside(new.step, |this| this.tell(Kind::Added, None, Some(new)));
        }
    }

    /// Items are the same if what is in them is: what they begin and end with alike is left out, and
    /// of the rest the longest row of equal ones.
    fn items(&mut self, olds: &[Field], news: &[Field]) {
        let pairs = || olds.iter().zip(news);
        let first = pairs().take_while(|(old, new)| self.same(old, new)).count();
        let rest = olds.len().min(news.len()) - first;
        let pairs = olds.iter().rev().zip(news.iter().rev()).take(rest);
        let last = pairs.take_while(|(old, new)| self.same(old, new)).count();
        let olds = olds.get(first..olds.len() - last).unwrap_or_default();
        let news = news.get(first..news.len() - last).unwrap_or_default();
        let (mut from, mut to) = (0, 0);
        for (old, new) in self.matches(olds, news).into_iter().chain([(olds.len(), news.len())]) {
            self.gap(
                olds.get(from..old).unwrap_or_default(),
                news.get(to..new).unwrap_or_default(),
            );
            (from, to) = (old + 1, new + 1);
        }
    }

    /// Items between equal ones: changed in order, and what is left over was added or removed.
    fn gap(&mut self, olds: &[Field], news: &[Field]) {
        let both = olds.len().min(news.len());
        for (old, new) in olds.iter().zip(news) {
            self.inside(old.step, |this| this.fields(old, new));
        }
        for old in olds.get(both..).unwrap_or_default() {
            self.inside(old.step, |this| this.tell(Kind::Removed, Some(old), None));
        }
        for new in news.get(both..).unwrap_or_default() {
            self.inside(new.step, |this| this.tell(Kind::Added, None, Some(new)));
        }
    }

    /// The longest common row of items, as pairs of indices; none where there are too many.
    fn matches(&self, olds: &[Field], news: &[Field]) -> Vec<(usize, usize)> {
        const MOST: usize = 1 << 16;
        let width = news.len() + 1;
        if olds.len().saturating_mul(news.len()) > MOST {
            return Vec::new();
        }
        let equal: Vec<bool> =
            olds.iter().flat_map(|old| news.iter().map(|new| self.same(old, new))).collect();
        let is_equal = |old: usize, new: usize| equal.get(old * news.len() + new) == Some(&true);
        let mut longest = vec![0_usize; (olds.len() + 1) * width];
        let length = |longest: &[usize], old: usize, new: usize| {
            longest.get(old * width + new).copied().unwrap_or(0)
        };
        for old in (0..olds.len()).rev() {
            for new in (0..news.len()).rev() {
                let here = if is_equal(old, new) {
                    length(&longest, old + 1, new + 1) + 1
                } else {
                    length(&longest, old + 1, new).max(length(&longest, old, new + 1))
                };
                if let Some(slot) = longest.get_mut(old * width + new) {
                    *slot = here;
                }
            }
        }
        let (mut old, mut new, mut pairs) = (0, 0, Vec::new());
        while old < olds.len() && new < news.len() {
            if is_equal(old, new) {
                pairs.push((old, new));
                (old, new) = (old + 1, new + 1);
            } else if length(&longest, old + 1, new) >= length(&longest, old, new + 1) {
                old += 1;
            } else {
                new += 1;
            }
        }
        pairs
    }

    /// Whether nothing differs but what a writer computes.
    fn same(&self, old: &Field, new: &Field) -> bool {
        (old.is_derived || self.same_value(old, new))
            && old.inside.len() == new.inside.len()
            && old.inside.iter().zip(&new.inside).all(|(old, new)| {
                let steps = (old.step, new.step);
                let alike = matches!(steps, (Step::Index(_), Step::Index(_))) || steps.0 == steps.1;
                alike && self.same(old, new)
            })
    }

    fn same_value(&self, old: &Field, new: &Field) -> bool {
        let bytes = |file: &'_ [u8], field: &Field| {
            field.bytes.clone().and_then(|range| file.get(range).map(<[u8]>::to_owned))
        };
        match (&old.bytes, &new.bytes) {
            (Some(from), Some(to)) => {
                self.files.0.get(from.clone()) == self.files.1.get(to.clone())
            }
            (None, None) => match (&old.value, &new.value) {
                // What was added or removed is told by itself.
                (Some(NodeValue::Items(_)), Some(NodeValue::Items(_))) => true,
                _ => old.value == new.value || both_nan(old, new),
            },
            _ => bytes(self.files.0, old) == bytes(self.files.1, new),
        }
    }

    fn inside(&mut self, step: Step, then: impl FnOnce(&mut Self)) {
        self.path.push(step);
        then(self);
        self.path.pop();
    }

    fn tell(&mut self, kind: Kind, old: Option<&Field>, new: Option<&Field>) {
        let path = format!("{}{}", self.prefix, Shown(&self.path));
        let is_derived = old.or(new).is_some_and(|field| field.is_derived);
        let at = old.zip(new).and_then(|(old, new)| self.first_difference(old, new));
        let side = |field: &Field| Side {
            text: text(field, at),
            json: field.value.as_ref().map_or(Value::Null, json::node_value),
        };
        let (from, to) = (old.map(side), new.map(side));
        self.changes.push(Change { kind, path, steps: self.path.clone(), is_derived, from, to });
    }

    /// Where bytes differ, if they do so behind those that are shown.
    fn first_difference(&self, old: &Field, new: &Field) -> Option<usize> {
        let old = self.files.0.get(old.bytes.clone()?)?;
        let new = self.files.1.get(new.bytes.clone()?)?;
        let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        (same >= 16).then_some(same)
    }
}

/// Values of floating point that are no numbers differ from themselves.
fn both_nan(old: &Field, new: &Field) -> bool {
    match (&old.value, &new.value) {
        (Some(NodeValue::Float(old)), Some(NodeValue::Float(new))) => {
            old.to_bits() == new.to_bits()
        }
        _ => false,
    }
}

fn text(field: &Field, at: Option<usize>) -> String {
    match (&field.value, at) {
        (Some(NodeValue::Bytes { len, .. }), Some(at)) => {
            format!("{len} bytes (another from byte {at} on)")
        }
        (value, _) => shown(value.as_ref(), json::wide(field.inside.len())),
    }
}
