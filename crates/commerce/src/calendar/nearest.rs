//! What is free nearest to a time that somebody named.

use super::interval::{DAY, read_time};
use super::resource::Slot;
use jiff::tz::TimeZone;
use quipu_core::BranchId;

/// Reads a time of the clock such as "17:00" as a minute of its day.
#[must_use]
pub fn read_minute(text: &str) -> Option<u16> {
    read_time(text).filter(|minute| *minute < DAY)
}

/// Puts first what begins nearest to a minute of the day, on whichever day that is: whoever wants to
/// come at five asks for that, and takes another day sooner than another hour. Of two that are as
/// near the later comes first, because people who name an hour can seldom come before it; and of the
/// same time the earlier day. The clock is that of the branch.
pub fn nearest_first<'z>(
    slots: &mut [Slot],
    minute: u16,
    zone: impl Fn(BranchId) -> Option<&'z TimeZone>,
) {
    slots.sort_by_cached_key(|slot| {
        let away = zone(slot.resource.branch()).map(|zone| {
            let local = zone.to_datetime(slot.start);
            let begins = i32::from(local.hour()) * 60 + i32::from(local.minute());
            begins - i32::from(minute)
        });
        let away = away.unwrap_or(i32::from(DAY));
        (away.abs(), away < 0, slot.start)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::Bookable;
    use jiff::civil::date;
    use uuid::Uuid;

    fn zone(name: &str) -> TimeZone {
        TimeZone::get(name).unwrap()
    }

    fn slot(branch: BranchId, zone: &TimeZone, day: i8, (hour, minute): (i8, i8)) -> Slot {
        let local = date(2026, 3, day).at(hour, minute, 0, 0);
        let start = zone.to_timestamp(local).unwrap();
        Slot {
            start,
            end: start,
            resource: Bookable::Branch { branch },
        }
    }

    #[test]
    fn a_time_is_read_within_its_day() {
        assert_eq!(read_minute("17:30"), Some(17 * 60 + 30));
        assert_eq!(read_minute("9:05"), Some(9 * 60 + 5));
        for wrong in ["24:00", "17", "5 pm", "17:60", "", "-1:00"] {
            assert_eq!(read_minute(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_nearest_comes_first_then_the_later_then_the_sooner_day() {
        let (lima, branch) = (zone("America/Lima"), BranchId::from_uuid(Uuid::nil()));
        let times = [
            (18, (9, 0)),
            (18, (16, 30)),
            (18, (17, 30)),
            (19, (16, 30)),
            (19, (17, 0)),
            (20, (17, 0)),
        ];
        let mut slots = times.map(|(day, time)| slot(branch, &lima, day, time));
        nearest_first(&mut slots, 17 * 60, |_| Some(&lima));
        let order = slots.map(|slot| {
            let local = lima.to_datetime(slot.start);
            (local.day(), (local.hour(), local.minute()))
        });
        let wanted = [
            (19, (17, 0)),
            (20, (17, 0)),
            (18, (17, 30)),
            (18, (16, 30)),
            (19, (16, 30)),
            (18, (9, 0)),
        ];
        assert_eq!(order, wanted);
    }

    #[test]
    fn each_branch_has_its_own_clock() {
        let zones = [zone("America/Lima"), zone("Europe/Madrid")];
        let branches = [1, 2].map(|id| BranchId::from_uuid(Uuid::from_u128(id)));
        let of = |branch: BranchId| Some(&zones[usize::from(branch == branches[1])]);
        let at = |place: usize, hour: i8| slot(branches[place], &zones[place], 18, (hour, 0));
        let mut slots = [at(0, 11), at(1, 17), at(0, 18)];
        nearest_first(&mut slots, 17 * 60, of);
        assert_eq!(slots, [at(1, 17), at(0, 18), at(0, 11)]);
    }
}
