//! A message cut into words, as the phrases of the table are compared with them.

use quipu_core::analysis;

/// How far apart two sentences are, in words: farther than anything that is said of one thing.
pub(super) const SENTENCE_GAP: usize = 10;

/// What stands before a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(super) enum Pause {
    None,
    /// A comma, a colon, a dash or dots: the thought may go on.
    Short,
    /// The end of a sentence or line.
    Full,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Folded and spelled out; a slash is a word by itself.
    pub(super) text: String,
    pub(super) pause: Pause,
    /// Where it stands, counted in words, with pauses counted as more of them.
    pub(super) at: usize,
}

/// The words of a message. A full stop without a space after it ends a sentence as well, since
/// few people in a chat type that space; a number keeps its decimals.
pub(super) fn read(text: &str) -> Vec<Word> {
    let chars: Vec<char> = text.chars().collect();
    let mut words: Vec<Word> = Vec::new();
    let (mut at, mut pause, mut index) = (0, Pause::None, 0);
    while let Some(&c) = chars.get(index) {
        let start = index;
        while chars.get(index).is_some() && is_inside(&chars, start, index) {
            index += 1;
        }
        let word = match (index > start, c) {
            (true, _) => normalise(&chars[start..index].iter().collect::<String>()),
            (false, '/') => Some("/".to_owned()),
            (false, _) => None,
        };
        if index == start {
            index += 1;
            pause = longer(pause, pause_of(&chars, start));
        }
        if let Some(text) = word {
            at += match pause {
                Pause::None => 1,
                Pause::Short => 3,
                Pause::Full => 1 + SENTENCE_GAP,
            };
            words.push(Word { text, pause, at });
            pause = Pause::None;
        }
    }
    words
}

/// Folds a word of a message or of the table. The tilde of ñ goes too, because many keyboards have
/// none and no two words of this trade differ by it.
pub(super) fn normalise(word: &str) -> Option<String> {
    analysis::normalise(word).map(|word| word.replace('ñ', "n"))
}

fn is_inside(chars: &[char], start: usize, index: usize) -> bool {
    let c = chars[index];
    let next = chars.get(index + 1);
    let before = index.checked_sub(1).and_then(|i| chars.get(i));
    match c {
        '\'' | '’' | '´' | '`' => index > start && next.is_some_and(|next| next.is_alphabetic()),
        '.' | ',' => {
            index > start
                && before.is_some_and(char::is_ascii_digit)
                && next.is_some_and(char::is_ascii_digit)
        }
        '\u{300}'..='\u{36f}' => index > start,
        _ => c.is_alphanumeric(),
    }
}

fn pause_of(chars: &[char], index: usize) -> Pause {
    let dot = |index: Option<usize>| index.and_then(|i| chars.get(i)) == Some(&'.');
    match chars[index] {
        '.' if dot(index.checked_sub(1)) || dot(Some(index + 1)) => Pause::Short,
        '.' | '!' | '?' | '¿' | '¡' | '\n' | '\r' => Pause::Full,
        ',' | ';' | ':' | '…' | '(' | ')' | '-' | '–' | '—' => Pause::Short,
        _ => Pause::None,
    }
}

fn longer(a: Pause, b: Pause) -> Pause {
    if a < b { b } else { a }
}
