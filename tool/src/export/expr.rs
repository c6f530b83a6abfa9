//! Constants of declarations, read from their text.

/// A number as Rust writes it, and the type that stands behind it, if any.
pub(super) fn number(text: &str) -> Option<(u64, &str)> {
    let (radix, digits) = match text.get(..2) {
        Some("0x") => (16, text.get(2..)?),
        Some("0o") => (8, text.get(2..)?),
        Some("0b") => (2, text.get(2..)?),
        _ => (10, text),
    };
    let end = digits.find(|c: char| c != '_' && !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, ty) = digits.split_at(end);
    Some((u64::from_str_radix(&digits.replace('_', ""), radix).ok()?, ty))
}

/// The bytes of a literal that a text begins with, and what stands behind it.
pub(super) fn literal(text: &str) -> Option<(Vec<u8>, &str)> {
    let inside = text.strip_prefix('b').unwrap_or(text);
    let quote = inside.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (mut bytes, mut chars) = (Vec::new(), inside.get(1..)?.chars());
    loop {
        match chars.next()? {
            c if c == quote => return Some((bytes, chars.as_str())),
            '\\' => bytes.push(match chars.next()? {
                'n' => b'\n',
                'r' => b'\r',
                't' => b'\t',
                '0' => 0,
                'x' => {
                    let digits = chars.as_str().get(..2)?;
                    chars = chars.as_str().get(2..)?.chars();
                    u8::from_str_radix(digits, 16).ok()?
                }
                c => u8::try_from(c).ok()?,
            }),
            c => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}
