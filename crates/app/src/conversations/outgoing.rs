//! Sending what is said in a conversation through the channel that it is held on.

use quipu_channels::text;
use quipu_channels::{ChoiceOption, OutboundContent, TemplateMessage};
use quipu_core::channel::{
    ChannelConnection, ChannelContact, NewOutbound, OutboundFault, OutboundRecord, SendResult,
};
use quipu_core::conversation::{Conversation, Message, MessageRole};
use quipu_core::job::NewJob;
use quipu_core::language::Language;
use quipu_core::lead::Channel;
use quipu_core::{ContactId, Error, Result, Timestamp};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The job that hands to a channel what waits for somebody.
pub(crate) const SEND_MESSAGES: &str = "send_messages";
/// How often a job begins anew that a crash cut off: what waits is never given up for that.
const SEND_ATTEMPTS: i32 = 1_000;

/// For how long free text reaches somebody who wrote.
pub(crate) const WINDOW_HOURS: i64 = 24;
/// For how long a person may answer on Instagram and Messenger.
const PERSON_WINDOW_HOURS: i64 = 7 * 24;

/// What a message says beside its text to whoever sends it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct MessageExtras {
    /// What can be tapped instead of written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) choices: Vec<ChoiceOption>,
    /// It came from the channel itself, so that it is not sent there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) echo: bool,
    /// What fills the template that takes its place outside the window.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) template_values: Vec<String>,
    /// The template that is sent in its place in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) template: Option<TemplateMessage>,
}

/// Where they stand in the metadata of a message.
const EXTRAS: &str = "channel";

impl MessageExtras {
    /// What the metadata of a message say. What cannot be read says nothing.
    pub(crate) fn of(metadata: &Value) -> Self {
        let extras = metadata.get(EXTRAS).cloned();
        extras
            .and_then(|extras| serde_json::from_value(extras).ok())
            .unwrap_or_default()
    }

    /// Those of a message that has something to tap.
    pub(crate) fn choosing(titles: &[String]) -> Self {
        let option = |title: &String| ChoiceOption {
            id: title.clone(),
            title: title.clone(),
            description: None,
        };
        Self {
            choices: titles.iter().map(option).collect(),
            ..Self::default()
        }
    }

    /// Puts them into the metadata of a message.
    pub(crate) fn into(self, mut metadata: Value) -> Result<Value> {
        let extras = serde_json::to_value(self).map_err(Error::internal)?;
        if let Some(metadata) = metadata.as_object_mut() {
            metadata.insert(EXTRAS.to_owned(), extras);
        }
        Ok(metadata)
    }
}

/// Whom a conversation is held with, and through what.
pub(crate) struct ConversationRoute {
    pub(crate) contact: ChannelContact,
    pub(crate) connection: ChannelConnection,
}

/// How a conversation reaches its customer, where that is through a connection.
pub(crate) async fn route(
    tx: &TenantTx,
    conversation: &Conversation,
) -> Result<Option<ConversationRoute>> {
    let Some(contact) = tx
        .channel_contacts()
        .of_conversation(conversation.id)
        .await?
    else {
        return Ok(None);
    };
    let connection = tx.channel_connections().find(contact.connection_id).await?;
    Ok(connection.map(|connection| ConversationRoute {
        contact,
        connection,
    }))
}

impl ConversationRoute {
    /// Whether words of our own choice reach the customer now.
    pub(crate) fn is_open(&self, by_person: bool, now: Timestamp) -> bool {
        let hours = match self.connection.channel {
            Channel::Instagram | Channel::Messenger if by_person => PERSON_WINDOW_HOURS,
            Channel::Whatsapp | Channel::Instagram | Channel::Messenger => WINDOW_HOURS,
            Channel::Tiktok => 2 * WINDOW_HOURS,
            Channel::Voice | Channel::Web => return true,
        };
        self.closes_at(hours).is_some_and(|closes| closes > now)
    }

    /// Until when words of the agent reach the customer.
    pub(crate) fn open_until(&self) -> Option<Timestamp> {
        let hours = match self.connection.channel {
            Channel::Voice | Channel::Web => return None,
            Channel::Tiktok => 2 * WINDOW_HOURS,
            _ => WINDOW_HOURS,
        };
        self.closes_at(hours)
    }

    fn closes_at(&self, hours: i64) -> Option<Timestamp> {
        let last = self.contact.last_inbound_at?;
        last.checked_add(jiff::SignedDuration::from_hours(hours))
            .ok()
    }
}

/// Queues a message for the channel of its conversation, where it has one. The conversation is locked.
pub(crate) async fn send(
    tx: &TenantTx,
    conversation: &Conversation,
    message: &Message,
) -> Result<()> {
    let goes_out = matches!(
        message.role,
        MessageRole::Assistant | MessageRole::Human | MessageRole::System
    );
    if !goes_out {
        return Ok(());
    }
    let extras = MessageExtras::of(&message.metadata);
    if extras.echo {
        return Ok(());
    }
    let Some(route) = route(tx, conversation).await? else {
        return Ok(());
    };
    if matches!(route.connection.channel, Channel::Voice | Channel::Web) {
        return Ok(());
    }
    // So that a job that ends at this moment sees what is added.
    tx.channel_contacts().lock(route.contact.id).await?;
    let by_person = message.role == MessageRole::Human;
    for content in contents(tx, &route, message, &extras)? {
        let new = NewOutbound {
            connection: route.connection.id,
            contact: route.contact.id,
            conversation: Some(conversation.id),
            message: Some(message.id),
            content: serde_json::to_value(&content).map_err(Error::internal)?,
            by_person,
        };
        let id = tx.channel_outbound().insert(&new).await?;
        if let Some(fault) = unsendable(tx, &route, message, &content).await? {
            let failed = SendResult::Failed(fault);
            tx.channel_outbound().settle(id, &failed).await?;
        }
    }
    enqueue(tx, route.contact.id, tx.now()).await
}

/// Has what waits for somebody sent from an instant on.
pub(crate) async fn enqueue(tx: &TenantTx, contact: ContactId, run_at: Timestamp) -> Result<()> {
    let job = NewJob {
        kind: SEND_MESSAGES,
        payload: json!({ "contact_id": contact }),
        dedup_key: Some(contact.to_string()),
        run_at,
        max_attempts: SEND_ATTEMPTS,
        owner: None,
    };
    tx.jobs().enqueue(&job).await?;
    Ok(())
}

/// Has what waits for somebody sent now, whatever it was put off for.
pub(crate) async fn hurry(tx: &TenantTx, contact: ContactId) -> Result<()> {
    tx.jobs()
        .withdraw(SEND_MESSAGES, &contact.to_string())
        .await?;
    enqueue(tx, contact, tx.now()).await
}

/// The bubbles of a message on its channel.
fn contents(
    tx: &TenantTx,
    route: &ConversationRoute,
    message: &Message,
    extras: &MessageExtras,
) -> Result<Vec<OutboundContent>> {
    let channel = route.connection.channel;
    if let Some(template) = &extras.template {
        return Ok(vec![OutboundContent::Template(template.clone())]);
    }
    let is_open = route.is_open(message.role == MessageRole::Human, tx.now());
    let reminder = route.connection.settings.reminder.as_ref();
    if let (false, Some(template), false) = (is_open, reminder, extras.template_values.is_empty()) {
        return Ok(vec![OutboundContent::Template(TemplateMessage {
            name: template.name.clone(),
            language: template.language.clone(),
            body: extras.template_values.clone(),
            buttons: Vec::new(),
        })]);
    }
    let mut bubbles = text::split(&text::for_channel(&message.text, channel), channel).bubbles;
    let Some(last) = bubbles.pop() else {
        return Err(Error::internal("a message without words is to be sent"));
    };
    let mut contents: Vec<OutboundContent> = bubbles
        .into_iter()
        .map(|text| OutboundContent::Text { text })
        .collect();
    contents.push(if extras.choices.is_empty() {
        OutboundContent::Text { text: last }
    } else {
        OutboundContent::Choices {
            text: last,
            button: choose_in(Language::guess(&message.text)).to_owned(),
            options: extras.choices.clone(),
        }
    });
    Ok(contents)
}

const fn choose_in(language: Option<Language>) -> &'static str {
    match language {
        Some(Language::En) => "See options",
        _ => "Ver opciones",
    }
}

/// Why something cannot be sent at all, which its record then says.
async fn unsendable(
    tx: &TenantTx,
    route: &ConversationRoute,
    message: &Message,
    content: &OutboundContent,
) -> Result<Option<OutboundFault>> {
    let is_template = matches!(content, OutboundContent::Template(_));
    let by_person = message.role == MessageRole::Human;
    let fault = if message.role == MessageRole::System && route.contact.opted_out_at.is_some() {
        (
            "opted_out",
            "pidió no recibir mensajes",
            "they asked for no messages",
        )
    } else if !is_template && !route.is_open(by_person, tx.now()) {
        (
            "window_closed",
            "el cliente escribió hace más de lo que el canal permite; solo le llega una plantilla aprobada",
            "the customer wrote longer ago than the channel allows; only an approved template reaches them",
        )
    } else {
        return Ok(None);
    };
    let language = language(tx).await?;
    let (kind, es, en) = fault;
    Ok(Some(OutboundFault {
        code: None,
        kind: kind.to_owned(),
        message: match language {
            Language::Es => es.to_owned(),
            Language::En => en.to_owned(),
        },
    }))
}

/// The language in which the business reads what went wrong.
pub(crate) async fn language(tx: &TenantTx) -> Result<Language> {
    let locale = tx.profile().get().await?.locale;
    let language = locale.split('-').next().unwrap_or_default();
    Ok(Language::parse_or_default(language))
}

/// Whether a message that is to be sent is the agent's own.
pub(crate) async fn is_of_agent(tx: &TenantTx, record: &OutboundRecord) -> Result<bool> {
    let Some(message) = record.message_id else {
        return Ok(false);
    };
    Ok(tx.messages().role_of(message).await? == Some(MessageRole::Assistant))
}
