//! A model answers, with the tools of the part of the agent that it plays.

use super::reply::Draft;
use super::rounds::{Ending, Rounds};
use super::toolset::Toolset;
use super::trace::Notes;
use super::{Answer, Listener, Taking, Told};
use crate::conversation::search_text;
use crate::desk::Found;
use crate::facts::Evidence;
use crate::guard::Guard;
use crate::guard::output::{Checker, Secrets};
use crate::prompt::{Quoted, TurnContext, dynamic_part};
use quipu_core::agent::Specialist;
use quipu_core::chat::{ChatMessage, ChatRequest};
use quipu_core::phrases;
use quipu_core::ports::ChatModel;
use quipu_core::retrieval::Passage;
use serde_json::json;
use std::collections::HashMap;
use std::time::Instant;

/// What passages may take of a prompt, in tokens.
const PASSAGE_TOKENS: usize = 900;
/// After no more than a greeting another answer can still follow.
const FEW_WORDS: usize = 5;

impl Taking<'_> {
    pub(super) async fn with_model(
        &self,
        model: &dyn ChatModel,
        mut notes: Notes,
        listener: &mut dyn Listener,
    ) -> Answer {
        let instructions: Vec<&str> = self.input.instructions.iter().map(String::as_str).collect();
        let found = self.search(&mut notes).await;
        let incomplete = found.as_ref().is_some_and(|found| found.incomplete);
        let passages = found.map(|found| cleaned(found.passages, &mut notes));
        let told = {
            let quoted: Option<Vec<Quoted<'_>>> = passages
                .as_ref()
                .map(|found| found.iter().map(Quoted::from).collect());
            dynamic_part(&self.context(self.specialist, &instructions, quoted.as_deref()))
        };
        let setting = &self.input.setting;
        let mut tools = Toolset::new(
            setting.vertical,
            setting.assistant_type,
            self.specialist,
            self.input.client_tools.clone(),
            self.softened,
        );
        let trace = notes.trace();
        trace.prompt_source = self.input.prompt.source;
        trace.prompt_tokens = self.input.prompt.tokens;
        let mut request = ChatRequest {
            system: self.input.prompt.text.clone(),
            context: told.text,
            messages: remembered(&self.input.messages, self.input.memory),
            tools: tools.specs(self.language),
            tool_choice: self.input.tool_choice.clone(),
            ..ChatRequest::default()
        };
        let mut passages = passages.unwrap_or_default();
        passages.truncate(told.passages);
        let mut draft = self.draft(listener, &tools, passages);
        let lines = |part| {
            let told = dynamic_part(&self.context(part, &instructions, None));
            format!("\n\n{}", told.text)
        };
        let mut rounds = Rounds {
            desk: self.desk,
            tools: &mut tools,
            limits: &self.input.limits,
            language: self.language,
            key: &self.input.key,
            notes: &mut notes,
            calls: 0,
            hand_offs: 0,
            changed: Vec::new(),
            seen: HashMap::new(),
            lines: &lines,
        };
        let ending = rounds.converse(model, &mut request, &mut draft).await;
        let changed = std::mem::take(&mut rounds.changed);
        let escalated = changed.iter().any(|tool| tool.name == "escalate_to_human");
        let responder = notes.responder().unwrap_or(model.name()).to_owned();
        let (mut client_calls, mut degraded) = (Vec::new(), incomplete);
        match ending {
            Ending::Complete => {}
            Ending::ForClient(calls) => client_calls = calls,
            Ending::Failed(failure) => {
                degraded = true;
                notes.step("fallback", Instant::now(), failure.describe());
                let said = draft.text();
                if changed.is_empty() && said.split_whitespace().count() <= FEW_WORDS {
                    drop(draft);
                    return self
                        .without_model(notes, listener, Some(failure), &said)
                        .await;
                }
                // What was done or said stays so; the rest is an honest end.
                let end = phrases::honest_end(!changed.is_empty(), draft.is_empty(), self.language);
                draft.say(&end);
            }
        }
        let finished = draft.finish();
        let looked_up = notes.trace().tool_calls > 0;
        let mut answer = self.answer(
            notes,
            Told {
                grounded: looked_up || !finished.citations.is_empty(),
                parts: finished.parts,
                citations: finished.citations,
                responder,
                degraded,
                temperature: finished.temperature,
                escalated,
                client_calls,
            },
        );
        answer.specialist = tools.specialist;
        answer
    }

    /// What a model is told for this message when it plays a part.
    fn context<'b>(
        &'b self,
        part: Specialist,
        instructions: &'b [&'b str],
        passages: Option<&'b [Quoted<'b>]>,
    ) -> TurnContext<'b> {
        let setting = &self.input.setting;
        TurnContext {
            language: self.language,
            locale: &self.input.locale,
            now: setting.now.clone(),
            vertical: setting.vertical,
            assistant_type: setting.assistant_type,
            medium: setting.medium,
            specialist: part,
            customer_name: setting.customer_name.as_deref(),
            branch: None,
            instructions,
            learned: &[],
            caution: self.softened,
            passages,
            passage_tokens: PASSAGE_TOKENS,
        }
    }

    fn draft<'b>(
        &self,
        listener: &'b mut dyn Listener,
        tools: &Toolset,
        passages: Vec<Passage>,
    ) -> Draft<'b> {
        let names = tools.names();
        let checker = Checker::new(&Secrets {
            system_prompt: &self.input.prompt.secret,
            tool_names: &names,
            ..Secrets::default()
        });
        let evidence = self.evidence(&passages);
        Draft::new(
            listener,
            checker,
            passages,
            evidence,
            self.input.limits.words,
        )
    }

    /// Searches unless the message is one that no document answers.
    async fn search(&self, notes: &mut Notes) -> Option<Found> {
        let needs_none = matches!(
            self.specialist,
            Specialist::Greeting | Specialist::Escalation
        );
        if needs_none || self.understood.affirms.is_some() {
            return None;
        }
        let began = Instant::now();
        let setting = &self.input.setting;
        let asked = search_text(
            self.spoken,
            &setting.agent_name,
            &setting.company_name,
            setting.default_language,
        );
        let found = self.desk.search(&asked).await;
        let (found, error) = match found {
            Ok(found) => (found, None),
            Err(error) => {
                let nothing = Found {
                    passages: Vec::new(),
                    incomplete: true,
                };
                (nothing, Some(error.to_string()))
            }
        };
        notes.step(
            "search",
            began,
            json!({ "query": asked.text, "passages": found.passages.len(), "error": error }),
        );
        Some(found)
    }

    /// What an answer may state.
    fn evidence(&self, passages: &[Passage]) -> Evidence {
        let mut evidence = Evidence::new();
        for passage in passages {
            evidence.text(&passage.content);
        }
        evidence.text(&self.input.prompt.own_words);
        for message in &self.input.messages {
            match message {
                ChatMessage::User { text, .. } => evidence.customer(text),
                ChatMessage::ToolResult { content, .. } => evidence.text(content),
                ChatMessage::Assistant { .. } => {}
            }
        }
        evidence
    }
}

/// The passages without the sentences in them that speak to the assistant.
fn cleaned(mut passages: Vec<Passage>, notes: &mut Notes) -> Vec<Passage> {
    let began = Instant::now();
    let mut suspicious = 0;
    for passage in &mut passages {
        let verdict = Guard::compiled().judge_passage(&passage.content);
        if verdict.suspicious {
            suspicious += 1;
            passage.content = verdict.cleaned(&passage.content);
        }
    }
    passages.retain(|passage| !passage.content.trim().is_empty());
    if suspicious > 0 {
        notes.step("guard", began, json!({ "suspicious_passages": suspicious }));
    }
    passages
}

/// The messages a model is shown: the last one, and so many before it. What passed between it and its
/// client's tools after the customer's last message is never cut in two.
fn remembered(messages: &[ChatMessage], memory: usize) -> Vec<ChatMessage> {
    let is_user = |message: &ChatMessage| matches!(message, ChatMessage::User { .. });
    let last = messages.iter().rposition(is_user).unwrap_or(0);
    let mut from = last.saturating_sub(memory);
    // A result without the call that asked for it is refused by every provider.
    while from < last && matches!(messages[from], ChatMessage::ToolResult { .. }) {
        from += 1;
    }
    messages[from..].to_vec()
}
