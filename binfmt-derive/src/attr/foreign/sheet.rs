//! The cheat sheet of the guide and the answers of the derive say the same.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::WORDS;
use crate::attr::row::Row;
use crate::attr::table::ROWS;

/// What the sheet has beside words: what attributes are named, and other names of expressions.
const NO_WORDS: [&str; 9] =
    ["br", "bw", "binrw", "little", "map", "offsets", "sizes", "types", "strz"];

/// A line of the sheet: the code of what stands there, and of what stands here.
struct Line {
    text: String,
    there: Vec<String>,
    here: BTreeSet<String>,
}

/// The lines of its tables.
fn sheet() -> Vec<Line> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../binfmt-runtime/src/guide/coming_from.rs");
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | "));
    let lines = rows.filter_map(|row| {
        // A bar in code is no end of a cell.
        let (there, here) = row.split_once(" | ")?;
        let here = code(here).iter().flat_map(|code| names(code)).collect();
        Some(Line { text: row.to_owned(), there: code(there), here })
    });
    lines.filter(|line| !line.there.is_empty()).collect()
}

/// What stands between backticks.
fn code(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The names in code; a hyphen belongs to a name, for some languages have it there.
fn names(code: &str) -> Vec<String> {
    let parts = code.split(|next: char| !(next.is_alphanumeric() || next == '_' || next == '-'));
    parts.filter(|part| !part.is_empty()).map(|part| part.replace('-', "_")).collect()
}

/// The word that code is about: its first name, behind the name of an attribute.
fn word(code: &str) -> Option<String> {
    let inner = ["br(", "bw("].iter().find_map(|attr| code.strip_prefix(attr)).unwrap_or(code);
    let word = names(inner).into_iter().next()?;
    let is_word = word.starts_with(|first: char| first.is_lowercase());
    (is_word && !NO_WORDS.contains(&word.as_str())).then_some(word)
}

/// What the derive says of a word, wherever it stands.
fn answers(word: &str) -> Vec<&'static str> {
    WORDS
        .iter()
        .filter(|(_, words, _)| words.contains(&word))
        .map(|(.., instead)| *instead)
        .collect()
}

#[test]
fn the_derive_answers_every_word_of_the_sheet_as_the_sheet_does() {
    let lines = sheet();
    assert!(lines.len() > 50, "{} lines are no sheet", lines.len());
    let mut wrong = Vec::new();
    for line in lines {
        for word in line.there.iter().filter_map(|code| word(code)) {
            let is_ours = ROWS.iter().any(|row| row.name == word);
            let answers = answers(&word);
            let told = |answer: &&str| {
                let told = code(answer);
                told.iter().flat_map(|code| names(code)).any(|name| line.here.contains(&name))
            };
            let says_nothing_to_write = line.here.is_empty() && !answers.is_empty();
            if !is_ours && !says_nothing_to_write && !answers.iter().any(told) {
                wrong.push(format!("{word} is answered by {answers:?}; the sheet: {}", line.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_sheet_has_every_word_that_is_answered() {
    let sheet: BTreeSet<String> =
        sheet().iter().flat_map(|line| &line.there).flat_map(|code| names(code)).collect();
    let missing: Vec<_> = WORDS
        .iter()
        .flat_map(|(_, words, _)| *words)
        .filter(|word| !sheet.contains(**word))
        .collect();
    assert!(missing.is_empty(), "the sheet lacks {missing:?}");
}

#[test]
fn no_word_of_another_language_hides_one_of_ours() {
    for (places, words, _) in WORDS {
        for word in *words {
            let ours = |row: &&Row| {
                row.name == *word && places.iter().any(|place| row.on(*place).is_some())
            };
            assert!(!ROWS.iter().any(|row| ours(&row)), "{word}");
        }
    }
}
