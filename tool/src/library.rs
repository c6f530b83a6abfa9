//! What verbs say, as values: for programs that are no command line.

use std::path::PathBuf;

use serde_json::Value;

use crate::driver::{Driver, Options};
use crate::filter::Filter;
use crate::identify::Identity;
use crate::input::Input;
use crate::item::Item;
use crate::names::Names;
use crate::nest;
use crate::output::{self, Outcome};
use crate::pattern::Pattern;
pub use crate::rows::Row;
use crate::rows::{self, Choice};
use crate::toolbox::Toolbox;
use crate::validate::Judged;
use crate::{recognise, tensor};

impl Toolbox {
    /// What a file is, as a line of `identify --json`.
    pub fn identify(&self, input: &Input) -> Value {
        Identity::of(input.path(), input, self).to_json()
    }

    /// What is wrong with a file, as a line of `validate --json`. Archives are not looked into.
    pub fn validate(&self, input: &Input, format: Option<&str>, options: &Options) -> Value {
        let judged = match self.choose(input, format) {
            Some(driver) => Judged::new(input, driver, options),
            None => Judged::unknown(input, false),
        };
        judged.to_json()
    }

    /// The files inside an archive that are of a known format, as paths that open them; and what
    /// could not be looked at, and why.
    pub fn members(&self, input: &Input) -> (Vec<PathBuf>, Vec<String>) {
        let mut paths = Vec::new();
        let (_, skipped) = output::captured(|| {
            nest::within(input, self, &mut |inner, _| {
                paths.push(inner.path().to_owned());
                Ok(Outcome::Good)
            })
        });
        (paths, skipped.into_iter().map(|message| message.text).collect())
    }
}

/// One sentence about a file of no known format.
pub fn unrecognised(file: &[u8]) -> String {
    recognise::describe(file)
}

/// What is in a file and wanted, under the names that `extract` gives.
pub fn items<'f>(
    input: &'f Input,
    driver: &dyn Driver,
    options: &Options,
    filter: &Filter,
) -> Vec<Item<'f>> {
    let mut items = Names::give_all(driver.list(input, &input.stem(), options));
    items.retain(|item| filter.takes(item, input));
    items
}

/// What `NumPy` calls the elements of a tensor, if it has that type: `<f4`.
pub fn numpy_type(dtype: &str) -> Option<&'static str> {
    tensor::numpy(dtype)
}

/// The fields of one part of a file.
#[derive(Clone, Debug)]
pub struct Fields {
    /// Where the part lies in a host file; empty for the whole file.
    pub part: String,
    /// Each field in front of what is in it.
    pub rows: Vec<Row>,
}

/// The fields of a file, in order: those at and below `paths`, all if there are none, and no deeper
/// than `depth` below them.
///
/// # Errors
///
/// A path that is none, or more fields than `most`.
pub fn fields(
    input: &Input,
    driver: &dyn Driver,
    (paths, depth): (&[String], Option<usize>),
    most: usize,
) -> Result<Vec<Fields>, String> {
    let patterns: Vec<Pattern> =
        paths.iter().map(|path| path.parse()).collect::<Result<_, String>>()?;
    let choice = Choice { patterns: &patterns, depth, contents: false };
    let options = Options::default();
    let mut kept = 0_usize;
    let mut all = Vec::new();
    for part in driver.parts(input, &options) {
        let mut told = Vec::new();
        let mut tell = |row: &Row| {
            kept = kept.saturating_add(1);
            if kept > most {
                return Err(std::io::ErrorKind::OutOfMemory.into());
            }
            told.push(row.clone());
            Ok(())
        };
        rows::rows((input, &part), driver, &options, choice, &mut tell)
            .map_err(|_| format!("there are more than {most} fields"))?;
        if !told.is_empty() {
            all.push(Fields { part: part.name, rows: told });
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{BROKEN, Fake, GOOD, OPTIONS, input};
    use crate::{Program, driver};

    #[test]
    fn fields_are_those_that_are_chosen() {
        let of = |paths: &[&str], depth, most| {
            let paths: Vec<_> = paths.iter().map(|path| (*path).to_owned()).collect();
            let fields = fields(&input(GOOD), &Fake, (&paths, depth), most)?;
            Ok(fields.iter().map(|fields| fields.rows.len()).sum::<usize>())
        };
        let all: Result<usize, String> = of(&[], None, 100);
        let all = all.unwrap();
        assert_eq!(of(&[], None, all), Ok(all));
        assert_eq!(of(&[], None, all - 1), Err(format!("there are more than {} fields", all - 1)));
        assert_eq!(of(&["boxes[1]"], None, 100), Ok(1));
        assert_eq!(of(&[], Some(0), 100), Ok(1));
        assert!(of(&["boxes[x]"], None, 100).is_err());
    }

    #[test]
    fn verbs_say_the_same_as_values() {
        let program = Program::new(&[driver(Fake), driver(Fake)]);
        let toolbox = program.toolbox();
        assert_eq!(toolbox.identify(&input(GOOD))["format"], "fake");
        assert_eq!(toolbox.validate(&input(GOOD), None, &OPTIONS)["verdict"], "valid");
        assert_eq!(toolbox.validate(&input(b"x"), None, &OPTIONS)["verdict"], "unrecognised");
        assert_eq!(items(&input(BROKEN), &Fake, &OPTIONS, &Filter::default()).len(), 2);
        assert!(unrecognised(b"%PDF").contains("PDF"));
    }
}
