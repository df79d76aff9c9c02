//! Whole websites as knowledge: what is kept of one, which of its addresses are read, and what its
//! owner allows.

mod address;
mod outline;
mod patterns;
mod problem;
mod robots;

pub use address::{SiteHome, asked_path, normalised, path_of};
pub use outline::{OutlineKind, PageOutline};
pub use patterns::{MAX_PATTERN_CHARS, MAX_PATTERNS, PathPatterns, matches};
pub use problem::SiteProblem;
pub use robots::{LONGEST_DELAY, ROBOTS_AGENT, RobotsRules};

use crate::knowledge::DocumentStatus;
use crate::lead::words;
use crate::{DocumentId, KnowledgeBaseId, Timestamp, WebsiteId, WebsitePageId};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The most pages a website may have in a knowledge base.
pub const MAX_PAGES: i32 = 2_000;
pub const DEFAULT_PAGES: i32 = 200;
/// How many links away from the start a page may be.
pub const MAX_DEPTH: i32 = 5;
pub const DEFAULT_DEPTH: i32 = 3;
/// The most websites of one knowledge base.
pub const MAX_WEBSITES: u64 = 50;

words! {
    /// How the pages of a website are found.
    FoundBy {
        /// In its sitemap; by its links where it has none.
        Sitemap = "sitemap",
        Links = "links",
    }
}

words! {
    /// When a website is read again by itself.
    RefreshSchedule {
        Never = "never",
        Daily = "daily",
        Weekly = "weekly",
        Monthly = "monthly",
    }
}

impl RefreshSchedule {
    /// When it is due again after a reading.
    #[must_use]
    pub fn after(self, read_at: Timestamp) -> Option<Timestamp> {
        let days = match self {
            Self::Never => return None,
            Self::Daily => 1,
            Self::Weekly => 7,
            Self::Monthly => 30,
        };
        read_at
            .saturating_add(SignedDuration::from_hours(24 * days))
            .ok()
    }
}

words! {
    WebsiteStatus {
        /// Its reading waits for a worker.
        Waiting = "waiting",
        Reading = "reading",
        Ready = "ready",
        /// Somebody ended the reading before its end.
        Stopped = "stopped",
        /// The reading did not come to its end; `error_code` says why.
        Failed = "failed",
    }
}

impl WebsiteStatus {
    /// Whether a reading is under way.
    #[must_use]
    pub const fn is_busy(self) -> bool {
        matches!(self, Self::Waiting | Self::Reading)
    }
}

words! {
    WebsitePageState {
        /// Found, and not looked at yet.
        Waiting = "waiting",
        Read = "read",
        /// Not for this knowledge base; `error_code` says why.
        Skipped = "skipped",
        Failed = "failed",
        /// The site has it no more; it goes at the end of the reading.
        Gone = "gone",
    }
}

/// What the last reading of a website came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebsiteCounts {
    /// Addresses that were found and may be read.
    pub found: i32,
    /// Pages that were read, changed or not.
    pub read: i32,
    pub unchanged: i32,
    /// Pages that are new or say something else than before.
    pub changed: i32,
    /// Pages that went with their documents, because the site has them no more.
    pub removed: i32,
    /// Addresses that the site asks nobody to read.
    pub skipped_by_robots: i32,
    pub failed: i32,
}

/// What people decide about a website.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebsiteSettings {
    pub found_by: FoundBy,
    pub depth: i32,
    pub patterns: PathPatterns,
    pub max_pages: i32,
    pub refresh: RefreshSchedule,
}

/// A website whose pages are documents of a knowledge base.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Website {
    pub id: WebsiteId,
    pub knowledge_base_id: KnowledgeBaseId,
    /// Where reading begins.
    pub address: String,
    pub found_by: FoundBy,
    /// How many links away from the start pages are read.
    pub depth: i32,
    /// Only paths like one of these are read; all when there is none.
    pub include: Vec<String>,
    /// Paths like one of these are not read.
    pub exclude: Vec<String>,
    /// The most pages it may have in the knowledge base.
    pub max_pages: i32,
    pub refresh: RefreshSchedule,
    pub status: WebsiteStatus,
    /// Why it was not read, or what keeps it from being read whole.
    pub error_code: Option<String>,
    pub error_message: Option<String>,
    /// Of the reading under way, or of the last one.
    pub counts: WebsiteCounts,
    /// When a reading last came to its end.
    pub last_read_at: Option<Timestamp>,
    pub next_read_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A page of a website.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WebsitePage {
    pub id: WebsitePageId,
    pub address: String,
    pub state: WebsitePageState,
    /// What became of it in the knowledge base.
    pub document_id: Option<DocumentId>,
    pub document_title: Option<String>,
    #[schema(inline)]
    pub document_status: Option<DocumentStatus>,
    pub error_code: Option<String>,
    pub error_message: Option<String>,
    /// When the site last had it.
    pub last_seen_at: Option<Timestamp>,
    /// When it last said something else.
    pub last_changed_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_says_when_it_is_due() {
        let day = |n: i64| Timestamp::from_second(n * 86_400).unwrap();
        assert_eq!(RefreshSchedule::Never.after(day(0)), None);
        assert_eq!(RefreshSchedule::Daily.after(day(3)), Some(day(4)));
        assert_eq!(RefreshSchedule::Weekly.after(day(3)), Some(day(10)));
        assert_eq!(RefreshSchedule::Monthly.after(day(3)), Some(day(33)));
    }
}
