//! An agent as it would be with what somebody is about to save.

use super::{UpdateAgent, checked, may_name_servers, patched, tried};
use crate::Actor;
use quipu_core::Result;
use quipu_core::access::Permission;
use quipu_core::agent::{Agent, AgentConfiguration, Vertical};
use quipu_core::language::Language;
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Changes to an agent that nobody has saved.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UnsavedAgent {
    /// Whether they are changes to its draft and not to what is live.
    pub draft: bool,
    #[schema(min_length = 1, max_length = 100)]
    pub name: Option<String>,
    #[schema(min_length = 1, max_length = 100)]
    pub company_name: Option<String>,
    pub vertical: Option<Vertical>,
    pub language: Option<Language>,
    /// A JSON merge patch: what is left out stays, and null goes back to the default.
    #[schema(value_type = Option<Object>)]
    pub settings: Option<Value>,
}

/// The agent with changes that are kept nowhere.
///
/// # Errors
/// `VALIDATION_FAILED`, or `FORBIDDEN` and `NOT_FOUND` for a draft.
pub(crate) async fn imagined(
    tx: &TenantTx,
    actor: &Actor,
    live: &Agent,
    unsaved: UnsavedAgent,
) -> Result<Agent> {
    let before = if unsaved.draft {
        tried(tx, actor, live).await?
    } else {
        live.clone()
    };
    let fields = UpdateAgent {
        name: unsaved.name,
        company_name: unsaved.company_name,
        vertical: unsaved.vertical,
        language: unsaved.language,
        settings: unsaved.settings,
        ..UpdateAgent::default()
    };
    let mut change = checked(&fields)?;
    if let Some(patch) = &fields.settings {
        change.settings = Some(patched(&before.settings, patch)?);
    }
    let configuration = AgentConfiguration::from(&before).changed(change);
    Ok(configuration.applied_to(&before))
}

/// The same for whoever may change agents, to be tried: nothing is sent to a server that they may not name.
///
/// # Errors
/// `FORBIDDEN`, `NOT_FOUND` or `VALIDATION_FAILED`.
pub(crate) async fn imagined_to_try(
    tx: &TenantTx,
    actor: &Actor,
    live: &Agent,
    unsaved: UnsavedAgent,
) -> Result<Agent> {
    actor.require(Permission::AgentsWrite)?;
    let agent = imagined(tx, actor, live, unsaved).await?;
    may_name_servers(actor, &live.settings, &agent.settings)?;
    Ok(agent)
}
