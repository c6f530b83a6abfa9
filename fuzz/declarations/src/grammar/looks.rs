//! Rules that are functions of the user.

use std::fmt::Write as _;

use super::Gen;
use super::model::Field;

impl Gen<'_> {
    /// Has a function look at some structs that have no type parameter.
    pub(super) fn looks(&mut self, name: &str, words: &mut Vec<String>, fields: &[Field]) {
        if self.on("rules by hand") && !fields.is_empty() && self.gives.percent(40) {
            words.push(format!("rules = looks_{name}"));
        }
    }
}

/// The function that a struct names: it notes that its last field is there, which must lie in the
/// value.
pub(super) fn render(out: &mut String, name: &str, words: &[String], fields: &[Field]) {
    let named = format!("rules = looks_{name}");
    let Some(last) = fields.last().filter(|_| words.contains(&named)) else { return };
    let _ = writeln!(
        out,
        "pub fn looks_{name}!(_: &{name}@, rules: &mut binfmt_runtime::Rules<'_>) {{
    const SEEN: binfmt_runtime::Rule = binfmt_runtime::Rule::note(\"made.up.seen\", \"it is there\");
    let whole = rules.range();
    let mut part = rules.at(&binfmt_runtime::path!({name}.{}));
    assert!(part.range().start <= part.range().end && whole.start <= whole.end);
    part.report(&SEEN, binfmt_runtime::Show::Uint(0), binfmt_runtime::Show::Uint(1));
}}
",
        last.name
    );
}
