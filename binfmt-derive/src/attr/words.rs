//! One word after the other; what is wrong with one does not hide what is wrong with the others.

use proc_macro2::TokenTree;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative as _;
use syn::{Ident, Token};

use super::row::Row;
use super::table::ROWS;
use super::value::Reading;
use super::{Place, Words, foreign};
use crate::errors::{Errors, did_you_mean};
use crate::expr::unless_or;

impl Words {
    /// Reads all words of one attribute.
    pub(super) fn all(
        &mut self,
        errors: &mut Errors,
        place: Place,
        input: ParseStream<'_>,
    ) -> syn::Result<()> {
        while !input.is_empty() {
            let fork = input.fork();
            match self.word(errors, place, &fork).and_then(|()| ended(&fork)) {
                Ok(()) => input.advance_to(&fork),
                Err(error) => {
                    errors.add_error(error);
                    while !input.is_empty() && !input.peek(Token![,]) {
                        input.parse::<TokenTree>()?;
                    }
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    fn word(
        &mut self,
        errors: &mut Errors,
        place: Place,
        input: ParseStream<'_>,
    ) -> syn::Result<()> {
        let word: Ident = syn::ext::IdentExt::parse_any(input)
            .map_err(|error| syn::Error::new(error.span(), "a word is missing here"))?;
        let row = row(place, &word)?;
        self.names.push(word.clone());
        self.known.push(row);
        self.put(row, &mut Reading { errors, place, word: &word, example: row.example, input })
    }
}

/// The row of a word in its place; or that it is unknown, or known in another place only.
fn row(place: Place, word: &Ident) -> syn::Result<&'static Row> {
    let rows: Vec<&Row> = ROWS.iter().filter(|row| word == row.name).collect();
    if let Some(row) = rows.iter().find(|row| row.on(place).is_some()) {
        return Ok(row);
    }
    let (name, here) = (word.to_string(), place.name());
    let elsewhere = |other: &Place| rows.iter().any(|row| row.on(*other).is_some());
    let others: Vec<_> = Place::ALL.into_iter().filter(elsewhere).map(Place::name).collect();
    let message = if let Some(answer) = foreign::answer(place, &name) {
        answer
    } else if others.is_empty() {
        let known = ROWS.iter().filter(|row| row.on(place).is_some()).map(|row| row.name);
        format!("unknown word `{name}` on a {here}{}", did_you_mean(&name, known))
    } else {
        format!("`{name}` does not belong on a {here}; it goes on a {}", others.join(" or a "))
    };
    Err(syn::Error::new(word.span(), message))
}

/// After a word comes a comma, or nothing.
fn ended(input: ParseStream<'_>) -> syn::Result<()> {
    if input.is_empty() || input.peek(Token![,]) {
        return Ok(());
    }
    let goes_on = input.peek(Token![+])
        || input.peek(Token![-])
        || input.peek(Token![*])
        || input.peek(Token![/])
        || input.peek(Token![<<]);
    let missing = if goes_on {
        "this word takes one constant, and no expression; write what that comes to"
    } else {
        "a comma is missing between two words"
    };
    Err(syn::Error::new(input.span(), unless_or(input, missing)))
}
