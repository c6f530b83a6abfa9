//! Numbers that may be absent and tell the size of what is absent with them, or of what is there
//! without them.

use super::Gen;
use super::body::Body;
use super::model::Field;

impl Gen<'_> {
    /// Adds flags, a number that is there with one of them, and what it tells the size of.
    pub(super) fn absent_numbers(&mut self, body: &mut Body) {
        if !self.on("absent numbers") || !self.lacks.percent(50) {
            return;
        }
        let flags = body.name();
        body.push(Field::plain(&flags, "u8", "g.num()"));
        let presence = |mask: u64| {
            let condition = format!("and(n({flags}), {mask}) == {mask}");
            (vec![format!("if = {flags} & {mask} == {mask}")], condition)
        };
        let number = self.absent_number(body, presence(1));
        let plus = self.lacks.below(3);
        let (lang, rust) = match self.lacks.below(4) {
            0 => (format!("{number} + {plus}"), format!("add(LEN, {plus})")),
            1 => (format!("2 * {number}"), "mul(LEN, 2)".to_owned()),
            2 => (format!("{number} - {plus}"), format!("sub(LEN, {plus})")),
            _ => (number.clone(), "LEN".to_owned()),
        };
        let is_auto = body.fields.last().is_some_and(|field| field.ty.starts_with("Auto"));
        let told = if is_auto {
            format!("add({}, mul(g.small(5), 2))", plus * 2)
        } else {
            rust.replace("LEN", &format!("{number}.map_or({plus}, |number| n(number))"))
        };
        let (ty, word, value) = match self.lacks.below(3) {
            0 => ("Vec<u8>", "len", "g.bytes(len)"),
            1 => ("String", "len", "g.text(len)"),
            _ => ("Vec<u16>", "count", "g.vec(len, |g| g.num())"),
        };
        let mut field = Field {
            name: body.name(),
            ty: ty.into(),
            words: vec![format!("{word} = {lang}")],
            value: format!("{{ let len = {told}; {value} }}"),
            ..Field::default()
        };
        // Mostly both are there, or neither.
        let mask = *self.lacks.pick(&[1, 1, 1, 3]);
        if self.lacks.percent(85) {
            (field.presence, field.condition) = presence(mask);
        }
        if self.lacks.percent(30) {
            field.words.push("align_after = 4".into());
        }
        body.push(field);
        if self.lacks.percent(30) {
            let (words, presence, condition) = if self.lacks.percent(50) {
                let size = format!("pad_before = if {number}.is_some() {{ 1 }} else {{ 2 }}");
                (vec![size], Vec::new(), String::new())
            } else {
                let word = format!("note({flags} & 1 == 0 || {number} < 9, \"it is large\")");
                (vec![word], vec![format!("if = {flags} > 9")], format!("n({flags}) > 9"))
            };
            let name = body.name();
            let (ty, value) = ("u8".to_owned(), "g.num()".to_owned());
            body.push(Field { name, ty, words, presence, condition, value, ..Field::default() });
        }
    }

    fn absent_number(
        &mut self,
        body: &mut Body,
        (presence, condition): (Vec<String>, String),
    ) -> String {
        let name = body.name();
        let number = *self.lacks.pick(&["u8", "u16", "u32", "U24", "Leb128<u32>", "i32"]);
        let is_auto = self.lacks.percent(40) && number != "i32";
        body.push(Field {
            name: name.clone(),
            ty: if is_auto { format!("Auto<{number}>") } else { number.into() },
            value: if is_auto { "Auto::new()" } else { "Num::of(add(4, mul(g.small(5), 2)))" }
                .into(),
            presence,
            condition,
            junk: !is_auto,
            ..Field::default()
        });
        name
    }
}
