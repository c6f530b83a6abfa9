//! Which entries of a container devices can use.
//!
//! *Observed* of NVIDIA's tools and libraries: code without a suffix runs on devices of the same major
//! number and at least its own minor one, PTX on every device from its architecture on; the suffix
//! `a` stands for one device, `f` for those of a family from its own on. What cannot be judged is
//! kept: code that is linked later, members that share a payload, and what has no name here.

use alloc::vec::Vec;

use super::{Options, Ptx};
use crate::fatbin::{Entry, Flags, Kind};

/// The devices that code with the suffix `f` is for.
const FAMILIES: [&[u32]; 4] = [&[100, 103], &[101], &[110], &[120, 121]];

/// What an entry is, as far as devices ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// What the payload is.
    pub kind: Kind,
    /// Number of the architecture.
    pub arch: u32,
    /// How the code was compiled and stored.
    pub flags: Flags,
}

/// Why an entry stays or goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// Stays: a wanted device runs it.
    Runs,
    /// Stays: it will be compiled for a wanted device that has no other code here, when it is loaded.
    Compiled,
    /// Stays, since all PTX does.
    Asked,
    /// Stays: which devices run it cannot be judged.
    Unjudged,
    /// Stays: something points into its container, which is not touched.
    Untouched,
    /// Stays: without it the container would be empty.
    Placeholder,
    /// Goes: no wanted device runs it.
    OtherDevice,
    /// Goes: the wanted devices that could compile it have code already, or PTX is not wanted.
    Unneeded,
}

impl Fate {
    /// Whether the entry stays.
    pub const fn stays(self) -> bool {
        !matches!(self, Self::OtherDevice | Self::Unneeded)
    }

    /// The reason in a few words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Runs => "a wanted device runs it",
            Self::Compiled => "compiled at load for a wanted device without other code",
            Self::Asked => "all PTX is kept",
            Self::Unjudged => "cannot be judged",
            Self::Untouched => "something points into its container",
            Self::Placeholder => "keeps its container from being empty",
            Self::OtherDevice => "no wanted device runs it",
            Self::Unneeded => "not needed beside other code",
        }
    }
}

impl Code {
    /// The code of an entry.
    pub fn of(entry: &Entry<'_>) -> Self {
        Self { kind: entry.kind, arch: entry.arch, flags: entry.flags }
    }

    /// Whether it is known which devices run the code.
    pub fn is_judged(&self) -> bool {
        let kind = self.is_cubin() || self.is_ptx();
        let suffix = self.flags.contains(Flags::ARCH_SPECIFIC)
            || !self.flags.contains(Flags::FAMILY_SPECIFIC)
            || self.family().is_some();
        let known = self.flags.unknown_bits() == 0 && !self.flags.contains(Flags::OBFUSCATED);
        kind && suffix && known && self.arch > 0
    }

    /// Whether a device runs the code, at once or compiled for it.
    pub fn runs_on(&self, device: u32) -> bool {
        if self.flags.contains(Flags::ARCH_SPECIFIC) {
            return self.arch == device;
        }
        if self.flags.contains(Flags::FAMILY_SPECIFIC) {
            let family = self.family().unwrap_or_default();
            return family.contains(&device) && self.arch <= device;
        }
        let major = |arch: u32| arch.checked_div(10);
        self.arch <= device && (self.is_ptx() || major(self.arch) == major(device))
    }

    fn is_cubin(&self) -> bool {
        self.kind == Kind::Elf
    }

    fn is_ptx(&self) -> bool {
        self.kind.is_ptx()
    }

    fn family(&self) -> Option<&'static [u32]> {
        FAMILIES.iter().find(|family| family.contains(&self.arch)).copied()
    }

    /// Whether it is for programs of 64 bits.
    fn is_wide(&self) -> bool {
        self.flags.contains(Flags::BITS_64)
    }

    /// Whether this code makes other one unnecessary on a device.
    fn replaces(&self, other: &Self, device: u32) -> bool {
        let same_width = self.is_wide() == other.is_wide();
        self.is_cubin() && self.is_judged() && same_width && self.runs_on(device)
    }
}

/// What becomes of the entries of a container, given their code and their lengths.
pub(super) fn fates(codes: &[(Code, u64)], options: &Options) -> Vec<Fate> {
    let mut fates: Vec<_> = codes.iter().map(|(code, _)| fate(code, codes, options)).collect();
    if !fates.iter().any(|fate| fate.stays()) {
        let smallest = codes.iter().enumerate().min_by_key(|(_, (_, len))| *len);
        if let Some(fate) = smallest.and_then(|(index, _)| fates.get_mut(index)) {
            *fate = Fate::Placeholder;
        }
    }
    fates
}

fn fate(code: &Code, all: &[(Code, u64)], options: &Options) -> Fate {
    if !code.is_judged() {
        return Fate::Unjudged;
    }
    let mut devices = options.devices.iter().filter(|device| code.runs_on(**device)).peekable();
    if !code.is_ptx() {
        return if devices.peek().is_some() { Fate::Runs } else { Fate::OtherDevice };
    }
    match options.ptx {
        Ptx::All => Fate::Asked,
        _ if devices.peek().is_none() => Fate::OtherDevice,
        Ptx::None => Fate::Unneeded,
        Ptx::Needed => {
            let has = |device: u32| all.iter().any(|(other, _)| other.replaces(code, device));
            if devices.all(|device| has(*device)) { Fate::Unneeded } else { Fate::Compiled }
        }
    }
}

/// A wanted device that could run something, and now cannot.
pub(super) fn lost(codes: &[(Code, u64)], fates: &[Fate], options: &Options) -> Option<u32> {
    options.devices.iter().copied().find(|device| {
        // Code of another width is for other programs, and stands in for none.
        [false, true].into_iter().any(|wide| {
            let runs =
                |code: &Code| code.is_judged() && code.runs_on(*device) && code.is_wide() == wide;
            let had = codes.iter().any(|(code, _)| runs(code));
            let mut kept = codes.iter().zip(fates).filter(|(_, fate)| fate.stays());
            had && !kept.any(|((code, _), _)| runs(code))
        })
    })
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    const A: u64 = 0x10_0000;
    const F: u64 = 0x20_0000;

    fn code(kind: u16, arch: u32, flags: u64) -> Code {
        let kind = match kind {
            1 => Kind::Ptx,
            2 => Kind::Elf,
            8 => Kind::Nvvm,
            0x40 => Kind::RelocPtx,
            other => Kind::Other(other),
        };
        Code { kind, arch, flags: Flags(0x11 | flags) }
    }

    fn options(devices: &[u32], ptx: Ptx) -> Options {
        Options { devices: devices.to_vec(), ptx, ..Options::default() }
    }

    /// Kind, architecture and flags, and for which devices of 75, 80, 86, 90, 100, 103, 120, 121.
    #[test]
    fn code_runs_where_the_tools_say() {
        const DEVICES: [u32; 8] = [75, 80, 86, 90, 100, 103, 120, 121];
        let cases: [(u16, u32, u64, &[u32]); 12] = [
            (2, 75, 0, &[75]),
            (2, 80, 0, &[80, 86]),
            (2, 86, 0, &[86]),
            (2, 90, 0, &[90]),
            (2, 90, A, &[90]),
            (2, 100, 0, &[100, 103]),
            (2, 100, A, &[100]),
            (2, 100, F, &[100, 103]),
            (2, 103, F, &[103]),
            (2, 120, F, &[120, 121]),
            (1, 86, 0, &[86, 90, 100, 103, 120, 121]),
            (1, 90, A, &[90]),
        ];
        for (kind, arch, flags, expected) in cases {
            let code = code(kind, arch, flags);
            let runs: Vec<_> = DEVICES.into_iter().filter(|it| code.runs_on(*it)).collect();
            assert_eq!(runs, expected, "{code:?}");
            assert!(code.is_judged());
        }
    }

    #[test]
    fn what_cannot_be_judged_stays() {
        let obfuscated = 0x1_0000;
        let unknown = 0x8000_0000;
        for odd in [
            code(8, 75, 0),
            code(0x100, 75, 0),
            code(0x300, 75, 0),
            code(2, 75, obfuscated),
            code(2, 75, unknown),
            code(2, 130, F),
            code(2, 0, 0),
        ] {
            let fates = fates(&[(odd, 8), (code(2, 90, 0), 8)], &options(&[90], Ptx::Needed));
            assert_eq!(fates, [Fate::Unjudged, Fate::Runs], "{odd:?}");
        }
    }

    #[test]
    fn ptx_stays_where_a_device_has_nothing_else() {
        use Fate::{Asked, Compiled, OtherDevice, Runs, Unneeded};
        let codes = [(code(2, 80, 0), 9), (code(1, 80, 0), 9), (code(1, 120, 0), 9)];
        let cases: [(&[u32], Ptx, [Fate; 3]); 6] = [
            (&[80], Ptx::Needed, [Runs, Unneeded, OtherDevice]),
            (&[90], Ptx::Needed, [OtherDevice, Compiled, OtherDevice]),
            (&[80, 90], Ptx::Needed, [Runs, Compiled, OtherDevice]),
            (&[86, 120], Ptx::Needed, [Runs, Compiled, Compiled]),
            (&[80], Ptx::All, [Runs, Asked, Asked]),
            (&[80], Ptx::None, [Runs, Unneeded, OtherDevice]),
        ];
        for (devices, ptx, expected) in cases {
            let options = options(devices, ptx);
            assert_eq!(fates(&codes, &options), expected, "{devices:?} {ptx:?}");
            assert_eq!(lost(&codes, &fates(&codes, &options), &options), None);
        }
        // Code of another width is another program.
        let narrow = Code { flags: Flags(0x10), ..code(2, 80, 0) };
        let codes = [(narrow, 9), (code(1, 80, 0), 9)];
        assert_eq!(fates(&codes, &options(&[80], Ptx::Needed)), [Runs, Compiled]);
        let none = options(&[80], Ptx::None);
        assert_eq!(lost(&codes, &fates(&codes, &none), &none), Some(80));
    }

    #[test]
    fn a_container_keeps_something_and_says_what_it_lost() {
        let codes = [(code(2, 75, 0), 30), (code(2, 80, 0), 20)];
        let wanted = options(&[90], Ptx::Needed);
        let found = fates(&codes, &wanted);
        assert_eq!(found, [Fate::OtherDevice, Fate::Placeholder]);
        assert_eq!(lost(&codes, &found, &wanted), None);
        let codes = [(code(1, 80, 0), 30), (code(2, 75, 0), 20)];
        let wanted = options(&[75, 90], Ptx::None);
        assert_eq!(lost(&codes, &fates(&codes, &wanted), &wanted), Some(90));
    }
}
