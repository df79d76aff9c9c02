//! From when and until when, as people write it.

use crate::{Actor, profile};
use jiff::ToSpan as _;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use quipu_core::{Error, ErrorCode, Result, Timestamp};

/// The instant from which on things are wanted: an instant, or a date, with or without a time, on
/// the clock of the business.
///
/// # Errors
/// `INVALID_PARAMETER` when it is none of these.
pub fn first_instant(actor: &Actor, name: &str, text: &str) -> Result<Timestamp> {
    read(text, &profile::time_zone(actor), false).ok_or_else(|| unreadable(name))
}

/// The instant before which things are wanted. A date without a time is the last day of them.
///
/// # Errors
/// `INVALID_PARAMETER` when it is none of these.
pub fn instant_past(actor: &Actor, name: &str, text: &str) -> Result<Timestamp> {
    read(text, &profile::time_zone(actor), true).ok_or_else(|| unreadable(name))
}

fn read(text: &str, zone: &TimeZone, whole_day: bool) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(instant) = text.parse() {
        return Some(instant);
    }
    let mut local: DateTime = text.parse().ok()?;
    if whole_day && !text.contains(':') {
        local = local.checked_add(1.day()).ok()?;
    }
    zone.to_ambiguous_timestamp(local).compatible().ok()
}

fn unreadable(name: &str) -> Error {
    let es =
        format!("{name} no es una fecha como 2026-11-24 ni un instante como 2026-11-24T09:00:00Z");
    let en = format!(
        "{name} is neither a date such as 2026-11-24 nor an instant such as 2026-11-24T09:00:00Z"
    );
    Error::new(ErrorCode::InvalidParameter)
        .with("reason", en.clone())
        .with_texts("reason", es, en)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_whole_days_on_the_clock_of_the_business() {
        let lima = TimeZone::get("America/Lima").unwrap();
        let at = |text: &str, whole_day| read(text, &lima, whole_day).map(|at| at.to_string());
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(at("2026-11-24", false), is("2026-11-24T05:00:00Z"));
        assert_eq!(at("2026-11-24", true), is("2026-11-25T05:00:00Z"));
        assert_eq!(at("2026-11-24T10:00", true), is("2026-11-24T15:00:00Z"));
        assert_eq!(at("2026-11-24T10:00:00Z", true), is("2026-11-24T10:00:00Z"));
        for text in ["", "mañana", "2026-02-30", "24/11/2026"] {
            assert_eq!(at(text, false), None, "{text}");
        }
    }
}
