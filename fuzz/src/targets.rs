//! What is fuzzed: the laws, for each declared format and for a declaration of many words.

use std::collections::BTreeSet;

use binfmt_formats::fatbin::Region;
use binfmt_formats::rten::Rten;
use binfmt_formats::vpt::{EntryLayout, Expect, Table, Vpt};
use binfmt_runtime::{BinFormat, Layout};

#[path = "words.rs"]
mod words;

/// Codes of findings.
pub type Codes = BTreeSet<&'static str>;

/// One declaration, and what must hold for every input.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, which is that of the folders of its inputs.
    pub name: &'static str,
    /// The declaration; its magics are the dictionary.
    pub layout: &'static Layout,
    /// Checks every law on an input; `Err` says which one is broken, else there are the codes of what
    /// a validator says, by which inputs are told apart.
    pub check: fn(&[u8]) -> Result<Codes, String>,
    /// Inputs that are made, besides those of the corpus.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Every target.
pub const ALL: [Target; 4] = [
    Target { name: "vpt", layout: Vpt::LAYOUT, check: vpt, seeds: Vec::new },
    Target { name: "fatbin", layout: Region::LAYOUT, check: fatbin, seeds: Vec::new },
    Target { name: "rten", layout: Rten::LAYOUT, check: rten, seeds: Vec::new },
    Target { name: "words", layout: words::Words::LAYOUT, check: words, seeds: words::seeds },
];

/// The target with that name.
pub fn named(name: &str) -> Option<Target> {
    ALL.into_iter().find(|target| target.name == name)
}

/// Memory that a walk may take: a finding has a path, and many can be about one byte.
fn bound(len: usize) -> u64 {
    (1 << 20) + 4096 * u64::try_from(len).unwrap_or(u64::MAX)
}

/// Reader, `is_valid`, validator and inspector agree; what has no error is written as it was read, is
/// read again as the same value, and costs no more memory than its size allows.
macro_rules! laws {
    ($ty:ty, $bytes:expr, $args:expr, $borrows:expr) => {{
        let (bytes, args): (&[u8], _) = ($bytes, $args);
        let report = binfmt_runtime::laws::hold::<$ty>(bytes, args)?;
        let read = allocation_counter::measure(|| {
            let _ = <$ty>::is_valid_with(bytes, args);
        });
        if $borrows && read.count_total > 0 {
            return Err(format!("`is_valid` allocates {} times", read.count_total));
        }
        let told = allocation_counter::measure(|| drop(<$ty>::validate_with(bytes, args)));
        let most = bound(bytes.len()).max(read.bytes_max);
        if told.bytes_max.max(read.bytes_max) > most {
            return Err(format!("{} bytes of input take {}", bytes.len(), told.bytes_max));
        }
        // An empty value may lie in what follows, which is not written: see README.md.
        if let Ok((value, [])) = <$ty>::parse_prefix_with(bytes, args)
            && report.is_ok()
        {
            let written = binfmt_runtime::laws::written_as_read(&value, args)?;
            let again = <$ty>::validate_with(&written, args);
            if !again.is_ok() {
                return Err(format!("what is written is not valid:\n{again}"));
            }
        }
        report.findings().iter().map(|finding| finding.code).collect::<Codes>()
    }};
}

fn vpt(bytes: &[u8]) -> Result<Codes, String> {
    let mut codes = laws!(Vpt<'_>, bytes, Expect::ANY, true);
    for layout in [EntryLayout::Plain, EntryLayout::Flagged] {
        codes.extend(laws!(Table<'_>, bytes, (Expect::ANY, layout), true));
    }
    Ok(codes)
}

fn fatbin(bytes: &[u8]) -> Result<Codes, String> {
    Ok(laws!(Region<'_>, bytes, (), true))
}

fn rten(bytes: &[u8]) -> Result<Codes, String> {
    Ok(laws!(Rten<'_>, bytes, (), true))
}

fn words(bytes: &[u8]) -> Result<Codes, String> {
    Ok(laws!(words::Words<'_>, bytes, (), false))
}
