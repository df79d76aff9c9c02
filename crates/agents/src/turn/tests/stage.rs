//! A clinic with one price, a model that says what it is told to, and somebody who listens.

use super::super::{Answer, Limits, Listener, Prompt, TurnInput, answer};
use crate::MessageReadings;
use crate::conversation::SearchText;
use crate::desk::{Desk, Found, Setting};
use crate::tool::{Tool, ToolsOff};
use async_trait::async_trait;
use futures::stream;
use jiff::civil::date;
use quipu_core::agent::{AssistantType, Grounding, Medium, ResponseStyle, Vertical};
use quipu_core::chat::{
    ChatError, ChatEvent, ChatMessage, ChatRequest, FinishReason, ToolCall, ToolChoice, Usage,
};
use quipu_core::chunking::ChunkPages;
use quipu_core::knowledge::DocumentSource;
use quipu_core::language::Language;
use quipu_core::ports::{ChatModel, ChatStream, Reply, ReplyRequest, Responder, ResponderError};
use quipu_core::retrieval::{Passage, RawScores};
use quipu_core::turn::PromptSource;
use quipu_core::{ChunkId, DocumentId, Error, KnowledgeBaseId, Result, Timestamp};
use serde_json::{Value, json};
use std::sync::Mutex;

pub(super) type Events = Vec<std::result::Result<ChatEvent, ChatError>>;

/// A model that says what it was told to, one round after the other.
pub(super) struct Scripted {
    rounds: Mutex<Vec<std::result::Result<Events, ChatError>>>,
    requests: Mutex<Vec<ChatRequest>>,
}

impl Scripted {
    pub(super) fn new(rounds: Vec<std::result::Result<Events, ChatError>>) -> Self {
        Self {
            rounds: Mutex::new(rounds),
            requests: Mutex::default(),
        }
    }

    pub(super) fn requests(&self) -> Vec<ChatRequest> {
        self.requests.lock().unwrap().clone()
    }
}

#[async_trait]
impl ChatModel for Scripted {
    fn name(&self) -> &'static str {
        "scripted/model"
    }

    async fn chat(&self, request: &ChatRequest) -> std::result::Result<ChatStream, ChatError> {
        self.requests.lock().unwrap().push(request.clone());
        let mut rounds = self.rounds.lock().unwrap();
        // The last round is repeated, so that a model can go on for ever.
        let round = if rounds.len() > 1 {
            rounds.remove(0)
        } else {
            rounds[0].clone()
        };
        Ok(Box::pin(stream::iter(round?)))
    }
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "a round that fails has the same type"
)]
pub(super) fn says(text: &str) -> std::result::Result<Events, ChatError> {
    let pieces = text.split_inclusive(' ');
    let mut events: Events = pieces
        .map(|piece| Ok(ChatEvent::TextDelta(piece.to_owned())))
        .collect();
    events.push(finished(FinishReason::Stop));
    Ok(events)
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "a round that fails has the same type"
)]
pub(super) fn calls(calls: &[(&str, &str)]) -> std::result::Result<Events, ChatError> {
    let mut events: Events = calls
        .iter()
        .enumerate()
        .map(|(at, (name, arguments))| {
            Ok(ChatEvent::ToolCall(ToolCall {
                id: format!("call-{at}"),
                name: (*name).to_owned(),
                arguments: (*arguments).to_owned(),
                signature: None,
            }))
        })
        .collect();
    events.push(finished(FinishReason::ToolCalls));
    Ok(events)
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "a round that fails has the same type"
)]
pub(super) fn finished(reason: FinishReason) -> std::result::Result<ChatEvent, ChatError> {
    let usage = Usage {
        input_tokens: 1_000,
        output_tokens: 50,
        ..Usage::default()
    };
    Ok(ChatEvent::Finished { reason, usage })
}

/// A clinic that knows one price and can book.
#[derive(Default)]
pub(super) struct Clinic {
    pub(super) called: Mutex<Vec<(String, Value, String)>>,
    /// What is found for every question.
    pub(super) passages: Vec<Passage>,
    /// What a tool answers in place of what it would.
    pub(super) answers: Vec<(&'static str, Value)>,
}

#[async_trait]
impl Desk for Clinic {
    async fn call(&self, tool: &'static Tool, arguments: &Value, key: &str) -> Result<Value> {
        let call = (tool.name.to_owned(), arguments.clone(), key.to_owned());
        self.called.lock().unwrap().push(call);
        if let Some((_, answer)) = self.answers.iter().find(|(name, _)| *name == tool.name) {
            return Ok(answer.clone());
        }
        match tool.name {
            "get_service_info" => Ok(json!({"name": "Limpieza dental", "price_range": "S/ 120"})),
            "get_available_slots" => Ok(json!({"slots": [{"start": "2026-03-18T17:00:00-05:00"}]})),
            "escalate_to_human" | "create_appointment" => Ok(json!({"ok": true})),
            other => Err(Error::not_found("thing").with("hint", other)),
        }
    }

    async fn search(&self, _: &SearchText) -> Result<Found> {
        Ok(Found {
            passages: self.passages.clone(),
            ..Found::default()
        })
    }
}

/// A passage of a document.
pub(super) fn passage(content: &str) -> Passage {
    let epoch = Timestamp::UNIX_EPOCH;
    Passage {
        chunk_id: ChunkId::generate(epoch),
        document_id: DocumentId::generate(epoch),
        knowledge_base_id: KnowledgeBaseId::generate(epoch),
        title: Some("Manual".to_owned()),
        source: DocumentSource::Manual,
        content: content.to_owned(),
        start_char: 0,
        end_char: i32::try_from(content.chars().count()).unwrap(),
        page_number: None,
        pages: ChunkPages::default(),
        headings: Vec::new(),
        source_url: None,
        file_type: None,
        similarity: 0.9,
        metadata: json!({}),
        business: None,
        raw: RawScores::default(),
    }
}

impl Clinic {
    pub(super) fn called(&self) -> Vec<String> {
        let called = self.called.lock().unwrap();
        called.iter().map(|(name, ..)| name.clone()).collect()
    }
}

pub(super) struct Nothing;

#[async_trait]
impl Responder for Nothing {
    fn name(&self) -> &'static str {
        "nothing"
    }

    async fn reply(&self, _: &ReplyRequest) -> std::result::Result<Reply, ResponderError> {
        Ok(Reply { parts: Vec::new() })
    }
}

#[derive(Default)]
pub(super) struct Heard(Vec<String>);

impl Listener for Heard {
    fn text(&mut self, part: &str) {
        self.0.push(part.to_owned());
    }
}

pub(super) fn input(messages: &[&str]) -> TurnInput {
    let said = messages.iter().enumerate().map(|(at, text)| {
        if (messages.len() - at) % 2 == 1 {
            ChatMessage::user(*text)
        } else {
            ChatMessage::assistant(*text)
        }
    });
    TurnInput {
        setting: Setting {
            agent_name: "Maya".to_owned(),
            company_name: "Sonrisa".to_owned(),
            vertical: Vertical::Dental,
            style: ResponseStyle::ProfesionalCalido,
            assistant_type: AssistantType::Full,
            tools_off: ToolsOff::default(),
            grounding: Grounding::Strict,
            medium: Medium::Messaging,
            default_language: Language::Es,
            now: date(2026, 3, 17)
                .at(9, 0, 0, 0)
                .in_tz("America/Lima")
                .unwrap(),
            customer_name: None,
            has_customer: true,
            files: Vec::new(),
        },
        locale: "es-PE".to_owned(),
        prompt: Prompt {
            text: INSTRUCTIONS.to_owned(),
            secret: INSTRUCTIONS.to_owned(),
            source: PromptSource::Minimal,
            tokens: 10,
            own_words: String::new(),
        },
        messages: said.collect(),
        readings: MessageReadings::default(),
        dialogue: None,
        memory: 8,
        instructions: None,
        branch: None,
        client_tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        limits: Limits::default(),
        key: "turn-1".to_owned(),
    }
}

pub(super) async fn ask(
    input: TurnInput,
    model: &Scripted,
    desk: &Clinic,
) -> (Answer, Vec<String>) {
    let mut heard = Heard::default();
    let answer = answer(input, Some(model), desk, &Nothing, &mut heard)
        .await
        .unwrap();
    assert_eq!(
        heard.0.concat().trim_end(),
        answer.text,
        "what is heard is what is kept"
    );
    (answer, heard.0)
}

pub(super) const INSTRUCTIONS: &str =
    "Eres Maya, la asistente de Sonrisa, y hablas con calidez y brevedad siempre.";
