//! How long it takes to find free slots: `cargo run --release -p quipu-core --example availability`.

use quipu_core::calendar::{
    AvailabilityQuery, Bookable, BookingTerms, Resource, Schedule, Span, free_slots,
};
use quipu_core::{BranchId, StaffId, Timestamp};
use serde_json::json;
use std::time::Instant;
use uuid::Uuid;

const STAFF: u32 = 10;
const DAYS: i64 = 90;
const APPOINTMENTS: u32 = 5_000;
const RUNS: usize = 200;

fn main() {
    let zone = jiff::tz::TimeZone::get("Europe/Madrid").expect("the zone is bundled");
    let branch_hours = hours(&[("09:00", "14:00"), ("16:00", "20:00")]);
    let own_hours = hours(&[("09:30", "18:30")]);
    let begin = 1_772_438_400;
    let now = Timestamp::from_second(begin).expect("it is within range");
    let resources: Vec<Resource<'_>> = (0..STAFF)
        .map(|person| Resource {
            what: Bookable::Staff {
                staff: StaffId::from_uuid(Uuid::from_u128(person.into())),
                branch: BranchId::from_uuid(Uuid::nil()),
            },
            zone: &zone,
            branch_hours: &branch_hours,
            own_hours: vec![&own_hours],
            time_off: Vec::new(),
            busy: appointments(person, begin),
            places: 1,
        })
        .collect();
    let terms = BookingTerms {
        buffer_after_minutes: 5,
        ..BookingTerms::default()
    };
    for limit in [20, 1_000, usize::MAX] {
        let query = AvailabilityQuery {
            from: now,
            to: Timestamp::from_second(begin + DAYS * 86_400).expect("it is within range"),
            now,
            limit,
            party: 1,
            staff: None,
            branch: None,
        };
        let mut times: Vec<_> = (0..RUNS)
            .map(|_| {
                let started = Instant::now();
                let found = free_slots(&query, &terms, &resources).len();
                (started.elapsed(), found)
            })
            .collect();
        times.sort_unstable();
        let ((half, found), (most, _)) = (times[RUNS / 2], times[RUNS * 99 / 100]);
        println!("{found} slots: {half:?} in half of the runs, {most:?} in 99 of 100");
    }
}

fn hours(intervals: &[(&str, &str)]) -> Schedule {
    let day: Vec<_> = intervals
        .iter()
        .map(|(from, to)| json!({ "from": from, "to": to }))
        .collect();
    let weekly = json!({
        "monday": day, "tuesday": day, "wednesday": day, "thursday": day, "friday": day,
        "saturday": day,
    });
    serde_json::from_value(json!({ "weekly": weekly })).expect("the hours are in order")
}

/// Every tenth of the appointments, spread over all the days and in no order.
fn appointments(person: u32, begin: i64) -> Vec<Span> {
    let ticks = DAYS * 288;
    (0..APPOINTMENTS / STAFF)
        .map(|number| {
            let scattered = i64::from(number * STAFF + person) * 7_919 % ticks;
            let start = Timestamp::from_second(begin + scattered * 300);
            let end = Timestamp::from_second(begin + scattered * 300 + 1_800);
            Span {
                start: start.expect("it is within range"),
                end: end.expect("it is within range"),
            }
        })
        .collect()
}
