//! `#[bin(..)]`: tokens to words. What is wrong with one word alone is found here.

mod args;
mod checksum;
mod computed;
mod fill;
mod for_each;
mod foreign;
mod grow;
mod limits;
mod magic;
mod map;
mod overrides;
#[cfg(test)]
mod reference;
mod row;
mod rule;
mod section;
mod table;
mod tags;
mod until;
mod value;
mod words;

use proc_macro2::{Span, TokenStream};
use syn::Attribute;
use syn::parse::ParseStream;

pub(crate) use self::args::{Args, Let, Parameter};
pub(crate) use self::checksum::{Checksum, Over};
pub(crate) use self::computed::Computed;
pub(crate) use self::fill::{Fill, Filling, Unit};
pub(crate) use self::for_each::TablePath;
pub(crate) use self::grow::Down;
pub(crate) use self::limits::{Choice, Key, Range};
pub(crate) use self::magic::{Alternative, Endian, Magic, Magics};
pub(crate) use self::map::Map;
pub(crate) use self::overrides::{Overrides, Weight};
pub(crate) use self::row::{Form, Known, Purpose, Role, Row, Sort, Wanted};
pub(crate) use self::rule::{Placeholder, Rule, RuleKind};
pub(crate) use self::section::Section;
#[cfg(test)]
pub(crate) use self::table::ROWS;
pub(crate) use self::table::Words;
pub(crate) use self::tags::{End, Id, Ids, Tag};
pub(crate) use self::until::{Constant, Nul, Terminator, TerminatorRole};
use crate::errors::Errors;

/// A value with the span of the word that gave it.
pub(crate) struct Word<T> {
    pub(crate) span: Span,
    pub(crate) value: T,
}

/// Where an attribute stands, and so which words it may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Type,
    Field,
    Variant,
}

impl Place {
    const ALL: [Self; 3] = [Self::Type, Self::Field, Self::Variant];

    fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Field => "field",
            Self::Variant => "variant",
        }
    }
}

impl Words {
    /// Whether a word says that the field may be absent.
    pub(crate) fn may_be_absent(&self) -> bool {
        [&self.condition, &self.flag, &self.since, &self.before].into_iter().any(Option::is_some)
            || self.null.is_some()
            || self.optional.is_some()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

/// Which bits of the integer the first bit field has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    Lowest,
    Highest,
}

impl Words {
    /// Sorts the three forms of a `magic`, the constants behind `until` from its conditions, and the
    /// arguments of functions from those of types.
    fn settle(&mut self) {
        let by_hand = self.with.is_some() || self.map.is_some();
        if let Some(args) = self.args.as_mut().filter(|_| by_hand) {
            args.value.in_order();
        }
        self.least = self.until.as_mut().and_then(|until| {
            until::settle_remaining(&mut until.value);
            Some(Word { span: until.span, value: until::split_least(&mut until.value)? })
        });
        let terminator = self.until.as_ref().and_then(|until| {
            Some(Word { span: until.span, value: Terminator::of(&until.value)? })
        });
        if terminator.is_some() {
            (self.terminator, self.until) = (terminator, None);
        }
        let Some(Word { span, value }) = self.written_magic.take() else { return };
        match value {
            Magics::One(value) => self.magic = Some(Word { span, value }),
            Magics::Several(value) => self.magics = Some(Word { span, value }),
            Magics::Kept => self.keeper = Some(Word { span, value: () }),
        }
    }
}

/// Reads all `#[bin(..)]` of one place.
pub(crate) fn read(errors: &mut Errors, place: Place, attrs: &[Attribute]) -> Words {
    let mut words = Words::default();
    foreign::attributes(errors, place, attrs);
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("bin")) {
        let Ok(list) = attr.meta.require_list() else {
            errors.add_at(attr, "write the words in parentheses: `#[bin(..)]`");
            continue;
        };
        if !words.text.is_empty() {
            words.text.push_str(", ");
        }
        words.text.push_str(&plain(&list.tokens));
        if list.tokens.is_empty() {
            errors.add_at(attr, "there are no words in `#[bin()]`; remove it");
        }
        if let Err(error) =
            attr.parse_args_with(|input: ParseStream<'_>| words.all(errors, place, input))
        {
            errors.add_error(error);
        }
    }
    words.settle();
    words
}

/// Refuses all words in a place that takes none.
pub(crate) fn refuse(errors: &mut Errors, attrs: &[Attribute], why: &str) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("bin")) {
        errors.add_at(attr, why);
    }
}

/// Tokens as a person would write them, on one line; literals stay as they are.
fn plain(tokens: &TokenStream) -> String {
    let text = tokens.to_string();
    let mut line = String::with_capacity(text.len());
    let (mut quoted, mut escaped) = (false, false);
    for c in text.chars() {
        if quoted {
            quoted = escaped || c != '"';
            escaped = c == '\\' && !escaped;
            line.push(c);
        } else if !c.is_whitespace() {
            // A quote that is a character begins no literal.
            quoted = c == '"' && !line.ends_with(['\'', '\\']);
            line.push(c);
        } else if !line.ends_with(' ') {
            line.push(' ');
        }
    }
    line.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_one_line_and_literals_stay_as_they_are() {
        let text = "b\"@  \" \n\n   < \"two  \\\"spaces  \\\\\"";
        let tokens: TokenStream = text.parse().unwrap();
        assert_eq!(plain(&tokens), "b\"@  \" < \"two  \\\"spaces  \\\\\"");
        let tokens: TokenStream = "b'\"'\n\n == c, '\\\"' \n\n != d".parse().unwrap();
        assert!(!plain(&tokens).contains("  "), "{}", plain(&tokens));
    }
}
