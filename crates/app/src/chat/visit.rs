//! Who talks to an agent, and in which conversation.

use super::{Ask, StoredQuestion};
use crate::{Actor, App, catalogue, conversations, leads};
use jiff::SignedDuration;
use quipu_agents::SentFile;
use quipu_commerce::business::{Branch, Item};
use quipu_core::access::Permission;
use quipu_core::agent::Agent;
use quipu_core::chat::ChatMessage;
use quipu_core::conversation::{
    Conversation, ConversationStatus, HandoffMode, Message, MessageRole, NewConversation,
    NewMessage,
};
use quipu_core::lead::{Channel, Identity, Lead};
use quipu_core::page::PageRequest;
use quipu_core::{ConversationId, Error, LeadId, MessageId, Result, text};
use quipu_store::TenantTx;
use serde_json::{Value, json};

/// How long ago something may have been said that still belongs to what is said now.
const ONE_TALK: SignedDuration = SignedDuration::from_hours(24);
/// How much of that is read again.
const MOST_REMEMBERED: u64 = 40;
const MOST_REMEMBERED_BYTES: usize = 40_000;
/// How many of the files that were sent along an agent is told of.
const MOST_FILES: u64 = 3;

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whom {
    /// Nobody knows; nothing is kept, and nothing can be done for them.
    Nobody,
    /// Whoever the caller knows by this name. They are met as a customer of the channel, and have one
    /// open conversation with the agent.
    Visitor(String),
    /// A customer who is known already. Their conversation is a new one unless it is named.
    Customer {
        lead: Option<LeadId>,
        conversation: Option<ConversationId>,
    },
}

/// Somebody who talks to an agent.
#[derive(Default)]
pub(super) struct Visit {
    lead: Option<Lead>,
    conversation: Option<Conversation>,
    /// What they say now, as it is kept.
    question: Option<MessageId>,
}

impl Visit {
    /// Somebody who talks to an agent in a rehearsal. Nothing of what they say is kept.
    pub(super) const fn on_stage(lead: Lead, conversation: Conversation) -> Self {
        Self {
            lead: Some(lead),
            conversation: Some(conversation),
            question: None,
        }
    }

    pub(super) const fn lead(&self) -> Option<&Lead> {
        self.lead.as_ref()
    }

    pub(super) const fn conversation(&self) -> Option<&Conversation> {
        self.conversation.as_ref()
    }

    pub(super) fn conversation_id(&self) -> Option<ConversationId> {
        self.conversation
            .as_ref()
            .map(|conversation| conversation.id)
    }

    pub(super) fn handoff(&self) -> HandoffMode {
        let conversation = self.conversation.as_ref();
        conversation.map_or(HandoffMode::Ai, |conversation| conversation.handoff.mode)
    }
}

/// Finds out who asks, and keeps what they said before anybody answers it. What was begun to read comes
/// back where nothing had to be kept: whatever is read later must see what was.
pub(super) async fn open(
    app: &App,
    actor: &Actor,
    agent: &Agent,
    ask: &Ask,
    tx: TenantTx,
    stored: Option<StoredQuestion<'_>>,
) -> Result<(Visit, Option<TenantTx>)> {
    let (lead, conversation) = match &ask.whom {
        Whom::Nobody => return Ok((Visit::default(), Some(tx))),
        Whom::Visitor(name) => {
            // Whoever is named is told what is theirs, and may change it. A key that may only chat is
            // in pages that everybody reads, so that it vouches for nobody: on the web such a turn is
            // nobody's, and a name on any other channel is refused, because it is somebody's number.
            if let Err(refused) = actor.require(Permission::CustomersWrite) {
                return match ask.channel {
                    Channel::Web => Ok((Visit::default(), Some(tx))),
                    _ => Err(refused),
                };
            }
            let identity = Identity {
                channel: ask.channel,
                external_id: name.clone(),
            };
            let lead = leads::met(app, actor, tx, &identity).await?;
            (lead, None)
        }
        Whom::Customer { lead, conversation } => {
            // The agent will tell them what is theirs, and change it where they ask for that.
            actor.require(Permission::CustomersWrite)?;
            let conversation = match conversation {
                Some(id) => Some(conversations::find(&tx, *id).await?),
                None => None,
            };
            // What was said to one agent is not another's to go on with.
            let with = conversation.as_ref().and_then(|found| found.agent_id);
            if with.is_some_and(|with| with != agent.id) {
                return Err(Error::not_found("conversation"));
            }
            let of = conversation.as_ref().map(|found| found.lead_id);
            if let (Some(lead), Some(of)) = (lead, of)
                && *lead != of
            {
                return Err(Error::not_found("conversation"));
            }
            let lead = match lead.or(of) {
                Some(id) => Some(leads::find(&tx, id).await?),
                None => None,
            };
            let Some(lead) = lead else {
                return Ok((Visit::default(), Some(tx)));
            };
            drop(tx);
            (lead, conversation)
        }
    };
    let tx = app.store.begin(actor.scope()).await?;
    let conversation = match conversation {
        Some(conversation) => conversations::lock(&tx, conversation.id).await?,
        None => current(&tx, agent, &lead, ask).await?,
    };
    // What came of a call continues a turn whose question was kept already.
    let mut question = stored.map(|stored| stored.message);
    if let (None, Some(ChatMessage::User { text, .. })) = (question, ask.messages.last()) {
        let said = NewMessage {
            role: MessageRole::User,
            author: format!("lead:{}", lead.id),
            text: text.clone(),
            metadata: json!({}),
        };
        let kept = conversations::append(&tx, &conversation, &said).await?;
        question = Some(kept.id);
    }
    tx.commit().await?;
    let visit = Visit {
        lead: Some(lead),
        conversation: Some(conversation),
        question,
    };
    Ok((visit, None))
}

/// The messages of whoever asks; before a question that comes alone, what was said in the
/// conversation.
pub(super) async fn with_remembered(
    tx: &TenantTx,
    visit: &Visit,
    mut messages: Vec<ChatMessage>,
) -> Result<Vec<ChatMessage>> {
    if messages.len() == 1 {
        messages.splice(..0, remembered(tx, visit).await?);
        // Who taps twice has said it once: nobody had answered in between.
        messages.dedup_by(|again, before| match (again, before) {
            (ChatMessage::User { text: again, .. }, ChatMessage::User { text: before, .. }) => {
                text::fold(again.trim()) == text::fold(before.trim())
            }
            _ => false,
        });
    }
    Ok(messages)
}

/// What was said before the question, oldest first. What was said longer ago belongs to another talk,
/// even where nobody closed that.
async fn remembered(tx: &TenantTx, visit: &Visit) -> Result<Vec<ChatMessage>> {
    let (Some(conversation), Some(question)) = (visit.conversation_id(), visit.question) else {
        return Ok(Vec::new());
    };
    let roles = [
        MessageRole::User,
        MessageRole::Assistant,
        MessageRole::Human,
    ];
    let messages = tx.messages();
    let kept = messages
        .recent(conversation, MOST_REMEMBERED, &roles)
        .await?;
    let before = kept
        .into_iter()
        .take_while(|message| message.id != question);
    let before: Vec<Message> = before.collect();
    let mut room = MOST_REMEMBERED_BYTES;
    let lately = before.into_iter().rev().take_while(|message| {
        room = room.saturating_sub(message.text.len());
        room > 0 && message.created_at >= tx.now() - ONE_TALK
    });
    let mut messages: Vec<ChatMessage> = lately
        .map(|message| match message.role {
            MessageRole::User => ChatMessage::user(message.text),
            _ => ChatMessage::assistant(message.text),
        })
        .collect();
    messages.reverse();
    Ok(messages)
}

/// What was sent along lately, the latest first.
pub(super) async fn files(tx: &TenantTx, visit: &Visit) -> Result<Vec<SentFile>> {
    let Some(conversation) = visit.conversation_id() else {
        return Ok(Vec::new());
    };
    let page = PageRequest::parse(Some(MOST_FILES), None)?;
    let sent = tx.attachments().list(conversation, page).await?.data;
    let lately = sent
        .into_iter()
        .filter(|file| file.created_at >= tx.now() - ONE_TALK);
    Ok(lately
        .map(|file| SentFile {
            id: file.id.uuid(),
            name: file.filename,
            kind: file.file_type.as_str().to_owned(),
        })
        .collect())
}

/// The open conversation of a customer with the agent on the channel, or a new one.
async fn current(tx: &TenantTx, agent: &Agent, lead: &Lead, ask: &Ask) -> Result<Conversation> {
    // Locked, so that two messages at once begin one conversation.
    if !tx.leads().hold(lead.id).await? {
        return Err(Error::not_found("lead"));
    }
    let latest = tx
        .conversations()
        .lock_latest(lead.id, agent.id, ask.channel)
        .await?;
    let open = latest.filter(|found| found.status == ConversationStatus::Open);
    if let Some(open) = open {
        return Ok(open);
    }
    let new = NewConversation {
        lead_id: lead.id,
        agent_id: Some(agent.id),
        channel: ask.channel,
    };
    let id = tx.conversations().insert(&new).await?;
    conversations::find(tx, id).await
}

/// Where the dialogue of the conversation has come to.
pub(super) async fn dialogue(tx: &TenantTx, visit: &Visit) -> Result<Option<Value>> {
    match visit.conversation_id() {
        Some(conversation) => tx.conversations().dialogue(conversation).await,
        None => Ok(None),
    }
}

/// The branch that a conversation is about: the one the customer usually goes to, or the only one.
pub(super) async fn branch(tx: &TenantTx, visit: &Visit) -> Result<Option<Item<Branch>>> {
    let mut branches = catalogue::active::<Branch>(tx).await?;
    if let Some(usual) = visit.lead().and_then(|lead| lead.branch_id)
        && let Some(at) = branches.iter().position(|one| one.id == usual.uuid())
    {
        return Ok(Some(branches.swap_remove(at)));
    }
    Ok(branches.pop().filter(|_| branches.is_empty()))
}
