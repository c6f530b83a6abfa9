//! The declaration as a page of Markdown.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use crate::layout::{FieldLayout, Layout, RuleLayout, Shape};

impl Layout {
    /// The declaration, and every declaration in it, as a page of Markdown.
    ///
    /// ```
    /// use binfmt_runtime::BinFormat;
    ///
    /// /// A point.
    /// #[derive(BinFormat)]
    /// #[bin(little, magic = b"PT")]
    /// struct Point {
    ///     /// To the right.
    ///     x: i16,
    /// }
    ///
    /// let page = Point::LAYOUT.to_markdown();
    /// assert!(page.contains("Starts with the bytes `50 54` (`PT`)."));
    /// assert!(page.contains("| 2 | 2 | `x` | `i16` | | To the right. |"));
    /// ```
    pub fn to_markdown(&'static self) -> String {
        let mut page = String::new();
        self.all().into_iter().for_each(|layout| layout.section(&mut page));
        page
    }

    fn section(&'static self, page: &mut String) {
        let title = if page.is_empty() { "#" } else { "\n##" };
        // Writing into a `String` cannot fail.
        let _ = writeln!(page, "{title} {}", self.full_name());
        if !self.doc.is_empty() {
            let _ = writeln!(page, "\n{}", self.doc);
        }
        if let Some(spec) = self.spec {
            let _ = writeln!(page, "\nSpecified in: {spec}.");
        }
        let magics: Vec<String> = self.magics().map(magic).collect();
        if !magics.is_empty() {
            let _ = writeln!(page, "\nStarts with the bytes {}.", magics.join(" or "));
        }
        if !self.words.is_empty() {
            let _ = writeln!(page, "\nDeclared with `{}`.", self.words);
        }
        if !self.fields.is_empty() {
            page.push_str(self.shape.headings());
            self.fields.iter().for_each(|field| field.row(self, page));
        }
        let mut rules = self.all_rules().peekable();
        if rules.peek().is_some() {
            page.push_str("\nRules:\n\n");
        }
        rules.for_each(|rule| rule.item(page));
    }
}

/// A constant in hexadecimal, and as a text if it is one.
fn magic(bytes: &[u8]) -> String {
    let hex: Vec<String> = bytes.iter().map(|byte| alloc::format!("{byte:02x}")).collect();
    let hex = alloc::format!("`{}`", hex.join(" "));
    let printable = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b' ';
    match core::str::from_utf8(bytes) {
        Ok(text) if bytes.iter().all(printable) => alloc::format!("{hex} (`{text}`)"),
        _ => hex,
    }
}

impl Shape {
    /// The head of the table of fields or variants.
    fn headings(self) -> &'static str {
        match self {
            Self::Enum => "\n| number | name | meaning |\n|---|---|---|\n",
            Self::Table => {
                "\n| bytes | name | type | declared with | meaning |\n|---:|---|---|---|---|\n"
            }
            Self::Union => "\n| variant | type | declared with | meaning |\n|---|---|---|---|\n",
            Self::Struct | Self::Scalar => {
                "\n| offset | bytes | name | type | declared with | meaning |\n\
                 |---:|---:|---|---|---|---|\n"
            }
        }
    }
}

impl FieldLayout {
    fn row(&self, layout: &Layout, page: &mut String) {
        let code = |text: &str| match text {
            "" => String::new(),
            text => alloc::format!("`{}` ", text.replace('|', "\\|")),
        };
        let number =
            |number: Option<usize>| number.map(|n| alloc::format!("{n} ")).unwrap_or_default();
        let doc = match self.doc.replace('\n', " ").replace('|', "\\|") {
            doc if doc.is_empty() => doc,
            doc => alloc::format!("{doc} "),
        };
        let (name, ty, words) = (code(self.name), code(&layout.type_of(self)), code(self.words));
        // Writing into a `String` cannot fail.
        let _ = match layout.shape {
            Shape::Enum => writeln!(page, "| {words}| {name}| {doc}|"),
            Shape::Union => writeln!(page, "| {name}| {ty}| {words}| {doc}|"),
            Shape::Table => {
                writeln!(page, "| {}| {name}| {ty}| {words}| {doc}|", number(self.size))
            }
            Shape::Struct | Shape::Scalar => {
                let (offset, size) = (number(self.offset), number(self.size));
                writeln!(page, "| {offset}| {size}| {name}| {ty}| {words}| {doc}|")
            }
        };
    }
}

impl RuleLayout {
    fn item(&self, page: &mut String) {
        let stops = if self.stops { ", stops readers" } else { "" };
        let _ =
            writeln!(page, "- `{}` ({}{stops}): {}", self.code, self.severity.name(), self.text);
    }
}
