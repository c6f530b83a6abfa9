//! What follows from a size that a number tells: arguments of the value that has it, and how long another section is.

use super::Gen;
use super::body::Body;
use super::model::{Field, Kind};

const BYTES: &str = "{ let len = g.small(6); g.bytes(len) }";

/// How many bytes a page has behind its count.
const PAGE: u64 = 62;

impl Gen<'_> {
    /// Adds such a number, and what it tells, to a type.
    pub(super) fn given_sizes(&mut self, body: &mut Body) {
        if !self.on("given sizes") || body.takes_rest() || !self.givens.percent(15) {
            return;
        }
        match self.givens.below(3) {
            0 => self.argument_of_size(body),
            1 => self.argument_of_item(body),
            _ => self.page(body),
        }
    }

    /// A type with one byte and as many more as it is told.
    fn told_type(&mut self) -> String {
        let ty = *self.givens.pick(&["u8", "u16", "u64"]);
        let data =
            Field { words: vec!["len = room".into()], ..Field::plain("data", "Vec<u8>", BYTES) };
        let fields = vec![Field::plain("kind", "u8", "g.num()"), data];
        let words = vec![format!("args(room: {ty})")];
        let name = self.add_type("T", words, Kind::Struct(fields));
        self.types.last_mut().expect("the type").params = vec![("room".into(), ty.into())];
        name
    }

    fn argument_of_size(&mut self, body: &mut Body) {
        let ty = self.told_type();
        let (number, own) = (body.name(), body.name());
        let kind = *self.givens.pick(&["u8", "u16", "u32", "u64", "Leb128<u32>"]);
        body.push(Field { junk: true, ..Field::plain(&number, kind, "Num::of(g.small(9))") });
        let room = *self.givens.pick(&["N - 1", "(N + 2) - 3", "N * 2 - N - 1"]);
        let room = room.replace('N', &number);
        let words = vec![format!("len = {number}"), format!("args(room = {room})")];
        body.push(Field {
            words,
            ..Field::plain(&own, &format!("{ty}@"), &format!("{ty}::make(g, 0)"))
        });
    }

    fn argument_of_item(&mut self, body: &mut Body) {
        let ty = self.told_type();
        let kind = *self.givens.pick(&["u8", "u16", "u32"]);
        let located = self.givens.percent(50);
        let mut fields =
            vec![Field { junk: true, ..Field::plain("size", kind, "Num::of(g.small(9))") }];
        if located {
            fields.push(Field::plain("at", "u16", "Num::of(0)"));
        }
        let item = self.add_type("R", vec!["big".into()], Kind::Struct(fields));
        let (table, own) = (body.table_of(&item), body.name());
        let mut words = vec![format!("for_each = {table}"), "len = it.size".into()];
        words.extend(located.then(|| "at = it.at".to_owned()));
        words.push("args(room = it.size - 1)".into());
        let value = format!("g.each(&{table}, |g, _| {ty}::make(g, 0))");
        let field = Field { words, ..Field::plain(&own, &format!("Vec<{ty}@>"), &value) };
        match located {
            true => body.located.push(field),
            false => _ = body.push(field),
        }
    }

    /// A page whose heap has what its table leaves.
    fn page(&mut self, body: &mut Body) {
        let at = Field::plain("at", "u8", "Num::of(g.small(40))");
        let size = Field { junk: true, ..Field::plain("size", "u16", "Num::of(g.small(9))") };
        let item = self.add_type("R", vec!["little".into()], Kind::Struct(vec![at, size]));
        let count = Field { junk: true, ..Field::plain("count", "u16", "Num::of(g.small(5))") };
        let heap = Field {
            words: vec!["section".into(), format!("len = {PAGE} - count * 3")],
            ..Field::plain("heap", "Vec<u8>", &format!("g.bytes(sub({PAGE}, 3 * n(count)))"))
        };
        let rows = Field {
            words: vec!["count = count".into()],
            ..Field::plain(
                "rows",
                &format!("Vec<{item}@>"),
                &format!("g.vec(n(count), |g| {item}::make(g))"),
            )
        };
        let mut fields = vec![count, heap, rows];
        if self.givens.percent(40) {
            fields.swap(1, 2);
        }
        let words =
            ["for_each = rows", "at = it.at", "len = it.size", "base = heap", "place = heap"];
        let words = words.map(str::to_owned).to_vec();
        let value = format!("g.each(&rows, |g, _| {BYTES})");
        fields.push(Field { words, ..Field::plain("values", "Vec<Vec<u8>>", &value) });
        let words = vec!["big".into(), format!("len = {}", PAGE + 2)];
        let ty = self.add_type("P", words, Kind::Struct(fields));
        let own = body.name();
        body.push(Field::plain(&own, &format!("{ty}@"), &format!("{ty}::make(g)")));
    }
}
