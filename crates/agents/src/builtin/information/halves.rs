//! Which half of the day an hour is of that was said without it: "a las 8" is in the evening where
//! nobody is there at eight in the morning.

use super::super::scene::Scene;
use super::hours::{on, weekly};
use crate::when::{Day, Time, When};
use quipu_core::agent::Vertical;
use quipu_core::calendar::WrittenInterval;
use serde_json::Value;

const NOON: u16 = 12 * 60;
const WHOLE_DAY: u16 = 24 * 60;

impl Scene<'_> {
    /// What was said of when, with the half of its hours as far as the opening hours tell it. A table is
    /// for the evening where both halves would do, or neither.
    pub(in super::super) fn while_open(&self, when: When, branches: &[Value]) -> When {
        let open = open_on(branches, when.day);
        let table = self.setting.vertical == Vertical::Restaurant;
        let known = |time: Option<Time>| time.map(|time| half_of(time, &open, table));
        When {
            time: known(when.time),
            after: known(when.after),
            before: known(when.before),
            ..when
        }
    }
}

/// When it is open on a day, or on any day where none is known, in minutes of the clock.
fn open_on(branches: &[Value], day: Option<Day>) -> Vec<(u16, u16)> {
    let day = day.and_then(Day::single);
    let hours = branches.iter().filter_map(weekly);
    let stretches = hours.flat_map(|hours| {
        let week = jiff::civil::Weekday::Monday.cycle_forward().take(7);
        let days = week.filter(|weekday| day.is_none_or(|day| day.weekday() == *weekday));
        let stretches = days.flat_map(|day| on(&hours, day).to_vec());
        stretches.collect::<Vec<_>>()
    });
    stretches.filter_map(|stretch| minutes(&stretch)).collect()
}

/// The first minute of a stretch and the first that is no longer in it. One that ends on the next day
/// lasts until midnight, since an hour after that is one of the next day.
fn minutes(stretch: &WrittenInterval) -> Option<(u16, u16)> {
    let minute = |clock: &str| {
        let (hour, minute) = clock.split_once(':')?;
        Some(hour.parse::<u16>().ok()? * 60 + minute.parse::<u16>().ok()?)
    };
    let (from, to) = (minute(&stretch.from)?, minute(&stretch.to)?);
    Some((from, if to <= from { WHOLE_DAY } else { to }))
}

fn half_of(time: Time, open: &[(u16, u16)], evening: bool) -> Time {
    let morning = time.minute % NOON;
    // Twelve is noon, whoever is there at midnight.
    if time.certain || morning < 60 || open.is_empty() {
        return time;
    }
    let is_open = |minute: u16| open.iter().any(|(from, to)| (*from..*to).contains(&minute));
    let minute = match (is_open(morning), is_open(morning + NOON)) {
        (true, false) => morning,
        (false, true) => morning + NOON,
        _ if evening => morning + NOON,
        _ => return time,
    };
    Time {
        minute,
        certain: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_is_of_the_half_in_which_it_is_open() {
        let said = |hour: u16| Time {
            minute: hour * 60,
            certain: false,
        };
        let hour = |said: Time| said.certain.then_some(said.minute / 60);
        let evening = [(13 * 60, 23 * 60)];
        let all_day = [(8 * 60, 22 * 60)];
        assert_eq!(hour(half_of(said(8), &evening, true)), Some(20));
        assert_eq!(hour(half_of(said(8), &evening, false)), Some(20));
        assert_eq!(hour(half_of(said(9), &all_day, true)), Some(21));
        assert_eq!(hour(half_of(said(9), &all_day, false)), None);
        assert_eq!(
            hour(half_of(said(10), &[(9 * 60, 19 * 60)], false)),
            Some(10)
        );
        assert_eq!(hour(half_of(said(12), &evening, true)), None);
        assert_eq!(hour(half_of(said(8), &[], true)), None);
    }
}
