//! The cases of rehearsals.

use super::cases::{Case, Kind, cases, everything};
use crate::fixture_mind::{result, run, script};
use quipu_core::ErrorCode;
use quipu_core::agent::Agent;
use quipu_core::rehearsal::{
    RehearsalPiece, RehearsalState, RehearsalSums, RehearsalVerdict, ResultFilter,
};
use std::time::Duration;

pub(super) fn all() -> Vec<Case> {
    [scripts(), runs(), results()].concat()
}

fn scripts() -> Vec<Case> {
    cases! {
        Write "rehearsal_scripts.insert" => |tx, a| {
            tx.rehearsal_scripts().insert(&script(a.agent().id, "intruder")).await.is_ok()
        };
        Read "rehearsal_scripts.find" => |tx, a| {
            tx.rehearsal_scripts().find(a.agent().id, a.mind.script).await?.is_some()
        };
        Read "rehearsal_scripts.list" => |tx, a| {
            !tx.rehearsal_scripts().list(a.agent().id, everything()).await?.data.is_empty()
        };
        Read "rehearsal_scripts.ids" => |tx, a| {
            tx.rehearsal_scripts().ids(a.agent().id).await?.contains(&a.mind.script)
        };
        Read "rehearsal_scripts.count" => |tx, a| {
            tx.rehearsal_scripts().count(a.agent().id).await? > 0
        };
        Write "rehearsal_scripts.update" => |tx, a| {
            tx.rehearsal_scripts().update(a.agent().id, a.mind.script, "Taken", &[]).await?
        };
        Write "rehearsal_scripts.delete" => |tx, a| {
            tx.rehearsal_scripts().delete(a.agent().id, a.mind.script).await?
        };
    }
}

/// An agent as whoever knows its id would have it.
fn subject(of: &crate::fixture::Tenant) -> Agent {
    serde_json::from_value(serde_json::json!({
        "id": of.agent().id, "slug": "x", "name": "X", "company_name": "X", "vertical": "dental",
        "language": "es", "enabled": true, "active": true, "allows_personal_corpus": false,
        "settings": {}, "knowledge_base_id": of.agent().kb.id, "created_at": of.now,
        "updated_at": of.now,
    }))
    .unwrap()
}

fn runs() -> Vec<Case> {
    cases! {
        // Of A's agent one has not ended.
        Write "rehearsal_runs.insert" => |tx, a| {
            let made = tx.rehearsal_runs().insert(&run(subject(a), "x", Vec::new())).await;
            made.is_err_and(|error| error.code() == ErrorCode::RehearsalRunning)
        };
        Read "rehearsal_runs.find" => |tx, a| {
            tx.rehearsal_runs().find(a.agent().id, a.mind.rehearsal).await?.is_some()
        };
        Read "rehearsal_runs.plan" => |tx, a| {
            tx.rehearsal_runs().plan(a.mind.rehearsal).await?.is_some()
        };
        Read "rehearsal_runs.list" => |tx, a| {
            !tx.rehearsal_runs().list(a.agent().id, everything()).await?.data.is_empty()
        };
        Read "rehearsal_runs.latest_done" => |tx, a| {
            let hash = a.named("hash");
            tx.rehearsal_runs().latest_done(a.agent().id, &hash).await?.is_some()
        };
        Write "rehearsal_runs.start" => |tx, a| {
            tx.rehearsal_runs().start(a.mind.waiting).await?
        };
        Write "rehearsal_runs.advance" => |tx, a| {
            let sums = RehearsalSums { answers: 1, ..RehearsalSums::default() };
            tx.rehearsal_runs().advance(a.mind.waiting, &sums).await?
        };
        Write "rehearsal_runs.end" => |tx, a| {
            tx.rehearsal_runs().end(a.mind.waiting, RehearsalState::Failed).await?
        };
        Write "rehearsal_runs.resume" => |tx, a| {
            // Only what ended early goes on.
            tx.rehearsal_runs().end(a.mind.waiting, RehearsalState::Stopped).await?;
            tx.rehearsal_runs().resume(a.mind.waiting).await?
        };
        Write "rehearsal_runs.stop_all_of" => |tx, a| {
            tx.rehearsal_runs().stop_all_of(&a.named("hash")).await? > 0
        };
        Write "rehearsal_runs.delete" => |tx, a| {
            tx.rehearsal_runs().delete(a.agent().id, a.mind.rehearsal).await?
        };
        Write "rehearsal_runs.prune" => |tx, a| {
            let later = a.now + Duration::from_hours(1);
            tx.rehearsal_runs().prune(a.agent().id, 50, later).await? > 0
        };
    }
}

fn results() -> Vec<Case> {
    cases! {
        Write "rehearsal_results.insert" => |tx, a| {
            let new = result(RehearsalPiece::Script(a.mind.script), "intruder");
            tx.rehearsal_results().insert(a.mind.rehearsal, &new).await.is_ok()
        };
        Read "rehearsal_results.list" => |tx, a| {
            let mut found = false;
            for only in [None, Some(ResultFilter::Changed)] {
                let listed = tx.rehearsal_results().list(a.mind.rehearsal, only, everything()).await?;
                found |= listed.data.iter().any(|row| row.id == a.mind.rehearsed);
            }
            found
        };
        Read "rehearsal_results.find" => |tx, a| {
            tx.rehearsal_results().find(a.mind.rehearsal, a.mind.rehearsed).await?.is_some()
        };
        Read "rehearsal_results.last_of" => |tx, a| {
            !tx.rehearsal_results().last_of(a.mind.script).await?.is_empty()
        };
        Write "rehearsal_results.judge" => |tx, a| {
            let worse = RehearsalVerdict::Worse;
            tx.rehearsal_results().judge(a.mind.rehearsal, a.mind.rehearsed, worse).await?
        };
    }
}
