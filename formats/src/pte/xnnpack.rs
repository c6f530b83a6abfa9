//! What a delegate of the backend `XnnpackBackend` runs: a graph of nodes over values, and constants.
//!
//! Specified by `runtime_schema.fbs` and `xnnpack_graph_serialize.py` of `ExecuTorch` 1.5.1. A payload
//! of release 0.2 and later has a header, a `FlatBuffers` buffer with the graph, and a place for
//! constants; today's exporters leave that empty and put constants into the named data of the program.
//! Before, a payload was the buffer alone, with the constants in it.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/pte/");
//! use binfmt_formats::pte::{Pte, xnnpack::Xnnpack};
//! use binfmt_runtime::BinFormat;
//!
//! let file = std::fs::read(format!("{folder}mlp_xnnpack.pte"))?;
//! let pte = Pte::parse(&file)?;
//! let program = pte.program()?;
//! let delegate = program.method("forward").unwrap().delegates().get(0).unwrap()?;
//! let payload = Xnnpack::parse(pte.delegate_bytes(&program, &delegate).unwrap())?;
//! let graph = payload.graph().root()?;
//! let nodes: Vec<_> = graph.nodes.iter().map(|node| node.unwrap().kind()).collect();
//! assert_eq!(nodes, ["FullyConnected", "FullyConnected"]);
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "alloc")]
mod constants;
pub mod graph;
pub mod node;
#[cfg(feature = "alloc")]
mod rules;
#[cfg(feature = "alloc")]
mod summary;

use binfmt_runtime::{Auto, BinFormat, FlatBuffer};

#[cfg(feature = "alloc")]
pub use constants::{Constant, Place, Scales};
pub use graph::{Datatype, Graph, TensorValue, Value};
pub use node::{Node, Operation};
#[cfg(feature = "alloc")]
pub use rules::RULES;

use crate::shared::is_zero;

/// The backend whose payloads these are, as delegates name it.
pub const BACKEND: &str = "XnnpackBackend";

/// What stands at offset 4 of a payload with a header.
pub const HEADER_MAGIC: [u8; 4] = *b"XH00";

/// What stands at offset 4 of the graph.
pub const IDENTIFIERS: [[u8; 4]; 2] = [*b"XN00", *b"XN01"];

/// How many bytes of a header are known.
const HEADER_LEN: u64 = 30;

/// A payload, with or without a header.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(peek = 4)]
pub enum Xnnpack<'a> {
    /// With a header, and a place for constants.
    #[bin(magic = b"XH00")]
    Headed(Headed<'a>),
    /// A graph and nothing else.
    Bare(Bare<'a>),
}

/// A payload with a header.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, rules = rules::headed, spec = "executorch xnnpack_graph_serialize.py, XNNHeader")]
pub struct Headed<'a> {
    /// Zeros, where a buffer alone has the offset of its root.
    #[bin(warn(
        is_zero(zeros),
        "the payload does not begin with zeros, as every tool writes it",
        code = "xnnpack.headed.zeros.zero"
    ))]
    pub zeros: [u8; 4],
    /// Says that a header follows.
    #[bin(check(
        is_header(header_magic),
        "the header does not say `XH00`",
        code = "xnnpack.headed.header-magic.magic"
    ))]
    pub header_magic: [u8; 4],
    /// Length of the header, from the first byte of the payload on; 30 in every known file.
    #[bin(
        check(header_len >= 30, "the header is shorter than its 30 known bytes; a runtime refuses the method", code = "xnnpack.headed.header-len.min"),
        warn(header_len <= 30, "no release writes a header of {header_len} bytes", code = "xnnpack.headed.header-len.known")
    )]
    pub header_len: u16,
    /// Where the graph begins, from the first byte of the payload on.
    #[bin(check(graph_offset >= HEADER_LEN, "the graph begins at {graph_offset}, inside the header", code = "xnnpack.headed.graph-offset.min"))]
    #[doc(alias = "flatbuffer_offset")]
    graph_offset: Auto<u32>,
    /// How long the graph is.
    #[doc(alias = "flatbuffer_size")]
    graph_size: Auto<u32>,
    /// Where the constants begin, from the first byte of the payload on.
    #[doc(alias = "constant_data_offset")]
    #[bin(check(constants_offset >= graph_offset + graph_size, "the constants begin at {constants_offset}, before the graph ends: a runtime would compute with bytes of that", code = "xnnpack.headed.constants-offset.min"))]
    constants_offset: Auto<u32>,
    /// How long the constants are.
    #[doc(alias = "constant_data_size")]
    constants_size: Auto<u64>,
    /// The rest of the header, and padding.
    #[bin(
        len = graph_offset - HEADER_LEN,
        warn(is_zero(lead), "the padding in front of the graph is not zero", code = "xnnpack.headed.lead.zero")
    )]
    pub lead: &'a [u8],
    /// The nodes and their values.
    #[bin(len = graph_size)]
    pub graph: FlatBuffer<'a, Graph<'a>>,
    /// Padding, so that the constants are aligned.
    #[bin(
        len = constants_offset - graph_offset - graph_size,
        warn(is_zero(padding), "the padding in front of the constants is not zero", code = "xnnpack.headed.padding.zero")
    )]
    pub padding: &'a [u8],
    /// The constants that lie in the payload.
    #[bin(len = constants_size)]
    pub constants: &'a [u8],
    /// What follows; nothing, as every tool writes it.
    #[bin(
        until_end,
        warn(rest.is_empty(), "bytes follow the constants", code = "xnnpack.headed.rest.empty")
    )]
    pub rest: &'a [u8],
}

/// A payload without a header, as before release 0.2.
#[derive(BinFormat, Debug, Clone, PartialEq)]
#[bin(little, rules = rules::bare, spec = "executorch runtime_schema.fbs")]
pub struct Bare<'a> {
    /// Where the root table is, from the first byte of the payload.
    root: Auto<u32>,
    /// Says that it is a graph.
    #[bin(check(
        is_graph(identifier),
        "the payload says neither `XH00` nor `XN00` nor `XN01`; a runtime refuses the method",
        code = "xnnpack.bare.identifier.magic"
    ))]
    pub identifier: [u8; 4],
    /// The nodes, their values, and the constants.
    #[bin(until_end, root = root)]
    pub graph: FlatBuffer<'a, Graph<'a>>,
}

impl<'a> Xnnpack<'a> {
    /// Whether bytes are meant to be a payload, damaged or not.
    pub fn is_meant(bytes: &[u8]) -> bool {
        let mark = bytes.get(4..8).unwrap_or_default();
        mark == HEADER_MAGIC || IDENTIFIERS.iter().any(|identifier| mark == identifier)
    }

    /// The buffer with the graph.
    pub const fn graph(&self) -> &FlatBuffer<'a, Graph<'a>> {
        match self {
            Self::Headed(payload) => &payload.graph,
            Self::Bare(payload) => &payload.graph,
        }
    }

    /// The constants that lie behind the graph.
    pub const fn constant_data(&self) -> &'a [u8] {
        match self {
            Self::Headed(payload) => payload.constants,
            Self::Bare(_) => &[],
        }
    }
}

impl<'a> Headed<'a> {
    /// A payload around a graph and constants, as the exporters lay it out: both begin on multiples of
    /// 16.
    pub fn new(graph: FlatBuffer<'a, Graph<'a>>, constants: &'a [u8]) -> Self {
        static ZEROS: [u8; 16] = [0; 16];
        let used = graph.bytes().len() & 15;
        let padding = ZEROS.get(used..).filter(|_| used > 0).unwrap_or_default();
        Self {
            zeros: [0; 4],
            header_magic: HEADER_MAGIC,
            header_len: 30,
            graph_offset: Auto::new(),
            graph_size: Auto::new(),
            constants_offset: Auto::new(),
            constants_size: Auto::new(),
            lead: &[0; 2],
            graph,
            padding,
            constants,
            rest: &[],
        }
    }
}

/// Without an allocator there is no validator to run rules.
#[cfg(not(feature = "alloc"))]
mod rules {
    use binfmt_runtime::Rules;

    pub(super) fn headed(_: &super::Headed<'_>, _: &mut Rules<'_>) {}
    pub(super) fn bare(_: &super::Bare<'_>, _: &mut Rules<'_>) {}
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "rules pass fields by reference")]
fn is_graph(identifier: &[u8; 4]) -> bool {
    IDENTIFIERS.contains(identifier)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "rules pass fields by reference")]
fn is_header(magic: &[u8; 4]) -> bool {
    *magic == HEADER_MAGIC
}
