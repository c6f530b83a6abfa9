//! Values that are seen in bytes that another field owns.

use super::Gen;
use super::body::Body;
use super::model::{Field, Kind};

impl Gen<'_> {
    /// Adds bytes to a type, and a view of a value in them.
    pub(super) fn viewed(&mut self, body: &mut Body) {
        if !self.on("views of values") || body.asks_for_rest() {
            return;
        }
        if !self.sights.percent(15) {
            return;
        }
        let (seen, takes_rest) = self.seen_type();
        let (owner, len, view) = (body.name(), body.name(), body.name());
        let words = match self.sights.below(3) {
            0 => vec!["prefix = u32".into()],
            form => {
                let (ty, value) =
                    if form == 1 { ("Auto<u32>", "Auto::new()") } else { ("u32", "g.num()") };
                body.push(Field { junk: form == 2, ..Field::plain(&len, ty, value) });
                vec![format!("len = {len}")]
            }
        };
        let bytes = format!("viewed({seen}::make(g))");
        body.push(Field { words, ..Field::plain(&owner, "Vec<u8>", &bytes) });
        let mut words = vec![format!("at = start({owner})"), "view".into()];
        if takes_rest || self.sights.percent(40) {
            words.push(format!("len = len({owner})"));
        }
        let value = format!("sight::<{seen}>(&{owner})");
        body.located.push(Field { words, ..Field::plain(&view, &format!("{seen}@"), &value) });
    }

    /// A type of values that are seen, and whether it takes all bytes that there are.
    fn seen_type(&mut self) -> (String, bool) {
        let number = |name: &str, ty: &str, words: &[&str]| {
            let words = words.iter().map(|word| (*word).to_owned()).collect();
            Field { words, ..Field::plain(name, ty, "Num::of(g.small(20))") }
        };
        let data = |words: &[&str]| {
            let words = words.iter().map(|word| (*word).to_owned()).collect();
            Field {
                words,
                ..Field::plain("data", "Vec<u8>", "{ let len = g.small(6); g.bytes(len) }")
            }
        };
        let mut fields = vec![number("first", "u8", &[])];
        let takes_rest = self.sights.percent(40);
        match self.sights.below(4) {
            0 => fields.push(number("sum", "u32", &["checksum(Crc32, over = data)"])),
            1 => fields.push(number("sum", "u32", &["checksum(Crc32, over = self)"])),
            2 => fields.push(number("twice", "u16", &["calc = first * 2"])),
            _ => {}
        }
        match takes_rest {
            true => fields.push(data(&["until_end"])),
            false if self.sights.percent(50) => fields.push(data(&["prefix = u32"])),
            false => {
                fields.push(number("at", "u32", &[]));
                fields.push(number("size", "u32", &[]));
                fields.push(data(&["at = at", "base = start", "len = size"]));
            }
        }
        let order = if self.sights.percent(50) { "little" } else { "big" };
        (self.add_type("S", vec![order.into()], Kind::Struct(fields)), takes_rest)
    }
}
