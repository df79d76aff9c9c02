//! Cursor pagination over ids that sort by creation.

use crate::{Error, ErrorCode, Result};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

pub const DEFAULT_LIMIT: u64 = 50;
pub const MAX_LIMIT: u64 = 200;

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

impl<T> Page<T> {
    /// Builds a page from rows fetched with one row more than the limit, which tells whether
    /// another page exists without counting.
    pub fn from_rows(mut rows: Vec<T>, request: PageRequest, id: impl Fn(&T) -> Uuid) -> Self {
        let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
        let more = rows.len() > limit;
        rows.truncate(limit);
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

    pub fn map<U>(self, f: impl FnMut(T) -> U) -> Page<U> {
        Page {
            data: self.data.into_iter().map(f).collect(),
            next_cursor: self.next_cursor,
        }
    }
}
