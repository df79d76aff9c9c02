//! What a business does for its customers.

use super::item::{
    CatalogueItem, ItemKind, LONGEST_LINE, LONGEST_NAME, Reference, Warning, few_distinct, line,
    lines, optional_line, optional_text, yes,
};
use crate::calendar::{BookingTerms, DEFAULT_HORIZON_DAYS, Schedule, WrittenSchedule};
use crate::money::{Currency, Money};
use crate::ordering::check_price;
use jiff::civil::Date;
use quipu_core::language::Language;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{BranchId, StaffId};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// What a booking of a service takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum BookedWith {
    /// One of the staff who do it.
    #[default]
    Staff,
    /// A table with enough seats.
    Table,
    /// A place of the branch, as in a class.
    Branch,
    /// It cannot be booked.
    Nothing,
}

/// A lower price or something extra for some time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Promotion {
    #[schema(min_length = 1, max_length = 300, example = "20 % en noviembre")]
    pub text: String,
    #[serde(default)]
    pub price: Option<Money>,
    /// The first day of it.
    #[serde(default)]
    pub from: Option<Date>,
    /// The last day of it.
    #[serde(default)]
    pub to: Option<Date>,
}

impl Promotion {
    #[must_use]
    pub fn is_on(&self, today: Date) -> bool {
        self.from.is_none_or(|from| from <= today) && self.to.is_none_or(|to| today <= to)
    }

    fn check(&mut self, currency: Currency, checks: &mut Checks) {
        line(checks, "promotion.text", &mut self.text, LONGEST_LINE);
        if let Some(price) = self.price {
            check_price(checks, "promotion.price", price, currency);
        }
        if let (Some(from), Some(to)) = (self.from, self.to)
            && to < from
        {
            checks.problem("promotion.to", Problem::Order);
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Service {
    #[schema(min_length = 1, max_length = 120, example = "Limpieza dental")]
    pub name: String,
    /// What people call it besides.
    #[serde(default)]
    #[schema(max_items = 20)]
    pub aliases: Vec<String>,
    #[serde(default)]
    #[schema(max_length = 120, example = "Prevención")]
    pub category: Option<String>,
    #[serde(default)]
    #[schema(max_length = 4000)]
    pub description: Option<String>,
    /// The price, or the lowest of several. No price when absent: it has to be asked for.
    #[serde(default)]
    pub price_min: Option<Money>,
    /// The highest price; that of `price_min` when absent.
    #[serde(default)]
    pub price_max: Option<Money>,
    /// What the price depends on.
    #[serde(default)]
    #[schema(max_length = 300, example = "según el grado de sarro")]
    pub price_note: Option<String>,
    /// How long it takes, at least 5; `null` or 0 for what takes no time, such as a voucher or a package, which
    /// is sold and cannot be booked by time.
    #[serde(default = "half_an_hour", deserialize_with = "no_time_as_none")]
    #[schema(minimum = 0, maximum = 1440, multiple_of = 5, default = 30)]
    pub duration_minutes: Option<u16>,
    /// Time that is kept free before, such as for preparing the room.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 240, multiple_of = 5, default = 0)]
    pub buffer_before_minutes: u16,
    #[serde(default)]
    #[schema(minimum = 0, maximum = 240, multiple_of = 5, default = 0)]
    pub buffer_after_minutes: u16,
    /// How far apart the starts are, counted from the opening.
    #[serde(default = "quarter_of_an_hour")]
    #[schema(minimum = 5, maximum = 1440, multiple_of = 5, default = 15)]
    pub step_minutes: u16,
    /// How long before its start a booking has to be made, unless it is urgent.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 527_040, default = 0)]
    pub minimum_notice_minutes: u32,
    /// Nobody gets it without having been seen first.
    #[serde(default)]
    pub requires_consultation: bool,
    /// Offered first to whoever cannot wait.
    #[serde(default)]
    pub urgent: bool,
    #[serde(default)]
    pub booked_with: BookedWith,
    /// Who does it.
    #[serde(default)]
    #[schema(max_items = 200)]
    pub staff: Vec<StaffId>,
    /// Where it is done; everywhere when empty.
    #[serde(default)]
    #[schema(max_items = 200)]
    pub branches: Vec<BranchId>,
    /// When it is done, if not always.
    #[serde(default)]
    pub hours: Option<WrittenSchedule>,
    #[serde(default)]
    pub promotion: Option<Promotion>,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "it is the default of a field that may be null"
)]
const fn half_an_hour() -> Option<u16> {
    Some(30)
}

/// Spreadsheets and forms write a nought where there is nothing.
fn no_time_as_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    let minutes = Option::<u16>::deserialize(deserializer)?;
    Ok(minutes.filter(|minutes| *minutes > 0))
}

const fn quarter_of_an_hour() -> u16 {
    15
}

impl Service {
    /// What a booking of it takes: nothing that there is, where it takes no time.
    #[must_use]
    pub const fn books(&self) -> BookedWith {
        match self.duration_minutes {
            Some(_) => self.booked_with,
            None => BookedWith::Nothing,
        }
    }

    /// Whether it is sold like what can be booked, and only takes no time.
    #[must_use]
    pub fn lacks_duration(&self) -> bool {
        self.duration_minutes.is_none() && self.booked_with != BookedWith::Nothing
    }

    /// How it is booked. How far ahead is a matter of the whole business.
    #[must_use]
    pub fn terms(&self) -> BookingTerms {
        let usual = BookingTerms::default().duration_minutes;
        BookingTerms {
            duration_minutes: self.duration_minutes.unwrap_or(usual),
            buffer_before_minutes: self.buffer_before_minutes,
            buffer_after_minutes: self.buffer_after_minutes,
            step_minutes: self.step_minutes,
            minimum_notice_minutes: self.minimum_notice_minutes,
            horizon_days: DEFAULT_HORIZON_DAYS,
        }
    }

    #[must_use]
    pub fn schedule(&self) -> Option<Schedule> {
        let hours = self.hours.as_ref()?;
        Some(hours.read("hours", &mut Checks::new()))
    }

    /// Whether it is done at a branch.
    #[must_use]
    pub fn is_done_at(&self, branch: BranchId) -> bool {
        self.branches.is_empty() || self.branches.contains(&branch)
    }

    /// The least and the most that it costs for whoever books it on a day.
    #[must_use]
    pub fn prices_on(&self, today: Date) -> (Option<Money>, Option<Money>) {
        let promotion = self.promotion.as_ref();
        let promotion = promotion.filter(|promotion| promotion.is_on(today));
        match promotion.and_then(|promotion| promotion.price) {
            Some(price) => (Some(price), self.price_max.map(|_| price)),
            None => (self.price_min, self.price_max),
        }
    }

    /// The price as a customer reads it: one amount, a range, or nothing when it has to be asked for.
    #[must_use]
    pub fn price_range(&self, language: Language) -> Option<String> {
        let least = self.price_min.or(self.price_max)?;
        let most = self.price_max.unwrap_or(least);
        Some(if least == most {
            least.format(language)
        } else {
            format!("{} - {}", least.format(language), most.format(language))
        })
    }
}

impl CatalogueItem for Service {
    const KIND: ItemKind = ItemKind::Service;
    const NULLABLE: &'static [&'static str] = &["duration_minutes"];

    fn name(&self) -> &str {
        &self.name
    }

    fn active(&self) -> bool {
        self.active
    }

    fn check(&mut self, currency: Currency, checks: &mut Checks) {
        line(checks, "name", &mut self.name, LONGEST_NAME);
        lines(checks, "aliases", &mut self.aliases, 20, LONGEST_NAME);
        optional_line(checks, "category", &mut self.category, LONGEST_NAME);
        optional_text(checks, "description", self.description.as_deref(), 4_000);
        optional_line(checks, "price_note", &mut self.price_note, LONGEST_LINE);
        for (field, price) in [("price_min", self.price_min), ("price_max", self.price_max)] {
            if let Some(price) = price {
                check_price(checks, field, price, currency);
            }
        }
        if let (Some(least), Some(most)) = (self.price_min, self.price_max)
            && most.minor < least.minor
        {
            checks.problem("price_max", Problem::BelowMinimum);
        }
        self.terms().check("", checks);
        few_distinct(checks, "staff", &self.staff, 200);
        few_distinct(checks, "branches", &self.branches, 200);
        if let Some(hours) = &self.hours {
            hours.read("hours", checks);
        }
        if let Some(promotion) = &mut self.promotion {
            promotion.check(currency, checks);
        }
    }

    fn references(&self) -> Vec<Reference> {
        vec![
            Reference {
                field: "staff",
                kind: ItemKind::Staff,
                ids: self.staff.iter().map(|id| id.uuid()).collect(),
            },
            Reference {
                field: "branches",
                kind: ItemKind::Branch,
                ids: self.branches.iter().map(|id| id.uuid()).collect(),
            },
        ]
    }

    fn forget(&mut self, id: Uuid) -> bool {
        let before = self.staff.len() + self.branches.len();
        self.staff.retain(|staff| staff.uuid() != id);
        self.branches.retain(|branch| branch.uuid() != id);
        self.staff.len() + self.branches.len() < before
    }

    fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.lacks_duration() {
            warnings.push(Warning::new(
                "no_duration",
                "No tiene duración: se vende, pero no se puede reservar por hora.",
                "It has no duration: it is sold, but cannot be booked by time.",
            ));
        }
        if self.books() == BookedWith::Staff && self.staff.is_empty() {
            warnings.push(Warning::new(
                "no_staff",
                "Nadie presta este servicio: no se puede reservar.",
                "Nobody does this service: it cannot be booked.",
            ));
        }
        if self.price_min.is_none() && self.price_max.is_none() {
            warnings.push(Warning::new(
                "no_price",
                "No tiene precio: el agente no puede cotizarlo.",
                "It has no price: the agent cannot quote it.",
            ));
        }
        let dearest = self.price_max.or(self.price_min);
        let promotion = self.promotion.as_ref();
        if let (Some(price), Some(promoted)) = (dearest, promotion.and_then(|it| it.price))
            && promoted.minor > price.minor
        {
            warnings.push(Warning::new(
                "promotion_dearer",
                "El precio de la promoción es mayor que el precio normal.",
                "The price of the promotion is higher than the usual price.",
            ));
        }
        warnings
    }
}
