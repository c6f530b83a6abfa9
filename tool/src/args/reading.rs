//! Options about reading, the same for all subcommands.

use crate::driver::Options;

/// How to read a file.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadArgs {
    /// Read the file as this format, whatever it looks like
    #[arg(long, value_name = "NAME")]
    pub(crate) format: Option<String>,
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
    pub(crate) fn options(&self) -> Options {
        Options { decode: !self.no_decode, ..self.decode.options() }
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
    pub(crate) fn options(&self) -> Options {
        Options { max_decoded: self.max_decoded, ..Options::default() }
    }
}

pub(super) fn parse_bytes(text: &str) -> Result<u64, &'static str> {
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
}
