//! Tags in all their forms: bytes, texts, named numbers, several values, and those of a nested value or
//! of the items of a table.

use super::Gen;
use super::body::Body;
use super::model::{Field, Kind, NUMBER, Type, Variant};

/// An enum with `tag` that is to be made.
struct Tagged<'t> {
    /// The word on the enum.
    tag: &'t str,
    /// Its arguments, and their types in `make`.
    args: &'t [(&'t str, &'t str)],
    /// The type of a tag that a variant keeps, and its value.
    kept: (&'t str, &'t str),
    /// What `make` compares.
    compared: &'static str,
    /// The ids, each as the pattern that it is in `make`; a variant that has several tags keeps them.
    ids: &'t [(&'t str, &'t str)],
    /// Whether a variant has all other tags, in so many of 100 cases.
    other: u64,
}

/// Ids of numbers, which are patterns, too.
const NUMBERS: &[[&str; 4]] = &[
    ["0", "1 | 3", "4..=7", "100.."],
    ["0..=2", "3..=5 | 9", "6", "7"],
    ["0..=1", "2", "3..=5 | 8..", "7"],
];

/// Names of bytes and texts.
const NAMES: &[&str] = &["AB", "AC", "KA", "x "];

impl Gen<'_> {
    /// A tag and an enum that it tells the variant of.
    pub(super) fn kinds_of_tags(&mut self, body: &mut Body) {
        match self.below(6) {
            0 => self.tag_of_bytes(body),
            1 => self.tag_of_any_length(body),
            2 => self.tag_of_names(body),
            3 => self.tag_of_two(body),
            4 => self.tag_in_head(body),
            _ => self.tag_in_items(body),
        }
    }

    /// The enum; its name.
    fn tagged_enum(&mut self, body: &Body, tagged: &Tagged<'_>) -> String {
        let mut variants = Vec::new();
        let depth = body.depth.min(2);
        for (index, (id, pattern)) in tagged.ids.iter().enumerate() {
            let several = pattern.contains('|') || pattern.contains("..") || pattern.contains('_');
            let guard = if self.rng.percent(20) { " if version < 200" } else { "" };
            let guard =
                if tagged.args.iter().any(|(name, _)| *name == "version") { guard } else { "" };
            let words = vec![format!("id = {id}{guard}")];
            variants.push(self.variant(depth, index, (words, several, tagged)));
            let last = variants.last_mut().expect("a variant");
            last.tags = (*pattern).into();
        }
        if self.rng.percent(tagged.other) {
            let mut other = self.variant(depth, 9, (vec!["other".into()], true, tagged));
            other.tags = "_".into();
            variants.push(other);
        }
        let declared = tagged.args.iter().map(|(name, ty)| format!("{name}: {ty}"));
        let declared = declared.collect::<Vec<_>>().join(", ");
        let params =
            tagged.args.iter().map(|(name, ty)| ((*name).to_owned(), ty.replace("'a", "'static")));
        let params = params.collect();
        let name = format!("X{}", self.types.len());
        self.types.push(Type {
            name: name.clone(),
            words: vec!["big".into(), format!("tag = {}", tagged.tag), format!("args({declared})")],
            kind: Kind::Union { variants, tag: Some(tagged.compared) },
            params,
            lets: Vec::new(),
            generics: Vec::new(),
        });
        name
    }

    fn variant(
        &mut self,
        depth: u32,
        index: usize,
        (mut words, several, tagged): (Vec<String>, bool, &Tagged<'_>),
    ) -> Variant {
        let name = format!("V{index}");
        let (kept, tag) = tagged.kept;
        let (ty, value) = match self.rng.percent(20) {
            true => (None, String::new()),
            false => {
                let (ty, value) = self.held(depth, false, &mut false, &mut words);
                (Some(ty), value)
            }
        };
        let tag = if several { tag.to_owned() } else { String::new() };
        let parts = [tag, value].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        let value = match parts.is_empty() {
            true => format!("Self::{name}"),
            false => format!("Self::{name}({})", parts.join(", ")),
        };
        let kept = several.then(|| kept.to_owned());
        Variant { name, ty, kept, words, value, ..Variant::default() }
    }

    /// A tag of so many bytes, which the enum may tell, and a number beside it that conditions ask for.
    fn tag_of_bytes(&mut self, body: &mut Body) {
        let (kind, version) = (body.name(), body.name());
        let version_ty = "u8";
        let ids = [
            (r#"b"AB""#, r#"b"AB""#),
            (r#"b"AC" | b"KA""#, r#"b"AC" | b"KA""#),
            (r#"b"x ""#, r#"b"x ""#),
        ];
        let tagged = Tagged {
            tag: "kind",
            args: &[("kind", "[u8; 2]"), ("version", version_ty)],
            kept: ("[u8; 2]", "kind"),
            compared: "&kind[..]",
            ids: &ids[..1 + self.rng.index(3)],
            other: 50,
        };
        let name = self.tagged_enum(body, &tagged);
        let calc = self.rng.percent(50);
        let own = body.name();
        body.push(Field::plain(&version, version_ty, "g.num()"));
        body.push(Field {
            words: if calc { vec![format!("calc = tag({own})")] } else { Vec::new() },
            junk: calc,
            ..Field::plain(&kind, "[u8; 2]", r#"g.pick(&[*b"AB", *b"AC", *b"KA", *b"x ", *b"  "])"#)
        });
        // A condition that nothing asks for uses its argument in a rule.
        let ty = self.types.last_mut().expect("the enum");
        let Kind::Union { variants, .. } = &mut ty.kind else { return };
        if !variants.iter().any(|variant| variant.words[0].contains("version")) {
            variants[0].words[0].push_str(" if version != 77");
        }
        body.push(Field {
            words: vec![format!("args(kind = {kind}, version = {version})")],
            ..Field::plain(
                &own,
                &format!("{name}@"),
                &format!("{name}::make(g, {kind}, {version})"),
            )
        });
    }

    /// A tag that is a text or bytes of any length.
    fn tag_of_any_length(&mut self, body: &mut Body) {
        let text = self.rng.percent(60);
        let (ty, mark) = if text { ("&'a str", "") } else { ("&'a [u8]", "b") };
        let ids: Vec<String> = NAMES.iter().map(|name| format!("{mark}\"{name}\"")).collect();
        let several = format!("{} | {}", ids[1], ids[2]);
        let ids = [&ids[0], &several, &ids[3]].map(|id| (id.as_str(), id.as_str()));
        let tagged = Tagged {
            tag: "kind",
            args: &[("kind", ty)],
            kept: (ty, "kind"),
            compared: "&kind[..]",
            ids: &ids[..1 + self.rng.index(3)],
            // Without it, nothing of the enum would borrow.
            other: 100,
        };
        let name = self.tagged_enum(body, &tagged);
        let (kind, own) = (body.name(), body.name());
        let end = if text {
            ["prefix = u8", "until = b'='", "nul"]
        } else {
            ["prefix = u8", "until = b'='", "prefix = u16"]
        };
        let mut words = vec![self.pick(&end).to_owned()];
        if self.rng.percent(50) {
            words.push(format!("calc = tag({own})"));
        }
        let values = NAMES.iter().map(|name| format!("{mark}\"{name}\""));
        let values = values.collect::<Vec<_>>().join(", ");
        let slice = if text { "str" } else { "[u8]" };
        let value = format!("g.pick::<&'static {slice}>(&[{values}, {mark}\"other\"])");
        body.push(Field { words, ..Field::plain(&kind, ty, &value) });
        body.push(Field {
            words: vec![format!("args(kind = {kind})")],
            ..Field::plain(&own, &format!("{name}@"), &format!("{name}::make(g, {kind})"))
        });
    }

    /// A tag that is an enum of numbers.
    fn tag_of_names(&mut self, body: &mut Body) {
        let numbers = self.numbers();
        let Kind::Numbers { names, .. } = &self.types[numbers.index].kind else { return };
        let mut ids: Vec<String> =
            names.iter().map(|(name, _)| format!("{}::{name}", numbers.name)).collect();
        if ids.len() > 2 {
            let last = ids.remove(2);
            ids[0].push_str(&format!(" | {last}"));
        }
        let ids: Vec<(&str, &str)> = ids.iter().map(|id| (id.as_str(), id.as_str())).collect();
        let ty = format!("{}@", numbers.name);
        let tagged = Tagged {
            tag: "kind",
            args: &[("kind", &ty)],
            kept: (&ty, "kind"),
            compared: "&kind",
            ids: &ids,
            other: 70,
        };
        let name = self.tagged_enum(body, &tagged);
        let (kind, own) = (body.name(), body.name());
        let words =
            if self.rng.percent(50) { vec![format!("calc = tag({own})")] } else { Vec::new() };
        let value = format!("{}::make(g)", numbers.name);
        body.push(Field { words, ..Field::plain(&kind, &ty, &value) });
        body.push(Field {
            words: vec![format!("args(kind = {kind})")],
            ..Field::plain(&own, &format!("{name}@"), &format!("{name}::make(g, {kind})"))
        });
    }

    /// Two values that are the tag together, of which an id may leave one open.
    fn tag_of_two(&mut self, body: &mut Body) {
        let ids = [
            (r#"(b"AB", 1)"#, r#"(b"AB", 1)"#),
            (r#"(b"AB", _)"#, r#"(b"AB", _)"#),
            (r#"(b"KA", 2..=4) | (b"AC", 2..=4)"#, r#"(b"KA", 2..=4) | (b"AC", 2..=4)"#),
            (r#"(_, 3) | (b"x ", 5..)"#, r#"(_, 3) | (b"x ", 5..)"#),
        ];
        let from = self.rng.index(3);
        let tagged = Tagged {
            tag: "(class, kind)",
            args: &[("class", "[u8; 2]"), ("kind", "u8")],
            kept: ("([u8; 2], u8)", "(class, kind)"),
            compared: "(&class, kind)",
            ids: &ids[from..],
            other: 50,
        };
        let name = self.tagged_enum(body, &tagged);
        let (class, kind, own) = (body.name(), body.name(), body.name());
        let value = r#"g.pick(&[*b"AB", *b"AC", *b"KA", *b"x ", *b"  "])"#;
        body.push(Field::plain(&class, "[u8; 2]", value));
        body.push(Field::plain(&kind, "u8", "g.small(7) as u8"));
        body.push(Field {
            words: vec![format!("args(class = {class}, kind = {kind})")],
            ..Field::plain(&own, &format!("{name}@"), &format!("{name}::make(g, {class}, {kind})"))
        });
    }

    /// An enum whose tag is a number; its name, and how a value is made.
    fn numbered(&mut self, body: &Body, ty: &'static str) -> (String, String) {
        let ids = self.pick(NUMBERS).map(|id| (id, id));
        let tagged = Tagged {
            tag: "kind",
            args: &[("kind", ty)],
            kept: (ty, "kind"),
            compared: NUMBER,
            ids: &ids[..1 + self.rng.index(4)],
            other: 50,
        };
        let name = self.tagged_enum(body, &tagged);
        let value =
            format!("{{ let kind = g.pick(&[0, 1, 3, 6, 7, 9, 120]); {name}::make(g, kind) }}");
        (name, value)
    }

    /// A header that is told the tag.
    fn tag_in_head(&mut self, body: &mut Body) {
        let ty = self.pick(&["u8", "u16", "u32"]);
        let (name, value) = self.numbered(body, ty);
        let mut fields = vec![
            Field::plain("before", "u8", "g.num()"),
            Field { junk: true, ..Field::plain("kind", ty, "g.num()") },
        ];
        fields.rotate_left(self.rng.index(2));
        let head_ty = self.add_type("H", vec!["little".into()], Kind::Struct(fields));
        let (head, own) = (body.name(), body.name());
        body.push(Field {
            words: vec![format!("set(kind = tag({own}))")],
            ..Field::plain(&head, &format!("{head_ty}@"), &format!("{head_ty}::make(g)"))
        });
        body.push(Field {
            words: vec![format!("args(kind = {head}.kind)")],
            ..Field::plain(&own, &format!("{name}@"), &value)
        });
    }

    /// A table whose items are told the tags of the values beside them.
    fn tag_in_items(&mut self, body: &mut Body) {
        let ty = self.pick(&["u8", "u16", "u32"]);
        let (name, value) = self.numbered(body, ty);
        let set = self.rng.percent(60);
        let fields = vec![
            Field::plain("before", "u8", "g.num()"),
            Field { junk: set, ..Field::plain("kind", ty, "g.pick(&[0, 1, 3, 6, 7, 9, 120])") },
        ];
        let item = self.add_type("H", vec!["little".into()], Kind::Struct(fields));
        let (table, values) = (body.table_of(&item), body.name());
        let mut words = vec![format!("for_each = {table}"), "args(kind = it.kind)".into()];
        let value = match set {
            true => {
                words.push("set(it.kind = tag(value))".into());
                format!("g.each(&{table}, |g, _| {value})")
            }
            false => format!("g.each(&{table}, |g, it| {name}::make(g, it.kind))"),
        };
        body.push(Field { words, ..Field::plain(&values, &format!("Vec<{name}@>"), &value) });
    }
}
