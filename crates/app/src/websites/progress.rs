//! How far a reading has come, beside the pages themselves.

use super::SiteReason;
use quipu_core::website::{RobotsRules, normalised};
use quipu_core::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Sitemaps that one reading looks at.
pub(super) const MOST_SITEMAPS: usize = 50;

#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something of its own of a reading"
)]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RoundProgress {
    /// Where the site really begins.
    pub(super) start: String,
    pub(super) rules: RobotsRules,
    /// Whether pages come from sitemaps, or from links.
    pub(super) by_sitemap: bool,
    /// Sitemaps to look at, the next one first.
    pub(super) waiting: Vec<String>,
    /// All that were ever in that list.
    pub(super) listed: Vec<String>,
    /// Whether something could not be looked at, so that what was not found may be there all the same.
    pub(super) incomplete: bool,
    /// Whether the reading before missed so much that it removed nothing.
    #[serde(default)]
    pub(super) spared: bool,
    /// Whether there are more pages than the site may have.
    pub(super) over_budget: bool,
    /// The limit of the plan that leaves no room for further pages.
    pub(super) over_limit: Option<SiteReason>,
}

impl RoundProgress {
    pub(super) fn read(value: &Value) -> Result<Self> {
        serde_json::from_value(value.clone()).map_err(Error::internal)
    }

    pub(super) fn written(&self) -> Result<Value> {
        serde_json::to_value(self).map_err(Error::internal)
    }

    /// What one reading leaves to the next: it need not spare what the next does not find either.
    pub(super) fn left_behind() -> Value {
        json!({ "spared": true })
    }

    pub(super) fn spared_before(left: &Value) -> bool {
        left["spared"] == true
    }

    /// Adds sitemaps to look at, as many as one reading looks at.
    pub(super) fn list(&mut self, sitemaps: Vec<String>) {
        // What is no address cannot be looked at, and what it lists may be there all the same.
        for sitemap in sitemaps {
            let Some(sitemap) = normalised(&sitemap) else {
                self.incomplete = true;
                continue;
            };
            if self.listed.contains(&sitemap) {
                continue;
            }
            if self.listed.len() == MOST_SITEMAPS {
                self.incomplete = true;
                return;
            }
            self.listed.push(sitemap.clone());
            self.waiting.push(sitemap);
        }
    }
}
