//! What somebody wrote in one go, and what their channel is asked for before it is answered.

use super::compose::{ComposedMessage, file_name, kept_file};
use super::keys::account;
use crate::conversations::Attaching;
use crate::{Actor, App};
use quipu_channels::{InboundContent, Recipient};
use quipu_core::channel::{ChannelConnection, ChannelContact};
use quipu_core::conversation::Conversation;
use quipu_core::tenancy::TenantScope;
use quipu_core::{AgentId, Error, InboundId, MessageId};
use std::time::Duration;

/// How long marks of reading may take: nobody waits for them.
const MARK_PATIENCE: Duration = Duration::from_secs(3);
const MOST_FILE_BYTES: usize = 10 * 1024 * 1024;

/// What somebody wrote, stored in their conversation and not answered yet.
pub(super) struct Burst {
    pub(super) contact: ChannelContact,
    pub(super) connection: ChannelConnection,
    pub(super) conversation: Conversation,
    pub(super) agent: AgentId,
    pub(super) messages: Vec<StoredMessage>,
}

/// A message of a burst.
pub(super) struct StoredMessage {
    pub(super) id: InboundId,
    pub(super) external_id: String,
    pub(super) message: MessageId,
    pub(super) content: InboundContent,
    pub(super) words: ComposedMessage,
    /// A program of the business was asked and did not answer.
    pub(super) returned: bool,
}

/// Shows the customer that their message was read and that somebody writes. Nobody waits for that, and
/// nothing fails with it.
pub(super) async fn show_reading(app: &App, scope: TenantScope, burst: &Burst) {
    if !burst.connection.settings.shows_typing {
        return;
    }
    let Some(last) = burst.messages.last() else {
        return;
    };
    let Ok(account) = account(app, scope, &burst.connection).await else {
        return;
    };
    let from = Recipient {
        user_id: burst.contact.user_id.clone(),
        phone: burst.contact.phone.clone(),
    };
    let marked = app
        .channels
        .mark_read(&account, &from, &last.external_id, true);
    match tokio::time::timeout(MARK_PATIENCE, marked).await {
        Ok(Ok(())) => {}
        Ok(Err(failure)) => tracing::debug!(%failure, "a message could not be marked as read"),
        Err(_) => tracing::debug!("a message was not marked as read in time"),
    }
}

/// Keeps the files of a burst with the conversation. One that cannot be fetched is missing there, and the
/// agent says that it has none.
pub(super) async fn fetch_files(app: &App, actor: &Actor, burst: &Burst) {
    for message in &burst.messages {
        let Some(media) = kept_file(&message.content) else {
            continue;
        };
        let fetched = async {
            let account = account(app, actor.scope(), &burst.connection).await?;
            let file = app.channels.media(&account, media, MOST_FILE_BYTES).await;
            let file = file.map_err(|failure| Error::internal(failure.to_string()))?;
            let body = futures::stream::iter([Ok(file)]);
            let attaching = Attaching::open(app, actor, burst.conversation.id).await?;
            attaching.add(&file_name(media), body).await
        };
        if let Err(error) = fetched.await {
            tracing::warn!(%error, connection = %burst.connection.id, "a file that a customer sent was not kept");
        }
    }
}
