//! Fields that are read in sequence.

use super::body::Body;
use super::model::Field;
use super::{Gen, Info};

/// Integers, and how many bytes each takes.
const INTS: &[(&str, u64)] =
    &[("u8", 1), ("u16", 2), ("u32", 4), ("u64", 8), ("u8", 1), ("u16", 2)];
const SIGNED: &[(&str, u64)] = &[
    ("i8", 1),
    ("i16", 2),
    ("i32", 4),
    ("i64", 8),
    ("I24", 3),
    ("I40", 5),
    ("I48", 6),
    ("I56", 7),
];
const NARROW: &[(&str, u64)] = &[("U24", 3), ("U40", 5), ("U48", 6), ("U56", 7)];
const LEB: &[&str] = &["Leb128<u8>", "Leb128<u16>", "Leb128<u32>", "Leb128<u64>"];

impl Gen<'_> {
    /// Adds one more field of any kind.
    pub(super) fn field(&mut self, body: &mut Body) {
        self.budget -= 1;
        self.made_field(body);
        match self.below(18) {
            0..4 => self.scalar(body),
            4..7 => self.bytes(body),
            7..10 => self.sequence(body),
            10..13 => self.nested(body),
            13 => self.array(body),
            14 | 15 => self.located(body),
            16 => self.computed_field(body),
            _ => self.odd(body),
        }
    }

    /// Any number: type, size (0 where it depends), and how a value is made.
    pub(super) fn number_type(&mut self) -> (&'static str, u64, String) {
        let list = match self.below(10) {
            0 if self.on("signed") => SIGNED,
            1 if self.on("narrow") => NARROW,
            2 if self.on("leb128") => {
                return (self.pick(LEB), 0, "g.num()".into());
            }
            3 if self.on("float") => {
                let ty = self.pick(&[("f32", 4), ("f64", 8)]);
                return (ty.0, ty.1, format!("g.float() as {}", ty.0));
            }
            4 if self.on("bool") => return ("bool", 1, "g.percent(50)".into()),
            _ => INTS,
        };
        let (ty, size) = self.pick(list);
        (ty, size, "g.num()".into())
    }

    pub(super) fn scalar(&mut self, body: &mut Body) {
        let name = body.name();
        if self.draw("map", 12) {
            let (ty, word, value) = if self.rng.percent(50) {
                ("Wrapped", "map(u16, Wrapped::from, unwrapped)".into(), "Wrapped(g.num())")
            } else {
                ("u16", "map(u8, twice, half)".into(), "g.small(0x1e0) as u16")
            };
            let (ty, word, value) = self.converted(body).unwrap_or((ty, word, value));
            body.push(Field {
                name,
                ty: ty.into(),
                words: vec![word],
                value: value.into(),
                ..Field::default()
            });
            return;
        }
        let (ty, size, mut value) = self.number_type();
        let integer = value == "g.num()";
        let mut words = Vec::new();
        if size > 1 && self.rng.percent(8) {
            words.push(self.pick(&["big", "little"]).to_owned());
        }
        let unsigned = integer && !ty.starts_with(['i', 'I']);
        let mut plain = unsigned;
        if unsigned && self.draw("range", 15) {
            let low = self.below(3);
            let high = low + 1 + self.below(60);
            words.push(format!("range = {low}..={high}"));
            value = format!("g.range({low}, {high})");
        } else if unsigned && !ty.starts_with("Leb") && self.draw("limits", 10) {
            words.push("one_of = [1, 2, 5]".into());
            value = "{ let one = g.pick(&[1, 2, 5, 1, 2, 5, 7]); Num::of(one) }".into();
        }
        let mut field =
            Field { name: name.clone(), ty: ty.into(), words, value, ..Field::default() };
        self.rules(body, &mut field);
        self.magic(&mut field);
        if !self.presence(body, &mut field) {
            plain &= ty != "bool";
            if plain && (!ty.starts_with("Leb") || self.rng.percent(50)) {
                body.know(&name, ty);
            } else if ty == "bool" {
                body.know(&name, "bool");
            }
        }
        body.push(field);
    }

    /// A field that the writer computes when it knows all others.
    fn computed_field(&mut self, body: &mut Body) {
        if body.is_computed {
            return self.scalar(body);
        }
        let name = body.name();
        if self.draw("checksum", 50) {
            let auto = self.on("auto") && self.rng.percent(50);
            let field = Field {
                name,
                ty: if auto { "Auto<u32>" } else { "u32" }.into(),
                value: if auto { "Auto::new()" } else { "g.num()" }.into(),
                junk: !auto,
                ..Field::default()
            };
            let index = body.push(field);
            body.checksums.push(index);
            return;
        }
        if !self.on("calc") {
            return self.scalar(body);
        }
        let auto = self.on("auto") && self.rng.percent(50);
        let ty = self.pick(&["u8", "u16", "u32", "u64"]);
        let field = Field {
            name,
            ty: if auto { format!("Auto<{ty}>") } else { ty.into() },
            value: if auto { "Auto::new()" } else { "g.num()" }.into(),
            junk: !auto,
            ..Field::default()
        };
        let index = body.push(field);
        body.calcs.push(index);
    }

    fn array(&mut self, body: &mut Body) {
        let name = body.name();
        let (ty, _, value) = self.number_type();
        let len = self.below(4) + 1;
        let (ty, value) = if self.draw("tuple", 50) {
            let (other, _, second) = self.number_type();
            (format!("({ty}, {other})"), format!("({value}, {second})"))
        } else if self.on("array") {
            (format!("[{ty}; {len}]"), format!("[{value}; {len}]"))
        } else {
            ("[u8; 4]".into(), "[g.num(), g.num(), 0, 1]".into())
        };
        let mut field = Field { name, ty, value, ..Field::default() };
        self.pads(body, &mut field);
        self.magic(&mut field);
        self.presence(body, &mut field);
        body.push(field);
    }

    fn odd(&mut self, body: &mut Body) {
        let name = body.name();
        let field = match self.below(3) {
            0 if self.on("reserved") => {
                let len = self.below(4) + 1;
                Field {
                    name,
                    ty: format!("Reserved<{len}>"),
                    value: "Reserved::default()".into(),
                    ..Field::default()
                }
            }
            1 if self.on("skip") => Field {
                name,
                ty: "u32".into(),
                words: vec!["skip".into()],
                value: "0".into(),
                ..Field::default()
            },
            2 if self.on("with") => {
                let mut field = Field {
                    name,
                    ty: "String".into(),
                    words: vec!["with = terminated".into()],
                    value: "{ let len = g.small(9); g.text_without(len, b'\\n') }".into(),
                    ..Field::default()
                };
                self.magic(&mut field);
                self.pads(body, &mut field);
                self.presence(body, &mut field);
                field
            }
            _ => return self.scalar(body),
        };
        body.push(field);
    }

    /// A value of a declared type.
    pub(super) fn nested(&mut self, body: &mut Body) {
        if body.depth == 0 {
            return self.scalar(body);
        }
        if self.draws_buffer() {
            return self.buffer(body);
        }
        let bounded = self.draw("wide lengths", 30);
        let rest = bounded || self.draw("rest in the middle", 10);
        let name = body.name();
        let info = self.a_type(body.depth - 1, rest);
        let mut field = Field { name: name.clone(), ..Field::default() };
        self.of_type(body, &info, &mut field);
        let mut lazy = false;
        if bounded || info.rest && !self.draw("rest in the middle", 10) {
            lazy = self.draw("lazy", 35);
            if self.draw("prefix", 40) {
                let prefix = self.prefix();
                field.words.push(format!("prefix = {prefix}"));
            } else {
                let len = self.unknown_length(body);
                field.words.push(format!("len = {len}"));
            }
        } else if self.draw("box", 15) {
            field.ty = format!("Box<{}>", field.ty);
            field.value = format!("Box::new({})", field.value);
        }
        if lazy {
            field.ty = format!("Lazy<'a, {}>", field.ty);
            field.value = format!("Lazy::from(take(Box::new({})))", field.value);
        }
        let sized = field.words.iter().any(|w| w.starts_with("prefix") || w.starts_with("len"));
        let encoded = sized && !lazy && self.encode(body, &info, &mut field);
        self.rules(body, &mut field);
        self.magic(&mut field);
        self.pads(body, &mut field);
        let absent = if info.magic
            && !encoded
            && field.words.iter().all(|w| !w.starts_with("prefix") && !w.starts_with("magic"))
            && self.draw("optional", 25)
        {
            field.presence.push("optional".into());
            field.condition = "g.percent(60)".into();
            true
        } else {
            self.presence(body, &mut field)
        };
        let plain = !absent && !lazy && !encoded && !field.ty.starts_with("Box");
        let index = body.push(field);
        if plain && !info.union {
            for (sub, ty) in &info.subs {
                if self.on("sub") {
                    let both =
                        super::expr::Both::new(format!("{name}.{sub}"), format!("n({name}.{sub})"));
                    let own = format!("{name}.{sub}");
                    body.scope.push(super::expr::Var { both, ty, own });
                }
            }
            for sub in &info.truths {
                if self.on("sub") {
                    let path = format!("{name}.{sub}");
                    let both = super::expr::Both::new(path.clone(), path.clone());
                    body.scope.push(super::expr::Var { both, ty: "bool", own: path });
                }
            }
            if self.draw("set", 40) && !info.settable.is_empty() {
                let names = vec![info.settable[self.rng.index(info.settable.len())].clone()];
                let own = format!("{name}.{}", names[0]);
                body.scope.retain(|var| var.own != own);
                body.settable.push((index, names));
            }
            self.bits_to_be_set(body, &info, index);
        }
        if plain && info.numbers.is_some() {
            body.know(&name, "enum");
            let last = body.scope.len() - 1;
            body.scope[last].both.rust = format!("named(&{name})");
        }
        if !absent {
            body.sized.push(name);
        }
    }

    /// Puts a value that owns what it holds into coded bytes, if that is drawn.
    fn encode(&mut self, body: &Body, info: &Info, field: &mut Field) -> bool {
        let drawn = self.on("encoded") && self.late.percent(40);
        if !drawn || !self.owns(info) {
            return false;
        }
        let key = body.scope.iter().find(|var| var.ty == "u8" && !var.both.lang.contains('.'));
        let codec = match key {
            _ if self.late.percent(40) => "Deflate",
            Some(key) => {
                field.words.push(format!("codec = Xor({})", key.both.lang));
                "Xor"
            }
            None => {
                field.words.push("codec = Xor(0x5a)".into());
                "Xor"
            }
        };
        let sized = field.words.iter().position(|word| word.starts_with("prefix"));
        if let Some(sized) = sized.filter(|_| codec == "Deflate" && self.on("until_codec"))
            && self.ends.percent(50)
        {
            field.words[sized] = "until_codec".into();
        }
        field.ty = format!("Encoded<{codec}, {}>", field.ty);
        field.value = format!("Encoded::new({})", field.value);
        true
    }

    /// The type of a field, its arguments, and how a value is made.
    pub(super) fn of_type(&mut self, body: &mut Body, info: &Info, field: &mut Field) {
        field.ty = format!("{}@", info.name);
        if let Some((tags, ty)) = &info.tags {
            return self.tagged(body, info, tags, ty, field);
        }
        let (args, values) = self.passed(body, info);
        if !args.is_empty() {
            field.words.push(format!("args({})", args.join(", ")));
        }
        let values: Vec<String> = values.iter().map(|value| format!(", {value}")).collect();
        field.value = format!("{}::make(g{})", info.name, values.concat());
    }

    /// An enum with `tag`: the tag stands in a field before it.
    fn tagged(
        &mut self,
        body: &mut Body,
        info: &Info,
        tags: &[u64],
        ty: &'static str,
        field: &mut Field,
    ) {
        let kind = body.name();
        let list: Vec<String> = tags.iter().map(ToString::to_string).collect();
        let calc = self.draw("tag calc", 60) && !info.tag_of_parts;
        body.push(Field {
            name: kind.clone(),
            ty: ty.into(),
            words: if calc { vec![format!("calc = tag({})", field.name)] } else { Vec::new() },
            value: format!("{{ let tag = g.pick(&[{}]); Num::of(tag) }}", list.join(", ")),
            junk: calc,
            ..Field::default()
        });
        if !calc {
            body.know(&kind, ty);
        }
        field.words.push(format!("args(kind = {kind})"));
        field.value = format!("{}::make(g, {kind})", info.name);
        if !calc && !info.tag_of_parts {
            body.tagged.push(field.name.clone());
        }
    }

    /// Arguments for a type: the words, and the values in `make`.
    pub(super) fn passed(&mut self, body: &Body, info: &Info) -> (Vec<String>, Vec<String>) {
        let all_default = info.args.iter().all(|(_, _, default)| default.is_some());
        if all_default && self.rng.percent(40) {
            let value = |(_, _, default): &(String, &str, Option<String>)| {
                default.clone().unwrap_or_default()
            };
            return (Vec::new(), info.args.iter().map(value).collect());
        }
        let (mut words, mut values) = (Vec::new(), Vec::new());
        for (name, ty, _) in &info.args {
            let (word, value) = match *ty {
                "Order" => ("Order::Big".into(), "Order::Big".into()),
                "bool" => {
                    let both = self.truth(body, 1);
                    (both.lang, both.rust)
                }
                "u64" => {
                    // A name alone is passed as what it is; an expression has 64 bits.
                    let both = self.number(body, 2);
                    (format!("{} + 0", both.lang), both.rust)
                }
                ty => {
                    let same: Vec<String> = body
                        .scope
                        .iter()
                        .filter(|var| var.ty == ty && !var.own.is_empty())
                        .map(|var| var.own.clone())
                        .collect();
                    if same.is_empty() || self.rng.percent(20) {
                        let constant = self.below(5).to_string();
                        (constant.clone(), constant)
                    } else {
                        let own = same[self.rng.index(same.len())].clone();
                        (own.clone(), own)
                    }
                }
            };
            words.push(format!("{name} = {word}"));
            values.push(value);
        }
        (words, values)
    }

    /// Rules about the field that has just been made.
    pub(super) fn rules(&mut self, body: &Body, field: &mut Field) {
        let kind = self.pick(&["check", "error", "warn", "note"]);
        if self.draw(kind, 12) {
            let rule = self.rule(body);
            let text = self.pick(&["a rule", "the rule, broken", "len = size"]);
            field.words.push(format!("{kind}({rule}, \"{text}\")"));
        }
    }

    pub(super) fn magic(&mut self, field: &mut Field) {
        if self.draw("magic field", 8) {
            let magic = self.pick(&["b\"@\"", "b\"K2\"", "7u8"]);
            field.words.push(format!("magic = {magic}"));
        }
    }

    /// Makes a field optional, now and then.
    pub(super) fn presence(&mut self, body: &mut Body, field: &mut Field) -> bool {
        if !self.rng.percent(22) || field.words.iter().any(|word| word.starts_with("checksum")) {
            return false;
        }
        match self.below(4) {
            0 if self.on("if") => {
                let test = self.truth(body, 2);
                field.presence.push(format!("if = {}", test.lang));
                field.condition = format!("({}) != g.percent(2)", test.rust);
            }
            1 if self.on("since") && body.version => {
                let since = self.below(4);
                field.presence.push(format!("since = {since}"));
                field.condition = format!("n(VERSION) >= {since}");
                if self.rng.percent(40) {
                    let before = since + 1 + self.below(2);
                    field.presence.push(format!("before = {before}"));
                    field.condition = format!("n(VERSION) >= {since} && n(VERSION) < {before}");
                }
                let version = body.fields.iter().find(|field| field.value == "g.range(0, 5)");
                let name = version.map_or("", |field| &field.name);
                field.condition = field.condition.replace("VERSION", name);
            }
            2 if self.on("optional")
                && !field.words.iter().any(|word| word.starts_with("prefix")) =>
            {
                if field.words.iter().all(|word| !word.starts_with("magic")) {
                    field.words.push("magic = b\"OP\"".into());
                }
                field.presence.push("optional".into());
                field.condition = "g.percent(60)".into();
            }
            3 if self.on("flag") => {
                let flags = body.name();
                // A bit of a number whose length it may change.
                let coded = ["Leb128<u16>", "Coded<Vlq, u32>", "U24"];
                let (ty, bit) = if self.on("coded flags") && self.tells.percent(60) {
                    (*self.tells.pick(&coded), *self.tells.pick(&[4, 128]))
                } else {
                    ("u8", 4)
                };
                body.push(Field::plain(&flags, ty, "g.num()"));
                let inverted = self.on("inverted flag") && self.late.percent(50);
                let (unset, is) = if inverted { (" == 0", "==") } else { ("", "!=") };
                field.presence.push(format!("flag = {flags} & {bit}{unset}"));
                field.condition = format!("and(n({flags}), {bit}) {is} 0");
            }
            _ => return false,
        }
        true
    }

    /// Padding around a field.
    pub(super) fn pads(&mut self, body: &mut Body, field: &mut Field) {
        let mut any = false;
        for word in ["pad_before", "align_before", "pad_after", "align_after"] {
            if self.draw(word, 12) {
                let value = if word.starts_with("align") {
                    self.pick(&["2", "4", "8"]).to_owned()
                } else if self.rng.percent(70) {
                    (1 + self.below(4)).to_string()
                } else {
                    let both = self.number(body, 1);
                    format!("({}) % 5", both.lang)
                };
                field.words.push(format!("{word} = {value}"));
                any = true;
            }
        }
        if self.draw("pad_to", 10) {
            let room = if self.rng.percent(50) {
                (20 + self.below(40)).to_string()
            } else {
                let name = body.name();
                let auto = self.draw("auto", 30);
                body.push(Field {
                    name: name.clone(),
                    ty: if auto { "Auto<u16>" } else { "u16" }.into(),
                    value: if auto { "Auto::new()" } else { "Num::of(g.small(60))" }.into(),
                    ..Field::default()
                });
                // Drawn by nothing, so that other draws stay what they are.
                let unit = ["", " * 4", " * 4 - 1", " + 8", " * 3 + 5"][body.fields.len() % 5];
                format!("{name}{unit}")
            };
            field.words.push(format!("pad_to = {room}"));
            any = true;
        }
        if any && self.draw("fill", 30) {
            // Drawn by nothing, so that other draws stay what they are.
            let several = self.on("fill of several") && self.types.len().is_multiple_of(2);
            let fill = if several { "fill = b\"PAD\"" } else { "fill = 0x20" };
            field.words.push(fill.into());
        }
    }
}
