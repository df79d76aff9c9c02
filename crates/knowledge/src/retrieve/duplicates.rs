//! Passages that say the same in almost the same words.
//!
//! Two texts are alike when they differ only in spacing, case, accents and punctuation, or when
//! they share nine tenths of their runs of three words. Rows of a price list and pages of two branches
//! share as much and say something else, so whatever tells them apart must be the same in both:
//! all words but those that say nothing, and in the same order numbers, signs, names, and the words
//! that turn a sentence into another. It is better to show
//! something twice than to leave out the one price that was asked for.

use quipu_core::analysis::terms;
use quipu_core::language::Language;
use quipu_core::memo::Memo;
use quipu_core::quick::QuickSet;
use quipu_core::text::fold;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, LazyLock, OnceLock};

/// Words in a row that are compared.
const RUN: usize = 3;
/// What two texts must share of all their runs, in tenths.
const ALIKE_TENTHS: usize = 9;
/// A text of more words is like no other: comparing it would take too long.
const MOST_WORDS: usize = 4_000;

/// How many texts are known again, and how long one of them may be: some megabytes in all.
const MOST_TAKEN: usize = 2_048;
const LONGEST_TAKEN: usize = 8 * 1024;

/// What is compared of a text. Few texts are told apart by more than the words that tell them apart,
/// so the rest is worked out for those alone.
#[derive(Debug)]
pub(super) struct Fingerprint {
    /// Its words in order. Empty for a text with too many.
    words: Vec<u64>,
    /// Those that tell it apart, in order.
    telling: u64,
    rest: OnceLock<Rest>,
}

#[derive(Debug)]
struct Rest {
    /// The words that say something, each once, in no order.
    content: u64,
    /// Every run of words once, sorted.
    runs: Vec<u64>,
}

impl Fingerprint {
    /// Texts are found again and again, and cutting one into words takes longer than knowing it again.
    pub(super) fn of(text: &str) -> Arc<Self> {
        static TAKEN: LazyLock<Memo<Arc<Fingerprint>>> = LazyLock::new(|| Memo::new(MOST_TAKEN));
        if text.len() > LONGEST_TAKEN {
            return Arc::new(Self::take(text));
        }
        TAKEN.of(text, || Arc::new(Self::take(text)))
    }

    fn take(text: &str) -> Self {
        let mut words = Vec::new();
        let mut telling = DefaultHasher::new();
        for token in Tokens::of(text).take(MOST_WORDS + 1) {
            if token.telling {
                token.text.hash(&mut telling);
            }
            words.push(hash(&token.text));
        }
        if words.len() > MOST_WORDS {
            words.clear();
        }
        Self {
            words,
            telling: telling.finish(),
            rest: OnceLock::new(),
        }
    }

    /// Whether this text, which is given again, says the same as another one.
    pub(super) fn is_like(&self, text: &str, other: &Self, other_text: &str) -> bool {
        if self.words.is_empty() {
            return false;
        }
        if self.words == other.words {
            return true;
        }
        if self.telling != other.telling {
            return false;
        }
        let (one, two) = (self.rest(text), other.rest(other_text));
        if one.content != two.content {
            return false;
        }
        // Sizes alone may say that they cannot share enough.
        let (fewer, more) = {
            let (a, b) = (one.runs.len(), two.runs.len());
            (a.min(b), a.max(b))
        };
        if fewer * 10 < more * ALIKE_TENTHS {
            return false;
        }
        let shared = shared(&one.runs, &two.runs);
        let all = fewer + more - shared;
        shared * 10 >= all * ALIKE_TENTHS
    }

    fn rest(&self, text: &str) -> &Rest {
        self.rest.get_or_init(|| {
            let mut runs: Vec<u64> = if self.words.len() < RUN {
                self.words.iter().map(hash).collect()
            } else {
                self.words.windows(RUN).map(hash).collect()
            };
            runs.sort_unstable();
            runs.dedup();
            // Whose language it is matters little: words that say nothing are known in both.
            let mut content = terms(text, Language::Es);
            content.sort_unstable();
            content.dedup();
            Rest {
                content: hash(&content),
                runs,
            }
        })
    }
}

/// How many numbers two sorted lists have in common.
fn shared(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        shared += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    shared
}

fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A word or a sign.
struct Token {
    text: String,
    telling: bool,
}

/// Reads a text word by word.
struct Tokens<'a> {
    rest: &'a str,
    before: Option<char>,
    /// The next word begins a sentence, so its capital letter says nothing.
    begins: bool,
}

impl<'a> Tokens<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            rest: text,
            before: None,
            begins: true,
        }
    }

    fn word(&mut self) -> Token {
        let (word, rest) = self.rest.split_at(word_end(self.rest));
        self.rest = rest;
        self.before = word.chars().next_back();
        let named = word.starts_with(char::is_uppercase) && !self.begins;
        self.begins = false;
        let text = fold(word);
        let telling = named || text.contains(char::is_numeric) || TURNING.contains(text.as_str());
        Token { text, telling }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let c = self.rest.chars().next()?;
            if c.is_alphanumeric() {
                return Some(self.word());
            }
            let before = self.before.replace(c);
            self.rest = &self.rest[c.len_utf8()..];
            let minus = c == '-'
                && !before.is_some_and(char::is_alphanumeric)
                && self.rest.starts_with(char::is_numeric);
            self.begins |= matches!(c, '.' | '!' | '?' | '¿' | '¡' | ':' | '•' | '|' | '\n');
            if minus || !(c.is_whitespace() || c.is_control() || is_punctuation(c)) {
                let text = c.to_string();
                return Some(Token {
                    text,
                    telling: true,
                });
            }
        }
    }
}

/// Where a word ends. Points, commas and the like between digits are part of a number.
fn word_end(text: &str) -> usize {
    let mut digit = false;
    for (at, c) in text.char_indices() {
        let within = c.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&c);
        let joins = digit && matches!(c, '.' | ',' | ':' | '/' | '-' | '\'');
        let next = text[at + c.len_utf8()..].chars().next();
        if !(within || joins && next.is_some_and(char::is_numeric)) {
            return at;
        }
        digit = c.is_numeric();
    }
    text.len()
}

/// What may be written otherwise without saying otherwise. A question mark is not: "¿Abren los
/// domingos?" does not say that they do.
fn is_punctuation(c: char) -> bool {
    const MARKS: &str = ".,;:!¡¿\"'«»“”‘’()[]{}-–—•·|*_#`…/\\\u{ad}\u{200b}\u{feff}";
    MARKS.contains(c)
}

/// Words that make another statement when one stands for another: yes or no, how many, when.
static TURNING: LazyLock<QuickSet<&str>> = LazyLock::new(|| {
    const NEGATIONS: &str = "no ni nunca jamas sin con tampoco nadie nada ningun ninguno ninguna \
        excepto salvo not never without with none nobody nothing except cannot";
    const AMOUNTS: &str = "un una uno dos tres cuatro cinco seis siete ocho nueve diez once doce \
        quince veinte treinta cien mil medio media doble mas menos maximo minimo solo todo todos \
        toda todas one two three four five six seven eight nine ten twelve twenty thirty hundred \
        half double more less maximum minimum only all";
    const TIMES: &str = "lunes martes miercoles jueves viernes sabado domingo sabados domingos \
        enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre \
        diciembre dia dias semana semanas mes meses hora horas minuto minutos antes despues \
        mañana tarde noche day days week weeks month months year years hour hours minute minutes \
        before after morning afternoon evening night";
    let lists = [NEGATIONS, AMOUNTS, TIMES].into_iter();
    lists.flat_map(str::split_ascii_whitespace).collect()
});

#[cfg(test)]
mod tests;
