//! What the expressions of a declaration ask for.

use crate::attr::Args;
use crate::expr::{Expr, Measure};
use crate::model::{Field, Model};

/// Every length and count that any expression of the type asks for.
pub(crate) fn all_measures<'m>(model: &'m Model<'m>) -> Vec<(Measure, &'m Field<'m>)> {
    let mut list: Vec<(Measure, usize)> = Vec::new();
    for expr in all_exprs(model) {
        for (measure, name) in expr.measures() {
            if let Some((index, _)) = model.field(name)
                && !list.contains(&(measure, index))
            {
                list.push((measure, index));
            }
        }
    }
    for index in model.fields().iter().filter_map(|field| model.base_of(field)) {
        if !list.contains(&(Measure::Start, index)) {
            list.push((Measure::Start, index));
        }
    }
    list.into_iter()
        .filter_map(|(measure, index)| Some((measure, model.fields().get(index)?)))
        .collect()
}

pub(crate) fn all_exprs<'m>(model: &'m Model<'_>) -> Vec<&'m Expr> {
    let mut list: Vec<&Expr> = Vec::new();
    for words in model.all_words() {
        let own = [
            &words.len,
            &words.count,
            &words.calc,
            &words.until,
            &words.at,
            &words.condition,
            &words.align_before,
            &words.align_after,
            &words.pad_before,
            &words.pad_after,
            &words.pad_to,
        ];
        list.extend(own.into_iter().flatten().map(|word| &word.value));
        list.extend(words.rules.iter().map(|rule| &rule.condition));
        for word in [&words.args, &words.set].into_iter().flatten() {
            if let Args::Passed(passed) = &word.value {
                list.extend(passed.iter().map(|(_, expr)| expr));
            }
        }
    }
    list
}
