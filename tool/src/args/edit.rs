//! The command line of `binfmt edit`.

use std::path::PathBuf;

use super::reading::ReadArgs;
use crate::weights::Given;

/// Change what is in a file, and write it again
///
/// In .pte, .ptd and .rten: the elements of tensors, from a file of safetensors or `NumPy`. All tensors
/// fit, or nothing is written.
///
/// In .pte and .ptd: data with keys, and what segments are aligned to; in .pte whole segments, too;
/// in .rten the elements of constants. What keeps its length is changed in its place, and nothing else
/// changes. Otherwise the tables are written anew, and everything gets its place again; what segments
/// are aligned to is kept. A file with errors is not changed, and none is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt edit model.pte -o new.pte --add --put metadata.author=author.txt
  binfmt edit model.pte -o new.pte --segment 1=delegate.bin --align 4096
  binfmt edit model.pte -o new.pte --weights trained.safetensors --cast
  binfmt edit model.rten -o new.rten --weights fc.bias=bias.npy
  binfmt edit old.pte -o new.pte --upgrade
  binfmt edit weights.ptd -o new.ptd --put fc.bias=bias.bin --drop fc.old

Exit codes:
  0  written
  1  the file is invalid, damaged or unrecognised, or cannot be changed so
  2  wrong usage, or a file that cannot be read or written")]
#[command(
    group = clap::ArgGroup::new("change").required(true).multiple(true),
    group = clap::ArgGroup::new("keyed").multiple(true)
)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct EditArgs {
    /// The file, or `-`
    pub(crate) file: PathBuf,
    /// The file to write, or `-` for standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Put the bytes of PATH behind KEY, in .rten into the constant of that name; a tensor keeps its
    /// type and sizes. PATH begins behind the last `=`
    #[arg(long, value_name = "KEY=PATH", groups = ["change", "keyed"], value_parser = parse_put)]
    pub(crate) put: Vec<(String, PathBuf)>,
    /// Put the tensors of PATH, a file of safetensors or an array of `NumPy` (.npy), into those of the
    /// same names, types and shapes. NAME is that of an array, else its file names it
    #[arg(
        long, value_name = "[NAME=]PATH", groups = ["change", "keyed"], value_parser = Given::parse
    )]
    pub(crate) weights: Vec<Given>,
    /// Let --weights bring elements of other types to those of the file; what does not fit there is an
    /// error
    #[arg(long, requires = "weights")]
    pub(crate) cast: bool,
    /// Let --put add a KEY that is not there yet, and --weights a tensor to a .ptd
    #[arg(long, requires = "keyed")]
    pub(crate) add: bool,
    /// Let --put and --segment take a file of an array or of tensors as it is, with its header
    #[arg(long)]
    pub(crate) raw: bool,
    /// Remove KEY, and its bytes if nothing else names them
    #[arg(long, value_name = "KEY", group = "change")]
    pub(crate) drop: Vec<String>,
    /// Put the bytes of PATH into segment N, which `list` shows
    #[arg(long, value_name = "N=PATH", group = "change", value_parser = parse_segment)]
    pub(crate) segment: Vec<(u64, PathBuf)>,
    /// Put segments on multiples of N bytes, a power of two
    #[arg(long, value_name = "N", group = "change")]
    pub(crate) align: Option<u64>,
    /// Bring an old file to what runtimes want today: in .pte constants in a segment and the length
    /// of the segments in the header, in .ptd the schema of 0.7. A file that has it stays as it is
    #[arg(long, group = "change")]
    pub(crate) upgrade: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

fn parse_put(text: &str) -> Result<(String, PathBuf), &'static str> {
    let (key, path) = text.rsplit_once('=').ok_or("it has the form KEY=PATH")?;
    Ok((key.to_owned(), path.into()))
}

fn parse_segment(text: &str) -> Result<(u64, PathBuf), &'static str> {
    let parts = text.split_once('=').and_then(|(index, path)| Some((index.parse().ok()?, path)));
    let (index, path) = parts.ok_or("it has the form N=PATH, where N is a number")?;
    Ok((index, path.into()))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn keys_may_have_an_equals_sign() {
        let (key, path) = parse_put("a=b=c.bin").unwrap();
        assert_eq!((key.as_str(), path.as_path()), ("a=b", Path::new("c.bin")));
        // The empty key is one.
        assert_eq!(parse_put("=c").unwrap().0, "");
        parse_put("key").unwrap_err();
    }

    #[test]
    fn segments_have_a_number() {
        assert_eq!(parse_segment("2=a=b").unwrap(), (2, "a=b".into()));
        for wrong in ["a=b", "-1=b", "2", ""] {
            parse_segment(wrong).unwrap_err();
        }
    }
}
