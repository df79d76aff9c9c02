//! One page of a website: asked for, and settled whatever the answer is.

use super::reader::{Halt, OpenRound, SiteReader, Step};
use super::sieve::SortedLinks;
use super::survey::is_passing;
use super::{SiteReason, keep};
use crate::ingest::page_format;
use quipu_core::extraction::Failure;
use quipu_core::format::Format;
use quipu_core::ports::{Fetched, VisitKind, VisitRequest, VisitedPage};
use quipu_core::website::{
    OutlineKind, PageOutline, SiteProblem, WebsiteCounts, WebsitePageState, asked_path, path_of,
};
use quipu_store::TenantTx;
use quipu_store::tenant::{FoundPage, SitePage};

/// How often one reading asks for a page that does not answer.
const MOST_ATTEMPTS: i32 = 3;

/// What looking at a page took of the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageStep {
    Settled,
    /// The site did not answer; the page comes again later.
    Silent,
    /// The site was not asked.
    Untouched,
}

/// A page that was read, with what is known of it.
pub(super) struct PageRead {
    pub(super) fetched: Fetched,
    pub(super) format: Format,
    pub(super) hash: String,
    pub(super) etag: Option<String>,
    pub(super) last_modified: Option<String>,
}

impl SiteReader<'_> {
    pub(super) async fn visit(&self, round: &OpenRound, page: &SitePage) -> Step<PageStep> {
        if let Some(reason) = &round.progress.over_limit
            && page.document.is_none()
        {
            self.fail(round, page, reason, false).await?;
            return Ok(PageStep::Untouched);
        }
        if page.attempts >= MOST_ATTEMPTS {
            let reason = SiteReason::failure(Failure::UrlUnreachable, self.language);
            self.fail(round, page, &reason, true).await?;
            return Ok(PageStep::Untouched);
        }
        let tx = self.begin().await?;
        tx.website_pages().attempt(page.id).await?;
        tx.commit().await?;

        // Who wants the links of a page needs the page.
        let known = page.document.is_some() && !round.follows_from(page.depth);
        let request = VisitRequest {
            url: &page.address,
            kind: VisitKind::Page,
            etag: page.etag.as_deref().filter(|_| known),
            last_modified: page.last_modified.as_deref().filter(|_| known),
        };
        let answer = match self.app.fetcher.visit(&request).await {
            Ok(answer) => answer,
            Err(error) if error.transient => return Ok(PageStep::Silent),
            Err(error) => {
                let reason = SiteReason::failure(error.failure, self.language);
                self.fail(round, page, &reason, false).await?;
                return Ok(PageStep::Settled);
            }
        };
        self.answered(round, page, answer).await
    }

    async fn answered(
        &self,
        round: &OpenRound,
        page: &SitePage,
        answer: VisitedPage,
    ) -> Step<PageStep> {
        match answer.status {
            304 => self.unchanged(round, page).await?,
            300..=399 => {
                let to = answer.url.clone();
                self.stand_aside(round, page, &to).await?;
            }
            404 | 410 => {
                let tx = self.begin().await?;
                let reason = self.problem(SiteProblem::PageGone);
                let (state, told) = (WebsitePageState::Gone, reason.told());
                tx.website_pages().set_state(page.id, state, told).await?;
                self.count(&tx, &WebsiteCounts::default()).await?;
                tx.commit().await?;
            }
            status if is_passing(status) => return Ok(PageStep::Silent),
            _ => {
                if let Some(fetched) = answer.page {
                    let marks = (answer.etag, answer.last_modified);
                    self.take(round, page, fetched, marks).await?;
                } else {
                    let reason = SiteReason::failure(Failure::UrlRefused, self.language);
                    self.fail(round, page, &reason, false).await?;
                }
            }
        }
        Ok(PageStep::Settled)
    }

    /// Takes a page in: its links where they are followed, and its text where it is wanted.
    async fn take(
        &self,
        round: &OpenRound,
        page: &SitePage,
        fetched: Fetched,
        (etag, last_modified): (Option<String>, Option<String>),
    ) -> Step<()> {
        let format = match page_format(&fetched) {
            Ok(format) => format,
            Err(failure) => {
                let reason = SiteReason::failure(failure, self.language);
                return self.fail(round, page, &reason, false).await;
            }
        };
        let raw = || keep::bytes_hash(&fetched.body);
        let mut seen = true;
        let (outline, hash) = if format == Format::Html {
            let read = self
                .app
                .extractor
                .outline(fetched.body.clone(), OutlineKind::Page);
            if let Ok(outline) = read.await? {
                let hash = outline.text_hash.clone();
                (outline, hash)
            } else {
                // Whether it can be read is for its document to say.
                seen = false;
                (PageOutline::default(), Some(raw()))
            }
        } else {
            (PageOutline::default(), Some(raw()))
        };
        if let Some(canonical) = &outline.canonical
            && self.is_elsewhere(round, page, canonical).await?
        {
            return self.stand_aside(round, page, canonical).await;
        }
        let (depth, mut links) = links(round, page, &outline).await;
        links.incomplete = !seen && round.follows_from(page.depth);
        let links = (depth, links);
        if !round
            .reading
            .settings
            .patterns
            .wants(&path_of(&page.address))
        {
            let reason = self.problem(SiteProblem::NotIncluded);
            let state = WebsitePageState::Skipped;
            return self.settle(round, page, state, &reason, links, false).await;
        }
        let Some(hash) = hash else {
            let reason = SiteReason::failure(Failure::NoText, self.language);
            let state = WebsitePageState::Failed;
            return self.settle(round, page, state, &reason, links, false).await;
        };
        let read = PageRead {
            fetched,
            format,
            hash,
            etag,
            last_modified,
        };
        self.keep(round, page, read, links).await
    }

    /// Whether a page says that another page of the site is the one to read. Two that say it of each
    /// other are both read.
    async fn is_elsewhere(&self, round: &OpenRound, page: &SitePage, link: &str) -> Step<bool> {
        let Some(other) = round.sieve().instead(&page.address, link) else {
            return Ok(false);
        };
        if other == page.address {
            return Ok(false);
        }
        let tx = self.app.store.read(self.scope).await?;
        let known = tx.website_pages().at(self.id, &other).await?;
        Ok(known.is_none_or(|known| {
            known.round < round.reading.round
                || !matches!(
                    known.state,
                    WebsitePageState::Skipped | WebsitePageState::Failed | WebsitePageState::Gone
                )
        }))
    }

    /// Leaves a page out in favour of the one that it leads to.
    async fn stand_aside(&self, round: &OpenRound, page: &SitePage, to: &str) -> Step<()> {
        let instead = round.sieve().instead(&page.address, to);
        let problem = if instead.is_some() {
            SiteProblem::SamePage
        } else {
            let inside = round.home.page(&page.address, to);
            let may_read = |inside: String| round.progress.rules.allow(&asked_path(&inside));
            if inside.is_none_or(may_read) {
                SiteProblem::LeavesSite
            } else {
                SiteProblem::RobotsDisallow
            }
        };
        let wanted = instead.into_iter().collect();
        let links = SortedLinks {
            wanted,
            ..SortedLinks::default()
        };
        let reason = self.problem(problem);
        let state = WebsitePageState::Skipped;
        self.settle(round, page, state, &reason, (page.depth, links), false)
            .await
    }

    async fn fail(
        &self,
        round: &OpenRound,
        page: &SitePage,
        reason: &SiteReason,
        incomplete: bool,
    ) -> Step<()> {
        // It was read before, and what it led to then may be there all the same.
        let unseen = page.document.is_some() && round.follows_from(page.depth);
        let none = (page.depth, SortedLinks::unseen(unseen));
        let state = WebsitePageState::Failed;
        self.settle(round, page, state, reason, none, incomplete)
            .await
    }

    /// Notes why a page was not read, and the links that it had all the same.
    async fn settle(
        &self,
        round: &OpenRound,
        page: &SitePage,
        state: WebsitePageState,
        reason: &SiteReason,
        (depth, links): (i32, SortedLinks),
        incomplete: bool,
    ) -> Step<()> {
        let tx = self.begin().await?;
        tx.website_pages()
            .set_state(page.id, state, reason.told())
            .await?;
        let mut counts = self.add_links(&tx, round, depth, links, incomplete).await?;
        counts.failed = i32::from(state == WebsitePageState::Failed);
        self.count(&tx, &counts).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Notes links as pages to look at, and keeps what that changes of the reading.
    pub(super) async fn add_links(
        &self,
        tx: &TenantTx,
        round: &OpenRound,
        depth: i32,
        links: SortedLinks,
        incomplete: bool,
    ) -> Step<WebsiteCounts> {
        let mut after = OpenRound {
            reading: round.reading.clone(),
            progress: round.progress.clone(),
            home: round.home.clone(),
        };
        after.progress.incomplete |= incomplete || links.incomplete;
        let counts = self.note_links(tx, &mut after, depth, links).await?;
        let (before, after) = (&round.progress, &after.progress);
        if (before.incomplete, before.over_budget) != (after.incomplete, after.over_budget) {
            let written = after.written()?;
            tx.websites().keep_progress(self.id, &written).await?;
        }
        Ok(counts)
    }

    /// Notes links as pages to look at, as many as the site may have.
    pub(super) async fn note_links(
        &self,
        tx: &TenantTx,
        round: &mut OpenRound,
        depth: i32,
        links: SortedLinks,
    ) -> Step<WebsiteCounts> {
        let mut counts = WebsiteCounts::default();
        if links.wanted.is_empty() && links.forbidden.is_empty() {
            return Ok(counts);
        }
        let (pages, number) = (tx.website_pages(), round.reading.round);
        let most = u64::try_from(round.reading.settings.max_pages).unwrap_or(0);
        let (wanted, all) = pages.count(self.id, number).await?;
        // Addresses that only lead to others take no page's place, but are not without end either.
        let room = most
            .saturating_sub(wanted)
            .min((most * 3).saturating_sub(all));
        let room = usize::try_from(room).unwrap_or(0);
        let mut fresh = self.fresh(tx, number, depth, links.wanted).await?;
        if fresh.len() > room {
            fresh.truncate(room);
            round.progress.over_budget = true;
        }
        let state = WebsitePageState::Waiting;
        let found = pages.found(self.id, number, state, None, &fresh).await?;
        counts.found = i32::try_from(found).unwrap_or(i32::MAX);

        let skipped = u64::try_from(round.reading.site.counts.skipped_by_robots).unwrap_or(0);
        let room = usize::try_from(most.saturating_sub(skipped)).unwrap_or(0);
        let mut fresh = self.fresh(tx, number, depth, links.forbidden).await?;
        fresh.truncate(room);
        let reason = self.problem(SiteProblem::RobotsDisallow);
        let (state, told) = (WebsitePageState::Skipped, Some(reason.told()));
        let forbidden = pages.found(self.id, number, state, told, &fresh).await?;
        counts.skipped_by_robots = i32::try_from(forbidden).unwrap_or(i32::MAX);
        Ok(counts)
    }

    async fn fresh(
        &self,
        tx: &TenantTx,
        round: i32,
        depth: i32,
        addresses: Vec<String>,
    ) -> Step<Vec<FoundPage>> {
        let known = tx.website_pages().known(self.id, round, &addresses).await?;
        Ok(addresses
            .into_iter()
            .filter(|address| !known.contains(address))
            .map(|address| FoundPage { address, depth })
            .collect())
    }

    pub(super) async fn count(&self, tx: &TenantTx, counts: &WebsiteCounts) -> Step<()> {
        if tx.websites().add_counts(self.id, counts).await? {
            Ok(())
        } else {
            Err(Halt::Gone)
        }
    }
}

/// The links of a page that are followed, and how far away they are.
async fn links(round: &OpenRound, page: &SitePage, outline: &PageOutline) -> (i32, SortedLinks) {
    let depth = page.depth + 1;
    if !round.follows_from(page.depth) {
        return (depth, SortedLinks::default());
    }
    let base = outline.base.as_deref();
    let base = base.and_then(|base| round.home.page(&page.address, base));
    let from = base.as_deref().unwrap_or(&page.address);
    (depth, round.sieve().sort(from, &outline.links).await)
}
