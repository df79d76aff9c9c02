//! Calendars made up at random, around the changes of the clock.

use super::*;
use jiff::civil::Date;
use proptest::prelude::*;
use proptest::sample::select;
use quipu_core::{BranchId, StaffId, TableId};
use uuid::Uuid;

const WEEK: i64 = 7 * 1440;
const DAY_NAMES: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// Everything that a question about one resource needs.
#[derive(Clone, Debug)]
pub(super) struct Scenario {
    pub(super) zone: TimeZone,
    pub(super) branch_hours: Schedule,
    pub(super) own_hours: Option<Schedule>,
    pub(super) time_off: Vec<Span>,
    pub(super) busy: Vec<Span>,
    pub(super) places: u16,
    pub(super) terms: BookingTerms,
    pub(super) from: Timestamp,
    pub(super) to: Timestamp,
    pub(super) now: Timestamp,
}

impl Scenario {
    pub(super) fn resource(&self) -> Resource<'_> {
        Resource {
            what: staff(1),
            zone: &self.zone,
            branch_hours: &self.branch_hours,
            own_hours: self.own_hours.iter().collect(),
            time_off: self.time_off.clone(),
            busy: self.busy.clone(),
            places: self.places,
        }
    }

    pub(super) fn query(&self) -> AvailabilityQuery {
        AvailabilityQuery {
            from: self.from,
            to: self.to,
            now: self.now,
            limit: usize::MAX,
            party: 1,
            staff: None,
            branch: None,
        }
    }
}

pub(super) fn branch(number: u128) -> BranchId {
    BranchId::from_uuid(Uuid::from_u128(number))
}

pub(super) fn staff(number: u128) -> Bookable {
    Bookable::Staff {
        staff: StaffId::from_uuid(Uuid::from_u128(number)),
        branch: branch(1),
    }
}

pub(super) fn table(number: u128, seats: u16) -> Bookable {
    Bookable::Table {
        table: TableId::from_uuid(Uuid::from_u128(number)),
        branch: branch(1),
        seats,
    }
}

/// A zone, and an instant near one of its changes where it has some.
fn place_and_time() -> impl Strategy<Value = (TimeZone, i64)> {
    let zones = select(vec![
        "America/Lima",
        "America/Mexico_City",
        "America/Santiago",
        "Europe/Madrid",
        "America/New_York",
    ]);
    (zones, 0_usize..2, -30_i64..6).prop_map(|(name, change, hours)| {
        let zone = zone(name);
        // Mexico City has had no changes since 2022.
        let begin = if name == "America/Mexico_City" {
            "2022-01-01"
        } else {
            "2026-01-01"
        };
        let begin = at(&format!("{begin}T00:00"), &zone);
        let change = zone.following(begin).nth(change);
        let change = change.map_or(begin, |change| change.timestamp());
        (zone, change.as_second() + hours * 3600)
    })
}

fn interval(from: i64, to: i64) -> Value {
    let time = |minute: i64| format!("{:02}:{:02}", minute % 1440 / 60, minute % 60);
    json!({ "from": time(from), "to": time(to) })
}

/// Hours that may be split, touch each other and last over midnight, cut out of one long week.
pub(super) fn weekly() -> impl Strategy<Value = Value> {
    let cuts = prop::collection::btree_set(
        prop_oneof![
            4 => (0..=WEEK / 30).prop_map(|half_hours| half_hours * 30),
            1 => (0..=7_i64).prop_map(|days| days * 1440),
            1 => 0..=WEEK,
        ],
        12..40,
    );
    // Three of four pieces, so that most scenarios have something to offer.
    let chosen = (any::<u32>(), any::<u32>()).prop_map(|(some, others)| some | others);
    (cuts, chosen).prop_map(|(cuts, chosen)| {
        let cuts: Vec<i64> = cuts.into_iter().collect();
        let mut week = json!({});
        for (index, cut) in cuts.windows(2).enumerate() {
            let day = cut[0].div_euclid(1440);
            let (from, to) = (cut[0] - day * 1440, cut[1] - day * 1440);
            let fits = to - from < 1440 && to <= 2160;
            let day = &mut week[DAY_NAMES[usize::try_from(day).unwrap()]];
            let few = day.as_array().is_none_or(|day| day.len() < MAX_INTERVALS);
            if fits && few && chosen & (1 << (index % 32)) != 0 {
                if day.is_null() {
                    *day = json!([]);
                }
                day.as_array_mut().unwrap().push(interval(from, to));
            } else if day.is_null() {
                *day = json!([]);
            }
        }
        week
    })
}

/// Days near an instant that are closed or have a night which may last into the next day's hours.
fn exceptions(middle: Date) -> impl Strategy<Value = Value> {
    let exception = (-2_i64..4, 0_i64..2, any::<bool>(), 0_i64..48, 1_i64..24).prop_map(
        move |(day, more, closed, from, length)| {
            let first = middle + jiff::Span::new().days(day);
            let from = from * 30;
            let to = (from + length * 30).min(2160);
            if closed {
                let last = first + jiff::Span::new().days(more);
                json!({ "from": first, "to": last, "label": "Cerrado", "intervals": [] })
            } else {
                json!({ "from": first, "label": "Otro", "intervals": [interval(from, to)] })
            }
        },
    );
    prop::collection::vec(exception, 0..2).prop_map(Value::from)
}

fn hours(middle: Date) -> impl Strategy<Value = Schedule> {
    (weekly(), exceptions(middle)).prop_map(|(weekly, exceptions)| {
        schedule(json!({ "weekly": weekly, "exceptions": exceptions }))
    })
}

/// Spans of whole minutes within some days, none of them on the grid for sure.
pub(super) fn spans(begin: i64, count: usize, longest: i64) -> impl Strategy<Value = Vec<Span>> {
    let second = |second| Timestamp::from_second(second).unwrap();
    let span = (-300_i64..4 * 1440, 0..=longest, any::<bool>()).prop_map(
        move |(minute, length, aligned)| {
            let minute = if aligned { minute / 5 * 5 } else { minute };
            let start = begin.div_euclid(300) * 300 + minute * 60;
            Span {
                start: second(start),
                end: second(start + length * 60),
            }
        },
    );
    prop::collection::vec(span, 0..count)
}

fn terms() -> impl Strategy<Value = BookingTerms> {
    let step = select(vec![5, 10, 15, 20, 30, 45, 60, 90]);
    (
        1_u16..30,
        0_u16..6,
        0_u16..6,
        step,
        prop_oneof![Just(0), 0_u32..900],
        prop_oneof![Just(1), Just(2), Just(365_u16)],
    )
        .prop_map(
            |(duration, before, after, step_minutes, minimum_notice_minutes, horizon_days)| {
                BookingTerms {
                    duration_minutes: duration * 5,
                    buffer_before_minutes: before * 5,
                    buffer_after_minutes: after * 5,
                    step_minutes,
                    minimum_notice_minutes,
                    horizon_days,
                }
            },
        )
}

pub(super) fn scenarios() -> impl Strategy<Value = Scenario> {
    place_and_time().prop_flat_map(|(zone, begin)| {
        let instant = Timestamp::from_second(begin).unwrap();
        let today = zone.to_datetime(instant).date();
        let calendar = (hours(today), prop::option::of(hours(today)));
        let places = prop_oneof![1 => Just(0), 9 => 1_u16..4];
        let taken = (spans(begin, 3, 240), spans(begin, 24, 90), places);
        let query = (0_i64..300, 12_i64..60, -3000_i64..600, 0_i64..60);
        (calendar, taken, terms(), query).prop_map(move |(calendar, taken, terms, query)| {
            let (off, hours, now, second) = query;
            let from = begin + off;
            let timestamp = |second| Timestamp::from_second(second).unwrap();
            Scenario {
                zone: zone.clone(),
                branch_hours: calendar.0,
                own_hours: calendar.1,
                time_off: taken.0,
                busy: taken.1,
                places: taken.2,
                terms,
                from: timestamp(from),
                to: timestamp(from + hours * 3600),
                now: timestamp(begin + now * 60 + second),
            }
        })
    })
}
