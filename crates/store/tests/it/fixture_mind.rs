//! What is kept around an agent's answers: one of everything in each tenant.

use crate::fixture::named;
use crate::fixture_customers::Customers;
use crate::material::ACTOR;
use quipu_commerce::business::{Instruction, ItemKind};
use quipu_core::agent::{
    Agent, AgentConfiguration, AgentSettings, Intent, Medium, Specialist, VersionOrigin, Vertical,
};
use quipu_core::chat::Usage;
use quipu_core::conversation::{Conversation, ConversationStatus, Handoff};
use quipu_core::gap::{GapDecision, GapStatus};
use quipu_core::language::Language;
use quipu_core::lead::Channel;
use quipu_core::learning::Lesson;
use quipu_core::rehearsal::{
    NewRehearsalResult, NewRehearsalRun, NewRehearsalScript, RehearsalPiece, RehearsalState,
    RehearsalTarget, RehearsedAnswer, ScriptStep, StepExpectations,
};
use quipu_core::turn::{NewTurn, Step, Trace};
use quipu_core::{
    AgentId, LearnedAnswerId, RehearsalResultId, RehearsalRunId, RehearsalScriptId, Timestamp,
    TurnId,
};
use quipu_store::TenantTx;
use quipu_store::tenant::{NewDraft, NewVersion, PromptKey};
use serde_json::json;
use uuid::Uuid;

pub(crate) struct Mind {
    /// In the prompt.
    pub(crate) instruction: Uuid,
    /// About the customer, with an opinion. It is of the variant `a-variant` or `b-variant`.
    pub(crate) turn: TurnId,
    /// Nobody could answer it, and somebody let it be.
    pub(crate) in_vain: TurnId,
    pub(crate) learned: LearnedAnswerId,
    pub(crate) script: RehearsalScriptId,
    /// Played to its end, with an answer in the conversation of the customer and one of the script.
    pub(crate) rehearsal: RehearsalRunId,
    pub(crate) rehearsed: RehearsalResultId,
    /// One that has not ended.
    pub(crate) waiting: RehearsalRunId,
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
    let configuration = configuration(&named(slug, "configuration"));
    let new = version_of(&configuration);
    tx.agent_versions().insert(agent, &new).await.unwrap();
    let new = draft_of(&configuration);
    tx.agent_drafts().put(agent, &new).await.unwrap();
    let new = NewTurn {
        conversation_id: Some(customers.conversation),
        lead_id: Some(customers.lead),
        variant: Some(named(slug, "variant")),
        ..turn(tx.now(), agent, &named(slug, "question"))
    };
    let new = NewTurn {
        trace: with_a_tool(new.trace),
        ..new
    };
    tx.turns().insert(&new).await.unwrap();
    let asked = new.id;
    tx.turns()
        .put_feedback(new.id, ACTOR, true, Some(&named(slug, "praise")))
        .await
        .unwrap();
    let in_vain = NewTurn {
        grounded: false,
        ..turn(tx.now(), agent, &named(slug, "gap"))
    };
    tx.turns().insert(&in_vain).await.unwrap();
    let decision = dismissed(ACTOR, tx.now());
    tx.gaps().decide(&[in_vain.id], &decision).await.unwrap();
    let there = conversation(customers, tx.now());
    let learned = tx.learned_answers();
    let first = learned
        .insert(&there, &lesson(&named(slug, "question")))
        .await;
    if slug == "a" {
        let second = lesson(&named(slug, "another"));
        learned.insert(&there, &second).await.unwrap();
    }
    let new = script(agent, &named(slug, "script"));
    let script = tx.rehearsal_scripts().insert(&new).await.unwrap();
    let runs = tx.rehearsal_runs();
    let subject = tx.agents().find(agent).await.unwrap().unwrap();
    let pieces = [
        RehearsalPiece::Conversation(customers.conversation),
        RehearsalPiece::Script(script),
    ];
    let new = run(subject, &named(slug, "hash"), pieces.to_vec());
    let rehearsal = runs.insert(&new).await.unwrap();
    let results = tx.rehearsal_results();
    let mut rehearsed = None;
    for piece in pieces {
        let new = result(piece, &named(slug, "rehearsed"));
        let kept = results.insert(rehearsal, &new).await.unwrap();
        rehearsed.get_or_insert(kept);
    }
    assert!(runs.end(rehearsal, RehearsalState::Done).await.unwrap());
    let new = run(new.subject, &named(slug, "hash"), pieces[1..].to_vec());
    let waiting = runs.insert(&new).await.unwrap();
    Mind {
        script,
        rehearsal,
        rehearsed: rehearsed.unwrap(),
        waiting,
        instruction,
        turn: asked,
        in_vain: in_vain.id,
        learned: first.unwrap(),
    }
}

pub(crate) fn dismissed(by: &str, at: Timestamp) -> GapDecision {
    GapDecision {
        status: GapStatus::Dismissed,
        faq_id: Some(uuid::Uuid::from_u128(1)),
        by: by.to_owned(),
        at,
    }
}

pub(crate) fn prompt_key(agent: AgentId) -> PromptKey {
    PromptKey {
        agent,
        medium: Medium::Messaging,
        language: Language::Es,
    }
}

pub(crate) fn configuration(name: &str) -> AgentConfiguration {
    AgentConfiguration {
        name: name.to_owned(),
        company_name: "Clínica Sonrisa".to_owned(),
        vertical: Vertical::Dental,
        language: Language::Es,
        allows_personal_corpus: true,
        settings: AgentSettings::default(),
    }
}

pub(crate) fn version_of(configuration: &AgentConfiguration) -> NewVersion<'_> {
    NewVersion {
        configuration,
        origin: VersionOrigin::Changed,
        note: Some(&configuration.name),
        made_by: Some(ACTOR),
        restored_from: None,
    }
}

pub(crate) fn draft_of(configuration: &AgentConfiguration) -> NewDraft<'_> {
    NewDraft {
        configuration,
        based_on: 1,
        changed_by: ACTOR,
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

pub(crate) fn script(agent: AgentId, name: &str) -> NewRehearsalScript {
    NewRehearsalScript {
        agent_id: agent,
        name: name.to_owned(),
        steps: vec![ScriptStep {
            message: name.to_owned(),
            expect: StepExpectations::default(),
        }],
        conversation_id: None,
        created_by: ACTOR.to_owned(),
    }
}

pub(crate) fn run(subject: Agent, hash: &str, pieces: Vec<RehearsalPiece>) -> NewRehearsalRun {
    NewRehearsalRun {
        subject,
        subject_hash: hash.to_owned(),
        target: RehearsalTarget::Live,
        version: None,
        pieces,
        from: None,
        to: None,
        // Whoever made it is somebody of this tenant alone.
        made_by: hash.to_owned(),
    }
}

pub(crate) fn result(piece: RehearsalPiece, text: &str) -> NewRehearsalResult {
    NewRehearsalResult {
        piece,
        conversation: match piece {
            RehearsalPiece::Script(_) => None,
            RehearsalPiece::Conversation(id) => Some(id),
        },
        title: Some(text.to_owned()),
        step: 1,
        question: text.to_owned(),
        before: Some(RehearsedAnswer::default()),
        after: RehearsedAnswer {
            text: text.to_owned(),
            ..RehearsedAnswer::default()
        },
        expected: 0,
        failed: Vec::new(),
        elapsed_ms: 1,
        input_tokens: 2,
        output_tokens: 3,
        cost_micros: None,
    }
}

/// A turn of nobody in particular.
/// The same with a tool that was used in it.
pub(crate) fn with_a_tool(trace: Trace) -> Trace {
    let step = Step {
        name: "tool".to_owned(),
        at_us: 1,
        took_us: 500,
        details: json!({ "tool": "get_business_hours", "error": null }),
    };
    Trace {
        tool_calls: 1,
        steps: vec![step],
        ..trace
    }
}

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
