//! What may not be parted: addresses, and what stands between a mark and its end.

use super::token::begins_address;
use std::ops::Range;

const FENCE: &str = "```";

/// A part of a text that belongs together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) range: Range<usize>,
    /// What it begins and ends with, where that is a mark: with it a part can be closed and opened again.
    pub(super) mark: Option<&'static str>,
}

impl Held {
    pub(super) fn parts(&self, at: usize) -> bool {
        self.range.start < at && at < self.range.end
    }
}

/// In the order of their beginnings, the outer ones first.
pub(super) fn held(text: &str, with_marks: bool) -> Vec<Held> {
    let mut held = addresses(text);
    if with_marks {
        let fences = fences(text);
        let mut begin = 0;
        for line in text.split_inclusive('\n') {
            let range = begin..begin + line.len();
            begin = range.end;
            if fences
                .iter()
                .any(|fence| fence.range.contains(&range.start))
            {
                continue;
            }
            for mark in ["*", "_", "~", "`"] {
                held.extend(marked(text, range.clone(), mark));
            }
        }
        held.extend(fences);
    }
    held.sort_by_key(|held| (held.range.start, usize::MAX - held.range.end));
    held
}

fn addresses(text: &str) -> Vec<Held> {
    let mut found = Vec::new();
    let mut begin = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let len = word.trim_end().len();
        let inner = word.find("http").into_iter().chain(word.find("www.")).min();
        if let Some(inner) = inner.filter(|inner| begins_address(&word[*inner..])) {
            let range = begin + inner..begin + len;
            found.push(Held { range, mark: None });
        }
        begin += word.len();
    }
    found
}

fn fences(text: &str) -> Vec<Held> {
    let places: Vec<usize> = text.match_indices(FENCE).map(|(at, _)| at).collect();
    let pairs = places.chunks_exact(2);
    let range = |pair: &[usize]| pair[0]..pair[1] + FENCE.len();
    pairs
        .map(|pair| Held {
            range: range(pair),
            mark: Some(FENCE),
        })
        .collect()
}

/// The marks of one sign in a line, as `WhatsApp` sees them.
fn marked(text: &str, line: Range<usize>, mark: &'static str) -> Vec<Held> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    for (at, _) in text[line.clone()].match_indices(mark) {
        let at = line.start + at;
        let before = text[line.start..at].chars().next_back();
        let behind = text[at + 1..line.end].chars().next();
        let closes = before.is_some_and(|c| !c.is_whitespace())
            && !behind.is_some_and(char::is_alphanumeric);
        let opens = !before.is_some_and(char::is_alphanumeric)
            && behind.is_some_and(|c| !c.is_whitespace());
        match open {
            Some(begin) if closes && at > begin + 1 => {
                let range = begin..at + 1;
                let mark = Some(mark);
                found.push(Held { range, mark });
                open = None;
            }
            None if opens => open = Some(at),
            _ => {}
        }
    }
    found
}
