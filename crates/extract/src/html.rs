//! Web pages: what somebody would read on them.
//!
//! The page is read as a stream of tags. There is no tree, so a page that nests without end costs
//! no more than its bytes.

mod contact;
mod elements;
mod grid;
mod links;
mod meta;

use crate::collect::Collector;
use crate::flow::{Gap, Sections, Writer};
use crate::text;
use contact::Contact;
use elements::{Attributes, attribute};
use encoding_rs::Encoding;
use grid::Grid;
use html5gum::{DefaultEmitter, State, Token, Tokenizer};
use quipu_core::extraction::Failure;
use std::collections::HashSet;

pub(crate) use links::{PageLinks, links};

/// Where the name of the encoding is looked for.
const HEAD: usize = 4096;
/// Elements beyond this depth are counted and not remembered.
const DEEPEST: usize = 5000;
/// How far up an end tag looks for its beginning.
const FARTHEST: usize = 256;
/// How far up a beginning looks for a paragraph that it ends.
const NEAR: usize = 8;
/// A heading that goes on is a page whose author forgot to end it.
const LONGEST_HEADING: usize = 500;

pub(crate) fn extract(bytes: &[u8], out: &mut Collector) -> Result<(), Failure> {
    let text = text::decode_declared(bytes, declared_encoding(bytes));
    let mut page = Page::default();
    page.read(&text, out)?;
    page.end_heading(out)?;
    page.end_table();
    page.sections.finish(out)
}

/// The text of a piece of HTML inside another document. Its headings are paragraphs.
pub(crate) fn fragment(html: &str) -> String {
    let mut page = Page {
        is_fragment: true,
        ..Page::default()
    };
    // A fragment hands nothing to the collector, so there is nothing it could refuse.
    let read = page.read(html, &mut Collector::default());
    debug_assert!(read.is_ok());
    page.end_table();
    page.sections.flow.take()
}

/// What the page says its encoding is, in a `meta` element or in the first line of XHTML.
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(HEAD)];
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let named = |key: &str| {
        head.match_indices(key).find_map(|(at, _)| {
            let value = head[at + key.len()..].trim_start().strip_prefix('=')?;
            let value = value.trim_start().trim_start_matches(['"', '\'']);
            let end = value.find(['"', '\'', ';', '>', '/', ' ', '?'])?;
            Encoding::for_label(value[..end].trim().as_bytes())
        })
    };
    named("charset").or_else(|| named("encoding"))
}

#[derive(Default)]
struct Page {
    sections: Sections,
    is_fragment: bool,
    open: Vec<Vec<u8>>,
    /// Elements beyond the deepest that is remembered.
    deeper: usize,
    /// The depth at which something hidden began.
    hidden: Option<usize>,
    /// The next piece of text is a script or the like.
    raw: bool,
    title: Option<String>,
    heading: Option<(u8, Writer)>,
    /// The innermost table, while nothing shows that it only arranges the page.
    table: Option<Grid>,
    /// For each open list, the number of its next item; none for bullets.
    lists: Vec<Option<u32>>,
    preformatted: usize,
    contact: Option<Contact>,
    /// What pictures were said to show.
    pictures: HashSet<String>,
}

impl Page {
    fn read(&mut self, html: &str, out: &mut Collector) -> Result<(), Failure> {
        let is_xml = html.trim_start().starts_with("<?xml");
        let mut emitter = DefaultEmitter::default();
        emitter.naively_switch_states(true);
        let mut tokens = Tokenizer::new_with_emitter(html, emitter);
        while let Some(Ok(token)) = tokens.next() {
            match token {
                Token::StartTag(tag) => {
                    let ended = is_xml && tag.self_closing;
                    if ended {
                        // In XHTML `<script/>` has no content; in HTML it goes on.
                        tokens.set_state(State::Data);
                    }
                    self.begin(tag.name.0, &tag.attributes, ended, out)?;
                }
                Token::EndTag(tag) => self.end(&tag.name, out)?,
                Token::String(text) => {
                    if !std::mem::take(&mut self.raw) {
                        self.text(&String::from_utf8_lossy(&text));
                    }
                }
                Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
            }
        }
        Ok(())
    }

    fn begin(
        &mut self,
        name: Vec<u8>,
        attributes: &Attributes,
        ended: bool,
        out: &mut Collector,
    ) -> Result<(), Failure> {
        if elements::is_raw(&name) {
            self.raw = !ended;
            return Ok(());
        }
        self.end_forgotten(&name);
        if self.hidden.is_none() {
            if !elements::is_void(&name) && elements::is_hidden(&name, attributes) {
                self.hidden = Some(self.open.len());
            } else {
                self.show(&name, attributes, out)?;
            }
        }
        if !elements::is_void(&name) && !ended {
            if self.open.len() < DEEPEST {
                self.open.push(name);
            } else {
                self.deeper += 1;
            }
        } else if self.hidden == Some(self.open.len()) {
            self.hidden = None;
        }
        Ok(())
    }

    /// Ends the elements whose end tag people leave out when this one begins.
    fn end_forgotten(&mut self, begins: &[u8]) {
        for (i, open) in self.open.iter().rev().take(NEAR).enumerate() {
            if elements::ends_where_begins(open, begins) {
                self.shut(self.open.len() - 1 - i);
                return;
            }
            if !elements::is_inline(open) {
                return;
            }
        }
    }

    /// Forgets the open elements from this depth on.
    fn shut(&mut self, depth: usize) {
        self.open.truncate(depth);
        self.hidden = self.hidden.filter(|hidden| *hidden < depth);
    }

    fn show(
        &mut self,
        name: &[u8],
        attributes: &Attributes,
        out: &mut Collector,
    ) -> Result<(), Failure> {
        if self.ends_heading(name) {
            self.end_heading(out)?;
        }
        let span = |name: &str| attribute(attributes, name).and_then(|v| v.parse().ok());
        match name {
            b"table" => {
                self.arrange();
                let role = attribute(attributes, "role").unwrap_or_default();
                if !matches!(role, "presentation" | "none") {
                    self.sections.flow.gap(Gap::Paragraph);
                    self.table = Some(Grid::default());
                }
            }
            b"tr" | b"thead" | b"tbody" | b"tfoot" if self.table.is_some() => {
                if let Some(table) = &mut self.table {
                    table.open_row();
                    if table.is_too_large() {
                        self.arrange();
                    }
                }
            }
            b"td" | b"th" if self.table.is_some() => {
                if let Some(table) = &mut self.table {
                    table.open_cell(name == b"th", span("colspan"), span("rowspan"));
                    if table.is_too_large() {
                        self.arrange();
                    }
                }
            }
            b"caption" => {
                if let Some(table) = &mut self.table {
                    table.close_row();
                }
                self.flow().gap(Gap::Paragraph);
            }
            b"ul" | b"menu" | b"dir" => self.begin_list(None),
            b"ol" => {
                let first = attribute(attributes, "start").and_then(|v| v.parse().ok());
                self.begin_list(Some(first.unwrap_or(1)));
            }
            b"li" => self.begin_item(),
            b"br" => self.flow().line_break(),
            b"pre" | b"xmp" | b"textarea" => {
                self.preformatted += 1;
                self.flow().gap(elements::gap_around(name));
            }
            b"title" => self.title = Some(String::new()),
            b"meta" => meta::note(attributes, &mut out.info),
            b"a" => self.contact = Contact::of(attributes),
            b"img" => {
                // One word is mostly the name of an icon, and pages repeat their pictures.
                let alt = attribute(attributes, "alt").unwrap_or_default();
                if alt.split_whitespace().nth(1).is_some() && self.pictures.insert(alt.to_owned()) {
                    self.flow().gap(Gap::Space);
                    self.flow().words(alt);
                    self.flow().gap(Gap::Space);
                }
            }
            _ => {
                if let Some(level) = elements::heading_level(name) {
                    self.begin_heading(level);
                }
                self.flow().gap(elements::gap_around(name));
            }
        }
        Ok(())
    }

    fn end(&mut self, name: &[u8], out: &mut Collector) -> Result<(), Failure> {
        self.raw = false;
        if name == b"title"
            && let Some(title) = self.title.take()
        {
            self.sections.title(&title);
        }
        if name == b"br" {
            // Browsers take `</br>` for `<br>`.
            self.flow().line_break();
            return Ok(());
        }
        if self.hidden.is_none() {
            self.shown(name, out)?;
        }
        if elements::is_raw(name) || elements::is_void(name) {
            return Ok(());
        }
        if self.deeper > 0 {
            self.deeper -= 1;
            return Ok(());
        }
        let ends_table = matches!(name, b"table" | b"tr" | b"tbody" | b"thead" | b"tfoot");
        let near = self.open.iter().enumerate().rev().take(FARTHEST);
        for (depth, open) in near {
            if open == name {
                self.shut(depth);
                break;
            }
            if elements::is_wall(open) && !ends_table {
                break;
            }
        }
        Ok(())
    }

    fn shown(&mut self, name: &[u8], out: &mut Collector) -> Result<(), Failure> {
        match name {
            b"table" => self.end_table(),
            b"tr" | b"thead" | b"tbody" | b"tfoot" | b"td" | b"th" => {
                match (&mut self.table, name) {
                    (Some(table), b"td" | b"th") => table.close_cell(),
                    (Some(table), _) => table.close_row(),
                    (None, _) => self.flow().gap(Gap::Line),
                }
            }
            b"ul" | b"ol" | b"menu" | b"dir" => {
                self.lists.pop();
                let gap = self.gap_around_list();
                self.flow().gap(gap);
            }
            b"pre" | b"xmp" | b"textarea" => {
                self.preformatted = self.preformatted.saturating_sub(1);
                self.flow().gap(elements::gap_around(name));
            }
            b"a" => {
                if let Some(address) = self.contact.take().and_then(Contact::unseen) {
                    self.flow().words(&format!(" ({address})"));
                }
            }
            _ if elements::heading_level(name).is_some() => {
                self.end_heading(out)?;
                self.flow().gap(Gap::Paragraph);
            }
            _ => self.flow().gap(elements::gap_around(name)),
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if let Some(title) = &mut self.title {
            title.push_str(text);
            return;
        }
        if self.hidden.is_some() {
            return;
        }
        if let Some(contact) = &mut self.contact {
            contact.see(text);
        }
        if self.preformatted > 0 {
            self.flow().verbatim(text);
        } else {
            self.flow().words(text);
        }
        if self.table.as_ref().is_some_and(Grid::is_too_large) {
            self.arrange();
        }
    }

    /// Where words go now.
    fn flow(&mut self) -> &mut Writer {
        if let Some((_, heading)) = &mut self.heading {
            return heading;
        }
        match self.table.as_mut().and_then(Grid::cell) {
            Some(cell) => cell,
            None => &mut self.sections.flow,
        }
    }

    fn begin_heading(&mut self, level: u8) {
        let names_a_column = self.table.as_ref().is_some_and(Grid::is_in_head_cell);
        if self.is_fragment || names_a_column {
            return;
        }
        // A cell with a heading is a part of the page.
        self.arrange();
        self.heading = Some((level, Writer::default()));
    }

    /// Whether an open heading ends where this element begins, because its end was forgotten.
    fn ends_heading(&self, begins: &[u8]) -> bool {
        self.heading.as_ref().is_some_and(|(_, words)| {
            words.len() > LONGEST_HEADING
                || elements::heading_level(begins).is_some()
                || matches!(
                    begins,
                    b"p" | b"table" | b"ul" | b"ol" | b"section" | b"article"
                )
        })
    }

    fn end_heading(&mut self, out: &mut Collector) -> Result<(), Failure> {
        match self.heading.take() {
            Some((level, mut words)) => self.sections.heading(level, &words.take(), out),
            None => Ok(()),
        }
    }

    fn end_table(&mut self) {
        if let Some(table) = self.table.take() {
            table.write(&mut self.sections.flow);
        }
        self.sections.flow.gap(Gap::Paragraph);
    }

    /// The table that is open turns out to arrange other things: they become running text.
    fn arrange(&mut self) {
        if let Some(table) = self.table.take() {
            table.write_as_prose(&mut self.sections.flow);
        }
    }

    fn begin_list(&mut self, number: Option<u32>) {
        let gap = self.gap_around_list();
        self.flow().gap(gap);
        self.lists.push(number);
    }

    /// A list inside a list goes on with the next line.
    fn gap_around_list(&self) -> Gap {
        if self.lists.is_empty() {
            Gap::Paragraph
        } else {
            Gap::Line
        }
    }

    fn begin_item(&mut self) {
        let indent = "  ".repeat(self.lists.len().saturating_sub(1).min(6));
        let marker = match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{indent}{number}. ");
                *number = number.saturating_add(1);
                marker
            }
            _ => format!("{indent}- "),
        };
        self.flow().marker(marker);
    }
}

#[cfg(test)]
mod tests;
