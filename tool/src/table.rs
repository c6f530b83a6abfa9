//! Aligned columns.

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
    /// The headings first.
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with a heading for each column.
    pub fn new(columns: &[(&str, Side)]) -> Self {
        let headings = columns.iter().map(|(heading, _)| (*heading).to_owned()).collect();
        let sides = columns.iter().map(|(_, side)| *side).collect();
        Self { sides, rows: vec![headings] }
    }

    /// Adds a row with one cell per column.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
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
                let fill = " ".repeat(width.saturating_sub(cell.chars().count()));
                let (left, right) = if *side == Side::Left { (cell, &fill) } else { (&fill, cell) };
                line.push_str(left);
                line.push_str(right);
                line
            });
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// The width of each column, 0 where it has nothing to show.
    fn widths(&self) -> Vec<usize> {
        let width = |column: usize| {
            let cells = || self.rows.iter().filter_map(|row| row.get(column));
            let empty = cells().skip(1).all(String::is_empty);
            if empty { 0 } else { cells().map(|cell| cell.chars().count()).max().unwrap_or(0) }
        };
        (0..self.sides.len()).map(width).collect()
    }
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
}
