//! `binfmt view`: a page to look at, in one file.

mod base64;
mod bytes;
mod keep;
mod marks;
mod page;
mod text;

use std::path::PathBuf;

use crate::args::{CheckArgs, ReadArgs};
use crate::input::Input;
use crate::output::{Out, Outcome, Trouble};
use crate::save::save_as;
use crate::toolbox::Toolbox;
use crate::validate;
use crate::verb::Verb;

/// Write one HTML page to look at a file
///
/// The page has a map of the file by area, the tree of all fields, the bytes, and everything that is
/// wrong; what is chosen in one is shown in the others. It needs no network and no other file, and
/// stays below 4 MiB however large the file is: of long lists it has the first items and those with
/// errors, of long runs of bytes the start and the end, and it says what it leaves out. A damaged
/// file is shown as far as it can be read. What coded bytes hold has no bytes in the file, and is shown by
/// `inspect`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt view FILE -o page.html
  binfmt view damaged.bin -o page.html --force; xdg-open page.html

Exit codes:
  0  the page is written, and the file is valid
  1  the page is written, and the file is invalid or damaged; or it is unrecognised and there is no page
  2  wrong usage, or a file that cannot be read or written")]
struct ViewArgs {
    /// The file, or `-`
    file: PathBuf,
    /// The page to write, or `-` for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    check: CheckArgs,
    #[command(flatten)]
    read: ReadArgs,
}

pub(crate) fn verb() -> Verb {
    Verb::new("view", run)
}

fn run(args: &ViewArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let Some(driver) = toolbox.choose(&input, args.read.format.as_deref()) else {
        return Ok(validate::unrecognised(&input));
    };
    let checked = driver.validate(&input, &args.check.options());
    let page = page::page(&input, driver, &checked, (toolbox.name(), &args.check.options()));
    save_as(&args.output, page.as_bytes(), out)?;
    Ok(validate::tell_errors(&input.name(), &checked))
}
