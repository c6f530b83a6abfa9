//! Options about reading, the same for all subcommands.

use std::str::FromStr;

use clap::builder::PossibleValuesParser;

use crate::driver::{self, Options, VptEntries, VptOptions};

/// How to read a file.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadArgs {
    /// Read the file as this format, whatever it looks like
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(driver::names()))]
    pub(crate) format: Option<String>,
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

impl ReadArgs {
    /// What the formats are told, with payloads left alone.
    pub(crate) fn options(&self) -> Options {
        let Version(major, minor) = self.vpt_version;
        Options {
            vpt: VptOptions {
                version: (major, minor),
                vendor: self.vendor.0,
                entries: self.vpt_entries,
            },
            ..Options::default()
        }
    }
}

/// Whether and how to decode payloads, for commands that can do without.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct CheckArgs {
    /// Do not decode payloads
    #[arg(long)]
    no_decode: bool,
    #[command(flatten)]
    decode: DecodeArgs,
}

impl CheckArgs {
    /// What the formats are told.
    pub(crate) fn options(&self, read: &ReadArgs) -> Options {
        Options { decode: !self.no_decode, ..self.decode.options(read) }
    }
}

/// How to decode payloads.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct DecodeArgs {
    /// The largest payload to decode; takes K, M and G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, default_value = "256M")]
    max_decoded: u64,
}

impl DecodeArgs {
    /// What the formats are told.
    pub(crate) fn options(&self, read: &ReadArgs) -> Options {
        Options { max_decoded: self.max_decoded, ..read.options() }
    }
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

fn parse_bytes(text: &str) -> Result<u64, &'static str> {
    let (digits, shift) = match text.char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text[..at], 10),
        Some((at, 'm' | 'M')) => (&text[..at], 20),
        Some((at, 'g' | 'G')) => (&text[..at], 30),
        _ => (text, 0),
    };
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or("a size is a number of bytes, as in `1000`, `64K`, `256M` or `2G`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_limit_is_the_one_the_help_names() {
        assert_eq!(parse_bytes("256M"), Ok(Options::default().max_decoded));
    }

    #[test]
    fn sizes_take_suffixes() {
        assert_eq!(parse_bytes("1000"), Ok(1000));
        assert_eq!(parse_bytes("64k"), Ok(65_536));
        assert_eq!(parse_bytes("2G"), Ok(2_147_483_648));
        assert!(parse_bytes("99999999999G").is_err());
        assert!(parse_bytes("M").is_err());
        assert!(parse_bytes("").is_err());
        assert!(parse_bytes("1é").is_err());
    }

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
