//! One case for each method of a tenant's repositories. A new method needs one here.
//!
//! A case calls its method with what is A's and tells whether that reached something of A: saw
//! it, changed it or ran into it. Run inside A it must, and run inside B it must not.

use super::cases_mind::ever;
use crate::fixture::{
    JOB_KIND, Tenant, audit_entry, job, key, new_agent, own_kb, retrieval, secret,
};
use crate::material::{ACTOR, MODEL, chunks, typed, vector};
use futures::future::BoxFuture;
use quipu_core::access::{Role, UserStatus};
use quipu_core::agent::AgentChange;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::extraction::DocumentInfo;
use quipu_core::format::Format;
use quipu_core::knowledge::{
    DocumentChange, DocumentFilter, DocumentSort, DocumentStatus, KnowledgeBaseChange,
    SearchFilter, Stage,
};
use quipu_core::page::PageRequest;
use quipu_core::removal::RowCounts;
use quipu_core::{ErrorCode, Result, Timestamp};
use quipu_store::TenantTx;
use quipu_store::tenant::{AuditFilter, ExportTable, Target, TenantChange};
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
pub(super) use cases;

pub(super) fn all() -> Vec<Case> {
    [
        agents(),
        access(),
        knowledge_bases(),
        chunk_readers(),
        changes(),
        vectors(),
        retrievals(),
        documents(),
        ingest(),
        removal(),
        jobs(),
        ledgers(),
        profile(),
        super::cases_business::all(),
        super::cases_channels::all(),
        super::cases_customers::all(),
        super::cases_events::all(),
        super::cases_mind::all(),
        super::cases_rehearsals::all(),
        super::cases_sales::all(),
        super::cases_websites::all(),
    ]
    .concat()
}

/// Whether the insert was refused because of a row that is there already.
pub(super) fn is_taken<T>(result: Result<T>) -> bool {
    result.is_err_and(|error| {
        matches!(
            error.code(),
            ErrorCode::AlreadyExists | ErrorCode::DuplicateDocument
        )
    })
}

pub(super) fn everything() -> PageRequest {
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
        Write "agents.lock" => |tx, a| tx.agents().lock(a.agent().id).await?.is_some();
        Write "agents.update" => |tx, a| {
            let change = AgentChange { name: Some("Taken".to_owned()), ..AgentChange::default() };
            tx.agents().update(a.agent().id, &change).await?
        };
        Write "agents.activate" => |tx, a| tx.agents().activate(a.agents[1].id).await?;
        Write "agents.delete" => |tx, a| tx.agents().delete(a.agent().id).await?;
        Write "assignments.insert" => |tx, a| {
            tx.assignments().insert(a.agents[1].id, a.global_kb.id, 1, 1.0).await.is_ok()
        };
        Write "assignments.update" => |tx, a| {
            tx.assignments().update(a.agent().id, a.global_kb.id, 9, 9.0).await?
        };
        Read "assignments.of_kb" => |tx, a| {
            !tx.assignments().of_kb(&a.global_kb).await?.is_empty()
        };
        Write "assignments.delete" => |tx, a| {
            tx.assignments().delete(a.agent().id, a.global_kb.id).await?
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
        Read "api_keys.live_of" => |tx, a| {
            tx.api_keys().live_of(a.users[0]).await?.contains(&a.api_key)
        };
        Write "api_keys.revoke" => |tx, a| tx.api_keys().revoke(a.api_key).await?.is_some();
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
        Write "secrets.bind" => |tx, a| {
            let origins = ["https://ladrones.example".to_owned()];
            tx.secrets().bind(&a.named("secret"), &origins).await?.is_some()
        };
        Write "secrets.delete" => |tx, a| tx.secrets().delete(&a.named("secret")).await?;
    }
}

fn knowledge_bases() -> Vec<Case> {
    cases! {
        Add "knowledge_bases.insert" => |tx, a| {
            tx.knowledge_bases().insert(&own_kb("intruder", a.agent().id)).await.is_ok()
        };
        // By whoever may see it in A.
        Read "knowledge_bases.open" => |tx, a| {
            let shared = tx.knowledge_bases().open(a.global_kb.id, None).await?;
            let personal = tx.knowledge_bases().open(a.personal_kb.id, Some(a.users[0])).await?;
            shared.or(personal).is_some()
        };
        Read "knowledge_bases.open_business" => |tx, a| {
            let business = tx.knowledge_bases().open_business().await?;
            business.is_some_and(|kb| kb.id == a.business_kb.id)
        };
        Read "knowledge_bases.list" => |tx, a| {
            let user = Some(a.users[0]);
            let listed = tx.knowledge_bases().list(user, None, None, everything()).await?;
            let theirs = [a.agent().kb.id, a.global_kb.id, a.personal_kb.id, a.business_kb.id];
            listed.data.iter().any(|kb| theirs.contains(&kb.id))
        };
        Read "knowledge_bases.personal_of" => |tx, a| {
            !tx.knowledge_bases().personal_of(a.users[0]).await?.is_empty()
        };
        Write "knowledge_bases.update" => |tx, a| {
            let name = Some("Taken".to_owned());
            let change = KnowledgeBaseChange { name, ..KnowledgeBaseChange::default() };
            tx.knowledge_bases().update(&a.global_kb, &change).await?
        };
        Write "knowledge_bases.delete" => |tx, a| {
            let personal = tx.knowledge_bases().delete(&a.personal_kb).await?;
            tx.knowledge_bases().delete(&a.global_kb).await? || personal
        };
        Read "knowledge_bases.readable" => |tx, a| {
            let user = Some(a.users[0]);
            !tx.knowledge_bases().readable(a.agent().id, user).await?.is_empty()
        };
        // One for each agent, and the personal one. What comes with an agent or the tenant is
        // not counted.
        Read "knowledge_bases.count" => |tx, a| {
            tx.knowledge_bases().count().await? == a.agents.len() as u64 + 1
        };
        Read "knowledge_bases.stats" => |tx, a| {
            tx.knowledge_bases().stats(a.agent().kb.id).await?.is_some()
        };
        Read "knowledge_bases.totals" => |tx, a| {
            !tx.knowledge_bases().totals(&[a.agent().kb.id]).await?.is_empty()
        };
        // Each tenant has one.
        Add "knowledge_bases.personal_use" => |tx, _a| {
            tx.knowledge_bases().personal_use().await?.knowledge_bases > 1
        };
        Read "knowledge_bases.stored_before" => |tx, a| {
            let stored = tx.knowledge_bases().stored_before(&ever(a).into()).await?;
            stored.iter().any(|stored| stored.1 >= a.bytes)
        };
        Read "export.rows" => |tx, a| {
            let mut found = false;
            for table in ExportTable::ALL {
                let page = tx.export().rows(*table, None).await?;
                found |= page.rows.iter().any(|row| {
                    row.to_string().contains(&a.agent().id.to_string())
                });
            }
            found
        };
        Read "export.files" => |tx, a| {
            let files = tx.export().files(None).await?;
            files.iter().any(|file| file.id == a.customers.attachment.uuid())
        };
        Read "knowledge_bases.bytes" => |tx, a| {
            let one = tx.knowledge_bases().bytes(Some(a.agent().kb.id)).await?;
            let all = tx.knowledge_bases().bytes(None).await?;
            one > 0 || all >= a.bytes
        };
        Write "knowledge_bases.touch_queried" => |tx, a| {
            let kb = a.agent().kb.id;
            tx.knowledge_bases().touch_queried(&[kb]).await?;
            tx.knowledge_bases().stats(kb).await?.is_some_and(|s| s.last_queried_at.is_some())
        };
    }
}

fn chunk_readers() -> Vec<Case> {
    cases! {
        Read "chunks.findable" => |tx, a| {
            let chunk = a.agent().chunk;
            !tx.chunks().findable(&[a.agent().kb.id], &[chunk]).await?.is_empty()
        };
        Read "chunks.list" => |tx, a| {
            !tx.chunks().list(&a.agent().kb, a.agent().document, 0, 10).await?.is_empty()
        };
        Read "chunks.find" => |tx, a| {
            let agent = a.agent();
            tx.chunks().find(&agent.kb, agent.document, agent.chunk).await?.is_some()
        };
        Read "chunks.text" => |tx, a| {
            tx.chunks().text(&a.agent().kb, a.agent().document).await?.is_some()
        };
    }
}

fn changes() -> Vec<Case> {
    cases! {
        Write "changes.note" => |tx, a| {
            let agent = a.agent();
            let before = tx.index_changes().since(agent.kb.id, 0, 10).await?;
            tx.index_changes().note(agent.kb.id, &[agent.document]).await?;
            tx.index_changes().since(agent.kb.id, 0, 10).await? != before
        };
        Write "changes.note_all" => |tx, a| {
            let kb = a.agent().kb.id;
            let before = tx.index_changes().since(kb, 0, 10).await?;
            tx.index_changes().note_all(kb).await?;
            tx.index_changes().since(kb, 0, 10).await? != before
        };
        Read "changes.language" => |tx, a| {
            tx.index_changes().language(a.agent().kb.id).await?.is_some()
        };
        Read "changes.versions" => |tx, a| {
            !tx.index_changes().versions(&[a.agent().kb.id]).await?.is_empty()
        };
        Read "changes.since" => |tx, a| {
            !tx.index_changes().since(a.agent().kb.id, 0, 10).await?.is_empty()
        };
        Read "changes.load" => |tx, a| {
            let agent = a.agent();
            !tx.index_changes().load(agent.kb.id, &[agent.document]).await?.is_empty()
        };
    }
}

fn vectors() -> Vec<Case> {
    cases! {
        Read "vectors.kb" => |tx, a| tx.vectors().kb(a.agent().kb.id).await?.is_some();
        Read "vectors.missing" => |tx, a| {
            !tx.vectors().missing(a.agent().kb.id, "another", 10).await?.is_empty()
        };
        Read "vectors.count_missing" => |tx, a| {
            tx.vectors().count_missing(a.agent().kb.id, "another", None).await? > 0
        };
        Write "vectors.hold" => |tx, a| {
            !tx.vectors().hold(&[a.agent().chunk]).await?.is_empty()
        };
        Read "vectors.any_of" => |tx, a| {
            tx.vectors().any_of(a.agent().kb.id, MODEL).await?
        };
        Write "vectors.search_with" => |tx, a| {
            tx.vectors().search_with(a.agent().kb.id, &EmbeddingConfig::openai()).await?
        };
        Write "vectors.keep_only" => |tx, a| {
            tx.vectors().keep_only(a.agent().kb.id, &[]).await? > 0
        };
    }
}

fn retrievals() -> Vec<Case> {
    cases! {
        Add "retrievals.insert" => |tx, a| {
            tx.retrievals().insert(&retrieval(a.slug, a.now)).await?;
            false
        };
        Read "retrievals.list" => |tx, a| {
            let listed = tx.retrievals().list(None, None, everything()).await?.data;
            listed.iter().any(|entry| entry.query == Some(a.named("query")))
        };
    }
}

fn documents() -> Vec<Case> {
    cases! {
        Write "documents.insert" => |tx, a| {
            let new = typed(a.now, &a.named("text"));
            let twin = tx.documents().insert(&a.agent().kb, &new, ACTOR).await;
            twin.is_ok() || is_taken(twin)
        };
        Read "documents.matching" => |tx, a| {
            let kbs = [a.agent().kb.id];
            !tx.documents().matching(&kbs, &SearchFilter::default()).await?.is_empty()
        };
        Read "documents.twin" => |tx, a| {
            tx.documents().twin(&a.agent().kb, &a.named("text")).await?.is_some()
        };
        Read "documents.find" => |tx, a| {
            tx.documents().find(&a.agent().kb, a.agent().document).await?.is_some()
        };
        Read "documents.find_business" => |tx, a| {
            tx.documents().find_business("policy", &a.named("policy")).await?.is_some()
        };
        Read "documents.original" => |tx, a| {
            tx.documents().original(&a.agent().kb, a.agent().document).await?.is_some()
        };
        Read "documents.list" => |tx, a| {
            let tagged = DocumentFilter { tag: Some(a.named("text")), ..DocumentFilter::default() };
            let (documents, kb, newest) = (tx.documents(), &a.agent().kb, DocumentSort::Newest);
            let mut seen = false;
            for filter in [DocumentFilter::default(), tagged] {
                let listed = documents.list(kb, &filter, newest, everything()).await?;
                seen |= !listed.data.is_empty();
            }
            seen
        };
        Read "documents.ids" => |tx, a| {
            let all = DocumentFilter::default();
            !tx.documents().ids(&a.agent().kb, &all, 10).await?.is_empty()
        };
        Read "documents.ids_after" => |tx, a| {
            let all = DocumentFilter::default();
            !tx.documents().ids_after(&a.agent().kb, &all, None, 10).await?.is_empty()
        };
        Read "documents.count_matching" => |tx, a| {
            let all = DocumentFilter::default();
            tx.documents().count_matching(&a.agent().kb, &all).await? > 0
        };
        Read "documents.changed_since" => |tx, a| {
            let ever = Timestamp::UNIX_EPOCH;
            !tx.documents().changed_since(&a.agent().kb, ever, None, 10).await?.is_empty()
        };
        Read "documents.status" => |tx, a| {
            tx.documents().status(&a.agent().kb, a.agent().document).await?.is_some()
        };
        // Each tenant has one.
        Add "documents.count_unpriced" => |tx, _a| tx.documents().count_unpriced().await? > 1;
        Read "documents.count" => |tx, a| tx.documents().count(a.agent().kb.id).await? > 0;
        Write "documents.update" => |tx, a| {
            let change = DocumentChange {
                title: Some(Some("Taken".to_owned())),
                tags: Some(Vec::new()),
                enabled: Some(false),
                ..DocumentChange::default()
            };
            tx.documents().update(&a.agent().kb, a.agent().document, &change).await?
        };
        Write "documents.replace_content" => |tx, a| {
            let new = typed(a.now, "taken");
            tx.documents().replace_content(&a.agent().kb, a.agent().document, &new).await?
        };
        Read "documents.next_version" => |tx, a| {
            tx.documents().next_version(&a.agent().kb, a.agent().document).await?.is_some()
        };
        Write "documents.begin_run" => |tx, a| {
            tx.documents().begin_run(&a.agent().kb, a.agent().document).await?.is_some()
        };
        Write "documents.delete" => |tx, a| {
            tx.documents().delete(&a.agent().kb, &[a.agent().document]).await? > 0
        };
    }
}

fn ingest() -> Vec<Case> {
    cases! {
        Read "ingest.load" => |tx, a| tx.ingest().load(a.agent().document).await?.is_some();
        Write "ingest.report" => |tx, a| {
            tx.ingest().report(a.agent().document, Stage::Parsing, 1).await?
        };
        Write "ingest.fetched" => |tx, a| {
            let (id, html) = (a.agent().document, Format::Html);
            tx.ingest().fetched(id, "path", "index.html", html, 1).await?
        };
        // It throws away what is half made before it writes.
        Write "ingest.build" => |tx, a| {
            let (info, new) = (DocumentInfo::default(), chunks(&["taken"]));
            tx.ingest().build(&a.draft, "taken", &info, "taken", &new).await.is_ok()
        };
        Read "ingest.unembedded" => |tx, a| {
            !tx.ingest().unembedded(a.draft.id, 1, MODEL, 0, 10).await?.is_empty()
        };
        // A vector that is there already, and then one that is not.
        Write "ingest.add_vectors" => |tx, a| {
            let agent = a.agent();
            let new = [(agent.chunk, vector(5))];
            tx.ingest().add_vectors(agent.kb.id, MODEL, &new, 1000).await.is_ok()
                && tx.ingest().add_vectors(agent.kb.id, "other", &new, 1000).await.is_ok()
        };
        Read "ingest.count_vectors" => |tx, a| {
            tx.ingest().count_vectors(a.agent().document, 1, MODEL).await? > 0
        };
        Write "ingest.publish" => |tx, a| tx.ingest().publish(&a.draft, 1).await?;
        Write "ingest.set_status" => |tx, a| {
            let why = Some(("CODE", "why"));
            tx.ingest().set_status(a.draft.id, DocumentStatus::Failed, why).await?
        };
    }
}

fn removal() -> Vec<Case> {
    cases! {
        Read "removal.count" => |tx, a| {
            let documents = Target::Documents(vec![a.agent().document, a.draft.id]);
            let kb = Target::KnowledgeBase(a.global_kb.id);
            let nothing = RowCounts::default();
            let lead = Target::Lead(a.customers.lead);
            tx.removal().count(&documents).await? != nothing
                || tx.removal().count(&lead).await? != nothing
                || tx.removal().count(&kb).await? != nothing
                || tx.removal().count(&Target::Everything).await?.documents >= a.documents()
        };
        Write "removal.drop_jobs" => |tx, a| {
            tx.removal().drop_jobs(JOB_KIND, &[a.draft.id]).await? > 0
        };
        Write "removal.drop_readings" => |tx, a| {
            let site = quipu_core::WebsiteId::from_uuid(a.draft.id.uuid());
            tx.removal().drop_readings(JOB_KIND, &[site]).await? > 0
        };
        Write "removal.drop_work" => |tx, a| {
            tx.removal().drop_work(a.draft.kb.id, JOB_KIND, JOB_KIND).await? > 0
        };
    }
}

fn jobs() -> Vec<Case> {
    cases! {
        // Before the case that leaves the same key in B.
        Write "jobs.withdraw" => |tx, a| tx.jobs().withdraw(JOB_KIND, &a.queued_key()).await?;
        Read "jobs.find_live" => |tx, a| {
            tx.jobs().find_live(JOB_KIND, &a.queued_key()).await?.is_some()
        };
        Write "jobs.enqueue" => |tx, a| {
            tx.jobs().enqueue(&job(a.now, Some(a.queued_key()))).await?.is_none()
        };
        // It locks the row, and so it is no reading.
        Write "jobs.holds" => |tx, a| tx.jobs().holds(&a.running_job).await?;
        Write "jobs.complete" => |tx, a| tx.jobs().complete(&a.running_job).await?;
        Read "jobs.find" => |tx, a| {
            tx.jobs().find(a.queued_job, Some(a.users[0])).await?.is_some()
        };
        Read "jobs.list" => |tx, a| {
            let listed = tx.jobs().list(Some(a.users[0]), None, everything()).await?;
            listed.data.iter().any(|j| j.id == a.queued_job)
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
            tx.audit().list(&AuditFilter::default(), everything()).await?.data.iter().any(|entry| entry.target == target)
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
            tx.usage().add(&[(&a.named("metric"), 1)]).await?;
            let metric = a.named("metric");
            tx.usage().month(&a.month).await?.iter().any(|c| c.metric == metric && c.value > 1)
        };
        Read "usage.month" => |tx, a| {
            tx.usage().month(&a.month).await?.iter().any(|c| c.metric == a.named("metric"))
        };
        Write "idempotency.record" => |tx, a| {
            let key = a.named("key");
            tx.idempotency().record(ACTOR, &key, json!("changed"), None).await?;
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
