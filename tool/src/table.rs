//! Aligned columns.

use std::borrow::Cow;
use std::io::{self, Write};

/// On which side a column is flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// Rows of text under headings; empty columns are left out.
#[derive(Debug)]
pub struct Table {
    sides: Vec<Side>,
    /// The headings first, until they are written.
    rows: Vec<Vec<String>>,
    /// The widths so far; those of rows that were written before count too.
    widths: Vec<usize>,
    has_headings: bool,
    /// How long lines may be.
    most: Option<usize>,
}

impl Table {
    /// A table with a heading for each column.
    pub fn new(columns: &[(&str, Side)]) -> Self {
        let headings = columns.iter().map(|(heading, _)| (*heading).to_owned()).collect();
        let sides: Vec<_> = columns.iter().map(|(_, side)| *side).collect();
        let widths = vec![0; sides.len()];
        Self { sides, rows: vec![headings], widths, has_headings: true, most: None }
    }

    /// Cuts lines that are longer than this, if it is something.
    pub fn fit(&mut self, width: Option<usize>) {
        self.most = width;
    }

    /// Adds a row with one cell per column.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// How many rows are not written yet.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Writes the rows so far, and forgets them but for their widths.
    pub(crate) fn write_batch(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.write(out)?;
        self.widths = self.widths();
        self.rows.clear();
        self.has_headings = false;
        Ok(())
    }

    /// Writes all rows.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let widths = self.widths();
        for row in &self.rows {
            let cells = row.iter().zip(&self.sides).zip(&widths).filter(|(_, width)| **width > 0);
            let line = cells.fold(String::new(), |mut line, ((cell, side), width)| {
                if !line.is_empty() {
                    line.push_str("  ");
                }
                // Padding is added by hand: formatting with a width is limited to 65,535.
                let fill = " ".repeat(width.saturating_sub(shown_width(cell)));
                let (left, right) = if *side == Side::Left { (cell, &fill) } else { (&fill, cell) };
                line.push_str(left);
                line.push_str(right);
                line
            });
            writeln!(out, "{}", cut(line.trim_end(), self.most))?;
        }
        Ok(())
    }

    /// The width of each column, 0 where it has nothing to show.
    fn widths(&self) -> Vec<usize> {
        let width = |(column, known): (usize, &usize)| {
            let cells = || self.rows.iter().filter_map(|row| row.get(column));
            let empty = cells().skip(usize::from(self.has_headings)).all(String::is_empty);
            let widest = cells().map(|cell| shown_width(cell)).max().unwrap_or(0);
            if empty { *known } else { widest.max(*known) }
        };
        self.widths.iter().enumerate().map(width).collect()
    }
}

/// How many characters a terminal shows of a text: colours are none.
fn shown_width(text: &str) -> usize {
    let mut width = 0;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            chars.by_ref().find(|c| *c == 'm');
        } else {
            width += 1;
        }
    }
    width
}

/// The start of a line, as long as it may be; colours that are left out would not be switched off.
fn cut(line: &str, most: Option<usize>) -> Cow<'_, str> {
    let Some(most) = most.filter(|most| shown_width(line) > *most) else {
        return Cow::Borrowed(line);
    };
    let (mut text, mut width) = (String::new(), 0);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            text.push(c);
            for c in chars.by_ref() {
                text.push(c);
                if c == 'm' {
                    break;
                }
            }
        } else if width + 1 < most {
            text.push(c);
            width += 1;
        } else if width + 1 == most {
            text.push('…');
            width += 1;
        }
    }
    Cow::Owned(text)
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
