//! Rules about the types of fields and variants, as far as a type is seen by its name.

use proc_macro2::Span;
use syn::{GenericArgument, Lifetime, PathArguments, Type};

use super::no_order;
use crate::attr::Words;
use crate::errors::Errors;
use crate::model::{Field, Kind, Model, Numeric, Scalar, Variant};
use crate::model::{encoded, is_lazy, number_type, option_argument, parts};
use crate::model::{parameter, scalar, takes_arguments, type_text, widest};

/// Checks the type of a field that is not read by a function of the user.
pub(super) fn field(errors: &mut Errors, model: &Model<'_>, field: &Field<'_>) {
    lifetimes(errors, model, field.inner);
    parameter_without_arguments(errors, model, &field.words, field.inner);
    decoded_parameter(errors, model, field.inner);
    if option_argument(field.inner).is_some() {
        // Without a condition the missing condition is the mistake.
        if field.is_optional() {
            errors
                .add_at(field.inner, "an `Option` in an `Option` has no meaning here; remove one");
        }
        return;
    }
    match field.kind {
        Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => check_item(errors, item),
        Kind::Auto(scalar, ty) if !scalar.is_int() => {
            errors.add_at(ty, "an `Auto` is an integer: `Auto<u32>`");
        }
        Kind::Nested if takes_arguments(field.inner, "Auto") => {
            errors.add_at(field.inner, "an `Auto` is an integer: `Auto<u32>`");
        }
        Kind::Nested if is_constant(field) => {}
        Kind::Nested => nested(errors, field.inner),
        _ => {}
    }
}

/// What stands for a type parameter is any type, and is given the byte order alone.
fn parameter_without_arguments(errors: &mut Errors, model: &Model<'_>, words: &Words, ty: &Type) {
    let Some(args) = words.args.as_ref().filter(|_| words.with.is_none() && words.map.is_none())
    else {
        return;
    };
    if let Some(parameter) = parameter(model, innermost(ty)) {
        errors.add(
            args.span,
            format!("`{parameter}` is a type parameter, which takes no arguments but a byte order; name a declared type in its place"),
        );
    }
}

/// What is in coded bytes knows its arguments, which those of a type parameter depend on.
fn decoded_parameter(errors: &mut Errors, model: &Model<'_>, ty: &Type) {
    let item = match Kind::of(ty) {
        Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item) => {
            option_argument(item).unwrap_or(item)
        }
        _ => ty,
    };
    let Some(parameter) = encoded(item).and_then(|(_, inner)| parameter(model, inner)) else {
        return;
    };
    errors.add(
        parameter.span(),
        format!("`{parameter}` is a type parameter, and coded bytes hold a declared type; declare one around it: `struct Part<{parameter}> {{ value: {parameter} }}`"),
    );
}

/// The type of the items of a sequence, and what a box or something lazy holds.
fn innermost(ty: &Type) -> &Type {
    match (Kind::of(ty), parts(ty).as_deref()) {
        (Kind::Seq(item) | Kind::Vec(item) | Kind::Array(item), _) => innermost(item),
        (Kind::Nested, Some([one])) if !matches!(ty, Type::Tuple(_)) => innermost(one),
        _ => ty,
    }
}

/// An argument is a value that is computed with, and is stored nowhere.
pub(super) fn parameters(errors: &mut Errors, model: &Model<'_>) {
    for parameter in model.parameters() {
        // A type without a lifetime has none to name.
        let of_the_input = model.lifetime.is_none()
            && matches!(Kind::of(&parameter.ty), Kind::Bytes { .. } | Kind::Text { .. });
        let borrows = unnamed(&parameter.ty).filter(|_| !of_the_input);
        if let Some(borrow) = borrows {
            errors.add(
                borrow,
                "an argument borrows from the input, by the lifetime of the type, as `&'a [u8]` does in a `struct Body<'a>`; of a value that was read before, pass the numbers: `args(size: u32)`",
            );
            continue;
        }
        names_of_lifetimes(errors, model, &parameter.ty);
        if !Kind::of(&parameter.ty).is_copied() {
            let what = type_text(&parameter.ty);
            errors.add_at(
                &parameter.ty,
                format!("an argument is copied, and a `{what}` is not; borrow it from the input, `&'a [u8]`, or pass the numbers that are needed"),
            );
        }
        let Some(scalar) = number(&parameter.ty) else { continue };
        if !scalar.is_int() || (!scalar.variable && scalar.size.is_power_of_two()) {
            continue;
        }
        let whole = match (scalar.numeric, scalar.size) {
            _ if scalar.variable => type_text(number_type(&parameter.ty)),
            (Numeric::Signed, 3) => "i32".to_owned(),
            (Numeric::Signed, _) => "i64".to_owned(),
            (_, 3) => "u32".to_owned(),
            _ => "u64".to_owned(),
        };
        errors.add_at(
            &parameter.ty,
            format!("an argument is not stored, so it has no form in a file; write `{whole}`, to which what is passed is converted"),
        );
    }
}

/// A lifetime in the type of an argument is that of the input, which the type has to have. The fields of a
/// variant have the arguments of their enum, which has been asked.
fn names_of_lifetimes(errors: &mut Errors, model: &Model<'_>, ty: &Type) {
    let is_known = |name: &Lifetime| name.ident == "static" || model.lifetime == Some(name);
    let unknown = lifetimes_of(ty).into_iter().find(|lifetime| !is_known(lifetime));
    if let Some(lifetime) = unknown.filter(|_| model.part.is_none()) {
        let name = &model.input.ident;
        let fix = match model.lifetime {
            Some(own) => format!("which is `{own}`"),
            None => format!("so give the type its lifetime: `{name}<{lifetime}>`"),
        };
        errors.add_at(lifetime, format!("an argument borrows from the input, {fix}"));
    }
}

/// Items follow one another without anything that tells their size.
fn check_item(errors: &mut Errors, item: &Type) {
    match Kind::of(item) {
        Kind::Array(inner) => check_item(errors, inner),
        Kind::Bytes { .. } | Kind::Text { .. } | Kind::Utf16 | Kind::Seq(_) | Kind::Vec(_) => {
            errors.add_at(item, "nothing tells the size of each item; declare a struct around it");
        }
        Kind::Auto(..) => {
            errors.add_at(item, "an `Auto` is a field of a struct; declare one around it");
        }
        Kind::Nested if option_argument(item).is_some() => {
            errors.add_at(item, "nothing says when an item is there; declare a struct around it");
        }
        Kind::Nested if is_lazy(item) || encoded(item).is_some() => {
            errors.add_at(item, "nothing tells the size of each item; declare a struct around it");
        }
        Kind::Nested => nested(errors, item),
        Kind::Scalar(_) => {}
    }
}

/// Checks the type that is stored for a field with `map`.
pub(super) fn stored(errors: &mut Errors, ty: &Type) {
    check_item(errors, ty);
}

/// Whether a field is a constant or a padding alone: `()` with a `magic` or an `align_before`.
fn is_constant(field: &Field<'_>) -> bool {
    let words = &field.words;
    let padded = [&words.pad_before, &words.pad_after, &words.align_before, &words.align_after];
    let has_bytes = words.magic.is_some() || padded.iter().any(|word| word.is_some());
    has_bytes && parts(field.inner).is_some_and(|parts| parts.is_empty())
}

/// The values of a tuple, and what is in a box or is lazy, are like items.
fn nested(errors: &mut Errors, ty: &Type) {
    if let Some((_, inner)) = encoded(ty)
        && let Some(borrow) = borrows(inner)
    {
        errors.add(
            borrow,
            "decoded bytes lie nowhere in the file, so that nothing can be borrowed from them; hold an owned type: `String`, `Vec<u8>`",
        );
    }
    match parts(ty) {
        Some(list) if list.is_empty() => {
            errors.add_at(ty, "an empty tuple has no bytes; remove the field, or say which constant or padding it is: `magic = b\"END\"`, `align_before = 4`");
        }
        Some(list) if list.len() > 8 => {
            errors.add_at(ty, "a tuple has 8 values at most; declare a struct");
        }
        Some(list) if is_lazy(ty) && list.iter().any(|part| encoded(part).is_some()) => {
            errors.add_at(ty, "what is lazy is a declared type; declare a struct around the coded value: `#[bin(until_end)] body: Encoded<..>`");
        }
        Some(list) => list.into_iter().for_each(|part| check_item(errors, part)),
        None => unreadable(errors, ty),
    }
}

/// Where a type says that it borrows.
fn borrows(ty: &Type) -> Option<Span> {
    match ty {
        Type::Reference(reference) => Some(reference.and_token.span),
        Type::Array(array) => borrows(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(borrows),
        Type::Path(path) => {
            let segment = path.path.segments.last()?;
            let PathArguments::AngleBracketed(list) = &segment.arguments else { return None };
            list.args.iter().find_map(|arg| match arg {
                GenericArgument::Lifetime(lifetime) => Some(lifetime.span()),
                GenericArgument::Type(ty) => borrows(ty),
                _ => None,
            })
        }
        _ => None,
    }
}

/// Where a type borrows without saying from what.
fn unnamed(ty: &Type) -> Option<Span> {
    match ty {
        Type::Reference(reference) if reference.lifetime.is_none() => {
            Some(reference.and_token.span)
        }
        Type::Reference(reference) => unnamed(&reference.elem),
        Type::Array(array) => unnamed(&array.elem),
        Type::Slice(slice) => unnamed(&slice.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(unnamed),
        _ => None,
    }
}

/// Checks the type of a variant: a declared one, a number or an array of numbers.
pub(super) fn variant(errors: &mut Errors, model: &Model<'_>, variant: &Variant<'_>) {
    let Some(ty) = variant.ty else { return };
    parameter_without_arguments(errors, model, &variant.words, ty);
    lifetimes(errors, model, ty);
    if let Some(scalar) = number(ty) {
        no_codec(errors, variant);
        if scalar.size > 1 && model.words.order.is_none() && !model.inherits() {
            let what = format!("the number of `{}`", variant.ident);
            no_order(errors, ty, &what, scalar.size, "the enum");
        }
        if let Some(args) = &variant.words.args {
            errors.add(
                args.span,
                "`args` are for declared types, and numbers have none; remove them",
            );
        }
        return;
    }
    if encoded(ty).is_some() {
        return nested(errors, ty);
    }
    no_codec(errors, variant);
    if let Type::Tuple(tuple) = ty
        && !tuple.elems.is_empty()
    {
        return tuple_of(errors, model, variant, ty);
    }
    let inner = match parts(ty).as_deref() {
        Some([inner]) if named(ty, "Box") => *inner,
        _ => ty,
    };
    if is_declared(inner) {
        unreadable(errors, inner);
    } else if Kind::of(ty).is_sequence() || Kind::of(ty).is_bytes() {
        errors.add_at(
            ty,
            "where this value ends stands in front of it, as on a field: `Name(#[bin(prefix = u16)] String)`",
        );
    } else {
        errors.add_at(
            ty,
            "a variant holds fields, a declared type or a number; declare a struct around this one",
        );
    }
}

/// What is said of coded bytes has no meaning on a variant without any.
fn no_codec(errors: &mut Errors, variant: &Variant<'_>) {
    if let Some(codec) = &variant.words.codec {
        errors.add(
            codec.span,
            "`codec` tells how the bytes of an `Encoded<C, T>` are coded; this variant holds none",
        );
    }
    if let Some(until_codec) = &variant.words.until_codec {
        errors.add(until_codec.span, "`until_codec` asks the codec of an `Encoded<C, T>` where its bytes end; this variant holds none");
    }
}

/// A variant with several values, each of which is a number or of a declared type.
fn tuple_of(errors: &mut Errors, model: &Model<'_>, variant: &Variant<'_>, ty: &Type) {
    if let Some(args) = &variant.words.args {
        errors.add(args.span, "`args` are for declared types, and a tuple has none; declare a struct in place of the tuple");
    }
    let ordered = model.words.order.is_some() || model.inherits();
    if let Some(scalar) = widest(ty).filter(|scalar| scalar.size > 1 && !ordered) {
        let what = format!("a number of `{}`", variant.ident);
        no_order(errors, ty, &what, scalar.size, "the enum");
    }
    nested(errors, ty);
}

/// The number that a variant holds, or that an array in it consists of.
pub(crate) fn number(ty: &Type) -> Option<Scalar> {
    scalar(ty).filter(|_| matches!(Kind::of(ty), Kind::Scalar(_) | Kind::Array(_)))
}

/// Whether a type can only be a declared one, or none that can be read.
fn is_declared(ty: &Type) -> bool {
    matches!(Kind::of(ty), Kind::Nested)
        && option_argument(ty).is_none()
        && parts(ty).is_none()
        && !takes_arguments(ty, "Auto")
}

/// Types of Rust that are no format, with what to write instead.
pub(super) fn unreadable(errors: &mut Errors, ty: &Type) {
    let instead = match ty {
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(_) => {
                "a slice is borrowed only as bytes: `&[u8]`; for items use `Seq<'a, T>`"
            }
            _ => "only `&[u8]` and `&str` are borrowed; write the type without `&`",
        },
        Type::Path(path) => match path.path.get_ident().map(ToString::to_string).as_deref() {
            Some("usize") => "the size of `usize` depends on the machine; use `u32` or `u64`",
            Some("isize") => "the size of `isize` depends on the machine; use `i32` or `i64`",
            Some("u128" | "i128") => "numbers have 64 bits at most; use `[u8; 16]`",
            Some("char") => "a `char` has no size of its own on the wire; use `u8` or `u32`",
            Some("str") => "a text is borrowed: `&str`",
            _ => return,
        },
        Type::Slice(_) => "a slice is borrowed, `&[u8]`, or owned, `Vec<u8>`",
        Type::FnPtr(_)
        | Type::Ptr(_)
        | Type::Never(_)
        | Type::TraitObject(_)
        | Type::ImplTrait(_) => "a value of this type cannot be stored in a file",
        _ => return,
    };
    errors.add_at(ty, instead);
}

/// What borrows borrows from the input.
pub(super) fn lifetimes(errors: &mut Errors, model: &Model<'_>, ty: &Type) {
    let mut mutable = None;
    within(ty, &mut |ty| {
        if let Type::Reference(reference) = ty {
            mutable = mutable.or(reference.mutability.as_ref());
        }
    });
    if let Some(mutable) = mutable {
        errors.add_at(mutable, "the input is only read; remove the `mut`");
    }
    for lifetime in lifetimes_of(ty) {
        of_the_input(errors, model, lifetime);
    }
}

/// All lifetimes in a type, from the left.
fn lifetimes_of(ty: &Type) -> Vec<&Lifetime> {
    let mut all = Vec::new();
    within(ty, &mut |ty| match ty {
        Type::Reference(reference) => all.extend(&reference.lifetime),
        _ => all.extend(arguments(ty).filter_map(|argument| match argument {
            GenericArgument::Lifetime(lifetime) => Some(lifetime),
            _ => None,
        })),
    });
    all
}

/// Visits a type and those that it is made of.
fn within<'t>(ty: &'t Type, visit: &mut dyn FnMut(&'t Type)) {
    visit(ty);
    match ty {
        Type::Reference(reference) => within(&reference.elem, visit),
        Type::Array(array) => within(&array.elem, visit),
        Type::Slice(slice) => within(&slice.elem, visit),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|part| within(part, visit)),
        _ => {}
    }
    for argument in arguments(ty) {
        if let GenericArgument::Type(ty) = argument {
            within(ty, visit);
        }
    }
}

/// What stands between the brackets behind the name of a type.
fn arguments(ty: &Type) -> impl Iterator<Item = &GenericArgument> {
    let last = if let Type::Path(path) = ty { path.path.segments.last() } else { None };
    let brackets = last.and_then(|segment| match &segment.arguments {
        PathArguments::AngleBracketed(brackets) => Some(&brackets.args),
        _ => None,
    });
    brackets.into_iter().flatten()
}

fn of_the_input(errors: &mut Errors, model: &Model<'_>, lifetime: &Lifetime) {
    let name = model.part.map_or(&model.input.ident, |part| &part.of);
    match model.lifetime {
        Some(own) if own == lifetime => {}
        Some(own) => errors
            .add_at(lifetime, format!("a value borrows from the input alone, which is `{own}`")),
        // Any other name is unknown to the compiler too, which says so.
        None if lifetime.ident == "static" => {
            errors.add_at(
                lifetime,
                format!("a value borrows from the input; give the type its lifetime: `{name}<'a>`"),
            );
        }
        None => {}
    }
}

pub(super) fn named(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|segment| segment.ident == name))
}
