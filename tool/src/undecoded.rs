//! What a walk meets, without what lies in decoded bytes: their offsets are none of the file.

use binfmt_runtime::{Events, FieldLayout, Finding, Layout, Step, Value};

/// Passes on all events but those from inside decoded bytes.
pub(crate) struct Undecoded<'e> {
    events: &'e mut dyn Events,
    /// How many fields and items are open that are passed on.
    open: usize,
    /// How many are open that are not.
    hidden: usize,
}

impl<'e> Undecoded<'e> {
    pub(crate) fn new(events: &'e mut dyn Events) -> Self {
        Self { events, open: 0, hidden: 0 }
    }
}

impl Events for Undecoded<'_> {
    fn finding(&mut self, finding: Finding) {
        self.events.finding(finding);
    }

    fn silenced(&mut self, code: &'static str) {
        self.events.silenced(code);
    }

    fn begin(&mut self, layout: &'static Layout, start: usize) {
        self.events.begin(layout, start);
    }

    fn end(&mut self, end: usize, value: Option<&Value<'_>>) {
        (self.open, self.hidden) = (0, 0);
        self.events.end(end, value);
    }

    fn enter(&mut self, step: Step, field: Option<&'static FieldLayout>, start: usize) {
        if self.hidden > 0 || step == Step::Decoded {
            self.hidden += 1;
            return;
        }
        self.open += 1;
        self.events.enter(step, field, start);
    }

    fn leave(&mut self, end: usize, value: &Value<'_>) {
        if self.hidden > 0 {
            self.hidden -= 1;
            return;
        }
        self.open = self.open.saturating_sub(1);
        self.events.leave(end, value);
    }

    fn unwind(&mut self, depth: usize, end: usize) {
        self.hidden = self.hidden.min(depth.saturating_sub(self.open));
        if depth < self.open {
            self.open = depth;
            self.events.unwind(depth, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use binfmt_runtime::{BinFormat, Encoded, TreeBuilder, Xor};

    use super::*;

    #[derive(BinFormat)]
    struct Outer {
        key: u8,
        #[bin(len = 2, codec = Xor(key))]
        inner: Encoded<Xor, Inner>,
        behind: u8,
    }

    #[derive(BinFormat)]
    struct Inner {
        #[bin(range = 1..=9)]
        low: u8,
        #[bin(prefix = u8)]
        more: Vec<u8>,
    }

    #[test]
    fn decoded_fields_are_not_passed_on_and_those_behind_are() {
        // In the second file damage ends the walk inside.
        for (file, fields) in [([3, 2, 3, 4], 3), ([3, 2, 10, 4], 2)] {
            let mut builder = TreeBuilder::new(TreeBuilder::MOST);
            Outer::inspect_into(&file, (), &mut Undecoded::new(&mut builder));
            let tree = builder.finish();
            assert_eq!(tree.root.children.len(), fields);
            assert!(tree.root.children.iter().all(|field| field.children.is_empty()));
        }
    }
}
