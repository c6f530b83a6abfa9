//! `binfmt export`: a format as other programs want it described.

mod constants;
mod expr;
mod ksy;
mod magic;

use std::path::PathBuf;

use clap::ValueEnum;

use crate::driver::Driver;
use crate::output::{self, Out, Outcome, Trouble};
use crate::save::save_as;
use crate::schema;
use crate::toolbox::Toolbox;
use crate::verb::Verb;

/// Write how a format is declared, for other programs
///
/// `ksy` is a description for Kaitai Struct, of which that makes readers in many languages. What it has
/// no words for is named on standard error and in a comment. `magic` is a file for `file -m`, `md` the
/// reference page, `json` the whole declaration, as `schema --json` has it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt export FORMAT --to ksy -o format.ksy; kaitai-struct-compiler -t python format.ksy
  binfmt export FORMAT --to magic -o magic; file -m magic FILE
  binfmt export FORMAT --to md > FORMAT.md
  binfmt export FORMAT --to json | jq '.types[].name'

Exit codes:
  0  written
  1  there is nothing to write: no constant tells files of the format
  2  wrong usage, there is no such format, or a file that cannot be written")]
struct ExportArgs {
    /// The format
    format: String,
    /// What to write
    #[arg(long, value_enum, value_name = "KIND")]
    to: Kind,
    /// The file to write, or `-` for standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
}

/// What can be written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// A description for Kaitai Struct
    Ksy,
    /// A file of magics for `file`
    Magic,
    /// The reference page in Markdown
    Md,
    /// The declaration in JSON
    Json,
}

pub(crate) fn verb() -> Verb {
    Verb::new("export", run)
}

fn run(args: &ExportArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let driver = toolbox.choose(&[], Some(&args.format));
    let driver =
        driver.ok_or_else(|| Trouble::new(format!("there is no format `{}`", args.format)))?;
    let text = match args.to {
        Kind::Ksy => ksy(driver, toolbox.name()),
        Kind::Magic => match magic::magic(driver, toolbox.name()) {
            Ok(text) => text,
            Err(why) => {
                output::error(&why);
                return Ok(Outcome::Bad);
            }
        },
        Kind::Md => markdown(driver)?,
        Kind::Json => format!("{:#}\n", schema::to_json(driver)),
    };
    save_as(&args.output, text.as_bytes(), out)?;
    Ok(Outcome::Good)
}

fn markdown(driver: &dyn Driver) -> Result<String, Trouble> {
    let mut page = Vec::new();
    schema::markdown(driver, &mut Out::new(&mut page))?;
    String::from_utf8(page).map_err(|_| Trouble::new("the page is no text"))
}

fn ksy(driver: &dyn Driver, program: &str) -> String {
    let description = ksy::describe(driver, program);
    for (place, why) in &description.unsaid {
        output::warning(&format!("{place}: {why}"));
    }
    description.text
}
