//! Aligned columns that fit where they are shown.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::io::{self, Write};

use unicode_width::UnicodeWidthChar as _;

/// On which side a column is flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// Rows of text under headings; empty columns are left out.
///
/// Where lines have a limit, cells are shortened in the middle, then columns are left out, as far as
/// the table may do that; what is still too long is cut at its end.
#[derive(Debug)]
pub struct Table {
    columns: Vec<Column>,
    /// The cells row by row, the headings first until they are written; their texts lie one behind the
    /// other, for tables may have millions of rows.
    cells: Vec<Cell>,
    text: String,
    has_headings: bool,
    /// How long lines may be.
    most: Option<usize>,
    /// Columns that may be left out, the first one first.
    spare: Vec<String>,
}

#[derive(Debug)]
struct Column {
    heading: String,
    side: Side,
    /// The width so far; that of rows that were written before counts too.
    width: usize,
    /// How narrow its cells may become.
    least: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    /// Where its text begins and ends.
    start: usize,
    end: usize,
    /// How wide it is shown.
    width: usize,
}

/// What stands between two columns.
const BETWEEN: &str = "  ";

impl Table {
    /// A table with a heading for each column.
    pub fn new(columns: &[(&str, Side)]) -> Self {
        let headings = columns.iter().map(|(heading, _)| (*heading).to_owned()).collect();
        let column = |(heading, side): &(&str, Side)| Column {
            heading: (*heading).to_owned(),
            side: *side,
            width: 0,
            least: None,
        };
        let columns = columns.iter().map(column).collect();
        let (cells, text) = (Vec::new(), String::new());
        let mut table =
            Self { columns, cells, text, has_headings: true, most: None, spare: Vec::new() };
        table.row(headings);
        table
    }

    /// Keeps lines as short as this, if it is something.
    pub fn fit(&mut self, width: Option<usize>) {
        self.most = width;
    }

    /// Lets the cells of a column become as narrow as `least`: what is longer loses its middle.
    pub fn shorten(&mut self, heading: &str, least: usize) {
        for column in self.columns.iter_mut().filter(|column| column.heading == heading) {
            column.least = Some(least);
        }
    }

    /// Lets these columns be left out where there is no room for them, the first one first.
    pub fn spare(&mut self, headings: &[&str]) {
        self.spare = headings.iter().map(|heading| (*heading).to_owned()).collect();
    }

    /// Adds a row with one cell per column.
    pub fn row(&mut self, cells: Vec<String>) {
        for cell in
            cells.into_iter().chain(std::iter::repeat(String::new())).take(self.columns.len())
        {
            self.cell(cell);
        }
    }

    /// Adds the next cell of a row.
    pub(crate) fn cell(&mut self, text: impl Display) {
        let start = self.text.len();
        // Writing to a string does not fail.
        let _ = write!(self.text, "{text}");
        let width = self.text.get(start..).map_or(0, shown_width);
        self.cells.push(Cell { start, end: self.text.len(), width });
    }

    /// How many rows are not written yet.
    pub(crate) fn len(&self) -> usize {
        self.cells.len() / self.columns.len().max(1)
    }

    /// Writes the rows so far, and forgets them but for their widths.
    pub(crate) fn write_batch(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let widths = self.widths();
        self.write_as(&self.fitted(widths.clone()), out)?;
        for (column, width) in self.columns.iter_mut().zip(widths) {
            column.width = width;
        }
        self.cells.clear();
        self.text.clear();
        self.has_headings = false;
        Ok(())
    }

    /// Writes all rows.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write_as(&self.fitted(self.widths()), out)
    }

    /// The headings of the columns that have something to show and no room.
    pub fn left_out(&self) -> Vec<&str> {
        let wanted = self.widths();
        let fitted = self.fitted(wanted.clone());
        let missing =
            wanted.iter().zip(&fitted).map(|(wanted, fitted)| *wanted > 0 && *fitted == 0);
        let columns = self.columns.iter().zip(missing).filter(|(_, missing)| *missing);
        columns.map(|(column, _)| column.heading.as_str()).collect()
    }

    fn write_as(&self, widths: &[usize], out: &mut dyn Write) -> io::Result<()> {
        let mut line = String::new();
        for row in self.cells.chunks(self.columns.len().max(1)) {
            line.clear();
            let cells = row.iter().zip(&self.columns).zip(widths);
            for ((cell, column), width) in cells.filter(|(_, width)| **width > 0) {
                if !line.is_empty() {
                    line.push_str(BETWEEN);
                }
                let text = self.text.get(cell.start..cell.end).unwrap_or_default();
                let (cell, shown) = match column.least {
                    Some(_) if cell.width > *width => {
                        let text = middle(text, *width);
                        let shown = shown_width(&text);
                        (text, shown)
                    }
                    _ => (Cow::Borrowed(text), cell.width),
                };
                // Padding is added by hand: formatting with a width is limited to 65,535.
                let fill = std::iter::repeat_n(' ', width.saturating_sub(shown));
                match column.side {
                    Side::Left => {
                        line.push_str(&cell);
                        line.extend(fill);
                    }
                    Side::Right => {
                        line.extend(fill);
                        line.push_str(&cell);
                    }
                }
            }
            out.write_all(cut(line.trim_end(), self.most).as_bytes())?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// The width that each column would like to have, 0 where it has nothing to show.
    fn widths(&self) -> Vec<usize> {
        let width = |(index, column): (usize, &Column)| {
            let cells = || self.cells.iter().skip(index).step_by(self.columns.len().max(1));
            let is_empty = |cell: &Cell| cell.start == cell.end;
            let empty = cells().skip(usize::from(self.has_headings)).all(is_empty);
            let widest = cells().map(|cell| cell.width).max().unwrap_or(0);
            if empty { column.width } else { widest.max(column.width) }
        };
        self.columns.iter().enumerate().map(width).collect()
    }

    /// The widths that columns get.
    fn fitted(&self, wanted: Vec<usize>) -> Vec<usize> {
        let Some(most) = self.most else { return wanted };
        let mut wanted = wanted;
        for spare in self.spare.iter().map(Some).chain([None]) {
            let mut widths = wanted.clone();
            if self.shrink(&mut widths, most) {
                return widths;
            }
            let Some(spare) = spare else { return widths };
            for (column, width) in self.columns.iter().zip(&mut wanted) {
                if column.heading == *spare {
                    *width = 0;
                }
            }
        }
        wanted
    }

    /// Takes from the widest columns until all fit, and says whether they do.
    fn shrink(&self, widths: &mut [usize], most: usize) -> bool {
        for (column, width) in self.columns.iter().zip(&mut *widths) {
            if let Some(least) = column.least {
                *width = (*width).min(most.max(least));
            }
        }
        loop {
            let shown = widths.iter().filter(|width| **width > 0);
            let gaps = BETWEEN.len().saturating_mul(shown.clone().count().saturating_sub(1));
            if shown.fold(gaps, |sum, width| sum.saturating_add(*width)) <= most {
                return true;
            }
            let pairs = self.columns.iter().zip(&mut *widths);
            let wide =
                pairs.filter(|(column, width)| column.least.is_some_and(|least| **width > least));
            match wide.max_by_key(|(_, width)| **width) {
                Some((_, width)) => *width -= 1,
                None => return false,
            }
        }
    }
}

/// How many cells of a terminal a text takes: colours take none, characters of East Asia two.
fn shown_width(text: &str) -> usize {
    // Nearly all texts, and looking each character up takes most of the time that a table does.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.len();
    }
    let mut width = 0;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            chars.by_ref().find(|c| *c == 'm');
        } else {
            width += c.width().unwrap_or(0);
        }
    }
    width
}

/// A text without colours, its middle left out if it is too long: names differ at both ends.
pub(crate) fn middle(text: &str, most: usize) -> Cow<'_, str> {
    if shown_width(text) <= most {
        return Cow::Borrowed(text);
    }
    let room = most.saturating_sub(1);
    let mut left = 0;
    let fits = |width: usize| {
        move |c: &char| {
            left += c.width().unwrap_or(0);
            left <= width
        }
    };
    let start: String = text.chars().take_while(fits(room / 2)).collect();
    let end: Vec<char> = text.chars().rev().take_while(fits(room - shown_width(&start))).collect();
    Cow::Owned(format!("{start}…{}", end.into_iter().rev().collect::<String>()))
}

/// The start of a line, as long as it may be; colours that are left out would not be switched off.
pub(crate) fn cut(line: &str, most: Option<usize>) -> Cow<'_, str> {
    let Some(most) = most.filter(|most| shown_width(line) > *most) else {
        return Cow::Borrowed(line);
    };
    let (mut text, mut width, mut full) = (String::new(), 0, false);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        let wide = c.width().unwrap_or(0);
        if c == '\u{1b}' {
            text.push(c);
            for c in chars.by_ref() {
                text.push(c);
                if c == 'm' {
                    break;
                }
            }
        } else if !full && width + wide < most {
            text.push(c);
            width += wide;
        } else if !full {
            text.push('…');
            full = true;
        }
    }
    Cow::Owned(text)
}

/// Writes a line in as many as it needs, broken between words; all but the first are indented.
pub fn wrap(line: &str, width: usize, out: &mut dyn Write) -> io::Result<()> {
    const INDENT: &str = "    ";
    let mut at = 0;
    for (index, word) in line.split(' ').enumerate() {
        let wide = shown_width(word);
        if index > 0 && at + 1 + wide > width {
            write!(out, "\n{INDENT}")?;
            at = INDENT.len();
        } else if index > 0 {
            write!(out, " ")?;
            at += 1;
        }
        write!(out, "{word}")?;
        at += wide;
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    fn written(table: &Table) -> String {
        let mut out = Vec::new();
        table.write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn columns_are_aligned_and_empty_ones_left_out() {
        let mut table = Table::new(&[
            ("kind", Side::Left),
            ("name", Side::Left),
            ("size", Side::Right),
            ("x", Side::Left),
        ]);
        table.row(cells(&["elf", "", "12", ""]));
        table.row(cells(&["reloc-ptx", "", "3456", "é"]));
        assert_eq!(written(&table), "kind       size  x\nelf          12\nreloc-ptx  3456  é\n");
    }

    #[test]
    fn lines_are_cut_where_the_terminal_ends() {
        let mut table = Table::new(&[("a", Side::Left), ("b", Side::Left)]);
        table.row(cells(&["\u{1b}[31mred\u{1b}[0m", "a long text"]));
        table.fit(Some(9));
        assert_eq!(written(&table), "a    b\n\u{1b}[31mred\u{1b}[0m  a l…\n");
    }

    #[test]
    fn long_cells_lose_their_middle_and_then_columns_go() {
        let mut table = Table::new(&[
            ("path", Side::Left),
            ("method", Side::Left),
            ("name", Side::Left),
            ("size", Side::Right),
        ]);
        table.row(cells(&["a.long.path[0].of.it", "forward", "weights.of.layer.0", "7"]));
        table.row(cells(&["a", "", "日本語の長い名前です", "1234"]));
        table.shorten("path", 9);
        table.shorten("name", 8);
        table.spare(&["method", "name"]);
        for most in [200, 50, 40, 32, 25, 16, 5] {
            table.fit(Some(most));
            let text = written(&table);
            assert!(text.lines().all(|line| shown_width(line) <= most), "{most}: {text}");
        }
        table.fit(Some(40));
        let expected = "\
path          method   name         size
a.lon….of.it  forward  weigh…yer.0     7
a                      日本…前です  1234
";
        assert_eq!(written(&table), expected);
        table.fit(Some(32));
        assert_eq!(table.left_out(), ["method"]);
        table.fit(Some(16));
        assert_eq!(table.left_out(), ["method", "name"]);
        assert_eq!(written(&table), "path        size\na.lo…of.it     7\na           1234\n");
    }

    #[test]
    fn words_go_to_the_next_line_where_one_is_full() {
        let wrapped = |line: &str, width| {
            let mut out = Vec::new();
            wrap(line, width, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(wrapped("inputs: a, b, c", 80), "inputs: a, b, c\n");
        assert_eq!(wrapped("inputs: a, b, c", 10), "inputs: a,\n    b, c\n");
        assert_eq!(wrapped("averylongword and", 10), "averylongword\n    and\n");
    }

    #[test]
    fn batches_keep_their_columns() {
        let mut table = Table::new(&[("a", Side::Left), ("b", Side::Left)]);
        let mut out = Vec::new();
        table.row(cells(&["long", "x"]));
        table.write_batch(&mut out).unwrap();
        table.row(cells(&["s", "y"]));
        table.write(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a     b\nlong  x\ns     y\n");
    }
}
