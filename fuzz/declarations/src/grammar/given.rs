//! Rules that compare texts, and that give numbers to a function that takes others; items that end
//! with the region, too.

use super::Gen;
use super::expr::Var;
use super::model::Field;

impl Gen<'_> {
    /// Changes some fields, but for their values; `scope` is known at the last one.
    pub(super) fn given(&mut self, scope: &[Var], fields: &mut [Field]) {
        if !self.on("given") {
            return;
        }
        let numbers: Vec<&Var> = scope.iter().filter(|var| var.ty != "bool").collect();
        let last = fields.len().saturating_sub(1);
        for (index, field) in fields.iter_mut().enumerate() {
            if !field.presence.is_empty() || !self.gives.percent(50) {
                continue;
            }
            let padded = field.words.iter().any(|word| word.starts_with("pad"));
            if !padded
                && let Some(until) =
                    field.words.iter_mut().find(|word| *word == "until = last == 0")
            {
                until.push_str(" || remaining < 1");
            }
            if matches!(field.ty.as_str(), "String" | "&'a str") {
                let text = *self.gives.pick(&["\"\"", "\"a\"", "\"\\u{e9}\""]);
                let sign = *self.gives.pick(&["!=", "<", "=="]);
                field.words.push(format!("note({} {sign} {text}, \"a text\")", field.name));
            }
            if index == last && !numbers.is_empty() {
                let number = &numbers[self.gives.index(numbers.len())].both.lang;
                field.words.push(format!("note(narrow({number} + 1) != 3, \"given\")"));
            }
        }
    }
}
