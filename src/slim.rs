//! `binfmt slim`: finished files without the GPU code that wanted devices cannot use.

mod one;
mod report;
mod wheel;
mod zip;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use binfmt_formats::slim::{Mode, Options, Ptx};
use binfmt_tool::clap::{self, ValueEnum};
use binfmt_tool::input::Input;
use binfmt_tool::output::{Out, Outcome, Trouble};
use binfmt_tool::save::Existing;
use binfmt_tool::{Toolbox, Verb};

pub(crate) fn verb() -> Verb {
    Verb::new("slim", run)
}

/// Make a library smaller: without GPU code that the wanted devices cannot use
///
/// Takes shared libraries, object files, static libraries, bare containers of NVIDIA GPU code, and
/// wheels and zip archives with any of these. Every address stays, so the library loads as before;
/// what cannot be proven harmless is refused. The new file is read again and compared before it gets
/// its name. Signatures and attestations of the old file do not hold for the new one.
///
/// A wheel gets a build tag in its name, as `0_sm90`, and a new list of files; members without such
/// code are copied as they are stored. What is refused in an archive stays as it is, and is told.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt slim libkernels.so --keep sm_90 --dry-run
  binfmt slim libkernels.so --keep sm_80,sm_90 -o slim/libkernels.so
  binfmt slim libkernels.so --keep sm_90 --zero --punch -o libkernels.so.new
  binfmt slim package-1.0-py3-none-linux_x86_64.whl --keep sm_90 -o slim/
  binfmt slim kernels.fatbin --keep sm_90 --json -o small.fatbin | jq .new_bytes

Exit codes:
  0  the new file is written, or could be
  1  the file is refused; nothing is written
  2  wrong usage, or a file that cannot be read or written
  3  nothing would go; nothing is written")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
struct SlimArgs {
    /// The file
    file: PathBuf,
    /// The devices to keep, by compute capability: `sm_90` or `9.0`
    #[arg(long, required = true, value_delimiter = ',', value_name = "DEVICE", value_parser = device)]
    keep: Vec<u32>,
    /// The file to write; for a wheel also the folder
    #[arg(short, long, value_name = "OUT", required_unless_present = "dry_run")]
    output: Option<PathBuf>,
    /// Take the room out of the file (this is the default)
    #[arg(long, conflicts_with_all = ["zero", "punch"])]
    pack: bool,
    /// Fill the room with zeros and leave everything where it is
    #[arg(long)]
    zero: bool,
    /// As --zero, and leave holes in the file, which take no space on the disk
    #[arg(long)]
    punch: bool,
    /// Which PTX to keep, of what wanted devices could compile
    #[arg(long, value_enum, value_name = "WHICH", default_value_t)]
    ptx: KeepPtx,
    /// Only say what would go, and why
    #[arg(long, conflicts_with = "output")]
    dry_run: bool,
    /// One JSON line, with every container and entry
    #[arg(long)]
    json: bool,
    /// Replace OUT if it exists
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum KeepPtx {
    /// What a wanted device needs that has no other code in the container
    #[default]
    Needed,
    /// All of it
    All,
    /// None; refused where a wanted device has nothing else
    None,
}

/// The number of a device: 90 for `sm_90`, `90` and `9.0`.
fn device(text: &str) -> Result<u32, String> {
    let number = text.strip_prefix("sm_").unwrap_or(text);
    if let Some(device) = number.strip_suffix(['a', 'f']).filter(|rest| rest.parse::<u32>().is_ok())
    {
        return Err(format!("{text} is code and no device; the device is sm_{device}"));
    }
    let number = match number.split_once('.') {
        Some((major, minor)) if minor.len() == 1 => format!("{major}{minor}"),
        _ => number.to_owned(),
    };
    let device = number.parse().ok().filter(|device| (10..10_000).contains(device));
    device.ok_or_else(|| "a device is named as `sm_90` or `9.0`".to_owned())
}

impl SlimArgs {
    fn options(&self) -> Options {
        let mode = if self.zero || self.punch { Mode::Zero } else { Mode::Pack };
        let ptx = match self.ptx {
            KeepPtx::Needed => Ptx::Needed,
            KeepPtx::All => Ptx::All,
            KeepPtx::None => Ptx::None,
        };
        Options { devices: self.keep.clone(), ptx, mode }
    }

    fn existing(&self) -> Existing {
        if self.force { Existing::Replace } else { Existing::Keep }
    }
}

/// What is said of libraries that may not be given away when they were changed.
const OF_NVIDIA: &str =
    "by its name a library of NVIDIA, whose licence allows redistribution only unmodified";

fn run(args: &SlimArgs, _: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    if zip::is(&input) { zip::run(&input, args, out) } else { one::run(&input, args, out) }
}

/// The file to write: the user named the path, so a link is followed to the file that is to change.
fn target(path: &Path) -> Result<PathBuf, Trouble> {
    if fs::metadata(path).is_ok_and(|to| !to.is_file()) || path == Path::new("-") {
        return Err(Trouble::new(format!("{}: the output is a regular file", path.display())));
    }
    Ok(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
}

fn unwritten(path: &Path, error: &io::Error) -> Trouble {
    if error.kind() == io::ErrorKind::AlreadyExists {
        let path = path.display();
        return Trouble::new(format!("{path}: this file exists; `--force` replaces it"));
    }
    Trouble::writing_file(path, error)
}

#[cfg(test)]
mod tests {
    use binfmt_formats::slim::Note;

    use super::*;

    #[test]
    fn devices_are_named_in_three_ways() {
        for (text, expected) in
            [("sm_90", 90), ("90", 90), ("9.0", 90), ("12.1", 121), ("sm_121", 121)]
        {
            assert_eq!(device(text), Ok(expected), "{text}");
        }
        for text in ["", "sm_", "9", "sm_9", "90x", "9.00", "-90", "hopper", "1.2.3"] {
            assert_eq!(
                device(text),
                Err("a device is named as `sm_90` or `9.0`".to_owned()),
                "{text}"
            );
        }
        let expected = "sm_90a is code and no device; the device is sm_90";
        assert_eq!(device("sm_90a"), Err(expected.to_owned()));
    }

    #[test]
    fn notes_have_words() {
        assert!(report::note(&Note::NoSpare).contains("headers"));
        assert!(report::note(&Note::Hole(".nv_fatbin".to_owned())).contains(".nv_fatbin"));
    }
}
