//! Bytes, texts and sequences, and what says how long they are.

use super::Gen;
use super::body::Body;
use super::model::Field;

/// What tells a length or a count.
struct Told {
    /// The expression of a declaration.
    lang: String,
    /// The number that a value has to have, for `make`.
    rust: String,
}

impl Gen<'_> {
    pub(super) fn prefix(&mut self) -> &'static str {
        let leb = self.on("leb128");
        let all = ["u8", "u16", "u32", "U24", "Leb128<u32>", "Leb128<u16>"];
        let most = if leb { 6 } else { 3 };
        self.pick(&all[..most])
    }

    /// The type of a field that tells lengths.
    fn length_type(&mut self) -> &'static str {
        match self.below(8) {
            0 if self.on("leb128") => self.pick(&["Leb128<u16>", "Leb128<u32>"]),
            1 if self.on("narrow") => "U24",
            _ => self.pick(&["u8", "u8", "u16", "u32", "u64"]),
        }
    }

    /// A field before the value, from which its length is computed: `words` has what may stand
    /// between both.
    fn told(&mut self, body: &mut Body) -> Told {
        if self.rng.percent(20) {
            let number = self.below(7);
            return Told { lang: number.to_string(), rust: format!("{number}u64") };
        }
        let name = body.name();
        let ty = self.length_type();
        let auto = self.on("auto") && (self.rng.percent(55) || !self.on("plain derived"));
        let (times, plus) = (1 + self.below(3), self.below(4));
        let form = self.below(5);
        let (lang, from) = match form {
            0 | 1 => (name.clone(), "LEN".to_owned()),
            2 => (format!("{name} + {plus}"), format!("add(LEN, {plus})")),
            3 if self.on("shifts") && self.lasts.percent(50) => {
                (format!("({name} << {times})"), format!("mul(LEN, 1 << {times})"))
            }
            3 => (format!("{times} * {name}"), format!("mul(LEN, {times})")),
            _ => (format!("{name} - {plus}"), format!("sub(LEN, {plus})")),
        };
        let low = if form == 4 { plus } else { 0 };
        let number = format!("add({low}, g.small(12))");
        if auto {
            body.push(Field {
                name,
                ty: format!("Auto<{ty}>"),
                value: "Auto::new()".into(),
                ..Field::default()
            });
            self.between(body);
            return Told { lang, rust: from.replace("LEN", &number) };
        }
        body.push(Field {
            name: name.clone(),
            ty: ty.into(),
            value: format!("{{ let len = {number}; Num::of(len) }}"),
            junk: true,
            ..Field::default()
        });
        if self.draw("derived in conditions", 40) && !ty.starts_with("Leb") {
            body.know(&name, ty);
        }
        self.between(body);
        Told { lang, rust: from.replace("LEN", &format!("n({name})")) }
    }

    /// A length that is known when the value has been written alone.
    pub(super) fn unknown_length(&mut self, body: &mut Body) -> String {
        let name = body.name();
        let ty = self.length_type();
        let auto = self.on("auto") && (self.rng.percent(60) || !self.on("plain derived"));
        let add =
            if self.rng.percent(25) { format!(" + {}", 1 + self.below(3)) } else { String::new() };
        body.push(Field {
            name: name.clone(),
            ty: if auto { format!("Auto<{ty}>") } else { ty.into() },
            value: if auto { "Auto::new()".into() } else { "g.num()".into() },
            junk: !auto,
            ..Field::default()
        });
        self.between(body);
        format!("{name}{add}")
    }

    /// Fields between a length and what it tells.
    fn between(&mut self, body: &mut Body) {
        if self.rng.percent(20) && self.budget > 0 {
            self.field(body);
        }
    }

    /// The type of bytes or a text, and how one of `LEN` bytes is made.
    fn run_type(&mut self, fill: Option<u8>) -> (&'static str, String, bool) {
        let text = self.draw("text", 50);
        let maker = match (text, fill) {
            (false, None) => "g.bytes(len)".to_owned(),
            (false, Some(fill)) => format!("g.bytes_without(len, {fill})"),
            (true, None) => "g.text(len)".to_owned(),
            (true, Some(fill)) => format!("g.text_without(len, {fill})"),
        };
        let cow = self.draw("cow", 30);
        let (ty, wrap) = match (text, cow, self.rng.percent(50)) {
            (false, true, _) => ("Cow<'a, [u8]>", "Cow::Owned(RUN)"),
            (false, _, true) => ("&'a [u8]", "take(RUN.into_boxed_slice()) as &'static [u8]"),
            (false, ..) => ("Vec<u8>", "RUN"),
            (true, true, _) => ("Cow<'a, str>", "Cow::Owned(RUN)"),
            (true, _, true) => ("&'a str", "take(RUN.into_boxed_str()) as &'static str"),
            (true, ..) => ("String", "RUN"),
        };
        (ty, format!("{{ let len = LEN; {} }}", wrap.replace("RUN", &maker)), text)
    }

    pub(super) fn bytes(&mut self, body: &mut Body) {
        let mut field = Field::default();
        let trim = self.draw("trim", 25);
        let nul = !trim && self.draw("text", 30);
        let fill = self.pick(&[0_u8, 0x20]);
        let (ty, value, _) = self.run_type(if trim {
            Some(fill)
        } else if nul {
            Some(0)
        } else {
            None
        });
        field.ty = ty.into();
        let utf16 = self.draw("utf16", 15);
        let length = if nul && self.rng.percent(50) {
            field.words.push("nul".into());
            "g.small(12)".into()
        } else if utf16 {
            let prefix = self.prefix();
            field.words.push(format!("prefix = {prefix}"));
            if nul {
                field.words.push("nul".into());
            }
            "g.small(12)".into()
        } else if trim {
            let (width, most) = if self.rng.percent(50) || !self.on("plain derived") {
                let width = 1 + self.below(12);
                (width.to_string(), format!("g.small({})", width + 1))
            } else {
                let name = body.name();
                body.push(Field::plain(&name, "u8", "Num::of(g.small(16))"));
                let in_units = self.on("widths in units") && self.tells.percent(50);
                let width = match (in_units, self.tells.below(3)) {
                    (false, _) => name,
                    (_, 0) => format!("({name} - 1) * 3"),
                    (_, 1) => format!("{name} * 2 + 1"),
                    _ => format!("{name} * 4"),
                };
                (width, "g.small(16)".into())
            };
            field.words.extend([format!("len = {width}"), format!("trim = {fill:#x}")]);
            most
        } else if self.draw("prefix", 40) {
            let prefix = self.prefix();
            field.words.push(format!("prefix = {prefix}"));
            if nul {
                field.words.push("nul".into());
            }
            "g.small(20)".into()
        } else {
            let told = self.told(body);
            field.words.push(format!("len = {}", told.lang));
            if nul && self.rng.percent(40) {
                field.words.push("nul".into());
            }
            told.rust
        };
        if utf16 {
            field.ty = "Utf16<'a>".into();
            field.value = "{ let len = g.small(9); Utf16::from(take(g.text_without(len, 0).into_boxed_str()) as &'static str) }".into();
            if nul && field.words == ["nul"] {
                field.words = vec!["nul".into()];
            }
            field.words.retain(|word| !word.starts_with("trim"));
        } else {
            field.value = value.replace("LEN", &length);
        }
        if self.draw("blob", 10) && field.words.len() == 1 && field.words[0].starts_with("len") {
            field.ty = "Blob<'a>".into();
            field.value = format!("{{ let len = {length}; g.payload(len) }}");
        }
        self.sealed(body, &length, &mut field);
        self.finish(body, field, true);
    }

    /// The words that any value with a length may have.
    fn finish(&mut self, body: &mut Body, mut field: Field, sized: bool) {
        field.name = body.name();
        self.rules(body, &mut field);
        self.magic(&mut field);
        self.pads(body, &mut field);
        let absent = self.presence(body, &mut field);
        if sized && !absent {
            body.sized.push(field.name.clone());
        }
        body.push(field);
    }

    /// The type of an item, and how one is made; the last is whether it is a number.
    fn item(&mut self, body: &mut Body, words: &mut Vec<String>) -> (String, String, Option<u64>) {
        match self.below(6) {
            0 | 1 if body.depth > 0 => {
                let info = self.a_type(body.depth - 1, false);
                if info.tags.is_some() {
                    return ("u8".into(), "g.num()".into(), Some(1));
                }
                let mut field = Field::default();
                self.of_type(body, &info, &mut field);
                words.extend(field.words);
                (field.ty, field.value, None)
            }
            2 if self.on("tuple") => {
                let ((a, _, x), (b, _, y)) = (self.number_type(), self.number_type());
                (format!("({a}, {b})"), format!("({x}, {y})"), None)
            }
            _ => {
                let (ty, size, value) = self.number_type();
                if ty == "u8" {
                    return ("u16".into(), "g.num()".into(), Some(2));
                }
                (ty.into(), value, Some(size).filter(|size| *size > 0))
            }
        }
    }

    pub(super) fn sequence(&mut self, body: &mut Body) {
        let mut field = Field::default();
        let (item, make, size) = self.item(body, &mut field.words);
        let lazy = self.draw("seq", 45);
        let mut counted = true;
        let integer = make == "g.num()";
        let vec = |wanted: &str| format!("{{ let len = {wanted}; g.vec(len, |g| {make}) }}");
        let mut value = if self.draw("last", 15) && !lazy && integer && size.is_some() {
            field.words.push("until = last == 0".into());
            format!(
                "{{ let mut all: Vec<{item}> = {}; all.retain(|one| n(*one) != 0 || g.percent(2)); all.push(Num::of(0)); all }}",
                vec("g.small(6)")
            )
        } else if self.draw("prefix", 35) {
            let prefix = self.prefix();
            field.words.push(format!("prefix = {prefix}"));
            vec("g.small(6)")
        } else if self.draw("len count", 15) && size.is_some() {
            let told = self.told(body);
            field.words.extend([format!("count = {}", told.lang)]);
            let len = self.unknown_length(body);
            field.words.push(format!("len = {len}"));
            vec(&told.rust)
        } else if self.draw("wide lengths", 30) {
            counted = false;
            let len = self.unknown_length(body);
            field.words.push(format!("len = {len}"));
            vec("g.small(6)")
        } else {
            let told = self.told(body);
            field.words.push(format!("count = {}", told.lang));
            vec(&told.rust)
        };
        if integer && !lazy && self.draw("sorted_by", 15) {
            field.words.push("sorted_by = it".into());
            value = format!("{{ let mut all = {value}; all.sort_by_key(|one| n(*one)); all }}");
        }
        if integer && self.draw("unique", 10) {
            field.words.push("unique".into());
            value = format!(
                "{{ let mut all: Vec<{item}> = {value}; let mut seen = Vec::new(); all.retain(|one| {{ let new = !seen.contains(&n(*one)); seen.push(n(*one)); new }}); all }}"
            );
        }
        if lazy {
            field.ty = format!("Seq<'a, {item}>");
            field.value = format!("Seq::from(take({value}.into_boxed_slice()) as &'static [_])");
        } else {
            field.ty = format!("Vec<{item}>");
            field.value = value;
        }
        let before = body.fields.len();
        self.finish(body, field, true);
        let done = &body.fields[body.fields.len() - 1];
        if counted && done.presence.is_empty() && before < body.fields.len() {
            body.counted.push(done.name.clone());
        }
    }

    /// The last fields: what fills the region, in a value of another type if other fields lie behind it.
    pub(super) fn rest_field(&mut self, body: &mut Body, nested: bool) {
        body.rest = true;
        let mut field = Field { name: body.name(), ..Field::default() };
        match if nested { 4 } else { self.below(7) } {
            0 if self.on("remaining if") => {
                let size = self.pick(&[2_u64, 4, 8]);
                let ty = match size {
                    2 => "u16",
                    4 => "u32",
                    _ => "u64",
                };
                field.ty = ty.into();
                field.value = "g.num()".into();
                field.presence.push(format!("if = remaining >= {size}"));
                field.condition = "g.percent(50)".into();
                let tail = self.rng.percent(40);
                body.push(field);
                if tail {
                    let (ty, value, _) = self.run_type(None);
                    let name = body.name();
                    body.push(Field {
                        name,
                        ty: ty.into(),
                        words: vec!["until_end".into()],
                        value: value.replace("LEN", "g.small(12)"),
                        ..Field::default()
                    });
                }
            }
            1 if self.on("remaining len") => {
                let (ty, value, _) = self.run_type(None);
                let tail = self.pick(&[2_u64, 4]);
                field.ty = ty.into();
                field.value = value.replace("LEN", "g.small(12)");
                let most = self.pick(&[0_u64, 0, 2, 6]);
                field.words.push(match most {
                    0 => format!("len = remaining - {tail}"),
                    2 => format!("len = min({most}, remaining - {tail})"),
                    _ => format!("len = if remaining - {tail} < {most} {{ remaining - {tail} }} else {{ {most} }}"),
                });
                let own = field.name.clone();
                body.push(field);
                body.sized.push(own);
                let name = body.name();
                body.push(Field {
                    name,
                    ty: if tail == 2 { "u16" } else { "u32" }.into(),
                    value: "g.num()".into(),
                    ..Field::default()
                });
            }
            2 | 3 if self.on("remaining until") => {
                let (item, make, size) = self.item(body, &mut field.words);
                let least = size.unwrap_or(2);
                let lazy = self.draw("seq", 45);
                field.words.push(format!("until = remaining < {least}"));
                let value = format!("{{ let len = g.small(6); g.vec(len, |g| {make}) }}");
                if lazy {
                    field.ty = format!("Seq<'a, {item}>");
                    field.value =
                        format!("Seq::from(take({value}.into_boxed_slice()) as &'static [_])");
                } else {
                    field.ty = format!("Vec<{item}>");
                    field.value = value;
                }
                body.push(field);
                if self.rng.percent(60) {
                    let (ty, value, _) = self.run_type(None);
                    let name = body.name();
                    body.push(Field {
                        name,
                        ty: ty.into(),
                        words: vec!["until_end".into()],
                        value: value.replace("LEN", &format!("g.small({})", least + 1)),
                        ..Field::default()
                    });
                }
            }
            4 if body.depth > 0 => {
                let info = self.a_type(body.depth - 1, true);
                self.of_type(body, &info, &mut field);
                body.push(field);
            }
            5 => {
                let (item, make, _) = self.item(body, &mut field.words);
                let lazy = self.draw("seq", 45);
                field.words.push("until_end".into());
                let value = format!("{{ let len = g.small(6); g.vec(len, |g| {make}) }}");
                field.ty = if lazy { format!("Seq<'a, {item}>") } else { format!("Vec<{item}>") };
                field.value = if lazy {
                    format!("Seq::from(take({value}.into_boxed_slice()) as &'static [_])")
                } else {
                    value
                };
                let own = field.name.clone();
                body.push(field);
                body.counted.push(own.clone());
                body.sized.push(own);
            }
            _ => {
                let (ty, value, _) = self.run_type(None);
                field.ty = ty.into();
                field.value = value.replace("LEN", "g.small(20)");
                field.words.push("until_end".into());
                let own = field.name.clone();
                body.push(field);
                body.sized.push(own);
            }
        }
    }
}
