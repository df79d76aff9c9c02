//! When every place is taken.

use super::span::{Span, Timeline};

/// The ticks at which as many bookings are busy as there are places, among those between two ticks.
/// The bookings are sorted once, whatever is asked about them afterwards.
pub(super) fn full(busy: &[Span], places: u16, within: (i64, i64)) -> Timeline {
    if places == 0 {
        return Timeline::in_order(vec![within]);
    }
    let held = busy.iter().map(|span| span.ticks());
    let held = held.filter(|(first, past)| first < past && *first < within.1 && within.0 < *past);
    if places == 1 {
        return Timeline::merged(held);
    }
    let mut changes: Vec<(i64, i32)> = held
        .flat_map(|(first, past)| [(first, 1), (past, -1)])
        .collect();
    // Where one booking ends and another begins, the end comes first.
    changes.sort_unstable();
    let places = i32::from(places);
    let mut spans = Vec::new();
    let mut at_once = 0;
    let mut full_since = 0;
    for (tick, change) in changes {
        if change > 0 && at_once + 1 == places {
            full_since = tick;
        } else if change < 0 && at_once == places {
            spans.push((full_since, tick));
        }
        at_once += change;
    }
    Timeline::merged(spans)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::zone::timestamp;

    fn minutes(spans: &[(i64, i64)]) -> Vec<Span> {
        let span = |(from, to): &(i64, i64)| Span {
            start: timestamp(from * 60),
            end: timestamp(to * 60),
        };
        spans.iter().map(span).collect()
    }

    /// The ticks that are full, one by one.
    fn ticks(spans: &[(i64, i64)], places: u16) -> Vec<i64> {
        (0..12)
            .filter(|tick| full(&minutes(spans), places, (0, 12)).meets(*tick, tick + 1))
            .collect()
    }

    #[test]
    fn a_place_is_full_while_it_is_taken() {
        assert_eq!(ticks(&[(5, 15), (15, 20), (40, 41)], 1), [1, 2, 3, 8]);
        assert_eq!(ticks(&[(0, 60)], 2), [0; 0]);
        assert_eq!(ticks(&[], 0).len(), 12);
    }

    #[test]
    fn several_places_are_full_when_all_are_taken() {
        let busy = [(0, 30), (10, 20), (20, 25), (50, 60), (50, 55), (50, 55)];
        assert_eq!(ticks(&busy, 2), [2, 3, 4, 10]);
        assert_eq!(ticks(&busy, 3), [10]);
        assert_eq!(ticks(&busy, 4), [0; 0]);
    }

    #[test]
    fn two_bookings_within_one_tick_take_two_places() {
        assert_eq!(ticks(&[(10, 12), (13, 15)], 2), [2]);
    }
}
