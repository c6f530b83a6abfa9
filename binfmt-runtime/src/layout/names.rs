//! What a generic type is called where its parameters are known.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::{FieldLayout, Layout};

impl Layout {
    /// The name of the type, for a generic one with what its parameters stand for: `List<u16>`.
    ///
    /// ```
    /// use binfmt_runtime::BinFormat;
    ///
    /// #[derive(BinFormat)]
    /// #[bin(big)]
    /// struct List<T> {
    ///     #[bin(prefix = u8)]
    ///     items: Vec<T>,
    /// }
    ///
    /// let layout = List::<u16>::LAYOUT;
    /// assert_eq!((layout.name, &*layout.full_name()), ("List", "List<u16>"));
    /// assert_eq!(layout.type_of(layout.field(0)), "Vec<u16>");
    /// ```
    pub fn full_name(&self) -> Cow<'static, str> {
        let arguments = self.arguments();
        if arguments.is_empty() {
            return self.name.into();
        }
        alloc::format!("{}<{}>", self.name, arguments.join(", ")).into()
    }

    /// The type of one of its fields, with what parameters stand for.
    pub fn type_of(&self, field: &FieldLayout) -> Cow<'static, str> {
        let parameters = self.generic.map(|generic| generic.parameters).unwrap_or_default();
        let arguments = self.arguments();
        if parameters.len() != arguments.len() {
            return field.ty.into();
        }
        let argument = |word: &str| {
            let found = parameters.iter().zip(&arguments).find(|(name, _)| **name == word);
            found.map(|(_, argument)| argument.as_str())
        };
        let words = words(field.ty).into_iter().map(|word| argument(word).unwrap_or(word));
        words.collect::<String>().into()
    }

    /// What the parameters of a generic type stand for.
    fn arguments(&self) -> Vec<String> {
        let Some(generic) = self.generic else { return Vec::new() };
        let list =
            (generic.instance)().split_once('<').and_then(|(_, list)| list.strip_suffix('>'));
        split(list.unwrap_or_default()).into_iter().map(without_modules).collect()
    }
}

/// A text in words and what is between them.
fn words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        words.push(word);
        rest = behind;
    }
    words
}

/// The types and constants of a list, which has lifetimes and brackets in it.
fn split(list: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    let parts = list.split(|c| {
        match c {
            '<' | '(' | '[' => depth = depth.saturating_add(1),
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    let parts = parts.map(str::trim);
    parts.filter(|part| !part.is_empty() && *part != "'_").collect()
}

/// A type without the modules that its names stand in, and without lifetimes: `a::B<'_, c::D>` is `B<D>`.
fn without_modules(text: &str) -> String {
    let mut short = String::new();
    let words = words(text);
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        // A module is a word in front of `::`, which is all that can stand between two words there.
        let is_module = words.peek().is_some_and(|next| **next == "::");
        if is_module {
            words.next();
        } else {
            short.push_str(word);
        }
    }
    short.replace("'_, ", "").replace("<'_>", "").replace("'_ ", "")
}

#[cfg(test)]
mod tests {
    use super::{split, without_modules};

    #[test]
    fn names_lose_modules_and_lifetimes() {
        for (text, short) in [
            ("u16", "u16"),
            ("alloc::vec::Vec<(u8, [i16; 3])>", "Vec<(u8, [i16; 3])>"),
            ("a::b::C<'_, d::E<'_>, 4>", "C<E, 4>"),
            ("&[u8]", "&[u8]"),
            ("(a::B, c::D)", "(B, D)"),
        ] {
            assert_eq!(without_modules(text), short);
        }
    }

    #[test]
    fn a_list_is_split_outside_of_brackets() {
        assert_eq!(
            split("'_, a::B<C, D>, (u8, u16), [u8; 3], 4"),
            ["a::B<C, D>", "(u8, u16)", "[u8; 3]", "4"]
        );
        assert!(split("").is_empty());
    }
}
