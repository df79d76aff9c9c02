//! Two tenants with a row in every table a tenant can own.

use crate::fixture_business;
use crate::fixture_channels::{self, Channels};
use crate::fixture_customers::{self, Customers};
use crate::fixture_events::{self, Events};
use crate::fixture_mind::{self, Mind};
use crate::fixture_sales::{self, Sales};
use crate::fixture_websites::{self, Websites};
use crate::material::{ACTOR, add_searchable, build, load, process, searchable, typed};
use crate::schema::Schema;
use crate::support::{HOUR, House, SECOND};
use quipu_core::access::{Permission, Role};
use quipu_core::agent::NewAgent;
use quipu_core::chunking::ChunkingConfig;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::job::{ClaimedJob, JobStatus, NewJob};
use quipu_core::knowledge::{DocumentSource, KbScope, NewDocument};
use quipu_core::language::Language;
use quipu_core::plan::month_of;
use quipu_core::tenancy::TenantScope;
use quipu_core::{AgentId, ApiKeyId, ChunkId, DocumentId, JobId, TenantId, Timestamp, UserId};
use quipu_store::TenantTx;
use quipu_store::platform::NewSession;
use quipu_store::tenant::NewRetrieval;
use quipu_store::tenant::{
    IngestItem, NewApiKey, NewAuditEntry, NewKnowledgeBase, OpenKb, SealedSecret,
};
use quipu_testkit::TestDatabase;
use serde_json::json;

pub(crate) const JOB_KIND: &str = "fixture";
/// How many jobs of a tenant run at once, where a test does not care.
pub(crate) const UNLIMITED: u32 = u32::MAX;

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
    /// Assigned to the first agent only. The draft is in it.
    pub(crate) global_kb: OpenKb,
    /// The first person's own.
    pub(crate) personal_kb: OpenKb,
    pub(crate) business_kb: OpenKb,
    /// A document that was cut and is not published, without vectors.
    pub(crate) draft: IngestItem,
    /// The size of all its documents.
    pub(crate) bytes: u64,
    pub(crate) api_key: ApiKeyId,
    /// About the draft, whose id is its key.
    pub(crate) queued_job: JobId,
    pub(crate) running_job: ClaimedJob,
    pub(crate) dead_job: JobId,
    pub(crate) business: fixture_business::Business,
    pub(crate) channels: Channels,
    pub(crate) customers: Customers,
    pub(crate) events: Events,
    pub(crate) sales: Sales,
    pub(crate) mind: Mind,
    pub(crate) websites: Websites,
}

pub(crate) struct TenantAgent {
    pub(crate) id: AgentId,
    pub(crate) kb: OpenKb,
    /// Searchable, with one chunk, one vector, one tag.
    pub(crate) document: DocumentId,
    pub(crate) chunk: ChunkId,
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

    /// The agents' own, the draft, the personal one and the business's.
    pub(crate) fn documents(&self) -> u64 {
        self.agents.len() as u64 + 3
    }

    /// The key of the queued job.
    pub(crate) fn queued_key(&self) -> String {
        self.draft.id.to_string()
    }
}

pub(crate) fn named(slug: &str, what: &str) -> String {
    format!("{slug}-{what}")
}

impl TwoTenants {
    /// # Panics
    /// When a table is left empty: whoever adds a tenant-owned table fills it in [`fill`].
    pub(crate) async fn new(db: &TestDatabase) -> Self {
        Self::in_house(House::new(db).await, &Schema::of(db).await).await
    }

    pub(crate) async fn in_house(house: House, schema: &Schema) -> Self {
        // In boxes: the future of a tenant with everything is too large for the stack.
        let a = Box::pin(fill(&house, "a", 2)).await;
        let b = Box::pin(fill(&house, "b", 1)).await;
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
    let global_kb = add_kb(&tx, &shared_kb(&named(slug, "global"))).await;
    for n in 1..size {
        add_kb(&tx, &shared_kb(&named(slug, &format!("global-{n}")))).await;
    }
    tx.assignments()
        .insert(agents[0].id, global_kb.id, 5, 0.5)
        .await
        .unwrap();
    let draft = add_draft(&tx, slug, &global_kb).await;
    let personal_kb = add_kb(&tx, &personal_kb(&named(slug, "personal"), users[0])).await;
    let diary = named(slug, "diary");
    add_searchable(&tx, &personal_kb, &[&diary]).await;
    let business_kb = add_kb(&tx, &business_kb(&named(slug, "business"))).await;
    add_policy(&tx, slug, &business_kb).await;
    let api_key = tx.api_keys().insert(&key(slug, users[0])).await.unwrap().id;
    keep_records(&tx, slug, agents[0].id).await;
    let customers = fixture_customers::fill(&tx, slug, agents[0].id).await;
    let channels = fixture_channels::fill(&tx, slug, &customers).await;
    let events = fixture_events::fill(&tx, slug, &customers).await;
    let business = fixture_business::add(&tx, slug, agents[0].id, &customers).await;
    let mind = fixture_mind::fill(&tx, slug, agents[0].id, &customers).await;
    let websites = fixture_websites::fill(&tx, slug, &agents[0]).await;
    if size > 1 {
        let second = fixture_business::branch(&named(slug, "branch-1"));
        tx.catalogue().insert(&second).await.unwrap();
    }
    let bytes = tx.knowledge_bases().bytes(None).await.unwrap();
    tx.commit().await.unwrap();

    let (queued_job, running_job, dead_job) = add_jobs(house, scope, draft.id).await;
    let sales = fixture_sales::fill(house, scope, slug, size).await;
    Tenant {
        scope,
        slug,
        month: month_of(house.now()),
        now: house.now(),
        users,
        agents,
        global_kb,
        personal_kb,
        business_kb,
        draft,
        bytes,
        api_key,
        queued_job,
        running_job,
        dead_job,
        business,
        channels,
        customers,
        events,
        sales,
        mind,
        websites,
    }
}

pub(crate) fn retrieval(slug: &str, at: Timestamp) -> NewRetrieval {
    NewRetrieval {
        actor: ACTOR.to_owned(),
        agent: None,
        owner: None,
        query: named(slug, "query"),
        chunks: Vec::new(),
        mean_similarity: 0.5,
        total_chunks_searched: 1,
        elapsed: SECOND,
        embedding: SECOND / 2,
        context_tokens: 7,
        degraded: false,
        at,
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
    let kb = add_kb(tx, &own_kb(&name, id)).await;
    let document = add_searchable(tx, &kb, &[&named(slug, "text")]).await;
    let found = searchable(tx, &[kb.id]).await;
    let chunk = found[0].id;
    TenantAgent {
        id,
        kb,
        document,
        chunk,
    }
}

/// A document in the middle of its first run.
async fn add_draft(tx: &TenantTx, slug: &str, kb: &OpenKb) -> IngestItem {
    let text = named(slug, "draft");
    let new = NewDocument {
        source: DocumentSource::Url,
        ..typed(tx.now(), &text)
    };
    tx.documents().insert(kb, &new, ACTOR).await.unwrap();
    build(tx, new.id, &[&text]).await;
    load(tx, new.id).await
}

/// What the business says about itself.
async fn add_policy(tx: &TenantTx, slug: &str, kb: &OpenKb) {
    let text = named(slug, "policy");
    let new = NewDocument {
        source: DocumentSource::Business,
        business: Some(("policy".to_owned(), text.clone())),
        ..typed(tx.now(), &text)
    };
    tx.documents().insert(kb, &new, ACTOR).await.unwrap();
    process(tx, new.id, &[&text]).await;
}

/// A new knowledge base, opened by whoever it belongs to.
pub(crate) async fn add_kb(tx: &TenantTx, new: &NewKnowledgeBase) -> OpenKb {
    let id = tx.knowledge_bases().insert(new).await.unwrap();
    let opened = tx.knowledge_bases().open(id, new.owner_user_id).await;
    opened.unwrap().expect("the new knowledge base")
}

async fn keep_records(tx: &TenantTx, slug: &str, agent: AgentId) {
    let search = NewRetrieval {
        agent: Some(agent),
        ..retrieval(slug, tx.now())
    };
    tx.retrievals().insert(&search).await.unwrap();
    tx.secrets()
        .put(&secret(&named(slug, "secret")))
        .await
        .unwrap();
    let amount = if slug == "a" { 1000 } else { 1 };
    tx.credits()
        .enter(amount, &named(slug, "grant"), "month")
        .await
        .unwrap();
    tx.usage()
        .add(&[(&named(slug, "metric"), 7)])
        .await
        .unwrap();
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
        .record(ACTOR, &key, json!("answer"), None)
        .await
        .unwrap();
}

/// One job in each state that methods ask for. The queued one comes last and lies in the future:
/// the claims in between must take the jobs they are meant for.
async fn add_jobs(
    house: &House,
    scope: TenantScope,
    draft: DocumentId,
) -> (JobId, ClaimedJob, JobId) {
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
    let waiting = job(house.later(HOUR), Some(draft.to_string()));
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
        .claim("fixture", house.later(HOUR), UNLIMITED)
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
        owner: None,
    }
}

pub(crate) fn new_agent(slug: &str) -> NewAgent {
    NewAgent {
        slug: slug.to_owned(),
        name: slug.to_owned(),
        company_name: "Clínica Sonrisa".to_owned(),
        vertical: quipu_core::agent::Vertical::General,
        language: Language::Es,
        allows_personal_corpus: false,
        settings: quipu_core::agent::AgentSettings::default(),
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
        description: None,
        language: Language::Es,
        chunking_config: ChunkingConfig::default(),
        embedding_config: EmbeddingConfig::default(),
        created_by: Some(ACTOR.to_owned()),
    }
}

pub(crate) fn personal_kb(name: &str, owner: UserId) -> NewKnowledgeBase {
    NewKnowledgeBase {
        scope: KbScope::Personal,
        owner_user_id: Some(owner),
        ..shared_kb(name)
    }
}

pub(crate) fn business_kb(name: &str) -> NewKnowledgeBase {
    NewKnowledgeBase {
        scope: KbScope::Business,
        chunking_config: ChunkingConfig::business(),
        ..shared_kb(name)
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
        made_with: None,
    }
}

pub(crate) fn secret(name: &str) -> SealedSecret {
    SealedSecret {
        name: name.to_owned(),
        sealed: b"sealed".to_vec(),
        mask: "…".to_owned(),
        origins: None,
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
