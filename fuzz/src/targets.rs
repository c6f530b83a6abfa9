//! What is fuzzed: the laws, for each declared format and for a declaration of many words.

use std::collections::BTreeSet;

use binfmt_formats::fatbin::{self, Region};
use binfmt_formats::ptd::{self, Ptd};
use binfmt_formats::pte::{self, Bundle, Pte};
use binfmt_formats::rten::Rten;
use binfmt_formats::vpt::{EntryLayout, Expect, Table, Vpt};
use binfmt_runtime::{BinFormat, Layout};

#[path = "rooms.rs"]
mod rooms;
#[path = "words.rs"]
mod words;

/// Codes of findings.
pub type Codes = BTreeSet<&'static str>;

/// One declaration, and what must hold for every input.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, which is that of the folders of its inputs.
    pub name: &'static str,
    /// The declaration; its magics are the dictionary,
    pub layout: &'static Layout,
    /// together with constants that are checked otherwise.
    pub marks: &'static [[u8; 4]],
    /// Checks every law on an input; `Err` says which one is broken, else there are the codes of what
    /// a validator says, by which inputs are told apart.
    pub check: fn(&[u8]) -> Result<Codes, String>,
    /// Inputs that are made, besides those of the corpus.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Every target.
pub const ALL: [Target; 7] = [
    target("vpt", Vpt::LAYOUT, vpt),
    Target { marks: &[fatbin::MAGIC], ..target("fatbin", Region::LAYOUT, fatbin) },
    Target { marks: &[ptd::IDENTIFIER, ptd::MAGIC], ..target("ptd", Ptd::LAYOUT, ptd) },
    Target {
        marks: &[pte::MAGIC, pte::HEADER_MAGIC, pte::bundle::MAGIC],
        ..target("pte", Pte::LAYOUT, pte)
    },
    Target { marks: &[*b"RTEN"], ..target("rten", Rten::LAYOUT, rten) },
    Target { seeds: rooms::seeds, ..target("rooms", rooms::Rooms::LAYOUT, rooms) },
    Target { seeds: words::seeds, ..target("words", words::Words::LAYOUT, words) },
];

/// A target whose inputs are those of the corpus.
const fn target(
    name: &'static str,
    layout: &'static Layout,
    check: fn(&[u8]) -> Result<Codes, String>,
) -> Target {
    Target { name, layout, marks: &[], check, seeds: Vec::new }
}

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
        if let Ok((value, _)) = <$ty>::parse_prefix_with(bytes, args)
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

fn ptd(bytes: &[u8]) -> Result<Codes, String> {
    Ok(laws!(Ptd<'_>, bytes, (), true))
}

/// Programs, and the bundles that have one in them.
fn pte(bytes: &[u8]) -> Result<Codes, String> {
    let mut codes = laws!(Pte<'_>, bytes, (), true);
    codes.extend(laws!(Bundle<'_>, bytes, (), true));
    Ok(codes)
}

fn rten(bytes: &[u8]) -> Result<Codes, String> {
    Ok(laws!(Rten<'_>, bytes, (), true))
}

fn rooms(bytes: &[u8]) -> Result<Codes, String> {
    Ok(laws!(rooms::Rooms<'_>, bytes, (), false))
}

fn words(bytes: &[u8]) -> Result<Codes, String> {
    Ok(laws!(words::Words<'_>, bytes, (), false))
}
