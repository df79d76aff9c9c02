//! A model answers, with the tools of the part of the agent that it plays.

use super::findings::Findings;
use super::reply::{Bounds, Draft};
use super::rounds::{Ending, Rounds};
use super::toolset::Toolset;
use super::trace::{Notes, chunk_ids};
use super::{Answer, Listener, Taking, Told};
use crate::conversation::search_text;
use crate::desk::{Found, Guidance};
use crate::facts::Evidence;
use crate::guard::output::{Checker, Secrets};
use crate::guard::unquoted;
use crate::prompt::{TurnContext, dynamic_part};
use crate::specialist::declaration;
use quipu_core::agent::{Grounding, Specialist};
use quipu_core::chat::{ChatMessage, ChatRequest};
use quipu_core::phrases;
use quipu_core::ports::ChatModel;
use quipu_core::retrieval::Passage;
use quipu_core::turn::DegradedReason;
use serde_json::json;
use std::collections::HashMap;
use std::time::Instant;

/// After no more than a greeting another answer can still follow.
const FEW_WORDS: usize = 5;

impl Taking<'_> {
    pub(super) async fn with_model(
        &self,
        model: &dyn ChatModel,
        mut notes: Notes,
        listener: &mut dyn Listener,
    ) -> Answer {
        let found = self.search(&mut notes).await;
        let mut found = Findings::sort(found, self.language, &mut notes);
        let incomplete = found.incomplete;
        let guidance = std::mem::take(&mut found.instructions);
        let instructions: Vec<&str> = guidance.iter().map(|found| found.text.as_str()).collect();
        let told = {
            let (learned, quoted) = (found.learned(), found.quoted());
            let context = self.context(self.specialist, &instructions);
            dynamic_part(&TurnContext {
                learned: &learned,
                passages: quoted,
                corpora: &found.corpora,
                ..context
            })
        };
        let heeded: Vec<&Guidance> = told.instructions.iter().map(|at| &guidance[*at]).collect();
        let setting = &self.input.setting;
        let mut tools = Toolset::new(
            setting.kind(),
            self.specialist,
            self.input.client_tools.clone(),
            self.softened,
        );
        tools.reads_files = !setting.files.is_empty();
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
        let mut draft = self.draft(listener, &tools, found.citable(told.passages), &heeded);
        let lines = |part| {
            let told = dynamic_part(&self.context(part, &instructions));
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
            for_client: Vec::new(),
            changed: Vec::new(),
            seen: HashMap::new(),
            lines: &lines,
        };
        let ending = rounds.converse(model, &mut request, &mut draft).await;
        let changed = std::mem::take(&mut rounds.changed);
        let escalated = changed.iter().any(|tool| tool.name == "escalate_to_human");
        let responder = notes.responder().unwrap_or(model.name()).to_owned();
        let mut client_calls = Vec::new();
        let mut degraded = incomplete.then_some(DegradedReason::SearchIncomplete);
        match ending {
            Ending::Complete => {}
            Ending::ForClient(calls) => client_calls = calls,
            Ending::Failed(failure) => {
                degraded = Some(failure.reason());
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
                instructions: heeded.iter().map(|told| told.id).collect(),
                dialogue: None,
                choices: Vec::new(),
            },
        );
        answer.specialist = tools.specialist;
        answer
    }

    /// What a model is told for this message when it plays a part.
    fn context<'b>(&'b self, part: Specialist, instructions: &'b [&'b str]) -> TurnContext<'b> {
        let setting = &self.input.setting;
        TurnContext {
            language: self.language,
            locale: &self.input.locale,
            now: setting.now.clone(),
            kind: setting.kind(),
            medium: setting.medium,
            specialist: part,
            customer_name: setting.customer_name.as_deref(),
            branch: self.input.branch.as_deref(),
            files: &setting.files,
            instructions,
            caller: self.input.instructions.as_deref(),
            learned: &[],
            caution: self.softened,
            passages: None,
            corpora: &[],
            passage_tokens: self.input.limits.passage_tokens,
        }
    }

    fn draft<'b>(
        &self,
        listener: &'b mut dyn Listener,
        tools: &Toolset,
        passages: Vec<Passage>,
        heeded: &[&Guidance],
    ) -> Draft<'b> {
        let names = tools.all_names();
        let lines = &declaration(self.specialist).lines(self.language).lines;
        let mut secret = vec![
            self.input.prompt.secret.clone(),
            lines.join("\n"),
            tools.descriptions(self.language),
        ];
        let mut evidence = self.evidence(&passages);
        // They are the business's own words like those of the stable part: an answer may rest on
        // them, and recites none of them.
        for told in heeded {
            secret.push(unquoted(&told.text));
            evidence.passage(&told.text);
        }
        let secret = secret.join("\n\n");
        let checker = Checker::new(&Secrets {
            system_prompt: &secret,
            tool_names: &names,
            ..Secrets::default()
        });
        Draft::new(
            listener,
            checker,
            passages,
            evidence,
            Bounds {
                words: self.input.limits.words,
                sentences: self.input.limits.sentences,
            },
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
                    incomplete: true,
                    ..Found::default()
                };
                (nothing, Some(error.to_string()))
            }
        };
        let heeded: Vec<_> = found.instructions.iter().map(|found| found.id).collect();
        notes.step(
            "search",
            began,
            json!({
                "query": asked.text,
                "passages": found.passages.len(),
                "chunks": chunk_ids(&found.passages),
                "learned": found.learned.len(),
                "instructions": heeded,
                "error": error,
            }),
        );
        Some(found)
    }

    /// What an answer may state.
    fn evidence(&self, passages: &[Passage]) -> Evidence {
        let setting = &self.input.setting;
        let open = setting.grounding == Grounding::Open;
        let mut evidence = Evidence::of_turn(setting.now.clone(), self.language, open);
        let customer = setting.customer_name.iter();
        for name in customer.chain([&setting.agent_name, &setting.company_name]) {
            evidence.name(name);
        }
        for passage in passages {
            evidence.passage(&passage.content);
        }
        evidence.passage(&self.input.prompt.own_words);
        let is_user = |message: &ChatMessage| matches!(message, ChatMessage::User { .. });
        let asked = self.input.messages.iter().rposition(is_user).unwrap_or(0);
        for (at, message) in self.input.messages.iter().enumerate() {
            match message {
                ChatMessage::User { text, .. } => evidence.customer(text),
                // Only what a client says that it has just done, with a tool that it offers.
                ChatMessage::ToolResult { content, name, .. }
                    if at > asked && self.is_of_client(name) =>
                {
                    evidence.text(content);
                    evidence.did_by_client();
                }
                ChatMessage::Assistant { .. } | ChatMessage::ToolResult { .. } => {}
            }
        }
        evidence
    }

    fn is_of_client(&self, tool: &str) -> bool {
        let offered = &self.input.client_tools;
        !super::is_own_tool(tool) && offered.iter().any(|known| known.name == tool)
    }
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
