//! The tables of the reference are made from the registry.

use std::path::PathBuf;

use super::Place;
use super::table::ROWS;

/// The table of one place.
fn table(place: Place) -> String {
    let rows = ROWS.iter().filter_map(|row| {
        let here = row.on(place);
        // A bar would end the cell, in code too.
        let cell = |text: &str| text.replace("\\|", "|").replace('|', "\\|");
        here.map(|(meaning, without)| {
            format!("| `{}` | {} | {} |\n", row.name, cell(meaning), cell(without))
        })
    });
    format!("| word | meaning | without it |\n|---|---|---|\n{}", rows.collect::<String>())
}

/// A text with the table behind each heading replaced.
fn with_tables(mut text: String) -> String {
    for place in Place::ALL {
        let heading = format!("## On a {}\n\n", place.name());
        let start = text.find(&heading).map(|at| at + heading.len()).expect(&heading);
        let rest = text[start..].to_owned();
        let end = rest.split_inclusive('\n').take_while(|line| line.starts_with('|'));
        let end = start + end.map(str::len).sum::<usize>();
        text.replace_range(start..end, &table(place));
    }
    text
}

#[test]
fn the_tables_of_the_reference_are_those_of_the_registry() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let made = with_tables(text.clone());
    if std::env::var_os("BLESS").is_some() {
        return std::fs::write(&path, made).unwrap();
    }
    assert!(text == made, "run this test with BLESS=1 to write {}", path.display());
}

#[test]
fn every_word_has_an_example_and_one_row_for_each_place() {
    for (index, row) in ROWS.iter().enumerate() {
        assert!(row.example.starts_with(row.name), "{}", row.name);
        let places = Place::ALL.iter().filter(|place| row.on(**place).is_some());
        assert!(places.clone().next().is_some(), "{}", row.name);
        for other in ROWS[..index].iter().filter(|other| other.name == row.name) {
            let twice = places.clone().any(|place| other.on(*place).is_some());
            assert!(!twice, "{} stands twice in one place", row.name);
        }
    }
}
