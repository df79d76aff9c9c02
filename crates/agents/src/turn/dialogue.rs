//! Driving the dialogue: what it needs to know is looked up, what it decides is done, and where the
//! conversation has come to is remembered for the next turn.

use crate::conversation::SearchText;
use crate::desk::{Desk, Setting};
use crate::readings::MessageReadings;
use crate::supervisor::{Context, SubIntent, Supervisor, Understanding};
use crate::tool::{self, Access, Tool, of_agent};
use quipu_core::language::Language;
use quipu_core::ports::{ReplyPart, ReplyRequest, Responder, Speaker, Turn};
use quipu_core::retrieval::Passage;
use quipu_core::{Error, ErrorCode, Result};
use quipu_dialogue::{
    AgentProfile, BusinessFacts, DESCRIBING, DialogueState, DialogueStep, HeardMessage,
    MessageGuess, Pending, QuotedText, Request, StepInput, TurnFacts, step,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// How often a step may ask for something. A step asks for a handful.
const MOST_REQUESTS: usize = 40;
/// How many of the customer's messages are gone through again for a client that keeps no conversation.
const MOST_FOLDED: usize = 12;
/// How many messages the quoting responder gets to see.
const HISTORY: usize = 8;

/// Where a conversation has come to, as it is stored with it.
#[derive(Serialize, Deserialize)]
struct StoredDialogue {
    state: Value,
    /// The agent's last words, in a number: a state belongs to what was said then.
    said: String,
}

/// Where the conversation stood before the last message.
#[derive(Clone)]
pub(super) struct DialogueBefore {
    pub(super) state: DialogueState,
    /// Nothing was stored, so that the state has to be made from what was said.
    unknown: bool,
}

impl DialogueBefore {
    /// Reads what was stored. After words of somebody else, nothing is awaited any more.
    pub(super) fn read(stored: Option<&Value>, spoken: &[Turn]) -> Self {
        let stored = stored.and_then(|stored| StoredDialogue::deserialize(stored).ok());
        let Some(stored) = stored else {
            return Self {
                state: DialogueState::default(),
                unknown: spoken.len() > 1,
            };
        };
        let mut state = DialogueState::read(&stored.state);
        let last = spoken
            .iter()
            .rev()
            .find(|turn| turn.speaker == Speaker::Agent);
        if last.is_none_or(|turn| digest(&turn.text) != stored.said) {
            state.await_nothing();
        }
        Self {
            state,
            unknown: false,
        }
    }

    /// What the supervisor should know of it.
    pub(super) fn context(
        &self,
        setting: &Setting,
        spoken: &[Turn],
        language: Language,
    ) -> Context {
        let plain = Context {
            vertical: setting.vertical,
            language,
            ..Context::default()
        };
        if self.unknown {
            let before = spoken.iter().rev().skip(1);
            let mut before = before.filter(|turn| turn.speaker == Speaker::Customer);
            let last = before
                .next()
                .map(|turn| Supervisor::compiled().understand(&turn.text, &plain));
            return Context {
                last_intent: last.map(|understood| understood.intent()),
                ..plain
            };
        }
        context(&self.state, plain)
    }
}

fn context(state: &DialogueState, plain: Context) -> Context {
    let awaiting = state.awaited_name();
    Context {
        last_intent: state.last_intent(),
        awaiting: awaiting.and_then(|name| serde_json::from_value(json!(name)).ok()),
        ..plain
    }
}

/// The state as it is stored, with what the agent said.
pub(super) fn stored(state: &DialogueState, said: &str) -> Value {
    json!({ "state": state.stored(), "said": digest(said) })
}

fn digest(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    hex::encode(&Sha256::digest(words.join(" ").as_bytes())[..8])
}

/// Everything that the dialogue of a turn is driven with.
pub(super) struct DialogueDriver<'a> {
    pub(super) setting: &'a Setting,
    pub(super) spoken: &'a [Turn],
    pub(super) readings: &'a MessageReadings,
    pub(super) language: Language,
    /// Where the business is described, which nobody has to watch.
    pub(super) plain: &'a dyn Desk,
    pub(super) desk: &'a dyn Desk,
    pub(super) quoter: &'a dyn Responder,
    pub(super) key: &'a str,
    pub(super) only_reads: bool,
}

impl DialogueDriver<'_> {
    /// Answers the last message.
    pub(super) async fn answer(
        &self,
        before: DialogueBefore,
        understood: &Understanding,
    ) -> Result<DialogueStep> {
        let business = self.business().await;
        let mut state = before.state;
        if before.unknown {
            state = self.fold(state, &business).await;
        }
        let last = self.spoken.last().map_or("", |turn| turn.text.as_str());
        let heard = self.heard(last, understood);
        self.drive(&heard, &state, &business, true).await
    }

    /// What the describing tools tell.
    async fn business(&self) -> BusinessFacts {
        let has = self.tools();
        let mut told: [Option<Value>; 5] = Default::default();
        for (place, name) in told.iter_mut().zip(DESCRIBING) {
            let known = tool::find(name).filter(|_| has.contains(&name));
            if let Some(tool) = known {
                *place = self.plain.call(tool, &json!({}), self.key).await.ok();
            }
        }
        BusinessFacts::read(&told, self.setting.default_language)
    }

    fn tools(&self) -> Vec<&'static str> {
        of_agent(self.setting.kind())
            .map(|tool| tool.name)
            .collect()
    }

    fn profile(&self) -> AgentProfile {
        let setting = self.setting;
        AgentProfile {
            agent_name: setting.agent_name.clone(),
            company_name: setting.company_name.clone(),
            vertical: setting.vertical,
            assistant_type: setting.assistant_type,
            style: setting.style,
            medium: setting.medium,
            language: self.language,
            written_in: setting.default_language,
            now: setting.now.clone(),
            customer_name: setting.customer_name.clone(),
            has_customer: setting.has_customer,
            file: setting.files.first().map(|file| file.id),
            tools: self.tools(),
            only_reads: self.only_reads,
        }
    }

    fn heard(&self, text: &str, understood: &Understanding) -> HeardMessage {
        let intent = understood.intent();
        let guess = MessageGuess {
            intent: Some(intent),
            certainty: understood.certainty(intent),
            affirms: understood.affirms,
            asks_human: understood.asks_human,
            invoicing: understood.sub == Some(SubIntent::Invoicing),
        };
        HeardMessage::new(text, self.language, self.readings.of(text), guess)
    }

    /// Goes through the messages before the last one, with what was done in them taken for done.
    async fn fold(&self, state: DialogueState, business: &BusinessFacts) -> DialogueState {
        let customer = self.spoken.iter().rev().skip(1);
        let customer = customer.filter(|turn| turn.speaker == Speaker::Customer);
        let mut texts: Vec<&str> = customer
            .map(|turn| turn.text.as_str())
            .take(MOST_FOLDED)
            .collect();
        texts.reverse();
        let mut state = state;
        for text in texts {
            let plain = Context {
                vertical: self.setting.vertical,
                language: self.language,
                ..Context::default()
            };
            let context = context(&state, plain);
            let reading = self.readings.of(text);
            let understood = Supervisor::compiled().understand_read(text, &context, reading);
            let heard = self.heard(text, &understood);
            if let Ok(step) = self.drive(&heard, &state, business, false).await {
                state = step.state;
            }
        }
        state
    }

    /// Takes a step: runs the policy, looks up what it asks for, and runs it again.
    async fn drive(
        &self,
        heard: &HeardMessage,
        state: &DialogueState,
        business: &BusinessFacts,
        now: bool,
    ) -> Result<DialogueStep> {
        let profile = self.profile();
        let mut facts = TurnFacts::default();
        let mut changes: BTreeMap<&'static str, usize> = BTreeMap::new();
        for _ in 0..MOST_REQUESTS {
            let input = StepInput {
                profile: &profile,
                business,
                heard,
                state,
                facts: &facts,
            };
            let Pending(request) = match step(input) {
                Ok(step) => return Ok(step),
                Err(pending) => pending,
            };
            match &request {
                Request::Look { tool, arguments } => {
                    let desk = if now { self.desk } else { self.plain };
                    let result = self.call(desk, tool, arguments, self.key).await;
                    facts.called(request, result);
                }
                Request::Change { tool, .. } if !now => {
                    let done = json!({ "success": true, "tool": tool });
                    facts.called(request, Ok(done));
                }
                Request::Change { tool, arguments } => {
                    let number = changes.entry(tool).or_default();
                    *number += 1;
                    let key = format!("{}:{tool}:{number}", self.key);
                    let result = self.call(self.desk, tool, arguments, &key).await;
                    facts.called(request, result);
                }
                Request::Quote { question } => {
                    let quoted = if now {
                        self.quote(question).await
                    } else {
                        QuotedText::default()
                    };
                    facts.quoted(request, quoted);
                }
                Request::Compare { words, names } => {
                    let likeness = self.plain.likeness(words, names).await;
                    facts.compared(request, likeness.unwrap_or_default());
                }
            }
        }
        Err(Error::new(ErrorCode::Internal))
    }

    async fn call(
        &self,
        desk: &dyn Desk,
        name: &'static str,
        arguments: &Value,
        key: &str,
    ) -> Result<Value> {
        let tool: &'static Tool =
            tool::find(name).ok_or_else(|| Error::new(ErrorCode::UnknownTool))?;
        if self.setting.tools_off.has(name) {
            return Err(Error::new(ErrorCode::ToolDisabled));
        }
        let key = if tool.access == Access::Read {
            self.key
        } else {
            key
        };
        desk.call(tool, arguments, key).await
    }

    fn search_text(&self, text: &str) -> SearchText {
        let setting = self.setting;
        SearchText {
            text: quipu_core::analysis::without_names(
                text,
                &setting.agent_name,
                &setting.company_name,
            ),
            context: None,
            language: self.language,
        }
    }

    /// Quotes the passages that answer a question, with where each quote stands.
    async fn quote(&self, question: &str) -> QuotedText {
        let Ok(found) = self.desk.search(&self.search_text(question)).await else {
            return QuotedText {
                failed: true,
                ..QuotedText::default()
            };
        };
        if found.passages.is_empty() {
            return QuotedText::default();
        }
        let before = self.spoken.len().saturating_sub(1);
        let request = ReplyRequest {
            agent_name: self.setting.agent_name.clone(),
            company_name: self.setting.company_name.clone(),
            language: self.language,
            question: question.to_owned(),
            history: self.spoken[before.saturating_sub(HISTORY)..before].to_vec(),
            passages: found.passages,
        };
        let Ok(reply) = self.quoter.reply(&request).await else {
            return QuotedText {
                failed: true,
                ..QuotedText::default()
            };
        };
        if !is_honest(&reply.parts, &request.passages) {
            return QuotedText::default();
        }
        QuotedText {
            parts: reply.parts,
            passages: request.passages,
            failed: false,
        }
    }
}

/// Whether every source of a reply stands in its passage.
fn is_honest(parts: &[ReplyPart], passages: &[Passage]) -> bool {
    let stands = |part: &ReplyPart| {
        let Some((at, quote)) = &part.source else {
            return true;
        };
        let passage = passages.get(*at);
        passage.is_some_and(|passage| {
            !quote.trim().is_empty() && passage.content.contains(quote.as_str())
        })
    };
    parts.iter().all(stands)
}
