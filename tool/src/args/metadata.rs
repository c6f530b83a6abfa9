//! The command line of `binfmt metadata`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ArgGroup;

use super::reading::ReadArgs;

/// Show or change the texts that say where a model comes from
///
/// Everything else stays as it is in meaning, and the weights byte by byte; the tables around them
/// are made anew. A file with errors is not changed.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("change").multiple(true).args(["set", "remove"]))]
#[command(after_help = "\
Examples:
  binfmt metadata model.rten
  binfmt metadata model.rten -o new.rten --set license=MIT --set 'description=Finds text'
  binfmt metadata model.rten -o new.rten --remove run_url

Exit codes:
  0  shown, or written
  1  the file is invalid, damaged or unrecognised, or its format has no metadata
  2  wrong usage, or a file that cannot be read or written")]
pub(crate) struct MetadataArgs {
    /// The file, or `-`
    pub(crate) file: PathBuf,
    /// The file to write, or `-` for standard output
    #[arg(short, long, value_name = "OUT", requires = "change")]
    pub(crate) output: Option<PathBuf>,
    /// Store this text under this name
    #[arg(long, value_name = "NAME=TEXT", requires = "output")]
    pub(crate) set: Vec<Assignment>,
    /// Remove the text of this name
    #[arg(long, value_name = "NAME", requires = "output")]
    pub(crate) remove: Vec<String>,
    /// One JSON line with all texts
    #[arg(long, conflicts_with = "output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// A name and its new text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assignment {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, text) = text.split_once('=').ok_or("write NAME=TEXT")?;
        Ok(Self { name: name.to_owned(), text: text.to_owned() })
    }
}
