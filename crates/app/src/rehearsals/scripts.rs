//! The scripts of a business: what customers say, and what is expected of the answers.

use crate::once::{self, Once};
use crate::{Actor, App, agents, conversations, leads};
use quipu_agents::{AgentKind, tool};
use quipu_core::access::Permission;
use quipu_core::agent::Agent;
use quipu_core::conversation::MessageRole;
use quipu_core::learning::without_personal_data;
use quipu_core::page::{Page, PageRequest};
use quipu_core::rehearsal::{
    LONGEST_STEP, MOST_SCRIPTS, MOST_STEPS, NewRehearsalScript, RehearsalScript, ScriptStep,
    StepExpectations, check_script,
};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{AgentId, ConversationId, Error, ErrorCode, RehearsalScriptId, Result, text};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// How much of a first message makes the name of a script.
const NAME_CHARS: usize = 60;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveScript {
    #[schema(
        min_length = 1,
        max_length = 120,
        example = "Pregunta el precio y reserva"
    )]
    pub name: String,
    /// What the customer says, in this order.
    #[schema(min_items = 1, max_items = 20)]
    pub steps: Vec<ScriptStep>,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScriptFromConversation {
    pub conversation_id: ConversationId,
    /// The beginning of the first message when left out.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 120)]
    pub name: Option<String>,
}

/// Newest first. What customers said may be among them.
///
/// # Errors
/// `FORBIDDEN` without the permission to see customers, `NOT_FOUND` for the agent.
pub async fn list(
    app: &App,
    actor: &Actor,
    agent: &str,
    page: PageRequest,
) -> Result<Page<RehearsalScript>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?.id;
    tx.rehearsal_scripts().list(agent, page).await
}

/// # Errors
/// `NOT_FOUND` for the agent or the script.
pub async fn get(
    app: &App,
    actor: &Actor,
    agent: &str,
    id: RehearsalScriptId,
) -> Result<RehearsalScript> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?.id;
    find(&tx, agent, id).await
}

/// # Errors
/// `NOT_FOUND` for the agent, `VALIDATION_FAILED`, or `TOO_MANY_ITEMS`.
pub async fn create(
    app: &App,
    actor: &Actor,
    agent: &str,
    input: SaveScript,
) -> Result<RehearsalScript> {
    actor.require(Permission::AgentsWrite)?;
    let request = json!({ "agent": agent, "script": input });
    let tx = match once::begin(app, actor, "rehearsal_script.create", &request).await? {
        Once::Again(script) => return Ok(script),
        Once::First(tx) => tx,
    };
    let agent = agents::find(&tx, agent).await?;
    let script = insert(&tx, actor, &agent, &input, None).await?;
    tx.commit(&script).await?;
    Ok(script)
}

/// Makes a script of what a customer said, without addresses, long numbers and their name.
///
/// # Errors
/// `NOT_FOUND` for the agent or the conversation, which must be one of the agent's, `VALIDATION_FAILED`
/// when nothing was said in it, or `TOO_MANY_ITEMS`.
pub async fn from_conversation(
    app: &App,
    actor: &Actor,
    agent: &str,
    input: ScriptFromConversation,
) -> Result<RehearsalScript> {
    actor.require(Permission::AgentsWrite)?;
    actor.require(Permission::CustomersRead)?;
    let request = json!({ "agent": agent, "conversation": input });
    let operation = "rehearsal_script.from_conversation";
    let tx = match once::begin(app, actor, operation, &request).await? {
        Once::Again(script) => return Ok(script),
        Once::First(tx) => tx,
    };
    let agent = agents::find(&tx, agent).await?;
    let conversation = conversations::find(&tx, input.conversation_id).await?;
    if conversation.agent_id != Some(agent.id) {
        return Err(Error::not_found("conversation"));
    }
    let lead = leads::find(&tx, conversation.lead_id).await?;
    let most = u64::try_from(MOST_STEPS).unwrap_or(u64::MAX);
    let said = tx
        .messages()
        .recent(conversation.id, most, &[MessageRole::User])
        .await?;
    let steps: Vec<ScriptStep> = said
        .iter()
        .map(|message| without_personal_data(&message.text, lead.name.as_deref()))
        .filter(|text| !text.trim().is_empty())
        .map(|text| ScriptStep {
            message: text.chars().take(LONGEST_STEP).collect(),
            expect: StepExpectations::default(),
        })
        .collect();
    let Some(first) = steps.first() else {
        let mut checks = Checks::new();
        checks.problem("conversation_id", Problem::Empty);
        return Err(checks.finish().expect_err("a problem was added"));
    };
    let name = input.name.unwrap_or_else(|| {
        let line: Vec<&str> = first.message.split_whitespace().collect();
        text::preview(&line.join(" "), NAME_CHARS)
    });
    let said = SaveScript { name, steps };
    let script = insert(&tx, actor, &agent, &said, Some(conversation.id)).await?;
    tx.commit(&script).await?;
    Ok(script)
}

/// Replaces a script.
///
/// # Errors
/// `NOT_FOUND` for the agent or the script, or `VALIDATION_FAILED`.
pub async fn update(
    app: &App,
    actor: &Actor,
    agent: &str,
    id: RehearsalScriptId,
    input: SaveScript,
) -> Result<RehearsalScript> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?;
    let name = check(&agent, &input)?;
    let scripts = tx.rehearsal_scripts();
    if !scripts.update(agent.id, id, &name, &input.steps).await? {
        return Err(Error::not_found("rehearsal_script"));
    }
    audit(&tx, actor, "rehearsal_script.update", agent.id, id).await?;
    let script = find(&tx, agent.id, id).await?;
    tx.commit().await?;
    Ok(script)
}

/// Deletes a script. What was rehearsed with it stays.
///
/// # Errors
/// `NOT_FOUND` for the agent or the script.
pub async fn delete(app: &App, actor: &Actor, agent: &str, id: RehearsalScriptId) -> Result<()> {
    actor.require(Permission::AgentsWrite)?;
    let tx = app.store.begin(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?.id;
    if !tx.rehearsal_scripts().delete(agent, id).await? {
        return Err(Error::not_found("rehearsal_script"));
    }
    audit(&tx, actor, "rehearsal_script.delete", agent, id).await?;
    tx.commit().await
}

async fn insert(
    tx: &TenantTx,
    actor: &Actor,
    agent: &Agent,
    input: &SaveScript,
    conversation: Option<ConversationId>,
) -> Result<RehearsalScript> {
    let name = check(agent, input)?;
    if tx.rehearsal_scripts().count(agent.id).await? >= MOST_SCRIPTS {
        return Err(Error::new(ErrorCode::TooManyItems).with("value", MOST_SCRIPTS));
    }
    let new = NewRehearsalScript {
        agent_id: agent.id,
        name,
        steps: input.steps.clone(),
        conversation_id: conversation,
        created_by: actor.name(),
    };
    let id = tx.rehearsal_scripts().insert(&new).await?;
    audit(tx, actor, "rehearsal_script.create", agent.id, id).await?;
    find(tx, agent.id, id).await
}

fn check(agent: &Agent, input: &SaveScript) -> Result<String> {
    // That a tool is switched off is as good a reason to expect that it is not called.
    let tools = tool::belonging(AgentKind::from(agent));
    let tools: Vec<&str> = tools.map(|tool| tool.name).collect();
    let mut checks = Checks::new();
    let name = check_script(&input.name, &input.steps, &tools, &mut checks);
    checks.finish()?;
    Ok(name)
}

pub(super) async fn find(
    tx: &TenantTx,
    agent: AgentId,
    id: RehearsalScriptId,
) -> Result<RehearsalScript> {
    let found = tx.rehearsal_scripts().find(agent, id).await?;
    found.ok_or_else(|| Error::not_found("rehearsal_script"))
}

/// Without what it says, which may be a customer's words.
async fn audit(
    tx: &TenantTx,
    actor: &Actor,
    action: &'static str,
    agent: AgentId,
    id: RehearsalScriptId,
) -> Result<()> {
    let details = json!({ "agent_id": agent });
    let target = format!("rehearsal_script:{id}");
    actor.audit(tx, action, target, details).await
}
