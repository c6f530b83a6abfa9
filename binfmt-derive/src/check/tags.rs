//! Rules about enums that are told apart by a tag.

use quote::ToTokens as _;
use syn::Type;

use super::exprs::{self, Scope, Wanted};
use super::{refuse, span};
use crate::attr::{End, Id, Word};
use crate::errors::Errors;
use crate::expr::Expr;
use crate::model::{Kind, Model, Numeric, Scalar, Variant};

/// Checks the tag of the enum, and which variant has which ids.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, variants: &[Variant<'_>]) {
    let Some(tag) = &model.words.tag else { return };
    exprs::check(errors, model, "tag", &tag.value, Scope::all(model), Wanted::Anything);
    let scalar = argument(model, &tag.value).and_then(|ty| Kind::of(ty).scalar());
    if scalar.is_some_and(|scalar| scalar.numeric != Numeric::Unsigned) {
        let (first, last) = tag.value.ends();
        errors.add_range((first, last), "a tag is an unsigned number, or an enum of numbers");
    }
    let mut other = false;
    for variant in variants {
        words(errors, variant);
        keeps(errors, model, &tag.value, variant);
        if let Some(word) = &variant.words.other
            && std::mem::replace(&mut other, true)
        {
            errors.add(word.span, "duplicate `other`; keep one");
        }
    }
    ids(errors, scalar, variants);
}

/// Words that need a tag.
pub(super) fn without_tag(errors: &mut Errors, variant: &Variant<'_>) {
    refuse(
        errors,
        span(&variant.words.other),
        "other",
        "keeps what no variant stands for, so the enum needs `#[repr(..)]` or `tag = ..`",
    );
    refuse(
        errors,
        span(&variant.words.id),
        "id",
        "is what a tag is compared with; say which one on the enum: `tag = kind`",
    );
}

fn words(errors: &mut Errors, variant: &Variant<'_>) {
    let (words, name) = (&variant.words, variant.ident);
    refuse(
        errors,
        span(&words.magic),
        "magic",
        "tells variants apart, and so does `tag`; put it on the type of the variant",
    );
    if words.id.is_none() && words.other.is_none() {
        errors.add(name.span(), format!("`{name}` needs the tag that it stands for: `id = 3`"));
    }
}

/// A variant that stands for several tags keeps the one that was read.
fn keeps(errors: &mut Errors, model: &Model<'_>, tag: &Expr, variant: &Variant<'_>) {
    let words = &variant.words;
    let several = words.id.as_ref().is_some_and(|ids| ids.value.several());
    if words.other.is_none() && !several {
        return;
    }
    let wanted = argument(model, tag).map_or_else(|| "u64".into(), crate::model::type_text);
    let name = variant.ident;
    let message = format!(
        "`{name}` stands for several tags, so it keeps the one that is there first: `{name}({wanted})` or `{name}({wanted}, Type)`"
    );
    match variant.kept {
        None => errors.add(name.span(), message),
        Some(kept) if crate::model::type_text(kept) != wanted => errors.add_at(kept, message),
        Some(_) => {}
    }
}

/// Ids that repeat, and ids that no tag can be.
fn ids(errors: &mut Errors, scalar: Option<Scalar>, variants: &[Variant<'_>]) {
    let most = scalar.map_or(u64::MAX, |scalar| {
        u64::MAX >> (64_u32.saturating_sub(u32::from(scalar.size).saturating_mul(8)))
    });
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    let mut paths: Vec<String> = Vec::new();
    for id in variants.iter().filter_map(|variant| variant.words.id.as_ref()).flat_map(all) {
        for end in [Some(&id.low), id.high.as_ref()].into_iter().flatten() {
            if let End::Int(value, span) = end
                && *value > most
            {
                errors.add(*span, format!("no tag is {value}; the greatest one is {most}"));
            }
        }
        match (&id.low, &id.high) {
            (End::Int(low, span), Some(End::Int(high, _))) if low > high => {
                errors.add(*span, "this range is empty; the lower id comes first");
            }
            (End::Int(low, span), None | Some(End::Int(..))) => {
                let high = match &id.high {
                    Some(End::Int(high, _)) => *high,
                    _ => *low,
                };
                if ranges.iter().any(|(from, to)| *low <= *to && high >= *from) {
                    errors.add(*span, "an earlier id is the same; every id tells one variant");
                }
                ranges.push((*low, high));
            }
            (End::Path(path), None) => {
                let text = path.to_token_stream().to_string();
                if paths.contains(&text) {
                    errors.add_at(path, "an earlier id is the same; every id tells one variant");
                }
                paths.push(text);
            }
            _ => {}
        }
    }
}

fn all(ids: &Word<crate::attr::Ids>) -> impl Iterator<Item = &Id> {
    ids.value.0.iter()
}

/// The type of the argument that is the tag.
fn argument<'m>(model: &'m Model<'_>, tag: &Expr) -> Option<&'m Type> {
    let Expr::Name(name) = tag else { return None };
    let parameter = model.parameters().iter().find(|parameter| parameter.name == *name)?;
    Some(&parameter.ty)
}
