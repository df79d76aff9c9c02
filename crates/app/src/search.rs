//! Searching an agent's knowledge. The only place where retrieval scopes are granted.

use crate::embeddings::{TenantVectors, provider_key};
use crate::retrievals::Noted;
use crate::{Actor, App, agents, knowledge_bases};
use async_trait::async_trait;
use quipu_core::access::Permission;
use quipu_core::agent::Agent;
use quipu_core::embedding::EmbeddingProvider;
use quipu_core::knowledge::{Chunk, KbScope, KbStatus, ReadableKb, SearchFilter};
use quipu_core::language::Language;
use quipu_core::lead::Lead;
use quipu_core::ports::{ChunkReader, ChunkSource, Reranker, Rerankers};
use quipu_core::reranking::{RerankConfig, RerankProvider};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::tenancy::TenantScope;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{ChunkId, Error, ErrorCode, KnowledgeBaseId, Result, UserId};
use quipu_knowledge::{Mode, Query, Retrieval, Search, SecondLook};
use quipu_store::TenantTx;
use quipu_store::tenant::NewRetrieval;
use secrecy::SecretString;
use std::sync::Arc;

/// How often a search is made when what it found is gone at its end.
const MAX_SEARCHES: usize = 3;
const MAX_QUERY_CHARS: usize = 4000;
/// What is kept of a question.
const LOGGED_CHARS: usize = 1000;
const MAX_FILTER_IDS: usize = 1000;
const MAX_FILTER_ITEMS: usize = 50;

/// Who judges the best of a search again.
pub struct Reranking {
    pub rerankers: Arc<dyn Rerankers>,
    pub config: RerankConfig,
    /// The installation's key for a server of its own.
    pub key: Option<SecretString>,
    /// Whether searches that do not say so are judged again too.
    pub always: bool,
}

impl Reranking {
    /// How closely searches look that do not say it.
    #[must_use]
    pub fn of_searches(&self) -> SecondLook {
        if self.always {
            SecondLook::Best
        } else {
            SecondLook::None
        }
    }
}

#[derive(Clone, Debug)]
pub struct SearchInput {
    pub query: String,
    pub top_k: usize,
    pub threshold: f32,
    pub mode: Mode,
    /// Only these of the agent's knowledge bases; all of them when empty.
    pub knowledge_bases: Vec<KnowledgeBaseId>,
    pub filter: SearchFilter,
    /// Whether the best are judged again; as the installation has it when nothing is said.
    pub rerank: Option<bool>,
}

impl SearchInput {
    #[must_use]
    pub fn new(query: String, top_k: usize, threshold: f32) -> Self {
        Self {
            query,
            top_k,
            threshold,
            mode: Mode::Hybrid,
            knowledge_bases: Vec::new(),
            filter: SearchFilter::default(),
            rerank: None,
        }
    }

    /// `top_k` and `threshold` are called so by whoever asks.
    fn check(&self, names: Names) -> Result<()> {
        let mut checks = Checks::new();
        checks.text("query", &self.query, MAX_QUERY_CHARS);
        let top_k = i64::try_from(self.top_k).unwrap_or(i64::MAX);
        checks.range(names.top_k, top_k, 1, 20);
        if !(0.0..=1.0).contains(&self.threshold) {
            checks.problem(names.threshold, Problem::Range { min: 0, max: 1 });
        }
        let mut count = |field: &str, count: usize, max: usize| {
            if count > max {
                let max = i64::try_from(max).unwrap_or(i64::MAX);
                checks.problem(field, Problem::Range { min: 0, max });
            }
        };
        let filter = &self.filter;
        count(
            "knowledge_base_ids",
            self.knowledge_bases.len(),
            MAX_FILTER_IDS,
        );
        count(
            "filters.document_ids",
            filter.documents.len(),
            MAX_FILTER_IDS,
        );
        count("filters.tags", filter.tags.len(), MAX_FILTER_ITEMS);
        count("filters.metadata", filter.metadata.len(), MAX_FILTER_ITEMS);
        if let (Some(from), Some(to)) = (filter.from, filter.to)
            && from > to
        {
            checks.problem("filters.date_range", Problem::Order);
        }
        checks.finish()
    }

    fn query(&self, fallback: Language, usual: SecondLook) -> Query {
        Query {
            second_look: match self.rerank {
                Some(true) => SecondLook::Best,
                Some(false) => SecondLook::None,
                None => usual,
            },
            top_k: self.top_k,
            threshold: self.threshold,
            mode: self.mode,
            ..Query::new(
                self.query.clone(),
                Language::guess(&self.query).unwrap_or(fallback),
            )
        }
    }
}

/// What a route calls two of the fields.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    pub top_k: &'static str,
    pub threshold: &'static str,
}

/// What was found, and in what.
#[derive(Clone, Debug)]
pub struct Searched {
    pub scope: RetrievalScope,
    pub retrieval: Retrieval,
    pub language: Language,
}

/// # Errors
/// `NOT_FOUND` for the agent, `VALIDATION_FAILED` for the query or what goes with it.
pub async fn search(
    app: &App,
    actor: &Actor,
    agent: &str,
    input: &SearchInput,
    names: Names,
) -> Result<(Agent, Searched)> {
    actor.require(Permission::KnowledgeRead)?;
    input.check(names)?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?;
    let scope = grant(&tx, actor, &agent, actor.user_id()).await?;
    let scope = shown_to(actor, scope);
    let searched = run(app, actor, tx, scope, input, agent.language).await?;
    Ok((agent, searched))
}

/// Tries out one knowledge base, whether an agent reads it or not.
///
/// # Errors
/// `NOT_FOUND` when it is not there or is somebody else's, `KNOWLEDGE_BASE_ARCHIVED`, or
/// `VALIDATION_FAILED` for the query or what goes with it.
pub async fn trial(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    input: &SearchInput,
    names: Names,
) -> Result<Searched> {
    input.check(names)?;
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_read(actor, &kb)?;
    if kb.status == KbStatus::Archived {
        return Err(Error::new(ErrorCode::KnowledgeBaseArchived));
    }
    let readable = ReadableKb {
        id: kb.id,
        name: kb.name.clone(),
        scope: kb.scope,
        language: kb.language,
        priority: 1,
        search_weight: 1.0,
        index_version: kb.index_version,
        searched_with: kb.searched_with.clone(),
        tells: (&kb.chunking_config).into(),
    };
    let scope = RetrievalScope::grant_trial(actor.tenant_id(), actor.user_id(), readable);
    let scope = shown_to(actor, scope);
    run(app, actor, tx, scope, input, kb.language).await
}

async fn run(
    app: &App,
    actor: &Actor,
    tx: TenantTx,
    mut scope: RetrievalScope,
    input: &SearchInput,
    fallback: Language,
) -> Result<Searched> {
    if !input.knowledge_bases.is_empty() {
        // One that cannot be read is as if it were not there.
        scope = scope.narrowed(&input.knowledge_bases);
    }
    let mut query = input.query(fallback, app.reranking.of_searches());
    if !input.filter.is_empty() {
        let kbs: Vec<KnowledgeBaseId> = scope.knowledge_bases().iter().map(|kb| kb.id).collect();
        query.documents = Some(tx.documents().matching(&kbs, &input.filter).await?);
    }
    drop(tx);
    let retrieval = retrieve(app, actor, &scope, &query, WhoseWords::Anybody).await?;
    Ok(Searched {
        language: query.language,
        scope,
        retrieval,
    })
}

/// Whose words are searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhoseWords {
    /// Those of a known customer. They stand in their turn and nowhere else, so that they go with them.
    Customer,
    Anybody,
}

impl WhoseWords {
    pub(crate) fn of(lead: Option<&Lead>) -> Self {
        lead.map_or(Self::Anybody, |_| Self::Customer)
    }
}

/// Searches a scope. The texts are read when the best are known, with the rights of that moment.
pub(crate) async fn retrieve(
    app: &App,
    actor: &Actor,
    scope: &RetrievalScope,
    query: &Query,
    words: WhoseWords,
) -> Result<Retrieval> {
    let reranker = if query.second_look == SecondLook::None {
        None
    } else {
        reranker(app, actor.scope()).await
    };
    let search = Search {
        reranker: reranker.as_deref(),
        engine: app.engine.as_ref(),
        vectors: &TenantVectors {
            app,
            scope: actor.scope(),
        },
        chunks: &TenantChunks { app, actor },
        words: app.words.as_ref(),
        deadlines: app.deadlines,
    };
    let mut retrieval = search.retrieve(scope, query).await?;
    // What made way for a new version while it was looked for is found in that.
    let kbs: Vec<KnowledgeBaseId> = scope.knowledge_bases().iter().map(|kb| kb.id).collect();
    for _ in 1..MAX_SEARCHES {
        if !retrieval.stale {
            break;
        }
        let tx = app.store.read(actor.scope()).await?;
        let versions = tx.index_changes().versions(&kbs).await?;
        drop(tx);
        retrieval = search
            .retrieve(&scope.clone().renewed(&versions), query)
            .await?;
    }
    metrics::histogram!("quipu_retrieval_seconds").record(retrieval.timings.total);
    if !actor.rehearses() {
        let logged = match words {
            WhoseWords::Customer => "",
            WhoseWords::Anybody => &query.text,
        };
        note(app, actor, scope, logged, &retrieval);
    }
    Ok(retrieval)
}

/// The reranker of the installation, with the tenant's key where it is Cohere itself. Without one
/// the search goes on, and says so.
async fn reranker(app: &App, scope: TenantScope) -> Option<Arc<dyn Reranker>> {
    let Reranking {
        rerankers,
        config,
        key,
        ..
    } = &app.reranking;
    let found = async {
        let key = match config.provider {
            RerankProvider::Cohere if config.base_url.is_none() => {
                provider_key(app, scope, EmbeddingProvider::Cohere, None).await?
            }
            RerankProvider::Cohere => key.clone(),
            _ => None,
        };
        rerankers.of(scope.tenant_id(), config, key)
    };
    match found.await {
        Ok(reranker) => reranker,
        Err(error) => {
            tracing::warn!(%error, "passages were not judged again");
            None
        }
    }
}

/// Has the search written down.
fn note(app: &App, actor: &Actor, scope: &RetrievalScope, asked: &str, retrieval: &Retrieval) {
    // A question to what is personal is not for others to read, whether or not anything was found.
    let mut kbs = scope.knowledge_bases().iter();
    let personal = kbs.any(|kb| kb.scope == KbScope::Personal);
    let owner = scope.user().filter(|_| personal);
    let found = &retrieval.passages;
    #[allow(clippy::cast_precision_loss)]
    let mean = |total: f32| total / found.len().max(1) as f32;
    let entry = NewRetrieval {
        actor: actor.name(),
        agent: scope.agent(),
        owner,
        query: asked.chars().take(LOGGED_CHARS).collect(),
        chunks: found.iter().map(|p| p.chunk_id).collect(),
        mean_similarity: mean(found.iter().map(|p| p.similarity).sum()),
        total_chunks_searched: retrieval.total_chunks_searched,
        elapsed: retrieval.timings.total,
        embedding: retrieval.timings.embedding,
        context_tokens: 0,
        degraded: retrieval.missing.any(),
        at: app.now(),
    };
    let found = found.iter().map(|passage| passage.content.clone());
    let noted = Noted {
        entry,
        found: found.collect(),
    };
    app.retrieval_log.note(actor.tenant_id(), noted);
    app.turn_log.note_queried(actor.tenant_id(), scope);
}

/// The knowledge that this tenant, this agent and this person may read together. Who the person is
/// says [`reader`] wherever there may be a customer.
pub(crate) async fn grant(
    tx: &TenantTx,
    actor: &Actor,
    agent: &Agent,
    person: Option<UserId>,
) -> Result<RetrievalScope> {
    let readable = tx.knowledge_bases().readable(agent.id, person).await?;
    Ok(RetrievalScope::grant(
        actor.tenant_id(),
        agent.id,
        person,
        readable,
    ))
}

/// The knowledge that is searched in a turn. What is for whoever answers is sorted out of it before
/// anybody is quoted anything. A model at a server that somebody of the tenant named is told nobody's own:
/// whoever named it would read along.
pub(crate) async fn grant_turn(
    tx: &TenantTx,
    actor: &Actor,
    agent: &Agent,
    with_customer: bool,
) -> Result<RetrievalScope> {
    let scope = grant(
        tx,
        actor,
        agent,
        reader_of_agent(actor, agent, with_customer),
    )
    .await?;
    Ok(scope.with_internal())
}

/// Whose own knowledge an agent is told in a turn, by whatever it looks it up with.
pub(crate) fn reader_of_agent(actor: &Actor, agent: &Agent, with_customer: bool) -> Option<UserId> {
    reader(actor, with_customer).filter(|_| !agents::names_servers(&agent.settings))
}

/// Whose own knowledge may be read in a turn. What is said to a customer everybody reads who reads
/// their conversations, so that there is no person in such a turn, whoever sends it.
pub(crate) fn reader(actor: &Actor, with_customer: bool) -> Option<UserId> {
    actor.user_id().filter(|_| !with_customer)
}

/// The scope of somebody who is shown passages as they are found.
fn shown_to(actor: &Actor, scope: RetrievalScope) -> RetrievalScope {
    if knowledge_bases::may_read_internal(actor) {
        scope.with_internal()
    } else {
        scope
    }
}

/// Reads chunks through the tenant's own door.
struct TenantChunks<'a> {
    app: &'a App,
    actor: &'a Actor,
}

#[async_trait]
impl ChunkSource for TenantChunks<'_> {
    async fn open(&self, scope: &RetrievalScope) -> Result<Box<dyn ChunkReader + '_>> {
        // A scope of another tenant finds nothing here: the transaction is this tenant's.
        let seen = self.actor.scope().as_seen_by(scope.user());
        let tx = self.app.store.read(seen).await?;
        let kbs: Vec<KnowledgeBaseId> = match scope.agent() {
            // What the agent may read can have changed since the search began.
            Some(agent) => tx
                .knowledge_bases()
                .readable(agent, scope.user())
                .await?
                .into_iter()
                .map(|kb| kb.id)
                .collect(),
            None => scope.knowledge_bases().iter().map(|kb| kb.id).collect(),
        };
        Ok(Box::new(OpenChunks { tx, kbs }))
    }
}

/// The chunks of these knowledge bases, in one transaction.
struct OpenChunks {
    tx: TenantTx,
    kbs: Vec<KnowledgeBaseId>,
}

#[async_trait]
impl ChunkReader for OpenChunks {
    async fn findable(&self, ids: &[ChunkId]) -> Result<Vec<Chunk>> {
        self.tx.chunks().findable(&self.kbs, ids).await
    }
}
