//! Joining two leads who are the same person.

use super::identities::MAX_IDENTITIES;
use super::{MAX_NOTES_CHARS, load, target};
use crate::documents::MAX_TAGS;
use crate::once::{self, Once};
use crate::{Actor, App};
use quipu_commerce::loyalty::MAX_TOKENS;
use quipu_core::access::Permission;
use quipu_core::lead::{Lead, LeadChange};
use quipu_core::lead_merge::{LeadField, MergedLead, joined};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, LeadId, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::TemperatureCause;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeLead {
    /// Who is gone afterwards. Everything of theirs becomes that of the lead who stays.
    pub other_lead_id: LeadId,
    /// What is taken from them although the lead who stays has it too.
    #[serde(default)]
    #[schema(max_items = 6)]
    pub take: Vec<LeadField>,
}

/// Makes two leads one. Whoever asks again for what was done is told the same.
///
/// # Errors
/// `VALIDATION_FAILED` for a lead that is to be joined with itself, or when both together have more
/// than one may have; `NOT_FOUND` when the tenant has no such lead.
pub async fn merge(
    app: &App,
    actor: &Actor,
    stays: LeadId,
    input: MergeLead,
) -> Result<MergedLead> {
    actor.require(Permission::CustomersWrite)?;
    let mut checks = Checks::new();
    if input.other_lead_id == stays {
        checks.problem("other_lead_id", Problem::Duplicate);
    }
    if input.take.len() > LeadField::ALL.len() {
        let max = LeadField::ALL.len();
        checks.problem("take", Problem::TooMany { max });
    }
    checks.finish()?;
    let request = (stays, &input);
    let tx = match once::begin(app, actor, "lead.merge", &request).await? {
        Once::Again(merged) => return Ok(merged),
        Once::First(tx) => tx,
    };
    let gone = input.other_lead_id;
    if let Some((lead, moved)) = tx.lead_merges().find(gone).await?
        && lead == stays
    {
        let lead = load(&tx, stays).await?;
        let merged_id = gone;
        return Ok(MergedLead {
            lead,
            merged_id,
            moved,
        });
    }
    tx.lead_merges().hold(gone).await?;
    let (lead, other) = lock_both(&tx, stays, gone).await?;
    let change = joined(&lead, &other, &input.take);
    check_room(&lead, &other, &change)?;
    let moved = tx.lead_merges().move_all(gone, stays).await?;
    tx.leads().delete(gone).await?;
    let by = actor.name();
    let cause = TemperatureCause::by(&by);
    tx.leads().update(stays, &change, cause).await?;
    tx.lead_merges().add(gone, stays, &moved, &by).await?;
    // Ids and numbers, and not what they are: a deleted lead leaves nothing behind.
    let details = json!({ "merged": gone, "taken": input.take, "moved": moved });
    actor
        .audit(&tx, "lead.merge", target(stays), details)
        .await?;
    let merged = MergedLead {
        lead: load(&tx, stays).await?,
        merged_id: gone,
        moved,
    };
    tx.commit(&merged).await?;
    Ok(merged)
}

/// The lower id first, so that two who join the same leads the other way round do not wait for each
/// other.
async fn lock_both(tx: &TenantTx, stays: LeadId, gone: LeadId) -> Result<(Lead, Lead)> {
    let leads = tx.leads();
    let (lead, other) = if stays < gone {
        let lead = leads.lock(stays).await?;
        (lead, leads.seal(gone).await?)
    } else {
        let other = leads.seal(gone).await?;
        (leads.lock(stays).await?, other)
    };
    let missing = || Error::not_found("lead");
    Ok((lead.ok_or_else(missing)?, other.ok_or_else(missing)?))
}

/// What two have together may be more than one may have; nothing of it is dropped unasked.
fn check_room(lead: &Lead, other: &Lead, change: &LeadChange) -> Result<()> {
    let mut checks = Checks::new();
    if lead.identities.len() + other.identities.len() > MAX_IDENTITIES {
        let max = MAX_IDENTITIES;
        checks.problem("identities", Problem::TooMany { max });
    }
    if change
        .tags
        .as_ref()
        .is_some_and(|tags| tags.len() > MAX_TAGS)
    {
        checks.problem("tags", Problem::TooMany { max: MAX_TAGS });
    }
    let notes = change.notes.as_ref().and_then(Option::as_ref);
    if notes.is_some_and(|notes| notes.chars().count() > MAX_NOTES_CHARS) {
        let max = MAX_NOTES_CHARS;
        checks.problem("notes", Problem::TooLong { max });
    }
    let room = MAX_TOKENS - lead.token_balance;
    if other.token_balance > room {
        checks.problem("token_balance", Problem::NoRoom { room });
    }
    checks.finish()
}
