//! Where a business receives people.

use super::item::{
    CatalogueItem, ItemKind, LONGEST_LINE, LONGEST_NAME, Reference, Warning, address, few, line,
    optional_line, optional_text, phone, yes,
};
use crate::calendar::{Schedule, WrittenSchedule};
use crate::money::Currency;
use jiff::tz::TimeZone;
use quipu_core::BranchId;
use quipu_core::validate::Checks;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    #[schema(min_length = 1, max_length = 120, example = "Miraflores")]
    pub name: String,
    #[serde(default)]
    #[schema(max_length = 300, example = "Av. Larco 345, piso 2")]
    pub address: Option<String>,
    #[serde(default)]
    #[schema(max_length = 120, example = "Lima")]
    pub city: Option<String>,
    #[serde(default)]
    #[schema(max_items = 5)]
    pub phones: Vec<String>,
    #[serde(default)]
    #[schema(max_length = 40)]
    pub whatsapp: Option<String>,
    #[serde(default)]
    #[schema(max_length = 254)]
    pub email: Option<String>,
    #[serde(default)]
    #[schema(max_length = 500)]
    pub maps_url: Option<String>,
    /// How to get there, where to park and whatever else a visitor asks.
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub directions: Option<String>,
    #[serde(default)]
    pub hours: WrittenSchedule,
    /// The tenant's when absent.
    #[serde(default)]
    #[schema(max_length = 64, example = "America/Lima")]
    pub time_zone: Option<String>,
    /// How many bookings the branch itself takes at once, for what nobody in particular attends.
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 1000, default = 1)]
    pub capacity: u16,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

const fn one() -> u16 {
    1
}

impl Branch {
    /// Its hours. What was stored was checked, so that nothing is lost here.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        self.hours.read("hours", &mut Checks::new())
    }

    /// Its time zone, or the tenant's.
    #[must_use]
    pub fn zone(&self, tenant: &TimeZone) -> TimeZone {
        let own = self.time_zone.as_deref();
        own.and_then(|name| TimeZone::get(name).ok())
            .unwrap_or_else(|| tenant.clone())
    }
}

impl CatalogueItem for Branch {
    const KIND: ItemKind = ItemKind::Branch;

    fn name(&self) -> &str {
        &self.name
    }

    fn active(&self) -> bool {
        self.active
    }

    fn check(&mut self, _currency: Currency, checks: &mut Checks) {
        line(checks, "name", &mut self.name, LONGEST_NAME);
        optional_line(checks, "address", &mut self.address, LONGEST_LINE);
        optional_line(checks, "city", &mut self.city, LONGEST_NAME);
        few(checks, "phones", self.phones.len(), 5);
        for (at, number) in self.phones.iter().take(5).enumerate() {
            phone(checks, &format!("phones[{at}]"), number);
        }
        if let Some(number) = &self.whatsapp {
            phone(checks, "whatsapp", number);
        }
        if let Some(email) = &mut self.email {
            *email = checks.email("email", email);
        }
        address(checks, "maps_url", &mut self.maps_url);
        optional_text(checks, "directions", self.directions.as_deref(), 2_000);
        self.hours.read("hours", checks);
        if let Some(zone) = &self.time_zone {
            checks.time_zone("time_zone", zone);
        }
        checks.range("capacity", self.capacity.into(), 1, 1_000);
    }

    fn warnings(&self) -> Vec<Warning> {
        if self.schedule() == Schedule::default() {
            return vec![Warning::new(
                "no_hours",
                "La sucursal no tiene horario: no se puede reservar en ella.",
                "The branch has no hours: nothing can be booked there.",
            )];
        }
        Vec::new()
    }
}

/// A table of a restaurant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    #[schema(min_length = 1, max_length = 120, example = "Mesa 4")]
    pub name: String,
    pub branch_id: BranchId,
    #[schema(minimum = 1, maximum = 100)]
    pub seats: u16,
    /// Where it stands, such as the terrace.
    #[serde(default)]
    #[schema(max_length = 120)]
    pub area: Option<String>,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

impl CatalogueItem for Table {
    const KIND: ItemKind = ItemKind::Table;

    fn name(&self) -> &str {
        &self.name
    }

    fn active(&self) -> bool {
        self.active
    }

    fn check(&mut self, _currency: Currency, checks: &mut Checks) {
        line(checks, "name", &mut self.name, LONGEST_NAME);
        optional_line(checks, "area", &mut self.area, LONGEST_NAME);
        checks.range("seats", self.seats.into(), 1, 100);
    }

    fn references(&self) -> Vec<Reference> {
        vec![Reference {
            field: "branch_id",
            kind: ItemKind::Branch,
            ids: vec![self.branch_id.uuid()],
        }]
    }
}
