//! What ends a field of no stored size: a NUL, or a constant behind `until`.

use syn::{Ident, LitByteStr, Token};

use super::value::{Reading, Value};
use crate::expr::{Expr, Op};

/// The NUL of a string.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nul {
    /// It follows the string.
    Follows,
    /// It ends a string that does not fill its width.
    Optional,
}

/// `until = b'|'`: a constant behind the value.
pub(crate) struct Terminator {
    pub(crate) constant: Constant,
    pub(crate) role: TerminatorRole,
}

/// What is looked for.
pub(crate) enum Constant {
    /// A byte, or a number like the items.
    Number(u64),
    /// A number below zero, like items that have a sign.
    Negative(i64),
    Bytes(LitByteStr),
}

/// What becomes of the terminator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TerminatorRole {
    /// It follows the value and is no part of it.
    Follows,
    /// `kept(b'\n')`: the value ends with it.
    Kept,
    /// `peek(b'|')`: it is a part of what follows.
    Peeked,
    /// `peek_last(b'|')`: the last one of the region is, which earlier ones do not end.
    PeekedLast,
}

impl Terminator {
    /// The terminator that an `until` is, if it is none of the conditions.
    pub(crate) fn of(until: &Expr) -> Option<Self> {
        let constant = |expr: &Expr| match expr {
            Expr::Int(number, _) => Some(Constant::Number(*number)),
            Expr::Negative(number, _) => Some(Constant::Negative(*number)),
            Expr::Bytes(bytes) => Some(Constant::Bytes(bytes.clone())),
            Expr::Text(text) => {
                Some(Constant::Bytes(LitByteStr::new(text.value().as_bytes(), text.span())))
            }
            _ => None,
        };
        let Expr::Call(path, args) = until else {
            return Some(Self { constant: constant(until)?, role: TerminatorRole::Follows });
        };
        let role = match path.get_ident()?.to_string().as_str() {
            "kept" => TerminatorRole::Kept,
            "peek" => TerminatorRole::Peeked,
            "peek_last" => TerminatorRole::PeekedLast,
            _ => return None,
        };
        let [one] = args.as_slice() else { return None };
        Some(Self { constant: constant(one)?, role })
    }
}

/// Takes `remaining < 4` from `last == 0 || remaining < 4` or `peek(0) || remaining < 4`, and gives the 4; so it does
/// with the `kept(b'|') || remaining < 1` of bytes.
pub(super) fn split_least(until: &mut Expr) -> Option<Expr> {
    let Expr::Binary(left, Op::Or, right) = until else { return None };
    let ends = |expr: &Expr| {
        let ends = Terminator::of(expr)
            .is_some_and(|one| matches!(one.role, TerminatorRole::Peeked | TerminatorRole::Kept));
        ends || expr.names().iter().any(|name| **name == "last")
    };
    let (condition, least) = match (least(left), least(right)) {
        (Some(least), None) if ends(right) => (right, least),
        (None, Some(least)) if ends(left) => (left, least),
        _ => return None,
    };
    let condition = (**condition).clone();
    *until = condition;
    Some(least)
}

/// Writes what is left in one form: `remaining <= 3`, `3 >= remaining` and `4 > remaining` are `remaining < 4`,
/// and `remaining == 0` is `remaining < 1`.
pub(super) fn settle_remaining(until: &mut Expr) {
    until.replace(&mut |expr| {
        let Expr::Binary(left, op, right) = &*expr else { return };
        let is_left = |expr: &Expr| matches!(expr, Expr::Name(name) if name == "remaining");
        let (name, op, number) = match op {
            Op::Gt if is_left(right) => (right, Op::Lt, left),
            Op::Ge if is_left(right) => (right, Op::Le, left),
            _ if is_left(left) => (left, *op, right),
            _ => return,
        };
        let least = match (op, &**number) {
            (Op::Le, Expr::Int(most, span)) if *most < u64::MAX => Expr::Int(*most + 1, *span),
            (Op::Eq, Expr::Int(0, span)) => Expr::Int(1, *span),
            (Op::Lt, number) => number.clone(),
            _ => return,
        };
        *expr = Expr::Binary(name.clone(), Op::Lt, Box::new(least));
    });
}

/// The number in `remaining < 4`.
fn least(expr: &Expr) -> Option<Expr> {
    let Expr::Binary(left, Op::Lt, right) = expr else { return None };
    let is_left = matches!(&**left, Expr::Name(name) if name == "remaining");
    let counts = matches!(&**right, Expr::Int(1.., _) | Expr::Path(_));
    (is_left && counts).then(|| (**right).clone())
}

impl Value for Nul {
    fn read(at: &mut Reading<'_>) -> syn::Result<Self> {
        if !at.input.peek(Token![=]) {
            return <()>::read(at).map(|()| Self::Follows);
        }
        at.equals()?;
        match at.input.parse::<Ident>() {
            Ok(word) if word == "optional" => Ok(Self::Optional),
            _ => Err(at
                .wrong("write `nul` alone, or `nul = optional` where a string may fill its width")),
        }
    }
}
