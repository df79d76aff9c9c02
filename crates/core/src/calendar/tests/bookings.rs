//! Bookings, by example.

use super::scenario::{branch, staff, table};
use super::*;
use crate::StaffId;
use crate::language::Language;
use crate::validate::Checks;
use jiff::civil::DateTime;
use uuid::Uuid;

/// A clinic in Lima on Monday, 2 March 2026, asked the day before.
struct Clinic {
    zone: TimeZone,
    hours: Schedule,
    own: Option<Schedule>,
    terms: BookingTerms,
}

impl Clinic {
    fn new(hours: &[(&str, &str)], duration_minutes: u16) -> Self {
        Self {
            zone: zone("America/Lima"),
            hours: daily(hours),
            own: None,
            terms: BookingTerms {
                duration_minutes,
                step_minutes: 30,
                ..BookingTerms::default()
            },
        }
    }

    fn span(&self, from: &str, to: &str) -> Span {
        Span {
            start: self.at(from),
            end: self.at(to),
        }
    }

    fn at(&self, time: &str) -> Timestamp {
        at(&format!("2026-03-02T{time}"), &self.zone)
    }

    fn resource(&self, what: Bookable, busy: &[(&str, &str)]) -> Resource<'_> {
        Resource {
            what,
            zone: &self.zone,
            branch_hours: &self.hours,
            own_hours: self.own.iter().collect(),
            time_off: Vec::new(),
            busy: busy.iter().map(|(from, to)| self.span(from, to)).collect(),
            places: 1,
        }
    }

    fn query(&self) -> AvailabilityQuery {
        AvailabilityQuery {
            from: self.at("00:00"),
            to: at("2026-03-03T00:00", &self.zone),
            now: at("2026-03-01T12:00", &self.zone),
            limit: 100,
            party: 1,
            staff: None,
            branch: None,
        }
    }

    fn times(&self, slots: &[Slot]) -> Vec<String> {
        let time = |slot: &Slot| local(slot.start, &self.zone)[11..].to_owned();
        slots.iter().map(time).collect()
    }

    fn offered(&self, resource: Resource<'_>) -> Vec<String> {
        self.times(&free_slots(&self.query(), &self.terms, &[resource]))
    }

    fn check(&self, time: &str, resource: &Resource<'_>) -> Result<(), Unavailable> {
        let now = self.query().now;
        check(self.at(time), now, 1, &self.terms, resource)
    }
}

#[test]
fn slots_lie_between_opening_and_closing_and_around_what_is_busy() {
    let clinic = Clinic::new(&[("09:10", "11:00"), ("15:00", "16:00")], 30);
    let free = clinic.resource(staff(1), &[]);
    assert_eq!(
        clinic.offered(free),
        ["09:10", "09:40", "10:10", "15:00", "15:30"]
    );
    let busy = clinic.resource(staff(1), &[("15:25", "15:30"), ("09:40", "10:10")]);
    assert_eq!(clinic.offered(busy), ["09:10", "10:10", "15:30"]);
    let odd = Clinic::new(&[("09:03", "10:10")], 30);
    assert_eq!(odd.offered(odd.resource(staff(1), &[])), ["09:05", "09:35"]);
}

#[test]
fn slots_end_after_their_duration() {
    let clinic = Clinic::new(&[("09:00", "10:00")], 45);
    let slots = free_slots(
        &clinic.query(),
        &clinic.terms,
        &[clinic.resource(staff(7), &[])],
    );
    let expected = Slot {
        start: clinic.at("09:00"),
        end: clinic.at("09:45"),
        resource: staff(7),
    };
    assert_eq!(slots, [expected]);
    let json = serde_json::to_value(expected).unwrap();
    assert_eq!(json["resource"]["kind"], "staff");
    assert_eq!(serde_json::from_value::<Slot>(json).unwrap(), expected);
}

#[test]
fn buffers_keep_bookings_apart_but_may_lie_outside_the_hours() {
    let mut clinic = Clinic::new(&[("09:00", "11:00")], 30);
    clinic.terms.buffer_before_minutes = 10;
    clinic.terms.buffer_after_minutes = 5;
    let busy = clinic.resource(staff(1), &[("09:35", "09:50")]);
    assert_eq!(clinic.offered(busy), ["09:00", "10:00", "10:30"]);
    let busy = clinic.resource(staff(1), &[("09:30", "09:55")]);
    assert_eq!(clinic.offered(busy), ["10:30"]);
    let held = clinic.terms.held(clinic.at("10:00"));
    assert_eq!(held, clinic.span("09:50", "10:35"));
    assert_eq!(covering_ticks(held).count(), 9);
}

#[test]
fn slots_lie_within_the_hours_of_branch_and_staff() {
    let mut clinic = Clinic::new(&[("09:00", "13:00"), ("15:00", "19:00")], 60);
    clinic.own = Some(daily(&[("11:20", "16:30")]));
    let resource = clinic.resource(staff(1), &[]);
    assert_eq!(
        clinic.offered(resource.clone()),
        ["11:20", "11:50", "15:00", "15:30"]
    );
    assert_eq!(clinic.check("08:30", &resource), Err(Unavailable::Closed));
    assert_eq!(clinic.check("12:30", &resource), Err(Unavailable::Closed));
    assert_eq!(
        clinic.check("11:00", &resource),
        Err(Unavailable::OutsideStaffHours)
    );
    assert_eq!(
        clinic.check("16:00", &resource),
        Err(Unavailable::OutsideStaffHours)
    );
    assert_eq!(clinic.check("11:50", &resource), Ok(()));
}

#[test]
fn every_reason_is_told() {
    let mut clinic = Clinic::new(&[("09:00", "18:00")], 30);
    clinic.terms.minimum_notice_minutes = 22 * 60;
    let mut resource = clinic.resource(staff(1), &[("14:00", "14:30")]);
    resource.time_off.push(clinic.span("16:10", "16:20"));
    for (time, expected) in [
        ("09:30", Err(Unavailable::TooSoon)),
        ("10:00", Ok(())),
        ("10:15", Err(Unavailable::OffGrid)),
        ("13:30", Ok(())),
        ("14:00", Err(Unavailable::Taken)),
        ("16:00", Err(Unavailable::Away)),
        ("17:30", Ok(())),
        ("18:00", Err(Unavailable::Closed)),
    ] {
        assert_eq!(clinic.check(time, &resource), expected, "{time}");
    }
    let late = clinic.at("12:00");
    let past = check(clinic.at("11:30"), late, 1, &clinic.terms, &resource);
    assert_eq!(past, Err(Unavailable::InThePast));
    resource.what = table(1, 3);
    let party = |people| {
        check(
            clinic.at("10:00"),
            clinic.query().now,
            people,
            &clinic.terms,
            &resource,
        )
    };
    assert_eq!(party(3), Ok(()));
    assert_eq!(party(4), Err(Unavailable::TooSmall));
    resource.places = 0;
    assert_eq!(clinic.check("10:00", &resource), Err(Unavailable::Taken));
}

#[test]
fn reasons_are_named_alike_everywhere() {
    for reason in [
        Unavailable::InThePast,
        Unavailable::TooSoon,
        Unavailable::TooSmall,
        Unavailable::Closed,
        Unavailable::OutsideStaffHours,
        Unavailable::Away,
        Unavailable::OffGrid,
        Unavailable::Taken,
    ] {
        assert_eq!(serde_json::to_value(reason).unwrap(), reason.as_str());
        assert_ne!(reason.text(Language::Es), reason.text(Language::En));
    }
}

#[test]
fn places_are_filled_before_they_are_full() {
    let clinic = Clinic::new(&[("09:00", "10:30")], 30);
    let mut class = clinic.resource(
        Bookable::Branch { branch: branch(1) },
        &[("09:00", "09:30"), ("09:00", "10:00"), ("10:00", "10:30")],
    );
    assert_eq!(clinic.offered(class.clone()), [""; 0]);
    class.places = 2;
    assert_eq!(clinic.offered(class.clone()), ["09:30", "10:00"]);
    class.places = 3;
    assert_eq!(clinic.offered(class), ["09:00", "09:30", "10:00"]);
}

#[test]
fn the_smallest_table_that_fits_is_offered() {
    let clinic = Clinic::new(&[("19:00", "20:00")], 30);
    let mut elsewhere = clinic.resource(table(9, 8), &[]);
    elsewhere.what = Bookable::Table {
        table: crate::TableId::from_uuid(Uuid::from_u128(9)),
        branch: branch(2),
        seats: 8,
    };
    let tables = [
        clinic.resource(table(1, 6), &[]),
        clinic.resource(table(2, 2), &[]),
        clinic.resource(table(3, 4), &[("19:30", "20:00")]),
        clinic.resource(table(4, 4), &[]),
        elsewhere.clone(),
    ];
    let offered = |party, branch| {
        let query = AvailabilityQuery {
            party,
            branch,
            ..clinic.query()
        };
        let slots = free_slots(&query, &clinic.terms, &tables);
        slots.iter().map(|slot| slot.resource).collect::<Vec<_>>()
    };
    assert_eq!(offered(3, Some(branch(1))), [table(3, 4), table(4, 4)]);
    assert_eq!(offered(2, Some(branch(1))), [table(2, 2), table(2, 2)]);
    assert_eq!(offered(5, Some(branch(1))), [table(1, 6), table(1, 6)]);
    assert_eq!(offered(7, None), [elsewhere.what, elsewhere.what]);
    // One table of each branch.
    assert_eq!(offered(6, None).len(), 4);
    assert_eq!(offered(9, None), []);
}

#[test]
fn slots_come_by_time_and_then_by_resource_up_to_the_limit() {
    let clinic = Clinic::new(&[("09:00", "10:00")], 30);
    let people = [
        clinic.resource(staff(5), &[("09:00", "09:30")]),
        clinic.resource(staff(3), &[]),
        clinic.resource(staff(4), &[]),
    ];
    let offered = |limit, who: Option<u128>| {
        let query = AvailabilityQuery {
            limit,
            staff: who.map(|number| StaffId::from_uuid(Uuid::from_u128(number))),
            ..clinic.query()
        };
        let slots = free_slots(&query, &clinic.terms, &people);
        let times = clinic.times(&slots);
        let who = slots.iter().map(|slot| slot.resource);
        times.into_iter().zip(who).collect::<Vec<_>>()
    };
    let nine = |number| ("09:00".to_owned(), staff(number));
    let half_past = |number| ("09:30".to_owned(), staff(number));
    let all = [nine(3), nine(4), half_past(5), half_past(3), half_past(4)];
    assert_eq!(offered(100, None), all);
    assert_eq!(offered(3, None), all[..3]);
    assert_eq!(offered(1, None), all[..1]);
    assert_eq!(offered(0, None), []);
    assert_eq!(offered(100, Some(5)), [half_past(5)]);
}

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
            now: Timestamp::UNIX_EPOCH,
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
    // 2:30 comes twice and is offered once.
    assert_eq!(starts("2026-10-25"), ["00:30", "01:30", "02:30", "03:30"]);
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
            now: Timestamp::UNIX_EPOCH,
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
    };
    assert_eq!(problems(wrong), 5);

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
