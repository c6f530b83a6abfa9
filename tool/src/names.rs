//! Names from a file as names for files: they must not lead anywhere, on any system.

use std::collections::HashMap;

use crate::item::Item;

/// The longest name, in bytes; file systems allow 255, and a number may be added.
const LONGEST: usize = 200;

/// Names of devices on Windows, with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The names given so far in one folder.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Folded, because many file systems do not tell upper and lower case apart; with the last
    /// number that was tried, so that many equal names stay cheap.
    taken: HashMap<String, u64>,
}

impl Names {
    /// Gives every item the name that its file gets, in order.
    pub(crate) fn give_all(items: Vec<Item<'_>>) -> Vec<Item<'_>> {
        Self::default().give_each(items)
    }

    fn give_each<'f>(&mut self, items: Vec<Item<'f>>) -> Vec<Item<'f>> {
        let safe = items.into_iter().map(|item| {
            if !item.is_file {
                return item;
            }
            let file_name = self.give(&item.file_name);
            Item { file_name, ..item }
        });
        safe.collect()
    }

    /// The same, of names that are none of these.
    pub(crate) fn give_others<'f>(items: Vec<Item<'f>>, reserved: &[&str]) -> Vec<Item<'f>> {
        let mut names = Self::default();
        for name in reserved {
            names.give(name);
        }
        names.give_each(items)
    }

    /// A safe name like `wanted` that was not given before.
    pub(crate) fn give(&mut self, wanted: &str) -> String {
        let base = safe(wanted);
        let mut count = self.taken.get(&fold(&base)).copied().unwrap_or(0);
        let name = loop {
            count += 1;
            let name = if count == 1 { base.clone() } else { numbered(&base, count) };
            if !self.taken.contains_key(&fold(&name)) {
                break name;
            }
        };
        self.taken.insert(fold(&name), 1);
        self.taken.insert(fold(&base), count);
        name
    }
}

/// What a file system that ignores case makes of a name.
fn fold(name: &str) -> String {
    name.to_uppercase().to_lowercase()
}

/// Puts `~2` in front of the extension.
fn numbered(name: &str, count: u64) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => format!("{stem}~{count}.{extension}"),
        _ => format!("{name}~{count}"),
    }
}

/// A name that is one path component everywhere, and no option, device or hidden file.
fn safe(wanted: &str) -> String {
    let mut name: String = wanted.chars().map(|c| if is_safe(c) { c } else { '_' }).collect();
    // Windows drops dots and spaces at the end.
    name.truncate(name.trim_end_matches(['.', ' ']).len());
    if name.is_empty() {
        name.push_str(if wanted.is_empty() { "unnamed" } else { "_" });
    }
    if name.starts_with(['.', '-', ' ', '~']) || is_device(&name) {
        name.insert(0, '_');
    }
    shorten(name)
}

fn is_safe(c: char) -> bool {
    let reserved = matches!(c, '/' | '\\' | ':' | '<' | '>' | '"' | '|' | '?' | '*' | '\u{fffd}');
    !(reserved || c.is_control() || is_invisible(c))
}

/// Characters that change how the text around them is shown, without being seen.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            // Tags, which spell out text that nobody sees.
            | '\u{e0000}'..='\u{e0fff}'
    )
}

fn is_device(name: &str) -> bool {
    let stem = fold(name.split('.').next().unwrap_or(name).trim_end());
    let mut rest = stem.chars();
    let letters: String = rest.by_ref().take(3).collect();
    let digit = matches!((rest.next(), rest.next()), (Some('0'..='9' | '¹' | '²' | '³'), None));
    DEVICES.contains(&stem.as_str()) || (digit && (letters == "com" || letters == "lpt"))
}

/// Cuts the middle out of a long name, so that it keeps its extension.
fn shorten(mut name: String) -> String {
    if name.len() <= LONGEST {
        return name;
    }
    let extension = match name.rsplit_once('.') {
        Some((_, extension)) if extension.len() < 32 => format!(".{extension}"),
        _ => String::new(),
    };
    let mut end = LONGEST - extension.len();
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name.truncate(end);
    name.push_str(&extension);
    // What was in the middle is at the end now.
    name.truncate(name.trim_end_matches(['.', ' ']).len());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wanted: &str, expected: &str) {
        assert_eq!(Names::default().give(wanted), expected);
    }

    #[test]
    fn ordinary_names_stay() {
        check("k.1.sm_90a.cubin", "k.1.sm_90a.cubin");
        check("größe 1", "größe 1");
    }

    #[test]
    fn names_do_not_leave_the_folder() {
        check("../../etc/passwd", "_.._.._etc_passwd");
        check("..", "_");
        check(".", "_");
        check("/root", "_root");
        check("C:\\x", "C__x");
        check("a\0b\nc", "a_b_c");
        check("x\u{202e}cod", "x_cod");
    }

    #[test]
    fn names_that_mean_something_else_are_changed() {
        check("", "unnamed");
        check("-rf", "_-rf");
        check(".profile", "_.profile");
        check("nul", "_nul");
        check("COM1.txt", "_COM1.txt");
        check("lpt².x", "_lpt².x");
        check("com10", "com10");
        check("console", "console");
        check("dot. .", "dot");
        check("...", "_");
    }

    #[test]
    fn long_names_keep_their_extension() {
        let name = Names::default().give(&format!("{}.cubin", "ü".repeat(200)));
        assert!(name.len() <= LONGEST);
        assert!(name.ends_with("ü.cubin"));
        assert_eq!(Names::default().give(&"x".repeat(4096)).len(), LONGEST);
        let start = "x".repeat(LONGEST - 3);
        check(&format!("{start}. .{}", "y".repeat(40)), &start);
    }

    #[test]
    fn equal_names_are_numbered() {
        let mut names = Names::default();
        let given: Vec<_> =
            ["a.x", "A.X", "a.x", "a~2.x", "a", "a"].map(|name| names.give(name)).into();
        assert_eq!(given, ["a.x", "A~2.X", "a~3.x", "a~2~2.x", "a", "a~2"]);
    }
}
