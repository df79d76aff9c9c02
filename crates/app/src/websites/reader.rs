//! The job that reads a website: one step after the other, until its turn or the site is at its end.

use super::progress::RoundProgress;
use super::sieve::LinkSieve;
use super::survey::{self, SiteTrouble};
use super::visit::PageStep;
use super::{ReadingOrder, SiteReason, language, reading};
use crate::ingest::Done;
use crate::{App, auth};
use quipu_core::access::Permission;
use quipu_core::extraction::Failure;
use quipu_core::job::ClaimedJob;
use quipu_core::knowledge::KbStatus;
use quipu_core::language::Language;
use quipu_core::tenancy::TenantScope;
use quipu_core::website::{
    FoundBy, SiteHome, SiteProblem, WebsiteCounts, WebsitePageState, WebsiteStatus,
};
use quipu_core::{Error, Result, TenantId, WebsiteId};
use quipu_store::TenantTx;
use quipu_store::tenant::{FoundPage, OpenKb, SiteReading};
use std::time::{Duration, Instant};

/// How long a worker reads one site before others have their turn.
const TURN: Duration = Duration::from_mins(1);
/// Pages in a row that do not answer before the site is left alone for a while.
const MOST_SILENT: u32 = 5;

/// What ends a turn before its end.
pub(super) enum Halt {
    LeaseLost,
    /// The website was deleted meanwhile, or nobody wants it read any more.
    Gone,
    /// The site cannot be read, now or later.
    Failed(SiteReason),
    Error(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

pub(super) type Step<T> = std::result::Result<T, Halt>;

/// Does the job for one turn.
///
/// # Errors
/// When the site does not answer or something of ours failed; the queue then tries again.
pub(crate) async fn read_website(app: &App, tenant: TenantId, job: &ClaimedJob) -> Result<Done> {
    let order: ReadingOrder =
        serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    let scope = TenantScope::of(tenant);
    let tx = app.store.read(scope).await?;
    let language = language(&tx).await?;
    drop(tx);
    let reader = SiteReader {
        app,
        scope,
        job,
        id: order.website_id,
        order: &order,
        language,
    };
    let ended = match reader.turn().await {
        Ok(()) => return Ok(Done::Completed),
        Err(Halt::Gone) => reader.end(None).await,
        Err(Halt::Failed(reason)) => reader.end(Some(&reason)).await,
        Err(other) => Err(other),
    };
    match ended {
        Ok(()) | Err(Halt::Gone | Halt::Failed(_)) => Ok(Done::Completed),
        Err(Halt::LeaseLost) => Ok(Done::LeaseLost),
        Err(Halt::Error(error)) => Err(error),
    }
}

/// Keeps a website's state in step with its job's when that one ends or starts anew without having
/// been done.
pub(crate) async fn follow(
    tx: &TenantTx,
    payload: &serde_json::Value,
    failure: Option<Failure>,
) -> Result<()> {
    let Ok(order) = serde_json::from_value::<ReadingOrder>(payload.clone()) else {
        return Ok(());
    };
    let id = order.website_id;
    let Some(SiteReading { site, .. }) = tx.websites().load(id).await? else {
        return Ok(());
    };
    let next = site.next_read_at;
    match failure {
        None => {
            tx.websites()
                .set_status(id, WebsiteStatus::Waiting, None, next)
                .await?
        }
        Some(Failure::Cancelled) => {
            tx.websites()
                .set_status(id, WebsiteStatus::Stopped, None, next)
                .await?
        }
        Some(failure) => {
            let reason = SiteReason::failure(failure, language(tx).await?);
            let next = next.or_else(|| site.refresh.after(tx.now()));
            let told = Some(reason.told());
            tx.websites()
                .set_status(id, WebsiteStatus::Failed, told, next)
                .await?
        }
    };
    Ok(())
}

pub(super) struct SiteReader<'a> {
    pub(super) app: &'a App,
    pub(super) scope: TenantScope,
    pub(super) job: &'a ClaimedJob,
    pub(super) id: WebsiteId,
    order: &'a ReadingOrder,
    pub(super) language: Language,
}

/// A reading that is under way.
pub(super) struct OpenRound {
    pub(super) reading: SiteReading,
    pub(super) progress: RoundProgress,
    pub(super) home: SiteHome,
}

impl OpenRound {
    pub(super) fn sieve(&self) -> LinkSieve<'_> {
        LinkSieve {
            home: &self.home,
            rules: &self.progress.rules,
            patterns: &self.reading.settings.patterns,
        }
    }

    /// Whether the links of a page at this distance are read too.
    pub(super) fn follows_from(&self, depth: i32) -> bool {
        !self.progress.by_sitemap && depth < self.reading.settings.depth
    }
}

impl SiteReader<'_> {
    async fn turn(&self) -> Step<()> {
        let began = Instant::now();
        let mut silent = 0;
        loop {
            let tx = self.app.store.read(self.scope).await?;
            let reading = tx.websites().load(self.id).await?.ok_or(Halt::Gone)?;
            drop(tx);
            match reading.site.status {
                status if status.is_busy() && !self.is_still_wanted().await? => {
                    return self.stop(&reading).await;
                }
                WebsiteStatus::Waiting => {
                    self.open(&reading).await?;
                    continue;
                }
                WebsiteStatus::Reading => {}
                _ => return Err(Halt::Gone),
            }
            if began.elapsed() > TURN {
                return self.hand_on(&reading).await;
            }
            let progress = RoundProgress::read(&reading.progress)?;
            let home = SiteHome::of(&progress.start);
            let home = home.ok_or_else(|| Error::internal("a site begins nowhere"))?;
            let round = OpenRound {
                reading,
                progress,
                home,
            };
            if !round.progress.waiting.is_empty() {
                self.read_sitemap(round).await?;
                continue;
            }
            let tx = self.app.store.read(self.scope).await?;
            let next = tx
                .website_pages()
                .next(self.id, round.reading.round)
                .await?;
            drop(tx);
            let Some(page) = next else {
                return self.wrap_up(&round).await;
            };
            match self.visit(&round, &page).await? {
                PageStep::Settled => silent = 0,
                PageStep::Silent => silent += 1,
                PageStep::Untouched => continue,
            }
            if silent >= MOST_SILENT {
                return Err(self.trouble(SiteTrouble::Later("pages do not answer".to_owned())));
            }
            self.pause(&round.progress).await;
        }
    }

    /// Begins a reading: asks the site what may be read, and where its pages are listed.
    async fn open(&self, reading: &SiteReading) -> Step<()> {
        let home = SiteHome::of(&reading.site.address);
        let home = home.ok_or_else(|| Error::internal("a website has no address"))?;
        let survey = survey::look_at(self.app, home).await;
        let survey = survey.map_err(|trouble| self.trouble(trouble))?;
        let by_sitemap = reading.settings.found_by == FoundBy::Sitemap;
        let mut progress = RoundProgress {
            start: survey.home.start().to_owned(),
            by_sitemap,
            waiting: Vec::new(),
            listed: Vec::new(),
            incomplete: false,
            spared: RoundProgress::spared_before(&reading.progress),
            over_budget: false,
            over_limit: None,
            rules: survey.rules,
        };
        if by_sitemap {
            let mut named = progress.rules.sitemaps.clone();
            if named.is_empty() {
                named.push(survey.home.file("sitemap.xml"));
            }
            progress.list(named);
        }
        let tx = self.begin().await?;
        self.kb(&tx, reading).await?;
        let written = progress.written()?;
        let begun = tx.websites().begin_round(self.id, &written).await?;
        let number = begun.ok_or(Halt::Gone)?;
        if !by_sitemap {
            self.note_start(&tx, number, &survey.home, &progress)
                .await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Where links are followed, they are followed from the start.
    async fn note_start(
        &self,
        tx: &TenantTx,
        round: i32,
        home: &SiteHome,
        progress: &RoundProgress,
    ) -> Step<()> {
        let start = home.start().to_owned();
        let allowed = progress
            .rules
            .allow(&quipu_core::website::asked_path(&start));
        let found = [FoundPage {
            address: start,
            depth: 0,
        }];
        let pages = tx.website_pages();
        let counts = if allowed {
            let state = WebsitePageState::Waiting;
            pages.found(self.id, round, state, None, &found).await?;
            WebsiteCounts {
                found: 1,
                ..WebsiteCounts::default()
            }
        } else {
            let reason = self.problem(SiteProblem::RobotsDisallow);
            let (state, told) = (WebsitePageState::Skipped, Some(reason.told()));
            pages.found(self.id, round, state, told, &found).await?;
            WebsiteCounts {
                skipped_by_robots: 1,
                ..WebsiteCounts::default()
            }
        };
        tx.websites().add_counts(self.id, &counts).await?;
        Ok(())
    }

    /// Reads the next sitemap. When the last one is read and there was no page in any of them, pages
    /// are found by links.
    async fn read_sitemap(&self, mut round: OpenRound) -> Step<()> {
        let sitemap = round.progress.waiting.remove(0);
        let guessed = round.progress.rules.sitemaps.is_empty() && round.progress.listed.len() == 1;
        let outline = survey::sitemap(self.app, &sitemap).await;
        let outline = outline.map_err(|trouble| self.trouble(trouble))?;
        let tx = self.begin().await?;
        let number = round.reading.round;
        match outline {
            Some(outline) => {
                round.progress.list(outline.sitemaps);
                let links = round.sieve().sort(&sitemap, &outline.links).await;
                let more = self.note_links(&tx, &mut round, 0, links).await?;
                tx.websites().add_counts(self.id, &more).await?;
            }
            // What is missing of the list may be there all the same.
            None => round.progress.incomplete |= !guessed,
        }
        if round.progress.over_budget {
            round.progress.waiting.clear();
        }
        if round.progress.waiting.is_empty()
            && tx.website_pages().count(self.id, number).await?.1 == 0
        {
            round.progress.by_sitemap = false;
            self.note_start(&tx, number, &round.home, &round.progress)
                .await?;
        }
        let written = round.progress.written()?;
        tx.websites().keep_progress(self.id, &written).await?;
        tx.commit().await?;
        self.pause(&round.progress).await;
        Ok(())
    }

    /// Gives others their turn: another job goes on where this one ends.
    async fn hand_on(&self, reading: &SiteReading) -> Step<()> {
        let tx = self.begin().await?;
        if !tx.jobs().complete(self.job).await? {
            return Err(Halt::LeaseLost);
        }
        let next = self::reading(self.app, self.order, tx.now(), reading.owner);
        tx.jobs().enqueue(&next).await?;
        tx.commit().await?;
        self.app.new_work.notify_one();
        Ok(())
    }

    /// Whether whoever ordered the reading may still do so.
    async fn is_still_wanted(&self) -> Result<bool> {
        match &self.order.by {
            Some(by) => auth::still_acts(self.app, by, Permission::KnowledgeWrite).await,
            None => Ok(true),
        }
    }

    /// Ends the reading where it is. What was read stays, and nothing is removed.
    async fn stop(&self, reading: &SiteReading) -> Step<()> {
        let tx = self.begin().await?;
        tx.websites()
            .set_status(
                self.id,
                WebsiteStatus::Stopped,
                None,
                reading.site.next_read_at,
            )
            .await?;
        if !tx.jobs().complete(self.job).await? {
            return Err(Halt::LeaseLost);
        }
        tx.commit().await?;
        Ok(())
    }

    /// Ends the job, and the reading with it when there is a reason.
    async fn end(&self, reason: Option<&SiteReason>) -> Step<()> {
        let tx = self.begin().await?;
        if let Some(reason) = reason
            && let Some(SiteReading { site, .. }) = tx.websites().load(self.id).await?
        {
            let next = site.next_read_at.or_else(|| site.refresh.after(tx.now()));
            tx.websites()
                .finish(self.id, WebsiteStatus::Failed, Some(reason.told()), next)
                .await?;
        }
        if !tx.jobs().complete(self.job).await? {
            return Err(Halt::LeaseLost);
        }
        tx.commit().await?;
        Ok(())
    }

    /// A transaction in which this worker is the only one that writes for the job.
    pub(super) async fn begin(&self) -> Step<TenantTx> {
        let tx = self.app.store.begin(self.scope).await?;
        if !tx.jobs().holds(self.job).await? {
            return Err(Halt::LeaseLost);
        }
        Ok(tx)
    }

    /// The knowledge base of the website, as long as something may be written to it.
    pub(super) async fn kb(&self, tx: &TenantTx, reading: &SiteReading) -> Step<OpenKb> {
        let kb = reading.site.knowledge_base_id;
        let kb = tx.knowledge_bases().open(kb, reading.owner).await?;
        let kb = kb.ok_or(Halt::Gone)?;
        if kb.status == KbStatus::Archived {
            return Err(Halt::Failed(self.problem(SiteProblem::BaseArchived)));
        }
        Ok(kb)
    }

    pub(super) fn problem(&self, problem: SiteProblem) -> SiteReason {
        SiteReason::problem(problem, self.language)
    }

    /// What trouble with a site ends: this attempt, or with the last of them the reading.
    pub(super) fn trouble(&self, trouble: SiteTrouble) -> Halt {
        match trouble {
            SiteTrouble::Later(why) if self.job.attempts < self.job.max_attempts => {
                Halt::Error(Error::internal(why))
            }
            SiteTrouble::Later(why) => {
                tracing::info!(website.id = %self.id, why, "website {} does not answer", self.id);
                Halt::Failed(self.problem(SiteProblem::SiteUnreachable))
            }
            SiteTrouble::Failure(failure) => {
                Halt::Failed(SiteReason::failure(failure, self.language))
            }
            SiteTrouble::Problem(problem) => Halt::Failed(self.problem(problem)),
        }
    }

    async fn pause(&self, progress: &RoundProgress) {
        tokio::time::sleep(self.app.site_pause.max(progress.rules.delay())).await;
    }
}
