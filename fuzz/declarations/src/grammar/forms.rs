//! Forms of words that nothing else draws, each beside all that a type has otherwise: what ends values,
//! how long types are, encodings, and constants of which one is there.

use super::Gen;
use super::body::{Body, names};
use super::model::{Field, Kind};

/// Numbers in further encodings: whole numbers, one with a sign, and digits.
const CODED: &[&str] =
    &["Coded<DerLen, u32>", "Coded<DerLen, u16>", "Coded<Bcd<2>, u16>", "Coded<Bcd<2>, u8>"];

/// Numbers as text.
const TEXTS: &[&str] =
    &["Coded<Octal<5>, u16>", "Coded<ZeroFilled<16, 3>, u16>", "Coded<SpaceFilled<10, 4>, u8>"];

/// Constants of which a type begins with one.
const CHOICES: &[&[&str]] = &[
    &["b\"KA\"", "b\"KB\"", "b\"R2\""],
    &["0x4101u16", "0x4102u16"],
    &["0x4101u16", "0x4102u16", "0x5000u16"],
];

/// Adds a form of some word to a type.
type Form<'s> = fn(&mut Gen<'s>, &mut Body);

impl<'s> Gen<'s> {
    /// Adds some of them behind the last field of a type.
    pub(super) fn further_forms(&mut self, body: &mut Body, words: &mut Vec<String>) {
        if body.takes_rest() {
            return;
        }
        let forms: &[(&'static str, Form<'s>)] = &[
            ("kinds of tags", Self::kinds_of_tags),
            ("last constant", Self::last_constant),
            ("ends below zero", Self::ends_below_zero),
            ("aligned by branch", Self::aligned_by_branch),
            ("lengths of types", Self::length_of_type),
            ("map with len", Self::converted_bytes),
            ("encodings", Self::encodings),
            ("choices of magics", Self::choice_of_magics),
            ("forms of items", Self::forms_of_items),
            ("operands", Self::operands),
            ("forms of lists", Self::forms_of_lists),
        ];
        for (word, form) in forms {
            if self.draw(word, 20) {
                form(self, body);
            }
        }
        if self.draw("computed texts", 25) {
            self.texts_computed(body, words);
        }
    }

    /// A nested value or a section that ends in front of the last of several constants.
    fn last_constant(&mut self, body: &mut Body) {
        let mark = self.pick(&["b\"BA\"", "b\"|\"", "\"AB\""]);
        let (ty, make) = self.pick(&[
            ("String", "g.text_without(len, b'|')"),
            ("Vec<u8>", "g.bytes(len)"),
            ("&'a [u8]", "take(g.bytes(len).into_boxed_slice()) as &'static [u8]"),
        ]);
        let value = format!("{{ let len = g.small(12); {make} }}");
        let bytes = if mark.starts_with('b') { mark.to_owned() } else { format!("b{mark}") };
        let mut before = Field {
            words: vec![format!("until = peek_last({mark})")],
            ..Field::plain("before", ty, &value)
        };
        let number = Field {
            words: vec![format!("magic = {bytes}")],
            ..Field::plain("number", "u8", "g.num()")
        };
        let tail = Field {
            words: vec![self.pick(&["prefix = u8", "until_end"]).to_owned()],
            ..Field::plain("tail", "Vec<u8>", "{ let len = g.small(5); g.bytes(len) }")
        };
        let mut fields = vec![number, tail];
        if ty == "Vec<u8>" && self.rng.percent(50) {
            before.words.insert(0, "section".into());
            let at = Field::plain("at", "u8", "if g.percent(50) { 0 } else { g.small(20) as u8 }");
            fields.insert(self.rng.index(2), at);
            fields.push(Field {
                words: ["at = at", "place = before", "prefix = u8"].map(str::to_owned).to_vec(),
                ..Field::plain("there", "Vec<u8>", "{ let len = g.small(5); g.bytes(len) }")
            });
        }
        fields.insert(0, before);
        let holder = self.add_type("S", vec!["little".into()], Kind::Struct(fields));
        let own = body.name();
        let len = if self.rng.percent(50) {
            "prefix = u16".to_owned()
        } else {
            format!("len = {}", self.unknown_length(body))
        };
        body.push(Field {
            words: vec![len],
            ..Field::plain(&own, &format!("{holder}@"), &format!("{holder}::make(g)"))
        });
    }

    /// Numbers up to one that is below zero.
    fn ends_below_zero(&mut self, body: &mut Body) {
        let ty = self.pick(&["i8", "i16", "i32", "I24", "I40", "i64"]);
        let end = self.pick(&["-1", "-2", "-100"]);
        let mut words = vec![format!("until = {end}")];
        if ty != "i8" {
            words.insert(0, self.pick(&["little", "big"]).to_owned());
        }
        let own = body.name();
        let value = "{ let len = g.small(6); g.vec(len, |g| g.num()) }";
        body.push(Field { words, ..Field::plain(&own, &format!("Vec<{ty}>"), value) });
        body.counted.push(own);
    }

    /// A value that is aligned as another number tells.
    fn aligned_by_branch(&mut self, body: &mut Body) {
        let (wide, own) = (body.name(), body.name());
        body.push(Field::plain(&wide, "u8", "g.small(9) as u8"));
        let word = self.pick(&["align_before", "align_after"]);
        let to = match self.below(3) {
            0 => format!("if {wide} > 2 {{ 8 }} else {{ 2 }}"),
            1 => format!("1 << {wide} % 4"),
            _ => format!("if {wide} == 1 {{ 4 }} else if {wide} > 3 {{ 16 }} else {{ 1 }}"),
        };
        let mut words = vec![format!("{word} = {to}")];
        let bytes = "{ let len = g.small(9); g.bytes(len) }";
        match self.below(3) {
            0 => {
                body.push(Field { words, ..Field::plain(&own, "u8", "g.num()") });
            }
            1 => {
                words.push("prefix = u8".into());
                body.push(Field { words, ..Field::plain(&own, "Vec<u8>", bytes) });
            }
            _ => {
                let at = body.name();
                body.push(Field::plain(
                    &at,
                    "u16",
                    "if g.percent(60) { 0 } else { g.small(40) as u16 }",
                ));
                words.extend(["prefix = u8".into(), format!("at = {at}")]);
                body.located.push(Field { words, ..Field::plain(&own, "Vec<u8>", bytes) });
            }
        }
    }

    /// A value of a type that has a fixed length, or one that it is told.
    fn length_of_type(&mut self, body: &mut Body) {
        let (fixed, own) = (self.below(9), body.name());
        let tail = |len: &str| Field {
            words: vec!["until_end".into()],
            ..Field::plain("tail", "Vec<u8>", &format!("{{ let len = {len}; g.bytes(len) }}"))
        };
        let number = Field::plain("number", "u16", "g.num()");
        if self.rng.percent(50) {
            let fields = vec![number, tail(&fixed.to_string())];
            let words = vec!["big".into(), format!("len = {}", fixed + 2)];
            let ty = self.add_type("S", words, Kind::Struct(fields));
            let (ty, value) = (format!("{ty}@"), format!("{ty}::make(g)"));
            let several = self.rng.percent(40);
            let value = if several {
                format!("{{ let len = g.small(4); g.vec(len, |g| {value}) }}")
            } else {
                value
            };
            let words = several.then(|| "prefix = u8".to_owned()).into_iter().collect();
            let ty = if several { format!("Vec<{ty}>") } else { ty };
            body.push(Field { words, ..Field::plain(&own, &ty, &value) });
            return;
        }
        let unit = self.pick(&["", " + 3", " * 2"]);
        let told = match unit {
            "" => "n(size)",
            " + 3" => "add(n(size), 3)",
            _ => "mul(n(size), 2)",
        };
        let fields = vec![number, tail(&format!("sub({told}, 2).min(60)"))];
        let words = vec!["big".into(), "args(size: u8)".into(), format!("len = size{unit}")];
        let ty = self.add_type("S", words, Kind::Struct(fields));
        self.types.last_mut().expect("the type").params = vec![("size".into(), "u8".into())];
        let size = body.name();
        body.push(Field::plain(&size, "u8", "2 + g.small(9).min(250) as u8"));
        body.push(Field {
            words: vec![format!("args(size = {size})")],
            ..Field::plain(&own, &format!("{ty}@"), &format!("{ty}::make(g, {size})"))
        });
    }

    /// Bytes that functions convert, of a length that is told.
    fn converted_bytes(&mut self, body: &mut Body) {
        let (len, own) = (body.name(), body.name());
        let auto = self.rng.percent(50);
        let ty = self.pick(&["u8", "u16", "Leb128<u16>"]);
        body.push(Field {
            junk: !auto,
            ..Field::plain(
                &len,
                &if auto { format!("Auto<{ty}>") } else { ty.into() },
                if auto { "Auto::new()" } else { "g.num()" },
            )
        });
        let told = self.pick(&["N", "N - 1", "N * 2", "N + 2"]).replace('N', &len);
        let mut words = vec!["map(Whole, turned, turned_back)".into(), format!("len = {told}")];
        if self.rng.percent(30) {
            words.push("magic = b\"@\"".into());
        }
        body.push(Field {
            words,
            ..Field::plain(&own, "Vec<u8>", "{ let len = g.small(9); g.bytes(len) }")
        });
        body.sized.push(own);
    }

    /// Numbers in further encodings: fields, lengths and numbers of items.
    fn encodings(&mut self, body: &mut Body) {
        let (mut ty, own) = (self.pick(CODED), body.name());
        if self.forms.percent(40) {
            ty = TEXTS[self.forms.index(TEXTS.len())];
        }
        match self.below(4) {
            0 => {
                body.push(Field::plain(&own, ty, "Num::of(g.small(99))"));
            }
            1 => {
                let list = "{ let len = g.small(5); g.vec(len, |g| { let few = g.small(200) as i8; few.into() }) }";
                body.push(Field {
                    words: vec!["prefix = u8".into()],
                    ..Field::plain(&own, "Vec<Coded<Zigzag, i8>>", list)
                });
            }
            2 => {
                body.push(Field {
                    words: vec![format!("prefix = {ty}")],
                    ..Field::plain(&own, "Vec<u8>", "{ let len = g.small(150); g.bytes(len) }")
                });
            }
            _ => {
                let len = body.name();
                let auto = self.rng.percent(50);
                body.push(Field {
                    junk: !auto,
                    ..Field::plain(
                        &len,
                        &if auto { format!("Auto<{ty}>") } else { ty.into() },
                        if auto { "Auto::new()" } else { "Num::of(g.small(90))" },
                    )
                });
                body.push(Field {
                    words: vec![format!("len = {len}")],
                    ..Field::plain(&own, "Vec<u8>", "{ let len = g.small(150); g.bytes(len) }")
                });
            }
        }
    }

    /// A type that begins with one of several constants, which may tell its byte order.
    fn choice_of_magics(&mut self, body: &mut Body) {
        let (choices, own) = (self.pick(CHOICES), body.name());
        let list = choices.join(", ");
        let numbers = choices[0].ends_with("u16");
        let told = numbers && self.rng.percent(50);
        let order = if told { "endian = magic" } else { self.pick(&["little", "big"]) };
        let bytes = choices.iter().map(|one| match (numbers, order) {
            (false, _) => format!("*{one}"),
            (true, "little") => format!("{one}.to_le_bytes()"),
            (true, "big") => format!("{one}.to_be_bytes()"),
            (true, _) => format!("{one}.to_le_bytes(), {one}.to_be_bytes()"),
        });
        let bytes = bytes.collect::<Vec<_>>().join(", ");
        let mut fields = vec![
            Field {
                words: vec!["magic".into()],
                ..Field::plain("mark", "[u8; 2]", &format!("g.pick(&[{bytes}])"))
            },
            Field::plain("number", "u16", "g.num()"),
        ];
        if !numbers {
            fields.push(Field {
                presence: vec!["if = mark == b\"KB\"".into()],
                condition: "mark == *b\"KB\"".into(),
                ..Field::plain("more", "u8", "g.num()")
            });
        }
        let ty = self.add_type(
            "S",
            vec![order.into(), format!("magic = [{list}]")],
            Kind::Struct(fields),
        );
        let mut field = Field::plain(&own, &format!("{ty}@"), &format!("{ty}::make(g)"));
        if self.rng.percent(30) {
            field.presence.push("optional".into());
            field.condition = "g.percent(60)".into();
        }
        body.push(field);
    }

    /// Texts and bytes that follow from fields and are not on the wire.
    fn texts_computed(&mut self, body: &Body, words: &mut Vec<String>) {
        let is_plain = |field: &&crate::grammar::model::Field| {
            let types = ["u8", "u16", "u32", "String", "Vec<u8>"];
            types.contains(&field.ty.as_str())
                && field.presence.is_empty()
                && !field.junk
                && !field.words.iter().any(|word| {
                    ["section", "calc", "checksum", "skip"].iter().any(|not| word.starts_with(not))
                })
                && !words.iter().any(|word| names(word, &field.name))
        };
        let seen: Vec<&Field> = body.fields.iter().filter(is_plain).collect();
        let Some(field) = seen.get(self.rng.index(seen.len().max(1))) else { return };
        let (name, is_number) = (&field.name, field.ty.starts_with('u'));
        let (computed, rule) = match self.below(2) {
            _ if is_number => (
                format!("t: &'static str = if {name} > 2 {{ \"many\" }} else {{ \"few\" }}"),
                "note(t != \"many\" || t > \"m\", \"it is {t}\")",
            ),
            0 => (format!("t: String = made_text({name})"), "note(t != \"xx\", \"it is {t:?}\")"),
            _ => (
                format!("t: Vec<u8> = made_list({name})"),
                "note(t != b\"\\x01\", \"it is {t:?}\")",
            ),
        };
        words.push(format!("computed({computed}, \"it follows\")"));
        words.push(rule.into());
    }
}
