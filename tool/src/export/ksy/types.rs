//! Types of fields, read from their text.

use binfmt_runtime::Layout;

use crate::words::parts;

/// The type of a field, as far as a description can have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    /// `u4`, `s2`, `f8`: the name in Kaitai, without byte order.
    Number(&'static str),
    /// So many bytes that are a number: 3, 5, 6 or 7.
    Odd(u32),
    Bool,
    Leb,
    Bytes,
    Text,
    Utf16,
    /// A fixed number of bytes.
    Fixed(u64),
    Array(Box<Self>, u64),
    List(Box<Self>),
    /// A type that is declared, or that nobody knows.
    Named(String),
}

impl Ty {
    /// The type that a text says; what only holds another type counts as that.
    pub(super) fn of(text: &str) -> Self {
        let text = text.trim();
        if let Some(inner) = text.strip_prefix('&') {
            let inner = inner.trim_start();
            return Self::of(inner.strip_prefix('\'').map_or(inner, |named| {
                named.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_')
            }));
        }
        if let Some(inner) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            return Self::of_array(text, inner);
        }
        let (name, arguments) = match text.split_once('<') {
            Some((name, rest)) => (name, rest.strip_suffix('>').unwrap_or_default()),
            None => (text, ""),
        };
        let arguments: Vec<&str> = parts_of(arguments)
            .into_iter()
            .filter(|argument| !argument.starts_with('\''))
            .collect();
        let name = name.rsplit("::").next().unwrap_or(name).trim();
        match (name, arguments.as_slice()) {
            ("Option" | "Auto" | "Box" | "Lazy" | "Cow" | "FbRef" | "Placed", [inner]) => {
                Self::of(inner)
            }
            ("Vec" | "Seq" | "LinkedSeq" | "FbVec", [item]) => match Self::of(item) {
                Self::Number("u1") if name == "Vec" => Self::Bytes,
                item => Self::List(Box::new(item)),
            },
            ("Reserved", [count]) => {
                count.parse().map_or_else(|_| Self::Named(text.to_owned()), Self::Fixed)
            }
            ("Leb128", [inner]) if inner.starts_with('u') => Self::Leb,
            ("str" | "String", []) => Self::Text,
            ("Utf16", _) => Self::Utf16,
            ("bool", []) => Self::Bool,
            ("u8", []) => Self::Number("u1"),
            ("u16", []) => Self::Number("u2"),
            ("u32", []) => Self::Number("u4"),
            ("u64", []) => Self::Number("u8"),
            ("i8", []) => Self::Number("s1"),
            ("i16", []) => Self::Number("s2"),
            ("i32", []) => Self::Number("s4"),
            ("i64", []) => Self::Number("s8"),
            ("f32", []) => Self::Number("f4"),
            ("f64", []) => Self::Number("f8"),
            ("U24", []) => Self::Odd(24),
            ("U40", []) => Self::Odd(40),
            ("U48", []) => Self::Odd(48),
            ("U56", []) => Self::Odd(56),
            _ => Self::Named(text.to_owned()),
        }
    }

    /// An array or a slice, of which `inner` stands in brackets.
    fn of_array(text: &str, inner: &str) -> Self {
        let array = inner.rsplit_once(';');
        match array.map(|(item, count)| (Self::of(item), count.trim().parse())) {
            None if inner.trim() == "u8" => Self::Bytes,
            None => Self::List(Box::new(Self::of(inner))),
            Some((Self::Number("u1"), Ok(count))) => Self::Fixed(count),
            Some((item, Ok(count))) => Self::Array(Box::new(item), count),
            Some((_, Err(_))) => Self::Named(text.to_owned()),
        }
    }
}

/// The arguments of a type; angle brackets count as brackets.
fn parts_of(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_u32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '<' | '[' | '(' => depth = depth.saturating_add(1),
            '>' | ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(text.get(start..at).unwrap_or_default());
                start = at.saturating_add(1);
            }
            _ => {}
        }
    }
    found.push(text.get(start..).unwrap_or_default());
    found.into_iter().flat_map(|part| parts(part, '\0')).collect()
}

/// What tells a declared type, for a generic one with what its parameters stand for, from all others.
pub(super) fn key(layout: &Layout) -> &'static str {
    layout.generic.map_or(layout.name, |generic| (generic.instance)())
}

/// The name of a declared type in a description: `List<u16>` is `list_u16`.
pub(super) fn type_id(layout: &Layout) -> String {
    if layout.generic.is_none() {
        return id(layout.name);
    }
    let name = layout.full_name();
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    id(&words.collect::<Vec<_>>().join("_"))
}

/// The name of a Rust type or variant in a description: `DataSegment` is `data_segment`.
pub(super) fn id(name: &str) -> String {
    /// Names that mean something in Kaitai or in the languages that it writes.
    const TAKEN: &[&str] = &[
        "and", "as", "class", "def", "del", "elif", "else", "except", "false", "for", "from",
        "global", "if", "import", "in", "is", "lambda", "none", "not", "or", "pass", "raise",
        "return", "str", "strz", "true", "try", "while", "with", "yield", "break", "continue",
        "bool", "self",
    ];
    let mut id = String::new();
    let mut last = '_';
    let name = name.strip_prefix("r#").unwrap_or(name);
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let word_begins = c.is_uppercase()
            && (last.is_lowercase()
                || last.is_ascii_digit()
                || chars.peek().is_some_and(|next| next.is_lowercase()));
        if word_begins && last != '_' {
            id.push('_');
        }
        id.extend(c.to_lowercase().filter(|c| c.is_ascii_alphanumeric() || *c == '_'));
        last = c;
    }
    let id = id.trim_start_matches('_').to_owned();
    if !id.starts_with(|c: char| c.is_ascii_lowercase()) {
        return format!("field_{id}");
    }
    if TAKEN.contains(&id.as_str()) { format!("{id}_") } else { id }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_told_apart() {
        for (text, ty) in [
            ("Auto<u32>", Ty::Number("u4")),
            ("&'a [u8]", Ty::Bytes),
            ("Option<&'a str>", Ty::Text),
            ("[u8; 4]", Ty::Fixed(4)),
            ("[u16; 2]", Ty::Array(Box::new(Ty::Number("u2")), 2)),
            ("Vec<Vec<u8>>", Ty::List(Box::new(Ty::Bytes))),
            ("Seq<'a, Entry<'a>>", Ty::List(Box::new(Ty::Named("Entry<'a>".to_owned())))),
            ("LinkedSeq<'a, Event>", Ty::List(Box::new(Ty::Named("Event".to_owned())))),
            ("Reserved<3>", Ty::Fixed(3)),
            ("[u8; N]", Ty::Named("[u8; N]".to_owned())),
            ("Coded<Octal<8>, u32>", Ty::Named("Coded<Octal<8>, u32>".to_owned())),
        ] {
            assert_eq!(Ty::of(text), ty, "{text}");
        }
    }

    #[test]
    fn names_are_those_of_kaitai() {
        for (name, expected) in [
            ("DataSegment", "data_segment"),
            ("GRU", "gru"),
            ("FlatTensor06", "flat_tensor06"),
            ("SFTPData", "sftp_data"),
            ("name_len", "name_len"),
            ("0", "field_0"),
            ("r#type", "type"),
            ("From", "from_"),
        ] {
            assert_eq!(id(name), expected, "{name}");
        }
    }
}
