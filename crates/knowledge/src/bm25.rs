//! BM25 over the chunks of one knowledge base. Term statistics never cross a knowledge base, so
//! that nothing about one can be told from the scores of another.

use quipu_core::analysis::{Question, TermReader};
use quipu_core::knowledge::Chunk;
use quipu_core::language::Language;
use std::collections::{HashMap, HashSet};

/// How fast repeating a word stops helping.
const K1: f32 = 1.2;
/// How much long chunks are held back.
const B: f32 = 0.75;
/// How many times a word of the document's title counts.
const TITLE: f32 = 1.5;

/// How well one chunk answers, both from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Score {
    /// The share of the question that the chunk covers, rare ideas weighing more. An idea that
    /// the knowledge base does not know weighs most, so that it cannot be covered by the rest.
    pub(crate) coverage: f32,
    /// BM25 as a share of the highest value the question could reach.
    pub(crate) relevance: f32,
}

impl Score {
    pub(crate) fn total(self) -> f32 {
        self.coverage + self.relevance
    }
}

/// The chunks of one knowledge base, counted.
pub(crate) struct Index {
    chunks: Vec<Counted>,
    average_length: f32,
}

struct Counted {
    frequencies: HashMap<String, f32>,
    length: f32,
}

impl Index {
    pub(crate) fn new<'a>(chunks: &[&'a Chunk], language: Language) -> Self {
        let mut reader = TermReader::new(language);
        let count_chunk = |chunk: &&'a Chunk| Counted::new(chunk, &mut reader);
        let chunks: Vec<Counted> = chunks.iter().map(count_chunk).collect();
        let total: f32 = chunks.iter().map(|chunk| chunk.length).sum();
        Self {
            average_length: (total / count(chunks.len())).max(1.0),
            chunks,
        }
    }

    /// Every term that occurs.
    pub(crate) fn vocabulary(&self) -> HashSet<&str> {
        let terms = self
            .chunks
            .iter()
            .flat_map(|chunk| chunk.frequencies.keys());
        terms.map(String::as_str).collect()
    }

    /// The score of each chunk, in the order they came.
    pub(crate) fn score(&self, question: &Question) -> Vec<Score> {
        let weights: Vec<f32> = question
            .concepts
            .iter()
            .map(|concept| {
                let known = |chunk: &&Counted| concept.strength(|term| chunk.has(term)) > 0.0;
                inverse_frequency(self.chunks.len(), self.chunks.iter().filter(known).count())
            })
            .collect();
        let total: f32 = weights.iter().sum();
        if total <= 0.0 {
            return vec![Score::default(); self.chunks.len()];
        }
        self.chunks
            .iter()
            .map(|chunk| {
                let mut score = Score::default();
                for (concept, weight) in question.concepts.iter().zip(&weights) {
                    score.coverage += weight * concept.strength(|term| chunk.has(term)) / total;
                    score.relevance += weight * self.saturated(chunk, concept.terms()) / total;
                }
                score
            })
            .collect()
    }

    /// The BM25 term factor, from 0 to 1.
    fn saturated(&self, chunk: &Counted, terms: &[(String, f32)]) -> f32 {
        let frequency: f32 = terms
            .iter()
            .map(|(term, worth)| worth * chunk.frequencies.get(term).copied().unwrap_or(0.0))
            .sum();
        frequency / (frequency + K1 * (1.0 - B + B * chunk.length / self.average_length))
    }
}

impl Counted {
    fn new<'a>(chunk: &'a Chunk, reader: &mut TermReader<'a>) -> Self {
        let mut frequencies = HashMap::new();
        let words = reader.read(&chunk.content);
        let length = count(words.len());
        for word in words {
            *frequencies.entry(word).or_default() += 1.0;
        }
        for word in reader.read(chunk.document_title.as_deref().unwrap_or_default()) {
            *frequencies.entry(word).or_default() += TITLE;
        }
        Self {
            frequencies,
            length,
        }
    }

    fn has(&self, term: &str) -> bool {
        self.frequencies.contains_key(term)
    }
}

/// The usual BM25 weight of an idea found in `found` of `all` chunks, which is never negative.
fn inverse_frequency(all: usize, found: usize) -> f32 {
    (1.0 + (count(all) - count(found) + 0.5) / (count(found) + 0.5)).ln()
}

/// Counts are small enough for a float to hold them exactly.
#[expect(
    clippy::cast_precision_loss,
    reason = "chunks and words number far below 2^24"
)]
fn count(n: usize) -> f32 {
    n as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::chunk;
    use quipu_core::KnowledgeBaseId;

    fn scores(texts: &[&str], question: &str) -> Vec<Score> {
        let kb = KnowledgeBaseId::generate(jiff::Timestamp::UNIX_EPOCH);
        let chunks: Vec<Chunk> = texts.iter().map(|text| chunk(kb, text)).collect();
        let index = Index::new(&chunks.iter().collect::<Vec<_>>(), Language::Es);
        index.score(&Question::read(question, Language::Es, Language::Es))
    }

    #[test]
    fn rare_words_decide() {
        let found = scores(
            &[
                "La consulta de ortodoncia",
                "La consulta de limpieza",
                "La consulta de siempre",
            ],
            "consulta de limpieza",
        );
        assert!(found[1].relevance > found[0].relevance && found[1].coverage > found[0].coverage);
        assert!((found[1].coverage - 1.0).abs() < 1e-5);
        assert!(found[0].coverage < 0.3, "{found:?}");
    }

    #[test]
    fn repetition_saturates_and_length_holds_back() {
        let long = format!("resina {}", "palabra distinta ".repeat(60));
        let found = scores(&["resina", "resina resina resina resina", &long], "resina");
        let gain = found[1].relevance - found[0].relevance;
        assert!(gain > 0.0 && gain < found[0].relevance);
        assert!(found[2].relevance < found[0].relevance);
    }

    #[test]
    fn unknown_words_keep_the_coverage_low() {
        let found = scores(
            &["Limpieza: S/ 120", "Ortodoncia: S/ 3000"],
            "cuánto cuesta un corte de pelo",
        );
        assert!(found.iter().all(|score| score.coverage < 0.2), "{found:?}");
    }

    #[test]
    fn words_of_the_title_count() {
        let kb = KnowledgeBaseId::generate(jiff::Timestamp::UNIX_EPOCH);
        let mut chunks = [
            chunk(kb, "Son treinta días."),
            chunk(kb, "Son quince días."),
        ];
        chunks[1].document_title = Some("Devoluciones".to_owned());
        let index = Index::new(&chunks.iter().collect::<Vec<_>>(), Language::Es);
        let found = index.score(&Question::read("devolucion", Language::Es, Language::Es));
        assert!(found[1].coverage > 0.99 && found[0].coverage == 0.0);
    }

    #[test]
    fn nothing_asked_or_nothing_known_scores_nothing() {
        assert_eq!(scores(&["Hola"], "hola"), [Score::default()]);
        assert!(scores(&[], "limpieza").is_empty());
    }
}
