//! Every word of the language is in made-up declarations, in each of its forms, or has a reason why it is not.

#[path = "words/drawn.rs"]
mod drawn;
#[path = "words/elsewhere.rs"]
mod elsewhere;
#[allow(dead_code, reason = "the program uses more of it")]
#[path = "../src/grammar/mod.rs"]
mod grammar;
#[path = "words/registry.rs"]
mod registry;
#[path = "../src/rng.rs"]
mod rng;
#[path = "words/shape.rs"]
mod shape;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use drawn::Drawn;

/// What is drawn of all words.
static DRAWN: LazyLock<Drawn> = LazyLock::new(drawn::drawn);

/// Compares what there is with what is drawn and what has a reason why it is not.
fn compare<T: Ord + std::fmt::Debug>(
    wanted: &BTreeSet<T>,
    drawn: impl Fn(&T) -> bool,
    reason: impl Fn(&T) -> Option<&'static str>,
) {
    let lines =
        |list: Vec<&T>| -> String { list.into_iter().map(|one| format!("\n{one:?}")).collect() };
    let missing: Vec<_> =
        wanted.iter().filter(|one| !drawn(one) && reason(one).is_none()).collect();
    let missing = lines(missing);
    assert!(missing.is_empty(), "nothing draws these, and no reason says why:{missing}");
    let needless: Vec<_> =
        wanted.iter().filter(|one| drawn(one) && reason(one).is_some()).collect();
    let needless = lines(needless);
    assert!(needless.is_empty(), "these are drawn, so that they need no reason:{needless}");
}

#[test]
fn every_word_is_drawn_or_has_a_reason() {
    let words = registry::words();
    assert!(words.len() > 60, "the reference has {} words", words.len());
    compare(
        &words,
        |word| DRAWN.on.iter().any(|(drawn, _)| drawn == word),
        |word| elsewhere::of_word(word),
    );
}

#[test]
fn every_word_is_drawn_on_all_that_it_may_stand_on() {
    let rows = registry::rows();
    assert!(rows.len() > 70, "the registry has {} rows", rows.len());
    let wanted = rows.iter().flat_map(|row| row.on.iter().map(|on| (row.word, *on)));
    compare(
        &wanted.collect(),
        |(word, on)| DRAWN.on.contains(&((*word).to_owned(), *on)),
        |(word, on)| elsewhere::of_word(word).or_else(|| elsewhere::on(word, on)),
    );
}

#[test]
fn every_value_in_the_reference_is_drawn() {
    let shown = registry::shown();
    assert!(shown.len() > 80, "the reference shows {} values", shown.len());
    let shown = shown.into_iter().map(|(word, value)| (word, shape::shape(&value)));
    let more = elsewhere::MORE
        .iter()
        .flat_map(|(word, values)| values.iter().map(|value| (*word, shape::shape(value))));
    compare(
        &shown.chain(more).collect(),
        |(word, shape)| DRAWN.shapes.contains(&((*word).to_owned(), shape.clone())),
        |(word, shape)| elsewhere::of_word(word).or_else(|| elsewhere::of_value(word, shape)),
    );
}

#[test]
fn every_expression_is_drawn_with_all_that_it_may_name() {
    let rows = registry::rows();
    let rows = rows.iter().filter(|row| row.is_expr);
    let kinds = ["a field", "an argument", "a part", "a branch", "a sum"];
    let wanted = rows.flat_map(|row| {
        let number = row.is_number.then_some("a number");
        kinds.into_iter().chain(number).map(|kind| (row.word, kind))
    });
    compare(
        &wanted.collect(),
        |(word, kind)| DRAWN.shapes.contains(&((*word).to_owned(), (*kind).to_owned())),
        |(word, kind)| elsewhere::of_word(word).or_else(|| elsewhere::of_kind(word, kind)),
    );
}

#[test]
fn every_table_has_values_for_its_items() {
    let tables = [
        "a list",
        "a list that may be absent",
        "an array",
        "an array that may be absent",
        "a table in each item of a list",
        "a table in each item of an array",
        "a table in another value",
        "a table in a value that may be absent",
    ];
    compare(&tables.into(), |table| DRAWN.items.contains(table), |_| None);
}
