//! What earns tokens.

use crate::money::{Money, MoneyProblem};
use crate::ordering::HIGHEST_PRICE;
use jiff::SignedDuration;
use quipu_core::Timestamp;
use quipu_core::validate::{Checks, Problem};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const MOST_PER_RULE: u32 = 100_000;
/// Ten years, after which nobody remembers.
const MOST_DAYS: u32 = 3_650;

/// So many tokens for every so much spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpendRule {
    #[schema(minimum = 1, maximum = 100_000)]
    pub tokens: u32,
    /// Each full one of these counts; what is left over does not.
    pub every: Money,
    /// A purchase below this earns nothing.
    #[serde(default)]
    pub minimum: Option<Money>,
}

/// What earns tokens, and how long they last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EarningRules {
    pub spend: Option<SpendRule>,
    /// Tokens for an appointment that took place.
    #[schema(minimum = 0, maximum = 100_000)]
    pub per_appointment: u32,
    /// How many days what was earned lasts; for ever when absent.
    #[schema(minimum = 1, maximum = 3650)]
    pub lasts_days: Option<u32>,
}

impl EarningRules {
    pub fn check(&self, field: &str, checks: &mut Checks) {
        let most = i64::from(MOST_PER_RULE);
        let named = |name: &str| format!("{field}.{name}");
        checks.range(
            &named("per_appointment"),
            self.per_appointment.into(),
            0,
            most,
        );
        if let Some(days) = self.lasts_days {
            checks.range(&named("lasts_days"), days.into(), 1, MOST_DAYS.into());
        }
        let Some(rule) = self.spend else {
            return;
        };
        checks.range(&named("spend.tokens"), rule.tokens.into(), 1, most);
        let (every, highest) = (rule.every.minor, HIGHEST_PRICE);
        checks.range(&named("spend.every.amount"), every, 1, highest);
        if let Some(minimum) = rule.minimum {
            checks.range(&named("spend.minimum.amount"), minimum.minor, 0, highest);
            if minimum.currency != rule.every.currency {
                let allowed = rule.every.currency.to_string();
                checks.problem(
                    &named("spend.minimum.currency"),
                    Problem::Unknown { allowed },
                );
            }
        }
    }

    /// The tokens that a purchase earns, rounded down.
    ///
    /// # Errors
    /// When the purchase is of another currency than the rule, or earns more than can be counted.
    pub fn for_purchase(&self, spent: Money) -> Result<i64, MoneyProblem> {
        let Some(rule) = self.spend else {
            return Ok(0);
        };
        let enough = rule
            .minimum
            .map_or(Ok(true), |least| spent.is_at_least(least))?;
        let counts = spent.is_at_least(rule.every)?;
        // A rule that was never checked may ask for nothing, and nothing earns nothing.
        if !enough || !counts || rule.every.minor < 1 {
            return Ok(0);
        }
        let times = spent.minor / rule.every.minor;
        let tokens = times.checked_mul(rule.tokens.into());
        tokens.ok_or(MoneyProblem::TooLarge)
    }

    /// The tokens that an appointment earns once it took place.
    #[must_use]
    pub fn for_appointment(&self) -> i64 {
        self.per_appointment.into()
    }

    /// When tokens lapse that are earned now.
    #[must_use]
    pub fn lapses_at(&self, now: Timestamp) -> Option<Timestamp> {
        let days = self.lasts_days?;
        let lasts = SignedDuration::from_hours(i64::from(days) * 24);
        // Beyond the end of the calendar is for ever.
        now.checked_add(lasts).ok()
    }
}
