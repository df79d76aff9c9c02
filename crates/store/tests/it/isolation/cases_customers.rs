//! The cases of what a tenant knows of its customers.

use super::cases::{Case, Kind, cases, everything};
use super::cases_mind::ever;
use crate::fixture_customers::{
    LARGE_ATTACHMENT, asked_for_a_person, new_attachment, new_conversation, new_lead, new_message,
};
use quipu_core::conversation::{ConversationFilter, ConversationStatus, HandoffMode, MessageRole};
use quipu_core::history::Subject;
use quipu_core::lead::{Channel, LeadChange, LeadFilter, Temperature};
use quipu_core::lead_merge::MovedRows;
use quipu_core::{AttachmentId, LeadId, MessageId, Timestamp};
use quipu_store::tenant::TemperatureCause;
use serde_json::json;
use std::time::Duration;
use uuid::Uuid;

pub(super) fn all() -> Vec<Case> {
    [
        leads(),
        conversations(),
        messages(),
        attachments(),
        history(),
        temperature_changes(),
        lead_merges(),
    ]
    .concat()
}

fn leads() -> Vec<Case> {
    cases! {
        Add "leads.insert" => |tx, a| {
            tx.leads().insert(&new_lead(a.slug, a.agent().id)).await? == a.customers.lead
        };
        // The database refuses a lead that is not there, or says that the identity is taken.
        Write "leads.add_identity" => |tx, a| {
            tx.leads().add_identity(a.customers.lead, &a.customers.identity).await.is_ok_and(|added| !added)
        };
        Read "leads.find" => |tx, a| tx.leads().find(a.customers.lead).await?.is_some();
        Write "leads.hold" => |tx, a| tx.leads().hold(a.customers.lead).await?;
        Write "leads.seal" => |tx, a| tx.leads().seal(a.customers.lead).await?.is_some();
        Write "leads.lock" => |tx, a| tx.leads().lock(a.customers.lead).await?.is_some();
        Read "leads.find_by_identity" => |tx, a| {
            tx.leads().find_by_identity(&a.customers.identity).await?.is_some()
        };
        Read "leads.list" => |tx, a| {
            let by_name = LeadFilter { text: Some(a.named("lead")), ..LeadFilter::default() };
            let by_agent = LeadFilter { agent_id: Some(a.agent().id), ..LeadFilter::default() };
            let known = LeadFilter { identity: Some(a.customers.identity.clone()), ..LeadFilter::default() };
            let mut found = false;
            for filter in [LeadFilter::default(), by_name, by_agent, known] {
                let listed = tx.leads().list(&filter, everything()).await?;
                found |= listed.data.iter().any(|lead| lead.id == a.customers.lead);
            }
            found
        };
        Write "leads.update" => |tx, a| {
            let change = LeadChange { name: Some(None), ..LeadChange::default() };
            tx.leads().update(a.customers.lead, &change, TemperatureCause::by("b")).await?
        };
        Write "leads.forget_agent" => |tx, a| tx.leads().forget_agent(a.agent().id).await? > 0;
        Write "leads.forget_branch" => |tx, a| tx.leads().forget_branch(a.business.branch.into()).await? > 0;
        Write "leads.remove_identity" => |tx, a| {
            tx.leads().remove_identity(a.customers.lead, &a.customers.identity).await?
        };
        Write "leads.delete" => |tx, a| tx.leads().delete(a.customers.lead).await?;
    }
}

fn conversations() -> Vec<Case> {
    cases! {
        Write "conversations.insert" => |tx, a| {
            let new = new_conversation(a.customers.lead, a.agent().id);
            tx.conversations().insert(&new).await.is_ok()
        };
        Read "conversations.find" => |tx, a| {
            tx.conversations().find(a.customers.conversation).await?.is_some()
        };
        Write "conversations.lock_latest" => |tx, a| {
            let (lead, agent) = (a.customers.lead, a.agent().id);
            let mut found = false;
            for channel in Channel::ALL {
                found |= tx.conversations().lock_latest(lead, agent, *channel).await?.is_some();
            }
            found
        };
        Write "conversations.lock" => |tx, a| {
            tx.conversations().lock(a.customers.conversation).await?.is_some()
        };
        Read "conversations.list" => |tx, a| {
            let of_lead = ConversationFilter { lead_id: Some(a.customers.lead), ..ConversationFilter::default() };
            let of_agent = ConversationFilter { agent_id: Some(a.agent().id), ..ConversationFilter::default() };
            let waiting = ConversationFilter { mode: Some(HandoffMode::PendingHuman), ..ConversationFilter::default() };
            let mut found = false;
            let named = ConversationFilter { text: Some(String::new()), ..ConversationFilter::default() };
            for filter in [ConversationFilter::default(), of_lead, of_agent, waiting, named] {
                let listed = tx.conversations().list(&filter, everything()).await?;
                found |= listed.data.iter().any(|row| row.conversation.id == a.customers.conversation);
            }
            found
        };
        Read "conversations.dialogue" => |tx, a| {
            tx.conversations().dialogue(a.customers.conversation).await?.is_some()
        };
        Write "conversations.keep_dialogue" => |tx, a| {
            let state = serde_json::json!({ "state": {}, "said": "theirs" });
            tx.conversations().keep_dialogue(a.customers.conversation, &state).await?
        };
        Write "conversations.set_handoff" => |tx, a| {
            let handoff = asked_for_a_person("b");
            tx.conversations().set_handoff(a.customers.conversation, &handoff).await?
        };
        Write "conversations.set_status" => |tx, a| {
            let closed = ConversationStatus::Closed;
            tx.conversations().set_status(a.customers.conversation, closed).await?
        };
        Write "conversations.touch" => |tx, a| {
            tx.conversations().touch(a.customers.conversation).await?
        };
        Write "conversations.forget_agent" => |tx, a| {
            tx.conversations().forget_agent(a.agent().id).await? > 0
        };
    }
}

fn messages() -> Vec<Case> {
    cases! {
        Write "messages.insert" => |tx, a| {
            tx.messages().insert(a.customers.conversation, &new_message("intruder")).await.is_ok()
        };
        Read "messages.role_of" => |tx, a| {
            tx.messages().role_of(a.customers.message).await?.is_some()
        };
        Read "messages.list" => |tx, a| {
            let listed = tx.messages().list(a.customers.conversation, &[], everything()).await?;
            !listed.data.is_empty()
        };
        Read "messages.recent" => |tx, a| {
            let roles = [MessageRole::User];
            !tx.messages().recent(a.customers.conversation, 10, &roles).await?.is_empty()
        };
        Read "messages.since" => |tx, a| {
            let (first, roles) = (MessageId::from_uuid(Uuid::nil()), [MessageRole::User]);
            !tx.messages().since(a.customers.conversation, first, &roles, 10).await?.is_empty()
        };
        Read "messages.between" => |tx, a| {
            let (from, to) = (Timestamp::UNIX_EPOCH, a.now + Duration::from_hours(1));
            let said = tx.messages();
            !said.between(a.customers.conversation, &[], from, to, 10).await?.is_empty()
        };
        Read "messages.conversations_between" => |tx, a| {
            let (from, to) = (Timestamp::UNIX_EPOCH, a.now + Duration::from_hours(1));
            let said = tx.messages();
            !said.conversations_between(a.agent().id, from, to, 10).await?.is_empty()
        };
    }
}

fn attachments() -> Vec<Case> {
    cases! {
        Write "attachments.insert" => |tx, a| {
            let (lead, conversation) = (a.customers.lead, a.customers.conversation);
            let new = new_attachment("b", lead, conversation, AttachmentId::generate(a.now));
            tx.attachments().insert(conversation, &new).await.is_ok()
        };
        Read "attachments.find" => |tx, a| {
            tx.attachments().find(a.customers.attachment).await?.is_some()
        };
        Read "attachments.list" => |tx, a| {
            let listed = tx.attachments().list(a.customers.conversation, everything()).await?;
            !listed.data.is_empty()
        };
        Read "attachments.count" => |tx, a| {
            tx.attachments().count(a.customers.conversation).await? > 0
        };
        Read "attachments.bytes" => |tx, _a| {
            i64::try_from(tx.attachments().bytes().await?).unwrap() >= LARGE_ATTACHMENT
        };
    }
}

fn history() -> Vec<Case> {
    cases! {
        Add "history.add" => |tx, a| {
            let id = a.customers.conversation.uuid();
            tx.history().add(Subject::Conversation, id, "intrusion", "b", json!({})).await?;
            false
        };
        Read "conversations.begun" => |tx, a| {
            let begun = tx.conversations().begun(&ever(a).into()).await?;
            begun.iter().any(|of_stretch| !of_stretch.is_empty())
        };
        Read "history.handoff_waits" => |tx, a| {
            !tx.history().handoff_waits(ever(a)).await?.is_empty()
        };
        Read "history.of" => |tx, a| {
            let id = a.customers.conversation.uuid();
            !tx.history().of(Subject::Conversation, id).await?.is_empty()
        };
    }
}

fn temperature_changes() -> Vec<Case> {
    cases! {
        Write "temperature_changes.add" => |tx, a| {
            let (before, after) = (Some(Temperature::Hot), Some(Temperature::Cold));
            let changes = tx.temperature_changes();
            changes.add(a.customers.lead, before, after, TemperatureCause::by("b")).await.is_ok()
        };
        Read "temperature_changes.list" => |tx, a| {
            let listed = tx.temperature_changes().list(a.customers.lead, everything()).await?;
            !listed.data.is_empty()
        };
    }
}

fn lead_merges() -> Vec<Case> {
    cases! {
        Read "lead_merges.find" => |tx, a| {
            tx.lead_merges().find(a.customers.merged).await?.is_some()
        };
        Read "lead_merges.of" => |tx, a| !tx.lead_merges().of(a.customers.lead).await?.is_empty();
        Write "lead_merges.hold" => |tx, a| {
            tx.lead_merges().hold(a.sales.lead).await? > 0
        };
        Write "lead_merges.add" => |tx, a| {
            let gone = LeadId::generate(a.now);
            let merges = tx.lead_merges();
            merges.add(gone, a.customers.lead, &MovedRows::default(), "b").await.is_ok()
        };
        Write "lead_merges.move_all" => |tx, a| {
            let moved = tx.lead_merges().move_all(a.sales.lead, a.customers.lead).await;
            moved.is_ok_and(|moved| moved != MovedRows::default())
        };
    }
}
