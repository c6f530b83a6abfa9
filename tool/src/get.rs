//! `binfmt get`: values by their paths.

use std::io::{self, Write};
use std::path::PathBuf;

use binfmt_runtime::{NodeValue, Step};

use crate::args::ReadArgs;
use crate::driver::{Driver, Options, Part};
use crate::input::Input;
use crate::inspect;
use crate::json;
use crate::output::{self, Out, Outcome, Trouble, printable};
use crate::pattern::{Pattern, Shown};
use crate::rows::{Choice, Row, rows};
use crate::toolbox::Toolbox;
use crate::validate;
use crate::verb::Verb;

/// Print the values of fields
///
/// One field without fields inside is its value alone; of everything else there is a line for each
/// value, behind its path.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  binfmt get FILE version
  binfmt get FILE 'entries[*].size'
  binfmt get FILE 'entries[3].data' --raw > data.bin
  binfmt get FILE header --json | jq .

Exit codes:
  0  every path names a value
  1  a path names nothing, a value is damaged, or the file is unrecognised
  2  wrong usage, or a file that cannot be read")]
struct GetArgs {
    /// The file, or `-`
    file: PathBuf,
    /// The paths, as `inspect` shows them: `entries[3].size`, `body(decoded).name`; `[*]` stands for every
    /// item, `*` for every field. In a host file the name of the part may stand in front: `.nv_fatbin:items[0]`
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<Pattern>,
    /// The bytes of the fields as they are stored, one after the other; of decoded values, those of texts
    /// and bytes
    #[arg(long, conflicts_with = "json")]
    raw: bool,
    /// One JSON tree per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read: ReadArgs,
}

pub(crate) fn verb() -> Verb {
    Verb::new("get", run)
}

fn run(args: &GetArgs, toolbox: &Toolbox, out: &mut Out<'_>) -> Result<Outcome, Trouble> {
    let input = Input::open(&args.file)?;
    let Some(driver) = toolbox.choose(&input, args.read.format.as_deref()) else {
        return Ok(validate::unrecognised(&input));
    };
    get(&input, driver, args, out)
}

fn get(
    input: &Input,
    driver: &dyn Driver,
    args: &GetArgs,
    out: &mut Out<'_>,
) -> Result<Outcome, Trouble> {
    let options = Options::default();
    let mut worst = Outcome::Good;
    for pattern in &args.paths {
        let parts = driver.parts(input, &options);
        let parts: Vec<_> = parts.iter().filter(|part| pattern.is_in(&part.name)).collect();
        let alone = !pattern.is_wild() && args.paths.len() == 1 && parts.len() == 1;
        let mut found = Found { alone, ..Found::default() };
        let choice =
            Choice { patterns: std::slice::from_ref(pattern), depth: None, contents: !args.json };
        for part in parts {
            let of = (input, part);
            if args.json {
                let told = inspect::write_json(of, driver, &options, choice, out)?;
                found.count = found.count.saturating_add(told);
            } else {
                let tell = &mut |row: &Row| found.row(of, row, args.raw, out);
                rows((input, part), driver, &options, choice, tell)?;
                found.finish(out)?;
            }
        }
        worst = worst.max(found.outcome(input, pattern));
    }
    out.flush()?;
    Ok(worst)
}

/// What one path has led to so far.
#[derive(Debug, Default)]
struct Found {
    count: u64,
    damaged: bool,
    /// Whether a value stands alone, without its path.
    alone: bool,
    /// Whether bytes were asked for that are not in the file.
    decoded: bool,
    /// A text or bytes with something inside, and how deep they lie: told unless that is a decoded value, in place of
    /// what else is inside, such as a prefix.
    waiting: Option<(usize, String)>,
}

impl Found {
    fn row(
        &mut self,
        (input, part): (&Input, &Part),
        row: &Row,
        raw: bool,
        out: &mut Out<'_>,
    ) -> io::Result<()> {
        self.count = self.count.saturating_add(1);
        self.damaged |= row.value.is_none();
        if raw {
            return if row.depth == 0 { self.raw(input, row, out) } else { Ok(()) };
        }
        if let Some((depth, _)) = self.waiting
            && row.depth > depth
        {
            if row.path.last() == Some(&Step::Decoded) {
                self.waiting = None;
            }
            return Ok(());
        }
        self.finish(out)?;
        let is_whole = matches!(row.value, Some(NodeValue::Str(_) | NodeValue::Bytes { .. }));
        if row.children > 0 && !is_whole {
            return Ok(());
        }
        let value = text(input, row);
        let line = if self.alone && row.depth == 0 {
            value
        } else {
            let colon = if part.name.is_empty() { "" } else { ":" };
            let name = printable(&part.name);
            format!("{name}{colon}{}\t{value}", Shown(&row.path))
        };
        if row.children > 0 {
            self.waiting = Some((row.depth, line));
            return Ok(());
        }
        writeln!(out, "{line}")
    }

    /// Tells what waits for the end of what is in it.
    fn finish(&mut self, out: &mut Out<'_>) -> io::Result<()> {
        self.waiting.take().map_or(Ok(()), |(_, line)| writeln!(out, "{line}"))
    }

    /// The bytes of a field as they are stored; decoded bytes are those of a value alone.
    fn raw(&mut self, input: &Input, row: &Row, out: &mut Out<'_>) -> io::Result<()> {
        let is_decoded = row.path.contains(&Step::Decoded);
        match (&row.value, &row.content) {
            (_, Some(content)) if is_decoded => out.write_file(content.bytes(input)),
            (Some(NodeValue::Str(text)), _) if is_decoded => out.write_file(text.as_bytes()),
            _ if is_decoded => {
                self.decoded = true;
                Ok(())
            }
            _ => out.write_file(bytes(input, row)),
        }
    }

    fn outcome(&self, input: &Input, pattern: &Pattern) -> Outcome {
        let name = printable(&input.name());
        if self.count == 0 {
            output::error(&format!("{name}: no field has the path `{pattern}`"));
        } else if self.damaged {
            output::error(&format!("{name}: `{pattern}` is damaged; `validate` says how"));
        } else if self.decoded {
            let why = "no bytes of the file are those of a decoded value";
            output::error(&format!("{name}: `{pattern}`: {why}; its texts and bytes have some"));
        } else {
            return Outcome::Good;
        }
        Outcome::Bad
    }
}

fn bytes<'f>(file: &'f [u8], row: &Row) -> &'f [u8] {
    let range = usize::try_from(row.start).ok().zip(usize::try_from(row.end).ok());
    range.and_then(|(start, end)| file.get(start..end)).unwrap_or_default()
}

/// A value without anything around it.
fn text(file: &[u8], row: &Row) -> String {
    match &row.value {
        Some(NodeValue::Uint(value)) => value.to_string(),
        Some(NodeValue::Str(text)) => printable(text),
        Some(NodeValue::Bytes { head, len }) => {
            let content = row.content.as_ref().map(|content| content.bytes(file));
            let whole = content.filter(|bytes| json::wide(bytes.len()) == *len);
            json::hex(whole.unwrap_or(head))
        }
        Some(NodeValue::Enum { name: Some(name), .. }) => (*name).to_owned(),
        Some(NodeValue::Enum { number, name: None }) => number.to_string(),
        value => inspect::shown(value.as_ref(), row.children),
    }
}

#[cfg(test)]
mod tests {
    use binfmt_runtime::{BinFormat, Encoded, Xor};
    use clap::{Args as _, Command, FromArgMatches as _};

    use super::*;
    use crate::fake::{Fake, GOOD, input};

    fn got(bytes: &[u8], words: &str) -> (Outcome, String) {
        got_by(&Fake, bytes, words)
    }

    fn got_by(driver: &dyn Driver, bytes: &[u8], words: &str) -> (Outcome, String) {
        let words = ["get", "in"].into_iter().chain(words.split(' '));
        let matches = GetArgs::augment_args(Command::new("get")).get_matches_from(words);
        let args = GetArgs::from_arg_matches(&matches).unwrap();
        let mut text = Vec::new();
        let outcome = get(&input(bytes), driver, &args, &mut Out::new(&mut text)).unwrap();
        (outcome, String::from_utf8(text).unwrap())
    }

    /// Texts and bytes with something in front or behind, in the file and in coded bytes.
    #[derive(BinFormat)]
    #[bin(little)]
    struct Keyed {
        #[bin(prefix = u8)]
        plain: Inner,
        #[bin(prefix = u8, codec = Xor(0x20))]
        coded: Encoded<Xor, Inner>,
    }

    #[derive(BinFormat, Clone)]
    struct Inner {
        number: u8,
        #[bin(prefix = u8)]
        name: String,
        #[bin(prefix = u8)]
        bytes: Vec<u8>,
        #[bin(until_end)]
        rest: Vec<u8>,
    }

    #[test]
    fn values_of_coded_bytes_are_the_decoded_ones() {
        let bytes: Vec<u8> = (0x61..0x7b).collect();
        let rest = b"ALL".repeat(30);
        let inner =
            Inner { number: 5, name: "Ada".to_owned(), bytes: bytes.clone(), rest: rest.clone() };
        let file = Keyed { plain: inner.clone(), coded: Encoded::from(inner) }.to_vec().unwrap();
        let format = crate::format::<Keyed>("keyed");
        let got = |words: &str| got_by(format.driver(), &file, words);
        for of in ["plain", "coded(decoded)"] {
            let (name, bytes, rest) = ("Ada", json::hex(&bytes), json::hex(&rest));
            let lines = [
                format!("{of}.number\t5\n"),
                format!("{of}.name\t{name}\n"),
                format!("{of}.bytes\t{bytes}\n"),
                format!("{of}.rest\t{rest}\n"),
            ];
            let (outcome, all) = got(of);
            assert_eq!(outcome, Outcome::Good);
            assert!(all.ends_with(&lines.concat()), "{all}");
            for (field, value) in
                [("number", "5"), ("name", name), ("bytes", &bytes), ("rest", &rest)]
            {
                assert_eq!(got(&format!("{of}.{field}")), (Outcome::Good, format!("{value}\n")));
            }
        }
        assert_eq!(got("coded").1, got("coded(decoded)").1);
        assert_eq!(got("plain.name.prefix"), (Outcome::Good, "3\n".to_owned()));
        assert_eq!(got("plain.name --raw"), (Outcome::Good, "\u{3}Ada".to_owned()));
        assert_eq!(got("coded(decoded).name --raw"), (Outcome::Good, "Ada".to_owned()));
        // No bytes of the file are these.
        assert_eq!(got("coded(decoded).number --raw"), (Outcome::Bad, String::new()));
    }

    #[test]
    fn values_stand_alone_or_behind_their_path() {
        assert_eq!(got(GOOD, "boxes[0]"), (Outcome::Good, "616263\n".to_owned()));
        assert_eq!(got(GOOD, "boxes[0] --raw"), (Outcome::Good, "abc".to_owned()));
        let both = "boxes[0]\t616263\nboxes[1]\t6465\n".to_owned();
        assert_eq!(got(GOOD, "boxes[*]"), (Outcome::Good, both.clone()));
        assert_eq!(got(GOOD, "boxes"), (Outcome::Good, both));
    }

    #[test]
    fn json_is_a_tree_for_each_field() {
        let (outcome, text) = got(GOOD, "boxes[*] --json");
        assert_eq!(outcome, Outcome::Good);
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((lines.len(), &lines[1]["name"]), (2, &"boxes[1]".into()));
    }

    #[test]
    fn nothing_and_damage_are_not_good() {
        assert_eq!(got(GOOD, "boxes[2]"), (Outcome::Bad, String::new()));
        assert_eq!(got(&GOOD[..GOOD.len() - 1], "boxes").0, Outcome::Bad);
        assert_eq!(got(&GOOD[..GOOD.len() - 1], "boxes[0]").0, Outcome::Good);
    }
}
