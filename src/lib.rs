//! `binfmt` says what is in a binary container file, whether it is intact, and gets things out of
//! it or back in.
//!
//! The program itself is the library `binfmt-tool`; here are the drivers of its formats, for the
//! executable and for what else offers the same, such as the Python package. What it prints with
//! `--json` is described in [`json`](json/index.html).

mod drivers;
mod slim;

#[cfg(doc)]
#[doc = include_str!("../JSON.md")]
pub mod json {}

use binfmt_tool::{Format, Program, driver};

use crate::drivers::elf::ElfDriver;
use crate::drivers::fatbin::FatbinDriver;
use crate::drivers::ptd::PtdDriver;
use crate::drivers::pte::{BpteDriver, PteDriver};
use crate::drivers::rten::RtenDriver;
use crate::drivers::vpt::VptDriver;
use crate::drivers::xnnpack::XnnpackDriver;

/// The program: every format, and what can be done with it.
pub fn program() -> Program {
    let program = Program::new(&formats()).verb(slim::verb());
    program.name("binfmt").version(env!("CARGO_PKG_VERSION")).about(
        "Says what is in a binary container file, whether it is intact, and gets things out of it \
         or back in.\n\nThe format is told by the content. `-` stands for standard input. Data \
         goes to standard output, messages go to standard error.",
    )
}

/// Every format, in the order in which they are tried.
pub fn formats() -> Vec<Format> {
    vec![
        driver(FatbinDriver),
        driver(PteDriver),
        driver(BpteDriver),
        driver(PtdDriver),
        driver(VptDriver::default()),
        driver(ElfDriver),
        driver(XnnpackDriver),
        // Last, as files without a magic are tried.
        driver(RtenDriver),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_is_consistent() {
        program().command().debug_assert();
    }

    #[test]
    fn magics_are_aligned_as_their_containers() {
        let formats = formats();
        for format in &formats {
            let driver = format.driver();
            let Some(places) = driver.extras().places else { continue };
            assert!(places.before_magic().is_multiple_of(4), "{}", driver.name());
        }
    }
}
