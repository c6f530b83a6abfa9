//! Enums of shapes.

use super::body::names;
use super::model::{Field, Kind, NUMBER, Own, Type, Variant};
use super::{Gen, Info};

impl Gen<'_> {
    pub(super) fn union_type(&mut self, depth: u32, rest: bool) -> Info {
        let form = self.below(4);
        match form {
            0 if self.on("probe") => self.probed(depth, rest),
            1 if self.on("tag") && depth < 3 => self.tag_union(depth, rest),
            2 if self.on("peek") => self.peeked(),
            _ => self.by_magic(depth, rest),
        }
    }

    /// What a variant holds: its type, and how a value is made.
    pub(super) fn held(
        &mut self,
        depth: u32,
        rest: bool,
        reads_rest: &mut bool,
        words: &mut Vec<String>,
    ) -> (String, String) {
        if self.rng.percent(25) {
            let (ty, size, value) = self.number_type();
            if size > 0 && ty != "bool" && !ty.starts_with('f') {
                return (ty.into(), value);
            }
        }
        for _ in 0..3 {
            let info = self.a_type(depth.saturating_sub(1), rest);
            if info.tags.is_none()
                && info.numbers.is_none()
                && info.args.iter().all(|(_, _, default)| default.is_some())
            {
                *reads_rest |= info.rest;
                let args: Vec<String> = info
                    .args
                    .iter()
                    .map(|(_, _, value)| format!(", {}", value.clone().unwrap_or_default()))
                    .collect();
                let value = format!("{}::make(g{})", info.name, args.concat());
                if rest && self.on("decoded") && self.hand.percent(40) && self.owns(&info) {
                    *reads_rest = true;
                    return self.coded(&info, &value, words);
                }
                return (format!("{}@", info.name), value);
            }
        }
        ("u8".into(), "g.num()".into())
    }

    /// A value that owns what it holds, in coded bytes.
    fn coded(&mut self, info: &Info, value: &str, words: &mut Vec<String>) -> (String, String) {
        let codec = if self.hand.percent(50) { "Deflate" } else { "Xor" };
        if codec == "Xor" {
            words.push("codec = Xor(0x2e)".into());
        } else if self.on("until_codec") && self.ends.percent(50) {
            words.push("until_codec".into());
        }
        (format!("Encoded<{codec}, {}@>", info.name), format!("Encoded::new({value})"))
    }

    /// Whether a type borrows nothing.
    pub(super) fn owns(&self, info: &Info) -> bool {
        !super::model::borrowing(&self.types).contains(info.name.as_str())
    }

    fn finish_union(
        &mut self,
        words: Vec<String>,
        mut variants: Vec<Variant>,
        mut info: Info,
        tag: Option<&'static str>,
    ) -> Info {
        variants.iter_mut().for_each(|variant| self.of_several(variant));
        let ordered = words.iter().any(|word| word == "big" || word.starts_with("endian"));
        if ordered && self.on("fields of variants") {
            variants.iter_mut().for_each(|variant| self.of_its_own(variant));
        }
        let name = format!("X{}", self.types.len());
        info.name = name.clone();
        info.index = self.types.len();
        info.union = true;
        let params = tag.map(|ty| ("kind".to_owned(), ty.to_owned())).into_iter().collect();
        self.types.push(Type {
            name,
            words,
            kind: Kind::Union { variants, tag: tag.map(|_| NUMBER) },
            params,
            lets: Vec::new(),
            generics: Vec::new(),
        });
        self.infos.push(info.clone());
        info
    }

    /// Lets a variant hold the fields of a struct in place of it.
    fn of_its_own(&mut self, variant: &mut Variant) {
        let told = |word: &String| word.starts_with("magic = ") || word.starts_with("id = ");
        let Some(name) = variant.ty.as_ref().and_then(|ty| ty.strip_suffix('@')) else { return };
        let Some(ty) = self.types.iter().find(|ty| ty.name == name) else { return };
        let Kind::Struct(fields) = &ty.kind else { return };
        let orders = |word: &String| word == "big" || word == "little";
        let plain = ty.words.iter().all(orders) && ty.lets.is_empty() && ty.params.is_empty();
        let own = variant.words.iter().all(told) || variant.words == ["other"];
        if !plain || !own || !ty.generics.is_empty() || fields.is_empty() {
            return;
        }
        // Fields without names cannot be named by words, and a tag that is kept has none either.
        let words = || fields.iter().flat_map(|field| field.presence.iter().chain(&field.words));
        let named = fields.iter().any(|field| words().any(|word| names(word, &field.name)));
        if (named && variant.kept.is_some()) || !self.inlines.percent(60) {
            return;
        }
        let nameless = !named && (variant.kept.is_some() || self.inlines.percent(40));
        // A single value without words is one of its type.
        if nameless && fields.len() == 1 && words().next().is_none() {
            return;
        }
        let first = fields.iter().position(|field| {
            let alone = ["pad", "bits", "section", "align", "view"];
            let is_plain = |word: &String| alone.iter().all(|other| !word.starts_with(other));
            field.words.iter().all(is_plain)
        });
        let of_kept = match (variant.kept.as_deref(), first) {
            (Some(kept), Some(first)) if self.on("kept by variants") => {
                let word = match kept {
                    // A tag of several parts is none that fields can name.
                    parts if parts.starts_with('(') => None,
                    bytes if bytes.starts_with('[') => Some("pad_before = seen(_0)"),
                    _ => Some(self.pick_kept(&["pad_before = _0 & 3", "pad_after = _0 % 5 / 2"])),
                };
                word.map(|word| (first, word.to_owned()))
            }
            _ => None,
        };
        variant.own = Some(Own { of: name.to_owned(), nameless, of_kept });
    }

    /// One of some words that name what a variant keeps.
    fn pick_kept<'w>(&mut self, words: &[&'w str]) -> &'w str {
        words[self.keeps.index(words.len())]
    }

    /// Lets a variant hold a tuple, with a number in front of what it holds.
    fn of_several(&mut self, variant: &mut Variant) {
        let told = |word: &String| word.starts_with("magic = ") || word.starts_with("id = ");
        let Some(ty) = variant.ty.as_mut().filter(|_| variant.words.len() == 1) else { return };
        let plain = ty.ends_with('@') || ["u8", "u16", "u32"].contains(&ty.as_str());
        let begin = format!("Self::{}(", variant.name);
        let value = variant.value.strip_prefix(&begin).and_then(|rest| rest.strip_suffix(')'));
        let (true, true, None, Some(value)) =
            (plain && !ty.contains('<'), variant.words.iter().all(told), &variant.kept, value)
        else {
            return;
        };
        if self.on("variant of several") && self.tails.percent(40) {
            variant.value = format!("{begin}(g.num(), {value}))");
            *ty = format!("(u8, {ty})");
        }
    }

    fn by_magic(&mut self, depth: u32, rest: bool) -> Info {
        let mut info = Info::plain(0, "");
        info.rest = false;
        let mut variants = Vec::new();
        let magics = match self.below(3) {
            0 => ["b\"A\"", "b\"B\"", "b\"MK\"", "b\"x\""],
            1 => ["0x4101u16", "0x4102u16", "1u16", "0x2020u16"],
            _ => ["b\"AB\"", "b\"AC\"", "b\"ABA\"", "b\"K\""],
        };
        let numbers = magics[0].ends_with("u16");
        let inherits = numbers && self.on("inherited magics") && self.hand.percent(60);
        let count = 1 + self.below(3) as usize;
        for (index, magic) in magics.iter().take(count).enumerate() {
            let name = format!("V{index}");
            let several = if inherits { None } else { self.several_magics(magic) };
            let magic = several.map_or(*magic, |(magics, ..)| magics);
            let mut words = vec![format!("magic = {magic}")];
            let empty = self.rng.percent(30);
            let held = (!empty).then(|| self.held(depth, rest, &mut info.rest, &mut words));
            let (ty, held) = held.unzip();
            let (kept, one) = several.map(|(_, ty, one)| (ty.to_owned(), one.to_owned())).unzip();
            let values: Vec<String> = one.into_iter().chain(held).collect();
            let value = match values.is_empty() {
                true => format!("Self::{name}"),
                false => format!("Self::{name}({})", values.join(", ")),
            };
            variants.push(Variant { name, ty, kept, words, value, ..Variant::default() });
        }
        if self.rng.percent(40) {
            let mut words = Vec::new();
            let (ty, value) = self.held(depth, rest, &mut info.rest, &mut words);
            let value = format!("Self::Other({value})");
            variants.push(Variant {
                name: "Other".into(),
                ty: Some(ty),
                words,
                value,
                ..Variant::default()
            });
        }
        let order = if inherits { "endian = inherit" } else { "big" };
        self.finish_union(vec![order.into()], variants, info, None)
    }

    /// Several magics in place of one, the type in which a variant keeps the one that is there, and a
    /// value of that.
    fn several_magics(
        &mut self,
        magic: &str,
    ) -> Option<(&'static str, &'static str, &'static str)> {
        if !self.on("magics of a variant") || !self.forms.percent(40) {
            return None;
        }
        Some(match magic {
            "b\"A\"" => ("[b\"A\", b\"a\"]", "[u8; 1]", "g.pick(&[*b\"A\", *b\"a\"])"),
            "b\"B\"" if self.forms.percent(50) => {
                ("0x42u8..=0x45", "u8", "g.pick(&[0x42, 0x44, 0x45])")
            }
            "b\"B\"" => ("[0x42u8, 0x50u8..=0x5f]", "u8", "g.pick(&[0x42, 0x50, 0x5f, 0x60])"),
            "b\"MK\"" => {
                ("[b\"MK\", b\"ML\"]", "[u8; 2]", "g.pick(&[*b\"MK\", *b\"ML\", *b\"MM\"])")
            }
            "b\"AB\"" => ("[b\"AB\", b\"AD\"]", "[u8; 2]", "g.pick(&[*b\"AB\", *b\"AD\"])"),
            "0x4101u16" => {
                ("[0x4101u16, 0x4103u16]", "[u8; 2]", "g.pick(&[*b\"A\\x01\", *b\"A\\x03\"])")
            }
            "1u16" => ("[1u16, 256u16]", "[u8; 2]", "g.pick(&[[0, 1], [1, 0]])"),
            _ => return None,
        })
    }

    fn probed(&mut self, depth: u32, rest: bool) -> Info {
        let mut info = Info::plain(0, "");
        info.rest = false;
        let mut variants = Vec::new();
        for index in 0..2 + self.below(2) {
            let name = format!("V{index}");
            let mut words = Vec::new();
            let (ty, value) = self.held(depth, rest, &mut info.rest, &mut words);
            let (ty, value) = (Some(ty), format!("Self::{name}({value})"));
            // A second variant of one type would never be there.
            if variants.iter().all(|other: &Variant| other.ty != ty) {
                variants.push(Variant { name, ty, words, value, ..Variant::default() });
            }
        }
        self.finish_union(vec!["big".into(), "probe".into()], variants, info, None)
    }

    fn tag_union(&mut self, depth: u32, rest: bool) -> Info {
        let mut info = Info::plain(0, "");
        info.rest = false;
        let ty = self.pick(&["u8", "u16", "u32"]);
        let mut variants = Vec::new();
        let mut tags = Vec::new();
        for (index, id) in
            ["1", "2", "3 | 5", "7..=9"].into_iter().take(1 + self.below(4) as usize).enumerate()
        {
            let open = id == "7..=9" && self.on("open range") && self.late.percent(50);
            let id = if open { "7.." } else { id };
            let name = format!("V{index}");
            let several = id.len() > 1;
            tags.push(match id {
                "3 | 5" => 5,
                "7..=9" | "7.." => 8,
                id => id.parse().unwrap_or(0),
            });
            let guarded = self.on("condition of an id") && self.late.percent(30);
            let guard = if guarded { " if kind < 200" } else { "" };
            let mut words = vec![format!("id = {id}{guard}")];
            let kept = several.then(|| ty.to_owned());
            let tag = if several { "kind" } else { "" };
            if self.rng.percent(25) {
                let value =
                    if several { format!("Self::{name}({tag})") } else { format!("Self::{name}") };
                variants.push(Variant {
                    name,
                    ty: None,
                    kept,
                    words,
                    value,
                    tags: id.into(),
                    ..Variant::default()
                });
            } else {
                let (held, value) = self.held(depth, rest, &mut info.rest, &mut words);
                let comma = if several { ", " } else { "" };
                let value = format!("Self::{name}({tag}{comma}{value})");
                variants.push(Variant {
                    name,
                    ty: Some(held),
                    kept,
                    words,
                    value,
                    tags: id.into(),
                    ..Variant::default()
                });
            }
        }
        if self.draw("other", 50) {
            let mut words = vec!["other".into()];
            let (held, value) = self.held(depth, rest, &mut info.rest, &mut words);
            let value = format!("Self::Other(kind, {value})");
            tags.push(6);
            variants.push(Variant {
                name: "Other".into(),
                ty: Some(held),
                kept: Some(ty.into()),
                words,
                value,
                tags: "_".into(),
                ..Variant::default()
            });
        }
        let parts = self.on("tag of parts") && self.late.percent(40);
        if parts {
            variants.iter_mut().for_each(|variant| in_parts(variant, ty));
        }
        info.tags = Some((tags, ty));
        info.tag_of_parts = parts;
        info.args = vec![("kind".into(), ty, None)];
        let tag = if parts { "tag = (kind, kind)" } else { "tag = kind" };
        let words = vec!["big".into(), tag.into(), format!("args(kind: {ty})")];
        self.finish_union(words, variants, info, Some(ty))
    }

    /// Two types with a mark at one place, and one without.
    fn peeked(&mut self) -> Info {
        let mut info = Info::plain(0, "");
        info.rest = false;
        let mut variants = Vec::new();
        for (index, mark) in [Some("b\"EX\""), Some("b\"EY\""), None].into_iter().enumerate() {
            if index > 0 && self.rng.percent(40) {
                continue;
            }
            let name = format!("P{}", self.types.len());
            let mut fields = vec![Field::plain("root", "u16", "g.num()")];
            if let Some(mark) = mark {
                fields.push(Field {
                    name: "mark".into(),
                    ty: "[u8; 2]".into(),
                    words: vec![format!("one_of = [{mark}]")],
                    value: format!("if g.percent(3) {{ *b\"EZ\" }} else {{ *{mark} }}"),
                    ..Field::default()
                });
            } else {
                fields.push(Field {
                    name: "more".into(),
                    ty: "[u8; 2]".into(),
                    value: "g.pick(&[*b\"EX\", *b\"ab\", *b\"ab\", *b\"\\0\\0\"])".into(),
                    ..Field::default()
                });
            }
            self.types.push(Type {
                name: name.clone(),
                words: vec!["little".into()],
                kind: Kind::Struct(fields),
                params: Vec::new(),
                lets: Vec::new(),
                generics: Vec::new(),
            });
            self.infos.push(Info { rest: false, ..Info::plain(self.types.len() - 1, &name) });
            let words = mark.map(|mark| format!("magic = {mark}")).into_iter().collect();
            let value = format!("Self::V{index}({name}::make(g))");
            variants.push(Variant {
                name: format!("V{index}"),
                ty: Some(format!("{name}@")),
                words,
                value,
                ..Variant::default()
            });
        }
        self.finish_union(vec!["peek = 2".into()], variants, info, None)
    }
}

/// A variant of a tag whose two parts are the same number.
fn in_parts(variant: &mut Variant, ty: &str) {
    for word in &mut variant.words {
        let Some(ids) = word.strip_prefix("id = ") else { continue };
        let (ids, guard) = ids
            .split_once(" if")
            .map_or((ids, String::new()), |(ids, guard)| (ids, format!(" if{guard}")));
        let twice = ids.split(" | ").map(|id| match id.split_once("..") {
            Some(_) => format!("({id}, _)"),
            None => format!("({id}, {id})"),
        });
        *word = format!("id = {}{guard}", twice.collect::<Vec<_>>().join(" | "));
    }
    if let Some(kept) = &mut variant.kept {
        *kept = format!("({ty}, {ty})");
        variant.value = variant.value.replacen("(kind", "((kind, kind)", 1);
    }
}
