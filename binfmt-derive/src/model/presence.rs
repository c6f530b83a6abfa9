//! `flag`, `since` and `before` as the conditions that they stand for.

use syn::spanned::Spanned as _;
use syn::{Member, Path, Type};

use super::{Field, Kind};
use crate::attr::Word;
use crate::errors::Errors;
use crate::expr::{Expr, Op};

/// What `since` and `before` are about.
#[derive(Clone, Copy)]
pub(super) struct Version<'w> {
    pub(super) word: Option<&'w Word<Expr>>,
    /// The fields are those of a variant, which has no version of its own.
    pub(super) of_a_variant: bool,
}

/// Gives every field the condition that its words stand for.
pub(super) fn conditions(errors: &mut Errors, version: Version<'_>, fields: &mut [Field<'_>]) {
    for index in 0..fields.len() {
        let flag = flag(errors, fields, index);
        let Some(field) = fields.get_mut(index) else { continue };
        let flag = flag.map(|(flag, condition)| {
            field.flag = Some(flag);
            condition
        });
        let (since, before) = (
            gate(errors, version, &field.words.since, "since", Op::Ge),
            gate(errors, version, &field.words.before, "before", Op::Lt),
        );
        for condition in [flag, since, before].into_iter().flatten() {
            let span = condition.span;
            let value = match field.words.condition.take() {
                Some(own) => Expr::Binary(Box::new(own.value), Op::And, Box::new(condition.value)),
                None => condition.value,
            };
            field.words.condition = Some(Word { span, value });
        }
    }
}

fn without_version(name: &str, op: Op, of_a_variant: bool) -> String {
    if of_a_variant {
        let sign = op.token();
        return format!(
            "`{name}` speaks of the version of a struct, and a variant has none; write the condition: `if = version {sign} 2`"
        );
    }
    format!("`{name}` speaks of a version; say which one on the type: `version = version`")
}

/// `version >= since` or `version < before`.
#[expect(clippy::ref_option, reason = "every word is kept as an `Option`")]
fn gate(
    errors: &mut Errors,
    version: Version<'_>,
    word: &Option<Word<Expr>>,
    name: &str,
    op: Op,
) -> Option<Word<Expr>> {
    let Word { span, value } = word.as_ref()?;
    let Some(version) = version.word else {
        errors.add(*span, without_version(name, op, version.of_a_variant));
        return None;
    };
    let (version, value) = (Box::new(version.value.clone()), Box::new(value.clone()));
    Some(Word { span: *span, value: Expr::Binary(version, op, value) })
}

/// The bit of an earlier field that says whether a field is there.
pub(crate) struct Flag {
    /// Index of the field with the bits.
    pub(crate) index: usize,
    /// The bit: a number, or a constant.
    pub(crate) bit: Expr,
    /// Whether the field is there when the bit is not set.
    pub(crate) inverted: bool,
}

/// What the `flag` of a field stands for; `None` if it names no field.
fn flag_of(fields: &[Field<'_>], field: &Field<'_>) -> Option<Flag> {
    let (expr, inverted) = match &field.words.flag.as_ref()?.value {
        Expr::Not(flag) if matches!(**flag, Expr::Field(..)) => (&**flag, true),
        Expr::Binary(flag, Op::Eq, zero) if matches!(**zero, Expr::Int(0, _)) => (&**flag, true),
        flag => (flag, false),
    };
    let named =
        |name: &syn::Ident| fields.iter().enumerate().find(|(_, field)| field.name == *name);
    match expr {
        Expr::Field(inner, Member::Named(name))
            if name.to_string().starts_with(char::is_uppercase) =>
        {
            let Expr::Name(bits) = &**inner else { return None };
            let (index, bits) = named(bits)?;
            let Type::Path(ty) = bits.ty else { return None };
            let mut path: Path = ty.path.clone();
            path.segments.push(name.clone().into());
            Some(Flag { index, bit: Expr::Path(path), inverted })
        }
        Expr::Binary(left, Op::BitAnd, right) => {
            let Expr::Name(bits) = &**left else { return None };
            let (index, _) = named(bits)?;
            Some(Flag { index, bit: bit(right)?, inverted })
        }
        _ => None,
    }
}

/// A bit as a number or a constant: `4`, `1 << 2` or `WIDE`.
fn bit(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::Int(..) | Expr::Path(_) => Some(expr.clone()),
        Expr::Binary(one, Op::Shl, by) => {
            let (Expr::Int(one, span), Expr::Int(by, _)) = (&**one, &**by) else { return None };
            let shifted = u128::from(*one).checked_shl(u32::try_from(*by).ok()?)?;
            // What is pushed out is no bit of 64, which the number that is left says.
            Some(Expr::Int(u64::try_from(shifted).unwrap_or(0), *span))
        }
        _ => None,
    }
}

/// What the `flag` of a field stands for, and the condition that it is.
fn flag(errors: &mut Errors, fields: &[Field<'_>], index: usize) -> Option<(Flag, Word<Expr>)> {
    let field = fields.get(index)?;
    let word = field.words.flag.as_ref()?;
    let Some(flag) = flag_of(fields, field) else {
        if let Expr::Field(_, Member::Named(name)) = &word.value {
            let message = format!(
                "`{name}` is a field, and `flag` names a bit that the writer sets: `flags.NAME` of `bitflags`; for a field write `if = ..`"
            );
            errors.add_range(word.value.ends(), message);
            return None;
        }
        let message = "`flag` names a bit of an earlier field: `flag = flags & 4`, or `flag = flags.NAME` for `bitflags`";
        errors.add_range(word.value.ends(), message);
        return None;
    };
    let (holder, name) = (&fields[flag.index], &fields[flag.index].name);
    if flag.index >= index {
        errors.add(word.value.span(), format!("`{name}` is read later; move it before this field"));
        return None;
    }
    let bits = Box::new(Expr::Name(syn::Ident::new(&name.to_string(), word.value.span())));
    let value = match holder.kind {
        Kind::Nested => {
            let contains = syn::Ident::new("contains", holder.ty.span());
            let set = Expr::Method(bits, contains, vec![flag.bit.clone()]);
            if flag.inverted { Expr::Not(Box::new(set)) } else { set }
        }
        _ => {
            let bit = Expr::Binary(bits, Op::BitAnd, Box::new(flag.bit.clone()));
            let op = if flag.inverted { Op::Eq } else { Op::Ne };
            Expr::Binary(Box::new(bit), op, Box::new(Expr::Int(0, word.span)))
        }
    };
    let span = word.span;
    Some((flag, Word { span, value }))
}
