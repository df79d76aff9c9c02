//! Managing agents.

mod checks;
mod drafts;
mod imagined;
mod servers;
mod versions;
mod warnings;

pub use drafts::{
    AgentStanding, DraftMark, DraftedAgent, PublishDraft, SaveDraft, ShownDraft, discard_draft,
    draft, draft_difference, drafted, publish_draft, save_draft, standing,
};
pub(crate) use drafts::{drafted_in, tried};
pub use imagined::UnsavedAgent;
pub(crate) use imagined::{imagined, imagined_to_try};
pub(crate) use servers::names_servers;
pub use versions::{
    ComparedWith, RestoreVersion, list_versions, restore_version, version, version_difference,
};
pub use warnings::{SettingWarning, warnings};

use crate::once::{self, Once};
use crate::{Actor, App, chat, embeddings, knowledge_bases, limits, merge, rehearsals, removal};
use checks::{check_room, check_tools};
use quipu_core::access::Permission;
use quipu_core::agent::{
    Agent, AgentChange, AgentConfiguration, AgentSettings, NewAgent, VersionOrigin, Vertical,
};
use quipu_core::chat::ModelProvider;
use quipu_core::chunking::ChunkingConfig;
use quipu_core::knowledge::KbScope;
use quipu_core::language::Language;
use quipu_core::origin::{self, ServerOrigin};
use quipu_core::page::{Page, PageRequest};
use quipu_core::removal::DeletionReceipt;
use quipu_core::text::slugify;
use quipu_core::validate::Checks;
use quipu_core::{AgentId, Error, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::{NewKnowledgeBase, Target};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use servers::may_name_servers;
use utoipa::ToSchema;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateAgent {
    #[schema(min_length = 1, max_length = 100, example = "Maya")]
    pub name: String,
    /// Made from the name when left out.
    #[serde(default)]
    #[schema(
        min_length = 1,
        max_length = 50,
        pattern = "^[a-z0-9]+(-[a-z0-9]+)*$",
        example = "maya"
    )]
    pub slug: Option<String>,
    /// The tenant's name when left out.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100, example = "Clínica Dental Sonrisa")]
    pub company_name: Option<String>,
    /// What kind of business it works for; `general` when left out.
    #[serde(default = "general")]
    pub vertical: Vertical,
    #[serde(default)]
    pub language: Language,
    /// Whether people may give it knowledge of their own, which it reads in their chats alone.
    #[serde(default)]
    pub allows_personal_corpus: bool,
    /// How it speaks, what it is for, and who writes its answers.
    #[serde(default)]
    pub settings: AgentSettings,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateAgent {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    pub name: Option<String>,
    #[serde(default)]
    #[schema(min_length = 1, max_length = 50, pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")]
    pub slug: Option<String>,
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    pub company_name: Option<String>,
    #[serde(default)]
    pub vertical: Option<Vertical>,
    #[serde(default)]
    pub language: Option<Language>,
    #[serde(default)]
    pub enabled: Option<bool>,
    /// Switched off, no personal knowledge base is read from the next question on.
    #[serde(default)]
    pub allows_personal_corpus: Option<bool>,
    /// A JSON merge patch: what is left out stays, and null goes back to the default.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub settings: Option<Value>,
}

const fn general() -> Vertical {
    Vertical::General
}

/// Makes an agent together with its own knowledge base. The tenant's first agent is its active one.
///
/// # Errors
/// `VALIDATION_FAILED`, `ALREADY_EXISTS`, or a limit of the plan.
pub async fn create(app: &App, actor: &Actor, input: CreateAgent) -> Result<Agent> {
    actor.require(Permission::AgentsWrite)?;
    let mut checks = Checks::new();
    let name = checks.line("name", &input.name, 100);
    let company_name = checks
        .optional_line("company_name", input.company_name.as_deref(), 100)
        .unwrap_or_else(|| actor.tenant().name.clone());
    let slug = input.slug.clone().unwrap_or_else(|| slugify(&name));
    if input.slug.is_some() || !name.is_empty() {
        checks.slug("slug", &slug);
    }
    input.settings.check("settings", &mut checks);
    check_room(None, &input.settings, &mut checks);
    check_tools(None, &input.settings, &mut checks);
    checks.finish()?;
    let new = NewAgent {
        slug,
        name,
        company_name,
        vertical: input.vertical,
        language: input.language,
        allows_personal_corpus: input.allows_personal_corpus,
        settings: input.settings.clone(),
    };

    let tx = match once::begin(app, actor, "agent.create", &input).await? {
        Once::Again(agent) => return Ok(shown(agent, actor)),
        Once::First(tx) => tx,
    };
    may_name_servers(actor, &AgentSettings::default(), &new.settings)?;
    limits::room_for_agent(&tx).await?;
    let id = tx.agents().insert(&new).await?;
    tx.knowledge_bases()
        .insert(&NewKnowledgeBase {
            name: new.name.clone(),
            scope: KbScope::Agent,
            agent_id: Some(id),
            owner_user_id: None,
            description: None,
            language: new.language,
            chunking_config: ChunkingConfig::default(),
            embedding_config: embeddings::default_config(app, &tx).await?,
            created_by: Some(actor.name()),
        })
        .await?;
    if tx.agents().find_active().await?.is_none() {
        tx.agents().activate(id).await?;
    }
    actor
        .audit(
            &tx,
            "agent.create",
            format!("agent:{id}"),
            json!({ "slug": new.slug, "models": told(&new.settings) }),
        )
        .await?;
    let agent = load(&tx, id).await?;
    versions::record(&tx, actor, &agent, VersionOrigin::Created).await?;
    chat::order_all(app, &tx, &agent).await?;
    tx.commit(&agent).await?;
    app.new_work.notify_one();
    Ok(shown(agent, actor))
}

/// # Errors
/// `NOT_FOUND` when there is no such agent in the tenant.
pub async fn get(app: &App, actor: &Actor, agent: &str) -> Result<Agent> {
    actor.require(Permission::AgentsRead)?;
    let tx = app.store.read(actor.scope()).await?;
    find(&tx, agent).await.map(|agent| shown(agent, actor))
}

/// The agent that is meant when none is named.
///
/// # Errors
/// `NOT_FOUND` when the tenant has no active agent.
pub async fn active(app: &App, actor: &Actor) -> Result<Agent> {
    actor.require(Permission::AgentsRead)?;
    let tx = app.store.read(actor.scope()).await?;
    tx.agents()
        .find_active()
        .await?
        .map(|agent| shown(agent, actor))
        .ok_or_else(|| Error::not_found("agent"))
}

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(app: &App, actor: &Actor, page: PageRequest) -> Result<Page<Agent>> {
    actor.require(Permission::AgentsRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let mut page = tx.agents().list(page).await?;
    let agents = page.data.into_iter();
    page.data = agents.map(|agent| shown(agent, actor)).collect();
    Ok(page)
}

/// Changes what is live at once. Where that changes how the agent answers, it is a version.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED` or `ALREADY_EXISTS`.
pub async fn update(app: &App, actor: &Actor, agent: &str, input: UpdateAgent) -> Result<Agent> {
    actor.require(Permission::AgentsWrite)?;
    let mut change = checked(&input)?;
    let tx = app.store.begin(actor.scope()).await?;
    let found = locked(&tx, agent).await?;
    let id = found.id;
    if let Some(patch) = &input.settings {
        let settings = patched(&found.settings, patch)?;
        may_name_servers(actor, &found.settings, &settings)?;
        change.settings = Some(settings);
    }
    versions::catch_up(&tx, &found).await?;
    tx.agents().update(id, &change).await?;
    let details = told_change(&input)?;
    actor
        .audit(&tx, "agent.update", format!("agent:{id}"), details)
        .await?;
    let agent = load(&tx, id).await?;
    rehearsals::may_change(&tx, &found, &agent).await?;
    if AgentConfiguration::from(&agent) != AgentConfiguration::from(&found) {
        versions::record(&tx, actor, &agent, VersionOrigin::Changed).await?;
    }
    chat::order_all(app, &tx, &agent).await?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(shown(agent, actor))
}

/// What is changed of an agent, but for its settings, which are a patch to those it has.
fn checked(input: &UpdateAgent) -> Result<AgentChange> {
    let mut checks = Checks::new();
    let change = AgentChange {
        name: checks.optional_line("name", input.name.as_deref(), 100),
        company_name: checks.optional_line("company_name", input.company_name.as_deref(), 100),
        slug: input.slug.clone(),
        vertical: input.vertical,
        language: input.language,
        enabled: input.enabled,
        allows_personal_corpus: input.allows_personal_corpus,
        settings: None,
    };
    if let Some(slug) = &change.slug {
        checks.slug("slug", slug);
    }
    checks.finish()?;
    Ok(change)
}

/// What the audit log says of a change: nothing of what is internal to the business, and of addresses the
/// server alone.
fn told_change(change: &impl Serialize) -> Result<Value> {
    let mut told = serde_json::to_value(change).map_err(Error::internal)?;
    for variant in ["", "/experiment"] {
        let instructions = format!("/settings{variant}/system_instructions");
        if let Some(instructions) = told.pointer_mut(&instructions)
            && let Some(text) = instructions.as_str()
        {
            *instructions = json!({ "characters": text.chars().count() });
        }
    }
    for model in MODELS {
        if let Some(address) = told.pointer_mut(&format!("/settings{model}/base_url"))
            && let Some(text) = address.as_str()
        {
            *address = json!(origin::server(text));
        }
    }
    Ok(told)
}

/// The settings with a merge patch applied.
fn patched(settings: &AgentSettings, patch: &Value) -> Result<AgentSettings> {
    let mut patch = patch.clone();
    let known = serde_json::to_value(settings).map_err(Error::internal)?;
    for model in MODELS {
        if let Some(patch) = patch.pointer_mut(model) {
            let known = known.pointer(model).and_then(|known| known.get("provider"));
            leave_behind(known, patch);
        }
    }
    let patched: AgentSettings = merge::patched(settings, patch)?;
    let mut checks = Checks::new();
    patched.check("settings", &mut checks);
    check_room(Some(settings), &patched, &mut checks);
    check_tools(Some(settings), &patched, &mut checks);
    checks.finish()?;
    Ok(patched)
}

/// Where settings have the configuration of a model.
const MODELS: [&str; 4] = [
    "/model",
    "/voice_model",
    "/fallback_model",
    "/experiment/model",
];

/// What a provider does not take goes with the one that took it, unless it is said anew.
fn leave_behind(known: Option<&Value>, patch: &mut Value) {
    let wanted = patch.get("provider");
    if known.is_none() || wanted.is_none() || known == wanted {
        return;
    }
    let provider = wanted
        .and_then(Value::as_str)
        .and_then(ModelProvider::parse);
    let (Some(provider), Some(patch)) = (provider, patch.as_object_mut()) else {
        return;
    };
    for field in ["model", "base_url", "context_tokens", "reads_pictures"] {
        if !provider.keeps(field) {
            patch.entry(field).or_insert(Value::Null);
        }
    }
}

/// Makes the agent the tenant's active one.
///
/// # Errors
/// `NOT_FOUND` when there is no such agent in the tenant.
pub async fn activate(app: &App, actor: &Actor, agent: &str) -> Result<Agent> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let id = find(&tx, agent).await?.id;
    tx.agents().activate(id).await?;
    actor
        .audit(&tx, "agent.activate", format!("agent:{id}"), json!({}))
        .await?;
    let agent = load(&tx, id).await?;
    tx.commit().await?;
    Ok(shown(agent, actor))
}

/// Deletes the agent, its knowledge base and everything in it, in every store.
///
/// # Errors
/// `NOT_FOUND` when there is no such agent in the tenant.
pub async fn delete(app: &App, actor: &Actor, agent: &str) -> Result<DeletionReceipt> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let found = find(&tx, agent).await?;
    let kb = found.knowledge_base_id;
    removal::call_off(&tx, kb).await?;
    let removal = removal::begin(
        app,
        &tx,
        Target::KnowledgeBase(kb),
        vec![kb.to_string()],
        None,
    )
    .await?;
    tx.leads().forget_agent(found.id).await?;
    tx.conversations().forget_agent(found.id).await?;
    tx.channel_connections().forget_agent(found.id).await?;
    tx.agents().delete(found.id).await?;
    let name = format!("agent:{}", found.id);
    removal.finish(app, actor, tx, "agent.delete", name).await
}

/// An agent as somebody is shown it: addresses that were stored with a key in them are told without
/// it, and its instructions to whoever may read what is internal to the business.
fn shown(mut agent: Agent, to: &Actor) -> Agent {
    hide(&mut agent.settings, to);
    agent
}

/// Takes out of settings what somebody is not shown.
fn hide(settings: &mut AgentSettings, from: &Actor) {
    if !knowledge_bases::may_read_internal(from) {
        settings.system_instructions = None;
        if let Some(experiment) = &mut settings.experiment {
            experiment.system_instructions = None;
        }
    }
    // Whoever only reads learns which server it is; what else stands in an address may open something.
    let whole = from.require(Permission::AgentsWrite).is_ok();
    for model in settings.models_mut() {
        model.base_url = model.base_url.take().map(|address| {
            if whole {
                origin::shown(&address)
            } else {
                origin::server(&address)
            }
        });
    }
}

/// What the audit log says of who writes, and on which server.
fn told(settings: &AgentSettings) -> Vec<Value> {
    let mut settings = settings.clone();
    let models = settings.models_mut().map(|model| {
        let origin = model.base_url.as_deref().and_then(ServerOrigin::of);
        json!({ "model": model.name(), "origin": origin.as_ref().map(ServerOrigin::as_str) })
    });
    models.collect()
}

/// An agent by id or slug.
pub(crate) async fn find(tx: &TenantTx, agent: &str) -> Result<Agent> {
    let found = match agent.parse::<AgentId>() {
        Ok(id) => tx.agents().find(id).await?,
        Err(_) => tx.agents().find_by_slug(agent).await?,
    };
    found.ok_or_else(|| Error::not_found("agent"))
}

/// An agent by id or slug, which nobody else changes until the transaction ends.
async fn locked(tx: &TenantTx, agent: &str) -> Result<Agent> {
    let id = find(tx, agent).await?.id;
    let found = tx.agents().lock(id).await?;
    found.ok_or_else(|| Error::not_found("agent"))
}

async fn load(tx: &TenantTx, id: AgentId) -> Result<Agent> {
    tx.agents()
        .find(id)
        .await?
        .ok_or_else(|| Error::internal("an agent vanished while it was written"))
}
