//! What there is one of in each business.

use super::item::{
    LONGEST_LINE, LONGEST_NAME, address, few, lines, optional_line, optional_text, phone,
};
use crate::calendar::{DEFAULT_HORIZON_DAYS, LONGEST_HORIZON_DAYS};
use crate::loyalty::EarningRules;
use crate::money::{Currency, Money};
use crate::ordering::check_price;
use quipu_core::validate::{Checks, Problem};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How orders are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct OrderTerms {
    pub pickup: bool,
    pub delivery: bool,
    /// How long an order takes until it is ready.
    #[schema(minimum = 0, maximum = 1440)]
    pub preparation_minutes: u16,
    /// What an order must come to.
    pub minimum: Option<Money>,
}

impl Default for OrderTerms {
    fn default() -> Self {
        Self {
            pickup: true,
            delivery: false,
            preparation_minutes: 30,
            minimum: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BusinessProfile {
    /// What the business is, in a few sentences.
    #[schema(max_length = 4000)]
    pub description: Option<String>,
    #[schema(max_length = 300)]
    pub slogan: Option<String>,
    #[schema(max_length = 40)]
    pub phone: Option<String>,
    #[schema(max_length = 40)]
    pub whatsapp: Option<String>,
    #[schema(max_length = 254)]
    pub email: Option<String>,
    #[schema(max_length = 500)]
    pub website: Option<String>,
    /// Where else it is found, such as "instagram.com/clinica".
    #[schema(max_items = 10)]
    pub social: Vec<String>,
    #[schema(max_items = 20)]
    pub payment_methods: Vec<String>,
    /// All its prices are in this currency. That of the tenant's country when absent.
    pub currency: Option<Currency>,
    /// How long a slot is kept for somebody who has not confirmed yet.
    #[schema(minimum = 1, maximum = 1440, default = 10)]
    pub hold_minutes: u16,
    /// How many days ahead customers may book.
    #[schema(minimum = 1, maximum = 730, default = 365)]
    pub booking_horizon_days: u16,
    /// How long before an appointment the customer is reminded, each time.
    #[schema(max_items = 5)]
    pub reminder_minutes: Vec<u32>,
    pub orders: OrderTerms,
}

impl Default for BusinessProfile {
    fn default() -> Self {
        Self {
            description: None,
            slogan: None,
            phone: None,
            whatsapp: None,
            email: None,
            website: None,
            social: Vec::new(),
            payment_methods: Vec::new(),
            currency: None,
            hold_minutes: 10,
            booking_horizon_days: DEFAULT_HORIZON_DAYS,
            reminder_minutes: vec![24 * 60, 2 * 60],
            orders: OrderTerms::default(),
        }
    }
}

impl BusinessProfile {
    /// The currency of its prices, given the locale of the tenant, such as `es-PE`.
    #[must_use]
    pub fn currency(&self, locale: &str) -> Currency {
        self.currency.unwrap_or_else(|| Currency::of_locale(locale))
    }

    pub fn check(&mut self, currency: Currency, checks: &mut Checks) {
        optional_text(checks, "description", self.description.as_deref(), 4_000);
        optional_line(checks, "slogan", &mut self.slogan, LONGEST_LINE);
        for (field, number) in [("phone", &self.phone), ("whatsapp", &self.whatsapp)] {
            if let Some(number) = number {
                phone(checks, field, number);
            }
        }
        if let Some(email) = &mut self.email {
            *email = checks.email("email", email);
        }
        address(checks, "website", &mut self.website);
        lines(checks, "social", &mut self.social, 10, LONGEST_LINE);
        lines(
            checks,
            "payment_methods",
            &mut self.payment_methods,
            20,
            LONGEST_NAME,
        );
        checks.range("hold_minutes", self.hold_minutes.into(), 1, 1_440);
        let horizon = self.booking_horizon_days.into();
        let longest = LONGEST_HORIZON_DAYS.into();
        checks.range("booking_horizon_days", horizon, 1, longest);
        few(checks, "reminder_minutes", self.reminder_minutes.len(), 5);
        for minutes in &self.reminder_minutes {
            checks.range("reminder_minutes", (*minutes).into(), 5, 30 * 24 * 60);
        }
        let minutes = self.orders.preparation_minutes;
        checks.range("orders.preparation_minutes", minutes.into(), 0, 1_440);
        if let Some(minimum) = self.orders.minimum {
            check_price(checks, "orders.minimum", minimum, currency);
        }
    }
}

/// How agents are told what the business has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Prompting {
    /// Everything in the prompt of every turn, as it was before agents looked things up.
    pub legacy_prompt: bool,
}

/// How customers collect tokens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoyaltyProgramme {
    #[schema(min_length = 1, max_length = 120, example = "Club Sonrisa")]
    pub name: String,
    /// What one token is called.
    #[serde(default = "points")]
    #[schema(min_length = 1, max_length = 40, default = "puntos")]
    pub token_name: String,
    #[serde(default)]
    pub earning: EarningRules,
    #[serde(default = "super::item::yes")]
    #[schema(default = true)]
    pub active: bool,
}

fn points() -> String {
    "puntos".to_owned()
}

impl LoyaltyProgramme {
    pub fn check(&mut self, currency: Currency, checks: &mut Checks) {
        self.name = checks.line("name", &self.name, LONGEST_NAME);
        self.token_name = checks.line("token_name", &self.token_name, 40);
        self.earning.check("earning", checks);
        if let Some(rule) = self.earning.spend
            && rule.every.currency != currency
        {
            let allowed = currency.to_string();
            checks.problem("earning.spend.every.currency", Problem::Unknown { allowed });
        }
    }
}
