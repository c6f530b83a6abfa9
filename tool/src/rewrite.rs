//! `binfmt rewrite`: the file with everything derived computed anew.

use std::io::Write;
use std::path::Path;

use serde_json::json;

use crate::args::RewriteArgs;
use crate::driver::{Driver, Options, Unmade};
use crate::input::Input;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{json, paths, stream, validate};

pub(crate) fn verb() -> Verb {
    Verb::new("rewrite", run)
}

fn run(args: &RewriteArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let Some(driver) = toolbox.choose(&input, args.read.format.as_deref()) else {
        return Ok(validate::unrecognised(&input));
    };
    let options = args.payloads.options();
    match &args.output {
        Some(path) => rewrite(&input, driver, &options, path, out),
        None => check(&input, driver, &options, args.json, out),
    }
}

fn rewrite(
    input: &Input,
    driver: &dyn Driver,
    options: &Options,
    path: &Path,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let name = input.name();
    let mut make = |to: &mut dyn Write| {
        driver.rewrite_to(input, options, to).map_err(|unmade| match unmade {
            Unmade::Refused(reasons) => {
                let told = |why| printable(&format!("{name}: cannot be written again: {why}"));
                Unmade::Refused(reasons.into_iter().map(told).collect())
            }
            unwritten @ Unmade::Unwritten(_) => unwritten,
        })
    };
    let check = |new: &[u8]| {
        validate::tell_errors(&format!("{name}, written again"), &driver.validate(new, options))
    };
    stream::save(path, &[input], &mut make, &check, out)
}

/// Says whether bytes would change, and where first.
fn check(
    input: &Input,
    driver: &dyn Driver,
    options: &Options,
    json: bool,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let line = |same: bool, first: Option<usize>, error: Option<String>| {
        let mut line = json!({
            "file": input.name(),
            "format": driver.name(),
            "same": same,
            "first_difference": first.map(json::wide).map(json::number),
            "error": error,
        });
        paths::put_exact(&mut line, "file", input.path());
        line
    };
    let bytes = match sound(input, driver, options) {
        Ok(bytes) => bytes,
        Err(error) => {
            if json {
                json::line(out, &line(false, None, Some(error)))?;
                out.flush()?;
            }
            return Ok(Outcome::Bad);
        }
    };
    let first = first_difference(input, &bytes);
    if json {
        json::line(out, &line(first.is_none(), first, None))?;
    } else if let Some(at) = first {
        let name = printable(&input.name());
        writeln!(out, "{name}: would change at {at:#x}: {}", change(input, &bytes, at))?;
    } else {
        writeln!(out, "{}: would stay as it is", printable(&input.name()))?;
    }
    out.flush()?;
    Ok(if first.is_none() { Outcome::Good } else { Outcome::Bad })
}

fn first_difference(old: &[u8], new: &[u8]) -> Option<usize> {
    let differs = old.iter().zip(new).position(|(old, new)| old != new);
    differs.or_else(|| (old.len() != new.len()).then(|| old.len().min(new.len())))
}

fn change(old: &[u8], new: &[u8], at: usize) -> String {
    match (old.get(at), new.get(at)) {
        (Some(old), Some(new)) => format!("{old:02x} becomes {new:02x}"),
        (Some(_), None) => format!("{} bytes shorter", old.len() - new.len()),
        _ => format!("{} bytes longer", new.len().saturating_sub(old.len())),
    }
}

/// The file written again, if that is possible and leaves no errors; else the first reason, told
/// on stderr with all others.
fn sound(input: &Input, driver: &dyn Driver, options: &Options) -> Result<Vec<u8>, String> {
    let name = input.name();
    match driver.rewrite(input, options) {
        Ok(bytes) => {
            let checked = driver.validate(&bytes, options);
            let name = format!("{name}, written again");
            validate::tell_errors(&name, &checked);
            let first = checked.report.errors().next();
            first.map_or(Ok(bytes), |finding| Err(finding.to_string()))
        }
        Err(error) => {
            output::error(&printable(&format!("{name}: cannot be written again: {error}")));
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fake::{Fake, GOOD, OPTIONS, input};

    fn checked(bytes: &[u8], json: bool) -> (Outcome, String) {
        let mut text = Vec::new();
        let outcome =
            check(&input(bytes), &Fake, &OPTIONS, json, &mut Out::new(&mut text)).unwrap();
        (outcome, String::from_utf8(text).unwrap())
    }

    fn rewritten(bytes: &[u8], path: &Path) -> (Outcome, Vec<u8>) {
        let mut stdout = Vec::new();
        let outcome = rewrite(&input(bytes), &Fake, &OPTIONS, path, &mut Out::new(&mut stdout));
        (outcome.unwrap(), stdout)
    }

    #[test]
    fn check_says_where_bytes_would_change() {
        assert_eq!(
            checked(GOOD, false),
            (Outcome::Good, "test.box: would stay as it is\n".to_owned())
        );
        let expected = "test.box: would change at 0x6: 7e becomes 5f\n".to_owned();
        assert_eq!(checked(b"BOXS\x03a~c", false), (Outcome::Bad, expected));
        let expected = concat!(
            r#"{"file":"test.box","format":"fake","same":false,"first_difference":6,"error":null}"#,
            "\n"
        );
        assert_eq!(checked(b"BOXS\x03a~c", true), (Outcome::Bad, expected.to_owned()));
    }

    #[test]
    fn damaged_file_has_its_json_line() {
        let (outcome, text) = checked(b"BOXS\x02a", true);
        assert_eq!(outcome, Outcome::Bad);
        let line: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(line["same"], false);
        assert!(line["error"].as_str().is_some_and(|error| !error.is_empty()), "{text}");
        assert_eq!(checked(b"BOXS\x02a", false).1, "");
    }

    #[test]
    fn difference_in_length_is_one() {
        assert_eq!(first_difference(b"ab", b"abc"), Some(2));
        assert_eq!(first_difference(b"abc", b"ab"), Some(2));
        assert_eq!(first_difference(b"abc", b"abc"), None);
        assert_eq!(change(b"ab", b"abcd", 2), "2 bytes longer");
    }

    #[test]
    fn file_or_stdout_gets_the_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        assert_eq!(rewritten(b"BOXS\x01~", &path), (Outcome::Good, vec![]));
        assert_eq!(fs::read(&path).unwrap(), b"BOXS\x01_");
        assert_eq!(rewritten(GOOD, Path::new("-")), (Outcome::Good, GOOD.to_vec()));
    }

    #[test]
    fn damaged_file_leaves_the_output_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        assert_eq!(rewritten(b"BOXS\x02a", &path).0, Outcome::Bad);
        assert!(!path.exists());
    }
}
