//! Collects every mistake of a declaration, so that all are reported at once.

use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote};

/// The mistakes found so far.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds a mistake at the smallest span that has to be edited.
    pub(crate) fn add(&mut self, span: Span, message: impl std::fmt::Display) {
        self.add_error(syn::Error::new(span, message));
    }

    /// Adds a mistake that concerns everything from one place to another.
    pub(crate) fn add_range(
        &mut self,
        (first, last): (Span, Span),
        message: impl std::fmt::Display,
    ) {
        // An error underlines from the first to the last token that it is given.
        let ends = [first, last].map(|span| Ident::new("here", span));
        self.add_error(syn::Error::new_spanned(quote!(#(#ends)*), message));
    }

    /// Adds a mistake that concerns a type, an attribute or the like.
    pub(crate) fn add_at(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.add_error(syn::Error::new_spanned(tokens, message));
    }

    /// Adds a mistake that a parser has found.
    pub(crate) fn add_error(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Adds the mistakes of a part.
    pub(crate) fn join(&mut self, other: Self) {
        if let Some(error) = other.0 {
            self.add_error(error);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The mistakes as one error, or `Ok` if there are none.
    pub(crate) fn into_result(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

/// "; did you mean `count`?" for a word that is close to a known one, or goes on where one ends, else an
/// empty text.
pub(crate) fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let near = known.iter().map(|candidate| (distance(word, candidate), candidate));
    let near = near.filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4).min();
    let begun = known.iter().filter(|start| start.len() > 2 && word.starts_with(**start));
    near.map(|(_, candidate)| candidate)
        .or(begun.max_by_key(|start| start.len()))
        .map_or_else(String::new, |candidate| format!("; did you mean `{candidate}`?"))
}

/// Edit distance in which swapping two neighbours is one step.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_the_closest_known_word() {
        let known = ["count", "calc", "check"];
        assert_eq!(did_you_mean("cuont", known), "; did you mean `count`?");
        assert_eq!(did_you_mean("chek", known), "; did you mean `check`?");
        assert_eq!(did_you_mean("counter", known), "; did you mean `count`?");
        assert_eq!(did_you_mean("elephant", known), "");
    }
}
