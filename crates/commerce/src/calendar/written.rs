//! Opening hours as people write them, and how they are read.

use super::interval::{DAY, Interval, read_time, write_time};
use super::schedule::{HoursException, Schedule, WeeklyHours, days_between};
use jiff::civil::Date;
use quipu_core::validate::{Checks, Problem};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How many intervals a day may have.
pub const MAX_INTERVALS: usize = 8;
/// How many exceptions a schedule may have.
pub const MAX_EXCEPTIONS: usize = 400;
/// How many days an exception may last.
pub const MAX_EXCEPTION_DAYS: i64 = 366;

const LONGEST_LABEL: usize = 100;

/// The names that the days have in JSON, from Monday on.
const DAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WrittenInterval {
    #[schema(example = "18:00", max_length = 5)]
    pub from: String,
    /// An end that is not after the beginning is of the next day, noon at the latest. From 00:00 to
    /// 00:00 is the whole day.
    #[schema(example = "02:00", max_length = 5)]
    pub to: String,
}

/// The hours of each day of the week. A day without intervals is closed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WrittenHours {
    #[schema(max_items = 8)]
    pub monday: Vec<WrittenInterval>,
    #[schema(max_items = 8)]
    pub tuesday: Vec<WrittenInterval>,
    #[schema(max_items = 8)]
    pub wednesday: Vec<WrittenInterval>,
    #[schema(max_items = 8)]
    pub thursday: Vec<WrittenInterval>,
    #[schema(max_items = 8)]
    pub friday: Vec<WrittenInterval>,
    #[schema(max_items = 8)]
    pub saturday: Vec<WrittenInterval>,
    #[schema(max_items = 8)]
    pub sunday: Vec<WrittenInterval>,
}

/// Days on which other hours hold than those of the week.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WrittenException {
    #[schema(example = "2026-07-28")]
    pub from: Date,
    /// The last of the days. Only the first when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "2026-07-29")]
    pub to: Option<Date>,
    #[schema(example = "Fiestas Patrias", min_length = 1, max_length = 100)]
    pub label: String,
    /// The hours of each of the days. None is closed.
    #[schema(max_items = 8)]
    pub intervals: Vec<WrittenInterval>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WrittenSchedule {
    pub weekly: WrittenHours,
    #[schema(max_items = 400)]
    pub exceptions: Vec<WrittenException>,
}

impl WrittenInterval {
    fn read(&self, field: &str, checks: &mut Checks) -> Option<Interval> {
        let mut time = |name: &str, text: &str, latest: u16| {
            let time = read_time(text).filter(|time| *time <= latest);
            if time.is_none() {
                checks.problem(&format!("{field}.{name}"), Problem::NotATime);
            }
            time
        };
        let (from, to) = (time("from", &self.from, DAY - 1), time("to", &self.to, DAY));
        match Interval::between(from?, to?) {
            Ok(interval) => Some(interval),
            Err(problem) => {
                checks.problem(field, problem);
                None
            }
        }
    }
}

impl From<Interval> for WrittenInterval {
    fn from(interval: Interval) -> Self {
        Self {
            from: write_time(interval.opens()),
            to: write_time(interval.closes()),
        }
    }
}

impl WrittenHours {
    /// Reads the hours that stand under `field`, and names the day of everything that is wrong.
    pub fn read(&self, field: &str, checks: &mut Checks) -> WeeklyHours {
        let written = [
            &self.monday,
            &self.tuesday,
            &self.wednesday,
            &self.thursday,
            &self.friday,
            &self.saturday,
            &self.sunday,
        ];
        let mut day = 0;
        let week = written.map(|intervals| {
            let intervals = read_day(&format!("{field}.{}", DAYS[day]), intervals, checks);
            day += 1;
            intervals
        });
        for (day, intervals) in week.iter().enumerate() {
            let next = &week[(day + 1) % 7];
            if intervals.last().is_some_and(|last| last.runs_into(next)) {
                let field = format!("{field}.{}", DAYS[day]);
                checks.problem(&field, Problem::OverlapsNextDay);
            }
        }
        WeeklyHours::from_days(week)
    }
}

impl WrittenException {
    pub fn read(&self, field: &str, checks: &mut Checks) -> HoursException {
        let label = checks.line(&format!("{field}.label"), &self.label, LONGEST_LABEL);
        let to = self.to.unwrap_or(self.from);
        let days = days_between(self.from, to) + 1;
        if days < 1 {
            checks.problem(&format!("{field}.to"), Problem::Order);
        } else if days > MAX_EXCEPTION_DAYS {
            let max = MAX_EXCEPTION_DAYS;
            checks.problem(&format!("{field}.to"), Problem::TooManyDays { max });
        }
        let intervals = read_day(&format!("{field}.intervals"), &self.intervals, checks);
        if days > 1
            && intervals
                .last()
                .is_some_and(|last| last.runs_into(&intervals))
        {
            checks.problem(&format!("{field}.intervals"), Problem::OverlapsNextDay);
        }
        HoursException::new(self.from, to, label, intervals)
    }
}

impl WrittenSchedule {
    pub fn read(&self, field: &str, checks: &mut Checks) -> Schedule {
        let weekly = self.weekly.read(&format!("{field}.weekly"), checks);
        let under = format!("{field}.exceptions");
        if self.exceptions.len() > MAX_EXCEPTIONS {
            let max = MAX_EXCEPTIONS;
            checks.problem(&under, Problem::TooMany { max });
        }
        let exceptions = self.exceptions.iter().take(MAX_EXCEPTIONS).enumerate();
        let exceptions = exceptions
            .map(|(index, exception)| exception.read(&format!("{under}[{index}]"), checks))
            .collect();
        Schedule { weekly, exceptions }
    }
}

/// Reads the intervals of a day in the order of the clock and joins those that touch.
fn read_day(field: &str, written: &[WrittenInterval], checks: &mut Checks) -> Vec<Interval> {
    if written.len() > MAX_INTERVALS {
        let max = MAX_INTERVALS;
        checks.problem(field, Problem::TooMany { max });
        return Vec::new();
    }
    let mut read = Vec::with_capacity(written.len());
    for (index, interval) in written.iter().enumerate() {
        let field = format!("{field}[{index}]");
        if let Some(interval) = interval.read(&field, checks) {
            read.push((interval, field));
        }
    }
    read.sort_unstable();
    let mut day: Vec<Interval> = Vec::with_capacity(read.len());
    for (interval, field) in read {
        match day.last_mut() {
            Some(last) if interval.opens() < last.closes() => {
                checks.problem(&field, Problem::Overlap);
            }
            Some(last) => match last.joined(interval) {
                Some(joined) => *last = joined,
                None => day.push(interval),
            },
            None => day.push(interval),
        }
    }
    day
}

/// The same in JSON wherever it comes from: what was stored is read as strictly as what is sent.
macro_rules! read_strictly {
    ($($written:ty => $read:ty, $field:literal;)+) => {$(
        impl TryFrom<$written> for $read {
            type Error = quipu_core::Error;

            fn try_from(written: $written) -> quipu_core::Result<Self> {
                let mut checks = Checks::new();
                let read = written.read($field, &mut checks);
                checks.finish().map(|()| read)
            }
        }
    )+};
}

read_strictly! {
    WrittenHours => WeeklyHours, "hours";
    WrittenException => HoursException, "exception";
    WrittenSchedule => Schedule, "schedule";
}

fn write_day(intervals: &[Interval]) -> Vec<WrittenInterval> {
    intervals.iter().copied().map(Into::into).collect()
}

impl From<WeeklyHours> for WrittenHours {
    fn from(hours: WeeklyHours) -> Self {
        let [
            monday,
            tuesday,
            wednesday,
            thursday,
            friday,
            saturday,
            sunday,
        ] = hours.days().each_ref().map(|day| write_day(day));
        Self {
            monday,
            tuesday,
            wednesday,
            thursday,
            friday,
            saturday,
            sunday,
        }
    }
}

impl From<HoursException> for WrittenException {
    fn from(exception: HoursException) -> Self {
        Self {
            from: exception.from(),
            to: (exception.to() != exception.from()).then(|| exception.to()),
            label: exception.label().to_owned(),
            intervals: write_day(exception.intervals()),
        }
    }
}
