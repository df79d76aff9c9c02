//! What would be read of a website, before it is added.

use super::input::PreviewWebsite;
use super::sieve::{LinkSieve, SortedLinks};
use super::survey::{self, SiteSurvey, SiteTrouble, visit};
use crate::{Actor, App, knowledge_bases};
use quipu_core::ports::VisitKind;
use quipu_core::website::{
    FoundBy, OutlineKind, PageOutline, SiteProblem, WebsiteSettings, asked_path, path_of,
};
use quipu_core::{Error, ErrorCode, KnowledgeBaseId, Result};
use serde::{Deserialize, Serialize};
use std::collections::{HashSet, VecDeque};
use std::time::Duration;
use utoipa::ToSchema;

/// How long somebody waits for the rules of the site, and then for its pages.
const PATIENCE: Duration = Duration::from_secs(12);
/// Addresses that are shown.
const MOST_SHOWN: usize = 100;
const MOST_SITEMAPS: usize = 5;
/// Pages that are looked at for their links.
const MOST_PAGES: usize = 10;

/// Addresses that a reading would begin with.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WebsitePreview {
    /// How they were found: by links where there is no sitemap.
    pub found_by: FoundBy,
    /// At most a hundred of them.
    #[schema(max_items = 100)]
    pub addresses: Vec<String>,
    /// How many were found while somebody waited, up to the budget.
    pub found: u64,
    /// Whether there may be more than was found.
    pub more: bool,
    pub skipped_by_robots: u64,
    /// Seconds between two pages that the site asks for.
    pub crawl_delay_seconds: f64,
}

/// Looks at a website, and keeps nothing of it.
///
/// # Errors
/// `NOT_FOUND`, `FORBIDDEN`, `VALIDATION_FAILED`, or `WEBSITE_UNREADABLE`, saying why.
pub async fn preview(
    app: &App,
    actor: &Actor,
    kb: KnowledgeBaseId,
    input: PreviewWebsite,
) -> Result<WebsitePreview> {
    let (home, settings) = input.checked()?;
    let tx = app.store.read(actor.scope()).await?;
    let kb = knowledge_bases::open(&tx, actor, kb).await?;
    knowledge_bases::may_write(actor, &kb)?;
    drop(tx);
    let _place = app.heavy.previews.enter(actor.tenant_id()).await?;
    let surveyed = tokio::time::timeout(PATIENCE, survey::look_at(app, home)).await;
    let survey = match surveyed {
        Ok(Ok(survey)) => survey,
        Ok(Err(trouble)) => return Err(unreadable(&trouble)),
        Err(_) => {
            return Err(unreadable(&SiteTrouble::Problem(
                SiteProblem::SiteUnreachable,
            )));
        }
    };
    let mut finds = PreviewFinds::new(&survey, &settings);
    // What was found by then is worth showing.
    if tokio::time::timeout(PATIENCE, finds.look(app))
        .await
        .is_err()
    {
        finds.more = true;
    }
    Ok(finds.shown())
}

fn unreadable(trouble: &SiteTrouble) -> Error {
    use quipu_core::language::Language::{En, Es};
    let (es, en) = match trouble {
        SiteTrouble::Failure(failure) => (failure.message(Es), failure.message(En)),
        SiteTrouble::Problem(problem) => (problem.message(Es), problem.message(En)),
        SiteTrouble::Later(_) => {
            let problem = SiteProblem::SiteUnreachable;
            (problem.message(Es), problem.message(En))
        }
    };
    Error::new(ErrorCode::WebsiteUnreadable).with_texts("why", es.to_owned(), en.to_owned())
}

struct PreviewFinds<'a> {
    survey: &'a SiteSurvey,
    settings: &'a WebsiteSettings,
    most: usize,
    found_by: FoundBy,
    wanted: Vec<String>,
    seen: HashSet<String>,
    forbidden: HashSet<String>,
    more: bool,
}

impl<'a> PreviewFinds<'a> {
    fn new(survey: &'a SiteSurvey, settings: &'a WebsiteSettings) -> Self {
        Self {
            survey,
            settings,
            most: usize::try_from(settings.max_pages).unwrap_or(0),
            found_by: settings.found_by,
            wanted: Vec::new(),
            seen: HashSet::new(),
            forbidden: HashSet::new(),
            more: false,
        }
    }

    fn sieve(&self) -> LinkSieve<'a> {
        LinkSieve {
            home: &self.survey.home,
            rules: &self.survey.rules,
            patterns: &self.settings.patterns,
        }
    }

    async fn look(&mut self, app: &App) {
        if self.found_by == FoundBy::Sitemap {
            self.read_sitemaps(app).await;
            if !self.seen.is_empty() || !self.forbidden.is_empty() {
                return;
            }
            self.found_by = FoundBy::Links;
        }
        self.follow_links(app).await;
    }

    async fn read_sitemaps(&mut self, app: &App) {
        let named = &self.survey.rules.sitemaps;
        let mut waiting: VecDeque<String> = named.iter().cloned().collect();
        if waiting.is_empty() {
            waiting.push_back(self.survey.home.file("sitemap.xml"));
        }
        for _ in 0..MOST_SITEMAPS {
            let Some(sitemap) = waiting.pop_front() else {
                return;
            };
            let Ok(Some(outline)) = survey::sitemap(app, &sitemap).await else {
                continue;
            };
            waiting.extend(outline.sitemaps);
            let links = self.sieve().sort(&sitemap, &outline.links).await;
            self.add(links);
            if self.wanted.len() == self.most {
                break;
            }
        }
        self.more |= !waiting.is_empty();
    }

    async fn follow_links(&mut self, app: &App) {
        let start = self.survey.home.start().to_owned();
        if !self.survey.rules.allow(&asked_path(&start)) {
            self.forbidden.insert(start);
            return;
        }
        if self.settings.patterns.wants(&path_of(&start)) {
            self.seen.insert(start.clone());
            self.wanted.push(start.clone());
        }
        let mut waiting = VecDeque::from([(start, 0)]);
        let mut looked = 0;
        while let Some((address, depth)) = waiting.pop_front() {
            if depth >= self.settings.depth {
                continue;
            }
            if looked == MOST_PAGES || self.wanted.len() == self.most {
                self.more = true;
                return;
            }
            looked += 1;
            let Some(outline) = outline(app, &address).await else {
                continue;
            };
            let links = self.sieve().sort(&address, &outline.links).await;
            let fresh = self.add(links);
            waiting.extend(fresh.into_iter().map(|found| (found, depth + 1)));
            tokio::time::sleep(app.site_pause.min(Duration::from_millis(200))).await;
        }
    }

    /// Adds what is new, and returns it.
    fn add(&mut self, links: SortedLinks) -> Vec<String> {
        self.forbidden.extend(links.forbidden);
        let mut fresh = Vec::new();
        for address in links.wanted {
            if self.seen.contains(&address) {
                continue;
            }
            if self.wanted.len() == self.most {
                self.more = true;
                break;
            }
            self.seen.insert(address.clone());
            self.wanted.push(address.clone());
            fresh.push(address);
        }
        fresh
    }

    fn shown(self) -> WebsitePreview {
        let found = self.wanted.len() as u64;
        let mut addresses = self.wanted;
        addresses.truncate(MOST_SHOWN);
        WebsitePreview {
            found_by: self.found_by,
            addresses,
            found,
            more: self.more,
            skipped_by_robots: self.forbidden.len() as u64,
            crawl_delay_seconds: self.survey.rules.delay().as_secs_f64(),
        }
    }
}

async fn outline(app: &App, address: &str) -> Option<PageOutline> {
    let answer = visit(app, address, VisitKind::Page).await.ok()?;
    let page = answer.page?;
    let html = page.content_type.as_deref().unwrap_or_default();
    if !html.contains("html") {
        return None;
    }
    let read = app.extractor.outline(page.body, OutlineKind::Page);
    read.await.ok()?.ok()
}
