//! Numbers that are known late and what asks for them: set below 0, taken off and added again, given to functions that
//! refuse some of them.

use super::Gen;
use super::body::Body;
use super::model::{Field, Kind};

const BYTES: &str = "{ let len = g.small(9); g.bytes(len) }";

/// What a number is set to that a size follows from: B is the value with that size.
const SET_BELOW: &[(&str, &str)] = &[
    ("-len(B) - 4", "abs(N) - 4"),
    ("-len(B)", "-N"),
    ("len(B) - 9", "N + 9"),
    ("3 - len(B)", "3 - N"),
];

/// Sums of which a step may be below 0, though they are not.
const DIPS: &[&str] =
    &["N - 5 + 5", "N - 9 + 7", "N * 2 - 6 + 6", "2 - 4 + N", "N - (N - N) - 3 + 4"];

/// A value of which the number N is given to a function that refuses some numbers.
const REFUSING: &[(&str, &str, &[&str])] = &[
    ("u16", "g.num()", &["map(u16, unlocked, locked)", "args(N)"]),
    ("Vec<u8>", "g.bytes(5)", &["with = locked_bytes", "len = 5", "args(N)"]),
    ("Vec<u8>", "g.bytes(3)", &["with = locked_bytes", "len = 3", "args(N)"]),
];

impl Gen<'_> {
    /// Adds such numbers to a type.
    pub(super) fn late_numbers(&mut self, body: &mut Body) {
        if !self.on("late numbers") || body.takes_rest() || !self.lates.percent(9) {
            return;
        }
        match self.lates.below(4) {
            0 => self.set_below_zero(body),
            1 => self.set_below_zero_in_items(body),
            2 => self.dips(body),
            _ => self.refusing(body),
        }
    }

    fn set_below_zero(&mut self, body: &mut Body) {
        let ty = *self.lates.pick(&["i8", "i16", "i32", "Leb128<i32>", "I24"]);
        let number = Field { junk: true, ..Field::plain("number", ty, "Num::of(g.small(9))") };
        let mark = Field::plain("mark", "u8", "g.num()");
        let head = self.add_type("R", vec!["big".into()], Kind::Struct(vec![number, mark]));
        let (own, sized) = (body.name(), body.name());
        let (set, size) = *self.lates.pick(SET_BELOW);
        let set = format!("set(number = {})", set.replace('B', &sized));
        let size = size.replace('N', &format!("{own}.number"));
        let value = format!("{head}::make(g)");
        body.push(Field { words: vec![set], ..Field::plain(&own, &format!("{head}@"), &value) });
        let words = match self.lates.percent(60) {
            true => vec![format!("len = {size}")],
            false => vec!["prefix = u8".into()],
        };
        body.push(Field { words, ..Field::plain(&sized, "Vec<u8>", BYTES) });
    }

    fn set_below_zero_in_items(&mut self, body: &mut Body) {
        let (less, places) = (*self.lates.pick(&["i8", "i16", "i64"]), self.lates.percent(50));
        let number = Field { junk: true, ..Field::plain("less", less, "Num::of(g.small(9))") };
        let at = Field::plain("at", "u16", "if g.percent(70) { 0 } else { Num::of(g.small(60)) }");
        let mut fields = vec![number, at];
        let turned = self.lates.index(fields.len());
        fields.rotate_left(turned);
        let item = self.add_type("R", vec!["little".into()], Kind::Struct(fields));
        let (table, own) = (body.table_of(&item), body.name());
        let less =
            *self.lates.pick(&["-len(value)", "count(T) - 5", "-len(value) - 2", "1 - len(value)"]);
        let set = format!("set(it.less = {})", less.replace('T', &table));
        let mut words = vec![format!("for_each = {table}"), "prefix = u8".into(), set];
        words.extend(places.then(|| "at = it.at".to_owned()));
        let value = format!("g.each(&{table}, |g, _| {BYTES})");
        let field = Field { words, ..Field::plain(&own, "Vec<Vec<u8>>", &value) };
        if places {
            body.located.push(field);
        } else {
            body.push(field);
        }
    }

    fn dips(&mut self, body: &mut Body) {
        let (number, own) = (body.name(), body.name());
        let form = self.lates.pick(DIPS).replace('N', &number);
        let ty = *self.lates.pick(&["u8", "u16", "i16", "u32"]);
        let place = self.lates.percent(40);
        let auto = self.lates.percent(40);
        let (ty, value) = match (auto, place) {
            (true, _) => (format!("Auto<{ty}>"), "Auto::new()"),
            (_, true) => (ty.to_owned(), "if g.percent(60) { 0 } else { g.pick(&[3, 9, 70]) }"),
            _ => (ty.to_owned(), "Num::of(g.small(9))"),
        };
        body.push(Field { junk: !auto && !place, ..Field::plain(&number, &ty, value) });
        if place {
            let words = vec![format!("at = {form}"), "prefix = u8".into()];
            body.located.push(Field { words, ..Field::plain(&own, "Vec<u8>", BYTES) });
            return;
        }
        let even = if form.contains("* 2") { " * 2" } else { "" };
        let value = format!("{{ let len = g.small(9){even}; g.bytes(len) }}");
        let words = vec![format!("len = {form}")];
        body.push(Field { words, ..Field::plain(&own, "Vec<u8>", &value) });
    }

    /// The number is a place, or the length of a value.
    fn refusing(&mut self, body: &mut Body) {
        let (number, own, told) = (body.name(), body.name(), body.name());
        let ty = *self.lates.pick(&["u8", "u16", "u32"]);
        let place = self.lates.percent(60);
        let value =
            if place { "if g.percent(70) { 0 } else { g.pick(&[40, 90]) }" } else { "Num::of(3)" };
        let (kind, make, words) = *self.lates.pick(REFUSING);
        let words: Vec<String> = words.iter().map(|word| word.replace('N', &number)).collect();
        body.push(Field { junk: !place, ..Field::plain(&number, ty, value) });
        body.push(Field { words, ..Field::plain(&own, kind, make) });
        let field = Field::plain(&told, "Vec<u8>", BYTES);
        if place {
            let words = vec![format!("at = {number}"), "prefix = u8".into()];
            body.located.push(Field { words, ..field });
        } else {
            body.push(Field { words: vec![format!("len = {number}")], ..field });
        }
    }
}
