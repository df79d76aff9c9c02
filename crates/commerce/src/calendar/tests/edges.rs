//! Bookings at midnight, when the clock changes, and of sizes that nobody should ask for.

use super::clinic::Clinic;
use super::scenario::staff;
use super::*;
use jiff::civil::DateTime;
use quipu_core::validate::Checks;

#[test]
fn slots_run_over_midnight_where_it_stays_open() {
    let mut clinic = Clinic::new(&[("00:00", "02:00"), ("22:00", "24:00")], 90);
    clinic.terms.step_minutes = 60;
    let resource = clinic.resource(staff(1), &[]);
    // The start of 23:00 ends on the next day, whose hours continue those of this one.
    assert_eq!(clinic.offered(resource), ["00:00", "22:00", "23:00"]);
}

#[test]
fn starts_follow_the_clock_on_the_wall_when_it_changes() {
    let madrid = zone("Europe/Madrid");
    let hours = daily(&[("00:30", "05:00")]);
    let starts = |day: &str| {
        let resource = Resource {
            what: staff(1),
            zone: &madrid,
            branch_hours: &hours,
            own_hours: Vec::new(),
            time_off: Vec::new(),
            busy: Vec::new(),
            places: 1,
        };
        let midnight: DateTime = format!("{day}T00:00").parse().unwrap();
        let query = AvailabilityQuery {
            from: madrid.to_timestamp(midnight).unwrap(),
            to: madrid
                .to_timestamp(midnight + jiff::Span::new().days(1))
                .unwrap(),
            now: madrid.to_timestamp(midnight).unwrap(),
            limit: 100,
            party: 1,
            staff: None,
            branch: None,
        };
        let terms = BookingTerms {
            duration_minutes: 60,
            step_minutes: 60,
            ..BookingTerms::default()
        };
        let slots = free_slots(&query, &terms, &[resource]);
        let shown = slots
            .iter()
            .map(|slot| local(slot.start, &madrid)[11..].to_owned());
        shown.collect::<Vec<_>>()
    };
    assert_eq!(starts("2026-03-28"), ["00:30", "01:30", "02:30", "03:30"]);
    // 2:30 does not exist and moves to 3:00.
    assert_eq!(starts("2026-03-29"), ["00:30", "01:30", "03:00", "03:30"]);
    // 2:30 comes twice and can be booked twice.
    assert_eq!(
        starts("2026-10-25"),
        ["00:30", "01:30", "02:30", "02:30", "03:30"]
    );
}

#[test]
fn a_start_does_not_depend_on_how_early_the_question_begins() {
    let mut clinic = Clinic::new(&[("09:10", "02:00")], 30);
    // This night lasts into the next day, whose hours begin when it ends and last into a third.
    clinic.hours.exceptions = schedule(json!({ "exceptions": [
        { "from": "2026-02-28", "label": "Feria", "intervals": [{ "from": "20:00", "to": "10:00" }] },
    ] }))
    .exceptions;
    let resource = clinic.resource(staff(1), &[]);
    for from in ["2026-02-28T12:00", "2026-03-01T12:00", "2026-03-02T00:00"] {
        let query = AvailabilityQuery {
            from: at(from, &clinic.zone),
            to: clinic.at("02:00"),
            now: at("2026-02-27T00:00", &clinic.zone),
            ..clinic.query()
        };
        let slots = free_slots(&query, &clinic.terms, std::slice::from_ref(&resource));
        let times = clinic.times(&slots);
        assert_eq!(
            times[times.len() - 4..],
            ["00:00", "00:30", "01:00", "01:30"],
            "{from}"
        );
    }
}

#[test]
fn a_clock_that_is_set_back_over_midnight_hides_no_hours() {
    // It went from one minute after midnight back to the evening before, which was thus shown again
    // when the hours of Sunday had begun.
    let clinic = Clinic {
        zone: zone("America/St_Johns"),
        hours: schedule(json!({ "weekly": { "sunday": [{ "from": "00:00", "to": "00:30" }] } })),
        ..Clinic::new(&[], 5)
    };
    let midnight: Timestamp = "2010-11-07T02:30:00Z".parse().unwrap();
    let query = AvailabilityQuery {
        from: midnight,
        to: midnight + jiff::SignedDuration::from_mins(5),
        now: midnight,
        ..clinic.query()
    };
    let resource = clinic.resource(staff(1), &[]);
    let slots = free_slots(&query, &clinic.terms, std::slice::from_ref(&resource));
    assert_eq!(
        slots.iter().map(|slot| slot.start).collect::<Vec<_>>(),
        [midnight]
    );
    assert_eq!(
        check(midnight, midnight, 1, &clinic.terms, &resource),
        Ok(())
    );
}

#[test]
fn terms_and_queries_are_bounded() {
    let problems = |terms: BookingTerms| {
        let mut checks = Checks::new();
        terms.check("terms", &mut checks);
        let details = checks
            .finish()
            .err()
            .map(|error| error.details()["fields"].clone());
        details.map_or(0, |fields| fields.as_array().unwrap().len())
    };
    let usual = BookingTerms::default();
    assert_eq!(problems(usual), 0);
    assert_eq!(
        serde_json::from_value::<BookingTerms>(json!({})).unwrap(),
        usual
    );
    let wrong = BookingTerms {
        duration_minutes: 7,
        buffer_before_minutes: 245,
        buffer_after_minutes: 3,
        step_minutes: 0,
        minimum_notice_minutes: 366 * 1440 + 1,
        horizon_days: 731,
    };
    assert_eq!(problems(wrong), 6);

    let clinic = Clinic::new(&[("09:00", "10:00")], 30);
    let problems = |query: AvailabilityQuery| {
        let mut checks = Checks::new();
        query.check(&mut checks);
        checks.finish().is_err()
    };
    let query = clinic.query();
    let longest = query.from + jiff::SignedDuration::from_hours(24 * MAX_QUERY_DAYS);
    let later = longest + jiff::SignedDuration::from_secs(1);
    assert!(!problems(query.clone()));
    assert!(!problems(AvailabilityQuery {
        to: longest,
        ..query.clone()
    }));
    assert!(problems(AvailabilityQuery {
        to: later,
        ..query.clone()
    }));
    assert!(problems(AvailabilityQuery {
        to: query.from,
        ..query.clone()
    }));
    assert!(problems(AvailabilityQuery {
        limit: 0,
        ..query.clone()
    }));
    assert!(problems(AvailabilityQuery {
        limit: MAX_SLOTS + 1,
        ..query.clone()
    }));
    assert!(problems(AvailabilityQuery { party: 0, ..query }));
}

#[test]
fn what_was_never_checked_still_ends() {
    let clinic = Clinic::new(&[("09:00", "10:00")], 30);
    let terms = BookingTerms {
        duration_minutes: 0,
        step_minutes: 0,
        ..BookingTerms::default()
    };
    let query = AvailabilityQuery {
        from: Timestamp::MIN,
        to: Timestamp::MAX,
        now: Timestamp::MIN,
        limit: usize::MAX,
        ..clinic.query()
    };
    let resource = clinic.resource(staff(1), &[]);
    let slots = free_slots(&query, &terms, std::slice::from_ref(&resource));
    assert!(slots.len() <= 12 * 101);
    let ahead = AvailabilityQuery {
        from: clinic.query().from,
        now: clinic.query().now,
        ..query
    };
    assert_eq!(
        free_slots(&ahead, &terms, std::slice::from_ref(&resource)).len(),
        12 * 100
    );
    for end in [Timestamp::MIN, Timestamp::MAX] {
        let _ = check(end, Timestamp::MIN, 1, &terms, &resource);
        let held = BookingTerms {
            buffer_before_minutes: 240,
            ..terms
        }
        .held(end);
        assert!(covering_ticks(held).count() <= 49);
    }
}
