//! Which links of a site are read.

use quipu_core::website::{PathPatterns, RobotsRules, SiteHome, asked_path, path_of};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// How long links are sorted before others have the processor.
const AT_ONCE: Duration = Duration::from_millis(5);

pub(super) struct LinkSieve<'a> {
    pub(super) home: &'a SiteHome,
    pub(super) rules: &'a RobotsRules,
    pub(super) patterns: &'a PathPatterns,
}

/// Addresses, each once, in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct SortedLinks {
    pub(super) wanted: Vec<String>,
    /// Wanted too, but the site asks nobody to read them.
    pub(super) forbidden: Vec<String>,
    /// There may be others that nobody could see.
    pub(super) incomplete: bool,
}

impl SortedLinks {
    /// Those of a page that could not be looked at.
    pub(super) fn unseen(incomplete: bool) -> Self {
        Self {
            incomplete,
            ..Self::default()
        }
    }
}

impl LinkSieve<'_> {
    /// Sorts links as they are written somewhere, relative to `from`. A site decides how many there are
    /// and how many rules they are compared with, so that this gives way while it works.
    pub(super) async fn sort(&self, from: &str, links: &[String]) -> SortedLinks {
        let mut sorted = SortedLinks::default();
        let mut seen = HashSet::new();
        let mut since = Instant::now();
        for link in links {
            if since.elapsed() > AT_ONCE {
                tokio::task::yield_now().await;
                since = Instant::now();
            }
            let Some(address) = self.home.page(from, link) else {
                continue;
            };
            if !self.patterns.wants(&path_of(&address)) || !seen.insert(address.clone()) {
                continue;
            }
            if self.rules.allow(&asked_path(&address)) {
                sorted.wanted.push(address);
            } else {
                sorted.forbidden.push(address);
            }
        }
        sorted
    }

    /// Where a page is that takes another one's place, if it may be read. The start may lead anywhere
    /// in the site.
    pub(super) fn instead(&self, of: &str, link: &str) -> Option<String> {
        let address = self.home.page(of, link)?;
        let is_start = of == self.home.start();
        let wanted = self.patterns.wants(&path_of(&address))
            || (is_start && !self.patterns.excludes(&path_of(&address)));
        (wanted && self.rules.allow(&asked_path(&address))).then_some(address)
    }
}
