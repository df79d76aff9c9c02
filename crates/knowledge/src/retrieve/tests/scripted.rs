//! A search in an engine that finds what it was given, and models that work, fail or hang.

use crate::fixtures::{EPOCH, SameWords, scope};
use crate::retrieve::{Deadlines, Query, Retrieval, Search};
use async_trait::async_trait;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::engine::{Engine, Found, Hit, Partition, Probe};
use quipu_core::knowledge::{Chunk, ReadableKb};
use quipu_core::language::Language;
use quipu_core::ports::{ChunkReader, ChunkSource, QuestionVectors};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{ChunkId, DocumentId, Error, ErrorCode, KnowledgeBaseId, Result, TenantId};
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

/// Answers with what it was given for each knowledge base, whatever the scope says.
#[derive(Default)]
pub(super) struct Scripted {
    found: HashMap<KnowledgeBaseId, Vec<Hit>>,
    pub(super) broken: Vec<KnowledgeBaseId>,
    pub(super) slow: Vec<KnowledgeBaseId>,
    pub(super) asked: Mutex<Vec<Probe>>,
}

impl Scripted {
    pub(super) fn finds(mut self, kb: &ReadableKb, hits: &[(ChunkId, f32)]) -> Self {
        let hits = hits.iter().map(|(chunk, relevance)| Hit {
            chunk: *chunk,
            document: DocumentId::generate(EPOCH),
            cosine: Some(0.3),
            coverage: *relevance,
            relevance: *relevance,
        });
        self.found.insert(kb.id, hits.collect());
        self
    }
}

#[async_trait]
impl Engine for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    async fn search(
        &self,
        _: &RetrievalScope,
        kb: KnowledgeBaseId,
        probe: &Probe,
    ) -> Result<Found> {
        self.asked.lock().unwrap().push(probe.clone());
        if self.broken.contains(&kb) {
            return Err(Error::new(ErrorCode::Internal));
        }
        if self.slow.contains(&kb) {
            std::future::pending::<()>().await;
        }
        let hits = self.found.get(&kb).cloned().unwrap_or_default();
        Ok(Found {
            known: vec![true; probe.question.concepts.len()],
            chunks: hits.len(),
            hits,
        })
    }

    async fn catch_up(&self, _: Partition) -> Result<()> {
        Ok(())
    }

    async fn remove(&self, _: Partition) -> Result<u64> {
        Ok(0)
    }

    async fn count(&self, _: Partition) -> Result<u64> {
        Ok(0)
    }

    async fn count_of(&self, _: Partition, _: &[DocumentId]) -> Result<u64> {
        Ok(0)
    }

    async fn partitions(&self, _: Option<TenantId>) -> Result<Vec<Partition>> {
        Ok(Vec::new())
    }
}

/// Returns all it has of what is asked for, whatever the scope says.
pub(super) struct Careless(pub(super) Vec<Chunk>);

#[async_trait]
impl ChunkSource for Careless {
    async fn open(&self, _: &RetrievalScope) -> Result<Box<dyn ChunkReader + '_>> {
        Ok(Box::new(self))
    }
}

#[async_trait]
impl ChunkReader for &Careless {
    async fn findable(&self, ids: &[ChunkId]) -> Result<Vec<Chunk>> {
        let wanted = self.0.iter().filter(|chunk| ids.contains(&chunk.id));
        Ok(wanted.cloned().collect())
    }
}

/// Gives a vector for each text, or fails, or takes forever.
pub(super) enum Vectors {
    Work,
    Fail,
    Hang,
}

#[async_trait]
impl QuestionVectors for Vectors {
    async fn embed(&self, _: &EmbeddingConfig, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        match self {
            Self::Work => Ok(vec![vec![1.0]; texts.len()]),
            Self::Fail => Err(Error::new(ErrorCode::EmbeddingUnavailable)),
            Self::Hang => std::future::pending().await,
        }
    }
}

pub(super) fn ask(text: &str) -> Query {
    Query {
        threshold: 0.0,
        ..Query::new(text.to_owned(), Language::Es)
    }
}

pub(super) async fn search(
    engine: &Scripted,
    vectors: &Vectors,
    chunks: &[Chunk],
    kbs: &[&ReadableKb],
    query: &Query,
) -> Result<Retrieval> {
    let search = Search {
        engine,
        vectors,
        chunks: &Careless(chunks.to_vec()),
        words: &SameWords,
        reranker: None,
        deadlines: Deadlines {
            embedding: Duration::from_millis(100),
            search: Duration::from_millis(100),
            rerank: Duration::from_millis(100),
        },
    };
    search.retrieve(&scope(kbs), query).await
}

pub(super) async fn found(
    engine: &Scripted,
    chunks: &[Chunk],
    kbs: &[&ReadableKb],
    query: &Query,
) -> Vec<ChunkId> {
    let found = search(engine, &Vectors::Work, chunks, kbs, query).await;
    found.unwrap().passages.iter().map(|p| p.chunk_id).collect()
}
