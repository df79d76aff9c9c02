//! What people do with websites.

use super::input::{CreateWebsite, UpdateWebsite};
use super::progress::RoundProgress;
use super::{READ_WEBSITE, ReadingOrder, reading, target};
use crate::documents::PROCESS_DOCUMENT;
use crate::once::{self, Once};
use crate::{Actor, App, knowledge_bases, removal};
use quipu_core::knowledge::KbScope;
use quipu_core::page::{Page, PageRequest};
use quipu_core::removal::DeletionReceipt;
use quipu_core::website::{
    MAX_WEBSITES, RefreshSchedule, Website, WebsitePage, WebsitePageState, WebsiteSettings,
    WebsiteStatus,
};
use quipu_core::{Error, ErrorCode, KnowledgeBaseId, Result, WebsiteId};
use quipu_store::TenantTx;
use quipu_store::tenant::{OpenKb, Target};
use serde_json::{Value, json};

/// Adds a website, whose reading begins at once in the background.
///
/// # Errors
/// `NOT_FOUND`, `FORBIDDEN`, `VALIDATION_FAILED`, `ALREADY_EXISTS` when the knowledge base has that
/// address, `TOO_MANY_ITEMS`, `KNOWLEDGE_BASE_ARCHIVED`, or `KNOWLEDGE_BASE_MANAGED`.
pub async fn create(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    input: CreateWebsite,
) -> Result<Website> {
    let (home, settings) = input.checked()?;
    may_refresh(actor, settings.refresh)?;
    let tx = match once::begin(app, actor, "website.create", &(kb, &input)).await? {
        Once::Again(site) => return Ok(site),
        Once::First(tx) => tx,
    };
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_write(actor, &kb)?;
    if tx.websites().count(&kb).await? >= MAX_WEBSITES {
        return Err(Error::new(ErrorCode::TooManyItems).with("value", MAX_WEBSITES));
    }
    let by = actor.name();
    let id = tx
        .websites()
        .insert(&kb, home.start(), &settings, &by)
        .await?;
    let order = ordered(actor, id);
    let order = reading(app, &order, tx.now(), kb.owner_user_id);
    tx.jobs().enqueue(&order).await?;
    let details = json!({ "knowledge_base": kb.id, "address": shown_address(&kb, home.start()) });
    actor
        .audit(&tx, "website.create", target(id), details)
        .await?;
    let site = load(&tx, &kb, id).await?;
    tx.commit(&site).await?;
    app.new_work.notify_one();
    Ok(site)
}

fn ordered(actor: &Actor, id: WebsiteId) -> ReadingOrder {
    ReadingOrder {
        website_id: id,
        by: Some(actor.name()),
    }
}

/// Refuses a program that has a website read again and again: whoever writes its pages would go on telling
/// customers things long after the key was taken back.
fn may_refresh(actor: &Actor, refresh: RefreshSchedule) -> Result<()> {
    if refresh == RefreshSchedule::Never {
        return Ok(());
    }
    actor.require_person()
}

/// Newest first.
///
/// # Errors
/// `NOT_FOUND` or `FORBIDDEN`.
pub async fn list(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    page: PageRequest,
) -> Result<Page<Website>> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_read(actor, &kb)?;
    tx.websites().list(&kb, page).await
}

/// # Errors
/// `NOT_FOUND` when it is not there or is somebody else's.
pub async fn get(app: &App, actor: &Actor, id: WebsiteId) -> Result<Website> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = open(&tx, actor, id).await?;
    knowledge_bases::may_read(actor, &kb)?;
    load(&tx, &kb, id).await
}

/// The addresses that were found, those found first before the others.
///
/// # Errors
/// `NOT_FOUND` when the website is not there or is somebody else's.
pub async fn pages(
    app: &App,
    actor: &Actor,
    id: WebsiteId,
    state: Option<WebsitePageState>,
    page: PageRequest,
) -> Result<Page<WebsitePage>> {
    let tx = app.store.read(actor.scope()).await?;
    let kb = open(&tx, actor, id).await?;
    knowledge_bases::may_read(actor, &kb)?;
    tx.website_pages().list(&kb, id, state, page).await
}

/// Changes how a website is read. What is wanted of it counts from its next reading on, and one that
/// is under way begins anew.
///
/// # Errors
/// `NOT_FOUND`, `FORBIDDEN`, `VALIDATION_FAILED` or `KNOWLEDGE_BASE_ARCHIVED`.
pub async fn update(
    app: &App,
    actor: &Actor,
    id: WebsiteId,
    input: UpdateWebsite,
) -> Result<Website> {
    let tx = app.store.begin(actor.scope()).await?;
    let kb = open(&tx, actor, id).await?;
    knowledge_bases::may_write(actor, &kb)?;
    let before = load(&tx, &kb, id).await?;
    let settings = input.applied(&before)?;
    if settings.refresh != before.refresh {
        may_refresh(actor, settings.refresh)?;
    }
    let otherwise = reads_otherwise(&before, &settings);
    let anew = before.status.is_busy() && otherwise;
    if anew {
        // Comes before the website is written: workers lock their job first.
        tx.removal().drop_readings(READ_WEBSITE, &[id]).await?;
    }
    let next = if before.refresh == settings.refresh {
        before.next_read_at
    } else {
        let read_at = before.last_read_at.unwrap_or(tx.now());
        settings.refresh.after(read_at)
    };
    // Only what changes is written: somebody may have set the rest meanwhile.
    let refresh = (settings.refresh != before.refresh).then_some((settings.refresh, next));
    tx.websites().update(&kb, id, &settings, refresh).await?;
    if otherwise {
        // Who wants other pages than before may lose most of those.
        let left = RoundProgress::left_behind();
        tx.websites().keep_progress(id, &left).await?;
    }
    if anew {
        tx.websites()
            .set_status(id, WebsiteStatus::Waiting, None, next)
            .await?;
        let order = ordered(actor, id);
        let order = reading(app, &order, tx.now(), kb.owner_user_id);
        tx.jobs().enqueue(&order).await?;
    }
    let details = match kb.owner_user_id {
        Some(_) => json!({}),
        None => serde_json::to_value(&input).map_err(Error::internal)?,
    };
    actor
        .audit(&tx, "website.update", target(id), details)
        .await?;
    let site = load(&tx, &kb, id).await?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(site)
}

/// Has a website read now. One that is being read already goes on.
///
/// # Errors
/// `NOT_FOUND`, `FORBIDDEN` or `KNOWLEDGE_BASE_ARCHIVED`.
pub async fn read_now(app: &App, actor: &Actor, id: WebsiteId) -> Result<Website> {
    let tx = app.store.begin(actor.scope()).await?;
    let kb = open(&tx, actor, id).await?;
    knowledge_bases::may_write(actor, &kb)?;
    let before = load(&tx, &kb, id).await?;
    if before.status.is_busy() {
        return Ok(before);
    }
    tx.websites()
        .set_status(id, WebsiteStatus::Waiting, None, before.next_read_at)
        .await?;
    let order = ordered(actor, id);
    let order = reading(app, &order, tx.now(), kb.owner_user_id);
    tx.jobs().enqueue(&order).await?;
    actor
        .audit(&tx, "website.read", target(id), json!({}))
        .await?;
    let site = load(&tx, &kb, id).await?;
    tx.commit().await?;
    app.new_work.notify_one();
    Ok(site)
}

/// Ends the reading under way. What was read stays, and nothing is removed.
///
/// # Errors
/// `NOT_FOUND`, `FORBIDDEN`, or `WEBSITE_STATE` when nothing is under way.
pub async fn stop(app: &App, actor: &Actor, id: WebsiteId) -> Result<Website> {
    let tx = app.store.begin(actor.scope()).await?;
    let kb = open(&tx, actor, id).await?;
    knowledge_bases::may_manage(actor, &kb)?;
    tx.removal().drop_readings(READ_WEBSITE, &[id]).await?;
    // Whoever had the job has let go of the website by now.
    let before = load(&tx, &kb, id).await?;
    if !before.status.is_busy() {
        return Err(Error::new(ErrorCode::WebsiteState));
    }
    tx.websites()
        .set_status(id, WebsiteStatus::Stopped, None, before.next_read_at)
        .await?;
    actor
        .audit(&tx, "website.stop", target(id), json!({}))
        .await?;
    let site = load(&tx, &kb, id).await?;
    tx.commit().await?;
    Ok(site)
}

/// Deletes a website with the documents that are its pages, from every store.
///
/// # Errors
/// `NOT_FOUND` or `FORBIDDEN`.
pub async fn delete(app: &App, actor: &Actor, id: WebsiteId) -> Result<DeletionReceipt> {
    let tx = app.store.begin(actor.scope()).await?;
    let kb = open(&tx, actor, id).await?;
    knowledge_bases::may_manage(actor, &kb)?;
    if kb.scope == KbScope::Business {
        return Err(Error::new(ErrorCode::KnowledgeBaseManaged));
    }
    tx.removal().drop_readings(READ_WEBSITE, &[id]).await?;
    let documents = tx.website_pages().documents(id).await?;
    tx.removal().drop_jobs(PROCESS_DOCUMENT, &documents).await?;
    let folder = |document| format!("{}/{document}", kb.id);
    let prefixes = documents.iter().map(folder).collect();
    let what = Target::Website(id, documents.clone());
    let removal = removal::begin(app, &tx, what, prefixes, kb.owner_user_id).await?;
    tx.documents().delete(&kb, &documents).await?;
    tx.websites().delete(&kb, id).await?;
    removal
        .finish(app, actor, tx, "website.delete", target(id))
        .await
}

/// The knowledge base of a website, if the caller may know that it exists.
async fn open(tx: &TenantTx, actor: &Actor, id: WebsiteId) -> Result<OpenKb> {
    let missing = || Error::not_found("website");
    let kb = tx.websites().kb_of(id).await?.ok_or_else(missing)?;
    match knowledge_bases::open(tx, actor, kb).await {
        Err(error) if error.code() == ErrorCode::NotFound => Err(missing()),
        opened => opened,
    }
}

async fn load(tx: &TenantTx, kb: &OpenKb, id: WebsiteId) -> Result<Website> {
    let site = tx.websites().find(kb, id).await?;
    site.ok_or_else(|| Error::not_found("website"))
}

/// Whether other pages are wanted than before, or they are found otherwise.
fn reads_otherwise(before: &Website, now: &WebsiteSettings) -> bool {
    (before.found_by, before.depth, before.max_pages) != (now.found_by, now.depth, now.max_pages)
        || (&before.include, &before.exclude) != (&now.patterns.include, &now.patterns.exclude)
}

/// What a personal knowledge base reads is its owner's business, and the audit log is the admins'.
fn shown_address(kb: &OpenKb, address: &str) -> Value {
    match kb.owner_user_id {
        Some(_) => Value::Null,
        None => json!(address),
    }
}
