//! Rules about magics, and about byte orders that the file tells.

use super::exprs::{self, Scope, Wanted};
use super::{kinds, refuse, span};
use crate::attr::{Endian, Magic};
use crate::errors::Errors;
use crate::expr::Expr;
use crate::model::{Body, Field, Kind, Model, Scalar, Variant, is_byte};
use crate::model::{alternatives, array_of_bytes, keeper_type, number_in, takes_order};
use crate::model::{kept_magic, type_text, variant_magics};

/// Checks one magic; `help` says how to come by a byte order that is not known.
pub(super) fn width(errors: &mut Errors, magic: &Magic, help: Option<&str>) {
    let int = match magic {
        Magic::Bytes(bytes) => {
            if bytes.value().is_empty() {
                errors.add(bytes.span(), "an empty magic says nothing");
            }
            return;
        }
        Magic::Int(int) => int,
    };
    let Some(scalar) = Scalar::named(int.suffix()).filter(|scalar| scalar.is_int()) else {
        errors.add(int.span(), format!("the magic needs its width: `{int}u32`"));
        return;
    };
    if number_in(int).is_none() {
        let room =
            if scalar.size == 1 { "1 byte".into() } else { format!("{} bytes", scalar.size) };
        errors.add(int.span(), format!("the magic does not fit into {room}"));
    }
    if let Some(help) = help.filter(|_| scalar.size > 1) {
        errors.add(int.span(), format!("the magic has no byte order; {help}"));
    }
}

/// Numbers in an inherited order are compared as numbers, all at once.
pub(super) fn inherited(errors: &mut Errors, model: &Model<'_>, variants: &[Variant<'_>]) {
    if !model.has_ordered_magics() {
        return;
    }
    let width = |magic: &Magic| match magic {
        Magic::Int(int) => Scalar::named(int.suffix()).map(|scalar| scalar.size),
        Magic::Bytes(_) => None,
    };
    let magics = || variants.iter().filter_map(|variant| variant.words.magic.as_ref());
    let first = magics().find_map(|word| width(&word.value));
    for variant in variants {
        let Some(span) = variant.words.magic_span() else { continue };
        // One of several is kept as its bytes, which no order turns.
        let own = variant.words.magic.as_ref().and_then(|word| width(&word.value));
        if own.is_none() || own != first || !first.is_some_and(u8::is_power_of_two) {
            errors.add(
                span,
                "in an inherited order the magics of variants are one number each, all of one width, 2, 4 or 8 bytes; write all of them so, or give the enum `little` or `big`",
            );
        }
    }
}

/// Checks the magics of a variant that has several, and what it keeps of them.
pub(super) fn of_variant(errors: &mut Errors, model: &Model<'_>, variant: &Variant<'_>) {
    let words = &model.words;
    let Some(word) = &variant.words.magics else { return };
    if words.tag.is_some() || words.probe.is_some() {
        return;
    }
    // Once for all of them; what the others say of an inherited order is told of there.
    let is_known = words.order.is_some() || model.has_ordered_magics();
    let mut unknown = (!is_known).then_some(
        "give the enum `little` or `big`, or write the bytes: `magic = [b\"II\", b\"MM\"]`",
    );
    word.value.iter().for_each(|one| width(errors, &one.magic, unknown.take()));
    let mut all = variant_magics(model, variant);
    let (count, len) = (all.len(), all.first().map_or(0, Vec::len));
    if count < 2 {
        errors.add(word.span, "this is no choice; write the magic without brackets");
    }
    if all.iter().any(|bytes| bytes.len() != len) {
        let why = "magics of one variant have one length; declare a variant for each length";
        return errors.add(word.span, why);
    }
    all.sort_unstable();
    all.dedup();
    if all.len() < count {
        errors.add(word.span, "two of these magics are the same");
    }
    let (name, wanted) = (variant.ident, kept_magic(variant));
    if words.peek.is_none() && variant.kept.is_none_or(|kept| type_text(kept) != wanted) {
        let message = format!(
            "`{name}` begins with one of several magics, so it keeps that first: `{name}({wanted})` or `{name}({wanted}, Type)`"
        );
        match variant.kept {
            Some(kept) => errors.add_at(kept, message),
            None => errors.add(name.span(), message),
        }
    }
}

/// Checks the magic of a field.
pub(super) fn field(errors: &mut Errors, model: &Model<'_>, index: usize, field: &Field<'_>) {
    let words = &field.words;
    if let Some(magic) = &words.magic {
        let unknown = field
            .order(model)
            .is_none()
            .then_some("add `little` or `big` to the type or to the field");
        width(errors, &magic.value, unknown);
    }
    let Some(keeper) = &words.keeper else { return };
    let choice = alternatives(model);
    let Some((first, _)) = choice.first() else {
        errors.add(keeper.span, "`magic` alone keeps one of several; give the type a choice: `magic = [b\"II\", b\"MM\"]`");
        return;
    };
    if index > 0 {
        errors.add(keeper.span, "the magic comes first; move this field to the front");
    }
    let whole = matches!(field.kind, Kind::Array(item) if is_byte(item));
    let len = array_of_bytes(field.inner);
    if !whole || len.is_some_and(|len| len != first.len()) {
        errors.add_at(
            field.ty,
            format!("this field keeps the bytes of the magic: `{}`", keeper_type(model)),
        );
    }
    if words.may_be_absent()
        || words.at.is_some()
        || words.magic.is_some()
        || words.with.is_some()
        || words.pad_before.is_some()
        || words.align_before.is_some()
        || words.pad_to.is_some()
    {
        errors
            .add(keeper.span, "the magic is always there and comes first; remove the other words");
    }
}

/// Checks the choice of magics that a type has.
pub(super) fn choice(errors: &mut Errors, model: &Model<'_>) {
    let Some(word) = &model.words.magics else { return };
    let given = follows_from_magic(model);
    if word.value.len() < 2 && !given {
        errors.add(
            word.span,
            "this is no choice; write the magic without brackets, or add another one",
        );
        return;
    }
    for one in &word.value {
        let unknown = model.words.order.is_none() && one.order.is_none() && !given;
        width(errors, &one.magic, unknown.then_some("add `little` or `big` to the type"));
        match (&one.magic, &one.order) {
            (_, Some((_, span))) if !given => {
                errors.add(*span, "this order has no effect; add `endian = magic`");
            }
            (Magic::Bytes(bytes), None) if given => {
                errors.add(
                    bytes.span(),
                    "say which order these bytes stand for: `b\"II\" => little`",
                );
            }
            _ => {}
        }
    }
    let all = alternatives(model);
    let len = all.first().map_or(0, |(bytes, _)| bytes.len());
    if all.iter().any(|(bytes, _)| bytes.len() != len) {
        errors.add(
            word.span,
            "magics of one type have one length; declare an enum with a `magic` for each variant",
        );
    }
    let repeated = |index: usize| {
        all.iter()
            .take(index)
            .any(|(earlier, _)| all.get(index).is_some_and(|(one, _)| one == earlier))
    };
    if (0..all.len()).any(repeated) {
        let why = if given { "; one that reads the same in both orders tells none" } else { "" };
        errors.add(word.span, format!("two of these magics are the same{why}"));
    }
    if !model.fields().iter().any(|field| field.words.keeper.is_some()) {
        errors.add(
            word.span,
            format!(
                "a field must keep the magic that is there: `#[bin(magic)] magic: {}`",
                keeper_type(model)
            ),
        );
    }
}

/// Whether the order follows from a magic, and none is given that could tell it.
pub(super) fn is_no_choice(model: &Model<'_>) -> bool {
    follows_from_magic(model) && model.words.magics.is_none()
}

fn follows_from_magic(model: &Model<'_>) -> bool {
    matches!(model.words.endian.as_ref().map(|word| &word.value), Some(Endian::Magic))
}

/// Checks a byte order that is told by the file.
pub(super) fn endian(errors: &mut Errors, model: &Model<'_>) {
    let words = &model.words;
    let Some(endian) = &words.endian else { return };
    if let (Endian::Magic, Some(Magic::Int(int))) =
        (&endian.value, words.magic.as_ref().map(|word| &word.value))
    {
        // A number is looked for in both orders where a field keeps what is there.
        return errors.add(
            int.span(),
            format!("a magic that tells the byte order is a choice, which a first field keeps; write `magic = [{int}]`, and `#[bin(magic)] magic: {}` in front", match Scalar::named(int.suffix()) {
                Some(scalar) => format!("[u8; {}]", scalar.size),
                None => "[u8; 4]".to_owned(),
            }),
        );
    }
    match (&model.body, &endian.value) {
        (Body::Union(variants), Endian::Inherit)
            if variants.iter().any(|variant| {
                variant.part.is_some() || variant.ty.is_some_and(|ty| takes_order(model, ty))
            }) || model.has_ordered_magics() => {}
        (Body::Union(_), _) => {
            errors.add(
                endian.span,
                "the variants tell their own order, or inherit it; remove `endian`",
            );
        }
        (_, Endian::Inherit) => {}
        (Body::Enum { .. }, _) => {
            errors.add(
                endian.span,
                "an enum of numbers has a fixed order, or that around it: `endian = inherit`",
            );
        }
        _ if words.bits.is_some() => {
            errors.add(
                endian.span,
                "bit fields have a fixed order, or that around them: `endian = inherit`",
            );
        }
        (_, Endian::Magic) if words.magics.is_none() => {
            errors.add(
                endian.span,
                "no magic tells the byte order; add `magic = [b\"II\" => little, b\"MM\" => big]`",
            );
        }
        (_, Endian::Magic) => {}
        (_, Endian::Computed(expr)) => computed(errors, model, expr),
    }
    refuse(
        errors,
        span(&words.bitflags).filter(|_| !matches!(endian.value, Endian::Inherit)),
        "bitflags",
        "has a fixed order, or that around it: `endian = inherit`",
    );
}

/// Refuses what is seen to be no byte order.
fn no_order(errors: &mut Errors, model: &Model<'_>, order: &Expr) {
    match order {
        Expr::If(_, yes, no) => {
            no_order(errors, model, yes);
            no_order(errors, model, no);
        }
        Expr::Name(name) if kinds::numeric(model, name).is_none() => {}
        // That a text is none has been told.
        Expr::Path(_) | Expr::Field(..) | Expr::Call(..) | Expr::Method(..) | Expr::Text(_) => {}
        _ => errors.add_range(
            order.ends(),
            "a byte order is an `Order`; write `endian = if order == 2 { Order::Big } else { Order::Little }`",
        ),
    }
}

/// Checks the expression that a byte order follows from.
fn computed(errors: &mut Errors, model: &Model<'_>, order: &Expr) {
    let scope = Scope { located: false, ..Scope::all(model) };
    no_order(errors, model, order);
    exprs::check(errors, model, "endian", order, scope, Wanted::Anything);
    for (_, name) in order.measures() {
        errors.add(
            name.span(),
            "a byte order does not follow from a length or a place; name the field that stores it",
        );
    }
    for name in order.names() {
        let Some((_, field)) = model.field(name) else { continue };
        if matches!(field.kind, Kind::Auto(..)) {
            errors.add(name.span(), format!("`{name}` is computed by the writer and cannot tell the byte order; make it a plain number"));
        }
    }
    if let Some(magic) = &model.words.magic
        && model.order_known() != Some(0)
    {
        width(errors, &magic.value, Some("write its bytes"));
    }
}
