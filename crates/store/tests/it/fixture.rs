//! Two tenants with a row in every table a tenant can own.

use crate::schema::Schema;
use crate::support::{HOUR, House};
use quipu_core::access::{Permission, Role};
use quipu_core::agent::NewAgent;
use quipu_core::job::{ClaimedJob, JobStatus, NewJob};
use quipu_core::knowledge::{DocumentStatus, KbScope, NewText};
use quipu_core::language::Language;
use quipu_core::plan::month_of;
use quipu_core::tenancy::TenantScope;
use quipu_core::{
    AgentId, ApiKeyId, DocumentId, JobId, KnowledgeBaseId, TenantId, Timestamp, UserId,
};
use quipu_store::TenantTx;
use quipu_store::platform::NewSession;
use quipu_store::tenant::{NewApiKey, NewAuditEntry, NewChunk, NewKnowledgeBase, SealedSecret};
use quipu_testkit::TestDatabase;
use serde_json::json;

pub(crate) const JOB_KIND: &str = "fixture";
pub(crate) const ACTOR: &str = "fixture";

pub(crate) struct TwoTenants {
    pub(crate) house: House,
    /// The one with something to lose. It has two of everything that is counted.
    pub(crate) a: Tenant,
    /// The one that looks for it. It has one of everything.
    pub(crate) b: Tenant,
}

/// A tenant and the ids of what it owns. Every name in it begins with its slug, so that no name
/// of one tenant is found in the other by accident.
pub(crate) struct Tenant {
    pub(crate) scope: TenantScope,
    pub(crate) slug: &'static str,
    pub(crate) month: String,
    pub(crate) now: Timestamp,
    pub(crate) users: Vec<UserId>,
    pub(crate) agents: Vec<TenantAgent>,
    /// Assigned to the first agent only.
    pub(crate) global_kb: KnowledgeBaseId,
    pub(crate) api_key: ApiKeyId,
    pub(crate) queued_job: JobId,
    pub(crate) running_job: ClaimedJob,
    pub(crate) dead_job: JobId,
}

pub(crate) struct TenantAgent {
    pub(crate) id: AgentId,
    pub(crate) kb: KnowledgeBaseId,
    pub(crate) document: DocumentId,
}

impl Tenant {
    pub(crate) fn id(&self) -> TenantId {
        self.scope.tenant_id()
    }

    /// A name of this tenant's, such as `a-secret`.
    pub(crate) fn named(&self, what: &str) -> String {
        named(self.slug, what)
    }

    pub(crate) fn agent(&self) -> &TenantAgent {
        &self.agents[0]
    }
}

fn named(slug: &str, what: &str) -> String {
    format!("{slug}-{what}")
}

impl TwoTenants {
    /// # Panics
    /// When a table is left empty: whoever adds a tenant-owned table fills it in [`fill`].
    pub(crate) async fn new(db: &TestDatabase) -> Self {
        Self::in_house(House::new(db).await, &Schema::of(db).await).await
    }

    pub(crate) async fn in_house(house: House, schema: &Schema) -> Self {
        let a = fill(&house, "a", 2).await;
        let b = fill(&house, "b", 1).await;
        for tenant in [&a, &b] {
            for (table, rows) in schema.snapshot(tenant.id()).await {
                assert!(
                    !rows.is_empty(),
                    "the fixture leaves no row of tenant {} in {table}: add one in fixture.rs",
                    tenant.slug
                );
            }
        }
        Self { house, a, b }
    }
}

async fn fill(house: &House, slug: &'static str, size: usize) -> Tenant {
    let scope = house.add_tenant(slug).await;
    let mut users = Vec::new();
    for n in 0..size {
        users.push(house.add_user(&format!("{n}@{slug}.example")).await);
    }
    sign_in(house, slug, users[0]).await;

    let tx = house.begin(scope).await;
    for user in &users {
        tx.members().insert(*user, Role::Admin).await.unwrap();
    }
    let mut agents = Vec::new();
    for n in 0..size {
        agents.push(add_agent(&tx, slug, n).await);
    }
    tx.agents().activate(agents[0].id).await.unwrap();
    let global_kb = tx
        .knowledge_bases()
        .insert(&shared_kb(&named(slug, "global")))
        .await
        .unwrap();
    for n in 1..size {
        let extra = named(slug, &format!("global-{n}"));
        tx.knowledge_bases()
            .insert(&shared_kb(&extra))
            .await
            .unwrap();
    }
    tx.assignments()
        .insert(agents[0].id, global_kb, 5, 0.5)
        .await
        .unwrap();
    let api_key = tx.api_keys().insert(&key(slug, users[0])).await.unwrap().id;
    keep_records(&tx, slug).await;
    tx.commit().await.unwrap();

    let (queued_job, running_job, dead_job) = add_jobs(house, scope, slug).await;
    Tenant {
        scope,
        slug,
        month: month_of(house.now()),
        now: house.now(),
        users,
        agents,
        global_kb,
        api_key,
        queued_job,
        running_job,
        dead_job,
    }
}

/// What the platform keeps about a person, which no tenant may see.
async fn sign_in(house: &House, slug: &str, user: UserId) {
    let tx = house.platform().await;
    let session = NewSession {
        user,
        token_hash: named(slug, "token"),
        user_agent: None,
        expires_at: house.later(HOUR),
    };
    tx.sessions().insert(&session).await.unwrap();
    let token = named(slug, "reset");
    tx.password_resets()
        .insert(user, &token, house.later(HOUR))
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

/// An agent with its knowledge base and one searchable document in it.
async fn add_agent(tx: &TenantTx, slug: &str, n: usize) -> TenantAgent {
    let name = format!("{slug}-agent-{n}");
    let id = tx.agents().insert(&new_agent(&name)).await.unwrap();
    let kb = tx
        .knowledge_bases()
        .insert(&own_kb(&name, id))
        .await
        .unwrap();
    let document = tx
        .documents()
        .insert(&text(kb, &named(slug, "text")), ACTOR)
        .await
        .unwrap();
    let chunks = [chunk(0, &named(slug, "text"))];
    tx.chunks().replace(kb, document, &chunks).await.unwrap();
    let done = DocumentStatus::Completed;
    assert!(
        tx.documents()
            .set_status(document, done, Some(1), None)
            .await
            .unwrap()
    );
    TenantAgent { id, kb, document }
}

async fn keep_records(tx: &TenantTx, slug: &str) {
    tx.secrets()
        .put(&secret(&named(slug, "secret")))
        .await
        .unwrap();
    let amount = if slug == "a" { 1000 } else { 1 };
    tx.credits()
        .enter(amount, &named(slug, "grant"), "month")
        .await
        .unwrap();
    tx.usage().add(&named(slug, "metric"), 7).await.unwrap();
    tx.audit()
        .insert(audit_entry(&named(slug, "target")))
        .await
        .unwrap();
    let key = named(slug, "key");
    tx.idempotency()
        .claim(ACTOR, &key, "fixture", "hash")
        .await
        .unwrap();
    tx.idempotency()
        .record(ACTOR, &key, json!("answer"))
        .await
        .unwrap();
}

/// One job in each state that methods ask for. The queued one comes last and lies in the future:
/// the claims in between must take the jobs they are meant for.
async fn add_jobs(house: &House, scope: TenantScope, slug: &str) -> (JobId, ClaimedJob, JobId) {
    enqueue(house, scope, &job(house.now(), None)).await;
    let running = claim(house).await;
    enqueue(house, scope, &job(house.now(), None)).await;
    let doomed = claim(house).await;
    let tx = house.platform().await;
    assert!(
        tx.queue()
            .end(&doomed, JobStatus::Dead, "it had to end")
            .await
            .unwrap()
    );
    tx.commit().await.unwrap();
    let waiting = job(house.later(HOUR), Some(named(slug, "dedup")));
    (enqueue(house, scope, &waiting).await, running, doomed.id)
}

async fn enqueue(house: &House, scope: TenantScope, new: &NewJob) -> JobId {
    let tx = house.begin(scope).await;
    let id = tx.jobs().enqueue(new).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    id
}

async fn claim(house: &House) -> ClaimedJob {
    let tx = house.platform().await;
    let claimed = tx
        .queue()
        .claim("fixture", house.later(HOUR))
        .await
        .unwrap()
        .unwrap();
    tx.commit().await.unwrap();
    claimed
}

pub(crate) fn job(run_at: Timestamp, dedup_key: Option<String>) -> NewJob {
    NewJob {
        kind: JOB_KIND,
        payload: json!({}),
        dedup_key,
        run_at,
        max_attempts: 3,
    }
}

pub(crate) fn new_agent(slug: &str) -> NewAgent {
    NewAgent {
        slug: slug.to_owned(),
        name: slug.to_owned(),
        company_name: "Clínica Sonrisa".to_owned(),
        language: Language::Es,
    }
}

pub(crate) fn own_kb(name: &str, agent: AgentId) -> NewKnowledgeBase {
    NewKnowledgeBase {
        scope: KbScope::Agent,
        agent_id: Some(agent),
        ..shared_kb(name)
    }
}

pub(crate) fn shared_kb(name: &str) -> NewKnowledgeBase {
    NewKnowledgeBase {
        name: name.to_owned(),
        scope: KbScope::Global,
        agent_id: None,
        owner_user_id: None,
        language: Language::Es,
    }
}

pub(crate) fn text(kb: KnowledgeBaseId, content: &str) -> NewText {
    NewText {
        knowledge_base_id: kb,
        title: Some(content.to_owned()),
        content: content.to_owned(),
        content_hash: content.to_owned(),
        preview: content.to_owned(),
    }
}

pub(crate) fn chunk(index: i32, content: &str) -> NewChunk {
    NewChunk {
        index,
        content: content.to_owned(),
        start_char: 0,
        end_char: 1,
    }
}

pub(crate) fn key(slug: &str, by: UserId) -> NewApiKey {
    NewApiKey {
        name: named(slug, "key"),
        prefix: "qk_".to_owned(),
        key_hash: named(slug, "key-hash"),
        scopes: vec![Permission::Chat],
        created_by: Some(by),
        expires_at: None,
    }
}

pub(crate) fn secret(name: &str) -> SealedSecret {
    SealedSecret {
        name: name.to_owned(),
        sealed: b"sealed".to_vec(),
        mask: "…".to_owned(),
    }
}

pub(crate) fn audit_entry(target: &str) -> NewAuditEntry {
    NewAuditEntry {
        actor: ACTOR.to_owned(),
        action: "fixture.fill",
        target: target.to_owned(),
        details: json!({}),
        request_id: None,
    }
}
