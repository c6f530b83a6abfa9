//! What the expressions of a declaration ask for.

use crate::expr::{Expr, Measure};
use crate::model::{Field, Model};

/// Every length and count that any expression of the type asks for.
pub(crate) fn all_measures<'m>(model: &'m Model<'m>) -> Vec<(Measure, &'m Field<'m>)> {
    model.measures()
}

/// Every expression of the type.
pub(crate) fn all_exprs<'m>(model: &'m Model<'_>) -> Vec<&'m Expr> {
    model.exprs().into_iter().map(|one| one.expr).collect()
}
