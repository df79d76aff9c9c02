//! A sentence cut into clauses, and what is told in each of them as a fact.

use super::vocabulary::Vocabulary;
use crate::facts::token::{Kind, Token};

/// A word or number and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spoken<'a> {
    pub(super) token: &'a Token,
    /// The number of its clause.
    pub(super) clause: usize,
    /// Its place among the words of the clause.
    pub(super) place: usize,
    /// It is part of a question.
    pub(super) asked: bool,
}

impl<'a> Spoken<'a> {
    /// Its letters; nothing for a number.
    pub(super) fn word(self) -> &'a str {
        self.token.word().unwrap_or_default()
    }

    /// Whether what follows it only happens in some case. The English "once" is read as the Spanish eleven.
    fn depends(self) -> bool {
        let once = self.token.number() == Some(1_100) && self.token.digits == 0;
        once || self.is("depends")
    }

    /// Whether it is a word of a list. "Sí" is none that "si" is.
    pub(super) fn is(self, list: &str) -> bool {
        let word = self.word();
        !(word == "si" && self.token.stressed) && Vocabulary::get().is(list, word)
    }
}

pub(super) struct Clauses<'a> {
    pub(super) words: Vec<Spoken<'a>>,
    pub(super) tokens: &'a [Token],
}

impl<'a> Clauses<'a> {
    pub(super) fn of(tokens: &'a [Token]) -> Self {
        let (mut words, mut clause, mut place) = (Vec::new(), 0, 0);
        let mut asked = asks_from_here(tokens);
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                // An apostrophe is inside of a word, and a quote says nothing about clauses.
                Kind::Sign('\'' | '’' | '"' | '%' | '$' | '/' | '*' | '_' | '-') => {}
                Kind::Sign('¿') => {
                    (clause, place, asked) = (clause + 1, 0, true);
                }
                Kind::Sign('?' | '.' | '!' | '…') | Kind::Break => {
                    (clause, place) = (clause + 1, 0);
                    asked = asks_from_here(&tokens[at + 1..]);
                }
                Kind::Sign(_) => (clause, place) = (clause + 1, 0),
                Kind::Word(_) | Kind::Number(_) | Kind::Clock { .. } => {
                    words.push(Spoken {
                        token,
                        clause,
                        place,
                        asked,
                    });
                    place += 1;
                }
            }
        }
        Self { words, tokens }
    }

    /// The words of the clause before a place, the nearest first.
    pub(super) fn before(&self, at: usize) -> impl Iterator<Item = Spoken<'a>> {
        let clause = self.words[at].clause;
        let before = self.words[..at].iter().rev().copied();
        before.take_while(move |word| word.clause == clause)
    }

    pub(super) fn of_clause(&self, clause: usize) -> impl Iterator<Item = Spoken<'a>> {
        let words = self.words.iter().copied();
        words.filter(move |word| word.clause == clause)
    }

    /// Whether what is said at a place is told as a fact, as far as the words before it say: no question, no
    /// condition, nothing that somebody else says.
    pub(super) fn is_stated(&self, at: usize) -> bool {
        let here = self.words[at];
        let depends = self.before(at).any(Spoken::depends);
        // "Si pagas hoy, tu cita queda lista."
        let mut earlier = self.words[..at].iter();
        let in_case =
            earlier.any(|word| matches!(word.word(), "si" | "if") && !word.token.stressed);
        let reported = self.words[..at].iter().any(|word| word.is("reported"));
        !here.asked && !depends && !in_case && !reported
    }

    /// Whether the sentence names a condition anywhere.
    pub(super) fn has_condition(&self) -> bool {
        self.words.iter().any(|word| word.depends())
    }

    /// Whether a clause says that something is not so.
    pub(super) fn is_denied(&self, clause: usize) -> bool {
        let mut words = self.of_clause(clause);
        words.any(|word| word.is("not") || word.word() == "ningun" || word.word() == "ninguna")
    }
}

/// Whether the sentence that begins here ends as a question without having been opened as one.
fn asks_from_here(tokens: &[Token]) -> bool {
    let ends = |kind: &Kind| matches!(kind, Kind::Sign('.' | '!' | '?' | '…' | '¿') | Kind::Break);
    let end = tokens.iter().find(|token| ends(&token.kind));
    end.is_some_and(|token| token.is_sign('?'))
}
