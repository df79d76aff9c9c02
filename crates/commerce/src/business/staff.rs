//! Who attends customers.

use super::item::{
    CatalogueItem, ItemKind, LONGEST_LINE, LONGEST_NAME, Reference, Warning, few, few_distinct,
    line, optional_line, optional_text, yes,
};
use crate::calendar::{Schedule, Span, WrittenSchedule};
use crate::money::Currency;
use jiff::ToSpan as _;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use quipu_core::BranchId;
use quipu_core::validate::{Checks, Problem};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

const MOST_TIME_OFF: usize = 200;

/// When somebody is away, on the clock of the branch. A date without a time is that whole day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeOff {
    #[schema(value_type = String, example = "2026-12-24T00:00:00")]
    pub from: DateTime,
    /// Until then. A date without a time is the last day away.
    #[serde(deserialize_with = "end")]
    #[schema(value_type = String, example = "2027-01-02T00:00:00")]
    pub to: DateTime,
    /// For the business alone; customers are not told.
    #[serde(default)]
    #[schema(max_length = 300)]
    pub reason: Option<String>,
}

/// Reads an end: whoever is away until a date comes back when that day is over.
fn end<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DateTime, D::Error> {
    let text = String::deserialize(deserializer)?;
    let end: DateTime = text.parse().map_err(serde::de::Error::custom)?;
    if text.contains(':') {
        return Ok(end);
    }
    end.checked_add(1.day()).map_err(serde::de::Error::custom)
}

impl TimeOff {
    /// The instants it lies between. A time that the clock skips is the first after it.
    #[must_use]
    pub fn span(&self, zone: &TimeZone) -> Option<Span> {
        let instant = |at: DateTime| zone.to_ambiguous_timestamp(at).compatible().ok();
        Some(Span {
            start: instant(self.from)?,
            end: instant(self.to)?,
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Staff {
    #[schema(min_length = 1, max_length = 120, example = "Dra. Ana Quispe")]
    pub name: String,
    #[serde(default)]
    #[schema(max_length = 120, example = "Odontóloga")]
    pub role: Option<String>,
    #[serde(default)]
    #[schema(max_length = 120, example = "Ortodoncia")]
    pub specialty: Option<String>,
    /// What customers are told about them.
    #[serde(default)]
    #[schema(max_length = 2000)]
    pub about: Option<String>,
    /// Where they attend.
    #[serde(default)]
    #[schema(max_items = 50)]
    pub branches: Vec<BranchId>,
    /// Their own hours, inside those of the branch. The branch's when absent.
    #[serde(default)]
    pub hours: Option<WrittenSchedule>,
    #[serde(default)]
    #[schema(max_items = 200)]
    pub time_off: Vec<TimeOff>,
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
}

impl Staff {
    /// Their own hours. What was stored was checked, so that nothing is lost here.
    #[must_use]
    pub fn schedule(&self) -> Option<Schedule> {
        let hours = self.hours.as_ref()?;
        Some(hours.read("hours", &mut Checks::new()))
    }
}

impl CatalogueItem for Staff {
    const KIND: ItemKind = ItemKind::Staff;

    fn name(&self) -> &str {
        &self.name
    }

    fn active(&self) -> bool {
        self.active
    }

    fn check(&mut self, _currency: Currency, checks: &mut Checks) {
        line(checks, "name", &mut self.name, LONGEST_NAME);
        optional_line(checks, "role", &mut self.role, LONGEST_NAME);
        optional_line(checks, "specialty", &mut self.specialty, LONGEST_NAME);
        optional_text(checks, "about", self.about.as_deref(), 2_000);
        few_distinct(checks, "branches", &self.branches, 50);
        if let Some(hours) = &self.hours {
            hours.read("hours", checks);
        }
        few(checks, "time_off", self.time_off.len(), MOST_TIME_OFF);
        for (at, off) in self.time_off.iter_mut().take(MOST_TIME_OFF).enumerate() {
            let field = format!("time_off[{at}]");
            if off.to <= off.from {
                checks.problem(&field, Problem::Order);
            }
            optional_line(
                checks,
                &format!("{field}.reason"),
                &mut off.reason,
                LONGEST_LINE,
            );
        }
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

    fn warnings(&self) -> Vec<Warning> {
        if self.branches.is_empty() {
            return vec![Warning::new(
                "no_branch",
                "No atiende en ninguna sucursal: no se puede reservar con esta persona.",
                "Attends at no branch: nothing can be booked with this person.",
            )];
        }
        Vec::new()
    }
}
