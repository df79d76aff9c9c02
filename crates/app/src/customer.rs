//! Whose order or request it is.

use quipu_core::lead::Lead;
use quipu_core::{ConversationId, Error, LeadId, Result};
use quipu_store::TenantTx;

/// The lead, who is that of the conversation where only that is named.
///
/// # Errors
/// `NOT_FOUND` when there is no such lead or conversation, or the conversation is somebody else's.
pub(crate) async fn known(
    tx: &TenantTx,
    lead: Option<LeadId>,
    conversation: Option<ConversationId>,
) -> Result<Option<Lead>> {
    let lead = match conversation {
        None => lead,
        Some(conversation) => {
            let of = tx.conversations().find(conversation).await?;
            let of = of.map(|conversation| conversation.lead_id);
            let of = of.filter(|of| lead.is_none_or(|lead| lead == *of));
            Some(of.ok_or_else(|| Error::not_found("conversation"))?)
        }
    };
    let Some(lead) = lead else {
        return Ok(None);
    };
    let found = tx.leads().find(lead).await?;
    let found = found.ok_or_else(|| Error::not_found("lead"))?;
    Ok(Some(found))
}
