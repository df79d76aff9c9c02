//! The parts of a message that the reader marked, whole words each.

use super::HeardSpan;
use quipu_core::reading::{Reading, SpanKind};
use std::ops::Range;

/// The marked parts, each up to the ends of its words. Parts of one kind with nothing but a blank between
/// them are one.
pub(super) fn spans(text: &str, reading: &Reading) -> Vec<HeardSpan> {
    let mut spans: Vec<HeardSpan> = Vec::new();
    for span in &reading.spans {
        let Some(mut range) = whole_words(text, &span.range) else {
            continue;
        };
        if span.kind == SpanKind::Name {
            range.end += capitals_behind(&text[range.end..]);
        }
        if let Some(last) = spans.last_mut() {
            if range.start < last.range.end {
                continue;
            }
            let between = &text[last.range.end..range.start];
            let joins = matches!(
                span.kind,
                SpanKind::Date | SpanKind::Name | SpanKind::Address | SpanKind::Item
            ) && last.text.ends_with(char::is_alphanumeric);
            if joins && last.kind == span.kind && between.trim().is_empty() {
                last.range.end = range.end;
                last.text = text[last.range.clone()].to_owned();
                continue;
            }
        }
        let words = text[range.clone()].trim_matches(|c: char| !c.is_alphanumeric());
        if !words.is_empty() {
            spans.push(HeardSpan {
                kind: span.kind,
                text: text[range.clone()].trim().to_owned(),
                range,
            });
        }
    }
    spans
}

/// How far a name goes on in words with capitals: what marked "Elmer" of "Elmer Quispe" missed the rest.
fn capitals_behind(text: &str) -> usize {
    let Some(behind) = text.strip_prefix(' ') else {
        return 0;
    };
    let mut end = 0;
    for word in behind.split_inclusive(' ') {
        let bare = word.trim_end();
        let letters = bare.trim_end_matches([',', '.', ';', '!', '?']);
        let capital =
            letters.starts_with(char::is_uppercase) && letters.chars().all(char::is_alphabetic);
        if !capital {
            break;
        }
        end += letters.len();
        if letters.len() < bare.len() {
            break;
        }
        end += word.len() - bare.len();
    }
    let taken = behind[..end].trim_end().len();
    if taken == 0 { 0 } else { taken + 1 }
}

/// The part up to the ends of the words that it cuts.
fn whole_words(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    text.get(range.clone())?;
    let goes_on = |c: char| c.is_alphanumeric();
    let before = text[..range.start].chars().rev();
    let before: usize = before.take_while(|c| goes_on(*c)).map(char::len_utf8).sum();
    let inside = text[range.clone()].chars();
    let first = inside.clone().next().is_some_and(goes_on);
    let last = inside.last().is_some_and(goes_on);
    let behind = text[range.end..].chars();
    let behind: usize = behind.take_while(|c| goes_on(*c)).map(char::len_utf8).sum();
    let start = if first {
        range.start - before
    } else {
        range.start
    };
    let end = if last { range.end + behind } else { range.end };
    Some(start..end)
}
