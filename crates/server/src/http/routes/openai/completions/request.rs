//! What OpenAI's clients ask.

use super::message::{Message, conversation};
use quipu_app::chat::{Ask, Whom};
use quipu_core::Result;
use quipu_core::chat::{ToolChoice, ToolSpec};
use quipu_core::lead::Channel;
use quipu_core::validate::{Checks, Problem};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// Clients send more than this, and new fields each year; what is not named here is passed over.
#[derive(Deserialize, ToSchema)]
pub(crate) struct CompletionRequest {
    /// The agent's id or slug.
    #[schema(min_length = 1, max_length = 50, example = "maya")]
    model: String,
    /// The conversation so far, oldest first; the last message is the question, or what came of a
    /// call.
    #[schema(min_items = 1, max_items = 100)]
    messages: Vec<Message>,
    /// Server-sent events when true, one JSON answer when false.
    #[serde(default)]
    #[schema(default = false)]
    pub(super) stream: Option<bool>,
    #[serde(default)]
    stream_options: Option<StreamOptions>,
    /// Tools that the client has and calls.
    #[serde(default)]
    #[schema(max_items = 64)]
    tools: Option<Vec<Tool>>,
    /// `auto`, `none`, `required`, or a tool of the client.
    #[serde(default)]
    tool_choice: Option<Choice>,
    /// By what name the client knows the customer. With it the conversation is kept, and the agent
    /// can book and order. It takes `customers:write`: without, a turn on `web` is anonymous and one
    /// by `voice` is refused.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200, example = "visitante-42")]
    user: Option<String>,
    /// Where the customer is: `web`, or `voice` for answers that are read aloud.
    #[serde(default)]
    channel: Option<Place>,
    /// An agent gives one answer.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1)]
    n: Option<i64>,
    /// An agent answers with text.
    #[serde(default)]
    response_format: Option<Format>,
    /// What Vapi sends along: a call is answered as by voice.
    #[serde(default)]
    call: Option<Call>,
    /// What Vapi sends along: who calls.
    #[serde(default)]
    customer: Option<Customer>,
}

#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
struct StreamOptions {
    /// One more event at the end, with what the answer took.
    #[serde(default)]
    include_usage: bool,
}

#[derive(Deserialize, ToSchema)]
struct Tool {
    /// Nothing but `function` is known.
    #[serde(rename = "type", default = "function")]
    #[schema(example = "function")]
    kind: String,
    function: Function,
}

fn function() -> String {
    "function".to_owned()
}

#[derive(Deserialize, ToSchema)]
struct Function {
    #[schema(min_length = 1, max_length = 64, example = "transferCall")]
    name: String,
    #[serde(default)]
    #[schema(max_length = 4000)]
    description: Option<String>,
    /// The JSON schema of the arguments.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    parameters: Option<Value>,
}

#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
enum Choice {
    Word(String),
    Tool { function: Named },
}

#[derive(Deserialize, ToSchema)]
struct Named {
    name: String,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Place {
    Web,
    Voice,
}

#[derive(Deserialize, ToSchema)]
struct Format {
    #[serde(rename = "type")]
    #[schema(example = "text")]
    kind: String,
}

#[derive(Deserialize, ToSchema)]
struct Call {
    #[serde(default)]
    customer: Option<Customer>,
}

#[derive(Deserialize, ToSchema)]
struct Customer {
    #[serde(default)]
    #[schema(max_length = 200, example = "+51987654321")]
    number: Option<String>,
}

impl CompletionRequest {
    pub(super) fn wants_usage(&self) -> bool {
        self.stream_options
            .is_some_and(|options| options.include_usage)
    }

    /// The agent that is asked, and what.
    pub(super) fn into_ask(self) -> Result<(String, Ask)> {
        let mut checks = Checks::new();
        checks.line("model", &self.model, 50);
        if self.n.is_some_and(|n| n != 1) {
            checks.problem("n", Problem::Range { min: 1, max: 1 });
        }
        if self
            .response_format
            .is_some_and(|format| format.kind != "text")
        {
            let allowed = "text".to_owned();
            checks.problem("response_format.type", Problem::Unknown { allowed });
        }
        let channel = match (self.channel, &self.call) {
            (Some(Place::Voice), _) | (None, Some(_)) => Channel::Voice,
            (Some(Place::Web), _) | (None, None) => Channel::Web,
        };
        let of_call = self.call.and_then(|call| call.customer);
        let caller = self.customer.or(of_call).and_then(|caller| caller.number);
        let whom = match (&self.user, caller) {
            (Some(user), _) => Whom::Visitor(checks.line("user", user, 200)),
            (None, Some(number)) => Whom::Visitor(checks.line("customer.number", &number, 200)),
            (None, None) => Whom::Nobody,
        };
        let tool_choice = tool_choice(self.tool_choice, &mut checks);
        let tools = self.tools.unwrap_or_default();
        for (i, tool) in tools.iter().enumerate() {
            if tool.kind != "function" {
                let allowed = "function".to_owned();
                checks.problem(&format!("tools[{i}].type"), Problem::Unknown { allowed });
            }
        }
        let tools = tools.into_iter().map(|tool| ToolSpec {
            name: tool.function.name,
            description: tool.function.description.unwrap_or_default(),
            schema: tool
                .function
                .parameters
                .unwrap_or_else(|| json!({ "type": "object", "properties": {} })),
        });
        let told = conversation(self.messages, &mut checks);
        let ask = Ask {
            project_id: None,
            messages: told.messages,
            whom,
            channel,
            instructions: told.instructions,
            // Without leave to use them there is no need to know of them.
            client_tools: match tool_choice {
                ToolChoice::Never => Vec::new(),
                _ => tools.collect(),
            },
            tool_choice: match tool_choice {
                ToolChoice::Never => ToolChoice::Auto,
                choice => choice,
            },
        };
        checks.finish()?;
        Ok((self.model, ask))
    }
}

/// The agent's own tools are its own matter: a client chooses among its own.
fn tool_choice(choice: Option<Choice>, checks: &mut Checks) -> ToolChoice {
    match choice {
        None => ToolChoice::Auto,
        Some(Choice::Tool { function }) => ToolChoice::Named(function.name),
        Some(Choice::Word(word)) => match word.as_str() {
            "auto" => ToolChoice::Auto,
            "none" => ToolChoice::Never,
            "required" => ToolChoice::Required,
            _ => {
                let allowed = "auto, none, required".to_owned();
                checks.problem("tool_choice", Problem::Unknown { allowed });
                ToolChoice::Auto
            }
        },
    }
}
