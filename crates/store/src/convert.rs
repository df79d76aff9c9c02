//! Between the database's time and ours. Both hold microseconds, so nothing is lost.

use chrono::{DateTime, Utc};
use quipu_core::Timestamp;

pub(crate) fn to_db(at: Timestamp) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(at.as_microsecond()).unwrap_or_default()
}

pub(crate) fn from_db(at: DateTime<Utc>) -> Timestamp {
    Timestamp::from_microsecond(at.timestamp_micros()).unwrap_or_default()
}
