//! The phrases of the table, and how a word that was typed is taken for a word of theirs.

use super::words::{Word, normalise};
use quipu_core::analysis::{one_letter_apart, sound};

/// How many words may stand where a phrase says ".." or "~".
const GAP_WORDS: usize = 3;
/// Words of fewer letters that sound alike are different words too often.
const SOUND_LETTERS: usize = 4;
/// Shorter beginnings are one letter away from too many other words.
const MISSPELLED_BEGINNING: usize = 7;
/// So many consonants tell which word was meant when its vowels were left out.
const SKELETON_LETTERS: usize = 3;

/// A word of a phrase: the whole of it, or the beginning that its forms share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    text: String,
    sound: String,
    skeleton: String,
    whole: bool,
    /// Whether other spellings are read too.
    guessed: bool,
}

impl Pattern {
    /// Reads "encia" or "hinch*".
    pub(super) fn read(word: &str, guessed: bool) -> Option<Self> {
        let beginning = word.strip_suffix('*');
        let text = normalise(beginning.unwrap_or(word))?;
        Some(Self {
            sound: sound(&text),
            skeleton: skeleton(&text),
            whole: beginning.is_none(),
            guessed,
            text,
        })
    }

    /// Whether this is exactly what was typed, or its beginning.
    pub(super) fn is(&self, word: &str) -> bool {
        if self.whole {
            word == self.text
        } else {
            word.starts_with(&self.text)
        }
    }

    /// Whether this is read out like what was typed, or its beginning is.
    pub(super) fn sounds_like(&self, typed: &Typed<'_>) -> bool {
        self.guessed
            && self.text.chars().count() >= SOUND_LETTERS
            && if self.whole {
                typed.sound == self.sound
            } else {
                typed.sound.starts_with(&self.sound)
            }
    }

    /// Whether a word that no list knows may have been meant for this one: with one slip of the
    /// finger behind the first letter, or without its vowels.
    pub(super) fn may_be(&self, typed: &Typed<'_>) -> bool {
        if !self.guessed {
            return false;
        }
        if self.whole {
            return typed.slipped(&self.text) || typed.abbreviates(&self.skeleton, true);
        }
        let letters = self.text.chars().count();
        let slipped = letters >= MISSPELLED_BEGINNING
            && same_initial(typed.text, &self.text)
            && (letters - 1..=letters + 1).any(|length| {
                let beginning: String = typed.text.chars().take(length).collect();
                one_letter_apart(&beginning, &self.text)
            });
        slipped || typed.abbreviates(&self.skeleton, false)
    }
}

/// A word that was typed, with what is compared when it is not spelled as in the table.
pub(super) struct Typed<'a> {
    text: &'a str,
    sound: String,
    /// The consonants, if the word has hardly anything else.
    skeleton: Option<String>,
}

impl<'a> Typed<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let consonants = skeleton(text);
        let letters = text.chars().count();
        let bare = (letters - consonants.chars().count()) * 5 <= letters;
        let long_enough = consonants.chars().count() >= SKELETON_LETTERS;
        Self {
            text,
            sound: sound(text),
            skeleton: (bare && long_enough).then_some(consonants),
        }
    }

    /// Whether one slip of the finger behind the first letter makes the one word of the other.
    pub(super) fn slipped(&self, meant: &str) -> bool {
        same_initial(self.text, meant) && one_letter_apart(self.text, meant)
    }

    fn abbreviates(&self, meant: &str, whole: bool) -> bool {
        let Some(skeleton) = &self.skeleton else {
            return false;
        };
        meant.len() >= SKELETON_LETTERS
            && same_initial(self.text, meant)
            && (skeleton == meant || (!whole && skeleton.starts_with(meant)))
    }
}

fn same_initial(a: &str, b: &str) -> bool {
    a.chars().next() == b.chars().next()
}

fn skeleton(word: &str) -> String {
    let consonant = |c: &char| !matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
    word.chars().filter(consonant).collect()
}

/// One place of a phrase: any of some words, by their number in the vocabulary of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) any_of: Vec<usize>,
    pub(super) before: Gap,
}

/// What may stand before a place of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    None,
    /// A few small words: "no me lo baja".
    Small,
    /// A few words, whatever they are.
    Any,
}

impl Gap {
    /// Reads ".." or "~".
    pub(super) fn read(sign: &str) -> Option<Self> {
        match sign {
            "~" => Some(Self::Small),
            ".." => Some(Self::Any),
            _ => None,
        }
    }
}

/// The words of a message, as phrases are compared with them.
pub(super) struct Message<'a> {
    pub(super) words: &'a [Word],
    /// For each word, the words of the vocabulary it is taken for.
    pub(super) meant: Vec<Vec<usize>>,
    /// For each word, whether it is a small one.
    pub(super) small: Vec<bool>,
}

/// A phrase, and the number of the finding it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phrase {
    pub(super) places: Vec<Place>,
    pub(super) finding: usize,
}

impl Phrase {
    /// The words that make the phrase, if it begins at this one.
    pub(super) fn find(&self, start: usize, message: &Message<'_>) -> Option<Vec<usize>> {
        let mut taken = Vec::with_capacity(self.places.len());
        self.goes_on(0, start, message, &mut taken).then_some(taken)
    }

    fn goes_on(
        &self,
        place: usize,
        word: usize,
        message: &Message<'_>,
        taken: &mut Vec<usize>,
    ) -> bool {
        let wanted = &self.places[place].any_of;
        if !message.meant[word].iter().any(|id| wanted.contains(id)) {
            return false;
        }
        taken.push(word);
        let Some(next) = self.places.get(place + 1) else {
            return true;
        };
        let words = message.words;
        let reach = match next.before {
            Gap::None => 1,
            Gap::Small | Gap::Any => 1 + GAP_WORDS,
        };
        for following in word + 1..words.len().min(word + 1 + reach) {
            if words[following].at - words[word].at > reach {
                break;
            }
            if self.goes_on(place + 1, following, message, taken) {
                return true;
            }
            if next.before == Gap::Small && !message.small[following] {
                break;
            }
        }
        taken.pop();
        false
    }
}
