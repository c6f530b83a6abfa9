//! Every word of the language is in made-up declarations, or has a reason why it is in none.

#[allow(dead_code, reason = "the program uses more of it")]
#[path = "../src/grammar/mod.rs"]
mod grammar;
#[path = "../src/rng.rs"]
mod rng;

use std::collections::BTreeSet;

/// Words that nothing draws, and why.
const ELSEWHERE: &[(&str, &str)] = &[
    ("bitflags", "its types are made by a macro of another crate"),
    ("crate", "it names the runtime, which has one name here"),
    ("root", "tables are not in the grammar"),
    ("slots", "tables are not in the grammar"),
];

/// The reference, whose tables are made from the registry of words.
const REFERENCE: &str = include_str!("../../../binfmt-derive/README.md");

fn registry() -> BTreeSet<&'static str> {
    let mut words = BTreeSet::new();
    let mut in_table = false;
    for line in REFERENCE.lines() {
        in_table = line == "| word | meaning | without it |" || (in_table && line.starts_with('|'));
        let word = line.strip_prefix("| `").and_then(|rest| rest.split_once('`'));
        words.extend(word.filter(|_| in_table).map(|(word, _)| word));
    }
    words
}

/// The names in the attributes of made-up declarations.
fn drawn() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for seed in (1..400).flat_map(|batch| (0..5).map(move |number| (batch << 10) + number)) {
        let text = grammar::of_seed(seed).render("drawn");
        let attributes = text.lines().filter(|line| line.trim_start().starts_with("#[bin("));
        for attribute in attributes {
            let names = attribute.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            words.extend(names.map(str::to_owned));
        }
    }
    words
}

#[test]
fn every_word_is_drawn_or_has_a_reason() {
    let (registry, drawn) = (registry(), drawn());
    assert!(registry.len() > 60, "the reference has {} words", registry.len());
    for word in &registry {
        let reason = ELSEWHERE.iter().find(|(other, _)| other == word);
        match (drawn.contains(*word), reason) {
            (true, None) | (false, Some(_)) => {}
            (true, Some(_)) => panic!("`{word}` is drawn, so that it needs no reason"),
            (false, None) => panic!("nothing draws `{word}`, and no reason says why"),
        }
    }
    for (word, _) in ELSEWHERE {
        assert!(registry.contains(word), "`{word}` is no word any more");
    }
}
