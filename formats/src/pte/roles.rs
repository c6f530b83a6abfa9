//! What segments are for.

use alloc::collections::BTreeMap;

use super::Program;
use super::kind::DataLocation;

/// What a segment is for; one that several things name is counted for the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// It holds constants.
    Constants,
    /// It holds first states of what methods change.
    Mutable,
    /// It is the blob of a delegate.
    Delegate,
    /// It has a key.
    Named,
}

impl Role {
    /// The name that reports use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constants => "constants",
            Self::Mutable => "mutable",
            Self::Delegate => "delegate",
            Self::Named => "named",
        }
    }
}

impl Program<'_> {
    /// What every segment is for that something names, by its index.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/pte/");
    /// use binfmt_formats::pte::{Pte, Role};
    /// use binfmt_runtime::BinFormat;
    ///
    /// let file = std::fs::read(format!("{folder}mlp_xnnpack.pte"))?;
    /// let roles = Pte::parse(&file)?.program()?.roles();
    /// assert_eq!((roles[&1], roles[&2]), (Role::Delegate, Role::Named));
    /// # Ok(())
    /// # }
    /// ```
    pub fn roles(&self) -> BTreeMap<u64, Role> {
        let mut roles = BTreeMap::new();
        let mut put = |index: u32, role: Role| {
            roles.entry(u64::from(index)).or_insert(role);
        };
        if let Some(constants) = self.constants() {
            put(constants.segment_index, Role::Constants);
        }
        for list in self.mutable_data_segments.unwrap_or_default().iter().flatten() {
            put(list.segment_index, Role::Mutable);
        }
        for plan in self.plans().iter().flatten() {
            let delegates = plan.delegates();
            let references = delegates.iter().flatten().filter_map(|delegate| delegate.processed);
            for processed in references.filter_map(|reference| reference.get().ok()) {
                if processed.location == DataLocation::Segment {
                    put(processed.index, Role::Delegate);
                }
            }
        }
        for named in self.named_data().iter().flatten() {
            put(named.segment_index, Role::Named);
        }
        roles
    }
}
