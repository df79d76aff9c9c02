//! A message cut into words, as rules and model look at them.

use super::spelling::Spelling;
use quipu_core::analysis;

/// How much of a message is read. What somebody wants has been said by then.
const MAX_CHARS: usize = 1500;
const MAX_WORDS: usize = 300;
/// Shorter runs of the letters of laughter may be words: "jaja", but also "jajá" the exclamation.
const LAUGHTER: usize = 4;

/// What stands before a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pause {
    #[default]
    None,
    /// A comma, a colon, a dash or dots: the thought may go on.
    Short,
    /// The end of a sentence or line.
    Full,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Folded, spelled out and with its spelling put right. A question mark, a sign of money and an
    /// emoji are words as well, because each of them says something.
    pub(super) text: String,
    pub(super) pause: Pause,
}

/// The words of a message.
pub(super) fn read(text: &str, spelling: &Spelling) -> Vec<Word> {
    let chars: Vec<char> = text.chars().take(MAX_CHARS).collect();
    let mut words = Vec::with_capacity(chars.len() / 4);
    let mut pause = Pause::None;
    let mut typed = String::new();
    let mut index = 0;
    while let Some(&c) = chars.get(index) {
        typed.clear();
        while let Some(&inside) = chars.get(index)
            && is_inside(&chars, typed.is_empty(), index)
        {
            typed.push(inside);
            index += 1;
        }
        let word = if typed.is_empty() {
            index += 1;
            let sign = sign(c);
            pause = pause.max(pause_of(&chars, index - 1));
            sign
        } else {
            spelled(&typed, spelling)
        };
        if let Some(text) = word {
            if words.len() >= MAX_WORDS {
                break;
            }
            words.push(Word { text, pause });
            pause = if c == '?' { Pause::Full } else { Pause::None };
        }
    }
    words
}

/// Folds a word of a message, of a phrase or of a rule. The tilde of ñ goes too, because many
/// keyboards have none.
pub(super) fn normalise(word: &str) -> Option<String> {
    analysis::normalise(word).map(|word| {
        if word.contains('ñ') {
            word.replace('ñ', "n")
        } else {
            word
        }
    })
}

fn spelled(typed: &str, spelling: &Spelling) -> Option<String> {
    let word = normalise(typed)?;
    if is_laughter(&word) {
        return None;
    }
    Some(match spelling.right(&word) {
        Some(right) => right.to_owned(),
        None => word,
    })
}

fn is_laughter(word: &str) -> bool {
    let h_or_j = word.chars().filter(|c| matches!(c, 'j' | 'h')).count();
    word.len() >= LAUGHTER
        && word
            .chars()
            .all(|c| matches!(c, 'j' | 'a' | 'e' | 'i' | 'h'))
        && h_or_j >= 2
}

fn is_inside(chars: &[char], first: bool, index: usize) -> bool {
    let c = chars[index];
    let next = chars.get(index + 1);
    let before = index.checked_sub(1).and_then(|i| chars.get(i));
    match c {
        '\'' | '’' | '´' | '`' => !first && next.is_some_and(|next| next.is_alphabetic()),
        '.' | ',' | ':' => {
            !first
                && before.is_some_and(char::is_ascii_digit)
                && next.is_some_and(char::is_ascii_digit)
        }
        '\u{300}'..='\u{36f}' => !first,
        _ => c.is_alphanumeric(),
    }
}

/// The word that a single sign is.
fn sign(c: char) -> Option<String> {
    match c {
        '?' => Some("?".to_owned()),
        '$' | '€' => Some("pesos".to_owned()),
        '\u{2600}'..='\u{27bf}'
        | '\u{2b50}'
        | '\u{1f300}'..='\u{1f3fa}'
        | '\u{1f400}'..='\u{1faff}' => Some(c.to_string()),
        _ => None,
    }
}

fn pause_of(chars: &[char], index: usize) -> Pause {
    let dot = |index: Option<usize>| index.and_then(|i| chars.get(i)) == Some(&'.');
    match chars[index] {
        '.' if dot(index.checked_sub(1)) || dot(Some(index + 1)) => Pause::Short,
        '.' | '!' | '¿' | '¡' | '\n' | '\r' => Pause::Full,
        ',' | ';' | ':' | '…' | '(' | ')' | '-' | '–' | '—' => Pause::Short,
        _ => Pause::None,
    }
}
