mod bookings;
mod clinic;
mod clocks;
mod edges;
mod hours;
mod oracle;
mod properties;
mod scenario;

use super::*;
use jiff::tz::TimeZone;
use quipu_core::Timestamp;
use serde_json::{Value, json};

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).unwrap()
}

/// An instant by the clock of a zone: "2026-03-02T09:00".
fn at(local: &str, zone: &TimeZone) -> Timestamp {
    let local: jiff::civil::DateTime = local.parse().unwrap();
    zone.to_timestamp(local).unwrap()
}

fn local(at: Timestamp, zone: &TimeZone) -> String {
    zone.to_datetime(at).strftime("%Y-%m-%dT%H:%M").to_string()
}

fn schedule(written: Value) -> Schedule {
    serde_json::from_value(written).unwrap()
}

/// The same hours every day.
fn daily(intervals: &[(&str, &str)]) -> Schedule {
    let day: Vec<Value> = intervals
        .iter()
        .map(|(from, to)| json!({ "from": from, "to": to }))
        .collect();
    schedule(json!({ "weekly": {
        "monday": day, "tuesday": day, "wednesday": day, "thursday": day, "friday": day,
        "saturday": day, "sunday": day,
    } }))
}
