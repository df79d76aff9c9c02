//! Sending, and showing that a message was seen.

use super::graph;
use super::outgoing::{self, SendingTag};
use crate::account::ChannelAccount;
use crate::client::ChannelClient;
use crate::failure::{FailureKind, SendFailure};
use crate::outbound::{OutboundContent, Recipient, SentMessage};
use serde_json::{Value, json};

const MESSAGES: &str = "messages";

/// Sends a content. `by_person` says that somebody of the business wrote it, who may still answer
/// after 24 hours; a program never may.
pub(crate) async fn send(
    client: &ChannelClient,
    account: &ChannelAccount,
    to: &Recipient,
    content: &OutboundContent,
    by_person: bool,
) -> Result<SentMessage, SendFailure> {
    let to = customer(to)?;
    let messages = outgoing::messages(account.channel, content)?;
    let mut sent = None;
    for message in &messages {
        let outcome = deliver(client, account, to, message, by_person).await;
        sent = Some(match outcome {
            Err(failure) if sent.is_some() => return Err(halfway(failure)),
            outcome => outcome?,
        });
    }
    sent.ok_or_else(|| SendFailure::new(FailureKind::Rejected, None, "the message is empty"))
}

/// Marks what the customer wrote as seen, and shows that somebody is writing.
pub(crate) async fn mark_seen(
    client: &ChannelClient,
    account: &ChannelAccount,
    to: &Recipient,
    typing: bool,
) -> Result<(), SendFailure> {
    let to = customer(to)?;
    let actions = ["mark_seen", "typing_on"];
    for action in &actions[..=usize::from(typing)] {
        let body = json!({ "recipient": { "id": to }, "sender_action": action });
        graph::post(client, account, MESSAGES, &body)
            .await
            .map_err(graph::harmless)?;
    }
    Ok(())
}

fn customer(to: &Recipient) -> Result<&str, SendFailure> {
    let id = to.user_id.as_deref().filter(|id| !id.is_empty());
    id.ok_or_else(|| {
        let reason = "the customer has no id on this channel";
        SendFailure::new(FailureKind::Rejected, None, reason)
    })
}

/// Sends one message. The tag for people is used only where the window turned out to be closed.
async fn deliver(
    client: &ChannelClient,
    account: &ChannelAccount,
    to: &str,
    message: &Value,
    by_person: bool,
) -> Result<SentMessage, SendFailure> {
    let plain = outgoing::request(to, message, SendingTag::Response);
    let answer = match graph::post(client, account, MESSAGES, &plain).await {
        Err(closed) if by_person && closed.kind == FailureKind::WindowClosed => {
            let tagged = outgoing::request(to, message, SendingTag::HumanAgent);
            match graph::post(client, account, MESSAGES, &tagged).await {
                // The application may not use the tag. The window is still closed.
                Err(untagged) if is_without_tag(&untagged) => return Err(closed),
                answer => answer?,
            }
        }
        answer => answer?,
    };
    read(&answer, to)
}

const fn is_without_tag(failure: &SendFailure) -> bool {
    matches!(
        failure.kind,
        FailureKind::Rejected | FailureKind::Account | FailureKind::WindowClosed
    )
}

fn read(answer: &Value, to: &str) -> Result<SentMessage, SendFailure> {
    let text = |name| answer.get(name).and_then(Value::as_str);
    let Some(id) = text("message_id").filter(|id| !id.is_empty()) else {
        let reason = "the channel did not say which message it took";
        return Err(SendFailure::new(FailureKind::Unknown, None, reason));
    };
    Ok(SentMessage {
        id: id.to_owned(),
        recipient: Recipient {
            user_id: Some(text("recipient_id").unwrap_or(to).to_owned()),
            phone: None,
        },
    })
}

/// The words of a file went out and the file did not. Sending both again would repeat the words.
fn halfway(mut failure: SendFailure) -> SendFailure {
    if failure.may_pass() {
        failure.kind = FailureKind::Unknown;
    }
    failure.reason = format!(
        "the caption was sent and the file was not: {}",
        failure.reason
    );
    failure
}
