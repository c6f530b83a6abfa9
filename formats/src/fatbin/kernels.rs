//! The functions in machine code, by the symbols of its ELF file.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use binfmt_runtime::{BinFormat as _, Error};

use crate::elf::{Content, Elf, SectionKind, Symbol};

/// The kind of a symbol that stands for a function (gABI, Symbol Table).
const FUNCTION: u8 = 2;

/// What a symbol of a function that a host can launch has set (*observed*: all of `__global__`, and no
/// other).
const ENTRY: u8 = 0x10;

/// A function of GPU code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// Its name, as the linker knows it.
    pub name: String,
    /// How many bytes of code it has.
    pub len: u64,
    /// Whether a host can launch it; others are called by such.
    pub is_entry: bool,
}

/// Why the functions of some code are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum KernelError {
    /// The code is no ELF file of 64 bits, or a damaged one.
    Elf(Error),
    /// The names of symbols lie in each other, again and again.
    Names,
    /// The payload cannot be decoded.
    #[cfg(feature = "codecs")]
    Payload(super::payload::PayloadError),
}

impl fmt::Display for KernelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elf(error) => error.fmt(f),
            Self::Names => f.write_str("the names of symbols share more bytes than the code has"),
            #[cfg(feature = "codecs")]
            Self::Payload(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for KernelError {}

/// The functions of a cubin, the largest first.
///
/// ```
/// # #[cfg(feature = "codecs")]
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/fatbin/");
/// use binfmt_formats::fatbin::{file, kernels, payload};
///
/// let file = std::fs::read(format!("{folder}n13_multi.fatbin"))?;
/// let first = file::entries(&file)?.next().unwrap()?;
/// let code = payload::decode(&first.entry, payload::DEFAULT_LIMIT)?;
/// let kernels = kernels::of_cubin(&code)?;
/// assert!(kernels[0].is_entry && kernels[0].len > 0);
/// # Ok(())
/// # }
/// # #[cfg(not(feature = "codecs"))]
/// # fn main() {}
/// ```
pub fn of_cubin(code: &[u8]) -> Result<Vec<Kernel>, KernelError> {
    let elf = Elf::parse(code).map_err(KernelError::Elf)?;
    let mut left = code.len().saturating_mul(4);
    let mut all = Vec::new();
    for (section, content) in elf.sections() {
        let Some(Content::Symbols(SectionKind::Symbols, table)) = content else { continue };
        let link = usize::try_from(section.link).ok();
        let names = link.and_then(|link| elf.contents.get(link)).and_then(Option::as_ref);
        let is_function = |it: &Symbol| it.kind() == FUNCTION && it.is_defined();
        for symbol in table.symbols.iter().map_while(Result::ok).filter(is_function) {
            let name = names.and_then(|names| names.text_at(symbol.name)).unwrap_or_default();
            left = left.checked_sub(name.len()).ok_or(KernelError::Names)?;
            all.push(Kernel {
                name: String::from_utf8_lossy(name).into_owned(),
                len: symbol.size,
                is_entry: symbol.other & ENTRY != 0,
            });
        }
    }
    all.sort_by(|a, b| (b.len, &a.name).cmp(&(a.len, &b.name)));
    Ok(all)
}
