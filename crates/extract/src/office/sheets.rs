//! Workbooks: one segment per sheet, every row a line that names its columns.

use super::describe;
use crate::collect::{Collector, TextLimits};
use crate::table;
use office_oxide::Document;
use office_oxide::xls::{Sheet, XlsDocument};
use office_oxide::xlsx::{SheetState, Worksheet, XlsxDocument};
use quipu_core::extraction::{Failure, Segment, SegmentKind};
use std::collections::BTreeSet;

/// Cells of one sheet laid out in rows and columns, empty ones included. A sheet with few cells
/// far apart has more, and is read row by row without the names of its columns.
const MOST_GRID_CELLS: usize = 4_000_000;

const LONGEST_NAME: usize = 120;

/// Whether the workbook is whole.
pub(super) fn extract(document: &Document, out: &mut Collector) -> Result<bool, Failure> {
    if let Some(workbook) = document.as_xlsx() {
        let core = workbook.core_properties.as_ref();
        describe(
            &mut out.info,
            core.and_then(|p| p.title.as_deref()),
            core.and_then(|p| p.creator.as_deref()),
            [
                core.and_then(|p| p.created.as_deref()),
                core.and_then(|p| p.modified.as_deref()),
            ],
        );
        let sheets = workbook.worksheets.iter();
        let sheets = sheets.map(|sheet| Shown {
            name: &sheet.name,
            hidden: sheet.state != SheetState::Visible,
            read: Box::new(|| xlsx_sheet(workbook, sheet)),
        });
        push_sheets(sheets.collect(), out)?;
        push_beside(&workbook.chart_text, out)?;
        Ok(workbook.unreadable_parts.is_empty())
    } else if let Some(workbook) = document.as_xls() {
        let summary = workbook.summary_properties();
        describe(
            &mut out.info,
            summary.and_then(|p| p.title.as_deref()),
            summary.and_then(|p| p.author.as_deref()),
            [
                summary.and_then(|p| p.created.as_deref()),
                summary.and_then(|p| p.modified.as_deref()),
            ],
        );
        let sheets = workbook.sheets.iter();
        let sheets = sheets.map(|sheet| Shown {
            name: &sheet.name,
            hidden: sheet.hidden,
            read: Box::new(|| xls_sheet(sheet)),
        });
        push_sheets(sheets.collect(), out)?;
        push_beside(XlsDocument::chart_text(workbook), out)?;
        Ok(!workbook.truncated() && workbook.warnings().is_empty())
    } else {
        Err(Failure::Damaged)
    }
}

/// A sheet that is read when its turn comes.
struct Shown<'a> {
    name: &'a str,
    hidden: bool,
    read: Box<dyn Fn() -> Result<Content, Failure> + 'a>,
}

/// Cells with their column, row by row, and the texts that stand beside them.
#[derive(Default)]
struct Content {
    rows: Vec<Vec<(u32, String)>>,
    bytes: usize,
    beside: Vec<String>,
}

impl Content {
    /// Shared strings make a small file long, so that the length is counted while it grows.
    fn push_row(&mut self, row: Vec<(u32, String)>) -> Result<(), Failure> {
        self.bytes += row.iter().map(|(_, cell)| cell.len() + 1).sum::<usize>();
        if self.bytes > TextLimits::default().bytes {
            return Err(Failure::TooLong);
        }
        if !row.is_empty() {
            self.rows.push(row);
        }
        Ok(())
    }
}

fn push_sheets(sheets: Vec<Shown>, out: &mut Collector) -> Result<(), Failure> {
    out.info.pages = u32::try_from(sheets.len()).ok();
    // What a sheet hides is not shown to anybody, unless there is nothing else.
    let all_hidden = sheets.iter().all(|sheet| sheet.hidden);
    for (number, sheet) in (1..).zip(sheets) {
        if sheet.hidden && !all_hidden {
            continue;
        }
        let content = (sheet.read)()?;
        let mut text = render(content.rows);
        for beside in content.beside {
            text.push('\n');
            text.push_str(beside.trim());
        }
        out.push(Segment {
            text,
            kind: SegmentKind::Unit,
            page: Some(number),
            headings: crate::text::one_line(sheet.name, LONGEST_NAME)
                .into_iter()
                .collect(),
        })?;
    }
    Ok(())
}

/// What the charts of the workbook say, once: the titles of figures and of their series.
fn push_beside(texts: &[String], out: &mut Collector) -> Result<(), Failure> {
    out.push(Segment {
        text: texts.join("\n"),
        kind: SegmentKind::Unit,
        ..Segment::default()
    })
}

fn xlsx_sheet(workbook: &XlsxDocument, sheet: &Worksheet) -> Result<Content, Failure> {
    let mut content = Content::default();
    for row in &sheet.rows {
        let cells = row.cells.iter().filter_map(|cell| {
            let text = workbook.format_cell_value(cell);
            (!table::is_blank(&text)).then_some((cell.reference.col, text))
        });
        content.push_row(cells.collect())?;
    }
    let shapes = sheet.text_shapes.iter().map(|shape| shape.text.clone());
    let comments = sheet.comments.iter().map(|comment| comment.text.clone());
    let charts = sheet.chart_text.iter().map(ToString::to_string);
    content.beside = shapes.chain(comments).chain(charts).collect();
    Ok(content)
}

fn xls_sheet(sheet: &Sheet) -> Result<Content, Failure> {
    let mut content = Content::default();
    for (at, row) in sheet.rows.iter().enumerate() {
        let cells = (0..row.len()).filter_map(|column| {
            let text = sheet.display_text(at, column)?;
            (!table::is_blank(&text))
                .then(|| (u32::try_from(column).unwrap_or(u32::MAX), text.into_owned()))
        });
        content.push_row(cells.collect())?;
    }
    let comments = sheet.comments.iter().map(|comment| comment.text.clone());
    content.beside = comments.chain(sheet.chart_text.iter().cloned()).collect();
    Ok(content)
}

fn render(rows: Vec<Vec<(u32, String)>>) -> String {
    let used: BTreeSet<u32> = rows.iter().flatten().map(|(column, _)| *column).collect();
    let columns: Vec<u32> = used.into_iter().collect();
    if columns.len().saturating_mul(rows.len()) > MOST_GRID_CELLS {
        let lines = rows.into_iter().map(|row| {
            let cells: Vec<String> = row.into_iter().map(|(_, cell)| cell).collect();
            table::row_line(&[], &cells)
        });
        return lines.collect::<Vec<_>>().join("\n");
    }
    let grid: Vec<Vec<String>> = rows
        .into_iter()
        .map(|row| {
            let mut cells = vec![String::new(); columns.len()];
            for (column, cell) in row {
                if let Ok(at) = columns.binary_search(&column) {
                    cells[at] = cell;
                }
            }
            cells
        })
        .collect();
    table::render(&grid)
}
