//! Values for the items of tables of every form: lists, arrays, absent ones, and those in other values
//! with a bit for each item.

use super::Gen;
use super::body::Body;
use super::model::{Field, Kind};

/// A table: its path, and the items in `make`, each behind whether it has a value.
struct Table {
    path: String,
    items: String,
    /// The condition of an item, where the value around the table tells it.
    condition: Option<&'static str>,
}

/// What lies for an item: its type, its words, and how one is made.
type There = (String, Vec<String>, String);

const BYTES: &str = "{ let len = g.small(9); g.bytes(len) }";

impl Gen<'_> {
    /// A table, and a value for each of its items.
    pub(super) fn forms_of_items(&mut self, body: &mut Body) {
        let conditional = self.rng.percent(30);
        let bits = self.rng.percent(25);
        let (ty, told, make) = self.there();
        let sized = told.iter().any(|word| word.contains("it.size"));
        let item = self.item_of_table(sized && !conditional && !bits);
        let table = self.form_of_table(body, &item, bits);
        let mut words = vec![format!("for_each = {}", table.path)];
        let name = body.name();
        let place = match self.below(4) {
            0 => None,
            1 => Some("if it.kind == 1 { it.far } else { it.at }"),
            2 => Some("if it.kind > 1 { it.far } else if it.kind == 1 { it.at } else { it.far }"),
            _ => Some("it.at"),
        };
        words.extend(place.map(|place| format!("at = {place}")));
        words.extend(told);
        // Others may have none.
        let is_plain = body.fields.iter().any(|f| f.name == table.path && f.presence.is_empty());
        let counted = is_plain.then(|| name.clone());
        if self.on("words of items") {
            self.words_of_items(&mut words, &ty, (counted.as_deref(), place.is_some()));
        }
        let condition = table.condition.or(conditional.then_some("it.kind != 1"));
        let is_there = match (table.condition, conditional) {
            (Some(_), _) => "is_there",
            (None, true) => "it.kind != 1",
            (None, false) => "true",
        };
        words.extend(condition.map(|condition| format!("if = {condition}")));
        let (ty, value) = match condition {
            Some(_) => (
                format!("Option<{ty}>"),
                format!("if {is_there} {{ Some({make}) }} else {{ None }}"),
            ),
            None => (ty, make),
        };
        let items = &table.items;
        let value = format!(
            "g.each(&{items}, |g, entry| {{ let (is_there, it) = (entry.0, &entry.1); let _ = (is_there, it); {value} }})"
        );
        let field = Field { words, ..Field::plain(&name, &format!("Vec<{ty}>"), &value) };
        if place.is_some() {
            body.located.push(field);
        } else {
            body.push(field);
        }
    }

    /// Words that any value of an item may have.
    fn words_of_items(
        &mut self,
        words: &mut Vec<String>,
        ty: &str,
        (counted, located): (Option<&str>, bool),
    ) {
        let kind = self.pick(&["check", "error", "warn", "note"]);
        match self.below(7) {
            0 => words.push("magic = b\"#\"".into()),
            1 => words.push(self.pick(&["align_before = 2", "align_before = 4"]).to_owned()),
            2 => words.extend(["pad_to = 40", "fill = 0x20"].map(str::to_owned)),
            3 => words.extend(
                counted.map(|name| format!("{kind}(count({name}) < 9, \"there are many\")")),
            ),
            4 => words.push("level(padding = error)".into()),
            5 if located => words.push("align_after = 2".into()),
            _ if ty == "String" && words.iter().any(|word| word == "nul") => {
                let until = self.pick(&["until = b'|'", "until = b\"BA\"", "len = 6"]);
                words.retain(|word| word != "nul");
                words.push(until.into());
                words.extend((until == "len = 6").then(|| "trim = 0".to_owned()));
            }
            _ if ty == "Vec<u16>" && words.iter().any(|word| word.starts_with("count")) => {
                words.push("set(it.key = count(value))".into());
            }
            _ => {}
        }
    }

    /// The type of an item, of which each is told a size or not: one without a value keeps it.
    fn item_of_table(&mut self, is_told: bool) -> String {
        let floor = "if g.percent(60) { Num::of(0) } else { Num::of(g.small(40)) }";
        let mut fields = vec![
            Field::plain("kind", "u8", "g.small(3) as u8"),
            Field::plain("at", self.pick(&["u8", "u16", "u32"]), floor),
            Field::plain("far", self.pick(&["u16", "u32"]), floor),
            Field {
                junk: is_told,
                ..Field::plain("size", self.pick(&["u8", "u16"]), "Num::of(g.small(9))")
            },
            Field::plain("key", "u8", "g.num()"),
        ];
        // What is stored is another number.
        if self.rng.percent(20) {
            let words = ["map(u16, opened, closed)", "args(0x5a)"].map(str::to_owned).to_vec();
            fields[1] = Field { words, ..Field::plain("at", "u16", floor) };
        }
        fields.rotate_left(self.rng.index(5));
        self.add_type("R", vec!["little".into()], Kind::Struct(fields))
    }

    /// A table of such items in one of its forms.
    fn form_of_table(&mut self, body: &mut Body, item: &str, bits: bool) -> Table {
        let make = format!("{item}::make(g)");
        let array = self.rng.percent(50);
        let (ty, words, value) = if array {
            let len = 1 + self.below(3);
            let all = vec![make; len as usize].join(", ");
            (format!("[{item}@; {len}]"), Vec::new(), format!("[{all}]"))
        } else {
            let value = format!("{{ let len = g.small(4); g.vec(len, |g| {make}) }}");
            (format!("Vec<{item}@>"), vec!["prefix = u8".to_owned()], value)
        };
        let table = Field { words, ..Field::plain("items", &ty, &value) };
        let each = "iter().map(|it| (true, it.clone())).collect::<Vec<_>>()";
        if bits {
            return self.table_with_bits(body, table, array);
        }
        let name = body.name();
        match self.below(4) {
            0 => {
                body.push(Field { name: name.clone(), ..table });
                Table { items: format!("{name}.{each}"), path: name, condition: None }
            }
            1 | 2 => {
                let flags = body.name();
                body.push(Field::plain(&flags, "u8", "g.num()"));
                let held = self.rng.percent(40);
                let field = if held {
                    let holder =
                        self.add_type("H", vec!["little".into()], Kind::Struct(vec![table]));
                    Field::plain(&name, &format!("{holder}@"), &format!("{holder}::make(g)"))
                } else {
                    Field { name: name.clone(), ..table }
                };
                let word = self.pick(&["flag", "if"]);
                let test = if word == "if" { " != 0" } else { "" };
                body.push(Field {
                    presence: vec![format!("{word} = {flags} & 1{test}")],
                    condition: format!("and(n({flags}), 1) != 0"),
                    ..field
                });
                let inner = if held { "one.items" } else { "one" };
                let items =
                    format!("{name}.iter().flat_map(|one| {inner}.{each}).collect::<Vec<_>>()");
                let path = if held { format!("{name}.items") } else { name };
                Table { path, items, condition: None }
            }
            _ => {
                let holder = self.add_type("H", vec!["little".into()], Kind::Struct(vec![table]));
                let (ty, words, value) = self.several(&holder, array);
                body.push(Field { words, ..Field::plain(&name, &ty, &value) });
                let items =
                    format!("{name}.iter().flat_map(|one| one.items.{each}).collect::<Vec<_>>()");
                Table { path: format!("{name}.items"), items, condition: None }
            }
        }
    }

    /// One in another value, which has a bit for each item.
    fn table_with_bits(&mut self, body: &mut Body, table: Field, array: bool) -> Table {
        let mut fields = vec![Field::plain("present", self.pick(&["u8", "u16"]), "g.num()"), table];
        fields.rotate_left(self.rng.index(2));
        let group = self.add_type("G", vec!["little".into()], Kind::Struct(fields));
        let name = body.name();
        let single = self.rng.percent(35);
        let (ty, words, value) = match single {
            true => (format!("{group}@"), Vec::new(), format!("{group}::make(g)")),
            false => self.several(&group, array),
        };
        let groups = match single {
            true => format!("[&{name}].into_iter()"),
            false => format!("{name}.iter()"),
        };
        body.push(Field { words, ..Field::plain(&name, &ty, &value) });
        let zero = self.rng.percent(50);
        let (condition, sign) = match zero {
            true => ("group.present >> index & 1 == 0", "=="),
            false => ("group.present >> index & 1 != 0", "!="),
        };
        let items = format!(
            "{groups}.flat_map(|group| group.items.iter().enumerate().map(|(index, it)| (shr(n(group.present), index as u64) & 1 {sign} 0, it.clone())).collect::<Vec<_>>()).collect::<Vec<_>>()"
        );
        Table { path: format!("{name}.items"), items, condition: Some(condition) }
    }

    /// Several values of a type that has an array, or a list of any length.
    fn several(&mut self, ty: &str, array: bool) -> (String, Vec<String>, String) {
        let make = format!("{ty}::make(g)");
        match if array { self.rng.percent(50) } else { self.late.percent(40) } {
            true => (format!("[{ty}@; 2]"), Vec::new(), format!("[{make}, {make}]")),
            false => (
                format!("Vec<{ty}@>"),
                vec!["prefix = u8".to_owned()],
                format!("{{ let len = g.small(3); g.vec(len, |g| {make}) }}"),
            ),
        }
    }

    /// What lies for an item.
    fn there(&mut self) -> There {
        let own = |ty: &str, words: &[&str], make: &str| {
            (ty.to_owned(), words.iter().map(|word| (*word).to_owned()).collect(), make.to_owned())
        };
        match self.below(9) {
            0 => own("Vec<u8>", &["len = it.size"], BYTES),
            1 => own(
                "Vec<u16>",
                &["count = it.size"],
                "{ let len = g.small(4); g.vec(len, |g| g.num()) }",
            ),
            2 => own(
                "Vec<u16>",
                &["prefix = u8", "big"],
                "{ let len = g.small(4); g.vec(len, |g| g.num()) }",
            ),
            3 => own("String", &["prefix = Leb128<u16>"], "{ let len = g.small(9); g.text(len) }"),
            4 => own("Vec<u8>", &["with = sealed", "len = it.size", "args(it.key)"], BYTES),
            5 => own("String", &["nul"], "{ let len = g.small(6); g.text_without(len, 0) }"),
            6 => own("u32", &[self.pick(&["big", "little"])], "g.num()"),
            _ => self.coded_item(),
        }
    }

    /// A value in coded bytes, with a key of the item or an end of its own.
    fn coded_item(&mut self) -> There {
        let fields = vec![
            Field::plain("number", "u16", "g.num()"),
            Field { words: vec!["until_end".into()], ..Field::plain("tail", "Vec<u8>", BYTES) },
        ];
        let ty = self.add_type("C", vec!["little".into()], Kind::Struct(fields));
        let (codec, words): (_, &[&str]) = self.pick(&[
            ("Xor", &["len = it.size", "codec = Xor(it.key)"] as &[&str]),
            ("Xor", &["prefix = u16", "codec = Xor(it.key)"]),
            ("Xor", &["prefix = u8", "codec = Xor(0x5a)"]),
            ("Deflate", &["len = it.size"]),
            ("Deflate", &["until_codec"]),
        ]);
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        (format!("Encoded<{codec}, {ty}@>"), words, format!("Encoded::new({ty}::make(g))"))
    }
}
