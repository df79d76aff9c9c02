//! How an agent was: what each version held, what two differ in, and going back to one.

use super::{check_room, find, hide, load, locked, may_name_servers, shown};
use crate::once::{self, Once};
use crate::{Actor, App, chat};
use quipu_core::access::Permission;
use quipu_core::agent::{
    Agent, AgentConfiguration, AgentVersion, ConfiguredVersion, FieldDifference, VersionOrigin,
    difference,
};
use quipu_core::page::{Page, PageRequest};
use quipu_core::validate::Checks;
use quipu_core::{Error, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::NewVersion;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// What somebody says of a version.
const LONGEST_NOTE: usize = 500;

/// How an older version is made live again.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreVersion {
    /// Why, for whoever reads the list of versions.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 500)]
    pub note: Option<String>,
}

/// What a version is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparedWith {
    Live,
    Draft,
    Version(u32),
}

impl ComparedWith {
    /// Reads `live`, `draft` or the number of a version.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "live" => Some(Self::Live),
            "draft" => Some(Self::Draft),
            number => number.parse().ok().map(Self::Version),
        }
    }
}

/// Newest first.
///
/// # Errors
/// `NOT_FOUND` when there is no such agent in the tenant.
pub async fn list_versions(
    app: &App,
    actor: &Actor,
    agent: &str,
    page: PageRequest,
) -> Result<Page<AgentVersion>> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.read(actor.scope()).await?;
    let found = find(&tx, agent).await?;
    tx.agent_versions().list(found.id, page).await
}

/// # Errors
/// `NOT_FOUND` for the agent or the version.
pub async fn version(
    app: &App,
    actor: &Actor,
    agent: &str,
    number: u32,
) -> Result<ConfiguredVersion> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.read(actor.scope()).await?;
    let found = find(&tx, agent).await?;
    let mut version = kept(&tx, &found, number).await?;
    hide(&mut version.configuration.settings, actor);
    Ok(version)
}

/// What a version and something else differ in. The version is what comes before.
///
/// # Errors
/// `NOT_FOUND` for the agent, a version, or a draft that is not there.
pub async fn version_difference(
    app: &App,
    actor: &Actor,
    agent: &str,
    number: u32,
    with: ComparedWith,
) -> Result<Vec<FieldDifference>> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.read(actor.scope()).await?;
    let found = find(&tx, agent).await?;
    let before = kept(&tx, &found, number).await?.configuration;
    let after = match with {
        ComparedWith::Live => AgentConfiguration::from(&found),
        ComparedWith::Draft => {
            let draft = tx.agent_drafts().find(found.id).await?;
            let draft = draft.ok_or_else(|| Error::not_found("draft"))?;
            draft.configuration
        }
        ComparedWith::Version(number) => kept(&tx, &found, number).await?.configuration,
    };
    told_difference(before, after, actor)
}

/// Makes an older version live again, as a new one. What is not allowed any more is refused. Whether
/// drafts are rehearsed stays as it is: that is no part of how the agent was.
///
/// # Errors
/// `NOT_FOUND` for the agent or the version, or `VALIDATION_FAILED`.
pub async fn restore_version(
    app: &App,
    actor: &Actor,
    agent: &str,
    number: u32,
    input: RestoreVersion,
) -> Result<Agent> {
    actor.require(Permission::AgentsWrite)?;
    let note = checked_note(input.note.as_deref())?;
    let request = json!({ "agent": agent, "number": number, "input": input });
    let tx = match once::begin(app, actor, "agent.restore", &request).await? {
        Once::Again(agent) => return Ok(shown(agent, actor)),
        Once::First(tx) => tx,
    };
    let found = locked(&tx, agent).await?;
    catch_up(&tx, &found).await?;
    let mut restored = kept(&tx, &found, number).await?.configuration;
    restored.settings.rehearse_before_publishing = found.settings.rehearse_before_publishing;
    may_name_servers(actor, &found.settings, &restored.settings)?;
    let by = actor.name();
    let new = NewVersion {
        configuration: &restored,
        origin: VersionOrigin::Restored,
        note: note.as_deref(),
        made_by: Some(&by),
        restored_from: Some(number),
    };
    let (agent, made) = go_live(app, &tx, &found, &new).await?;
    let details = json!({ "version": made, "restored_from": number });
    actor
        .audit(&tx, "agent.restore", format!("agent:{}", agent.id), details)
        .await?;
    tx.commit(&agent).await?;
    app.new_work.notify_one();
    Ok(shown(agent, actor))
}

/// Makes a configuration what customers meet, and a version. Both are checked by the rules of today,
/// whenever it was written.
pub(super) async fn go_live(
    app: &App,
    tx: &TenantTx,
    live: &Agent,
    new: &NewVersion<'_>,
) -> Result<(Agent, u32)> {
    check(live, new.configuration)?;
    let change = new.configuration.clone().into();
    tx.agents().update(live.id, &change).await?;
    let agent = load(tx, live.id).await?;
    let number = tx.agent_versions().insert(agent.id, new).await?;
    chat::order_all(app, tx, &agent).await?;
    Ok((agent, number))
}

fn check(live: &Agent, configuration: &AgentConfiguration) -> Result<()> {
    let mut checks = Checks::new();
    checks.line("name", &configuration.name, 100);
    checks.line("company_name", &configuration.company_name, 100);
    configuration.settings.check("settings", &mut checks);
    check_room(Some(&live.settings), &configuration.settings, &mut checks);
    checks.finish()
}

/// Notes what is live where that was not noted, so that it can be gone back to. Returns its number.
pub(super) async fn catch_up(tx: &TenantTx, live: &Agent) -> Result<u32> {
    let versions = tx.agent_versions();
    let configuration = AgentConfiguration::from(live);
    let newest = versions.newest_number(live.id).await?;
    if let Some(number) = newest
        && let Some(noted) = versions.find(live.id, number).await?
        && noted.configuration == configuration
    {
        return Ok(number);
    }
    let origin = match newest {
        Some(_) => VersionOrigin::Changed,
        None => VersionOrigin::Created,
    };
    let new = NewVersion {
        configuration: &configuration,
        origin,
        note: None,
        made_by: None,
        restored_from: None,
    };
    versions.insert(live.id, &new).await
}

/// Notes an agent as it is now.
pub(super) async fn record(
    tx: &TenantTx,
    actor: &Actor,
    agent: &Agent,
    origin: VersionOrigin,
) -> Result<()> {
    let by = actor.name();
    let new = NewVersion {
        configuration: &AgentConfiguration::from(agent),
        origin,
        note: None,
        made_by: Some(&by),
        restored_from: None,
    };
    tx.agent_versions().insert(agent.id, &new).await?;
    Ok(())
}

pub(super) fn checked_note(note: Option<&str>) -> Result<Option<String>> {
    let mut checks = Checks::new();
    let note = note.map(|note| checks.lines("note", note, LONGEST_NOTE));
    checks.finish()?;
    Ok(note)
}

/// What two configurations differ in, as far as somebody is shown it.
pub(super) fn told_difference(
    mut before: AgentConfiguration,
    mut after: AgentConfiguration,
    to: &Actor,
) -> Result<Vec<FieldDifference>> {
    for configuration in [&mut before, &mut after] {
        hide(&mut configuration.settings, to);
    }
    difference(&before, &after)
}

async fn kept(tx: &TenantTx, agent: &Agent, number: u32) -> Result<ConfiguredVersion> {
    let version = tx.agent_versions().find(agent.id, number).await?;
    version.ok_or_else(|| Error::not_found("version"))
}
