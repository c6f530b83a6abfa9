//! Words on types and fields of all forms, which are put on what has been made otherwise.

use super::Gen;
use super::model::{Field, Kind, Type};

const UNSIGNED: &[&str] = &["u8", "u16", "u32", "u64"];

impl Gen<'_> {
    /// Adds some words that change no value.
    pub(super) fn words_of_all_forms(&mut self) {
        if !self.on("words of all forms") {
            return;
        }
        std::mem::swap(&mut self.rng, &mut self.forms);
        let mut types = std::mem::take(&mut self.types);
        for ty in &mut types {
            let has = |word: &str| ty.words.iter().any(|own| own.starts_with(word));
            let (is_bits, is_flat) = (has("bits = "), has("flatbuffer"));
            let is_point = ty.words.iter().any(|word| word.contains("inline"));
            self.words_of_type(ty, is_bits && !is_flat, is_flat && !is_point);
        }
        self.types = types;
        std::mem::swap(&mut self.rng, &mut self.forms);
    }

    fn words_of_type(&mut self, ty: &mut Type, is_bits: bool, is_table: bool) {
        let has_spec = ty.words.iter().any(|word| word.starts_with("spec"));
        if !has_spec && self.rng.percent(20) {
            ty.words.push("spec = \"chapter 4\"".into());
        }
        match &mut ty.kind {
            Kind::Numbers { repr, .. } if *repr != "u8" && !is_table => {
                self.other_order(&mut ty.words)
            }
            Kind::Union { .. } if !is_table => self.other_order(&mut ty.words),
            Kind::Struct(fields) if is_bits || is_table => {
                let numbers = fields.iter().filter(|field| UNSIGNED.contains(&field.ty.as_str()));
                let numbers: Vec<String> = numbers.map(|field| field.name.clone()).collect();
                if let Some(number) = numbers.first() {
                    self.rules_of_type(&mut ty.words, number, is_bits);
                }
                fields.iter_mut().for_each(|field| self.words_of_number(field, is_bits));
                if self.rng.percent(15) {
                    fields.push(self.skipped());
                }
            }
            Kind::Struct(fields) => fields.iter_mut().for_each(|field| self.words_of_field(field)),
            _ => {}
        }
    }

    /// The other byte order, which a type without numbers may have, too.
    fn other_order(&mut self, words: &mut [String]) {
        if let Some(order) = words.iter_mut().find(|word| *word == "big")
            && self.rng.percent(30)
        {
            *order = "little".into();
        }
    }

    /// Rules, names and values that follow from a number of a type.
    fn rules_of_type(&mut self, words: &mut Vec<String>, number: &str, is_bits: bool) {
        let kind = self.pick(&["check", "error", "warn", "note"]);
        match self.below(if is_bits { 6 } else { 3 }) {
            0 => words.push(format!("{kind}({number} < 7, \"{{{number}}} is large\")")),
            1 => {
                words.push(format!("let(own = {number} / 2)"));
                words.push(format!("{kind}(own < 9, \"it is large\")"));
            }
            3 => {
                words.push(format!("computed(own: u64 = {number} / 2, \"it follows\")"));
                words.push(format!("{kind}(own < 9, \"it is {{own}}\")"));
            }
            4 => words.push("new".into()),
            5 => words.push("level(reserved = note)".into()),
            _ => {}
        }
    }

    /// Rules and limits of a bit field or a number in a table.
    fn words_of_number(&mut self, field: &mut Field, is_bits: bool) {
        let limited = |word: &String| word.starts_with("range") || word.starts_with("default");
        if ["u16", "u64", "i32", "i8"].iter().any(|ty| field.ty == format!("FbVec<'a, {ty}>")) {
            if self.rng.percent(60) {
                field.words.push(self.pick(&["sorted_by = it", "unique"]).to_owned());
            }
            return;
        }
        if !UNSIGNED.contains(&field.ty.as_str()) || field.words.iter().any(limited) {
            return;
        }
        let kind = self.pick(&["check", "error", "warn", "note"]);
        match self.below(8) {
            0 => field.words.push(format!("{kind}({} != 5, \"it is five\")", field.name)),
            1 => {
                field.words.push("one_of = [0, 1]".into());
                field.value = "{ let one = g.pick(&[0, 1]); Num::of(one) }".into();
            }
            2 if is_bits => field.words.push("level(derived = error)".into()),
            _ => {}
        }
    }

    /// A field that is in the struct alone.
    fn skipped(&mut self) -> Field {
        let default = self.rng.percent(50);
        let mut words = vec!["skip".to_owned()];
        words.extend(default.then(|| "default = 3".to_owned()));
        let value = if default { "3" } else { "0" };
        Field { words, ..Field::plain("beside", "u32", value) }
    }

    /// What findings inside a field weigh.
    fn words_of_field(&mut self, field: &mut Field) {
        let told = ["skip", "level", "view", "map", "magic", "section"];
        let has = |word: &String| {
            told.iter().any(|other| word == other || word.starts_with(&format!("{other}(")))
        };
        if field.ty == "()" || field.words.iter().any(has) || !self.rng.percent(6) {
            return;
        }
        // Others are refused where nothing can be found.
        let code = "derived";
        let weight = self.pick(&["note", "warning", "error"]);
        field.words.push(format!("level({code} = {weight})"));
    }
}
