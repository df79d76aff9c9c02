//! What the legs found, as chunks that may become passages.

use crate::score::{Judged, Measured, MeasuresTaken, Profile, QuestionFacts};
use quipu_core::ChunkId;
use quipu_core::engine::{Found, Hit, Probe};
use quipu_core::retrieval::{RawScores, RetrievalScope};
use std::cmp::Ordering;
use std::collections::HashMap;

/// A question to a knowledge base, and what it had.
pub(super) struct Probed {
    pub(super) probe: Probe,
    pub(super) found: Found,
    pub(super) failed: bool,
    /// How many ideas the question is made of, whether or not its words were looked for.
    pub(super) ideas: usize,
}

impl Probed {
    /// The model that searched, if the question had a vector.
    pub(super) fn model(&self) -> Option<&str> {
        self.probe.dense.as_ref().map(|(model, _)| model.as_str())
    }

    pub(super) fn facts(&self) -> QuestionFacts {
        QuestionFacts {
            ideas: self.ideas,
            ..QuestionFacts::of(&self.probe.question, self.found.chunks, &self.found.known)
        }
    }

    /// How what was found is judged where this model compared it, with its words one by one or
    /// without. A question whose words were not looked for is judged by its meaning alone: that its
    /// words are nowhere says nothing then.
    pub(super) fn profile(&self, model: Option<&str>, nearness: bool) -> Profile {
        let words = !self.probe.question.is_empty();
        let taken = MeasuresTaken { words, nearness };
        model.map_or_else(Profile::words, |model| Profile::of(model, taken))
    }

    fn judge(&self) -> Vec<Judged> {
        let measured: Vec<Measured> = self.found.hits.iter().map(measured).collect();
        let profile = self.profile(self.model(), false);
        profile.judge(&measured, &self.facts())
    }
}

pub(super) fn measured(hit: &Hit) -> Measured {
    Measured {
        cosine: hit.cosine,
        coverage: hit.coverage,
        relevance: hit.relevance,
        nearness: None,
    }
}

/// A chunk that may become a passage.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) chunk: ChunkId,
    /// The place of its knowledge base in the scope.
    pub(super) kb: usize,
    /// How surely it answers each of the questions; `None` for those it was not found for.
    pub(super) judged: Vec<Option<f32>>,
    /// How near its words are to the last question, where they were compared.
    pub(super) nearness: Option<f32>,
    weight: f32,
    priority: i32,
    pub(super) raw: RawScores,
}

impl Candidate {
    pub(super) fn similarity(&self) -> f32 {
        self.judged.iter().flatten().copied().fold(0.0, f32::max)
    }

    /// Answers no more surely than this.
    pub(super) fn lower_to(&mut self, most: f32) {
        for similarity in self.judged.iter_mut().flatten() {
            *similarity = similarity.min(most);
        }
    }

    /// Ranks of different models are not comparable; similarities are. What answers a short
    /// question together with the one before it counts too: "¿y para niños?" is about what was
    /// asked just now.
    fn rank(&self) -> f32 {
        let together: f32 = self.judged.iter().flatten().sum();
        self.weight * together
    }

    pub(super) fn by_rank(&self, other: &Self) -> Ordering {
        other.rank().total_cmp(&self.rank())
    }

    pub(super) fn best_first(&self, other: &Self) -> Ordering {
        self.by_rank(other)
            .then(self.priority.cmp(&other.priority))
            .then(self.chunk.cmp(&other.chunk))
    }
}

/// All that was found, the best first.
pub(super) fn judge(scope: &RetrievalScope, all: &[Vec<Probed>]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (place, (kb, of_kb)) in scope.knowledge_bases().iter().zip(all).enumerate() {
        let mut found: HashMap<ChunkId, Candidate> = HashMap::new();
        for (question, probed) in of_kb.iter().enumerate() {
            for (hit, judged) in probed.found.hits.iter().zip(probed.judge()) {
                let candidate = found.entry(hit.chunk).or_insert_with(|| Candidate {
                    chunk: hit.chunk,
                    kb: place,
                    judged: vec![None; of_kb.len()],
                    nearness: None,
                    weight: kb.search_weight,
                    priority: kb.priority,
                    raw: RawScores {
                        cosine: hit.cosine,
                        coverage: hit.coverage,
                        relevance: hit.relevance,
                    },
                });
                candidate.judged[question] = Some(judged.similarity);
            }
        }
        candidates.extend(found.into_values());
    }
    candidates.sort_by(Candidate::best_first);
    candidates
}
