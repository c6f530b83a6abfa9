//! What an inspector sees, as rows in the order of the declaration, in memory that does not grow
//! with the file.
//!
//! A field is told in two halves: where it starts, and behind everything inside it what it is. A row
//! needs both. So what is inside is kept until the second half comes, but no more than [`KEPT`]
//! rows; a first walk has noted the second halves of the few fields that have more inside.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::ops::Range;

use binfmt_runtime::{Events, FieldLayout, Finding, Layout, NodeValue, Step, Value};

use crate::driver::{Driver, Options, Part};
use crate::json::wide;
use crate::pattern::Pattern;
use crate::snapshot::range_in;

/// How many rows wait for the end of the field around them.
const KEPT: usize = 1 << 14;

/// Takes a row.
pub(crate) type Tell<'t> = dyn FnMut(&Row) -> io::Result<()> + 't;

/// One field or item.
#[derive(Clone, Debug)]
pub struct Row {
    /// How deep it lies in what was chosen.
    pub depth: usize,
    /// The path to it.
    pub path: Vec<Step>,
    /// The Rust type as declared; empty for items.
    pub ty: &'static str,
    /// The doc comment of the field.
    pub doc: &'static str,
    /// Absolute offset of the first byte.
    pub start: u64,
    /// Absolute offset behind the last byte.
    pub end: u64,
    /// `None` where damage ended the walk.
    pub value: Option<NodeValue>,
    /// How many fields or items are inside.
    pub children: u64,
    /// The bytes of a value that is bytes, where they are asked for.
    pub(crate) content: Option<Content>,
}

/// The bytes of a value.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// A part of the file.
    Stored(Range<usize>),
    /// Bytes that a value owns, or decoded ones.
    Own(Vec<u8>),
}

impl Content {
    fn of(file: &[u8], bytes: &[u8]) -> Self {
        range_in(file, bytes).map_or_else(|| Self::Own(bytes.to_vec()), Self::Stored)
    }

    /// The bytes.
    pub(crate) fn bytes<'c>(&'c self, file: &'c [u8]) -> &'c [u8] {
        match self {
            Self::Stored(range) => file.get(range.clone()).unwrap_or_default(),
            Self::Own(bytes) => bytes,
        }
    }
}

/// What is known of a row at its end.
#[derive(Clone, Debug)]
struct Known {
    start: u64,
    end: u64,
    value: Option<NodeValue>,
    children: u64,
    content: Option<Content>,
}

/// Which rows are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Choice<'p> {
    /// Those that lie at or below one of these; all if there are none.
    pub(crate) patterns: &'p [Pattern],
    /// Those that are no deeper than this below them.
    pub(crate) depth: Option<usize>,
    /// Whether all of a value's bytes are wanted, and not the first ones alone.
    pub(crate) contents: bool,
}

/// Tells the rows of a part, each behind the one that it lies in.
pub(crate) fn rows(
    (file, part): (&[u8], &Part),
    driver: &dyn Driver,
    options: &Options,
    choice: Choice<'_>,
    tell: &mut Tell<'_>,
) -> io::Result<()> {
    let mut first = Walker::new((file, part), choice, None);
    driver.walk(file, part, options, &mut first);
    let mut second = Walker::new((file, part), choice, Some(tell));
    second.large = first.large;
    driver.walk(file, part, options, &mut second);
    second.flush(0);
    second.result
}

/// A field or item that has started.
struct Open {
    /// The number of its row, if it has one.
    row: Option<u64>,
    start: u64,
    /// What the fields inside span.
    inside: Option<(u64, u64)>,
    children: u64,
    /// Whether it is the top of what was chosen.
    top: bool,
    /// Whether offsets inside are those of decoded bytes.
    is_decoded: bool,
}

struct Walker<'t> {
    choice: Choice<'t>,
    file: &'t [u8],
    part: &'t str,
    tell: Option<&'t mut Tell<'t>>,
    open: Vec<Open>,
    path: Vec<Step>,
    /// How deep the top of what is chosen lies.
    top: Option<usize>,
    waiting: VecDeque<(Row, bool)>,
    /// The number of the first row that waits, and of the next one.
    told: u64,
    next: u64,
    large: HashMap<u64, Known>,
    result: io::Result<()>,
}

impl<'t> Walker<'t> {
    fn new(
        (file, part): (&'t [u8], &'t Part),
        choice: Choice<'t>,
        tell: Option<&'t mut Tell<'t>>,
    ) -> Self {
        Self {
            choice,
            file,
            part: &part.name,
            tell,
            open: Vec::new(),
            path: Vec::new(),
            top: None,
            waiting: VecDeque::new(),
            told: 0,
            next: 0,
            large: HashMap::new(),
            result: Ok(()),
        }
    }

    /// Whether the field that was just entered is the top of what is chosen.
    fn is_top(&self) -> bool {
        let patterns = self.choice.patterns;
        let named = |pattern: &Pattern| pattern.is_in(self.part) && pattern.is(&self.path);
        self.top.is_none()
            && if patterns.is_empty() { self.path.is_empty() } else { patterns.iter().any(named) }
    }

    fn start(&mut self, ty: &'static str, doc: &'static str, start: usize) {
        let start = wide(start);
        let depth = self.open.len();
        let top = self.is_top();
        if top {
            self.top = Some(depth);
        }
        let below = self.top.map(|top| depth.saturating_sub(top));
        let wanted = below.filter(|below| self.choice.depth.is_none_or(|most| *below <= most));
        let row = wanted.map(|depth| {
            let number = self.next;
            self.next = self.next.saturating_add(1);
            if self.tell.is_some() {
                let path = self.path.clone();
                let row = Row {
                    depth,
                    path,
                    ty,
                    doc,
                    start,
                    end: start,
                    value: None,
                    children: 0,
                    content: None,
                };
                self.waiting.push_back((row, false));
                self.flush(KEPT);
            }
            number
        });
        let is_decoded = self.path.last() == Some(&Step::Decoded);
        self.open.push(Open { row, start, inside: None, children: 0, top, is_decoded });
    }

    fn close(&mut self, end: usize, value: Option<&Value<'_>>) {
        let Some(open) = self.open.pop() else { return };
        if open.top {
            self.top = None;
        }
        // Damage can end a located field in front of where it lies.
        let (mut start, mut end) = (open.start, wide(end).max(open.start));
        // What has no bytes of its own spans what is inside, wherever that lies.
        if let (Some(inside), true) = (open.inside, start == end) {
            (start, end) = inside;
        }
        if let Some(parent) = self.open.last_mut() {
            if !open.is_decoded {
                let (least, most) = parent.inside.unwrap_or((start, end));
                parent.inside = Some((least.min(start), most.max(end)));
            }
            parent.children = parent.children.saturating_add(1);
        }
        let Some(number) = open.row else { return };
        let content = match value {
            Some(Value::Bytes(bytes)) if self.choice.contents => {
                Some(Content::of(self.file, bytes))
            }
            _ => None,
        };
        let value = value.map(NodeValue::from);
        let known = Known { start, end, value, children: open.children, content };
        if self.tell.is_none() {
            if self.next.saturating_sub(number) > wide(KEPT) {
                self.large.insert(number, known);
            }
            return;
        }
        let place = number.checked_sub(self.told).and_then(|place| usize::try_from(place).ok());
        if let Some((row, done)) = place.and_then(|place| self.waiting.get_mut(place)) {
            known.complete(row);
            *done = true;
        }
        if self.open.is_empty() {
            self.flush(0);
        }
    }

    /// Tells the first rows until no more than `most` wait.
    fn flush(&mut self, most: usize) {
        while self.waiting.len() > most {
            let Some((mut row, done)) = self.waiting.pop_front() else { return };
            if !done && let Some(end) = self.large.remove(&self.told) {
                end.complete(&mut row);
            }
            self.told = self.told.saturating_add(1);
            if let (Ok(()), Some(tell)) = (&self.result, &mut self.tell) {
                self.result = tell(&row);
            }
        }
    }
}

impl Known {
    fn complete(self, row: &mut Row) {
        (row.start, row.end, row.value, row.children, row.content) =
            (self.start, self.end, self.value, self.children, self.content);
    }
}

impl Events for Walker<'_> {
    fn finding(&mut self, _: Finding) {}

    fn begin(&mut self, layout: &'static Layout, start: usize) {
        self.start(layout.name, layout.doc, start);
    }

    fn end(&mut self, end: usize, value: Option<&Value<'_>>) {
        self.close(end, value);
    }

    fn enter(&mut self, step: Step, field: Option<&'static FieldLayout>, start: usize) {
        self.path.push(step);
        let (ty, doc) = field.map_or(("", ""), |field| (field.ty, field.doc));
        self.start(ty, doc, start);
    }

    fn leave(&mut self, end: usize, value: &Value<'_>) {
        self.path.pop();
        self.close(end, Some(value));
    }

    fn unwind(&mut self, depth: usize, end: usize) {
        while self.open.len() > depth.saturating_add(1) {
            self.path.pop();
            self.close(end, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use binfmt_runtime::{BinFormat, Node, Seq};

    use super::*;

    /// Lists in a list, so that fields with few and with many rows are open at once.
    #[derive(BinFormat)]
    #[bin(little)]
    struct Lists<'a> {
        #[bin(until_end)]
        lists: Seq<'a, List>,
    }

    #[derive(BinFormat)]
    #[bin(little)]
    struct List {
        count: u32,
        #[bin(count = count)]
        pairs: Vec<Pair>,
    }

    #[derive(BinFormat)]
    #[bin(little)]
    struct Pair {
        left: u8,
        right: u8,
    }

    fn file(counts: &[u32]) -> Vec<u8> {
        let list = |count: &u32| {
            let pairs = (0..*count).flat_map(|at| at.to_le_bytes().into_iter().take(2));
            count.to_le_bytes().into_iter().chain(pairs).collect::<Vec<_>>()
        };
        counts.iter().flat_map(list).collect()
    }

    type Line = (usize, String, u64, u64, Option<NodeValue>);

    fn flat(node: &Node, depth: usize, lines: &mut Vec<Line>) {
        let line = (depth, node.name.clone(), node.start, node.end, node.value.clone());
        lines.push(line);
        node.children.iter().for_each(|child| flat(child, depth + 1, lines));
    }

    fn told(file: &[u8], choice: Choice<'_>) -> Vec<Line> {
        let format = crate::format::<Lists<'_>>("lists");
        let options = Options::default();
        let mut lines = Vec::new();
        for part in format.driver().parts(file, &options) {
            let mut tell = |row: &Row| {
                let name = row.path.last().map(Step::to_string).unwrap_or_default();
                lines.push((row.depth, name, row.start, row.end, row.value.clone()));
                Ok(())
            };
            rows((file, &part), format.driver(), &options, choice, &mut tell).unwrap();
        }
        lines
    }

    #[test]
    fn rows_are_those_of_the_tree_however_many_there_are() {
        let many = u32::try_from(KEPT).unwrap();
        for counts in [&[][..], &[0], &[3, 2], &[many, 1, many / 3, 2 * many], &[1, many / 3 - 1]] {
            let mut file = file(counts);
            for cut in [0, 1] {
                file.truncate(file.len() - cut.min(file.len()));
                let mut expected = Vec::new();
                flat(&Lists::inspect(&file).root, 0, &mut expected);
                assert!(told(&file, Choice::default()) == expected, "{counts:?} cut by {cut}");
            }
        }
    }

    #[test]
    fn only_what_is_chosen_is_told() {
        let file = file(&[2, 1]);
        let names = |patterns: &[&str], depth| {
            let patterns: Vec<Pattern> =
                patterns.iter().map(|pattern| pattern.parse().unwrap()).collect();
            let lines = told(&file, Choice { patterns: &patterns, depth, contents: false });
            lines.into_iter().map(|(depth, name, ..)| format!("{depth}{name}")).collect::<Vec<_>>()
        };
        assert_eq!(names(&["lists[1]"], Some(1)), ["0[1]", "1count", "1pairs"]);
        assert_eq!(names(&["lists[*].pairs[*].left"], None), ["0left", "0left", "0left"]);
        assert_eq!(names(&["lists[0].count", "lists[1]"], Some(0)), ["0count", "0[1]"]);
        assert!(names(&["lists[2]"], None).is_empty());
    }
}
