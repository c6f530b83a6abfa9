//! The inspector: every field with its place, as a tree.

use alloc::borrow::ToOwned as _;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt;

use crate::budget::Limits;
use crate::finding::Finding;
use crate::layout::{FieldLayout, Layout};
use crate::observe::Events;
use crate::path::Step;
use crate::record::{record, recorded};
use crate::value::Value;
use crate::{Cursor, Report, Wire};

/// A value with the byte range of everything in it.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The value itself; its children are its fields.
    pub root: Node,
    /// What a validator would say on the way.
    pub report: Report,
    /// How many fields and items are not in the tree, which has a limit.
    pub left_out: u64,
}

impl fmt::Display for Tree {
    /// One line per field: offset, size, name, type and value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.root.lines(f, 0)?;
        if self.left_out > 0 {
            writeln!(f, "and {} more fields and items", self.left_out)?;
        }
        Ok(())
    }
}

/// One field or item.
#[derive(Clone, Debug)]
pub struct Node {
    /// Field name, or `[3]` for an item.
    pub name: String,
    /// The Rust type as declared; empty for items.
    pub ty: &'static str,
    /// The doc comment of the field.
    pub doc: &'static str,
    /// Absolute offset of the first byte.
    pub start: u64,
    /// Absolute offset behind the last byte.
    pub end: u64,
    /// What the bytes mean; `None` where damage ended the walk.
    pub value: Option<NodeValue>,
    /// The fields or items inside.
    pub children: Vec<Self>,
}

impl Node {
    /// Whether the offsets in it are those of decoded bytes, which lie in no file.
    pub fn is_decoded(&self) -> bool {
        self.name == "(decoded)"
    }
}

/// A value that a [`Node`] owns.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeValue {
    /// The value is its children.
    Group,
    /// An optional field that is not there.
    Absent,
    /// An unsigned number.
    Uint(u64),
    /// A signed number.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// The first 64 bytes of a run of `len` bytes.
    Bytes {
        /// The first bytes.
        head: Vec<u8>,
        /// How many bytes there are.
        len: u64,
    },
    /// A text.
    Str(String),
    /// A named number.
    Enum {
        /// The stored number.
        number: u64,
        /// Its name, if the declaration knows it.
        name: Option<&'static str>,
    },
    /// A set of bits.
    Flags {
        /// All stored bits.
        bits: u64,
        /// The names of those that have one.
        names: Vec<&'static str>,
    },
    /// A sequence; the count is that of the children if it is not stored.
    Items(Option<u64>),
}

impl From<&Value<'_>> for NodeValue {
    fn from(value: &Value<'_>) -> Self {
        match value {
            Value::Group => Self::Group,
            Value::Absent => Self::Absent,
            Value::Uint(value) => Self::Uint(*value),
            Value::Int(value) => Self::Int(*value),
            Value::Float(value) => Self::Float(*value),
            Value::Bool(value) => Self::Bool(*value),
            Value::Bytes(bytes) => Self::Bytes {
                head: bytes.get(..64).unwrap_or(bytes).to_vec(),
                len: crate::ops::wide(bytes.len()),
            },
            Value::Str(text) => Self::Str((*text).to_owned()),
            Value::Utf16(text) => Self::Str(text.to_string()),
            Value::Enum { number, name } => Self::Enum { number: *number, name: *name },
            Value::Flags { bits, names } => {
                Self::Flags { bits: *bits, names: names.as_slice().to_vec() }
            }
            Value::Items(count) => Self::Items(*count),
        }
    }
}

/// Builds a tree from what a recorder tells: one sink among others.
///
/// It keeps so many nodes and counts the others.
///
/// ```
/// use binfmt_runtime::{BinFormat, TreeBuilder};
///
/// #[derive(BinFormat)]
/// #[bin(little)]
/// struct Numbers {
///     #[bin(count = 4)]
///     numbers: Vec<u16>,
/// }
///
/// let mut builder = TreeBuilder::new(4);
/// Numbers::inspect_into(&[1, 0, 2, 0, 3, 0, 4, 0], (), &mut builder);
/// let tree = builder.finish();
/// assert_eq!(tree.root.children[0].children.len(), 2);
/// assert_eq!(tree.left_out, 2);
/// ```
#[derive(Debug)]
pub struct TreeBuilder {
    open: Vec<Node>,
    report: Report,
    /// How many nodes may still be kept.
    nodes_left: u64,
    left_out: u64,
    /// How many nodes are open that are not kept.
    beyond: usize,
}

impl TreeBuilder {
    /// How many nodes a tree has that [`inspect`](crate::BinFormat::inspect) makes.
    pub const MOST: u64 = 1_000_000;

    /// A tree of so many nodes; one is always there.
    pub const fn new(most: u64) -> Self {
        let nodes_left = most.saturating_sub(1);
        Self { open: Vec::new(), report: Report::new(), nodes_left, left_out: 0, beyond: 0 }
    }

    /// The tree of what has been told.
    pub fn finish(mut self) -> Tree {
        let root = self.open.pop().unwrap_or_else(|| Node::new(String::new(), "", "", 0));
        Tree { root, report: self.report, left_out: self.left_out }
    }

    fn close(&mut self, end: usize, value: Option<NodeValue>) {
        if self.beyond > 0 {
            self.beyond = self.beyond.saturating_sub(1);
            return;
        }
        let Some(mut node) = self.open.pop() else { return };
        // Damage can end a located field in front of where it lies.
        node.end = crate::ops::wide(end).max(node.start);
        node.value = value;
        node.span_children();
        match self.open.last_mut() {
            Some(parent) => parent.children.push(node),
            None => self.open.push(node),
        }
    }
}

impl Events for TreeBuilder {
    fn finding(&mut self, finding: Finding) {
        self.report.finding(finding);
    }

    fn silenced(&mut self, code: &'static str) {
        self.report.silenced(code);
    }

    fn begin(&mut self, layout: &'static Layout, start: usize) {
        self.open.push(Node::new(String::new(), layout.name, layout.doc, start));
    }

    fn end(&mut self, end: usize, value: Option<&Value<'_>>) {
        self.close(end, value.map(NodeValue::from));
        self.report.end(end, value);
    }

    fn enter(&mut self, step: Step, field: Option<&'static FieldLayout>, start: usize) {
        if self.nodes_left == 0 || self.beyond > 0 {
            self.beyond = self.beyond.saturating_add(1);
            self.left_out = self.left_out.saturating_add(1);
            return;
        }
        self.nodes_left = self.nodes_left.saturating_sub(1);
        let name = match step {
            Step::Field(name) => name.to_owned(),
            Step::Index(_) | Step::Decoded => step.to_string(),
        };
        let (ty, doc) = field.map_or(("", ""), |field| (field.ty, field.doc));
        self.open.push(Node::new(name, ty, doc, start));
    }

    fn leave(&mut self, end: usize, value: &Value<'_>) {
        if self.beyond > 0 {
            self.beyond = self.beyond.saturating_sub(1);
        } else {
            self.close(end, Some(value.into()));
        }
    }

    fn unwind(&mut self, depth: usize, end: usize) {
        while self.open.len().saturating_add(self.beyond) > depth.saturating_add(1) {
            self.close(end, None);
        }
    }
}

impl Node {
    /// What has no bytes of its own spans what is inside, wherever that lies.
    fn span_children(&mut self) {
        let in_file = || self.children.iter().filter(|child| !child.is_decoded());
        if self.start == self.end
            && let Some(start) = in_file().map(|child| child.start).min()
            && let Some(end) = in_file().map(|child| child.end).max()
        {
            (self.start, self.end) = (start, end);
        }
    }

    fn new(name: String, ty: &'static str, doc: &'static str, start: usize) -> Self {
        let start = crate::ops::wide(start);
        Self { name, ty, doc, start, end: start, value: None, children: Vec::new() }
    }
}

/// The tree of a value that is not there.
pub(crate) fn empty<'a, T: Wire<'a>>(finding: Finding) -> Tree {
    let root = Node::new(String::new(), T::WIRE.name, T::WIRE.doc, 0);
    Tree { root, report: crate::report::of(finding), left_out: 0 }
}

impl Node {
    fn lines(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let size = self.end.saturating_sub(self.start);
        let indent = depth.saturating_mul(2);
        write!(f, "{:#010x} {size:6} {:indent$}{} {}", self.start, "", self.name, self.ty)?;
        match &self.value {
            Some(value) => writeln!(f, " {value}")?,
            None => f.write_str(" (damaged)\n")?,
        }
        let deeper = depth.saturating_add(1);
        self.children.iter().try_for_each(|child| child.lines(f, deeper))
    }
}

impl fmt::Display for NodeValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Group => Ok(()),
            Self::Absent => f.write_str("(absent)"),
            Self::Uint(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Bytes { head, len } => {
                head.iter().take(16).try_for_each(|byte| write!(f, "{byte:02x} "))?;
                if *len > 16 { write!(f, ".. ({len} bytes)") } else { Ok(()) }
            }
            Self::Str(text) => write!(f, "{text:?}"),
            Self::Enum { number, name } => write!(f, "{} ({number})", name.unwrap_or("unknown")),
            Self::Flags { bits, names } => write!(f, "{bits:#x} ({})", names.join(" | ")),
            Self::Items(Some(1)) => f.write_str("1 item"),
            Self::Items(Some(count)) => write!(f, "{count} items"),
            Self::Items(None) => f.write_str("items"),
        }
    }
}

pub(crate) fn inspect<'a, T: Wire<'a>>(cur: Cursor<'a>, limits: Limits, args: T::Args) -> Tree {
    let mut builder = TreeBuilder::new(TreeBuilder::MOST);
    record(cur, limits, &recorded::<T>(args), &mut builder);
    builder.finish()
}
