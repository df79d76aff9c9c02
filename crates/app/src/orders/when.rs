//! When an order is wanted, and whether the place is open then.

use super::refusals::refused;
use crate::after;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use quipu_commerce::business::Branch;
use quipu_commerce::calendar::{Schedule, describe_moment};
use quipu_core::language::Language;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, Result, Timestamp};
use std::time::Duration;

/// Nobody knows what will be on the menu later than that.
const MOST_DAYS_AHEAD: i64 = 60;

/// The hours of a branch on its own clock. Without a branch or without hours it is always open.
pub(super) struct Hours {
    schedule: Option<Schedule>,
    zone: TimeZone,
}

impl Hours {
    pub(super) fn new(branch: Option<&Branch>, tenant: &TimeZone) -> Self {
        let schedule = branch.map(Branch::schedule);
        Self {
            schedule: schedule.filter(|schedule| *schedule != Schedule::default()),
            zone: branch.map_or_else(|| tenant.clone(), |branch| branch.zone(tenant)),
        }
    }

    /// The instant that was asked for, when the place is open then; nothing when it is wanted as
    /// soon as possible, and the place is open now.
    pub(super) fn check(&self, wanted: Option<&str>, now: Timestamp) -> Result<Option<Timestamp>> {
        let Some(wanted) = wanted else {
            self.open_at(now, "closed", ["está cerrado", "it is closed now"])?;
            return Ok(None);
        };
        let mut checks = Checks::new();
        let moment = self.read(wanted);
        let latest = after(now, Duration::from_hours(24) * 60);
        match moment {
            None => checks.problem("scheduled_for", Problem::NotADateTime),
            Some(at) if at <= now => checks.problem("scheduled_for", Problem::InThePast),
            Some(at) if at > latest => {
                let days = MOST_DAYS_AHEAD;
                checks.problem("scheduled_for", Problem::TooFarAhead { days })
            }
            Some(_) => &mut checks,
        };
        checks.finish()?;
        let at = moment.unwrap_or(now);
        let told = ["a esa hora está cerrado", "it is closed at that time"];
        self.open_at(at, "closed_then", told)?;
        Ok(Some(at))
    }

    fn open_at(&self, at: Timestamp, reason: &'static str, told: [&str; 2]) -> Result<()> {
        let Some(schedule) = &self.schedule else {
            return Ok(());
        };
        if schedule.is_open(at, &self.zone) {
            return Ok(());
        }
        let [es, en] = told.map(str::to_owned);
        let Some(next) = schedule.next_opening(at, &self.zone) else {
            return Err(refused(reason, es, en));
        };
        let local = next.to_zoned(self.zone.clone()).datetime();
        let opens = |language| describe_moment(local, language);
        let es = format!("{es}; abre el {}", opens(Language::Es));
        let en = format!("{en}; it opens on {}", opens(Language::En));
        Err(opening(refused(reason, es, en), next))
    }

    /// An instant as it is, or a date and time on the clock of the branch.
    fn read(&self, wanted: &str) -> Option<Timestamp> {
        let wanted = wanted.trim();
        if let Ok(instant) = wanted.parse::<Timestamp>() {
            return Some(instant);
        }
        // A date alone says no time.
        if !wanted.contains(':') {
            return None;
        }
        let Ok(local) = wanted.parse::<DateTime>() else {
            // The last day that can be written has no instant, and is far off all the same.
            let day: Date = wanted.get(..10)?.parse().ok()?;
            return (day == Date::MAX).then_some(Timestamp::MAX);
        };
        let zoned = local.to_zoned(self.zone.clone());
        Some(zoned.map_or(Timestamp::MAX, |zoned| zoned.timestamp()))
    }
}

fn opening(error: Error, next: Timestamp) -> Error {
    error.with("next_opening", next.to_string())
}

/// When it will be there: as soon as it can be, and not before it is wanted.
pub(super) fn estimated(now: Timestamp, minutes: u64, wanted: Option<Timestamp>) -> Timestamp {
    let soonest = after(now, Duration::from_mins(minutes));
    wanted.map_or(soonest, |wanted| wanted.max(soonest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_on_the_clock_of_the_branch() {
        let lima = TimeZone::get("America/Lima").unwrap();
        let hours = Hours::new(None, &lima);
        let instant: Timestamp = "2026-07-28T19:30-05:00".parse().unwrap();
        for text in [
            "2026-07-28T19:30",
            " 2026-07-28 19:30:00 ",
            "2026-07-29T00:30Z",
            "2026-07-28T19:30-05:00",
        ] {
            assert_eq!(hours.read(text), Some(instant), "{text}");
        }
        for text in [
            "",
            "2026-07-28",
            "mañana",
            "19:30",
            "2026-13-01T10:00",
            "9999999",
        ] {
            assert_eq!(hours.read(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_far_ahead_is_told_so_and_not_that_it_is_no_date() {
        let lima = TimeZone::get("America/Lima").unwrap();
        let now: Timestamp = "2026-07-28T19:30-05:00".parse().unwrap();
        let hours = Hours::new(None, &lima);
        for text in [
            "2026-10-28T19:30",
            "9999-12-31T23:59",
            "9999-12-31T23:59:00Z",
            "9999-12-30T10:00-05:00",
        ] {
            let error = hours.check(Some(text), now).unwrap_err();
            let told = error.details()["fields"][0]["problem"].clone();
            assert_eq!(told, "too_far_ahead", "{text}");
            let es = error.message(Language::Es);
            assert!(es.contains("60 días de anticipación"), "{es}");
        }
    }

    #[test]
    fn an_estimate_never_comes_before_what_is_wanted() {
        let at = |minute: i64| Timestamp::from_second(minute * 60).unwrap();
        assert_eq!(estimated(at(0), 30, None), at(30));
        assert_eq!(estimated(at(0), 30, Some(at(10))), at(30));
        assert_eq!(estimated(at(0), 30, Some(at(90))), at(90));
    }
}
