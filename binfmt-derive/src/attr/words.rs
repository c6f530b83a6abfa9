//! One word after the other: what each takes, and what is wrong with it alone.

use proc_macro2::TokenTree;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token, parenthesized};

use super::args::{bound, declared, named, passed, setters};
use super::magic::Magics;
use super::{First, Order, Place, Rule, RuleKind, Word, Words, map};
use crate::errors::{Errors, did_you_mean};
use crate::expr::Expr;

pub(super) fn set<T>(errors: &mut Errors, slot: &mut Option<Word<T>>, word: &Ident, value: T) {
    if slot.is_some() {
        let order = word == "little" || word == "big";
        let what = if order {
            "the byte order is given already".into()
        } else if word == "lsb" || word == "msb" {
            "the order of the bits is given already".into()
        } else {
            format!("duplicate `{word}`")
        };
        errors.add(word.span(), format!("{what}; keep one"));
    }
    *slot = Some(Word { span: word.span(), value });
}

/// The `=` between a word and its value.
pub(super) fn equals(input: ParseStream<'_>, word: &Ident, example: &str) -> syn::Result<()> {
    if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        if !input.is_empty() && !input.peek(Token![,]) {
            return Ok(());
        }
    }
    Err(syn::Error::new(word.span(), format!("`{word}` needs a value: `{example}`")))
}

/// `word = expression`; the expression says itself what is wrong with it.
pub(super) fn expr(input: ParseStream<'_>, word: &Ident, example: &str) -> syn::Result<Expr> {
    equals(input, word, example)?;
    input.parse()
}

/// `word = value`.
fn value<T: Parse>(input: ParseStream<'_>, word: &Ident, example: &str) -> syn::Result<T> {
    equals(input, word, example)?;
    input.parse().map_err(|error| {
        syn::Error::new(error.span(), format!("`{word}` is given as in `{example}`"))
    })
}

fn flag(input: ParseStream<'_>, word: &Ident) -> syn::Result<()> {
    if input.peek(Token![=]) || input.peek(syn::token::Paren) {
        return Err(syn::Error::new(
            word.span(),
            format!("`{word}` takes no value; write it alone"),
        ));
    }
    Ok(())
}

impl Words {
    /// Reads all words of one attribute; a mistake in one does not hide those in others.
    pub(super) fn all(
        &mut self,
        errors: &mut Errors,
        place: Place,
        input: ParseStream<'_>,
    ) -> syn::Result<()> {
        while !input.is_empty() {
            let fork = input.fork();
            match self.word(errors, place, &fork).and_then(|()| separated(&fork)) {
                Ok(()) => input.advance_to(&fork),
                Err(error) => {
                    errors.add_error(error);
                    while !input.is_empty() && !input.peek(Token![,]) {
                        input.parse::<TokenTree>()?;
                    }
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    fn word(
        &mut self,
        errors: &mut Errors,
        place: Place,
        input: ParseStream<'_>,
    ) -> syn::Result<()> {
        let word: Ident = syn::ext::IdentExt::parse_any(input)
            .map_err(|error| syn::Error::new(error.span(), "a word is missing here"))?;
        let name = word.to_string();
        if !place.words().contains(&name.as_str()) {
            return Err(misplaced(place, &word));
        }
        self.names.push(word.clone());
        macro_rules! put {
            ($slot:ident, $value:expr) => {{
                let value = $value;
                set(errors, &mut self.$slot, &word, value);
            }};
        }
        match name.as_str() {
            "little" => put!(order, flag(input, &word).map(|()| Order::Little)?),
            "big" => put!(order, flag(input, &word).map(|()| Order::Big)?),
            "magic" if place == Place::Field && !input.peek(Token![=]) => {
                put!(keeper, flag(input, &word)?);
            }
            "magic" => {
                equals(input, &word, "magic = b\"ABCD\"")?;
                self.magic(errors, place, &word, input.parse()?);
            }
            "endian" => put!(endian, {
                equals(input, &word, "endian = inherit")?;
                input.parse()?
            }),
            "len" => put!(len, expr(input, &word, "len = n")?),
            "count" => put!(count, expr(input, &word, "count = n")?),
            "until_end" => put!(until_end, flag(input, &word)?),
            "until" => put!(until, expr(input, &word, "until = remaining < 16")?),
            "nul" => put!(nul, flag(input, &word)?),
            "trim" => put!(trim, value(input, &word, "trim = 0")?),
            "prefix" => put!(prefix, value(input, &word, "prefix = u32")?),
            "bits" if place == Place::Type => put!(bits, value(input, &word, "bits = u16")?),
            "bits" => put!(width, value(input, &word, "bits = 3")?),
            "lsb" => put!(first, flag(input, &word).map(|()| First::Lowest)?),
            "msb" => put!(first, flag(input, &word).map(|()| First::Highest)?),
            "calc" => put!(calc, expr(input, &word, "calc = len(data) + 4")?),
            "checksum" => put!(checksum, super::checksum::checksum(errors, input, &word)?),
            "at" => put!(at, expr(input, &word, "at = offset")?),
            "base" => put!(base, value(input, &word, "base = file")?),
            "null" => put!(null, value(input, &word, "null = 0")?),
            "section" => put!(section, flag(input, &word)?),
            "place" => put!(place, value(input, &word, "place = strings")?),
            "for_each" => put!(for_each, value(input, &word, "for_each = entries")?),
            "set" => put!(set, setters(input, &word)?),
            "shared" => put!(shared, flag(input, &word)?),
            "if" => put!(condition, expr(input, &word, "if = version > 1")?),
            "optional" => put!(optional, flag(input, &word)?),
            "flag" => put!(flag, expr(input, &word, "flag = flags & 4")?),
            "since" => put!(since, expr(input, &word, "since = 2")?),
            "before" => put!(before, expr(input, &word, "before = 3")?),
            "let" => put!(lets, named(input, &word, "let(name = value)")?),
            "new" => put!(new, flag(input, &word)?),
            "version" => put!(version, expr(input, &word, "version = version")?),
            "align_before" => put!(align_before, expr(input, &word, "align_before = 8")?),
            "align_after" => put!(align_after, expr(input, &word, "align_after = 8")?),
            "pad_before" => put!(pad_before, expr(input, &word, "pad_before = 4")?),
            "pad_after" => put!(pad_after, expr(input, &word, "pad_after = 4")?),
            "pad_to" => put!(pad_to, expr(input, &word, "pad_to = 64")?),
            "fill" => put!(fill, value(input, &word, "fill = 0xff")?),
            "check" => self.rules.push(rule(input, &word, RuleKind::Check)?),
            "error" => self.rules.push(rule(input, &word, RuleKind::Error)?),
            "warn" => self.rules.push(rule(input, &word, RuleKind::Warn)?),
            "note" => self.rules.push(rule(input, &word, RuleKind::Note)?),
            "range" | "one_of" | "unique" | "sorted_by" => {
                self.limits.word(errors, &word, input)?;
            }
            "rules" => put!(rules_path, value(input, &word, "rules = my_rules")?),
            "level" => put!(level, super::levels::levels(errors, place, input, &word)?),
            "args" if place == Place::Type => put!(args, declared(input, &word)?),
            "args" => put!(args, passed(input, &word)?),
            "map" => put!(map, map::map(input, &word)?),
            "with" => put!(with, value(input, &word, "with = my_module")?),
            "skip" => put!(skip, flag(input, &word)?),
            "probe" => put!(probe, flag(input, &word)?),
            "tag" => put!(tag, expr(input, &word, "tag = kind")?),
            "id" => put!(id, {
                equals(input, &word, "id = 3")?;
                input.parse()?
            }),
            "peek" => put!(peek, value(input, &word, "peek = 8")?),
            "bitflags" => put!(bitflags, flag(input, &word)?),
            "origin" => put!(origin, flag(input, &word)?),
            "spec" => put!(spec, value(input, &word, "spec = \"section 4\"")?),
            "flatbuffer" => put!(flatbuffer, flag(input, &word)?),
            "inline" => put!(inline, flag(input, &word)?),
            "identifier" => put!(identifier, value(input, &word, "identifier = b\"ABCD\"")?),
            "slot" => put!(slot, value(input, &word, "slot = 0")?),
            "default" => put!(default, value(input, &word, "default = 1")?),
            "required" => put!(required, flag(input, &word)?),
            "union" => put!(union, flag(input, &word)?),
            "root" => put!(root, value(input, &word, "root = field")?),
            "bound" => put!(bound, bound(input, &word)?),
            "slots" => put!(slots, value(input, &word, "slots = 3")?),
            "crate" => put!(krate, value(input, &word, "crate = path::to::runtime")?),
            _ => put!(other, flag(input, &word)?),
        }
        Ok(())
    }

    /// Keeps one magic, or several where the type has a choice.
    fn magic(&mut self, errors: &mut Errors, place: Place, word: &Ident, magics: Magics) {
        if (self.magic.is_some() || self.magics.is_some()) && errors.is_empty() {
            errors.add(word.span(), "duplicate `magic`; keep one");
        }
        match magics {
            Magics::One(one) => self.magic = Some(Word { span: word.span(), value: one }),
            Magics::Several(list) if place == Place::Type => {
                self.magics = Some(Word { span: word.span(), value: list });
            }
            Magics::Several(_) => errors.add(
                word.span(),
                format!("a {} has one magic; a choice of them goes on a type", place.name()),
            ),
        }
    }
}

/// A word that is unknown, or known in another place only.
fn misplaced(place: Place, word: &Ident) -> syn::Error {
    let name = word.to_string();
    let here = place.name();
    let others: Vec<_> = [Place::Type, Place::Field, Place::Variant]
        .into_iter()
        .filter(|other| other.words().contains(&name.as_str()))
        .map(Place::name)
        .collect();
    let message = if others.is_empty() {
        let hint = foreign_word(&name)
            .filter(|known| place.words().iter().any(|word| known.starts_with(word)))
            .map_or_else(
                || did_you_mean(&name, place.words().iter().copied()),
                |known| format!("; write `{known}`"),
            );
        format!("unknown word `{name}` on a {here}{hint}")
    } else {
        format!("`{name}` does not belong on a {here}; it goes on a {}", others.join(" or a "))
    };
    syn::Error::new(word.span(), message)
}

/// Our word for what other declaration languages call differently.
fn foreign_word(name: &str) -> Option<&'static str> {
    Some(match name {
        "le" | "is_little" => "little",
        "be" | "is_big" => "big",
        "size" | "bytes" | "length" => "len",
        "offset" | "ptr" | "seek_before" => "at",
        "assert" => "check",
        "cond" => "if",
        "pad_size_to" => "pad_to",
        "default" | "catch_all" => "other",
        "import" => "args",
        _ => return None,
    })
}

/// After a word comes a comma, or nothing.
fn separated(input: ParseStream<'_>) -> syn::Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(());
    }
    Err(syn::Error::new(input.span(), "a comma is missing between two words"))
}

pub(super) fn list(input: ParseStream<'_>, word: &Ident, example: &str) -> syn::Result<()> {
    if input.peek(syn::token::Paren) {
        return Ok(());
    }
    Err(syn::Error::new(word.span(), format!("`{word}` needs parentheses: `{example}`")))
}

fn rule(input: ParseStream<'_>, word: &Ident, kind: RuleKind) -> syn::Result<Rule> {
    list(input, word, &format!("{word}(size > 0, \"the size is 0\")"))?;
    let inner;
    parenthesized!(inner in input);
    let condition = inner.parse()?;
    let text_missing = || {
        let message = format!(
            "`{word}` needs a text that says what is wrong: `{word}(size > 0, \"the size is 0\")`"
        );
        syn::Error::new(word.span(), message)
    };
    if inner.is_empty() {
        return Err(text_missing());
    }
    if !inner.peek(Token![,]) {
        return Err(syn::Error::new(inner.span(), "a comma is missing before the text"));
    }
    inner.parse::<Token![,]>()?;
    if inner.is_empty() {
        return Err(text_missing());
    }
    let text: LitStr = inner.parse().map_err(|error| {
        syn::Error::new(error.span(), "the text is a string: `\"the size is 0\"`")
    })?;
    let mut code = None;
    if inner.peek(Token![,]) {
        inner.parse::<Token![,]>()?;
        if !inner.is_empty() {
            let span = inner.span();
            let key = inner.parse::<Ident>().ok().filter(|key| key == "code");
            let key = key
                .ok_or_else(|| syn::Error::new(span, "only `code = \"..\"` may follow the text"))?;
            code = Some(value(&inner, &key, "code = \"vendor\"")?);
        }
    }
    if !inner.is_empty() {
        return Err(syn::Error::new(inner.span(), "nothing may follow here"));
    }
    Ok(Rule { span: word.span(), kind, condition, text, code, limit: false })
}
