//! How well each unit expresses the ideas of a question, the rare ideas weighing more.

use super::units::Unit;
use quipu_core::analysis::{Concept, Question};
use quipu_core::language::Language;
use std::collections::HashSet;

/// What an expression is worth as evidence when it stands in the heading, which says what the
/// whole section is about.
const HEADING: f32 = 1.5;
/// What it adds to be the first sentence of such a section, where the main fact tends to be.
const FIRST: f32 = 1.0;

/// What it adds to begin with what the question is about.
const SUBJECT: f32 = 0.5;

/// One question against all units.
pub(super) struct Matches {
    /// The weight of each idea, adding up to 1.
    pub(super) weights: Vec<f32>,
    units: Vec<Match>,
}

/// One question against one unit: how well each idea is expressed, from 0 to 1.
pub(super) struct Match {
    /// By the unit's own words.
    pub(super) own: Vec<f32>,
    /// By its heading.
    pub(super) heading: Vec<f32>,
    /// By the title of its document.
    title: Vec<f32>,
    /// How many expressions of the ideas there are, by their worth; it tells equals apart.
    pub(super) evidence: f32,
}

impl Matches {
    pub(super) fn new(text: &str, asked_in: Language, units: &[Unit<'_>]) -> Self {
        let es = read(text, asked_in, Language::Es, units);
        let en = read(text, asked_in, Language::En, units);
        let matched: Vec<Match> = units
            .iter()
            .map(|unit| match unit.language {
                Language::Es => Match::new(&es.concepts, unit),
                Language::En => Match::new(&en.concepts, unit),
            })
            .collect();
        Self {
            weights: weights(es.concepts.len(), &matched),
            units: matched,
        }
    }

    pub(super) fn unit(&self, index: usize) -> &Match {
        &self.units[index]
    }

    /// The share of the question that a unit covers under its heading and title.
    pub(super) fn coverage(&self, index: usize) -> f32 {
        let unit = &self.units[index];
        let weighed = self.weights.iter().enumerate();
        weighed
            .map(|(idea, weight)| weight * unit.strength(idea))
            .sum()
    }

    /// How many units express an idea.
    pub(super) fn spread(&self, idea: usize) -> usize {
        spread(&self.units, idea)
    }
}

impl Match {
    fn new(concepts: &[Concept], unit: &Unit<'_>) -> Self {
        let heading = evidence(concepts, &unit.heading_terms);
        let mut evidence = evidence(concepts, &unit.terms) + HEADING * heading;
        if unit.first && heading > 0.0 {
            evidence += FIRST;
        }
        if concepts
            .iter()
            .any(|concept| concept.strength(|term| unit.subject.as_deref() == Some(term)) > 0.0)
        {
            evidence += SUBJECT;
        }
        Self {
            own: expressed(concepts, &unit.terms),
            heading: expressed(concepts, &unit.heading_terms),
            title: expressed(concepts, &unit.title_terms),
            evidence,
        }
    }

    /// How well an idea is expressed by the unit, its heading and its document together.
    pub(super) fn strength(&self, idea: usize) -> f32 {
        self.own[idea].max(self.heading[idea]).max(self.title[idea])
    }
}

/// Reads a question for units of one language, correcting it by their words.
fn read(text: &str, asked_in: Language, written_in: Language, units: &[Unit<'_>]) -> Question {
    let written = units.iter().filter(|unit| unit.language == written_in);
    let terms = written.flat_map(|unit| {
        let around = unit.heading_terms.iter().chain(&unit.title_terms);
        unit.terms.iter().chain(around)
    });
    let vocabulary: HashSet<&str> = terms.map(String::as_str).collect();
    Question::read(text, asked_in, written_in).corrected(&vocabulary)
}

fn expressed(concepts: &[Concept], terms: &HashSet<String>) -> Vec<f32> {
    concepts
        .iter()
        .map(|concept| concept.strength(|term| terms.contains(term)))
        .collect()
}

fn evidence(concepts: &[Concept], terms: &HashSet<String>) -> f32 {
    let all = concepts.iter().flat_map(Concept::terms);
    all.filter(|(term, _)| terms.contains(term))
        .map(|(_, worth)| worth)
        .sum()
}

/// The weight of each idea by how few units express it. What nobody expresses weighs most, so
/// that it cannot be made up for by the rest.
fn weights(ideas: usize, units: &[Match]) -> Vec<f32> {
    let raw: Vec<f32> = (0..ideas)
        .map(|idea| {
            let found = spread(units, idea);
            let missing = units.len() - found;
            (1.0 + (as_float(missing) + 0.5) / (as_float(found) + 0.5)).ln()
        })
        .collect();
    let total: f32 = raw.iter().sum();
    raw.iter().map(|weight| weight / total).collect()
}

fn spread(units: &[Match], idea: usize) -> usize {
    units
        .iter()
        .filter(|unit| unit.strength(idea) > 0.0)
        .count()
}

#[expect(clippy::cast_precision_loss, reason = "units number far below 2^24")]
fn as_float(n: usize) -> f32 {
    n as f32
}
