//! `binfmt list`: what is in a file.

mod columns;
mod line;
mod notes;

use std::cmp::Reverse;
use std::io::Write as _;

use clap::ValueEnum;
use rayon::prelude::*;

use crate::args::ListArgs;
use crate::driver::{Checked, Driver, Options};
use crate::filter::{Filter, Matched};
use crate::input::Input;
use crate::item::{Item, Measured};
use crate::names::Names;
use crate::nest;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{json, sizes, validate};

pub(crate) fn verb() -> Verb {
    Verb::new("list", run)
}

fn run(args: &ListArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let options = Options { decode: args.check, ..args.decode.options() };
    let show = Show {
        json: args.json,
        hash: args.hash,
        check: args.check,
        bytes: args.bytes,
        sort: args.sort,
        filter: Filter(args.filter.clone()),
    };
    let mut matched = Matched::default();
    let outcome =
        nest::each(&input, toolbox, args.read.format.as_deref(), &mut |input, driver| {
            list(input, driver, &options, (&show, &mut matched), out)
        })?;
    Ok(outcome.max(matched.tell(&input, &show.filter)))
}

/// What to show, and how.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
struct Show {
    json: bool,
    hash: bool,
    /// Whether payloads are decoded.
    check: bool,
    /// Whether sizes are exact.
    bytes: bool,
    sort: Option<Sort>,
    filter: Filter,
}

/// What items are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sort {
    /// The largest first
    Size,
    /// By name, then by path
    Name,
    /// By the place in the file
    Offset,
}

/// Sorts items with what was measured of them.
fn sort(items: Vec<Item<'_>>, measured: Vec<Measured>, by: Sort) -> (Vec<Item<'_>>, Vec<Measured>) {
    let mut both: Vec<_> = items.into_iter().zip(measured).collect();
    match by {
        Sort::Size => both.sort_by_key(|(item, _)| Reverse(item.stored_size)),
        Sort::Offset => both.sort_by_key(|(item, _)| item.offset),
        Sort::Name => both.sort_by(|(a, _), (b, _)| (&a.name, &a.path).cmp(&(&b.name, &b.path))),
    }
    both.into_iter().unzip()
}

fn list(
    input: &Input,
    driver: &dyn Driver,
    options: &Options,
    (show, matched): (&Show, &mut Matched),
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let mut items = Names::give_all(driver.list(input, &input.stem(), options));
    let all = items.len();
    items.retain(|item| show.filter.takes(item, input));
    matched.add(all, items.len());
    if items.is_empty() && all > 0 {
        return Ok(validate::tell_errors(&input.name(), &driver.validate(input, options)));
    }
    let measure = |item: &Item<'_>| item.measure(show.check, show.hash);
    let mut measured: Vec<_> = items.par_iter().map(measure).collect();
    if let Some(by) = show.sort {
        (items, measured) = sort(items, measured, by);
    }
    let checked = driver.validate(input, options);
    if show.json {
        let summary = driver.totals(input, options);
        line::write(input, driver, &checked, (&items, &measured), summary, out)?;
    } else {
        let what = format_line(input, driver, &checked, show.bytes);
        writeln!(out, "{}: {what}", out.name(&input.name(), what.chars().count() + 2))?;
        columns::write(&items, &measured, (show.bytes, input.len()), out)?;
        notes::write(&items, out)?;
        notes::write_totals(&driver.totals(input, options), show.bytes, out)?;
    }
    out.flush()?;
    Ok(validate::tell_errors(&input.name(), &checked).max(tell_undecoded(input, &items, &measured)))
}

/// What the file is: `pte (header-32), 2.4 KiB`.
fn format_line(input: &Input, driver: &dyn Driver, checked: &Checked, exact: bool) -> String {
    let variant = checked.variant.as_deref();
    let variant = variant.map_or_else(String::new, |variant| format!(" ({variant})"));
    let size = sizes::in_words(json::wide(input.len()), exact);
    printable(&format!("{}{variant}, {size}", driver.name()))
}

/// Says on stderr which items cannot be decoded.
fn tell_undecoded(input: &Input, items: &[Item<'_>], measured: &[Measured]) -> Outcome {
    let message = |(item, measured): (&Item<'_>, &Measured)| {
        let error = measured.size.as_ref().err()?;
        Some(printable(&format!("{}: {}: {error}", input.name(), item.path)))
    };
    output::errors(items.iter().zip(measured).filter_map(message))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::fake::{BROKEN, Fake, GOOD, OPTIONS, input};

    fn written(bytes: &[u8], show: &Show) -> (Outcome, String) {
        let mut text = Vec::new();
        let (input, mut matched) = (input(bytes), Matched::default());
        let mut out = Out::new(&mut text);
        let outcome = list(&input, &Fake, &OPTIONS, (show, &mut matched), &mut out).unwrap();
        let outcome = outcome.max(matched.tell(&input, &show.filter));
        (outcome, String::from_utf8(text).unwrap())
    }

    #[test]
    fn table_has_totals() {
        let (outcome, text) =
            written(GOOD, &Show { json: false, hash: false, check: true, ..Show::default() });
        assert_eq!(outcome, Outcome::Good);
        assert_eq!(
            text,
            "\
test.box: fake (v1), 11 bytes
path      kind  arch  offset  stored      %
boxes[0]  box   none  0x5          3  27.3%
boxes[1]  box   none  0x9          2  18.2%
2 items, 5 bytes stored, 5 bytes decoded
"
        );
    }

    #[test]
    fn json_is_one_line_with_digests() {
        let (_, text) =
            written(GOOD, &Show { json: true, hash: true, check: true, ..Show::default() });
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["format"], "fake");
        assert_eq!(value["variant"], "v1");
        assert_eq!(value["items"][1]["offset"], 9);
        assert_eq!(value["items"][1]["sha256"].as_str().map(str::len), Some(64));
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn damaged_file_is_listed_as_far_as_it_goes() {
        let (outcome, text) = written(
            &GOOD[..GOOD.len() - 1],
            &Show { json: false, hash: false, check: true, ..Show::default() },
        );
        assert_eq!(outcome, Outcome::Bad);
        assert!(text.ends_with("1 item, 3 bytes stored, 3 bytes decoded\n"), "{text}");
    }

    #[test]
    fn undecodable_item_has_no_size() {
        let (outcome, text) =
            written(BROKEN, &Show { json: false, hash: false, check: true, ..Show::default() });
        assert_eq!(outcome, Outcome::Bad);
        assert!(text.contains(" 10.0%     ?\n"), "{text}");
    }

    #[test]
    fn items_are_filtered_and_sorted() {
        let of = |filter: &str, sort| Show {
            filter: Filter(vec![filter.to_owned()]),
            sort,
            ..Show::default()
        };
        let (_, text) = written(GOOD, &of("boxes[1]", None));
        assert!(!text.contains("boxes[0]") && text.contains("boxes[1]"), "{text}");
        assert_eq!(written(GOOD, &of("boxes[2]", None)), (Outcome::Bad, String::new()));
        let (_, text) = written(b"BOXS\x01a\x02bc", &of("*", Some(Sort::Size)));
        assert!(text.find("boxes[1]") < text.find("boxes[0]"), "{text}");
    }
}
