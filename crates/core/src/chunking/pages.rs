//! On which pages a chunk stands.

use serde::{Deserialize, Serialize};

/// The pages of a chunk in their order: where each begins, in characters of the chunk, and its
/// number. A chunk of a text without pages has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChunkPages(Vec<(i32, i32)>);

impl ChunkPages {
    /// All of a chunk on one page.
    #[must_use]
    pub fn single(page: i32) -> Self {
        Self(vec![(0, page)])
    }

    /// Where each page begins, in characters of the chunk, in their order.
    #[must_use]
    pub fn new(pages: Vec<(i32, i32)>) -> Self {
        Self(pages)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[must_use]
    pub fn first(&self) -> Option<i32> {
        self.0.first().map(|(_, page)| *page)
    }

    #[must_use]
    pub fn last(&self) -> Option<i32> {
        self.0.last().map(|(_, page)| *page)
    }

    /// The page on which a character of the chunk stands.
    #[must_use]
    pub fn at(&self, char: usize) -> Option<i32> {
        let char = i32::try_from(char).unwrap_or(i32::MAX);
        let after = self.0.partition_point(|(from, _)| *from <= char);
        // What stands before the first page belongs to it: nothing else is known of it.
        self.0.get(after.saturating_sub(1)).map(|(_, page)| *page)
    }

    /// The text of a chunk page by page.
    pub fn parts<'a>(&'a self, content: &'a str) -> impl Iterator<Item = (i32, &'a str)> {
        let byte = |char: i32| {
            let char = usize::try_from(char).unwrap_or(0);
            let at = content.char_indices().nth(char);
            at.map_or(content.len(), |(at, _)| at)
        };
        let pages = &self.0;
        pages.iter().enumerate().map(move |(i, (from, page))| {
            let start = if i == 0 { 0 } else { byte(*from) };
            let end = pages.get(i + 1).map_or(content.len(), |next| byte(next.0));
            (*page, &content[start.min(end)..end])
        })
    }
}
