//! Rewards that tokens were exchanged for.

use super::ledger::{Transaction, TransactionKind};
use crate::ordering::Discount;
use quipu_core::lead::words;
use quipu_core::{LeadId, OrderId, RedemptionId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The letters and digits of a code. None looks like another, and without vowels they spell nothing.
const SIGNS: &[u8; 22] = b"CDFGHJKMNPQRTVWXY34679";
/// The largest multiple of their number that a byte holds; larger bytes would favour some of them.
const FAIR: u8 = 220;
const LENGTH: usize = 8;

words! {
    RedemptionStatus {
        /// The code can be used.
        Issued = "issued",
        /// It was applied to an order.
        Used = "used",
        /// It was taken back and the tokens returned.
        Cancelled = "cancelled",
        /// It was not used in time.
        Expired = "expired",
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Redemption {
    pub id: RedemptionId,
    pub lead_id: LeadId,
    pub reward_id: Uuid,
    /// As it was when the tokens were exchanged, like what it takes off.
    pub reward_name: String,
    pub tokens: i64,
    pub discount: Discount,
    /// What the customer shows or sends.
    #[schema(example = "K7QF-3M9D")]
    pub code: String,
    pub status: RedemptionStatus,
    /// The order that it was applied to.
    pub order_id: Option<OrderId>,
    pub expires_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A line of a ledger with where it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LedgerEntry {
    pub id: Uuid,
    pub kind: TransactionKind,
    /// Positive for what comes in, negative for what goes out.
    pub tokens: i64,
    /// When tokens that came in lapse; never when absent.
    pub lapses_at: Option<Timestamp>,
    /// What they were for, such as `order:<id>`.
    pub source: Option<String>,
    pub description: Option<String>,
    /// Who did it, as the audit log calls them.
    pub actor: String,
    pub at: Timestamp,
}

impl From<&LedgerEntry> for Transaction {
    fn from(entry: &LedgerEntry) -> Self {
        Self {
            kind: entry.kind,
            tokens: entry.tokens,
            at: entry.at,
            lapses_at: entry.lapses_at,
        }
    }
}

/// Makes a code such as `K7QF-3M9D` of random bytes; `None` when there are too few that fit.
#[must_use]
pub fn code_from(bytes: &[u8]) -> Option<String> {
    let fair = bytes.iter().filter(|byte| **byte < FAIR);
    let signs: Vec<u8> = fair
        .map(|byte| SIGNS[usize::from(*byte) % SIGNS.len()])
        .take(LENGTH)
        .collect();
    written(&signs)
}

/// The code that somebody typed, in capitals or not, with or without its hyphen; `None` when it
/// cannot be one.
#[must_use]
pub fn read_code(text: &str) -> Option<String> {
    let typed = text.chars().filter(char::is_ascii_alphanumeric);
    let signs: Vec<u8> = typed
        .take(LENGTH + 1)
        .filter_map(|c| u8::try_from(c.to_ascii_uppercase()).ok())
        .collect();
    written(&signs)
}

fn written(signs: &[u8]) -> Option<String> {
    if signs.len() != LENGTH {
        return None;
    }
    let (first, second) = signs.split_at(LENGTH / 2);
    let half = |half: &[u8]| String::from_utf8_lossy(half).into_owned();
    Some(format!("{}-{}", half(first), half(second)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_as_people_type_them() {
        for text in ["K7QF-3M9D", " k7qf 3m9d ", "k7qf3m9d", "K7-QF-3M-9D"] {
            assert_eq!(read_code(text).as_deref(), Some("K7QF-3M9D"), "{text}");
        }
        for text in ["", "K7QF", "K7QF-3M9DX", "\u{1F32E}", "K7QF-3M9D K7QF-3M9D"] {
            assert_eq!(read_code(text), None, "{text}");
        }
    }

    #[test]
    fn codes_have_no_signs_that_look_alike() {
        let bytes: Vec<u8> = (0..=255).collect();
        for start in 0..=240 {
            let code = code_from(&bytes[start..]);
            let Some(code) = code else {
                assert!(start > usize::from(FAIR) - LENGTH);
                continue;
            };
            assert!(!code.contains(['0', 'O', '1', 'I', 'L', '5', 'S', '8', 'B', '2', 'Z', 'U']));
            assert_eq!(read_code(&code), Some(code));
        }
    }
}
