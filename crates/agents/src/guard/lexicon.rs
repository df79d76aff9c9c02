//! The phrases of the lexicon: how they are read, and where they stand in a text.

use super::vocabulary::{PatternId, Vocabulary, Words};
use super::words::Word;
use quipu_core::quick::QuickMap;

/// How many words may stand where a phrase says "..".
const GAP: usize = 3;
/// No phrase reaches over more words.
pub(super) const LONGEST_PHRASE: usize = 24;
/// More places of one concept say nothing that these do not.
const MOST_SPANS: usize = 512;
/// The concept whose words are said in everyday business and count for no other.
const ORDINARY: &str = "ordinary";

pub(super) type ConceptId = usize;

/// The words from the first to the last of a phrase that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first: usize,
    pub(super) last: usize,
    /// A bit for each word, from the first on, that belongs to the phrase and not to a gap in it.
    used: u64,
}

impl Span {
    /// From the first word of either to the last word of either.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            first: self.first.min(other.first),
            last: self.last.max(other.last),
            used: 0,
        }
    }

    /// Whether both are made of at least one same word.
    pub(super) fn shares_words(self, other: Self) -> bool {
        let (early, late) = if self.first <= other.first {
            (self, other)
        } else {
            (other, self)
        };
        let apart = u32::try_from(late.first - early.first).unwrap_or(u32::MAX);
        early
            .used
            .checked_shr(apart)
            .is_some_and(|used| used & late.used != 0)
    }
}

#[derive(Debug)]
struct Place {
    any_of: Vec<PatternId>,
    after_gap: bool,
}

#[derive(Debug)]
struct Phrase {
    places: Vec<Place>,
    concept: ConceptId,
}

#[derive(Debug)]
pub(super) struct Lexicon {
    pub(super) vocabulary: Vocabulary,
    concepts: Vec<String>,
    /// The concepts that speak against an attack. No everyday phrase takes their words away.
    calming: Vec<ConceptId>,
    phrases: Vec<Phrase>,
    /// For each word, the phrases that may begin with it.
    beginning_with: Vec<Vec<u32>>,
}

impl Lexicon {
    /// Reads lists (`[list name]`, words) and concepts (`[name]` or `[calming name]`, phrases between
    /// commas).
    pub(super) fn read(source: &str) -> Result<Self, String> {
        let mut reader = Reader::default();
        reader.concept(ORDINARY);
        for (number, line) in source.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                let told = |error| format!("line {} of the lexicon: {error}", number + 1);
                reader.line(line).map_err(told)?;
            }
        }
        let vocabulary = reader.words.finish()?;
        let mut beginning_with = vec![Vec::new(); vocabulary.len()];
        for (number, phrase) in reader.phrases.iter().enumerate() {
            let number = u32::try_from(number).map_err(|_| "there are too many phrases")?;
            for &pattern in &phrase.places[0].any_of {
                beginning_with[usize::from(pattern)].push(number);
            }
        }
        Ok(Self {
            vocabulary,
            concepts: reader.concepts,
            calming: reader.calming,
            phrases: reader.phrases,
            beginning_with,
        })
    }

    pub(super) fn concept(&self, name: &str) -> Option<ConceptId> {
        self.concepts.iter().position(|known| known == name)
    }

    /// Where each concept stands in a text.
    pub(super) fn find(&self, text: &str, words: &[Word]) -> Found {
        let mut meant = Vec::with_capacity(words.len());
        let mut patterns = Vec::with_capacity(words.len());
        for word in words {
            let from = patterns.len();
            self.vocabulary
                .look_up(&text[word.range.clone()], &mut patterns);
            meant.push(from..patterns.len());
        }
        let message = Message {
            words,
            meant,
            patterns,
        };
        let mut spans = vec![Vec::new(); self.concepts.len()];
        self.collect(&message, &mut spans);
        let ordinary = std::mem::take(&mut spans[0]);
        if !ordinary.is_empty() {
            for (concept, of_concept) in spans.iter_mut().enumerate() {
                if !self.calming.contains(&concept) {
                    of_concept.retain(|span: &Span| !is_ordinary(*span, &ordinary));
                }
            }
        }
        Found { spans }
    }

    fn collect(&self, message: &Message<'_>, spans: &mut [Vec<Span>]) {
        let mut tried: Vec<u32> = Vec::new();
        for first in 0..message.words.len() {
            tried.clear();
            for &pattern in message.at(first) {
                tried.extend(&self.beginning_with[usize::from(pattern)]);
            }
            tried.sort_unstable();
            tried.dedup();
            for &number in &tried {
                let phrase = &self.phrases[number as usize];
                let of_concept = &mut spans[phrase.concept];
                if of_concept.len() < MOST_SPANS
                    && let Some((last, used)) = phrase.end(0, first, first, message)
                    && of_concept
                        .last()
                        .is_none_or(|span| (span.first, span.last) != (first, last))
                {
                    of_concept.push(Span { first, last, used });
                }
            }
        }
    }
}

/// Whether an everyday phrase covers what was found, and is not the shorter of both.
fn is_ordinary(span: Span, ordinary: &[Span]) -> bool {
    // Everyday phrases stand in the order of their first words, and none is longer than this.
    let from = span.first.saturating_sub(LONGEST_PHRASE);
    let begin = ordinary.partition_point(|o| o.first < from);
    let near = ordinary[begin..]
        .iter()
        .take_while(|o| o.first <= span.last);
    near.into_iter()
        .any(|o| o.last >= span.first && o.last - o.first >= span.last - span.first)
}

/// Where the concepts stand, by their number.
pub(super) struct Found {
    spans: Vec<Vec<Span>>,
}

impl Found {
    pub(super) fn of(&self, concept: ConceptId) -> &[Span] {
        &self.spans[concept]
    }
}

struct Message<'a> {
    words: &'a [Word],
    meant: Vec<std::ops::Range<usize>>,
    patterns: Vec<PatternId>,
}

impl Message<'_> {
    fn at(&self, word: usize) -> &[PatternId] {
        &self.patterns[self.meant[word].clone()]
    }
}

impl Phrase {
    /// The last word of the phrase and those it is made of, if its places from this one on stand
    /// from this word on.
    fn end(
        &self,
        place: usize,
        first: usize,
        word: usize,
        message: &Message<'_>,
    ) -> Option<(usize, u64)> {
        let wanted = &self.places[place].any_of;
        let is_wanted = |pattern: &PatternId| wanted.binary_search(pattern).is_ok();
        if !message.at(word).iter().any(is_wanted) {
            return None;
        }
        let bit = 1_u64
            .checked_shl(u32::try_from(word - first).ok()?)
            .unwrap_or(0);
        let Some(next) = self.places.get(place + 1) else {
            return Some((word, bit));
        };
        let reach = if next.after_gap { 1 + GAP } else { 1 };
        let from = message.words[word].at;
        (word + 1..message.words.len().min(word + 1 + reach))
            .take_while(|&following| message.words[following].at - from <= reach + 1)
            .find_map(|following| self.end(place + 1, first, following, message))
            .map(|(last, used)| (last, used | bit))
    }
}

#[derive(Default)]
struct Reader {
    words: Words,
    lists: QuickMap<String, Vec<PatternId>>,
    list: Option<String>,
    concepts: Vec<String>,
    calming: Vec<ConceptId>,
    current: Option<ConceptId>,
    phrases: Vec<Phrase>,
}

impl Reader {
    fn concept(&mut self, name: &str) -> ConceptId {
        let known = self.concepts.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.concepts.push(name.to_owned());
            self.concepts.len() - 1
        })
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some(heading) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            self.list = heading.strip_prefix("list ").map(str::to_owned);
            let calming = heading.strip_prefix("calming ");
            self.current = match self.list {
                Some(_) => None,
                None => Some(self.concept(calming.unwrap_or(heading))),
            };
            self.calming
                .extend(self.current.filter(|_| calming.is_some()));
            return Ok(());
        }
        if let Some(list) = self.list.clone() {
            for word in line.split_whitespace() {
                let id = self.words.add(word)?;
                self.lists.entry(list.clone()).or_default().push(id);
            }
            return Ok(());
        }
        let concept = self.current.ok_or("a phrase stands under no heading")?;
        for phrase in line
            .split(',')
            .map(str::trim)
            .filter(|phrase| !phrase.is_empty())
        {
            let places = self.places(phrase)?;
            self.phrases.push(Phrase { places, concept });
        }
        Ok(())
    }

    fn places(&mut self, phrase: &str) -> Result<Vec<Place>, String> {
        let mut places = Vec::new();
        let mut after_gap = false;
        for part in phrase.split_whitespace() {
            if part == ".." {
                after_gap = true;
                continue;
            }
            let mut any_of = Vec::new();
            for word in part.split('/') {
                match word
                    .strip_prefix('{')
                    .and_then(|rest| rest.strip_suffix('}'))
                {
                    Some(list) => any_of.extend(
                        self.lists
                            .get(list)
                            .ok_or_else(|| format!("there is no list \"{list}\" above"))?,
                    ),
                    None => any_of.push(self.words.add(word)?),
                }
            }
            any_of.sort_unstable();
            any_of.dedup();
            places.push(Place { any_of, after_gap });
            after_gap = false;
        }
        if places.is_empty() || after_gap || places[0].after_gap {
            return Err(format!("\"{phrase}\" begins or ends with a gap"));
        }
        let gaps = places.iter().filter(|place| place.after_gap).count();
        if places.len() + gaps * GAP > LONGEST_PHRASE {
            return Err(format!("\"{phrase}\" has too many words"));
        }
        Ok(places)
    }
}
