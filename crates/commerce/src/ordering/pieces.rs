//! A text cut into the things that are ordered in it.

use super::corrections::{Correction, begins_in_the_middle, correction, takes_back};
use super::index::{Index, Said};
use super::manners::{is_and, is_filler, is_wish};
use super::quantity::{self, QuantityProblem};
use super::tokens::{Kind, Token, tokens};
use super::words::{is_small, unit};
use std::collections::HashMap;

/// Nobody orders more things in one message.
const MOST_PIECES: usize = 60;
/// How much of what was said is repeated in an answer.
const LONGEST_SAID: usize = 120;

/// What somebody said, with the words of the menu that each word may be.
pub(super) struct Utterance<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    said: Vec<Said>,
}

impl<'t> Utterance<'t> {
    pub(super) fn new(text: &'t str, index: &Index<'_>) -> Self {
        let tokens = tokens(text);
        // People repeat themselves, and a word is looked for in the whole menu.
        let mut known: HashMap<&str, Said> = HashMap::new();
        for token in &tokens {
            let word = token.word.as_str();
            known.entry(word).or_insert_with(|| index.said(word));
        }
        let words = tokens
            .iter()
            .map(|token| known[token.word.as_str()].clone());
        let said = words.collect();
        Self { text, tokens, said }
    }

    pub(super) fn words(&self, positions: &[usize]) -> Vec<&Said> {
        let words = positions.iter().filter_map(|at| self.said.get(*at));
        words.collect()
    }

    pub(super) fn word(&self, position: usize) -> &str {
        self.tokens
            .get(position)
            .map_or("", |token| token.word.as_str())
    }

    /// The positions of all words.
    pub(super) fn positions(&self) -> Vec<usize> {
        let positions = 0..self.tokens.len();
        positions
            .filter(|at| self.tokens[*at].kind == Kind::Word)
            .collect()
    }

    /// The text from the first word to the last, on one line.
    pub(super) fn text_of(&self, positions: &[usize]) -> String {
        let token = |at: Option<&usize>| at.and_then(|at| self.tokens.get(*at));
        let (Some(first), Some(last)) = (token(positions.first()), token(positions.last())) else {
            return String::new();
        };
        let text = self.text.get(first.start..last.end).unwrap_or_default();
        quipu_core::text::preview(text, LONGEST_SAID)
    }
}

/// One thing of an order, as positions of the words it is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// As it was said; one when nothing was.
    pub(super) quantity: Option<Result<u32, QuantityProblem>>,
    pub(super) words: Vec<usize>,
    /// Whether "de" comes first, as in "dos de pastor", so that what they are was said before.
    pub(super) of: bool,
    /// Whether a colon follows, so that it may be what the next ones are about.
    pub(super) colon: bool,
    /// Where the number stands, which is all there is when it has no words.
    pub(super) number: Option<usize>,
    /// Whether they come on top of what was said before: "otros 3".
    pub(super) more: bool,
    /// What it does to what was said before.
    pub(super) correction: Correction,
}

impl Piece {
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.quantity.is_none()
    }
}

/// Cuts a text at its signs, and where a number begins another thing. Names of the menu are not cut,
/// whatever stands in them.
pub(super) fn pieces(utterance: &Utterance<'_>, index: &Index<'_>) -> Vec<Piece> {
    let Utterance { tokens, said, .. } = utterance;
    let mut cutter = Cutter {
        pieces: Vec::new(),
        current: Piece::default(),
    };
    let mut at = 0;
    while at < tokens.len() && cutter.pieces.len() < MOST_PIECES {
        let name = name_at(tokens, said, index, at);
        if let Some(end) = name.filter(|end| !counts_longer_name(tokens, said, index, at, *end)) {
            let words = (at..end).filter(|word| tokens[*word].kind == Kind::Word);
            cutter.current.words.extend(words);
            at = end;
            continue;
        }
        at += match tokens[at].kind {
            Kind::Break => cutter.finish(),
            Kind::Colon => {
                cutter.current.colon = true;
                cutter.finish()
            }
            Kind::Word => cutter.word(tokens, at),
        };
    }
    cutter.finish();
    cutter.pieces
}

struct Cutter {
    pieces: Vec<Piece>,
    current: Piece,
}

impl Cutter {
    /// Ends the piece that is being read. It takes one token.
    fn finish(&mut self) -> usize {
        let piece = std::mem::take(&mut self.current);
        if piece.is_empty() {
            // "No, que sean 3": what was taken back is said next.
            self.current.correction = piece.correction.min(Correction::Number);
        } else if self.pieces.len() < MOST_PIECES {
            self.pieces.push(piece);
        }
        1
    }

    /// Takes the word at a position into the piece, and says how many tokens that were.
    fn word(&mut self, tokens: &[Token], at: usize) -> usize {
        let ahead = words_ahead(tokens, at);
        let Some(word) = ahead.first().copied() else {
            return 1;
        };
        let begun = !self.current.words.is_empty();
        if is_and(word) {
            if !begun {
                self.current.correction = Correction::Nothing;
                return 1;
            }
            if begins_another(&ahead[1..]) {
                return self.finish();
            }
            self.current.words.push(at);
            return 1;
        }
        let last = at + 1 == tokens.len();
        if begun && (begins_in_the_middle(&ahead) || (ahead == ["no"] && !last)) {
            self.finish();
        }
        let begun = !self.current.words.is_empty();
        if !begun && !last && takes_back(&ahead) {
            self.corrects(Correction::Number);
            return 1;
        }
        if let Some(counted) = quantity::read(&ahead)
            && let Some(taken) = self.number(tokens, at, &ahead, counted)
        {
            return taken;
        }
        if !begun {
            match word {
                "de" | "del" | "of" => {
                    self.current.of = true;
                    return 1;
                }
                _ if is_filler(word) && !is_wish(&ahead) => {
                    self.corrects(correction(word));
                    return 1;
                }
                _ => {}
            }
        }
        self.current.words.push(at);
        1
    }

    fn corrects(&mut self, correction: Correction) {
        self.current.correction = self.current.correction.max(correction);
    }

    /// Takes a number, unless it is a part of what is being named.
    fn number(
        &mut self,
        tokens: &[Token],
        at: usize,
        ahead: &[&str],
        counted: quantity::Counted,
    ) -> Option<usize> {
        let behind = &ahead[counted.words..];
        if self.current.words.is_empty() {
            // "600 ml de agua" are not six hundred of anything.
            let measured = counted.quantity == Err(QuantityProblem::TooMany)
                && behind.first().is_some_and(|word| is_unit(word));
            if self.current.quantity.is_some() || measured {
                return None;
            }
            self.count(at, counted);
            return Some(counted.words);
        }
        if counted.trailing {
            if self.current.quantity.is_some() {
                return None;
            }
            self.current.quantity = Some(counted.quantity);
            return Some(counted.words);
        }
        if counted.bare && self.current.quantity.is_none() && counts_behind(tokens, at) {
            self.current.quantity = Some(counted.quantity);
            self.finish();
            return Some(counted.words);
        }
        let before = at.checked_sub(1).map(|before| tokens[before].word.as_str());
        let belongs = before.is_some_and(is_preposition)
            || counted.quantity == Err(QuantityProblem::NotPositive)
            || !counted.more
                && behind
                    .first()
                    .is_none_or(|word| is_unit(word) || is_and(word))
            || matches!(
                ahead,
                ["un" | "a", "poco" | "poquito" | "little" | "bit", ..]
            );
        if belongs {
            return None;
        }
        self.finish();
        self.count(at, counted);
        Some(counted.words)
    }

    fn count(&mut self, at: usize, counted: quantity::Counted) {
        self.current.quantity = Some(counted.quantity);
        self.current.number = Some(at);
        self.current.more = counted.more;
    }
}

/// The words from here to the next sign.
fn words_ahead(tokens: &[Token], at: usize) -> Vec<&str> {
    let words = tokens[at..].iter().take(8);
    let words = words.take_while(|token| token.kind == Kind::Word);
    words.map(|token| token.word.as_str()).collect()
}

/// Whether numbers stand behind what they count, as in "pastor 5 suadero 3": the words between two
/// signs begin with none and end with one, and it is not the only one.
fn counts_behind(tokens: &[Token], at: usize) -> bool {
    let is_word = |token: &&Token| token.kind == Kind::Word;
    let before: Vec<&Token> = tokens[..at].iter().rev().take_while(is_word).collect();
    let behind: Vec<&Token> = tokens[at..].iter().take_while(is_word).collect();
    let is_number = |token: &&Token| {
        let counted = quantity::read(&[token.word.as_str()]);
        counted.is_some_and(|counted| counted.bare && counted.quantity.is_ok())
    };
    let begins = before.iter().rev().find(|token| !is_filler(&token.word));
    let others = before.iter().chain(&behind[1..]).copied();
    begins.is_some_and(|first| quantity::read(&[first.word.as_str()]).is_none())
        && behind.last().is_some_and(is_number)
        && others.filter(is_number).count() > 0
        && !behind
            .iter()
            .skip(1)
            .any(|token| is_unit(&token.word) || is_and(&token.word))
}

fn begins_another(ahead: &[&str]) -> bool {
    let ahead = match ahead {
        [word, rest @ ..] if is_filler(word) => rest,
        _ => ahead,
    };
    quantity::read(ahead).is_some_and(|counted| !counted.trailing)
}

/// Whether the name from here to the end begins with a number that rather counts another name,
/// which goes on for longer: two of the "tacos dorados" and not the "2 tacos".
fn counts_longer_name(
    tokens: &[Token],
    said: &[Said],
    index: &Index<'_>,
    at: usize,
    end: usize,
) -> bool {
    let counted = quantity::read(&words_ahead(tokens, at));
    let counted = counted.filter(|counted| at + counted.words < end);
    let other = counted.and_then(|counted| name_at(tokens, said, index, at + counted.words));
    other.is_some_and(|other| other > end)
}

/// Where a name ends that begins here and is written as on the menu.
fn name_at(tokens: &[Token], said: &[Said], index: &Index<'_>, at: usize) -> Option<usize> {
    if tokens[at].kind != Kind::Word {
        return None;
    }
    // A name of one word is only kept from being taken for good manners.
    let word = tokens[at].word.as_str();
    let protected = is_filler(word) && !is_small(word);
    let labels = index.beginning_with(&said[at]).into_iter();
    let labels = labels.filter(|label| match label.sequence.as_slice() {
        [one] => protected && one == word,
        _ => label.spelled,
    });
    let ends = labels.filter_map(|label| {
        let mut next = at;
        for known in &label.sequence {
            while label.has_signs && tokens.get(next)?.kind != Kind::Word {
                next += 1;
            }
            let is_word = tokens.get(next)?.kind == Kind::Word;
            if !is_word || !index.is_form_of(&said[next], known) {
                return None;
            }
            next += 1;
        }
        Some(next)
    });
    ends.max()
}

/// Words after which a number belongs to what is being named: "de 2 litros", "para 4 personas".
pub(super) fn is_preposition(word: &str) -> bool {
    matches!(
        word,
        "a" | "con" | "de" | "del" | "en" | "for" | "of" | "para" | "por" | "sin" | "with"
    )
}

/// Whether a number before the word measures something instead of counting it.
fn is_unit(word: &str) -> bool {
    unit(word).is_some() || matches!(word, "persona" | "personas" | "people" | "pulgadas")
}
