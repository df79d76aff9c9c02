//! The customer an agent talks to, and handing them to a person.

use super::Turn;
use super::naming::wrong;
use crate::{conversations, leads};
use quipu_agents::tool::arguments::{Escalation, LeadInfo};
use quipu_core::{Error, ErrorCode, Result};
use serde_json::{Value, json};

pub(super) async fn update(turn: &Turn<'_>, asked: LeadInfo) -> Result<Value> {
    let lead = turn.lead()?.id;
    if asked.name.is_none() && asked.email.is_none() && asked.phone.is_none() {
        return Err(wrong(
            "name",
            "no hay nada que guardar: indica name, email o phone".to_owned(),
            "there is nothing to keep: give name, email or phone".to_owned(),
        ));
    }
    let input = leads::UpdateLead {
        name: asked.name.map(Some),
        email: asked.email.map(Some),
        phone: asked.phone.map(Some),
        ..leads::UpdateLead::default()
    };
    let updated = leads::update_in(turn.tx, turn.scene.actor, lead, input).await?;
    Ok(json!({
        "success": true,
        "updated_fields": updated,
    }))
}

pub(super) async fn escalate(turn: &Turn<'_>, asked: &Escalation) -> Result<Value> {
    let Some(conversation) = turn.conversation_id() else {
        return Err(Error::new(ErrorCode::ConversationRequired));
    };
    let by = turn.by();
    let changed = conversations::request_handoff(turn.tx, conversation, &asked.reason, &by).await?;
    Ok(json!({
        "success": true,
        "handoff_mode": changed.handoff.mode,
        "message": turn.says(
            "Una persona del equipo seguirá con la conversación.".to_owned(),
            "Somebody of the team will go on with the conversation.".to_owned(),
        ),
    }))
}
