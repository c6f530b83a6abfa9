//! Rust types as people say them who do not write Rust.

/// `Seq<'a, Entry<'a>>` is a list of Entry, `&'a [u8]` is bytes.
pub(crate) fn human(ty: &str) -> String {
    let ty = ty.trim();
    if let Some(inner) = ty.strip_prefix('&') {
        let inner = inner.trim_start();
        let inner = inner.strip_prefix('\'').map_or(inner, |named| {
            named.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').trim_start()
        });
        return human(inner);
    }
    match ty {
        "str" | "String" => return "text".to_owned(),
        "[u8]" | "Vec<u8>" => return "bytes".to_owned(),
        _ => {}
    }
    if let Some(inner) = ty.strip_prefix('[').and_then(|ty| ty.strip_suffix(']')) {
        return match inner.rsplit_once(';') {
            Some(("u8", count)) => format!("{} bytes", count.trim()),
            Some((item, count)) => format!("{} {}", count.trim(), human(item)),
            None => format!("list of {}", human(inner)),
        };
    }
    let Some((name, arguments)) = ty.strip_suffix('>').and_then(|ty| ty.split_once('<')) else {
        return ty.rsplit("::").next().unwrap_or(ty).to_owned();
    };
    let arguments: Vec<&str> =
        top_level(arguments).into_iter().filter(|argument| !argument.starts_with('\'')).collect();
    let name = name.rsplit("::").next().unwrap_or(name);
    match (name, arguments.as_slice()) {
        (_, []) => name.to_owned(),
        ("Auto" | "Box" | "Lazy" | "FbRef" | "Cow", [inner]) => human(inner),
        ("Vec" | "Seq" | "LinkedSeq" | "FbVec", [item]) => format!("list of {}", human(item)),
        ("Option", [inner]) => format!("optional {}", human(inner)),
        ("Reserved", [count]) => format!("{count} reserved bytes"),
        (name, arguments) => {
            let arguments: Vec<_> = arguments.iter().map(|argument| human(argument)).collect();
            format!("{name} of {}", arguments.join(", "))
        }
    }
}

/// The parts between the commas that stand in no brackets.
fn top_level(arguments: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, c) in arguments.char_indices() {
        match c {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(arguments.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(arguments.get(start..).unwrap_or_default().trim());
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_words() {
        for (ty, words) in [
            ("u32", "u32"),
            ("Auto<u32>", "u32"),
            ("&'a [u8]", "bytes"),
            ("&'a str", "text"),
            ("[u8; 4]", "4 bytes"),
            ("[u16; 3]", "3 u16"),
            ("Seq<'a, Entry<'a>>", "list of Entry"),
            ("LinkedSeq<'a, Event>", "list of Event"),
            ("Option<Vec<Name<'a>>>", "optional list of Name"),
            ("Reserved<3>", "3 reserved bytes"),
            ("binfmt_runtime::U24", "U24"),
            ("FbVec<'a, FbRef<'a, Tensor<'a>>>", "list of Tensor"),
            ("Map<u8, u16>", "Map of u8, u16"),
            ("Header<'a>", "Header"),
        ] {
            assert_eq!(human(ty), words, "{ty}");
        }
    }
}
