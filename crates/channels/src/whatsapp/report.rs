//! A number, as WhatsApp describes it.

use super::fields::name;
use super::graph;
use crate::account::ChannelAccount;
use crate::client::{AccountReport, ChannelClient};
use crate::failure::SendFailure;
use serde_json::Value;

const FIELDS: &str = "display_phone_number,verified_name,quality_rating";

/// What WhatsApp says of a number, which also tells whether the key is good.
///
/// # Errors
/// What WhatsApp said.
pub(crate) async fn report(
    client: &ChannelClient,
    account: &ChannelAccount,
) -> Result<AccountReport, SendFailure> {
    let query = [("fields", FIELDS)];
    let number = graph::get(client, account, &[&account.account_id], &query).await?;
    Ok(AccountReport {
        name: name(&number, "display_phone_number").or_else(|| name(&number, "verified_name")),
        quality: name(&number, "quality_rating"),
        subscribed: subscribed(client, account).await?,
    })
}

/// Deliveries belong to the account that holds the number, so nothing tells where it is not known.
async fn subscribed(
    client: &ChannelClient,
    account: &ChannelAccount,
) -> Result<Option<bool>, SendFailure> {
    let Some(parent_id) = account.parent_id.as_deref() else {
        return Ok(None);
    };
    let answer = graph::get(client, account, &[parent_id, "subscribed_apps"], &[]).await?;
    let apps = answer.get("data").and_then(Value::as_array);
    Ok(apps.map(|apps| !apps.is_empty()))
}
