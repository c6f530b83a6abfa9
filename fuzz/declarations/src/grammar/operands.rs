//! Words whose expressions name what seldom stands in them: arguments, parts of values, branches and sums.

use super::Gen;
use super::body::Body;
use super::expr::Both;
use super::model::{Field, Kind};

/// Words of a field, each with `E` for a number that stands in it, and the type of the field.
const SIZES: &[(&str, &str)] = &[
    ("count = E % 5", "Vec<u16>"),
    ("len = E % 9", "Vec<u8>"),
    ("len = E % 9", "String"),
    ("pad_to = E", "Vec<u8>"),
    ("pad_before = E % 3", "u16"),
    ("pad_after = E % 4", "u16"),
    ("align_before = 1 << E % 4", "u8"),
    ("align_after = 1 << E % 4", "u8"),
    ("codec = Xor(E)", "Encoded"),
    ("range = E..", "u32"),
    ("range = ..=E", "u32"),
    ("one_of = [E, 300]", "u32"),
    ("at = AT + E", "Vec<u8>"),
    ("until = last == E", "Vec<u32>"),
    ("flag = E", "u16"),
    ("check(own < E, \"it is large\")", "u8"),
    ("note(own < E, \"it is large\")", "u8"),
    ("warn(own != E, \"it is equal\")", "u8"),
    ("error(own <= E, \"it is more\")", "u8"),
];

/// Words of a type.
const OF_TYPES: &[&str] = &[
    "let(more = E)",
    "check(E < 600 + 300, \"it is large\")",
    "error(E < 600 + 100, \"it is large\")",
    "computed(sum: u64 = E, \"it follows\")",
    "warn(E != 3, \"it is three\")",
    "note(E > 1, \"it is small\")",
];

impl Gen<'_> {
    /// A value of a type that is given a number, has one, and holds a value with others.
    pub(super) fn operands(&mut self, body: &mut Body) {
        let mut own = Body::default();
        let numbers = ["low", "high"].map(|name| Field::plain(name, "u8", "g.small(12) as u8"));
        let head = self.add_type("H", Vec::new(), Kind::Struct(numbers.to_vec()));
        let (number, part) = (own.name(), own.name());
        own.push(Field::plain(&number, "u8", "g.small(12) as u8"));
        own.push(Field::plain(&part, &format!("{head}@"), &format!("{head}::make(g)")));
        let mut words = vec!["args(given: u8)".to_owned()];
        words.push(self.order_of_operands(&number, &part));
        if self.rng.percent(30) {
            self.versions(&mut own, &mut words, (&number, &part));
        }
        for _ in 0..1 + self.below(3) {
            let operand = self.operand(&number, &part);
            self.with_operand(&mut own, &operand);
        }
        if self.rng.percent(50) {
            let operand = self.operand(&number, &part).lang;
            let word = self.pick(OF_TYPES).replace('E', &operand);
            let used = match word.split('(').next() {
                Some("let") => "note(more < 600 + 300, \"it is large\")",
                Some("computed") => "note(sum < 600 + 300, \"it is {sum}\")",
                _ => "",
            };
            words.push(word);
            words.extend(Some(used.to_owned()).filter(|used| !used.is_empty()));
        }
        let uses = |word: &String| super::body::names(word, "given");
        let mut all = own
            .fields
            .iter()
            .chain(&own.located)
            .flat_map(|field| field.words.iter().chain(&field.presence));
        if !all.any(uses) && !words[1..].iter().any(uses) {
            words.push("note(given < 9, \"it is large\")".into());
        }
        own.fields.append(&mut own.located);
        let ty = self.add_type("S", words, Kind::Struct(own.fields));
        self.types.last_mut().expect("the type").params = vec![("given".into(), "u8".into())];
        let (given, name) = (body.name(), body.name());
        body.push(Field::plain(&given, "u8", "g.small(12) as u8"));
        body.push(Field {
            words: vec![format!("args(given = {given})")],
            ..Field::plain(&name, &format!("{ty}@"), &format!("{ty}::make(g, {given})"))
        });
    }

    /// A number in the language, and in `make`.
    fn operand(&mut self, number: &str, part: &str) -> Both {
        let own = |name: &str| Both::new(name, format!("n({name})"));
        let all =
            [own(number), own("given"), own(&format!("{part}.low")), own(&format!("{part}.high"))];
        let one = self.rng.index(all.len());
        let (a, b) = (&all[one], &all[(one + 1 + self.rng.index(3)) % 4]);
        match self.below(4) {
            0 => Both::new(
                format!("(if {} > 3 {{ {} }} else {{ {} }})", a.lang, b.lang, all[1].lang),
                format!("(if {} > 3 {{ {} }} else {{ {} }})", a.rust, b.rust, all[1].rust),
            ),
            1 => Both::new(
                format!("({} + {})", a.lang, b.lang),
                format!("add({}, {})", a.rust, b.rust),
            ),
            _ => a.clone(),
        }
    }

    /// A byte order that a part of a value tells, or a plain one.
    fn order_of_operands(&mut self, number: &str, part: &str) -> String {
        let test = match self.below(5) {
            0 => format!("{part}.low == 1"),
            1 => format!("{number} + given > 9"),
            _ => return self.pick(&["little", "big"]).to_owned(),
        };
        format!("endian = if {test} {{ Order::Big }} else {{ Order::Little }}")
    }

    /// A version that is told, and a field that is there with some of them.
    fn versions(&mut self, own: &mut Body, words: &mut Vec<String>, (number, part): (&str, &str)) {
        let version = self.operand(number, part);
        words.push(format!("version = {}", version.lang));
        let name = own.name();
        let (since, rust) =
            self.pick(&[("2", "2"), ("1 << 2", "4"), ("LATER", "u64::from(LATER)")]);
        let is = &version.rust;
        let (presence, condition) = match self.below(3) {
            0 => (vec![format!("since = {since}")], format!("{is} >= {rust}")),
            1 => (vec![format!("before = {since}")], format!("{is} < {rust}")),
            _ => (vec!["since = 2".into(), "before = 9".into()], format!("(2..9).contains(&{is})")),
        };
        own.push(Field { presence, condition, ..Field::plain(&name, "u8", "g.num()") });
    }

    /// A field with a word in which a number stands.
    fn with_operand(&mut self, own: &mut Body, operand: &Both) {
        let (word, ty) = self.pick(SIZES);
        let name = own.name();
        let mut words = vec![word.replace('E', &operand.lang).replace("own", &name)];
        let len = &operand.rust;
        let bytes = format!("{{ let len = {len} % 9; g.bytes(len) }}");
        let few = "{ let len = g.small(6); g.bytes(len) }".to_owned();
        let mut field = Field::plain(&name, ty, "g.num()");
        match (word.split(' ').next().unwrap_or_default(), ty) {
            ("count", _) => {
                field.value = format!("{{ let len = {len} % 5; g.vec(len, |g| g.num()) }}")
            }
            ("len", "String") => field.value = bytes.replace("bytes", "text"),
            ("len", _) => field.value = bytes,
            ("range", _) if word.ends_with("..") => {
                field.value = format!("Num::of(add({len}, g.small(9)))")
            }
            ("range", _) => field.value = format!("Num::of(sub({len}, g.small(9).min({len})))"),
            ("one_of", _) => {
                field.value = format!("Num::of(if g.percent(50) {{ 300 }} else {{ {len} }})")
            }
            ("until", _) => {
                field.value = format!(
                    "{{ let len = g.small(4); let last = {len}; let mut all: Vec<u32> = g.vec(len, |g| g.num()); all.retain(|one| n(*one) != last); all.push(Num::of(last)); all }}"
                );
            }
            ("pad_to", _) => {
                words.push("prefix = u8".into());
                field.value = few;
            }
            ("codec", _) => {
                words.push("prefix = u8".into());
                let tail = Field {
                    words: vec!["until_end".into()],
                    ..Field::plain("tail", "Vec<u8>", &few)
                };
                let ty = self.add_type("C", Vec::new(), Kind::Struct(vec![tail]));
                (field.ty, field.value) =
                    (format!("Encoded<Xor, {ty}@>"), format!("Encoded::new({ty}::make(g))"));
            }
            ("at", _) => {
                let at = own.name();
                own.push(Field::plain(
                    &at,
                    "u16",
                    "if g.percent(60) { 0 } else { g.small(40) as u16 }",
                ));
                words[0] = words[0].replace("AT", &at);
                words.push("prefix = u8".into());
                field.value = few;
                own.located.push(Field { words, ..field });
                return;
            }
            ("flag", _) => {
                // A bit of what is told.
                let name = "f1";
                words.clear();
                field.presence.push(format!("flag = {name} & 2"));
                field.condition = format!("and(n({name}), 2) != 0");
            }
            _ => field.value = "g.small(5) as u8".into(),
        }
        if ty == "u16" && word.starts_with("pad") || word.starts_with("align") {
            field.value = "g.num()".into();
        }
        own.push(Field { words, ..field });
    }
}
