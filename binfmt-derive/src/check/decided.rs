//! Comparisons of a number with a literal that its type decides: they hold always, or never.

use syn::{Ident, Type};

use super::kinds::declared;
use super::limits::{bounds, bounds_of, literal};
use crate::errors::Errors;
use crate::expr::{Expr, Measure, Op};
use crate::model::{Field, Kind, Model, Scalar, number_type, scalar, type_text};

/// A number, and what it can be.
struct Number {
    /// Its type, or how many bits it has.
    what: String,
    least: i128,
    most: i128,
}

/// Refuses a comparison that the type of a number decides; a `since = 0` is no mistake.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, own: Option<&Field<'_>>, expr: &Expr) {
    let Expr::Binary(left, op, right) = expr else { return };
    let Some((holds, message)) = message(model, (left, *op, right)) else { return };
    let gated = |own: &Field<'_>| own.words.since.is_some() || own.words.before.is_some();
    let version = model.words.version.as_ref().filter(|_| own.is_some_and(gated));
    match version.is_some_and(|version| version.value.is_same(left)) {
        true if holds => {}
        true => errors.add_range(right.ends(), message),
        false => errors.add_range(expr.ends(), message),
    }
}

/// Whether a comparison that no file decides holds, and what is wrong with it.
fn message(model: &Model<'_>, (left, op, right): (&Expr, Op, &Expr)) -> Option<(bool, String)> {
    let (of, op, value) = match (left, right) {
        (Expr::Name(_) | Expr::Measure(..), value) => (left, op, literal(value)?),
        (value, Expr::Name(_) | Expr::Measure(..)) => (right, op.turned(), literal(value)?),
        _ => return None,
    };
    let (name, number) = match of {
        Expr::Name(name) => (declared(model, name).to_string(), Number::of(model, name)?),
        Expr::Measure(measure, name) if *measure != Measure::Remaining => {
            (format!("{}({})", measure.word(), declared(model, name)), Number::measured())
        }
        _ => return None,
    };
    let holds = number.holds(op, value)?;
    let Number { what, least, most } = number;
    let end = match (value >= most, least) {
        (true, _) => format!("more than {most}"),
        (false, 0) => "below 0".into(),
        (false, least) => format!("less than {least}"),
    };
    let then = if holds {
        "so this always holds; remove it"
    } else {
        "so this never holds; compare with a number that it can be"
    };
    Some((holds, format!("`{name}` is {what}, which is never {end}, {then}")))
}

/// A number of that type: `a u8`, `an i8`.
fn of_type(ty: &Type) -> String {
    let text = type_text(ty);
    let article = if text.starts_with(['i', 'I']) { "an" } else { "a" };
    format!("{article} `{text}`")
}

impl Number {
    /// What is measured of a field.
    fn measured() -> Self {
        Self { what: "a number without a sign".into(), least: 0, most: u64::MAX.into() }
    }

    /// The number behind a name, if it is always there and its type tells what it can be.
    fn of(model: &Model<'_>, name: &Ident) -> Option<Self> {
        if let Some((_, field)) = model.field(name) {
            return Self::of_field(field);
        }
        let mut parameters = model.parameters().iter();
        let parameter = parameters.find(|parameter| parameter.name == *name);
        let ty = model.last_item(name).or(parameter.map(|parameter| &parameter.ty))?;
        let own = Kind::of(ty).scalar().filter(|own| own.is_int())?;
        let scalar = scalar(number_type(ty)).unwrap_or(own);
        let (least, most) = bounds_of(scalar, u32::from(scalar.size).saturating_mul(8));
        Some(Self { what: of_type(ty), least, most })
    }

    fn of_field(field: &Field<'_>) -> Option<Self> {
        let is_integer = field.kind.scalar().is_some_and(Scalar::is_int);
        if !is_integer || field.is_optional() {
            return None;
        }
        let (least, most) = bounds(field)?;
        let what = match field.widths().own {
            0 => of_type(match field.kind {
                Kind::Auto(_, ty) => ty,
                _ => field.inner,
            }),
            1 => "one bit".into(),
            own => format!("a number of {own} bits"),
        };
        Some(Self { what, least, most })
    }

    /// Whether a comparison with `value` holds for every number, or for none; `None` if it depends.
    fn holds(&self, op: Op, value: i128) -> Option<bool> {
        let (least, most) = (self.least, self.most);
        let (all, none) = match op {
            Op::Eq => (false, value < least || value > most),
            Op::Ne => (value < least || value > most, false),
            Op::Lt => (value > most, value <= least),
            Op::Le => (value >= most, value < least),
            Op::Gt => (value < least, value >= most),
            Op::Ge => (value <= least, value > most),
            _ => return None,
        };
        (all || none).then_some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_decides_what_lies_beyond_its_ends() {
        let byte = Number { what: String::new(), least: 0, most: 255 };
        let cases = [
            (Op::Gt, 255, Some(false)),
            (Op::Gt, 254, None),
            (Op::Ge, 0, Some(true)),
            (Op::Ge, 1, None),
            (Op::Ge, 256, Some(false)),
            (Op::Lt, 0, Some(false)),
            (Op::Lt, 256, Some(true)),
            (Op::Lt, 255, None),
            (Op::Le, 255, Some(true)),
            (Op::Le, 0, None),
            (Op::Eq, 256, Some(false)),
            (Op::Eq, 255, None),
            (Op::Ne, -1, Some(true)),
            (Op::Ne, 0, None),
        ];
        for (op, value, holds) in cases {
            assert_eq!(byte.holds(op, value), holds, "{op:?} {value}");
        }
    }
}
