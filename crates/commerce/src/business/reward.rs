//! What tokens can be exchanged for.

use super::item::{CatalogueItem, ItemKind, LONGEST_NAME, line, optional_text, yes};
use crate::loyalty::MAX_TOKENS;
use crate::money::Currency;
use crate::ordering::{Discount, check_price};
use quipu_core::validate::Checks;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LoyaltyReward)]
pub struct Reward {
    #[schema(min_length = 1, max_length = 120, example = "Agua fresca gratis")]
    pub name: String,
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub description: Option<String>,
    #[schema(minimum = 1, maximum = 1_000_000_000)]
    pub tokens: i64,
    /// What it takes off an order.
    #[serde(default = "nothing")]
    pub discount: Discount,
    /// How long its code can be used.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 3650)]
    pub valid_days: Option<u16>,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

const fn nothing() -> Discount {
    Discount::None
}

impl CatalogueItem for Reward {
    const KIND: ItemKind = ItemKind::Reward;

    fn name(&self) -> &str {
        &self.name
    }

    fn active(&self) -> bool {
        self.active
    }

    fn check(&mut self, currency: Currency, checks: &mut Checks) {
        line(checks, "name", &mut self.name, LONGEST_NAME);
        optional_text(checks, "description", self.description.as_deref(), 2_000);
        checks.range("tokens", self.tokens, 1, MAX_TOKENS);
        match self.discount {
            Discount::None => {}
            Discount::Amount { amount } => {
                check_price(checks, "discount.amount", amount, currency);
            }
            Discount::Percent { percent } => {
                checks.range("discount.percent", percent.into(), 1, 100);
            }
        }
        if let Some(days) = self.valid_days {
            checks.range("valid_days", days.into(), 1, 3_650);
        }
    }
}
