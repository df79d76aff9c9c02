//! The connections to the servers of the channels.

use crate::account::{ChannelAccount, ChannelEndpoints};
use crate::failure::{FailureKind, SendFailure};
use crate::inbound::MediaReference;
use crate::outbound::{OutboundContent, Recipient, SentMessage};
use crate::{pages, tiktok, whatsapp};
use bytes::Bytes;
use quipu_core::lead::Channel;
use std::time::Duration;

/// How long a channel may take to answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// How much of an answer of a channel is read. None of theirs is longer than a few thousand bytes.
const MOST_ANSWER_BYTES: usize = 1_000_000;

/// Speaks to the servers of the channels.
#[derive(Clone, Debug)]
pub struct ChannelClient {
    pub(crate) http: reqwest::Client,
    pub(crate) endpoints: ChannelEndpoints,
}

/// A number or page as its channel describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccountReport {
    /// How customers see it: the number or the name.
    pub name: Option<String>,
    /// The channel's word for how it is rated.
    pub quality: Option<String>,
    /// Whether deliveries are sent to us; `None` where the channel does not say.
    pub subscribed: Option<bool>,
}

/// A template as the channel has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelTemplate {
    pub id: String,
    pub name: String,
    pub language: String,
    /// `APPROVED`, `PENDING`, `REJECTED`, `PAUSED` …
    pub status: String,
    /// `UTILITY`, `MARKETING`, `AUTHENTICATION`.
    pub category: String,
    /// The text of its body, with {{1}} … where something is filled in.
    pub body: String,
    /// How many buttons give something back when they are tapped.
    pub reply_buttons: usize,
}

impl ChannelClient {
    /// # Errors
    /// When the system has no randomness for TLS.
    pub fn new(endpoints: ChannelEndpoints) -> Result<Self, reqwest::Error> {
        let http = reqwest::Client::builder()
            .timeout(PATIENCE)
            .connect_timeout(Duration::from_secs(5))
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self { http, endpoints })
    }

    #[must_use]
    pub const fn endpoints(&self) -> &ChannelEndpoints {
        &self.endpoints
    }

    /// Sends a message. `reference` comes back with its states where the channel can do that.
    ///
    /// # Errors
    /// What the channel said, in the terms of [`FailureKind`].
    pub async fn send(
        &self,
        account: &ChannelAccount,
        to: &Recipient,
        content: &OutboundContent,
        reference: &str,
        by_person: bool,
    ) -> Result<SentMessage, SendFailure> {
        match account.channel {
            Channel::Whatsapp => whatsapp::send(self, account, to, content, reference).await,
            Channel::Instagram | Channel::Messenger => {
                pages::send(self, account, to, content, by_person).await
            }
            Channel::Tiktok => tiktok::send(self, account, to, content).await,
            Channel::Voice | Channel::Web => Err(not_sent(account.channel)),
        }
    }

    /// Marks a message as read, and says that somebody is writing where the channel can show that.
    ///
    /// # Errors
    /// What the channel said.
    pub async fn mark_read(
        &self,
        account: &ChannelAccount,
        from: &Recipient,
        message_id: &str,
        typing: bool,
    ) -> Result<(), SendFailure> {
        match account.channel {
            Channel::Whatsapp => whatsapp::mark_read(self, account, message_id, typing).await,
            Channel::Instagram | Channel::Messenger => {
                pages::mark_seen(self, account, from, typing).await
            }
            Channel::Tiktok | Channel::Voice | Channel::Web => Ok(()),
        }
    }

    /// The bytes of a file that a customer sent, at most `most_bytes` of them.
    ///
    /// # Errors
    /// What the channel said, or `Rejected` for a file that is larger.
    pub async fn media(
        &self,
        account: &ChannelAccount,
        media: &MediaReference,
        most_bytes: usize,
    ) -> Result<Bytes, SendFailure> {
        match account.channel {
            Channel::Whatsapp => whatsapp::media(self, account, media, most_bytes).await,
            Channel::Instagram | Channel::Messenger => {
                pages::media(self, account, media, most_bytes).await
            }
            Channel::Tiktok => tiktok::media(self, account, media, most_bytes).await,
            Channel::Voice | Channel::Web => Err(not_sent(account.channel)),
        }
    }

    /// What the channel says of the account, which also tells whether the key is good.
    ///
    /// # Errors
    /// What the channel said.
    pub async fn report(&self, account: &ChannelAccount) -> Result<AccountReport, SendFailure> {
        match account.channel {
            Channel::Whatsapp => whatsapp::report(self, account).await,
            Channel::Instagram | Channel::Messenger => pages::report(self, account).await,
            Channel::Tiktok => tiktok::report(self, account).await,
            Channel::Voice | Channel::Web => Ok(AccountReport::default()),
        }
    }

    /// The templates that the channel has approved or refused. Only WhatsApp has some.
    ///
    /// # Errors
    /// What the channel said.
    pub async fn templates(
        &self,
        account: &ChannelAccount,
    ) -> Result<Vec<ChannelTemplate>, SendFailure> {
        match account.channel {
            Channel::Whatsapp => whatsapp::templates(self, account).await,
            _ => Ok(Vec::new()),
        }
    }
}

fn not_sent(channel: Channel) -> SendFailure {
    SendFailure::new(
        FailureKind::Rejected,
        None,
        format!("nothing is sent over {}", channel.as_str()),
    )
}

/// A failure of the connection itself. What had been sent already may have arrived.
pub(crate) fn broken(error: &reqwest::Error) -> SendFailure {
    let kind = if error.is_connect() || error.is_builder() {
        FailureKind::Transient
    } else {
        FailureKind::Unknown
    };
    // Without the address, in which a key may stand.
    SendFailure::new(kind, None, connection_fault(error))
}

fn connection_fault(error: &reqwest::Error) -> &'static str {
    if error.is_timeout() {
        "the channel did not answer in time"
    } else if error.is_connect() {
        "the channel could not be reached"
    } else {
        "the connection to the channel broke"
    }
}

/// Reads an answer to its end, or up to a size.
///
/// # Errors
/// When it is larger, or the connection breaks.
pub(crate) async fn read(
    mut response: reqwest::Response,
    most_bytes: usize,
) -> Result<Bytes, SendFailure> {
    let mut read = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
        if read.len() + chunk.len() > most_bytes {
            let reason = format!("it is larger than {most_bytes} bytes");
            return Err(SendFailure::new(FailureKind::Rejected, None, reason));
        }
        read.extend_from_slice(&chunk);
    }
    Ok(Bytes::from(read))
}

/// The status and body of an answer in JSON.
///
/// # Errors
/// When the connection breaks. A body that is no JSON is `null`.
pub(crate) async fn read_json(
    response: reqwest::Response,
) -> Result<(u16, Option<u64>, serde_json::Value), SendFailure> {
    let status = response.status().as_u16();
    let retry_after = response
        .headers()
        .get("retry-after")
        .and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let body = read(response, MOST_ANSWER_BYTES).await?;
    let value = serde_json::from_slice(&body).unwrap_or(serde_json::Value::Null);
    Ok((status, retry_after, value))
}
