//! Opening hours on one line of local minutes.

use super::interval::{DAY, Interval};
use super::span::{TICK_SECONDS, Timeline};
use super::zone::ZoneClock;

const TICK_MINUTES: i64 = TICK_SECONDS / 60;

/// Minutes of the local clock, counted from the beginning of 1970 on that clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LocalSpan {
    pub(super) from: i64,
    pub(super) to: i64,
}

impl LocalSpan {
    pub(super) fn of(day: i64, interval: Interval) -> Self {
        let midnight = day * i64::from(DAY);
        Self {
            from: midnight + i64::from(interval.opens()),
            to: midnight + i64::from(interval.closes()),
        }
    }
}

/// What lies in both, each in order and without overlaps. The later of two beginnings begins a span,
/// so that spans that only touch stay two.
pub(super) fn in_both(left: &[LocalSpan], right: &[LocalSpan]) -> Vec<LocalSpan> {
    let mut both = Vec::new();
    let (mut i, mut j) = (0, 0);
    while let (Some(l), Some(r)) = (left.get(i), right.get(j)) {
        let (from, to) = (l.from.max(r.from), l.to.min(r.to));
        if from < to {
            both.push(LocalSpan { from, to });
        }
        if l.to <= r.to {
            i += 1;
        } else {
            j += 1;
        }
    }
    both
}

/// The instants of all the spans, those that touch as one.
pub(super) fn timeline(spans: &[LocalSpan], clock: &ZoneClock) -> Timeline {
    Timeline::merged(spans.iter().map(|span| clock.instants(*span)))
}

/// The instants at which bookings may begin, in order: every so many minutes of the local clock from
/// the beginning of each span, or from the next five minutes when it begins in between. What the
/// clock shows twice within a span is two instants.
pub(super) fn grid(
    spans: Vec<LocalSpan>,
    step_minutes: u16,
    clock: ZoneClock,
) -> impl Iterator<Item = i64> {
    let step = usize::from(step_minutes.next_multiple_of(5).max(5));
    let mut last = None;
    let instants = spans.into_iter().flat_map(move |span| {
        let first = span.from + (-span.from).rem_euclid(TICK_MINUTES);
        let minutes = (first..span.to).step_by(step);
        let (_, end) = clock.instants(span);
        let again = minutes
            .clone()
            .filter_map(|minute| clock.again(minute))
            .filter(|instant| *instant < end);
        let again: Vec<i64> = again.collect();
        let mut instants: Vec<i64> = minutes.map(|minute| clock.instant(minute)).collect();
        if !again.is_empty() {
            instants.extend(again);
            instants.sort_unstable();
        }
        instants
    });
    instants.filter(move |instant| {
        // Several minutes that the clock skips are one instant, and clocks of long ago were off by
        // odd seconds.
        let new = last != Some(*instant) && instant.rem_euclid(TICK_SECONDS) == 0;
        last = Some(*instant);
        new
    })
}
