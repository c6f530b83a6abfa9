//! Words that decide how many bytes are written, and when what they name is known.
//!
//! Mostly the value decides: an `Option` is there, a list has its items, bytes have their length.
//! Only paddings, alignments, arguments and the width of what is filled are computed.

use syn::Ident;

use super::order::uses_set;
use super::{Point, Ready, Source, Step};
use crate::attr::Known;
use crate::errors::Errors;
use crate::expr::{Expr, Measure};
use crate::model::{Field, Kind, Model, Use};

/// Where in a field an expression is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Before,
    Value,
    Behind,
}

/// The expressions of a field that decide how many bytes are written: those of its paddings,
/// alignments and arguments, the size of its region, and the width of what is filled.
pub(crate) fn exprs<'f>(field: &'f Field<'_>) -> Vec<(&'static str, &'f Expr, Part)> {
    let part = |one: &Use<'_>| match one.row.name {
        "len" if field.cut().is_some() => Some(Part::Value),
        "pad_to" => Some(Part::Behind),
        _ if !one.is_shape() => None,
        "args" | "codec" => Some(Part::Value),
        _ if one.role.known == Known::Behind => Some(Part::Behind),
        _ => Some(Part::Before),
    };
    field.exprs(0).filter_map(|one| Some((one.row.name, one.expr, part(&one)?))).collect()
}

/// The last point at which such an expression may be known.
fn limit(ready: &Ready<'_>, index: usize, field: &Field<'_>, part: Part) -> Point {
    match part {
        _ if field.is_located() => ready.comes(index),
        Part::Before => Point::next(index),
        Part::Value => Point::begun(index),
        Part::Behind => Point::valued(index),
    }
}

/// Plain fields that are passed as they are stored, because what they really are is known too late.
pub(crate) fn as_stored(model: &Model<'_>, ready: &Ready<'_>) -> Vec<usize> {
    let mut list = Vec::new();
    for_each_after_layout(model, ready, &mut |_, _, _, after_layout| {
        if let AfterLayout::Field(index) = after_layout {
            list.push(index);
        }
    });
    list.sort_unstable();
    list.dedup();
    list
}

/// What is known too late.
#[derive(Clone, Copy)]
enum AfterLayout<'m> {
    Field(usize),
    Measure(Measure, &'m Ident),
    /// A number that the writer sets in a nested value.
    Set,
}

/// Calls `tell` for everything that such an expression names and that is known too late.
fn for_each_after_layout<'m>(
    model: &'m Model<'_>,
    ready: &Ready<'_>,
    visit: &mut dyn FnMut(&'m Field<'m>, &'static str, &'m Ident, AfterLayout<'m>),
) {
    for (index, field) in model.fields().iter().enumerate() {
        for (word, expr, part) in exprs(field.one()) {
            let limit = limit(ready, index, field, part);
            for name in expr.names() {
                let Some((named, _)) = model.field(name) else { continue };
                let own = part == Part::Behind && ready.sets_length_of(named, index);
                if ready.target(named) > limit && !own {
                    visit(field, word, name, AfterLayout::Field(named));
                }
            }
            for used in uses_set(model, expr) {
                if ready.set_to(used.field, used.number) > limit {
                    visit(field, word, used.name, AfterLayout::Set);
                }
            }
            for (measure, name) in expr.measures() {
                let Some((named, _)) = model.field(name) else { continue };
                let own = part == Part::Behind && named == index && measure == Measure::Len;
                if ready.measure(measure, named) > limit && !own {
                    visit(field, word, name, AfterLayout::Measure(measure, name));
                }
            }
        }
    }
}

/// Tells of what is known too late.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, ready: &Ready<'_>, steps: &[Step<'_>]) {
    let mut refused: Vec<(&Ident, String)> = Vec::new();
    for_each_after_layout(model, ready, &mut |field, word, name, after_layout| {
        let own = &field.name;
        let message = match after_layout {
            AfterLayout::Measure(measure, of) => format!(
                "{} is known only when more has been written, and `{word}` of `{own}` needs it before; name a plain integer that says it",
                rendered(measure, of)
            ),
            AfterLayout::Set => format!(
                "`set` puts this number into `{name}` when more has been written, and `{word}` of `{own}` needs it before; name a plain integer that says it"
            ),
            AfterLayout::Field(index) => {
                let Some(named) = model.fields().get(index) else { return };
                if named.words.checksum.is_some() {
                    format!(
                        "`{name}` is a checksum, which is computed last, and `{word}` of `{own}` needs it before; name another field"
                    )
                } else if matches!(named.kind, Kind::Auto(..)) || named.is_optional() {
                    let of = source(model, steps, index);
                    format!(
                        "`{name}` is computed{of} when that has been written, and `{word}` of `{own}` needs it before; make `{name}` a plain integer, or name another one"
                    )
                } else {
                    return;
                }
            }
        };
        refused.push((name, message));
    });
    for (name, message) in refused {
        errors.add(name.span(), message);
    }
}

/// What a field is computed from, if that is another field.
fn source(model: &Model<'_>, steps: &[Step<'_>], target: usize) -> String {
    let step = steps.iter().find(|step| step.target == target);
    let (index, word) = match step.map(|step| &step.source) {
        Some(Source::Calc(expr)) => {
            let named = expr.measures().into_iter().find_map(|(_, name)| model.field(name));
            (named.map(|(index, _)| index), "what")
        }
        Some(Source::Solved(solved)) => {
            let place = matches!(solved.of, super::Of::Offset(_));
            (solved.of.field(), if place { "where" } else { "what" })
        }
        None => (None, ""),
    };
    let field = index.and_then(|index| model.fields().get(index));
    field.map_or_else(String::new, |field| format!(" from {word} `{}` is", field.name))
}

/// A measure as it is written.
fn rendered(measure: Measure, of: &Ident) -> String {
    match measure {
        Measure::Remaining => "`remaining`".to_owned(),
        _ => format!("`{}({of})`", measure.word()),
    }
}
