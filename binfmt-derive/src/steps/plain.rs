//! Plain fields: nothing but a number of Rust or a short array of bytes, which is most of most formats.

use syn::{Expr, ExprLit, Lit, Type};

use super::{Step, Value, What};
use crate::model::{Field, Kind};

/// The numbers of Rust that have a byte order.
const NUMBERS: &[&str] = &["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"];

/// A field without anything around it.
#[derive(Clone, Copy)]
pub(crate) struct Plain<'m> {
    pub(crate) kind: PlainKind<'m>,
    /// Whether a fast reader asks where it lies.
    pub(crate) noted: bool,
}

#[derive(Clone, Copy)]
pub(crate) enum PlainKind<'m> {
    /// A number of that type and size.
    Number(&'m Type, usize),
    /// An array of so many bytes.
    Bytes(usize),
}

impl PlainKind<'_> {
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Number(_, size) => size,
            Self::Bytes(len) => len,
        }
    }
}

/// The one step that stands for those of a field without anything around it.
pub(super) fn kind<'m>(field: &Field<'m>, steps: &[Step<'m>]) -> Option<PlainKind<'m>> {
    let [enter, value, leave, done, ..] = steps else { return None };
    let around = (&enter.what, &leave.what, &done.what);
    if !matches!(around, (What::Enter, What::Leave, What::Done)) {
        return None;
    }
    let (scalar, ty) = match (&value.what, field.kind) {
        (What::Value(Value::Number), Kind::Scalar(scalar)) => (scalar, field.inner),
        (What::Value(Value::Auto(ty)), Kind::Auto(scalar, _)) => (scalar, *ty),
        (What::Value(Value::ByteArray), _) => return array_len(field.inner).map(PlainKind::Bytes),
        _ => return None,
    };
    let named = matches!(ty, Type::Path(path)
        if path.path.get_ident().is_some_and(|name| NUMBERS.iter().any(|number| name == number)));
    named.then(|| PlainKind::Number(ty, usize::from(scalar.size)))
}

/// The length of an array that is written as a number.
fn array_len(ty: &Type) -> Option<usize> {
    let Type::Array(array) = ty else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Int(len), .. }) = &array.len else { return None };
    // Long ones are better off without a copy.
    len.base10_parse().ok().filter(|len| *len <= 64)
}
