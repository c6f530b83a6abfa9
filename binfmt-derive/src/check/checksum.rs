//! Rules about checksums.

use syn::Ident;

use super::exprs::{self, Scope};
use super::{keywords, refuse, span};
use crate::attr::{Checksum, Over, Purpose};
use crate::errors::Errors;
use crate::model::checksum::{Sum, all, in_order};
use crate::model::{Field, ItemSum, Model, Owner, Parallel, Use, encoded};

/// How many checksums one type can have: their bits in a mask.
const MAX_SUMS: usize = 32;

/// Checks the checksums of a type.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>) {
    let before = errors.is_empty();
    for (index, field) in model.fields().iter().enumerate() {
        if let Some(word) = &field.words.checksum {
            match word.value.number.as_ref().and_then(|number| number.names().first().copied()) {
                Some(it) => exprs::field(errors, model, it, Scope::first(index)),
                None => covered(errors, model, index, &word.value),
            }
            used(errors, model, field);
        }
        if let Some(parallel) = &field.parallel
            && let Some(sum) = &parallel.sum
        {
            of_item(errors, model, parallel, sum);
        }
    }
    over_the_file(errors, model);
    let sums = all(model);
    if let Some(word) = sums
        .get(MAX_SUMS)
        .and_then(|sum| model.fields().get(sum.field))
        .and_then(|field| field.words.checksum.as_ref())
    {
        errors.add(
            word.span,
            format!("one type has at most {MAX_SUMS} checksums; declare another one"),
        );
    }
    if before && errors.is_empty() {
        nothing_left(errors, model, &sums);
        in_order(errors, model);
    }
}

/// Of two checksums over the file each would cover the other one.
fn over_the_file(errors: &mut Errors, model: &Model<'_>) {
    let fields = model.fields().iter().filter(|field| !field.is_optional());
    let words = fields.filter_map(|field| field.words.checksum.as_ref());
    if let Some(second) = words.filter(|word| word.value.over.file).nth(1) {
        errors.add(
            second.span,
            "a file has one checksum over all of it, for two would cover each other; say what this one covers: `over = a..=b`",
        );
    }
}

fn covered(errors: &mut Errors, model: &Model<'_>, own: usize, checksum: &Checksum) {
    let everything = Scope::all(model);
    views(errors, model, checksum);
    for name in checksum.zero.iter().chain(&checksum.except) {
        exprs::field(errors, model, name, everything);
        together(errors, model, name);
    }
    let Over { first, last, decoded, .. } = &checksum.over;
    if let Some(name) = decoded {
        exprs::field(errors, model, name, everything);
        of_decoded(errors, model, name);
    }
    for name in first.iter().chain(last.iter().filter(|last| first.as_ref() != Some(last))) {
        exprs::field(errors, model, name, everything);
    }
    if let Some(name) = first {
        together(errors, model, name);
    }
    if let (Some(first), Some(last)) = (first, last)
        && first == last
    {
        if model.field(first).is_some_and(|(from, _)| from == own) {
            errors.add(
                first.span(),
                format!("`{first}` is the checksum itself; name what it covers"),
            );
        }
        return;
    }
    for name in first.iter().chain(last) {
        if model.field(name).is_some_and(|(_, field)| field.is_located()) {
            errors.add(name.span(), format!("`{name}` lies at an offset, so nothing follows it; cover it alone: `over = {name}`"));
        }
    }
    if let (Some(first), Some(last)) = (first, last)
        && let (Some((from, _)), Some((to, _))) = (model.field(first), model.field(last))
        && from > to
    {
        errors.add(
            last.span(),
            format!("`{last}` comes before `{first}`; write `over = {last}..={first}`"),
        );
    }
}

/// What a checksum covers, counts as zero or leaves out is written by its own field.
fn views(errors: &mut Errors, model: &Model<'_>, checksum: &Checksum) {
    let Over { first, last, decoded, .. } = &checksum.over;
    let last = last.iter().filter(|last| first.as_ref() != Some(last));
    let parts = checksum.zero.iter().chain(&checksum.except);
    for name in first.iter().chain(last).chain(decoded).chain(parts) {
        if model.field(name).is_some_and(|(_, field)| field.is_view()) {
            errors
                .add(name.span(), format!("`{name}` is a view; name the field that has its bytes"));
        }
    }
}

/// What is decoded is one value in coded bytes.
fn of_decoded(errors: &mut Errors, model: &Model<'_>, name: &Ident) {
    let Some((_, field)) = model.field(name) else { return };
    if field.parallel.is_some() {
        errors.add(
            name.span(),
            format!("each value of `{name}` decodes to bytes of its own; declare a type with one value and its checksum, and make these the values"),
        );
    } else if encoded(field.inner).is_none() {
        errors.add(
            name.span(),
            format!("`{name}` has no decoded bytes; an `Encoded<C, T>` has some"),
        );
    }
}

/// A number of an item keeps the checksum of its value, and nothing else.
fn of_item(errors: &mut Errors, model: &Model<'_>, parallel: &Parallel<'_>, sum: &ItemSum) {
    if !sum.number.is_of_it() {
        return errors.add_range(
            sum.number.ends(),
            "a number of the item keeps the checksum of its value, and no expression: `checksum(Crc32, it.sum)`",
        );
    }
    let words = &parallel.element.words;
    let outside = [
        ("magic", span(&words.magic)),
        ("prefix", span(&words.prefix)),
        ("nul", span(&words.nul)),
        ("until", span(&words.terminator)),
        ("pad_before", span(&words.pad_before).filter(|_| words.at.is_some())),
    ];
    for (word, span) in outside {
        let why = "is no part of what the checksum of an item covers; declare a type for the values, with that inside";
        refuse(errors, span, word, why);
    }
    // Whatever else follows from it would be known before it is.
    let others = model.fields().iter().filter_map(|field| field.parallel.as_ref());
    let mut before = true;
    for other in others.filter(|other| other.table == parallel.table) {
        for (_, expr) in other.element.words.exprs() {
            let mut uses = false;
            expr.walk(&mut |part| {
                if part.is_same(&sum.number) {
                    uses = true;
                    errors.add_range(
                        part.ends(),
                        "a checksum of values is computed last; nothing else can follow from it",
                    );
                }
            });
            let mut parts = expr.parts().into_iter();
            if !uses && parts.any(|(name, path)| sum.number.overlaps((name, &path))) {
                errors.add_range(
                    expr.ends(),
                    "this sees all of an item, also the checksum, which is computed last; give it the numbers that it needs: `it.kind`",
                );
            }
        }
        before &= !std::ptr::eq(other, parallel);
        let twice = |other: &ItemSum| other.number.is_same(&sum.number);
        if before && other.sum.as_ref().is_some_and(twice) {
            errors.add(sum.span, "two checksums are kept in one number of the items; keep one");
        }
    }
}

/// The values of `for_each` lie apart, so they are no range of bytes.
fn together(errors: &mut Errors, model: &Model<'_>, name: &Ident) {
    let apart = |field: &Field<'_>| field.parallel.is_some() && field.is_located();
    if model.field(name).is_some_and(|(_, field)| apart(field)) {
        errors.add(
            name.span(),
            format!(
                "the values of `{name}` lie apart; cover the section that they lie in, or `self`"
            ),
        );
    }
}

/// A checksum is computed last, so no other field can be computed from it.
fn used(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    let over_file = field.words.checksum.as_ref().filter(|word| word.value.over.file);
    let file = over_file.is_some();
    if let Some(word) = over_file {
        let all = model.fields().len();
        keywords::base(errors, model, all, &Ident::new("file", word.span));
    }
    // What is set in another value is written over once the checksum is known.
    let before =
        |one: &Use<'_>| file || (one.role.purpose != Purpose::Check && !is_set_behind(one));
    for one in model.exprs().into_iter().filter(before) {
        let names = one.expr.names_of_values();
        let Some(name) = names.into_iter().find(|name| **name == field.name) else { continue };
        let message = if file {
            format!(
                "`{name}` is a checksum over the file, which is computed when all of it is written; nothing in it can follow from that"
            )
        } else if one.is_shape() {
            let word = one.row.name;
            format!(
                "`{name}` is a checksum, which is computed last, and `{word}` decides how the value is written; use another field"
            )
        } else {
            format!(
                "`{name}` is a checksum, which is computed last; nothing else can follow from it"
            )
        };
        errors.add(name.span(), message);
    }
}

/// Whether a number is set in a nested value, when everything else is known.
fn is_set_behind(one: &Use<'_>) -> bool {
    one.row.name == "set" && !matches!(one.owner, Owner::Element(_))
}

/// What counts as zero, or is left out, would be covered otherwise.
fn nothing_left(errors: &mut Errors, model: &Model<'_>, sums: &[Sum<'_>]) {
    for sum in sums {
        for name in &sum.checksum.zero {
            let Some((index, _)) = model.field(name) else { continue };
            if index == sum.field {
                errors.add(
                    name.span(),
                    "the checksum itself counts as zero by itself; remove it here",
                );
            } else if !sum.has(model, index) {
                errors.add(name.span(), format!("`{name}` is not covered; remove it here"));
            }
        }
        for name in &sum.checksum.except {
            let Some((index, _)) = model.field(name) else { continue };
            if !sum.has(model, index) {
                errors.add(name.span(), format!("`{name}` is not covered; remove it here"));
            } else if sum.zero.contains(&index) {
                errors.add(
                    name.span(),
                    format!("`{name}` counts as zero or is left out; name it once"),
                );
            }
        }
    }
}
