//! The words of a declaration, as a layout keeps them: `little, len = size + 8, check(a < b, "text")`.

/// The words of a type, a field or a variant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words<'w>(Vec<Word<'w>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word<'w> {
    name: &'w str,
    /// What stands behind `=`, or in the brackets.
    value: &'w str,
}

impl<'w> Words<'w> {
    pub(crate) fn of(text: &'w str) -> Self {
        let word = |text: &'w str| {
            let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
            let (name, rest) = text.split_at(end);
            let rest = rest.trim();
            let value = rest.strip_prefix('=').map(str::trim);
            let inside = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
            Word { name, value: value.or(inside).unwrap_or_default() }
        };
        Self(parts(text, ',').into_iter().map(word).collect())
    }

    /// Of some words those that items of a list have as well.
    pub(crate) fn of_args(words: &Self) -> Self {
        let kept = words.0.iter().filter(|word| ["args", "little", "big"].contains(&word.name));
        Self(kept.copied().collect())
    }

    /// What a word says; empty for one that says nothing more.
    pub(crate) fn get(&self, name: &str) -> Option<&'w str> {
        self.0.iter().find(|word| word.name == name).map(|word| word.value)
    }

    /// What a word says each time that it stands there.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &'w str> {
        self.0.iter().filter(move |word| word.name == name).map(|word| word.value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The first of some words that is there.
    pub(crate) fn first(&self, names: &[&'static str]) -> Option<&'static str> {
        names.iter().copied().find(|name| self.has(name))
    }
}

/// The parts of a text between separators that stand in no brackets and in no literal.
pub(crate) fn parts(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '(' | '[' | '{' => depth = depth.saturating_add(1),
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '"' => skip(&mut chars, '"'),
            '\'' if is_char(text.get(at..).unwrap_or_default()) => skip(&mut chars, '\''),
            c if c == separator && depth == 0 => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at.saturating_add(c.len_utf8());
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Whether a quote begins a character, and no lifetime.
fn is_char(text: &str) -> bool {
    let mut chars = text.chars().skip(1);
    matches!((chars.next(), chars.next()), (Some('\\'), _) | (Some(_), Some('\'')))
}

/// Goes behind the end of a literal.
fn skip(chars: &mut std::str::CharIndices<'_>, end: char) {
    while let Some((_, c)) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            c if c == end => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart() {
        let words = Words::of(
            r#"little, magic = b"a,\"b", check(f(a, b), "x), y"), len = [1, 2], c = b','"#,
        );
        assert_eq!(words.get("little"), Some(""));
        assert_eq!(words.get("magic"), Some(r#"b"a,\"b""#));
        assert_eq!(words.get("check"), Some(r#"f(a, b), "x), y""#));
        assert_eq!(words.get("len"), Some("[1, 2]"));
        assert_eq!(words.get("c"), Some("b','"));
        assert_eq!(words.get("big"), None);
        assert_eq!(words.first(&["big", "len"]), Some("len"));
        assert!(Words::of("").get("").is_none());
        assert_eq!(parts("&'a str, 'b'", ','), ["&'a str", "'b'"]);
    }
}
