//! Constants that end bytes, texts and items, in the place of NULs and conditions.

use super::Gen;
use super::body::Body;
use super::model::Field;

/// An item that is the last one, at the end of a sequence.
const LAST: &str = "all.push(Num::of(0)); all }";

impl Gen<'_> {
    /// Has some fields end with a constant.
    pub(super) fn ends(&mut self, body: &mut Body) {
        if !self.on("terminator") {
            return;
        }
        let mut peeked = None;
        let last = body.fields.len().saturating_sub(1);
        for (index, field) in body.fields.iter_mut().enumerate() {
            let may_peek = index == last && !body.rest && field.presence.is_empty();
            peeked = self.end(field, may_peek).or(peeked);
        }
        body.located.iter_mut().for_each(|field| {
            self.end(field, false);
        });
        let Some(mark) = peeked else { return };
        let name = body.name();
        body.push(Field {
            name,
            ty: "u8".into(),
            words: vec![format!("magic = {mark}")],
            value: "g.num()".into(),
            ..Field::default()
        });
    }

    /// Has a field end with a constant; gives one that has to follow.
    fn end(&mut self, field: &mut Field, may_peek: bool) -> Option<&'static str> {
        if self.rng.percent(30) {
            return None;
        }
        if let Some(word) = field.words.iter_mut().find(|word| *word == "trim = 0x0") {
            *word = "nul = optional".into();
            return None;
        }
        if let Some(word) = field.words.iter_mut().find(|word| *word == "until = last == 0") {
            if field.value.contains(LAST) {
                let of_two = matches!(field.ty.as_str(), "Vec<u16>" | "Vec<i16>");
                let peeks = may_peek && of_two && self.on("peeked or left");
                *word = if peeks { "until = peek(0) || remaining < 2" } else { "until = 0" }.into();
                field.value = field.value.replace(LAST, "all }");
                return peeks.then_some("b\"\\0\\0\"");
            }
            return None;
        }
        let alone =
            field.words.iter().all(|word| !word.starts_with("len") && !word.starts_with("prefix"));
        let word = field.words.iter_mut().find(|word| *word == "nul")?;
        if !alone || field.ty.starts_with("Utf16") {
            return None;
        }
        let mark = self.pick(&["b\"\\0\"", "b\"|\"", "b\"BA\"", "b\"\\0\\0\""]);
        let push = match field.ty.as_str() {
            "String" => Some(format!("all.push_str(std::str::from_utf8({mark}).unwrap())")),
            "Vec<u8>" => Some(format!("all.extend_from_slice({mark})")),
            _ => None,
        };
        let form = self.below(3);
        let or_end = self.on("constant or end") && self.lasts.percent(50);
        let or = if or_end { " || remaining < 1" } else { "" };
        // Nothing follows then, so that the end of the region may end the value.
        let alone = or_end && may_peek && self.lasts.percent(50);
        match (form, push) {
            (0, Some(push)) => {
                *word = format!("until = kept({mark}){or}");
                if !alone {
                    field.value = format!("{{ let mut all = {}; {push}; all }}", field.value);
                }
                None
            }
            (1, _) if may_peek => {
                *word = format!("until = peek({mark}){or}");
                (!alone).then_some(mark)
            }
            _ => {
                *word = format!("until = {mark}");
                None
            }
        }
    }
}
