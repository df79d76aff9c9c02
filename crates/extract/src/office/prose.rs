//! Running text of an Office file: paragraphs, lists, tables, boxes and notes under their headings.

use super::notice::is_notice;
use super::{describe, dots, each_picture, is_whole};
use crate::collect::Collector;
use crate::flow::{Gap, Sections};
use crate::table;
use office_oxide::ir::{
    DocumentIR, Element, HeaderFooter, List, Metadata, Section, Table, inline_to_text,
};
use quipu_core::extraction::Failure;
use std::collections::HashSet;

/// A merged cell is repeated so that each of its rows or columns has its value. More repetitions
/// than this are an attack.
const MOST_REPEATS: usize = 1000;
/// Cells of one table, empty ones included.
const MOST_CELLS: usize = 2_000_000;

pub(super) fn extract(document: &DocumentIR, out: &mut Collector) -> Result<bool, Failure> {
    let Metadata {
        title,
        author,
        created,
        modified,
        ..
    } = &document.metadata;
    describe(
        &mut out.info,
        title.as_deref(),
        author.as_deref(),
        [created.as_deref(), modified.as_deref()],
    );
    let mut seen = HashSet::new();
    let mut prose = Prose::default();
    let mut notes = Prose::default();
    for section in &document.sections {
        for header in headers(section) {
            prose.once(&header.content, &mut seen, out)?;
        }
        for element in &section.elements {
            match element {
                // The notes stand after the text, where they are under no heading of it.
                Element::Footnote(note) | Element::Endnote(note) => {
                    notes.elements(&note.content, out)?;
                }
                element => prose.element(element, out)?,
            }
        }
    }
    prose.sections.finish(out)?;
    for footer in document.sections.iter().flat_map(footers) {
        notes.once(&footer.content, &mut seen, out)?;
    }
    notes.sections.finish(out)?;
    Ok(is_whole(&document.metadata))
}

fn headers(section: &Section) -> impl Iterator<Item = &HeaderFooter> {
    let kinds = [
        &section.first_page_header,
        &section.header,
        &section.even_page_header,
    ];
    kinds.into_iter().flatten()
}

fn footers(section: &Section) -> impl Iterator<Item = &HeaderFooter> {
    let kinds = [
        &section.first_page_footer,
        &section.footer,
        &section.even_page_footer,
    ];
    kinds.into_iter().flatten()
}

#[derive(Default)]
pub(super) struct Prose {
    pub(super) sections: Sections,
}

impl Prose {
    /// Adds what stands on every page, the first time, unless it is only the page's number.
    fn once(
        &mut self,
        elements: &[Element],
        seen: &mut HashSet<String>,
        out: &mut Collector,
    ) -> Result<(), Failure> {
        let text = plain(elements);
        if text.chars().any(char::is_alphabetic) && seen.insert(text) {
            self.elements(elements, out)?;
        }
        Ok(())
    }

    pub(super) fn elements(
        &mut self,
        elements: &[Element],
        out: &mut Collector,
    ) -> Result<(), Failure> {
        elements
            .iter()
            .try_for_each(|element| self.element(element, out))
    }

    fn element(&mut self, element: &Element, out: &mut Collector) -> Result<(), Failure> {
        let flow = &mut self.sections.flow;
        // A file in which everything is one section is refused as soon as it is too long.
        out.still_fits(flow.len())?;
        match element {
            Element::Heading(heading) => {
                let text = inline_to_text(&heading.content);
                return self.sections.heading(heading.level, &text, out);
            }
            Element::Paragraph(paragraph) => {
                flow.gap(Gap::Paragraph);
                let text = inline_to_text(&paragraph.content);
                for line in text.lines().filter(|line| !is_notice(line)) {
                    flow.words(line);
                    flow.gap(Gap::Line);
                }
                flow.gap(Gap::Paragraph);
            }
            Element::Table(table) => {
                flow.gap(Gap::Paragraph);
                flow.verbatim(&table_text(table)?);
                flow.gap(Gap::Paragraph);
                return self.pictures_in(element, out);
            }
            Element::List(list) => {
                flow.gap(Gap::Paragraph);
                self.list(list, 0, out)?;
                self.sections.flow.gap(Gap::Paragraph);
                return self.pictures_in(element, out);
            }
            Element::Image(_) => return self.pictures_in(element, out),
            Element::TextBox(text_box) => self.elements(&text_box.content, out)?,
            Element::Footnote(note) | Element::Endnote(note) => {
                self.elements(&note.content, out)?;
            }
            Element::CodeBlock(code) => {
                flow.gap(Gap::Paragraph);
                flow.verbatim(code.content.trim_end());
                flow.gap(Gap::Paragraph);
            }
            _ => {}
        }
        Ok(())
    }

    /// Remembers the pictures of an element, each with its place in the text.
    fn pictures_in(&mut self, element: &Element, out: &mut Collector) -> Result<(), Failure> {
        let mut placed = Ok(());
        each_picture(std::slice::from_ref(element), &mut |image| {
            let number = dots(image).and_then(|dots| out.pictures.admit(dots));
            if let Some(number) = number.filter(|_| placed.is_ok()) {
                placed = self.sections.place_picture(number, out);
            }
        });
        placed
    }

    fn list(&mut self, list: &List, depth: usize, out: &mut Collector) -> Result<(), Failure> {
        let mut number = list.start_number.unwrap_or(1);
        for item in &list.items {
            let indent = "  ".repeat(depth.min(8));
            let marker = if list.ordered {
                format!("{indent}{number}. ")
            } else {
                format!("{indent}- ")
            };
            number = number.saturating_add(1);
            let flow = &mut self.sections.flow;
            out.still_fits(flow.len())?;
            flow.marker(marker);
            flow.words(&plain(&item.content));
            flow.gap(Gap::Line);
            if let Some(nested) = &item.nested {
                self.list(nested, depth + 1, out)?;
            }
        }
        Ok(())
    }
}

/// All the words in order, for a place that has room for one line.
fn plain(elements: &[Element]) -> String {
    let mut text = String::new();
    add_plain(elements, &mut text);
    text
}

fn add_plain(elements: &[Element], text: &mut String) {
    for element in elements {
        if !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
        match element {
            Element::Heading(heading) => text.push_str(&inline_to_text(&heading.content)),
            Element::Paragraph(paragraph) => {
                let words = inline_to_text(&paragraph.content);
                if !is_notice(&words) {
                    text.push_str(&words);
                }
            }
            Element::Table(table) => {
                for cell in table.rows.iter().flat_map(|row| &row.cells) {
                    add_plain(&cell.content, text);
                }
            }
            Element::List(list) => add_plain_list(list, text),
            Element::TextBox(text_box) => add_plain(&text_box.content, text),
            Element::Footnote(note) | Element::Endnote(note) => add_plain(&note.content, text),
            Element::CodeBlock(code) => text.push_str(&code.content),
            _ => {}
        }
    }
}

fn add_plain_list(list: &List, text: &mut String) {
    for item in &list.items {
        add_plain(&item.content, text);
        if let Some(nested) = &item.nested {
            text.push(' ');
            add_plain_list(nested, text);
        }
    }
}

fn table_text(table: &Table) -> Result<String, Failure> {
    // A table of one cell is a frame around text.
    if let [row] = table.rows.as_slice()
        && let [cell] = row.cells.as_slice()
    {
        return Ok(plain(&cell.content));
    }
    let rows = grid(table)?;
    let says_header = table.rows.first().is_some_and(|row| row.is_header);
    Ok(if says_header {
        table::render_with_header(&rows)
    } else {
        table::render(&rows)
    })
}

/// The table as rows of columns. A cell over several rows stands in each of them; a cell over
/// several columns stands in the first, or in each of them where it may be their name.
fn grid(table: &Table) -> Result<Vec<Vec<String>>, Failure> {
    let mut rows: Vec<Vec<String>> = Vec::with_capacity(table.rows.len());
    // For each column: how many more rows the cell above reaches down, and its text.
    let mut above: Vec<(u32, String)> = Vec::new();
    let mut cells = 0;
    for (number, source) in table.rows.iter().enumerate() {
        let mut row = Vec::with_capacity(source.cells.len());
        for cell in &source.cells {
            hang_down(&mut row, &mut above);
            let text = plain(&cell.content);
            let width = (cell.col_span.max(1) as usize).min(MOST_REPEATS);
            let height = cell
                .row_span
                .clamp(1, u32::try_from(MOST_REPEATS).unwrap_or(1));
            for column in 0..width {
                let text = if column == 0 || number == 0 {
                    text.clone()
                } else {
                    String::new()
                };
                if above.len() <= row.len() {
                    above.resize_with(row.len() + 1, Default::default);
                }
                above[row.len()] = (
                    height - 1,
                    if height > 1 {
                        text.clone()
                    } else {
                        String::new()
                    },
                );
                row.push(text);
            }
        }
        hang_down(&mut row, &mut above);
        cells += row.len();
        if cells > MOST_CELLS {
            return Err(Failure::TooLong);
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Fills the next columns of a row with the cells that reach down into it.
fn hang_down(row: &mut Vec<String>, above: &mut [(u32, String)]) {
    while let Some((more, text)) = above.get_mut(row.len())
        && *more > 0
    {
        *more -= 1;
        row.push(text.clone());
    }
}
