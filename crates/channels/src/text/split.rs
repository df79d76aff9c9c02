//! Bubbles that a channel takes.

use super::grapheme::is_inside;
use super::held::{Held, held};
use quipu_core::lead::Channel;

/// Nobody reads more bubbles of one answer.
const MOST_BUBBLES: usize = 5;
/// A place further behind is better than a better one in the first part of a bubble.
const FIRST_PART: usize = 3;
const ELLIPSIS: &str = "…";
/// Room for the ends of marks that a bubble closes and the next one opens again.
const ROOM_FOR_MARKS: usize = 12;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitText {
    pub bubbles: Vec<String>,
    /// The end is missing; an ellipsis stands in its place.
    pub cut: bool,
}

/// How much a bubble holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    Chars(usize),
    Bytes(usize),
}

impl Room {
    const fn of(channel: Channel) -> Option<Self> {
        match channel {
            Channel::Whatsapp => Some(Self::Chars(4_096)),
            Channel::Messenger => Some(Self::Chars(2_000)),
            Channel::Instagram => Some(Self::Bytes(1_000)),
            Channel::Tiktok => Some(Self::Chars(6_000)),
            Channel::Web | Channel::Voice => None,
        }
    }

    const fn without(self, bytes: usize) -> Self {
        match self {
            Self::Chars(most) => Self::Chars(most.saturating_sub(bytes)),
            Self::Bytes(most) => Self::Bytes(most.saturating_sub(bytes)),
        }
    }

    /// Up to which byte of a text it holds it.
    fn end(self, text: &str) -> usize {
        match self {
            Self::Chars(most) => text
                .char_indices()
                .nth(most)
                .map_or(text.len(), |(at, _)| at),
            Self::Bytes(most) => text.floor_char_boundary(most),
        }
    }

    fn holds(self, text: &str) -> bool {
        self.end(text) == text.len()
    }
}

/// Parts a text that [`for_channel`](super::for_channel) wrote into bubbles: where it does not fit into one, between
/// paragraphs, else between lines, sentences, words.
#[must_use]
pub fn split(text: &str, channel: Channel) -> SplitText {
    let text = text.trim();
    let mut parts = SplitText::default();
    if text.is_empty() {
        return parts;
    }
    let Some(room) = Room::of(channel) else {
        parts.bubbles.push(text.to_owned());
        return parts;
    };
    let with_marks = channel == Channel::Whatsapp;
    let mut rest = text.to_owned();
    while !room.holds(&rest) {
        parts.cut = parts.bubbles.len() + 1 == MOST_BUBBLES;
        if parts.cut {
            let (mut last, _) = parted(&rest, room.without(ELLIPSIS.len()), with_marks);
            last.push_str(ELLIPSIS);
            parts.bubbles.push(last);
            return parts;
        }
        let (bubble, behind) = parted(&rest, room, with_marks);
        parts.bubbles.push(bubble);
        rest = behind;
    }
    if !rest.is_empty() {
        parts.bubbles.push(rest);
    }
    parts
}

/// What is best for a place to part at, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seam {
    Paragraph,
    Line,
    Sentence,
    Word,
    /// Within a word, where nothing else is left.
    Sign,
}

impl Seam {
    const ALL: [Self; 5] = [
        Self::Paragraph,
        Self::Line,
        Self::Sentence,
        Self::Word,
        Self::Sign,
    ];

    fn at(text: &str, at: usize) -> Option<Self> {
        let (before, behind) = text.split_at(at);
        if before.ends_with(char::is_whitespace) {
            return None;
        }
        let gap = &behind[..behind.len() - behind.trim_start().len()];
        Some(match gap.matches('\n').count() {
            _ if gap.is_empty() => Self::Sign,
            0 if ends_sentence(before, behind.trim_start()) => Self::Sentence,
            0 => Self::Word,
            1 => Self::Line,
            _ => Self::Paragraph,
        })
    }
}

/// Whether a sentence ends between the two. A short word with a point is an abbreviation: "Av. Arequipa".
fn ends_sentence(before: &str, behind: &str) -> bool {
    const SHORT: usize = 3;
    let inner = before.trim_end_matches([')', '"', '»', '”', '*', '_']);
    let lower = behind.starts_with(char::is_lowercase);
    if lower || !inner.ends_with(['.', '!', '?', '…']) {
        return false;
    }
    let word = inner.trim_end_matches('.');
    let letters = word.chars().rev().take_while(|c| c.is_alphabetic()).count();
    !inner.ends_with('.') || letters == 0 || letters > SHORT
}

/// The text up to the best place that fits, and the rest.
fn parted(text: &str, room: Room, with_marks: bool) -> (String, String) {
    let end = room.end(text);
    let held = held(text, with_marks);
    let apart = |at: usize| !held.iter().any(|held| held.parts(at));
    let mut found = [None; Seam::ALL.len()];
    for at in places(text, end).filter(|at| apart(*at)) {
        if let Some(seam) = Seam::at(text, at) {
            found[seam as usize] = Some(at);
        }
    }
    let (words, sign) = found.split_at(Seam::Sign as usize);
    let late = |at: &usize| *at >= end / FIRST_PART;
    let words = words.iter().copied().flatten();
    let best = words.clone().find(late).or_else(|| words.clone().next());
    match best {
        Some(at) => halves(text, at, "", ""),
        None => within_mark(text, room, &held)
            .or_else(|| sign[0].map(|at| halves(text, at, "", "")))
            .unwrap_or_else(|| halves(text, whole_sign(text, end), "", "")),
    }
}

/// Where one sign ends and another begins, as somebody sees them.
fn places(text: &str, end: usize) -> impl Iterator<Item = usize> {
    let signs = text.char_indices().map(|(at, _)| at);
    signs
        .take_while(move |at| *at <= end)
        .filter(move |at| *at > 0 && !is_inside(text, *at))
}

/// A mark that no bubble holds is closed in one and opened again in the next.
fn within_mark(text: &str, room: Room, held: &[Held]) -> Option<(String, String)> {
    let end = room.without(ROOM_FOR_MARKS).end(text);
    let around = |at: usize| held.iter().filter(move |held| held.parts(at));
    let is_free = |at: &usize| around(*at).all(|held| held.mark.is_some());
    let is_word = |at: &usize| Seam::at(text, *at).is_some_and(|seam| seam != Seam::Sign);
    let late: Vec<usize> = places(text, end)
        .filter(|at| *at >= end / FIRST_PART)
        .filter(is_free)
        .collect();
    let word = late.iter().rev().copied().find(is_word);
    let at = word.or_else(|| late.last().copied())?;
    let marks: Vec<&str> = around(at).filter_map(|held| held.mark).collect();
    if marks.is_empty() {
        return None;
    }
    let closing: String = marks.iter().rev().copied().collect();
    Some(halves(text, at, &closing, &marks.concat()))
}

fn halves(text: &str, at: usize, closing: &str, opening: &str) -> (String, String) {
    let (before, behind) = text.split_at(at);
    (
        format!("{}{closing}", before.trim_end()),
        format!("{opening}{}", behind.trim_start()),
    )
}

/// The end of the last whole sign, or `end` itself where one sign is longer than a bubble.
fn whole_sign(text: &str, end: usize) -> usize {
    places(text, end).last().unwrap_or(end)
}
