//! The templates of an account.

use super::fields::filled;
use super::graph;
use crate::account::ChannelAccount;
use crate::client::{ChannelClient, ChannelTemplate};
use crate::failure::{FailureKind, SendFailure};
use serde_json::Value;

const FIELDS: &str = "id,name,language,status,category,components";
const MOST_PAGES: usize = 10;

/// Every template of the account that holds the number, up to a thousand.
///
/// # Errors
/// What WhatsApp said, or `Rejected` where that account is not known.
pub(crate) async fn templates(
    client: &ChannelClient,
    account: &ChannelAccount,
) -> Result<Vec<ChannelTemplate>, SendFailure> {
    let parent_id = account.parent_id.as_deref().ok_or_else(|| {
        let reason = "the account that holds the number is not known";
        SendFailure::new(FailureKind::Rejected, None, reason)
    })?;
    let mut templates = Vec::new();
    let mut after = String::new();
    for _ in 0..MOST_PAGES {
        let mut query = vec![("fields", FIELDS), ("limit", "100")];
        if !after.is_empty() {
            query.push(("after", after.as_str()));
        }
        let path = [parent_id, "message_templates"];
        let page = graph::get(client, account, &path, &query).await?;
        let items = page.get("data").and_then(Value::as_array);
        let items = items.map_or(&[][..], Vec::as_slice);
        templates.extend(items.iter().filter_map(template));
        match page
            .pointer("/paging/cursors/after")
            .and_then(Value::as_str)
        {
            Some(next) if !items.is_empty() && next != after => next.clone_into(&mut after),
            _ => break,
        }
    }
    Ok(templates)
}

fn template(item: &Value) -> Option<ChannelTemplate> {
    let field = |key: &str| filled(item, key).map(str::to_owned);
    let components = item.get("components").and_then(Value::as_array);
    let components = components.map_or(&[][..], Vec::as_slice);
    let component = |kind: &str| {
        let mut named = components.iter();
        named.find(|component| filled(component, "type") == Some(kind))
    };
    let body = component("BODY").and_then(|body| filled(body, "text"));
    let buttons = component("BUTTONS").and_then(|buttons| buttons.get("buttons")?.as_array());
    let replies = buttons.map_or(0, |buttons| {
        let is_reply = |button: &&Value| filled(button, "type") == Some("QUICK_REPLY");
        buttons.iter().filter(is_reply).count()
    });
    Some(ChannelTemplate {
        id: field("id")?,
        name: field("name")?,
        language: field("language")?,
        status: field("status")?,
        category: field("category")?,
        body: body.unwrap_or_default().to_owned(),
        reply_buttons: replies,
    })
}
