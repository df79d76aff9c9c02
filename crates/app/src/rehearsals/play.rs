//! Playing a script or a conversation with an agent.

use crate::chat::{self, RehearsalStage, Spent};
use crate::{Actor, App};
use jiff::SignedDuration;
use quipu_agents::Answer;
use quipu_agents::tool::{self, Access};
use quipu_core::agent::Agent;
use quipu_core::chat::ChatMessage;
use quipu_core::conversation::{Message, MessageRole};
use quipu_core::rehearsal::{
    LONGEST_STEP, MOST_STEPS, NewRehearsalResult, RehearsalPiece, RehearsalPlan, RehearsalRun,
    RehearsalTarget, RehearsedAnswer, RehearsedCall, StepExpectations, judge,
};
use quipu_core::retrieval::Citation;
use quipu_core::tenancy::TenantScope;
use quipu_core::turn::{Trace, TurnDetails};
use quipu_core::{ConversationId, RehearsalScriptId, Result, Timestamp, TurnId};
use quipu_store::TenantTx;
use quipu_store::tenant::TurnViewer;
use serde_json::Value;
use std::time::Instant;

/// How much of a conversation is read to find the messages that are played.
const MOST_MESSAGES: u64 = 200;
/// How long a script or a conversation is played. A model that never answers would keep others waiting
/// for hours; one that answers, twice where two agents are compared, gets through in time.
pub(super) const LONGEST_PIECE: SignedDuration = SignedDuration::from_mins(10);

/// Plays the pieces of a rehearsal.
pub(super) struct Player<'a> {
    app: &'a App,
    /// Whatever they write is undone.
    actor: Actor,
    subject: &'a Agent,
    /// The agent that answers customers now.
    live: &'a Agent,
    run: &'a RehearsalRun,
}

/// What became of a piece.
pub(super) enum Playing {
    Played(Vec<NewRehearsalResult>),
    /// Nobody wants to know any more.
    Stopped,
}

/// A message of the customer, what was answered before, and what is expected now.
struct AskedMessage {
    message: String,
    before: Option<RehearsedAnswer>,
    expect: StepExpectations,
}

/// What is played, and how it is called.
struct PlayedPiece {
    piece: RehearsalPiece,
    /// Whose words it is made of.
    conversation: Option<ConversationId>,
    title: Option<String>,
}

/// A conversation with one agent, as far as it has come.
struct PlayedTalk<'a> {
    agent: &'a Agent,
    stage: RehearsalStage,
    messages: Vec<ChatMessage>,
    /// Where the conversation has come to.
    dialogue: Option<Value>,
}

/// An answer and what it took.
struct Given {
    answer: RehearsedAnswer,
    spent: Spent,
    elapsed_ms: u64,
}

impl<'a> Player<'a> {
    pub(super) fn new(
        app: &'a App,
        actor: &Actor,
        plan: &'a RehearsalPlan,
        live: &'a Agent,
    ) -> Self {
        Self {
            app,
            actor: actor.rehearsing(),
            subject: &plan.subject,
            live,
            run: &plan.run,
        }
    }

    /// Plays a piece from its first message to its last, or to the one at which its time is up. One that is
    /// gone has none.
    pub(super) async fn play(&self, piece: RehearsalPiece) -> Result<Playing> {
        match piece {
            RehearsalPiece::Script(id) => self.script(id).await,
            RehearsalPiece::Conversation(id) => self.conversation(id).await,
        }
    }

    async fn script(&self, id: RehearsalScriptId) -> Result<Playing> {
        let tx = self.read().await?;
        let script = tx.rehearsal_scripts().find(self.subject.id, id).await?;
        let Some(script) = script else {
            return Ok(Playing::Played(Vec::new()));
        };
        let last = tx.rehearsal_results().last_of(id).await?;
        drop(tx);
        let asked = script.steps.into_iter().map(|step| {
            // A message that was changed since was never answered.
            let before = last.iter().find(|one| one.question == step.message);
            AskedMessage {
                before: before.map(|before| before.after.clone()),
                message: step.message,
                expect: step.expect,
            }
        });
        let asked: Vec<AskedMessage> = asked.collect();
        // Beside a draft, the live agent says what it says now.
        let beside = match self.run.target {
            RehearsalTarget::Live => None,
            RehearsalTarget::Draft | RehearsalTarget::Version => Some(PlayedTalk {
                agent: self.live,
                stage: RehearsalStage::made_up(self.live, self.app.now()),
                messages: Vec::new(),
                dialogue: None,
            }),
        };
        let stage = RehearsalStage::made_up(self.subject, self.app.now());
        let played = PlayedPiece {
            piece: RehearsalPiece::Script(id),
            conversation: script.conversation_id,
            title: Some(script.name),
        };
        self.talk(played, asked, stage, beside).await
    }

    async fn conversation(&self, id: ConversationId) -> Result<Playing> {
        let gone = || Ok(Playing::Played(Vec::new()));
        let (Some(from), Some(to)) = (self.run.from, self.run.to) else {
            return gone();
        };
        let tx = self.read().await?;
        let Some(conversation) = tx.conversations().find(id).await? else {
            return gone();
        };
        let Some(lead) = tx.leads().find(conversation.lead_id).await? else {
            return gone();
        };
        let asked = asked(&tx, id, from, to).await?;
        drop(tx);
        let title = lead.name.clone();
        let stage = RehearsalStage::of(lead, conversation);
        let played = PlayedPiece {
            piece: RehearsalPiece::Conversation(id),
            conversation: Some(id),
            title,
        };
        self.talk(played, asked, stage, None).await
    }

    async fn talk(
        &self,
        played: PlayedPiece,
        asked: Vec<AskedMessage>,
        stage: RehearsalStage,
        mut beside: Option<PlayedTalk<'_>>,
    ) -> Result<Playing> {
        let mut talk = PlayedTalk {
            agent: self.subject,
            stage,
            messages: Vec::new(),
            dialogue: None,
        };
        let mut results = Vec::new();
        let began = self.app.now();
        for (at, asked) in asked.into_iter().enumerate() {
            if self.app.now().duration_since(began) > LONGEST_PIECE {
                break;
            }
            if self.is_stopped().await? {
                return Ok(Playing::Stopped);
            }
            let given = self.ask(&mut talk, &asked.message).await?;
            let compared = match &mut beside {
                Some(beside) => Some(self.ask(beside, &asked.message).await?),
                None => None,
            };
            let mut usage = given.spent.usage;
            let mut cost = given.spent.cost;
            let before = match compared {
                Some(compared) => {
                    usage += compared.spent.usage;
                    cost = cost.zip(compared.spent.cost).map(|(one, two)| one + two);
                    Some(compared.answer)
                }
                None => asked.before,
            };
            let failed = judge(&asked.expect, &given.answer);
            results.push(NewRehearsalResult {
                piece: played.piece,
                conversation: played.conversation,
                title: played.title.clone(),
                step: u32::try_from(at + 1).unwrap_or(u32::MAX),
                question: asked.message,
                before,
                after: given.answer,
                expected: u32::try_from(asked.expect.count()).unwrap_or(u32::MAX),
                failed,
                elapsed_ms: given.elapsed_ms,
                input_tokens: usage.input_tokens,
                output_tokens: usage.output_tokens,
                cost_micros: cost,
            });
        }
        Ok(Playing::Played(results))
    }

    /// Says one thing to an agent, and keeps it and the answer for what follows. What it took is counted
    /// at once: it is spent, whatever becomes of the rehearsal.
    async fn ask(&self, talk: &mut PlayedTalk<'_>, message: &str) -> Result<Given> {
        let began = Instant::now();
        talk.messages.push(ChatMessage::user(message.to_owned()));
        let messages = talk.messages.clone();
        let dialogue = talk.dialogue.take();
        let PlayedTalk { agent, stage, .. } = &talk;
        let turn = chat::rehearse(self.app, &self.actor, agent, stage, messages, dialogue).await?;
        let tx = self.app.store.begin(self.scope()).await?;
        chat::spend(&tx, &turn.spent).await?;
        tx.commit().await?;
        talk.dialogue = turn.answer.dialogue.clone();
        let text = turn.answer.text.clone();
        if !text.is_empty() {
            talk.messages.push(ChatMessage::assistant(text));
        }
        Ok(Given {
            answer: answered(&turn.answer),
            spent: turn.spent,
            elapsed_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
        })
    }

    async fn is_stopped(&self) -> Result<bool> {
        let tx = self.read().await?;
        let runs = tx.rehearsal_runs();
        let run = runs.find(self.run.agent_id, self.run.id).await?;
        Ok(run.is_none_or(|run| run.state.has_ended()))
    }

    async fn read(&self) -> Result<TenantTx> {
        self.app.store.read(self.scope()).await
    }

    /// The scope of what is really read and counted.
    fn scope(&self) -> TenantScope {
        TenantScope::of(self.actor.tenant_id())
    }
}

/// What a customer said within a period, each with what was answered to it.
async fn asked(
    tx: &TenantTx,
    id: ConversationId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<AskedMessage>> {
    let roles = [
        MessageRole::User,
        MessageRole::Assistant,
        MessageRole::Human,
    ];
    let messages = tx.messages();
    let said = messages
        .between(id, &roles, from, to, MOST_MESSAGES)
        .await?;
    let mut asked: Vec<AskedMessage> = Vec::new();
    for message in said {
        if message.role == MessageRole::User {
            if asked.len() == MOST_STEPS {
                break;
            }
            asked.push(AskedMessage {
                message: message.text.chars().take(LONGEST_STEP).collect(),
                before: None,
                expect: StepExpectations::default(),
            });
        } else if let Some(asked) = asked.last_mut() {
            let given = told(tx, &message).await?;
            asked.before = Some(match asked.before.take() {
                None => given,
                Some(before) => both(before, given),
            });
        }
    }
    asked.retain(|asked| !asked.message.trim().is_empty());
    Ok(asked)
}

/// What was answered in a conversation, with what its turn kept of how.
async fn told(tx: &TenantTx, message: &Message) -> Result<RehearsedAnswer> {
    let turn = message.metadata["turn_id"].as_str();
    let turn = turn.and_then(|id| id.parse::<TurnId>().ok());
    let everybody = TurnViewer {
        user: None,
        customers: true,
    };
    let kept: Option<TurnDetails> = match turn {
        Some(id) => tx.turns().find(id, everybody).await?,
        None => None,
    };
    let trace = kept.as_ref().map(|kept| &kept.trace);
    Ok(RehearsedAnswer {
        text: message.text.clone(),
        by_person: message.role == MessageRole::Human,
        tools: trace.map(calls).unwrap_or_default(),
        citations: trace.map_or_else(Vec::new, |trace| titles(&trace.citations)),
        escalated: kept.as_ref().is_some_and(|kept| kept.summary.escalated),
        degraded: kept.as_ref().is_some_and(|kept| kept.summary.degraded),
    })
}

/// Two answers to one message.
fn both(mut first: RehearsedAnswer, second: RehearsedAnswer) -> RehearsedAnswer {
    first.text.push_str("\n\n");
    first.text.push_str(&second.text);
    first.by_person |= second.by_person;
    first.tools.extend(second.tools);
    first.citations.extend(second.citations);
    first.escalated |= second.escalated;
    first.degraded |= second.degraded;
    first
}

fn answered(answer: &Answer) -> RehearsedAnswer {
    RehearsedAnswer {
        text: answer.text.clone(),
        by_person: false,
        tools: calls(&answer.trace),
        citations: titles(&answer.citations),
        escalated: answer.escalated,
        degraded: answer.degraded,
    }
}

/// The tools that were called in a turn.
fn calls(trace: &Trace) -> Vec<RehearsedCall> {
    let steps = trace.steps.iter().filter(|step| step.name == "tool");
    let called = steps.filter_map(|step| {
        let name = step.details["tool"].as_str()?;
        let known = tool::find(name)?;
        Some(RehearsedCall {
            tool: name.to_owned(),
            writes: known.access == Access::Write,
            error: step.details["error"].as_str().map(str::to_owned),
        })
    });
    called.collect()
}

/// The titles of what was cited, each once.
fn titles(citations: &[Citation]) -> Vec<String> {
    let mut titles: Vec<String> = Vec::new();
    for citation in citations {
        let title = citation.title.as_ref().unwrap_or(&citation.quote);
        if !titles.contains(title) {
            titles.push(title.clone());
        }
    }
    titles
}
