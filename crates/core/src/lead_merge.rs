//! Two customers who turn out to be one.

use crate::lead::{Lead, LeadChange, words};
use crate::{LeadId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

words! {
    /// What there can be only one of.
    LeadField {
        Name = "name",
        Email = "email",
        Phone = "phone",
        Temperature = "temperature",
        Agent = "agent_id",
        Branch = "branch_id",
    }
}

/// What went over to the customer who stays, table by table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MovedRows {
    pub identities: u64,
    pub conversations: u64,
    /// How connections of channels know them.
    #[serde(default)]
    pub channel_contacts: u64,
    pub appointments: u64,
    pub orders: u64,
    pub invoice_requests: u64,
    pub redemptions: u64,
    /// Lines of the ledger of tokens.
    pub loyalty_transactions: u64,
    pub tool_calls: u64,
    /// Questions and answers with the steps in between.
    pub turns: u64,
    pub temperature_changes: u64,
    /// Answers that were kept under the keys of requests, to be given again.
    pub kept_answers: u64,
    /// What programs of the business were told or are to be told.
    #[serde(default)]
    pub events: u64,
    /// Customers who had been joined with the one who is gone.
    pub lead_merges: u64,
}

/// What joining two customers answers with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MergedLead {
    /// The one who stays, as they are now.
    pub lead: Lead,
    /// The one who is gone.
    pub merged_id: LeadId,
    pub moved: MovedRows,
}

/// What becomes of the one who stays. What they do not have comes from the other, and so does what is
/// taken from there; tags and notes are those of both.
#[must_use]
pub fn joined(stays: &Lead, other: &Lead, taken: &[LeadField]) -> LeadChange {
    let wins = |field, has: bool, other_has: bool| other_has && (!has || taken.contains(&field));
    let name = wins(LeadField::Name, stays.name.is_some(), other.name.is_some());
    let email = wins(
        LeadField::Email,
        stays.email.is_some(),
        other.email.is_some(),
    );
    let phone = wins(
        LeadField::Phone,
        stays.phone.is_some(),
        other.phone.is_some(),
    );
    let (warm, their_warm) = (stays.temperature.is_some(), other.temperature.is_some());
    let temperature = wins(LeadField::Temperature, warm, their_warm);
    let agent = wins(
        LeadField::Agent,
        stays.agent_id.is_some(),
        other.agent_id.is_some(),
    );
    let branch = wins(
        LeadField::Branch,
        stays.branch_id.is_some(),
        other.branch_id.is_some(),
    );
    let mut tags = stays.tags.clone();
    tags.extend(
        other
            .tags
            .iter()
            .filter(|tag| !stays.tags.contains(tag))
            .cloned(),
    );
    tags.sort();
    let notes = match (&stays.notes, &other.notes) {
        (Some(ours), Some(theirs)) if ours != theirs => Some(Some(format!("{ours}\n\n{theirs}"))),
        (None, Some(theirs)) => Some(Some(theirs.clone())),
        _ => None,
    };
    LeadChange {
        name: name.then(|| other.name.clone()),
        email: email.then(|| other.email.clone()),
        phone: phone.then(|| other.phone.clone()),
        temperature: temperature.then_some(other.temperature),
        tags: Some(tags),
        notes,
        agent_id: agent.then_some(other.agent_id),
        branch_id: branch.then_some(other.branch_id),
    }
}

/// Two ledgers as one, in the order of time, each keeping its own order: no sum on the way falls below
/// zero, because none of either did.
#[must_use]
pub fn interleaved<T>(ours: Vec<T>, theirs: Vec<T>, at: impl Fn(&T) -> Timestamp) -> Vec<T> {
    let mut lines = Vec::with_capacity(ours.len() + theirs.len());
    let (mut ours, mut theirs) = (ours.into_iter().peekable(), theirs.into_iter().peekable());
    loop {
        let later = match (ours.peek(), theirs.peek()) {
            (Some(our), Some(their)) => at(their) < at(our),
            (None, Some(_)) => true,
            (_, None) => false,
        };
        let Some(line) = (if later { theirs.next() } else { ours.next() }) else {
            return lines;
        };
        lines.push(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead::Temperature;

    fn lead(name: Option<&str>) -> Lead {
        let now = Timestamp::UNIX_EPOCH;
        Lead {
            id: LeadId::generate(now),
            name: name.map(str::to_owned),
            email: None,
            phone: None,
            temperature: None,
            tags: Vec::new(),
            notes: None,
            agent_id: None,
            branch_id: None,
            token_balance: 0,
            identities: Vec::new(),
            created_at: now,
            updated_at: now,
        }
    }

    #[test]
    fn who_stays_keeps_what_they_have_unless_it_is_taken_from_the_other() {
        let mut stays = lead(Some("Ana"));
        stays.tags = vec!["vip".to_owned()];
        stays.notes = Some("De tarde.".to_owned());
        let mut other = lead(Some("Anita"));
        other.email = Some("ana@correo.pe".to_owned());
        other.temperature = Some(Temperature::Hot);
        other.tags = vec!["nueva".to_owned(), "vip".to_owned()];
        other.notes = Some("Paga en efectivo.".to_owned());
        let change = joined(&stays, &other, &[]);
        assert_eq!(change.name, None);
        assert_eq!(change.email, Some(other.email.clone()));
        assert_eq!(change.phone, None, "nobody has one");
        assert_eq!(change.temperature, Some(Some(Temperature::Hot)));
        assert_eq!(
            change.tags,
            Some(vec!["nueva".to_owned(), "vip".to_owned()])
        );
        assert_eq!(
            change.notes,
            Some(Some("De tarde.\n\nPaga en efectivo.".to_owned()))
        );
        let taken = joined(&stays, &other, &[LeadField::Name, LeadField::Phone]);
        assert_eq!(taken.name, Some(Some("Anita".to_owned())));
        assert_eq!(taken.phone, None, "nothing is emptied");
    }
}
