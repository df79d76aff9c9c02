//! A folded text cut into words, each with its place.

use std::ops::Range;

/// How far apart sentences stand, in words: a rule seldom reaches over it by chance.
const SENTENCE_PAUSE: usize = 3;

/// One word: where it stands in the text, and which word it is, pauses counted in.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) range: Range<usize>,
    pub(super) at: usize,
}

/// The words of a folded text.
pub(super) fn read(text: &str) -> Vec<Word> {
    let mut words = Vec::with_capacity(text.len() / 5 + 1);
    let (mut at, mut pause) = (0, 0);
    let mut start = None;
    let mut ended = None;
    for (index, c) in text.char_indices().chain([(text.len(), '\n')]) {
        if c.is_alphanumeric() {
            if start.is_none() {
                start = Some(index);
                // A full stop that touches the next word ends nothing: "i.e", "v2.0", "www.".
                pause = pause.max(if ended == Some(index) {
                    0
                } else {
                    waiting(ended)
                });
                ended = None;
            }
            continue;
        }
        if let Some(start) = start.take() {
            at += 1 + pause;
            pause = 0;
            words.push(Word {
                range: start..index,
                at,
            });
        }
        match c {
            '.' | '!' | '?' | ';' => ended = Some(index + 1),
            '\n' => pause = SENTENCE_PAUSE,
            ',' | ':' | '(' | ')' => pause = pause.max(1),
            _ => {}
        }
    }
    words
}

fn waiting(ended: Option<usize>) -> usize {
    if ended.is_some() { SENTENCE_PAUSE } else { 0 }
}
