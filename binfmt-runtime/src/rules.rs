//! Rules that words cannot say: what a `rules = path` function is given.

use core::fmt;
use core::ops::Range;

use crate::finding::{Class, Problem, Severity, Show};
use crate::layout::Layout;
use crate::observe::Observer;
use crate::path::Step;

/// Takes findings about a value from a hand-written rule.
///
/// The function runs when a file is validated, after every field has been read.
pub struct Rules<'r> {
    layout: &'static Layout,
    spans: &'r [(usize, usize)],
    whole: (usize, usize),
    spec: Option<&'static str>,
    tell: &'r mut Tell<'r>,
}

/// Passes on a problem below some steps, or with a field by its index.
type Tell<'r> = dyn FnMut(About<'_>, Spec, Severity, &Problem<'_>) + 'r;

/// Where the broken rule is specified, if elsewhere than the value.
type Spec = Option<&'static str>;

/// What a problem is about.
#[derive(Clone, Copy)]
enum About<'p> {
    Whole,
    Field(usize),
    Part(&'p [Step]),
}

impl fmt::Debug for Rules<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("layout", &self.layout.name).finish_non_exhaustive()
    }
}

impl Rules<'_> {
    /// The absolute byte range of a field; of the whole value if there is no such field.
    pub fn range(&self, field: &str) -> Range<usize> {
        let (start, end) =
            self.index(field).and_then(|i| self.spans.get(i)).copied().unwrap_or(self.whole);
        start..end
    }

    /// What is told from now on is specified there, and no longer where the value is.
    pub fn specified(&mut self, spec: &'static str) {
        self.spec = Some(spec);
    }

    /// Tells that `field` breaks a rule.
    pub fn error(&mut self, code: &'static str, field: &str, what: fmt::Arguments<'_>) {
        self.tell(Severity::Error, code, field, what, Show::Nothing, Show::Nothing);
    }

    /// Tells that `field` is not what the tools write.
    pub fn warn(&mut self, code: &'static str, field: &str, what: fmt::Arguments<'_>) {
        self.tell(Severity::Warning, code, field, what, Show::Nothing, Show::Nothing);
    }

    /// Tells something worth knowing about `field`.
    pub fn note(&mut self, code: &'static str, field: &str, what: fmt::Arguments<'_>) {
        self.tell(Severity::Note, code, field, what, Show::Nothing, Show::Nothing);
    }

    /// Tells something about `field`, with what was expected and found.
    pub fn tell(
        &mut self,
        severity: Severity,
        code: &'static str,
        field: &str,
        what: fmt::Arguments<'_>,
        expected: Show,
        found: Show,
    ) {
        let Range { start, end } = self.range(field);
        let problem = Problem { code, class: Class::Invalid, start, end, what, expected, found };
        let about = self.index(field).map_or(About::Whole, About::Field);
        (self.tell)(about, self.spec, severity, &problem);
    }

    /// Tells something about a part of a part: `steps` lead there from this value, and `range` are
    /// its bytes, by absolute offsets.
    pub fn tell_at(
        &mut self,
        severity: Severity,
        code: &'static str,
        (steps, range): (&[Step], Range<u64>),
        what: fmt::Arguments<'_>,
        (expected, found): (Show, Show),
    ) {
        let (start, end) = (crate::ops::to_len(range.start), crate::ops::to_len(range.end));
        let problem = Problem { code, class: Class::Invalid, start, end, what, expected, found };
        (self.tell)(About::Part(steps), self.spec, severity, &problem);
    }

    fn index(&self, field: &str) -> Option<usize> {
        self.layout.fields.iter().position(|layout| layout.name == field)
    }
}

/// Runs a hand-written rule over a value that has been read.
pub fn run<O: Observer>(
    obs: &mut O,
    layout: &'static Layout,
    spans: &[(usize, usize)],
    whole: (usize, usize),
    rule: impl FnOnce(&mut Rules<'_>),
) {
    let mut tell = |about: About<'_>, spec: Spec, severity: Severity, problem: &Problem<'_>| {
        let depth = obs.depth();
        match about {
            About::Whole => {}
            About::Field(field) => obs.reopen(layout, field),
            About::Part(steps) => obs.reopen_part(steps),
        }
        let outer = spec.map(|spec| obs.specified(Some(spec)));
        obs.note(severity, problem);
        if let Some(outer) = outer {
            obs.specified(outer);
        }
        obs.close(depth);
    };
    rule(&mut Rules { layout, spans, whole, spec: None, tell: &mut tell });
}
