//! What is asked of a site before its pages: its rules, where it really begins, its sitemaps.

use crate::App;
use quipu_core::extraction::Failure;
use quipu_core::ports::{FetchError, VisitKind, VisitRequest, VisitedPage};
use quipu_core::website::{
    OutlineKind, PageOutline, RobotsRules, SiteHome, SiteProblem, asked_path,
};

/// Steps from the address that somebody gave to the page where the site begins.
const MOST_MOVES: usize = 5;

/// Why a site is not read.
#[derive(Debug)]
pub(super) enum SiteTrouble {
    /// Another time it may be. The words are for the log.
    Later(String),
    Failure(Failure),
    Problem(SiteProblem),
}

impl From<FetchError> for SiteTrouble {
    fn from(error: FetchError) -> Self {
        if error.transient {
            Self::Later(error.why)
        } else {
            Self::Failure(error.failure)
        }
    }
}

/// Where a site is, and what may be read of it.
#[derive(Debug)]
pub(super) struct SiteSurvey {
    pub(super) home: SiteHome,
    pub(super) rules: RobotsRules,
}

/// Whether a server is too busy or broken to be believed at the moment.
pub(super) fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500..=599)
}

pub(super) async fn visit(
    app: &App,
    url: &str,
    kind: VisitKind,
) -> Result<VisitedPage, FetchError> {
    let request = VisitRequest {
        url,
        kind,
        etag: None,
        last_modified: None,
    };
    app.fetcher.visit(&request).await
}

/// Finds out where a site begins and what it allows.
pub(super) async fn look_at(app: &App, home: SiteHome) -> Result<SiteSurvey, SiteTrouble> {
    let rules = rules(app, &home).await?;
    if !rules.allow(&asked_path(home.start())) {
        return Ok(SiteSurvey { home, rules });
    }
    let moved = begin(app, home.clone()).await?;
    let rules = if moved.file("") == home.file("") {
        rules
    } else {
        self::rules(app, &moved).await?
    };
    Ok(SiteSurvey { home: moved, rules })
}

async fn rules(app: &App, home: &SiteHome) -> Result<RobotsRules, SiteTrouble> {
    let answer = match visit(app, &home.file("robots.txt"), VisitKind::Robots).await {
        Ok(answer) => answer,
        // It leads in circles: as good as none.
        Err(error) if error.failure == Failure::UrlRefused => return Ok(RobotsRules::default()),
        Err(error) => return Err(error.into()),
    };
    if is_passing(answer.status) {
        // What is forbidden is not known. Until it is, everything may be.
        return Err(SiteTrouble::Later(format!("robots.txt: {}", answer.status)));
    }
    let text = answer.page.map(|page| page.body).unwrap_or_default();
    Ok(RobotsRules::parse(&String::from_utf8_lossy(&text)))
}

/// Follows the start of a site to where it leads, as long as it is the same site.
async fn begin(app: &App, mut home: SiteHome) -> Result<SiteHome, SiteTrouble> {
    for _ in 0..MOST_MOVES {
        let answer = match visit(app, home.start(), VisitKind::Page).await {
            Ok(answer) => answer,
            Err(error) => {
                let elsewhere = matches!(
                    error.failure,
                    Failure::UrlNotAllowed | Failure::UrlUnreachable
                );
                // What else is wrong with it is said of the page itself.
                return if elsewhere {
                    Err(error.into())
                } else {
                    Ok(home)
                };
            }
        };
        if is_passing(answer.status) {
            return Err(SiteTrouble::Later(format!("start: {}", answer.status)));
        }
        if !(300..400).contains(&answer.status) || answer.status == 304 {
            return Ok(home);
        }
        home = home
            .moved(&answer.url)
            .ok_or(SiteTrouble::Problem(SiteProblem::LeavesSite))?;
    }
    Err(SiteTrouble::Failure(Failure::UrlRefused))
}

/// Reads a sitemap; `None` when there is none that could be read.
pub(super) async fn sitemap(app: &App, url: &str) -> Result<Option<PageOutline>, SiteTrouble> {
    let answer = match visit(app, url, VisitKind::Sitemap).await {
        Ok(answer) => answer,
        Err(error) if error.transient => return Err(error.into()),
        Err(_) => return Ok(None),
    };
    if is_passing(answer.status) {
        return Err(SiteTrouble::Later(format!("sitemap: {}", answer.status)));
    }
    let Some(page) = answer.page else {
        return Ok(None);
    };
    let outline = app.extractor.outline(page.body, OutlineKind::Sitemap).await;
    match outline {
        Ok(outline) => Ok(outline.ok()),
        Err(error) => Err(SiteTrouble::Later(error.to_string())),
    }
}
