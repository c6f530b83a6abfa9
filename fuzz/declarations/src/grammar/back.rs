//! Values in a section whose places count from its end, or from what follows it.

use super::Gen;
use super::body::Body;
use super::model::Field;

const BYTES: &str = "{ let len = g.small(9); g.bytes(len) }";

/// What a section holds beside the values.
const HELD: &str = "if g.percent(70) { Vec::new() } else { let len = g.small(20); g.bytes(len) }";

impl Gen<'_> {
    /// Adds such a section to a type.
    pub(super) fn counted_back(&mut self, body: &mut Body) {
        if !self.on("counted back") || body.takes_rest() || !self.lates.percent(7) {
            return;
        }
        let (length, data) = (body.name(), body.name());
        let auto = self.lates.percent(60);
        let unit = *self.lates.pick(&["", "", " * 4"]);
        let (ty, value) = if auto { ("Auto<u16>", "Auto::new()") } else { ("u16", "0") };
        body.push(Field::plain(&length, ty, value));
        body.push(Field {
            words: vec!["section".into(), format!("len = {length}{unit}")],
            ..Field::plain(&data, "Vec<u8>", HELD)
        });
        self.counted_from_behind(body, &data);
        match self.lates.below(3) {
            0 => {}
            1 => self.ends_with_section(body, &data, &format!("len({data})")),
            _ if auto => self.ends_with_section(body, &data, &format!("len({data})")),
            _ => self.ends_with_section(body, &data, &format!("{length}{unit}")),
        }
    }

    /// A place that counts from the number behind the section.
    fn counted_from_behind(&mut self, body: &mut Body, data: &str) {
        if self.lates.percent(40) {
            return;
        }
        let (back, own) = (body.name(), body.name());
        let (ty, at) = *self.lates.pick(&[
            ("i16", "start(B) + B"),
            ("u8", "start(B) - B"),
            ("i16", "end(B) + B"),
            ("u16", "end(D) - B"),
        ]);
        body.push(Field::plain(&back, ty, "if g.percent(80) { 0 } else { g.pick(&[1, 8]) }"));
        let at = at.replace('B', &back).replace('D', data);
        let mut words = vec![format!("at = {at}"), format!("place = {data}"), "prefix = u8".into()];
        words.extend(self.lates.percent(20).then(|| "align_after = 2".to_owned()));
        body.located.push(Field { words, ..Field::plain(&own, "Vec<u8>", BYTES) });
    }

    /// One or two values that end with the section.
    fn ends_with_section(&mut self, body: &mut Body, data: &str, end: &str) {
        let mut end = end.to_owned();
        for _ in 0..1 + self.lates.below(2) {
            let (size, own) = (body.name(), body.name());
            // Where the value was, old bytes lie around it: the number tells a place, too.
            body.push(Field::plain(&size, "u8", "Num::of(g.small(9))"));
            end = format!("{end} - {size}");
            let words = vec![
                format!("at = {end}"),
                format!("base = {data}"),
                format!("place = {data}"),
                format!("len = {size}"),
            ];
            body.located.push(Field { words, ..Field::plain(&own, "Vec<u8>", BYTES) });
        }
    }
}
