//! Where two values of one type differ, by name.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::Debug;

use super::derived::derived;
use crate::layout::Layout;

/// Where a value and what was read of it differ, apart from the fields that a writer computes; where that has
/// been settled, also apart from what the value keeps of its arguments.
pub(super) fn difference(
    layout: &'static Layout,
    (value, read): (&dyn Debug, &dyn Debug),
    settled: bool,
) -> Option<String> {
    let (value, read) = (format!("{value:#?}"), format!("{read:#?}"));
    let computed = derived(layout);
    let layouts = if settled { layout.all() } else { Vec::new() };
    let found = Compare { computed: &computed, layouts: &layouts }.nodes(
        &parsed(&mut value.lines()),
        &parsed(&mut read.lines()),
        "",
        &mut String::new(),
    );
    found.map(|(path, value, read)| format!("`{path}` is {value}, and is read back as {read}"))
}

/// One line of what `{:#?}` gives, and the lines inside.
struct Node<'t> {
    /// The name of the field, if it is one.
    key: Option<&'t str>,
    /// The value, up to the bracket that opens.
    head: &'t str,
    inside: Vec<Self>,
}

fn parsed<'t>(lines: &mut core::str::Lines<'t>) -> Vec<Node<'t>> {
    let mut nodes = Vec::new();
    while let Some(line) = lines.next() {
        let line = line.trim_start();
        if matches!(line.trim_end_matches(','), "}" | "]" | ")") {
            break;
        }
        let named = line.split_once(": ").filter(|(key, _)| {
            key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        });
        let (key, head) = named.map_or((None, line), |(key, head)| (Some(key), head));
        let opens = head.ends_with(['{', '[', '(']);
        let inside = if opens { parsed(lines) } else { Vec::new() };
        nodes.push(Node { key, head, inside });
    }
    nodes
}

type Difference = (String, String, String);

struct Compare<'c> {
    /// Types and their fields that a writer computes.
    computed: &'c [(&'static str, &'static str)],
    /// Types whose fields that are nowhere in the bytes follow from arguments.
    layouts: &'c [&'static Layout],
}

impl Compare<'_> {
    /// Whether a type has such a field.
    fn is_kept(&self, of: &str, key: &str) -> bool {
        let layout = self.layouts.iter().find(|layout| layout.name == of);
        layout.is_some_and(|layout| layout.fields.iter().all(|field| field.name != key))
    }

    /// The first difference between the fields or items of a value of the type `of`.
    fn nodes(
        &self,
        value: &[Node<'_>],
        read: &[Node<'_>],
        of: &str,
        path: &mut String,
    ) -> Option<Difference> {
        for (index, (a, b)) in value.iter().zip(read).enumerate() {
            let before = path.len();
            match a.key {
                Some(key) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(key);
                }
                None if of == "[" => path.extend(["[", &index.to_string(), "]"]),
                None => {}
            }
            let of_type = of_name(of);
            let is_computed =
                |key| self.computed.contains(&(of_type, key)) || self.is_kept(of_type, key);
            let skipped = match a.key {
                Some(key) => is_computed(key),
                None => of.ends_with('(') && is_computed(&format!("_{index}")),
            };
            if !skipped && let Some(found) = self.node(a, b, path) {
                return Some(found);
            }
            path.truncate(before);
        }
        if value.len() == read.len() {
            return None;
        }
        let count = |nodes: &[Node<'_>]| format!("{} parts", nodes.len());
        Some((path.clone(), count(value), count(read)))
    }

    fn node(&self, a: &Node<'_>, b: &Node<'_>, path: &mut String) -> Option<Difference> {
        if a.head == b.head {
            return self.nodes(&a.inside, &b.inside, a.head, path);
        }
        Some((path.clone(), own(a.head), own(b.head)))
    }
}

/// A value on one line, without the comma behind it.
fn own(head: &str) -> String {
    head.trim_end_matches(',').to_owned()
}

/// The name of a type in front of the bracket that opens its fields.
fn of_name(head: &str) -> &str {
    head.trim_end_matches(['{', '(', '[', ' '])
}
