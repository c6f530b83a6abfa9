//! Rules about enums that are told apart by a tag.

use proc_macro2::Span;
use syn::Type;

use super::exprs::{self, Scope, Wanted};
use super::{refuse, span};
use crate::attr::{End, Id};
use crate::errors::Errors;
use crate::expr::Expr;
use crate::model::{Kept, Kind, Model, Numeric, Scalar, TagSort, Variant};

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
    ids(errors, model, scalar, variants);
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
fn ids(errors: &mut Errors, model: &Model<'_>, scalar: Option<Scalar>, variants: &[Variant<'_>]) {
    let mut seen = Seen { most: greatest(scalar), ..Seen::default() };
    for ids in variants.iter().filter_map(|variant| variant.words.id.as_ref()) {
        for id in &ids.value.list {
            of_the_sort(errors, model.tag_sort(), id);
            seen.add(errors, id, ids.value.guard.is_some());
        }
    }
}

/// The ids of an enum of numbers, each with several numbers.
pub(super) fn of_numbers(errors: &mut Errors, repr: Scalar, kept: &[Kept<'_>]) {
    let mut seen = Seen { most: greatest(Some(repr)), ..Seen::default() };
    for ids in kept.iter().filter_map(|kept| kept.words.id.as_ref()) {
        if let Some(guard) = &ids.value.guard {
            errors.add_range(
                guard.ends(),
                "the numbers of an enum depend on nothing else; remove the condition",
            );
        }
        if !ids.value.several() {
            errors.add(ids.span, "one number is written behind the name: `Name = 3`");
        }
        for id in &ids.value.list {
            of_the_sort(errors, TagSort::Number, id);
            seen.add(errors, id, false);
        }
    }
}

fn greatest(scalar: Option<Scalar>) -> u64 {
    scalar.map_or(u64::MAX, |scalar| {
        let signed = u32::from(scalar.numeric == Numeric::Signed);
        let bits = u32::from(scalar.size).saturating_mul(8).saturating_sub(signed);
        u64::MAX >> 64_u32.saturating_sub(bits)
    })
}

/// An id is what the tag is.
fn of_the_sort(errors: &mut Errors, sort: TagSort, id: &Id) {
    for end in id.ends() {
        let wrong = match (end, sort) {
            (End::Bytes(bytes), TagSort::Bytes) => {
                bytes.value().is_empty().then_some("no tag has no bytes")
            }
            (End::Path(_), _) | (End::Int(..), TagSort::Number) | (End::Text(_), TagSort::Text) => {
                None
            }
            (_, TagSort::Number) => Some(
                "the tag is a number; bytes and texts are compared with an argument of such a type: `args(kind: [u8; 4])`",
            ),
            (_, TagSort::Bytes) => Some("the tag is bytes: `id = b\"RIFF\"`"),
            (_, TagSort::Text) => Some("the tag is a text: `id = \"RIFF\"`"),
        };
        if let Some(wrong) = wrong {
            errors.add(end.span(), wrong);
        } else if sort != TagSort::Number && matches!(id, Id::Range(..)) {
            errors.add(end.span(), "a range has numbers for its ends");
        }
    }
}

/// The ids so far, but for those beside which a condition stands.
#[derive(Default)]
struct Seen {
    most: u64,
    ranges: Vec<(u64, u64)>,
    texts: Vec<String>,
}

impl Seen {
    fn add(&mut self, errors: &mut Errors, id: &Id, guarded: bool) {
        for end in id.ends() {
            if let End::Int(value, span) = end
                && *value > self.most
            {
                let most = self.most;
                errors.add(*span, format!("no tag is {value}; the greatest one is {most}"));
            }
        }
        let same = "an earlier id is the same; every id tells one variant";
        if let Some((low, high, span)) = self.range(id) {
            if low > high {
                errors.add(span, "this range is empty; the lower id comes first");
                return;
            }
            if self.ranges.iter().any(|(from, to)| low <= *to && high >= *from) {
                errors.add(span, same);
            }
            self.ranges.extend((!guarded).then_some((low, high)));
        } else if let Id::One(end) = id {
            let text = end.tokens().to_string();
            if self.texts.contains(&text) {
                match end {
                    End::Path(path) => errors.add_at(path, same),
                    end => errors.add(end.span(), same),
                }
            }
            self.texts.extend((!guarded).then_some(text));
        }
    }

    /// The least and the greatest number that an id stands for, if these are known here.
    fn range(&self, id: &Id) -> Option<(u64, u64, Span)> {
        let number = |end: &End| match end {
            End::Int(value, span) => Some((*value, *span)),
            _ => None,
        };
        match id {
            Id::One(one) => number(one).map(|(value, span)| (value, value, span)),
            Id::Range(low, high) => {
                let span = id.ends().next()?.span();
                let low = low.as_ref().map_or(Some((0, span)), number)?;
                let high = high.as_ref().map_or(Some((self.most, span)), number)?;
                Some((low.0, high.0, span))
            }
        }
    }
}

/// The type of the argument that is the tag.
fn argument<'m>(model: &'m Model<'_>, tag: &Expr) -> Option<&'m Type> {
    let Expr::Name(name) = tag else { return None };
    let parameter = model.parameters().iter().find(|parameter| parameter.name == *name)?;
    Some(&parameter.ty)
}
