//! Finding the passages of a scope that answer a question.

use crate::bm25::{Index, Score};
use quipu_core::analysis::{self, Question};
use quipu_core::knowledge::{Chunk, ReadableKb};
use quipu_core::language::Language;
use quipu_core::ports::ChunkSource;
use quipu_core::retrieval::{Passage, RetrievalScope};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, Result};
use std::cmp::Ordering;
use std::time::{Duration, Instant};

pub const DEFAULT_TOP_K: usize = 5;
pub const MAX_TOP_K: usize = 20;

/// The least similarity at which a passage is worth answering from. On the 190 questions to two
/// pages that search was tuned with, those answered rightly begin at 0.56, and all but two of
/// those the pages do not answer end at 0.40. `crates/server/tests/it/demo_answers.rs` holds the
/// demo page to it.
pub const DEFAULT_THRESHOLD: f32 = 0.45;

/// What the conversation before a short question is worth beside the question itself.
const CONTEXT: f32 = 0.5;

#[derive(Clone, Debug)]
pub struct Query {
    pub text: String,
    /// The question before this one, when this one is too short to stand alone. It moves the
    /// ranking, never the similarity.
    pub context: Option<String>,
    pub language: Language,
    /// How many passages are wanted, from 1 to [`MAX_TOP_K`].
    pub top_k: usize,
    /// The least similarity of a passage, from 0 to 1.
    pub threshold: f32,
}

#[derive(Clone, Debug)]
pub struct Retrieval {
    /// The best passage first.
    pub passages: Vec<Passage>,
    pub total_chunks_searched: usize,
    pub elapsed: Duration,
}

/// Searches the knowledge bases of a scope, each by its own statistics.
///
/// # Errors
/// `VALIDATION_FAILED` when `top_k` or `threshold` is out of range, or whatever the source fails
/// with.
pub async fn retrieve(
    source: &dyn ChunkSource,
    scope: &RetrievalScope,
    query: &Query,
) -> Result<Retrieval> {
    check(query)?;
    let started = Instant::now();
    let chunks = source.chunks(scope).await?;
    // Reading every chunk takes milliseconds of one core, which the tasks beside us must not
    // wait for.
    let (scope, query) = (scope.clone(), query.clone());
    let ranked = tokio::task::spawn_blocking(move || rank(&scope, &chunks, &query));
    let (passages, total_chunks_searched) = ranked.await.map_err(Error::internal)?;
    Ok(Retrieval {
        passages,
        total_chunks_searched,
        elapsed: started.elapsed(),
    })
}

/// The best passages, and how many chunks were looked at for them.
fn rank(scope: &RetrievalScope, chunks: &[Chunk], query: &Query) -> (Vec<Passage>, usize) {
    let mut found = Vec::new();
    let mut searched = 0;
    // Going through the scope rather than through what came back leaves out any chunk that a
    // faulty source returned from a knowledge base the scope does not hold.
    for kb in scope.knowledge_bases() {
        let own: Vec<&Chunk> = chunks
            .iter()
            .filter(|chunk| chunk.knowledge_base_id == kb.id)
            .collect();
        searched += own.len();
        found.extend(search(kb, own, query));
    }
    found.sort_by(Found::best_first);
    (distinct(found, query.top_k), searched)
}

fn check(query: &Query) -> Result<()> {
    let mut checks = Checks::new();
    checks.range(
        "top_k",
        i64::try_from(query.top_k).unwrap_or(i64::MAX),
        1,
        20,
    );
    if !(0.0..=1.0).contains(&query.threshold) {
        checks.problem("threshold", Problem::Range { min: 0, max: 1 });
    }
    checks.finish()
}

struct Found<'a> {
    chunk: &'a Chunk,
    similarity: f32,
    rank: f32,
    priority: i32,
}

impl Found<'_> {
    fn best_first(&self, other: &Self) -> Ordering {
        other
            .rank
            .total_cmp(&self.rank)
            .then(other.priority.cmp(&self.priority))
            .then(self.chunk.document_id.cmp(&other.chunk.document_id))
            .then(self.chunk.index.cmp(&other.chunk.index))
    }

    fn repeats(&self, other: &Self) -> bool {
        let (a, b) = (self.chunk, other.chunk);
        if a.document_id != b.document_id {
            return false;
        }
        let shared = a.end_char.min(b.end_char) - a.start_char.max(b.start_char);
        let shorter = (a.end_char - a.start_char).min(b.end_char - b.start_char);
        // Neighbours share a fifth by design; what shares more than half adds little.
        shared.saturating_mul(2) > shorter || a.content == b.content
    }
}

/// Scores the chunks of one knowledge base and keeps those above the threshold. A message with
/// several questions finds what answers any of them.
fn search<'a>(kb: &ReadableKb, chunks: Vec<&'a Chunk>, query: &Query) -> Vec<Found<'a>> {
    let index = Index::new(&chunks, kb.language);
    let vocabulary = index.vocabulary();
    let score = |text: &str| {
        index.score(&Question::read(text, query.language, kb.language).corrected(&vocabulary))
    };
    let questions: Vec<Vec<Score>> = analysis::questions(&query.text, query.language)
        .into_iter()
        .map(score)
        .collect();
    let context = query.context.as_deref().map(score);
    chunks
        .into_iter()
        .enumerate()
        .filter_map(|(i, chunk)| {
            let best = questions
                .iter()
                .map(|scores| scores[i])
                .max_by(|a, b| a.total().total_cmp(&b.total()))?;
            let context = context.as_ref().map_or(0.0, |scores| scores[i].coverage);
            Some(Found {
                chunk,
                similarity: best.coverage.clamp(0.0, 1.0),
                rank: kb.search_weight * (best.total() + CONTEXT * context),
                priority: kb.priority,
            })
        })
        .filter(|found| found.similarity > 0.0 && found.similarity >= query.threshold)
        .collect()
}

/// The first `top_k` that say something of their own.
fn distinct(found: Vec<Found<'_>>, top_k: usize) -> Vec<Passage> {
    let mut kept: Vec<Found<'_>> = Vec::new();
    for candidate in found {
        if kept.len() == top_k {
            break;
        }
        if !kept.iter().any(|other| candidate.repeats(other)) {
            kept.push(candidate);
        }
    }
    kept.into_iter()
        .map(|found| passage(found.chunk, found.similarity))
        .collect()
}

fn passage(chunk: &Chunk, similarity: f32) -> Passage {
    Passage {
        chunk_id: chunk.id,
        document_id: chunk.document_id,
        knowledge_base_id: chunk.knowledge_base_id,
        title: chunk.document_title.clone(),
        source: chunk.source,
        content: chunk.content.clone(),
        start_char: chunk.start_char,
        end_char: chunk.end_char,
        page_number: chunk.page_number,
        similarity,
    }
}

#[cfg(test)]
mod tests;
