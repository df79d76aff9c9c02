//! What is kept around an agent's answers: one of everything in each tenant.

use crate::fixture::named;
use crate::fixture_customers::Customers;
use crate::material::ACTOR;
use quipu_core::agent::{Intent, Medium, Specialist};
use quipu_core::business::{Instruction, ItemKind};
use quipu_core::chat::Usage;
use quipu_core::conversation::{Conversation, ConversationStatus, Handoff};
use quipu_core::language::Language;
use quipu_core::lead::Channel;
use quipu_core::learning::Lesson;
use quipu_core::turn::{NewTurn, Trace};
use quipu_core::{AgentId, LearnedAnswerId, Timestamp, TurnId};
use quipu_store::TenantTx;
use quipu_store::tenant::PromptKey;
use serde_json::json;
use uuid::Uuid;

pub(crate) struct Mind {
    /// In the prompt.
    pub(crate) instruction: Uuid,
    /// About the customer, with an opinion. It is of the variant `a-variant` or `b-variant`.
    pub(crate) turn: TurnId,
    pub(crate) learned: LearnedAnswerId,
}

pub(crate) async fn fill(tx: &TenantTx, slug: &str, agent: AgentId, customers: &Customers) -> Mind {
    let new = instruction(&named(slug, "instruction"), 9);
    let instruction = tx.catalogue().insert(&new).await.unwrap();
    tx.prompt_places().take(instruction, 20).await.unwrap();
    let kind = ItemKind::Instruction;
    tx.catalogue()
        .count_told(kind, &[instruction])
        .await
        .unwrap();
    let key = prompt_key(agent);
    tx.prompts().put(key, "hash", 900).await.unwrap();
    let polished = named(slug, "polished");
    assert!(
        tx.prompts()
            .put_polished(key, "hash", &polished)
            .await
            .unwrap()
    );
    let new = NewTurn {
        conversation_id: Some(customers.conversation),
        lead_id: Some(customers.lead),
        variant: Some(named(slug, "variant")),
        ..turn(tx.now(), agent, &named(slug, "question"))
    };
    tx.turns().insert(&new).await.unwrap();
    tx.turns()
        .put_feedback(new.id, ACTOR, true, Some(&named(slug, "praise")))
        .await
        .unwrap();
    let there = conversation(customers, tx.now());
    let learned = tx.learned_answers();
    let first = learned
        .insert(&there, &lesson(&named(slug, "question")))
        .await;
    if slug == "a" {
        let second = lesson(&named(slug, "another"));
        learned.insert(&there, &second).await.unwrap();
    }
    Mind {
        instruction,
        turn: new.id,
        learned: first.unwrap(),
    }
}

pub(crate) fn prompt_key(agent: AgentId) -> PromptKey {
    PromptKey {
        agent,
        medium: Medium::Messaging,
        language: Language::Es,
    }
}

pub(crate) fn instruction(title: &str, priority: u8) -> Instruction {
    serde_json::from_value(json!({
        "type": "rule", "title": title, "content": title, "priority": priority,
        "include_in_prompt": true,
    }))
    .unwrap()
}

/// The conversation of the customer as whoever knows its id would have it.
pub(crate) fn conversation(customers: &Customers, now: Timestamp) -> Conversation {
    Conversation {
        id: customers.conversation,
        lead_id: customers.lead,
        agent_id: None,
        channel: Channel::Whatsapp,
        status: ConversationStatus::Open,
        handoff: Handoff::default(),
        last_message_at: None,
        created_at: now,
        updated_at: now,
    }
}

pub(crate) fn lesson(question: &str) -> Lesson {
    Lesson {
        question: question.to_owned(),
        answer: "Sí, en el sótano.".to_owned(),
    }
}

/// A turn of nobody in particular.
pub(crate) fn turn(now: Timestamp, agent: AgentId, question: &str) -> NewTurn {
    NewTurn {
        id: TurnId::generate(now),
        agent_id: agent,
        conversation_id: None,
        lead_id: None,
        owner: None,
        actor: ACTOR.to_owned(),
        variant: None,
        intent: Intent::Faq,
        specialist: Specialist::Faq,
        responder: "builtin".to_owned(),
        grounded: true,
        degraded: false,
        escalated: false,
        cost: None,
        question: question.to_owned(),
        answer: "Sí.".to_owned(),
        trace: Trace {
            usage: Usage {
                input_tokens: 100,
                output_tokens: 20,
                ..Usage::default()
            },
            elapsed_us: 1_000,
            ..Trace::default()
        },
    }
}
