//! What OpenAI's newer clients ask.

use super::super::completions::request::{Format, Place};
use super::super::message::conversation;
use super::super::tools::{ClientChoice, ClientTool, chosen};
use super::items::{ResponseInput, messages};
use quipu_app::chat::{Ask, Whom};
use quipu_core::lead::Channel;
use quipu_core::validate::Checks;
use quipu_core::{Error, ErrorCode, Result};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Clients send more than this, and new fields each year; what is not named here is passed over.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ResponseRequest {
    /// The agent's id or slug.
    #[schema(min_length = 1, max_length = 50, example = "maya")]
    model: String,
    /// A question, or the conversation so far, oldest first.
    input: ResponseInput,
    /// What is added to the agent's own instructions for this turn.
    #[serde(default)]
    instructions: Option<String>,
    /// Server-sent events when true, one JSON answer when false.
    #[serde(default)]
    #[schema(default = false)]
    pub(super) stream: Option<bool>,
    /// Tools that the client has and calls.
    #[serde(default)]
    #[schema(max_items = 64)]
    tools: Option<Vec<ClientTool>>,
    /// `auto`, `none`, `required`, or a tool of the client.
    #[serde(default)]
    tool_choice: Option<ClientChoice>,
    /// By what name the client knows the customer. With it the conversation is kept, and the agent
    /// can book and order. It takes `customers:write`: without, a turn on `web` is anonymous and one
    /// by `voice` is refused.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 200, example = "visitante-42")]
    user: Option<String>,
    /// Where the customer is: `web`, or `voice` for answers that are read aloud.
    #[serde(default)]
    channel: Option<Place>,
    /// How the text is written.
    #[serde(default)]
    text: Option<TextFormat>,
    /// Responses are not kept under their id; to name one is refused.
    #[serde(default)]
    #[schema(max_length = 200)]
    previous_response_id: Option<String>,
    /// Nor are conversations of this protocol.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    conversation: Option<Value>,
}

#[derive(Deserialize, ToSchema)]
struct TextFormat {
    #[serde(default)]
    format: Option<Format>,
}

impl ResponseRequest {
    fn format(&self) -> Option<&Format> {
        self.text.as_ref().and_then(|text| text.format.as_ref())
    }

    pub(super) fn wants_object(&self) -> bool {
        self.format().is_some_and(Format::is_object)
    }

    /// The agent that is asked, what was added to its instructions, and what is asked.
    pub(super) fn into_ask(self) -> Result<(String, Option<String>, Ask)> {
        for (field, is_there) in [
            ("previous_response_id", self.previous_response_id.is_some()),
            ("conversation", self.conversation.is_some()),
        ] {
            if is_there {
                return Err(Error::new(ErrorCode::ResponseNotKept).with("field", field));
            }
        }
        let mut checks = Checks::new();
        checks.line("model", &self.model, 50);
        if let Some(format) = self.format() {
            format.check("text.format.type", &mut checks);
        }
        let whom = match &self.user {
            Some(user) => Whom::Visitor(checks.line("user", user, 200)),
            None => Whom::Nobody,
        };
        let (client_tools, tool_choice) = chosen(self.tools, self.tool_choice, &mut checks);
        let told = conversation(messages(self.input, &mut checks), &mut checks);
        let added = [self.instructions.clone(), told.instructions];
        let added: Vec<String> = added
            .into_iter()
            .flatten()
            .filter(|text| !text.trim().is_empty())
            .collect();
        let ask = Ask {
            project_id: None,
            messages: told.messages,
            whom,
            channel: self.channel.map_or(Channel::Web, Channel::from),
            instructions: (!added.is_empty()).then(|| added.join(" ")),
            client_tools,
            tool_choice,
            draft: false,
        };
        checks.finish()?;
        Ok((self.model, self.instructions, ask))
    }
}
