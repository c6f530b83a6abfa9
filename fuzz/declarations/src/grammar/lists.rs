//! Further forms of words about several values: what ends and orders lists, what lies up to the next
//! value, what only looks at bytes, and tags that are computed.

use super::Gen;
use super::body::Body;
use super::model::{Field, Kind, Type, Variant};

const BYTES: &str = "{ let len = g.small(9); g.bytes(len) }";

impl Gen<'_> {
    /// Adds one of them.
    pub(super) fn forms_of_lists(&mut self, body: &mut Body) {
        match self.below(5) {
            0 => self.ended_or_left(body),
            1 => self.ordered_by_part(body),
            2 => self.up_to_next(body),
            3 => self.looked_at_by_items(body),
            _ => self.computed_tag(body),
        }
    }

    /// Items in front of a constant that is part of what follows, or of a rest that is short.
    fn ended_or_left(&mut self, body: &mut Body) {
        let item = vec![
            Field::plain("mark", "u8", "1 + g.small(9).min(250) as u8"),
            Field::plain("number", "u8", "g.num()"),
        ];
        let item = self.add_type("S", Vec::new(), Kind::Struct(item));
        let list = Field {
            words: vec![r#"until = peek(b"\0") || remaining < 2"#.into()],
            ..Field::plain(
                "list",
                &format!("Vec<{item}@>"),
                &format!("{{ let len = g.small(4); g.vec(len, |g| {item}::make(g)) }}"),
            )
        };
        let tail = Field {
            words: vec!["until_end".into()],
            ..Field::plain(
                "tail",
                "Vec<u8>",
                "{ let len = g.small(5); let mut tail = g.bytes(len); if tail.len() > 1 { tail[0] = 0; } tail }",
            )
        };
        let holder = self.add_type("S", Vec::new(), Kind::Struct(vec![list, tail]));
        self.with_length(body, &holder);
    }

    /// A value of a type that takes all that is left, with a length.
    fn with_length(&mut self, body: &mut Body, ty: &str) {
        let own = body.name();
        let len = match self.rng.percent(50) {
            true => "prefix = u8".to_owned(),
            false => format!("len = {}", self.unknown_length(body)),
        };
        body.push(Field {
            words: vec![len],
            ..Field::plain(&own, &format!("{ty}@"), &format!("{ty}::make(g)"))
        });
    }

    /// Items that a part of each orders, or tells apart.
    fn ordered_by_part(&mut self, body: &mut Body) {
        let item =
            vec![Field::plain("key", "u16", "g.num()"), Field::plain("number", "u8", "g.num()")];
        let item = self.add_type("S", vec!["big".into()], Kind::Struct(item));
        let word = self.pick(&["sorted_by = key", "unique = key"]);
        let own = body.name();
        let value = format!(
            "{{ let len = g.small(5); let mut all = g.vec(len, |g| {item}::make(g)); all.sort_by_key(|one| one.key); all.dedup_by_key(|one| one.key); all }}"
        );
        body.push(Field {
            words: vec!["prefix = u8".into(), word.into()],
            ..Field::plain(&own, &format!("Vec<{item}@>"), &value)
        });
    }

    /// Single values in a section of which nothing but where they begin is told.
    fn up_to_next(&mut self, body: &mut Body) {
        let (length, section) = (body.name(), body.name());
        let ats: Vec<String> = (0..1 + self.below(3)).map(|_| body.name()).collect();
        for at in &ats {
            body.push(Field::plain(at, "u8", "if g.percent(60) { 0 } else { g.small(40) as u8 }"));
        }
        body.push(Field::plain(&length, "Auto<u16>", "Auto::new()"));
        body.push(Field {
            words: vec!["section".into(), format!("len = {length}")],
            ..Field::plain(&section, "Vec<u8>", "Vec::new()")
        });
        for at in ats {
            let own = body.name();
            let mut words = vec![format!("at = {at}"), format!("base = {section}")];
            words.extend([format!("place = {section}"), "until_next".into()]);
            body.located.push(Field { words, ..Field::plain(&own, "Vec<u8>", BYTES) });
        }
    }

    /// Values for items that look at bytes of another field.
    fn looked_at_by_items(&mut self, body: &mut Body) {
        let (len, seen, table, own) = (body.name(), body.name(), body.name(), body.name());
        body.push(Field::plain(&len, "Auto<u8>", "Auto::new()"));
        body.push(Field {
            words: vec![format!("len = {len}")],
            ..Field::plain(&seen, "Vec<u8>", BYTES)
        });
        body.push(Field {
            words: vec!["prefix = u8".into()],
            ..Field::plain(&table, "Vec<u16>", "{ let len = g.small(4); g.vec(len, |g| g.num()) }")
        });
        let mut words = vec![format!("for_each = {table}"), format!("at = start({seen})")];
        words.extend([format!("len = len({seen})"), "view".into()]);
        let value = format!("g.each(&{table}, |_, _| {seen}.clone())");
        body.located.push(Field { words, ..Field::plain(&own, "Vec<Vec<u8>>", &value) });
    }

    /// A tag that follows from a number that is told, and conditions with names of their own.
    fn computed_tag(&mut self, body: &mut Body) {
        let (tag, compared) = self.pick(&[
            ("kind & 3", "n(kind) & 3"),
            ("kind + 1", "n(kind) + 1"),
            ("if kind > 100 { 1 } else { kind }", "(if n(kind) > 100 { 1 } else { n(kind) })"),
        ]);
        let guards = ["", " if half < 100", " if version + 1 < 200"];
        let variants = [("V0", "1"), ("V1", "2"), ("V2", "3")].map(|(name, id)| Variant {
            name: name.into(),
            ty: Some(self.pick(&["u8", "u16", "(u8, u32)"]).into()),
            words: vec![format!("id = {id}{}", self.pick(&guards))],
            value: String::new(),
            tags: id.into(),
            ..Variant::default()
        });
        let mut variants = variants.to_vec();
        for variant in &mut variants {
            let value = if variant.ty.as_deref() == Some("(u8, u32)") {
                "(g.num(), g.num())"
            } else {
                "g.num()"
            };
            variant.value = format!("Self::{}({value})", variant.name);
        }
        let used = |name: &str| variants.iter().any(|variant| variant.words[0].contains(name));
        let mut words = vec!["little".to_owned(), format!("tag = {tag}")];
        let mut args = vec![("kind", "u8")];
        if used("half") {
            words.push("let(half = version / 2)".into());
        }
        if used("half") || used("version") {
            args.push(("version", "u8"));
        }
        let declared = args.iter().map(|(name, ty)| format!("{name}: {ty}")).collect::<Vec<_>>();
        words.push(format!("args({})", declared.join(", ")));
        let name = format!("X{}", self.types.len());
        let params = args.iter().map(|(name, ty)| ((*name).to_owned(), (*ty).to_owned()));
        self.types.push(Type {
            name: name.clone(),
            words,
            kind: Kind::Union { variants, tag: Some(compared) },
            params: params.collect(),
            lets: Vec::new(),
            generics: Vec::new(),
        });
        let fields = args.iter().map(|_| body.name()).collect::<Vec<_>>();
        for field in &fields {
            body.push(Field::plain(field, "u8", "g.small(5) as u8"));
        }
        let own = body.name();
        let passed = args.iter().zip(&fields).map(|((name, _), field)| format!("{name} = {field}"));
        let passed = passed.collect::<Vec<_>>().join(", ");
        let value = format!("{name}::make(g, {})", fields.join(", "));
        body.push(Field {
            words: vec![format!("args({passed})")],
            ..Field::plain(&own, &format!("{name}@"), &value)
        });
    }
}
