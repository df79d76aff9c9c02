//! Pages as documents: a new one, a new version of one, or the same as before.

use super::SiteReason;
use super::reader::{OpenRound, SiteReader, Step};
use super::sieve::SortedLinks;
use super::visit::PageRead;
use crate::{documents, limits};
use bytes::Bytes;
use quipu_core::knowledge::{DocumentSource, DocumentStatus, NewDocument};
use quipu_core::website::{SiteProblem, WebsiteCounts, WebsitePageState};
use quipu_core::{DocumentId, Error, ErrorCode, Result};
use quipu_store::tenant::{OpenKb, PageContent, SitePage};
use quipu_store::{Originals, TenantTx};
use serde_json::json;
use sha2::{Digest, Sha256};

/// A mark of a file that is no web page.
pub(super) fn bytes_hash(body: &Bytes) -> String {
    hex::encode(Sha256::digest(body))
}

/// What refuses a page for want of room or credits.
fn is_limit(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::PlanLimitReached
            | ErrorCode::PlanSizeExceeded
            | ErrorCode::CreditsExhausted
            | ErrorCode::FeatureNotInPlan
    )
}

impl SiteReader<'_> {
    /// Takes a page that was read into the knowledge base.
    pub(super) async fn keep(
        &self,
        round: &OpenRound,
        page: &SitePage,
        read: PageRead,
        (depth, links): (i32, SortedLinks),
    ) -> Step<()> {
        if let Some(document) = page.document
            && page.content_hash.as_deref() == Some(&read.hash)
        {
            let content = content(document, &read, false);
            return self
                .note_unchanged(round, page, &content, (depth, links))
                .await;
        }
        let id = page
            .document
            .unwrap_or_else(|| DocumentId::generate(self.app.now()));
        let filename = documents::clean_name(&read.fetched.filename);
        let tx = self.begin().await?;
        let kb = self.kb(&tx, &round.reading).await?;
        let version = match page.document {
            Some(_) => tx.documents().next_version(&kb, id).await?,
            None => Some(1),
        };
        let Some(version) = version else {
            // Somebody deleted it, and the page with it: the next reading finds it anew.
            return Ok(());
        };
        let path = Originals::path(kb.id, id, version, &filename);
        documents::guard(self.app, &tx, &kb, id, &path).await?;
        tx.commit().await?;
        let mut writer = self.app.originals.writer(self.scope, &path).await?;
        writer.write(read.fetched.body.clone()).await?;
        writer.finish().await?;

        let tx = self.begin().await?;
        let kb = self.kb(&tx, &round.reading).await?;
        let new = NewDocument {
            id,
            source: DocumentSource::Url,
            title: None,
            filename: Some(filename),
            file_type: Some(read.format),
            source_url: Some(page.address.clone()),
            storage_path: Some(path.clone()),
            text: None,
            preview: String::new(),
            // The page changes and the address stays: the same address is the same document.
            content_hash: documents::address_hash(&page.address),
            size_bytes: i64::try_from(read.fetched.body.len()).unwrap_or(i64::MAX),
            category: None,
            tags: Vec::new(),
            metadata: json!({}),
            business: None,
        };
        let written = match page.document {
            Some(_) => self.replace(&tx, &kb, &new).await,
            None => self.insert(&tx, &kb, &new, &round.reading.created_by).await,
        };
        if let Err(error) = written {
            drop(tx);
            drop(self.app.originals.delete(self.scope, &path).await);
            return self.refused(round, page, error, (depth, links)).await;
        }
        let content = content(id, &read, true);
        tx.website_pages().read(page.id, &content).await?;
        let more = self.add_links(&tx, round, depth, links, false).await?;
        let counts = WebsiteCounts {
            read: 1,
            changed: 1,
            ..more
        };
        self.count(&tx, &counts).await?;
        tx.jobs().withdraw(documents::SWEEP_UPLOAD, &path).await?;
        tx.commit().await?;
        self.app.new_work.notify_one();
        Ok(())
    }

    async fn insert(&self, tx: &TenantTx, kb: &OpenKb, new: &NewDocument, by: &str) -> Result<()> {
        let bytes = u64::try_from(new.size_bytes).unwrap_or(0);
        let plan = limits::room_for_document(tx, kb.id, bytes).await?;
        limits::credit_for_later(tx, &plan).await?;
        tx.documents().insert(kb, new, by).await?;
        documents::enqueue_fetched(self.app, tx, kb, new.id, None).await?;
        tx.usage().add(&[("documents_added", 1)]).await
    }

    /// Puts a new version behind a page. Readers see the old one until it was processed.
    async fn replace(&self, tx: &TenantTx, kb: &OpenKb, new: &NewDocument) -> Result<()> {
        let before = tx.documents().find(kb, new.id).await?;
        let before = before.ok_or_else(|| Error::not_found("document"))?;
        let grown = u64::try_from(new.size_bytes - before.size_bytes).unwrap_or(0);
        limits::room_for_growth(tx, kb.id, grown).await?;
        let stale = tx.documents().original(kb, new.id).await?;
        let stale = stale.and_then(|original| original.storage_path);
        // It takes the job away from a run on the version before, before anything is written.
        documents::prepare_run(tx, kb, new.id).await?;
        tx.documents().replace_content(kb, new.id, new).await?;
        if let Some(stale) = &stale {
            // Its run removes it; should that fail or give way, this order does.
            documents::guard(self.app, tx, kb, new.id, stale).await?;
        }
        documents::enqueue_fetched(self.app, tx, kb, new.id, stale.as_deref()).await
    }

    /// Notes why a page was not taken in. Where the plan leaves no room, no further page is asked for.
    async fn refused(
        &self,
        round: &OpenRound,
        page: &SitePage,
        error: Error,
        (depth, links): (i32, SortedLinks),
    ) -> Step<()> {
        let (state, reason, limit) = match error.code() {
            code if is_limit(code) => {
                let reason = SiteReason::error(&error, self.language);
                (WebsitePageState::Failed, reason, true)
            }
            ErrorCode::DuplicateDocument => {
                let reason = self.problem(SiteProblem::AlreadyThere);
                (WebsitePageState::Skipped, reason, false)
            }
            // Somebody deleted it meanwhile.
            ErrorCode::NotFound => return Ok(()),
            _ => return Err(error.into()),
        };
        let tx = self.begin().await?;
        tx.website_pages()
            .set_state(page.id, state, reason.told())
            .await?;
        let mut counts = self.add_links(&tx, round, depth, links, limit).await?;
        counts.failed = i32::from(state == WebsitePageState::Failed);
        if limit {
            let now = tx.websites().load(self.id).await?;
            if let Some(now) = now {
                let mut progress = super::progress::RoundProgress::read(&now.progress)?;
                progress.over_limit = Some(reason);
                tx.websites()
                    .keep_progress(self.id, &progress.written()?)
                    .await?;
            }
        }
        self.count(&tx, &counts).await?;
        tx.commit().await?;
        Ok(())
    }

    /// A page that the site says is still the same. Nobody has asked for its links.
    pub(super) async fn unchanged(&self, round: &OpenRound, page: &SitePage) -> Step<()> {
        let Some(document) = page.document else {
            // Nobody asked whether it had changed.
            return Ok(());
        };
        let content = PageContent {
            document,
            content_hash: page.content_hash.clone().unwrap_or_default(),
            etag: page.etag.clone(),
            last_modified: page.last_modified.clone(),
            changed: false,
        };
        let none = (page.depth, SortedLinks::default());
        self.note_unchanged(round, page, &content, none).await
    }

    async fn note_unchanged(
        &self,
        round: &OpenRound,
        page: &SitePage,
        content: &PageContent,
        (depth, links): (i32, SortedLinks),
    ) -> Step<()> {
        let tx = self.begin().await?;
        let kb = self.kb(&tx, &round.reading).await?;
        let document = tx.documents().find(&kb, content.document).await?;
        if document.is_some_and(|document| document.status == DocumentStatus::Failed) {
            // What went wrong may be mended by now: credits, or a model that was away.
            match documents::prepare_run(&tx, &kb, content.document).await {
                Ok(()) => {
                    documents::enqueue_fetched(self.app, &tx, &kb, content.document, None).await?;
                }
                Err(error) if is_limit(error.code()) => {}
                Err(error) => return Err(error.into()),
            }
        }
        tx.website_pages().read(page.id, content).await?;
        let more = self.add_links(&tx, round, depth, links, false).await?;
        let counts = WebsiteCounts {
            read: 1,
            unchanged: 1,
            ..more
        };
        self.count(&tx, &counts).await?;
        tx.commit().await?;
        self.app.new_work.notify_one();
        Ok(())
    }
}

fn content(document: DocumentId, read: &PageRead, changed: bool) -> PageContent {
    PageContent {
        document,
        content_hash: read.hash.clone(),
        etag: read.etag.clone(),
        last_modified: read.last_modified.clone(),
        changed,
    }
}
