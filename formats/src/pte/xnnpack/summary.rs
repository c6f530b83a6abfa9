//! What makes a payload big.

use alloc::format;
use alloc::vec::Vec;

use binfmt_runtime::Error;

use super::{HEADER_LEN, Place, Xnnpack};
use crate::shared::{offset_within, wide};
use crate::summary::{Claims, Counts, Facts, Method, Purpose, Summary};

impl Xnnpack<'_> {
    /// What makes the payload big: its constants by type, and the graph. `file` is what it was read
    /// from.
    pub fn summary(&self, file: &[u8]) -> Result<Summary, Error> {
        let mut claims = Claims::default();
        let mut claim = |bytes: &[u8], rank: u8, facts: Facts| {
            let start = offset_within(file, bytes).unwrap_or(u64::MAX);
            claims.add(start..start.saturating_add(wide(bytes.len())), rank, facts);
        };
        let graph = self.graph().bytes();
        claim(graph, 0, Facts::of(Purpose::Tables).at("graph"));
        claim(self.constant_data(), 0, Facts::of(Purpose::Padding).at("constants"));
        for constant in self.constants()? {
            let Place::Payload { bytes: Some(bytes) } = constant.place else { continue };
            let is_inside = offset_within(graph, bytes).is_some();
            let place = if is_inside { "graph" } else { "constants" };
            let name = format!("value-{}", constant.id);
            let mut facts = Facts::of(Purpose::Constant).at(place).named(name);
            facts.dtype = Some(constant.datatype.name());
            facts.shape = Some(constant.shape);
            claim(bytes, 1, facts);
        }
        let head = match self {
            Self::Headed(_) => HEADER_LEN,
            Self::Bare(_) => 0,
        };
        claims.add(0..head, 1, Facts::of(Purpose::Header));
        let len = wide(file.len());
        let method = Method { operators: self.operators()?, ..Method::default() };
        let methods = Vec::from([method]);
        Ok(Summary { len, pieces: claims.settle(len), methods, ..Summary::default() })
    }

    /// How often each kind of node is in the graph, the most frequent first.
    pub fn operators(&self) -> Result<Vec<(alloc::string::String, u64)>, Error> {
        let mut counts = Counts::default();
        for node in &self.graph().root()?.nodes {
            counts.add(node?.kind(), 1);
        }
        Ok(counts.sorted())
    }
}
