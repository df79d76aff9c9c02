//! Finding the passages of a scope that answer a question.

use crate::bm25::Index;
use quipu_core::analysis::Question;
use quipu_core::knowledge::{Chunk, ReadableKb};
use quipu_core::language::Language;
use quipu_core::ports::ChunkSource;
use quipu_core::retrieval::{Passage, RetrievalScope};
use quipu_core::validate::{Checks, Problem};
use quipu_core::Result;
use std::cmp::Ordering;
use std::time::{Duration, Instant};

pub const DEFAULT_TOP_K: usize = 5;
pub const MAX_TOP_K: usize = 20;

/// The least similarity at which a passage is worth answering from, measured on the demo page:
/// see `crates/server/tests/it/demo_answers.rs`.
pub const DEFAULT_THRESHOLD: f32 = 0.4;

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
pub async fn retrieve(source: &dyn ChunkSource, scope: &RetrievalScope, query: &Query) -> Result<Retrieval> {
    check(query)?;
    let started = Instant::now();
    let chunks = source.chunks(scope).await?;
    let mut found = Vec::new();
    let mut searched = 0;
    // Going through the scope rather than through what came back leaves out any chunk that a
    // faulty source returned from a knowledge base the scope does not hold.
    for kb in scope.knowledge_bases() {
        let own: Vec<&Chunk> = chunks.iter().filter(|chunk| chunk.knowledge_base_id == kb.id).collect();
        searched += own.len();
        found.extend(search(kb, own, query));
    }
    found.sort_by(Found::best_first);
    Ok(Retrieval {
        passages: distinct(found, query.top_k),
        total_chunks_searched: searched,
        elapsed: started.elapsed(),
    })
}

fn check(query: &Query) -> Result<()> {
    let mut checks = Checks::new();
    checks.range("top_k", i64::try_from(query.top_k).unwrap_or(i64::MAX), 1, 20);
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

/// Scores the chunks of one knowledge base and keeps those above the threshold.
fn search<'a>(kb: &ReadableKb, chunks: Vec<&'a Chunk>, query: &Query) -> Vec<Found<'a>> {
    let index = Index::new(&chunks, kb.language);
    let read = |text: &str| {
        Question::read(text, query.language, kb.language).corrected(index.vocabulary())
    };
    let scores = index.score(&read(&query.text));
    let context = index.score(&read(query.context.as_deref().unwrap_or_default()));
    chunks
        .into_iter()
        .zip(scores)
        .zip(context)
        .filter(|((_, score), _)| score.coverage > 0.0 && score.coverage >= query.threshold)
        .map(|((chunk, score), context)| Found {
            chunk,
            similarity: score.coverage.clamp(0.0, 1.0),
            rank: kb.search_weight * (score.coverage + score.relevance + CONTEXT * context.coverage),
            priority: kb.priority,
        })
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
    kept.into_iter().map(|found| passage(found.chunk, found.similarity)).collect()
}

fn passage(chunk: &Chunk, similarity: f32) -> Passage {
    Passage {
        chunk_id: chunk.id,
        document_id: chunk.document_id,
        knowledge_base_id: chunk.knowledge_base_id,
        title: chunk.document_title.clone(),
        content: chunk.content.clone(),
        start_char: chunk.start_char,
        end_char: chunk.end_char,
        similarity,
    }
}

#[cfg(test)]
pub(crate) mod fixtures {
    use super::*;
    use quipu_core::knowledge::KbScope;
    use quipu_core::{AgentId, ChunkId, DocumentId, KnowledgeBaseId, TenantId, Timestamp};

    pub(crate) const EPOCH: Timestamp = Timestamp::UNIX_EPOCH;

    pub(crate) fn chunk(kb: KnowledgeBaseId, content: &str) -> Chunk {
        Chunk {
            id: ChunkId::generate(EPOCH),
            knowledge_base_id: kb,
            document_id: DocumentId::generate(EPOCH),
            document_title: None,
            index: 0,
            content: content.to_owned(),
            start_char: 0,
            end_char: i32::try_from(content.chars().count()).unwrap(),
        }
    }

    pub(crate) fn kb(priority: i32, search_weight: f32) -> ReadableKb {
        ReadableKb {
            id: KnowledgeBaseId::generate(EPOCH),
            name: "Clínica".to_owned(),
            scope: KbScope::Agent,
            language: Language::Es,
            priority,
            search_weight,
        }
    }

    pub(crate) fn scope(kbs: &[&ReadableKb]) -> RetrievalScope {
        let kbs = kbs.iter().map(|&kb| kb.clone()).collect();
        RetrievalScope::grant(TenantId::generate(EPOCH), AgentId::generate(EPOCH), None, kbs)
    }
}

#[cfg(test)]
mod tests {
    use super::fixtures::{chunk, kb, scope};
    use super::*;
    use async_trait::async_trait;
    use quipu_core::ErrorCode;

    /// Returns all it has, whatever the scope says.
    struct Careless(Vec<Chunk>);

    #[async_trait]
    impl ChunkSource for Careless {
        async fn chunks(&self, _: &RetrievalScope) -> Result<Vec<Chunk>> {
            Ok(self.0.clone())
        }
    }

    fn ask(text: &str) -> Query {
        Query { text: text.to_owned(), context: None, language: Language::Es, top_k: 5, threshold: 0.0 }
    }

    async fn found(chunks: Vec<Chunk>, kbs: &[&ReadableKb], query: &Query) -> Vec<Passage> {
        retrieve(&Careless(chunks), &scope(kbs), query).await.unwrap().passages
    }

    #[tokio::test]
    async fn a_chunk_from_outside_the_scope_is_dropped() {
        let (own, foreign) = (kb(0, 1.0), kb(0, 1.0));
        let source = Careless(vec![
            chunk(own.id, "La limpieza dura 40 minutos."),
            chunk(foreign.id, "La limpieza cuesta S/ 120 limpieza limpieza."),
        ]);
        let result = retrieve(&source, &scope(&[&own]), &ask("limpieza")).await.unwrap();
        assert_eq!(result.total_chunks_searched, 1);
        assert_eq!(result.passages.len(), 1);
        assert!(result.passages.iter().all(|p| p.knowledge_base_id == own.id));
        let nothing = retrieve(&source, &scope(&[]), &ask("limpieza")).await.unwrap();
        assert!(nothing.passages.is_empty() && nothing.total_chunks_searched == 0);
    }

    #[tokio::test]
    async fn statistics_stay_inside_a_knowledge_base() {
        let (own, other) = (kb(0, 1.0), kb(0, 1.0));
        let mine = || vec![chunk(own.id, "limpieza dental"), chunk(own.id, "consulta dental")];
        let alone = found(mine(), &[&own], &ask("limpieza dental")).await;
        let mut together = mine();
        together.extend((0..20).map(|_| chunk(other.id, "limpieza de alfombras")));
        let with_others = found(together, &[&own, &other], &ask("limpieza dental")).await;
        let similarity = |list: &[Passage]| list.iter().find(|p| p.content == "limpieza dental").unwrap().similarity;
        assert!((similarity(&alone) - similarity(&with_others)).abs() < 1e-6);
    }

    #[tokio::test]
    async fn weight_moves_the_ranking_and_priority_breaks_ties() {
        let (low, high) = (kb(1, 1.0), kb(9, 1.0));
        let chunks = vec![chunk(low.id, "Abrimos a las 9:00."), chunk(high.id, "Abrimos a las 9:00.")];
        let tie = found(chunks.clone(), &[&low, &high], &ask("a qué hora abren")).await;
        assert_eq!(tie[0].knowledge_base_id, high.id);
        let heavy = ReadableKb { search_weight: 2.0, ..low.clone() };
        let weighted = found(chunks, &[&heavy, &high], &ask("a qué hora abren")).await;
        assert_eq!(weighted[0].knowledge_base_id, low.id);
        assert!((weighted[0].similarity - weighted[1].similarity).abs() < 1e-6);
    }

    #[tokio::test]
    async fn unanswerable_questions_stay_under_the_threshold() {
        let own = kb(0, 1.0);
        let chunks = vec![chunk(own.id, "Limpieza dental: S/ 120."), chunk(own.id, "Cirugía de muelas: S/ 400.")];
        for text in ["¿venden zapatos?", "cuánto cuesta un corte de pelo", "hola"] {
            let query = Query { threshold: DEFAULT_THRESHOLD, ..ask(text) };
            assert!(found(chunks.clone(), &[&own], &query).await.is_empty(), "{text}");
        }
        let query = Query { threshold: DEFAULT_THRESHOLD, ..ask("a cómo la limpeza") };
        assert_eq!(found(chunks, &[&own], &query).await.len(), 1, "misspelled, but known");
    }

    #[tokio::test]
    async fn the_question_before_moves_the_ranking_only() {
        let own = kb(0, 1.0);
        let chunks = vec![
            chunk(own.id, "Los sábados regalamos cepillos."),
            chunk(own.id, "Los sábados, horario de 9:00 a 14:00."),
        ];
        let follow_up = Query { context: Some("a qué hora atienden".to_owned()), ..ask("¿y los sábados?") };
        let passages = found(chunks, &[&own], &follow_up).await;
        assert!(passages[0].content.contains("9:00"));
        assert!((passages[0].similarity - passages[1].similarity).abs() < 1e-6);
    }

    #[tokio::test]
    async fn overlapping_chunks_of_a_document_are_shown_once() {
        let own = kb(0, 1.0);
        let first = chunk(own.id, "La limpieza dental dura 40 minutos");
        let mut second = Chunk { document_id: first.document_id, index: 1, ..chunk(own.id, "limpieza dental dura 40 minutos.") };
        (second.start_char, second.end_char) = (3, 35);
        let mut neighbour = Chunk { document_id: first.document_id, index: 2, ..chunk(own.id, "minutos. Otra limpieza dura más.") };
        (neighbour.start_char, neighbour.end_char) = (27, 59);
        let passages = found(vec![first, second, neighbour], &[&own], &ask("cuánto dura la limpieza")).await;
        assert_eq!(passages.len(), 2);
        let one = Query { top_k: 1, ..ask("limpieza") };
        assert_eq!(found(vec![chunk(own.id, "limpieza"), chunk(own.id, "limpiezas")], &[&own], &one).await.len(), 1);
    }

    #[tokio::test]
    async fn limits_are_checked() {
        for query in [
            Query { top_k: 0, ..ask("x") },
            Query { top_k: MAX_TOP_K + 1, ..ask("x") },
            Query { threshold: 1.5, ..ask("x") },
            Query { threshold: f32::NAN, ..ask("x") },
        ] {
            let error = retrieve(&Careless(vec![]), &scope(&[]), &query).await.unwrap_err();
            assert_eq!(error.code(), ErrorCode::ValidationFailed);
        }
    }
}
