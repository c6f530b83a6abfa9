//! What a file can do: methods, and what they take and give.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Something that can be called.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Method {
    /// Its name; empty where the format has none.
    pub name: String,
    /// What it takes.
    pub inputs: Vec<Port>,
    /// What it gives.
    pub outputs: Vec<Port>,
    /// How many bytes of memory it wants to be given, by buffer.
    pub planned: Vec<u64>,
    /// How often each operator is called, the most frequent first.
    pub operators: Vec<(String, u64)>,
    /// What backends do.
    pub delegates: Vec<Delegated>,
}

/// An input or an output.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Port {
    /// Its name, where the format has one.
    pub name: Option<String>,
    /// What it is: `tensor`, `int`, `double`, `bool`, `string`, or what the schema calls it in lower
    /// case.
    pub kind: String,
    /// The type of the elements, of a tensor.
    pub dtype: Option<&'static str>,
    /// Size in every dimension, of a tensor; the largest ones, if they change.
    pub shape: Option<Vec<Dim>>,
    /// Whether the sizes change from call to call.
    pub is_dynamic: bool,
    /// The value, of an output that is always the same.
    pub value: Option<String>,
}

/// The size of a dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dim {
    /// It is known.
    Size(u64),
    /// It is told when the model runs, under this name.
    Named(String),
}

/// A part of a method that a backend runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delegated {
    /// Which backend.
    pub backend: String,
    /// How many bytes its blob has.
    pub bytes: Option<u64>,
    /// How often each of its operators is used, the most frequent first; `None` for a backend whose
    /// blobs nobody can open.
    pub operators: Option<Vec<(String, u64)>>,
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(size) => size.fmt(f),
            Self::Named(name) => name.fmt(f),
        }
    }
}

/// Counts names.
#[derive(Debug, Default)]
pub(crate) struct Counts(hashbrown::HashMap<String, u64>);

impl Counts {
    /// So many more.
    pub(crate) fn add(&mut self, name: impl Into<String>, more: u64) {
        let count = self.0.entry(name.into()).or_default();
        *count = count.saturating_add(more);
    }

    /// The names, the most frequent first.
    pub(crate) fn sorted(self) -> Vec<(String, u64)> {
        let mut all: Vec<_> = self.0.into_iter().collect();
        all.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        all
    }
}
