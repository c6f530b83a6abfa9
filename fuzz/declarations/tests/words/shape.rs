//! What a value looks like without its names and numbers.

/// Names that are words of the language.
const KNOWN: &[&str] = &[
    "if",
    "else",
    "last",
    "remaining",
    "peek",
    "peek_last",
    "kept",
    "previous",
    "or",
    "first",
    "it",
    "index",
    "value",
    "len",
    "count",
    "tag",
    "start",
    "end",
    "file",
    "self",
    "around",
    "inherit",
    "magic",
    "open",
    "down",
    "optional",
    "over",
    "zero",
    "decoded",
    "little",
    "big",
];

/// The shapes of a value: all of it, and what it is of, as an expression.
pub fn shapes(value: &str, args: &[String]) -> Vec<String> {
    let mut all = vec![shape(value)];
    all.extend(kinds(value, args).into_iter().map(str::to_owned));
    all
}

/// What an expression consists of.
fn kinds(value: &str, args: &[String]) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    let mut add = |kind, holds: bool| kinds.extend(holds.then_some(kind));
    let mut words = value.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
    let all: Vec<&str> = words.by_ref().filter(|word| !word.is_empty()).collect();
    add("a number", value.chars().all(|c| c.is_ascii_hexdigit() || c == 'x') && !value.is_empty());
    add("an argument", all.iter().any(|word| args.iter().any(|arg| arg == word)));
    add("a field", all.iter().any(|word| is_field(word)));
    add("a part", all.iter().any(|word| word.split_once('.').is_some_and(|(of, _)| is_field(of))));
    add("a branch", all.contains(&"if"));
    add("a sum", [" + ", " - ", " * "].iter().any(|sign| value.contains(sign)));
    kinds
}

/// Whether a name is one that fields have here.
fn is_field(name: &str) -> bool {
    name.strip_prefix('f')
        .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
}

/// A value with `n` for names, `T` for types, `1` for numbers, and texts that are empty.
pub fn shape(value: &str) -> String {
    let value = value.trim_end_matches(", ..)").to_owned()
        + if value.ends_with(", ..)") { ")" } else { "" };
    let mut out: Vec<String> = Vec::new();
    let mut rest = value.as_str();
    while let Some(c) = rest.chars().next() {
        let (token, len) = if let Some(quoted) = quoted(rest) {
            (if rest.starts_with('b') { "b\"\"" } else { "\"\"" }.to_owned(), quoted)
        } else if c.is_alphanumeric() || c == '_' {
            let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            (name(&rest[..len], c), len)
        } else if c.is_whitespace() {
            (String::new(), c.len_utf8())
        } else {
            let sign = ["..=", "..", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "::"];
            let sign = sign.into_iter().find(|sign| rest.starts_with(sign));
            let text = sign.map_or_else(|| c.to_string(), str::to_owned);
            let len = text.len();
            (text, len)
        };
        rest = &rest[len..];
        out.extend(Some(token).filter(|token| !token.is_empty()));
    }
    without_repeats(out).join(" ")
}

/// How long a text or bytes in quotes are that come first.
fn quoted(text: &str) -> Option<usize> {
    let start = text.strip_prefix('b').unwrap_or(text);
    let quote = start.chars().next().filter(|c| *c == '"' || *c == '\'')?;
    let from = text.len() - start.len() + 1;
    let mut before = ' ';
    // `'a` begins a lifetime.
    for (at, c) in text[from..].char_indices() {
        if c == quote && before != '\\' {
            return Some(from + at + 1);
        }
        if quote == '\'' && at > 3 {
            return None;
        }
        before = c;
    }
    None
}

fn name(word: &str, first: char) -> String {
    let primitive = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "bool"];
    if first.is_ascii_digit() {
        return "1".into();
    }
    if KNOWN.contains(&word) {
        return word.into();
    }
    if word == "_" {
        return word.into();
    }
    if primitive.contains(&word) || first.is_uppercase() { "T".into() } else { "n".into() }
}

/// Lists of what is alike are lists of one, and all comparisons are one.
fn without_repeats(tokens: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for token in tokens {
        let token = match token.as_str() {
            "!=" | "<=" | ">=" | ">" | "==" => "<".to_owned(),
            _ => token,
        };
        out.push(token);
        let len = out.len();
        let repeats = len > 3 && out[len - 2] == "," && out[len - 3] == out[len - 1];
        if repeats && out.contains(&"[".to_owned()) {
            out.truncate(len - 2);
        }
    }
    out
}
