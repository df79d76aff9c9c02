//! A table of a page, gathered cell by cell until it is known what it is.

use crate::collect::TextLimits;
use crate::flow::{Gap, Writer};
use crate::table;
use std::collections::BTreeMap;

/// A table with more cells is read as running text.
const MOST_CELLS: usize = 500_000;
const WIDEST_SPAN: usize = 100;
const TALLEST_SPAN: usize = 1000;
/// A cell that reaches over several rows is repeated in each of them, if it is this short.
const LONGEST_REPEATED: usize = 200;
/// Cells of this length hold prose: the table only arranges a page.
const PROSE: usize = 1000;

#[derive(Debug, Default)]
pub(super) struct Grid {
    rows: Vec<Row>,
    row: Option<Row>,
    cell: Option<Cell>,
    /// By column: how many more rows, and the text.
    reaching: BTreeMap<usize, (usize, String)>,
    cells: usize,
    bytes: usize,
}

#[derive(Debug, Default)]
struct Row {
    cells: Vec<String>,
    filled: usize,
    heads: usize,
    begins_with_head: bool,
}

#[derive(Debug, Default)]
struct Cell {
    text: Writer,
    head: bool,
    columns: usize,
    rows: usize,
}

impl Grid {
    pub(super) fn open_row(&mut self) {
        self.close_row();
        self.row = Some(Row::default());
    }

    pub(super) fn open_cell(&mut self, head: bool, columns: Option<usize>, rows: Option<usize>) {
        self.close_cell();
        let row = self.row.get_or_insert_default();
        while let Some(text) = reached(&mut self.reaching, row.cells.len()) {
            self.cells += 1;
            self.bytes += text.len();
            row.cells.push(text);
        }
        self.cell = Some(Cell {
            text: Writer::default(),
            head,
            columns: columns.unwrap_or(1).clamp(1, WIDEST_SPAN),
            rows: rows.unwrap_or(1).clamp(1, TALLEST_SPAN),
        });
    }

    pub(super) fn close_cell(&mut self) {
        let Some(mut cell) = self.cell.take() else {
            return;
        };
        let row = self.row.get_or_insert_default();
        let text = cell.text.take();
        if cell.rows > 1 && text.len() <= LONGEST_REPEATED {
            self.reaching
                .insert(row.cells.len(), (cell.rows - 1, text.clone()));
        }
        row.filled += usize::from(!table::is_blank(&text));
        row.heads += usize::from(cell.head && !table::is_blank(&text));
        row.begins_with_head |= cell.head && row.cells.is_empty();
        self.cells += cell.columns;
        self.bytes += text.len();
        row.cells.push(text);
        row.cells
            .extend(std::iter::repeat_n(String::new(), cell.columns - 1));
    }

    pub(super) fn close_row(&mut self) {
        self.close_cell();
        let Some(mut row) = self.row.take() else {
            return;
        };
        while let Some(text) = reached(&mut self.reaching, row.cells.len()) {
            self.cells += 1;
            self.bytes += text.len();
            row.cells.push(text);
        }
        if row.cells.iter().any(|cell| !table::is_blank(cell)) {
            self.rows.push(row);
        }
    }

    /// The cell that is open, and where its words go.
    pub(super) fn cell(&mut self) -> Option<&mut Writer> {
        self.cell.as_mut().map(|cell| &mut cell.text)
    }

    pub(super) fn is_in_head_cell(&self) -> bool {
        self.cell.as_ref().is_some_and(|cell| cell.head)
    }

    pub(super) fn is_too_large(&self) -> bool {
        let open = self.cell.as_ref().map_or(0, |cell| cell.text.len());
        self.cells > MOST_CELLS || self.bytes + open > TextLimits::default().bytes
    }

    /// Writes the table that has ended.
    pub(super) fn write(mut self, flow: &mut Writer) {
        self.close_row();
        let widest = self.rows.iter().map(|row| row.cells.len()).max();
        let named = self.rows.len() > 1
            && (self.rows.first()).is_some_and(|row| row.heads > 1 && row.heads == row.filled);
        let prose = self
            .rows
            .iter()
            .flat_map(|row| &row.cells)
            .any(|cell| cell.len() > PROSE);
        if widest.unwrap_or(0) < 2 || (prose && !named) {
            return self.write_as_prose(flow);
        }
        let pairs = (self.rows.iter())
            .all(|row| row.cells.len() == 2 && row.heads == 1 && row.begins_with_head);
        let rows: Vec<Vec<String>> = self.rows.into_iter().map(|row| row.cells).collect();
        let text = if pairs {
            let lines: Vec<String> = rows
                .iter()
                .map(|row| match row.split_at(1) {
                    (name, value) if !table::is_blank(&value[0]) => table::row_line(name, value),
                    _ => table::row_line(&[], row),
                })
                .collect();
            lines.join("\n")
        } else if named {
            table::render_with_header(&rows)
        } else {
            table::render(&rows)
        };
        flow.gap(Gap::Paragraph);
        flow.verbatim(&text);
        flow.gap(Gap::Paragraph);
    }

    /// Writes what is there, cell after cell: the table only arranges other things.
    pub(super) fn write_as_prose(mut self, flow: &mut Writer) {
        self.reaching.clear();
        self.close_row();
        for cell in self.rows.iter().flat_map(|row| &row.cells) {
            flow.gap(Gap::Paragraph);
            flow.verbatim(cell.trim());
        }
        flow.gap(Gap::Paragraph);
    }
}

/// What reaches down into this column from a row above.
fn reached(reaching: &mut BTreeMap<usize, (usize, String)>, column: usize) -> Option<String> {
    let (left, text) = reaching.get_mut(&column)?;
    *left -= 1;
    if *left > 0 {
        return Some(text.clone());
    }
    reaching.remove(&column).map(|(_, text)| text)
}
