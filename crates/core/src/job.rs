//! Background work: its states and its timing. The queue itself lives in `store`.

use crate::{JobId, TenantId, Timestamp, UserId};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobStatus {
    /// Waiting for its time and a worker.
    Queued,
    /// Held by a worker under a lease.
    Running,
    Succeeded,
    /// Given up, with the reason in `last_error`; it can be retried by hand.
    Dead,
    Cancelled,
}

impl JobStatus {
    pub const ALL: [Self; 5] = [
        Self::Queued,
        Self::Running,
        Self::Succeeded,
        Self::Dead,
        Self::Cancelled,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Dead => "dead",
            Self::Cancelled => "cancelled",
        }
    }

    /// For people: in Spanish and English.
    #[must_use]
    pub const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Queued => ("en cola", "queued"),
            Self::Running => ("en curso", "running"),
            Self::Succeeded => ("terminada", "done"),
            Self::Dead => ("abandonada", "given up"),
            Self::Cancelled => ("cancelada", "cancelled"),
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.as_str() == text)
    }
}

/// A job as people see it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Job {
    pub id: JobId,
    pub kind: String,
    pub status: JobStatus,
    #[schema(value_type = Object)]
    pub payload: serde_json::Value,
    pub attempts: i32,
    pub max_attempts: i32,
    /// Not before this instant.
    pub run_at: Timestamp,
    pub lease_until: Option<Timestamp>,
    pub last_error: Option<String>,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// Work to be queued.
#[derive(Clone, Debug)]
pub struct NewJob {
    pub kind: &'static str,
    pub payload: serde_json::Value,
    /// While a job with this key waits or runs, another one with it is not added.
    pub dedup_key: Option<String>,
    pub run_at: Timestamp,
    pub max_attempts: i32,
    /// The person whose private matter it is, if it is one: nobody else sees the job.
    pub owner: Option<UserId>,
}

/// A job in a worker's hands. The lease token fences it: whoever lost the lease can no longer
/// finish the job, because the token in the row has changed.
#[derive(Clone, Debug)]
pub struct ClaimedJob {
    pub id: JobId,
    pub tenant: Option<TenantId>,
    pub kind: String,
    pub payload: serde_json::Value,
    pub attempts: i32,
    pub max_attempts: i32,
    pub lease: Uuid,
}

/// How far apart the turns of one tenant's jobs are.
const TURN: SignedDuration = SignedDuration::from_secs(60);

/// When a new job's turn comes, given the last turn of its tenant's waiting jobs.
///
/// Workers take the job whose turn is earliest, whether that instant has come or not. Because
/// each waiting job of a tenant pushes its next one further back, a tenant with one job overtakes
/// a tenant with a thousand, and because turns are instants, nobody is overtaken for ever.
#[must_use]
pub fn turn(run_at: Timestamp, last_turn: Option<Timestamp>) -> Timestamp {
    let next = last_turn.and_then(|last| last.checked_add(TURN).ok());
    next.map_or(run_at, |next| next.max(run_at))
}

/// How long to wait before attempt number `attempts + 1`: doubling from one second to an hour,
/// spread by up to a quarter (`chance` in 0..=255) so that jobs that failed together do not
/// come back together.
#[must_use]
pub fn back_off(attempts: i32, chance: u8) -> SignedDuration {
    let exponent = u32::try_from(attempts.clamp(1, 13) - 1).unwrap_or(0);
    let base = (1000_i64 << exponent).min(3_600_000);
    SignedDuration::from_millis(base + base * i64::from(chance) / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_job_overtakes_a_thousand_but_not_those_that_waited_longer() {
        let start = Timestamp::UNIX_EPOCH;
        let second = |n: i64| Timestamp::from_second(n).unwrap();
        let mut last = None;
        let busy: Vec<Timestamp> = (0..1000)
            .map(|_| {
                last = Some(turn(start, last));
                last.unwrap()
            })
            .collect();
        let single = turn(second(290), None);
        let ahead = busy.iter().filter(|turn| **turn < single).count();
        assert_eq!(ahead, 5);
        assert_eq!(busy[999], second(999 * 60));
    }

    #[test]
    fn back_off_doubles_and_is_bounded() {
        assert_eq!(back_off(1, 0).as_millis(), 1000);
        assert_eq!(back_off(2, 0).as_millis(), 2000);
        assert!(back_off(3, 255).as_millis() < 5000);
        assert_eq!(back_off(i32::MAX, 0).as_millis(), 3_600_000);
        assert_eq!(back_off(-4, 0).as_millis(), 1000);
    }
}
