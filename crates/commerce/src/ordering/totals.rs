//! What an order comes to.

use super::line::OrderLine;
use crate::money::{Money, MoneyProblem};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What is taken off the price of the things that are ordered; the delivery is paid in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    tag = "kind",
    rename_all = "snake_case",
    deny_unknown_fields,
    from = "Said"
)]
pub enum Discount {
    None,
    Amount {
        amount: Money,
    },
    /// More than a hundred counts as a hundred.
    Percent {
        #[schema(minimum = 0, maximum = 100)]
        percent: u32,
    },
}

/// A discount as it is written. A variant without fields would take any.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Said {
    None {},
    Amount { amount: Money },
    Percent { percent: u32 },
}

impl From<Said> for Discount {
    fn from(said: Said) -> Self {
        match said {
            Said::None {} => Self::None,
            Said::Amount { amount } => Self::Amount { amount },
            Said::Percent { percent } => Self::Percent { percent },
        }
    }
}

/// An order in money. `total` is `subtotal` less `discount` plus `delivery`, and never below zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Totals {
    pub subtotal: Money,
    /// What is really taken off, which is never more than the subtotal.
    pub discount: Money,
    pub delivery: Money,
    pub total: Money,
}

/// Adds an order up. The delivery fee says in which currency; without a delivery it is zero.
///
/// # Errors
/// When currencies are mixed, a sum does not fit, or a fee, a price or a discount is below zero.
pub fn total(
    lines: &[OrderLine],
    delivery: Money,
    discount: Discount,
) -> Result<Totals, MoneyProblem> {
    let mut subtotal = Money::zero(delivery.currency);
    for line in lines {
        subtotal = subtotal.plus(line.amount()?.not_negative()?)?;
    }
    let off = match discount {
        Discount::None => Money::zero(delivery.currency),
        Discount::Amount { amount } => amount.not_negative()?.at_most(subtotal)?,
        Discount::Percent { percent } => subtotal.percent(percent.min(100))?,
    };
    let total = subtotal.minus(off)?.plus(delivery.not_negative()?)?;
    Ok(Totals {
        subtotal,
        discount: off,
        delivery,
        total,
    })
}
