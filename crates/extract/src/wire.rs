//! What a child says to its parent: one JSON value per line.

use crate::embedded::EmbeddedPicture;
use quipu_core::extraction::{DocumentInfo, Failure, Segment};
use quipu_core::website::PageOutline;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::num::NonZeroU32;

/// A longer text travels in pieces, so that neither side ever holds a long line.
const PIECE_BYTES: usize = 32 * 1024;

/// The longest line a parent accepts: a piece in which every byte had to be escaped, and the
/// headings beside it.
pub(crate) const LONGEST_LINE: usize = 1024 * 1024;

/// Links in one line, each of at most two kilobytes before it is escaped.
const LINKS_AT_ONCE: usize = 50;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Message {
    Segment(Segment),
    /// More text of the segment before.
    More(String),
    /// A page that is a picture, to be read by text recognition.
    Scanned(ScannedPage),
    /// A picture inside the document, to be read by text recognition.
    Embedded(EmbeddedPicture),
    /// What a page says about others, without its links.
    Outline(PageOutline),
    /// Some of the links of the outline before.
    Links(Vec<String>),
    /// Some of its sitemaps.
    Sitemaps(Vec<String>),
    /// How much is done, from 0 to 1.
    Progress(f32),
    /// Always the last. Without it the child did not finish.
    End(DocumentInfo),
}

/// A page whose text is in its picture. What text it has of its own is not worth much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ScannedPage {
    pub(crate) page: NonZeroU32,
    pub(crate) headings: Vec<String>,
}

/// What a child found in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reading {
    pub(crate) info: DocumentInfo,
    pub(crate) segments: Vec<Segment>,
    pub(crate) scanned: Vec<ScannedPage>,
    pub(crate) pictures: Vec<EmbeddedPicture>,
    pub(crate) outline: PageOutline,
}

pub(crate) fn write(out: &mut impl Write, reading: Reading) -> std::io::Result<()> {
    for mut segment in reading.segments {
        let text = std::mem::take(&mut segment.text);
        let mut pieces = pieces(&text);
        segment.text = pieces.next().unwrap_or_default().to_owned();
        line(out, &Message::Segment(segment))?;
        for piece in pieces {
            line(out, &Message::More(piece.to_owned()))?;
        }
    }
    for page in reading.scanned {
        line(out, &Message::Scanned(page))?;
    }
    for picture in reading.pictures {
        line(out, &Message::Embedded(picture))?;
    }
    let mut outline = reading.outline;
    let links = std::mem::take(&mut outline.links);
    let sitemaps = std::mem::take(&mut outline.sitemaps);
    line(out, &Message::Outline(outline))?;
    for some in links.chunks(LINKS_AT_ONCE) {
        line(out, &Message::Links(some.to_vec()))?;
    }
    for some in sitemaps.chunks(LINKS_AT_ONCE) {
        line(out, &Message::Sitemaps(some.to_vec()))?;
    }
    line(out, &Message::End(reading.info))?;
    out.flush()
}

pub(crate) fn line(out: &mut impl Write, message: &Message) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, message)?;
    out.write_all(b"\n")
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE_BYTES));
        rest = after;
        Some(piece)
    })
}

/// Puts the lines of a child together again and trusts none of them.
#[derive(Debug)]
pub(crate) struct Assembly {
    room: usize,
    reading: Reading,
    ended: bool,
}

impl Assembly {
    /// Takes in no more than `room` bytes of lines.
    pub(crate) fn new(room: usize) -> Self {
        Self {
            room,
            reading: Reading::default(),
            ended: false,
        }
    }

    /// How much is done, when the line says so.
    ///
    /// # Errors
    /// `TooLong` when the child says more than it may, `Crashed` when a line is not one of ours.
    pub(crate) fn take(&mut self, line: &[u8]) -> Result<Option<f32>, Failure> {
        self.room = self.room.checked_sub(line.len()).ok_or(Failure::TooLong)?;
        let message = serde_json::from_slice(line).map_err(|_| Failure::Crashed)?;
        if self.ended {
            return Err(Failure::Crashed);
        }
        match message {
            Message::Segment(segment) => self.reading.segments.push(segment),
            Message::More(text) => {
                let last = self.reading.segments.last_mut().ok_or(Failure::Crashed)?;
                last.text.push_str(&text);
            }
            Message::Scanned(page) => self.reading.scanned.push(page),
            Message::Embedded(picture) => self.reading.pictures.push(picture),
            Message::Outline(outline) => self.reading.outline = outline,
            Message::Links(links) => self.reading.outline.links.extend(links),
            Message::Sitemaps(sitemaps) => self.reading.outline.sitemaps.extend(sitemaps),
            Message::Progress(done) => return Ok(Some(done.clamp(0.0, 1.0))),
            Message::End(info) => {
                self.reading.info = info;
                self.ended = true;
            }
        }
        Ok(None)
    }

    /// What was read, if the child came to its end.
    pub(crate) fn finish(self) -> Option<Reading> {
        self.ended.then_some(self.reading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn there_and_back(reading: &Reading) -> Reading {
        let mut bytes = Vec::new();
        write(&mut bytes, reading.clone()).unwrap();
        let mut assembly = Assembly::new(bytes.len());
        for line in bytes.split(|b| *b == b'\n').filter(|l| !l.is_empty()) {
            assert!(line.len() < LONGEST_LINE);
            assembly.take(line).unwrap();
        }
        assembly.finish().unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn a_reading_arrives_as_it_left(
            texts in prop::collection::vec("[a-zñ\n\"\\\\\u{0}-\u{1f}😀]{1,40}", 0..6),
            times in 1usize..3000,
            scanned in prop::collection::vec(1u32..500, 0..4),
        ) {
            let segments = texts
                .iter()
                .enumerate()
                .map(|(i, text)| Segment {
                    text: text.repeat(times),
                    page: u32::try_from(i).ok(),
                    headings: vec![text.clone()],
                    ..Segment::default()
                })
                .collect();
            let scanned = scanned
                .into_iter()
                .filter_map(NonZeroU32::new)
                .map(|page| ScannedPage { page, headings: texts.clone() })
                .collect();
            let pictures = (0..times % 3)
                .map(|number| EmbeddedPicture {
                    number,
                    after: times,
                    segment: Segment { headings: texts.clone(), ..Segment::default() },
                })
                .collect();
            let outline = PageOutline {
                links: texts.iter().cycle().take(texts.len() * 60).cloned().collect(),
                sitemaps: texts.clone(),
                canonical: texts.first().cloned(),
                ..PageOutline::default()
            };
            let reading = Reading { segments, scanned, pictures, outline, ..Reading::default() };
            prop_assert_eq!(there_and_back(&reading), reading);
        }

        #[test]
        fn no_line_is_trusted(line in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut assembly = Assembly::new(1000);
            let _ = assembly.take(&line);
            prop_assert!(assembly.finish().is_none());
        }
    }

    #[test]
    fn too_much_is_refused_and_a_cut_is_noticed() {
        let mut assembly = Assembly::new(40);
        assembly.take(br#"{"segment":{"text":"uno"}}"#).unwrap();
        assert_eq!(
            assembly.take(br#"{"segment":{"text":"dos"}}"#),
            Err(Failure::TooLong)
        );
        assert!(assembly.finish().is_none());
    }
}
