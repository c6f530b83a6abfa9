//! Rules of a declaration, looked at when what they speak of has been read.

use core::fmt::Arguments;

use crate::Cursor;
use crate::finding::{Class, Fault, Problem, Severity, Show};
use crate::layout::{Layout, RuleLayout};
use crate::observe::Observer;
use crate::ops::Widen;
use crate::place::Spans;
use crate::value::Value;

/// What a rule speaks of: a field, or without one the whole value, and its byte range.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The declaration, and the index of the field.
    pub field: Option<(&'static Layout, usize)>,
    /// The byte range.
    pub span: (usize, usize),
}

impl About {
    /// A rule about a whole value.
    #[inline(always)]
    pub fn value(start: usize, end: usize) -> Self {
        Self { field: None, span: (start, end) }
    }
}

/// What is shown of the value of a field that breaks a rule.
#[derive(Clone, Copy, Debug)]
pub enum Found<'v> {
    /// Nothing, as where the text of the rule shows it.
    Nothing,
    /// A number.
    Uint(u64),
    /// A number with a sign.
    Int(i64),
    /// Its first bytes.
    Bytes(&'v [u8]),
}

/// A number of any type, to be shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown<T>(pub T);

impl<T: Widen<Wide: Into<Self>>> From<Shown<T>> for Found<'_> {
    #[inline(always)]
    fn from(number: Shown<T>) -> Self {
        number.0.widen().into()
    }
}

/// What is shown if a rule is broken.
#[inline(always)]
pub fn found<'v>(shown: impl Into<Found<'v>>) -> Found<'v> {
    shown.into()
}

impl From<u64> for Found<'_> {
    #[inline(always)]
    fn from(number: u64) -> Self {
        Self::Uint(number)
    }
}

impl From<i64> for Found<'_> {
    #[inline(always)]
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<()> for Found<'_> {
    #[inline(always)]
    fn from((): ()) -> Self {
        Self::Nothing
    }
}

impl<'v> From<&'v [u8]> for Found<'v> {
    #[inline(always)]
    fn from(bytes: &'v [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

/// Of a number that may be absent.
impl<N: Into<Self>> From<Option<N>> for Found<'_> {
    #[inline(always)]
    fn from(number: Option<N>) -> Self {
        number.map_or(Self::Nothing, Into::into)
    }
}

impl From<Found<'_>> for Show {
    fn from(found: Found<'_>) -> Self {
        match found {
            Found::Nothing => Self::Nothing,
            Found::Uint(number) => Self::Uint(number),
            Found::Int(number) => Self::Int(number),
            Found::Bytes(bytes) => Self::bytes(bytes),
        }
    }
}

/// A field, and which of its rules it is.
type Place = (usize, usize);

/// Rules of fields, which the layout has with their code, weight and text.
impl<const N: usize> Spans<N> {
    /// A rule that stops a reader, and whether it holds.
    #[inline(always)]
    pub fn check<O: Observer>(
        &self,
        obs: &mut O,
        rule: Place,
        holds: Option<bool>,
        found: Found<'_>,
    ) -> Result<(), Fault> {
        if holds == Some(true) {
            return Ok(());
        }
        let RuleLayout { code, text, .. } = self.told::<O>(rule);
        stop(obs, self.about(rule.0), code, format_args!("{text}"), found)
    }

    /// The same of a rule whose text shows values.
    #[inline(always)]
    pub fn check_as<O: Observer>(
        &self,
        obs: &mut O,
        rule: Place,
        holds: Option<bool>,
        found: Found<'_>,
        text: Arguments<'_>,
    ) -> Result<(), Fault> {
        if holds == Some(true) {
            return Ok(());
        }
        stop(obs, self.about(rule.0), self.told::<O>(rule).code, text, found)
    }

    /// A rule that stops nobody, and whether it holds.
    #[inline(always)]
    pub fn weigh<O: Observer>(
        &self,
        obs: &mut O,
        rule: Place,
        holds: Option<bool>,
        found: Found<'_>,
    ) {
        if holds != Some(true) {
            let declared = declared(self.layout(), rule);
            note(obs, self.about(rule.0), declared, format_args!("{}", declared.text), found);
        }
    }

    /// The same of a rule whose text shows values.
    #[inline(always)]
    pub fn weigh_as<O: Observer>(
        &self,
        obs: &mut O,
        rule: Place,
        holds: Option<bool>,
        found: Found<'_>,
        text: Arguments<'_>,
    ) {
        if holds != Some(true) {
            note(obs, self.about(rule.0), declared(self.layout(), rule), text, found);
        }
    }

    /// A computed value, which is one more field behind the others: it is there, and fits its type.
    #[inline]
    pub fn computed<T, O: Observer>(
        &self,
        (start, cur): (usize, &Cursor<'_>),
        obs: &mut O,
        field: usize,
        computed: Option<&T>,
        show: impl for<'v> FnOnce(&'v T) -> Value<'v>,
    ) -> Result<(), Fault> {
        let at = cur.pos();
        let Some(computed) = computed else {
            let RuleLayout { code, text, .. } = self.told::<O>((field, 0));
            let about = About { field: Some((self.layout(), field)), span: (start, at) };
            return stop(obs, about, code, format_args!("{text}"), Found::Nothing);
        };
        if O::RECORD {
            obs.enter(self.layout(), field, at);
            obs.leave(at, &show(computed));
        }
        Ok(())
    }

    /// A rule as an observer is told of it: those who record nothing ask for no code and no text.
    #[inline(always)]
    fn told<O: Observer>(&self, rule: Place) -> &'static RuleLayout {
        if O::RECORD { declared(self.layout(), rule) } else { UNKNOWN }
    }
}

const UNKNOWN: &RuleLayout =
    &RuleLayout { code: "", severity: Severity::Error, stops: false, text: "" };

/// A rule of a field as the declaration has it.
pub(crate) fn declared(layout: &'static Layout, (field, rule): Place) -> &'static RuleLayout {
    layout.field(field).rules.get(rule).unwrap_or(UNKNOWN)
}

/// A rule that stops a reader, and whether it holds.
#[inline(always)]
pub fn check<O: Observer>(
    obs: &mut O,
    holds: Option<bool>,
    about: About,
    code: &'static str,
    what: Arguments<'_>,
    found: Found<'_>,
) -> Result<(), Fault> {
    if holds == Some(true) { Ok(()) } else { stop(obs, about, code, what, found) }
}

#[inline(always)]
fn stop<O: Observer>(
    obs: &mut O,
    about: About,
    code: &'static str,
    what: Arguments<'_>,
    found: Found<'_>,
) -> Result<(), Fault> {
    if O::RECORD {
        return report(obs, about, code, what, found);
    }
    obs.broken(&problem(about, code, what, Show::Nothing))
}

/// Where values that a text shows need not be in memory before a rule is broken, as they would for a reader that
/// records nothing.
#[cold]
#[inline(never)]
fn report<O: Observer>(
    obs: &mut O,
    about: About,
    code: &'static str,
    what: Arguments<'_>,
    found: Found<'_>,
) -> Result<(), Fault> {
    let depth = obs.depth();
    open(obs, about);
    obs.broken(&problem(about, code, what, found.into()))?;
    obs.close(depth);
    Ok(())
}

/// A rule that stops nobody, and whether it holds.
#[inline(always)]
pub fn weigh<O: Observer>(
    obs: &mut O,
    holds: Option<bool>,
    about: About,
    (code, severity): (&'static str, Severity),
    what: Arguments<'_>,
    found: Found<'_>,
) {
    if holds != Some(true) {
        let rule = RuleLayout { code, severity, stops: false, text: "" };
        note(obs, about, &rule, what, found);
    }
}

#[inline(never)]
fn note<O: Observer>(
    obs: &mut O,
    about: About,
    rule: &RuleLayout,
    what: Arguments<'_>,
    found: Found<'_>,
) {
    let depth = obs.depth();
    open(obs, about);
    obs.note(rule.severity, &problem(about, rule.code, what, found.into()));
    obs.close(depth);
}

fn open<O: Observer>(obs: &mut O, about: About) {
    if let Some((layout, field)) = about.field {
        obs.reopen(layout, field);
    }
}

#[inline(always)]
fn problem<'p>(about: About, code: &'static str, what: Arguments<'p>, found: Show) -> Problem<'p> {
    let (start, end) = about.span;
    Problem { code, class: Class::Invalid, start, end, what, expected: Show::Nothing, found }
}
