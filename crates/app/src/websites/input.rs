//! What people say about a website.

use quipu_core::Result;
use quipu_core::origin;
use quipu_core::validate::{Checks, Problem};
use quipu_core::website::{
    DEFAULT_DEPTH, DEFAULT_PAGES, FoundBy, MAX_DEPTH, MAX_PAGES, PathPatterns, RefreshSchedule,
    SiteHome, Website, WebsiteSettings,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const MAX_ADDRESS_CHARS: usize = 1_024;

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateWebsite {
    /// Where reading begins: a public page over http or https.
    #[schema(
        min_length = 8,
        max_length = 1024,
        pattern = "^[hH][tT][tT][pP][sS]?://",
        example = "https://example.com/"
    )]
    pub address: String,
    #[serde(default = "by_sitemap")]
    pub found_by: FoundBy,
    /// How many links away from the start pages are read, where they are found by links.
    #[serde(default = "default_depth")]
    #[schema(minimum = 0, maximum = 5, default = 3)]
    pub depth: i32,
    /// Only paths like one of these are read, such as `/blog/*`; all when left out.
    #[serde(default)]
    #[schema(max_items = 20)]
    pub include: Vec<String>,
    /// Paths like one of these are not read.
    #[serde(default)]
    #[schema(max_items = 20)]
    pub exclude: Vec<String>,
    /// The most pages it may have in the knowledge base.
    #[serde(default = "default_pages")]
    #[schema(minimum = 1, maximum = 2000, default = 200)]
    pub max_pages: i32,
    #[serde(default = "never")]
    pub refresh: RefreshSchedule,
}

/// What of a website is looked at before it is added.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PreviewWebsite {
    #[schema(
        min_length = 8,
        max_length = 1024,
        pattern = "^[hH][tT][tT][pP][sS]?://",
        example = "https://example.com/"
    )]
    pub address: String,
    #[serde(default = "by_sitemap")]
    pub found_by: FoundBy,
    #[serde(default = "default_depth")]
    #[schema(minimum = 0, maximum = 5, default = 3)]
    pub depth: i32,
    #[serde(default)]
    #[schema(max_items = 20)]
    pub include: Vec<String>,
    #[serde(default)]
    #[schema(max_items = 20)]
    pub exclude: Vec<String>,
    #[serde(default = "default_pages")]
    #[schema(minimum = 1, maximum = 2000, default = 200)]
    pub max_pages: i32,
}

/// Fields left out stay. Where pages are found otherwise, or others are wanted, a reading under way
/// begins anew.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateWebsite {
    #[serde(default)]
    pub found_by: Option<FoundBy>,
    #[serde(default)]
    #[schema(minimum = 0, maximum = 5)]
    pub depth: Option<i32>,
    #[serde(default)]
    #[schema(max_items = 20)]
    pub include: Option<Vec<String>>,
    #[serde(default)]
    #[schema(max_items = 20)]
    pub exclude: Option<Vec<String>>,
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2000)]
    pub max_pages: Option<i32>,
    #[serde(default)]
    pub refresh: Option<RefreshSchedule>,
}

fn by_sitemap() -> FoundBy {
    FoundBy::Sitemap
}

fn default_depth() -> i32 {
    DEFAULT_DEPTH
}

fn default_pages() -> i32 {
    DEFAULT_PAGES
}

fn never() -> RefreshSchedule {
    RefreshSchedule::Never
}

impl CreateWebsite {
    /// # Errors
    /// `VALIDATION_FAILED`.
    pub(super) fn checked(&self) -> Result<(SiteHome, WebsiteSettings)> {
        let mut checks = Checks::new();
        let home = home(&mut checks, &self.address);
        let settings = WebsiteSettings {
            found_by: self.found_by,
            depth: self.depth,
            patterns: PathPatterns::checked(&mut checks, &self.include, &self.exclude),
            max_pages: self.max_pages,
            refresh: self.refresh,
        };
        bounds(&mut checks, &settings);
        checks.finish()?;
        let home = home.ok_or_else(|| quipu_core::Error::internal("an address was not checked"))?;
        Ok((home, settings))
    }
}

impl PreviewWebsite {
    /// # Errors
    /// `VALIDATION_FAILED`.
    pub(super) fn checked(&self) -> Result<(SiteHome, WebsiteSettings)> {
        let whole = CreateWebsite {
            address: self.address.clone(),
            found_by: self.found_by,
            depth: self.depth,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            max_pages: self.max_pages,
            refresh: RefreshSchedule::Never,
        };
        whole.checked()
    }
}

impl UpdateWebsite {
    /// What is decided about a website from now on.
    ///
    /// # Errors
    /// `VALIDATION_FAILED`.
    pub(super) fn applied(&self, to: &Website) -> Result<WebsiteSettings> {
        let mut checks = Checks::new();
        let include = self.include.as_ref().unwrap_or(&to.include);
        let exclude = self.exclude.as_ref().unwrap_or(&to.exclude);
        let settings = WebsiteSettings {
            found_by: self.found_by.unwrap_or(to.found_by),
            depth: self.depth.unwrap_or(to.depth),
            patterns: PathPatterns::checked(&mut checks, include, exclude),
            max_pages: self.max_pages.unwrap_or(to.max_pages),
            refresh: self.refresh.unwrap_or(to.refresh),
        };
        bounds(&mut checks, &settings);
        checks.finish()?;
        Ok(settings)
    }
}

fn home(checks: &mut Checks, address: &str) -> Option<SiteHome> {
    let address = checks.line("address", address, MAX_ADDRESS_CHARS);
    if address.is_empty() {
        return None;
    }
    let home = SiteHome::of(&address);
    if home.is_none() {
        checks.problem("address", Problem::NotAnAddress);
    } else if origin::is_private_page(&address) {
        checks.problem("address", Problem::PrivatePage);
    }
    home
}

fn bounds(checks: &mut Checks, settings: &WebsiteSettings) {
    checks.range("depth", settings.depth.into(), 0, MAX_DEPTH.into());
    checks.range("max_pages", settings.max_pages.into(), 1, MAX_PAGES.into());
}
