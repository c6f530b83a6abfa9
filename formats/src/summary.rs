//! What makes a file big: every byte counted once, for what it is there for.
//!
//! A [`Summary`] is a list of pieces that cover the file without a gap, each with what is known about
//! it, and beside them what the file can do: methods with inputs and outputs, functions of GPU code.
//! Whatever the pieces are grouped by, the sums are the length of the file.
//!
//! ```
//! # #[cfg(feature = "pte")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/pte/");
//! use binfmt_formats::pte::Pte;
//! use binfmt_formats::summary::Facet;
//! use binfmt_runtime::BinFormat;
//!
//! let file = std::fs::read(format!("{folder}mlp.pte"))?;
//! let summary = Pte::parse(&file)?.summary()?;
//! let groups = summary.by(Facet::Operator);
//! // The largest group first. What no operator uses has no name: here all in front of the segment, which
//! // begins at 2,176 and is weights from end to end.
//! assert_eq!((groups[0].name.as_deref(), groups[0].bytes), (None, 2176));
//! assert_eq!(groups.iter().map(|group| group.bytes).sum::<u64>(), summary.len);
//! assert_eq!(summary.methods[0].inputs[0].shape.as_ref().unwrap().len(), 2);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "pte"))]
//! # fn main() {}
//! ```

mod method;
mod settle;

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use hashbrown::HashMap;

pub(crate) use method::Counts;
pub use method::{Delegated, Dim, Method, Port};
pub(crate) use settle::Claims;

/// What makes a file big.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// How many bytes the file has.
    pub len: u64,
    /// What they are, in file order; together the file.
    pub pieces: Vec<Piece>,
    /// What can be called: methods of a program, the graph of a model.
    pub methods: Vec<Method>,
    /// The functions of GPU code, as far as it can be decoded.
    pub functions: Vec<Function>,
    /// What could not be looked at, one sentence each.
    pub unread: Vec<String>,
}

/// Some bytes of a file, and what is known about them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Piece {
    /// Where they begin.
    pub offset: u64,
    /// How many they are.
    pub len: u64,
    /// What is known about them.
    pub facts: Facts,
}

/// What is known about a piece.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// What they are for.
    pub purpose: Purpose,
    /// The name of the tensor, program or blob that they are.
    pub name: Option<String>,
    /// The type of the elements, of a tensor.
    pub dtype: Option<&'static str>,
    /// Size in every dimension, of a tensor.
    pub shape: Option<Vec<u64>>,
    /// The segment or section that they lie in.
    pub place: Option<String>,
    /// The architecture that code is for.
    pub arch: Option<String>,
    /// What code is stored with.
    pub codec: Option<&'static str>,
    /// The methods that use them.
    pub methods: BTreeSet<String>,
    /// The operators that use them.
    pub operators: BTreeSet<String>,
    /// The backends that they are for.
    pub delegates: BTreeSet<String>,
}

/// What bytes are for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Purpose {
    /// The header of the file or of a container.
    Header,
    /// Tables that say what is in the file: the graph, names, places.
    Tables,
    /// Elements of constants.
    Constant,
    /// First states of what is changed.
    State,
    /// What a backend was given.
    Delegate,
    /// Data that is looked up by a key.
    Named,
    /// Machine code for GPUs.
    Code,
    /// Text or intermediate code, which becomes machine code later.
    Intermediate,
    /// A program of a table of such.
    Program,
    /// A file inside the file.
    File,
    /// What lies around containers in a library, object file or archive.
    Host,
    /// Segments that nothing names.
    Unused,
    /// Bytes between the others.
    #[default]
    Padding,
}

impl Purpose {
    /// The name that reports use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Tables => "tables",
            Self::Constant => "constants",
            Self::State => "states",
            Self::Delegate => "delegates",
            Self::Named => "named data",
            Self::Code => "code",
            Self::Intermediate => "intermediate code",
            Self::Program => "programs",
            Self::File => "files",
            Self::Host => "host",
            Self::Unused => "unused",
            Self::Padding => "padding",
        }
    }
}

/// A function of GPU code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name, as the linker knows it.
    pub name: String,
    /// The entry that it is in, as findings name it.
    pub path: String,
    /// The architecture that it is for.
    pub arch: String,
    /// How many bytes of code it has, when decoded.
    pub len: u64,
    /// Whether a host can launch it; others are called by such.
    pub is_kernel: bool,
}

/// What pieces are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Facet {
    /// What the bytes are for.
    Purpose,
    /// The methods that use them.
    Method,
    /// The operators that use them.
    Operator,
    /// The backends that they are for.
    Delegate,
    /// The tensor, program or blob that they are.
    Name,
    /// The type of elements.
    Type,
    /// The segment or section.
    Place,
    /// The architecture.
    Arch,
    /// What code is stored with.
    Codec,
}

impl Facet {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Purpose,
        Self::Method,
        Self::Operator,
        Self::Delegate,
        Self::Name,
        Self::Type,
        Self::Place,
        Self::Arch,
        Self::Codec,
    ];

    /// The name that reports use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Purpose => "purpose",
            Self::Method => "method",
            Self::Operator => "operator",
            Self::Delegate => "delegate",
            Self::Name => "name",
            Self::Type => "type",
            Self::Place => "place",
            Self::Arch => "arch",
            Self::Codec => "codec",
        }
    }
}

/// Pieces that have something in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What; of what several methods or operators use, all of these. `None` for pieces without.
    pub name: Option<String>,
    /// How many bytes they have together.
    pub bytes: u64,
    /// How many pieces there are.
    pub count: u64,
}

impl Summary {
    /// Pieces in groups, the largest first.
    pub fn by(&self, facet: Facet) -> Vec<Group> {
        let mut groups: HashMap<Option<String>, (u64, u64)> = HashMap::new();
        for piece in &self.pieces {
            let (bytes, count) = groups.entry(piece.facts.name_of(facet)).or_default();
            *bytes = bytes.saturating_add(piece.len);
            *count = count.saturating_add(1);
        }
        let group = |(name, (bytes, count))| Group { name, bytes, count };
        let mut groups: Vec<_> = groups.into_iter().map(group).collect();
        groups.sort_by(|a, b| (Reverse(a.bytes), &a.name).cmp(&(Reverse(b.bytes), &b.name)));
        groups
    }

    /// Pieces with a name, the largest first.
    pub fn largest(&self) -> Vec<&Piece> {
        let mut named: Vec<_> = self.pieces.iter().filter(|it| it.facts.name.is_some()).collect();
        named.sort_by_key(|piece| (Reverse(piece.len), piece.offset));
        named
    }

    /// The summary of a file that lies in another one from `offset` on, for that one.
    pub(crate) fn inside(mut self, offset: u64) -> Self {
        for piece in &mut self.pieces {
            piece.offset = piece.offset.saturating_add(offset);
        }
        self
    }
}

impl Facts {
    /// Nothing but what bytes are for.
    pub(crate) fn of(purpose: Purpose) -> Self {
        Self { purpose, ..Self::default() }
    }

    /// The same, in a place.
    #[must_use]
    pub(crate) fn at(self, place: impl Into<String>) -> Self {
        Self { place: Some(place.into()), ..self }
    }

    /// The same, with a name.
    #[must_use]
    pub(crate) fn named(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// What a facet says about the piece.
    pub fn name_of(&self, facet: Facet) -> Option<String> {
        match facet {
            Facet::Purpose => Some(self.purpose.name().to_owned()),
            Facet::Method => joined(&self.methods),
            Facet::Operator => joined(&self.operators),
            Facet::Delegate => joined(&self.delegates),
            Facet::Name => self.name.clone(),
            Facet::Type => self.dtype.map(str::to_owned),
            Facet::Place => self.place.clone(),
            Facet::Arch => self.arch.clone(),
            Facet::Codec => self.codec.map(str::to_owned),
        }
    }

    /// Adds what is known from elsewhere about the same bytes; a name that is there stays.
    fn merge(&mut self, other: Self) {
        let Self { name, dtype, shape, place, arch, codec, methods, operators, delegates, .. } =
            other;
        self.purpose = self.purpose.min(other.purpose);
        if self.dtype.is_none() {
            (self.dtype, self.shape) = (dtype, shape);
        }
        self.name = self.name.take().or(name);
        self.place = self.place.take().or(place);
        self.arch = self.arch.take().or(arch);
        self.codec = self.codec.or(codec);
        self.methods.extend(methods);
        self.operators.extend(operators);
        self.delegates.extend(delegates);
    }
}

/// Several names as one.
fn joined(names: &BTreeSet<String>) -> Option<String> {
    let mut names = names.iter().map(String::as_str);
    let mut all = names.next()?.to_owned();
    for name in names {
        all.push_str(" + ");
        all.push_str(name);
    }
    Some(all)
}
