//! Rules between words, fields and types; run only on a declaration that could be read.

mod again;
mod around;
mod bits;
mod by_hand;
mod byte_tag;
mod checksum;
mod computed;
mod decided;
mod ends;
mod exprs;
mod fields;
mod fits;
mod flat;
mod forms;
mod keywords;
mod kinds;
mod limits;
mod magic;
mod map;
mod never;
mod next;
mod overlaps;
mod overrides;
mod parallel;
mod peek;
mod prefix;
mod presence;
mod previous;
mod relations;
mod remaining;
mod rooms;
mod set;
mod signs;
mod sizes;
mod skip;
mod strings;
mod tags;
mod texts;
mod types;
mod view;

use proc_macro2::Span;
use quote::ToTokens;
use syn::Ident;

use self::exprs::{Scope, Wanted};
use crate::attr::{Rule, Word};
use crate::errors::Errors;
use crate::expr::Expr;
use crate::model::{Body, Model, Owner, Scalar, Variant};

/// Checks the whole declaration.
pub(crate) fn check(errors: &mut Errors, model: &Model<'_>) {
    skip::check(errors, model);
    forms::check(errors, model);
    if flat::check(errors, model) {
        return;
    }
    again::check(errors, model);
    match &model.body {
        Body::Struct(_) if model.words.bits.is_some() => {
            bits::check(errors, model);
            for rule in &model.words.rules {
                whole_rule(errors, model, rule);
            }
            computed::check(errors, model);
            texts::codes(errors, model);
        }
        Body::Struct(list) => {
            struct_words(errors, model);
            for (index, field) in list.iter().enumerate() {
                fields::check(errors, model, index, field);
            }
            next::check(errors, model);
            around::check(errors, model);
            rooms::check(errors, model);
            overlaps::check(errors, model);
            struct_len(errors, model);
            fits::too_short(errors, model);
            computed::check(errors, model);
            checksum::check(errors, model);
            overrides::check(errors, model);
            texts::codes(errors, model);
        }
        Body::Enum { repr, variants, kept, other, .. } => {
            tags::of_numbers(errors, *repr, kept);
            if repr.size > 1 && model.words.order.is_none() && model.words.endian.is_none() {
                no_order(errors, &model.input.ident, "the number", repr.size, "the enum");
            }
            if variants.is_empty() && kept.is_empty() && other.is_none() {
                errors.add(model.span(), "an enum without variants has no value to read");
            }
        }
        Body::Union(variants) => union_words(errors, model, variants),
    }
    types::parameters(errors, model);
    magic::endian(errors, model);
    if let Some(bound) = &model.words.bound
        && model.input.generics.type_params().next().is_none()
    {
        errors.add(bound.span, "the type has no parameters to be bound; remove `bound`");
    }
    parameters(errors, model);
}

/// A word that only makes sense elsewhere.
fn refuse(errors: &mut Errors, span: Option<Span>, word: &str, why: &str) {
    if let Some(span) = span {
        errors.add(span, format!("`{word}` {why}"));
    }
}

#[expect(clippy::ref_option, reason = "every word is kept as an `Option`")]
fn span<T>(word: &Option<Word<T>>) -> Option<Span> {
    word.as_ref().map(|word| word.span)
}

fn no_order(errors: &mut Errors, at: impl ToTokens, what: &str, size: u8, place: &str) {
    errors.add_at(
        at,
        format!(
            "{what} is {size} bytes wide and has no byte order; add `little` or `big` to {place}"
        ),
    );
}

fn alignment(errors: &mut Errors, align: Option<&Word<Expr>>) {
    if let Some(Word { value: Expr::Int(value, span), .. }) = align
        && !value.is_power_of_two()
    {
        errors.add(*span, "an alignment is a power of two");
    }
}

fn struct_words(errors: &mut Errors, model: &Model<'_>) {
    let words = &model.words;
    let one_integer =
        || matches!(model.fields(), [field] if field.kind.scalar().is_some_and(Scalar::is_rust));
    if words.bitflags.is_some() && !(model.is_transparent() && one_integer()) {
        refuse(
            errors,
            span(&words.bitflags),
            "bitflags",
            "belongs on a tuple struct around one integer: `struct Flags(u32)`",
        );
    }
    if let Some(magic) = &words.magic {
        let given = words.endian.is_some();
        let unknown = model.words.order.is_none() && !given;
        magic::width(errors, &magic.value, unknown.then_some("add `little` or `big` to the type"));
    }
    magic::choice(errors, model);
    presence::version(errors, model);
    alignment(errors, words.align_after.as_ref());
    let whole = Scope::all(model);
    if let Some(align) = &words.align_after {
        exprs::check(errors, model, "align_after", &align.value, whole, Wanted::Number);
    }
    for rule in &words.rules {
        whole_rule(errors, model, rule);
    }
}

fn whole_rule(errors: &mut Errors, model: &Model<'_>, rule: &Rule) {
    let whole = Scope::all(model);
    exprs::check(errors, model, rule.kind.word(), &rule.condition, whole, Wanted::Condition);
    texts::text(errors, model, rule, whole);
}

/// The length of a value takes effect behind the last field that it names, or at once.
fn struct_len(errors: &mut Errors, model: &Model<'_>) {
    let Some(len) = &model.words.len else { return };
    let named = len.value.names().into_iter().filter_map(|name| model.field(name));
    let known = named.map(|(index, _)| index + 1).max();
    // Lengths of fields behind that one are not known where they are needed.
    let scope = Scope { measures: known.unwrap_or(0), located: false, ..Scope::all(model) };
    exprs::check(errors, model, "len", &len.value, scope, Wanted::Number);
}

fn union_words(errors: &mut Errors, model: &Model<'_>, variants: &[Variant<'_>]) {
    let exprs = model.exprs();
    for (index, variant) in variants.iter().enumerate() {
        variant_words(errors, model, variant, index + 1 == variants.len());
        types::variant(errors, model, variant);
        let own = exprs.iter().copied().filter(|one| one.owner == Owner::Variant(index));
        exprs::all(errors, model, own);
        by_hand::check(errors, &variant.words);
    }
    repeated_magic(errors, model, variants);
    never::probed_twice(errors, model, variants);
    magic::inherited(errors, model, variants);
    tags::check(errors, model, variants);
    peek::check(errors, model, variants);
}

fn variant_words(errors: &mut Errors, model: &Model<'_>, variant: &Variant<'_>, last: bool) {
    let (words, name) = (&variant.words, variant.ident);
    let probing = model.words.probe.is_some();
    let empty = variant.ty.is_none() && variant.kept.is_none();
    if model.words.tag.is_none() {
        tags::without_tag(errors, variant);
    }
    match (words.magic_span(), probing) {
        _ if model.words.tag.is_some() => {}
        (Some(magic), true) => {
            errors.add(
                magic,
                "`probe` tells variants apart by reading them; remove the `magic`, or the `probe`",
            );
        }
        (None, true) if empty => {
            errors.add(
                name.span(),
                format!("`{name}` has nothing to read; give it a type, which may be an empty struct: `{name}(Type)`"),
            );
        }
        (None, false) if empty => {
            errors.add(
                name.span(),
                format!("`{name}` is empty; give it a `magic` or a type, which may be an empty struct: `{name}(Type)`"),
            );
        }
        (None, false) if !last => {
            errors.add(
                name.span(),
                format!("nothing tells `{name}` apart; give it a `magic`, and the enum `peek = 0` if its type reads that, or an `id`, and the enum the number that tells: `tag = kind, args(kind: u8)`; or try all: `probe`"),
            );
        }
        _ => {}
    }
    if let (Some(args), None) = (&words.args, variant.ty) {
        errors.add(
            args.span,
            format!("`args` are for the type of a variant, and `{name}` has none; remove them"),
        );
    }
    let coded = [("codec", span(&words.codec)), ("until_codec", span(&words.until_codec))];
    for (word, at) in coded.into_iter().filter(|_| variant.ty.is_none()) {
        let why = format!(
            "is for the coded bytes that a variant holds, and `{name}` holds none; remove it"
        );
        refuse(errors, at, word, &why);
    }
    if let Some(magic) = &words.magic {
        let unknown = model.words.order.is_none() && !model.has_ordered_magics();
        magic::width(errors, &magic.value, unknown.then_some("add `little` or `big` to the enum"));
    }
    magic::of_variant(errors, model, variant);
}

/// A variant that begins as an earlier one does could never be read; a longer magic may stand in front
/// of a shorter one, unless the byte order of the value around decides which is the beginning of which.
fn repeated_magic(errors: &mut Errors, model: &Model<'_>, variants: &[Variant<'_>]) {
    let mut seen: Vec<Vec<u8>> = Vec::new();
    for variant in variants {
        let words = &variant.words;
        let Some(at) = words.magic_span() else { continue };
        let all = crate::model::variant_magics(model, variant).into_iter();
        let all: Vec<_> = all.filter(|bytes| !bytes.is_empty()).collect();
        let begins = |one: &Vec<u8>| seen.iter().any(|other| one.starts_with(other));
        let is_begun = |one: &Vec<u8>| seen.iter().any(|other| other.starts_with(one));
        let taken = all.iter().find(|one| seen.contains(*one)).filter(|_| all.len() > 1);
        if let Some(taken) = taken {
            let hex: String = taken.iter().map(|byte| format!("{byte:02x}")).collect();
            errors.add(
                at,
                format!("an earlier variant begins with the bytes {hex} already; leave them out here, or give the last variant no magic: it takes what is left"),
            );
        } else if all.iter().any(begins) {
            errors.add(
                at,
                "an earlier variant begins with the same bytes; a longer magic goes in front of a shorter one",
            );
        } else if model.has_ordered_magics() && all.iter().any(is_begun) {
            errors.add(at, "an earlier variant begins with the same bytes");
        }
        seen.extend(all);
    }
}

/// Parameters and fields share one namespace.
fn parameters(errors: &mut Errors, model: &Model<'_>) {
    for (index, parameter) in model.parameters().iter().enumerate() {
        let name = &parameter.name;
        if model.field(name).is_some() {
            errors.add(
                name.span(),
                format!("`{name}` is a field already; give the argument another name"),
            );
        }
        if model.parameters().iter().take(index).any(|earlier| earlier.name == *name) {
            errors.add(name.span(), format!("duplicate argument `{name}`; keep one"));
        }
        if name.to_string().starts_with(char::is_uppercase) {
            errors.add(
                name.span(),
                format!(
                    "`{name}` would read as a constant; give the argument a name in lower case"
                ),
            );
        }
        if let Some(default) = &parameter.default {
            constant(errors, default);
        }
    }
    let defaults =
        model.parameters().iter().filter(|parameter| parameter.default.is_some()).count();
    if defaults > 0
        && defaults < model.parameters().len()
        && let Some(bare) = model.parameters().iter().find(|parameter| parameter.default.is_none())
    {
        errors.add(bare.name.span(), "give every argument a default, or none");
    }
}

/// A default is known before anything is read.
fn constant(errors: &mut Errors, default: &Expr) {
    let names = default.names().into_iter();
    let unknown: Vec<&Ident> =
        names.chain(default.measures().into_iter().map(|(_, name)| name)).collect();
    for name in unknown {
        errors.add(name.span(), format!("a default is a constant; `{name}` is not known here"));
    }
}
