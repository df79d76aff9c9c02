//! What a page or a sitemap says about others.

use serde::{Deserialize, Serialize};

/// What an outline is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlineKind {
    /// A web page.
    Page,
    /// A sitemap or a list of sitemaps, in XML or in lines, perhaps compressed.
    Sitemap,
}

/// Where a page or a sitemap leads to, as it is written there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageOutline {
    /// Links of a page, or pages of a sitemap.
    pub links: Vec<String>,
    /// Further sitemaps.
    pub sitemaps: Vec<String>,
    /// What links are relative to, where that is not the page itself.
    pub base: Option<String>,
    /// What the page says that its one address is.
    pub canonical: Option<String>,
    /// A mark of what somebody would read on the page; none when there is nothing to read.
    pub text_hash: Option<String>,
}
