//! How an agent may become: a draft that nobody meets before it is published.

use super::versions::{catch_up, checked_note, go_live, told_difference};
use super::{
    UpdateAgent, checked, find, hide, locked, may_name_servers, patched, shown, told_change,
};
use crate::documents::present;
use crate::once::{self, Once};
use crate::{Actor, App, rehearsals};
use quipu_core::access::Permission;
use quipu_core::agent::{
    Agent, AgentConfiguration, AgentDraft, FieldDifference, VersionOrigin, Vertical,
};
use quipu_core::language::Language;
use quipu_core::{DraftRevisionId, Error, ErrorCode, Result, Timestamp};
use quipu_store::TenantTx;
use quipu_store::tenant::{NewDraft, NewVersion};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

/// A change to a draft. What is left out stays as the draft has it or, where there is none yet, as it
/// is live.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveDraft {
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    pub name: Option<String>,
    #[serde(default)]
    #[schema(min_length = 1, max_length = 100)]
    pub company_name: Option<String>,
    #[serde(default)]
    pub vertical: Option<Vertical>,
    #[serde(default)]
    pub language: Option<Language>,
    #[serde(default)]
    pub allows_personal_corpus: Option<bool>,
    /// A JSON merge patch: what is left out stays, and null goes back to the default.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub settings: Option<Value>,
    /// The revision that was changed, so that nobody's work is lost: another one is refused. Null
    /// says that there was no draft; left out, nothing is compared.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<DraftRevisionId>)]
    pub revision: Option<Option<DraftRevisionId>>,
}

/// How a draft is published.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PublishDraft {
    /// What it is about, for whoever reads the list of versions.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 500)]
    pub note: Option<String>,
    /// The revision that was looked at: another one is refused. Left out, it is not compared.
    #[serde(default)]
    pub revision: Option<DraftRevisionId>,
    /// Publishes although what is live has changed since the draft was begun.
    #[serde(default)]
    pub force: bool,
}

/// A draft as it is shown, and how it stands to what is live.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ShownDraft {
    #[serde(flatten)]
    pub draft: AgentDraft,
    pub live_version: u32,
    /// Whether what is live has changed since the draft was begun.
    pub outdated: bool,
    /// The agent as it would be.
    #[serde(skip)]
    pub agent: Agent,
}

/// That there is a draft, and how it stands to what is live.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DraftMark {
    pub revision: DraftRevisionId,
    pub based_on: u32,
    /// Whether what is live has changed since the draft was begun.
    pub outdated: bool,
    /// Who changed it last, as the audit log calls them.
    pub changed_by: String,
    pub changed_at: Timestamp,
}

/// Which version of an agent is live, and what waits to be published. Empty for who may not change
/// agents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct AgentStanding {
    pub version: Option<u32>,
    pub draft: Option<DraftMark>,
}

/// An agent as it would be with its draft, whole, for turns that try it out. It is not for showing.
#[derive(Clone, Debug)]
pub struct DraftedAgent {
    pub agent: Agent,
    /// Which state of the draft it is.
    pub revision: DraftRevisionId,
    /// The version that was live when the draft was begun.
    pub based_on: u32,
}

/// The agent as it would be with its draft, or nothing where there is none.
///
/// # Errors
/// `NOT_FOUND` when there is no such agent in the tenant.
pub async fn drafted(app: &App, actor: &Actor, agent: &str) -> Result<Option<DraftedAgent>> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.read(actor.scope()).await?;
    let found = find(&tx, agent).await?;
    drafted_in(&tx, &found).await
}

/// The same inside a transaction, for an agent that was found in it.
pub(crate) async fn drafted_in(tx: &TenantTx, agent: &Agent) -> Result<Option<DraftedAgent>> {
    let draft = tx.agent_drafts().find(agent.id).await?;
    Ok(draft.map(|draft| DraftedAgent {
        agent: draft.configuration.applied_to(agent),
        revision: draft.revision,
        based_on: draft.based_on,
    }))
}

/// The agent as its draft has it, for whoever may change it.
///
/// # Errors
/// `FORBIDDEN` without the permission, or `NOT_FOUND` when there is no draft.
pub(crate) async fn tried(tx: &TenantTx, actor: &Actor, agent: &Agent) -> Result<Agent> {
    actor.require(Permission::AgentsWrite)?;
    let drafted = drafted_in(tx, agent).await?;
    let drafted = drafted.ok_or_else(|| Error::not_found("draft"))?;
    Ok(drafted.agent)
}

/// # Errors
/// `NOT_FOUND` for the agent, or when it has no draft.
pub async fn draft(app: &App, actor: &Actor, agent: &str) -> Result<ShownDraft> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.read(actor.scope()).await?;
    let found = find(&tx, agent).await?;
    show(&tx, actor, &found).await
}

/// Which version of an agent is live and whether it has a draft.
///
/// # Errors
/// When the database cannot be read.
pub async fn standing(app: &App, actor: &Actor, agent: &Agent) -> Result<AgentStanding> {
    if actor.require(Permission::AgentsWrite).is_err() {
        return Ok(AgentStanding::default());
    }
    let tx = app.store.read(actor.scope()).await?;
    let version = tx.agent_versions().newest_number(agent.id).await?;
    let draft = tx.agent_drafts().find(agent.id).await?;
    Ok(AgentStanding {
        version,
        draft: draft.map(|draft| DraftMark {
            revision: draft.revision,
            based_on: draft.based_on,
            outdated: version != Some(draft.based_on),
            changed_by: draft.changed_by,
            changed_at: draft.changed_at,
        }),
    })
}

/// Begins a draft or changes it. What is live stays as it is.
///
/// # Errors
/// `NOT_FOUND`, `VALIDATION_FAILED`, or `DRAFT_CHANGED` when somebody else changed it meanwhile.
pub async fn save_draft(
    app: &App,
    actor: &Actor,
    agent: &str,
    input: SaveDraft,
) -> Result<ShownDraft> {
    actor.require(Permission::AgentsWrite)?;
    let details = told_change(&input)?;
    let fields = UpdateAgent {
        name: input.name,
        company_name: input.company_name,
        vertical: input.vertical,
        language: input.language,
        allows_personal_corpus: input.allows_personal_corpus,
        settings: input.settings,
        ..UpdateAgent::default()
    };
    let mut change = checked(&fields)?;
    let tx = app.store.begin(actor.scope()).await?;
    let found = locked(&tx, agent).await?;
    let live = catch_up(&tx, &found).await?;
    let known = tx.agent_drafts().find(found.id).await?;
    if let Some(seen) = input.revision
        && seen != known.as_ref().map(|draft| draft.revision)
    {
        return Err(Error::new(ErrorCode::DraftChanged));
    }
    let (before, based_on) = match known {
        Some(draft) => (draft.configuration, draft.based_on),
        None => (AgentConfiguration::from(&found), live),
    };
    if let Some(patch) = &fields.settings {
        let settings = patched(&before.settings, patch)?;
        may_name_servers(actor, &before.settings, &settings)?;
        change.settings = Some(settings);
    }
    let by = actor.name();
    let new = NewDraft {
        configuration: &before.changed(change),
        based_on,
        changed_by: &by,
    };
    tx.agent_drafts().put(found.id, &new).await?;
    let target = format!("agent:{}", found.id);
    actor
        .audit(&tx, "agent.draft.save", target, details)
        .await?;
    let shown = show(&tx, actor, &found).await?;
    tx.commit().await?;
    Ok(shown)
}

/// Throws the draft away, the one that was looked at where that is said. What is live stays as it is.
///
/// # Errors
/// `NOT_FOUND` for the agent, or when it has no draft, and `DRAFT_CHANGED` when it is another one.
pub async fn discard_draft(
    app: &App,
    actor: &Actor,
    agent: &str,
    revision: Option<DraftRevisionId>,
) -> Result<()> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let found = locked(&tx, agent).await?;
    let draft = waiting(&tx, &found).await?;
    if revision.is_some_and(|seen| seen != draft.revision) {
        return Err(Error::new(ErrorCode::DraftChanged));
    }
    if !tx.agent_drafts().delete(found.id).await? {
        return Err(Error::not_found("draft"));
    }
    let target = format!("agent:{}", found.id);
    actor
        .audit(&tx, "agent.draft.discard", target, json!({}))
        .await?;
    tx.commit().await
}

/// What the draft would change of what is live.
///
/// # Errors
/// `NOT_FOUND` for the agent, or when it has no draft.
pub async fn draft_difference(
    app: &App,
    actor: &Actor,
    agent: &str,
) -> Result<Vec<FieldDifference>> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.read(actor.scope()).await?;
    let found = find(&tx, agent).await?;
    let draft = waiting(&tx, &found).await?;
    told_difference(AgentConfiguration::from(&found), draft.configuration, actor)
}

/// Makes the draft what is live, as a new version. The draft is gone then.
///
/// # Errors
/// `NOT_FOUND` for the agent or when it has no draft, `DRAFT_CHANGED` when it is not the one that was
/// looked at, `LIVE_CHANGED` when what is live is not what the draft was begun with, unless that is
/// wanted, `REHEARSAL_REQUIRED` or `REHEARSAL_FAILED` where the agent is rehearsed before it is published,
/// or `VALIDATION_FAILED`.
pub async fn publish_draft(
    app: &App,
    actor: &Actor,
    agent: &str,
    input: PublishDraft,
) -> Result<Agent> {
    actor.require(Permission::AgentsWrite)?;
    let note = checked_note(input.note.as_deref())?;
    let request = json!({ "agent": agent, "input": input });
    let tx = match once::begin(app, actor, "agent.publish", &request).await? {
        Once::Again(agent) => return Ok(shown(agent, actor)),
        Once::First(tx) => tx,
    };
    let found = locked(&tx, agent).await?;
    let draft = waiting(&tx, &found).await?;
    if input.revision.is_some_and(|seen| seen != draft.revision) {
        return Err(Error::new(ErrorCode::DraftChanged));
    }
    let live = catch_up(&tx, &found).await?;
    if draft.based_on != live && !input.force {
        return Err(Error::new(ErrorCode::LiveChanged)
            .with("based_on", draft.based_on)
            .with("live_version", live));
    }
    let drafted = draft.configuration.clone().applied_to(&found);
    may_name_servers(actor, &found.settings, &drafted.settings)?;
    rehearsals::may_publish(&tx, &found, &drafted).await?;
    let by = actor.name();
    let new = NewVersion {
        configuration: &draft.configuration,
        origin: VersionOrigin::Published,
        note: note.as_deref(),
        made_by: Some(&by),
        restored_from: None,
    };
    let (agent, made) = go_live(app, &tx, &found, &new).await?;
    tx.agent_drafts().delete(found.id).await?;
    let details = json!({ "version": made, "based_on": draft.based_on, "force": input.force });
    actor
        .audit(&tx, "agent.publish", format!("agent:{}", agent.id), details)
        .await?;
    tx.commit(&agent).await?;
    app.new_work.notify_one();
    Ok(shown(agent, actor))
}

async fn waiting(tx: &TenantTx, agent: &Agent) -> Result<AgentDraft> {
    let draft = tx.agent_drafts().find(agent.id).await?;
    draft.ok_or_else(|| Error::not_found("draft"))
}

async fn show(tx: &TenantTx, actor: &Actor, found: &Agent) -> Result<ShownDraft> {
    let mut draft = waiting(tx, found).await?;
    let live_version = tx.agent_versions().newest_number(found.id).await?;
    let live_version = live_version.unwrap_or_default();
    let agent = draft.configuration.clone().applied_to(found);
    hide(&mut draft.configuration.settings, actor);
    Ok(ShownDraft {
        outdated: draft.based_on != live_version,
        draft,
        live_version,
        agent,
    })
}
