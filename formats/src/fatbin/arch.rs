//! Names of architectures.

use core::fmt;

use super::{Entry, Flags, Member};

/// An architecture, shown as tools write it: `sm_90a`.
///
/// ```
/// use binfmt_formats::fatbin::{Arch, Flags};
///
/// let arch = Arch { number: 90, flags: Flags::ARCH_SPECIFIC };
/// assert_eq!(arch.to_string(), "sm_90a");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arch {
    /// The number: 90 for `sm_90`.
    pub number: u32,
    /// The flags of the entry, of which some say that code runs on this architecture alone.
    pub flags: Flags,
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}{}", self.number, self.flags.arch_suffix())
    }
}

impl Entry<'_> {
    /// The architecture that the code is for.
    pub const fn architecture(&self) -> Arch {
        Arch { number: self.arch, flags: self.flags }
    }
}

impl Member<'_> {
    /// The architecture that the code is for.
    pub const fn architecture(&self) -> Arch {
        Arch { number: self.arch, flags: self.flags }
    }
}

/// The architecture as tools write it.
#[cfg(feature = "alloc")]
pub fn arch_name(arch: u32, flags: Flags) -> alloc::string::String {
    alloc::format!("{}", Arch { number: arch, flags })
}
