//! The phrases and rules under `data/urgency.txt`.

use super::phrase::{Gap, Pattern, Phrase, Place, Typed};
use super::rules::{Rule, RuleKind};
use super::words::normalise;
use quipu_core::analysis;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::read(include_str!("../../data/urgency.txt")));

/// What sort of thing a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sign,
    Site,
    Intensity,
    Duration,
    Course,
    Patient,
    Topic,
    /// "No", "sin", "stopped": it denies what follows.
    Denial,
    /// A phrase that looks like a finding and is none.
    Nothing,
}

impl Kind {
    fn read(word: &str) -> Option<Self> {
        Some(match word {
            "sign" => Self::Sign,
            "site" => Self::Site,
            "intensity" => Self::Intensity,
            "duration" => Self::Duration,
            "course" => Self::Course,
            "patient" => Self::Patient,
            "topic" => Self::Topic,
            "denial" => Self::Denial,
            "nothing" => Self::Nothing,
            _ => return None,
        })
    }
}

/// A list of plain words.
#[derive(Clone, Copy)]
enum List {
    Between,
    Joining,
    Ordinary,
    Guessed,
}

enum Section {
    Finding(usize),
    Words(List),
    /// A list that phrases refer to by its name.
    Named(String),
    Rules,
    /// What stands under a heading that cannot be read is a problem by itself.
    Unknown,
}

#[derive(Debug, Default)]
pub(super) struct Table {
    /// Kind and name of each finding.
    findings: Vec<(Kind, String)>,
    /// Lists of words that phrases name between braces.
    lists: HashMap<String, Vec<String>>,
    vocabulary: Vec<Pattern>,
    by_pattern: HashMap<(String, bool), usize>,
    phrases: Vec<Phrase>,
    /// For each word of the vocabulary, the phrases that may begin with it.
    by_first: Vec<Vec<usize>>,
    /// Words that may stand between a denial and what it denies.
    between: HashSet<String>,
    /// Words that carry a denial on to the next thing.
    joining: HashSet<String>,
    /// Words that are spelled right, however much they look like one of the table.
    ordinary: HashSet<String>,
    /// Words that one slip is read for in every phrase, also where that has a beginning only.
    guessed: Vec<String>,
    pub(super) rules: Vec<Rule>,
    /// Lines that could not be read. A test holds that there are none.
    pub(super) problems: Vec<String>,
}

impl Table {
    pub(super) fn get() -> &'static Self {
        &TABLE
    }

    pub(super) fn read(data: &str) -> Self {
        let mut table = Self::default();
        let mut section = Section::Unknown;
        let mut rules = Vec::new();
        for line in data.lines().map(str::trim) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(heading) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                section = table.open(heading);
                continue;
            }
            match &section {
                Section::Finding(finding) => table.read_phrases(*finding, line),
                Section::Words(list) => table.read_words(*list, line),
                Section::Named(name) => {
                    let words = line.split_whitespace().map(str::to_owned);
                    table.lists.entry(name.clone()).or_default().extend(words);
                }
                // Rules name findings, which may come further down.
                Section::Rules => rules.push(line),
                Section::Unknown => table.problems.push(format!("under no heading: {line}")),
            }
        }
        for line in rules {
            match Rule::read(line, &|name| table.finding(name)) {
                Ok(rule) => table.rules.push(rule),
                Err(problem) => table.problems.push(format!("{problem}: {line}")),
            }
        }
        table.check_lowered();
        table
    }

    /// The number of a finding.
    pub(super) fn finding(&self, name: &str) -> Option<usize> {
        self.findings.iter().position(|(_, known)| known == name)
    }

    pub(super) fn kind(&self, finding: usize) -> Kind {
        self.findings[finding].0
    }

    pub(super) fn name(&self, finding: usize) -> &str {
        &self.findings[finding].1
    }

    pub(super) fn is_between(&self, word: &str) -> bool {
        self.between.contains(word)
    }

    pub(super) fn is_joining(&self, word: &str) -> bool {
        self.joining.contains(word)
    }

    /// The words of the vocabulary that a typed word is taken for: those it is or sounds like, or,
    /// when nobody knows it, those it may have been meant for.
    pub(super) fn meant(&self, word: &str) -> Vec<usize> {
        let mut meant = self.where_pattern(|pattern| pattern.is(word));
        if self.ordinary.contains(word) || analysis::is_small_word(word) {
            return meant;
        }
        let typed = Typed::new(word);
        let known = !meant.is_empty();
        meant.extend(self.where_pattern(|pattern| pattern.sounds_like(&typed)));
        if known {
            return meant;
        }
        meant.extend(self.where_pattern(|pattern| pattern.may_be(&typed)));
        for guess in self.guessed.iter().filter(|guess| typed.slipped(guess)) {
            meant.extend(self.where_pattern(|pattern| pattern.is(guess)));
        }
        meant.sort_unstable();
        meant.dedup();
        meant
    }

    fn where_pattern(&self, holds: impl Fn(&Pattern) -> bool) -> Vec<usize> {
        let patterns = self.vocabulary.iter().enumerate();
        let held = patterns.filter(|(_, pattern)| holds(pattern));
        held.map(|(id, _)| id).collect()
    }

    /// The phrases that may begin with a word that is taken for these of the vocabulary.
    pub(super) fn phrases_at(&self, meant: &[usize]) -> impl Iterator<Item = &Phrase> {
        let phrases = meant.iter().flat_map(|&word| &self.by_first[word]);
        phrases.map(|&phrase| &self.phrases[phrase])
    }

    fn open(&mut self, heading: &str) -> Section {
        match heading {
            "rules" => return Section::Rules,
            "between a denial and what it denies" => return Section::Words(List::Between),
            "carrying a denial on" => return Section::Words(List::Joining),
            "ordinary words" => return Section::Words(List::Ordinary),
            "words worth guessing" => return Section::Words(List::Guessed),
            _ => {}
        }
        if let Some(name) = heading.strip_prefix("list ") {
            return Section::Named(name.to_owned());
        }
        let (kind, name) = heading.split_once(' ').unwrap_or((heading, heading));
        let Some(kind) = Kind::read(kind) else {
            self.problems.push(format!("unknown heading: {heading}"));
            return Section::Unknown;
        };
        let known = self.finding(name);
        Section::Finding(known.unwrap_or_else(|| {
            self.findings.push((kind, name.to_owned()));
            self.findings.len() - 1
        }))
    }

    fn read_words(&mut self, list: List, line: &str) {
        let words = line.split([',', ' ']).filter_map(normalise);
        match list {
            List::Between => self.between.extend(words),
            List::Joining => self.joining.extend(words),
            List::Ordinary => self.ordinary.extend(words),
            List::Guessed => self.guessed.extend(words),
        }
    }

    fn read_phrases(&mut self, finding: usize, line: &str) {
        // What takes a finding away is read only as it stands, so that no guess hides an alarm.
        let guessed = !matches!(self.kind(finding), Kind::Denial | Kind::Nothing);
        for phrase in line.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            let mut places = Vec::new();
            let mut before = Gap::None;
            for place in phrase.split_whitespace() {
                if let Some(gap) = Gap::read(place) {
                    before = gap;
                    continue;
                }
                let any_of = self.alternatives(place, guessed);
                places.push(Place { any_of, before });
                before = Gap::None;
            }
            let unread = places.is_empty()
                || before != Gap::None
                || places.iter().any(|place| place.any_of.is_empty());
            if unread {
                self.problems.push(format!("not a phrase: {phrase}"));
            } else {
                for &word in &places[0].any_of {
                    self.by_first[word].push(self.phrases.len());
                }
                self.phrases.push(Phrase { places, finding });
            }
        }
    }

    /// The words of one place: "diente/muela", or the list that "{filling}" names.
    fn alternatives(&mut self, place: &str, guessed: bool) -> Vec<usize> {
        let mut ids = Vec::new();
        for written in place.split('/') {
            let name = written.strip_prefix('{').and_then(|w| w.strip_suffix('}'));
            let words = match name {
                Some(name) => self.lists.get(name).cloned().unwrap_or_default(),
                None => vec![written.to_owned()],
            };
            ids.extend(words.iter().filter_map(|word| self.word(word, guessed)));
        }
        ids
    }

    fn word(&mut self, written: &str, guessed: bool) -> Option<usize> {
        let key = (written.to_owned(), guessed);
        if let Some(&id) = self.by_pattern.get(&key) {
            return Some(id);
        }
        let pattern = Pattern::read(written, guessed)?;
        self.vocabulary.push(pattern);
        self.by_first.push(Vec::new());
        let id = self.vocabulary.len() - 1;
        self.by_pattern.insert(key, id);
        Some(id)
    }

    /// A rule that lowers another must name one that there is.
    fn check_lowered(&mut self) {
        let names: HashSet<&str> = self
            .rules
            .iter()
            .filter(|rule| rule.kind == RuleKind::Level)
            .map(|rule| rule.name.as_str())
            .collect();
        let lowered = self.rules.iter().flat_map(|rule| match &rule.kind {
            RuleKind::Lower(lowered) => lowered.as_slice(),
            RuleKind::Level | RuleKind::Raise => &[],
        });
        let unknown: Vec<String> = lowered
            .filter(|name| !names.contains(name.as_str()))
            .map(|name| format!("lowers a rule that is not there: {name}"))
            .collect();
        self.problems.extend(unknown);
    }
}
