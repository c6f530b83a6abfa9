//! The command line.

mod edit;
mod metadata;
mod reading;

use std::path::PathBuf;

use clap::ValueEnum;

use crate::list::Sort;
use crate::pattern::Pattern;

pub(crate) use edit::EditArgs;
pub(crate) use metadata::MetadataArgs;
use reading::parse_bytes;
pub(crate) use reading::{CheckArgs, DecodeArgs, ReadArgs};

/// Show every field: offset, size, name, type and value
///
/// A damaged file is shown as far as it can be read; what is wrong with it, or with its payloads,
/// follows on standard error.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt inspect FILE
  binfmt inspect --docs --depth 1 FILE
  binfmt inspect --path 'entries[3]' --hex FILE
  binfmt inspect --json FILE | jq .

Exit codes:
  0  the file is valid
  1  it is invalid, damaged or unrecognised
  2  wrong usage, or a file that cannot be read")]
pub(crate) struct InspectArgs {
    /// The file, or `-`
    pub(crate) file: PathBuf,
    /// One JSON tree per line: one line per part of a host file
    #[arg(long)]
    pub(crate) json: bool,
    /// Say also what each field means
    #[arg(long)]
    pub(crate) docs: bool,
    /// Only the field with this path, such as `entries[3]`; `[*]` stands for every item, `*` for
    /// every field. May be given several times
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Vec<Pattern>,
    /// No more than N levels of fields
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// Show the first bytes of each field; a wide terminal has them anyway
    #[arg(long)]
    pub(crate) hex: bool,
    #[command(flatten)]
    pub(crate) check: CheckArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Check files and say everything that is wrong with them
///
/// Every payload is decoded too, without keeping it in memory. Warnings and notes are told, but
/// only errors make a file invalid.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt validate kernels.fatbin
  binfmt validate --vendor 0x11235813 out.vpt
  binfmt validate --json *.fatbin | jq 'select(.verdict != \"valid\")'
  binfmt validate --all damaged.ptd | less

Exit codes:
  0  every file is valid
  1  a file is invalid, damaged or unrecognised
  2  wrong usage, or a file that cannot be read")]
pub(crate) struct ValidateArgs {
    /// The files, or `-`
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// One JSON line per file
    #[arg(long)]
    pub(crate) json: bool,
    /// Every finding, in the order of the walk; without it, no more than 20 of a kind (1000 in JSON)
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) check: CheckArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// List what is in a file
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt list FILE
  binfmt list --sort size --filter tensor FILE
  binfmt list --json --hash FILE

Exit codes:
  0  everything in the file is listed
  1  the file is damaged (what can be read is listed) or unrecognised
  2  wrong usage, or a file that cannot be read")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct ListArgs {
    /// The file, or `-`
    pub(crate) file: PathBuf,
    /// One JSON line with all items
    #[arg(long)]
    pub(crate) json: bool,
    /// Add the SHA-256 of what `extract` writes
    #[arg(long)]
    pub(crate) hash: bool,
    /// Decode every payload, for sizes that are not only promised by headers
    #[arg(long)]
    pub(crate) check: bool,
    /// Only items of this kind, name, architecture or path; `*` stands for anything, `?` for one
    /// character. May be given several times
    #[arg(long, value_name = "PATTERN")]
    pub(crate) filter: Vec<String>,
    /// How to sort
    #[arg(long, value_enum, value_name = "BY")]
    pub(crate) sort: Option<Sort>,
    /// Exact sizes in bytes
    #[arg(long)]
    pub(crate) bytes: bool,
    #[command(flatten)]
    pub(crate) decode: DecodeArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Write what is in a file to a folder, one file per item
///
/// Names that come from the file never lead out of the folder; equal names get `~2`, `~3` and so
/// on. Each file appears whole or not at all. Bytes are written once: what other items have whole,
/// such as a segment with all of its tensors, is left out, and items with the same bytes are hard
/// links to one file. Of an archive, each file of a known format has a folder of its own.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt extract kernels.fatbin -o out
  binfmt extract libfoo.so -o out --filter sm_90a
  binfmt extract libfoo.so -o out --filter '*:items[0]'
  binfmt extract weights.ptd -o out --filter tensor --npy
  binfmt extract a.whl -o out --filter 'pkg/libx.so'

Exit codes:
  0  every item is written
  1  the file is damaged (what can be read is written), unrecognised, or nothing matches
  2  wrong usage, or a file that cannot be read or written")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct ExtractArgs {
    /// The file, or `-`
    pub(crate) file: PathBuf,
    /// The folder to write to; made if it does not exist
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Only items of this kind, name, architecture or path; `*` stands for anything, `?` for one
    /// character. May be given several times
    #[arg(long, value_name = "PATTERN")]
    pub(crate) filter: Vec<String>,
    /// Write `manifest.json`, too, and what `pack` needs to make the file again
    #[arg(long, conflicts_with_all = ["filter", "npy", "resume"])]
    pub(crate) manifest: bool,
    /// Write tensors as arrays of `NumPy` (.npy), where that has their type
    #[arg(long)]
    pub(crate) npy: bool,
    /// Replace files that exist
    #[arg(long)]
    pub(crate) force: bool,
    /// Go on where an earlier run has stopped: files that have the same bytes already are kept
    #[arg(long)]
    pub(crate) resume: bool,
    /// Write every item, those too whose bytes others have
    #[arg(long)]
    pub(crate) all: bool,
    /// Write no more than this in all; takes K, M and G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, default_value = "4G")]
    pub(crate) max_total: u64,
    /// One JSON line per written file
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) decode: DecodeArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Find containers anywhere in files and folders
///
/// Every place in a file is looked at, whatever the file is, but for those that a container spans; a
/// container counts if it can be walked to its end. Folders are searched through, symbolic links in
/// them are not followed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt scan libfoo.so
  binfmt scan .venv/lib
  binfmt scan --json build | jq -r 'select(.entries) | .file' | sort -u

JSON: one line per container, the summary last.

Exit codes:
  0  containers were found
  1  none was found, or one is damaged
  2  wrong usage, or a file that cannot be read")]
pub(crate) struct ScanArgs {
    /// The files and folders
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// One JSON line per container, then a summary
    #[arg(long)]
    pub(crate) json: bool,
    /// Exact sizes in bytes
    #[arg(long)]
    pub(crate) bytes: bool,
    /// Write a table of everything that `list` shows, of all files that are of a known format
    #[cfg(feature = "catalogue")]
    #[arg(long = "parquet", value_name = "OUT", conflicts_with_all = ["json", "format"])]
    pub(crate) output: Option<PathBuf>,
    /// With --parquet: add the SHA-256 of what `extract` writes
    #[cfg(feature = "catalogue")]
    #[arg(long, requires = "output")]
    pub(crate) hash: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Read a file, recompute everything that is derived, and write it again
///
/// Payloads are written as they are. A file without errors comes out unchanged; a file that would
/// still have errors is not written.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt rewrite in.vpt -o out.vpt
  binfmt rewrite --check kernels.fatbin

Exit codes:
  0  written; with --check: nothing would change
  1  the file is invalid, damaged or unrecognised; with --check: bytes would change
  2  wrong usage, or a file that cannot be read or written")]
pub(crate) struct RewriteArgs {
    /// The file, or `-`
    pub(crate) file: PathBuf,
    /// The file to write, or `-` for standard output
    #[arg(
        short,
        long,
        value_name = "OUT",
        required_unless_present = "check",
        conflicts_with = "check"
    )]
    pub(crate) output: Option<PathBuf>,
    /// Write nothing; say whether bytes would change
    #[arg(long)]
    pub(crate) check: bool,
    /// With --check: one JSON line
    #[arg(long, requires = "check")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) payloads: CheckArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Write a file in another format, or in another version of its own
///
/// Tensors go from every format that has them to .safetensors and .ptd, and from .safetensors to .ptd.
/// The elements are not changed; tensors in another order of dimensions than row by row are brought
/// into that. Names are kept. What the other format cannot hold is an error, unless it may be left out.
///
/// A whole .rten model goes from one version of its format to the other.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt convert weights.ptd -o weights.safetensors
  binfmt convert model.safetensors -o model.ptd
  binfmt convert model.safetensors --to ptd -o - | sha256sum
  binfmt convert old.rten --to rten2 -o new.rten

Exit codes:
  0  everything is written
  1  the file is invalid, damaged or unrecognised, or the other format cannot hold what is in it
  2  wrong usage, or a file that cannot be read or written")]
pub(crate) struct ConvertArgs {
    /// The file, or `-`
    pub(crate) file: PathBuf,
    /// The file to write, or `-` for standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The format to write; without it, the extension of OUT says so
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<String>,
    /// Leave out what the other format cannot hold, and say what
    #[arg(long)]
    pub(crate) skip: bool,
    /// Write no more than this; takes K, M and G
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes, default_value = "4G")]
    pub(crate) max_total: u64,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Show how a format is declared: its types, fields, offsets and rules
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt schema
  binfmt schema vpt > vpt.md
  binfmt schema --json fatbin | jq '.types[].name'

Exit codes:
  0  shown
  2  wrong usage, or there is no such format")]
pub(crate) struct SchemaArgs {
    /// The format; without it, all formats are named
    pub(crate) format: Option<String>,
    /// One JSON line: the whole declaration, or one per format
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Color {
    /// When standard output is a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    pub(crate) fn apply(self) {
        match self {
            Self::Auto => {}
            Self::Always => anstream::ColorChoice::Always.write_global(),
            Self::Never => anstream::ColorChoice::Never.write_global(),
        }
    }
}
