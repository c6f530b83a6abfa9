//! The list as a text, one step a line: what the tests of the derive compare.

use std::fmt::{Display, Formatter, Result};

use quote::ToTokens as _;

use super::{Base, Ends, Items, Place, Plain, PlainKind, Size, Step, Steps, Stop, Value, What};
use crate::attr::{Magic, RuleKind};
use crate::expr::Expr;
use crate::model::{Cut, Model, Space, type_text};

/// The steps of a declaration, each behind the name of its field.
pub(super) fn print(model: &Model<'_>, steps: &Steps<'_>) -> String {
    let line = |step: &Step<'_>| {
        let field = step.field.and_then(|index| model.fields().get(index));
        match field {
            Some(field) => format!("{}: {}\n", field.name, step.what),
            None => format!("{}\n", step.what),
        }
    };
    steps.all().iter().map(line).collect()
}

impl Display for What<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Magic(magic) => write!(f, "magic {magic}"),
            Self::Enter => write!(f, "enter"),
            Self::Leave => write!(f, "leave"),
            Self::Rule(code, rule) => {
                let word = match rule.kind {
                    RuleKind::Check => "check",
                    RuleKind::Error => "error",
                    RuleKind::Warn => "warn",
                    RuleKind::Note => "note",
                };
                write!(f, "{word} {} {}", code.value(), rule.condition)
            }
            Self::Align { to, .. } => write!(f, "align {to}"),
            Self::Computed(number) => write!(f, "computed {number}"),
            Self::Order => write!(f, "order"),
            Self::Last => write!(f, "last"),
            Self::Limit { len, .. } => write!(f, "limit {len}"),
            Self::Finish => write!(f, "finish"),
            Self::Starts(slots) => {
                write!(f, "starts of {:?} {}", slots.fields, slots.space)
            }
            Self::Slots(slots) => write!(f, "slots of {:?} {}", slots.fields, slots.space),
            Self::Covered => write!(f, "covered"),
            Self::Derived => write!(f, "derived"),
            Self::Checksums => write!(f, "checksums"),
            Self::Plain(plain) => write!(f, "{plain}"),
            Self::Parallel(parallel) => write!(f, "for each of {}", parallel.table),
            Self::If(presence) => {
                write!(f, "if")?;
                presence.condition.map_or(Ok(()), |condition| write!(f, " {condition}"))?;
                f.write_str(if presence.magic { " magic" } else { "" })?;
                presence.null.map_or(Ok(()), |(at, null)| write!(f, " {at} is not {null}"))
            }
            Self::Place(place) => write!(f, "{place}"),
            Self::Pad { size, .. } => write!(f, "pad {size}"),
            Self::Region(region) => write!(f, "region {}", region.size),
            Self::Prefix(ty) => write!(f, "prefix {}", type_text(ty)),
            Self::Value(value) => write!(f, "value {value}"),
            Self::Measure(measure) => write!(f, "measure {}", measure.word()),
            Self::Nul { wide } => write!(f, "{}", if *wide { "nul of 2 bytes" } else { "nul" }),
            Self::Terminator => write!(f, "terminator"),
            Self::Rest(region) => write!(
                f,
                "rest {}",
                region.fill.to_token_stream().to_string().trim_end_matches("u8")
            ),
            Self::Done => write!(f, "done"),
            Self::Items(rule) => write!(f, "{}", rule.word()),
        }
    }
}

impl Display for Place<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "at {}", self.at)?;
        match self.base {
            Base::Origin => Ok(()),
            Base::File => write!(f, " from file"),
            Base::Start => write!(f, " from start"),
            Base::Field(base) => write!(f, " from {base}"),
        }?;
        if self.space == Space::Behind { Ok(()) } else { write!(f, " {}", self.space) }
    }
}

impl Display for Space {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Section(section) => write!(f, "in {section}"),
            Self::Behind => f.write_str("behind"),
            Self::Around => f.write_str("around"),
        }
    }
}

impl Display for Plain<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.kind {
            PlainKind::Number(ty, _) => write!(f, "plain {}", type_text(ty)),
            PlainKind::Bytes(len) => write!(f, "plain {len} bytes"),
        }?;
        f.write_str(if self.noted { ", noted" } else { "" })
    }
}

impl Display for Value<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Number => write!(f, "number"),
            Self::Bool => write!(f, "bool"),
            Self::Auto(ty) => write!(f, "auto {}", type_text(ty)),
            Self::Keeper => write!(f, "magic"),
            Self::Map(map, size) => write!(f, "map {}{size}", type_text(&map.stored)),
            Self::With(path, size) => write!(f, "with {}{size}", path.to_token_stream()),
            Self::Bytes(bytes) => {
                write!(f, "bytes{}", bytes.size)?;
                f.write_str(match bytes.stop {
                    Some(Stop::Nul) => " up to nul",
                    Some(Stop::Terminator(_)) => " up to terminator",
                    None => "",
                })?;
                match bytes.cut {
                    Some(Cut::Fill(fill)) => write!(f, " without {fill}"),
                    Some(Cut::Nul) => write!(f, " cut at nul"),
                    None => Ok(()),
                }
            }
            Self::ByteArray => write!(f, "array of bytes"),
            Self::Items(Items { lazy, ends, size, .. }) => {
                write!(f, "{}{size}", if *lazy { "lazy items" } else { "items" })?;
                match ends {
                    Ends::Prefix => write!(f, " as prefixed"),
                    Ends::Count(count) => write!(f, " count {count}"),
                    Ends::Remaining(None) => Ok(()),
                    Ends::Remaining(Some(least)) => write!(f, " until {least} left"),
                    Ends::Last(last) => write!(f, " until {last}"),
                    Ends::Before => write!(f, " up to terminator"),
                }
            }
            Self::Nested(size) => write!(f, "nested{size}"),
        }
    }
}

impl Display for Size<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Rest => Ok(()),
            Self::Len(len) => write!(f, " len {len}"),
            Self::Prefix => write!(f, " as prefixed"),
            Self::Codec => write!(f, " up to the end of its codec"),
        }
    }
}

impl Display for Magic {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Bytes(bytes) => write!(f, "{}", bytes.token()),
            Self::Int(int) => write!(f, "{int}"),
        }
    }
}

/// Only what the tests have in their expressions.
impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Int(value, _) => write!(f, "{value}"),
            Self::Name(name) => write!(f, "{name}"),
            Self::Measure(measure, field) => write!(f, "{}({field})", measure.word()),
            Self::Field(inner, member) => write!(f, "{inner}.{}", member.to_token_stream()),
            Self::Binary(left, op, right) => write!(f, "({left} {op:?} {right})"),
            _ => write!(f, ".."),
        }
    }
}
