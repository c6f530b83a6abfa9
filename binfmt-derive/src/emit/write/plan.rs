//! What the writer computes and checks, and at which point.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Type};

use crate::derived::{Point, Ready, as_stored};
use crate::emit::{Emitter, unraw};
use crate::expr::Measure;
use crate::model::{Field, Kind, Space, placed_in};
use crate::steps::{PlainKind, What, all_measures};

/// The writer of one type while it is made.
pub(super) struct Plan<'p, 'm> {
    pub(super) emitter: &'p Emitter<'m>,
    pub(super) ready: &'p Ready<'m>,
    /// Where located fields lie.
    pub(super) slot_regions: Vec<SlotRegion>,
    /// Plain fields that are used as they are stored before it is known what they are.
    pub(super) as_stored: Vec<usize>,
    /// How many numbers that are set in the value of a field have been planned.
    pub(super) sets_planned: HashMap<usize, usize>,
    /// What happens at which point, in the order in which it was planned.
    waiting: Vec<(Point, TokenStream)>,
}

/// A section with located fields, or what follows the sequence.
pub(super) struct SlotRegion {
    pub(super) space: Space,
    pub(super) inside: Vec<usize>,
}

impl<'p, 'm> Plan<'p, 'm> {
    pub(super) fn new(emitter: &'p Emitter<'m>) -> Self {
        let model = emitter.model;
        let ready = &emitter.ready;
        let as_stored = as_stored(model, ready);
        let slot_regions = slot_regions(emitter);
        Self {
            emitter,
            ready,
            slot_regions,
            as_stored,
            sets_planned: HashMap::new(),
            waiting: Vec::new(),
        }
    }

    /// Plans what happens at a point.
    pub(super) fn at(&mut self, point: Point, what: TokenStream) {
        if !what.is_empty() {
            self.waiting.push((point, what));
        }
    }

    /// What happens up to a point, in order.
    pub(super) fn up_to(&mut self, point: Point) -> TokenStream {
        let waiting = std::mem::take(&mut self.waiting);
        let (mut now, later): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|(other, _)| *other <= point);
        self.waiting = later;
        now.sort_by_key(|(point, _)| *point);
        now.into_iter().map(|(_, what)| what).collect()
    }

    /// What needs checksums, which exist where bytes are kept.
    pub(super) fn rest(&mut self) -> TokenStream {
        let mut rest = std::mem::take(&mut self.waiting);
        rest.sort_by_key(|(point, _)| *point);
        let rest: TokenStream = rest.into_iter().map(|(_, what)| what).collect();
        if rest.is_empty() { rest } else { quote!(if __out.keeps() { #rest }) }
    }

    /// The locals that pieces of fields set, some of which lie in closures.
    pub(super) fn locals(&self) -> TokenStream {
        let mut all: Vec<(Ident, TokenStream)> = Vec::new();
        let rt = &self.emitter.rt;
        for (index, field) in self.emitter.model.fields().iter().enumerate() {
            let zero = |what: &str| (mark(field, what), quote!(0_u64));
            let default = |what: &str, ty: TokenStream| {
                (mark(field, what), quote!(<#rt::#ty as ::core::default::Default>::default()))
            };
            if self.is_marked(index) {
                all.extend([zero("from"), zero("to")]);
            }
            all.extend(self.measures_len(index).then(|| zero("size")));
            all.extend(self.measures_decoded(index).then(|| zero("decoded")));
            if self.ready.is_hole(index) && !self.is_in_run(index) {
                let ty = if is_codec(field) { quote!(Region) } else { quote!(Hole) };
                all.push(default("hole", ty));
            }
            all.extend(self.is_reserved(index).then(|| default("region", quote!(Region))));
            if field.one().words.pad_to.is_some() {
                all.extend([zero("begin"), zero("padded")]);
                let looks = super::piece::looks_ahead(field.one());
                all.extend(looks.then(|| (mark(field, "space"), quote!(0_usize))));
            }
            all.extend(self.needs_at(index).then(|| (mark(field, "at"), quote!(__start))));
        }
        let all = all.into_iter().map(|(name, first)| quote!(let mut #name = #first;));
        all.collect()
    }

    /// What is kept of decoded bytes: of sums over them, and of the items of fields.
    pub(super) fn kept_decoded(&self) -> TokenStream {
        let mut all = crate::emit::checksum::locals(self.emitter);
        for field in self.emitter.model.fields() {
            all.extend(super::item_sets::decoded(self.emitter, field));
        }
        all
    }

    /// Whether something must know where a field begins and ends.
    pub(super) fn is_marked(&self, index: usize) -> bool {
        let model = self.emitter.model;
        let referenced = all_measures(model).iter().any(|(measure, field)| {
            matches!(measure, Measure::Start | Measure::End)
                && model.field(&field.name).is_some_and(|(other, _)| other == index)
        });
        let section = model.fields().get(index).is_some_and(|field| field.words.section.is_some());
        referenced || section || super::sums::touches(self.emitter, index)
    }

    /// Whether the length of a value is taken when it has been written.
    pub(super) fn measures_len(&self, index: usize) -> bool {
        let model = self.emitter.model;
        let Some(field) = model.fields().get(index) else { return false };
        let own = |measure: &(Measure, &Field<'_>)| {
            measure.0 == Measure::Len && measure.1.name == field.name
        };
        !field.is_bytes()
            && field.words.section.is_none()
            && (field.words.len.is_some() || all_measures(model).iter().any(own))
    }

    /// Whether it is asked how many bytes a value has before it is encoded.
    pub(super) fn measures_decoded(&self, index: usize) -> bool {
        let model = self.emitter.model;
        all_measures(model).into_iter().any(|(measure, field)| {
            measure == Measure::Decoded
                && model.field(&field.name).is_some_and(|(other, _)| other == index)
        })
    }

    /// What stands around a value whose decoded bytes are asked for: their number, and checksums over them.
    pub(super) fn seen_decoded(&self, index: usize) -> Option<(TokenStream, TokenStream)> {
        let sums = crate::emit::checksum::around_decoded(self.emitter, index, &quote!(__out));
        let field = self.emitter.model.fields().get(index)?;
        let decoded = mark(field, "decoded");
        let len = self.measures_decoded(index).then(|| quote!(#decoded = __out.decoded_len();));
        match (sums, len) {
            (None, None) => None,
            (sums, len) => {
                let (before, behind) = sums.unwrap_or_default();
                Some((before, quote!(#behind #len)))
            }
        }
    }

    /// Whether the entries of a table, or a nested value with numbers to set, are written over.
    pub(super) fn is_reserved(&self, index: usize) -> bool {
        let Some(field) = self.emitter.model.fields().get(index) else { return false };
        let after_layout = |expr| self.ready.expr(expr) > self.ready.comes(index);
        super::parallel::is_table(self.emitter, field)
            || super::parallel::holds_tables(self.emitter, field)
            || field.setters().iter().any(|(_, expr)| after_layout(expr))
    }

    /// Whether an error may name the field before or behind its piece.
    fn needs_at(&self, index: usize) -> bool {
        let Some(field) = self.emitter.model.fields().get(index) else { return false };
        let words = &field.words;
        words.rules.iter().any(|rule| rule.kind.stops_writers())
            || words.condition.is_some()
            || words.len.is_some()
            || words.count.is_some()
            || words.at.is_some()
            || field.parallel.is_some()
            || words.checksum.is_some()
            || words.unique.is_some()
            || words.sorted_by.is_some()
            || !field.setters().is_empty()
            || super::presence::is_flagged(self.emitter.model.fields(), index)
            || self.emitter.steps.iter().any(|step| step.target == index)
    }

    /// Whether a number is written at once with those around it.
    pub(super) fn is_in_run(&self, index: usize) -> bool {
        let step = self.emitter.lowered.of(index).first().map(|step| &step.what);
        let located = self.emitter.model.fields().get(index).is_some_and(Field::is_located);
        !located
            && matches!(step, Some(What::Plain(plain)) if matches!(plain.kind, PlainKind::Number(..)))
    }

    /// Whether a number is written as the value holds it, whatever else is written.
    pub(super) fn writes_as_held(&self, index: usize) -> bool {
        let Some(field) = self.emitter.model.fields().get(index) else { return false };
        // An error about a number that is computed or compared names the field.
        matches!(field.kind, Kind::Scalar(_)) && !field.is_optional() && !self.needs_at(index)
    }

    /// Notes where a field begins, `ahead` bytes behind the next one.
    pub(super) fn note_at(&self, index: usize, field: &Field<'_>, ahead: usize) -> TokenStream {
        if !self.needs_at(index) {
            return TokenStream::new();
        }
        let at = mark(field, "at");
        match ahead {
            0 => quote!(#at = __out.pos();),
            _ => quote!(#at = __out.pos_ahead(#ahead);),
        }
    }
}

/// A local that belongs to a field.
pub(super) fn mark(field: &Field<'_>, what: &str) -> Ident {
    format_ident!("__{}_{}", what, unraw(&field.name))
}

/// The type of a number as it is stored.
pub(super) fn stored_type<'m>(field: &Field<'m>) -> &'m Type {
    match field.kind {
        Kind::Auto(_, ty) => ty,
        _ => field.inner,
    }
}

/// Whether functions of the user write a field.
pub(super) fn is_codec(field: &Field<'_>) -> bool {
    field.words.with.is_some() || field.words.map.is_some()
}

fn slot_regions(emitter: &Emitter<'_>) -> Vec<SlotRegion> {
    let model = emitter.model;
    let all = Space::all(model).into_iter();
    let all = all.map(|space| SlotRegion { space, inside: placed_in(model, space) });
    all.filter(|region| region.space.section().is_some() || !region.inside.is_empty()).collect()
}
