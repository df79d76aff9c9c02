//! What turns come to as time goes by.

use super::measures::{RetrievalSums, TurnSums, milliseconds, ratio};
use crate::Timestamp;
use crate::lead::words;
use jiff::tz::TimeZone;
use jiff::{ToSpan, Unit, Zoned, ZonedRound};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;
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
    /// Turns that asked for what nobody knew.
    pub unanswered: u64,
    /// Turns that ended with a person being asked for.
    pub escalated: u64,
    /// Turns in which something was out of order.
    pub degraded: u64,
    /// Turns in which a tool was used, and how often one was.
    pub with_tools: u64,
    pub tool_calls: u64,
    /// Turns for which something that is known was found.
    pub with_knowledge: u64,
    pub helpful: u64,
    pub unhelpful: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// In millionths of a dollar, of the turns whose price is known.
    pub cost_micros: i64,
    pub priced_turns: u64,
    pub p50_ms: Option<f64>,
    pub p95_ms: Option<f64>,
    pub searches: u64,
    pub mean_retrieval_ms: Option<f64>,
    /// What it took to embed the questions.
    pub mean_embedding_ms: Option<f64>,
    /// The tokens of the passages that a search found, where it found some.
    pub mean_context_tokens: Option<f64>,
    /// How surely the passages that were found answer, 0 to 1.
    pub mean_relevance: Option<f64>,
    /// Conversations that began, by the channel they came over.
    pub conversations: BTreeMap<String, u64>,
    /// How often a person who had been asked for took over, and how long customers waited for them.
    pub handoffs: u64,
    pub mean_handoff_ms: Option<f64>,
    /// The documents of today that were there already when the stretch ended, of the whole business.
    pub documents: u64,
    pub document_bytes: u64,
}

/// How long somebody waited for the person they had asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandoffWait {
    pub taken_at: Timestamp,
    pub waited: Duration,
}

/// What a database adds up over a stretch of time.
#[derive(Clone, Debug, Default)]
pub struct StretchSums {
    pub turns: TurnSums,
    pub searched: RetrievalSums,
    pub conversations: BTreeMap<String, u64>,
    pub documents: u64,
    pub document_bytes: u64,
}

impl SeriesPoint {
    #[must_use]
    pub fn of(all: StretchSums, waits: &[HandoffWait], from: Timestamp, to: Timestamp) -> Self {
        let (sums, searched) = (&all.turns, &all.searched);
        let one = ratio(1, searched.with_passages);
        let of_searches = |micros: u64| Some(ratio(micros, searched.searches)? / 1_000.0);
        let waits = waits.iter();
        let waits = waits.filter(|wait| from <= wait.taken_at && wait.taken_at < to);
        let (handoffs, waited) = waits.fold((0, 0), |(count, sum): (u64, u64), wait| {
            let waited = u64::try_from(wait.waited.as_millis()).unwrap_or(u64::MAX);
            (count + 1, sum.saturating_add(waited))
        });
        Self {
            from,
            to,
            turns: sums.turns,
            grounded: sums.grounded,
            unanswered: sums.unanswered,
            escalated: sums.escalated,
            degraded: sums.degraded,
            with_tools: sums.with_tools,
            tool_calls: sums.tool_calls,
            with_knowledge: sums.with_knowledge,
            helpful: sums.helpful,
            unhelpful: sums.unhelpful,
            input_tokens: sums.input_tokens,
            output_tokens: sums.output_tokens,
            cost_micros: sums.cost,
            priced_turns: sums.priced,
            p50_ms: milliseconds(sums.p50_us),
            p95_ms: milliseconds(sums.p95_us),
            searches: searched.searches,
            mean_retrieval_ms: of_searches(searched.elapsed_us),
            mean_embedding_ms: of_searches(searched.embedding_us),
            mean_context_tokens: ratio(searched.context_tokens, searched.with_passages),
            mean_relevance: one.map(|one| searched.similarity * one),
            conversations: all.conversations,
            handoffs,
            mean_handoff_ms: ratio(waited, handoffs),
            documents: all.documents,
            document_bytes: all.document_bytes,
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

/// How a tool was used within a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ToolUse {
    #[schema(example = "create_appointment")]
    pub tool: String,
    pub calls: u64,
    /// Calls that were refused or failed.
    pub failures: u64,
    /// Turns in which it was called.
    pub turns: u64,
    pub mean_ms: Option<f64>,
}

impl ToolUse {
    #[must_use]
    pub fn of(tool: String, calls: u64, failures: u64, turns: u64, took_us: u64) -> Self {
        let mean_ms = ratio(took_us, calls).map(|micros| micros / 1_000.0);
        Self {
            tool,
            calls,
            failures,
            turns,
            mean_ms,
        }
    }
}

/// How tools were used, and in as much time before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ToolStatistics {
    pub from: Timestamp,
    pub to: Timestamp,
    /// The most used first.
    pub tools: Vec<ToolUse>,
    pub before: Vec<ToolUse>,
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
