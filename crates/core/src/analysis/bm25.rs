//! How well the words of chunks answer a question: BM25 over the statistics of one knowledge base,
//! as a share of the highest value the question could reach. Every engine measures alike.

use super::Question;

/// How often a term of a chunk's content counts, in halves.
pub const CONTENT_HALVES: u32 = 2;
/// How often a term of its title and headings counts, in halves.
pub const TITLE_HALVES: u32 = 3;

/// How fast repeating a word stops helping.
const K1: f32 = 1.2;
/// How much long chunks are held back.
const B: f32 = 0.75;

/// How well a chunk answers, both from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// The share of the question's ideas that it has, rare ones weighing more.
    pub coverage: f32,
    /// BM25 as a share of the highest value the question could reach.
    pub relevance: f32,
}

impl Score {
    #[must_use]
    pub fn total(self) -> f32 {
        self.coverage + self.relevance
    }
}

/// What a knowledge base says of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub chunks: u64,
    /// The sum of the lengths of all chunks, in terms of their content.
    pub length: u64,
}

/// The words of one chunk that a question asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counted {
    pub length: u32,
    /// How often each of the question's [`sought`](Question::sought) terms occurs, in halves.
    pub halves: Vec<u32>,
}

/// The BM25 factor of an idea, from 0 to 1: `length` is that of the chunk, `average` that of all.
#[must_use]
pub fn saturated(frequency: f32, length: f32, average: f32) -> f32 {
    frequency / (frequency + K1 * (1.0 - B + B * length / average))
}

/// The usual BM25 weight of an idea found in `found` of `all` chunks, which is never negative.
#[must_use]
pub fn inverse_frequency(all: u64, found: u64) -> f32 {
    (1.0 + (number(all) - number(found) + 0.5) / (number(found) + 0.5)).ln()
}

/// The average length of a chunk.
#[must_use]
pub fn average(statistics: Statistics) -> f32 {
    (number(statistics.length) / number(statistics.chunks.max(1))).max(1.0)
}

/// Measures all chunks that have any of the sought terms. Returns for each idea of the question
/// whether some chunk has it, and a score for each chunk.
#[must_use]
pub fn measure(
    question: &Question,
    counted: &[Counted],
    statistics: Statistics,
) -> (Vec<bool>, Vec<Score>) {
    let average = average(statistics);
    let mut scores = vec![Score::default(); counted.len()];
    let mut known = Vec::with_capacity(question.concepts.len());
    let mut total = 0.0;
    let mut first = 0;
    for concept in &question.concepts {
        let terms = concept.sought();
        let halves = first..first + terms.len();
        first = halves.end;
        let matches: Vec<(usize, f32, f32)> = counted
            .iter()
            .enumerate()
            .filter_map(|(index, chunk)| {
                let mut strength = 0.0_f32;
                let mut frequency = 0.0;
                for ((_, worth), &halves) in terms.iter().zip(&chunk.halves[halves.clone()]) {
                    if halves > 0 {
                        strength = strength.max(*worth);
                        frequency += worth * number(halves.into()) / 2.0;
                    }
                }
                (strength > 0.0).then_some((index, strength, frequency))
            })
            .collect();
        let weight = inverse_frequency(statistics.chunks, matches.len() as u64);
        total += weight;
        known.push(!matches.is_empty());
        for (index, strength, frequency) in matches {
            let length = number(counted[index].length.into());
            scores[index].coverage += weight * strength;
            scores[index].relevance += weight * saturated(frequency, length, average);
        }
    }
    if total > 0.0 {
        for score in &mut scores {
            score.coverage /= total;
            score.relevance /= total;
        }
    }
    (known, scores)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "chunks number far below 2^24, and an average of lengths needs no more than 24 bits"
)]
fn number(n: u64) -> f32 {
    n as f32
}
