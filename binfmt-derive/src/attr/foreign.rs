//! Answers to who writes the words of another declaration language.

use proc_macro2::TokenTree;
use syn::Attribute;

use super::Place;
use crate::errors::Errors;

#[cfg(test)]
mod sheet;
mod words;

use words::WORDS;

/// The attributes of other crates, which are registered to be answered.
const ATTRIBUTES: [&str; 4] = ["br", "bw", "brw", "deku"];

/// Refuses the attributes of other crates, and says what to write instead of their words.
pub(super) fn attributes(errors: &mut Errors, place: Place, attrs: &[Attribute]) {
    for attr in attrs {
        let Some(name) = ATTRIBUTES.into_iter().find(|name| attr.path().is_ident(name)) else {
            continue;
        };
        errors.add_at(
            attr.path(),
            format!("`#[{name}(..)]` belongs to another crate; words stand in `#[bin(..)]` here"),
        );
        let Ok(list) = attr.meta.require_list() else { continue };
        let mut begins = true;
        for tree in list.tokens.clone() {
            if let (true, TokenTree::Ident(word)) = (begins, &tree)
                && let Some(answer) = answer(place, &word.to_string())
            {
                errors.add(word.span(), answer);
            }
            begins = matches!(&tree, TokenTree::Punct(punct) if punct.as_char() == ',');
        }
    }
}

/// What to write instead of a word that is none of ours, where it stands.
pub(super) fn answer(place: Place, word: &str) -> Option<String> {
    let instead = instead(place, word)?;
    Some(format!("`{word}` is no word of this language; {instead}"))
}

fn instead(place: Place, word: &str) -> Option<&'static str> {
    let known =
        WORDS.iter().find(|(places, words, _)| places.contains(&place) && words.contains(&word));
    known.map(|(.., instead)| *instead)
}
