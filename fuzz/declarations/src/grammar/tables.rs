//! Buffers of `FlatBuffers` tables: their fields, structs, unions and named numbers.

use super::Gen;
use super::body::Body;
use super::model::{Field, Kind, Type, Variant};

/// Numbers in a table, and a default that is not zero.
const NUMBERS: &[(&str, &str)] = &[
    ("u8", "3"),
    ("u16", "500"),
    ("u32", "70000"),
    ("u64", "1"),
    ("i8", "-3"),
    ("i16", "7"),
    ("i32", "-70000"),
    ("i64", "9"),
    ("f32", "1.5"),
    ("f64", "-2.25"),
    ("bool", "true"),
];

impl Gen<'_> {
    /// A field with a buffer in it, whose length is told.
    pub(super) fn buffer(&mut self, body: &mut Body) {
        let root = self.flat_table(3, true);
        let mut field = Field {
            name: body.name(),
            ty: format!("FlatBuffer<'a, {root}@>"),
            value: format!("buffer(g, {root}::make)"),
            ..Field::default()
        };
        let len = self.unknown_length(body);
        field.words.push(format!("len = {len}"));
        self.pads(body, &mut field);
        if !self.presence(body, &mut field) {
            body.sized.push(field.name.clone());
        }
        body.push(field);
    }

    /// A table, and all that it holds; its name.
    fn flat_table(&mut self, depth: u32, root: bool) -> String {
        let mut fields = Vec::new();
        let mut slot = 0;
        for index in 0..=self.below(5) {
            slot += if self.rng.percent(15) { self.below(3) } else { 0 };
            let mut field = self.slot(depth);
            let union = field.words.iter().any(|word| word == "union");
            slot += u64::from(union);
            field.name = format!("f{index}");
            for word in &mut field.words {
                *word = word.replace('@', &field.name);
            }
            field.words.insert(0, format!("slot = {slot}"));
            slot += 1;
            fields.push(field);
        }
        let mut words = vec!["flatbuffer".to_owned()];
        if root && self.rng.percent(40) {
            words.push("identifier = b\"MADE\"".into());
        }
        self.add_type("T", words, Kind::Struct(fields))
    }

    /// Adds a type without parameters; its name, which begins so.
    pub(super) fn add_type(&mut self, start: &str, words: Vec<String>, kind: Kind) -> String {
        let name = format!("{start}{}", self.types.len());
        let (params, lets, generics) = (Vec::new(), Vec::new(), Vec::new());
        self.types.push(Type { name: name.clone(), words, kind, params, lets, generics });
        name
    }

    /// One field of a table, without its slot.
    fn slot(&mut self, depth: u32) -> Field {
        let deep = depth > 0;
        match self.below(12) {
            0..4 => self.slot_number(),
            4 => self.stored("&'a str", "take(g.text(7).into_boxed_str()) as &'static str", true),
            5 => {
                let bytes = "take(g.bytes(9).into_boxed_slice()) as &'static [u8]";
                let mut field = self.stored("&'a [u8]", bytes, true);
                if self.draw("align_before", 30) {
                    field.words.push(format!("align_before = {}", self.pick(&[2, 8, 32])));
                }
                field
            }
            6 => {
                let (item, make) = self.slot_item(depth);
                let list = format!(
                    "FbVec::from(take({{ let len = g.small(5); g.vec(len, |g| {make}) }}.into_boxed_slice()) as &'static [_])"
                );
                let mut field = self.stored(&format!("FbVec<'a, {item}>"), &list, true);
                if self.draw("warn", 30) && !field.ty.starts_with("Option") {
                    field.words.push("warn(@.count() < 4, \"many\")".into());
                }
                field
            }
            7 => self.slot_named(),
            8 if deep => {
                let table = self.flat_table(depth - 1, false);
                let make = format!("{table}::make(g)");
                if self.rng.percent(50) {
                    let make = format!("FbRef::from(&*take(Box::new({make})))");
                    return self.stored(&format!("FbRef<'a, {table}@>"), &make, false);
                }
                self.stored(&format!("{table}@"), &make, false)
            }
            9 if deep => self.slot_union(depth),
            10 => {
                let point = self.point();
                self.stored(&format!("{point}@"), &format!("{point}::make(g)"), false)
            }
            _ => self.slot_number(),
        }
    }

    /// A value that may be absent; one that has no default is, or is required.
    fn stored(&mut self, ty: &str, make: &str, default: bool) -> Field {
        let kind = self.below(3);
        if kind == 0 || (kind == 1 && !default) {
            return Field {
                ty: format!("Option<{ty}>"),
                value: format!("if g.percent(60) {{ Some({make}) }} else {{ None }}"),
                ..Field::default()
            };
        }
        let words = if default && kind == 1 { Vec::new() } else { vec!["required".into()] };
        Field { ty: ty.into(), value: make.into(), words, ..Field::default() }
    }

    fn slot_number(&mut self) -> Field {
        let (ty, default) = self.pick(NUMBERS);
        let value = match ty {
            "bool" => "g.percent(50)".to_owned(),
            "f32" | "f64" => format!("g.float() as {ty}"),
            _ => format!("g.num::<{ty}>()"),
        };
        if self.rng.percent(25) {
            return Field {
                ty: format!("Option<{ty}>"),
                value: format!("if g.percent(60) {{ Some({value}) }} else {{ None }}"),
                ..Field::default()
            };
        }
        let mut field = Field { ty: ty.into(), value, ..Field::default() };
        if self.rng.percent(40) {
            field.words.push(format!("default = {default}"));
        }
        if !matches!(ty, "bool" | "f32" | "f64") {
            let kind = self.pick(&["check", "error", "warn", "note"]);
            if self.draw(kind, 25) {
                field.words.push(format!("{kind}(@ < 9, \"{{@}} is much\")"));
            }
            if self.draw("range", 15) {
                field.words.push("range = 0..=100".into());
                field.value = format!("g.range::<{ty}>(0, 100)");
            }
        }
        field
    }

    /// What a vector holds.
    fn slot_item(&mut self, depth: u32) -> (String, String) {
        match self.below(5) {
            0 => ("&'a str".into(), "take(g.text(3).into_boxed_str()) as &'static str".into()),
            1 if depth > 0 => {
                let table = self.flat_table(depth - 1, false);
                (format!("{table}@"), format!("{table}::make(g)"))
            }
            2 => {
                let point = self.point();
                (format!("{point}@"), format!("{point}::make(g)"))
            }
            _ => {
                let (ty, _) = self.pick(&[("u16", ""), ("i32", ""), ("u64", ""), ("i8", "")]);
                (ty.into(), format!("g.num::<{ty}>()"))
            }
        }
    }

    /// A number with names.
    fn slot_named(&mut self) -> Field {
        let repr = self.pick(&["u8", "u16", "u32"]);
        let names = vec![("V0".into(), 0), ("V1".into(), 1 + self.below(3))];
        let kind = Kind::Numbers {
            repr,
            names,
            implicit: false,
            several: false,
            other: self.rng.percent(60),
        };
        let name = self.add_type("K", vec!["flatbuffer".into()], kind);
        let words =
            if self.rng.percent(50) { vec![format!("default = {name}::V1")] } else { vec![] };
        Field {
            ty: format!("{name}@"),
            value: format!("{name}::make(g)"),
            words,
            ..Field::default()
        }
    }

    /// A struct that lies in its table.
    fn point(&mut self) -> String {
        let ty = self.pick(&["u8", "i16", "u32", "f64", "i64"]);
        let value = if ty == "f64" { "g.float()".into() } else { format!("g.num::<{ty}>()") };
        let fields = (0..=self.below(3)).map(|index| Field {
            name: format!("f{index}"),
            ty: ty.into(),
            value: value.clone(),
            ..Field::default()
        });
        let fields = fields.collect();
        self.add_type("P", vec!["flatbuffer, inline".into()], Kind::Struct(fields))
    }

    fn slot_union(&mut self, depth: u32) -> Field {
        let mut variants = Vec::new();
        for number in 1..=1 + self.below(3) {
            let name = format!("V{number}");
            let ty = self.rng.percent(75).then(|| self.flat_table(depth - 1, false));
            let value = match &ty {
                Some(ty) => format!("Self::{name}({ty}::make(g))"),
                None => format!("Self::{name}"),
            };
            let words = vec![format!("id = {number}")];
            let ty = ty.map(|ty| format!("{ty}@"));
            variants.push(Variant { name, ty, words, value, ..Variant::default() });
        }
        if self.rng.percent(50) {
            // Nothing is known of such a value, so that none is made.
            variants.push(Variant {
                name: "Other".into(),
                ty: None,
                kept: Some("u8".into()),
                words: vec!["other".into()],
                value: variants[0].value.clone(),
                ..Variant::default()
            });
        }
        let kind = Kind::Union { variants, tag: None };
        let union = self.add_type("E", vec!["flatbuffer".into()], kind);
        let mut field = self.stored(&format!("{union}@"), &format!("{union}::make(g)"), false);
        field.words.push("union".into());
        field
    }

    /// Whether a nested value is a buffer here.
    pub(super) fn draws_buffer(&mut self) -> bool {
        self.on("tables") && self.late.percent(15)
    }
}
