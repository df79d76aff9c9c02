//! Bookings, by example.

use super::clinic::Clinic;
use super::scenario::{branch, staff, table};
use super::*;
use quipu_core::StaffId;
use quipu_core::language::Language;
use uuid::Uuid;

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
fn nothing_is_booked_beyond_the_horizon() {
    let mut clinic = Clinic::new(&[("09:00", "18:00")], 30);
    clinic.terms.horizon_days = 1;
    let resource = clinic.resource(staff(1), &[]);
    let now = clinic.at("10:00") - jiff::SignedDuration::from_hours(24);
    let checked = |time: &str| check(clinic.at(time), now, 1, &clinic.terms, &resource);
    assert_eq!(checked("10:00"), Ok(()));
    assert_eq!(checked("10:30"), Err(Unavailable::TooFar));
    let query = AvailabilityQuery {
        now,
        ..clinic.query()
    };
    let slots = free_slots(&query, &clinic.terms, std::slice::from_ref(&resource));
    let last = slots.iter().map(|slot| slot.start).max();
    assert_eq!(last, Some(clinic.at("10:00")));
}

#[test]
fn what_is_booked_stands_while_there_are_hours_and_seats_for_it() {
    let clinic = Clinic::new(&[("09:00", "13:00")], 30);
    let mut resource = clinic.resource(table(1, 4), &[]);
    let span = |from, to| clinic.span(from, to);
    // Where it begins does not matter any more.
    assert_eq!(
        stands(span("10:07", "11:00"), 4, &clinic.terms, &resource),
        Ok(())
    );
    assert_eq!(
        stands(span("10:00", "11:00"), 5, &clinic.terms, &resource),
        Err(Unavailable::TooSmall)
    );
    assert_eq!(
        stands(span("12:30", "13:30"), 1, &clinic.terms, &resource),
        Err(Unavailable::Closed)
    );
    resource.time_off.push(span("10:30", "10:40"));
    assert_eq!(
        stands(span("10:00", "11:00"), 1, &clinic.terms, &resource),
        Err(Unavailable::Away)
    );
}

#[test]
fn reasons_are_named_alike_everywhere() {
    for reason in [
        Unavailable::NotBookable,
        Unavailable::NoDuration,
        Unavailable::InThePast,
        Unavailable::TooSoon,
        Unavailable::TooFar,
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
        table: quipu_core::TableId::from_uuid(Uuid::from_u128(9)),
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
