//! What makes a file of tensors big.

use alloc::format;
use alloc::vec::Vec;

use binfmt_runtime::Error;

use super::{HEADER_END, Ptd};
use crate::shared::wide;
use crate::summary::{Claims, Facts, Purpose, Summary};

impl Ptd<'_> {
    /// What makes the file big: tensors and blobs, tables and padding.
    ///
    /// ```
    /// use binfmt_formats::ptd::{Builder, Ptd, ScalarType};
    /// use binfmt_formats::summary::Facet;
    /// use binfmt_runtime::BinFormat;
    ///
    /// let mut file = Builder::new();
    /// file.tensor("scale", ScalarType::Byte, &[2], &[1, 2])?;
    /// let file = file.to_vec()?;
    /// let summary = Ptd::parse(&file)?.summary()?;
    /// let types = summary.by(Facet::Type);
    /// assert_eq!((types[1].name.as_deref(), types[1].bytes), (Some("u8"), 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn summary(&self) -> Result<Summary, Error> {
        let mut claims = Claims::default();
        let tables = HEADER_END.saturating_add(wide(self.tables.bytes().len()));
        claims.add(0..tables, 0, Facts::of(Purpose::Tables).at("tables"));
        claims.add(8..HEADER_END, 1, Facts::of(Purpose::Header).at("tables"));
        let base = self.segment_base_offset;
        for (segment, index) in self.segments()?.iter().zip(0_u64..) {
            let segment = segment?;
            let start = base.saturating_add(*segment.offset);
            let facts = Facts::of(Purpose::Unused).at(format!("segment {index}"));
            claims.add(start..start.saturating_add(*segment.size), 1, facts);
        }
        for entry in self.entries()? {
            let entry = entry?;
            let Some(bytes) = entry.bytes else { continue };
            let is_tensor = entry.layout.is_some();
            let purpose = if is_tensor { Purpose::Constant } else { Purpose::Named };
            let place = format!("segment {}", entry.segment_index);
            let mut facts = Facts::of(purpose).at(place).named(entry.key);
            facts.dtype = entry.layout.as_ref().map(|layout| layout.scalar_type.name());
            facts.shape = entry.layout.map(|layout| layout.shape().flatten().collect::<Vec<_>>());
            let end = entry.offset.saturating_add(wide(bytes.len()));
            claims.add(entry.offset..end, 2, facts);
        }
        let data = wide(self.padding.len()).saturating_add(wide(self.data.len()));
        let len = tables.saturating_add(data);
        Ok(Summary { len, pieces: claims.settle(len), ..Summary::default() })
    }
}
