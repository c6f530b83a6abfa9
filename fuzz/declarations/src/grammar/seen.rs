//! Functions that see all of a table, of what holds it, or of one of its items: a padding follows from
//! each number in it.

use super::Gen;
use super::body::Body;
use super::model::Field;

impl Gen<'_> {
    /// Has a padding beside the values of a table follow from their items, or from what holds them.
    pub(super) fn seen_in_items(&mut self, values: &mut Field, (beside, inner): (bool, bool)) {
        if !self.on("seen") || !self.sees.percent(40) {
            return;
        }
        let word = if beside { "pad_before" } else { "pad_after" };
        if values
            .words
            .iter()
            .any(|known| known.starts_with("pad") || known.starts_with("checksum"))
        {
            return;
        }
        let whose = if inner && self.sees.percent(50) { "group" } else { "it" };
        values.words.push(format!("{word} = seen({whose})"));
    }

    /// Has a padding of a field follow from a table before it.
    pub(super) fn seen_tables(&mut self, body: &mut Body) {
        if !self.on("seen") {
            return;
        }
        let all = body.fields.iter().chain(&body.located);
        let tables: Vec<String> = all
            .flat_map(|field| &field.words)
            .filter_map(|word| word.strip_prefix("for_each = "))
            .filter_map(|table| table.split('.').next().map(str::to_owned))
            .collect();
        for table in tables {
            let Some(at) = body.fields.iter().position(|field| field.name == table) else {
                continue;
            };
            let behind = at + 1 + self.sees.index(body.fields.len() - at);
            if !self.sees.percent(25) {
                continue;
            }
            let Some(field) = body.fields.get_mut(behind) else { continue };
            let not_beside = ["pad", "bits", "section"];
            let alone = |word: &String| not_beside.iter().all(|other| !word.starts_with(other));
            // What is absent calls nothing, and is refused all the same.
            if field.presence.is_empty() && field.words.iter().all(alone) {
                field.words.push(format!("pad_before = seen({table})"));
            }
        }
    }
}
