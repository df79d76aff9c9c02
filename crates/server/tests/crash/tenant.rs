//! A tenant that is worked for through the use cases, in the test's own process.

use crate::home::PATIENCE;
use quipu_app::documents::AddText;
use quipu_app::knowledge;
use quipu_app::knowledge_bases::{self, UpdateKnowledgeBase};
use quipu_app::tenants::{self, CreateTenant};
use quipu_app::{Actor, App, RequestInfo, agents, bootstrap};
use quipu_core::access::Principal;
use quipu_core::agent::Agent;
use quipu_core::agent::Vertical;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::job::Job;
use quipu_core::language::Language;
use quipu_core::page::{MAX_LIMIT, Page, PageRequest};
use quipu_core::tenancy::TenantScope;
use quipu_core::{DocumentId, Result};
use quipu_store::Store;
use std::time::{Duration, Instant};

pub(crate) struct Tenant {
    actor: Actor,
    pub(crate) agent: Agent,
}

impl Tenant {
    pub(crate) async fn make(app: &App, slug: &str) -> Self {
        // For the plans.
        bootstrap::prepare(app, "admin@quipu.local").await.unwrap();
        let input = CreateTenant {
            name: slug.to_owned(),
            slug: Some(slug.to_owned()),
            plan: "enterprise".to_owned(),
            locale: "es-PE".to_owned(),
            time_zone: "America/Lima".to_owned(),
        };
        let system = Principal::System;
        tenants::create(app, &system, input, &quipu_app::RequestInfo::default())
            .await
            .unwrap();
        let entered = Actor::enter(app, system, Some(slug), RequestInfo::default()).await;
        let actor = entered.unwrap();
        let input = agents::CreateAgent {
            name: "Maya".to_owned(),
            slug: None,
            company_name: None,
            vertical: Vertical::General,
            language: Language::Es,
            allows_personal_corpus: false,
            settings: quipu_core::agent::AgentSettings::default(),
        };
        let agent = agents::create(app, &actor, input).await.unwrap();
        // What is counted here are documents, not the vectors that would be made behind them.
        let plain = UpdateKnowledgeBase {
            embedding_config: Some(EmbeddingConfig::default().first()),
            ..UpdateKnowledgeBase::default()
        };
        knowledge_bases::update(app, &actor, agent.knowledge_base_id, plain)
            .await
            .unwrap();
        Self { actor, agent }
    }

    pub(crate) fn scope(&self) -> TenantScope {
        TenantScope::of(self.actor.tenant_id())
    }

    /// Adds a text, which queues a job.
    pub(crate) async fn add_text(&self, app: &App, content: &str) -> DocumentId {
        let input = AddText {
            title: None,
            content: content.to_owned(),
            category: None,
            tags: Vec::new(),
            metadata: serde_json::json!({}),
        };
        let added = knowledge::add_text(app, &self.actor, &self.agent.slug, input).await;
        added.unwrap().id
    }

    pub(crate) async fn jobs(&self, store: &Store) -> Vec<Job> {
        let tx = store.read(self.scope()).await.unwrap();
        all(
            async |page| tx.jobs().list(None, None, page).await,
            |job: &Job| job.id.uuid(),
        )
        .await
    }
}

pub(crate) async fn until_idle(store: &Store) {
    // Two thousand documents take their time on a busy machine.
    let patience = Instant::now() + 5 * PATIENCE;
    loop {
        let tx = store.platform_read().await.unwrap();
        let depth = tx.queue().depth().await.unwrap();
        drop(tx);
        if depth.queued + depth.running == 0 {
            return;
        }
        assert!(
            Instant::now() < patience,
            "the queue does not drain: {depth:?}"
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Every entry of a listing, page by page.
pub(crate) async fn all<T>(
    list: impl AsyncFn(PageRequest) -> Result<Page<T>>,
    id: impl Fn(&T) -> uuid::Uuid,
) -> Vec<T> {
    let mut entries: Vec<T> = Vec::new();
    loop {
        let page = PageRequest {
            limit: MAX_LIMIT,
            after: entries.last().map(&id),
        };
        let page = list(page).await.unwrap();
        entries.extend(page.data);
        if page.next_cursor.is_none() {
            return entries;
        }
    }
}
