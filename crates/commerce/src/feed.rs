//! Appointments as a calendar that other programs subscribe to (iCalendar, RFC 5545).
//!
//! Times are written in UTC, so that no reader needs to know the zone of the business. What people
//! wrote is escaped, so that nothing in it can become a line of the calendar.

#[cfg(test)]
mod tests;
mod write;

use quipu_core::Timestamp;
use write::Lines;

/// How many events a feed has at most; a reader that asks for a year of appointments gets them.
pub const MAX_FEED_EVENTS: usize = 10_000;

/// Who made the calendar, as the standard wants it told.
const PRODUCT: &str = "-//Quipu//Quipu//ES";
/// How often readers should ask again.
const REFRESH: &str = "PT1H";

/// Whether an event will take place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeedStatus {
    Confirmed,
    Tentative,
    Cancelled,
}

impl FeedStatus {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "CONFIRMED",
            Self::Tentative => "TENTATIVE",
            Self::Cancelled => "CANCELLED",
        }
    }
}

/// One appointment of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedEvent {
    /// What readers know the event by for as long as it exists, however it changes.
    pub uid: String,
    pub starts_at: Timestamp,
    pub ends_at: Timestamp,
    pub summary: String,
    pub description: Option<String>,
    pub location: Option<String>,
    pub status: FeedStatus,
    /// Grows with every change of time or place, so that readers know which version is newer.
    pub sequence: u32,
    pub updated_at: Timestamp,
}

/// The text of a calendar with these events, of which the first [`MAX_FEED_EVENTS`] are written.
#[must_use]
pub fn feed(name: &str, now: Timestamp, events: &[FeedEvent]) -> String {
    let mut lines = Lines::default();
    lines.plain("BEGIN", "VCALENDAR");
    lines.plain("VERSION", "2.0");
    lines.plain("PRODID", PRODUCT);
    lines.plain("CALSCALE", "GREGORIAN");
    lines.plain("METHOD", "PUBLISH");
    // The older name is the one that most programs read; the newer one is that of RFC 7986.
    lines.text("X-WR-CALNAME", name);
    lines.text("NAME", name);
    lines.plain("REFRESH-INTERVAL;VALUE=DURATION", REFRESH);
    lines.plain("X-PUBLISHED-TTL", REFRESH);
    for event in events.iter().take(MAX_FEED_EVENTS) {
        write_event(&mut lines, now, event);
    }
    lines.plain("END", "VCALENDAR");
    lines.finish()
}

fn write_event(lines: &mut Lines, now: Timestamp, event: &FeedEvent) {
    lines.plain("BEGIN", "VEVENT");
    lines.text("UID", &event.uid);
    // In a calendar that is published, this is when the calendar was made and not the event.
    lines.time("DTSTAMP", now);
    lines.time("LAST-MODIFIED", event.updated_at);
    lines.time("DTSTART", event.starts_at);
    // The standard wants an end after the beginning; without one, an event is a moment.
    if write::second(event.ends_at) > write::second(event.starts_at) {
        lines.time("DTEND", event.ends_at);
    }
    lines.text("SUMMARY", &event.summary);
    if let Some(description) = &event.description {
        lines.text("DESCRIPTION", description);
    }
    if let Some(location) = &event.location {
        lines.text("LOCATION", location);
    }
    lines.plain("STATUS", event.status.as_str());
    lines.plain("SEQUENCE", &event.sequence.to_string());
    lines.plain("END", "VEVENT");
}
