//! What a customer did, ready to be told to the business.

use crate::account::{SimulatedAccount, SimulatedChannel};
use crate::customer::{CustomerFile, CustomerFileKind, CustomerWrites, SimulatedCustomer};
use crate::ids;
use crate::message::{MessageAuthor, MessageFile, MessageOption, SimulatedMessage};
use crate::state::{FileRecord, Records, SimulatorState};
use crate::{graph, tiktok};
use serde_json::Value;
use std::sync::Arc;

/// How long a text of a customer may be.
const MOST_TEXT_CHARS: usize = 20_000;
pub(crate) const MOST_FILE_BYTES: usize = 5 * 1024 * 1024;

pub(crate) struct Incoming<'a> {
    pub(crate) account: &'a SimulatedAccount,
    pub(crate) customer: &'a SimulatedCustomer,
    pub(crate) id: String,
    pub(crate) at: i64,
    pub(crate) reply_to: Option<String>,
    pub(crate) content: IncomingContent,
    /// Where the stand-in itself can be reached.
    pub(crate) base_url: String,
}

pub(crate) enum IncomingContent {
    Text(String),
    Choice(MessageOption),
    File {
        kind: CustomerFileKind,
        file: FileRecord,
        caption: Option<String>,
    },
    Location {
        latitude: f64,
        longitude: f64,
        name: Option<String>,
        address: Option<String>,
    },
    Reaction {
        emoji: Option<String>,
        message_id: String,
    },
    Edited {
        message_id: String,
        text: String,
    },
    Deleted {
        message_id: String,
    },
    Unsupported,
}

/// What became of something that a customer wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// What the business answered.
    pub status: u16,
    pub message_id: String,
}

/// Something that a customer wrote, and that the business is told of whenever and as often as it is
/// delivered.
#[derive(Clone, Debug)]
pub struct PreparedDelivery {
    account_id: String,
    message_id: String,
    body: Value,
}

impl PreparedDelivery {
    /// The channel's id of the message.
    #[must_use]
    pub fn message_id(&self) -> &str {
        &self.message_id
    }
}

impl SimulatorState {
    /// Writes as a customer.
    pub(crate) async fn write(
        &self,
        account_id: &str,
        from: &SimulatedCustomer,
        content: CustomerWrites,
    ) -> Result<Delivered, String> {
        let prepared = self.prepare(account_id, from, content)?;
        self.deliver_prepared(&prepared).await
    }

    /// Writes as a customer, and tells nobody.
    pub(crate) fn prepare(
        &self,
        account_id: &str,
        from: &SimulatedCustomer,
        content: CustomerWrites,
    ) -> Result<PreparedDelivery, String> {
        let account = self.account(account_id).ok_or("there is no such account")?;
        if let Some(fault) = from.fault(account.channel) {
            return Err(fault.to_owned());
        }
        can(account.channel, &content)?;
        self.edit(|records| records.meet(account_id, from));
        let (content, reply_to) = self.resolve(&account, from, content)?;
        let message = self.remember(&account, from, &content, reply_to.clone());
        let incoming = Incoming {
            account: &account,
            customer: from,
            id: message.id.clone(),
            at: message.at,
            reply_to,
            content,
            base_url: self.url(),
        };
        let body = body(&incoming)?;
        Ok(PreparedDelivery {
            account_id: account_id.to_owned(),
            message_id: message.id,
            body,
        })
    }

    /// Tells the business what a customer wrote.
    pub(crate) async fn deliver_prepared(
        &self,
        prepared: &PreparedDelivery,
    ) -> Result<Delivered, String> {
        let PreparedDelivery {
            account_id,
            message_id,
            body,
        } = prepared;
        let account = self.account(account_id).ok_or("there is no such account")?;
        let answer = self.deliver(&account, body, Some(message_id)).await;
        let state = match &answer {
            Ok(answer) if answer.status < 300 => crate::MessageState::Delivered,
            _ => crate::MessageState::Failed,
        };
        self.edit(|records| records.advance(account_id, message_id, state));
        answer.map(|answer| Delivered {
            status: answer.status,
            message_id: message_id.clone(),
        })
    }

    /// Looks up what the customer points at.
    fn resolve(
        &self,
        account: &SimulatedAccount,
        from: &SimulatedCustomer,
        content: CustomerWrites,
    ) -> Result<(IncomingContent, Option<String>), String> {
        let known = |id: &str, own: bool| {
            self.read(|records| {
                let message = records.message(&account.account_id, id);
                message.is_some_and(|message| {
                    message.customer_id == from.id
                        && (!own || message.author == MessageAuthor::Customer)
                })
            })
            .then(|| id.to_owned())
            .ok_or_else(|| "there is no such message in the conversation".to_owned())
        };
        let mut reply_to = None;
        let content = match content {
            CustomerWrites::Text {
                text,
                reply_to: answered,
            } => {
                reply_to = answered.map(|id| known(&id, false)).transpose()?;
                IncomingContent::Text(checked(text)?)
            }
            CustomerWrites::Choice { id, message_id } => {
                let found = self
                    .read(|records| offered(records, account, from, &id, message_id.as_deref()));
                let (option, message) = found.ok_or("nothing with that id was offered")?;
                reply_to = Some(message);
                IncomingContent::Choice(option)
            }
            CustomerWrites::File {
                kind,
                file,
                caption,
            } => IncomingContent::File {
                kind,
                file: self.keep_file(account, file)?,
                caption: caption.map(checked).transpose()?,
            },
            CustomerWrites::Location {
                latitude,
                longitude,
                name,
                address,
            } => IncomingContent::Location {
                latitude,
                longitude,
                name,
                address,
            },
            CustomerWrites::Reaction { emoji, message_id } => IncomingContent::Reaction {
                emoji,
                message_id: known(&message_id, false)?,
            },
            CustomerWrites::Edited { message_id, text } => IncomingContent::Edited {
                message_id: known(&message_id, true)?,
                text: checked(text)?,
            },
            CustomerWrites::Deleted { message_id } => IncomingContent::Deleted {
                message_id: known(&message_id, true)?,
            },
            CustomerWrites::Unsupported => IncomingContent::Unsupported,
        };
        Ok((content, reply_to))
    }

    fn keep_file(
        &self,
        account: &SimulatedAccount,
        file: CustomerFile,
    ) -> Result<FileRecord, String> {
        if file.bytes.len() > MOST_FILE_BYTES {
            return Err(format!("a file has at most {MOST_FILE_BYTES} bytes"));
        }
        let file = FileRecord {
            id: ids::file_id(),
            account_id: account.account_id.clone(),
            mime_type: file.mime_type,
            filename: file.filename,
            bytes: Arc::new(file.bytes),
        };
        self.edit(|records| records.add_file(file.clone()));
        Ok(file)
    }

    /// Keeps what is new in the conversation. What changes another message has a message of its own
    /// too, since it opens the window as any other does.
    fn remember(
        &self,
        account: &SimulatedAccount,
        from: &SimulatedCustomer,
        content: &IncomingContent,
        reply_to: Option<String>,
    ) -> SimulatedMessage {
        let new = SimulatedMessage::new(MessageAuthor::Customer, &account.account_id, &from.id);
        let mut message = shown(new, content);
        message.reply_to = reply_to;
        self.edit(|records| change_target(records, &account.account_id, content));
        self.record(account, message)
    }
}

/// How something looks in the conversation.
fn shown(mut message: SimulatedMessage, content: &IncomingContent) -> SimulatedMessage {
    let (kind, text) = match content {
        IncomingContent::Text(text) => ("text", Some(text.clone())),
        IncomingContent::Choice(option) => ("choice", Some(option.title.clone())),
        IncomingContent::File {
            kind,
            file,
            caption,
        } => {
            message.file = Some(MessageFile {
                media: kind.as_str().to_owned(),
                file_id: Some(file.id.clone()),
                url: None,
                mime_type: Some(file.mime_type.clone()),
                filename: file.filename.clone(),
            });
            (kind.as_str(), caption.clone())
        }
        IncomingContent::Location {
            latitude,
            longitude,
            name,
            ..
        } => {
            let place = format!("{latitude}, {longitude}");
            ("location", Some(name.clone().unwrap_or(place)))
        }
        IncomingContent::Reaction { emoji, .. } => ("reaction", emoji.clone()),
        IncomingContent::Edited { text, .. } => ("edited", Some(text.clone())),
        IncomingContent::Deleted { .. } => ("deleted", None),
        IncomingContent::Unsupported => ("unsupported", None),
    };
    message.kind = kind.to_owned();
    message.text = text;
    message
}

fn change_target(records: &mut Records, account_id: &str, content: &IncomingContent) {
    match content {
        IncomingContent::Reaction { emoji, message_id } => {
            if let Some(message) = records.message_mut(account_id, message_id) {
                message.reaction.clone_from(emoji);
            }
        }
        IncomingContent::Edited { message_id, text } => {
            if let Some(message) = records.message_mut(account_id, message_id) {
                message.text = Some(text.clone());
                message.edited = true;
            }
        }
        IncomingContent::Deleted { message_id } => {
            if let Some(message) = records.message_mut(account_id, message_id) {
                message.text = None;
                message.file = None;
                message.deleted = true;
            }
        }
        _ => {}
    }
}

/// The latest offer of something with an id, and the message that it stands in.
fn offered(
    records: &Records,
    account: &SimulatedAccount,
    customer: &SimulatedCustomer,
    id: &str,
    message_id: Option<&str>,
) -> Option<(MessageOption, String)> {
    let messages = records.messages(&account.account_id).rev();
    messages
        .filter(|message| message.customer_id == customer.id)
        .filter(|message| message_id.is_none_or(|wanted| message.id == wanted))
        .find_map(|message| {
            let option = message.options.iter().find(|option| option.id == id)?;
            Some((option.clone(), message.id.clone()))
        })
}

fn checked(text: String) -> Result<String, String> {
    if text.is_empty() || text.chars().count() > MOST_TEXT_CHARS {
        return Err(format!("a text has 1 to {MOST_TEXT_CHARS} characters"));
    }
    Ok(text)
}

/// Whether somebody can do this on a channel.
fn can(channel: SimulatedChannel, content: &CustomerWrites) -> Result<(), String> {
    use SimulatedChannel::{Instagram, Messenger, Voice, Whatsapp};
    let (can, what) = match content {
        CustomerWrites::Text { .. } => (channel != Voice, "messages"),
        CustomerWrites::Choice { .. } => (
            matches!(channel, Whatsapp | Messenger | Instagram),
            "choices",
        ),
        CustomerWrites::File {
            caption: Some(_), ..
        } => (channel == Whatsapp, "captions"),
        CustomerWrites::File { kind, .. } => {
            let can = match kind {
                CustomerFileKind::Sticker => channel == Whatsapp,
                CustomerFileKind::Image | CustomerFileKind::Video => channel != Voice,
                _ => matches!(channel, Whatsapp | Messenger | Instagram),
            };
            (can, "files of this kind")
        }
        CustomerWrites::Location { .. } => (matches!(channel, Whatsapp | Messenger), "places"),
        CustomerWrites::Reaction { .. } => (
            matches!(channel, Whatsapp | Messenger | Instagram),
            "reactions",
        ),
        CustomerWrites::Edited { .. } => (
            matches!(channel, Whatsapp | Messenger | Instagram),
            "edited messages",
        ),
        CustomerWrites::Deleted { .. } => {
            (matches!(channel, Whatsapp | Instagram), "deleted messages")
        }
        CustomerWrites::Unsupported => (
            matches!(channel, Whatsapp | Instagram),
            "unsupported messages",
        ),
    };
    can.then_some(())
        .ok_or_else(|| format!("the channel does not tell of {what}"))
}

fn body(incoming: &Incoming) -> Result<Value, String> {
    match incoming.account.channel {
        SimulatedChannel::Whatsapp => Ok(graph::whatsapp::incoming_body(incoming)),
        SimulatedChannel::Messenger | SimulatedChannel::Instagram => {
            Ok(graph::pages::incoming_body(incoming))
        }
        SimulatedChannel::Tiktok => Ok(tiktok::incoming_body(incoming)),
        SimulatedChannel::Voice => Err("nobody writes over the telephone".to_owned()),
    }
}
