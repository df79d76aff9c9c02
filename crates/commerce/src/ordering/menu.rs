//! What can be ordered.

use crate::money::{Currency, Money};
use quipu_core::validate::{Checks, Problem, under};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use utoipa::ToSchema;

const MOST_ITEMS: usize = 1_000;
const MOST_ALIASES: usize = 10;
const MOST_GROUPS: usize = 10;
const MOST_CHOICES: usize = 50;
const LONGEST_NAME: usize = 120;
/// A hundred million of any currency is beyond every menu.
pub const HIGHEST_PRICE: i64 = 10_000_000_000;

/// A menu, a catalogue or a list of services.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Menu {
    /// All prices are in this currency.
    pub currency: Currency,
    #[schema(max_items = 1000)]
    pub items: Vec<MenuItem>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MenuItem {
    #[schema(min_length = 1, max_length = 120)]
    pub id: String,
    #[schema(min_length = 1, max_length = 120)]
    pub name: String,
    /// What people call it besides.
    #[serde(default)]
    #[schema(max_items = 10)]
    pub aliases: Vec<String>,
    /// What kind of thing it is; "tacos de pastor" finds the item "Pastor" of the tacos.
    #[serde(default)]
    #[schema(max_length = 120)]
    pub category: Option<String>,
    pub price: Money,
    #[serde(default = "available")]
    #[schema(default = true)]
    pub available: bool,
    #[serde(default)]
    #[schema(max_items = 10)]
    pub options: Vec<OptionGroup>,
}

/// Something to choose about an item, such as its size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionGroup {
    #[schema(min_length = 1, max_length = 120)]
    pub name: String,
    /// Nothing can be ordered without a choice of this group.
    #[serde(default)]
    pub required: bool,
    /// How few may be chosen, once any is.
    #[serde(default)]
    pub min: u8,
    /// How many may be chosen.
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 50, default = 1)]
    pub max: u8,
    #[schema(min_items = 1, max_items = 50)]
    pub choices: Vec<Choice>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    #[schema(min_length = 1, max_length = 120)]
    pub name: String,
    #[serde(default)]
    #[schema(max_items = 10)]
    pub aliases: Vec<String>,
    /// What it adds to the price of one.
    pub extra: Money,
    #[serde(default = "available")]
    #[schema(default = true)]
    pub available: bool,
}

const fn available() -> bool {
    true
}

const fn one() -> u8 {
    1
}

impl Menu {
    /// The item with this id.
    #[must_use]
    pub fn item(&self, id: &str) -> Option<&MenuItem> {
        self.items.iter().find(|item| item.id == id)
    }

    pub fn check(&self, checks: &mut Checks) {
        count(checks, "items", self.items.len(), 0, MOST_ITEMS);
        let mut ids = HashSet::new();
        for (at, item) in self.items.iter().take(MOST_ITEMS).enumerate() {
            let field = format!("items[{at}]");
            if !ids.insert(item.id.as_str()) {
                checks.problem(&under(&field, "id"), Problem::Duplicate);
            }
            item.check(&field, self.currency, checks);
        }
    }
}

impl MenuItem {
    pub(crate) fn check(&self, field: &str, currency: Currency, checks: &mut Checks) {
        checks.line(&under(field, "id"), &self.id, LONGEST_NAME);
        names(checks, field, &self.name, &self.aliases);
        checks.optional_line(
            &under(field, "category"),
            self.category.as_deref(),
            LONGEST_NAME,
        );
        check_price(checks, &under(field, "price"), self.price, currency);
        count(
            checks,
            &under(field, "options"),
            self.options.len(),
            0,
            MOST_GROUPS,
        );
        for (at, group) in self.options.iter().take(MOST_GROUPS).enumerate() {
            group.check(&under(field, &format!("options[{at}]")), currency, checks);
        }
    }
}

impl OptionGroup {
    /// How few choices an order needs.
    #[must_use]
    pub fn least(&self) -> u8 {
        if self.required { self.min.max(1) } else { 0 }
    }

    fn check(&self, field: &str, currency: Currency, checks: &mut Checks) {
        checks.line(&under(field, "name"), &self.name, LONGEST_NAME);
        let choices = self.choices.len();
        count(checks, &under(field, "choices"), choices, 1, MOST_CHOICES);
        let choices = i64::try_from(choices.clamp(1, MOST_CHOICES)).unwrap_or(1);
        checks.range(&under(field, "max"), self.max.into(), 1, choices);
        checks.range(&under(field, "min"), self.min.into(), 0, self.max.into());
        for (at, choice) in self.choices.iter().take(MOST_CHOICES).enumerate() {
            let field = format!("{field}.choices[{at}]");
            names(checks, &field, &choice.name, &choice.aliases);
            check_price(checks, &under(&field, "extra"), choice.extra, currency);
        }
    }
}

fn names(checks: &mut Checks, field: &str, name: &str, aliases: &[String]) {
    checks.line(&under(field, "name"), name, LONGEST_NAME);
    count(
        checks,
        &under(field, "aliases"),
        aliases.len(),
        0,
        MOST_ALIASES,
    );
    for (at, alias) in aliases.iter().take(MOST_ALIASES).enumerate() {
        checks.line(
            &under(field, &format!("aliases[{at}]")),
            alias,
            LONGEST_NAME,
        );
    }
}

/// Checks that an amount is a price in the currency of the business.
pub fn check_price(checks: &mut Checks, field: &str, price: Money, currency: Currency) {
    checks.range(&under(field, "amount"), price.minor, 0, HIGHEST_PRICE);
    if price.currency != currency {
        let allowed = currency.to_string();
        checks.problem(&under(field, "currency"), Problem::Unknown { allowed });
    }
}

pub(super) fn count(checks: &mut Checks, field: &str, count: usize, min: i64, max: usize) {
    let as_number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    checks.range(field, as_number(count), min, as_number(max));
}
