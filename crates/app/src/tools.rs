//! What the tools of an agent do.
//!
//! A call happens inside a turn, which says for whom: the tenant, the agent, the lead and the
//! conversation. Whatever a model names is looked for inside of that, so that an id of somebody else
//! is an id of nothing.

mod booking;
mod business;
mod categories;
mod changes;
mod customer;
mod knowledge;
mod loyalty;
mod naming;
mod orders;
mod receipts;
mod rights;
mod services;
mod sight;
mod templates;

pub(crate) use rights::leave_out_untold;

use crate::chat::RehearsalStage;
use crate::{Actor, App, agents, conversations, leads};
use changes::change;
use quipu_agents::AgentKind;
use quipu_agents::guard::Guard;
use quipu_agents::tool::{self, Access, Arguments, Tool};
use quipu_core::access::Permission;
use quipu_core::agent::Agent;
use quipu_core::conversation::Conversation;
use quipu_core::language::Language;
use quipu_core::lead::Lead;
use quipu_core::page::{Page, PageRequest};
use quipu_core::tool_call::ToolCall;
use quipu_core::{ConversationId, Error, ErrorCode, LeadId, Result};
use quipu_store::TenantTx;
use rights::{is_internal, rights_to_call};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

/// For whom a tool is called.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ToolContext {
    pub lead_id: Option<LeadId>,
    /// Its lead is meant when only this is given.
    pub conversation_id: Option<ConversationId>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CallTool {
    /// What the tool takes, as its schema says.
    #[schema(value_type = Object)]
    pub arguments: Value,
    pub context: ToolContext,
}

/// What came of a call.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ToolResult {
    #[schema(example = "get_service_info")]
    pub tool: String,
    #[schema(value_type = Object)]
    pub result: Value,
}

/// A tool as people and models are told about it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ToolDescription {
    pub name: String,
    /// In the language of the agent.
    pub description: String,
    /// `read` or `write`.
    #[schema(example = "read")]
    pub access: String,
    pub specialists: Vec<String>,
    /// The JSON schema of what it takes.
    #[schema(value_type = Object)]
    pub parameters: Value,
    /// Whether the agent has it. Without it, it is neither offered to a model nor can it be called.
    pub enabled: bool,
    /// Whether no agent goes without it.
    pub essential: bool,
    /// The tools without which it is off as well.
    pub needs: Vec<String>,
}

/// The tools of an agent, also those that are switched off.
///
/// # Errors
/// `NOT_FOUND` when there is no such agent.
pub async fn list(app: &App, actor: &Actor, agent: &str) -> Result<Vec<ToolDescription>> {
    let agent = agents::get(app, actor, agent).await?;
    let kind = AgentKind::from(&agent);
    let tools = tool::belonging(kind);
    Ok(tools
        .map(|tool| describe(tool, kind, agent.language))
        .collect())
}

/// The tools of an agent: those of its business that belong to what it is there for and are not switched off.
pub fn tools_of(agent: &Agent) -> impl Iterator<Item = &'static Tool> + use<> {
    tool::of_agent(AgentKind::from(agent))
}

/// The tool of an agent with this name.
///
/// # Errors
/// `TOOL_DISABLED`, or `UNKNOWN_TOOL` with the names of those it has.
pub fn find(agent: &Agent, name: &str) -> Result<&'static Tool> {
    let kind = AgentKind::from(agent);
    let found = tool::belonging(kind).find(|tool| tool.name == name);
    if let Some(tool) = found {
        switched_on(kind, tool)?;
    }
    found.ok_or_else(|| {
        let names: Vec<&str> = tools_of(agent).map(|tool| tool.name).collect();
        Error::new(ErrorCode::UnknownTool).with("allowed", json!(names))
    })
}

/// Refuses a tool that the agent goes without, whoever calls it.
fn switched_on(kind: AgentKind, tool: &Tool) -> Result<()> {
    if kind.off.has(tool.name) {
        return Err(Error::new(ErrorCode::ToolDisabled).with("tool", tool.name));
    }
    Ok(())
}

fn describe(tool: &Tool, kind: AgentKind, language: Language) -> ToolDescription {
    let specialists = tool.specialists.iter();
    ToolDescription {
        name: tool.name.to_owned(),
        description: tool.description(language).to_owned(),
        access: match tool.access {
            Access::Read => "read".to_owned(),
            Access::Write => "write".to_owned(),
        },
        specialists: specialists.map(|part| part.as_str().to_owned()).collect(),
        parameters: tool.parameters(),
        enabled: !kind.off.has(tool.name),
        essential: tool::is_essential(tool.name),
        needs: tool::needs(tool.name)
            .iter()
            .map(|name| (*name).to_owned())
            .collect(),
    }
}

/// What agents changed through their tools, newest first.
///
/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn calls(
    app: &App,
    actor: &Actor,
    conversation: Option<ConversationId>,
    page: PageRequest,
) -> Result<Page<ToolCall>> {
    actor.require(Permission::CustomersRead)?;
    let tx = app.store.read(actor.scope()).await?;
    tx.tool_calls().list(conversation, page).await
}

/// Calls a tool for an agent. One that changes something happens once for each `Idempotency-Key`.
///
/// # Errors
/// `UNKNOWN_TOOL`, `TOOL_DISABLED`, `INVALID_ARGUMENTS` with what would be right, `NOT_FOUND` for what is not there
/// or belongs to somebody else, and whatever the tool itself refuses.
pub async fn call(
    app: &App,
    actor: &Actor,
    agent: &str,
    name: &str,
    input: CallTool,
) -> Result<ToolResult> {
    actor.require(Permission::Chat)?;
    if input.context.lead_id.is_some() || input.context.conversation_id.is_some() {
        // What a tool tells of a customer is theirs and the business's, not everybody's who may chat.
        actor.require(Permission::CustomersRead)?;
        // To name a customer is to speak for them, whichever way it is done.
        actor.require(Permission::CustomersWrite)?;
    }
    actor.plan().require_agents()?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = agents::find(&tx, agent).await?;
    if !agent.enabled {
        return Err(Error::new(ErrorCode::AgentDisabled));
    }
    let tool = find(&agent, name)?;
    let arguments = tool::read(tool, input.arguments)?;
    let (lead, conversation) = people(&tx, &input.context).await?;
    let scene = Scene {
        app,
        actor,
        agent: &agent,
        lead: lead.as_ref(),
        conversation: conversation.as_ref(),
        same_words: false,
        stage: None,
    };
    drop(tx);
    for right in rights_to_call(tool, &arguments) {
        actor.require(right)?;
    }
    Ok(ToolResult {
        tool: tool.name.to_owned(),
        result: perform(scene, tool, &arguments).await?,
    })
}

/// Calls a tool in the turn of an agent, which may do for its customer whatever its tools do.
///
/// # Errors
/// `TOOL_DISABLED`, `INVALID_ARGUMENTS` with what would be right, and whatever the tool itself refuses.
pub(crate) async fn call_in_turn(
    scene: Scene<'_>,
    tool: &'static Tool,
    arguments: Value,
) -> Result<Value> {
    switched_on(AgentKind::from(scene.agent), tool)?;
    let arguments = tool::read(tool, arguments)?;
    perform(scene, tool, &arguments).await
}

/// Does what a tool does, and tells of it nothing that speaks to the assistant, whoever wrote it, but for
/// what the business writes for the assistant.
async fn perform(scene: Scene<'_>, tool: &'static Tool, arguments: &Arguments) -> Result<Value> {
    let mut result = done(scene, tool, arguments).await?;
    if !is_internal(tool, arguments) {
        Guard::compiled().clean_result(&mut result);
    }
    Ok(result)
}

async fn done(scene: Scene<'_>, tool: &'static Tool, arguments: &Arguments) -> Result<Value> {
    match (tool.access, tool.name) {
        (Access::Read, "search_knowledge_base") => {
            knowledge::search(scene, arguments.parse()?).await
        }
        (Access::Read, "extract_receipt") => receipts::extract(scene, arguments.parse()?).await,
        (Access::Read, name) => {
            if let Some(stage) = scene.stage.filter(|stage| stage.is_made_up()) {
                let tx = scene.app.store.begin(scene.actor.scope()).await?;
                let cast = stage.enter(&tx).await?;
                let scene = cast.in_scene(scene);
                read(&Turn { scene, tx: &tx }, name, arguments).await
            } else {
                let tx = scene.app.store.read(scene.actor.scope()).await?;
                read(&Turn { scene, tx: &tx }, name, arguments).await
            }
        }
        (Access::Write, _) => change(scene, tool, arguments).await,
    }
}

/// The lead and the conversation of a turn. A conversation of somebody else is not there.
async fn people(
    tx: &TenantTx,
    context: &ToolContext,
) -> Result<(Option<Lead>, Option<Conversation>)> {
    let conversation = match context.conversation_id {
        Some(id) => Some(conversations::find(tx, id).await?),
        None => None,
    };
    let of_conversation = conversation.as_ref().map(|found| found.lead_id);
    if let (Some(lead), Some(of)) = (context.lead_id, of_conversation)
        && lead != of
    {
        return Err(Error::not_found("conversation"));
    }
    let lead = match context.lead_id.or(of_conversation) {
        Some(id) => Some(leads::find(tx, id).await?),
        None => None,
    };
    Ok((lead, conversation))
}

/// For whom and by whom a tool is called.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) app: &'a App,
    pub(crate) actor: &'a Actor,
    pub(crate) agent: &'a Agent,
    pub(crate) lead: Option<&'a Lead>,
    pub(crate) conversation: Option<&'a Conversation>,
    /// The key of the call is made of what was said, and what was said again is not done again,
    /// whatever came of reading it meanwhile.
    pub(crate) same_words: bool,
    /// Who is there in a rehearsal, in which the actor must be one who rehearses.
    pub(crate) stage: Option<&'a RehearsalStage>,
}

/// A call in its transaction.
struct Turn<'a> {
    scene: Scene<'a>,
    tx: &'a TenantTx,
}

impl Turn<'_> {
    fn language(&self) -> Language {
        self.scene.agent.language
    }

    fn lead(&self) -> Result<&Lead> {
        self.scene
            .lead
            .ok_or_else(|| Error::new(ErrorCode::LeadRequired))
    }

    fn conversation_id(&self) -> Option<ConversationId> {
        self.scene.conversation.map(|conversation| conversation.id)
    }

    /// How histories call the agent.
    fn by(&self) -> String {
        format!("agent:{}", self.scene.agent.id)
    }

    fn says(&self, es: String, en: String) -> String {
        match self.language() {
            Language::Es => es,
            Language::En => en,
        }
    }
}

/// Does what a tool that only reads does.
async fn read(turn: &Turn<'_>, name: &str, arguments: &Arguments) -> Result<Value> {
    match name {
        "get_business_info" => business::info(turn).await,
        "get_branch_info" => business::branches(turn, arguments.parse()?).await,
        "get_staff_info" => business::staff(turn, arguments.parse()?).await,
        "get_policy" => business::policy(turn, arguments.parse()?).await,
        "get_response_template" => templates::template(turn, arguments.parse()?).await,
        "get_competitor_strategy" => business::competitor(turn, arguments.parse()?).await,
        "get_service_info" => services::one(turn, arguments.parse()?).await,
        "list_services" => services::list(turn, arguments.parse()?).await,
        "get_service_catalog" => services::catalogue(turn, arguments.parse()?).await,
        "get_menu" => services::menu(turn, arguments.parse()?).await,
        "get_available_slots" => booking::slots(turn, arguments.parse()?).await,
        "get_appointments" => booking::ahead(turn).await,
        "get_faq" => knowledge::faq(turn, arguments.parse()?).await,
        "check_dental_urgency" => knowledge::urgency(turn, &arguments.parse()?),
        "get_loyalty_balance" => loyalty::balance(turn).await,
        "get_order_status" => orders::status(turn, arguments.parse()?).await,
        _ => Err(Error::new(ErrorCode::UnknownTool)),
    }
}
