//! One turn: from the customer's message to the agent's answer.
//!
//! The guard judges the message, the supervisor tells what it wants, the router picks the part of the
//! agent that takes it. Then a model writes, with tools to look things up and do them, or the product
//! itself answers when there is no model or it fails. No sentence leaves before it is checked.

mod dialogue;
mod findings;
mod length;
mod looked_up;
mod marker;
mod repair;
mod reply;
mod rounds;
mod sentences;
mod shown;
mod sifting;
#[cfg(test)]
mod tests;
mod thoughts;
mod toolset;
mod trace;
mod watched;
mod with_model;
mod without_model;

pub use findings::clean as clean_passages;
pub use marker::without_marker;

use crate::desk::{Desk, Setting};
use crate::guard::{Action, Guard, Verdict};
use crate::readings::MessageReadings;
use crate::specialist::route;
use crate::supervisor::{Context, SubIntent, Supervisor, Understanding};
use dialogue::DialogueBefore;
use quipu_core::agent::{Intent, Specialist, Vertical};
use quipu_core::chat::{ChatMessage, ToolCall, ToolChoice, ToolSpec};
use quipu_core::language::Language;
use quipu_core::lead::Temperature;
use quipu_core::ports::{ChatModel, Responder, Speaker, Turn};
use quipu_core::reading::{Reading, SpanKind};
use quipu_core::retrieval::Citation;
use quipu_core::turn::{DegradedReason, PromptSource, Trace};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Result, phrases};
use quipu_language::urgency::{Level, assess};
use serde_json::{Value, json};
use sifting::AskedText;
use std::time::{Duration, Instant};
use toolset::Toolset;
use trace::Notes;
use uuid::Uuid;

/// How far a turn may go.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How often a model may ask for tools.
    pub rounds: usize,
    /// How many calls it may make in all.
    pub calls: usize,
    /// How often the conversation may go from one part of the agent to another.
    pub hand_offs: usize,
    /// How many sentences an answer of a model may have.
    pub sentences: usize,
    pub words: usize,
    /// What passages may take of a prompt, in tokens.
    pub passage_tokens: usize,
    /// What a model may be given to read for one message, in tokens. Once it has read that much it answers
    /// with what it has. A prompt that is longer than usual may be read three times.
    pub input_tokens: u64,
    /// After this long no model is waited for, whatever it has begun.
    pub deadline: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds: 5,
            calls: 12,
            hand_offs: 2,
            sentences: 10,
            words: usize::from(quipu_core::agent::MOST_WORDS),
            passage_tokens: 900,
            input_tokens: 12_000,
            deadline: Duration::from_secs(45),
        }
    }
}

/// The stable part of what a model is told.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    pub text: String,
    pub source: PromptSource,
    pub tokens: u32,
    /// What the business itself says in it, on which an answer may rest.
    pub own_words: String,
    /// The part of it that is told to nobody.
    pub secret: String,
}

/// Everything that a turn starts from.
#[derive(Clone, Debug)]
pub struct TurnInput {
    pub setting: Setting,
    /// Of the tenant, such as `es-PE`.
    pub locale: String,
    pub prompt: Prompt,
    /// The conversation so far; the last message is the customer's, or what came of a call that
    /// whoever asked has made.
    pub messages: Vec<ChatMessage>,
    /// What the reader made of what the customer said.
    pub readings: MessageReadings,
    /// Where the conversation had come to, as the turn before left it.
    pub dialogue: Option<Value>,
    /// How many messages before the last one a model is shown.
    pub memory: usize,
    /// What whoever asked adds to the instructions of the agent for this turn.
    pub instructions: Option<String>,
    /// The branch that the conversation is about, where that is known.
    pub branch: Option<String>,
    /// Tools that whoever asked has and calls.
    pub client_tools: Vec<ToolSpec>,
    /// Which tool is to be used first, if any.
    pub tool_choice: ToolChoice,
    pub limits: Limits,
    /// What names this turn, so that a change is made once even if the turn is repeated.
    pub key: String,
}

/// Hears an answer while it is being made.
pub trait Listener: Send {
    /// The next part of the answer. Put together, the parts are the answer.
    fn text(&mut self, part: &str);
    /// A tool was called.
    fn tool(&mut self, _name: &str) {}
    /// Whether somebody still gets what is said, or has got some of it.
    fn is_reached(&self) -> bool {
        true
    }
}

/// Somebody who waits for the whole.
pub struct Silence;

impl Listener for Silence {
    fn text(&mut self, _: &str) {}
}

#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub text: String,
    /// The pieces of the text in the order they are released; put together they are the text.
    pub parts: Vec<String>,
    pub citations: Vec<Citation>,
    /// The answer rests on something that was looked up in this turn.
    pub grounded: bool,
    pub language: Language,
    /// Who answered.
    pub responder: String,
    /// Something failed, so that the answer is less than it could have been. The trace says what.
    pub degraded: bool,
    pub intent: Intent,
    pub specialist: Specialist,
    /// How close the customer is to buying, if that was told.
    pub temperature: Option<Temperature>,
    /// The conversation was handed to a person.
    pub escalated: bool,
    /// Calls of tools that whoever asked is to make.
    pub client_calls: Vec<ToolCall>,
    /// The instructions of the business that were told for this message alone.
    pub instructions: Vec<Uuid>,
    /// Where the conversation has come to, for the next turn.
    pub dialogue: Option<Value>,
    /// What the customer can tap instead of writing it.
    pub choices: Vec<String>,
    pub trace: Trace,
}

/// Answers the last message of a conversation.
///
/// # Errors
/// `VALIDATION_FAILED` when the conversation does not end with a message of the customer. A failing
/// model, tool or search is no error: there is an honest answer all the same.
pub async fn answer(
    input: TurnInput,
    model: Option<&dyn ChatModel>,
    desk: &dyn Desk,
    quoter: &dyn Responder,
    listener: &mut dyn Listener,
) -> Result<Answer> {
    let mut input = input;
    let Some(question) = question(&input.messages) else {
        let mut checks = Checks::new();
        checks.problem("messages", Problem::Empty);
        return Err(checks.finish().expect_err("a problem was added"));
    };
    let mut notes = Notes::new();
    let asked = sifting::sift(&mut input, &question, &mut notes);
    let spoken = spoken(&input.messages);
    let language = spoken_language(&spoken, &input.readings, input.setting.default_language);
    let verdict = judge(&asked, &mut notes);
    let reading = input.readings.of(&question);
    let before = DialogueBefore::read(input.dialogue.as_ref(), &spoken);
    let context = before.context(&input.setting, &spoken, language);
    let understood = understand(&question, context, reading, &mut notes);
    let specialist = pick(&input.setting, &understood, &mut notes);
    let taking = Taking {
        input: &input,
        spoken: &spoken,
        language,
        understood: &understood,
        specialist,
        softened: verdict.action == Action::Soften,
        desk,
        quoter,
        before,
    };
    if verdict.action == Action::Block {
        return Ok(taking.refuse(notes, listener));
    }
    match model {
        Some(model) => Ok(taking.with_model(model, notes, listener).await),
        None => Ok(taking.without_model(notes, listener, None, "").await),
    }
}

fn judge(asked: &AskedText, notes: &mut Notes) -> Verdict {
    let began = Instant::now();
    let verdict = Guard::compiled().judge_read(&asked.text, asked.attack);
    notes.step("guard", began, json!(verdict));
    verdict
}

fn understand(
    question: &str,
    context: Context,
    reading: Option<&Reading>,
    notes: &mut Notes,
) -> Understanding {
    let began = Instant::now();
    let understood = Supervisor::compiled().understand_read(question, &context, reading);
    notes.step("supervisor", began, json!(understood));
    understood
}

fn pick(setting: &Setting, understood: &Understanding, notes: &mut Notes) -> Specialist {
    let began = Instant::now();
    let invoicing = understood.sub == Some(SubIntent::Invoicing);
    let specialist = route(setting.kind(), &understood.ranked, invoicing);
    notes.step(
        "router",
        began,
        json!({ "specialist": specialist.as_str() }),
    );
    specialist
}

/// The language to answer in. Names of streets and people say nothing of it: "Av. 12 de Octubre" is the same in
/// English.
fn spoken_language(spoken: &[Turn], readings: &MessageReadings, default: Language) -> Language {
    let customer = spoken
        .iter()
        .rev()
        .filter(|turn| turn.speaker == Speaker::Customer);
    let mut guesses = customer.filter_map(|turn| {
        let Some(reading) = readings.of(&turn.text) else {
            return Language::guess(&turn.text);
        };
        let mut text = reading.text.clone();
        for span in reading.spans.iter().rev() {
            let named = matches!(
                span.kind,
                SpanKind::Address | SpanKind::Name | SpanKind::Item | SpanKind::Branch
            );
            if named
                && text.is_char_boundary(span.range.start)
                && text.is_char_boundary(span.range.end)
            {
                text.replace_range(span.range.clone(), " ");
            }
        }
        Language::guess(&text)
    });
    guesses.next().unwrap_or(default)
}

/// What was said, without what passed between a model and its tools.
fn spoken(messages: &[ChatMessage]) -> Vec<Turn> {
    let said = messages.iter().filter_map(|message| {
        let (speaker, text) = match message {
            ChatMessage::User { text, .. } => (Speaker::Customer, text),
            ChatMessage::Assistant { text, .. } => (Speaker::Agent, text),
            ChatMessage::ToolResult { .. } => return None,
        };
        let text = text.clone();
        (!text.trim().is_empty()).then_some(Turn { speaker, text })
    });
    said.collect()
}

/// The message that a conversation asks to answer: the customer's last one, if nothing but what came
/// of a client's calls follows it.
#[must_use]
pub fn question(messages: &[ChatMessage]) -> Option<String> {
    let answerable = match messages.last()? {
        ChatMessage::User { text, .. } => !text.trim().is_empty(),
        ChatMessage::ToolResult { .. } => true,
        ChatMessage::Assistant { .. } => false,
    };
    let said = messages.iter().rev().find_map(|message| match message {
        ChatMessage::User { text, .. } if !text.trim().is_empty() => Some(text.clone()),
        _ => None,
    });
    said.filter(|_| answerable)
}

/// Whether a tool of this name is the agent's own, so that nobody else may give it one.
#[must_use]
pub fn is_own_tool(name: &str) -> bool {
    crate::tool::find(name).is_some() || name == Toolset::HAND_OFF
}

/// A turn that somebody has taken.
struct Taking<'a> {
    input: &'a TurnInput,
    spoken: &'a [Turn],
    language: Language,
    understood: &'a Understanding,
    specialist: Specialist,
    /// Nothing may be changed in answer to this message.
    softened: bool,
    desk: &'a dyn Desk,
    quoter: &'a dyn Responder,
    /// Where the conversation stood before the message.
    before: DialogueBefore,
}

impl Taking<'_> {
    /// Says no, kindly, and that is all.
    fn refuse(&self, notes: Notes, listener: &mut dyn Listener) -> Answer {
        let setting = &self.input.setting;
        let refusal = || phrases::refusal(&setting.company_name, self.language);
        let text = self.first_aid().unwrap_or_else(refusal);
        listener.text(&text);
        // What looks like an attack is refused alone: what was being settled stays as it was.
        let dialogue = self.input.dialogue.is_some();
        let dialogue = dialogue.then(|| dialogue::stored(&self.before.state, &text));
        self.answer(
            notes,
            Told {
                parts: vec![text],
                responder: "guard".to_owned(),
                dialogue,
                ..Told::default()
            },
        )
    }

    /// What whoever may be in danger is told at a clinic, although the message looks like an attack: the guard
    /// may be wrong, and the sentence gives nothing away.
    fn first_aid(&self) -> Option<String> {
        let vertical = self.input.setting.vertical;
        let clinic = matches!(vertical, Vertical::Dental | Vertical::Medical);
        let said = self.spoken.last().filter(|_| clinic)?;
        let told = assess(&said.text, self.language);
        (told.level == Level::Emergency).then_some(told.recommendation)
    }

    fn answer(&self, mut notes: Notes, told: Told) -> Answer {
        notes.trace().degraded_reason = told.degraded;
        Answer {
            text: told.parts.concat(),
            parts: told.parts,
            citations: told.citations,
            grounded: told.grounded,
            language: self.language,
            responder: told.responder,
            degraded: told.degraded.is_some(),
            intent: self.understood.intent(),
            specialist: self.specialist,
            temperature: told.temperature,
            escalated: told.escalated,
            client_calls: told.client_calls,
            instructions: told.instructions,
            dialogue: told.dialogue,
            choices: told.choices,
            trace: notes.finish(),
        }
    }
}

#[derive(Default)]
struct Told {
    parts: Vec<String>,
    citations: Vec<Citation>,
    grounded: bool,
    responder: String,
    degraded: Option<DegradedReason>,
    temperature: Option<Temperature>,
    escalated: bool,
    client_calls: Vec<ToolCall>,
    instructions: Vec<Uuid>,
    dialogue: Option<Value>,
    choices: Vec<String>,
}
