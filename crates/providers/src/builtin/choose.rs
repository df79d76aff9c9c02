//! Choosing what to quote for a question.

use super::block::Block;
use super::judged::JudgedUnits;
use super::matches::Matches;
use super::units::{Heading, Unit};
use quipu_core::language::Language;

/// The least share of a question that a unit must cover to answer it.
const ENOUGH: f32 = 0.5;
/// The same for what answers another question, which must have been nearly this one.
const ENOUGH_ELSEWHERE: f32 = 0.7;
/// What a unit loses when its beginning may be missing.
const DOUBT: f32 = 0.8;
/// What the question before this one adds.
const CONTEXT: f32 = 0.3;
/// What each further expression of an idea adds, to tell equals apart.
const EVIDENCE: f32 = 0.02;
/// How much more of the question a second block must cover to be worth reading.
const WORTHWHILE: f32 = 0.25;
/// An idea that more units express than this says too little to add a block for it.
const COMMON: usize = 4;

pub(super) struct Asked {
    pub(super) text: String,
    /// What was asked before, when this question is too short to stand alone.
    pub(super) context: Option<String>,
}

pub(super) struct Choice<'a> {
    question: Matches,
    context: Option<Matches>,
    units: &'a [Unit<'a>],
}

impl<'a> Choice<'a> {
    pub(super) fn new(asked: &Asked, asked_in: Language, units: &'a [Unit<'a>]) -> Self {
        let read = |text: &str| Matches::new(text, asked_in, units);
        Self {
            question: read(&asked.text),
            context: asked.context.as_deref().map(read),
            units,
        }
    }

    /// The blocks that answer the question, or none when nothing answers it. Where nobody judged, a unit has to
    /// cover enough of its words.
    pub(super) fn blocks(&self, judged: Option<&JudgedUnits>) -> Vec<Block> {
        let Some(judged) = judged else {
            let Some(best) = self.best() else {
                return Vec::new();
            };
            let second = self.complement(best).map(Block::of);
            return [self.block(best)].into_iter().chain(second).collect();
        };
        let Some(best) = judged.best() else {
            return Vec::new();
        };
        let mut block = self.block(best);
        block.grow_prose(self.units, |i| judged.belongs(i));
        if self.units[best].listed {
            // Of several lines with all the words that were asked for none is left out.
            block.grow(self.units, |i| {
                self.coverage(i) >= self.coverage(best) && judged.belongs(i)
            });
            block.with_heading |= block.lines() > 1;
        }
        block.with_question = judged.answers_another(block.first);
        let second = self
            .complement(best)
            .filter(|second| judged.belongs(*second));
        let second = second
            .map(Block::of)
            .filter(|second| !second.overlaps(&block));
        [block].into_iter().chain(second).collect()
    }
}

impl Choice<'_> {
    /// The unit that answers best, if any answers enough. The first of equals wins.
    fn best(&self) -> Option<usize> {
        let enough = (0..self.units.len()).filter(|&i| {
            let heading = self.units[i].heading.as_ref();
            let asked = heading.is_some_and(Heading::asks);
            self.coverage(i) >= if asked { ENOUGH_ELSEWHERE } else { ENOUGH }
        });
        first_highest(enough, |i| self.score(i))
    }

    /// A unit that covers what the best one leaves open.
    fn complement(&self, best: usize) -> Option<usize> {
        let question = &self.question;
        let telling: Vec<usize> = (0..question.weights.len())
            .filter(|&idea| question.spread(idea) <= COMMON)
            .collect();
        let gain = |i: usize| -> f32 {
            let more = |idea: usize| {
                let (new, old) = (
                    question.unit(i).strength(idea),
                    question.unit(best).strength(idea),
                );
                question.weights[idea] * (new - old).max(0.0)
            };
            telling.iter().map(|&idea| more(idea)).sum()
        };
        let worthwhile = (0..self.units.len()).filter(|&i| i != best && gain(i) >= WORTHWHILE);
        first_highest(worthwhile, |i| gain(i) + self.score(i))
    }

    /// The unit as a block. A question about what the heading names gets the whole list under it;
    /// any other gets the one line, with the heading where the line does not speak for itself.
    fn block(&self, best: usize) -> Block {
        let mut block = Block::of(best);
        if !self.units[best].listed {
            return block;
        }
        let matched = self.question.unit(best);
        let ideas: Vec<usize> = (0..self.question.weights.len())
            .filter(|&idea| matched.strength(idea) > 0.0)
            .collect();
        if ideas.iter().all(|&idea| matched.heading[idea] > 0.0) {
            block.grow(self.units, |i| {
                self.context_coverage(i) >= self.context_coverage(best)
            });
        }
        block.with_heading =
            block.lines() > 1 || ideas.iter().any(|&idea| matched.own[idea] == 0.0);
        block
    }

    pub(super) fn coverage(&self, i: usize) -> f32 {
        let doubt = if self.units[i].doubtful { DOUBT } else { 1.0 };
        doubt * self.question.coverage(i)
    }

    /// How much of the words of the question a unit has, with what tells equals apart.
    pub(super) fn score(&self, i: usize) -> f32 {
        let evidence = EVIDENCE * self.question.unit(i).evidence;
        self.coverage(i) + evidence + CONTEXT * self.context_coverage(i)
    }

    fn context_coverage(&self, i: usize) -> f32 {
        self.context
            .as_ref()
            .map_or(0.0, |context| context.coverage(i))
    }
}

fn first_highest(
    among: impl Iterator<Item = usize>,
    value: impl Fn(usize) -> f32,
) -> Option<usize> {
    among.reduce(|best, i| if value(i) > value(best) { i } else { best })
}
