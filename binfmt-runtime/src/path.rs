//! Where a walk is, in the words of the declaration.

use core::fmt;

use crate::text::Text;

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// A field by name.
    Field(&'static str),
    /// An item of a sequence.
    Index(u64),
    /// The decoded bytes of an encoded value, from whose start offsets count below.
    Decoded,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => f.write_str(name),
            Self::Index(index) => write!(f, "[{index}]"),
            Self::Decoded => f.write_str("(decoded)"),
        }
    }
}

const MAX_STEPS: usize = 160;

/// The steps from the root to the current field; deeper ones than 160 are counted, not kept.
#[derive(Clone, Debug)]
pub struct Path {
    steps: [Step; MAX_STEPS],
    depth: usize,
}

impl Default for Path {
    fn default() -> Self {
        Self { steps: [Step::Index(0); MAX_STEPS], depth: 0 }
    }
}

impl Path {
    /// Goes one step down.
    pub fn push(&mut self, step: Step) {
        if let Some(slot) = self.steps.get_mut(self.depth) {
            *slot = step;
        }
        self.depth = self.depth.saturating_add(1);
    }

    /// The steps that are kept.
    pub(crate) fn steps(&self) -> &[Step] {
        self.steps.get(..self.depth.min(MAX_STEPS)).unwrap_or_default()
    }

    /// How many steps deep the path is.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Goes back up to `depth` steps.
    pub fn truncate(&mut self, depth: usize) {
        self.depth = self.depth.min(depth);
    }

    /// The path as text: `entries[3].payload`.
    pub fn render(&self) -> Text {
        let mut text = Text::default();
        for step in self.steps.iter().take(self.depth) {
            match step {
                Step::Field("") => {}
                Step::Field(name) if !text.as_str().is_empty() => {
                    text.push(format_args!(".{name}"));
                }
                step => text.push(format_args!("{step}")),
            }
        }
        if self.depth > MAX_STEPS {
            text.push(format_args!(".."));
        }
        text
    }
}
