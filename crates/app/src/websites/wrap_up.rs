//! The end of a reading: what the site has no more goes, and the website says what came of it.

use super::progress::RoundProgress;
use super::reader::{Halt, OpenRound, SiteReader, Step};
use super::target;
use crate::documents::PROCESS_DOCUMENT;
use crate::removal;
use quipu_core::website::{SiteProblem, WebsiteCounts, WebsiteStatus};
use quipu_core::{DocumentId, WebsitePageId};
use quipu_store::tenant::{NewAuditEntry, Target};
use serde_json::json;

/// Pages that are removed in one transaction.
const AT_ONCE: u64 = 100;
/// Documents that may go however few a website has left then.
const FEW: usize = 10;
/// More than a website ever has.
const ALL: u64 = 10_000;

impl SiteReader<'_> {
    pub(super) async fn wrap_up(&self, round: &OpenRound) -> Step<()> {
        // A site of which nothing could be read has not lost its pages.
        let read = round.reading.site.counts.read > 0;
        let spared = read && !round.progress.spared && self.loses_most(round).await?;
        if read && !spared {
            while self.remove_vanished(round).await? {}
        }
        let tx = self.begin().await?;
        let reading = tx.websites().load(self.id).await?.ok_or(Halt::Gone)?;
        let (progress, site) = (&round.progress, &reading.site);
        let pages = tx.website_pages();
        let reason = if !read {
            let first = pages.first_failure(self.id, reading.round).await?;
            let found = first.map(|(code, message)| super::SiteReason { code, message });
            Some(found.unwrap_or_else(|| self.problem(SiteProblem::NothingFound)))
        } else if spared {
            Some(self.problem(SiteProblem::MostAreMissing))
        } else if let Some(limit) = &progress.over_limit {
            Some(limit.clone())
        } else if progress.over_budget {
            Some(self.problem(SiteProblem::BudgetReached))
        } else {
            None
        };
        let status = if read {
            WebsiteStatus::Ready
        } else {
            WebsiteStatus::Failed
        };
        let told = reason.as_ref().map(super::SiteReason::told);
        let next = site.refresh.after(tx.now());
        tx.websites().finish(self.id, status, told, next).await?;
        if spared {
            let left = RoundProgress::left_behind();
            tx.websites().keep_progress(self.id, &left).await?;
        }
        tx.audit()
            .insert(NewAuditEntry {
                actor: "system".to_owned(),
                action: "website.finish",
                target: target(self.id),
                details: json!({ "status": status, "counts": site.counts }),
                request_id: None,
            })
            .await?;
        if !tx.jobs().complete(self.job).await? {
            return Err(Halt::LeaseLost);
        }
        tx.commit().await?;
        Ok(())
    }

    /// Whether most of what was there would go. A site that is being mended, or asks everybody to sign in,
    /// looks like one that has lost its pages: only a second reading that finds the same is believed.
    async fn loses_most(&self, round: &OpenRound) -> Step<bool> {
        let tx = self.app.store.read(self.scope).await?;
        let pages = tx.website_pages();
        let missed = !round.progress.incomplete;
        let number = round.reading.round;
        let gone = pages.vanished(self.id, number, missed, ALL).await?;
        let gone = gone.iter().filter(|page| page.document.is_some()).count();
        let all = pages.documents(self.id).await?.len();
        Ok(gone > FEW && gone * 2 > all)
    }

    /// Removes some of the pages that are gone, with their documents. Returns whether there may be more.
    async fn remove_vanished(&self, round: &OpenRound) -> Step<bool> {
        let tx = self.begin().await?;
        let missed = !round.progress.incomplete;
        let number = round.reading.round;
        let gone = tx
            .website_pages()
            .vanished(self.id, number, missed, AT_ONCE)
            .await?;
        if gone.is_empty() {
            return Ok(false);
        }
        let kb = self.kb(&tx, &round.reading).await?;
        let documents: Vec<DocumentId> = gone.iter().filter_map(|page| page.document).collect();
        let folder = |document| format!("{}/{document}", kb.id);
        let prefixes: Vec<String> = documents.iter().map(folder).collect();
        tx.removal().drop_jobs(PROCESS_DOCUMENT, &documents).await?;
        let rows = tx
            .removal()
            .count(&Target::Documents(documents.clone()))
            .await?;
        let sweep = removal::sweep(
            self.app,
            self.scope.tenant_id(),
            prefixes.clone(),
            round.reading.owner,
        );
        tx.jobs().enqueue(&sweep).await?;
        let ids: Vec<WebsitePageId> = gone.iter().map(|page| page.id).collect();
        tx.documents().delete(&kb, &documents).await?;
        tx.website_pages().delete(&ids).await?;
        let counts = WebsiteCounts {
            removed: i32::try_from(documents.len()).unwrap_or(i32::MAX),
            ..WebsiteCounts::default()
        };
        self.count(&tx, &counts).await?;
        tx.audit()
            .insert(NewAuditEntry {
                actor: "system".to_owned(),
                action: "website.remove_pages",
                target: target(self.id),
                details: json!({ "rows": rows }),
                request_id: None,
            })
            .await?;
        tx.commit().await?;
        removal::remove(self.app, self.scope, &prefixes, rows).await;
        Ok(true)
    }
}
