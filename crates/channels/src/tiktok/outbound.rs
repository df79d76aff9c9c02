//! What is asked of `TikTok`.

use super::errors::failure;
use super::fields::{LONGEST_ID, name, whole};
use crate::account::ChannelAccount;
use crate::client::{AccountReport, ChannelClient, broken, read_json};
use crate::failure::{FailureKind, SendFailure};
use crate::outbound::{ChoiceOption, OutboundContent, Recipient, SentMessage};
use reqwest::RequestBuilder;
use reqwest::header::HeaderValue;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use std::fmt::Write as _;
use url::Url;

/// The longest text of a message, in characters.
const LONGEST_MESSAGE: usize = 6_000;

/// Sends a message into a conversation.
pub(crate) async fn send(
    client: &ChannelClient,
    account: &ChannelAccount,
    to: &Recipient,
    content: &OutboundContent,
) -> Result<SentMessage, SendFailure> {
    let conversation_id = to.user_id.as_deref().filter(|id| !id.is_empty());
    let conversation_id = conversation_id.ok_or_else(|| {
        let reason = "there is no conversation to answer in";
        SendFailure::new(FailureKind::Unreachable, None, reason)
    })?;
    let body = json!({
        "business_id": account.account_id,
        "recipient_type": "CONVERSATION",
        "recipient": conversation_id,
        "message_type": "TEXT",
        "text": { "body": words(content)? },
    });
    let data = ask(post(client, account, "business/message/send/", &body)?).await?;
    let id = data["message"]["message_id"].as_str();
    let id = id.filter(|id| !id.is_empty() && id.chars().count() <= LONGEST_ID);
    let id = id.ok_or_else(|| {
        let reason = "TikTok took the message and did not say what it is called";
        SendFailure::new(FailureKind::Unknown, None, reason)
    })?;
    Ok(SentMessage {
        id: id.to_owned(),
        recipient: Recipient {
            user_id: Some(conversation_id.to_owned()),
            phone: None,
        },
    })
}

/// What the account is called, which also tells whether the key is good.
pub(crate) async fn report(
    client: &ChannelClient,
    account: &ChannelAccount,
) -> Result<AccountReport, SendFailure> {
    let fields = r#"["username","display_name"]"#;
    let query = [
        ("business_id", account.account_id.as_str()),
        ("fields", fields),
    ];
    let url = Url::parse_with_params(&address(client, "business/get/"), query)
        .map_err(|_| SendFailure::new(FailureKind::Account, None, "no address of TikTok is set"))?;
    let request = client.http.get(url).header("Access-Token", key(account)?);
    let data = ask(request).await?;
    Ok(AccountReport {
        name: name(&data["display_name"]).or_else(|| name(&data["username"])),
        quality: None,
        subscribed: None,
    })
}

/// A request that carries the key of the business.
pub(super) fn post(
    client: &ChannelClient,
    account: &ChannelAccount,
    path: &str,
    body: &Value,
) -> Result<RequestBuilder, SendFailure> {
    let request = client.http.post(address(client, path));
    Ok(request.header("Access-Token", key(account)?).json(body))
}

/// The data of an answer. One that is no success has status 200 too, with a code.
pub(super) async fn ask(request: RequestBuilder) -> Result<Value, SendFailure> {
    let response = request.send().await.map_err(|error| broken(&error))?;
    let (status, retry_after, mut body) = read_json(response).await?;
    if (200..300).contains(&status) && whole(&body["code"]) == Some(0) {
        return Ok(body["data"].take());
    }
    Err(failure(status, retry_after, &body))
}

/// The key as a header, which is not shown where requests are written down.
pub(super) fn key(account: &ChannelAccount) -> Result<HeaderValue, SendFailure> {
    let mut value = HeaderValue::from_str(account.token.expose_secret()).map_err(|_| {
        let reason = "the key has signs that no key has";
        SendFailure::new(FailureKind::Account, None, reason)
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// Every path of `TikTok` ends in a slash, and is not found without it.
fn address(client: &ChannelClient, path: &str) -> String {
    let endpoint = client.endpoints.tiktok.trim_end_matches('/');
    format!("{endpoint}/open_api/v1.3/{path}")
}

/// The words of a message. `TikTok` has cards with up to three buttons, but no more than 40 signs stand
/// on one, so things to tap are numbered in the text.
pub(super) fn words(content: &OutboundContent) -> Result<String, SendFailure> {
    let rejected = |reason: &str| Err(SendFailure::new(FailureKind::Rejected, None, reason));
    let text = match content {
        OutboundContent::Text { text } => text.clone(),
        OutboundContent::Choices { text, options, .. } => numbered(text, options),
        OutboundContent::Template(_) => return rejected("TikTok has no approved messages"),
        // A picture would have to be handed over as a file of its own, in some countries only.
        OutboundContent::Media(_) => return rejected("TikTok takes no file behind an address"),
    };
    if text.trim().is_empty() {
        return rejected("there is nothing in the message");
    }
    if text.chars().count() > LONGEST_MESSAGE {
        return rejected("the message is longer than 6,000 characters");
    }
    Ok(text)
}

fn numbered(text: &str, options: &[ChoiceOption]) -> String {
    let mut lines = text.trim_end().to_owned();
    lines.push('\n');
    for (number, option) in (1..).zip(options) {
        // Writing into a text does not fail.
        let _ = write!(lines, "\n{number}. {}", option.title);
        if let Some(description) = option.description.as_deref().filter(|d| !d.is_empty()) {
            let _ = write!(lines, " – {description}");
        }
    }
    lines.trim().to_owned()
}
