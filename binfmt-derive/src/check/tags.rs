//! Rules about enums that are told apart by a tag.

use super::exprs::{self, Scope, Wanted};
use super::{refuse, span};
use crate::attr::{End, Id, Tag};
use crate::errors::Errors;
use crate::expr::{Expr, Op};
use crate::model::{Kept, Kind, Model, Numeric, Scalar, TagSort, Variant, array_of_bytes};
use proc_macro2::Span;

/// Checks the tag of the enum, and which variant has which ids.
pub(super) fn check(errors: &mut Errors, model: &Model<'_>, variants: &[Variant<'_>]) {
    let Some(tag) = &model.words.tag else { return };
    for part in &tag.value.parts {
        exprs::check(errors, model, "tag", part, Scope::all(model), Wanted::Anything);
        if number(model, part).is_some_and(|number| number.numeric != Numeric::Unsigned) {
            errors.add_range(part.ends(), "a tag is an unsigned number, or an enum of numbers");
        }
        if tag.value.tuple && model.tag_type(part).is_none() {
            errors.add_range(part.ends(), "each part of a tag is an argument: `args(class: u8)`");
        }
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
    ids(errors, model, &tag.value, variants);
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
        words.magic_span(),
        "magic",
        "tells variants apart, and so does `tag`; put it on the type of the variant",
    );
    if words.id.is_none() && words.other.is_none() {
        errors.add(name.span(), format!("`{name}` needs the tag that it stands for: `id = 3`"));
    }
}

/// A variant that stands for several tags keeps the one that was read.
fn keeps(errors: &mut Errors, model: &Model<'_>, tag: &Tag, variant: &Variant<'_>) {
    if variant.words.magics.is_some() || !variant.words.keep_a_tag(&model.words) {
        return;
    }
    let text = |part| model.tag_type(part).map_or_else(|| "u64".into(), crate::model::type_text);
    let parts: Vec<_> = tag.parts.iter().map(text).collect();
    let wanted = if tag.tuple { format!("({})", parts.join(", ")) } else { parts.concat() };
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
fn ids(errors: &mut Errors, model: &Model<'_>, tag: &Tag, variants: &[Variant<'_>]) {
    let tags: Vec<Part> = tag.parts.iter().map(|part| Part::of(model, part)).collect();
    let most = tags.first().filter(|_| !tag.tuple).map_or(u64::MAX, |part| part.most);
    let mut seen = Seen { most, ..Seen::default() };
    for ids in variants.iter().filter_map(|variant| variant.words.id.as_ref()) {
        for id in &ids.value.list {
            match (id, tags.as_slice()) {
                (Id::Parts(parts, _), tags) if tag.tuple && parts.len() == tags.len() => {
                    parts_of_the_sorts(errors, tags, parts);
                }
                (Id::Parts(_, span), tags) => {
                    let count = tags.len();
                    let what = if count == 1 { "part" } else { "parts" };
                    errors.add(*span, format!("the tag has {count} {what}"));
                }
                (id, _) if tag.tuple => {
                    if let Some(end) = id.ends().first() {
                        let example =
                            "the tag has several parts, and so has each id: `id = (1, _)`";
                        errors.add(end.span(), example);
                    }
                }
                (id, tags) => {
                    let part = tags.first().copied();
                    of_the_sort(errors, part.unwrap_or(Part::NUMBER), id);
                }
            }
            seen.add(errors, id, ids.value.guard.is_some());
        }
    }
}

/// Each part of an id is what that part of the tag is.
fn parts_of_the_sorts(errors: &mut Errors, tags: &[Part], parts: &[Option<Id>]) {
    for (tag, part) in tags.iter().zip(parts) {
        let Some(part) = part else { continue };
        if let Id::Parts(_, span) = part {
            errors.add(*span, "a part of a tag has no parts");
            continue;
        }
        of_the_sort(errors, *tag, part);
        Seen { most: tag.most, ..Seen::default() }.add(errors, part, false);
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
            match id {
                Id::Parts(_, span) => {
                    errors.add(*span, "a number has no parts: `id = 3 | 5`, or a range");
                }
                id => of_the_sort(errors, Part::NUMBER, id),
            }
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

/// A tag, or a part of one.
#[derive(Clone, Copy)]
struct Part {
    sort: TagSort,
    /// The greatest number that it can be.
    most: u64,
    /// How many bytes it has, where that is known.
    len: Option<usize>,
}

impl Part {
    const NUMBER: Self = Self { sort: TagSort::Number, most: u64::MAX, len: None };

    fn of(model: &Model<'_>, tag: &Expr) -> Self {
        Self {
            sort: model.sort_of(tag),
            most: most(model, tag),
            len: model.tag_type(tag).and_then(array_of_bytes),
        }
    }
}

/// The greatest number that a tag can be, as far as masks and shifts by constants say so.
fn most(model: &Model<'_>, tag: &Expr) -> u64 {
    let Expr::Binary(left, op, right) = tag else {
        return match tag {
            Expr::Int(value, _) => *value,
            _ => greatest(number(model, tag)),
        };
    };
    let (of, by) = (most(model, left), most(model, right));
    let is_constant = matches!(**right, Expr::Int(..));
    match op {
        Op::BitAnd => of.min(by),
        Op::Shr if is_constant => u32::try_from(by).map_or(0, |by| of.checked_shr(by).unwrap_or(0)),
        Op::Div if is_constant => of.checked_div(by).unwrap_or(u64::MAX),
        Op::Rem if is_constant => of.min(by.saturating_sub(1)),
        _ => u64::MAX,
    }
}

/// An id is what the tag is.
fn of_the_sort(errors: &mut Errors, Part { sort, len, .. }: Part, id: &Id) {
    for end in id.ends() {
        if let (End::Bytes(bytes), Some(len)) = (end, len)
            && bytes.value().len() != len
        {
            let own = bytes.value().len();
            errors.add(bytes.span(), format!("the tag has {len} bytes and this id has {own}"));
            continue;
        }
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
            (_, TagSort::Parts) => None,
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
    /// The parts of each; `None` is any.
    parts: Vec<Vec<Option<String>>>,
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
        if let Id::Parts(parts, span) = id {
            let texts: Vec<_> = parts.iter().map(|part| part.as_ref().map(text)).collect();
            if self.parts.iter().any(|earlier| covers(earlier, &texts)) {
                errors.add(*span, same);
            }
            self.parts.extend((!guarded).then_some(texts));
        } else if let Some((low, high, span)) = self.range(id) {
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
                let span = id.ends().first()?.span();
                let low = low.as_ref().map_or(Some((0, span)), number)?;
                let high = high.as_ref().map_or(Some((self.most, span)), number)?;
                Some((low.0, high.0, span))
            }
            Id::Parts(..) => None,
        }
    }
}

/// Whether an id in front of another stands for all its tags, as far as it is written alike.
fn covers(earlier: &[Option<String>], later: &[Option<String>]) -> bool {
    earlier.iter().zip(later).all(|(earlier, later)| earlier.is_none() || earlier == later)
}

/// An id as it is written.
fn text(id: &Id) -> String {
    let dots = if matches!(id, Id::Range(..)) { ".." } else { "" };
    let ends: Vec<_> = id.ends().into_iter().map(|end| end.tokens().to_string()).collect();
    format!("{dots}{}", ends.join(".."))
}

/// The number that a tag is, or a part of one.
fn number(model: &Model<'_>, tag: &Expr) -> Option<Scalar> {
    Kind::of(model.tag_type(tag)?).scalar()
}
