//! The cases of what is kept around an agent's answers.

use super::cases::{Case, Kind, cases, everything};
use crate::fixture::Tenant;
use crate::fixture_mind::{
    conversation, dismissed, draft_of, lesson, prompt_key, turn, version_of,
};
use quipu_core::Timestamp;
use quipu_core::agent::{AgentConfiguration, PolishProblem};
use quipu_core::learning::LearnedStatus;
use quipu_core::turn::NewTurn;
use quipu_store::tenant::{Decision, TurnFilter, TurnViewer, Within};
use std::time::Duration;

/// Somebody who may see everything of a tenant.
const EVERYBODY: TurnViewer = TurnViewer {
    user: None,
    customers: true,
};

pub(super) fn all() -> Vec<Case> {
    [
        prompt_places(),
        prompts(),
        turns(),
        learned_answers(),
        agent_versions(),
        gaps(),
    ]
    .concat()
}

pub(super) fn ever(a: &Tenant) -> Within {
    Within {
        agent: Some(a.agent().id),
        from: Timestamp::UNIX_EPOCH,
        to: a.now + Duration::from_hours(1),
    }
}

fn prompt_places() -> Vec<Case> {
    cases! {
        Read "prompt_places.room" => |tx, a| {
            tx.prompt_places().room().await?.holds(a.mind.instruction)
        };
        // The database refuses a place for what is not there.
        Write "prompt_places.take" => |tx, a| {
            tx.prompt_places().take(a.mind.instruction, 30).await.is_ok()
        };
        Write "prompt_places.release" => |tx, a| {
            tx.prompt_places().release(a.mind.instruction).await?
        };
        Read "prompt_places.critical" => |tx, a| {
            let title = a.named("instruction");
            tx.prompt_places().critical().await?.iter().any(|found| found.title == title)
        };
    }
}

fn prompts() -> Vec<Case> {
    cases! {
        Read "prompts.get" => |tx, a| {
            tx.prompts().get(prompt_key(a.agent().id)).await?.is_some()
        };
        Write "prompts.put" => |tx, a| {
            tx.prompts().put(prompt_key(a.agent().id), "another", 1).await.is_ok()
        };
        Write "prompts.put_polished" => |tx, a| {
            tx.prompts().put_polished(prompt_key(a.agent().id), "hash", "Taken").await?
        };
        Write "prompts.put_refused" => |tx, a| {
            let problem = PolishProblem::Facts;
            tx.prompts().put_refused(prompt_key(a.agent().id), "hash", problem).await?
        };
        Read "prompts.list" => |tx, a| !tx.prompts().list(a.agent().id).await?.is_empty();
        Read "prompts.regenerations" => |tx, a| {
            tx.prompts().regenerations(a.agent().id).await? > 0
        };
    }
}

fn turns() -> Vec<Case> {
    cases! {
        Write "turns.insert" => |tx, a| {
            let new = NewTurn {
                lead_id: Some(a.customers.lead),
                ..turn(a.now, a.agent().id, "intruder")
            };
            tx.turns().insert(&new).await.is_ok()
        };
        Read "turns.find" => |tx, a| {
            tx.turns().find(a.mind.turn, EVERYBODY).await?.is_some()
        };
        Read "turns.list" => |tx, a| {
            let of_agent = TurnFilter { agent: Some(a.agent().id), ..TurnFilter::default() };
            let there = TurnFilter {
                conversation: Some(a.customers.conversation),
                ..TurnFilter::default()
            };
            let mut found = false;
            for filter in [TurnFilter::default(), of_agent, there] {
                let listed = tx.turns().list(&filter, EVERYBODY, everything()).await?;
                found |= listed.data.iter().any(|row| row.id == a.mind.turn);
            }
            found
        };
        Write "turns.put_feedback" => |tx, a| {
            tx.turns().put_feedback(a.mind.turn, "b", false, None).await.is_ok()
        };
        Read "turn_measures.variants" => |tx, a| {
            !tx.turn_measures().variants(ever(a)).await?.is_empty()
        };
        Read "retrievals.sums" => |tx, a| {
            tx.retrievals().sums(ever(a)).await?.searches > 0
        };
        Read "retrievals.series" => |tx, a| {
            let series = tx.retrievals().series(&ever(a).into()).await?;
            series.iter().any(|sums| sums.searches > 0)
        };
        Read "turn_measures.tools" => |tx, a| {
            !tx.turn_measures().tools(ever(a)).await?.is_empty()
        };
        Read "turn_measures.sums" => |tx, a| {
            let sums = tx.turn_measures().sums(ever(a), None).await?;
            sums.turns > 0 || sums.helpful > 0 || sums.p95_us.is_some()
        };
        Read "turn_measures.series" => |tx, a| {
            let series = tx.turn_measures().series(&ever(a).into()).await?;
            series.iter().any(|sums| sums.turns > 0 || sums.helpful > 0 || sums.p95_us.is_some())
        };
    }
}

fn gaps() -> Vec<Case> {
    cases! {
        Read "gaps.asked" => |tx, a| {
            let asked = tx.gaps().asked(ever(a), 100).await?;
            asked.iter().any(|asked| asked.turn_id == a.mind.in_vain && asked.decision.is_some())
        };
        Write "gaps.decide" => |tx, a| {
            tx.gaps().decide(&[a.mind.in_vain], &dismissed("b", a.now)).await.is_ok()
        };
        Read "gaps.faq_of" => |tx, a| {
            tx.gaps().faq_of(&[a.mind.in_vain]).await?.is_some()
        };
    }
}

fn agent_versions() -> Vec<Case> {
    cases! {
        // The database refuses what belongs to no agent of the tenant.
        Write "agent_versions.insert" => |tx, a| {
            let configuration = configuration(a);
            tx.agent_versions().insert(a.agent().id, &version_of(&configuration)).await.is_ok()
        };
        Read "agent_versions.newest_number" => |tx, a| {
            tx.agent_versions().newest_number(a.agent().id).await?.is_some()
        };
        Read "agent_versions.find" => |tx, a| {
            tx.agent_versions().find(a.agent().id, 1).await?.is_some()
        };
        Read "agent_versions.list" => |tx, a| {
            !tx.agent_versions().list(a.agent().id, everything()).await?.data.is_empty()
        };
        Read "agent_drafts.find" => |tx, a| {
            tx.agent_drafts().find(a.agent().id).await?.is_some()
        };
        Write "agent_drafts.put" => |tx, a| {
            let configuration = configuration(a);
            tx.agent_drafts().put(a.agent().id, &draft_of(&configuration)).await.is_ok()
        };
        Write "agent_drafts.delete" => |tx, a| {
            tx.agent_drafts().delete(a.agent().id).await?
        };
    }
}

fn configuration(a: &Tenant) -> AgentConfiguration {
    crate::fixture_mind::configuration(&a.named("taken"))
}

fn learned_answers() -> Vec<Case> {
    cases! {
        Write "learned_answers.insert" => |tx, a| {
            let there = conversation(&a.customers, a.now);
            tx.learned_answers().insert(&there, &lesson("new")).await.is_ok()
        };
        Read "learned_answers.list" => |tx, a| {
            let waiting = Some(LearnedStatus::Proposed);
            let mut found = false;
            for status in [None, waiting] {
                let listed = tx.learned_answers().list(status, everything()).await?;
                found |= listed.data.iter().any(|row| row.id == a.mind.learned);
            }
            found
        };
        Write "learned_answers.lock" => |tx, a| {
            tx.learned_answers().lock(a.mind.learned).await?.is_some()
        };
        Read "learned_answers.of_conversation" => |tx, a| {
            !tx.learned_answers().of_conversation(a.customers.conversation).await?.is_empty()
        };
        Read "learned_answers.count_waiting" => |tx, _a| {
            tx.learned_answers().count_waiting().await? > 1
        };
        Write "learned_answers.decide" => |tx, a| {
            let decision = Decision {
                status: LearnedStatus::Rejected,
                lesson: lesson("taken"),
                faq_id: None,
                by: "b",
            };
            tx.learned_answers().decide(a.mind.learned, &decision).await?
        };
    }
}
