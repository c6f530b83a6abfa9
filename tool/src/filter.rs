//! Which items are wanted.

use crate::input::Input;
use crate::item::Item;
use crate::json::wide;
use crate::output::{self, Outcome};
use crate::paths::shown;

/// Names and patterns of items; all items, if there are none.
#[derive(Clone, Debug, Default)]
pub struct Filter(pub Vec<String>);

impl Filter {
    /// Whether one of the patterns is what the item is known by: its kind, its name, the name of its
    /// file, what a column shows, its path, or the path of something that it lies in. In an archive
    /// the name of the file stands in front of the path: `pkg/libx.so!items[0]`.
    pub fn takes(&self, item: &Item<'_>, file: &Input) -> bool {
        let inner = file.inner().map(|inner| format!("{}!{}", shown(inner), item.path));
        let path = inner.as_deref().unwrap_or(&item.path);
        self.0.is_empty() || self.0.iter().any(|pattern| is(pattern, item, path))
    }
}

fn is(pattern: &str, item: &Item<'_>, path: &str) -> bool {
    let columns = item.columns.iter().filter_map(|(_, value)| value.as_str());
    let name = item.name.as_deref().and_then(|name| std::str::from_utf8(name).ok());
    [item.kind.as_str(), &item.file_name, &item.path, path]
        .into_iter()
        .chain(name)
        .chain(columns)
        .chain(around(&item.path))
        .chain(around(path))
        .any(|text| matches(pattern.as_bytes(), text.as_bytes()))
}

/// How many items there were, and how many were wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Matched {
    pub(crate) all: u64,
    pub(crate) wanted: u64,
}

impl Matched {
    pub(crate) fn add(&mut self, all: usize, wanted: usize) {
        self.all = self.all.saturating_add(wide(all));
        self.wanted = self.wanted.saturating_add(wide(wanted));
    }

    /// Says that nothing was wanted, where that is so.
    pub(crate) fn tell(self, input: &Input, filter: &Filter) -> Outcome {
        if filter.0.is_empty() || self.all == 0 || self.wanted > 0 {
            return Outcome::Good;
        }
        let (name, all, filters) = (input.name(), self.all, filter.0.join("`, `"));
        output::error(&format!("{name}: none of {all} items matches `{filters}`"));
        Outcome::Bad
    }
}

/// The paths of what something lies in.
fn around(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.char_indices().filter(|(at, c)| *at > 0 && matches!(c, '.' | '[' | ':' | '!'));
    ends.filter_map(|(at, _)| path.get(..at))
}

/// Whether `pattern` is the whole text: `*` stands for anything, `?` for one character.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut seen) = (0, 0);
    // Where the last `*` was, and how much it has taken so far.
    let mut star: Option<(usize, usize)> = None;
    while let Some(byte) = text.get(seen) {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, seen));
                at += 1;
            }
            Some(b'?') => {
                at += 1;
                seen += 1;
                // One character, however many bytes it has.
                while text.get(seen).is_some_and(|byte| byte & 0xc0 == 0x80) {
                    seen += 1;
                }
            }
            Some(wanted) if wanted == byte => {
                at += 1;
                seen += 1;
            }
            _ => match &mut star {
                Some((place, taken)) => {
                    *taken += 1;
                    (at, seen) = (*place + 1, *taken);
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_whole_names() {
        for (pattern, text, expected) in [
            ("sm_90", "sm_90", true),
            ("sm_90", "sm_90a", false),
            ("sm_90*", "sm_90a", true),
            ("sm_?0", "sm_80", true),
            ("sm_?0", "sm_100", false),
            ("a*b*c", "axbxc", true),
            ("a*b*c", "axcxb", false),
            ("?", "ü", true),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaa", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), text.as_bytes()), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn paths_take_what_lies_in_them() {
        let around: Vec<_> = around("a.so!.nv_fatbin:items[0].entries[3]").collect();
        for path in ["a.so", ".nv_fatbin:items[0]", "a.so!.nv_fatbin:items[0]"] {
            assert_eq!(around.contains(&path), path.starts_with('a'), "{path}");
        }
        assert!(around.contains(&"a.so!.nv_fatbin:items[0].entries"));
    }
}
