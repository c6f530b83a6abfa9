//! A struct: its fields in order, then what names several of them.

use super::expr::{Both, Var};
use super::model::{Field, Kind, Type};
use super::{Gen, Info};

/// A struct that is being made.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) depth: u32,
    pub(super) fields: Vec<Field>,
    /// Located fields, which come last.
    pub(super) located: Vec<Field>,
    pub(super) scope: Vec<Var>,
    /// Fields that `len(..)` may name.
    pub(super) sized: Vec<String>,
    /// Fields that `count(..)` may name.
    pub(super) counted: Vec<String>,
    /// Fields of an enum with `tag`.
    pub(super) tagged: Vec<String>,
    /// Nested values with plain numbers: the index of the field, and the names of the numbers.
    pub(super) settable: Vec<(usize, Vec<String>)>,
    /// Nested bit fields that are set: the index of the field, the name of the bits and their number.
    pub(super) bits: Vec<(usize, String, u64)>,
    /// Indexes of fields whose number is found at the end.
    pub(super) calcs: Vec<usize>,
    pub(super) checksums: Vec<usize>,
    /// Whether all computed fields have their words, so that no others may be made.
    pub(super) is_computed: bool,
    /// Indexes of fields that functions give, and the functions.
    pub(super) made: Vec<(usize, &'static str)>,
    pub(super) version: bool,
    /// Whether a field reads up to the end of the region.
    pub(super) rest: bool,
    pub(super) order: &'static str,
    names: usize,
}

impl Body {
    pub(super) fn name(&mut self) -> String {
        self.names += 1;
        format!("f{}", self.names)
    }

    /// Whether something in it asks how much of its region is left.
    pub(super) fn asks_for_rest(&self) -> bool {
        let mut words = self.fields.iter().flat_map(|field| &field.words);
        self.rest || words.any(|word| word.contains("remaining"))
    }

    /// Whether something in it does, or takes all that is left.
    pub(super) fn takes_rest(&self) -> bool {
        let mut words = self.fields.iter().flat_map(|field| &field.words);
        self.asks_for_rest() || words.any(|word| word == "until_end")
    }

    /// Adds a field that is read in sequence.
    /// Adds a table of up to some values of a type behind their count; its name.
    pub(super) fn table_of(&mut self, item: &str) -> String {
        let table = self.name();
        let value = format!("{{ let len = g.small(4); g.vec(len, |g| {item}::make(g)) }}");
        let words = vec!["prefix = u8".into()];
        self.push(Field { words, ..Field::plain(&table, &format!("Vec<{item}@>"), &value) });
        table
    }

    pub(super) fn push(&mut self, field: Field) -> usize {
        self.fields.push(field);
        self.fields.len() - 1
    }

    /// A plain number that expressions may name.
    pub(super) fn know(&mut self, name: &str, ty: &'static str) {
        let rust = if ty == "bool" { name.to_owned() } else { format!("n({name})") };
        self.scope.push(Var { both: Both::new(name, rust), ty, own: name.to_owned() });
    }
}

impl Gen<'_> {
    pub(super) fn struct_type(&mut self, depth: u32, rest: bool, outermost: bool) -> Info {
        let mut body = Body { depth, ..Body::default() };
        let mut words = Vec::new();
        let mut info = Info {
            index: 0,
            name: String::new(),
            rest: false,
            magic: false,
            args: Vec::new(),
            subs: Vec::new(),
            settable: Vec::new(),
            bits: Vec::new(),
            truths: Vec::new(),
            tags: None,
            tag_of_parts: false,
            numbers: None,
            union: false,
        };
        self.arguments(&mut body, &mut info, &mut words, outermost);
        self.order(&mut body, &mut info, &mut words, outermost);
        let sized = self.size_of_type(&mut body, &mut words);
        self.version(&mut body, &mut words);
        let most = if outermost { 7 } else { 4 };
        let wanted = 1 + self.below(most);
        for _ in 0..wanted {
            if self.budget <= 0 {
                break;
            }
            self.field(&mut body);
            if self.draw("let", 15) && !body.scope.is_empty() {
                let both = self.number(&body, 2);
                let name = format!("l{}", words.len());
                words.push(format!("let({name} = {})", both.lang));
                // What stands for a field alone has the type of the field.
                let field = body.scope.iter().find(|var| var.both.lang == both.lang);
                let ty = field.map_or("u64", |field| field.ty);
                body.scope.push(Var { both: Both::new(name, both.rust), ty, own: String::new() });
            }
        }
        self.absent_numbers(&mut body);
        // What lies behind the sequence would be a part of what reads up to the end.
        let lies_behind = |field: &Field| field.words.iter().all(|word| !word.starts_with("place"));
        let behind = body.located.iter().any(lies_behind);
        let rest = !behind && (rest || sized)
            // A writer refuses it then, if there is anything behind it.
            || (self.on("greedy") && self.tails.percent(8));
        // In front of those it is a value of another type, for the derive refuses what it sees.
        if rest && self.rng.percent(40) && (!behind || body.depth > 0) {
            self.rest_field(&mut body, behind);
        }
        if body.fields.is_empty() {
            self.scalar(&mut body);
        }
        std::mem::swap(&mut self.rng, &mut self.apart);
        self.numbers_coded(&mut body);
        self.numbers_below_zero(&mut body);
        self.constants(&mut body);
        self.values_computed(&body, &mut words);
        self.ends(&mut body);
        self.previous(&mut body);
        self.views(&mut body);
        std::mem::swap(&mut self.rng, &mut self.apart);
        std::mem::swap(&mut self.rng, &mut self.packs);
        self.packed(&mut body);
        std::mem::swap(&mut self.rng, &mut self.packs);
        info.rest = body.rest && !sized;
        self.computed(&mut body);
        self.whole_words(&mut body, &mut words);
        std::mem::swap(&mut self.rng, &mut self.tails);
        self.computed_option(&mut body);
        self.footers(&mut body);
        self.two_forms(&mut body);
        std::mem::swap(&mut self.rng, &mut self.tails);
        self.seen_tables(&mut body);
        // Fields come in front of others here, whose numbers nobody keeps any more.
        self.led(&mut body);
        self.headers(&mut body, &words);
        self.chained(&mut body);
        self.open_section(&mut body);
        std::mem::swap(&mut self.rng, &mut self.forms);
        self.further_forms(&mut body, &mut words);
        std::mem::swap(&mut self.rng, &mut self.forms);
        std::mem::swap(&mut self.rng, &mut self.rooms);
        self.among(&mut body);
        std::mem::swap(&mut self.rng, &mut self.rooms);
        self.viewed(&mut body);
        self.split_numbers(&mut body);
        self.boundary(&mut body);
        self.signed_numbers(&mut body, &mut words);
        self.given_sizes(&mut body);
        self.running_ends(&mut body);
        self.late_numbers(&mut body);
        self.counted_back(&mut body);
        let name = format!("S{}", self.types.len());
        let Body { mut fields, located, scope, .. } = body;
        fields.extend(located);
        for field in &fields {
            let known = ["u8", "u16", "u32", "u64"].into_iter().find(|ty| *ty == field.ty);
            let coded = field.ty.starts_with("Leb128<u") || field.ty.starts_with("Coded<Vlq");
            if (known.is_some() || coded && self.on("coded items"))
                && field.presence.is_empty()
                && !field.junk
                && field
                    .words
                    .iter()
                    .all(|word| word.starts_with("range") || word == "big" || word == "little")
            {
                let name = &field.name;
                let decides = |other: &Field| {
                    other.presence.iter().chain(&other.words).any(|word| names(word, name))
                };
                if !fields.iter().any(decides) && !words.iter().any(|word| names(word, name)) {
                    info.settable.push(name.clone());
                }
                info.subs.extend(known.map(|ty| (name.clone(), ty)));
            }
            if field.ty == "bool" && field.presence.is_empty() {
                info.truths.push(field.name.clone());
            }
        }
        self.given(&scope, &mut fields);
        used_lets(&mut words, &fields);
        merge_lets(&mut words);
        let timed = |field: &Field| {
            field
                .presence
                .iter()
                .any(|word| word.starts_with("since") || word.starts_with("before"))
        };
        if !fields.iter().any(timed) {
            words.retain(|word| !word.starts_with("version ="));
        }
        self.use_arguments(&info, &mut words, &fields);
        self.keep_arguments(&info, &mut fields);
        info.magic =
            words.iter().any(|word| word.starts_with("magic = b") || word.starts_with("magic = 0"));
        info.index = self.types.len();
        info.name = name.clone();
        let params =
            info.args.iter().map(|(name, ty, _)| (name.clone(), (*ty).to_owned())).collect();
        let params = if outermost { Vec::new() } else { params };
        let lets = if outermost { defaults(&info) } else { Vec::new() };
        let generics = self.generics(&mut words, &mut info, &fields, outermost);
        if generics.is_empty() {
            self.looks(&name, &mut words, &fields);
        }
        self.types.push(Type { name, words, kind: Kind::Struct(fields), params, lets, generics });
        self.infos.push(info.clone());
        info
    }

    /// Puts another encoding in the place of some numbers of variable length.
    fn numbers_coded(&mut self, body: &mut Body) {
        for field in body.fields.iter_mut().chain(&mut body.located) {
            if self.on("coded") && self.rng.percent(50) {
                for ty in ["u8", "u16", "u32", "u64"] {
                    let (leb, vlq) = (format!("Leb128<{ty}>"), format!("Coded<Vlq, {ty}>"));
                    for text in field.words.iter_mut().chain([&mut field.ty, &mut field.value]) {
                        *text = text.replace(&leb, &vlq);
                    }
                }
            }
        }
    }

    /// A constant that no value follows, behind the last field.
    fn constants(&mut self, body: &mut Body) {
        if body.rest || !self.draw("constant", 15) {
            return;
        }
        let mut field = Field {
            name: body.name(),
            ty: "()".into(),
            value: "()".into(),
            words: vec![format!("magic = {}", self.pick(&["b\"+\"", "b\"END\"", "0x1234u16"]))],
            ..Field::default()
        };
        self.presence(body, &mut field);
        body.push(field);
    }

    /// Rules about signed numbers, with literals below zero.
    fn numbers_below_zero(&mut self, body: &mut Body) {
        let signed = |field: &&mut Field| {
            matches!(field.ty.as_str(), "i8" | "i16" | "i32" | "i64") && field.words.is_empty()
        };
        if !self.on("below zero") {
            return;
        }
        for field in body.fields.iter_mut().filter(signed) {
            let name = &field.name;
            let word = match self.below(4) {
                0 => "range = -100..".to_owned(),
                1 => "one_of = [-1, 0, 5]".to_owned(),
                2 if field.presence.is_empty() => {
                    format!("check({name} > -100 || -5 * 2 < {name} + -3, \"{{{name}}} is low\")")
                }
                _ => continue,
            };
            if word.starts_with("one") {
                field.value = format!("g.pick(&[-1, 0, 5]) as {}", field.ty);
            }
            field.words.push(word);
        }
    }

    /// Values that are not on the wire: each may name those before it.
    fn values_computed(&mut self, body: &Body, words: &mut Vec<String>) {
        for index in 0..3 {
            if !self.draw("computed", 20) || body.scope.is_empty() {
                continue;
            }
            let known = |name: &str| body.fields.iter().any(|field| field.name == name);
            let held = |text: &str| {
                body.fields
                    .iter()
                    .all(|field| !field.ty.starts_with("Auto") || !names(text, &field.name))
            };
            let (ty, expr) = match self.below(5) {
                0 => ("bool", self.truth(body, 2).lang),
                1 if body.counted.iter().any(|name| known(name)) => {
                    let counted: Vec<&String> =
                        body.counted.iter().filter(|name| known(name)).collect();
                    let name = counted[self.rng.index(counted.len())];
                    ("u64", format!("count({name}) * 2"))
                }
                _ => (self.pick(&["u16", "u32", "u64", "u8"]), self.number(body, 2).lang),
            };
            // Names of `let` may hide an `Auto`.
            let hides = words.iter().any(|word| word.starts_with("let("));
            if held(&expr) && !hides {
                words.push(format!("computed(v{index}: {ty} = {expr}, \"it follows\")"));
                if ty == "bool" {
                    words.push(format!("note(v{index} || !v{index}, \"never\")"));
                } else {
                    words.push(format!("note(v{index} >= v{index}, \"{{v{index}}} is less\")"));
                }
            }
        }
    }

    fn arguments(
        &mut self,
        body: &mut Body,
        info: &mut Info,
        words: &mut Vec<String>,
        outermost: bool,
    ) {
        if !self.draw("args", 35) {
            return;
        }
        let default = outermost || self.draw("args default", 50);
        for index in 0..=self.below(2) {
            let (name, ty) = (format!("a{index}"), self.pick(&["u8", "u16", "u32", "u64", "bool"]));
            let value = match ty {
                "bool" => self.pick(&["true", "false"]).to_owned(),
                _ => self.below(5).to_string(),
            };
            body.know(&name, ty);
            info.args.push((name, ty, default.then_some(value)));
        }
        let args: Vec<String> = info
            .args
            .iter()
            .map(|(name, ty, default)| match default {
                Some(value) => format!("{name}: {ty} = {value}"),
                None => format!("{name}: {ty}"),
            })
            .collect();
        words.push(format!("args({})", args.join(", ")));
    }

    /// Arguments that nothing uses are refused.
    fn use_arguments(&mut self, info: &Info, words: &mut Vec<String>, fields: &[Field]) {
        for (name, ty, _) in &info.args {
            let all = fields.iter().flat_map(|field| field.words.iter().chain(&field.presence));
            // An argument may be declared in one text with the word that uses it.
            let declares = |word: &str| word.starts_with("args(") && !word.contains("endian");
            let own = words.iter().filter(|word| !declares(word));
            if all.chain(own).any(|text| names(text, name)) {
                continue;
            }
            let kind = self.pick(&["check", "error", "warn", "note"]);
            match *ty {
                "Order" => words.push(format!("endian = {name}")),
                "bool" => words.push(format!("{kind}({name} || !{name}, \"never\")")),
                _ => words.push(format!("{kind}({name} < 250, \"much\")")),
            }
        }
    }

    /// Fields that keep what the value is passed.
    fn keep_arguments(&mut self, info: &Info, fields: &mut Vec<Field>) {
        for (name, ty, _) in &info.args {
            if self.on("kept argument") && self.late.percent(25) {
                let at = self.late.index(fields.len() + 1);
                // An order has no default.
                let default = self.late.percent(10) && *ty != "Order";
                let value = if default { "Default::default()" } else { name };
                let field = Field {
                    name: format!("kept_{name}"),
                    ty: (*ty).into(),
                    words: vec!["skip".into(), format!("default = {name}")],
                    value: value.into(),
                    ..Field::default()
                };
                fields.insert(at, field);
            }
        }
    }

    fn order(
        &mut self,
        body: &mut Body,
        info: &mut Info,
        words: &mut Vec<String>,
        outermost: bool,
    ) {
        if self.draw("magics", 12) {
            let with_order = self.draw("endian magic", 60);
            if with_order {
                words.push("endian = magic, magic = [b\"Ix\" => little, b\"Mx\" => big]".into());
            } else {
                words.push("little, magic = [b\"Ix\", b\"Mx\"]".into());
            }
            let field = Field {
                name: body.name(),
                ty: "[u8; 2]".into(),
                words: vec!["magic".into()],
                value: "g.pick(&[*b\"Ix\", *b\"Mx\"])".into(),
                ..Field::default()
            };
            body.push(field);
            body.order = "little";
            return;
        }
        if self.draw("magic of type", 25) {
            let magic = if self.draw("magic number", 40) {
                "0x4142u16"
            } else {
                self.pick(&["b\"A\"", "b\"MK\"", "b\"KEY!\""])
            };
            words.push(format!("magic = {magic}"));
        }
        if !outermost && self.draw("endian inherit", 30) {
            words.push("endian = inherit".into());
            body.order = "inherit";
        } else if self.draw("endian", 12) {
            if info.args.is_empty() && !outermost {
                info.args.push(("order".into(), "Order", None));
                words.push("args(order: Order), endian = order".into());
            } else {
                words.push("endian = if len(f1) == 1 { Order::Big } else { Order::Little }".into());
                let name = body.name();
                body.push(Field::plain(&name, "u8", "g.num()"));
                let last = words.len() - 1;
                words[last] =
                    format!("endian = if {name} == 1 {{ Order::Big }} else {{ Order::Little }}");
                body.know(&name, "u8");
            }
            body.order = "told";
        } else {
            body.order = if self.draw("big", 60) { "big" } else { "little" };
            words.push(body.order.into());
        }
    }

    /// `len` on the type; the answer is whether there is one.
    fn size_of_type(&mut self, body: &mut Body, words: &mut Vec<String>) -> bool {
        if !self.draw("size of type", 20) {
            return false;
        }
        let name = body.name();
        let auto = self.on("auto") && (self.rng.percent(60) || !self.on("plain derived"));
        let ty = self.pick(&["u8", "u16", "u32"]);
        let add =
            if self.rng.percent(40) { format!(" + {}", 1 + self.below(4)) } else { String::new() };
        words.push(format!("len = {name}{add}"));
        body.push(Field {
            name,
            ty: if auto { format!("Auto<{ty}>") } else { ty.into() },
            value: if auto { "Auto::new()".into() } else { "g.num()".into() },
            junk: !auto,
            ..Field::default()
        });
        true
    }

    fn version(&mut self, body: &mut Body, words: &mut Vec<String>) {
        if self.draw("since", 30) {
            let name = body.name();
            words.push(format!("version = {name}"));
            body.push(Field::plain(&name, "u8", "g.range(0, 5)"));
            body.version = true;
            body.scope.push(Var {
                both: Both::new(name.clone(), format!("n({name})")),
                ty: "u8",
                own: name,
            });
        }
    }

    /// What names fields that stand anywhere: `calc`, `checksum`, `set`.
    fn computed(&mut self, body: &mut Body) {
        body.is_computed = true;
        for index in std::mem::take(&mut body.calcs) {
            let expr = self.of_later(body);
            body.fields[index].words.push(format!("calc = {expr}"));
        }
        for (index, names) in std::mem::take(&mut body.settable) {
            let Some(name) = names.first() else { continue };
            if body.sized.is_empty() && body.counted.is_empty() {
                continue;
            }
            let expr = self.of_later(body);
            if !expr.starts_with("tag") {
                body.fields[index].words.push(format!("set({name} = {expr})"));
            }
        }
        self.bits_set(body);
        self.made(body);
        for (number, index) in std::mem::take(&mut body.checksums).into_iter().enumerate() {
            let own = body.fields[index].name.clone();
            let names: Vec<String> = body
                .fields
                .iter()
                .map(|field| field.name.clone())
                .filter(|name| *name != own)
                .collect();
            let sum = self.pick(&["Crc32", "Adler32"]);
            let over = if names.is_empty() || self.draw("checksum self", 30) {
                "self".into()
            } else {
                let a = self.rng.index(names.len());
                let b = a + self.rng.index(names.len() - a);
                match self.rng.index(6) {
                    0 => format!("..={}", names[b]),
                    1 => format!("{}..", names[a]),
                    _ if a == b => names[a].clone(),
                    _ => format!("{}..={}", names[a], names[b]),
                }
            };
            let located = &body.located;
            let is_view = |field: &Field| field.words.iter().any(|word| word == "view");
            let located = located.first().filter(|field| !is_view(field));
            let over = match located {
                Some(located) if self.rng.percent(30) => located.name.clone(),
                _ => over,
            };
            // A file has one checksum over all of it, here that of the outermost value.
            let outermost = body.depth == 4 && number == 0;
            let whole = outermost && self.on("checksum file") && self.apart.percent(40);
            let over = if whole { "file".into() } else { over };
            let coded = self.coded_field(body).filter(|_| !whole);
            if let Some(name) = coded {
                body.fields[index].words.push(format!("checksum({sum}, over = decoded({name}))"));
                continue;
            }
            let zero = match body
                .fields
                .iter()
                .find(|field| field.ty == "u16" && field.presence.is_empty())
            {
                Some(field) if self.on("zero") && over == "self" => {
                    format!(", zero = {}", field.name)
                }
                _ => String::new(),
            };
            let except = self.left_out(&body.fields, (&own, &over, &zero));
            body.fields[index].words.push(format!("checksum({sum}, over = {over}{zero}{except})"));
        }
    }

    /// What a checksum over the whole value leaves out: itself, or a field that does not count as zero.
    fn left_out(&mut self, fields: &[Field], (own, over, zero): (&str, &str, &str)) -> String {
        if !self.on("left out") || over != "self" || !self.keeps.percent(60) {
            return String::new();
        }
        let plain = fields.iter().filter(|field| field.presence.is_empty() && field.name != own);
        let plain = plain.map(|field| field.name.as_str());
        let plain: Vec<&str> = plain.filter(|name| !zero.ends_with(name)).collect();
        match plain.is_empty() || self.keeps.percent(40) {
            true => format!(", except = {own}"),
            false => format!(", except = [{own}, {}]", self.keeps.pick(&plain)),
        }
    }

    /// A field in coded bytes, whose decoded ones a checksum may cover.
    fn coded_field(&mut self, body: &Body) -> Option<String> {
        if !self.on("decoded") || !self.hand.percent(60) {
            return None;
        }
        let mut coded = body.fields.iter().filter(|field| field.ty.starts_with("Encoded<"));
        coded.next().map(|field| field.name.clone())
    }

    /// A number that a writer finds when it has all fields.
    pub(super) fn of_later(&mut self, body: &Body) -> String {
        let add =
            if self.rng.percent(30) { format!(" + {}", 1 + self.below(3)) } else { String::new() };
        let list = [(&body.sized, "len"), (&body.counted, "count"), (&body.tagged, "tag")];
        let mut some: Vec<String> = Vec::new();
        for (names, word) in list {
            some.extend(names.iter().map(|name| format!("{word}({name})")));
        }
        for field in body.fields.iter().chain(&body.located) {
            if field.presence.is_empty() && self.rng.percent(15) {
                some.push(format!("start({})", field.name));
                some.push(format!("end({})", field.name));
            }
        }
        if some.is_empty() || self.rng.percent(15) {
            return self.number(body, 2).lang;
        }
        let own = some[self.rng.index(some.len())].clone();
        if own.starts_with("tag") { own } else { format!("{own}{add}") }
    }

    /// Rules and other words of a whole struct.
    fn whole_words(&mut self, body: &mut Body, words: &mut Vec<String>) {
        if self.draw("rules of types", 20) {
            let kind = self.pick(&["check", "error", "warn", "note"]);
            if self.on(kind) {
                let rule = self.rule(body);
                words.push(format!("{kind}({rule}, \"a rule\")"));
            }
        }
        if self.draw("origin", 20) {
            words.push("origin".into());
        }
        if !body.rest && self.draw("type align", 15) {
            let to = self.pick(&[2, 4, 8]);
            words.push(format!("align_after = {to}"));
        }
        if self.draw("new", 15) {
            words.push("new".into());
        }
        // Drawn by nothing, so that other draws stay what they are.
        if self.on("spec") && self.types.len().is_multiple_of(3) {
            words.push(format!("spec = \"section {}\"", self.types.len()));
        }
        if self.draw("level", 15) {
            let code = self.pick(&[
                "padding",
                "derived",
                "gap",
                "canonical",
                "reserved",
                "unkept",
                "checksum",
            ]);
            let weight = self.pick(&["note", "warning", "error"]);
            words.push(format!("level({code} = {weight})"));
        }
    }
}

/// Whether a name stands in a text.
pub(super) fn names(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == name)
}

/// Drops names that nothing uses, which the derive refuses.
fn used_lets(words: &mut Vec<String>, fields: &[Field]) {
    let mut kept: Vec<String> = Vec::new();
    for index in (0..words.len()).rev() {
        let name = words[index].strip_prefix("let(").and_then(|rest| rest.split(' ').next());
        let used = name.is_none_or(|name| {
            let all = fields.iter().flat_map(|field| field.words.iter().chain(&field.presence));
            all.chain(&kept).any(|text| names(text, name))
        });
        if used {
            kept.insert(0, words[index].clone());
        }
    }
    *words = kept;
}

/// One `let` with all names.
fn merge_lets(words: &mut Vec<String>) {
    let lets: Vec<String> = words
        .iter()
        .filter_map(|word| word.strip_prefix("let(")?.strip_suffix(')').map(str::to_owned))
        .collect();
    if lets.len() > 1 {
        words.retain(|word| !word.starts_with("let("));
        words.push(format!("let({})", lets.join(", ")));
    }
}

/// The outermost type is read with the defaults of its arguments.
fn defaults(info: &Info) -> Vec<String> {
    let arg = |(name, ty, default): &(String, &str, Option<String>)| {
        Some(format!("let {name}: {ty} = {};", default.as_ref()?))
    };
    info.args.iter().filter_map(arg).collect()
}
