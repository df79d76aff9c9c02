//! One case for each method of a tenant's repositories. A new method needs one here.
//!
//! A case calls its method with what is A's and tells whether that reached something of A: saw
//! it, changed it or ran into it. Run inside A it must, and run inside B it must not.

use crate::fixture::{
    ACTOR, Tenant, audit_entry, chunk, job, key, new_agent, own_kb, secret, text,
};
use futures::future::BoxFuture;
use quipu_core::access::{Role, UserStatus};
use quipu_core::agent::AgentChange;
use quipu_core::knowledge::DocumentStatus;
use quipu_core::page::PageRequest;
use quipu_core::{ErrorCode, Result};
use quipu_store::TenantTx;
use quipu_store::tenant::TenantChange;
use serde_json::json;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Reads, in a transaction that can do nothing else.
    Read,
    /// Writes over what is there.
    Write,
    /// Takes no id, or adds a row, so that running it inside A would show nothing.
    Add,
}

#[derive(Clone, Copy)]
pub(super) struct Case {
    /// The file in `src/tenant` and the method.
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) probe: Probe,
}

type Probe = for<'t> fn(&'t TenantTx, &'t Tenant) -> BoxFuture<'t, Result<bool>>;

macro_rules! cases {
    ($($kind:ident $name:literal => |$tx:ident, $a:ident| $probe:expr;)+) => {
        vec![$(Case {
            name: $name,
            kind: Kind::$kind,
            probe: |$tx, $a| Box::pin(async move { Ok($probe) }),
        }),+]
    };
}

pub(super) fn all() -> Vec<Case> {
    [
        agents(),
        access(),
        knowledge(),
        documents(),
        jobs(),
        ledgers(),
        profile(),
    ]
    .concat()
}

/// Whether the insert was refused because of a row that is there already.
fn is_taken<T>(result: Result<T>) -> bool {
    result.is_err_and(|error| {
        matches!(
            error.code(),
            ErrorCode::AlreadyExists | ErrorCode::DuplicateDocument
        )
    })
}

fn everything() -> PageRequest {
    PageRequest {
        limit: 200,
        after: None,
    }
}

fn agents() -> Vec<Case> {
    cases! {
        Write "agents.insert" => |tx, a| {
            is_taken(tx.agents().insert(&new_agent(&a.named("agent-0"))).await)
        };
        Read "agents.find" => |tx, a| tx.agents().find(a.agent().id).await?.is_some();
        Read "agents.find_by_slug" => |tx, a| {
            tx.agents().find_by_slug(&a.named("agent-0")).await?.is_some()
        };
        Read "agents.find_active" => |tx, a| {
            tx.agents().find_active().await?.is_some_and(|found| found.id == a.agent().id)
        };
        Read "agents.list" => |tx, a| {
            tx.agents().list(everything()).await?.data.iter().any(|row| row.id == a.agent().id)
        };
        Read "agents.count" => |tx, a| tx.agents().count().await? >= a.agents.len() as u64;
        Write "agents.update" => |tx, a| {
            let change = AgentChange { name: Some("Taken".to_owned()), ..AgentChange::default() };
            tx.agents().update(a.agent().id, &change).await?
        };
        Write "agents.activate" => |tx, a| tx.agents().activate(a.agents[1].id).await?;
        Write "agents.delete" => |tx, a| tx.agents().delete(a.agent().id).await?;
        Write "assignments.insert" => |tx, a| {
            tx.assignments().insert(a.agents[1].id, a.global_kb, 1, 1.0).await.is_ok()
        };
        Write "assignments.delete" => |tx, a| {
            tx.assignments().delete(a.agent().id, a.global_kb).await?
        };
    }
}

fn access() -> Vec<Case> {
    cases! {
        Add "api_keys.insert" => |tx, a| {
            let mut new = key(a.slug, a.users[0]);
            "another-hash".clone_into(&mut new.key_hash);
            tx.api_keys().insert(&new).await?.id == a.api_key
        };
        Read "api_keys.find" => |tx, a| tx.api_keys().find(a.api_key).await?.is_some();
        Read "api_keys.list" => |tx, a| {
            tx.api_keys().list(everything()).await?.data.iter().any(|row| row.id == a.api_key)
        };
        Write "api_keys.revoke" => |tx, a| tx.api_keys().revoke(a.api_key).await?;
        // The second person: the first is looked for as a stranger below.
        Write "members.insert" => |tx, a| {
            is_taken(tx.members().insert(a.users[1], Role::Member).await)
        };
        Read "members.find" => |tx, a| tx.members().find(a.users[0]).await?.is_some();
        Read "members.list" => |tx, a| {
            tx.members().list(everything()).await?.data.iter().any(|m| m.user_id == a.users[0])
        };
        Read "members.count" => |tx, a| tx.members().count().await? >= a.users.len() as u64;
        Read "members.count_admins" => |tx, a| {
            tx.members().count_admins().await? >= a.users.len() as u64
        };
        Write "members.update" => |tx, a| {
            let suspended = Some(UserStatus::Suspended);
            tx.members().update(a.users[0], Some(Role::Member), suspended).await?
        };
        Write "members.delete" => |tx, a| tx.members().delete(a.users[0]).await?;
        Add "secrets.put" => |tx, a| {
            tx.secrets().put(&secret(&a.named("secret"))).await?;
            false
        };
        Read "secrets.find_sealed" => |tx, a| {
            tx.secrets().find_sealed(&a.named("secret")).await?.is_some()
        };
        Read "secrets.list" => |tx, a| {
            tx.secrets().list().await?.iter().any(|row| row.name == a.named("secret"))
        };
        Write "secrets.delete" => |tx, a| tx.secrets().delete(&a.named("secret")).await?;
    }
}

fn knowledge() -> Vec<Case> {
    cases! {
        Add "knowledge_bases.insert" => |tx, a| {
            tx.knowledge_bases().insert(&own_kb("intruder", a.agent().id)).await.is_ok()
        };
        Read "knowledge_bases.readable" => |tx, a| {
            let user = Some(a.users[0]);
            !tx.knowledge_bases().readable(a.agent().id, user).await?.is_empty()
        };
        // A has as many that people made as agents; the agents' own are not counted.
        Read "knowledge_bases.count" => |tx, a| {
            tx.knowledge_bases().count().await? == a.agents.len() as u64
        };
        Read "knowledge_bases.stats" => |tx, a| {
            tx.knowledge_bases().stats(a.agent().kb).await?.is_some()
        };
        Read "knowledge_bases.bytes" => |tx, a| {
            let all = tx.knowledge_bases().bytes(None).await?;
            let one = tx.knowledge_bases().bytes(Some(a.agent().kb)).await?;
            one > 0 || all > a.named("text").len() as u64
        };
        Write "knowledge_bases.touch_queried" => |tx, a| {
            let kb = a.agent().kb;
            tx.knowledge_bases().touch_queried(&[kb]).await?;
            tx.knowledge_bases().stats(kb).await?.is_some_and(|s| s.last_queried_at.is_some())
        };
        Write "chunks.replace" => |tx, a| {
            // With nothing to put in their place first: that must not delete A's chunks.
            tx.chunks().replace(a.agent().kb, a.agent().document, &[]).await?;
            tx.chunks().replace(a.agent().kb, a.agent().document, &[chunk(0, "new")]).await.is_ok()
        };
        Read "chunks.searchable" => |tx, a| {
            !tx.chunks().searchable(&[a.agent().kb, a.global_kb]).await?.is_empty()
        };
    }
}

fn documents() -> Vec<Case> {
    cases! {
        Write "documents.insert" => |tx, a| {
            let twin = tx.documents().insert(&text(a.agent().kb, &a.named("text")), ACTOR).await;
            twin.is_ok() || is_taken(twin)
        };
        Read "documents.find" => |tx, a| {
            tx.documents().find(a.agent().kb, a.agent().document).await?.is_some()
        };
        Read "documents.content" => |tx, a| {
            tx.documents().content(a.agent().document).await?.is_some()
        };
        Read "documents.list" => |tx, a| {
            !tx.documents().list(a.agent().kb, everything()).await?.data.is_empty()
        };
        Read "documents.count" => |tx, a| tx.documents().count(a.agent().kb).await? > 0;
        Write "documents.set_status" => |tx, a| {
            let failed = DocumentStatus::Failed;
            tx.documents().set_status(a.agent().document, failed, Some(0), Some("no")).await?
        };
        Write "documents.delete" => |tx, a| {
            tx.documents().delete(a.agent().kb, a.agent().document).await?
        };
    }
}

fn jobs() -> Vec<Case> {
    cases! {
        Write "jobs.enqueue" => |tx, a| {
            tx.jobs().enqueue(&job(a.now, Some(a.named("dedup")))).await?.is_none()
        };
        Write "jobs.complete" => |tx, a| tx.jobs().complete(&a.running_job).await?;
        Read "jobs.find" => |tx, a| tx.jobs().find(a.queued_job).await?.is_some();
        Read "jobs.list" => |tx, a| {
            tx.jobs().list(None, everything()).await?.data.iter().any(|j| j.id == a.queued_job)
        };
        Write "jobs.cancel" => |tx, a| {
            let running = tx.jobs().cancel(a.running_job.id).await?;
            tx.jobs().cancel(a.queued_job).await? || running
        };
        Write "jobs.retry" => |tx, a| tx.jobs().retry(a.dead_job).await?;
    }
}

fn ledgers() -> Vec<Case> {
    cases! {
        Add "audit.insert" => |tx, a| {
            tx.audit().insert(audit_entry(&a.named("target"))).await?;
            false
        };
        Read "audit.list" => |tx, a| {
            let target = a.named("target");
            tx.audit().list(everything()).await?.data.iter().any(|entry| entry.target == target)
        };
        Read "credits.balance" => |tx, _a| tx.credits().balance().await? >= 1000;
        Write "credits.enter" => |tx, a| {
            !tx.credits().enter(-1000, &a.named("grant"), "month").await?
        };
        Read "credits.list" => |tx, a| {
            let reason = a.named("grant");
            tx.credits().list(everything()).await?.data.iter().any(|entry| entry.reason == reason)
        };
        Write "usage.add" => |tx, a| {
            tx.usage().add(&a.named("metric"), 1).await?;
            let metric = a.named("metric");
            tx.usage().month(&a.month).await?.iter().any(|c| c.metric == metric && c.value > 1)
        };
        Read "usage.month" => |tx, a| {
            tx.usage().month(&a.month).await?.iter().any(|c| c.metric == a.named("metric"))
        };
        Write "idempotency.record" => |tx, a| {
            let key = a.named("key");
            tx.idempotency().record(ACTOR, &key, json!("changed")).await?;
            tx.idempotency().claim(ACTOR, &key, "fixture", "hash").await?.is_some()
        };
        Write "idempotency.claim" => |tx, a| {
            // Known by its answer, because the case before has left the same key in B.
            let met = tx.idempotency().claim(ACTOR, &a.named("key"), "fixture", "hash").await?;
            met.is_some_and(|recorded| recorded.response == json!("answer"))
        };
    }
}

fn profile() -> Vec<Case> {
    cases! {
        Read "profile.get" => |tx, a| tx.profile().get().await?.id == a.id();
        Write "profile.lock_plan" => |tx, a| {
            tx.profile().lock_plan().await?.slug == a.named("plan")
        };
        Add "profile.update" => |tx, _a| {
            let name = Some("B again".to_owned());
            let change = TenantChange { name, ..TenantChange::default() };
            tx.profile().update(&change).await?;
            false
        };
    }
}
