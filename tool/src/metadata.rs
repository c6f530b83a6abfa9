//! `binfmt metadata`: where a model comes from, shown or changed.

use std::io::Write as _;

use serde_json::{Map, Value, json};

use crate::args::MetadataArgs;
use crate::driver::{Change, Driver, Options, Text, Unmade};
use crate::input::Input;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::table::{Side, Table};
use crate::toolbox::Toolbox;
use crate::verb::Verb;
use crate::{json, paths, stream, validate};

pub(crate) fn verb() -> Verb {
    Verb::new("metadata", run)
}

fn run(args: &MetadataArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let Some(driver) = toolbox.choose(&input, args.read.format.as_deref()) else {
        return Ok(validate::unrecognised(&input));
    };
    let Some(metadata) = driver.extras().metadata else {
        let name = printable(&input.name());
        output::error(&format!("{name}: files of the format `{}` have no metadata", driver.name()));
        return Ok(Outcome::Bad);
    };
    let texts = metadata.metadata(&input);
    let Some(path) = &args.output else { return show(&input, driver, &texts, args, out) };
    let changes = changes(args, &texts)?;
    let mut make = |to: &mut dyn std::io::Write| {
        let file = metadata.with_metadata(&input, &changes).map_err(Unmade::because)?;
        Ok(file.write_to(to)?)
    };
    stream::remake((&input, &[]), driver, &Options::default(), path, &mut make, out)
}

/// What is asked for; a name that the format does not have is wrong usage.
fn changes<'a>(args: &'a MetadataArgs, texts: &[Text<'_>]) -> Result<Vec<Change<'a>>, Trouble> {
    let removed = args.remove.iter().map(|name| Change { name, text: None });
    let set = args.set.iter().map(|set| Change { name: &set.name, text: Some(&set.text) });
    let changes: Vec<_> = removed.chain(set).collect();
    for (index, change) in changes.iter().enumerate() {
        if !texts.iter().any(|(name, _)| *name == change.name) {
            let names: Vec<_> = texts.iter().map(|(name, _)| *name).collect();
            let names = names.join(", ");
            return Err(Trouble::new(format!("there is no `{}`; names are {names}", change.name)));
        }
        if changes.iter().take(index).any(|other| other.name == change.name) {
            return Err(Trouble::new(format!("`{}` is changed twice", change.name)));
        }
    }
    Ok(changes)
}

/// Shows what is there, of a damaged file too.
fn show(
    input: &Input,
    driver: &dyn Driver,
    texts: &[Text<'_>],
    args: &MetadataArgs,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    if args.json {
        let texts = texts.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text)));
        let texts = texts.collect::<Map<_, _>>();
        let format = driver.name();
        let mut line = json!({ "file": input.name(), "format": format, "metadata": texts });
        paths::put_exact(&mut line, "file", input.path());
        json::line(out, &line)?;
    } else {
        let mut table = Table::new(&[("name", Side::Left), ("text", Side::Left)]);
        table.fit(out.width());
        for (name, text) in texts.iter().filter_map(|(name, text)| Some((name, (*text)?))) {
            table.row(vec![(*name).to_owned(), printable(text)]);
        }
        table.write(out)?;
    }
    out.flush()?;
    Ok(validate::tell_errors(&input.name(), &driver.validate(input, &Options::default())))
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command, FromArgMatches as _};

    use super::*;

    const TEXTS: &[Text<'_>] = &[("license", Some("MIT")), ("commit", None)];

    #[track_caller]
    fn changed(words: &str) -> Result<Vec<(String, Option<String>)>, String> {
        let words = ["metadata", "in"].into_iter().chain(words.split(' '));
        let command = MetadataArgs::augment_args(Command::new("metadata"));
        let matches =
            command.try_get_matches_from(words).map_err(|error| error.kind().to_string())?;
        let args = MetadataArgs::from_arg_matches(&matches).unwrap();
        let changes = changes(&args, TEXTS).map_err(|trouble| trouble.to_string())?;
        let owned = |change: Change<'_>| (change.name.to_owned(), change.text.map(str::to_owned));
        Ok(changes.into_iter().map(owned).collect())
    }

    #[test]
    fn changes_are_named_once_and_known() {
        let changes = changed("-o out --set license=a=b --remove commit").unwrap();
        let expected = [("commit", None), ("license", Some("a=b"))];
        let expected = expected.map(|(name, text)| (name.to_owned(), text.map(str::to_owned)));
        assert_eq!(changes, expected);
        let error = changed("-o out --set commit=1 --remove commit").unwrap_err();
        assert_eq!(error, "`commit` is changed twice");
        let error = changed("-o out --set author=me").unwrap_err();
        assert_eq!(error, "there is no `author`; names are license, commit");
    }

    #[test]
    fn changes_and_output_need_each_other() {
        for words in ["-o out", "--set license=MIT", "--set license -o out"] {
            changed(words).unwrap_err();
        }
        assert_eq!(changed("--json"), Ok(vec![]));
    }
}
