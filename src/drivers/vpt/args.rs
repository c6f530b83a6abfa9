//! The options of Venice Program Tables.

use std::str::FromStr;

use binfmt_formats::vpt::{self, EntryLayout, Expect};
use binfmt_tool::clap::{self, ValueEnum};

/// What is expected of a table.
#[derive(Debug, clap::Args)]
pub(super) struct VptArgs {
    /// The version of Venice Program Tables that is expected
    #[arg(long, value_name = "MAJOR.MINOR", default_value = "0.1")]
    vpt_version: Version,
    /// The vendor of Venice Program Tables that is expected, or `any`
    #[arg(long, value_name = "ID", default_value = "any")]
    vendor: Vendor,
    /// The entry layout of Venice Program Tables: with or without flags
    #[arg(long, value_enum, value_name = "LAYOUT", default_value_t)]
    vpt_entries: VptEntries,
}

impl VptArgs {
    pub(super) fn expect(&self) -> Expect {
        let Version(major, minor) = self.vpt_version;
        Expect { version: Some(vpt::Version { major, minor }), vendor_id: self.vendor.0 }
    }

    /// The layout, if only one will do.
    pub(super) fn layout(&self) -> Option<EntryLayout> {
        match self.vpt_entries {
            VptEntries::Auto => None,
            VptEntries::Plain => Some(EntryLayout::Plain),
            VptEntries::Flagged => Some(EntryLayout::Flagged),
        }
    }
}

/// The two entry layouts of a Venice Program Table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum VptEntries {
    /// Whichever fits
    #[default]
    Auto,
    /// Two lengths, as documented
    Plain,
    /// Two lengths and flags, as today's tools write them
    Flagged,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Version(u32, u32);

impl FromStr for Version {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text
            .split_once('.')
            .and_then(|(major, minor)| Some(Self(major.parse().ok()?, minor.parse().ok()?)));
        parts.ok_or("a version is two numbers, as in `0.1`")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Vendor(Option<u32>);

impl FromStr for Vendor {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "any" {
            return Ok(Self(None));
        }
        let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => text.parse(),
        };
        number
            .map(|id| Self(Some(id)))
            .map_err(|_| "a vendor is a number of 32 bits, as in `0x11235813`, or `any`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vendors_are_hex_or_decimal_or_any() {
        assert_eq!("any".parse(), Ok(Vendor(None)));
        assert_eq!("0x11235813".parse(), Ok(Vendor(Some(0x1123_5813))));
        assert_eq!("17".parse(), Ok(Vendor(Some(17))));
        assert!("0x100000000".parse::<Vendor>().is_err());
    }

    #[test]
    fn versions_are_two_numbers() {
        assert_eq!("0.1".parse(), Ok(Version(0, 1)));
        assert!("1".parse::<Version>().is_err());
        assert!("0.1.2".parse::<Version>().is_err());
    }
}
