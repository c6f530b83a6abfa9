//! Values that are no numbers and that a function of the user gives: `calc = fan_out(names)`.

use super::{Field, Kind};
use crate::expr::Expr;

impl Field<'_> {
    /// The function that gives a value that is no number: `calc = fan_out(names)`. It is asked before
    /// anything is written, so it is given what no writer computes.
    pub(crate) fn made_by(&self) -> Option<&Expr> {
        let words = &self.words;
        let plain = matches!(self.kind, Kind::Nested | Kind::Vec(_) | Kind::Array(_))
            || self.kind.is_bytes() && !matches!(self.kind, Kind::Utf16);
        let whole = plain
            && !self.is_optional()
            && !self.is_element
            && self.parallel.is_none()
            && words.with.is_none()
            && words.map.is_none()
            && words.magic.is_none();
        match &words.calc.as_ref()?.value {
            expr @ (Expr::Call(..) | Expr::Method(..)) if whole => Some(expr),
            _ => None,
        }
    }
}
