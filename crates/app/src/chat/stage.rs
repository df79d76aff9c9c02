//! Who talks to an agent in a rehearsal.

use crate::tools::Scene;
use quipu_core::agent::Agent;
use quipu_core::conversation::{Conversation, ConversationStatus, Handoff, NewConversation};
use quipu_core::lead::{Channel, Lead, NewLead};
use quipu_core::{ConversationId, Error, LeadId, Result, Timestamp};
use quipu_store::TenantTx;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The customer and the conversation of a rehearsal: those of a conversation that is played again, or
/// made-up ones, which are there inside the transactions of the rehearsal and nowhere else.
pub(crate) struct RehearsalStage {
    lead: Mutex<Lead>,
    conversation: Conversation,
    made_up: bool,
}

impl RehearsalStage {
    /// A customer whom nobody knows yet.
    pub(crate) fn made_up(agent: &Agent, now: Timestamp) -> Self {
        let lead = Lead {
            id: LeadId::generate(now),
            name: None,
            email: None,
            phone: None,
            temperature: None,
            tags: Vec::new(),
            notes: None,
            agent_id: Some(agent.id),
            branch_id: None,
            token_balance: 0,
            identities: Vec::new(),
            created_at: now,
            updated_at: now,
        };
        let conversation = Conversation {
            id: ConversationId::generate(now),
            lead_id: lead.id,
            agent_id: Some(agent.id),
            channel: Channel::Web,
            status: ConversationStatus::Open,
            handoff: Handoff::default(),
            last_message_at: None,
            created_at: now,
            updated_at: now,
        };
        Self {
            lead: Mutex::new(lead),
            conversation,
            made_up: true,
        }
    }

    /// The customer of a conversation that took place.
    pub(crate) fn of(lead: Lead, mut conversation: Conversation) -> Self {
        // Whoever answers it by now, the agent answers it again.
        conversation.handoff = Handoff::default();
        Self {
            lead: Mutex::new(lead),
            conversation,
            made_up: false,
        }
    }

    pub(crate) const fn is_made_up(&self) -> bool {
        self.made_up
    }

    pub(super) fn lead(&self) -> Lead {
        self.known().clone()
    }

    pub(super) const fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    fn known(&self) -> MutexGuard<'_, Lead> {
        self.lead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts the customer and the conversation into a transaction, which must be one of a rehearsal.
    pub(crate) async fn enter(&self, tx: &TenantTx) -> Result<Cast> {
        let lead = self.lead();
        let id = self.conversation.id;
        if !self.made_up {
            tx.conversations()
                .set_handoff(id, &Handoff::default())
                .await?;
            let conversation = self.conversation.clone();
            return Ok(Cast { lead, conversation });
        }
        let new = NewLead {
            name: lead.name,
            email: lead.email,
            phone: lead.phone,
            agent_id: lead.agent_id,
            branch_id: lead.branch_id,
            ..NewLead::default()
        };
        let lead_id = tx.leads().insert(&new).await?;
        let new = NewConversation {
            lead_id,
            agent_id: self.conversation.agent_id,
            channel: self.conversation.channel,
        };
        let id = tx.conversations().insert(&new).await?;
        let lead = tx.leads().find(lead_id).await?;
        let conversation = tx.conversations().find(id).await?;
        match (lead, conversation) {
            (Some(lead), Some(conversation)) => Ok(Cast { lead, conversation }),
            _ => Err(Error::internal("a made-up customer vanished")),
        }
    }

    /// Remembers what a tool has written down of the customer, for the rest of the rehearsal.
    pub(crate) async fn remember(&self, tx: &TenantTx, cast: &Cast) -> Result<()> {
        if let Some(changed) = tx.leads().find(cast.lead.id).await? {
            let mut known = self.known();
            known.name = changed.name;
            known.email = changed.email;
            known.phone = changed.phone;
        }
        Ok(())
    }
}

/// A customer and a conversation that are there in a transaction.
pub(crate) struct Cast {
    lead: Lead,
    conversation: Conversation,
}

impl Cast {
    pub(crate) const fn in_scene<'a>(&'a self, scene: Scene<'a>) -> Scene<'a> {
        Scene {
            lead: Some(&self.lead),
            conversation: Some(&self.conversation),
            ..scene
        }
    }
}
