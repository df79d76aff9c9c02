//! What can still be booked.

use crate::{Actor, App, catalogue, profile};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span as Days, ToSpan as _};
use quipu_core::access::Permission;
use quipu_core::business::{Agenda, BookedWith, Item, Premises, Service, resource_id};
use quipu_core::calendar::{AvailabilityQuery, Bookable, Slot, Span};
use quipu_core::validate::{Checks, Problem};
use quipu_core::{BranchId, Error, Result, StaffId, TableId, Timestamp};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use std::fmt;
use utoipa::ToSchema;
use uuid::Uuid;

const DEFAULT_DAYS: u16 = 7;
const FIRST_STRETCH_HOURS: i64 = 3 * 24;
const MOST_DAYS: i64 = 90;
const DEFAULT_SLOTS: u16 = 50;
const MOST_SLOTS: i64 = 500;

/// What is asked for. Everything may be left out.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Wanted {
    pub service_id: Option<Uuid>,
    pub branch_id: Option<BranchId>,
    pub staff_id: Option<StaffId>,
    /// The first day, on the clock of the business. Today when absent.
    pub date: Option<Date>,
    /// How many days: one when a date is given, else seven.
    pub days: Option<u16>,
    /// How many people come.
    pub party: Option<u16>,
    pub limit: Option<u16>,
    /// For whoever cannot wait: no notice is needed.
    pub urgent: bool,
}

/// A time that can be booked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FreeSlot {
    /// What an appointment can be made with.
    pub slot_id: String,
    /// On the clock of the branch.
    #[schema(example = "2026-11-20")]
    pub date: Date,
    #[schema(example = "10:30")]
    pub time: String,
    pub starts_at: Timestamp,
    pub ends_at: Timestamp,
    pub branch_id: BranchId,
    pub branch_name: String,
    pub staff_id: Option<StaffId>,
    pub staff_name: Option<String>,
    pub table_id: Option<TableId>,
    pub table_name: Option<String>,
    pub available: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Availability {
    pub service_id: Option<Uuid>,
    pub service_name: Option<String>,
    pub time_zone: String,
    pub slots: Vec<FreeSlot>,
    /// Why nothing is free, when nothing is.
    pub reason: Option<NoSlots>,
}

/// Why there is nothing to offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoSlots {
    /// Nobody does it there, or it cannot be booked.
    NotBookable,
    /// Everything is taken or closed in those days.
    Full,
}

/// # Errors
/// `NOT_FOUND` for a service, branch or person that is not there, `VALIDATION_FAILED`.
pub async fn find(app: &App, actor: &Actor, wanted: &Wanted) -> Result<Availability> {
    actor.require(Permission::BusinessRead)?;
    let tx = app.store.read(actor.scope()).await?;
    find_in(&tx, actor, wanted).await
}

pub(crate) async fn find_in(tx: &TenantTx, actor: &Actor, wanted: &Wanted) -> Result<Availability> {
    check(wanted)?;
    let asked = Asked::load(
        tx,
        actor,
        wanted.service_id,
        wanted.branch_id,
        wanted.staff_id,
    )
    .await?;
    let mut agenda = asked.agenda.clone();
    if wanted.urgent {
        agenda.waive_notice();
    }
    let answer = |slots: Vec<FreeSlot>, reason| Availability {
        service_id: asked.service.as_ref().map(|service| service.id),
        service_name: asked
            .service
            .as_ref()
            .map(|service| service.data.name.clone()),
        time_zone: actor.tenant().time_zone.clone(),
        slots,
        reason,
    };
    if agenda.is_empty() {
        return Ok(answer(Vec::new(), Some(NoSlots::NotBookable)));
    }
    let query = asked.query(tx.now(), wanted);
    let slots = look_through(tx, &mut agenda, &query).await?;
    let slots: Vec<FreeSlot> = slots.iter().map(|slot| asked.show(slot)).collect();
    let reason = slots.is_empty().then_some(NoSlots::Full);
    Ok(answer(slots, reason))
}

/// Looks through the days a stretch at a time, each twice as long as the one before: whoever asks
/// for the next few slots does not wait for the bookings of three months to be read.
async fn look_through(
    tx: &TenantTx,
    agenda: &mut Agenda,
    query: &AvailabilityQuery,
) -> Result<Vec<Slot>> {
    let resources = agenda.resource_ids();
    let mut slots = Vec::new();
    let mut stretch = AvailabilityQuery {
        to: query.from,
        ..query.clone()
    };
    let mut hours = FIRST_STRETCH_HOURS;
    while stretch.to < query.to && slots.len() < query.limit {
        stretch.from = stretch.to;
        let days = Span {
            start: stretch.from,
            end: stretch.from,
        };
        stretch.to = days.widened(0, hours).end.min(query.to);
        stretch.limit = query.limit - slots.len();
        let between = Span {
            start: stretch.from,
            end: stretch.to,
        };
        // A booking that begins before the stretch may last into it.
        let between = between.widened(48, 48);
        let busy = tx.appointments().busy(&resources, between, None).await?;
        agenda.fill(&busy);
        slots.extend(agenda.slots(&stretch));
        hours *= 2;
    }
    Ok(slots)
}

fn check(wanted: &Wanted) -> Result<()> {
    let mut checks = Checks::new();
    let mut range = |field: &str, value: Option<u16>, max: i64| {
        if let Some(value) = value {
            checks.range(field, value.into(), 1, max);
        }
    };
    range("days", wanted.days, MOST_DAYS);
    range("limit", wanted.limit, MOST_SLOTS);
    range("party", wanted.party, 1_000);
    if wanted
        .date
        .is_some_and(|date| !(2000..=2200).contains(&date.year()))
    {
        checks.problem(
            "date",
            Problem::Range {
                min: 2000,
                max: 2200,
            },
        );
    }
    checks.finish()
}

/// What the catalogue has for a question about bookings.
pub(crate) struct Asked {
    pub(crate) service: Option<Item<Service>>,
    pub(crate) premises: Premises,
    pub(crate) agenda: Agenda,
    zone: TimeZone,
}

impl Asked {
    /// Reads what is needed and keeps what was asked for.
    pub(crate) async fn load(
        tx: &TenantTx,
        actor: &Actor,
        service: Option<Uuid>,
        branch: Option<BranchId>,
        staff: Option<StaffId>,
    ) -> Result<Self> {
        let premises = catalogue::premises(tx).await?;
        if branch.is_some_and(|id| premises.branch(id).is_none()) {
            return Err(Error::not_found("branch"));
        }
        if staff.is_some_and(|id| premises.staff_member(id).is_none()) {
            return Err(Error::not_found("staff"));
        }
        let service = match service {
            Some(id) => Some(catalogue::load::<Service>(tx, id).await?),
            None => only_service(catalogue::active(tx).await?, staff),
        };
        let zone = profile::time_zone(actor);
        let data = service.as_ref().map(|service| &service.data);
        let mut agenda = Agenda::new(data.filter(|data| data.active), &premises, &zone);
        if data.is_some_and(|data| !data.active) {
            agenda.retain(|_| false);
        }
        agenda.retain(|what| {
            let here = branch.is_none_or(|branch| what.branch() == branch);
            let who = match what {
                Bookable::Staff { staff, .. } => Some(staff),
                Bookable::Table { .. } | Bookable::Branch { .. } => None,
            };
            here && staff.is_none_or(|staff| who == Some(staff))
        });
        Ok(Self {
            service,
            premises,
            agenda,
            zone,
        })
    }

    /// The clock that dates and times without a zone are meant on.
    pub(crate) fn zone(&self) -> &TimeZone {
        self.agenda.zones().next().unwrap_or(&self.zone)
    }

    fn query(&self, now: Timestamp, wanted: &Wanted) -> AvailabilityQuery {
        let zone = self.zone();
        let midnight = |date: Date| {
            let start = date.to_datetime(jiff::civil::Time::midnight());
            zone.to_ambiguous_timestamp(start)
                .compatible()
                .unwrap_or(now)
        };
        let today = now.to_zoned(zone.clone()).date();
        let first = wanted.date.unwrap_or(today);
        let default = if wanted.date.is_some() {
            1
        } else {
            DEFAULT_DAYS
        };
        let days = i64::from(wanted.days.unwrap_or(default));
        let span: Days = days.days();
        AvailabilityQuery {
            from: midnight(first),
            to: midnight(first.saturating_add(span)),
            now,
            limit: wanted.limit.unwrap_or(DEFAULT_SLOTS).into(),
            party: wanted.party.unwrap_or(1),
            staff: None,
            branch: None,
        }
    }

    fn show(&self, slot: &Slot) -> FreeSlot {
        let branch_id = slot.resource.branch();
        let zone = self.agenda.zone(branch_id).unwrap_or(&self.zone);
        let local = slot.start.to_zoned(zone.clone());
        let names = Names::of(&self.premises, slot.resource);
        FreeSlot {
            slot_id: SlotId {
                start: slot.start,
                branch: branch_id,
                resource: resource_id(slot.resource),
                service: self.service.as_ref().map(|service| service.id),
            }
            .to_string(),
            date: local.date(),
            time: local.strftime("%H:%M").to_string(),
            starts_at: slot.start,
            ends_at: slot.end,
            branch_id,
            branch_name: names.branch,
            staff_id: names.staff.as_ref().map(|(id, _)| *id),
            staff_name: names.staff.map(|(_, name)| name),
            table_id: names.table.as_ref().map(|(id, _)| *id),
            table_name: names.table.map(|(_, name)| name),
            available: true,
        }
    }
}

/// Where nothing is said about the service, the only one that can be booked is meant.
fn only_service(services: Vec<Item<Service>>, staff: Option<StaffId>) -> Option<Item<Service>> {
    let bookable = |service: &Item<Service>| match service.data.booked_with {
        BookedWith::Nothing => false,
        BookedWith::Staff => staff.map_or(!service.data.staff.is_empty(), |staff| {
            service.data.staff.contains(&staff)
        }),
        BookedWith::Table | BookedWith::Branch => staff.is_none(),
    };
    let mut bookable = services.into_iter().filter(bookable);
    let only = bookable.next()?;
    bookable.next().is_none().then_some(only)
}

/// What people call the parts of a booking.
pub(crate) struct Names {
    pub(crate) branch: String,
    pub(crate) staff: Option<(StaffId, String)>,
    pub(crate) table: Option<(TableId, String)>,
}

impl Names {
    pub(crate) fn of(premises: &Premises, what: Bookable) -> Self {
        let branch = premises.branch(what.branch());
        let branch = branch.map(|branch| branch.data.name.clone());
        let (mut staff, mut table) = (None, None);
        match what {
            Bookable::Staff { staff: id, .. } => {
                let found = premises.staff_member(id);
                staff = found.map(|found| (id, found.data.name.clone()));
            }
            Bookable::Table { table: id, .. } => {
                let found = premises.table(id);
                table = found.map(|found| (id, found.data.name.clone()));
            }
            Bookable::Branch { .. } => {}
        }
        Self {
            branch: branch.unwrap_or_default(),
            staff,
            table,
        }
    }
}

/// What a slot stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotId {
    pub(crate) start: Timestamp,
    pub(crate) branch: BranchId,
    /// The person, table or branch.
    pub(crate) resource: Uuid,
    pub(crate) service: Option<Uuid>,
}

/// A slot as a text that a model can hand back. It promises nothing: what it names is looked up
/// and checked like everything else that is asked for.
impl fmt::Display for SlotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (branch, resource) = (self.branch.uuid().simple(), self.resource.simple());
        write!(f, "{}.{branch}.{resource}", self.start.as_second())?;
        match self.service {
            Some(service) => write!(f, ".{}", service.simple()),
            None => Ok(()),
        }
    }
}

impl SlotId {
    /// `None` when the text is no slot.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('.');
        let start = Timestamp::from_second(parts.next()?.parse().ok()?).ok()?;
        let mut id = || parts.next().map(Uuid::try_parse);
        let read = Self {
            start,
            branch: id()?.ok()?.into(),
            resource: id()?.ok()?,
            service: id().transpose().ok()?,
        };
        parts.next().is_none().then_some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slot_ids_are_read_back_and_made_up_ones_are_not() {
        let start = Timestamp::from_second(1_800_000_000).unwrap();
        for service in [None, Some(Uuid::from_u128(7))] {
            let slot = SlotId {
                start,
                branch: BranchId::generate(start),
                resource: Uuid::from_u128(5),
                service,
            };
            assert_eq!(SlotId::read(&slot.to_string()), Some(slot));
            assert_eq!(SlotId::read(&format!("{slot}.more.and.more")), None);
        }
        for made_up in ["", "slot_1", "2026-11-20T10:00", "1.2.3", "1800000000.x.y"] {
            assert_eq!(SlotId::read(made_up), None, "{made_up}");
        }
    }
}
