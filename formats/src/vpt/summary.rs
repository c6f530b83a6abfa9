//! What makes a table big.

use alloc::string::String;

use binfmt_runtime::Error;

use super::{EntryLayout, Program, Vpt};
use crate::shared::{offset_within, wide};
use crate::summary::{Claims, Facts, Purpose, Summary};

/// The length of the header in front of the programs.
const HEADER_LEN: u64 = 24;

impl Vpt<'_> {
    /// What makes the file big: the programs by name. `file` is what the table was read from; what
    /// follows the table in it belongs to nothing.
    ///
    /// ```
    /// use binfmt_formats::summary::Facet;
    /// use binfmt_formats::vpt::{EntryLayout, Expect, Program, Table, Vpt};
    /// use binfmt_runtime::BinFormat;
    ///
    /// let programs = [Program::plain(b"main", b"abc")];
    /// let file = Table::new(7, &programs).to_vec_with((Expect::ANY, EntryLayout::Plain))?;
    /// let summary = Vpt::parse_with(&file, Expect::ANY)?.summary(&file)?;
    /// let names = summary.by(Facet::Name);
    /// assert_eq!((names[1].name.as_deref(), names[1].bytes), (Some("main"), 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn summary(&self, file: &[u8]) -> Result<Summary, Error> {
        let mut claims = Claims::default();
        claims.add(0..HEADER_LEN, 0, Facts::of(Purpose::Header));
        let own = match self.entries() {
            EntryLayout::Plain => 8,
            EntryLayout::Flagged => 16,
        };
        for program in &self.table().programs {
            let Program { payload, name, .. } = program?;
            let Some(start) = offset_within(file, payload) else { continue };
            let end = start.saturating_add(wide(payload.len()));
            let tables = start.saturating_sub(own)..end.saturating_add(wide(name.len()));
            claims.add(tables, 0, Facts::of(Purpose::Tables));
            let facts = Facts::of(Purpose::Program).named(String::from_utf8_lossy(name));
            claims.add(start..end, 1, facts);
        }
        let len = wide(file.len());
        Ok(Summary { len, pieces: claims.settle(len), ..Summary::default() })
    }
}
