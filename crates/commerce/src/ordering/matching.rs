//! Which items of a menu some words may mean.

use super::index::{Entry, Index, Label, Said, is_joinable};
use super::line::ItemReference;
use super::options::choices_in;
use super::words::{ENDING, is_small, likeness};
use std::cmp::Reverse;

/// Nobody names a thing with more words than this.
const MOST_WORDS: usize = 16;
/// How much of what was said must be alike for a thing to be near.
const NEAR: f32 = 0.4;
const MOST_NEAR: usize = 3;
/// How much of what was said is compared letter by letter.
const MOST_LETTERS: usize = 100;
/// How many that share words are compared letter by letter.
const MOST_COMPARED: usize = 50;

/// How well a name fits. The order is that of trust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// Word for word.
    Literal,
    /// The same words.
    Whole,
    /// The whole name, and words of its category or of its choices.
    WholeAndMore,
    /// A part of the name.
    Part,
}

#[derive(Clone, Debug)]
struct Candidate {
    entry: usize,
    fit: Fit,
    /// The largest distance of any word.
    farthest: u8,
    /// The sum of all distances, and of words that the name itself does not have.
    cost: usize,
    /// Words of the name that were not said.
    missing: usize,
    /// Whether the name lists several things, of which not the first was said.
    listed: bool,
    label: usize,
}

/// What some words may mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Found {
    One(usize),
    /// Several that fit equally well, best first.
    Several(Vec<usize>),
    #[default]
    Nothing,
}

/// What some words mean, and whether something is called so rather than having the words in its
/// name among others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Meaning {
    pub(super) found: Found,
    pub(super) whole: bool,
}

/// Finds the items that all of the words may mean: each word must be one of the name, of the
/// category or of a choice of the item.
pub(super) fn find(index: &Index<'_>, words: &[&Said]) -> Meaning {
    let meaning = best(index, words);
    if meaning.found != Found::Nothing {
        return meaning;
    }
    // "coca cola" for what the menu calls "Cocacola".
    match words {
        [first, second, rest @ ..] if is_joinable(&first.folded) && is_joinable(&second.folded) => {
            let joined = index.said(&format!("{}{}", first.folded, second.folded));
            let words: Vec<&Said> = std::iter::once(&joined)
                .chain(rest.iter().copied())
                .collect();
            best(index, &words)
        }
        _ => Meaning::default(),
    }
}

/// The words that neither the name nor the category of an item has, and that are therefore choices.
pub(super) fn beyond_the_name<'a>(entry: &Entry<'_>, words: &[&'a Said]) -> Vec<&'a Said> {
    let counting = counting(words);
    let Some(candidate) = candidate(0, entry, words, &counting) else {
        return Vec::new();
    };
    let mut left = Assigned::new(&counting, &entry.labels[candidate.label]).left;
    left.retain(|word| {
        !entry
            .category
            .iter()
            .any(|known| word.distance(*known).is_some())
    });
    left
}

fn best(index: &Index<'_>, words: &[&Said]) -> Meaning {
    let counting = counting(words);
    if counting.is_empty() || counting.len() > MOST_WORDS {
        return Meaning::default();
    }
    let entries = index.having(&counting).into_iter();
    let mut candidates: Vec<Candidate> = entries
        .filter_map(|at| candidate(at, &index.entries[at], words, &counting))
        .collect();
    // Words that are typed as the menu has them are not slips of the finger for others.
    if candidates
        .iter()
        .any(|candidate| candidate.farthest <= ENDING)
    {
        candidates.retain(|candidate| candidate.farthest <= ENDING);
    }
    let Some(best) = candidates.iter().map(|candidate| candidate.fit).min() else {
        return Meaning::default();
    };
    candidates.retain(|candidate| candidate.fit == best);
    if best == Fit::Part {
        return Meaning {
            found: parts(index, candidates),
            whole: false,
        };
    }
    let least = candidates.iter().map(|candidate| candidate.cost).min();
    candidates.retain(|candidate| Some(candidate.cost) == least);
    Meaning {
        found: found(&candidates),
        whole: true,
    }
}

/// Whether the first word of a name was said.
fn said_first(said: &[&Said], label: &Label) -> bool {
    let first = label.words.first();
    first.is_some_and(|first| said.iter().any(|word| word.distance(*first).is_some()))
}

/// Chooses where only parts of names were said. A "Combo: taco, coca" is no coca while there is
/// another. The one whose name is in all the others is the plain one: "coca" is a Coca-Cola rather
/// than a Coca-Cola Zero. Otherwise none is better than another.
fn parts(index: &Index<'_>, mut candidates: Vec<Candidate>) -> Found {
    if candidates.iter().any(|candidate| !candidate.listed) {
        candidates.retain(|candidate| !candidate.listed);
    }
    candidates.sort_by_key(|candidate| (candidate.missing, candidate.cost, candidate.entry));
    let label = |candidate: &Candidate| -> &Label {
        &index.entries[candidate.entry].labels[candidate.label]
    };
    if let Some((first, others)) = candidates.split_first() {
        let plain = &label(first).words;
        let is_in = |other: &Candidate| {
            let words = &label(other).words;
            words.len() > plain.len() && plain.iter().all(|word| words.contains(word))
        };
        if others.iter().all(is_in) {
            return Found::One(first.entry);
        }
    }
    found(&candidates)
}

fn found(candidates: &[Candidate]) -> Found {
    match candidates {
        [] => Found::Nothing,
        [one] => Found::One(one.entry),
        several => Found::Several(several.iter().map(|candidate| candidate.entry).collect()),
    }
}

/// The words that say something; all of them when none does.
fn counting<'a>(words: &[&'a Said]) -> Vec<&'a Said> {
    let mut counting = words.to_vec();
    if words.iter().any(|word| !is_small(&word.folded)) {
        counting.retain(|word| !is_small(&word.folded));
    }
    counting
}

/// How well the best label of an item fits.
fn candidate(
    at: usize,
    entry: &Entry<'_>,
    words: &[&Said],
    counting: &[&Said],
) -> Option<Candidate> {
    let has_any = |label: &Label| {
        let mut known = label.words.iter();
        known.any(|known| counting.iter().any(|word| word.distance(*known).is_some()))
    };
    let labels = entry
        .labels
        .iter()
        .enumerate()
        .filter(|(_, label)| has_any(label));
    let fits = labels.filter_map(|(label, known)| {
        let literal = known.spelled
            && words.len() == known.sequence.len()
            && words
                .iter()
                .zip(&known.sequence)
                .all(|(said, known)| said.folded == *known);
        let assigned = Assigned::new(counting, known);
        let mut cost: usize = assigned.distances.iter().map(|d| usize::from(*d)).sum();
        let mut farthest = assigned.distances.iter().copied().max().unwrap_or(0);
        // "coca de litro" is none of two litres.
        let half_said = |(number, unit): &(usize, usize)| {
            assigned.free.contains(number) && !assigned.free.contains(unit)
        };
        if assigned.distances.is_empty() || known.measures.iter().any(half_said) {
            return None;
        }
        let more = !assigned.left.is_empty();
        if more {
            // A word by which only the category or a choice is known costs more than any slip.
            cost += assigned.left.len() * 10;
            farthest = farthest.max(elsewhere(entry, &assigned.left)?);
        }
        let missing = known.words.len() - assigned.distances.len();
        let fit = match (literal, missing, more) {
            (true, ..) => Fit::Literal,
            (false, 0, false) => Fit::Whole,
            (false, 0, true) => Fit::WholeAndMore,
            (false, ..) => Fit::Part,
        };
        Some(Candidate {
            entry: at,
            fit,
            farthest,
            cost,
            missing,
            listed: known.has_signs && !said_first(counting, known),
            label,
        })
    });
    fits.min_by_key(|candidate| (candidate.fit, candidate.missing, candidate.cost))
}

/// Which words of a label were said, and which words that were said it does not have.
struct Assigned<'a> {
    distances: Vec<u8>,
    left: Vec<&'a Said>,
    /// The words of the label that were not said.
    free: Vec<usize>,
}

impl<'a> Assigned<'a> {
    fn new(said: &[&'a Said], label: &Label) -> Self {
        let mut assigned = Self {
            distances: Vec::new(),
            left: Vec::new(),
            free: label.words.clone(),
        };
        for word in said {
            let places = assigned.free.iter().enumerate();
            let closest = places
                .filter_map(|(place, known)| Some((word.distance(*known)?, place)))
                .min();
            if let Some((distance, place)) = closest {
                assigned.distances.push(distance);
                assigned.free.remove(place);
            } else {
                assigned.left.push(word);
            }
        }
        assigned
    }
}

/// How far the words are from those of the category or of choices; `None` when one is neither.
fn elsewhere(entry: &Entry<'_>, words: &[&Said]) -> Option<u8> {
    let mut farthest = 0;
    let mut rest = Vec::new();
    for word in words {
        let in_category = entry
            .category
            .iter()
            .filter_map(|known| word.distance(*known));
        match in_category.min() {
            Some(distance) => farthest = farthest.max(distance),
            None => rest.push(*word),
        }
    }
    if rest.is_empty() {
        return Some(farthest);
    }
    let (chosen, left) = choices_in(entry, &rest);
    (left.is_empty() && !chosen.is_empty()).then_some(farthest)
}

/// The items that come nearest to words that no item fits: those that share most words, and where
/// none shares any, those whose names are spelled alike.
pub(super) fn near(index: &Index<'_>, words: &[&Said]) -> Vec<ItemReference> {
    let mut counting = counting(words);
    counting.truncate(MOST_WORDS);
    let said: Vec<&str> = counting.iter().map(|word| word.folded.as_str()).collect();
    let said: String = said.concat().chars().take(MOST_LETTERS).collect();
    let shares = |at: usize| {
        let is_said = |known: &&usize| counting.iter().any(|word| word.distance(**known).is_some());
        let labels = index.entries[at].labels.iter();
        let shared = labels.map(|label| label.words.iter().filter(is_said).count());
        (shared.max().unwrap_or(0), at)
    };
    let alike = |(shared, at): (usize, usize)| {
        let name = index.entries[at].labels.iter().find(|label| label.spelled);
        let alike = name.map_or(0.0, |label| likeness(&said, &label.sequence.concat()));
        (shared, alike, at)
    };
    let available = |at: &usize| index.entries[*at].item.available;
    let sharing = index.having_any(&counting).into_iter().filter(available);
    let mut sharing: Vec<(usize, usize)> = sharing.map(shares).collect();
    sharing.retain(|(shared, _)| *shared > 0);
    sharing.sort_by_key(|(shared, at)| (Reverse(*shared), *at));
    sharing.truncate(MOST_COMPARED);
    let mut scored: Vec<(usize, f32, usize)> = sharing.into_iter().map(alike).collect();
    if scored.is_empty() {
        let all = (0..index.entries.len()).filter(available);
        scored = all.map(|at| alike((0, at))).collect();
        scored.retain(|(_, alike, _)| *alike > NEAR);
    }
    scored.sort_by(|a, b| {
        let words = b.0.cmp(&a.0);
        words.then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2))
    });
    let nearest = scored.into_iter().take(MOST_NEAR);
    nearest
        .map(|(.., at)| index.entries[at].item.into())
        .collect()
}
