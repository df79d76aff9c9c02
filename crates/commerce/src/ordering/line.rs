//! What became of each thing that was ordered.

use super::menu::MenuItem;
use super::quantity::QuantityProblem;
use crate::money::{Money, MoneyProblem};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An item of the menu, by what programs and what people know it by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ItemReference {
    pub id: String,
    pub name: String,
}

impl From<&MenuItem> for ItemReference {
    fn from(item: &MenuItem) -> Self {
        Self {
            id: item.id.clone(),
            name: item.name.clone(),
        }
    }
}

/// A choice that was made about an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChosenOption {
    pub group: String,
    pub choice: String,
    pub extra: Money,
}

/// A line that can be prepared and paid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OrderLine {
    pub item: ItemReference,
    #[schema(minimum = 1, maximum = 99)]
    pub quantity: u32,
    /// The price of one without its options.
    pub price: Money,
    pub options: Vec<ChosenOption>,
    /// What was said besides, in the customer's words: "sin cebolla".
    pub notes: Vec<String>,
}

impl OrderLine {
    /// What one costs with its options.
    ///
    /// # Errors
    /// When currencies are mixed or the sum does not fit.
    pub fn unit_price(&self) -> Result<Money, MoneyProblem> {
        let mut extras = self.options.iter().map(|option| option.extra);
        extras.try_fold(self.price, Money::plus)
    }

    /// What the line costs.
    ///
    /// # Errors
    /// When currencies are mixed or the sum does not fit.
    pub fn amount(&self) -> Result<Money, MoneyProblem> {
        self.unit_price()?.times(self.quantity)
    }
}

/// One thing that was ordered: understood, or with what has to be asked back, for which
/// [`question`](Self::question) has a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Line {
    Matched(OrderLine),
    /// Several things fit equally well, or only things that were not quite named.
    Ambiguous {
        said: String,
        /// Best first, at most five, and only those that are available when any is.
        candidates: Vec<ItemReference>,
        quantity: u32,
        notes: Vec<String>,
    },
    /// The thing is known and cannot be had at the moment.
    Unavailable {
        item: ItemReference,
        quantity: u32,
    },
    /// Nothing on the menu fits.
    Unknown {
        said: String,
        /// What comes near, at most three.
        near: Vec<ItemReference>,
        quantity: u32,
        notes: Vec<String>,
    },
    /// A choice that must be made is missing, or more was chosen than there may be.
    MissingOption {
        item: ItemReference,
        group: String,
        choices: Vec<String>,
        /// The most that can be chosen.
        at_most: u8,
        quantity: u32,
        /// What was chosen of the other groups.
        options: Vec<ChosenOption>,
        notes: Vec<String>,
    },
    /// So many cannot be ordered.
    WrongQuantity {
        said: String,
        item: Option<ItemReference>,
        problem: QuantityProblem,
    },
}

impl Line {
    /// The line as it can be paid, when nothing is left to ask.
    #[must_use]
    pub const fn matched(&self) -> Option<&OrderLine> {
        match self {
            Self::Matched(line) => Some(line),
            _ => None,
        }
    }
}
