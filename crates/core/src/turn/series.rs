//! What turns come to as time goes by.

use super::measures::{RetrievalSums, TurnSums, milliseconds, ratio};
use crate::Timestamp;
use crate::lead::words;
use jiff::tz::TimeZone;
use jiff::{ToSpan, Unit, Zoned, ZonedRound};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

words! {
    /// How long a stretch of a series is, on the clock of the business.
    #[derive(Default)]
    SeriesStretch {
        Hour = "hour",
        #[default]
        Day = "day",
        /// Seven days from the first one on.
        Week = "week",
        Month = "month",
    }
}

impl SeriesStretch {
    /// How many stretches a series has at most.
    pub const MOST: usize = 100;

    /// The stretches of a time, the first and the last of which may be shorter; one more than there may
    /// be when there are too many.
    #[must_use]
    pub fn cut(
        self,
        from: Timestamp,
        to: Timestamp,
        zone: &TimeZone,
    ) -> Vec<(Timestamp, Timestamp)> {
        let mut stretches = Vec::new();
        let mut start = from;
        while start < to && stretches.len() <= Self::MOST {
            let end = self.end_of(&start.to_zoned(zone.clone())).unwrap_or(to);
            let end = if end > start { end.min(to) } else { to };
            stretches.push((start, end));
            start = end;
        }
        stretches
    }

    fn end_of(self, start: &Zoned) -> Option<Timestamp> {
        let end = match self {
            Self::Hour => {
                let down = ZonedRound::new()
                    .smallest(Unit::Hour)
                    .mode(jiff::RoundMode::Trunc);
                start.round(down).ok()?.checked_add(1.hour())
            }
            Self::Day => start.start_of_day().ok()?.checked_add(1.day()),
            Self::Week => start.start_of_day().ok()?.checked_add(7.days()),
            Self::Month => {
                let first = start.first_of_month().ok()?.start_of_day().ok()?;
                first.checked_add(1.month())
            }
        };
        Some(end.ok()?.timestamp())
    }
}

/// What turns and searches come to within a stretch of time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeriesPoint {
    pub from: Timestamp,
    pub to: Timestamp,
    pub turns: u64,
    /// Answers that rest on what is known.
    pub grounded: u64,
    /// Turns that ended with a person being asked for.
    pub escalated: u64,
    /// Turns in which something was out of order.
    pub degraded: u64,
    /// Turns in which a tool was used.
    pub with_tools: u64,
    /// Turns for which something that is known was found.
    pub with_knowledge: u64,
    pub helpful: u64,
    pub unhelpful: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// In millionths of a dollar, of the turns whose price is known.
    pub cost_micros: i64,
    pub p50_ms: Option<f64>,
    pub p95_ms: Option<f64>,
    pub searches: u64,
    /// How surely the passages that were found answer, 0 to 1.
    pub mean_relevance: Option<f64>,
}

impl SeriesPoint {
    #[must_use]
    pub fn of(sums: &TurnSums, searched: &RetrievalSums, from: Timestamp, to: Timestamp) -> Self {
        let one = ratio(1, searched.with_passages);
        Self {
            from,
            to,
            turns: sums.turns,
            grounded: sums.grounded,
            escalated: sums.escalated,
            degraded: sums.degraded,
            with_tools: sums.with_tools,
            with_knowledge: sums.with_knowledge,
            helpful: sums.helpful,
            unhelpful: sums.unhelpful,
            input_tokens: sums.input_tokens,
            output_tokens: sums.output_tokens,
            cost_micros: sums.cost,
            p50_ms: milliseconds(sums.p50_us),
            p95_ms: milliseconds(sums.p95_us),
            searches: searched.searches,
            mean_relevance: one.map(|one| searched.similarity * one),
        }
    }
}

/// How agents do as time goes by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StatisticsSeries {
    /// The earliest first.
    pub points: Vec<SeriesPoint>,
    /// The whole time at once.
    pub total: SeriesPoint,
    /// As much time before it.
    pub before: SeriesPoint,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_a_day_of_the_business() {
        let lima = TimeZone::get("America/Lima").unwrap();
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let (from, to) = (at("2026-03-17T14:00:00Z"), at("2026-03-19T06:00:00Z"));
        let days = SeriesStretch::Day.cut(from, to, &lima);
        let midnights = [
            from,
            at("2026-03-18T05:00:00Z"),
            at("2026-03-19T05:00:00Z"),
            to,
        ];
        let expected: Vec<_> = midnights
            .windows(2)
            .map(|pair| (pair[0], pair[1]))
            .collect();
        assert_eq!(days, expected);
        let months = SeriesStretch::Month.cut(from, at("2026-04-02T00:00:00Z"), &lima);
        assert_eq!(months[0].1, at("2026-04-01T05:00:00Z"));
        let hours = SeriesStretch::Hour.cut(
            at("2026-03-17T14:20:00Z"),
            at("2026-03-17T16:00:00Z"),
            &lima,
        );
        assert_eq!(hours.len(), 2);
        let many = SeriesStretch::Hour.cut(from, at("2026-04-17T14:00:00Z"), &lima);
        assert_eq!(many.len(), SeriesStretch::MOST + 1);
    }

    #[test]
    fn a_day_with_a_changed_clock_is_one_day() {
        let madrid = TimeZone::get("Europe/Madrid").unwrap();
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let (from, to) = (at("2026-10-24T22:00:00Z"), at("2026-10-26T23:00:00Z"));
        let days = SeriesStretch::Day.cut(from, to, &madrid);
        assert_eq!(
            days,
            [
                (from, at("2026-10-25T23:00:00Z")),
                (at("2026-10-25T23:00:00Z"), to)
            ]
        );
    }
}
