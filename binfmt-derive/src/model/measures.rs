//! Lengths and counts that are known without looking at a value.

use super::{Field, Kind};
use crate::attr::Words;
use crate::expr::{Expr, Measure};

/// What a measure of a field always is.
struct Known {
    field: syn::Ident,
    measure: Measure,
    is: Expr,
}

/// Puts what is known in the place of measures: the length of a number, and for the count of the
/// values of a field with `for_each` that of its table.
pub(super) fn replace(words: &mut Words, fields: &mut [Field<'_>]) {
    let known: Vec<Known> = fields.iter().filter_map(known).collect();
    let elements = |field: &mut Field<'_>| {
        in_words(&mut field.words, &known);
        if let Some(parallel) = &mut field.parallel {
            in_words(&mut parallel.element.words, &known);
        }
    };
    fields.iter_mut().for_each(elements);
    in_words(words, &known);
}

fn known(field: &Field<'_>) -> Option<Known> {
    let name = field.name.clone();
    if let Some(parallel) = &field.parallel {
        // How many items several tables have is known nowhere else.
        if parallel.inner {
            return None;
        }
        let is = Expr::Measure(Measure::Count, parallel.table.clone());
        return Some(Known { field: name, measure: Measure::Count, is });
    }
    let plain = !field.is_optional() && field.words.with.is_none();
    let (Kind::Scalar(scalar) | Kind::Auto(scalar, _)) = field.kind else { return None };
    let is = Expr::Int(u64::from(scalar.size), name.span());
    (plain && !scalar.variable).then_some(Known { field: name, measure: Measure::Len, is })
}

fn in_words(words: &mut Words, known: &[Known]) {
    for expr in words.exprs_mut() {
        expr.replace(&mut |expr| {
            let Expr::Measure(measure, name) = expr else { return };
            let mut known = known.iter();
            let Some(known) = known.find(|one| one.field == *name && one.measure == *measure)
            else {
                return;
            };
            let span = name.span();
            *expr = match &known.is {
                Expr::Int(size, _) => Expr::Int(*size, span),
                Expr::Measure(measure, table) => {
                    let mut table = table.clone();
                    table.set_span(span);
                    Expr::Measure(*measure, table)
                }
                other => other.clone(),
            };
        });
    }
}
