//! Tables of ends: each value is as long as its end is behind that of the item before.

use super::Gen;
use super::body::Body;
use super::model::{Field, Kind};

impl Gen<'_> {
    /// Adds such a table, and the values beside it, to a type.
    pub(super) fn running_ends(&mut self, body: &mut Body) {
        if !self.on("running ends") || body.takes_rest() || !self.runs.percent(15) {
            return;
        }
        let first = self.first_end(body);
        let kind = *self.runs.pick(&["u8", "u16", "u32", "u64", "i16", "i32", "Leb128<u32>"]);
        let of_items = self.runs.percent(60);
        let optional = of_items && self.runs.percent(25);
        let summed = of_items && !optional && self.runs.percent(25);
        let (table, end) = match of_items {
            // An item without a value keeps its numbers.
            true => self.ends_in_items(body, kind, !optional, summed),
            false => (ends(body, kind), String::new()),
        };
        let first = first.unwrap_or_else(|| format!("end({table})"));
        let unit = *self.runs.pick(&["", "", "", " * 2"]);
        let taken = format!("it{end} - (previous{end} or {first})");
        let size = if unit.is_empty() { taken } else { format!("({taken}){unit}") };
        let own = body.name();
        let (ty, value, mut words) = self.ended(&size, !unit.is_empty(), &end);
        words.insert(0, format!("for_each = {table}"));
        let (ty, value) = match optional {
            true => (format!("Option<{ty}>"), format!("(it.mark < 5).then(|| {value})")),
            false => (ty, value),
        };
        words.extend(optional.then(|| "if = it.mark < 5".to_owned()));
        words.extend(summed.then(|| "checksum(Crc32, it.sum)".to_owned()));
        let value = format!("g.each(&{table}, |g, it| {{ let _ = it; {value} }})");
        body.push(Field { words, ..Field::plain(&own, &format!("Vec<{ty}>"), &value) });
    }

    /// What the first end counts from; `None` is the end of the table.
    fn first_end(&mut self, body: &mut Body) -> Option<String> {
        match self.runs.below(4) {
            0 => Some("0".into()),
            1 => Some("3".into()),
            2 => {
                let first = body.name();
                body.push(Field::plain(&first, "u8", "Num::of(g.small(9))"));
                Some(first)
            }
            _ => None,
        }
    }

    /// A table of items whose ends, and perhaps checksums, are computed, and the path to the ends.
    fn ends_in_items(
        &mut self,
        body: &mut Body,
        kind: &str,
        told: bool,
        summed: bool,
    ) -> (String, String) {
        let end = Field { junk: told, ..Field::plain("end", kind, "Num::of(g.small(9))") };
        let mark = Field::plain("mark", "u8", "Num::of(g.small(9))");
        let sum = Field { junk: summed, ..Field::plain("sum", "u32", "g.num()") };
        let (mut fields, path) = match self.runs.percent(30) {
            true => {
                let inner = self.add_type("R", vec!["big".into()], Kind::Struct(vec![end]));
                let at = Field::plain("place", &format!("{inner}@"), &format!("{inner}::make(g)"));
                (vec![mark, at], ".place.end")
            }
            false => (vec![end, mark], ".end"),
        };
        fields.push(sum);
        let item = self.add_type("R", vec!["little".into()], Kind::Struct(fields));
        (body.table_of(&item), path.to_owned())
    }

    /// The type of a value of this size, how one is made, and what its words are.
    fn ended(&mut self, size: &str, even: bool, end: &str) -> (String, String, Vec<String>) {
        let len = format!("len = {size}");
        let bytes = if even { "{ let len = 2 * g.small(4); g.bytes(len) }" } else { BYTES };
        match self.runs.below(4) {
            0 if !even => {
                let text = "{ let len = g.small(6); g.text(len) }".to_owned();
                ("String".into(), text, vec![len])
            }
            1 if !even => {
                let ty = self.looks_at_end();
                let value = format!("{ty}::make(g, 0)");
                (format!("{ty}@"), value, vec![len, format!("args(end = it{end})")])
            }
            2 => {
                let count = if even { "2 * g.small(2)" } else { "g.small(4)" };
                let numbers = format!("{{ let len = {count}; g.vec(len, |g| g.num()) }}");
                ("Vec<u16>".into(), numbers, vec![format!("count = {size}"), "little".into()])
            }
            _ => ("Vec<u8>".into(), bytes.into(), vec![len]),
        }
    }

    /// A type that looks at its end; if its length followed from that, two ends could be right.
    fn looks_at_end(&mut self) -> String {
        let words = vec!["prefix = u8".into()];
        let body = Field { words, ..Field::plain("body", "Vec<u8>", BYTES) };
        let words = vec!["args(end: u64)".into(), "note(end > 5, \"it is far away\")".into()];
        let name = self.add_type("T", words, Kind::Struct(vec![body]));
        self.types.last_mut().expect("the type").params = vec![("end".into(), "u64".into())];
        name
    }
}

const BYTES: &str = "{ let len = g.small(6); g.bytes(len) }";

/// A table that holds nothing but ends.
fn ends(body: &mut Body, kind: &str) -> String {
    let table = body.name();
    let value = "{ let len = g.small(4); g.vec(len, |g| Num::of(g.small(9))) }";
    let mut words = vec!["prefix = u8".into()];
    let has_order = kind != "u8" && !kind.starts_with("Leb");
    words.extend(has_order.then(|| "little".to_owned()));
    body.push(Field { words, ..Field::plain(&table, &format!("Vec<{kind}>"), value) });
    table
}
