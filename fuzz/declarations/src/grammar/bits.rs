//! Bits that no field has, and bits that a writer sets.

use super::body::Body;
use super::model::Field;
use super::{Gen, Info};

impl Gen<'_> {
    /// Makes paddings of some bit fields, and says which of the others may be set.
    pub(super) fn unused_bits(&mut self, fields: &mut Vec<Field>, info: &mut Info) {
        if self.on("constant bits") && fields.len() > 1 && self.forms.percent(50) {
            let constant = self.forms.index(fields.len());
            self.constant_bits(&mut fields[constant], info);
        }
        for _ in 0..2 {
            if self.on("padding of bits") && fields.len() > 1 && self.bits.percent(50) {
                let gone = self.bits.index(fields.len());
                let (beside, word) = match gone {
                    0 => (1, "pad_before"),
                    _ => (gone - 1, "pad_after"),
                };
                if fields[beside].words.iter().any(|known| known.starts_with(word)) {
                    continue;
                }
                let padding = widths(&fields[gone]).iter().sum::<u64>();
                if padding > 64 {
                    continue;
                }
                fields[beside].words.push(format!("{word} = {padding}"));
                let gone = fields.remove(gone).name;
                info.subs.retain(|(name, _)| *name != gone);
                info.truths.retain(|name| *name != gone);
            }
        }
        for field in fields.iter() {
            let ruled = field.words.iter().any(|word| word.starts_with("range"));
            if field.ty == "bool" {
                info.bits.push((field.name.clone(), 0));
            } else if !ruled && !field.ty.ends_with('@') && field.ty != "()" {
                info.bits.push((field.name.clone(), widths(field)[1]));
            }
        }
    }

    /// Makes bits that are always the same of a field.
    fn constant_bits(&mut self, field: &mut Field, info: &mut Info) {
        let [_, width, _] = widths(field);
        let most = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        let number = if self.forms.percent(30) { most } else { self.forms.any() & most };
        field.words.retain(|word| word.starts_with("bits = "));
        field.words.push(format!("magic = {number:#b}"));
        (field.ty, field.value) = ("()".into(), "()".into());
        info.subs.retain(|(name, _)| *name != field.name);
        info.truths.retain(|name| *name != field.name);
    }

    /// Draws the bit fields of a nested value that are set when all fields are known.
    pub(super) fn bits_to_be_set(&mut self, body: &mut Body, info: &Info, index: usize) {
        for (bits, width) in &info.bits {
            if !self.on("set of bits") || !self.bits.percent(50) {
                continue;
            }
            let own = format!("{}.{bits}", body.fields[index].name);
            body.scope.retain(|var| var.own != own);
            body.bits.push((index, bits.clone(), *width));
        }
    }

    /// What the bits are set to, which mostly fits.
    pub(super) fn bits_set(&mut self, body: &mut Body) {
        std::mem::swap(&mut self.rng, &mut self.bits);
        for (index, name, width) in std::mem::take(&mut body.bits) {
            let number = Some(self.of_later(body)).filter(|number| !number.starts_with("tag"));
            let number = number.unwrap_or_else(|| "1".into());
            let value = match width {
                0 => format!("({number}) % {} == 1", 2 + self.below(2)),
                1..32 if self.rng.percent(80) => format!("({number}) % {}", 1_u64 << width),
                _ => number,
            };
            let field = &mut body.fields[index];
            if width > 0 {
                field.value = format!(
                    "{{ let mut all = {}; all.{name} = g.junk(all.{name}); all }}",
                    field.value
                );
            }
            match field.words.iter_mut().find(|word| word.starts_with("set(")) {
                Some(word) => word.insert_str("set(".len(), &format!("{name} = {value}, ")),
                None => field.words.push(format!("set({name} = {value})")),
            }
        }
        std::mem::swap(&mut self.rng, &mut self.bits);
    }
}

/// The bits of a field: those in front of it, its own, those behind it.
fn widths(field: &Field) -> [u64; 3] {
    ["pad_before = ", "bits = ", "pad_after = "].map(|start| {
        let bits = field.words.iter().find_map(|word| word.strip_prefix(start));
        bits.and_then(|bits| bits.parse().ok()).unwrap_or(0)
    })
}
