//! Numbers of which several fields hold some bits each: `at = high << 16 | low`.

use super::Gen;
use super::body::Body;
use super::model::{Field, Kind};

const BYTES: &str = "{ let len = g.small(9); g.bytes(len) }";

/// The types that hold the bits, those of the lowest first, and how the number is made of them.
const SPLITS: &[(&[&str], &str)] = &[
    (&["u8", "u8"], "B << 8 | A"),
    (&["u8", "u16"], "B << 8 | A"),
    (&["u8", "u8"], "A | B << 9"),
    (&["u16", "u8"], "(B << 16) + A"),
    (&["u8", "u8", "u16"], "C << 16 | B << 8 | A"),
    (&["u16", "Leb128<u32>"], "A | B * 65536"),
];

impl Gen<'_> {
    /// Adds such a number, and what it tells, to a type.
    pub(super) fn split_numbers(&mut self, body: &mut Body) {
        if !self.on("split numbers") || body.takes_rest() {
            return;
        }
        if !self.splits.percent(20) {
            return;
        }
        match self.splits.below(4) {
            0 => self.split_length(body),
            1 => self.split_place(body),
            _ => self.split_in_items(body),
        }
    }

    /// The fields that hold a number, in any order, and the number. Those of a `place` are the least one.
    fn split_fields(&mut self, body: &mut Body, place: bool) -> String {
        let (types, form) = *self.splits.pick(SPLITS);
        let mut number = form.to_owned();
        let mut fields: Vec<Field> = Vec::new();
        for (ty, letter) in types.iter().zip(["A", "B", "C"]) {
            let name = body.name();
            number = number.replace(letter, &name);
            let auto = self.splits.percent(40);
            let (ty, value) = match (auto, place) {
                (true, _) => (format!("Auto<{ty}>"), "Auto::new()"),
                (_, false) => ((*ty).to_owned(), "Num::of(g.small(200))"),
                (_, true) => (
                    (*ty).to_owned(),
                    "if g.percent(80) { Num::of(0) } else { Num::of(g.small(3)) }",
                ),
            };
            fields.push(Field { junk: !auto && !place, ..Field::plain(&name, &ty, value) });
        }
        let turned = self.splits.index(fields.len());
        fields.rotate_left(turned);
        for (index, field) in fields.into_iter().enumerate() {
            if index > 0 && self.splits.percent(30) {
                let between = body.name();
                body.push(Field::plain(&between, "u8", "g.num()"));
            }
            body.push(field);
        }
        number
    }

    fn split_length(&mut self, body: &mut Body) {
        let number = self.split_fields(body, false);
        let (word, ty, unit) = *self.splits.pick(&[
            ("len", "Vec<u8>", 1),
            ("count", "Vec<u16>", 1),
            ("len", "Vec<u8>", 2),
            ("len", "String", 1),
        ]);
        let value = match ty {
            "Vec<u8>" => format!("{{ let len = g.small(9) * {unit}; g.bytes(len) }}"),
            "String" => "{ let len = g.small(9); g.text(len) }".to_owned(),
            _ => "{ let len = g.small(9); g.vec(len, |g| g.num()) }".to_owned(),
        };
        let number = match (unit, self.splits.percent(30)) {
            (2, _) => format!("({number}) * 2"),
            (_, true) => format!("({number}) - 3"),
            _ => number,
        };
        let own = body.name();
        let words = vec![format!("{word} = {number}")];
        body.push(Field { words, ..Field::plain(&own, ty, &value) });
    }

    fn split_place(&mut self, body: &mut Body) {
        let number = self.split_fields(body, true);
        let form = *self.splits.pick(&["N", "(N) * 4", "(N) + 7"]);
        let own = body.name();
        let mut words = vec![format!("at = {}", form.replace('N', &number)), "prefix = u8".into()];
        let absent = self.splits.percent(30);
        words.extend(absent.then(|| "null = 0".to_owned()).filter(|_| !form.contains('7')));
        let optional = words.len() > 2;
        let (ty, value) = match optional {
            true => {
                ("Option<Vec<u8>>", format!("if g.percent(60) {{ Some({BYTES}) }} else {{ None }}"))
            }
            false => ("Vec<u8>", BYTES.to_owned()),
        };
        body.located.push(Field { words, ..Field::plain(&own, ty, &value) });
    }

    /// Such a number in every item of a table.
    fn split_in_items(&mut self, body: &mut Body) {
        let (places, forms) = (self.splits.percent(60), ["u8", "u16"]);
        let number = |name: &str, ty: &str| Field {
            junk: true,
            ..Field::plain(name, ty, "Num::of(g.small(9))")
        };
        // What is stored is the least place.
        let floor = |name: &str, ty: &str| {
            Field::plain(name, ty, "if g.percent(70) { 0 } else { g.small(3) as u8 }.into()")
        };
        let (low, high) = (*self.splits.pick(&forms), *self.splits.pick(&forms));
        let mut fields = match places {
            true => vec![floor("low", low), floor("high", high), number("size", "u8")],
            false => vec![number("low", low), number("high", high)],
        };
        let turned = self.splits.index(fields.len());
        fields.rotate_left(turned);
        let item = self.add_type("R", vec!["little".into()], Kind::Struct(fields));
        let (table, unit, own) = (body.table_of(&item), body.name(), body.name());
        let form = *self.splits.pick(&["it.high << 8 | it.low", "(it.high << 4) + it.low"]);
        let mut words = vec![format!("for_each = {table}")];
        let null = places && self.splits.percent(40);
        if places {
            let scaled = self.splits.percent(30);
            if scaled {
                body.push(Field::plain(&unit, "u8", "1 + g.small(5).min(9) as u8"));
            }
            let at = match (scaled, self.splits.percent(30)) {
                (true, _) => format!("({form}) * {unit}"),
                (false, true) => format!("({form}) * 3"),
                _ => form.to_owned(),
            };
            words.extend([format!("at = {at}"), "len = it.size".into()]);
            words.extend(null.then(|| "null = 0".to_owned()));
        } else {
            words.push(format!("len = {form}"));
        }
        let value = match null {
            true => format!(
                "g.each(&{table}, |g, _| if g.percent(70) {{ Some({BYTES}) }} else {{ None }})"
            ),
            false => format!("g.each(&{table}, |g, _| {BYTES})"),
        };
        let ty = if null { "Vec<Option<Vec<u8>>>" } else { "Vec<Vec<u8>>" };
        let field = Field { words, ..Field::plain(&own, ty, &value) };
        if places {
            body.located.push(field);
        } else {
            body.push(field);
        }
    }
}
