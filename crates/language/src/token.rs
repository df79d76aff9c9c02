//! Cutting a text into words, numbers and signs, with numbers in words read as numbers.

use crate::vocabulary::{WordKinds, look_up};
use quipu_core::text::fold;

/// How much of a text is read. Answers are far shorter, and documents are passages.
const MOST_BYTES: usize = 64 * 1024;

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A word, folded.
    Word(String),
    /// A number, in hundredths.
    Number(i64),
    /// Hours and minutes, and whether the hour is written with two digits.
    Clock {
        hour: u16,
        minute: u16,
        padded: bool,
    },
    Sign(char),
    /// The end of a line, which ends whatever was being said.
    Break,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    pub kind: Kind,
    /// Whether the word begins with a capital letter, as names do.
    pub capital: bool,
    /// Whether its last letter has an accent, which tells "avisé" from "avise".
    pub stressed: bool,
    /// How many digits a number was written with; none for one in words.
    pub digits: usize,
    /// What is known of the word.
    known: WordKinds,
}

impl Token {
    /// The word, folded.
    #[must_use]
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Whether it is a word of this kind.
    #[must_use]
    pub fn is_a(&self, kind: u16) -> bool {
        self.known.kinds & kind != 0
    }

    #[must_use]
    pub fn is_one_of(&self, words: &[&str]) -> bool {
        self.word().is_some_and(|word| words.contains(&word))
    }

    #[must_use]
    pub fn is_sign(&self, sign: char) -> bool {
        self.kind == Kind::Sign(sign)
    }

    /// The number, in hundredths.
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        match self.kind {
            Kind::Number(number) => Some(number),
            _ => None,
        }
    }
}

/// Cuts a text.
#[must_use]
pub fn cut(text: &str) -> Vec<Token> {
    let mut end = text.len().min(MOST_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    join(&raw(&text[..end]))
}

fn raw(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = if first.is_ascii_digit() {
            let (token, len) = number(rest);
            tokens.push(token);
            len
        } else if first.is_alphabetic() {
            let not_letter = |c: char| !(c.is_alphabetic() || is_mark(c));
            let len = rest.find(not_letter).unwrap_or(rest.len());
            let word = fold(&rest[..len]);
            tokens.push(Token {
                known: look_up(&word),
                kind: Kind::Word(word),
                capital: first.is_uppercase(),
                stressed: is_stressed(&rest[..len]),
                digits: 0,
            });
            len
        } else {
            if first == '\n' {
                tokens.push(sign(Kind::Break));
            } else if !first.is_whitespace() {
                tokens.push(sign(Kind::Sign(first)));
            }
            first.len_utf8()
        };
        rest = &rest[len..];
    }
    tokens
}

fn is_stressed(word: &str) -> bool {
    let mut letters = word.chars().rev();
    letters
        .next()
        .is_some_and(|last| last == '\u{301}' || "áéíóúÁÉÍÓÚ".contains(last))
}

fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

fn sign(kind: Kind) -> Token {
    Token {
        kind,
        capital: false,
        stressed: false,
        digits: 0,
        known: WordKinds::default(),
    }
}

/// Reads a number at the start of a text: "1,200.50", "1.200,50", "4100", "17:00", "1 200".
fn number(text: &str) -> (Token, usize) {
    let bytes = text.as_bytes();
    let digits_at = |from: usize| {
        let digits = bytes[from..].iter().take_while(|b| b.is_ascii_digit());
        digits.count()
    };
    let first = digits_at(0);
    if first <= 2 && bytes.get(first) == Some(&b':') && digits_at(first + 1) == 2 {
        let hour = text[..first].parse().unwrap_or(u16::MAX);
        let minute = text[first + 1..first + 3].parse().unwrap_or(u16::MAX);
        if hour < 25 && minute < 60 {
            let kind = Kind::Clock {
                hour: hour % 24,
                minute,
                padded: first == 2,
            };
            // Seconds say nothing that anybody promises.
            let mut len = first + 3;
            if bytes.get(len) == Some(&b':') && digits_at(len + 1) == 2 {
                len += 3;
            }
            return (
                Token {
                    kind,
                    capital: false,
                    stressed: false,
                    digits: first + 2,
                    known: WordKinds::default(),
                },
                len,
            );
        }
    }
    let mut groups = vec![&text[..first]];
    let mut separators = Vec::new();
    let mut len = first;
    while let Some(separator @ (b'.' | b',')) = bytes.get(len).copied() {
        let digits = digits_at(len + 1);
        if digits == 0 {
            break;
        }
        separators.push(separator);
        groups.push(&text[len + 1..=len + digits]);
        len += 1 + digits;
    }
    let token = Token {
        kind: Kind::Number(hundredths(&groups, &separators)),
        capital: false,
        stressed: false,
        digits: groups.iter().map(|group| group.len()).sum(),
        known: WordKinds::default(),
    };
    (token, len)
}

/// The last separator is a decimal one unless three digits follow it, as they do in thousands.
fn hundredths(groups: &[&str], separators: &[u8]) -> i64 {
    let last = groups.len() - 1;
    let mixed = separators.len() > 1 && separators.first() != separators.last();
    let decimal = last > 0
        && (mixed || separators.len() == 1)
        && (groups[last].len() != 3 || groups[0] == "0");
    let (whole, fraction) = if decimal {
        (&groups[..last], groups[last])
    } else {
        (groups, "")
    };
    let whole: String = whole.concat();
    let whole: i64 = whole.parse().unwrap_or(i64::MAX / 1_000);
    let mut cents: String = fraction.chars().take(2).collect();
    while cents.len() < 2 {
        cents.push('0');
    }
    whole
        .saturating_mul(100)
        .saturating_add(cents.parse().unwrap_or(0))
}

/// Puts numbers in words together: "ciento veinte", "mil doscientos", "10 mil".
fn join(tokens: &[Token]) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let (value, taken) = run(&tokens[at..]);
        if taken == 0 {
            joined.push(tokens[at].clone());
            at += 1;
        } else {
            let digits = tokens[at].digits;
            joined.push(Token {
                kind: Kind::Number(value),
                capital: false,
                stressed: false,
                digits,
                known: WordKinds::default(),
            });
            at += taken;
        }
    }
    joined
}

/// The number that begins here, in hundredths, and how many tokens it takes; none when there is
/// none. A lone "un" is an article more often than a number, so it stays a word.
fn run(tokens: &[Token]) -> (i64, usize) {
    let (mut total, mut part, mut taken) = (0_i64, 0_i64, 0_usize);
    let mut previous = i64::MAX;
    let mut only_article = true;
    if let Some(number) = tokens[0].number() {
        let scale = tokens.get(1).and_then(|next| next.known.scale());
        return match scale {
            Some(scale) => (number.saturating_mul(scale), 2),
            None => (0, 0),
        };
    }
    while let Some(token) = tokens.get(taken)
        && let Some(word) = token.word()
    {
        if let Some(value) = token.known.small() {
            // "Dos tres" is two numbers, "treinta y dos" and "ciento veinte" are one.
            if value >= previous || (previous < 30 && previous != i64::MAX) {
                break;
            }
            part = part.saturating_add(value);
            previous = value;
            only_article &= matches!(word, "un" | "uno" | "una" | "one");
            taken += 1;
        } else if let Some(scale) = token.known.scale() {
            total = total.saturating_add(part.max(1).saturating_mul(scale));
            (part, previous, only_article) = (0, i64::MAX, false);
            taken += 1;
        } else if word == "hundred" && part > 0 {
            part *= 100;
            (previous, only_article) = (100, false);
            taken += 1;
        } else if matches!(word, "y" | "and")
            && taken > 0
            && previous >= 30
            && tokens
                .get(taken + 1)
                .and_then(|next| next.known.small())
                .is_some_and(|value| value < previous)
        {
            taken += 1;
        } else {
            break;
        }
    }
    if taken == 0 || (only_article && taken == 1) {
        return (0, 0);
    }
    (total.saturating_add(part).saturating_mul(100), taken)
}
