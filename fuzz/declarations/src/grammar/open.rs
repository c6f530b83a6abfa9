//! Open sections, in which values of nested types lie, too: what lies there itself, and what stands in
//! front of it.

use super::Gen;
use super::body::Body;
use super::model::{Field, Kind};

impl Gen<'_> {
    /// Adds an open section to a type, and values that have others there.
    pub(super) fn open_section(&mut self, body: &mut Body) {
        if !self.on("open section") || body.asks_for_rest() {
            return;
        }
        if !self.opens.percent(40) {
            return;
        }
        let early = (0..self.opens.below(3)).map(|_| self.early(body)).collect::<Vec<_>>();
        let length = body.name();
        let auto = self.opens.percent(50);
        body.push(Field {
            name: length.clone(),
            ty: if auto { "Auto<u16>" } else { "u16" }.into(),
            value: if auto { "Auto::new()" } else { "Num::of(0)" }.into(),
            ..Field::default()
        });
        let inside = self.opens.below(3);
        let offsets: Vec<String> = (0..inside).map(|_| self.offset(body)).collect();
        let section = body.name();
        body.push(Field {
            name: section.clone(),
            ty: "Vec<u8>".into(),
            words: vec!["section = open".into(), format!("len = {length}")],
            value: "{ let len = g.small(20); g.bytes(len) }".into(),
            ..Field::default()
        });
        for offset in offsets {
            let mut field = self.something(body, 2);
            field.words.splice(0..0, [format!("at = {offset}"), format!("place = {section}")]);
            body.located.push(field);
        }
        for table in early.into_iter().flatten() {
            let value = "{ let len = g.small(5); g.bytes(len) }";
            let words = [
                format!("for_each = {table}"),
                "at = it.at".into(),
                "len = it.size".into(),
                format!("place = {section}"),
            ];
            let name = body.name();
            body.located.push(Field {
                name,
                ty: "Vec<Vec<u8>>".into(),
                words: words.to_vec(),
                value: format!("g.each(&{table}, |g, _| {value})"),
                ..Field::default()
            });
        }
    }

    /// A place that is told by a number in front.
    fn offset(&mut self, body: &mut Body) -> String {
        let name = body.name();
        let ty = *self.opens.pick(&["u8", "u16", "u32"]);
        body.push(Field {
            name: name.clone(),
            ty: ty.into(),
            value: floor().into(),
            ..Field::default()
        });
        name
    }

    /// A value, or several, in front of the section; the name of a table for which there are values in it.
    fn early(&mut self, body: &mut Body) -> Option<String> {
        let is_table = self.opens.percent(30);
        let ty = self.holder(2, is_table);
        let name = body.name();
        let several = is_table || self.opens.percent(50);
        let value = format!("{ty}::make(g)");
        body.push(Field {
            name: name.clone(),
            ty: if several { format!("Vec<{ty}@>") } else { format!("{ty}@") },
            words: several.then(|| "prefix = u8".to_owned()).into_iter().collect(),
            value: if several {
                format!("{{ let len = g.small(4); g.vec(len, |g| {value}) }}")
            } else {
                value
            },
            ..Field::default()
        });
        is_table.then_some(name)
    }

    /// A type whose values have others in the section around.
    fn holder(&mut self, depth: u64, is_table: bool) -> String {
        let mut own = Body::default();
        let number = |name: String, value: &str| Field {
            name,
            ty: "u8".into(),
            value: value.into(),
            ..Field::default()
        };
        if is_table {
            own.fields.push(number("at".into(), floor()));
            own.fields.push(Field { junk: true, ..number("size".into(), "Num::of(g.small(20))") });
        }
        let mut located = Vec::new();
        for _ in 0..1 + self.opens.below(2) {
            let at = format!("to{}", located.len());
            own.fields.push(number(at.clone(), floor()));
            let mut field = self.something(&mut own, depth);
            field.name = format!("there{}", located.len());
            field.words.splice(0..0, [format!("at = {at}"), "place = around".into()]);
            let base =
                *self.opens.pick(&["", "", "", "base = file", "base = file", "base = start"]);
            field.words.extend((!base.is_empty()).then(|| base.to_owned()));
            let number = own.fields.iter_mut().rfind(|field| field.name == at);
            let from_itself =
                number.is_some_and(|number| self.counts_from_itself(number, &mut field));
            if !from_itself && self.opens.percent(30) {
                field.presence.push("null = 0".into());
                field.condition = "g.percent(70)".into();
            } else {
                // The number of an absent value stays as it is.
                self.told_by_numbers(&mut own, &mut field);
            }
            located.push(field);
        }
        if self.opens.percent(30) {
            own.fields.push(number("mark".into(), "g.small(9) as u8"));
        }
        if depth > 0 && self.opens.percent(30) {
            self.children(&mut own, &mut located, depth);
        }
        own.fields.extend(located);
        let words = ["little", "big"].map(str::to_owned);
        let mut words = vec![self.opens.pick(&words).clone()];
        words.extend(self.opens.percent(8).then(|| "origin".to_owned()));
        self.add_type("S", words, Kind::Struct(own.fields))
    }

    /// Numbers that follow from a value in the section around.
    fn told_by_numbers(&mut self, own: &mut Body, field: &mut Field) {
        let there = field.name.clone();
        let mut number = |name: String, ty: &str, words: Vec<String>| {
            let value = "Num::of(g.small(20))".into();
            own.fields.push(Field {
                name,
                ty: ty.into(),
                words,
                value,
                junk: true,
                ..Field::default()
            });
        };
        if self.opens.percent(30) {
            let size = format!("size_{there}");
            field.words.retain(|word| word != "nul" && word != "prefix = u8");
            field.words.push(format!("len = {size}"));
            let ty = *self.opens.pick(&["u8", "u16", "Leb128<u16>"]);
            number(size, ty, Vec::new());
        }
        if self.opens.percent(20) {
            let words = vec![format!("checksum(Crc32, over = {there})")];
            number(format!("sum_{there}"), "u32", words);
        }
    }

    /// A table of places, and a value in the section around at each.
    fn children(&mut self, own: &mut Body, located: &mut Vec<Field>, depth: u64) {
        let entry = self.opens.percent(50).then(|| self.entry());
        let (ty, make) = match &entry {
            Some(entry) => (format!("{entry}@"), format!("{entry}::make(g)")),
            None => {
                let ty = *self.opens.pick(&["u8", "u16"]);
                (ty.into(), format!("{{ let at: {ty} = {}; at }}", floor()))
            }
        };
        own.fields.push(Field {
            name: "table".into(),
            ty: format!("Vec<{ty}>"),
            words: vec!["prefix = u8".into()],
            value: format!("{{ let len = g.small(3); g.vec(len, |g| {make}) }}"),
            ..Field::default()
        });
        let child = self.holder(depth - 1, false);
        let at = if entry.is_some() { "at = it.at" } else { "at = it" };
        let mut words = ["for_each = table", at, "place = around"].map(str::to_owned).to_vec();
        if entry.is_some() {
            let size = *self.opens.pick(&["len = it.size", "set(it.size = len(value))"]);
            words.extend([size, "checksum(Crc32, it.sum)"].map(str::to_owned));
        }
        located.push(Field {
            name: "children".into(),
            ty: format!("Vec<{child}@>"),
            words,
            value: format!("g.each(&table, |g, _| {child}::make(g))"),
            ..Field::default()
        });
    }

    /// A type of items that tell the place, the size and the checksum of a value.
    fn entry(&mut self) -> String {
        let number = |name: &str, ty: &str, value: &str, junk| Field {
            name: name.into(),
            ty: ty.into(),
            value: value.into(),
            junk,
            ..Field::default()
        };
        let size = *self.opens.pick(&["u8", "u16"]);
        let (at, size) = (self.coded_or("u8"), self.coded_or(size));
        let fields = vec![
            number("at", at, floor(), false),
            number("size", size, "Num::of(g.small(20))", true),
            number("sum", "u32", "Num::of(g.small(20))", true),
        ];
        self.add_type("S", vec!["little".into()], Kind::Struct(fields))
    }

    /// What lies in the section: bytes, a text, or a value that may have others there.
    fn something(&mut self, own: &mut Body, depth: u64) -> Field {
        let mut field = Field { name: own.name(), ..Field::default() };
        match self.opens.below(if depth > 0 { 4 } else { 2 }) {
            0 => {
                field.ty = "String".into();
                field.words.push("nul".into());
                field.value = "{ let len = g.small(6); g.text_without(len, 0) }".into();
            }
            1 => {
                field.ty = "Vec<u8>".into();
                field.words.push("prefix = u8".into());
                field.value = "{ let len = g.small(6); g.bytes(len) }".into();
            }
            _ => {
                let ty = self.holder(depth - 1, false);
                field.ty = format!("{ty}@");
                field.value = format!("{ty}::make(g)");
            }
        }
        if self.opens.percent(25) {
            field.words.push("shared".into());
        }
        if self.opens.percent(20) {
            field.words.push((*self.opens.pick(&["align_before = 2", "align_before = 4"])).into());
        }
        if self.opens.percent(15) {
            field.words.push("align_after = 4".into());
        }
        field
    }
}

/// A stored offset: most values leave it to the writer, or to where it would be anyway.
fn floor() -> &'static str {
    "if g.percent(50) { Num::of(0) } else { Num::of(g.small(90)) }"
}
