//! Values that are no numbers and that functions give: arrays, bytes and texts.

use super::Gen;
use super::body::Body;
use super::model::Field;

/// A type, a value that the writer does not look at, and the function that gives the one to write.
const MADE: &[(&str, &str, &str)] = &[
    ("[u8; 4]", "[g.num(), 0, 1, g.num()]", "made_bytes"),
    ("[u16; 2]", "[g.num(), 1]", "made_numbers"),
    ("String", "\"held\".into()", "made_text"),
    ("Vec<u8>", "vec![g.num(); 3]", "made_list"),
];

impl Gen<'_> {
    /// Adds a field that a function gives, as soon as all fields are known.
    pub(super) fn made_field(&mut self, body: &mut Body) {
        if !self.on("made") || !self.makes.percent(12) {
            return;
        }
        let (ty, value, function) = *self.makes.pick(MADE);
        let words = if ty.starts_with('[') { Vec::new() } else { vec!["prefix = u8".into()] };
        let name = body.name();
        let field = Field { name, ty: ty.into(), value: value.into(), words, ..Field::default() };
        let index = body.push(field);
        body.made.push((index, function));
    }

    /// Has each of them follow from a field with no type of its own, which holds nothing that is computed.
    pub(super) fn made(&mut self, body: &mut Body) {
        let made = std::mem::take(&mut body.made);
        let names = made.iter().map(|(index, _)| body.fields[*index].name.clone());
        let names: Vec<String> = names.collect();
        for (index, function) in made {
            let is_plain = |field: &&Field| {
                let ty = ["Vec<u", "String", "[", "&"];
                let not = ["skip", "section", "calc", "checksum", "set"];
                !names.contains(&field.name)
                    && ty.iter().any(|ty| field.ty.starts_with(ty))
                    && !field.words.iter().any(|word| not.iter().any(|not| word.starts_with(not)))
            };
            let seen = body.fields.iter().chain(&body.located).filter(is_plain);
            let seen: Vec<String> = seen.map(|field| field.name.clone()).collect();
            let call = match seen.is_empty() {
                true => format!("{function}(\"\")"),
                false => format!("{function}({})", self.makes.pick(&seen)),
            };
            body.fields[index].words.push(format!("calc = {call}"));
        }
    }
}
