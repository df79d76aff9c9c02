//! What OpenAI's clients ask.

use super::super::message::{Message, conversation};
use super::super::tools::{ClientChoice, ClientTool, chosen};
use quipu_app::chat::{Ask, Whom};
use quipu_core::Result;
use quipu_core::lead::Channel;
use quipu_core::validate::{Checks, Problem};
use serde::Deserialize;
use utoipa::ToSchema;

/// Clients send more than this, and new fields each year; what is not named here is passed over.
#[derive(Deserialize, ToSchema)]
pub(crate) struct CompletionRequest {
    /// The agent's id or slug.
    #[schema(min_length = 1, max_length = 50, example = "maya")]
    model: String,
    /// The conversation so far, oldest first; the last message is the question, or what came of a
    /// call. Of a long conversation the last hundred messages are read.
    #[schema(min_items = 1)]
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
    /// An agent gives one answer.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1)]
    n: Option<i64>,
    /// `text`, or `json_object` for an object with the text of the answer in its field `answer`.
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

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum Place {
    Web,
    Voice,
}

impl From<Place> for Channel {
    fn from(place: Place) -> Self {
        match place {
            Place::Web => Self::Web,
            Place::Voice => Self::Voice,
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[schema(as = CompletionFormat)]
pub(in super::super) struct Format {
    #[serde(rename = "type")]
    #[schema(example = "text")]
    kind: String,
}

impl Format {
    const OBJECT: &'static str = "json_object";

    /// Whether an object is wanted.
    pub(in super::super) fn is_object(&self) -> bool {
        self.kind == Self::OBJECT
    }

    /// An agent's answer is a text: no object of somebody else's making can be promised.
    pub(in super::super) fn check(&self, field: &str, checks: &mut Checks) {
        if self.kind != "text" && !self.is_object() {
            let allowed = format!("text, {}", Self::OBJECT);
            checks.problem(field, Problem::Unknown { allowed });
        }
    }
}

#[derive(Deserialize, ToSchema)]
#[schema(as = VoiceCall)]
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

    pub(super) fn wants_object(&self) -> bool {
        self.response_format.as_ref().is_some_and(Format::is_object)
    }

    /// The agent that is asked, and what.
    pub(super) fn into_ask(self) -> Result<(String, Ask)> {
        let mut checks = Checks::new();
        checks.line("model", &self.model, 50);
        if self.n.is_some_and(|n| n != 1) {
            checks.problem("n", Problem::Range { min: 1, max: 1 });
        }
        if let Some(format) = &self.response_format {
            format.check("response_format.type", &mut checks);
        }
        let channel = match (self.channel, &self.call) {
            (Some(place), _) => place.into(),
            (None, Some(_)) => Channel::Voice,
            (None, None) => Channel::Web,
        };
        let of_call = self.call.and_then(|call| call.customer);
        let caller = self.customer.or(of_call).and_then(|caller| caller.number);
        let whom = match (&self.user, caller) {
            (Some(user), _) => Whom::Visitor(checks.line("user", user, 200)),
            (None, Some(number)) => Whom::Visitor(checks.line("customer.number", &number, 200)),
            (None, None) => Whom::Nobody,
        };
        let (client_tools, tool_choice) = chosen(self.tools, self.tool_choice, &mut checks);
        let messages = self.messages.into_iter().enumerate();
        let messages = messages.map(|(i, message)| (format!("messages[{i}]"), message));
        let told = conversation(messages.collect(), &mut checks);
        let ask = Ask {
            project_id: None,
            messages: told.messages,
            whom,
            channel,
            instructions: told.instructions,
            client_tools,
            tool_choice,
            draft: false,
        };
        checks.finish()?;
        Ok((self.model, ask))
    }
}
