//! A website of each tenant, with a page that is a document and one that waits.

use crate::fixture::{TenantAgent, named};
use crate::material::ACTOR;
use quipu_core::website::{
    FoundBy, PathPatterns, RefreshSchedule, WebsitePageState, WebsiteSettings,
};
use quipu_core::{WebsiteId, WebsitePageId};
use quipu_store::TenantTx;
use quipu_store::tenant::{FoundPage, OpenKb, PageContent};
use serde_json::json;

pub(crate) struct Websites {
    /// In the first agent's own knowledge base, in its second reading.
    pub(crate) site: WebsiteId,
    /// The agent's document, found by the first reading only.
    pub(crate) page: WebsitePageId,
    /// Waits to be read.
    pub(crate) waiting: WebsitePageId,
}

pub(crate) fn settings() -> WebsiteSettings {
    WebsiteSettings {
        found_by: FoundBy::Links,
        depth: 2,
        patterns: PathPatterns::default(),
        max_pages: 10,
        refresh: RefreshSchedule::Daily,
    }
}

pub(crate) fn address(slug: &str, path: &str) -> String {
    format!("https://{slug}.example/{path}")
}

pub(crate) fn found(address: String) -> Vec<FoundPage> {
    vec![FoundPage { address, depth: 1 }]
}

pub(crate) async fn add_site(tx: &TenantTx, kb: &OpenKb, address: &str) -> WebsiteId {
    let added = tx.websites().insert(kb, address, &settings(), ACTOR).await;
    added.unwrap()
}

pub(crate) async fn fill(tx: &TenantTx, slug: &str, agent: &TenantAgent) -> Websites {
    let site = add_site(tx, &agent.kb, &address(slug, "")).await;
    let (sites, pages) = (tx.websites(), tx.website_pages());
    let first = sites.begin_round(site, &json!({})).await.unwrap().unwrap();
    let state = WebsitePageState::Waiting;
    let at = async |path: &str| {
        pages
            .at(site, &address(slug, path))
            .await
            .unwrap()
            .unwrap()
            .id
    };
    let old = found(address(slug, "old"));
    pages.found(site, first, state, None, &old).await.unwrap();
    let page = at("old").await;
    let content = content(agent);
    assert!(pages.read(page, &content).await.unwrap());
    let told = (named(slug, "code"), named(slug, "message"));
    let told = Some((told.0.as_str(), told.1.as_str()));
    let second = sites.begin_round(site, &json!({})).await.unwrap().unwrap();
    let new = found(address(slug, "new"));
    pages.found(site, second, state, None, &new).await.unwrap();
    let bad = found(address(slug, "bad"));
    let failed = WebsitePageState::Failed;
    pages.found(site, second, failed, told, &bad).await.unwrap();
    let due = Some(tx.now());
    let status = quipu_core::website::WebsiteStatus::Reading;
    assert!(sites.set_status(site, status, None, due).await.unwrap());
    Websites {
        site,
        page,
        waiting: at("new").await,
    }
}

pub(crate) fn content(agent: &TenantAgent) -> PageContent {
    PageContent {
        document: agent.document,
        content_hash: "hash".to_owned(),
        etag: None,
        last_modified: None,
        changed: true,
    }
}
