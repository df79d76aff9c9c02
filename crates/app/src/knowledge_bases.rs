//! Managing knowledge bases, and which agents read them.

mod assignments;

pub use assignments::{Assign, assign, assignments, unassign};

use crate::once::{self, Once};
use crate::removal;
use crate::{Actor, App, embeddings, limits};
use quipu_core::access::Permission;
use quipu_core::chunking::ChunkingConfig;
use quipu_core::embedding::{EmbeddingConfig, EmbeddingProvider};
use quipu_core::knowledge::{
    CountedKb, KbScope, KbStatus, KbTotals, KnowledgeBase, KnowledgeBaseChange, KnowledgeStats,
};
use quipu_core::language::Language;
use quipu_core::origin::{self, ServerOrigin};
use quipu_core::page::{Page, PageRequest};
use quipu_core::removal::DeletionReceipt;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, ErrorCode, KnowledgeBaseId, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::{NewKnowledgeBase, OpenKb, Target};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Which kinds of knowledge base people can make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MadeScope {
    #[default]
    Global,
    Personal,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateKnowledgeBase {
    #[schema(min_length = 1, max_length = 100, example = "Productos 2026")]
    pub name: String,
    #[serde(default)]
    #[schema(min_length = 1, max_length = 2000)]
    pub description: Option<String>,
    /// `global` for everybody, `personal` for yourself alone.
    #[serde(default)]
    pub scope: MadeScope,
    #[serde(default)]
    pub language: Language,
    #[serde(default)]
    pub chunking_config: ChunkingConfig,
    /// The built-in model when absent, or OpenAI's where there is a key for it.
    #[serde(default)]
    pub embedding_config: Option<EmbeddingConfig>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateKnowledgeBase {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    pub name: Option<String>,
    /// `null` removes it.
    #[serde(default, deserialize_with = "crate::documents::present")]
    #[schema(value_type = Option<String>, max_length = 2000)]
    pub description: Option<Option<String>>,
    #[serde(default)]
    pub language: Option<Language>,
    /// `archived` takes it out of every search and keeps it.
    #[serde(default)]
    pub status: Option<KbStatus>,
    /// Counts for documents processed from now on; process the others again to apply it to them.
    #[serde(default)]
    pub chunking_config: Option<ChunkingConfig>,
    #[serde(default)]
    pub embedding_config: Option<EmbeddingConfig>,
}

/// # Errors
/// `VALIDATION_FAILED`, `PERSON_REQUIRED` for a personal one, or a limit of the plan.
pub async fn create(app: &App, actor: &Actor, input: CreateKnowledgeBase) -> Result<CountedKb> {
    let owner = match input.scope {
        MadeScope::Global => {
            actor.require(Permission::KnowledgeWrite)?;
            None
        }
        MadeScope::Personal => {
            actor.require(Permission::Chat)?;
            let person = actor.user_id();
            Some(person.ok_or_else(|| Error::new(ErrorCode::PersonRequired))?)
        }
    };
    let mut checks = Checks::new();
    let name = checks.line("name", &input.name, 100);
    if let Some(description) = &input.description {
        checks.text("description", description, 2000);
    }
    input.chunking_config.check(&mut checks);
    if let Some(embedding) = &input.embedding_config {
        embedding.check(&mut checks);
        if owner.is_some() {
            refuse_own_server(embedding, &mut checks);
        }
    }
    checks.finish()?;
    let tx = match once::begin(app, actor, "knowledge_base.create", &input).await? {
        Once::Again(kb) => return Ok(kb),
        Once::First(tx) => tx,
    };
    if let Some(embedding) = &input.embedding_config {
        may_name_server(actor, None, embedding)?;
        embeddings::check(app, &tx, embedding).await?;
    }
    limits::room_for_knowledge_base(&tx).await?;
    let embedding_config = match input.embedding_config {
        Some(chosen) => chosen,
        None => embeddings::default_config(app, &tx).await?,
    };
    let id = tx
        .knowledge_bases()
        .insert(&NewKnowledgeBase {
            name,
            scope: if owner.is_some() {
                KbScope::Personal
            } else {
                KbScope::Global
            },
            agent_id: None,
            owner_user_id: owner,
            description: input.description,
            language: input.language,
            chunking_config: input.chunking_config,
            embedding_config,
            created_by: Some(actor.name()),
        })
        .await?;
    let kb = open(&tx, actor, id).await?;
    actor
        .audit(
            &tx,
            "knowledge_base.create",
            target(id),
            json!({ "scope": kb.scope, "embedding": told(&kb.embedding_config) }),
        )
        .await?;
    let kb = CountedKb {
        kb: shown(kb.into_inner(), actor),
        totals: KbTotals::default(),
    };
    tx.commit(&kb).await?;
    Ok(kb)
}

/// # Errors
/// `NOT_FOUND` when it is not there or is somebody else's.
pub async fn get(app: &App, actor: &Actor, id: KnowledgeBaseId) -> Result<CountedKb> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = open(&tx, actor, id).await?;
    may_read(actor, &kb)?;
    counted(&tx, actor, kb).await
}

async fn counted(tx: &TenantTx, actor: &Actor, kb: OpenKb) -> Result<CountedKb> {
    let totals = tx.knowledge_bases().totals(&[kb.id]).await?;
    Ok(CountedKb {
        totals: totals.get(&kb.id).copied().unwrap_or_default(),
        kb: shown(kb.into_inner(), actor),
    })
}

/// Those the caller may see, newest first.
///
/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(
    app: &App,
    actor: &Actor,
    scope: Option<KbScope>,
    status: Option<KbStatus>,
    page: PageRequest,
) -> Result<Page<CountedKb>> {
    actor.require(Permission::KnowledgeRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let found = tx
        .knowledge_bases()
        .list(actor.user_id(), scope, status, page)
        .await?;
    let ids: Vec<KnowledgeBaseId> = found.data.iter().map(|kb| kb.id).collect();
    let totals = tx.knowledge_bases().totals(&ids).await?;
    let counted = found.data.into_iter().map(|kb| CountedKb {
        totals: totals.get(&kb.id).copied().unwrap_or_default(),
        kb: shown(kb, actor),
    });
    Ok(Page {
        data: counted.collect(),
        next_cursor: found.next_cursor,
    })
}

/// # Errors
/// `NOT_FOUND`, `FORBIDDEN`, `VALIDATION_FAILED`, or `EMBEDDING_MISCONFIGURED` for a model that
/// cannot be used as things are.
pub async fn update(
    app: &App,
    actor: &Actor,
    id: KnowledgeBaseId,
    input: UpdateKnowledgeBase,
) -> Result<CountedKb> {
    let mut checks = Checks::new();
    let change = KnowledgeBaseChange {
        name: checks.optional_line("name", input.name.as_deref(), 100),
        description: input.description.clone(),
        language: input.language,
        status: input.status,
        chunking_config: input.chunking_config.clone(),
        embedding_config: input.embedding_config.clone(),
    };
    if let Some(Some(description)) = &change.description {
        checks.text("description", description, 2000);
    }
    if let Some(chunking) = &change.chunking_config {
        chunking.check(&mut checks);
    }
    if let Some(embedding) = &change.embedding_config {
        embedding.check(&mut checks);
    }
    checks.finish()?;
    let tx = app.store.begin(actor.scope()).await?;
    let kb = open(&tx, actor, id).await?;
    may_manage(actor, &kb)?;
    let other = |embedding: &&EmbeddingConfig| **embedding != kb.embedding_config;
    if let Some(embedding) = change.embedding_config.as_ref().filter(other) {
        if kb.scope == KbScope::Personal {
            let mut checks = Checks::new();
            refuse_own_server(embedding, &mut checks);
            checks.finish()?;
        }
        may_name_server(actor, Some(&kb.embedding_config), embedding)?;
        embeddings::check(app, &tx, embedding).await?;
    }
    tx.knowledge_bases().update(&kb, &change).await?;
    if let Some(embedding) = &change.embedding_config {
        change_model(app, &tx, &kb, embedding).await?;
    }
    // What a personal one is called is its owner's business, and the audit log is the admins'.
    let details = if kb.scope == KbScope::Personal {
        json!({ "embedding": told(change.embedding_config.as_ref().unwrap_or(&kb.embedding_config)) })
    } else {
        let mut details = serde_json::to_value(&input).map_err(Error::internal)?;
        if let Some(address) = details.pointer_mut("/embedding_config/base_url")
            && let Some(text) = address.as_str()
        {
            *address = json!(origin::server(text));
        }
        details
    };
    actor
        .audit(&tx, "knowledge_base.update", target(id), details)
        .await?;
    let kb = open(&tx, actor, id).await?;
    let kb = counted(&tx, actor, kb).await?;
    tx.commit().await?;
    Ok(kb)
}

/// Refuses a program that names an address which the knowledge base has not: what is in it, and what customers
/// ask, would go there long after its key was taken back. The path counts as well.
fn may_name_server(
    actor: &Actor,
    before: Option<&EmbeddingConfig>,
    after: &EmbeddingConfig,
) -> Result<()> {
    let address = |config: &EmbeddingConfig| {
        let address = config.base_url.as_deref();
        address.map(|address| address.trim_end_matches('/').to_owned())
    };
    let wanted = address(after);
    if wanted.is_none() || wanted == before.and_then(address) {
        return Ok(());
    }
    actor.require_person()
}

/// Everybody who may chat makes personal knowledge bases, and to have this server speak with one of
/// one's own is not everybody's to decide.
fn refuse_own_server(embedding: &EmbeddingConfig, checks: &mut Checks) {
    if embedding.provider == EmbeddingProvider::Custom {
        let problem = Problem::NotTogether {
            with: "scope: personal".to_owned(),
            allowed: "builtin, openai, cohere, local".to_owned(),
        };
        checks.problem("embedding_config.provider", problem);
    }
}

/// A knowledge base as somebody is shown it: an address that was stored with a key in it is told without it,
/// and whoever only reads learns which server it is.
fn shown(mut kb: KnowledgeBase, to: &Actor) -> KnowledgeBase {
    let whole = to.require(Permission::KnowledgeWrite).is_ok();
    for config in [&mut kb.embedding_config, &mut kb.searched_with] {
        config.base_url = config.base_url.take().map(|address| {
            if whole {
                origin::shown(&address)
            } else {
                origin::server(&address)
            }
        });
    }
    kb
}

/// What the audit log says of who makes the vectors, and on which server.
fn told(embedding: &EmbeddingConfig) -> serde_json::Value {
    let origin = embedding.base_url.as_deref().and_then(ServerOrigin::of);
    let origin = origin.as_ref().map(ServerOrigin::as_str);
    json!({ "provider": embedding.provider, "model": embedding.model, "origin": origin })
}

/// Has vectors of another model made behind those that are searched. Where there are none yet,
/// it is searched with the new one at once.
async fn change_model(
    app: &App,
    tx: &TenantTx,
    kb: &KnowledgeBase,
    embedding: &EmbeddingConfig,
) -> Result<()> {
    let mut changed = kb.clone();
    changed.embedding_config = embedding.clone();
    if tx.documents().count(kb.id).await? == 0 {
        changed.searched_with = embedding.first();
        tx.vectors()
            .search_with(kb.id, &changed.searched_with)
            .await?;
    }
    embeddings::order(app, tx, &changed).await
}

/// Deletes it with everything in it, in every store.
///
/// # Errors
/// `NOT_FOUND`, `FORBIDDEN`, or `KNOWLEDGE_BASE_MANAGED` for one that comes with an agent or the
/// tenant.
pub async fn delete(app: &App, actor: &Actor, id: KnowledgeBaseId) -> Result<DeletionReceipt> {
    let tx = app.store.begin(actor.scope()).await?;
    let kb = open(&tx, actor, id).await?;
    may_manage(actor, &kb)?;
    if !matches!(kb.scope, KbScope::Global | KbScope::Personal) {
        return Err(Error::new(ErrorCode::KnowledgeBaseManaged));
    }
    removal::call_off(&tx, id).await?;
    let removal = removal::begin(
        app,
        &tx,
        Target::KnowledgeBase(id),
        vec![id.to_string()],
        kb.owner_user_id,
    )
    .await?;
    tx.knowledge_bases().delete(&kb).await?;
    removal
        .finish(app, actor, tx, "knowledge_base.delete", target(id))
        .await
}

/// # Errors
/// `NOT_FOUND` when it is not there or is somebody else's.
pub async fn stats(app: &App, actor: &Actor, id: KnowledgeBaseId) -> Result<KnowledgeStats> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = open(&tx, actor, id).await?;
    may_read(actor, &kb)?;
    let stats = tx.knowledge_bases().stats(id).await?;
    stats.ok_or_else(|| Error::not_found("knowledge_base"))
}

/// A knowledge base by id, if the caller may know that it exists, with those of its documents that
/// they may read.
pub(crate) async fn open(tx: &TenantTx, actor: &Actor, id: KnowledgeBaseId) -> Result<OpenKb> {
    let kb = tx.knowledge_bases().open(id, actor.user_id()).await?;
    let kb = kb.ok_or_else(|| Error::not_found("knowledge_base"))?;
    Ok(if may_read_internal(actor) {
        kb
    } else {
        kb.without_internal()
    })
}

/// Whether somebody reads what is internal to the business: they read it in the catalogue too.
pub(crate) fn may_read_internal(actor: &Actor) -> bool {
    actor.permissions().contains(&Permission::BusinessRead)
}

/// An owner reads what is theirs whatever their role; everything else takes the permission.
pub(crate) fn may_read(actor: &Actor, kb: &OpenKb) -> Result<()> {
    match kb.scope {
        KbScope::Personal => actor.require(Permission::Chat),
        _ => actor.require(Permission::KnowledgeRead),
    }
}

/// Whether the caller may change the knowledge base itself.
pub(crate) fn may_manage(actor: &Actor, kb: &OpenKb) -> Result<()> {
    match kb.scope {
        KbScope::Personal => actor.require(Permission::Chat),
        _ => actor.require(Permission::KnowledgeWrite),
    }
}

/// Whether the caller may change what is in it.
pub(crate) fn may_write(actor: &Actor, kb: &OpenKb) -> Result<()> {
    may_manage(actor, kb)?;
    if kb.scope == KbScope::Business {
        return Err(Error::new(ErrorCode::KnowledgeBaseManaged));
    }
    if kb.status == KbStatus::Archived {
        return Err(Error::new(ErrorCode::KnowledgeBaseArchived));
    }
    Ok(())
}

pub(crate) fn target(id: KnowledgeBaseId) -> String {
    format!("knowledge_base:{id}")
}
