//! The declaration as a page of Markdown.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use crate::layout::{FieldLayout, Layout, Shape};

impl Layout {
    /// The declaration, and every declaration in it, as a page of Markdown.
    ///
    /// ```
    /// use binfmt_runtime::BinFormat;
    ///
    /// /// A point.
    /// #[derive(BinFormat)]
    /// #[bin(little)]
    /// struct Point {
    ///     /// To the right.
    ///     x: i16,
    /// }
    ///
    /// let page = Point::LAYOUT.to_markdown();
    /// assert!(page.contains("| `x` | `i16` | 2 | | To the right. |"));
    /// ```
    pub fn to_markdown(&'static self) -> String {
        let mut page = String::new();
        let mut done: Vec<&str> = Vec::new();
        let mut waiting = alloc::vec![self];
        while let Some(layout) = waiting.pop() {
            if layout.shape == Shape::Scalar || done.contains(&layout.name) {
                continue;
            }
            done.push(layout.name);
            layout.section(&mut page);
            let nested = layout.fields.iter().filter_map(|field| field.nested);
            let mut nested: Vec<&'static Self> = nested.map(|nested| nested()).collect();
            nested.reverse();
            waiting.append(&mut nested);
        }
        page
    }

    fn section(&'static self, page: &mut String) {
        let title = if page.is_empty() { "#" } else { "\n##" };
        // Writing into a `String` cannot fail.
        let _ = writeln!(page, "{title} {}\n\n{}", self.name, self.doc);
        if let Some(spec) = self.spec {
            let _ = writeln!(page, "\nSpecified in: {spec}.");
        }
        if !self.magic.is_empty() {
            let bytes: Vec<String> =
                self.magic.iter().map(|byte| alloc::format!("{byte:02x}")).collect();
            let _ = writeln!(page, "\nStarts with the bytes `{}`.", bytes.join(" "));
        }
        if !self.fields.is_empty() {
            page.push_str(
                "\n| name | type | bytes | declared | meaning |\n|---|---|---|---|---|\n",
            );
            self.fields.iter().for_each(|field| field.row(page));
        }
        for rule in self.all_rules() {
            let stops = if rule.stops { ", stops readers" } else { "" };
            let _ = writeln!(
                page,
                "\n- `{}` ({}{stops}): {}",
                rule.code,
                rule.severity.name(),
                rule.text
            );
        }
    }
}

impl FieldLayout {
    fn row(&self, page: &mut String) {
        let cell = |text: &str| match text {
            "" => String::new(),
            text => alloc::format!("`{}` ", text.replace('|', "\\|")),
        };
        let size = self.size.map(|size| alloc::format!("{size} ")).unwrap_or_default();
        let doc = self.doc.replace('\n', " ");
        let (ty, words) = (cell(self.ty), cell(self.words));
        let _ = writeln!(page, "| `{}` | {ty}| {size}| {words}| {doc} |", self.name);
    }
}
