//! Clocks that are set forward and back.

use super::super::local::LocalSpan;
use super::super::zone::ZoneClock;
use super::*;
use jiff::civil::DateTime;
use jiff::tz::AmbiguousOffset;
use proptest::prelude::*;

/// The instants of hours that hold every day, on one of the days.
fn instants(hours: (&str, &str), day: &str, zone: &TimeZone) -> (String, i64) {
    let hours = daily(&[hours]);
    let noon = at(&format!("{day}T12:00"), zone).as_second();
    let clock = ZoneClock::new(zone, noon, noon);
    let today = clock.day(noon);
    let spans: Vec<LocalSpan> = hours.openings(today, today).collect();
    let (start, end) = clock.instants(spans[0]);
    let start = Timestamp::from_second(start).unwrap();
    (local(start, zone), (end - start.as_second()) / 60)
}

#[test]
fn a_day_with_a_gap_is_an_hour_shorter() {
    let madrid = zone("Europe/Madrid");
    let spring = |from, to| instants((from, to), "2026-03-29", &madrid);
    assert_eq!(spring("01:00", "04:00"), ("2026-03-29T01:00".into(), 120));
    assert_eq!(
        spring("00:00", "24:00"),
        ("2026-03-29T00:00".into(), 23 * 60)
    );
    // What does not exist moves to the first time that does.
    assert_eq!(spring("02:30", "04:00"), ("2026-03-29T03:00".into(), 60));
    assert_eq!(spring("01:00", "02:30"), ("2026-03-29T01:00".into(), 60));
    assert_eq!(spring("02:10", "02:50").1, 0);
    let before = instants(("22:00", "03:00"), "2026-03-28", &madrid);
    assert_eq!(before, ("2026-03-28T22:00".into(), 4 * 60));
    // In Chile it is midnight that does not exist.
    let santiago = zone("America/Santiago");
    let midnight = instants(("00:00", "02:00"), "2026-09-06", &santiago);
    assert_eq!(midnight, ("2026-09-06T01:00".into(), 60));
}

#[test]
fn a_time_that_comes_twice_means_the_first() {
    let new_york = zone("America/New_York");
    let autumn = |from, to| instants((from, to), "2026-11-01", &new_york);
    assert_eq!(autumn("00:00", "01:30"), ("2026-11-01T00:00".into(), 90));
    assert_eq!(autumn("00:00", "02:00"), ("2026-11-01T00:00".into(), 180));
    assert_eq!(
        autumn("00:00", "24:00"),
        ("2026-11-01T00:00".into(), 25 * 60)
    );
    let hours = daily(&[("01:30", "01:45")]);
    let first: Timestamp = "2026-11-01T05:30:00Z".parse().unwrap();
    let second: Timestamp = "2026-11-01T06:30:00Z".parse().unwrap();
    assert!(hours.is_open(first, &new_york));
    assert!(!hours.is_open(second, &new_york));
}

#[test]
fn a_clock_that_is_set_back_over_midnight_does_not_open_twice() {
    // Until 2011 the clocks of Newfoundland went back from one minute after midnight.
    let zone = zone("America/St_Johns");
    let early = schedule(json!({ "weekly": { "sunday": [{ "from": "00:00", "to": "08:00" }] } }));
    let again: Timestamp = "2010-11-07T02:45:00Z".parse().unwrap();
    assert_eq!(local(again, &zone), "2010-11-06T23:15");
    assert!(early.is_open(again, &zone));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn local_times_become_the_instants_that_the_zone_knows(
        name in prop::sample::select(vec![
            "America/Lima", "America/Mexico_City", "America/Santiago", "Europe/Madrid",
            "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca",
            "America/St_Johns", "Asia/Kathmandu",
        ]),
        year in 2008_i64..2040,
        minute_of_year in 0_i64..366 * 1440,
        near_change in any::<bool>(),
        change in 0_usize..2,
        minutes_off in -180_i64..180,
    ) {
        let zone = zone(name);
        let new_year = Timestamp::from_second((year - 1970) * 31_556_952).unwrap();
        let changes: Vec<_> = zone.following(new_year).take(2).collect();
        let middle = match changes.get(change).filter(|_| near_change) {
            Some(change) => change.timestamp().as_second() + minutes_off * 60,
            None => new_year.as_second() + minute_of_year * 60,
        };
        let clock = ZoneClock::new(&zone, middle, middle);
        let instant = Timestamp::from_second(middle).unwrap();
        let epoch = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
        let shown = zone.to_datetime(instant).duration_since(epoch).as_secs();
        prop_assert_eq!(clock.local(middle), shown);

        let minute = shown.div_euclid(60) + minutes_off;
        let asked = epoch + jiff::SignedDuration::from_mins(minute);
        let offset_of = |offset: jiff::tz::Offset| minute * 60 - i64::from(offset.seconds());
        let expected = match zone.to_ambiguous_timestamp(asked).offset() {
            AmbiguousOffset::Unambiguous { offset } => offset_of(offset),
            AmbiguousOffset::Fold { before, .. } => offset_of(before),
            AmbiguousOffset::Gap { before, after } => {
                let earlier = Timestamp::from_second(offset_of(after)).unwrap();
                let mut changes = zone.following(earlier);
                let change = changes.find(|change| change.offset() == after).unwrap();
                prop_assert!(change.timestamp().as_second() <= offset_of(before));
                change.timestamp().as_second()
            }
        };
        prop_assert_eq!(clock.instant(minute), expected);
        prop_assert!(clock.instant(minute + 1) >= expected);
    }
}
