//! Keeping what happened in a turn.

use super::turn_end::{TurnEnd, TurnFate};
use super::visit::Visit;
use crate::conversations::outgoing::MessageExtras;
use crate::{Actor, App, conversations, leads};
use quipu_agents::Answer;
use quipu_commerce::business::ItemKind;
use quipu_core::agent::{Agent, AgentSettings, Medium};
use quipu_core::chat::{ModelProvider, OwnPrices, Usage};
use quipu_core::conversation::{HandoffMode, MessageRole, NewMessage};
use quipu_core::knowledge::KbScope;
use quipu_core::retrieval::RetrievalScope;
use quipu_core::tenancy::TenantScope;
use quipu_core::turn::{NewTurn, Step, Trace};
use quipu_core::{KnowledgeBaseId, Result, TenantId, TurnId};
use quipu_store::TenantTx;
use quipu_store::tenant::TemperatureCause;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::slice;
use std::sync::{Mutex, MutexGuard, PoisonError};
use uuid::Uuid;

/// Turns that wait to be written. Further ones are not kept.
const MAX_WAITING: usize = 10_000;
/// How much of a question and an answer is kept with the turn.
const KEPT_CHARS: usize = 4_000;

/// Turns of nobody in particular are written down some at a time and a moment later, so that nobody
/// who asks waits for that. What belongs to a conversation is kept before its answer is complete.
#[derive(Debug, Default)]
pub struct TurnLog {
    waiting: Mutex<BTreeMap<TenantId, Waiting>>,
    /// Held by whoever writes down what waited.
    writing: tokio::sync::Mutex<()>,
}

/// What waits to be written for a tenant.
#[derive(Debug, Default)]
struct Waiting {
    turns: Vec<Noted>,
    /// The knowledge bases that were searched in any turn. Written with each turn, all turns of a
    /// tenant would wait for one another at these few rows.
    queried: BTreeSet<KnowledgeBaseId>,
}

#[derive(Clone, Debug)]
struct Noted {
    turn: NewTurn,
    /// The instructions that were told for this message alone.
    instructions: Vec<Uuid>,
}

impl TurnLog {
    fn note(&self, tenant: TenantId, noted: Noted) {
        let mut waiting = self.lock();
        if waiting.values().map(|of| of.turns.len()).sum::<usize>() < MAX_WAITING {
            waiting.entry(tenant).or_default().turns.push(noted);
        } else {
            metrics::counter!("quipu_turns_not_kept_total").increment(1);
        }
    }

    /// Has it written down that these knowledge bases were searched.
    pub(crate) fn note_queried(&self, tenant: TenantId, scope: &RetrievalScope) {
        let searched = scope.knowledge_bases();
        if !searched.is_empty() {
            let mut waiting = self.lock();
            let queried = &mut waiting.entry(tenant).or_default().queried;
            queried.extend(searched.iter().map(|kb| kb.id));
        }
    }

    fn holds(&self, tenant: TenantId, id: TurnId) -> bool {
        let waiting = self.lock();
        let of_tenant = waiting.get(&tenant);
        of_tenant.is_some_and(|of| of.turns.iter().any(|noted| noted.turn.id == id))
    }

    fn take(&self) -> BTreeMap<TenantId, Waiting> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<TenantId, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is kept of a turn.
pub(super) struct Kept<'a> {
    pub(super) agent: &'a Agent,
    pub(super) settings: &'a AgentSettings,
    pub(super) medium: Medium,
    pub(super) visit: &'a Visit,
    pub(super) scope: &'a RetrievalScope,
    pub(super) turn_id: TurnId,
    pub(super) variant: Option<String>,
    pub(super) question: String,
    pub(super) answer: &'a Answer,
    /// What the tenant pays, where it says so.
    pub(super) prices: &'a OwnPrices,
    /// Somebody was still there to get the answer.
    pub(super) reached: bool,
    /// Who decides whether it is said, where somebody does.
    pub(super) end: Option<&'a dyn TurnEnd>,
}

/// Keeps a turn, and says who answers in its conversation from now on.
pub(super) async fn keep(app: &App, actor: &Actor, kept: Kept<'_>) -> Result<HandoffMode> {
    measure(kept.answer);
    let mut noted = Noted {
        turn: turn(actor, &kept),
        instructions: kept.answer.instructions.clone(),
    };
    let Some(conversation) = kept.visit.conversation_id() else {
        app.turn_log.note(actor.tenant_id(), noted);
        return Ok(HandoffMode::Ai);
    };
    let tx = app.store.begin(actor.scope()).await?;
    // Whoever was joined with another customer meanwhile is that one now.
    let lead = conversations::find(&tx, conversation).await?.lead_id;
    // The customer before the conversation, as whoever says something takes them: two that take them
    // the other way round wait for each other.
    if let Some(temperature) = kept.answer.temperature
        && kept.settings.tracks_temperature
    {
        let by = format!("agent:{}", kept.agent.id);
        let cause = TemperatureCause {
            actor: &by,
            turn: Some(kept.turn_id),
        };
        leads::rate(&tx, lead, temperature, cause).await?;
    }
    let conversation = conversations::lock(&tx, conversation).await?;
    noted.turn.lead_id = Some(conversation.lead_id);
    let fate = match kept.end {
        Some(end) => end.close(&tx, &conversation, kept.answer).await?,
        None => TurnFate::Said,
    };
    if fate == TurnFate::Abandoned {
        return Ok(conversation.handoff.mode);
    }
    let said = NewMessage {
        role: MessageRole::Assistant,
        author: format!("agent:{}", kept.agent.id),
        text: kept.answer.text.clone(),
        metadata: metadata(&kept)?,
    };
    // What nobody could receive was not said: the customer asks again, and no one is to take for
    // known what never arrived. What was done stays done, and the turn keeps the answer.
    if !said.text.is_empty() && kept.reached && fate == TurnFate::Said {
        conversations::append(&tx, &conversation, &said).await?;
    }
    if let Some(dialogue) = &kept.answer.dialogue {
        tx.conversations()
            .keep_dialogue(conversation.id, dialogue)
            .await?;
    }
    write(&tx, slice::from_ref(&noted)).await?;
    tx.commit().await?;
    Ok(conversation.handoff.mode)
}

/// What is kept with the words of an answer: its turn, and what can be tapped instead of writing.
fn metadata(kept: &Kept<'_>) -> Result<Value> {
    let metadata = json!({ "turn_id": kept.turn_id });
    let choices = &kept.answer.choices;
    if choices.is_empty() {
        return Ok(metadata);
    }
    MessageExtras::choosing(choices).into(metadata)
}

fn turn(actor: &Actor, kept: &Kept<'_>) -> NewTurn {
    let answer = kept.answer;
    let shortened = |text: &str| text.chars().take(KEPT_CHARS).collect();
    NewTurn {
        id: kept.turn_id,
        agent_id: kept.agent.id,
        conversation_id: kept.visit.conversation_id(),
        lead_id: kept.visit.lead().map(|lead| lead.id),
        // A question to what is personal is not for others to read, whatever was found.
        owner: kept.scope.user().filter(|_| {
            let mut kbs = kept.scope.knowledge_bases().iter();
            kbs.any(|kb| kb.scope == KbScope::Personal)
        }),
        actor: actor.name(),
        variant: kept.variant.clone(),
        intent: answer.intent,
        specialist: answer.specialist,
        responder: answer.responder.clone(),
        grounded: answer.grounded,
        degraded: answer.degraded,
        escalated: answer.escalated,
        cost: price(answer, kept.settings, kept.medium, kept.prices),
        question: shortened(&kept.question),
        answer: shortened(&answer.text),
        trace: trace(kept),
    }
}

fn trace(kept: &Kept<'_>) -> Trace {
    let mut trace = kept.answer.trace.clone();
    trace.citations.clone_from(&kept.answer.citations);
    if !kept.reached {
        trace.steps.push(Step {
            name: "unreceived".to_owned(),
            at_us: trace.elapsed_us,
            took_us: 0,
            details: json!({}),
        });
    }
    trace
}

/// What the turn cost, where the price of the model that answered is known.
pub(super) fn price(
    answer: &Answer,
    settings: &AgentSettings,
    medium: Medium,
    prices: &OwnPrices,
) -> Option<i64> {
    if answer.trace.model_calls == 0 {
        return Some(0);
    }
    let asked = settings.model_for(medium).name();
    let name = match answer.responder.split_once('/') {
        Some(_) => &answer.responder,
        None => &asked,
    };
    Spent::by(name, answer.trace.usage, prices).cost
}

fn measure(answer: &Answer) {
    let word = |yes| if yes { "yes" } else { "no" };
    let trace = &answer.trace;
    metrics::counter!("quipu_answers_total", "grounded" => word(answer.grounded), "degraded" => word(answer.degraded))
        .increment(1);
    metrics::counter!("quipu_turn_tokens_total", "direction" => "input")
        .increment(trace.usage.input_tokens);
    metrics::counter!("quipu_turn_tokens_total", "direction" => "output")
        .increment(trace.usage.output_tokens);
    metrics::counter!("quipu_turns_total", "rag" => word(trace.used_knowledge())).increment(1);
    metrics::counter!("quipu_turn_tool_calls_total").increment(trace.tool_calls.into());
    if answer.escalated {
        metrics::counter!("quipu_escalations_total").increment(1);
    }
    let elapsed = std::time::Duration::from_micros(trace.elapsed_us);
    metrics::histogram!("quipu_turn_seconds").record(elapsed);
}

/// What a model took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    pub(crate) usage: Usage,
    /// In millionths, where the price of the model is known.
    pub(crate) cost: Option<i64>,
}

impl Spent {
    /// What a model of this name took.
    pub(super) fn by(model: &str, usage: Usage, prices: &OwnPrices) -> Self {
        let cost = |(provider, model): (&str, &str)| {
            let provider = ModelProvider::parse(provider)?;
            prices.cost(provider, model, &usage)
        };
        Self {
            usage,
            cost: model.split_once('/').and_then(cost),
        }
    }
}

/// Counts what a model took beside the messages.
pub(crate) async fn spend(tx: &TenantTx, spent: &Spent) -> Result<()> {
    count(tx, 0, spent).await
}

async fn count(tx: &TenantTx, messages: u64, spent: &Spent) -> Result<()> {
    let usage = &spent.usage;
    let counted = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let amounts = [
        ("messages", counted(messages)),
        ("input_tokens", counted(usage.input_tokens)),
        ("output_tokens", counted(usage.output_tokens)),
        ("model_cost_micros", spent.cost.unwrap_or(0)),
    ];
    tx.usage().add(&amounts).await
}

async fn write(tx: &TenantTx, turns: &[Noted]) -> Result<()> {
    let mut spent = Spent::default();
    for noted in turns {
        let turn = &noted.turn;
        tx.turns().insert(turn).await?;
        spent.usage += turn.trace.usage;
        spent.cost = Some(spent.cost.unwrap_or(0) + turn.cost.unwrap_or(0));
        tx.catalogue()
            .count_told(ItemKind::Instruction, &noted.instructions)
            .await?;
    }
    // Last, because all turns of a tenant are counted in the same rows.
    count(tx, u64::try_from(turns.len()).unwrap_or(u64::MAX), &spent).await
}

/// Writes down what waits.
///
/// # Errors
/// When the database cannot be written; what was not written is gone.
pub async fn flush(app: &App) -> Result<()> {
    let _writing = app.turn_log.writing.lock().await;
    let mut failed = None;
    for (tenant, waiting) in app.turn_log.take() {
        let written = async {
            let tx = app.store.begin(TenantScope::of(tenant)).await?;
            let queried: Vec<KnowledgeBaseId> = waiting.queried.into_iter().collect();
            if !queried.is_empty() {
                tx.knowledge_bases().touch_queried(&queried).await?;
            }
            write(&tx, &waiting.turns).await?;
            tx.commit().await
        };
        // A tenant that was deleted meanwhile keeps nothing; the others do.
        if let Err(error) = written.await {
            failed = Some(error);
        }
    }
    failed.map_or(Ok(()), Err)
}

/// Sees to it that a turn that waits to be written is there for whoever asks for it: its answer has
/// left already.
pub(crate) async fn settle(app: &App, tenant: TenantId, id: TurnId) {
    if !app.turn_log.holds(tenant, id) {
        // Somebody may be writing it down just now.
        drop(app.turn_log.writing.lock().await);
        return;
    }
    if let Err(error) = flush(app).await {
        tracing::warn!(%error, "turns could not be written down");
    }
}
