//! Chunks and scopes for the tests of this crate.

#![cfg(test)]

use async_trait::async_trait;
use quipu_core::chunking::ChunkPages;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::knowledge::{Chunk, ChunkTells, DocumentSource, KbScope, ReadableKb};
use quipu_core::language::Language;
use quipu_core::ports::{ChunkVersion, PassageWords, WordComparer};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{AgentId, ChunkId, DocumentId, KnowledgeBaseId, TenantId, Timestamp};

pub(crate) const EPOCH: Timestamp = Timestamp::UNIX_EPOCH;

/// Finds every passage as near as any other.
pub(crate) struct SameWords;

#[async_trait]
impl WordComparer for SameWords {
    fn known(&self, _: ChunkVersion) -> Option<PassageWords> {
        None
    }

    fn read(&self, _: ChunkVersion, _: &str) -> PassageWords {
        PassageWords::default()
    }

    async fn nearness(
        &self,
        questions: &[String],
        passages: &[PassageWords],
    ) -> Option<Vec<Vec<f32>>> {
        Some(vec![vec![0.3; passages.len()]; questions.len()])
    }
}

pub(crate) fn chunk(kb: KnowledgeBaseId, content: &str) -> Chunk {
    Chunk {
        id: ChunkId::generate(EPOCH),
        knowledge_base_id: kb,
        document_id: DocumentId::generate(EPOCH),
        document_title: None,
        source: DocumentSource::Manual,
        index: 0,
        headings: Vec::new(),
        content: content.to_owned(),
        start_char: 0,
        end_char: i32::try_from(content.chars().count()).unwrap(),
        page_number: None,
        pages: ChunkPages::default(),
        source_url: None,
        file_type: None,
        metadata: serde_json::json!({}),
        business: None,
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
        index_version: 1,
        searched_with: EmbeddingConfig::default().first(),
        tells: ChunkTells::default(),
    }
}

pub(crate) fn scope(kbs: &[&ReadableKb]) -> RetrievalScope {
    let kbs = kbs.iter().map(|&kb| kb.clone()).collect();
    RetrievalScope::grant(
        TenantId::generate(EPOCH),
        AgentId::generate(EPOCH),
        None,
        kbs,
    )
}
