//! Located values, sections, and values that lie parallel to a table.

use super::Gen;
use super::body::Body;
use super::model::{Field, Kind, Type};

impl Gen<'_> {
    pub(super) fn located(&mut self, body: &mut Body) {
        if self.draw("for_each", 45) {
            return self.parallel(body);
        }
        if !self.on("at") {
            return self.bytes(body);
        }
        let auto = self.draw("auto", 50);
        let offset = body.name();
        let mut ty = self.pick(&["u8", "u16", "u32", "u64"]);
        if self.on("coded places") && self.counts.percent(60) {
            ty = CODED[self.counts.index(CODED.len())];
        }
        body.push(Field {
            name: offset.clone(),
            ty: if auto { format!("Auto<{ty}>") } else { ty.into() },
            value: if auto { "Auto::new()".into() } else { floor().into() },
            ..Field::default()
        });
        let mut field = Field { name: body.name(), ..Field::default() };
        let mut section = None;
        if self.draw("place", 40) {
            section = Some(self.section(body));
        }
        let at = match self.below(6) {
            0 => format!("{offset} + {}", 1 + self.below(3)),
            1 => format!("{offset} * 2"),
            _ => offset.clone(),
        };
        if at.ends_with("* 2") {
            field.words.push("align_before = 2".into());
        }
        let counted = self.counted(body, section.as_deref());
        if let Some(from) = &counted {
            field.words.push(format!("at = {from} + {at}"));
        } else {
            field.words.push(format!("at = {at}"));
        }
        if self.draw("base", 30) && counted.is_none() {
            let names: Vec<String> = body.fields.iter().map(|field| field.name.clone()).collect();
            let base = match self.below(3) {
                0 => "file".into(),
                1 => "start".into(),
                _ => names[self.rng.index(names.len())].clone(),
            };
            field.words.push(format!("base = {base}"));
        }
        if let Some(section) = section {
            field.words.push(format!("place = {section}"));
        }
        self.body_of(body, &mut field);
        if self.draw("null", 30) && at == offset && counted.is_none() {
            field.presence.push("null = 0".into());
            field.condition = "g.percent(70)".into();
        } else if self.draw("shared", 20) && (field.ty.contains("[u8]") || field.ty.contains("str"))
        {
            field.words.push("shared".into());
        }
        for word in ["align_before", "align_after", "pad_after"] {
            let known = field.words.iter().any(|known| known.starts_with(word));
            if !known && self.draw(word, 15) {
                let to = self.pick(&[2, 4, 8]);
                field.words.push(format!("{word} = {to}"));
            }
        }
        self.rules(body, &mut field);
        body.located.push(field);
    }

    /// What a place counts from that a writer finds out: where a field begins or ends, or a number that it computes.
    fn counted(&mut self, body: &mut Body, section: Option<&str>) -> Option<String> {
        if !self.on("counted places") || !self.counts.percent(40) {
            return None;
        }
        let sequence = body.fields.iter().filter(|field| {
            let is_there = field.condition.is_empty() && field.presence.is_empty();
            is_there && !field.words.iter().any(|word| word == "view")
        });
        let before: Vec<&String> = sequence.map(|field| &field.name).collect();
        match (section, self.counts.below(4)) {
            (Some(section), 0 | 1) => Some(format!("start({section})")),
            (None, 0) => Some(format!("end({})", before.get(self.counts.index(before.len()))?)),
            (None, 1) => Some(format!("start({})", before.get(self.counts.index(before.len()))?)),
            _ => {
                let (len, bytes) = (body.name(), body.name());
                body.push(Field::plain(&len, "Auto<u8>", "Auto::new()"));
                body.push(Field {
                    name: bytes,
                    ty: "Vec<u8>".into(),
                    words: vec![format!("len = {len}")],
                    value: "{ let len = g.small(9); g.bytes(len) }".into(),
                    ..Field::default()
                });
                Some(len)
            }
        }
    }

    fn section(&mut self, body: &mut Body) -> String {
        if let Some(known) =
            body.fields.iter().find(|field| field.words.iter().any(|word| word == "section"))
            && self.rng.percent(60)
        {
            return known.name.clone();
        }
        let length = body.name();
        let name = body.name();
        let auto = self.draw("auto", 50);
        body.push(Field {
            name: length.clone(),
            ty: if auto { "Auto<u16>" } else { "u16" }.into(),
            value: if auto { "Auto::new()" } else { "Num::of(g.small(9))" }.into(),
            ..Field::default()
        });
        let (mut told, mut bytes) = (length.clone(), "g.small(20)");
        if self.on("whole sections") && self.tells.percent(50) {
            let form = self.tells.pick(&["N * 4", "4 + N * 8", "(N - 1) * 4", "N * 3 - 2"]);
            told = form.replace('N', &length);
            bytes = "4 * g.small(5)";
        }
        let mut words = vec!["section".into(), format!("len = {told}")];
        if self.on("grow") && self.packs.percent(40) {
            words.push("grow = down".into());
        }
        body.push(Field {
            name: name.clone(),
            ty: "Vec<u8>".into(),
            words,
            value: format!("{{ let len = {bytes}; g.bytes(len) }}"),
            ..Field::default()
        });
        name
    }

    /// What lies at an offset.
    fn body_of(&mut self, body: &mut Body, field: &mut Field) {
        if body.depth > 0 && self.rng.percent(35) {
            let info = self.a_type(body.depth - 1, false);
            if info.tags.is_none() {
                self.of_type(body, &info, field);
                if self.on("coded places") && self.counts.percent(50) {
                    field.words.push("prefix = Leb128<u16>".into());
                }
                return;
            }
        }
        if self.rng.percent(25) {
            let (ty, _, value) = self.number_type();
            field.ty = ty.into();
            field.value = value;
            return;
        }
        let text = self.draw("text", 40);
        field.ty = if text { "&'a str" } else { "&'a [u8]" }.into();
        let make = |len: &str| {
            if text {
                format!(
                    "take({{ let len = {len}; g.text_without(len, 0) }}.into_boxed_str()) as &'static str"
                )
            } else {
                format!(
                    "take({{ let len = {len}; g.bytes(len) }}.into_boxed_slice()) as &'static [u8]"
                )
            }
        };
        match self.below(3) {
            0 if text => {
                field.words.push("nul".into());
                field.value = make("g.small(9)");
            }
            1 if self.on("prefix") => {
                let prefix = self.prefix();
                field.words.push(format!("prefix = {prefix}"));
                field.value = make("g.small(9)");
            }
            _ => {
                let len = self.unknown_length(body);
                field.words.push(format!("len = {len}"));
                let least = len.rsplit(" + ").next().and_then(|add| add.parse::<u64>().ok());
                field.value = make(&format!("add({}, g.small(9))", least.unwrap_or(0)));
            }
        }
    }

    /// A field that looks at the bytes of another one, or at a number in front of all.
    pub(super) fn views(&mut self, body: &mut Body) {
        if !self.on("view") || !self.rng.percent(40) {
            return;
        }
        let plain = |field: &&Field| {
            let bytes = ["Vec<u8>", "&'a [u8]"].contains(&field.ty.as_str());
            let own = |word: &String| word.starts_with("len = ") || word == "until_end";
            bytes && field.presence.is_empty() && field.words.iter().all(own)
        };
        let seen: Vec<&Field> = body.fields.iter().filter(plain).collect();
        let Some(seen) = seen.get(self.rng.index(seen.len().max(1))) else { return };
        let (name, ty, whole) = (seen.name.clone(), seen.ty.clone(), self.rng.percent(70));
        let owned = if ty == "Vec<u8>" { ".clone()" } else { "" };
        // Mostly it says what its owner does.
        let (at, len, value) = match whole {
            true => (format!("start({name})"), format!("len({name})"), format!("{name}{owned}")),
            false => (format!("end({name})"), "0".into(), "Default::default()".into()),
        };
        let field = Field {
            name: body.name(),
            ty,
            words: vec![format!("at = {at}"), format!("len = {len}"), "view".into()],
            value,
            ..Field::default()
        };
        body.located.push(field);
    }

    /// Values in a section of which nothing but where they begin is told.
    pub(super) fn packed(&mut self, body: &mut Body) {
        if !self.on("until_next") || body.rest || !self.rng.percent(30) {
            return;
        }
        let (length, table) = (body.name(), body.name());
        let (section, values) = (body.name(), body.name());
        let auto = self.rng.percent(50);
        let own = |name: &str, ty: &str, words: &[String], value: &str| Field {
            name: name.into(),
            ty: ty.into(),
            words: words.to_vec(),
            value: value.into(),
            ..Field::default()
        };
        let number = if auto { ("Auto<u16>", "Auto::new()") } else { ("u16", "Num::of(0)") };
        body.push(own(&length, number.0, &[], number.1));
        let bytes = self.on("table of bytes") && self.tails.percent(50);
        let offset = if bytes { "u8" } else { "u16" };
        let floors = format!(
            "{{ let len = g.small(4); g.vec(len, |g| {{ let at: {offset} = {}; at }}) }}",
            floor()
        );
        let table_word = match self.on("converted table") && self.tails.percent(50) {
            true if bytes => "map(Keyed, opened_all, closed_all)",
            true => "with = from_the_highest",
            false => "prefix = u8",
        };
        body.push(own(&table, &format!("Vec<{offset}>"), &[table_word.into()], &floors));
        let bytes = "Vec::new()";
        body.push(own(&section, "Vec<u8>", &["section".into(), format!("len = {length}")], bytes));
        let mut words = vec![
            format!("for_each = {table}"),
            "at = it".into(),
            format!("base = {section}"),
            format!("place = {section}"),
            "until_next".into(),
        ];
        if self.rng.percent(30) {
            words.push("shared".into());
        }
        let make =
            "{ let len = g.small(9); take(g.bytes(len).into_boxed_slice()) as &'static [u8] }";
        let make = format!("g.each(&{table}, |g, _| {make})");
        body.located.push(own(&values, "Vec<&'a [u8]>", &words, &make));
    }

    /// A table, and a value for each of its items.
    fn parallel(&mut self, body: &mut Body) {
        let name = format!("S{}", self.types.len());
        let offset = self.pick(&["u8", "u16", "u32"]);
        let size = self.pick(&["u8", "u16", "u32"]);
        let (offset, size) = (self.coded_or(offset), self.coded_or(size));
        let field = |name: &str, ty: &str, value: &str, junk| Field {
            name: name.into(),
            ty: ty.into(),
            value: value.into(),
            junk,
            ..Field::default()
        };
        let conditional = self.draw("for_each if", 40);
        let below = self.below_0();
        let mut fields = match &below {
            Some((ty, value, _)) => vec![field("at", ty, value, false)],
            None => vec![field("at", offset, floor(), false)],
        };
        let forms = self.on("item forms") && self.tells.percent(40);
        // The size of an absent value says something else, and is kept, as is one of another form.
        fields.push(field("size", size, "Num::of(g.small(20))", !conditional && !forms));
        if conditional || self.rng.percent(30) || forms {
            fields.insert(0, field("kind", "u8", "g.small(3) as u8", false));
        }
        if forms {
            fields.push(field("more", "u16", "Num::of(g.small(20))", false));
        }
        let places = forms && below.is_none() && self.tells.percent(40);
        if places {
            fields.push(field("far", "u32", floor(), false));
        }
        self.types.push(Type {
            name: name.clone(),
            words: vec!["little".into()],
            kind: Kind::Struct(fields),
            params: Vec::new(),
            lets: Vec::new(),
            generics: Vec::new(),
        });
        let is_below = below.is_some();
        let scaled = match below {
            Some((.., place)) => Some(place),
            None if places && self.on("branches in units") => {
                let wide = body.name();
                body.push(Field::plain(&wide, "u8", "g.small(3) as u8"));
                let forms = [
                    "if WIDE == 1 { it.far } else { it.at } - 1",
                    "if WIDE == 1 { it.far * 4 } else { it.at + 3 }",
                    "if WIDE > 1 { it.far } else if WIDE == 1 { it.at } else { it.far } * 2",
                ];
                Some(self.tells.pick(&forms).replace("WIDE", &wide))
            }
            None if places => Some("if it.kind == 2 { it.far } else { it.at }".into()),
            None => self.scaled(body),
        };
        let inner = self.on("inner table") && self.apart.percent(40);
        let (table_name, items) = if inner {
            self.inner_table(body, &name)
        } else {
            let table = self.table(body, &name);
            let items = format!("&{table}");
            (table, items)
        };
        let mut values = Field { name: body.name(), ..Field::default() };
        let len = if forms {
            "len = if it.kind == 1 { it.size } else { it.more }"
        } else {
            "len = it.size"
        };
        values.words.extend([format!("for_each = {table_name}"), len.into()]);
        // Without a place the values follow one another.
        let beside = self.on("beside") && self.apart.percent(40);
        if !beside {
            values.words.push(format!("at = {}", scaled.as_deref().unwrap_or("it.at")));
        }
        let mut make = "take(g.bytes(len).into_boxed_slice()) as &'static [u8]".to_owned();
        let mut ty = "&'a [u8]".to_owned();
        if body.depth > 0 && self.rng.percent(40) {
            let info = self.a_type(body.depth - 1, true);
            if info.tags.is_none() && info.args.iter().all(|(_, _, default)| default.is_some()) {
                ty = format!("{}@", info.name);
                let args: Vec<String> = info
                    .args
                    .iter()
                    .map(|(_, _, value)| format!(", {}", value.clone().unwrap_or_default()))
                    .collect();
                make = format!("{}::make(g{})", info.name, args.concat());
            }
        }
        let make = format!("{{ let len = g.small(9); let _ = len; {make} }}");
        if conditional {
            values.words.push("if = it.kind == 1".into());
            ty = format!("Option<{ty}>");
            // A value may be absent for two reasons.
            let null = !beside && self.on("null beside if") && self.forms.percent(40);
            let there = if null { " && g.percent(70)" } else { "" };
            values.words.extend(null.then(|| "null = 0".to_owned()));
            values.value = format!(
                "g.each({items}, |g, it| if it.kind == 1{there} {{ Some({make}) }} else {{ None }})"
            );
        } else if self.draw("for_each null", 30) && !beside {
            values.words.push("null = 0".into());
            ty = format!("Option<{ty}>");
            values.value = format!(
                "g.each({items}, |g, _| if g.percent(70) {{ Some({make}) }} else {{ None }})"
            );
        } else {
            values.value = format!("g.each({items}, |g, _| {make})");
        }
        if self.draw("align_after", 20) {
            values.words.push("align_after = 4".into());
        }
        if self.on("shared values") && !beside && self.apart.percent(40) {
            values.words.push("shared".into());
        }
        if self.on("checksum of items") && self.apart.percent(40) {
            let sum = if self.apart.percent(50) { "Crc32" } else { "Adler32" };
            values.words.push(format!("checksum({sum}, it.sum)"));
            // An item without a value keeps what it says.
            let always = !ty.starts_with("Option");
            let sum = field("sum", "u32", "Num::of(g.small(20))", always);
            let entry = self.types.iter_mut().find(|ty| ty.name == name);
            if let Some(Type { kind: Kind::Struct(fields), .. }) = entry {
                fields.push(sum);
            }
        }
        if self.on("set of items") && self.apart.percent(50) {
            self.set_in_items(&name, &mut values, (beside, !ty.starts_with("Option")));
        }
        let lacks = values.words.iter().any(|word| word.starts_with("null"));
        if !beside
            && !lacks
            && !is_below
            && !places
            && let Some(from) = self.counted(body, None)
            && let Some(at) =
                values.words.iter_mut().find_map(|word| word.starts_with("at = ").then_some(word))
        {
            at.insert_str("at = ".len(), &format!("{from} + "));
        }
        values.ty = format!("Vec<{ty}>");
        self.seen_in_items(&mut values, (beside, inner));
        if beside {
            body.push(values);
        } else {
            body.located.push(values);
        }
    }
}

/// Numbers in encodings of their own.
const CODED: &[&str] = &["Leb128<u16>", "Leb128<u32>", "Coded<Vlq, u16>"];

impl Gen<'_> {
    /// The type of a number in an item, perhaps in an encoding of its own.
    pub(super) fn coded_or(&mut self, plain: &'static str) -> &'static str {
        if self.on("coded items") && self.codes.percent(60) {
            CODED[self.codes.index(CODED.len())]
        } else {
            plain
        }
    }

    /// A number of an item that may be below 0: its type, its value, and the place that it tells.
    fn below_0(&mut self) -> Option<(&'static str, String, String)> {
        if !self.on("places below 0") || !self.makes.percent(30) {
            return None;
        }
        let types = ["i8", "i16", "i32", "Leb128<i16>"];
        let ty = *self.makes.pick(&types);
        let number = ty.trim_start_matches("Leb128<").trim_end_matches('>');
        let value = format!("{{ let n = (g.small(30) % 30) as {number} - 20; n.into() }}");
        let places = ["it.at + 4", "it.at + 20", "(it.at + 9) * 2", "3 + (it.at - 1) * 4"];
        Some((ty, value, (*self.makes.pick(&places)).into()))
    }

    /// A place that an item counts in units of the value.
    fn scaled(&mut self, body: &mut Body) -> Option<String> {
        if !self.on("scaled") || !self.sees.percent(35) {
            return None;
        }
        let unit = body.name();
        body.push(Field::plain(&unit, "u8", "g.small(9) as u8"));
        let places = ["it.at * N", "N * it.at + 3", "(it.at + 1) * N", "2 + (it.at - 1) * N"];
        Some(self.sees.pick(&places).replace('N', &unit))
    }

    /// A table of items of that type.
    fn table(&mut self, body: &mut Body, name: &str) -> String {
        let mut table = Field { name: body.name(), ..Field::default() };
        table.ty = format!("Vec<{name}@>");
        if self.draw("prefix", 60) || !self.on("auto") {
            table.words.push("prefix = u8".into());
        } else {
            let count = body.name();
            body.push(Field::plain(&count, "Auto<u8>", "Auto::new()"));
            table.words.push(format!("count = {count}"));
        }
        table.value = format!("{{ let len = g.small(4); g.vec(len, |g| {name}::make(g)) }}");
        if table.words == ["prefix = u8"] && self.on("ended table") && self.closes.percent(60) {
            self.end_table(&mut table, name);
        }
        let name = table.name.clone();
        body.push(table);
        name
    }

    /// Has a table end with an item, or in front of a constant with which none begins.
    fn end_table(&mut self, table: &mut Field, name: &str) {
        let entry = self.types.iter_mut().find(|ty| ty.name == name);
        let Some(Type { kind: Kind::Struct(fields), .. }) = entry else { return };
        let mark = Field::plain("mark", "u8", "g.small(8).min(250) as u8 + 1");
        fields.insert(0, mark);
        let until = ["last.mark == 0", "last.mark == 0 || remaining < 1", "b\"\\0\""];
        let until = self.closes.pick(&until);
        table.words = vec![format!("until = {until}")];
        if until.starts_with("last") {
            let last = format!("let mut last = {name}::make(g); last.mark = 0; all.push(last);");
            table.value = format!("{{ let mut all: Vec<_> = {}; {last} all }}", table.value);
        }
    }

    /// The same inside another value, or in every item of a list: its name, and all items of it.
    fn inner_table(&mut self, body: &mut Body, name: &str) -> (String, String) {
        let (holder, outer) = (format!("H{}", self.types.len()), body.name());
        let mark = Field::plain("mark", "u8", "g.small(9) as u8");
        let list = |ty: &str, value: String| Field {
            ty: format!("Vec<{ty}@>"),
            words: vec!["prefix = u8".into()],
            value: format!("{{ let len = g.small(3); g.vec(len, |g| {value}) }}"),
            ..Field::default()
        };
        let items = Field { name: "items".into(), ..list(name, format!("{name}::make(g)")) };
        let several = self.apart.percent(50);
        let value = format!("{holder}::make(g)");
        let mut field = if several {
            list(&holder, value)
        } else {
            Field { ty: format!("{holder}@"), value, ..Field::default() }
        };
        let mut fields = vec![mark, items];
        if !several && self.on("set beside table") && self.tells.percent(60) {
            let told = self.tells.pick(&["end(N)", "end(N) - start(N)", "start(N) + 100"]);
            field.words.push(format!("set(said = {})", told.replace('N', &outer)));
            let said = Field {
                name: "said".into(),
                ty: (*self.tells.pick(&["u32", "u16", "Leb128<u32>"])).into(),
                value: "Num::of(g.small(20))".into(),
                junk: true,
                ..Field::default()
            };
            fields.insert(self.tells.index(3), said);
        }
        self.types.push(Type {
            name: holder.clone(),
            words: vec!["little".into()],
            kind: Kind::Struct(fields),
            params: Vec::new(),
            lets: Vec::new(),
            generics: Vec::new(),
        });
        body.push(Field { name: outer.clone(), ..field });
        let items = if several {
            format!("&{outer}.iter().flat_map(|one| one.items.clone()).collect::<Vec<_>>()")
        } else {
            format!("&{outer}.items")
        };
        (format!("{outer}.items"), items)
    }

    /// A number of each item that the writer computes, and one that decides how the values are written.
    fn set_in_items(&mut self, entry: &str, values: &mut Field, (beside, always): (bool, bool)) {
        let number = ["index + 1", "len(value) % 100", "it.size / 2 % 50", "index * 3 % 7"];
        let number = number[self.apart.index(number.len())];
        let mut list = vec![format!("it.number = {number}")];
        let mut names = vec!["number"];
        if beside && self.apart.percent(50) {
            list.push("it.space = index % 3".into());
            names.push("space");
            values.words.push("pad_before = it.space".into());
        }
        values.words.push(format!("set({})", list.join(", ")));
        let mut ty = || self.coded_or("u8");
        let names: Vec<_> = names.into_iter().map(|name| (name, ty())).collect();
        let type_of_items = self.types.iter_mut().find(|ty| ty.name == entry);
        if let Some(Type { kind: Kind::Struct(fields), .. }) = type_of_items {
            // An item without a value keeps what it says.
            fields.extend(names.into_iter().map(|(name, ty)| Field {
                name: name.into(),
                ty: ty.into(),
                value: "Num::of(g.small(20))".into(),
                junk: always,
                ..Field::default()
            }));
        }
    }
}

/// A stored offset: most values leave it to the writer, or to where it would be anyway.
fn floor() -> &'static str {
    "if g.percent(60) { Num::of(0) } else { Num::of(g.small(40)) }"
}
