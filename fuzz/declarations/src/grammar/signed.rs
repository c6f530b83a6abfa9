//! Signed numbers: places that count from where their number stands, and sizes with a sign.

use super::Gen;
use super::body::Body;
use super::model::{Field, Kind};

const BYTES: &str = "{ let len = g.small(9); g.bytes(len) }";

/// Sizes that a signed number N tells, and what they are a multiple of; D is a number of either sign.
const SIZES: &[(&str, u64)] = &[
    ("-N", 1),
    ("N + 3", 1),
    ("12 - N", 1),
    ("abs(N)", 1),
    ("abs(N) - 2", 1),
    ("abs(N) * 2 - 4", 2),
    ("(N - 4) * 2", 2),
    ("N + D", 1),
    ("N - D * 2", 1),
    ("D - N", 1),
    ("abs(N) + D", 1),
];

impl Gen<'_> {
    /// Adds such a number, and what it tells, to a type.
    pub(super) fn signed_numbers(&mut self, body: &mut Body, words: &mut Vec<String>) {
        if !self.on("signed numbers") || body.takes_rest() {
            return;
        }
        if !self.signs.percent(20) {
            return;
        }
        match self.signs.below(4) {
            0 => self.place_from_itself(body),
            1 => self.places_from_items(body),
            _ => self.signed_size(body, words),
        }
    }

    /// A signed number, which may be none of the struct.
    fn signed_number(&mut self, body: &mut Body, may_be_auto: bool, value: &str) -> String {
        let name = body.name();
        let ty = *self.signs.pick(&["i8", "i16", "i32", "I24", "Leb128<i32>"]);
        if may_be_auto && ty != "I24" && self.signs.percent(40) {
            body.push(Field::plain(&name, &format!("Auto<{ty}>"), "Auto::new()"));
        } else {
            body.push(Field::plain(&name, ty, value));
        }
        name
    }

    fn signed_size(&mut self, body: &mut Body, words: &mut Vec<String>) {
        let (form, unit) = *self.signs.pick(SIZES);
        let mut form = form.to_owned();
        if form.contains('D') {
            let own = body.name();
            let from = *self.signs.pick(&["-3", "2", "1 - 5 * 1"]);
            words.push(format!("computed({own}: i16 = {from}, \"either sign\")"));
            form = form.replace('D', &own);
        }
        let may_be_auto = !form.contains("abs");
        let value = "Num::of(g.pick(&[-1_i64, 0, 1, 5]) as u64)";
        let number = self.signed_number(body, may_be_auto, value);
        let own = body.name();
        let (word, ty) = *self.signs.pick(&[("len", "Vec<u8>"), ("count", "Vec<u16>")]);
        let value = match ty {
            "Vec<u8>" => format!("{{ let len = g.small(9) * {unit}; g.bytes(len) }}"),
            _ => format!("{{ let len = g.small(9) * {unit}; g.vec(len, |g| g.num()) }}"),
        };
        let words = vec![format!("{word} = {}", form.replace('N', &number))];
        body.push(Field { words, ..Field::plain(&own, ty, &value) });
    }

    fn place_from_itself(&mut self, body: &mut Body) {
        let number = self.signed_number(body, true, "Num::of(0)");
        let own = body.name();
        let form = *self.signs.pick(&["start(N) + N", "start(N) - 2 + N", "end(N) + N"]);
        let words = vec![format!("at = {}", form.replace('N', &number)), "prefix = u8".into()];
        body.located.push(Field { words, ..Field::plain(&own, "Vec<u8>", BYTES) });
    }

    /// Makes the place of a value in an open section one that counts from its number, now and then.
    pub(super) fn counts_from_itself(&mut self, number: &mut Field, field: &mut Field) -> bool {
        if !self.on("signed numbers") || !self.signs.percent(30) {
            return false;
        }
        number.ty = (*self.signs.pick(&["i8", "i16", "i32"])).into();
        number.value = "Num::of(g.pick(&[0_i64, 0, 7, -3]) as u64)".into();
        field.words.retain(|word| !word.starts_with("base = "));
        for word in field.words.iter_mut().filter(|word| word.starts_with("at = ")) {
            *word = format!("at = start({0}) + {0}", number.name);
        }
        field.words.push("base = file".into());
        true
    }

    /// Such a place in every item of a table.
    fn places_from_items(&mut self, body: &mut Body) {
        let (width, ty) = *self.signs.pick(&[(1, "i8"), (2, "i16"), (4, "i32")]);
        let rel = Field::plain("rel", ty, "Num::of(0)");
        let size = Field::plain("size", "i8", "g.pick(&[-1_i8, 0, 5])");
        let mut fields = vec![rel, size];
        let turned = self.signs.index(fields.len());
        fields.rotate_left(turned);
        let item = self.add_type("R", vec!["little".into()], Kind::Struct(fields));
        let (table, own) = (body.table_of(&item), body.name());
        let at = format!("at = start({table}) + index * {} + it.rel", width + 1);
        let len =
            *self.signs.pick(&["len = abs(it.size)", "len = abs(it.size) - 1", "len = -it.size"]);
        let words = vec![format!("for_each = {table}"), at, len.into()];
        let value = format!("g.each(&{table}, |g, _| {BYTES})");
        body.located.push(Field { words, ..Field::plain(&own, "Vec<Vec<u8>>", &value) });
    }
}
