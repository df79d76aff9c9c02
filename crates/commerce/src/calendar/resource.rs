//! What can be booked, on which terms, and what is asked for.

use super::schedule::Schedule;
use super::span::{Span, ceiling, floor};
use jiff::SignedDuration;
use jiff::tz::TimeZone;
use quipu_core::validate::{Checks, Problem, under};
use quipu_core::{BranchId, StaffId, TableId, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How many days one query looks through. It may begin on any day.
pub const MAX_QUERY_DAYS: i64 = 100;
/// How many slots may be asked for.
pub const MAX_SLOTS: usize = 1000;
/// How many days ahead can be booked where a business says nothing about it.
pub const DEFAULT_HORIZON_DAYS: u16 = 365;
/// How many days ahead a business may let its customers book.
pub const LONGEST_HORIZON_DAYS: u16 = 730;

const LARGEST_PARTY: i64 = 1000;
const LONGEST_DURATION: i64 = 24 * 60;
const LONGEST_BUFFER: i64 = 4 * 60;
const LONGEST_NOTICE: i64 = 366 * 24 * 60;
const TICK_MINUTES: i64 = 5;
const DAY_SECONDS: i64 = 24 * 60 * 60;

/// Something that can be booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Bookable {
    /// A person, at one of the branches where that person attends.
    Staff { staff: StaffId, branch: BranchId },
    Table {
        table: TableId,
        branch: BranchId,
        seats: u16,
    },
    /// The branch itself, as for a class or where nobody in particular attends.
    Branch { branch: BranchId },
}

impl Bookable {
    #[must_use]
    pub const fn branch(self) -> BranchId {
        match self {
            Self::Staff { branch, .. } | Self::Table { branch, .. } | Self::Branch { branch } => {
                branch
            }
        }
    }

    /// Whether so many people fit. Only tables have seats.
    #[must_use]
    pub fn fits(self, party: u16) -> bool {
        !matches!(self, Self::Table { seats, .. } if seats < party)
    }
}

/// Something that can be booked, with all that stands in the way of it.
#[derive(Clone, Debug)]
pub struct Resource<'a> {
    pub what: Bookable,
    /// The time zone of the branch.
    pub zone: &'a TimeZone,
    pub branch_hours: &'a Schedule,
    /// The hours of the staff member or of the service, where they have some. A booking lies within
    /// all of them and those of the branch.
    pub own_hours: Vec<&'a Schedule>,
    /// When nothing can be booked although the hours say so. Like the hours it does not keep the
    /// buffers out.
    pub time_off: Vec<Span>,
    /// Appointments and holds, their buffers included, in any order.
    pub busy: Vec<Span>,
    /// How many bookings there can be at once. One for a person.
    pub places: u16,
}

/// How a service is booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BookingTerms {
    #[schema(minimum = 5, maximum = 1440, multiple_of = 5, default = 30)]
    pub duration_minutes: u16,
    /// Time that is kept free before, such as for preparing the room.
    #[schema(minimum = 0, maximum = 240, multiple_of = 5, default = 0)]
    pub buffer_before_minutes: u16,
    #[schema(minimum = 0, maximum = 240, multiple_of = 5, default = 0)]
    pub buffer_after_minutes: u16,
    /// How far apart the starts are, counted from the opening.
    #[schema(minimum = 5, maximum = 1440, multiple_of = 5, default = 15)]
    pub step_minutes: u16,
    /// How long before its start a booking has to be made.
    #[schema(minimum = 0, maximum = 527_040, default = 0)]
    pub minimum_notice_minutes: u32,
    /// How many days ahead a booking may begin at most.
    #[schema(minimum = 1, maximum = 730, default = 365)]
    pub horizon_days: u16,
}

impl Default for BookingTerms {
    fn default() -> Self {
        Self {
            duration_minutes: 30,
            buffer_before_minutes: 0,
            buffer_after_minutes: 0,
            step_minutes: 15,
            minimum_notice_minutes: 0,
            horizon_days: DEFAULT_HORIZON_DAYS,
        }
    }
}

impl BookingTerms {
    /// Durations and buffers are whole ticks, because that is what a booking holds.
    pub fn check(&self, field: &str, checks: &mut Checks) {
        let mut ticks = |name: &str, minutes: u16, min: i64, max: i64| {
            let field = under(field, name);
            let minutes = i64::from(minutes);
            if (min..=max).contains(&minutes) && minutes % TICK_MINUTES != 0 {
                checks.problem(&field, Problem::NotAMultiple { of: TICK_MINUTES });
            }
            checks.range(&field, minutes, min, max);
        };
        let longest = LONGEST_DURATION;
        ticks(
            "duration_minutes",
            self.duration_minutes,
            TICK_MINUTES,
            longest,
        );
        ticks(
            "buffer_before_minutes",
            self.buffer_before_minutes,
            0,
            LONGEST_BUFFER,
        );
        ticks(
            "buffer_after_minutes",
            self.buffer_after_minutes,
            0,
            LONGEST_BUFFER,
        );
        ticks("step_minutes", self.step_minutes, TICK_MINUTES, longest);
        let notice = i64::from(self.minimum_notice_minutes);
        let named = under(field, "minimum_notice_minutes");
        checks.range(&named, notice, 0, LONGEST_NOTICE);
        let horizon = i64::from(self.horizon_days);
        let longest = i64::from(LONGEST_HORIZON_DAYS);
        checks.range(&under(field, "horizon_days"), horizon, 1, longest);
    }

    /// All the time that a booking takes, buffers included: what is busy from then on, and what
    /// [`covering_ticks`](super::covering_ticks) is asked about.
    #[must_use]
    pub fn held(&self, start: Timestamp) -> Span {
        let before = -i64::from(self.buffer_before_minutes) * 60;
        Span {
            start: moved(start, before),
            end: moved(
                start,
                self.duration() + i64::from(self.buffer_after_minutes) * 60,
            ),
        }
    }

    /// All the time that something takes which is booked already, however long it lasts by now.
    #[must_use]
    pub fn held_by(&self, booked: Span) -> Span {
        let before = i64::from(self.buffer_before_minutes) * 60;
        let after = i64::from(self.buffer_after_minutes) * 60;
        Span {
            start: moved(booked.start, -before),
            end: moved(booked.end, after),
        }
    }

    /// In seconds. Terms that were never checked still make no empty booking.
    pub(super) fn duration(&self) -> i64 {
        i64::from(self.duration_minutes).max(TICK_MINUTES) * 60
    }

    /// The earliest start that leaves enough notice.
    pub(super) fn earliest(&self, now: Timestamp) -> Timestamp {
        moved(now, i64::from(self.minimum_notice_minutes) * 60)
    }

    /// The latest start that may be booked yet.
    #[must_use]
    pub fn latest(&self, now: Timestamp) -> Timestamp {
        moved(now, i64::from(self.horizon_days) * DAY_SECONDS)
    }
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AvailabilityQuery {
    /// Slots begin at this instant or later, and before `to`.
    pub from: Timestamp,
    pub to: Timestamp,
    pub now: Timestamp,
    /// How many slots at most.
    pub limit: usize,
    /// How many people come.
    pub party: u16,
    pub staff: Option<StaffId>,
    pub branch: Option<BranchId>,
}

impl AvailabilityQuery {
    pub fn check(&self, checks: &mut Checks) {
        if self.to <= self.from {
            checks.problem("to", Problem::Order);
        } else if ceiling(self.to) - ceiling(self.from) > MAX_QUERY_DAYS * DAY_SECONDS {
            let max = MAX_QUERY_DAYS;
            checks.problem("to", Problem::TooManyDays { max });
        }
        let limit = i64::try_from(self.limit).unwrap_or(i64::MAX);
        let most = i64::try_from(MAX_SLOTS).unwrap_or(i64::MAX);
        checks.range("limit", limit, 1, most);
        checks.range("party", self.party.into(), 1, LARGEST_PARTY);
    }

    /// The seconds between which slots may begin, the end not included. A query that was never
    /// checked is cut short.
    pub(super) fn starts_between(&self, terms: &BookingTerms) -> (i64, i64) {
        let from = self.from.max(terms.earliest(self.now));
        let longest = ceiling(self.from) + MAX_QUERY_DAYS * DAY_SECONDS;
        let horizon = floor(terms.latest(self.now)) + 1;
        (ceiling(from), ceiling(self.to).min(longest).min(horizon))
    }

    pub(super) fn asks_for(&self, what: Bookable) -> bool {
        let staff = match what {
            Bookable::Staff { staff, .. } => Some(staff),
            Bookable::Table { .. } | Bookable::Branch { .. } => None,
        };
        self.staff.is_none_or(|wanted| staff == Some(wanted))
            && self.branch.is_none_or(|wanted| wanted == what.branch())
            && what.fits(self.party)
    }
}

/// A time at which something can be booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Slot {
    pub start: Timestamp,
    pub end: Timestamp,
    pub resource: Bookable,
}

/// An instant so many seconds later or earlier, or the last that can be told.
fn moved(instant: Timestamp, seconds: i64) -> Timestamp {
    let last = if seconds < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    instant
        .checked_add(SignedDuration::from_secs(seconds))
        .unwrap_or(last)
}
