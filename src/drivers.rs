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

use std::io;

use binfmt_tool::driver::Unmade;

/// What a writer says that writes piece by piece: a value that cannot be written is invalid data.
fn streamed(written: io::Result<()>) -> Result<(), Unmade> {
    written.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => Unmade::because(error),
        _ => Unmade::Unwritten(error),
    })
}
