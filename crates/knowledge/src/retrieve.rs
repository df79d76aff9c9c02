//! Finding the passages of a scope that answer a question.
//!
//! Scope, question, two legs (meaning and words) over every knowledge base at once, one score for
//! both, and only then the texts, read from the database: what was deleted meanwhile is not there.
//! Each step has a deadline. A search that lost a leg goes on without it and says so.

use crate::score::{Judged, Measured, Profile, QuestionFacts};
use futures::future::join_all;
use quipu_core::analysis::Question;
use quipu_core::engine::{Engine, Found, Hit, Probe};
use quipu_core::knowledge::{Chunk, ReadableKb};
use quipu_core::language::Language;
use quipu_core::ports::{ChunkSource, QuestionVectors};
use quipu_core::retrieval::{Passage, RawScores, RetrievalScope};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{ChunkId, DocumentId, Result};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tokio::time::timeout;

pub const DEFAULT_TOP_K: usize = 5;
pub const MAX_TOP_K: usize = 20;

/// The least similarity at which a passage is worth answering from: what the score is fitted to.
pub const DEFAULT_THRESHOLD: f32 = 0.7;

/// How many candidates each leg gives, at least.
const CANDIDATES: usize = 50;
/// How often texts are looked up again when what was found is gone.
const MAX_LOOKUPS: usize = 3;

/// Which legs search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    #[default]
    Hybrid,
    Dense,
    Lexical,
}

#[derive(Clone, Debug)]
pub struct Query {
    pub text: String,
    /// The question before this one, when this one is too short to stand alone.
    pub context: Option<String>,
    pub language: Language,
    /// How many passages are wanted, from 1 to [`MAX_TOP_K`].
    pub top_k: usize,
    /// The least similarity of a passage, from 0 to 1.
    pub threshold: f32,
    pub mode: Mode,
    /// Only these documents, when given.
    pub documents: Option<Vec<DocumentId>>,
}

impl Query {
    #[must_use]
    pub fn new(text: String, language: Language) -> Self {
        Self {
            text,
            context: None,
            language,
            top_k: DEFAULT_TOP_K,
            threshold: DEFAULT_THRESHOLD,
            mode: Mode::Hybrid,
            documents: None,
        }
    }
}

/// How long each step may take.
#[derive(Clone, Copy, Debug)]
pub struct Deadlines {
    pub embedding: Duration,
    pub search: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            embedding: Duration::from_secs(5),
            search: Duration::from_secs(5),
        }
    }
}

/// What a search is made with.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    pub engine: &'a dyn Engine,
    pub vectors: &'a dyn QuestionVectors,
    pub chunks: &'a dyn ChunkSource,
    pub deadlines: Deadlines,
}

/// A question to a knowledge base, and what it had.
struct Probed {
    probe: Probe,
    found: Found,
    failed: bool,
}

impl Probed {
    fn judge(&self) -> Vec<Judged> {
        let profile = match &self.probe.dense {
            Some((model, _)) => Profile::of(model),
            None => Profile::words(),
        };
        let measured: Vec<Measured> = self
            .found
            .hits
            .iter()
            .map(|hit| Measured {
                cosine: hit.cosine,
                coverage: hit.coverage,
                relevance: hit.relevance,
            })
            .collect();
        let facts = QuestionFacts::of(&self.probe.question, self.found.chunks, &self.found.known);
        profile.judge(&measured, &facts)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    pub embedding: Duration,
    pub search: Duration,
    /// Reading the texts of what was found.
    pub reading: Duration,
    pub total: Duration,
}

/// What a search had to do without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The question has no vector: only words were looked for.
    pub meaning: bool,
    /// Some knowledge base could not be searched at all.
    pub knowledge: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Retrieval {
    /// The best passage first.
    pub passages: Vec<Passage>,
    pub total_chunks_searched: usize,
    pub timings: Timings,
    pub missing: Missing,
    /// Something that was found is gone, or has made way for a new version.
    pub stale: bool,
}

impl Search<'_> {
    /// Searches the knowledge bases of a scope, each by its own statistics.
    ///
    /// # Errors
    /// `VALIDATION_FAILED` when `top_k` or `threshold` is out of range, or when the texts of what
    /// was found cannot be read.
    pub async fn retrieve(&self, scope: &RetrievalScope, query: &Query) -> Result<Retrieval> {
        check(query)?;
        let started = Instant::now();
        let mut retrieval = Retrieval::default();
        // A greeting asks for nothing.
        let asks = !Question::read(&query.text, query.language, query.language).is_empty();
        if !asks || scope.knowledge_bases().is_empty() {
            retrieval.timings.total = started.elapsed();
            return Ok(retrieval);
        }
        // A message with several questions is looked for as a whole: each of them alone finds less.
        let mut questions = vec![query.text.clone()];
        let before = query.context.as_ref();
        questions.extend(before.map(|before| format!("{before}\n{}", query.text)));

        let vectors = self.embed(scope, query, &questions, &mut retrieval).await;
        let embedded = Instant::now();
        retrieval.timings.embedding = embedded - started;

        let found = self
            .search(scope, query, &questions, &vectors, &mut retrieval)
            .await;
        let candidates = judge(scope, query, &found);
        retrieval.timings.search = embedded.elapsed();

        let reading = Instant::now();
        (retrieval.passages, retrieval.stale) = self.read(scope, query, &candidates).await?;
        retrieval.timings.reading = reading.elapsed();
        retrieval.timings.total = started.elapsed();
        Ok(retrieval)
    }

    /// The vectors of the questions, model by model. A model that fails or takes too long has none.
    async fn embed(
        &self,
        scope: &RetrievalScope,
        query: &Query,
        questions: &[String],
        retrieval: &mut Retrieval,
    ) -> HashMap<String, Vec<Vec<f32>>> {
        let mut vectors = HashMap::new();
        if query.mode == Mode::Lexical {
            return vectors;
        }
        for kb in scope.knowledge_bases() {
            let model = kb.searched_with.vector_model();
            if vectors.contains_key(&model) {
                continue;
            }
            let embedding = self.vectors.embed(&kb.searched_with, questions);
            let of_model = match timeout(self.deadlines.embedding, embedding).await {
                Ok(Ok(of_model)) if of_model.len() == questions.len() => of_model,
                Ok(Ok(_)) => {
                    tracing::warn!(model, "a model gave too few vectors for a question");
                    Vec::new()
                }
                Ok(Err(error)) => {
                    tracing::warn!(model, %error, "a question was not embedded");
                    Vec::new()
                }
                Err(_) => {
                    tracing::warn!(model, "a question was not embedded in time");
                    Vec::new()
                }
            };
            retrieval.missing.meaning |= of_model.is_empty();
            vectors.insert(model, of_model);
        }
        vectors
    }

    /// What each knowledge base has for each question.
    async fn search(
        &self,
        scope: &RetrievalScope,
        query: &Query,
        questions: &[String],
        vectors: &HashMap<String, Vec<Vec<f32>>>,
        retrieval: &mut Retrieval,
    ) -> Vec<Vec<Probed>> {
        let probes = scope.knowledge_bases().iter().map(|kb| {
            let model = kb.searched_with.vector_model();
            let of_model = vectors.get(&model).map(Vec::as_slice).unwrap_or_default();
            let probes: Vec<Probe> = questions
                .iter()
                .enumerate()
                .map(|(i, text)| Probe {
                    version: kb.index_version,
                    question: if query.mode == Mode::Dense {
                        Question::default()
                    } else {
                        Question::read(text, query.language, kb.language)
                    },
                    dense: of_model
                        .get(i)
                        .map(|vector| (model.clone(), vector.clone())),
                    documents: query.documents.clone(),
                    limit: CANDIDATES.max(4 * query.top_k),
                })
                .collect();
            join_all(
                probes
                    .into_iter()
                    .map(|probe| self.search_one(scope, kb, probe)),
            )
        });
        let all = join_all(probes).await;
        for probed in &all {
            retrieval.missing.knowledge |= probed.iter().any(|probed| probed.failed);
            let chunks = probed.iter().map(|probed| probed.found.chunks).max();
            retrieval.total_chunks_searched += chunks.unwrap_or(0);
        }
        all
    }

    async fn search_one(&self, scope: &RetrievalScope, kb: &ReadableKb, probe: Probe) -> Probed {
        let search = self.engine.search(scope, kb.id, &probe);
        let found = match timeout(self.deadlines.search, search).await {
            Ok(Ok(found)) => Some(found),
            Ok(Err(error)) => {
                tracing::warn!(kb.id = %kb.id, %error, "a knowledge base was not searched");
                None
            }
            Err(_) => {
                tracing::warn!(kb.id = %kb.id, "a knowledge base was not searched in time");
                None
            }
        };
        Probed {
            failed: found.is_none(),
            found: found.unwrap_or_default(),
            probe,
        }
    }

    /// Reads the texts of the best and keeps those that say something of their own.
    async fn read(
        &self,
        scope: &RetrievalScope,
        query: &Query,
        candidates: &[Candidate],
    ) -> Result<(Vec<Passage>, bool)> {
        let mut kept: Vec<(Chunk, Candidate)> = Vec::new();
        let mut stale = false;
        let mut rest = candidates;
        for _ in 0..MAX_LOOKUPS {
            if kept.len() >= query.top_k || rest.is_empty() {
                break;
            }
            let (now, later) = rest.split_at(rest.len().min(2 * query.top_k));
            rest = later;
            let ids: Vec<ChunkId> = now.iter().map(|candidate| candidate.chunk).collect();
            let mut chunks: HashMap<ChunkId, Chunk> = self
                .chunks
                .findable(scope, &ids)
                .await?
                .into_iter()
                .map(|chunk| (chunk.id, chunk))
                .collect();
            stale |= chunks.len() < ids.len();
            for candidate in now {
                // Going by the scope rather than by what came back leaves out any chunk that a
                // faulty source returned from a knowledge base the scope does not hold.
                let chunk = chunks
                    .remove(&candidate.chunk)
                    .filter(|chunk| scope.contains(chunk.knowledge_base_id));
                if let Some(chunk) = chunk
                    && !kept.iter().any(|(other, _)| repeats(&chunk, other))
                {
                    kept.push((chunk, *candidate));
                }
            }
        }
        kept.truncate(query.top_k);
        let passages = kept
            .into_iter()
            .map(|(chunk, candidate)| passage(chunk, &candidate));
        Ok((passages.collect(), stale))
    }
}

fn check(query: &Query) -> Result<()> {
    let mut checks = Checks::new();
    let top_k = i64::try_from(query.top_k).unwrap_or(i64::MAX);
    checks.range("top_k", top_k, 1, 20);
    if !(0.0..=1.0).contains(&query.threshold) {
        checks.problem("threshold", Problem::Range { min: 0, max: 1 });
    }
    checks.finish()
}

/// A chunk that may become a passage.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    chunk: ChunkId,
    rank: f32,
    similarity: f32,
    priority: i32,
    raw: RawScores,
}

impl Candidate {
    fn best_first(&self, other: &Self) -> Ordering {
        other
            .rank
            .total_cmp(&self.rank)
            .then(self.priority.cmp(&other.priority))
            .then(self.chunk.cmp(&other.chunk))
    }
}

/// The candidates above the threshold, the best first. What answers a short question together with
/// the one before it counts too: "¿y para niños?" is about what was asked just now.
fn judge(scope: &RetrievalScope, query: &Query, all: &[Vec<Probed>]) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for (kb, probed) in scope.knowledge_bases().iter().zip(all) {
        let mut found: HashMap<ChunkId, (Hit, Vec<f32>)> = HashMap::new();
        for probed in probed {
            for (hit, judged) in probed.found.hits.iter().zip(probed.judge()) {
                let known = found.entry(hit.chunk).or_insert((*hit, Vec::new()));
                known.1.push(judged.similarity);
            }
        }
        for (chunk, (hit, similarities)) in found {
            let similarity = similarities.iter().copied().fold(0.0, f32::max);
            if similarity < query.threshold {
                continue;
            }
            let together: f32 = similarities.iter().sum();
            candidates.push(Candidate {
                chunk,
                // Ranks of different models are not comparable; similarities are.
                rank: kb.search_weight * together,
                similarity,
                priority: kb.priority,
                raw: RawScores {
                    cosine: hit.cosine,
                    coverage: hit.coverage,
                    relevance: hit.relevance,
                },
            });
        }
    }
    candidates.sort_by(Candidate::best_first);
    candidates
}

fn repeats(a: &Chunk, b: &Chunk) -> bool {
    if a.content == b.content {
        return true;
    }
    if a.document_id != b.document_id {
        return false;
    }
    let shared = a.end_char.min(b.end_char) - a.start_char.max(b.start_char);
    let shorter = (a.end_char - a.start_char).min(b.end_char - b.start_char);
    // Neighbours share a fifth by design; what shares more than half adds little.
    shared.saturating_mul(2) > shorter
}

fn passage(chunk: Chunk, candidate: &Candidate) -> Passage {
    Passage {
        chunk_id: chunk.id,
        document_id: chunk.document_id,
        knowledge_base_id: chunk.knowledge_base_id,
        title: chunk.document_title,
        source: chunk.source,
        content: chunk.content,
        start_char: chunk.start_char,
        end_char: chunk.end_char,
        page_number: chunk.page_number,
        metadata: chunk.metadata,
        similarity: candidate.similarity,
        raw: candidate.raw,
    }
}

#[cfg(test)]
mod tests;
