//! `binfmt summary`: what makes a file big, and what it can do.

mod report;

pub(crate) use report::port;

use std::io::Write as _;
use std::path::PathBuf;

use binfmt_formats::summary::{Facet, Summary};
use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::args::{DecodeArgs, ReadArgs};
use crate::driver::{Checked, Driver, Options};
use crate::input::Input;
use crate::nest;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{json, validate};

/// Say what makes a file big, and what it can do
///
/// Every byte is counted once: by purpose, method, operator, delegate, tensor, type, segment,
/// architecture and codec, the largest first; whatever it is counted by, the sum is the length of the
/// file. Beside that: inputs and outputs with types and shapes, planned memory, operators with counts,
/// and the functions of GPU code with their size.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt summary model.pte
  binfmt summary --by operator --by type --top 5 model.rten
  binfmt summary --json model.pte | jq '.methods[].inputs'
  binfmt summary --json libkernels.so | jq '.functions[0]'

Exit codes:
  0  the file is summed up
  1  the file is damaged (what can be read is summed up), unrecognised, or of a format without parts
  2  wrong usage, or a file that cannot be read")]
struct SummaryArgs {
    /// The file, or `-`
    file: PathBuf,
    /// Only these tables. May be given several times
    #[arg(long, value_enum, value_name = "WHAT")]
    by: Vec<By>,
    /// How many rows a table has at most; 0 for all
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Exact sizes in bytes
    #[arg(long)]
    bytes: bool,
    /// One JSON line, with every tensor and function
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    decode: DecodeArgs,
    #[command(flatten)]
    read: ReadArgs,
}

/// What bytes are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct By(Facet);

impl ValueEnum for By {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [By; Facet::ALL.len()] = {
            let mut all = [By(Facet::Purpose); Facet::ALL.len()];
            let mut at = 0;
            while at < all.len() {
                all[at] = By(Facet::ALL[at]);
                at += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

pub(crate) fn verb() -> Verb {
    Verb::new("summary", run)
}

fn run(args: &SummaryArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let mut each = |input: &Input, driver: &dyn Driver| summarize(input, driver, args, out);
    nest::each(&input, toolbox, args.read.format.as_deref(), &mut each)
}

fn summarize(
    input: &Input,
    driver: &dyn Driver,
    args: &SummaryArgs,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let options = Options { decode: false, ..args.decode.options() };
    let checked = driver.validate(input, &options);
    let structure = validate::tell_errors(&input.name(), &checked);
    let failed = |why: &str| {
        output::error(&printable(&format!("{}: {why}", input.name())));
        Ok(Outcome::Bad)
    };
    let summary = match driver.extras().summarize.map(|it| it.summarize(input, &options)) {
        Some(Ok(summary)) => summary,
        Some(Err(why)) => return failed(&why),
        None => {
            let name = driver.name();
            return failed(&format!("nothing is known about what makes a `{name}` file big"));
        }
    };
    write(input, driver, &checked, &summary, args, out)?;
    let unread = summary.unread.iter().map(|why| printable(&format!("{}: {why}", input.name())));
    Ok(structure.max(output::errors(unread)))
}

fn write(
    input: &Input,
    driver: &dyn Driver,
    checked: &Checked,
    summary: &Summary,
    args: &SummaryArgs,
    out: &mut Out<'_>,
) -> Result<(), Trouble> {
    if args.json {
        json::line(out, &report::json(input, driver, checked, summary))?;
    } else {
        let facets: Vec<_> = args.by.iter().map(|by| by.0).collect();
        let top = if args.top == 0 { usize::MAX } else { args.top };
        let style = report::Style { facets: &facets, top, exact: args.bytes, width: out.width() };
        let variant = checked.variant.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
        let size = crate::sizes::in_words(summary.len, args.bytes);
        let name = printable(&input.name());
        writeln!(out, "{name}: {}{variant}, {size}", driver.name())?;
        report::text(summary, &style, out)?;
    }
    out.flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_facet_has_a_name_on_the_command_line() {
        let names: Vec<_> = By::value_variants().iter().map(|by| by.0.name()).collect();
        assert_eq!(names, Facet::ALL.map(Facet::name));
    }
}
