//! What a message says: the findings of the table that stand in it, without those it denies.

use super::negation;
use super::numbers;
use super::phrase::Message;
use super::table::{Kind, Table};
use super::words::{self, Word};
use std::collections::{HashMap, HashSet};

/// How many words apart two findings may stand and still be said of one thing.
const NEAR: usize = 9;
/// How often the same finding is looked at. More of it says nothing new, and what comes after a
/// repetition still counts.
const MAX_REPEATED: usize = 40;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// The number of the finding in the table.
    pub(super) id: usize,
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The words it is made of, in order; never empty.
    pub(super) words: Vec<usize>,
    pub(super) denied: bool,
}

impl Finding {
    pub(super) fn new(id: usize, words: Vec<usize>, table: &Table) -> Self {
        Self {
            id,
            name: table.name(id).to_owned(),
            kind: table.kind(id),
            words,
            denied: false,
        }
    }

    pub(super) fn first(&self) -> usize {
        self.words.first().copied().unwrap_or_default()
    }

    pub(super) fn last(&self) -> usize {
        self.words.last().copied().unwrap_or_default()
    }

    /// Whether the other takes the place of this one, being longer: "diente de leche" is no "diente",
    /// and the "no" of "no para" denies nothing. A sign or site gives way to its own kind only, so
    /// that no way of putting things hides a pain, or to a phrase that is known to mean nothing.
    fn gives_way_to(&self, other: &Self) -> bool {
        let replaced = self.kind == other.kind
            || other.kind == Kind::Nothing
            || !matches!(self.kind, Kind::Sign | Kind::Site | Kind::Patient);
        replaced
            && self.words.len() < other.words.len()
            && self.words.iter().all(|word| other.words.contains(word))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Findings {
    words: Vec<Word>,
    all: Vec<Finding>,
}

impl Findings {
    pub(super) fn read(text: &str, table: &Table) -> Self {
        let words = words::read(text);
        let mut all = in_words(&words, table);
        all.extend(numbers::read(&words, table));
        all.sort_by_key(|finding| (finding.first(), finding.last()));
        let mut repeated: HashMap<usize, usize> = HashMap::new();
        all.retain(|finding| {
            let times = repeated.entry(finding.id).or_default();
            *times += 1;
            *times <= MAX_REPEATED
        });
        negation::deny(&words, &mut all, table);
        Self { words, all }
    }

    /// Whether the message says this.
    pub(super) fn contains(&self, finding: usize) -> bool {
        self.said().any(|(_, said)| said.id == finding)
    }

    /// The first findings, one for each of the lists, that stand near each other.
    pub(super) fn near_each_other(&self, lists: &[Vec<usize>]) -> Option<Vec<usize>> {
        let mut chosen = Vec::with_capacity(lists.len());
        self.choose(lists, &mut chosen).then_some(chosen)
    }

    /// The words of a finding, as they were read.
    pub(super) fn text(&self, index: usize) -> String {
        let words = self.all[index].words.iter();
        let texts: Vec<&str> = words.map(|&word| self.words[word].text.as_str()).collect();
        texts.join(" ")
    }

    fn said(&self) -> impl Iterator<Item = (usize, &Finding)> {
        let all = self.all.iter().enumerate();
        all.filter(|(_, finding)| !finding.denied)
    }

    fn choose(&self, lists: &[Vec<usize>], chosen: &mut Vec<usize>) -> bool {
        let Some((wanted, rest)) = lists.split_first() else {
            return true;
        };
        for (index, finding) in self.said() {
            let fits = wanted.contains(&finding.id)
                && !chosen.contains(&index)
                && (chosen.is_empty() || chosen.iter().any(|&other| self.is_near(index, other)));
            if fits {
                chosen.push(index);
                if self.choose(rest, chosen) {
                    return true;
                }
                chosen.pop();
            }
        }
        false
    }

    fn is_near(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.all[a], &self.all[b]);
        let place = |word: usize| self.words[word].at;
        let between = |left: &Finding, right: &Finding| {
            place(right.first()).saturating_sub(place(left.last()))
        };
        between(a, b) <= NEAR && between(b, a) <= NEAR
    }
}

/// The phrases of the table that stand in the words, without those that are part of a longer one:
/// in "no para de sangrar", nothing is denied.
fn in_words(words: &[Word], table: &Table) -> Vec<Finding> {
    let mut known: HashMap<&str, Vec<usize>> = HashMap::new();
    let meant = words.iter().map(|word| {
        let meant = known.entry(&word.text);
        meant.or_insert_with(|| table.meant(&word.text)).clone()
    });
    let message = Message {
        words,
        meant: meant.collect(),
        small: words
            .iter()
            .map(|word| table.is_between(&word.text))
            .collect(),
    };
    let mut seen: HashSet<(usize, Vec<usize>)> = HashSet::new();
    let mut found: Vec<Finding> = Vec::new();
    for start in 0..words.len() {
        for phrase in table.phrases_at(&message.meant[start]) {
            if let Some(words) = phrase.find(start, &message)
                && seen.insert((phrase.finding, words.clone()))
            {
                found.push(Finding::new(phrase.finding, words, table));
            }
        }
    }
    let mut by_word: Vec<Vec<usize>> = vec![Vec::new(); words.len()];
    for (index, finding) in found.iter().enumerate() {
        for &word in &finding.words {
            by_word[word].push(index);
        }
    }
    let whole = |finding: &&Finding| {
        let beside = &by_word[finding.first()];
        !beside
            .iter()
            .any(|&other| finding.gives_way_to(&found[other]))
    };
    found.iter().filter(whole).cloned().collect()
}
