//! A search that finds what it was given, and rerankers that say what they were told.

use crate::fixtures::{EPOCH, chunk};
use async_trait::async_trait;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::engine::{Engine, Found, Hit, Partition, Probe};
use quipu_core::knowledge::{Chunk, ReadableKb};
use quipu_core::ports::{
    ChunkReader, ChunkSource, QuestionVectors, RerankError, Reranked, Reranker,
};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{ChunkId, DocumentId, KnowledgeBaseId, Result, TenantId};
use std::collections::HashMap;
use std::sync::Mutex;

pub(super) const ENCODER: &str = "quipu-es-en/encoder@2";

/// What each knowledge base has, with the relevance of its words, and all texts.
#[derive(Default)]
pub(super) struct World {
    pub(super) found: HashMap<KnowledgeBaseId, Vec<Hit>>,
    pub(super) chunks: Vec<Chunk>,
    pub(super) reads: Mutex<Vec<usize>>,
}

impl World {
    pub(super) fn with(mut self, kb: &ReadableKb, texts: &[(&str, f32)]) -> Self {
        for (text, relevance) in texts {
            let chunk = chunk(kb.id, text);
            self.found.entry(kb.id).or_default().push(Hit {
                chunk: chunk.id,
                document: DocumentId::generate(EPOCH),
                cosine: Some(0.3),
                coverage: *relevance,
                relevance: *relevance,
            });
            self.chunks.push(chunk);
        }
        self
    }
}

#[async_trait]
impl Engine for World {
    fn name(&self) -> &'static str {
        "world"
    }

    async fn search(
        &self,
        _: &RetrievalScope,
        kb: KnowledgeBaseId,
        probe: &Probe,
    ) -> Result<Found> {
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

#[async_trait]
impl ChunkSource for World {
    async fn open(&self, _: &RetrievalScope) -> Result<Box<dyn ChunkReader + '_>> {
        Ok(Box::new(self))
    }
}

#[async_trait]
impl ChunkReader for &World {
    async fn findable(&self, ids: &[ChunkId]) -> Result<Vec<Chunk>> {
        self.reads.lock().unwrap().push(ids.len());
        let wanted = self.chunks.iter().filter(|chunk| ids.contains(&chunk.id));
        Ok(wanted.cloned().collect())
    }
}

#[async_trait]
impl QuestionVectors for World {
    async fn embed(&self, _: &EmbeddingConfig, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        Ok(vec![vec![0.3_f32.sqrt()]; texts.len()])
    }
}

/// Says of each passage what its script says of the text; 0.5 where it says nothing.
pub(super) struct Judge {
    cosines: bool,
    script: Vec<(&'static str, f32)>,
    pub(super) asked: Mutex<Vec<(String, Vec<String>)>>,
}

impl Judge {
    pub(super) fn new(cosines: bool, script: &[(&'static str, f32)]) -> Self {
        Self {
            cosines,
            script: script.to_vec(),
            asked: Mutex::default(),
        }
    }
}

#[async_trait]
impl Reranker for Judge {
    fn model(&self) -> &str {
        if self.cosines {
            ENCODER
        } else {
            "cohere/rerank-v3.5"
        }
    }

    async fn rerank(
        &self,
        question: &str,
        passages: &[String],
    ) -> std::result::Result<Reranked, RerankError> {
        let asked = (question.to_owned(), passages.to_vec());
        self.asked.lock().unwrap().push(asked);
        let number = |text: &String| {
            let known = self.script.iter().find(|(known, _)| text.ends_with(known));
            known.map_or(0.5, |(_, number)| *number)
        };
        let numbers = passages.iter().map(number).collect();
        Ok(if self.cosines {
            Reranked::Cosines {
                model: ENCODER.to_owned(),
                cosines: numbers,
            }
        } else {
            Reranked::Relevances(numbers)
        })
    }
}

/// Fails in some way.
pub(super) enum Failing {
    Down,
    Hangs,
    Says(Reranked),
}

#[async_trait]
impl Reranker for Failing {
    fn model(&self) -> &'static str {
        "failing"
    }

    async fn rerank(&self, _: &str, _: &[String]) -> std::result::Result<Reranked, RerankError> {
        match self {
            Self::Down => Err(RerankError::Transient("down".to_owned())),
            Self::Hangs => std::future::pending().await,
            Self::Says(said) => Ok(said.clone()),
        }
    }
}
