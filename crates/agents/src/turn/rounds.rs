//! A model and its tools, round by round, until there is an answer.

mod ending;
mod messages;

pub(super) use ending::{Ending, Failure};

use super::looked_up;
use super::repair;
use super::reply::{Draft, Held};
use super::shown::shortened;
use super::trace::{Notes, kept_result};
use super::{Limits, Toolset};
use crate::desk::Desk;
use crate::tool::{Access, Tool};
use ending::describe_held;
use futures::StreamExt;
use futures::future::join_all;
use messages::{correction, nudge, on_its_way, repeat, told};
use quipu_core::agent::Specialist;
use quipu_core::chat::{
    ChatError, ChatEvent, ChatMessage, ChatRequest, FinishReason, ToolCall, ToolChoice,
};
use quipu_core::language::Language;
use quipu_core::ports::ChatModel;
use quipu_core::{Error, ErrorCode};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// What a conversation with a model needs, and how far it has come.
pub(super) struct Rounds<'a> {
    pub(super) desk: &'a dyn Desk,
    pub(super) tools: &'a mut Toolset,
    pub(super) limits: &'a Limits,
    pub(super) language: Language,
    /// What names this turn, so that a change is made once even if the turn is repeated.
    pub(super) key: &'a str,
    pub(super) notes: &'a mut Notes,
    pub(super) calls: usize,
    pub(super) hand_offs: usize,
    /// Calls of tools of whoever asked, which wait until the answer is complete.
    pub(super) for_client: Vec<ToolCall>,
    pub(super) changed: Vec<&'static Tool>,
    pub(super) seen: HashMap<(String, String), Value>,
    /// The lines of the prompt for a part that is played now.
    pub(super) lines: &'a (dyn Fn(Specialist) -> String + Send + Sync),
}

impl Rounds<'_> {
    /// Asks until there is an answer, or something for whoever asked to do.
    pub(super) async fn converse(
        &mut self,
        model: &dyn ChatModel,
        request: &mut ChatRequest,
        draft: &mut Draft<'_>,
    ) -> Ending {
        let ending = self.ask_until_done(model, request, draft).await;
        if self.for_client.is_empty() {
            return ending;
        }
        // What was asked of them stands, whatever became of the rest.
        Ending::ForClient(std::mem::take(&mut self.for_client))
    }

    async fn ask_until_done(
        &mut self,
        model: &dyn ChatModel,
        request: &mut ChatRequest,
        draft: &mut Draft<'_>,
    ) -> Ending {
        let (mut rewritten, mut nudged) = (false, false);
        let mut first_read = 0;
        for round in 0.. {
            let left = self.limits.deadline.saturating_sub(self.notes.elapsed());
            if left.is_zero() {
                return Ending::Failed(Failure::Deadline);
            }
            // A model that is late is to say so itself, before the turn gives it up.
            request.begin_within = Some(left.mul_f32(0.9));
            if round > self.limits.rounds {
                return Ending::Failed(Failure::Endless);
            }
            if round == self.limits.rounds || self.has_read_enough(first_read) {
                request.tool_choice = ToolChoice::Never;
            }
            let before = draft.text().len();
            let said = match self.ask(model, request, draft, left).await {
                Ok(said) => said,
                Err(failure) => return Ending::Failed(failure),
            };
            if round == 0 {
                first_read = self.notes.trace().usage.input_tokens;
            }
            // Whoever asked chose the first step. A model that is held to it goes on for ever.
            request.tool_choice = ToolChoice::Auto;
            if draft.is_full() {
                return Ending::Complete;
            }
            if !said.calls.is_empty() && round < self.limits.rounds {
                let calls = said.calls;
                let (theirs, ours): (Vec<_>, Vec<_>) = calls
                    .iter()
                    .cloned()
                    .partition(|call| self.tools.is_of_client(&call.name));
                self.leave_to_client(&theirs);
                if ours.is_empty() {
                    return Ending::Complete;
                }
                request.messages.push(ChatMessage::Assistant {
                    text: said.text,
                    tool_calls: calls,
                });
                let results = self.execute(&ours, draft).await;
                request.messages.extend(results);
                request.messages.extend(theirs.into_iter().map(on_its_way));
                draft.go_on();
                request.tools = self.tools.specs(self.language);
                if let Some(part) = self.tools.handed_to.take() {
                    request.context.push_str(&(self.lines)(part));
                }
                continue;
            }
            if let Some(held) = said.held {
                self.notes.step(
                    "check",
                    Instant::now(),
                    json!({ "held": describe_held(&held), "again": !rewritten }),
                );
                if rewritten {
                    return Ending::Failed(Failure::Held(held));
                }
                rewritten = true;
                let note = correction(&held, &draft.text(), self.language);
                repeat(request, said.text, note);
                continue;
            }
            // What is said again is not sent again, and nothing else came.
            if rewritten && draft.text().len() == before {
                return Ending::Failed(Failure::Empty);
            }
            // Whoever has something to do for the client need say nothing.
            if draft.is_empty() && self.for_client.is_empty() {
                if nudged {
                    return Ending::Failed(Failure::Empty);
                }
                nudged = true;
                repeat(request, said.text, nudge(self.language));
                continue;
            }
            return Ending::Complete;
        }
        Ending::Failed(Failure::Endless)
    }

    /// Keeps calls for whoever asked. One that is made twice is made once.
    fn leave_to_client(&mut self, calls: &[ToolCall]) {
        for call in calls {
            let same =
                |known: &ToolCall| known.name == call.name && known.arguments == call.arguments;
            if !self.for_client.iter().any(same) {
                self.for_client.push(call.clone());
            }
        }
    }

    /// Whether the model has read as much for this message as it may.
    fn has_read_enough(&mut self, first_read: u64) -> bool {
        let most = self.limits.input_tokens.max(3 * first_read);
        self.notes.trace().usage.input_tokens >= most
    }

    /// One request, whose text goes into the draft as it comes.
    async fn ask(
        &mut self,
        model: &dyn ChatModel,
        request: &ChatRequest,
        draft: &mut Draft<'_>,
        within: Duration,
    ) -> Result<Said, Failure> {
        let began = Instant::now();
        self.notes.trace().model_calls += 1;
        let mut said = Said::default();
        let mut details = json!({ "model": model.name(), "messages": request.messages.len() });
        let reading = self.read(model, request, draft, &mut said, &mut details);
        let outcome = match timeout(within, reading).await {
            Ok(read) => read.map_err(Failure::Model),
            Err(_) => Err(Failure::Deadline),
        };
        let finished = match &outcome {
            Ok(reason) => {
                details["finished"] = json!(format!("{reason:?}").to_lowercase());
                *reason
            }
            Err(failure) => {
                details["error"] = match failure {
                    Failure::Model(error) => json!(error.to_string()),
                    _ => json!("the turn took too long"),
                };
                FinishReason::Length
            }
        };
        said.held = draft.end(finished == FinishReason::Length);
        self.notes.step("model", began, details);
        outcome.map(|_| said)
    }

    async fn read(
        &mut self,
        model: &dyn ChatModel,
        request: &ChatRequest,
        draft: &mut Draft<'_>,
        said: &mut Said,
        details: &mut Value,
    ) -> Result<FinishReason, ChatError> {
        let mut stream = model.chat(request).await?;
        while let Some(event) = stream.next().await {
            match event? {
                ChatEvent::Answering { model, skipped } => {
                    details["model"] = json!(model);
                    self.notes.answered_by(model);
                    if !skipped.is_empty() {
                        let told = skipped.iter().map(|skipped| {
                            json!({ "model": skipped.model, "error": skipped.error.to_string() })
                        });
                        details["skipped"] = told.collect();
                    }
                }
                ChatEvent::TextDelta(piece) => {
                    said.text.push_str(&piece);
                    draft.write(&piece);
                    // Nobody reads on: the rest need not be paid for.
                    if draft.is_full() {
                        return Ok(FinishReason::Length);
                    }
                }
                ChatEvent::ToolCall(call) => said.calls.push(call),
                ChatEvent::Finished { reason, usage } => {
                    self.notes.trace().usage += usage;
                    details["usage"] = json!(usage);
                    return Ok(reason);
                }
            }
        }
        Err(ChatError::transient("the answer ended before its end"))
    }

    /// Does what a model asks for: what only reads at the same time, what changes one by one.
    async fn execute(&mut self, calls: &[ToolCall], draft: &mut Draft<'_>) -> Vec<ChatMessage> {
        let mut results: Vec<Option<Value>> = vec![None; calls.len()];
        let mut failed = vec![false; calls.len()];
        let mut reads = Vec::new();
        let mut writes = Vec::new();
        for (at, call) in calls.iter().enumerate() {
            match self.prepare(call) {
                Prepared::Known(value) => results[at] = Some(value),
                Prepared::Refused(error) => {
                    failed[at] = true;
                    results[at] = Some(error);
                }
                Prepared::Call(tool, arguments) if tool.access == Access::Read => {
                    reads.push((at, tool, arguments));
                }
                Prepared::Call(tool, arguments) => writes.push((at, tool, arguments)),
            }
        }
        let desk = self.desk;
        let reading = reads.iter().map(|(_, tool, arguments)| async move {
            let began = Instant::now();
            (began, desk.call(tool, arguments, "").await)
        });
        let read = join_all(reading).await;
        for ((at, tool, arguments), (began, outcome)) in reads.into_iter().zip(read) {
            (results[at], failed[at]) = self.note(tool, &arguments, began, outcome, draft);
        }
        for (at, tool, arguments) in writes {
            let began = Instant::now();
            let key = format!("{}/{}/{}", self.key, tool.name, digest(&arguments));
            let outcome = desk.call(tool, &arguments, &key).await;
            if outcome.is_ok() {
                self.changed.push(tool);
            }
            (results[at], failed[at]) = self.note(tool, &arguments, began, outcome, draft);
        }
        let told = calls.iter().zip(results).zip(failed);
        told.map(|((call, result), is_error)| ChatMessage::ToolResult {
            call_id: call.id.clone(),
            name: call.name.clone(),
            content: shortened(&result.unwrap_or_default()),
            is_error,
        })
        .collect()
    }

    fn prepare(&mut self, call: &ToolCall) -> Prepared {
        let Some(arguments) = repair::arguments(&call.arguments) else {
            let error = Error::new(ErrorCode::InvalidArguments)
                .with("hint", "the arguments must be one JSON object");
            return Prepared::Refused(self.refusal(&call.name, &error));
        };
        if call.name == Toolset::HAND_OFF {
            return self.hand_off(&arguments);
        }
        let Some(tool) = self.tools.find(&call.name) else {
            let error =
                Error::new(ErrorCode::UnknownTool).with("allowed", json!(self.tools.names()));
            return Prepared::Refused(self.refusal(&call.name, &error));
        };
        if tool.access == Access::Write && self.tools.reads_only {
            let error = Error::new(ErrorCode::Forbidden).with(
                "hint",
                "nothing can be changed in answer to this message; offer a person instead",
            );
            return Prepared::Refused(self.refusal(&call.name, &error));
        }
        // A model that asks the same again gets the same again, and for nothing.
        let seen = (call.name.clone(), arguments.to_string());
        if let Some(known) = self.seen.get(&seen) {
            return Prepared::Known(known.clone());
        }
        self.calls += 1;
        if self.calls > self.limits.calls {
            let error = Error::new(ErrorCode::ToolLimitReached).with("value", self.limits.calls);
            return Prepared::Refused(self.refusal(&call.name, &error));
        }
        Prepared::Call(tool, arguments)
    }

    fn hand_off(&mut self, arguments: &Value) -> Prepared {
        let wanted = arguments["specialist"].as_str().unwrap_or_default();
        let part = Specialist::parse(wanted).filter(|part| self.tools.may_hand_to(*part));
        self.hand_offs += 1;
        let from = self.tools.specialist;
        match part {
            Some(part) if self.hand_offs <= self.limits.hand_offs => {
                self.tools.hand_to(part);
                self.notes.step(
                    "hand_off",
                    Instant::now(),
                    json!({ "from": from.as_str(), "to": part.as_str() }),
                );
                Prepared::Known(json!({ "specialist": part.as_str() }))
            }
            _ => {
                let error = Error::new(ErrorCode::InvalidArguments).with(
                    "hint",
                    "answer with what you have, or call escalate_to_human",
                );
                Prepared::Refused(self.refusal(Toolset::HAND_OFF, &error))
            }
        }
    }

    fn refusal(&mut self, name: &str, error: &Error) -> Value {
        let code = error.code().as_str();
        self.notes.step(
            "tool",
            Instant::now(),
            json!({ "tool": name, "error": code }),
        );
        told(error, self.language)
    }

    /// Keeps what came of a call, and turns it into what the model is shown.
    fn note(
        &mut self,
        tool: &'static Tool,
        arguments: &Value,
        began: Instant,
        outcome: quipu_core::Result<Value>,
        draft: &mut Draft<'_>,
    ) -> (Option<Value>, bool) {
        self.notes.trace().tool_calls += 1;
        let mut details = json!({ "tool": tool.name, "arguments": arguments });
        draft.listener().tool(tool.name);
        let (result, failed) = match outcome {
            Ok(result) => {
                let result = match tool.name {
                    looked_up::SEARCH => looked_up::numbered(result, draft, self.notes),
                    _ => result,
                };
                draft.evidence().answered(tool.name, arguments, &result);
                if tool.access == Access::Write {
                    draft.evidence().did(tool.name);
                }
                if let Some(strategy) = result["strategy"].as_str() {
                    draft.checker().keep_secret(strategy);
                }
                self.seen.insert(
                    (tool.name.to_owned(), arguments.to_string()),
                    result.clone(),
                );
                (result, false)
            }
            Err(error) => {
                details["error"] = json!(error.code().as_str());
                let body = told(&error, self.language);
                // What else there is, or when, is as good as any other answer of a tool.
                draft.evidence().refused(&body);
                // Whoever is asked for again has been told before.
                if error.code() == ErrorCode::HandoffState {
                    draft.evidence().did(tool.name);
                }
                (body, true)
            }
        };
        details["result"] = kept_result(&result);
        if tool.access == Access::Write {
            // What was looked up before the change may be so no longer.
            self.seen.clear();
        }
        self.notes.step("tool", began, details);
        (Some(result), failed)
    }
}

/// What a model said in one round.
#[derive(Default)]
struct Said {
    text: String,
    calls: Vec<ToolCall>,
    held: Option<Held>,
}

enum Prepared {
    /// The answer is known without calling anything.
    Known(Value),
    Refused(Value),
    Call(&'static Tool, Value),
}

/// What tells one set of arguments from another.
fn digest(arguments: &Value) -> String {
    use sha2::{Digest, Sha256};
    let hash = Sha256::digest(arguments.to_string());
    hex::encode(&hash[..8])
}
