//! The clock of a time zone over a stretch of time.

use super::local::LocalSpan;
use jiff::tz::TimeZone;
use quipu_core::Timestamp;

/// Local times that are asked for may lie this far outside the stretch of time.
const MARGIN_SECONDS: i64 = 5 * 24 * 60 * 60;

/// The offsets that hold from which instant on, in seconds. The first holds before as well.
pub(super) struct ZoneClock {
    offsets: Vec<(i64, i64)>,
}

impl ZoneClock {
    /// Reads the offsets once, so that thousands of times become instants by arithmetic alone.
    pub(super) fn new(zone: &TimeZone, from: i64, to: i64) -> Self {
        let begin = timestamp(from.saturating_sub(MARGIN_SECONDS));
        let end = timestamp(to.saturating_add(MARGIN_SECONDS));
        let first = i64::from(zone.to_offset(begin).seconds());
        let mut offsets = vec![(begin.as_second(), first)];
        let changes = zone.following(begin);
        for change in changes.take_while(|change| change.timestamp() <= end) {
            let offset = i64::from(change.offset().seconds());
            if offsets.last().is_some_and(|(_, last)| *last != offset) {
                offsets.push((change.timestamp().as_second(), offset));
            }
        }
        Self { offsets }
    }

    /// What the clock shows at an instant, in seconds since 1970 began on that clock.
    pub(super) fn local(&self, instant: i64) -> i64 {
        let later = self.offsets.iter().rev();
        let mut holding = later.skip_while(|(from, _)| *from > instant);
        let (_, offset) = holding.next().unwrap_or(&self.offsets[0]);
        instant.saturating_add(*offset)
    }

    /// The day that the clock shows at an instant, counted from 1 January 1970.
    pub(super) fn day(&self, instant: i64) -> i64 {
        self.local(instant).div_euclid(24 * 60 * 60)
    }

    /// The first instant at which the clock shows this minute or a later one. It is never earlier
    /// for a later minute.
    pub(super) fn instant(&self, local_minute: i64) -> i64 {
        let local = local_minute * 60;
        let ends_later = |pair: &[(i64, i64)]| local - pair[0].1 < pair[1].0;
        let holding = self.offsets.windows(2).position(ends_later);
        let index = holding.unwrap_or(self.offsets.len() - 1);
        let (from, offset) = self.offsets[index];
        let instant = local - offset;
        if index == 0 {
            instant
        } else {
            instant.max(from)
        }
    }

    /// The second instant at which the clock shows this minute, where it is set back over it.
    pub(super) fn again(&self, local_minute: i64) -> Option<i64> {
        let local = local_minute * 60;
        let first = self.instant(local_minute);
        let later = self.offsets.iter().enumerate().skip(1);
        let mut shown = later.filter_map(|(index, (from, offset))| {
            let instant = local - offset;
            let next = self.offsets.get(index + 1);
            let holds = *from <= instant && next.is_none_or(|(until, _)| instant < *until);
            (holds && instant > first).then_some(instant)
        });
        shown.next()
    }

    /// The instants from one end of a local span to the other.
    pub(super) fn instants(&self, span: LocalSpan) -> (i64, i64) {
        (self.instant(span.from), self.instant(span.to))
    }
}

/// The timestamp of a second, or the nearest that can be told.
pub(super) fn timestamp(second: i64) -> Timestamp {
    let nearest = if second < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    Timestamp::from_second(second).unwrap_or(nearest)
}
