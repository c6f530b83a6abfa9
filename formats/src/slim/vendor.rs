//! Whose library it is.

use binfmt_runtime::BinFormat;

use crate::elf::{Content, Elf, SectionKind, tag};

/// How the names of the libraries begin that NVIDIA ships under its own licence.
const NAMES: [&str; 15] = [
    "libcublas",
    "libcuda",
    "libcudnn",
    "libcufft",
    "libcupti",
    "libcurand",
    "libcusolver",
    "libcusparse",
    "libnpp",
    "libnvblas",
    "libnvJitLink",
    "libnvjpeg",
    "libnvinfer",
    "libnvrtc",
    "libnvshmem",
];

/// Whether a shared library is one of NVIDIA by the name that it has for linkers.
///
/// NVIDIA's licence forbids changing its libraries, and allows redistribution unmodified only. Open
/// ones, as NCCL is, and those that one builds are free of that.
pub fn is_of_nvidia(file: &[u8]) -> bool {
    let Ok(elf) = Elf::parse(file) else { return false };
    let name = elf.dynamic(tag::NAME).and_then(|at| u32::try_from(at).ok());
    let texts = elf.dynamic(tag::STRINGS).and_then(|address| {
        let of =
            |it: &crate::elf::Section| it.kind == SectionKind::Strings && it.address == address;
        elf.sections().find(|(section, _)| of(section))?.1
    });
    let name = name.zip(texts).and_then(|(at, texts): (u32, &Content<'_>)| texts.text_at(at));
    name.is_some_and(|name| NAMES.iter().any(|known| name.starts_with(known.as_bytes())))
}
