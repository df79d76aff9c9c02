//! What a business sells.

use super::item::{
    CatalogueItem, ItemKind, LONGEST_NAME, Reference, address, few_distinct, line, lines,
    optional_line, optional_text, tags, yes,
};
use crate::money::{Currency, Money};
use crate::ordering::{MenuItem, OptionGroup, Zone};
use quipu_core::BranchId;
use quipu_core::validate::Checks;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A part of the menu.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MenuCategory {
    #[schema(min_length = 1, max_length = 120, example = "Tacos")]
    pub name: String,
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub description: Option<String>,
    /// Lower numbers come first.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 10_000)]
    pub position: i32,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

impl CatalogueItem for MenuCategory {
    const KIND: ItemKind = ItemKind::MenuCategory;

    fn name(&self) -> &str {
        &self.name
    }

    fn active(&self) -> bool {
        self.active
    }

    fn position(&self) -> i32 {
        self.position
    }

    fn check(&mut self, _currency: Currency, checks: &mut Checks) {
        line(checks, "name", &mut self.name, LONGEST_NAME);
        optional_text(checks, "description", self.description.as_deref(), 2_000);
        checks.range("position", self.position.into(), 0, 10_000);
    }
}

/// One thing that can be ordered: a dish, a drink, a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MenuItemData)]
pub struct Dish {
    #[schema(min_length = 1, max_length = 120, example = "Taco al pastor")]
    pub name: String,
    /// What people call it besides.
    #[serde(default)]
    #[schema(max_items = 10)]
    pub aliases: Vec<String>,
    /// What kind of thing it is; "tacos de pastor" finds the item "Pastor" of the tacos.
    #[serde(default)]
    #[schema(max_length = 120, example = "Tacos")]
    pub category: Option<String>,
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub description: Option<String>,
    pub price: Money,
    #[serde(default)]
    #[schema(max_items = 10)]
    pub options: Vec<OptionGroup>,
    #[serde(default)]
    #[schema(max_items = 20)]
    pub allergens: Vec<String>,
    #[serde(default)]
    #[schema(max_items = 20)]
    pub tags: Vec<String>,
    #[serde(default)]
    #[schema(max_length = 500)]
    pub image_url: Option<String>,
    /// Where it is sold; everywhere when empty.
    #[serde(default)]
    #[schema(max_items = 200)]
    pub branches: Vec<BranchId>,
    /// Whether it can be had today.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub available: bool,
    /// Lower numbers come first.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 10_000)]
    pub position: i32,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

impl Dish {
    /// It as orders are read against it.
    #[must_use]
    pub fn menu_item(&self, id: Uuid) -> MenuItem {
        MenuItem {
            id: id.to_string(),
            name: self.name.clone(),
            aliases: self.aliases.clone(),
            category: self.category.clone(),
            price: self.price,
            available: self.available,
            options: self.options.clone(),
        }
    }

    #[must_use]
    pub fn is_sold_at(&self, branch: BranchId) -> bool {
        self.branches.is_empty() || self.branches.contains(&branch)
    }
}

impl CatalogueItem for Dish {
    const KIND: ItemKind = ItemKind::Dish;

    fn name(&self) -> &str {
        &self.name
    }

    fn active(&self) -> bool {
        self.active
    }

    fn position(&self) -> i32 {
        self.position
    }

    fn check(&mut self, currency: Currency, checks: &mut Checks) {
        line(checks, "name", &mut self.name, LONGEST_NAME);
        lines(checks, "aliases", &mut self.aliases, 10, LONGEST_NAME);
        optional_line(checks, "category", &mut self.category, LONGEST_NAME);
        optional_text(checks, "description", self.description.as_deref(), 2_000);
        self.menu_item(Uuid::nil()).check("", currency, checks);
        lines(checks, "allergens", &mut self.allergens, 20, LONGEST_NAME);
        tags(checks, &mut self.tags);
        address(checks, "image_url", &mut self.image_url);
        few_distinct(checks, "branches", &self.branches, 200);
        checks.range("position", self.position.into(), 0, 10_000);
    }

    fn references(&self) -> Vec<Reference> {
        vec![Reference {
            field: "branches",
            kind: ItemKind::Branch,
            ids: self.branches.iter().map(|id| id.uuid()).collect(),
        }]
    }

    fn forget(&mut self, id: Uuid) -> bool {
        let before = self.branches.len();
        self.branches.retain(|branch| branch.uuid() != id);
        self.branches.len() < before
    }
}

/// A part of the town that orders are brought to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeliveryZone {
    #[schema(min_length = 1, max_length = 120, example = "Roma Norte")]
    pub name: String,
    /// Other names of it, and of the districts and neighbourhoods inside it.
    #[serde(default)]
    #[schema(max_items = 20)]
    pub aliases: Vec<String>,
    pub fee: Money,
    /// What the things ordered must come to.
    #[serde(default)]
    pub minimum: Option<Money>,
    /// How long the way takes.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1440)]
    pub minutes: Option<u16>,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

impl DeliveryZone {
    #[must_use]
    pub fn zone(&self) -> Zone {
        Zone {
            name: self.name.clone(),
            aliases: self.aliases.clone(),
            fee: self.fee,
            minimum: self.minimum,
            minutes: self.minutes,
        }
    }
}

impl CatalogueItem for DeliveryZone {
    const KIND: ItemKind = ItemKind::DeliveryZone;

    fn name(&self) -> &str {
        &self.name
    }

    fn active(&self) -> bool {
        self.active
    }

    fn check(&mut self, currency: Currency, checks: &mut Checks) {
        line(checks, "name", &mut self.name, LONGEST_NAME);
        lines(checks, "aliases", &mut self.aliases, 20, LONGEST_NAME);
        self.zone().check("", currency, checks);
    }
}
