//! Searching an agent's knowledge. The only place where retrieval scopes are granted.

use crate::{Actor, App, agents, knowledge_bases};
use async_trait::async_trait;
use quipu_core::access::Permission;
use quipu_core::agent::Agent;
use quipu_core::knowledge::{Chunk, KbStatus, ReadableKb};
use quipu_core::language::Language;
use quipu_core::ports::ChunkSource;
use quipu_core::retrieval::RetrievalScope;
use quipu_core::tenancy::TenantScope;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{ChunkId, Error, ErrorCode, KnowledgeBaseId, Result};
use quipu_knowledge::{Query, Retrieval};
use quipu_store::{Store, TenantTx};
use std::collections::HashSet;

/// How often a search is made when what it found is gone at its end.
const MAX_SEARCHES: u32 = 3;

#[derive(Clone, Debug)]
pub struct SearchInput {
    pub query: String,
    pub limit: usize,
    pub threshold: f32,
}

/// # Errors
/// `NOT_FOUND` for the agent, `VALIDATION_FAILED` for the query, limit or threshold.
pub async fn search(
    app: &App,
    actor: &Actor,
    agent: &str,
    input: &SearchInput,
) -> Result<(Agent, Retrieval)> {
    actor.require(Permission::KnowledgeRead)?;
    check(input)?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?;
    let scope = grant(&tx, actor, &agent).await?;
    drop(tx);
    let query = Query {
        text: input.query.clone(),
        context: None,
        language: Language::guess(&input.query).unwrap_or(agent.language),
        top_k: input.limit,
        threshold: input.threshold,
    };
    let retrieval = retrieve(app, actor, &scope, &query).await?;
    Ok((agent, retrieval))
}

/// Tries out one knowledge base, whether an agent reads it or not.
///
/// # Errors
/// `NOT_FOUND` when it is not there or is somebody else's, `KNOWLEDGE_BASE_ARCHIVED`, or
/// `VALIDATION_FAILED` for the query, limit or threshold.
pub async fn trial(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    input: &SearchInput,
) -> Result<Retrieval> {
    check(input)?;
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_read(actor, &kb)?;
    if kb.status == KbStatus::Archived {
        return Err(Error::new(ErrorCode::KnowledgeBaseArchived));
    }
    drop(tx);
    let readable = ReadableKb {
        id: kb.id,
        name: kb.name.clone(),
        scope: kb.scope,
        language: kb.language,
        priority: 1,
        search_weight: 1.0,
    };
    let scope = RetrievalScope::grant_trial(actor.tenant_id(), actor.user_id(), readable);
    let query = Query {
        text: input.query.clone(),
        context: None,
        language: Language::guess(&input.query).unwrap_or(kb.language),
        top_k: input.limit,
        threshold: input.threshold,
    };
    retrieve(app, actor, &scope, &query).await
}

/// Searches, and asks at the very end whether what was found is still there to be read. What is
/// not may have made way for a new version, which another search finds.
pub(crate) async fn retrieve(
    app: &App,
    actor: &Actor,
    scope: &RetrievalScope,
    query: &Query,
) -> Result<Retrieval> {
    let mut attempts = 0;
    loop {
        attempts += 1;
        let mut retrieval = quipu_knowledge::retrieve(&source(app, actor), scope, query).await?;
        let live = still_readable(app, actor, scope, &retrieval).await?;
        let found = retrieval.passages.len();
        retrieval.passages.retain(|p| live.contains(&p.chunk_id));
        if retrieval.passages.len() == found || attempts == MAX_SEARCHES {
            return Ok(retrieval);
        }
    }
}

async fn still_readable(
    app: &App,
    actor: &Actor,
    scope: &RetrievalScope,
    retrieval: &Retrieval,
) -> Result<HashSet<ChunkId>> {
    if retrieval.passages.is_empty() {
        return Ok(HashSet::new());
    }
    let tx = app.store.read(actor.scope()).await?;
    let kbs: Vec<KnowledgeBaseId> = match scope.agent() {
        Some(agent) => {
            let now = tx
                .knowledge_bases()
                .readable(agent, actor.user_id())
                .await?;
            now.into_iter().map(|kb| kb.id).collect()
        }
        None => scope.knowledge_bases().iter().map(|kb| kb.id).collect(),
    };
    let found: Vec<ChunkId> = retrieval.passages.iter().map(|p| p.chunk_id).collect();
    tx.chunks().still_searchable(&kbs, &found).await
}

fn check(input: &SearchInput) -> Result<()> {
    let mut checks = Checks::new();
    checks.text("query", &input.query, 4000);
    let limit = i64::try_from(input.limit).unwrap_or(i64::MAX);
    checks.range("limit", limit, 1, 20);
    if !(0.0..=1.0).contains(&input.threshold) {
        checks.problem("threshold", Problem::Range { min: 0, max: 1 });
    }
    checks.finish()
}

/// The knowledge that this tenant, this agent and this person may read together.
pub(crate) async fn grant(tx: &TenantTx, actor: &Actor, agent: &Agent) -> Result<RetrievalScope> {
    let readable = tx
        .knowledge_bases()
        .readable(agent.id, actor.user_id())
        .await?;
    Ok(RetrievalScope::grant(
        actor.tenant_id(),
        agent.id,
        actor.user_id(),
        readable,
    ))
}

pub(crate) fn source(app: &App, actor: &Actor) -> TenantChunks {
    TenantChunks {
        store: app.store.clone(),
        scope: actor.scope(),
    }
}

/// Reads chunks through the tenant's own door.
pub(crate) struct TenantChunks {
    store: Store,
    scope: TenantScope,
}

#[async_trait]
impl ChunkSource for TenantChunks {
    async fn chunks(&self, scope: &RetrievalScope) -> Result<Vec<Chunk>> {
        // A scope of another tenant finds nothing here: the transaction is this tenant's.
        let kbs: Vec<KnowledgeBaseId> = scope.knowledge_bases().iter().map(|kb| kb.id).collect();
        self.store
            .read(self.scope)
            .await?
            .chunks()
            .searchable(&kbs)
            .await
    }
}
