//! Where a further page of free slots begins.

use super::FreeSlot;
use quipu_commerce::calendar::Slot;
use quipu_core::{Error, ErrorCode, Result, Timestamp};
use std::fmt;

/// Up to where slots were told. The order decides by what that is known: by time, a start and how many
/// of those that begin then were told; nearest to a time first, how many were told in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotCursor {
    Starting { at: Timestamp, told: usize },
    Nearest { told: usize },
}

impl SlotCursor {
    /// Reads what a page before has given, for the same order.
    ///
    /// # Errors
    /// `INVALID_CURSOR`.
    pub(super) fn read(text: &str, nearest: bool) -> Result<Self> {
        let cursor = Self::parse(text, nearest);
        // No page of anybody has come this far.
        let cursor = cursor.filter(|cursor| cursor.told() <= 1_000_000);
        cursor.ok_or_else(|| Error::new(ErrorCode::InvalidCursor))
    }

    fn parse(text: &str, nearest: bool) -> Option<Self> {
        if nearest {
            let told = text.strip_prefix('n')?.parse().ok()?;
            return Some(Self::Nearest { told });
        }
        let (at, told) = text.strip_prefix('t')?.split_once('.')?;
        let at = Timestamp::from_second(at.parse().ok()?).ok()?;
        let told = told.parse().ok()?;
        Some(Self::Starting { at, told })
    }

    pub(super) const fn told(self) -> usize {
        match self {
            Self::Starting { told, .. } | Self::Nearest { told } => told,
        }
    }

    /// Drops what was told already of what was found from here on.
    pub(super) fn skip(self, slots: &mut Vec<Slot>) {
        let told = match self {
            Self::Nearest { told } => told.min(slots.len()),
            // Of those that began at this start some may be taken by now.
            Self::Starting { at, told } => {
                let then = slots.iter().take_while(|slot| slot.start == at);
                then.count().min(told)
            }
        };
        slots.drain(..told);
    }

    /// Where the page after this one begins.
    pub(super) fn after(page: &[FreeSlot], before: Option<Self>, nearest: bool) -> Option<Self> {
        if nearest {
            let told = before.map_or(0, Self::told) + page.len();
            return Some(Self::Nearest { told });
        }
        let at = page.last()?.starts_at;
        let in_page = page.iter().rev().take_while(|slot| slot.starts_at == at);
        let earlier = match before {
            Some(Self::Starting { at: start, told }) if start == at => told,
            _ => 0,
        };
        Some(Self::Starting {
            at,
            told: earlier + in_page.count(),
        })
    }
}

impl fmt::Display for SlotCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Starting { at, told } => write!(f, "t{}.{told}", at.as_second()),
            Self::Nearest { told } => write!(f, "n{told}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_for_the_order_it_was_given_in() {
        let at = Timestamp::from_second(1_773_840_000).unwrap();
        for (cursor, nearest) in [
            (SlotCursor::Starting { at, told: 2 }, false),
            (SlotCursor::Nearest { told: 50 }, true),
        ] {
            let text = cursor.to_string();
            assert_eq!(SlotCursor::read(&text, nearest).unwrap(), cursor);
            let other = SlotCursor::read(&text, !nearest).unwrap_err();
            assert_eq!(other.code(), ErrorCode::InvalidCursor);
        }
        for wrong in [
            "",
            "t",
            "t1",
            "tx.1",
            "t1.-1",
            "n",
            "n-1",
            "t1.99999999",
            "🦷",
        ] {
            for nearest in [true, false] {
                assert!(SlotCursor::read(wrong, nearest).is_err(), "{wrong}");
            }
        }
    }
}
