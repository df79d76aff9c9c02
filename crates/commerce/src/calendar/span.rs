//! Stretches of time, and the ticks that bookings are counted in.

use quipu_core::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Bookings begin and are counted in steps of five minutes.
pub const TICK_SECONDS: i64 = 300;

/// From one instant to another, the end not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub struct Span {
    pub start: Timestamp,
    pub end: Timestamp,
}

impl Span {
    /// The span with so many hours more before and after it.
    #[must_use]
    pub fn widened(self, before: i64, after: i64) -> Self {
        let moved = |instant: Timestamp, hours: i64| {
            instant.checked_add(jiff::SignedDuration::from_hours(hours))
        };
        Self {
            start: moved(self.start, -before).unwrap_or(Timestamp::MIN),
            end: moved(self.end, after).unwrap_or(Timestamp::MAX),
        }
    }

    /// The whole seconds that cover it, none when it is empty.
    pub(super) fn seconds(self) -> (i64, i64) {
        if self.start < self.end {
            (floor(self.start), ceiling(self.end))
        } else {
            (0, 0)
        }
    }

    /// The first tick that it covers, and the first after it that it does not.
    pub(super) fn ticks(self) -> (i64, i64) {
        let (start, end) = self.seconds();
        ticks(start, end)
    }
}

/// The first tick that the time between two seconds covers, and the first that it does not.
pub(super) fn ticks(start: i64, end: i64) -> (i64, i64) {
    let past = end + TICK_SECONDS - 1;
    (
        start.div_euclid(TICK_SECONDS),
        past.div_euclid(TICK_SECONDS),
    )
}

/// The ticks (seconds since 1970 / 300) that a span touches, which a booking of the span holds. The
/// span of a booking is short, see [`BookingTerms::held`](super::BookingTerms::held); there are as many
/// ticks as it has times five minutes.
pub fn covering_ticks(span: Span) -> impl Iterator<Item = i64> + use<> {
    let (first, past) = span.ticks();
    first..past
}

/// The whole second at or before an instant, before 1970 too.
pub(super) fn floor(instant: Timestamp) -> i64 {
    instant.as_second() - i64::from(instant.subsec_nanosecond() < 0)
}

/// The whole second at or after an instant.
pub(super) fn ceiling(instant: Timestamp) -> i64 {
    instant.as_second() + i64::from(instant.subsec_nanosecond() > 0)
}

/// Spans that are asked about in the order of time: in order, apart from each other, with a finger
/// on the first that is not over yet.
#[derive(Debug, Default)]
pub(super) struct Timeline {
    spans: Vec<(i64, i64)>,
    finger: usize,
}

impl Timeline {
    /// Takes spans in order and apart from each other.
    pub(super) fn in_order(spans: Vec<(i64, i64)>) -> Self {
        Self { spans, finger: 0 }
    }

    /// Spans that overlap or touch become one, and empty ones none.
    pub(super) fn merged(spans: impl IntoIterator<Item = (i64, i64)>) -> Self {
        let mut spans: Vec<_> = spans
            .into_iter()
            .filter(|(start, end)| start < end)
            .collect();
        spans.sort_unstable();
        spans.dedup_by(|next, last| {
            let touches = next.0 <= last.1;
            if touches {
                last.1 = last.1.max(next.1);
            }
            touches
        });
        Self::in_order(spans)
    }

    /// The first span that ends after `start`. No question may be about an earlier start than the
    /// one before it.
    fn not_over_at(&mut self, start: i64) -> Option<(i64, i64)> {
        while self
            .spans
            .get(self.finger)
            .is_some_and(|(_, end)| *end <= start)
        {
            self.finger += 1;
        }
        self.spans.get(self.finger).copied()
    }

    /// Whether any span shares time with this one.
    pub(super) fn meets(&mut self, start: i64, end: i64) -> bool {
        self.not_over_at(start).is_some_and(|(from, _)| from < end)
    }

    /// Whether one span has all of this one within it.
    pub(super) fn holds(&mut self, start: i64, end: i64) -> bool {
        self.not_over_at(start)
            .is_some_and(|(from, to)| from <= start && end <= to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: &str, end: &str) -> Span {
        Span {
            start: start.parse().unwrap(),
            end: end.parse().unwrap(),
        }
    }

    #[test]
    fn ticks_cover_a_span_and_nothing_more() {
        let at = |from: &str, to: &str| {
            let span = span(&format!("2026-03-01T{from}Z"), &format!("2026-03-01T{to}Z"));
            covering_ticks(span).collect::<Vec<_>>()
        };
        let ten: Timestamp = "2026-03-01T10:00:00Z".parse().unwrap();
        let tick = ten.as_second() / 300;
        assert_eq!(at("10:00:00", "10:15:00"), [tick, tick + 1, tick + 2]);
        assert_eq!(at("10:04:59.9", "10:05:00.1"), [tick, tick + 1]);
        assert_eq!(at("10:00:00", "10:00:00"), [0; 0]);
        assert_eq!(at("10:01:00", "10:01:00"), [0; 0]);
        assert_eq!(at("10:05:00", "10:00:00"), [0; 0]);
        // Before 1970 a tick is still five minutes that begin on the clock.
        let early = span("1969-12-31T23:59:59.5Z", "1970-01-01T00:00:01Z");
        assert_eq!(covering_ticks(early).collect::<Vec<_>>(), [-1, 0]);
        let early = span("1969-12-31T23:55:00Z", "1970-01-01T00:00:00Z");
        assert_eq!(covering_ticks(early).collect::<Vec<_>>(), [-1]);
    }

    #[test]
    fn a_timeline_joins_what_touches() {
        let spans = [(10, 20), (5, 10), (30, 30), (40, 50), (42, 45)];
        let mut timeline = Timeline::merged(spans);
        assert_eq!(timeline.spans, [(5, 20), (40, 50)]);
        assert!(timeline.holds(6, 20) && !timeline.holds(6, 21) && !timeline.meets(20, 40));
        assert!(timeline.meets(20, 41) && !timeline.holds(39, 41) && timeline.holds(40, 50));
        assert!(!timeline.meets(50, 60) && !timeline.holds(50, 51));
    }
}
