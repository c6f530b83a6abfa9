//! Rules that words cannot express: what a `rules = path` function is given.

use core::fmt;
use core::ops::Range;

use crate::finding::{Class, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::path::Step;

/// A rule of a hand-written function, as static data.
///
/// [`rule_table!`](crate::rule_table) declares all rules of a format and lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable code that findings carry: `format.type.field.rule`.
    pub code: &'static str,
    /// How much breaking it weighs.
    pub severity: Severity,
    /// What is wrong where it is broken.
    pub text: &'static str,
    /// Where it is specified, if elsewhere than the value.
    pub spec: Option<&'static str>,
}

impl Rule {
    /// A rule that makes a file invalid.
    pub const fn error(code: &'static str, text: &'static str) -> Self {
        Self { code, severity: Severity::Error, text, spec: None }
    }

    /// A rule that files may break, though no tool does.
    pub const fn warning(code: &'static str, text: &'static str) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, text) }
    }

    /// Something worth knowing.
    pub const fn note(code: &'static str, text: &'static str) -> Self {
        Self { severity: Severity::Note, ..Self::error(code, text) }
    }

    /// The same rule, specified there.
    #[must_use]
    pub const fn specified(self, spec: &'static str) -> Self {
        Self { spec: Some(spec), ..self }
    }
}

/// Declares the rules of a format that are checked by hand, each as a constant, and a list of all.
///
/// Every line is a name, a severity, a code and a text; the rules of a block are specified by the
/// text in front of it, if there is one.
///
/// ```
/// binfmt_runtime::rule_table! {
///     /// The rules of boxes.
///     pub const RULES;
///     "box format, chapter 2" {
///         OVERLAP: error "box.part.offset.overlap", "the part shares bytes with another one";
///         ORDER: warning "box.part.offset.order", "the part lies before the one in front of it";
///     }
/// }
/// assert_eq!(RULES[0].code, "box.part.offset.overlap");
/// assert_eq!(RULES[1].spec, Some("box format, chapter 2"));
/// ```
#[macro_export]
macro_rules! rule_table {
    (
        $(#[$attribute:meta])*
        $vis:vis const $all:ident;
        $($spec:literal { $($name:ident: $severity:ident $code:literal, $text:literal;)+ })+
    ) => {
        $($(
            pub(crate) const $name: $crate::Rule =
                $crate::Rule::$severity($code, $text).specified($spec);
        )+)+

        $(#[$attribute])*
        $vis const $all: &[$crate::Rule] = &[$($($name),+),+];
    };
}

/// The steps from a value to a part of it: `path!(File.tables, Tables.segments[index])`.
///
/// Every step is `Type.field` or `Type.field[index]`, so that a field which the type does not have
/// is an error of the compiler.
///
/// ```
/// use binfmt_runtime::{BinFormat, Step, path};
///
/// #[derive(BinFormat)]
/// #[bin(little)]
/// struct Pair {
///     left: u8,
///     right: u8,
/// }
///
/// assert_eq!(path!(Pair.right), [Step::Field("right")]);
/// ```
///
/// ```compile_fail,E0026
/// # use binfmt_runtime::{BinFormat, path};
/// # #[derive(BinFormat)]
/// # #[bin(little)]
/// # struct Pair {
/// #     left: u8,
/// #     right: u8,
/// # }
/// let _ = path!(Pair.middle);
/// ```
#[macro_export]
macro_rules! path {
    ($($ty:ident . $field:ident $([$index:expr])?),+ $(,)?) => {
        [$(
            $crate::Step::Field({
                #[allow(unused, reason = "it is compiled, and never called")]
                let field = |value| {
                    let $ty { $field: _, .. } = value;
                };
                stringify!($field)
            }),
            $($crate::Step::Index($index),)?
        )+]
    };
}

/// Takes findings about a value from a hand-written rule.
///
/// The function runs when a file is validated, after every field has been read. It goes to a part
/// with [`at`](Self::at) and [`over`](Self::over), and reports what is wrong there.
///
/// ```
/// use binfmt_runtime::{BinFormat, Rules, Show, path, rule_table};
///
/// rule_table! {
///     /// The rules of pairs.
///     const RULES;
///     "pairs, chapter 1" {
///         ORDER: error "pair.right.order", "the right one is below the left one";
///     }
/// }
///
/// #[derive(BinFormat)]
/// #[bin(little, rules = ordered)]
/// struct Pair {
///     left: u8,
///     right: u8,
/// }
///
/// fn ordered(pair: &Pair, rules: &mut Rules<'_>) {
///     if pair.right < pair.left {
///         let (left, right) = (Show::Uint(pair.left.into()), Show::Uint(pair.right.into()));
///         rules.at(&path!(Pair.right)).report(&ORDER, left, right);
///     }
/// }
///
/// assert_eq!(
///     Pair::validate(&[2, 1]).to_string(),
///     "error: right at 0x1..0x2: the right one is below the left one; expected 2, found 1 \
///      [pair.right.order]\n"
/// );
/// ```
pub struct Rules<'r> {
    /// `None` below the value itself.
    fields: Option<(&'static Layout, &'r [(usize, usize)])>,
    /// How deep the path is here.
    depth: usize,
    range: Range<u64>,
    scope: &'r mut (dyn Scope + 'r),
}

/// The observer of the walk, as far as rules need it.
trait Scope {
    fn depth(&self) -> usize;
    /// Goes to a field of the value itself.
    fn field(&mut self, layout: &'static Layout, field: usize);
    fn steps(&mut self, steps: &[Step]);
    fn close(&mut self, depth: usize);
    fn report(&mut self, spec: Option<&'static str>, severity: Severity, problem: &Problem<'_>);
}

impl fmt::Debug for Rules<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("range", &self.range).finish_non_exhaustive()
    }
}

impl Rules<'_> {
    /// The part that [`path!`](crate::path) leads to. Its bytes are those of the field, if the path is
    /// a field of the value itself, else those of this part: see [`over`](Self::over).
    pub fn at(&mut self, steps: &[Step]) -> Rules<'_> {
        self.scope.close(self.depth);
        let own = self.fields.zip(steps.split_first()).and_then(|((layout, spans), (first, _))| {
            let index = layout.fields.iter().position(|field| *first == Step::Field(field.name))?;
            Some((layout, index, spans.get(index)?))
        });
        let (range, rest) = match own {
            Some((layout, index, span)) => {
                self.scope.field(layout, index);
                (wide(*span), steps.get(1..).unwrap_or_default())
            }
            None => (self.range.clone(), steps),
        };
        self.scope.steps(rest);
        Rules { fields: None, depth: self.scope.depth(), range, scope: &mut *self.scope }
    }

    /// The same part with the bytes that it has in the file, by absolute offsets. Without a range, or
    /// with an empty one, it keeps those of the part around it.
    #[must_use]
    pub fn over(mut self, range: impl Into<Option<Range<u64>>>) -> Self {
        if let Some(range) = range.into().filter(|range| !range.is_empty()) {
            self.range = range;
        }
        self
    }

    /// The absolute byte range of this part.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Reports that this part breaks a rule: what should be there, and what is.
    pub fn report(&mut self, rule: &Rule, expected: Show, found: Show) {
        self.add(rule, (expected, found), format_args!("{}", rule.text));
    }

    /// [`report`](Self::report) with a detail behind the text of the rule, in parentheses.
    pub fn report_with(
        &mut self,
        rule: &Rule,
        (expected, found): (Show, Show),
        detail: fmt::Arguments<'_>,
    ) {
        self.add(rule, (expected, found), format_args!("{} ({detail})", rule.text));
    }

    fn add(&mut self, rule: &Rule, (expected, found): (Show, Show), what: fmt::Arguments<'_>) {
        self.scope.close(self.depth);
        let (start, end) =
            (crate::ops::to_len(self.range.start), crate::ops::to_len(self.range.end));
        let class = Class::Invalid;
        let problem = Problem { code: rule.code, class, start, end, what, expected, found };
        self.scope.report(rule.spec, rule.severity, &problem);
    }
}

fn wide((start, end): (usize, usize)) -> Range<u64> {
    crate::ops::wide(start)..crate::ops::wide(end)
}

/// Runs a hand-written rule over a value that has been read.
pub fn run<O: Observer>(
    obs: &mut O,
    layout: &'static Layout,
    spans: &[(usize, usize)],
    whole: (usize, usize),
    rule: impl FnOnce(&mut Rules<'_>),
) {
    let depth = obs.depth();
    let scope = &mut Observed(&mut *obs);
    rule(&mut Rules { fields: Some((layout, spans)), depth, range: wide(whole), scope });
    obs.close(depth);
}

/// Any observer.
struct Observed<'o, O>(&'o mut O);

impl<O: Observer> Scope for Observed<'_, O> {
    fn depth(&self) -> usize {
        self.0.depth()
    }

    fn field(&mut self, layout: &'static Layout, field: usize) {
        self.0.reopen(layout, field);
    }

    fn steps(&mut self, steps: &[Step]) {
        self.0.reopen_part(steps);
    }

    fn close(&mut self, depth: usize) {
        self.0.close(depth);
    }

    fn report(&mut self, spec: Option<&'static str>, severity: Severity, problem: &Problem<'_>) {
        let outer = spec.map(|spec| self.0.specified(Some(spec)));
        self.0.note(severity, problem);
        if let Some(outer) = outer {
            self.0.specified(outer);
        }
    }
}
