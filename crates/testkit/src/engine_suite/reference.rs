use quipu_core::analysis::{Concept, Question};
use quipu_core::engine::{Entry, Found, Probe};
use quipu_core::{ChunkId, DocumentId};
use std::collections::{HashMap, HashSet};

const K1: f32 = 1.2;
const B: f32 = 0.75;
const TITLE: f32 = 1.5;
/// What two ways of adding the same numbers may differ by.
const CLOSE: f32 = 1e-4;

/// Looks at every chunk. What engines find is held against it.
pub struct Reference {
    chunks: Vec<Counted>,
    average_length: f32,
}

struct Counted {
    document: DocumentId,
    chunk: ChunkId,
    frequencies: HashMap<String, f32>,
    length: f32,
    vectors: Vec<(String, Vec<f32>)>,
}

/// A chunk with its measures.
#[derive(Clone, Copy, Debug)]
struct Measure {
    document: DocumentId,
    cosine: Option<f32>,
    coverage: f32,
    relevance: f32,
}

impl Reference {
    #[must_use]
    pub fn new(entries: Vec<(DocumentId, Entry)>) -> Self {
        let chunks: Vec<Counted> = entries.into_iter().map(Counted::new).collect();
        let total: f32 = chunks.iter().map(|chunk| chunk.length).sum();
        Self {
            average_length: (total / count(chunks.len())).max(1.0),
            chunks,
        }
    }

    /// Panics unless an answer is right: all it has measured exactly, and nothing better missing.
    ///
    /// # Panics
    /// When the answer is wrong.
    pub fn check(&self, probe: &Probe, found: &Found) {
        assert_eq!(found.chunks, self.chunks.len(), "the number of chunks");
        assert_eq!(found.known, self.known(probe), "the ideas that are known");
        let expected = self.measure(probe);
        let mut seen = HashSet::new();
        for hit in &found.hits {
            assert!(seen.insert(hit.chunk), "{hit:?} is there twice");
            let measure = expected
                .get(&hit.chunk)
                .unwrap_or_else(|| panic!("{hit:?} is not wanted"));
            let same = hit.document == measure.document
                && (hit.coverage - measure.coverage).abs() < CLOSE
                && (hit.relevance - measure.relevance).abs() < CLOSE
                && match (hit.cosine, measure.cosine) {
                    (Some(a), Some(b)) => (a - b).abs() < CLOSE,
                    (a, b) => a.is_none() && b.is_none(),
                };
            assert!(same, "{hit:?} should be {measure:?}");
        }
        let hits = || found.hits.iter().filter_map(|hit| expected.get(&hit.chunk));
        let by_cosine = |measure: &Measure| measure.cosine;
        let by_words = |measure: &Measure| {
            let total = measure.coverage + measure.relevance;
            (total > 0.0).then_some(total)
        };
        same_best("vectors", hits(), expected.values(), by_cosine, probe.limit);
        same_best("words", hits(), expected.values(), by_words, probe.limit);
    }

    /// How many of the nearest chunks an answer has, from 0 to 1.
    #[must_use]
    pub fn recall(&self, probe: &Probe, found: &Found) -> f32 {
        let expected = self.measure(probe);
        let mut cosines: Vec<f32> = expected
            .values()
            .filter_map(|measure| measure.cosine)
            .collect();
        cosines.sort_by(|a, b| b.total_cmp(a));
        cosines.truncate(probe.limit);
        let Some(&last) = cosines.last() else {
            return 1.0;
        };
        let hits = found
            .hits
            .iter()
            .filter_map(|hit| expected.get(&hit.chunk)?.cosine);
        let near = hits.filter(|&cosine| cosine >= last - 1e-6).count();
        count(near.min(cosines.len())) / count(cosines.len())
    }

    fn question(&self, probe: &Probe) -> Question {
        let terms: HashSet<&str> = self
            .chunks
            .iter()
            .flat_map(|chunk| chunk.frequencies.keys().map(String::as_str))
            .collect();
        probe.question.clone().corrected(&terms)
    }

    fn known(&self, probe: &Probe) -> Vec<bool> {
        let has = |chunk: &Counted, idea: &Concept| {
            idea.strength(|term| chunk.frequencies.contains_key(term)) > 0.0
        };
        let question = self.question(probe);
        let ideas = question.concepts.iter();
        ideas
            .map(|idea| self.chunks.iter().any(|chunk| has(chunk, idea)))
            .collect()
    }

    fn measure(&self, probe: &Probe) -> HashMap<ChunkId, Measure> {
        let question = self.question(probe);
        let weights = self.weights(&question);
        let total: f32 = weights.iter().sum();
        let wanted = |chunk: &&Counted| {
            let documents = probe.documents.as_ref();
            documents.is_none_or(|documents| documents.contains(&chunk.document))
        };
        let measured = self.chunks.iter().filter(wanted).map(|chunk| {
            let mut measure = Measure {
                document: chunk.document,
                cosine: chunk.cosine(probe),
                coverage: 0.0,
                relevance: 0.0,
            };
            for (concept, weight) in question.concepts.iter().zip(&weights) {
                let strength = concept.strength(|term| chunk.frequencies.contains_key(term));
                let frequency: f32 = concept
                    .terms()
                    .iter()
                    .map(|(term, worth)| worth * chunk.frequencies.get(term).unwrap_or(&0.0))
                    .sum();
                let held_back = 1.0 - B + B * chunk.length / self.average_length;
                measure.coverage += weight * strength / total;
                measure.relevance += weight * frequency / (frequency + K1 * held_back) / total;
            }
            (chunk.chunk, measure)
        });
        measured.collect()
    }

    fn weights(&self, question: &Question) -> Vec<f32> {
        let all = count(self.chunks.len());
        let weight = |concept: &quipu_core::analysis::Concept| {
            let has = |chunk: &&Counted| {
                concept.strength(|term| chunk.frequencies.contains_key(term)) > 0.0
            };
            let found = count(self.chunks.iter().filter(has).count());
            (1.0 + (all - found + 0.5) / (found + 0.5)).ln()
        };
        question.concepts.iter().map(weight).collect()
    }
}

impl Counted {
    fn new((document, entry): (DocumentId, Entry)) -> Self {
        let mut frequencies = HashMap::new();
        let length = count(entry.terms.len());
        for term in entry.terms {
            *frequencies.entry(term).or_default() += 1.0;
        }
        for term in entry.title_terms {
            *frequencies.entry(term).or_default() += TITLE;
        }
        Self {
            document,
            chunk: entry.chunk,
            frequencies,
            length,
            vectors: entry.vectors,
        }
    }

    fn cosine(&self, probe: &Probe) -> Option<f32> {
        let (model, query) = probe.dense.as_ref()?;
        let (_, vector) = self.vectors.iter().find(|(name, _)| name == model)?;
        Some(query.iter().zip(vector).map(|(a, b)| a * b).sum())
    }
}

/// Whether the best measures of the hits are those of all chunks. Which of several equal chunks
/// is found does not matter.
fn same_best<'a>(
    way: &str,
    hits: impl Iterator<Item = &'a Measure>,
    all: impl Iterator<Item = &'a Measure>,
    measure: impl Fn(&Measure) -> Option<f32>,
    limit: usize,
) {
    let best = |mut values: Vec<f32>| {
        values.sort_by(|a, b| b.total_cmp(a));
        values.truncate(limit);
        values
    };
    let hits = best(hits.filter_map(&measure).collect());
    let all = best(all.filter_map(&measure).collect());
    assert_eq!(hits.len(), all.len(), "how many are found by {way}");
    for (hit, best) in hits.iter().zip(&all) {
        assert!(
            (hit - best).abs() < CLOSE,
            "by {way}: {hits:?} should be {all:?}"
        );
    }
}

#[expect(clippy::cast_precision_loss, reason = "tests have few chunks")]
fn count(n: usize) -> f32 {
    n as f32
}
