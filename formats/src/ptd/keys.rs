//! Names by hash.

use binfmt_runtime::Error;
use hashbrown::HashMap;

use super::{Entries, Entry, Ptd};

/// All names of a file, each found without a search. Of equal names the first counts, as for the
/// runtime.
#[derive(Debug, Clone)]
pub struct Keys<'a> {
    entries: Entries<'a>,
    by_name: HashMap<&'a str, u64>,
}

impl<'a> Ptd<'a> {
    /// Reads all names, once.
    pub fn keys(&self) -> Result<Keys<'a>, Error> {
        let entries = self.entries()?;
        let mut by_name = HashMap::new();
        for (entry, index) in entries.clone().zip(0_u64..) {
            by_name.entry(entry?.key).or_insert(index);
        }
        Ok(Keys { entries, by_name })
    }
}

impl<'a> Keys<'a> {
    /// What a name stands for, if the file has it.
    pub fn get(&self, key: &str) -> Option<Result<Entry<'a>, Error>> {
        self.entries.get(*self.by_name.get(key)?)
    }

    /// How many different names there are.
    pub fn len(&self) -> usize {
        self.by_name.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }
}
