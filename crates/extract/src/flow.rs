//! Running text put together word by word, and cut where its headings are.

use crate::collect::Collector;
use crate::text::one_line;
use quipu_core::extraction::{Failure, Segment};

/// A heading is repeated with every segment under it; a longer one is a paragraph in disguise.
const LONGEST_HEADING: usize = 120;
const LONGEST_TITLE: usize = 300;

/// What will stand between the last word and the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gap {
    #[default]
    None,
    Space,
    Line,
    Paragraph,
}

/// Writes words; white space comes from the structure and never twice.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    text: String,
    gap: Gap,
    /// The bullet or number of a list item that has no word yet.
    marker: String,
}

impl Writer {
    /// Asks for at least this much between what was written and what comes.
    pub(crate) fn gap(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// A line break somebody typed. The second in a row makes a paragraph.
    pub(crate) fn line_break(&mut self) {
        let next = if self.gap >= Gap::Line {
            Gap::Paragraph
        } else {
            Gap::Line
        };
        self.gap(next);
    }

    /// Puts this before the next word, on a new line.
    pub(crate) fn marker(&mut self, marker: String) {
        self.gap(Gap::Line);
        self.marker = marker;
    }

    /// Adds words. White space between them counts as one space.
    pub(crate) fn words(&mut self, text: &str) {
        if text.starts_with(char::is_whitespace) {
            self.gap(Gap::Space);
        }
        for word in text.split_whitespace() {
            self.open();
            self.text.push_str(word);
            self.gap = Gap::Space;
        }
        if !text.ends_with(char::is_whitespace) && self.gap == Gap::Space {
            self.gap = Gap::None;
        }
    }

    /// Adds text with its lines and spaces as they are.
    pub(crate) fn verbatim(&mut self, text: &str) {
        if !text.is_empty() {
            self.open();
            self.text.push_str(text);
        }
    }

    fn open(&mut self) {
        if !self.text.is_empty() {
            self.text.push_str(match self.gap {
                Gap::None => "",
                Gap::Space => " ",
                Gap::Line => "\n",
                Gap::Paragraph => "\n\n",
            });
        }
        self.gap = Gap::None;
        self.text.push_str(&std::mem::take(&mut self.marker));
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn take(&mut self) -> String {
        std::mem::take(self).text
    }
}

/// A document in sections, one for each heading.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    pub(crate) flow: Writer,
    path: Vec<(u8, String)>,
    /// Shown at the top unless the text shows it there itself.
    title: Option<String>,
    first: Option<String>,
}

impl Sections {
    /// Ends the section and begins the one of this heading. 1 is the outermost level.
    pub(crate) fn heading(
        &mut self,
        level: u8,
        text: &str,
        out: &mut Collector,
    ) -> Result<(), Failure> {
        let Some(name) = one_line(text, LONGEST_HEADING) else {
            return Ok(());
        };
        self.flush(out)?;
        while self.path.pop_if(|(above, _)| *above >= level).is_some() {}
        if level == 1 && self.first.is_none() {
            self.first = one_line(text, LONGEST_TITLE);
        }
        self.path.push((level, name));
        self.flow.words(text);
        self.flow.gap(Gap::Paragraph);
        Ok(())
    }

    pub(crate) fn title(&mut self, title: &str) {
        if self.title.is_none() {
            self.title = one_line(title, LONGEST_TITLE);
        }
    }

    /// Ends the document.
    pub(crate) fn finish(mut self, out: &mut Collector) -> Result<(), Failure> {
        self.flush(out)?;
        // A title is text too, if there is no other.
        if let Some(title) = self.title.take() {
            push(title.clone(), Vec::new(), out)?;
            out.info.title.get_or_insert(title);
        }
        if out.info.title.is_none() {
            out.info.title = self.first;
        }
        Ok(())
    }

    /// Remembers that a picture stands here, after what was said so far.
    pub(crate) fn place_picture(
        &mut self,
        number: usize,
        out: &mut Collector,
    ) -> Result<(), Failure> {
        self.flush(out)?;
        let segment = Segment {
            headings: self.headings(),
            ..Segment::default()
        };
        out.place_picture(number, segment);
        Ok(())
    }

    fn headings(&self) -> Vec<String> {
        self.path.iter().map(|(_, name)| name.clone()).collect()
    }

    fn flush(&mut self, out: &mut Collector) -> Result<(), Failure> {
        let mut text = self.flow.take();
        if text.trim().is_empty() {
            return Ok(());
        }
        if let Some(title) = self.title.take() {
            if !text.to_lowercase().contains(&title.to_lowercase()) {
                text.insert_str(0, "\n\n");
                text.insert_str(0, &title);
            }
            out.info.title.get_or_insert(title);
        }
        push(text, self.headings(), out)
    }
}

fn push(text: String, headings: Vec<String>, out: &mut Collector) -> Result<(), Failure> {
    out.push(Segment {
        text,
        headings,
        ..Segment::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_comes_once() {
        let mut flow = Writer::default();
        flow.gap(Gap::Paragraph);
        flow.words(" uno  dos");
        flow.words("tres ");
        flow.gap(Gap::Line);
        flow.words("\n");
        flow.marker("- ".to_owned());
        flow.gap(Gap::Paragraph);
        flow.words("cuatro");
        flow.line_break();
        flow.verbatim("a  b\n c");
        assert_eq!(flow.take(), "uno dostres\n\n- cuatro\na  b\n c");
    }

    #[test]
    fn sections_know_their_headings_and_the_title_comes_first() {
        let mut out = Collector::default();
        let mut sections = Sections::default();
        sections.title(" La\ntienda ");
        for (level, heading, body) in [
            (1, "Inicio", "uno"),
            (3, "Detalle", "dos"),
            (2, "Otro", "tres"),
            (1, "Fin", ""),
        ] {
            sections.heading(level, heading, &mut out).unwrap();
            sections.flow.words(body);
        }
        sections.finish(&mut out).unwrap();
        let extracted = out.finish().unwrap();
        assert_eq!(extracted.info.title.as_deref(), Some("La tienda"));
        let found: Vec<_> = extracted
            .segments
            .iter()
            .map(|s| (s.text.as_str(), s.headings.join(">")))
            .collect();
        assert_eq!(
            found,
            [
                ("La tienda\n\nInicio\n\nuno", "Inicio".to_owned()),
                ("Detalle\n\ndos", "Inicio>Detalle".to_owned()),
                ("Otro\n\ntres", "Inicio>Otro".to_owned()),
                ("Fin", "Fin".to_owned()),
            ]
        );
    }

    #[test]
    fn the_first_great_heading_is_the_title_of_a_document_without_one() {
        let mut out = Collector::default();
        let mut sections = Sections::default();
        sections.heading(1, "Carta", &mut out).unwrap();
        sections.finish(&mut out).unwrap();
        assert_eq!(out.info.title.as_deref(), Some("Carta"));
    }
}
