//! Which type a nested value has.

use super::model::{Field, Kind, Type};
use super::{Gen, Info};

impl Info {
    /// A type of which nothing more is to be known.
    pub(super) fn plain(index: usize, name: &str) -> Self {
        Self {
            index,
            name: name.into(),
            rest: true,
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
        }
    }
}

impl Gen<'_> {
    /// A type, new or known; `rest` says whether it may read up to the end of its region.
    pub(super) fn a_type(&mut self, depth: u32, rest: bool) -> Info {
        let fits = |info: &&Info| rest || !info.rest;
        let known: Vec<Info> = self.infos.iter().filter(fits).cloned().collect();
        if !known.is_empty() && (self.draw("reuse", 35) || self.budget <= 0) {
            return known[self.rng.index(known.len())].clone();
        }
        match self.below(8) {
            0 if self.on("numbers") => self.numbers(),
            1 if self.on("bits") => self.bits(),
            2 | 3 if self.on("union") && depth > 0 => self.union_type(depth, rest),
            _ => self.struct_type(depth, rest, false),
        }
    }

    pub(super) fn numbers(&mut self) -> Info {
        let name = format!("N{}", self.types.len());
        let repr = self.pick(&["u8", "u16", "u32"]);
        let other = self.draw("other", 60);
        let mut names: Vec<(String, u64)> = Vec::new();
        for index in 0..=self.below(4) {
            let number = self.below(6);
            if names.iter().all(|(_, known)| *known != number) {
                names.push((format!("V{index}"), number));
            }
        }
        // The variant for others gets the number behind the last one from the compiler.
        names.sort_by_key(|(_, number)| *number);
        let implicit = self.on("implicit numbers") && self.late.percent(50);
        let several = self.on("several numbers") && self.late.percent(50);
        let order = if self.on("endian inherit") { "endian = inherit" } else { "big" };
        let words = if repr == "u8" { Vec::new() } else { vec![order.into()] };
        self.types.push(Type {
            name: name.clone(),
            words,
            kind: Kind::Numbers { repr, names, implicit, several, other },
            params: Vec::new(),
            lets: Vec::new(),
            generics: Vec::new(),
        });
        let mut info = Info::plain(self.types.len() - 1, &name);
        (info.rest, info.numbers) = (false, Some(repr));
        self.infos.push(info.clone());
        info
    }

    fn bits(&mut self) -> Info {
        let (mut ty, mut left) = self.pick(&[("u8", 8_u64), ("u16", 16), ("u32", 32), ("u64", 64)]);
        if self.on("bits in bytes") && self.late.percent(30) {
            (ty, left) = *self.late.pick(&[("[u8; 3]", 24), ("[u8; 9]", 72), ("[u8; 12]", 96)]);
        }
        let first = self.pick(&["lsb", "msb"]);
        let mut order = if self.rng.percent(50) { "little" } else { "big" };
        if self.on("endian inherit") && self.late.percent(30) {
            order = "endian = inherit";
        }
        let numbers = if self.draw("numbers", 40) {
            Some(self.numbers()).filter(|info| info.numbers == Some("u8"))
        } else {
            None
        };
        let name = format!("B{}", self.types.len());
        let mut info = Info::plain(0, &name);
        info.rest = false;
        let mut fields = Vec::new();
        while left > 0 {
            let own = format!("b{}", fields.len());
            let wanted = if fields.len() > 4 { left.min(64) } else { self.below(12) + 1 };
            let mut field = Field { name: own.clone(), ..Field::default() };
            let width = if self.rng.percent(25) && fields.len() <= 4 {
                field.ty = "bool".into();
                field.value = "g.percent(50)".into();
                info.truths.push(own);
                1
            } else if let Some(numbers) =
                numbers.as_ref().filter(|_| self.rng.percent(40) && left >= 3)
            {
                field.ty = format!("{}@", numbers.name);
                field.value = format!("{}::make(g)", numbers.name);
                wanted.clamp(3, 8)
            } else {
                let width = wanted.min(left);
                let ty = [("u8", 8), ("u16", 16), ("u32", 32), ("u64", 64)]
                    .into_iter()
                    .find(|(_, most)| width <= *most);
                let ty = ty.map_or("u64", |(ty, _)| ty);
                field.ty = ty.into();
                let most = if width == 64 { u64::MAX } else { (1 << width) - 1 };
                field.value = format!("{{ let number = g.number() & {most}; Num::of(number) }}");
                info.subs.push((own, ty));
                if self.draw("range", 10) {
                    field.words.push("range = 0..=1".into());
                }
                width
            };
            let width = width.min(left);
            field.words.push(format!("bits = {width}"));
            left -= width;
            fields.push(field);
        }
        self.unused_bits(&mut fields, &mut info);
        self.types.push(Type {
            name,
            words: vec![order.into(), format!("bits = {ty}"), first.into()],
            kind: Kind::Struct(fields),
            params: Vec::new(),
            lets: Vec::new(),
            generics: Vec::new(),
        });
        info.index = self.types.len() - 1;
        self.infos.push(info.clone());
        info
    }
}
