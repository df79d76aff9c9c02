//! Plays a scenario: a business, a customer, and one message after another.

use super::business::{self, Business, Manner};
use super::check::{self, Failure};
use super::customer::{self, Known};
use super::file::Scenario;
use super::scripts::Scripts;
use super::sent::{self, Sent};
use super::state;
use super::world::World;
use anyhow::Context;
use jiff::SignedDuration;
use quipu_agents::Silence;
use quipu_app::chat::{self, Answered, Ask, Whom};
use quipu_core::chat::{ChatMessage, ModelConfig, ModelProvider};
use quipu_core::conversation::HandoffMode;
use quipu_core::lead::Channel;
use quipu_core::{ConversationId, Timestamp};
use quipu_scripted::{Dialect, ScriptedModel};
use serde::Serialize;
use serde_json::Value;

/// How long a customer takes to read and write.
const BETWEEN_TURNS: SignedDuration = SignedDuration::from_secs(20);
/// How many messages a question is sent with.
const MOST_MESSAGES: usize = 99;

/// Who answers, and how the business is told to them.
#[derive(Clone, Copy)]
pub(super) struct Cast<'a> {
    /// The scripts of a scripted model; without them the product itself answers.
    pub(super) scripts: Option<&'a Scripts>,
    pub(super) legacy_prompt: bool,
}

/// A scenario that was played.
#[derive(Debug, Serialize)]
pub(super) struct Played {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) passed: bool,
    pub(super) failures: Vec<Failure>,
    /// What the file says and was not put into the product.
    pub(super) not_loaded: Vec<String>,
    pub(super) messages: Vec<String>,
    pub(super) replies: Vec<String>,
    pub(super) tools: Vec<String>,
    #[serde(skip)]
    pub(super) notes: Vec<String>,
    /// The tokens of each question to the model.
    #[serde(skip)]
    pub(super) sent: Vec<Sent>,
    /// The tokens of all that the model was asked for each message of the customer.
    #[serde(skip)]
    pub(super) sent_a_message: Vec<Sent>,
}

/// What happened in the turns.
#[derive(Default)]
pub(super) struct Course {
    pub(super) replies: Vec<String>,
    pub(super) calls: Vec<Called>,
    /// What a reader of the conversation should know besides, turn by turn.
    pub(super) notes: Vec<String>,
    pub(super) conversation: Option<ConversationId>,
    pub(super) failures: Vec<Failure>,
}

/// A tool that was called.
#[derive(Clone, Debug)]
pub(super) struct Called {
    pub(super) tool: String,
    pub(super) arguments: Value,
    /// Why it did nothing, when it did nothing.
    pub(super) error: Option<String>,
}

impl Course {
    /// Whether a tool was called, whatever came of it.
    pub(super) fn tried(&self, tool: &str) -> bool {
        self.calls.iter().any(|call| call.tool == tool)
    }

    /// Whether a tool did what it is there for.
    pub(super) fn used(&self, tool: &str) -> bool {
        let mut calls = self.calls.iter();
        calls.any(|call| call.tool == tool && call.error.is_none())
    }

    /// Notes what the trace of a turn says of tools. The product itself searches what the agent may
    /// read without going through the tool that a model has for it.
    fn note(&mut self, answered: &Answered) {
        self.conversation = answered.conversation_id.or(self.conversation);
        let Some(answer) = &answered.answer else {
            self.notes.push("a person answers".to_owned());
            return;
        };
        let mut notes = vec![answer.specialist.as_str().to_owned()];
        for step in &answer.trace.steps {
            let name = match step.name.as_str() {
                "tool" => step.details["tool"].as_str(),
                "search" if answer.trace.model_calls == 0 => Some("search_knowledge_base"),
                _ => None,
            };
            if let Some(name) = name {
                let error = step.details["error"].as_str();
                self.calls.push(Called {
                    tool: name.to_owned(),
                    arguments: step.details["arguments"].clone(),
                    error: error.map(str::to_owned),
                });
            }
            let refused = !step.details["error"].is_null() || !step.details["held"].is_null();
            if refused || step.name == "fallback" {
                notes.push(format!("{} {}", step.name, step.details));
            }
        }
        self.notes.push(notes.join("; "));
    }
}

pub(super) async fn play(scenario: &Scenario, cast: Cast<'_>) -> anyhow::Result<Played> {
    let named = || format!("scenario {}", scenario.id);
    let now: Timestamp = scenario.now.parse().with_context(named)?;
    let model = match cast.scripts {
        Some(_) => Some(ScriptedModel::start([]).await),
        None => None,
    };
    let hosts = model.iter().map(ScriptedModel::host).collect();
    let world = World::build(now, hosts).await?;
    let manner = Manner {
        model: model.as_ref().map_or_else(ModelConfig::default, configured),
        legacy_prompt: cast.legacy_prompt,
    };
    let played = async {
        let business = business::load(&world, scenario, &manner).await?;
        let known = customer::load(&world, &business, &scenario.customer, now).await?;
        let mut course = Course::default();
        let script = match cast.scripts {
            Some(scripts) => scripts.of(scenario)?,
            None => Vec::new(),
        };
        let mut script = script.into_iter();
        let mut messages = Vec::new();
        let mut asked = Vec::new();
        for (at, said) in scenario.turns.iter().enumerate() {
            world.clock.set(later(now, at));
            if let Some(model) = &model {
                model.add(script.next().unwrap_or_default());
            }
            messages.push(ChatMessage::user(said.clone()));
            let answered = ask(&world, &business, &known, &messages).await?;
            course.note(&answered);
            if let Some(model) = &model {
                follow(model, &answered, at, &mut course);
                asked.push(model.requests().len());
            }
            let text = answered.answer.map_or_else(String::new, |it| it.text);
            if !text.is_empty() {
                messages.push(ChatMessage::assistant(text.clone()));
            }
            course.replies.push(text);
        }
        let mut failures = std::mem::take(&mut course.failures);
        failures.extend(check::said_and_done(&scenario.expect, &course));
        let ended = state::End {
            app: &world.app,
            business: &business,
            known: &known,
            course: &course,
        };
        failures.extend(ended.check(&scenario.expect.final_state).await?);
        let sent = model.as_ref().map_or_else(Vec::new, sent::tokens);
        anyhow::Ok(Played {
            id: scenario.id.clone(),
            title: scenario.title.clone(),
            passed: failures.is_empty(),
            failures,
            not_loaded: business.not_loaded,
            messages: scenario.turns.clone(),
            replies: course.replies,
            tools: course.calls.into_iter().map(|call| call.tool).collect(),
            notes: course.notes,
            sent_a_message: sent::by_message(&sent, &asked),
            sent,
        })
    };
    let played = played.await.with_context(named);
    world.end().await?;
    played
}

/// The model of an agent that asks a scripted one.
fn configured(model: &ScriptedModel) -> ModelConfig {
    ModelConfig {
        provider: ModelProvider::OpenaiCompatible,
        model: "scripted".to_owned(),
        base_url: Some(model.base(Dialect::Openai)),
        ..ModelConfig::default()
    }
}

fn later(now: Timestamp, turns: usize) -> Timestamp {
    let turns = i32::try_from(turns).unwrap_or(i32::MAX);
    now.checked_add(BETWEEN_TURNS * turns).unwrap_or(now)
}

async fn ask(
    world: &World,
    business: &Business,
    known: &Known,
    messages: &[ChatMessage],
) -> anyhow::Result<Answered> {
    let from = messages.len().saturating_sub(MOST_MESSAGES);
    let ask = Ask {
        whom: Whom::Customer {
            lead: Some(known.lead),
            conversation: None,
        },
        channel: Channel::Whatsapp,
        ..Ask::anonymous(messages[from..].to_vec())
    };
    let (app, actor) = (&world.app, &business.actor);
    let answered = chat::answer(app, actor, &business.agent.slug, ask, &mut Silence).await?;
    Ok(answered)
}

/// Whether the model was asked just what its script foresees.
fn follow(model: &ScriptedModel, answered: &Answered, at: usize, course: &mut Course) {
    let left = model.clear();
    let silent = answered.handoff == HandoffMode::Human;
    let fell_back = answered
        .answer
        .as_ref()
        .is_some_and(|answer| answer.trace.steps.iter().any(|it| it.name == "fallback"));
    if left > 0 && !silent {
        let text = format!("turn {}: {left} steps were not asked for", at + 1);
        course.failures.push(Failure::Script(text));
    }
    let text = answered.answer.as_ref().map(|answer| answer.text.as_str());
    if text.is_some_and(|text| text.contains("{{")) {
        let text = format!("turn {}: a placeholder was not filled", at + 1);
        course.failures.push(Failure::Script(text));
    }
    if fell_back {
        let text = format!("turn {}: the model was asked for more", at + 1);
        course.failures.push(Failure::Script(text));
    }
}
