//! What a tenant knows of its customers: one of everything in each tenant.

use crate::fixture::named;
use crate::material::ACTOR;
use quipu_core::conversation::{
    AttachmentType, Handoff, HandoffMode, MessageRole, NewAttachment, NewConversation, NewMessage,
};
use quipu_core::history::Subject;
use quipu_core::lead::{Channel, Identity, NewLead, Temperature};
use quipu_core::lead_merge::MovedRows;
use quipu_core::{AgentId, AttachmentId, ConversationId, LeadId, MessageId};
use quipu_store::tenant::TemperatureCause;
use quipu_store::{Originals, TenantTx};
use serde_json::json;

pub(crate) struct Customers {
    pub(crate) lead: LeadId,
    pub(crate) identity: Identity,
    /// Where a person was asked for, with a message, an attachment and a history.
    pub(crate) conversation: ConversationId,
    pub(crate) message: MessageId,
    pub(crate) attachment: AttachmentId,
    /// Somebody who turned out to be the lead.
    pub(crate) merged: LeadId,
}

/// The size of A's attachment, which is larger than B's.
pub(crate) const LARGE_ATTACHMENT: i64 = 1000;

pub(crate) async fn fill(tx: &TenantTx, slug: &str, agent: AgentId) -> Customers {
    let lead = tx.leads().insert(&new_lead(slug, agent)).await.unwrap();
    let identity = Identity {
        channel: Channel::Whatsapp,
        external_id: named(slug, "number"),
    };
    assert!(tx.leads().add_identity(lead, &identity).await.unwrap());
    let new = new_conversation(lead, agent);
    let conversation = tx.conversations().insert(&new).await.unwrap();
    let handoff = asked_for_a_person(slug);
    tx.conversations()
        .set_handoff(conversation, &handoff)
        .await
        .unwrap();
    let dialogue = json!({ "state": {}, "said": slug });
    tx.conversations()
        .keep_dialogue(conversation, &dialogue)
        .await
        .unwrap();
    let new = new_message(&named(slug, "message"));
    let said = tx.messages().insert(conversation, &new).await.unwrap();
    let attachment = AttachmentId::generate(tx.now());
    let new = NewAttachment {
        size_bytes: if slug == "a" { LARGE_ATTACHMENT } else { 1 },
        ..new_attachment(slug, lead, conversation, attachment)
    };
    tx.attachments().insert(conversation, &new).await.unwrap();
    let id = conversation.uuid();
    for happened in ["asked", "handoff_requested", "handoff_taken"] {
        tx.history()
            .add(Subject::Conversation, id, happened, ACTOR, json!({}))
            .await
            .unwrap();
    }
    let merged = LeadId::generate(tx.now());
    let moved = MovedRows {
        conversations: 1,
        ..MovedRows::default()
    };
    tx.lead_merges()
        .add(merged, lead, &moved, ACTOR)
        .await
        .unwrap();
    tx.temperature_changes()
        .add(
            lead,
            None,
            Some(Temperature::Hot),
            TemperatureCause::by(ACTOR),
        )
        .await
        .unwrap();
    Customers {
        lead,
        identity,
        conversation,
        message: said.id,
        attachment,
        merged,
    }
}

pub(crate) fn new_lead(slug: &str, agent: AgentId) -> NewLead {
    NewLead {
        name: Some(named(slug, "lead")),
        temperature: Some(Temperature::Hot),
        agent_id: Some(agent),
        ..NewLead::default()
    }
}

pub(crate) fn new_conversation(lead: LeadId, agent: AgentId) -> NewConversation {
    NewConversation {
        lead_id: lead,
        agent_id: Some(agent),
        channel: Channel::Whatsapp,
    }
}

pub(crate) fn asked_for_a_person(slug: &str) -> Handoff {
    Handoff {
        mode: HandoffMode::PendingHuman,
        reason: Some(named(slug, "reason")),
        by: Some(ACTOR.to_owned()),
        ..Handoff::default()
    }
}

pub(crate) fn new_message(text: &str) -> NewMessage {
    NewMessage {
        role: MessageRole::User,
        author: ACTOR.to_owned(),
        text: text.to_owned(),
        metadata: json!({}),
    }
}

pub(crate) fn new_attachment(
    slug: &str,
    lead: LeadId,
    conversation: ConversationId,
    id: AttachmentId,
) -> NewAttachment {
    let filename = named(slug, "photo.png");
    NewAttachment {
        id,
        storage_path: Originals::attachment_path(lead, conversation, id, &filename),
        filename,
        file_type: AttachmentType::Png,
        size_bytes: 1,
    }
}
