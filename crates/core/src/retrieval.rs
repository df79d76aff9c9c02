//! The scope of a search and what a search returns.

use crate::chunking::ChunkPages;
use crate::format::Format;
use crate::knowledge::{BusinessThing, DocumentSource, ReadableKb};
use crate::{
    AgentId, ChunkId, DocumentId, KnowledgeBaseId, RetrievalId, TenantId, Timestamp, UserId,
};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::ToSchema;

/// Everything a search may touch: one tenant, one agent, at most one person, and the knowledge
/// bases that those three may read together. A search cannot be asked for without one.
///
/// Only `app` grants scopes, after reading the assignments; a test of the workspace holds this. (What
/// `bench` measures belongs to tenants that do not exist.)
#[derive(Clone, Debug)]
pub struct RetrievalScope {
    tenant: TenantId,
    agent: Option<AgentId>,
    user: Option<UserId>,
    knowledge_bases: Vec<ReadableKb>,
    /// Whether what is for whoever answers is shown too.
    internal: bool,
}

impl RetrievalScope {
    /// One knowledge base, tried out by somebody who may read it. No chat ever has such a scope.
    #[must_use]
    pub fn grant_trial(tenant: TenantId, user: Option<UserId>, kb: ReadableKb) -> Self {
        Self {
            tenant,
            agent: None,
            user,
            knowledge_bases: vec![kb],
            internal: false,
        }
    }

    #[must_use]
    pub fn grant(
        tenant: TenantId,
        agent: AgentId,
        user: Option<UserId>,
        knowledge_bases: Vec<ReadableKb>,
    ) -> Self {
        Self {
            tenant,
            agent: Some(agent),
            user,
            knowledge_bases,
            internal: false,
        }
    }

    /// The same scope, in which what is for whoever answers is shown too (see
    /// [`crate::item_kind::ItemKind::INTERNAL`]).
    #[must_use]
    pub fn with_internal(mut self) -> Self {
        self.internal = true;
        self
    }

    /// Whether something of the business may be shown to whoever searches.
    #[must_use]
    pub fn shows(&self, business: Option<&BusinessThing>) -> bool {
        self.internal || business.is_none_or(|thing| !thing.is_internal())
    }

    #[must_use]
    pub fn tenant(&self) -> TenantId {
        self.tenant
    }

    #[must_use]
    pub fn agent(&self) -> Option<AgentId> {
        self.agent
    }

    #[must_use]
    pub fn user(&self) -> Option<UserId> {
        self.user
    }

    #[must_use]
    pub fn knowledge_bases(&self) -> &[ReadableKb] {
        &self.knowledge_bases
    }

    /// The same scope, with knowledge bases as far as they have come since.
    #[must_use]
    pub fn renewed(mut self, versions: &HashMap<KnowledgeBaseId, i64>) -> Self {
        for kb in &mut self.knowledge_bases {
            if let Some(version) = versions.get(&kb.id) {
                kb.index_version = *version;
            }
        }
        self
    }

    /// The same scope without the knowledge bases that are not named.
    #[must_use]
    pub fn narrowed(mut self, kbs: &[KnowledgeBaseId]) -> Self {
        self.knowledge_bases.retain(|kb| kbs.contains(&kb.id));
        self
    }

    #[must_use]
    pub fn contains(&self, kb: KnowledgeBaseId) -> bool {
        self.knowledge_bases
            .iter()
            .any(|readable| readable.id == kb)
    }
}

/// A passage that was found, with how well it answers.
#[derive(Clone, Debug)]
pub struct Passage {
    pub chunk_id: ChunkId,
    pub document_id: DocumentId,
    pub knowledge_base_id: KnowledgeBaseId,
    pub title: Option<String>,
    pub source: DocumentSource,
    pub content: String,
    pub start_char: i32,
    pub end_char: i32,
    /// The page on which what was asked for stands.
    pub page_number: Option<i32>,
    pub pages: ChunkPages,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    pub source_url: Option<String>,
    /// What the document's file turned out to be, when it is one.
    pub file_type: Option<Format>,
    /// What people say about the document.
    pub metadata: serde_json::Value,
    /// What of the business the document tells about, if it is no document of its own.
    pub business: Option<BusinessThing>,
    /// How surely the passage answers the question, 0 to 1, whatever model found it.
    pub similarity: f32,
    /// What each leg measured, as it measured it.
    pub raw: RawScores,
}

/// What a passage was measured by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct RawScores {
    /// How alike its vector and the question's are.
    pub cosine: Option<f32>,
    /// The share of the question's ideas that it has.
    pub coverage: f32,
    /// BM25 as a share of the highest value the question could reach.
    pub relevance: f32,
}

/// A search that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RetrievalEntry {
    pub id: RetrievalId,
    /// Who asked, such as `user:0190…`.
    pub actor: String,
    /// The agent in whose name, unless a knowledge base was only tried out.
    pub agent_id: Option<AgentId>,
    /// What was searched for, for whoever may see what customers say. The words of a known customer are in
    /// their turn alone.
    pub query: Option<String>,
    /// What was found, the best first.
    pub chunk_ids: Vec<ChunkId>,
    pub mean_similarity: f32,
    pub total_chunks_searched: u64,
    pub latency_ms: f64,
    /// How much of that it took to embed the question.
    pub embedding_ms: f64,
    /// The tokens of what was found.
    pub context_tokens: u64,
    /// Something could not be searched.
    pub degraded: bool,
    pub created_at: Timestamp,
}

/// The source of a statement in an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Citation {
    /// The number that stands in the text as `[n]`.
    pub number: usize,
    pub document_id: DocumentId,
    pub knowledge_base_id: KnowledgeBaseId,
    pub chunk_id: ChunkId,
    pub title: Option<String>,
    /// The words that were used.
    pub quote: String,
    pub start_char: i32,
    pub end_char: i32,
    /// The page on which the quote begins.
    pub page_number: Option<i32>,
    pub similarity: f32,
    /// What of the business it was told from, where it is not a document of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub business: Option<BusinessThing>,
}
