//! A number that says where one value ends, and that the places of others count from: `len = end - start`, and
//! `at = end + it.at`.

use super::Gen;
use super::body::Body;
use super::model::{Field, Kind};

/// A stored place, which mostly is none.
const PLACE: &str = "if g.percent(60) { Num::of(0) } else { Num::of(g.small(90)) }";

const BYTES: &str = "{ let len = g.small(9); g.bytes(len) }";

impl Gen<'_> {
    /// Adds such numbers, the value between them, and the values behind it.
    pub(super) fn boundary(&mut self, body: &mut Body) {
        if !self.on("boundary") || body.takes_rest() {
            return;
        }
        if !self.boundaries.percent(12) {
            return;
        }
        let number = *self.boundaries.pick(&["u8", "u16", "u32"]);
        let (start, end, names) = (body.name(), body.name(), body.name());
        for name in [&start, &end] {
            body.push(Field::plain(name, number, PLACE));
        }
        body.located.push(Field {
            words: vec![format!("at = {start}"), format!("len = {end} - {start}")],
            ..Field::plain(&names, "Vec<u8>", BYTES)
        });
        if self.boundaries.percent(40) {
            self.behind_boundary(body, &end);
        } else {
            self.table_behind(body, &end);
        }
    }

    /// One value behind it.
    fn behind_boundary(&mut self, body: &mut Body, end: &str) {
        let (offset, own) = (body.name(), body.name());
        body.push(Field::plain(&offset, "u16", PLACE));
        let form = *self.boundaries.pick(&["E + O", "E + O * 2", "E + O + 1"]);
        let end = form.replace('E', end).replace('O', &offset);
        body.located.push(Field {
            words: vec![format!("at = {end}"), "prefix = u8".into()],
            ..Field::plain(&own, "Vec<u8>", BYTES)
        });
    }

    /// The values of a table behind it.
    fn table_behind(&mut self, body: &mut Body, end: &str) {
        let fields = vec![
            Field::plain("at", "u8", "if g.percent(70) { 0 } else { g.small(20) as u8 }"),
            Field { junk: true, ..Field::plain("size", "u8", "Num::of(g.small(9))") },
        ];
        let item = self.add_type("R", vec!["little".into()], Kind::Struct(fields));
        let (table, own) = (body.table_of(&item), body.name());
        let form = *self.boundaries.pick(&["E + it.at", "E + it.at * 4", "it.at + E + 2"]);
        let at = form.replace('E', end);
        body.located.push(Field {
            words: vec![
                format!("for_each = {table}"),
                format!("at = {at}"),
                "len = it.size".into(),
            ],
            ..Field::plain(&own, "Vec<Vec<u8>>", &format!("g.each(&{table}, |g, _| {BYTES})"))
        });
    }
}
