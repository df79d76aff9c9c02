//! A response as OpenAI's newer clients read it.

use super::super::ending::{Ending, Extras, as_object};
use quipu_app::chat::{Answered, Ask};
use quipu_core::chat::{ToolCall, ToolChoice, Usage};
use quipu_core::language::Language;
use quipu_core::{Error, Timestamp, TurnId};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// What is known of a response before it is answered.
#[derive(Clone)]
pub(super) struct ResponseHead {
    id: String,
    created_at: i64,
    model: String,
    instructions: Option<String>,
    tools: Vec<Value>,
    tool_choice: Value,
}

impl ResponseHead {
    pub(super) fn new(
        now: Timestamp,
        agent: &str,
        instructions: Option<String>,
        ask: &Ask,
    ) -> Self {
        let tools = ask.client_tools.iter().map(|tool| {
            json!({
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.schema,
                "strict": false,
            })
        });
        Self {
            id: format!("resp_{}", TurnId::generate(now)),
            created_at: now.as_second(),
            model: agent.to_owned(),
            instructions,
            tools: tools.collect(),
            tool_choice: match &ask.tool_choice {
                ToolChoice::Auto => json!("auto"),
                ToolChoice::Never => json!("none"),
                ToolChoice::Required => json!("required"),
                ToolChoice::Named(name) => json!({ "type": "function", "name": name }),
            },
        }
    }

    /// What an item of this response is called.
    pub(super) fn item_id(&self, prefix: &str, index: usize) -> String {
        let id = self.id.trim_start_matches("resp_");
        format!("{prefix}_{id}_{index}")
    }
}

#[derive(Serialize, ToSchema)]
pub(super) struct ResponseObject {
    #[schema(example = "resp_0199c0de")]
    id: String,
    #[schema(example = "response")]
    object: &'static str,
    created_at: i64,
    /// `in_progress` while it is written, then `completed` or `failed`.
    #[schema(example = "completed")]
    status: &'static str,
    error: Option<ResponseFailure>,
    #[schema(value_type = Option<Object>)]
    incomplete_details: Option<Value>,
    instructions: Option<String>,
    model: String,
    output: Vec<OutputItem>,
    parallel_tool_calls: bool,
    previous_response_id: Option<String>,
    store: bool,
    temperature: Option<f32>,
    #[schema(value_type = Object)]
    tool_choice: Value,
    #[schema(value_type = Vec<Object>)]
    tools: Vec<Value>,
    top_p: Option<f32>,
    usage: Option<ResponseUsage>,
    #[schema(value_type = Object)]
    metadata: Value,
    /// With the end of the answer.
    quipu: Option<Extras>,
}

#[derive(Serialize, ToSchema)]
struct ResponseFailure {
    code: String,
    message: String,
}

/// A message of the agent, or a call that the client is to make.
#[derive(Clone, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum OutputItem {
    Message {
        id: String,
        role: &'static str,
        status: &'static str,
        content: Vec<OutputPart>,
    },
    FunctionCall {
        id: String,
        call_id: String,
        name: String,
        /// JSON, as a text.
        arguments: String,
        status: &'static str,
    },
}

#[derive(Clone, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum OutputPart {
    OutputText {
        text: String,
        #[schema(value_type = Vec<Object>)]
        annotations: Vec<Value>,
        #[schema(value_type = Vec<Object>)]
        logprobs: Vec<Value>,
    },
}

impl OutputPart {
    pub(super) const fn text(text: String) -> Self {
        Self::OutputText {
            text,
            annotations: Vec::new(),
            logprobs: Vec::new(),
        }
    }
}

impl OutputItem {
    pub(super) const DONE: &'static str = "completed";
    pub(super) const BEGUN: &'static str = "in_progress";

    /// A message, of which nothing is said yet unless it is given.
    pub(super) fn message(head: &ResponseHead, index: usize, text: Option<String>) -> Self {
        let status = if text.is_some() {
            Self::DONE
        } else {
            Self::BEGUN
        };
        Self::Message {
            id: head.item_id("msg", index),
            role: "assistant",
            status,
            content: text.into_iter().map(OutputPart::text).collect(),
        }
    }

    pub(super) fn call(head: &ResponseHead, index: usize, call: &ToolCall) -> Self {
        Self::FunctionCall {
            id: head.item_id("fc", index),
            call_id: call.id.clone(),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            status: Self::DONE,
        }
    }
}

/// The tokens of all the models that were asked; none when the product itself answered.
#[derive(Clone, Copy, Serialize, ToSchema)]
struct ResponseUsage {
    input_tokens: u64,
    input_tokens_details: InputDetails,
    output_tokens: u64,
    output_tokens_details: OutputDetails,
    total_tokens: u64,
}

#[derive(Clone, Copy, Serialize, ToSchema)]
struct InputDetails {
    cached_tokens: u64,
}

#[derive(Clone, Copy, Serialize, ToSchema)]
struct OutputDetails {
    reasoning_tokens: u64,
}

impl From<Usage> for ResponseUsage {
    fn from(usage: Usage) -> Self {
        Self {
            input_tokens: usage.input_tokens,
            input_tokens_details: InputDetails {
                cached_tokens: usage.cached_input_tokens,
            },
            output_tokens: usage.output_tokens,
            output_tokens_details: OutputDetails {
                reasoning_tokens: 0,
            },
            total_tokens: usage.input_tokens.saturating_add(usage.output_tokens),
        }
    }
}

impl ResponseObject {
    /// A response of which nothing is said yet.
    pub(super) fn begun(head: ResponseHead) -> Self {
        Self {
            id: head.id,
            object: "response",
            created_at: head.created_at,
            status: OutputItem::BEGUN,
            error: None,
            incomplete_details: None,
            instructions: head.instructions,
            model: head.model,
            output: Vec::new(),
            parallel_tool_calls: true,
            previous_response_id: None,
            store: false,
            temperature: None,
            tool_choice: head.tool_choice,
            tools: head.tools,
            top_p: None,
            usage: None,
            metadata: json!({}),
            quipu: None,
        }
    }

    /// A response that is complete.
    pub(super) fn ended(head: ResponseHead, output: Vec<OutputItem>, ending: Ending) -> Self {
        Self {
            status: OutputItem::DONE,
            output,
            usage: Some(ending.usage.into()),
            quipu: Some(ending.extras),
            ..Self::begun(head)
        }
    }

    /// A whole answer.
    pub(super) fn answered(head: ResponseHead, object: bool, answered: Answered) -> Self {
        let (text, ending) = Ending::of(answered);
        let output = output(&head, object, text, &ending);
        Self::ended(head, output, ending)
    }

    /// A response that breaks off.
    pub(super) fn failed(head: ResponseHead, error: &Error) -> Self {
        Self {
            status: "failed",
            error: Some(ResponseFailure {
                code: error.code().as_str().to_owned(),
                message: error.message(Language::Es),
            }),
            ..Self::begun(head)
        }
    }
}

/// What an answer consists of: its text, unless it has none and something to call instead, and the
/// calls.
fn output(head: &ResponseHead, object: bool, text: String, ending: &Ending) -> Vec<OutputItem> {
    let mut output = Vec::new();
    if !text.is_empty() || ending.calls.is_empty() {
        let text = if object { as_object(&text) } else { text };
        output.push(OutputItem::message(head, 0, Some(text)));
    }
    for call in &ending.calls {
        output.push(OutputItem::call(head, output.len(), call));
    }
    output
}
