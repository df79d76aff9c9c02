//! Pictures inside a document. A scan that somebody pasted into a letter has its text in its dots.

use crate::picture;
use quipu_core::extraction::Segment;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How many pictures of one file are read.
pub(crate) const MOST_PICTURES: usize = 50;
/// A picture with a shorter side, or with fewer dots, is a logo, a line or a bullet.
const SHORTEST_SIDE: u32 = 60;
const FEWEST_DOTS: u64 = 50_000;

/// A picture whose text is still to be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EmbeddedPicture {
    /// Its place among the pictures of the file that are worth reading.
    pub(crate) number: usize,
    /// How many segments stand before it.
    pub(crate) after: usize,
    /// What its text will be, as yet without the text.
    pub(crate) segment: Segment,
}

/// The pictures of a file as it is read. Nobody who did not ask for them gets any.
#[derive(Debug, Default)]
pub(crate) struct Pictures {
    is_wanted: bool,
    seen: HashSet<u64>,
    found: Vec<EmbeddedPicture>,
    /// The number of the one whose dots are asked for.
    sought: Option<usize>,
    dots: Option<Vec<u8>>,
}

impl Pictures {
    /// All that are worth reading, without their dots.
    pub(crate) fn all() -> Self {
        Self {
            is_wanted: true,
            ..Self::default()
        }
    }

    /// The dots of one of them.
    pub(crate) fn one(number: usize) -> Self {
        Self {
            sought: Some(number),
            ..Self::all()
        }
    }

    /// Gives a picture its number, unless it is not worth reading. A logo that stands on every page
    /// counts once.
    pub(crate) fn admit(&mut self, bytes: &[u8]) -> Option<usize> {
        let number = self.found.len();
        if !self.is_wanted || number >= MOST_PICTURES || !is_worth_reading(bytes) {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        if !self.seen.insert(hasher.finish()) {
            return None;
        }
        if self.sought == Some(number) {
            self.dots = Some(bytes.to_vec());
        }
        Some(number)
    }

    pub(crate) fn place(&mut self, number: usize, after: usize, segment: Segment) {
        self.found.push(EmbeddedPicture {
            number,
            after,
            segment,
        });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub(crate) fn take(&mut self) -> Vec<EmbeddedPicture> {
        std::mem::take(&mut self.found)
    }

    /// The dots that were asked for, if the file has such a picture.
    pub(crate) fn into_dots(self) -> Option<Vec<u8>> {
        self.dots
    }
}

fn is_worth_reading(bytes: &[u8]) -> bool {
    picture::measure(bytes).is_ok_and(|size| {
        size.width.min(size.height) >= SHORTEST_SIDE && size.dots() >= FEWEST_DOTS
    })
}

/// Puts the texts of pictures where the pictures stood: after what stands before them, or with the
/// rest of their slide.
pub(crate) fn merge(
    mut segments: Vec<Segment>,
    mut read: Vec<(EmbeddedPicture, String)>,
) -> Vec<Segment> {
    use quipu_core::extraction::SegmentKind::Unit;
    read.sort_by_key(|(picture, _)| picture.number);
    let mut added = 0;
    for (picture, text) in read {
        let at = picture.after.saturating_add(added).min(segments.len());
        let place = picture.segment;
        let same_slide = |before: &&mut Segment| {
            (before.kind, place.kind) == (Unit, Unit) && before.page == place.page
        };
        let before = at.checked_sub(1).map(|before| &mut segments[before]);
        if let Some(slide) = before.filter(same_slide) {
            slide.text.push_str("\n\n");
            slide.text.push_str(&text);
        } else {
            segments.insert(at, Segment { text, ..place });
            added += 1;
        }
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::png_header;
    use quipu_core::extraction::SegmentKind;

    #[test]
    fn logos_and_repetitions_are_not_read() {
        let mut pictures = Pictures::all();
        let scan = png_header(1200, 1600);
        assert_eq!(pictures.admit(&scan), Some(0));
        pictures.place(0, 0, Segment::default());
        assert_eq!(pictures.admit(&scan), None, "the same again");
        for (width, height) in [(200, 100), (4000, 20), (1, 1)] {
            assert_eq!(pictures.admit(&png_header(width, height)), None);
        }
        assert_eq!(pictures.admit(b"GIF89a"), None);
        assert_eq!(Pictures::default().admit(&scan), None, "nobody asked");
        for n in 1..=u32::try_from(MOST_PICTURES).unwrap() {
            let Some(number) = pictures.admit(&png_header(1200, 1600 + n)) else {
                break;
            };
            pictures.place(number, 0, Segment::default());
        }
        assert_eq!(pictures.take().len(), MOST_PICTURES);
    }

    #[test]
    fn the_dots_of_one_picture_are_kept() {
        let mut pictures = Pictures::one(1);
        for height in [1600, 1700, 1800] {
            let number = pictures.admit(&png_header(1200, height)).unwrap();
            pictures.place(number, 0, Segment::default());
        }
        assert_eq!(pictures.into_dots(), Some(png_header(1200, 1700)));
    }

    #[test]
    fn texts_of_pictures_stand_where_the_pictures_stood() {
        let segment = |text: &str, kind, page| Segment {
            text: text.to_owned(),
            kind,
            page,
            ..Segment::default()
        };
        let picture = |number, after, kind, page| EmbeddedPicture {
            number,
            after,
            segment: segment("", kind, page),
        };
        let flow = SegmentKind::Flow;
        let letter = vec![segment("uno", flow, None), segment("tres", flow, None)];
        let read = vec![
            (picture(1, 2, flow, None), "cuatro".to_owned()),
            (picture(0, 1, flow, None), "dos".to_owned()),
        ];
        let texts: Vec<_> = merge(letter, read).into_iter().map(|s| s.text).collect();
        assert_eq!(texts, ["uno", "dos", "tres", "cuatro"]);

        let unit = SegmentKind::Unit;
        let slides = vec![segment("a", unit, Some(1)), segment("c", unit, Some(3))];
        let read = vec![
            (picture(0, 1, unit, Some(1)), "A".to_owned()),
            (picture(1, 1, unit, Some(2)), "B".to_owned()),
            (picture(2, 1, unit, Some(2)), "BB".to_owned()),
        ];
        let merged = merge(slides, read);
        let found: Vec<_> = merged.iter().map(|s| (s.page, s.text.as_str())).collect();
        let expected = [(Some(1), "a\n\nA"), (Some(2), "B\n\nBB"), (Some(3), "c")];
        assert_eq!(found, expected);
    }
}
