//! The phrases of the rules, and where they stand in a message.

use super::vocabulary::WordId;
use super::words::{Pause, Word};

/// How many words may stand where a phrase says "..".
const GAP_WORDS: usize = 3;

/// One place of a phrase: any of some words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Sorted.
    pub(super) any_of: Vec<WordId>,
    /// Whether a few words, whatever they are, may stand before it.
    pub(super) after_gap: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    pub(super) places: Vec<Place>,
    /// Whether only a greeting and the like may stand before the phrase.
    pub(super) opens: bool,
    /// Whether only good manners may stand behind it.
    pub(super) closes: bool,
}

/// The words of a message, with the words of the rules that each of them is.
pub(super) struct Message<'a> {
    pub(super) words: &'a [Word],
    pub(super) ids: Vec<WordId>,
    /// For each word, where its ids end; they begin where those of the word before end.
    pub(super) ends: Vec<usize>,
    /// The first word that is more than a greeting or good manners, and the one after the last.
    pub(super) content: (usize, usize),
}

impl Message<'_> {
    pub(super) fn ids_of(&self, word: usize) -> &[WordId] {
        let start = word.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.ids[start..self.ends[word]]
    }
}

/// Words, as bits that several share: enough to say quickly that none of some words is among others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sketch([u64; 4]);

impl Sketch {
    pub(super) fn of(words: &[WordId]) -> Self {
        let mut sketch = Self::default();
        for word in words {
            let bit = word % 256;
            sketch.0[(bit / 64) as usize] |= 1 << (bit % 64);
        }
        sketch
    }

    fn shares(self, other: Self) -> bool {
        let mut both = self.0.iter().zip(other.0);
        both.any(|(one, two)| one & two != 0)
    }
}

/// What stands behind a word of a message, near enough to be the second place of a phrase.
pub(super) struct Behind {
    next: Sketch,
    /// As far as a gap reaches.
    near: Sketch,
}

impl Message<'_> {
    pub(super) fn behind(&self, word: usize) -> Behind {
        let last = self.words.len() - 1;
        let upto = |reach: usize| {
            let end = self.ends[(word + reach).min(last)];
            Sketch::of(&self.ids[self.ends[word]..end])
        };
        Behind {
            next: upto(1),
            near: upto(1 + GAP_WORDS),
        }
    }
}

/// The second place of a phrase, by which most that begin with a common word are ruled out at once.
#[derive(Clone, Copy, Debug)]
pub(super) enum Second {
    /// The phrase has one place.
    None,
    Next(Sketch),
    Near(Sketch),
}

impl Second {
    pub(super) fn of(phrase: &Phrase) -> Self {
        match phrase.places.get(1) {
            None => Self::None,
            Some(place) if place.after_gap => Self::Near(Sketch::of(&place.any_of)),
            Some(place) => Self::Next(Sketch::of(&place.any_of)),
        }
    }

    pub(super) fn may_follow(&self, behind: &Behind) -> bool {
        match self {
            Self::None => true,
            Self::Next(words) => words.shares(behind.next),
            Self::Near(words) => words.shares(behind.near),
        }
    }
}

/// Most places take one word or two; some take any of a long list.
fn is_among(id: WordId, sorted: &[WordId]) -> bool {
    const FEW: usize = 8;
    if sorted.len() <= FEW {
        sorted.contains(&id)
    } else {
        sorted.binary_search(&id).is_ok()
    }
}

impl Phrase {
    /// The last word of the phrase, if it begins at this one, which is known to fit its first place.
    pub(super) fn find(&self, start: usize, message: &Message<'_>) -> Option<usize> {
        if self.opens && start > message.content.0 {
            return None;
        }
        let last = self.goes_on(1, start, message)?;
        (!self.closes || last + 1 >= message.content.1).then_some(last)
    }

    /// The last word of the phrase, if it goes on with this place behind a word.
    fn goes_on(&self, place: usize, word: usize, message: &Message<'_>) -> Option<usize> {
        let Some(next) = self.places.get(place) else {
            return Some(word);
        };
        let reach = if next.after_gap { 1 + GAP_WORDS } else { 1 };
        let end = message.words.len().min(word + 1 + reach);
        (word + 1..end)
            .take_while(|&following| message.words[following].pause < Pause::Full)
            .filter(|&following| {
                let mut ids = message.ids_of(following).iter();
                ids.any(|id| is_among(*id, &next.any_of))
            })
            .find_map(|following| self.goes_on(place + 1, following, message))
    }
}
