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
    /// The code is no ELF file, or a damaged one; without the feature `host`, also one of 32 bits.
    Elf(Error),
    /// The code is an ELF file of 32 bits, and a damaged one.
    #[cfg(feature = "host")]
    Narrow(String),
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
            #[cfg(feature = "host")]
            Self::Narrow(what) => write!(f, "damaged ELF file of 32 bits: {what}"),
            Self::Names => f.write_str("the names of symbols share more bytes than the code has"),
            #[cfg(feature = "codecs")]
            Self::Payload(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for KernelError {}

/// The functions of a cubin, the largest first. Compilers before CUDA 12 made such of 32 bits, too.
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
    #[cfg(feature = "host")]
    if code.get(..5) == Some(b"\x7fELF\x01") {
        return narrow::functions(code);
    }
    let elf = Elf::parse(code).map_err(KernelError::Elf)?;
    let mut all = Functions::of(code);
    for (section, content) in elf.sections() {
        let Some(Content::Symbols(SectionKind::Symbols, table)) = content else { continue };
        let link = usize::try_from(section.link).ok();
        let names = link.and_then(|link| elf.contents.get(link)).and_then(Option::as_ref);
        let is_function = |it: &Symbol| it.kind() == FUNCTION && it.is_defined();
        for symbol in table.symbols.iter().map_while(Result::ok).filter(is_function) {
            let name = names.and_then(|names| names.text_at(symbol.name)).unwrap_or_default();
            all.add(name, symbol.size, symbol.other)?;
        }
    }
    Ok(all.sorted())
}

/// Functions that are found one after the other.
struct Functions {
    found: Vec<Kernel>,
    /// How many bytes their names may still have.
    left: usize,
}

impl Functions {
    fn of(code: &[u8]) -> Self {
        Self { found: Vec::new(), left: code.len().saturating_mul(4) }
    }

    fn add(&mut self, name: &[u8], len: u64, other: u8) -> Result<(), KernelError> {
        self.left = self.left.checked_sub(name.len()).ok_or(KernelError::Names)?;
        let name = String::from_utf8_lossy(name).into_owned();
        self.found.push(Kernel { name, len, is_entry: other & ENTRY != 0 });
        Ok(())
    }

    fn sorted(mut self) -> Vec<Kernel> {
        self.found.sort_by(|a, b| (b.len, &a.name).cmp(&(a.len, &b.name)));
        self.found
    }
}

/// Code of 32 bits, which the declaration of ELF files is not for.
#[cfg(feature = "host")]
mod narrow {
    use alloc::string::ToString as _;
    use alloc::vec::Vec;

    use object::elf::{FileHeader32, SHT_SYMTAB, STT_FUNC};
    use object::read::elf::{FileHeader as _, Sym as _};
    use object::{Endianness, Error};

    use super::{Functions, Kernel, KernelError};

    pub(super) fn functions(code: &[u8]) -> Result<Vec<Kernel>, KernelError> {
        let damaged = |error: Error| KernelError::Narrow(error.to_string());
        let header = FileHeader32::<Endianness>::parse(code).map_err(damaged)?;
        let endian = header.endian().map_err(damaged)?;
        let sections = header.sections(endian, code).map_err(damaged)?;
        let table = sections.symbols(endian, code, SHT_SYMTAB).map_err(damaged)?;
        let mut all = Functions::of(code);
        for symbol in table.iter() {
            if symbol.st_type() == STT_FUNC && !symbol.is_undefined(endian) {
                let name = table.symbol_name(endian, symbol).unwrap_or_default();
                all.add(name, symbol.st_size(endian).into(), symbol.st_other().0)?;
            }
        }
        Ok(all.sorted())
    }
}

#[cfg(all(test, feature = "codecs", feature = "host"))]
mod tests {
    use std::string::ToString as _;
    use std::vec;

    use super::*;
    use crate::fatbin::{file, payload};

    /// Code of 32 bits has functions as other code has; cut or changed, it is an error or another list.
    #[test]
    fn code_of_32_bits_is_read_too() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus/fatbin/");
        let file = std::fs::read(std::format!("{folder}n11_32bit.fatbin")).unwrap();
        let entry = file::entries(&file).unwrap().next().unwrap().unwrap().entry;
        let code = payload::decode(&entry, payload::DEFAULT_LIMIT).unwrap();
        let expected = vec![Kernel { name: "nop".into(), len: 128, is_entry: true }];
        assert_eq!(of_cubin(&code), Ok(expected));
        assert!(of_cubin(&code[..100]).unwrap_err().to_string().contains("32 bits"));
        for at in 0..code.len() {
            for byte in [0, 1, 0x7f, 0xff] {
                let mut other = code.to_vec();
                other[at] = byte;
                let _ = of_cubin(&other);
            }
            let _ = of_cubin(&code[..at]);
        }
    }
}
