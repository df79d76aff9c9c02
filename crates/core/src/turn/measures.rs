//! What the turns of an agent come to, and whether one of two ways to be is better.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How many standard deviations hold nineteen of twenty.
const NINETEEN_OF_TWENTY: f64 = 1.959_964;

/// What a database adds up over some turns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TurnSums {
    pub turns: u64,
    pub grounded: u64,
    /// Turns that asked for what nobody knew.
    pub unanswered: u64,
    pub degraded: u64,
    pub escalated: u64,
    /// Turns in which a tool was used, and how often one was.
    pub with_tools: u64,
    /// Turns for which something that is known was found.
    pub with_knowledge: u64,
    pub tool_calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Turns whose price is known, and what they cost in millionths of a dollar.
    pub priced: u64,
    pub cost: i64,
    pub helpful: u64,
    pub unhelpful: u64,
    /// What half of them, and nineteen of twenty, took at most.
    pub p50_us: Option<u64>,
    pub p95_us: Option<u64>,
}

/// What a database adds up over the searches of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RetrievalSums {
    pub searches: u64,
    /// Searches that found something; the similarities and tokens are theirs.
    pub with_passages: u64,
    pub similarity: f64,
    pub context_tokens: u64,
    pub elapsed_us: u64,
    pub embedding_us: u64,
}

/// How an agent does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgentStatistics {
    pub from: Timestamp,
    pub to: Timestamp,
    pub turns: u64,
    /// Read and written together, for each message. Absent like all means when there are no turns.
    pub mean_tokens: Option<f64>,
    pub mean_input_tokens: Option<f64>,
    pub mean_output_tokens: Option<f64>,
    /// The share of turns in which a tool was used.
    pub tool_use_rate: Option<f64>,
    /// The share of turns that ended with a person being asked for.
    pub escalation_rate: Option<f64>,
    /// The share of answers that rest on what is known.
    pub grounded_rate: Option<f64>,
    /// The share of turns in which something was out of order.
    pub degraded_rate: Option<f64>,
    pub p50_ms: Option<f64>,
    pub p95_ms: Option<f64>,
    /// The share of turns for which something that is known was found.
    pub rag_use_rate: Option<f64>,
    /// Searches in the agent's knowledge, those of its turns and those over the API.
    pub searches: u64,
    pub mean_retrieval_ms: Option<f64>,
    /// What it took to embed the questions.
    pub mean_embedding_ms: Option<f64>,
    /// The tokens of the passages that a search found, where it found some.
    pub mean_context_tokens: Option<f64>,
    /// How surely those passages answer, 0 to 1.
    pub mean_relevance: Option<f64>,
    pub helpful: u64,
    pub unhelpful: u64,
    /// How often the prompts of the agent were put together anew, ever since it was made.
    pub prompt_regenerations: u64,
    /// In millionths of a dollar, of the turns whose price is known.
    pub cost_micros: i64,
    pub priced_turns: u64,
}

impl AgentStatistics {
    #[must_use]
    pub fn of(
        sums: &TurnSums,
        searched: &RetrievalSums,
        from: Timestamp,
        to: Timestamp,
        prompt_regenerations: u64,
    ) -> Self {
        let share = |part: u64| ratio(part, sums.turns);
        let of_searches = |micros: u64| Some(ratio(micros, searched.searches)? / 1_000.0);
        Self {
            from,
            to,
            turns: sums.turns,
            mean_tokens: share(sums.input_tokens.saturating_add(sums.output_tokens)),
            mean_input_tokens: share(sums.input_tokens),
            mean_output_tokens: share(sums.output_tokens),
            tool_use_rate: share(sums.with_tools),
            escalation_rate: share(sums.escalated),
            grounded_rate: share(sums.grounded),
            degraded_rate: share(sums.degraded),
            p50_ms: milliseconds(sums.p50_us),
            p95_ms: milliseconds(sums.p95_us),
            rag_use_rate: share(sums.with_knowledge),
            searches: searched.searches,
            mean_retrieval_ms: of_searches(searched.elapsed_us),
            mean_embedding_ms: of_searches(searched.embedding_us),
            mean_context_tokens: ratio(searched.context_tokens, searched.with_passages),
            mean_relevance: ratio(1, searched.with_passages).map(|one| searched.similarity * one),
            helpful: sums.helpful,
            unhelpful: sums.unhelpful,
            prompt_regenerations,
            cost_micros: sums.cost,
            priced_turns: sums.priced,
        }
    }
}

/// A share of opinions, and where the share of all there could be lies, nineteen times of twenty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Share {
    pub share: f64,
    pub low: f64,
    pub high: f64,
}

impl Share {
    /// Wilson's interval, which stays honest with few opinions and with unanimous ones. `None` when
    /// there are none.
    #[must_use]
    pub fn of(part: u64, whole: u64) -> Option<Self> {
        let share = ratio(part, whole)?;
        let squared = NINETEEN_OF_TWENTY * NINETEEN_OF_TWENTY;
        let weight = squared * ratio(1, whole)?;
        let spread = share * (1.0 - share) * ratio(1, whole)? + weight * ratio(1, whole)? / 4.0;
        let middle = (share + weight / 2.0) / (1.0 + weight);
        let half = NINETEEN_OF_TWENTY * spread.sqrt() / (1.0 + weight);
        Some(Self {
            share,
            low: (middle - half).max(0.0),
            high: (middle + half).min(1.0),
        })
    }
}

/// One of the ways that are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VariantMeasures {
    /// `base` is the agent as it is set; the other is called what the experiment calls it.
    #[schema(example = "base")]
    pub variant: String,
    pub turns: u64,
    pub helpful: u64,
    pub unhelpful: u64,
    /// How many of the opinions were good ones; absent as long as there is none.
    pub helpful_share: Option<Share>,
    pub escalation_rate: Option<f64>,
    pub degraded_rate: Option<f64>,
    pub mean_tokens: Option<f64>,
    /// In millionths of a dollar, of the turns whose price is known.
    pub mean_cost_micros: Option<f64>,
    pub p50_ms: Option<f64>,
    pub p95_ms: Option<f64>,
    pub tools_per_turn: Option<f64>,
}

impl VariantMeasures {
    #[must_use]
    pub fn of(variant: String, sums: &TurnSums) -> Self {
        let share = |part: u64| ratio(part, sums.turns);
        let cost = u64::try_from(sums.cost).unwrap_or(0);
        Self {
            variant,
            turns: sums.turns,
            helpful: sums.helpful,
            unhelpful: sums.unhelpful,
            helpful_share: Share::of(sums.helpful, sums.helpful.saturating_add(sums.unhelpful)),
            escalation_rate: share(sums.escalated),
            degraded_rate: share(sums.degraded),
            mean_tokens: share(sums.input_tokens.saturating_add(sums.output_tokens)),
            mean_cost_micros: ratio(cost, sums.priced),
            p50_ms: milliseconds(sums.p50_us),
            p95_ms: milliseconds(sums.p95_us),
            tools_per_turn: share(sums.tool_calls),
        }
    }
}

/// What can be said of the variants by now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Verdict {
    /// The better one, where that can be told.
    pub better: Option<String>,
    /// In Spanish.
    pub es: String,
    /// In English.
    pub en: String,
}

/// Two ways to be, side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Comparison {
    pub from: Timestamp,
    pub to: Timestamp,
    pub variants: Vec<VariantMeasures>,
    pub verdict: Verdict,
}

impl Comparison {
    #[must_use]
    pub fn of(variants: Vec<VariantMeasures>, from: Timestamp, to: Timestamp) -> Self {
        Self {
            from,
            to,
            verdict: Verdict::of(&variants),
            variants,
        }
    }
}

impl Verdict {
    /// One is better when its interval lies above those of all others.
    fn of(variants: &[VariantMeasures]) -> Self {
        let mut judged: Vec<(&str, Share)> = variants
            .iter()
            .filter_map(|one| Some((one.variant.as_str(), one.helpful_share?)))
            .collect();
        judged.sort_by(|a, b| b.1.share.total_cmp(&a.1.share));
        let undecided = |es: &str, en: &str| Self {
            better: None,
            es: format!("Todavía no se puede decir: {es}."),
            en: format!("It cannot be told yet: {en}."),
        };
        let [best, others @ ..] = judged.as_slice() else {
            return undecided("nadie ha opinado", "nobody has given an opinion");
        };
        let Some(next) = others.first() else {
            return undecided(
                "solo hay opiniones sobre una variante",
                "there are opinions on one variant only",
            );
        };
        if others.iter().any(|other| other.1.high >= best.1.low) {
            return undecided(
                "con estas opiniones la diferencia puede ser casualidad",
                "with these opinions the difference may be chance",
            );
        }
        let percent = |share: Share| format!("{:.0}", share.share * 100.0);
        let (high, low) = (percent(best.1), percent(next.1));
        Self {
            better: Some(best.0.to_owned()),
            es: format!(
                "«{}» es mejor: sus respuestas son útiles el {high} % de las veces, y las de «{}» el {low} %.",
                best.0, next.0
            ),
            en: format!(
                "\"{}\" is better: its answers are helpful {high} % of the time, those of \"{}\" {low} %.",
                best.0, next.0
            ),
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of turns and tokens are far below what a double holds exactly"
)]
pub(super) fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

pub(super) fn milliseconds(micros: Option<u64>) -> Option<f64> {
    ratio(micros?, 1_000)
}

#[cfg(test)]
mod tests;
