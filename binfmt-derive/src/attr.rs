//! `#[bin(..)]`: tokens to words. What is wrong with one word alone is found here.

mod args;
mod checksum;
mod levels;
mod limits;
mod magic;
mod map;
mod tags;
mod words;

use proc_macro2::{Span, TokenStream};
use syn::parse::ParseStream;
use syn::{Attribute, Ident, LitByteStr, LitInt, LitStr, Path, Type, WherePredicate};

pub(crate) use self::checksum::{Checksum, Over};
pub(crate) use self::levels::{Levels, Weight};
pub(crate) use self::limits::{Choice, Key, Limits, Range};
pub(crate) use self::magic::{Alternative, Endian, Magic};
pub(crate) use self::map::Map;
pub(crate) use self::tags::{End, Id, Ids};
use crate::errors::Errors;
use crate::expr::Expr;

/// A value with the span of the word that gave it.
pub(crate) struct Word<T> {
    pub(crate) span: Span,
    pub(crate) value: T,
}

/// Where an attribute stands, and so which words it may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Type,
    Field,
    Variant,
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Field => "field",
            Self::Variant => "variant",
        }
    }

    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Type => &[
                "little",
                "big",
                "endian",
                "magic",
                "len",
                "align_after",
                "args",
                "check",
                "error",
                "warn",
                "note",
                "level",
                "rules",
                "probe",
                "tag",
                "peek",
                "bitflags",
                "bits",
                "lsb",
                "msb",
                "origin",
                "bound",
                "spec",
                "flatbuffer",
                "inline",
                "identifier",
                "version",
                "let",
                "new",
                "crate",
            ],
            Self::Field => &[
                "count",
                "len",
                "until_end",
                "until",
                "nul",
                "trim",
                "prefix",
                "bits",
                "calc",
                "checksum",
                "at",
                "base",
                "null",
                "section",
                "place",
                "for_each",
                "set",
                "shared",
                "magic",
                "if",
                "optional",
                "flag",
                "since",
                "before",
                "align_before",
                "align_after",
                "pad_before",
                "pad_after",
                "pad_to",
                "fill",
                "check",
                "error",
                "warn",
                "note",
                "range",
                "one_of",
                "unique",
                "sorted_by",
                "level",
                "args",
                "little",
                "big",
                "map",
                "with",
                "skip",
                "slot",
                "default",
                "required",
                "union",
                "root",
            ],
            Self::Variant => &["magic", "id", "slots", "args", "other"],
        }
    }
}

/// Every word of one type, field or variant; what was not given is empty.
#[derive(Default)]
pub(crate) struct Words {
    pub(crate) order: Option<Word<Order>>,
    pub(crate) endian: Option<Word<Endian>>,
    pub(crate) magic: Option<Word<Magic>>,
    pub(crate) magics: Option<Word<Vec<Alternative>>>,
    /// A field that keeps which of several magics of its type is there.
    pub(crate) keeper: Option<Word<()>>,
    pub(crate) len: Option<Word<Expr>>,
    pub(crate) count: Option<Word<Expr>>,
    pub(crate) until_end: Option<Word<()>>,
    pub(crate) until: Option<Word<Expr>>,
    pub(crate) nul: Option<Word<()>>,
    pub(crate) trim: Option<Word<LitInt>>,
    pub(crate) prefix: Option<Word<Type>>,
    /// On a type: the integer that holds its bit fields.
    pub(crate) bits: Option<Word<Type>>,
    /// On a field: how many bits it has.
    pub(crate) width: Option<Word<LitInt>>,
    pub(crate) first: Option<Word<First>>,
    pub(crate) calc: Option<Word<Expr>>,
    pub(crate) checksum: Option<Word<Checksum>>,
    pub(crate) at: Option<Word<Expr>>,
    pub(crate) base: Option<Word<Ident>>,
    pub(crate) null: Option<Word<LitInt>>,
    pub(crate) section: Option<Word<()>>,
    pub(crate) place: Option<Word<Ident>>,
    pub(crate) for_each: Option<Word<Ident>>,
    pub(crate) set: Option<Word<Args>>,
    pub(crate) shared: Option<Word<()>>,
    pub(crate) condition: Option<Word<Expr>>,
    pub(crate) optional: Option<Word<()>>,
    pub(crate) flag: Option<Word<Expr>>,
    pub(crate) since: Option<Word<Expr>>,
    pub(crate) before: Option<Word<Expr>>,
    pub(crate) version: Option<Word<Expr>>,
    pub(crate) lets: Option<Word<Vec<(Ident, Expr)>>>,
    pub(crate) new: Option<Word<()>>,
    pub(crate) align_before: Option<Word<Expr>>,
    pub(crate) align_after: Option<Word<Expr>>,
    pub(crate) pad_before: Option<Word<Expr>>,
    pub(crate) pad_after: Option<Word<Expr>>,
    pub(crate) pad_to: Option<Word<Expr>>,
    pub(crate) fill: Option<Word<LitInt>>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) limits: Limits,
    pub(crate) rules_path: Option<Word<Path>>,
    pub(crate) level: Option<Word<Levels>>,
    pub(crate) args: Option<Word<Args>>,
    pub(crate) map: Option<Word<Map>>,
    pub(crate) with: Option<Word<Path>>,
    /// The field is in the struct alone.
    pub(crate) skip: Option<Word<()>>,
    pub(crate) probe: Option<Word<()>>,
    pub(crate) tag: Option<Word<Expr>>,
    pub(crate) id: Option<Word<Ids>>,
    pub(crate) peek: Option<Word<LitInt>>,
    pub(crate) bitflags: Option<Word<()>>,
    pub(crate) origin: Option<Word<()>>,
    pub(crate) spec: Option<Word<LitStr>>,
    pub(crate) krate: Option<Word<Path>>,
    pub(crate) bound: Option<Word<Vec<WherePredicate>>>,
    pub(crate) other: Option<Word<()>>,
    pub(crate) flatbuffer: Option<Word<()>>,
    pub(crate) inline: Option<Word<()>>,
    pub(crate) identifier: Option<Word<LitByteStr>>,
    pub(crate) slot: Option<Word<LitInt>>,
    pub(crate) default: Option<Word<syn::Expr>>,
    pub(crate) required: Option<Word<()>>,
    pub(crate) union: Option<Word<()>>,
    pub(crate) root: Option<Word<Ident>>,
    pub(crate) slots: Option<Word<LitInt>>,
    /// The names of all words, as often as they are given.
    pub(crate) names: Vec<Ident>,
    /// The words as written, for the layout.
    pub(crate) text: String,
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

/// `check(cond, "text")` and its kin.
pub(crate) struct Rule {
    pub(crate) span: Span,
    pub(crate) kind: RuleKind,
    pub(crate) condition: Expr,
    pub(crate) text: LitStr,
    pub(crate) code: Option<LitStr>,
    /// Whether it comes from `range` or `one_of`, which look into an `Option`.
    pub(crate) limit: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RuleKind {
    Check,
    Error,
    Warn,
    Note,
}

impl RuleKind {
    /// The word that makes such a rule.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Note => "note",
        }
    }
}

/// `args(..)`: parameters of a type, or values for those of a field's type.
pub(crate) enum Args {
    Declared(Vec<Parameter>),
    Passed(Vec<(Ident, Expr)>),
}

/// One parameter of a type.
pub(crate) struct Parameter {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) default: Option<Expr>,
}

impl Words {
    /// The words of a field that say how it is read and written, but for the width of a bit field.
    pub(crate) fn of_reading(&self) -> Vec<(&'static str, Span)> {
        macro_rules! given {
            ($($name:literal $slot:ident)*) => {
                [$(($name, self.$slot.as_ref().map(|word| word.span))),*]
            };
        }
        let all = given! {
            "count" count "len" len "until_end" until_end "until" until "nul" nul "trim" trim "prefix" prefix
            "calc" calc "at" at "base" base "null" null "section" section "place" place
            "if" condition "align_before" align_before "align_after" align_after
            "pad_before" pad_before "pad_after" pad_after "pad_to" pad_to "fill" fill
            "level" level "args" args "with" with
        };
        let order = self
            .order
            .as_ref()
            .map(|order| (if order.value == Order::Little { "little" } else { "big" }, order.span));
        let given = all.into_iter().filter_map(|(word, span)| Some((word, span?)));
        given.chain(order).collect()
    }
}

/// Reads all `#[bin(..)]` of one place.
pub(crate) fn read(errors: &mut Errors, place: Place, attrs: &[Attribute]) -> Words {
    let mut words = Words::default();
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
    words
}

/// Refuses all words in a place that takes none.
pub(crate) fn refuse(errors: &mut Errors, attrs: &[Attribute], why: &str) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("bin")) {
        errors.add_at(attr, why);
    }
}

/// Tokens as a person would write them.
fn plain(tokens: &TokenStream) -> String {
    tokens.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
