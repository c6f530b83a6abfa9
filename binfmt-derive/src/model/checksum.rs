//! What checksums cover, and in which order a writer computes them.

use proc_macro2::Span;

use super::{Field, Model, Space};
use crate::attr::{Checksum, Over};
use crate::errors::Errors;

/// One checksum of a type.
pub(crate) struct Sum<'m> {
    /// The index of the field that stores it.
    pub(crate) field: usize,
    pub(crate) checksum: &'m Checksum,
    /// The first field that it covers; `None` from the start of the value on.
    pub(crate) first: Option<usize>,
    /// The last field that it covers; `None` up to the end of the value.
    pub(crate) last: Option<usize>,
    /// Fields that count as zero bytes, its own among them if it is not left out.
    pub(crate) zero: Vec<usize>,
    /// Fields that it leaves out.
    pub(crate) except: Vec<usize>,
    /// The field whose decoded bytes it covers, in place of a range.
    pub(crate) decoded: Option<usize>,
}

impl Sum<'_> {
    /// Whether the bytes of a field are covered.
    pub(crate) fn has(&self, model: &Model<'_>, index: usize) -> bool {
        if self.decoded.is_some() {
            return false;
        }
        if self.first.is_none() && self.last.is_none() {
            return true;
        }
        let located = model.fields().get(index).filter(|field| field.is_located());
        let space = located.map(|field| Space::of(model, field));
        if space == Some(Space::Around) {
            return false;
        }
        let (located, place) = (located.is_some(), space.and_then(Space::section));
        if located && place.is_none() && self.last.is_none() {
            // Located fields lie behind the sequence, so up to the end of the value.
            return true;
        }
        let at = if located && self.first != Some(index) { place } else { Some(index) };
        at.is_some_and(|at| {
            self.first.is_none_or(|first| first <= at) && self.last.is_none_or(|last| at <= last)
        })
    }

    /// Whether it covers all up to the end of the value.
    pub(crate) fn reaches_the_end(&self) -> bool {
        self.last.is_none() && self.decoded.is_none()
    }

    /// Whether another checksum has to be known before this one can be computed: it is covered, or what is
    /// covered follows from it.
    pub(crate) fn needs(&self, model: &Model<'_>, other: &Sum<'_>) -> bool {
        self.field != other.field && self.covers(model, other.field)
            || self.covered_from(model, other).is_some()
    }

    /// A covered field in which a number follows from a checksum.
    fn covered_from<'m>(&self, model: &'m Model<'_>, other: &Sum<'_>) -> Option<&'m Field<'m>> {
        let covered = model.fields().iter().enumerate();
        let mut covered = covered.filter(|(index, _)| self.covers(model, *index));
        covered.find(|(index, _)| follows(model, *index, other.field)).map(|(_, field)| field)
    }

    /// Where the word stands.
    fn checksum_span(&self, model: &Model<'_>) -> Option<Span> {
        Some(model.fields().get(self.field)?.words.checksum.as_ref()?.span)
    }

    fn covers(&self, model: &Model<'_>, index: usize) -> bool {
        self.has(model, index) && !self.zero.contains(&index) && !self.except.contains(&index)
    }
}

/// Whether what is computed of a field, or set in it, follows from another one.
fn follows(model: &Model<'_>, index: usize, from: usize) -> bool {
    let (mut waiting, mut seen) = (vec![index], vec![index]);
    while let Some(field) = waiting.pop().and_then(|index| model.fields().get(index)) {
        let set = field.setters().iter().map(|(_, expr)| expr);
        let exprs = set.chain(field.words.calc.iter().map(|word| &word.value));
        for name in exprs.flat_map(|expr| expr.names_of_values()) {
            let Some((other, _)) = model.field(name) else { continue };
            if other == from {
                return true;
            }
            if !seen.contains(&other) {
                seen.push(other);
                waiting.push(other);
            }
        }
    }
    false
}

/// The checksums of a type, in declaration order.
pub(crate) fn all<'m>(model: &'m Model<'_>) -> Vec<Sum<'m>> {
    let fields = model.fields().iter().enumerate();
    let sums = fields.filter_map(|(index, field)| Some((index, field.words.checksum.as_ref()?)));
    let sums = sums.filter(|(_, word)| !word.value.over.file);
    sums.map(|(field, word)| {
        let index = |name: &syn::Ident| model.field(name).map(|(index, _)| index);
        let Over { first, last, .. } = &word.value.over;
        let (first, last) = (first.as_ref().and_then(index), last.as_ref().and_then(index));
        let mut zero: Vec<usize> = word.value.zero.iter().filter_map(index).collect();
        let except: Vec<usize> = word.value.except.iter().filter_map(index).collect();
        if !except.contains(&field) {
            zero.push(field);
        }
        let decoded = word.value.over.decoded.as_ref().and_then(index);
        Sum { field, checksum: &word.value, first, last, zero, except, decoded }
    })
    .collect()
}

/// The checksums over what a field decodes to.
pub(crate) fn over_decoded<'m>(model: &'m Model<'_>, of: usize) -> Vec<Sum<'m>> {
    all(model).into_iter().filter(|sum| sum.decoded == Some(of)).collect()
}

/// The checksums over the file, each with the index of its field.
pub(crate) fn over_file<'m>(model: &'m Model<'_>) -> impl Iterator<Item = (usize, &'m Checksum)> {
    let fields = model.fields().iter().enumerate();
    let sums = fields.filter_map(|(index, field)| Some((index, field.words.checksum.as_ref()?)));
    sums.map(|(index, word)| (index, &word.value)).filter(|(_, sum)| sum.over.file)
}

/// The checksums, each behind those that it covers.
pub(crate) fn in_order<'m>(errors: &mut Errors, model: &'m Model<'_>) -> Vec<Sum<'m>> {
    let mut waiting = all(model);
    let mut done = Vec::new();
    while !waiting.is_empty() {
        let ready =
            waiting.iter().position(|sum| waiting.iter().all(|other| !sum.needs(model, other)));
        let Some(ready) = ready else {
            circle(errors, model, &waiting);
            break;
        };
        done.push(waiting.remove(ready));
    }
    done
}

fn circle(errors: &mut Errors, model: &Model<'_>, waiting: &[Sum<'_>]) {
    let mut circle: Vec<&Sum<'_>> = waiting.iter().collect();
    // What only waits for a circle is no part of it.
    while let Some(last) =
        circle.iter().position(|sum| circle.iter().all(|other| !other.needs(model, sum)))
    {
        circle.remove(last);
    }
    let name = |sum: &Sum<'_>| model.fields().get(sum.field).map(|field| &field.name);
    let pair = circle.iter().find_map(|sum| {
        let other = circle.iter().find(|other| sum.needs(model, other))?;
        Some((name(sum)?, name(other)?, sum.covered_from(model, other), sum.checksum_span(model)?))
    });
    let Some((one, other, from, span)) = pair else { return };
    let what = match from {
        Some(field) => {
            let field = &field.name;
            format!(
                "`{one}` covers `{field}`, in which a number follows from `{other}`, and that from `{one}`; let it count as zero: `zero = {field}`"
            )
        }
        None => format!(
            "`{one}` and `{other}` cover each other; let one count as zero: `zero = {other}`"
        ),
    };
    errors.add(span, what);
}
