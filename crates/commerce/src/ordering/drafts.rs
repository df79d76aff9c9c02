//! Pieces of a text put together into lines that may still change with what is said next.

use super::corrections::Correction;
use super::index::Index;
use super::manners::{
    is_and, is_chatter, is_closing, is_filler, is_ingredients, is_wish, is_without,
};
use super::matching::{self, Found, Meaning};
use super::options::choices_in;
use super::pieces::{Piece, Utterance, is_preposition};
use super::quantity::{self, QuantityProblem};
use super::words::is_small;
use std::cell::RefCell;
use std::collections::HashMap;

/// Nobody orders more at once.
pub(super) const MOST_LINES: usize = 50;
/// How many things joined by "y" may be one: "torta de jamón y queso".
const MOST_JOINED: usize = 3;
/// In how many places a name may end and a wish begin.
const MOST_CUTS: usize = 6;

/// What some words were found to mean, and how many of them are the name.
pub(super) struct Attempt {
    pub(super) found: Found,
    pub(super) name: usize,
}

/// A line that may still change with what is said next.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) quantity: Option<Result<u32, QuantityProblem>>,
    /// Words said before that say what kind of thing it is.
    pub(super) kind_of: Vec<usize>,
    /// The words that name the item.
    pub(super) name: Vec<usize>,
    /// What was said about it afterwards.
    pub(super) tails: Vec<Vec<usize>>,
    pub(super) found: Found,
    pub(super) by_id: bool,
    /// Whether a colon follows it.
    pub(super) colon: bool,
    /// Whether something that was said later stands in its place.
    pub(super) withdrawn: bool,
    /// The draft that it is a share of: "3 tacos, uno sin cebolla".
    pub(super) share_of: Option<usize>,
    /// How many were said to be of this kind: "tacos: dos de pastor y tres de suadero" are five.
    pub(super) heads: Option<u32>,
}

/// What the next things may be kinds of.
#[derive(Clone)]
struct Head {
    words: Vec<usize>,
    /// The draft it was read into, if it may turn out to be no line of its own.
    draft: Option<usize>,
    colon: bool,
}

pub(super) struct Reader<'i, 'a, 't> {
    pub(super) index: &'i Index<'a>,
    pub(super) utterance: &'i Utterance<'t>,
    pub(super) drafts: Vec<Draft>,
    head: Option<Head>,
    found: RefCell<HashMap<Vec<&'i str>, Meaning>>,
}

impl<'i, 'a, 't> Reader<'i, 'a, 't> {
    pub(super) fn new(index: &'i Index<'a>, utterance: &'i Utterance<'t>) -> Self {
        Self {
            index,
            utterance,
            drafts: Vec::new(),
            head: None,
            found: RefCell::default(),
        }
    }

    /// Takes a piece, which may be several things joined by "y" or "con".
    pub(super) fn take(&mut self, piece: Piece) {
        if let Some((first, second)) = self.alongside(&piece) {
            if !first.words.is_empty() {
                self.take(first);
            }
            self.take(second);
            return;
        }
        let mut piece = piece;
        while let Some(rest) = self.take_first(&mut piece) {
            piece = Piece {
                words: rest,
                colon: piece.colon,
                ..Piece::default()
            };
        }
    }

    /// Takes the first thing of a piece and returns the words that are left.
    fn take_first(&mut self, piece: &mut Piece) -> Option<Vec<usize>> {
        self.without_manners(&mut piece.words);
        if piece.words.is_empty() {
            match piece.correction {
                Correction::Nothing if piece.more => self.more_of_the_same(piece),
                Correction::Nothing => self.number_alone(piece),
                _ => self.correct_number(piece),
            }
            return None;
        }
        if self.drafts.len() >= MOST_LINES
            || self.is_share(piece)
            || self.more_in_another_way(piece)
            || self.is_about_the_last(piece)
        {
            return None;
        }
        let ands: Vec<usize> = (0..piece.words.len())
            .filter(|at| is_and(self.utterance.word(piece.words[*at])))
            .chain([piece.words.len()])
            .collect();
        let ends = ands.iter().take(MOST_JOINED).rev().copied();
        let end = ends
            .clone()
            .find(|end| self.is_one_thing(piece, *end))
            .or_else(|| ends.last())
            .unwrap_or(piece.words.len());
        let rest = piece.words.get(end + 1..).map(<[usize]>::to_vec);
        let colon = piece.colon && rest.is_none();
        piece.words.truncate(end);
        self.draft(piece, colon);
        self.correct_thing(piece.correction);
        rest
    }

    /// Drops what is only good manners from both ends.
    fn without_manners(&self, words: &mut Vec<usize>) {
        if self.find(words).whole {
            return;
        }
        let word = |at: &usize| self.utterance.word(*at);
        if words
            .iter()
            .all(|at| is_chatter(word(at)) || is_and(word(at)))
        {
            words.clear();
        }
        while words.last().is_some_and(|at| is_closing(word(at))) {
            words.pop();
        }
        let polite = words.iter().take_while(|at| is_filler(word(at))).count();
        if !self.is_wish(words) {
            words.drain(..polite);
        }
    }

    pub(super) fn is_wish(&self, words: &[usize]) -> bool {
        let words: Vec<&str> = words.iter().map(|at| self.utterance.word(*at)).collect();
        is_wish(&words)
    }

    /// "tacos al pastor: 3" and "tacos al pastor (3)". A number that counts nothing is no line,
    /// unless there is no such number.
    fn number_alone(&mut self, piece: &Piece) {
        let Some(quantity) = piece.quantity else {
            return;
        };
        match self.drafts.last_mut() {
            Some(last) if last.quantity.is_none() && last.heads.is_none() => {
                last.quantity = Some(quantity);
                last.colon = false;
            }
            _ if quantity.is_err() => self.drafts.push(Draft {
                quantity: Some(quantity),
                name: piece.number.into_iter().collect(),
                ..Draft::default()
            }),
            _ => {}
        }
    }

    /// Whether the piece only says how the last thing is wanted: ", sin cebolla", ", grande". It is
    /// kept with that thing then.
    fn is_about_the_last(&mut self, piece: &Piece) -> bool {
        let words = self.utterance.words(&piece.words);
        let Some(last) = self.drafts.last() else {
            return false;
        };
        let counted_before = piece.quantity.is_some() && last.quantity.is_some();
        if counted_before || piece.of || self.find(&piece.words).whole {
            return false;
        }
        let is_choice = match last.found {
            Found::One(entry) if piece.quantity.is_none() => {
                let (chosen, left) = choices_in(&self.index.entries[entry], &words);
                left.is_empty() && !chosen.is_empty()
            }
            _ => false,
        };
        if piece.quantity.is_none() && self.goes_on_without(last, &piece.words) {
            if let Some(tail) = self
                .drafts
                .last_mut()
                .and_then(|last| last.tails.last_mut())
            {
                tail.extend(&piece.words);
            }
            return true;
        }
        if !is_choice && !self.is_wish(&piece.words) {
            return false;
        }
        if let Some(last) = self.drafts.last_mut() {
            last.quantity = last.quantity.or(piece.quantity);
            last.tails.push(piece.words.clone());
        }
        true
    }

    /// Whether the words go on with what the last thing is wanted without: "sin cebolla, cilantro y
    /// piña".
    fn goes_on_without(&self, last: &Draft, words: &[usize]) -> bool {
        let tail = last.tails.last().map(Vec::as_slice).unwrap_or_default();
        let wish = (0..tail.len()).rfind(|at| self.is_wish(&tail[*at..]));
        let without = wish.is_some_and(|at| is_without(self.utterance.word(tail[at])));
        let words: Vec<&str> = words.iter().map(|at| self.utterance.word(*at)).collect();
        without && is_ingredients(&words)
    }

    /// Whether the words up to here are one thing with what is wanted about it.
    fn is_one_thing(&self, piece: &Piece, end: usize) -> bool {
        let words = &piece.words[..end];
        let attempt = self.attempt(words);
        let Found::One(entry) = attempt.found else {
            return attempt.found != Found::Nothing && attempt.name == words.len();
        };
        // What comes after "y" is another thing when the menu has it, unless it is a choice.
        let tail = &words[attempt.name..];
        let mut parts = tail.split(|at| is_and(self.utterance.word(*at))).skip(1);
        parts.all(|part| {
            let said = self.utterance.words(part);
            let (chosen, left) = choices_in(&self.index.entries[entry], &said);
            let is_choice = left.is_empty() && !chosen.is_empty();
            is_choice || self.is_wish(part) || !self.find(part).whole
        })
    }

    /// Finds what the words name, giving up one wish after another from the end.
    pub(super) fn attempt(&self, words: &[usize]) -> Attempt {
        // "con poco hielo" begins with its first word.
        let begins = |at: &usize| self.is_wish(&words[*at..]) && !self.is_wish(&words[at - 1..]);
        let wishes = (1..words.len()).filter(begins);
        let wishes: Vec<usize> = wishes.collect();
        let cuts = wishes.iter().rev().copied().take(MOST_CUTS);
        for name in std::iter::once(words.len()).chain(cuts) {
            let found = self.find(&words[..name]).found;
            if found != Found::Nothing {
                return Attempt { found, name };
            }
        }
        Attempt {
            found: Found::Nothing,
            name: wishes.first().copied().unwrap_or(words.len()),
        }
    }

    /// Finds what the words name. People repeat themselves, so what was found is remembered.
    fn find(&self, words: &[usize]) -> Meaning {
        let said = self.utterance.words(words);
        let key: Vec<&str> = said.iter().map(|word| word.folded.as_str()).collect();
        if let Some(found) = self.found.borrow().get(&key) {
            return found.clone();
        }
        let found = matching::find(self.index, &said);
        self.found.borrow_mut().insert(key, found.clone());
        found
    }

    /// Reads one thing, as a kind of what was named before it where that makes sense.
    fn draft(&mut self, piece: &Piece, colon: bool) {
        let mut quantity = piece.quantity;
        let mut words = piece.words.clone();
        let mut alone = self.attempt(&words);
        if alone.found == Found::Nothing
            && quantity.is_none()
            && let Some((number, rest)) = self.number_beside(&words)
        {
            quantity = Some(number);
            words = rest;
            alone = self.attempt(&words);
        }
        if quantity.is_none()
            && let Some(number) = self.number_at_the_end(&words[alone.name..])
        {
            quantity = Some(number);
            words.pop();
        }
        // "Cinco de asada" is a filling that the menu lacks, and not the grilled onions.
        if piece.of && self.is_said_of_another(&alone, &words) {
            alone.found = Found::Nothing;
        }
        let head = self.head.clone().filter(|_| !colon);
        let as_kind = head.as_ref().map(|head| {
            let joined: Vec<usize> = head.words.iter().chain(&words).copied().collect();
            (self.attempt(&joined), head.words.len())
        });
        let kind = as_kind.filter(|(attempt, length)| attempt.name > *length);
        let kind = kind.filter(|(attempt, _)| match (&attempt.found, &alone.found) {
            (Found::Nothing, _) => false,
            // "3 de suadero y una gringa" are two things.
            (Found::One(_), Found::One(_)) if !piece.of => {
                head.as_ref().is_some_and(|head| head.colon)
            }
            (found, other) if found == other => true,
            (_, _) if piece.of => true,
            (Found::One(_), Found::One(_)) | (Found::Several(_), _) => false,
            (Found::One(_), _) => head.as_ref().is_some_and(|head| head.colon),
        });
        let (found, name, kind_of) = if let Some((attempt, length)) = kind {
            self.count_as_kind(quantity);
            let kind_of = head.map(|head| head.words).unwrap_or_default();
            (attempt.found, attempt.name - length, kind_of)
        } else {
            self.head = Some(self.head_of(&words[..alone.name], &alone.found, colon));
            (alone.found, alone.name, Vec::new())
        };
        self.drafts.push(Draft {
            quantity,
            kind_of,
            name: words[..name].to_vec(),
            tails: vec![words[name..].to_vec()],
            found,
            colon,
            ..Draft::default()
        });
    }

    /// Whether the words only say how the thing is that was found: they stand in its name behind what it is
    /// called, and nothing joins the two as "de" does in "agua de horchata".
    fn is_said_of_another(&self, attempt: &Attempt, words: &[usize]) -> bool {
        let name = &words[..attempt.name];
        let Found::One(entry) = attempt.found else {
            return false;
        };
        if self.find(name).whole {
            return false;
        }
        let said = self.utterance.words(name);
        let [word] = said.as_slice() else {
            return false;
        };
        let labels = self.index.entries[entry].labels.iter();
        let mut places = labels.filter(|label| label.spelled).filter_map(|label| {
            let sequence = &label.sequence;
            let place = sequence
                .iter()
                .position(|known| self.index.is_form_of(word, known));
            place.map(|at| (at, sequence))
        });
        let joined = |(at, sequence): (usize, &Vec<String>)| {
            at.checked_sub(1)
                .is_none_or(|before| is_small(&sequence[before]))
        };
        let mut found = false;
        let joins = places.any(|place| {
            found = true;
            joined(place)
        });
        found && !joins
    }

    /// Takes a number away that no name has: "taco de pastor 3" is counted by it, and "2 tacos
    /// dorados" as well, although the menu may have "2 tacos" too.
    fn number_beside(&self, words: &[usize]) -> Option<(Result<u32, QuantityProblem>, Vec<usize>)> {
        let folded: Vec<&str> = words.iter().map(|at| self.utterance.word(*at)).collect();
        if let Some(counted) = quantity::read(&folded)
            && let Some(rest) = words.get(counted.words..).filter(|rest| !rest.is_empty())
        {
            return Some((counted.quantity, rest.to_vec()));
        }
        let (last, before) = folded.split_last()?;
        let counted = quantity::read(&[last]).filter(|counted| counted.bare)?;
        (!before.is_empty()).then(|| (counted.quantity, words[..before.len()].to_vec()))
    }

    /// The number behind how something is wanted, "quesadilla sin crema 2", unless it is a part of
    /// that, "en 2".
    fn number_at_the_end(&self, tail: &[usize]) -> Option<Result<u32, QuantityProblem>> {
        let (last, before) = tail.split_last()?;
        let before = self.utterance.word(*before.last()?);
        let counted = quantity::read(&[self.utterance.word(*last)]).filter(|it| it.bare)?;
        (!is_preposition(before) && !is_wish(&[before])).then_some(counted.quantity)
    }

    /// What the next things may be kinds of: all that was said when it did not name one thing, and
    /// else its first word, "tacos" of "tacos al pastor".
    fn head_of(&self, name: &[usize], found: &Found, colon: bool) -> Head {
        let whole = colon || matches!(found, Found::Several(_));
        let length = if whole { name.len() } else { name.len().min(1) };
        Head {
            words: name[..length].to_vec(),
            draft: whole.then_some(self.drafts.len()),
            colon,
        }
    }

    fn count_as_kind(&mut self, quantity: Option<Result<u32, QuantityProblem>>) {
        let head = self.head.as_ref().and_then(|head| head.draft);
        if let Some(draft) = head.and_then(|at| self.drafts.get_mut(at)) {
            let count = quantity.and_then(Result::ok).unwrap_or(1);
            draft.heads = Some(draft.heads.unwrap_or(0).saturating_add(count));
        }
    }
}
