//! The choices and the wishes that come with an item.

use super::index::{ChoiceEntry, Entry, Said};
use super::line::{ChosenOption, ItemReference, Line, OrderLine};
use super::manners::{is_and, is_wish, is_without};
use super::menu::Choice;
use super::pieces::Utterance;
use super::words::{Distance, is_small};

/// How many remarks a line keeps, and how much of each.
const MOST_NOTES: usize = 8;
const LONGEST_NOTE: usize = 200;

/// A choice by the group it belongs to.
pub(super) type Chosen<'a> = (usize, &'a Choice);

/// The choices that some words name, and the words that name none. A choice is named by all of its
/// words, or by some that no other choice of the item has.
pub(super) fn choices_in<'a, 'w>(
    entry: &Entry<'a>,
    words: &[&'w Said],
) -> (Vec<Chosen<'a>>, Vec<&'w Said>) {
    let mut left: Vec<&Said> = words.to_vec();
    left.retain(|word| !is_small(&word.folded) && !is_and(&word.folded));
    let mut chosen = Vec::new();
    while let Some((choice, used)) = named_choice(entry, &left) {
        chosen.push((choice.group, choice.choice));
        let mut at = 0;
        left.retain(|_| {
            at += 1;
            !used.contains(&(at - 1))
        });
    }
    (chosen, left)
}

/// The choice that takes most of the words, and which words those are.
fn named_choice<'e, 'a>(
    entry: &'e Entry<'a>,
    words: &[&Said],
) -> Option<(&'e ChoiceEntry<'a>, Vec<usize>)> {
    let mut best: Option<(&ChoiceEntry<'a>, Vec<usize>, Distance)> = None;
    for choice in &entry.choices {
        for label in &choice.labels {
            let places = label.words.iter().map(|known| closest(words, *known));
            let Some(places) = places.collect::<Option<Vec<_>>>() else {
                continue;
            };
            let distance = places
                .iter()
                .map(|(distance, _)| *distance)
                .max()
                .unwrap_or(0);
            let used: Vec<usize> = places.into_iter().map(|(_, place)| place).collect();
            let better = best.as_ref().is_none_or(|(_, known, farthest)| {
                (used.len(), *farthest) > (known.len(), distance)
            });
            if better && !used.is_empty() {
                best = Some((choice, used, distance));
            }
        }
    }
    if let Some((choice, used, _)) = best {
        return Some((choice, used));
    }
    words.iter().enumerate().find_map(|(place, word)| {
        let has = |choice: &&ChoiceEntry<'_>| {
            let mut known = choice.labels.iter().flat_map(|label| &label.words);
            known.any(|known| word.distance(*known).is_some())
        };
        let mut having = entry.choices.iter().filter(has);
        match (having.next(), having.next()) {
            (Some(only), None) => Some((only, vec![place])),
            _ => None,
        }
    })
}

fn closest(words: &[&Said], known: usize) -> Option<(Distance, usize)> {
    let places = words.iter().enumerate();
    let near = places.filter_map(|(place, word)| Some((word.distance(known)?, place)));
    near.min()
}

/// A wish in the customer's words, with the words that it was read from.
pub(super) struct Wish<'w> {
    pub(super) text: String,
    pub(super) words: Vec<&'w Said>,
}

/// An item with all that was said about it.
pub(super) struct Wanted<'a, 'i> {
    pub(super) entry: &'i Entry<'a>,
    pub(super) quantity: u32,
    pub(super) chosen: Vec<Chosen<'a>>,
    pub(super) notes: Vec<String>,
}

impl<'a> Wanted<'a, '_> {
    /// Takes a wish as a choice when it names one, and as a note otherwise.
    pub(super) fn add(&mut self, wish: &Wish<'_>) {
        match self.choices_of(&wish.words) {
            Some(chosen) => self.chosen.extend(chosen),
            None => add_note(&mut self.notes, &wish.text),
        }
    }

    /// The choices that all of the words name, with or without the word that introduces them:
    /// "extra queso" is a choice of that name, or else more of "queso".
    fn choices_of(&self, words: &[&Said]) -> Option<Vec<Chosen<'a>>> {
        let all = |words: &[&Said]| {
            let (chosen, left) = choices_in(self.entry, words);
            (left.is_empty() && !chosen.is_empty()).then_some(chosen)
        };
        let says_something = |word: &&&Said| !matches!(word.folded.as_str(), "con" | "with" | "de");
        let words: Vec<&Said> = words.iter().filter(says_something).copied().collect();
        all(&words).or_else(|| match words.split_first() {
            Some((first, rest)) if first.folded == "extra" => all(rest),
            _ => None,
        })
    }

    pub(super) fn into_line(self) -> Line {
        let item = self.entry.item;
        if !item.available {
            return Line::Unavailable {
                item: item.into(),
                quantity: self.quantity,
            };
        }
        let mut open = None;
        let mut options = Vec::new();
        for (at, group) in item.options.iter().enumerate() {
            let mut chosen: Vec<&Choice> = Vec::new();
            for (_, choice) in self.chosen.iter().filter(|(of, _)| *of == at) {
                if !chosen.contains(choice) {
                    chosen.push(choice);
                }
            }
            let least = if chosen.is_empty() {
                group.least()
            } else {
                group.min.max(group.least())
            };
            let count = chosen.len();
            let fits = (usize::from(least)..=usize::from(group.max.max(1))).contains(&count);
            if fits && chosen.iter().all(|choice| choice.available) {
                options.extend(chosen.into_iter().map(|choice| ChosenOption {
                    group: group.name.clone(),
                    choice: choice.name.clone(),
                    extra: choice.extra,
                }));
            } else if open.is_none() {
                open = Some(group);
            }
        }
        let reference = ItemReference::from(item);
        match open {
            Some(group) => {
                let choices = group.choices.iter().filter(|choice| choice.available);
                Line::MissingOption {
                    item: reference,
                    group: group.name.clone(),
                    choices: choices.map(|choice| choice.name.clone()).collect(),
                    at_most: group.max.max(1),
                    quantity: self.quantity,
                    options,
                    notes: self.notes,
                }
            }
            None => Line::Matched(OrderLine {
                item: reference,
                quantity: self.quantity,
                price: item.price,
                options,
                notes: self.notes,
            }),
        }
    }
}

pub(super) fn add_note(notes: &mut Vec<String>, note: &str) {
    let note: String = note.chars().take(LONGEST_NOTE).collect();
    let note = note.split_whitespace().collect::<Vec<_>>().join(" ");
    if !note.is_empty() && notes.len() < MOST_NOTES && !notes.contains(&note) {
        notes.push(note);
    }
}

/// Cuts what was said about an item into wishes: "con queso y sin cebolla" has two, "sin cebolla y
/// cilantro" is one.
pub(super) fn wishes<'w>(
    utterance: &'w Utterance<'_>,
    entry: Option<&Entry<'_>>,
    positions: &[usize],
) -> Vec<Wish<'w>> {
    let words = utterance.words(positions);
    let folded: Vec<&str> = words.iter().map(|said| said.folded.as_str()).collect();
    let is_choice = |rest: &[&Said]| {
        entry.is_some_and(|entry| {
            let (chosen, left) = choices_in(entry, rest);
            left.is_empty() && !chosen.is_empty()
        })
    };
    // "sin cebolla y queso" leaves both off, although the cheese could be chosen.
    let is_left_off = |at: usize| {
        let wish = (0..at).rfind(|at| is_wish(&folded[*at..]));
        wish.is_some_and(|wish| is_without(folded[wish]))
    };
    let begins = |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| folded.get(before..));
        before.is_none_or(|before| {
            let and = before.first().is_some_and(|word| is_and(word));
            (is_wish(&folded[*at..]) && !is_wish(before))
                || (and && !is_left_off(*at) && is_choice(&words[*at..]))
        })
    };
    let starts: Vec<usize> = (0..words.len()).filter(begins).collect();
    let ends = starts.iter().skip(1).copied().chain([words.len()]);
    let mut wishes = Vec::new();
    for (start, end) in starts.iter().copied().zip(ends) {
        let kept = |at: &usize| !is_and(folded[*at]);
        let (first, last) = ((start..end).find(kept), (start..end).rfind(kept));
        if let (Some(first), Some(last)) = (first, last) {
            wishes.push(Wish {
                text: utterance.text_of(&positions[first..=last]),
                words: words[first..=last].to_vec(),
            });
        }
    }
    wishes
}
