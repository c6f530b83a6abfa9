//! What is put behind all other fields of a type: numbers that may be absent and are computed, and values
//! whose place counts from the end of their section.

use super::Gen;
use super::body::Body;
use super::model::Field;

impl Gen<'_> {
    /// A number that may be absent, and is computed where it is there.
    pub(super) fn computed_option(&mut self, body: &mut Body) {
        if !self.on("computed option") || body.rest || !self.rng.percent(40) {
            return;
        }
        let (number, least) = (self.number(body, 1), self.below(3));
        let calc = match (body.sized.first(), body.counted.first()) {
            (Some(name), _) if self.rng.percent(60) => format!("len({name}) + 1"),
            (_, Some(name)) => format!("count({name})"),
            _ => self.number(body, 2).lang,
        };
        let field = Field {
            name: body.name(),
            ty: self.pick(&["u16", "u32", "u64"]).into(),
            presence: vec![format!("if = {} > {least}", number.lang)],
            condition: format!("{} > {least}", number.rust),
            words: vec![format!("calc = {calc}")],
            value: "g.num()".into(),
            junk: true,
        };
        body.push(field);
    }

    /// A value whose length, and mostly its place, two numbers tell, of which one counts.
    pub(super) fn two_forms(&mut self, body: &mut Body) {
        if !self.on("two forms") || body.rest || !self.rng.percent(40) {
            return;
        }
        let (kind, least) = (body.name(), self.below(3));
        body.push(Field::plain(&kind, "u8", "g.small(4) as u8"));
        let is_short = format!("{kind} > {least}");
        let (absent, located) = (self.rng.percent(60), self.rng.percent(70));
        // What is there for its branch alone need not be in the struct.
        let more_forms = self.on("autos of branches");
        let autos = absent && more_forms && self.tells.percent(50);
        let may_lack = !autos && more_forms && self.tells.percent(30);
        let mut told = Vec::new();
        for word in if located { &["at", "len"][..] } else { &["len"] } {
            let [short, long] = [("u16", true), ("u32", false)].map(|(ty, short)| {
                let mut field = Field {
                    name: body.name(),
                    ty: if autos { format!("Auto<{ty}>") } else { ty.into() },
                    value: if autos { "Auto::new()" } else { "Num::of(g.small(30))" }.into(),
                    // A place that is stored counts as long as it can, and what tells of nothing stays.
                    junk: *word == "len" && absent && !autos && !may_lack,
                    ..Field::default()
                };
                if absent {
                    let not = |condition: &str| {
                        if short { condition.to_owned() } else { format!("!({condition})") }
                    };
                    field.presence.push(format!("if = {}", not(&is_short)));
                    field.condition = not(&is_short);
                }
                let name = field.name.clone();
                body.push(field);
                name
            });
            let more = self.pick(&["", " + 1", " - 2"]);
            let branch = format!("if {is_short} {{ {short} }} else {{ {long}{more} }}");
            let sum = if autos { branch } else { self.around(&branch) };
            told.push(format!("{word} = {sum}"));
        }
        let mut field = Field {
            name: body.name(),
            ty: "Vec<u8>".into(),
            words: told,
            value: "{ let len = g.small(12); g.bytes(len) }".into(),
            ..Field::default()
        };
        if may_lack {
            field.presence.push(format!("if = {kind} != 2"));
            field.condition = format!("{kind} != 2");
        }
        if located {
            body.located.push(field);
        } else {
            body.push(field);
        }
    }

    /// A branch, or a sum with it.
    fn around(&mut self, branch: &str) -> String {
        match self.sums.below(6) {
            0 => format!("1 + {branch}"),
            1 => format!("({branch}) * 2"),
            2 => format!("3 + (({branch}) - 1) * 2"),
            _ => branch.to_owned(),
        }
    }

    /// A section that ends with a value, of fixed size or behind which its length stands.
    pub(super) fn footers(&mut self, body: &mut Body) {
        if !self.on("from the end") || body.asks_for_rest() {
            return;
        }
        if !self.rng.percent(30) {
            return;
        }
        let [length, data, footer_len, footer] = [(); 4].map(|()| body.name());
        let number = |name: &str, value: &str| Field {
            name: name.to_owned(),
            ty: "u16".into(),
            value: value.to_owned(),
            ..Field::default()
        };
        let bytes = "{ let len = g.small(12); g.bytes(len) }";
        body.push(Field::plain(&length, "Auto<u16>", "Auto::new()"));
        body.push(Field {
            name: data.clone(),
            ty: "Vec<u8>".into(),
            words: vec!["section".into(), format!("len = {length}")],
            value: bytes.into(),
            ..Field::default()
        });
        let mut located = Field { name: footer, ..Field::default() };
        let fixed = self.rng.percent(40);
        let len = if fixed { "3".to_owned() } else { footer_len.clone() };
        located.words.push(format!("at = len({data}) - {len}"));
        located.words.push(format!("base = {data}"));
        located.words.push(format!("place = {data}"));
        if fixed {
            (located.ty, located.value) = ("[u8; 3]".into(), "[g.num(), g.num(), 3]".into());
        } else {
            body.push(number(&footer_len, "Num::of(g.small(9))"));
            located.words.push(format!("len = {footer_len}"));
            (located.ty, located.value) = ("Vec<u8>".into(), bytes.into());
        }
        body.located.push(located);
        // What has an offset of its own beside it.
        if self.rng.percent(50) {
            let (offset, beside) = (body.name(), body.name());
            body.push(number(&offset, "Num::of(g.small(9))"));
            let at =
                [format!("at = {offset}"), format!("base = {data}"), format!("place = {data}")];
            let mut words = at.to_vec();
            words.push("prefix = u8".into());
            let (ty, value) = ("Vec<u8>".into(), bytes.into());
            body.located.push(Field { name: beside, ty, words, value, ..Field::default() });
        }
    }
}
