//! Opening hours: how they are read, and when it is open.

use super::*;
use jiff::civil::date;
use quipu_core::language::Language;
use quipu_core::validate::Checks;

fn minutes(intervals: &[Interval]) -> Vec<(u16, u16)> {
    intervals.iter().map(|i| (i.opens(), i.closes())).collect()
}

/// What is wrong with hours, as "field problem".
fn problems(written: Value) -> Vec<String> {
    let written: WrittenSchedule = serde_json::from_value(written).unwrap();
    let mut checks = Checks::new();
    written.read("hours", &mut checks);
    let Err(error) = checks.finish() else {
        return Vec::new();
    };
    let fields = error.details()["fields"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    fields
        .iter()
        .map(|field| format!("{} {}", text(&field["field"]), text(&field["problem"])))
        .collect()
}

fn monday(intervals: &[(&str, &str)]) -> Value {
    let day: Vec<Value> = intervals
        .iter()
        .map(|(from, to)| json!({ "from": from, "to": to }))
        .collect();
    json!({ "weekly": { "monday": day } })
}

#[test]
fn hours_are_read_in_order_and_what_touches_is_joined() {
    let read = schedule(monday(&[
        ("15:00", "19:00"),
        ("9:00", "12:00"),
        ("12:00", "13:00"),
    ]));
    assert_eq!(
        minutes(read.on(date(2026, 3, 2))),
        [(540, 780), (900, 1140)]
    );
    assert_eq!(read.on(date(2026, 3, 3)), []);
    let whole = schedule(monday(&[("00:00", "10:00"), ("10:00", "24:00")]));
    assert_eq!(whole.on(date(2026, 3, 2)), [Interval::WHOLE_DAY]);
    // Together they would be longer than two times of the clock can tell.
    let long = schedule(monday(&[("06:00", "20:00"), ("20:00", "10:00")]));
    assert_eq!(
        minutes(long.on(date(2026, 3, 2))),
        [(360, 1200), (1200, 2040)]
    );
}

#[test]
fn what_cannot_be_hours_is_refused_by_the_name_of_the_day() {
    for (intervals, expected) in [
        (
            vec![("25:00", "9:60")],
            vec!["[0].from not_a_time", "[0].to not_a_time"],
        ),
        (vec![("24:00", "02:00")], vec!["[0].from not_a_time"]),
        (vec![("", "10:00")], vec!["[0].from not_a_time"]),
        (vec![("09:00", "09:00")], vec!["[0] empty"]),
        (vec![("18:00", "17:00")], vec!["[0] wrong_order"]),
        (
            vec![("12:00", "15:00"), ("09:00", "12:01")],
            vec!["[0] overlap"],
        ),
        (
            vec![("09:00", "12:00"), ("09:00", "12:00")],
            vec!["[1] overlap"],
        ),
        (vec![("09:00", "09:05"); 9], vec![" too_many"]),
    ] {
        let expected: Vec<String> = expected
            .iter()
            .map(|problem| format!("hours.weekly.monday{problem}"))
            .collect();
        assert_eq!(problems(monday(&intervals)), expected, "{intervals:?}");
    }
    assert!(serde_json::from_value::<WeeklyHours>(json!({ "mondey": [] })).is_err());
    assert!(serde_json::from_value::<Schedule>(monday(&[("25:00", "26:00")])).is_err());
    let mut checks = Checks::new();
    let written: WrittenSchedule = serde_json::from_value(monday(&[("9:60", "10:00")])).unwrap();
    written.read("hours", &mut checks);
    let error = checks.finish().unwrap_err();
    let message = error.message(Language::Es);
    assert!(
        message.contains("hours.weekly.monday[0].from no es una hora"),
        "{message}"
    );
}

#[test]
fn a_night_may_not_last_into_the_hours_of_the_next_day() {
    let week = |day: &str, next: &str, opens: &str| {
        let mut weekly = json!({});
        weekly[day] = json!([{ "from": "18:00", "to": "02:00" }]);
        weekly[next] = json!([{ "from": opens, "to": "12:00" }]);
        json!({ "weekly": weekly })
    };
    for (day, next) in [("friday", "saturday"), ("sunday", "monday")] {
        let wrong = format!("hours.weekly.{day} overlaps_next_day");
        assert_eq!(problems(week(day, next, "01:59")), [wrong]);
        assert_eq!(problems(week(day, next, "02:00")), [""; 0]);
    }
}

#[test]
fn exceptions_are_checked() {
    let exception = |from: &str, to: Option<&str>, label: &str, intervals: Value| {
        json!({ "exceptions": [
            { "from": from, "to": to, "label": label, "intervals": intervals },
        ] })
    };
    let night = json!([{ "from": "20:00", "to": "10:00" }, { "from": "09:00", "to": "11:00" }]);
    for (written, expected) in [
        (exception("2028-02-29", None, "Bisiesto", json!([])), vec![]),
        (
            exception("2026-01-01", Some("2027-01-01"), "Obras", json!([])),
            vec![],
        ),
        (
            exception("2026-01-01", Some("2027-01-02"), "Obras", json!([])),
            vec!["[0].to too_many_days"],
        ),
        (
            exception("2026-01-02", Some("2026-01-01"), " ", json!([])),
            vec!["[0].label empty", "[0].to wrong_order"],
        ),
        (
            exception(
                "2026-01-01",
                None,
                "Año Nuevo",
                json!([{ "from": "x", "to": "10:00" }]),
            ),
            vec!["[0].intervals[0].from not_a_time"],
        ),
        (
            exception("2026-01-01", None, "Feria", night.clone()),
            vec![],
        ),
        (
            exception("2026-01-01", Some("2026-01-02"), "Feria", night),
            vec!["[0].intervals overlaps_next_day"],
        ),
    ] {
        let expected: Vec<String> = expected
            .iter()
            .map(|problem| format!("hours.exceptions{problem}"))
            .collect();
        assert_eq!(problems(written.clone()), expected, "{written}");
    }
    let one = json!({ "from": "2026-01-01", "label": "x", "intervals": [] });
    let many = json!({ "exceptions": vec![one.clone(); MAX_EXCEPTIONS + 1] });
    assert_eq!(problems(many), ["hours.exceptions too_many"]);
    assert_eq!(
        problems(json!({ "exceptions": vec![one; MAX_EXCEPTIONS] })),
        [""; 0]
    );
    let no_such_day = exception("2026-02-29", None, "x", json!([]));
    assert!(serde_json::from_value::<Schedule>(no_such_day).is_err());
}

#[test]
fn the_exception_about_the_fewest_days_holds() {
    let mut hours = daily(&[("09:00", "18:00")]);
    let written = json!({ "exceptions": [
        { "from": "2028-02-29", "label": "Bisiesto", "intervals": [{ "from": "10:00", "to": "11:00" }] },
        { "from": "2028-02-28", "to": "2028-03-01", "label": "Obras", "intervals": [] },
        { "from": "2028-03-01", "label": "Antes", "intervals": [{ "from": "12:00", "to": "13:00" }] },
        { "from": "2028-03-01", "label": "Después", "intervals": [{ "from": "14:00", "to": "15:00" }] },
    ] });
    hours.exceptions = schedule(written).exceptions;
    assert_eq!(minutes(hours.on(date(2028, 2, 27))), [(540, 1080)]);
    assert_eq!(hours.on(date(2028, 2, 28)), []);
    assert_eq!(minutes(hours.on(date(2028, 2, 29))), [(600, 660)]);
    assert_eq!(minutes(hours.on(date(2028, 3, 1))), [(840, 900)]);
    assert_eq!(minutes(hours.on(date(2028, 3, 2))), [(540, 1080)]);
}

#[test]
fn a_schedule_survives_json() {
    let written = json!({
        "weekly": {
            "monday": [{ "from": "00:00", "to": "00:00" }], "tuesday": [], "wednesday": [],
            "thursday": [], "friday": [{ "from": "18:00", "to": "02:00" }], "saturday": [],
            "sunday": [{ "from": "18:00", "to": "00:00" }],
        },
        "exceptions": [
            { "from": "2026-07-28", "to": "2026-07-29", "label": "Fiestas Patrias", "intervals": [] },
            { "from": "2026-12-24", "label": "Nochebuena",
              "intervals": [{ "from": "09:00", "to": "13:00" }] },
        ],
    });
    let read = schedule(written.clone());
    assert_eq!(serde_json::to_value(&read).unwrap(), written);
}

#[test]
fn a_taqueria_is_open_after_midnight() {
    let lima = zone("America/Lima");
    let taqueria = schedule(json!({
        "weekly": { "friday": [{ "from": "18:00", "to": "02:00" }] },
        // The night that began on Friday is not cut short by what holds on Saturday.
        "exceptions": [{ "from": "2026-03-07", "label": "Cerrado", "intervals": [] }],
    }));
    for (time, open) in [
        ("2026-03-06T01:00", false),
        ("2026-03-06T17:59:59.999", false),
        ("2026-03-06T18:00", true),
        ("2026-03-07T01:59:59.999", true),
        ("2026-03-07T02:00", false),
        ("2026-03-07T18:00", false),
    ] {
        assert_eq!(taqueria.is_open(at(time, &lima), &lima), open, "{time}");
    }
}

#[test]
fn the_next_opening_is_after_a_time_of_being_closed() {
    let lima = zone("America/Lima");
    let next = |hours: &Schedule, after: &str| {
        let next = hours.next_opening(at(after, &lima), &lima);
        next.map(|next| local(next, &lima))
    };
    let clinic = schedule(json!({
        "weekly": {
            "monday": [{ "from": "09:00", "to": "13:00" }, { "from": "15:00", "to": "19:00" }],
            "tuesday": [{ "from": "09:00", "to": "00:00" }],
            "wednesday": [{ "from": "00:00", "to": "06:00" }],
        },
        "exceptions": [
            { "from": "2026-03-09", "to": "2027-03-09", "label": "Obras", "intervals": [] },
        ],
    }));
    for (after, expected) in [
        ("2026-03-01T12:00", "2026-03-02T09:00"),
        ("2026-03-02T08:59:59.5", "2026-03-02T09:00"),
        ("2026-03-02T09:00", "2026-03-02T15:00"),
        ("2026-03-02T16:00", "2026-03-03T09:00"),
        // Midnight is no opening, because it was open before.
        ("2026-03-03T10:00", "2027-03-10T00:00"),
    ] {
        assert_eq!(next(&clinic, after).as_deref(), Some(expected), "{after}");
    }
    assert_eq!(
        next(&daily(&[("00:00", "00:00")]), "2026-03-01T12:00"),
        None
    );
    assert_eq!(next(&Schedule::default(), "2026-03-01T12:00"), None);
}

#[test]
fn the_ends_of_time_are_no_trouble() {
    let hours = daily(&[("00:00", "00:00")]);
    for zone in [
        zone("America/Lima"),
        zone("Europe/Madrid"),
        zone("Pacific/Apia"),
    ] {
        for end in [Timestamp::MIN, Timestamp::MAX] {
            assert!(hours.is_open(end, &zone));
            assert_eq!(Schedule::default().next_opening(end, &zone), None);
        }
    }
    let ends = json!([
        { "from": "-009999-01-01", "label": "Antes", "intervals": [] },
        { "from": "9999-12-31", "label": "Después", "intervals": [] },
    ]);
    assert_eq!(problems(json!({ "exceptions": ends })), [""; 0]);
}
