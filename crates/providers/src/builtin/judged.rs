//! Which sentences answer a question, as the judge inside the binary reads them: each by itself, under its heading,
//! and then the section around the best ones. A passage is about many things, and its words are nobody's answer.

use super::choose::{Asked, Choice};
use super::units::{Heading, Unit};
use crate::StaticEmbedder;
use crate::rerank::JudgeReranker;
use quipu_core::KnowledgeBaseId;
use quipu_core::analysis::written_out;
use quipu_core::memo::Memo;
use quipu_core::ports::{Embedder, Purpose, Reranked, Reranker};
use quipu_core::retrieval::Passage;
use quipu_core::text::{fold, words};
use std::fmt;

/// How many units are judged for a question; each takes a millisecond or two.
const MOST_JUDGED: usize = 5;
/// How many sections are judged after them.
const MOST_SECTIONS: usize = 2;
/// How much of a section is read.
const SECTION_CHARS: usize = 700;
/// From here on a unit answers, in the mean of its own log-odds and those of its section. On twelve businesses that
/// taught no model, half of what they answer is answered from the right place so (by words alone a fifth), and a
/// fifth of what they do not answer is.
const ANSWERS: f32 = 2.0;
/// A few words under a question say little by themselves, and have to be surer.
const LEANING_ANSWERS: f32 = 4.0;
const LEANING_WORDS: usize = 6;
/// Where a unit has nearly all of the words of a question, the judge may only object.
const NEARLY_ALL: f32 = 0.85;
const OBJECTS: f32 = -2.0;
/// What it is worth to have them, in log-odds.
const WORDS: f32 = 3.0;
/// What answers a question that goes on with another has something of its own words.
const OWN_WORDS: f32 = 0.3;
/// A neighbour of a unit that answers is quoted with it from here on.
const BELONGS: f32 = 1.5;
/// A question that is this much like the one above an answer is that one.
const SAME_QUESTION: f32 = 0.9;
/// Judgements at hand, some bytes each.
const MOST_KNOWN: usize = 20_000;

/// Judges units, and remembers what it made of them.
pub(super) struct UnitJudge {
    judge: JudgeReranker,
    known: Memo<f32>,
}

impl Default for UnitJudge {
    fn default() -> Self {
        Self {
            judge: JudgeReranker::new(),
            known: Memo::new(MOST_KNOWN),
        }
    }
}

impl fmt::Debug for UnitJudge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnitJudge").finish_non_exhaustive()
    }
}

/// The log-odds with which units answer a question, by their places.
#[derive(Debug)]
pub(super) struct JudgedUnits {
    best: Option<usize>,
    odds: Vec<(usize, f32)>,
    /// A bare yes or no that is an answer to this very question.
    plain: Vec<usize>,
    /// What answers another question than this one.
    others: Vec<usize>,
}

impl JudgedUnits {
    /// The unit that answers, if any does.
    pub(super) fn best(&self) -> Option<usize> {
        self.best
    }

    /// Whether a unit answers another question, so that it says less without that.
    pub(super) fn answers_another(&self, unit: usize) -> bool {
        self.others.contains(&unit)
    }

    /// Whether a unit may be quoted beside one that answers.
    pub(super) fn belongs(&self, unit: usize) -> bool {
        let odds = self.odds.iter().find(|(place, _)| *place == unit);
        odds.is_some_and(|(_, odds)| *odds >= BELONGS) || self.plain.contains(&unit)
    }
}

impl UnitJudge {
    /// Judges the units that come nearest to a question. `None` where nobody can.
    pub(super) async fn judge(
        &self,
        asked: &Asked,
        passages: &[Passage],
        units: &[Unit<'_>],
        choice: &Choice<'_>,
    ) -> Option<JudgedUnits> {
        // What goes on with the question before it is judged with that first: "¿y los sábados?".
        if let Some(context) = asked.context.as_ref().filter(|_| goes_on(&asked.text)) {
            let both = written_out(&format!("{context} {}", asked.text));
            let judged = self
                .judge_as(&both, OWN_WORDS, passages, units, choice)
                .await?;
            if judged.best.is_some() {
                return Some(judged);
            }
        }
        let question = written_out(&asked.text);
        self.judge_as(&question, 0.0, passages, units, choice).await
    }

    /// Judges the units by a question. One that answers has at least this share of the words that were asked last.
    async fn judge_as(
        &self,
        question: &str,
        own_words: f32,
        passages: &[Passage],
        units: &[Unit<'_>],
        choice: &Choice<'_>,
    ) -> Option<JudgedUnits> {
        let likeness = likeness(question, passages, units).await?;
        let mut places: Vec<usize> = (0..units.len())
            .filter(|place| !is_bare(&units[*place]))
            .collect();
        let worth = |place: usize| likeness.units[place] + choice.score(place);
        places.sort_by(|a, b| worth(*b).total_cmp(&worth(*a)));
        places.truncate(MOST_JUDGED);
        let kb = |place: usize| passages[units[place].passage].knowledge_base_id;
        let texts = places
            .iter()
            .map(|place| (kb(*place), under_heading(passages, &units[*place], None)));
        let odds = self.odds(question, texts.collect()).await?;
        let mut odds: Vec<(usize, f32)> = places.into_iter().zip(odds).collect();
        odds.sort_by(|a, b| b.1.total_cmp(&a.1));
        let first: Vec<(usize, f32)> = odds.iter().copied().take(MOST_SECTIONS).collect();
        let sections = first
            .iter()
            .map(|(place, _)| (kb(*place), section(passages, units, *place)));
        let around = self.odds(question, sections.collect()).await?;
        let both = first
            .iter()
            .zip(around)
            .map(|((place, own), around)| (*place, own.midpoint(around)));
        let surely = both.filter_map(|(place, odds)| {
            let words = choice.coverage(place) >= NEARLY_ALL;
            let leans = likeness.headings[place] < SAME_QUESTION && leans(&units[place]);
            let least = if leans { LEANING_ANSWERS } else { ANSWERS };
            let worth = odds
                + if words {
                    WORDS + choice.score(place)
                } else {
                    0.0
                };
            let answers = odds >= least || words && odds >= OBJECTS;
            (answers && choice.coverage(place) >= own_words).then_some((place, worth))
        });
        let best = surely.max_by(|a, b| a.1.total_cmp(&b.1));
        let best = best.map(|(place, _)| place);
        let plain = (0..units.len())
            .filter(|place| is_bare(&units[*place]) && likeness.headings[*place] >= SAME_QUESTION);
        // Whatever answers another question leans on it: "Cuesta $65.000 y dura 20 minutos."
        let others = (0..units.len()).filter(|place| {
            let asks = units[*place].heading.as_ref().is_some_and(Heading::asks);
            asks && likeness.headings[*place] < SAME_QUESTION
        });
        Some(JudgedUnits {
            best,
            odds,
            plain: plain.collect(),
            others: others.collect(),
        })
    }

    /// The log-odds with which each text answers. Whether one is known shows in the time it takes, so that it is known to
    /// its own knowledge base alone.
    async fn odds(
        &self,
        question: &str,
        texts: Vec<(KnowledgeBaseId, String)>,
    ) -> Option<Vec<f32>> {
        let known: Vec<Option<f32>> = texts
            .iter()
            .map(|text| self.known.get(&(question, text)))
            .collect();
        let unknown: Vec<(KnowledgeBaseId, String)> = texts
            .iter()
            .zip(&known)
            .filter(|(_, known)| known.is_none())
            .map(|(text, _)| text.clone())
            .collect();
        let mut found = Vec::new();
        if !unknown.is_empty() {
            let to_judge: Vec<String> = unknown.iter().map(|(_, text)| text.clone()).collect();
            let Ok(Reranked::Relevances(relevances)) = self.judge.rerank(question, &to_judge).await
            else {
                return None;
            };
            for (text, relevance) in unknown.iter().zip(relevances) {
                let relevance = relevance.clamp(1e-6, 1.0 - 1e-6);
                let odds = (relevance / (1.0 - relevance)).ln();
                self.known.insert(&(question, text), odds);
                found.push(odds);
            }
        }
        let mut found = found.into_iter();
        known
            .into_iter()
            .map(|known| known.or_else(|| found.next()))
            .collect()
    }
}

/// How alike the units and what stands above them are to a question.
struct UnitLikeness {
    units: Vec<f32>,
    headings: Vec<f32>,
}

async fn likeness(
    question: &str,
    passages: &[Passage],
    units: &[Unit<'_>],
) -> Option<UnitLikeness> {
    let heading = |unit: &Unit<'_>| {
        unit.heading
            .as_ref()
            .map_or_else(String::new, |heading| heading.text.to_owned())
    };
    let mut texts = vec![question.to_owned()];
    texts.extend(units.iter().map(|unit| under_heading(passages, unit, None)));
    texts.extend(units.iter().map(heading));
    let embedded = StaticEmbedder::new()
        .embed(&texts, Purpose::Question)
        .await
        .ok()?;
    let (asked, rest) = embedded.vectors.split_first()?;
    let like = |vector: &Vec<f32>| asked.iter().zip(vector).map(|(a, b)| a * b).sum();
    let mut alike: Vec<f32> = rest.iter().map(like).collect();
    let headings = alike.split_off(units.len());
    Some(UnitLikeness {
        units: alike,
        headings,
    })
}

fn goes_on(question: &str) -> bool {
    let first = words(question).next().map(fold);
    first.is_some_and(|word| matches!(word.as_str(), "y" | "and" | "o" | "or" | "pero" | "but"))
}

/// A unit that says no more than yes or no.
fn is_bare(unit: &Unit<'_>) -> bool {
    unit.words <= 2 && !unit.listed && unit.heading.as_ref().is_some_and(Heading::asks)
}

/// An answer to the question above it that says little without it.
fn leans(unit: &Unit<'_>) -> bool {
    unit.words <= LEANING_WORDS && unit.heading.as_ref().is_some_and(Heading::asks)
}

/// A text with its title and heading, as the judge was taught to read it.
fn under_heading(passages: &[Passage], unit: &Unit<'_>, text: Option<&str>) -> String {
    let passage = &passages[unit.passage];
    let text = text.unwrap_or(&passage.content[unit.range.clone()]);
    let title = passage.title.as_deref().unwrap_or_default();
    let heading = unit
        .heading
        .as_ref()
        .map(|heading| heading.text)
        .filter(|heading| *heading != title);
    let above: Vec<&str> = [Some(title), heading]
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    if above.is_empty() {
        return text.to_owned();
    }
    format!("{}\n{text}", above.join(". "))
}

/// What stands under the heading of a unit, from a little before it on.
fn section(passages: &[Passage], units: &[Unit<'_>], place: usize) -> String {
    let own = &units[place];
    let heading = |unit: &Unit<'_>| unit.heading.as_ref().map(|heading| heading.text.to_owned());
    let same = |place: &usize| {
        units[*place].passage == own.passage && heading(&units[*place]) == heading(own)
    };
    let mut from = place;
    while from > 0
        && same(&(from - 1))
        && own.range.end - units[from - 1].range.start <= SECTION_CHARS / 2
    {
        from -= 1;
    }
    let mut to = place;
    while to + 1 < units.len()
        && same(&(to + 1))
        && units[to + 1].range.end - units[from].range.start <= SECTION_CHARS
    {
        to += 1;
    }
    let content = &passages[own.passage].content;
    under_heading(
        passages,
        own,
        content.get(units[from].range.start..units[to].range.end),
    )
}
