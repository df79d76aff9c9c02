//! A question to an agent, and its answer.

mod aside;
mod desk;
mod everything;
mod models;
mod plain;
mod polish;
mod preview;
mod prompts;
mod readings;
mod record;
mod rehearsed;
mod relevant;
mod shown;
mod stage;
mod trial;
mod trim;
mod turn_end;
mod turn_queue;
mod visit;

pub(crate) use aside::ask;
pub use models::ModelKeys;
pub(crate) use models::problem as model_problem;
pub(crate) use polish::{POLISH_PROMPT, order_all, polish};
pub use preview::{PreviewPrompt, PreviewedSection, PromptPreview, preview_prompt};
pub use prompts::Prompts;
pub use readings::ReadMessages;
pub(crate) use record::{Spent, settle, spend};
pub use record::{TurnLog, flush};
pub(crate) use rehearsed::rehearse;
pub use shown::{AgentPrompt, PromptLeftOut, PromptSection, agent_prompts};
pub(crate) use stage::RehearsalStage;
pub use trial::{ModelTrial, try_models};
pub use trim::Trimmed;
pub(crate) use turn_end::{StoredQuestion, TurnEnd, TurnFate};
pub use turn_queue::TurnQueue;
pub use visit::Whom;

use crate::{Actor, App, agents, prices, profile, search};
use desk::TurnDesk;
use jiff::SignedDuration;
use models::UnusableModel;
use quipu_agents::tool::ToolsOff;
use quipu_agents::{Answer, Limits, Listener, Setting, TurnInput};
use quipu_core::access::Permission;
use quipu_core::agent::{Agent, AgentSettings, Medium};
use quipu_core::chat::{ChatMessage, ToolChoice, ToolSpec};
use quipu_core::conversation::HandoffMode;
use quipu_core::lead::Channel;
use quipu_core::page::{MAX_LIMIT, PageRequest};
use quipu_core::tenancy::Tenant;
use quipu_core::turn::{DegradedReason, Step};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{BranchId, ConversationId, Error, ErrorCode, Result, Timestamp, TurnId, text};
use quipu_store::TenantTx;
use serde_json::json;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use visit::Visit;

const MAX_CLIENT_TOOLS: usize = 64;
const MAX_TOOL_NAME: usize = 64;
const MAX_TOOL_DESCRIPTION: usize = 4_000;
const MAX_TOOL_SCHEMA: usize = 16_000;
/// How long the same words are the same wish.
const SAME_WISH: SignedDuration = SignedDuration::from_mins(10);
/// How the name of a turn begins that is made of what was said. No client makes one up: theirs begin
/// otherwise.
const SAID: &str = "said:";

/// What a passage has room for in a prompt, on average. Five of them leave enough for everything else.
const PASSAGE_TOKENS: usize = 180;

/// A question to an agent.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The tenant's id or slug; when given, it must be the one the credential is for.
    pub project_id: Option<String>,
    /// The conversation so far, oldest first; the last message is the question. Of somebody who is
    /// known it may be the question alone: what was said before is kept.
    pub messages: Vec<ChatMessage>,
    /// Who asks.
    pub whom: Whom,
    pub channel: Channel,
    /// What whoever asks adds to the instructions of the agent for this turn.
    pub instructions: Option<String>,
    /// Tools that whoever asks has and calls.
    pub client_tools: Vec<ToolSpec>,
    /// Which tool is to be used first, if any.
    pub tool_choice: ToolChoice,
    /// Whether the agent answers as its draft has it. No customer is spoken with so.
    pub draft: bool,
}

impl Ask {
    /// A question of nobody in particular.
    #[must_use]
    pub fn anonymous(messages: Vec<ChatMessage>) -> Self {
        Self {
            project_id: None,
            messages,
            whom: Whom::Nobody,
            channel: Channel::Web,
            instructions: None,
            client_tools: Vec::new(),
            tool_choice: ToolChoice::Auto,
            draft: false,
        }
    }
}

/// An answer and where it belongs.
#[derive(Clone, Debug)]
pub struct Answered {
    pub agent: Agent,
    /// What people give their opinion on.
    pub turn_id: TurnId,
    pub conversation_id: Option<ConversationId>,
    /// Who answers in the conversation from now on.
    pub handoff: HandoffMode,
    /// Nothing while a person answers.
    pub answer: Option<Answer>,
    /// What of the question was more than is read.
    pub trimmed: Vec<Trimmed>,
}

/// Answers the last message.
///
/// # Errors
/// `NOT_FOUND` for the agent, a foreign `project_id`, or a lead or conversation that is not there,
/// `AGENT_DISABLED`, `VALIDATION_FAILED`, `FEATURE_NOT_IN_PLAN`, or `FORBIDDEN` for a draft. When retrieval, a tool or the model
/// fails, there is an answer all the same: it says so, and is marked as degraded.
pub async fn answer(
    app: &App,
    actor: &Actor,
    agent: &str,
    ask: Ask,
    listener: &mut dyn Listener,
) -> Result<Answered> {
    answer_stored(app, actor, agent, ask, listener, None).await
}

/// The same for a question that was stored already, such as one that a channel delivered.
///
/// # Errors
/// As for any question.
pub(crate) async fn answer_stored(
    app: &App,
    actor: &Actor,
    agent: &str,
    mut ask: Ask,
    listener: &mut dyn Listener,
    stored: Option<StoredQuestion<'_>>,
) -> Result<Answered> {
    actor.require(Permission::Chat)?;
    let trimmed = trim::trim(&mut ask);
    check(&ask)?;
    let tenant = actor.tenant();
    check_project(ask.project_id.as_deref(), tenant)?;
    actor.plan().require_agents()?;
    let tx = app.store.read(actor.scope()).await?;
    let agent = asked(&tx, actor, agent, ask.draft).await?;
    let (visit, tx) = visit::open(app, actor, &agent, &ask, tx, stored).await?;
    let turn_id = TurnId::generate(app.now());
    if visit.handoff() == HandoffMode::Human {
        return Ok(by_a_person(agent, turn_id, &visit, trimmed));
    }
    // What is read from here on was not written by a turn that is still under way.
    let _turn = app.turns.of(&visit, app.model_patience / 2).await;
    let (settings, variant) = agent.settings.variant(number(&visit, turn_id));
    let tx = match tx {
        Some(tx) => tx,
        None => app.store.read(actor.scope()).await?,
    };
    let scope = search::grant_turn(&tx, actor, &agent, visit.lead().is_some()).await?;
    let medium = Medium::from(ask.channel);
    let (prompt, fresh) = prompts::prompt(app, &tx, actor, &agent, &settings, medium).await?;
    let zone = profile::time_zone(actor);
    let mut setting = setting(&agent, &settings, medium, &visit, app.now().to_zoned(zone));
    setting.files = visit::files(&tx, &visit).await?;
    let branch = visit::branch(&tx, &visit).await?;
    let messages = visit::with_remembered(&tx, &visit, ask.messages).await?;
    let own_prices = prices::load(&tx).await?;
    let (model, unusable) = models::model(app, &tx, &settings, medium).await;
    let dialogue = visit::dialogue(&tx, &visit).await?;
    drop(tx);
    // What is kept of a prompt is told of what is live.
    if let Some(compiled) = fresh.filter(|_| !ask.draft) {
        prompts::keep(app, actor, &agent, &settings, medium, &compiled).await;
    }
    let desk = TurnDesk {
        app,
        actor,
        agent: &agent,
        settings: &settings,
        visit: &visit,
        scope: &scope,
        branch: branch.as_ref().map(|branch| BranchId::from_uuid(branch.id)),
        model: model.is_some(),
        stage: None,
    };
    // Without a model the same words mean the same change, however often they are sent.
    let within = visit.conversation_id().filter(|_| model.is_none());
    let input = TurnInput {
        readings: readings::read(app, &messages).await,
        dialogue,
        setting,
        locale: tenant.locale.clone(),
        prompt,
        memory: settings.memory.into(),
        instructions: ask.instructions,
        branch: branch.map(|branch| branch.data.name),
        client_tools: ask.client_tools,
        tool_choice: ask.tool_choice,
        limits: limits(app, &settings),
        key: key(actor, turn_id, within, said(&messages, app.now())),
        messages,
    };
    let question = quipu_agents::question(&input.messages).unwrap_or_default();
    let answered = quipu_agents::answer(
        input,
        model.as_deref(),
        &desk,
        app.responder.as_ref(),
        listener,
    );
    let mut answer = answered.await?;
    note_unusable(&mut answer, &unusable);
    let handoff = record::keep(
        app,
        actor,
        record::Kept {
            agent: &agent,
            settings: &settings,
            medium,
            visit: &visit,
            scope: &scope,
            turn_id,
            variant,
            question,
            answer: &answer,
            prices: &own_prices,
            reached: listener.is_reached(),
            end: stored.map(|stored| stored.end),
        },
    )
    .await?;
    Ok(Answered {
        agent,
        turn_id,
        conversation_id: visit.conversation_id(),
        handoff,
        answer: Some(answer),
        trimmed,
    })
}

/// A project that is named is the tenant itself.
fn check_project(project: Option<&str>, tenant: &Tenant) -> Result<()> {
    if project.is_some_and(|id| id != tenant.slug && id != tenant.id.to_string()) {
        return Err(Error::not_found("project"));
    }
    Ok(())
}

/// The agent that is asked, as it is live or as its draft has it.
async fn asked(tx: &TenantTx, actor: &Actor, agent: &str, draft: bool) -> Result<Agent> {
    let agent = agents::find(tx, agent).await?;
    if !agent.enabled {
        return Err(Error::new(ErrorCode::AgentDisabled));
    }
    if draft {
        return agents::tried(tx, actor, &agent).await;
    }
    Ok(agent)
}

/// A model that cannot be used says why where the tenant reads it.
fn note_unusable(answer: &mut Answer, unusable: &[UnusableModel]) {
    for UnusableModel { model, error } in unusable {
        answer.degraded = true;
        answer.trace.degraded_reason = Some(DegradedReason::ModelMisconfigured);
        answer.trace.steps.push(Step {
            name: "misconfigured".to_owned(),
            at_us: 0,
            took_us: 0,
            details: json!({
                "model": model,
                "code": error.code().as_str(),
                "message": error.message(answer.language),
            }),
        });
    }
}

fn limits(app: &App, settings: &AgentSettings) -> Limits {
    Limits {
        sentences: settings.max_sentences.into(),
        words: settings.max_words.into(),
        passage_tokens: usize::from(settings.top_k) * PASSAGE_TOKENS,
        deadline: app.model_patience,
        ..Limits::default()
    }
}

/// A message that the agent leaves to a person.
fn by_a_person(agent: Agent, turn_id: TurnId, visit: &Visit, trimmed: Vec<Trimmed>) -> Answered {
    Answered {
        agent,
        turn_id,
        conversation_id: visit.conversation_id(),
        handoff: HandoffMode::Human,
        answer: None,
        trimmed,
    }
}

/// The agents that can be asked, newest first.
///
/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn askable(app: &App, actor: &Actor) -> Result<Vec<Agent>> {
    actor.require(Permission::Chat)?;
    let tx = app.store.read(actor.scope()).await?;
    let mut askable = Vec::new();
    let mut page = PageRequest::parse(Some(MAX_LIMIT), None)?;
    loop {
        let listed = tx.agents().list(page).await?;
        askable.extend(listed.data.into_iter().filter(|agent| agent.enabled));
        let Some(cursor) = listed.next_cursor else {
            return Ok(askable);
        };
        page = PageRequest::parse(Some(MAX_LIMIT), Some(&cursor))?;
    }
}

/// One of the agents that can be asked.
///
/// # Errors
/// `NOT_FOUND` when there is no such agent in the tenant, or `FORBIDDEN` without the permission.
pub async fn askable_agent(app: &App, actor: &Actor, agent: &str) -> Result<Agent> {
    actor.require(Permission::Chat)?;
    let tx = app.store.read(actor.scope()).await?;
    let found = agents::find(&tx, agent).await?;
    if found.enabled {
        Ok(found)
    } else {
        Err(Error::not_found("agent"))
    }
}

fn setting(
    agent: &Agent,
    settings: &AgentSettings,
    medium: Medium,
    visit: &Visit,
    now: jiff::Zoned,
) -> Setting {
    Setting {
        agent_name: agent.name.clone(),
        company_name: agent.company_name.clone(),
        vertical: agent.vertical,
        style: settings.response_style,
        assistant_type: settings.assistant_type,
        tools_off: ToolsOff::named(&settings.disabled_tools),
        grounding: settings.grounding,
        medium,
        default_language: agent.language,
        now,
        customer_name: visit.lead().and_then(|lead| lead.name.clone()),
        has_customer: visit.lead().is_some(),
        files: Vec::new(),
    }
}

/// What a conversation is drawn by, where two ways to be are compared: always the same for the same
/// conversation or customer, and a fresh one for somebody who is not known.
fn number(visit: &Visit, turn: TurnId) -> u64 {
    match (visit.conversation_id(), visit.lead()) {
        (Some(conversation), _) => drawn(conversation),
        (None, Some(lead)) => drawn(lead.id),
        (None, None) => drawn(turn),
    }
}

fn drawn(by: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    by.hash(&mut hasher);
    hasher.finish()
}

/// How an agent is in a conversation, where two ways to be are compared.
pub(crate) fn settings_in(agent: &Agent, conversation: ConversationId) -> AgentSettings {
    let (settings, _) = agent.settings.variant(drawn(conversation));
    settings
}

/// What names the turn towards its tools. A request that is sent again names the same turn, and so
/// does what was said again in a conversation.
fn key(actor: &Actor, turn: TurnId, within: Option<ConversationId>, said: u64) -> String {
    match (&actor.request().idempotency_key, within) {
        (Some(key), _) => format!("chat:{key}"),
        (None, Some(conversation)) => format!("{SAID}{conversation}:{said:x}"),
        (None, None) => format!("turn:{turn}"),
    }
}

/// What a message answers, and what it says, in a number: the conversation up to the last words of the
/// agent and the message itself. Whoever taps twice, or sends again what seemed lost, says the same;
/// a while later it is a new wish.
fn said(messages: &[ChatMessage], now: Timestamp) -> u64 {
    let mut hasher = DefaultHasher::new();
    let agent = |message: &ChatMessage| matches!(message, ChatMessage::Assistant { .. });
    let answered = messages.iter().rposition(agent).map_or(0, |at| at + 1);
    for message in messages[..answered].iter().chain(messages.last()) {
        if let ChatMessage::User { text, .. } | ChatMessage::Assistant { text, .. } = message {
            (agent(message), text::fold(text.trim())).hash(&mut hasher);
        }
    }
    now.as_second()
        .div_euclid(SAME_WISH.as_secs())
        .hash(&mut hasher);
    hasher.finish()
}

fn check(ask: &Ask) -> Result<()> {
    let mut checks = Checks::new();
    let messages = &ask.messages;
    if messages.is_empty() {
        checks.problem("messages", Problem::Empty);
    } else if messages.len() > trim::MOST_MESSAGES {
        // So much has passed since the question that it cannot be trimmed.
        let max = trim::MOST_MESSAGES;
        checks.problem("messages", Problem::TooMany { max });
    }
    if trim::chars_of(messages) > trim::MOST_CHARS {
        let max = trim::MOST_CHARS;
        checks.problem("messages", Problem::TooLong { max });
    }
    for (i, message) in messages.iter().enumerate() {
        // What is beside the question was trimmed, and may be nothing beside the calls of a model.
        if let ChatMessage::User { text, .. } = message {
            let field = format!("messages[{i}].content");
            checks.text(&field, text, trim::MOST_MESSAGE_CHARS);
        }
    }
    if matches!(messages.last(), Some(ChatMessage::Assistant { .. })) {
        let allowed = "user".to_owned();
        checks.problem("messages[-1].role", Problem::Unknown { allowed });
    }
    if ask.draft && !matches!(ask.whom, Whom::Nobody) {
        let fields = "draft, user / lead_id / conversation_id".to_owned();
        checks.problem("draft", Problem::OneOf { fields });
    }
    check_tools(&mut checks, ask);
    checks.finish()
}

fn check_tools(checks: &mut Checks, ask: &Ask) {
    if ask.client_tools.len() > MAX_CLIENT_TOOLS {
        let max = MAX_CLIENT_TOOLS;
        checks.problem("tools", Problem::TooMany { max });
    }
    let mut names = HashSet::new();
    for (i, tool) in ask.client_tools.iter().enumerate().take(MAX_CLIENT_TOOLS) {
        let field = |name: &str| format!("tools[{i}].function.{name}");
        let sign = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-');
        let is_name = (1..=MAX_TOOL_NAME).contains(&tool.name.len()) && tool.name.chars().all(sign);
        if !is_name {
            checks.problem(&field("name"), Problem::NotAName);
        } else if quipu_agents::is_own_tool(&tool.name) || !names.insert(tool.name.as_str()) {
            // Nobody replaces a tool of the agent by one of the same name.
            checks.problem(&field("name"), Problem::Duplicate);
        }
        if tool.description.chars().count() > MAX_TOOL_DESCRIPTION {
            let max = MAX_TOOL_DESCRIPTION;
            checks.problem(&field("description"), Problem::TooLong { max });
        }
        if tool.schema.to_string().len() > MAX_TOOL_SCHEMA {
            let max = MAX_TOOL_SCHEMA;
            checks.problem(&field("parameters"), Problem::TooLong { max });
        }
    }
    if let ToolChoice::Named(name) = &ask.tool_choice
        && !names.contains(name.as_str())
    {
        let allowed = ask.client_tools.iter().map(|tool| tool.name.as_str());
        let allowed = allowed.collect::<Vec<_>>().join(", ");
        checks.problem("tool_choice.function.name", Problem::Unknown { allowed });
    }
}
