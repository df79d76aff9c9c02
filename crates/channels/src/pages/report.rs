//! What Graph says of a page or an account.

use super::graph;
use crate::account::ChannelAccount;
use crate::client::{AccountReport, ChannelClient};
use crate::failure::SendFailure;
use quipu_core::lead::Channel;
use serde_json::Value;

const LONGEST_NAME: usize = 100;

pub(crate) async fn report(
    client: &ChannelClient,
    account: &ChannelAccount,
) -> Result<AccountReport, SendFailure> {
    let field = if account.channel == Channel::Instagram {
        "username"
    } else {
        "name"
    };
    let about = graph::get(client, account, None, Some(field)).await?;
    let name = about.get(field).and_then(Value::as_str);
    // The key may be good for messages and not for asking this.
    let programs = graph::get(client, account, Some("subscribed_apps"), None).await;
    Ok(AccountReport {
        name: name.map(|name| name.chars().take(LONGEST_NAME).collect()),
        quality: None,
        subscribed: programs.ok().as_ref().and_then(is_subscribed),
    })
}

/// Whether some program is told of messages. Where its fields are not listed it is told of them.
pub(super) fn is_subscribed(programs: &Value) -> Option<bool> {
    let programs = programs.get("data")?.as_array()?;
    let hears = |program: &Value| match program.get("subscribed_fields") {
        Some(Value::Array(fields)) => fields.iter().any(|field| field == "messages"),
        _ => true,
    };
    Some(programs.iter().any(hears))
}
