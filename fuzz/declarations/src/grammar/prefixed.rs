//! A length of variable width in front of everything, so that all offsets in it depend on how wide it is.

use super::Gen;
use super::model::{Field, Kind, Type};

impl Gen<'_> {
    /// Puts the outermost type into a region whose length is about as large as one byte of its prefix can say.
    pub(super) fn prefix_around_all(&mut self) {
        if !self.on("prefix around all") || !self.wraps.percent(25) {
            return;
        }
        let Some(Type { name, kind: Kind::Struct(fields), words, generics, .. }) =
            self.types.last_mut()
        else {
            return;
        };
        if !generics.is_empty() || words.iter().any(|word| word.starts_with("len")) {
            return;
        }
        let inner = name.clone();
        // Places that are constants tell of what lies there, and magics come first.
        let is_first = |word: &String| word.starts_with("magic") || word.starts_with("peek");
        let has_place = |word: &String| {
            let at = word.strip_prefix("at = ");
            at.is_some_and(|at| at.starts_with(|first: char| first.is_ascii_digit()))
        };
        if words.iter().any(|word| word.starts_with("endian"))
            || fields.iter().flat_map(|field| &field.words).any(has_place)
            || fields.first().is_some_and(|field| field.words.iter().any(is_first))
        {
            return;
        }
        let len = 60 + self.wraps.below(68);
        let filler = Field::plain("filler", &format!("[u8; {len}]"), &format!("[g.num(); {len}]"));
        fields.insert(0, filler);
        let prefix = *self.wraps.pick(&["Leb128<u16>", "Leb128<u32>", "Coded<Vlq<4>, u32>"]);
        let words = vec![format!("prefix = {prefix}")];
        let all = Field {
            words,
            ..Field::plain("all", &format!("{inner}@"), &format!("{inner}::make(g)"))
        };
        self.add_type("S", Vec::new(), Kind::Struct(vec![all]));
    }
}
