//! What holds of every calendar.

use super::oracle::Oracle;
use super::scenario::{Scenario, scenarios, spans, staff, table, weekly};
use super::*;
use proptest::prelude::*;
use quipu_core::validate::Checks;
use std::collections::BTreeMap;

fn offered(scenario: &Scenario) -> Vec<i64> {
    let slots = free_slots(&scenario.query(), &scenario.terms, &[scenario.resource()]);
    slots.iter().map(|slot| slot.start.as_second()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Within hours, on the grid, with notice, never beyond the places; and nothing is left out.
    #[test]
    fn exactly_what_is_free_is_offered(scenario in scenarios()) {
        prop_assert_eq!(offered(&scenario), Oracle::new(&scenario).starts());
    }

    #[test]
    fn a_start_passes_the_check_exactly_when_it_is_offered(scenario in scenarios()) {
        let starts = offered(&scenario);
        let oracle = Oracle::new(&scenario);
        let resource = scenario.resource();
        let (from, to) = (scenario.from.as_second(), scenario.to.as_second());
        // Seven does not divide the hour, so that minutes between the ticks are asked about too.
        let asked = (from.div_euclid(60) + 1..to.div_euclid(60)).step_by(7);
        let asked = asked.map(|minute| minute * 60).chain(starts.iter().copied());
        for start in asked {
            let at = Timestamp::from_second(start).unwrap();
            let checked = check(at, scenario.now, 1, &scenario.terms, &resource);
            prop_assert_eq!(checked.is_ok(), starts.contains(&start), "{} {:?}", at, checked);
            prop_assert_eq!(checked == Err(Unavailable::InThePast), at < scenario.now);
            if checked == Err(Unavailable::Closed) {
                prop_assert!(!oracle.branch_is_open(start / 60));
            }
            let a_moment_later = at + jiff::SignedDuration::from_nanos(1);
            prop_assert!(check(a_moment_later, scenario.now, 1, &scenario.terms, &resource).is_err());
        }
    }

    /// What the database does: it keeps a row for each tick and place, and no place twice.
    #[test]
    fn booking_what_is_offered_never_takes_more_places_than_there_are(
        scenario in scenarios(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 1..12),
    ) {
        let mut rows: BTreeMap<i64, u16> = BTreeMap::new();
        let mut scenario = Scenario { busy: Vec::new(), ..scenario };
        for choice in choices {
            let starts = offered(&scenario);
            if starts.is_empty() {
                break;
            }
            let start = Timestamp::from_second(starts[choice.index(starts.len())]).unwrap();
            let held = scenario.terms.held(start);
            for tick in covering_ticks(held) {
                let row = rows.entry(tick).or_default();
                *row += 1;
                prop_assert!(*row <= scenario.places);
            }
            scenario.busy.push(held);
        }
    }

    /// Several resources are offered as if each were asked about alone, the smallest tables only.
    #[test]
    fn resources_are_offered_side_by_side(
        scenario in scenarios(),
        more_busy in prop::collection::vec(spans(0, 20, 300), 5),
        seats in prop::collection::vec(1_u16..5, 3),
        limit in 1_usize..40,
        party in 1_u16..4,
    ) {
        let kinds = [staff(1), table(1, seats[0]), staff(2), table(2, seats[1]), table(3, seats[2])];
        let resources: Vec<Resource<'_>> = kinds
            .iter()
            .enumerate()
            .map(|(index, what)| {
                let mut resource = scenario.resource();
                resource.what = *what;
                resource.places = 1;
                // Each is taken at other times.
                let later = jiff::SignedDuration::from_secs(scenario.from.as_second());
                let busy = more_busy[index].iter();
                resource.busy = busy
                    .map(|span| Span { start: span.start + later, end: span.end + later })
                    .collect();
                resource
            })
            .collect();
        let query = AvailabilityQuery { party, ..scenario.query() };
        let mut expected: Vec<(i64, usize)> = Vec::new();
        for (index, resource) in resources.iter().enumerate() {
            let alone = free_slots(&query, &scenario.terms, std::slice::from_ref(resource));
            expected.extend(alone.iter().map(|slot| (slot.start.as_second(), index)));
        }
        expected.sort_unstable();
        let all = expected.clone();
        let seats_of = |index: usize| match kinds[index] {
            Bookable::Table { seats, .. } => Some(seats),
            _ => None,
        };
        expected.retain(|(start, index)| {
            let rivals = all.iter().filter(|(other, _)| other == start);
            seats_of(*index).is_none_or(|seats| {
                seats >= party && rivals.filter_map(|(_, rival)| Some((seats_of(*rival)?, *rival)))
                    .all(|rival| (seats, *index) <= rival)
            })
        });
        let expected: Vec<(i64, Bookable)> = expected
            .iter()
            .take(limit)
            .map(|(start, index)| (*start, kinds[*index]))
            .collect();
        let query = AvailabilityQuery { limit, ..query };
        let found: Vec<(i64, Bookable)> = free_slots(&query, &scenario.terms, &resources)
            .iter()
            .map(|slot| (slot.start.as_second(), slot.resource))
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn weekly_hours_survive_json(written in weekly()) {
        let read: WeeklyHours = serde_json::from_value(written).unwrap();
        let written = serde_json::to_value(&read).unwrap();
        prop_assert_eq!(serde_json::from_value::<WeeklyHours>(written).unwrap(), read);
    }

    /// Whatever people write is read or refused, and what was read is in order and survives JSON.
    #[test]
    fn any_times_are_read_or_refused(
        times in prop::collection::vec(("[0-2]?[0-9]:[0-5][05]|.{0,6}", "[0-2]?[0-9]:[0-5][05]"), 0..5),
    ) {
        let intervals = times.iter();
        let friday = intervals
            .map(|(from, to)| WrittenInterval { from: from.clone(), to: to.clone() })
            .collect();
        let mut checks = Checks::new();
        let written = WrittenHours { friday, ..WrittenHours::default() };
        let read = written.read("hours", &mut checks);
        let intervals = read.on(jiff::civil::Weekday::Friday);
        prop_assert!(intervals.is_sorted_by(|a, b| a.closes() <= b.opens()));
        if checks.finish().is_ok() {
            let json = serde_json::to_value(&read).unwrap();
            prop_assert_eq!(serde_json::from_value::<WeeklyHours>(json).unwrap(), read);
        }
    }

    /// It is open from the next opening on, and was closed the moment before.
    #[test]
    fn it_opens_at_the_next_opening(scenario in scenarios()) {
        let hours = &scenario.branch_hours;
        let Some(next) = hours.next_opening(scenario.now, &scenario.zone) else {
            return Ok(());
        };
        let moment = jiff::SignedDuration::from_nanos(1);
        prop_assert!(next > scenario.now);
        prop_assert!(hours.is_open(next, &scenario.zone));
        prop_assert!(!hours.is_open(next - moment, &scenario.zone));
        // Nothing opens in between: closed stays closed.
        let mut minute = scenario.now;
        let mut was_open = hours.is_open(minute, &scenario.zone);
        for _ in 0..600 {
            minute += jiff::SignedDuration::from_mins(1);
            if minute >= next {
                break;
            }
            let open = hours.is_open(minute, &scenario.zone);
            prop_assert!(was_open || !open, "{}", minute);
            was_open = open;
        }
    }
}
