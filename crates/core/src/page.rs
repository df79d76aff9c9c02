//! Cursor pagination over ids that sort by creation.

use crate::{Error, ErrorCode, Result};
use serde::Serialize;
use std::io;
use utoipa::ToSchema;
use uuid::Uuid;

pub const DEFAULT_LIMIT: u64 = 50;
pub const MAX_LIMIT: u64 = 200;
/// What a page holds at most, as JSON. It leaves room for what a listing adds to its rows, so that no
/// answer of one is larger than 200 kB.
pub const MOST_BYTES: usize = 150_000;

/// Which slice of a listing is wanted. Listings are newest first; `after` is the last id seen.
#[derive(Clone, Copy, Debug)]
pub struct PageRequest {
    pub limit: u64,
    pub after: Option<Uuid>,
}

impl Default for PageRequest {
    fn default() -> Self {
        Self {
            limit: DEFAULT_LIMIT,
            after: None,
        }
    }
}

impl PageRequest {
    /// Reads what a client sent; both parts are bounded and checked.
    ///
    /// # Errors
    /// `INVALID_CURSOR` or `VALIDATION_FAILED` naming the parameter.
    pub fn parse(limit: Option<u64>, cursor: Option<&str>) -> Result<Self> {
        let limit = limit.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            let mut checks = crate::validate::Checks::new();
            checks.problem(
                "limit",
                crate::validate::Problem::Range { min: 1, max: 200 },
            );
            checks.finish()?;
        }
        let after = match cursor {
            None => None,
            Some(text) => {
                Some(Uuid::try_parse(text).map_err(|_| Error::new(ErrorCode::InvalidCursor))?)
            }
        };
        Ok(Self { limit, after })
    }
}

/// One slice of a listing.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Page<T> {
    pub data: Vec<T>,
    /// Pass it as `cursor` to get the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// How many of these, from the first one on, are together no larger than a page may be. One always
/// fits, or nobody would ever see it.
#[must_use]
pub fn fitting<T: Serialize>(rows: &[T]) -> usize {
    let mut written = 0;
    let fits = |row: &&T| {
        let mut size = WrittenSize(0);
        // What cannot be written is refused when it is answered.
        let _ = serde_json::to_writer(&mut size, row);
        written += size.0;
        written <= MOST_BYTES
    };
    rows.iter().take_while(fits).count().max(rows.len().min(1))
}

/// Counts what is written and keeps none of it.
struct WrittenSize(usize);

impl io::Write for WrittenSize {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<T: Serialize> Page<T> {
    /// Builds a page from rows fetched with one row more than the limit, which tells whether
    /// another page exists without counting. It ends early where the rows are large.
    pub fn from_rows(mut rows: Vec<T>, request: PageRequest, id: impl Fn(&T) -> Uuid) -> Self {
        let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
        let fetched = rows.len();
        rows.truncate(limit);
        rows.truncate(fitting(&rows));
        let more = rows.len() < fetched;
        let next_cursor = if more {
            rows.last().map(|row| id(row).to_string())
        } else {
            None
        };
        Self {
            data: rows,
            next_cursor,
        }
    }
}

impl<T> Page<T> {
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> Page<U> {
        Page {
            data: self.data.into_iter().map(f).collect(),
            next_cursor: self.next_cursor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(sizes: &[usize]) -> Vec<(Uuid, String)> {
        let row = |(at, size): (usize, &usize)| (Uuid::from_u128(at as u128), "x".repeat(*size));
        sizes.iter().enumerate().map(row).collect()
    }

    fn page(sizes: &[usize], limit: u64) -> (usize, Option<String>) {
        let request = PageRequest { limit, after: None };
        let page = Page::from_rows(rows(sizes), request, |row| row.0);
        (page.data.len(), page.next_cursor)
    }

    #[test]
    fn a_page_ends_at_its_limit_or_where_it_would_be_too_large() {
        let last = |at: u128| Some(Uuid::from_u128(at).to_string());
        assert_eq!(page(&[10; 3], 5), (3, None));
        assert_eq!(page(&[10; 6], 5), (5, last(4)));
        assert_eq!(page(&[40_000; 6], 5), (3, last(2)));
        assert_eq!(page(&[40_000; 3], 5), (3, None));
        // What is too large by itself comes alone, and what follows it is not lost.
        assert_eq!(page(&[MOST_BYTES * 2, 10], 5), (1, last(0)));
        assert_eq!(page(&[], 5), (0, None));
    }
}
