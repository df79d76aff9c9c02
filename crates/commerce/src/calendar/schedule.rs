//! When a business, or somebody who works there, is open.

use super::interval::Interval;
use super::local::LocalSpan;
use super::span::floor;
use super::written::{WrittenException, WrittenHours, WrittenSchedule};
use super::zone::{ZoneClock, timestamp};
use jiff::civil::{Date, Weekday};
use jiff::tz::TimeZone;
use quipu_core::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const DAY_SECONDS: i64 = 24 * 60 * 60;
/// How far ahead the next opening is looked for. What is closed for longer has none.
const LOOK_AHEAD_DAYS: i64 = 800;
const EPOCH: Date = Date::constant(1970, 1, 1);

/// The hours of each day of the week, in order and without overlaps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WrittenHours", into = "WrittenHours")]
pub struct WeeklyHours([Vec<Interval>; 7]);

impl WeeklyHours {
    /// From Monday on, each day as it was read.
    pub(super) fn from_days(days: [Vec<Interval>; 7]) -> Self {
        Self(days)
    }

    pub(super) fn days(&self) -> &[Vec<Interval>; 7] {
        &self.0
    }

    #[must_use]
    pub fn on(&self, weekday: Weekday) -> &[Interval] {
        let offset = usize::try_from(weekday.to_monday_zero_offset()).unwrap_or(0);
        &self.0[offset % 7]
    }
}

/// Days on which other hours hold than those of the week.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WrittenException", into = "WrittenException")]
pub struct HoursException {
    from: Date,
    to: Date,
    label: String,
    intervals: Vec<Interval>,
}

impl HoursException {
    pub(super) fn new(from: Date, to: Date, label: String, intervals: Vec<Interval>) -> Self {
        Self {
            from,
            to,
            label,
            intervals,
        }
    }

    /// The first of the days.
    #[must_use]
    pub fn from(&self) -> Date {
        self.from
    }

    /// The last of the days.
    #[must_use]
    pub fn to(&self) -> Date {
        self.to
    }

    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The hours of each of the days, none when it is closed.
    #[must_use]
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }
}

/// The hours of a week and the days on which others hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "WrittenSchedule")]
pub struct Schedule {
    #[schema(value_type = WrittenHours)]
    pub weekly: WeeklyHours,
    /// Where several are about a day, the one that is about the fewest days holds, and of two alike
    /// the later in this list: the holiday within the holidays.
    #[schema(value_type = Vec<WrittenException>, max_items = 400)]
    pub exceptions: Vec<HoursException>,
}

impl Schedule {
    /// The hours that begin on a day. The night before may last into it.
    #[must_use]
    pub fn on(&self, date: Date) -> &[Interval] {
        let day = days_between(EPOCH, date);
        self.exceptions_between(day, day).on(day)
    }

    #[must_use]
    pub fn is_open(&self, at: Timestamp, zone: &TimeZone) -> bool {
        let at = floor(at);
        let clock = ZoneClock::new(zone, at, at);
        let day = clock.day(at);
        // A clock that is set back over midnight shows a day again whose next has begun.
        self.openings(day - 2, day + 1).any(|span| {
            let (start, end) = clock.instants(span);
            start <= at && at < end
        })
    }

    /// The next instant after this one at which it opens, having been closed. `None` when that is
    /// not within two years.
    #[must_use]
    pub fn next_opening(&self, after: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        let after = floor(after);
        let clock = ZoneClock::new(zone, after, after + LOOK_AHEAD_DAYS * DAY_SECONDS);
        let day = clock.day(after);
        let mut open_until = i64::MIN;
        for span in self.openings(day - 2, day + LOOK_AHEAD_DAYS) {
            let (start, end) = clock.instants(span);
            if start < end {
                if start > after && start > open_until {
                    return Some(timestamp(start));
                }
                open_until = open_until.max(end);
            }
        }
        None
    }

    /// The hours of the days from one to another, in order and without overlaps: where a night lasts
    /// into hours of the next day, those begin when it ends.
    ///
    /// The first day has to be one earlier than the first that matters, because of its night.
    pub(super) fn openings(&self, first: i64, last: i64) -> impl Iterator<Item = LocalSpan> {
        let hours = self.exceptions_between(first, last);
        let spans = (first..=last).flat_map(move |day| {
            let intervals = hours.on(day).iter();
            intervals.map(move |interval| LocalSpan::of(day, *interval))
        });
        let mut open_until = i64::MIN;
        spans.filter_map(move |span| {
            let from = span.from.max(open_until);
            open_until = open_until.max(span.to);
            (from < span.to).then_some(LocalSpan { from, to: span.to })
        })
    }

    /// Sorts out once which exceptions matter, so that a day costs no look at all the others.
    fn exceptions_between(&self, first: i64, last: i64) -> HoursOfDays<'_> {
        let exceptions = self.exceptions.iter().rev().filter_map(|exception| {
            let from = days_between(EPOCH, exception.from);
            let to = days_between(EPOCH, exception.to);
            (from <= last && first <= to).then_some((from, to, exception.intervals.as_slice()))
        });
        HoursOfDays {
            weekly: &self.weekly,
            exceptions: exceptions.collect(),
        }
    }
}

/// The hours of a schedule for some days, and the exceptions that are about them, the last first.
struct HoursOfDays<'a> {
    weekly: &'a WeeklyHours,
    exceptions: Vec<(i64, i64, &'a [Interval])>,
}

impl<'a> HoursOfDays<'a> {
    /// The hours of a day, counted from 1 January 1970, a Thursday.
    fn on(&self, day: i64) -> &'a [Interval] {
        let about = |(from, to, _): &&(i64, i64, _)| *from <= day && day <= *to;
        let exceptions = self.exceptions.iter().filter(about);
        let exception = exceptions.min_by_key(|(from, to, _)| to - from);
        exception.map_or_else(
            || {
                let weekday = usize::try_from((day + 3).rem_euclid(7)).unwrap_or(0);
                self.weekly.0[weekday].as_slice()
            },
            |(_, _, intervals)| intervals,
        )
    }
}

/// How many days the second date is after the first.
pub(super) fn days_between(from: Date, to: Date) -> i64 {
    to.duration_since(from).as_secs() / DAY_SECONDS
}
