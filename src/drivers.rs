//! The formats, as the program uses them.

pub(crate) mod elf;
mod embedded;
pub(crate) mod fatbin;
pub(crate) mod ptd;
pub(crate) mod pte;
pub(crate) mod rten;
mod tensors;
pub(crate) mod vpt;
pub(crate) mod xnnpack;
