//! Items of which each is given a number that the writer of the one before computes.

use super::Gen;
use super::body::Body;
use super::model::Field;

/// Types of items, the argument and the part that it comes from, and how an item is made.
const ITEMS: &[(&str, &str, &str)] = &[
    (
        "Ending",
        "from = previous.end",
        "Ending { end: { let number = g.num(); g.junk(number) }, body }",
    ),
    (
        "EndingLeb",
        "from = previous.end + 1",
        "EndingLeb { end: { let number = g.num(); g.junk(number) }, body }",
    ),
    (
        "EndingHead",
        "from = previous.head.at",
        "EndingHead { head: Header16 { before: g.num(), at: { let number = g.num(); g.junk(number) } }, body }",
    ),
    (
        "Summed",
        "sum = previous.total",
        "Summed { step: g.num(), total: { let number = g.num(); g.junk(number) }, body }",
    ),
];

impl Gen<'_> {
    /// Puts such items in front of a plain number.
    pub(super) fn chained(&mut self, body: &mut Body) {
        if !self.on("chained") || self.tells.percent(40) {
            return;
        }
        let is_plain = |field: &Field| {
            let plain = ["u8", "u16", "u32"].contains(&field.ty.as_str());
            plain && field.words.is_empty() && field.presence.is_empty()
        };
        let Some(at) = body.fields.iter().position(is_plain) else { return };
        let (ty, given, item) = *self.tells.pick(ITEMS);
        let first = *self.tells.pick(&[0, 1, 7, 120]);
        let list = format!(
            "{{ let len = g.small(5); g.vec(len, |g| {{ let len = g.small(9); let body = g.bytes(len); {item} }}) }}"
        );
        let (ty, value) = if self.tells.percent(30) {
            (
                format!("LinkedSeq<'a, {ty}>"),
                format!("LinkedSeq::from(take({list}.into_boxed_slice()) as &'static [_])"),
            )
        } else {
            (format!("Vec<{ty}>"), list)
        };
        let name = body.name();
        let words = vec!["prefix = u8".into(), format!("args({given} or {first})")];
        body.fields.insert(at, Field { name, ty, words, value, ..Field::default() });
    }
}
