//! What the catalogue has for whoever asks what can be booked.

use super::service::{Around, Meant, meant};
use super::{DEFAULT_DAYS, DEFAULT_SLOTS, FreeSlot, SlotId, Wanted};
use crate::{Actor, catalogue, profile};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span as Days, ToSpan as _};
use quipu_commerce::business::{Agenda, Item, Premises, Service, resource_id};
use quipu_commerce::calendar::{AvailabilityQuery, Bookable, Slot};
use quipu_core::validate::Checks;
use quipu_core::{BranchId, Error, Result, StaffId, TableId, Timestamp};
use quipu_store::TenantTx;
use uuid::Uuid;

/// What the catalogue has for a question about bookings.
pub(crate) struct Asked {
    pub(crate) service: Option<Item<Service>>,
    pub(crate) premises: Premises,
    pub(crate) agenda: Agenda,
    zone: TimeZone,
}

/// Which service is asked for.
#[derive(Clone, Copy)]
pub(crate) enum Choice {
    This(Uuid),
    /// None is named: the one that is meant is looked for.
    Meant,
    /// None in particular, as an appointment was made that is moved now.
    Nothing,
}

impl Choice {
    pub(crate) fn of(service: Option<Uuid>) -> Self {
        service.map_or(Self::Meant, Self::This)
    }
}

/// What is asked for.
#[derive(Clone, Copy)]
pub(crate) struct Which {
    pub(crate) service: Choice,
    pub(crate) branch: Option<BranchId>,
    pub(crate) staff: Option<StaffId>,
    pub(crate) party: Option<u16>,
}

impl Asked {
    /// Reads what is needed and keeps what was asked for.
    pub(crate) async fn load(tx: &TenantTx, actor: &Actor, which: Which) -> Result<Self> {
        let Which { branch, staff, .. } = which;
        let premises = catalogue::premises(tx).await?;
        if branch.is_some_and(|id| premises.branch(id).is_none()) {
            return Err(Error::not_found("branch"));
        }
        if staff.is_some_and(|id| premises.staff_member(id).is_none()) {
            return Err(Error::not_found("staff"));
        }
        let mut fits_nothing = false;
        let service = match which.service {
            Choice::This(id) => Some(catalogue::load::<Service>(tx, id).await?),
            Choice::Nothing => None,
            Choice::Meant => {
                let around = Around {
                    branch,
                    staff,
                    party: which.party.is_some(),
                };
                match meant(catalogue::active(tx).await?, around)? {
                    Meant::One(service) => Some(*service),
                    Meant::Anything => None,
                    Meant::None => {
                        fits_nothing = true;
                        None
                    }
                }
            }
        };
        let zone = profile::time_zone(actor);
        let data = service.as_ref().map(|service| &service.data);
        let mut agenda = Agenda::new(data.filter(|data| data.active), &premises, &zone);
        agenda.terms.horizon_days = profile::load(tx).await?.booking_horizon_days;
        if fits_nothing || data.is_some_and(|data| !data.active) {
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

    /// Whether the service takes no time, so that none can be booked.
    pub(crate) fn lacks_duration(&self) -> bool {
        let service = self.service.as_ref();
        service.is_some_and(|service| service.data.active && service.data.lacks_duration())
    }

    /// Refuses more people than could ever come together.
    pub(crate) fn check_party(&self, party: Option<u16>) -> Result<()> {
        let mut checks = Checks::new();
        if let (Some(party), Some(most)) = (party, self.agenda.largest_party()) {
            checks.range("party", party.into(), 1, most.into());
        }
        checks.finish()
    }

    /// The clock that dates and times without a zone are meant on.
    pub(crate) fn zone(&self) -> &TimeZone {
        self.agenda.zones().next().unwrap_or(&self.zone)
    }

    pub(super) fn query(&self, now: Timestamp, wanted: &Wanted) -> AvailabilityQuery {
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

    pub(super) fn show(&self, slot: &Slot) -> FreeSlot {
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
            local_start: local_start(&local),
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

/// A moment on the clock of its place, with the offset that the clock has then.
pub(crate) fn local_start(local: &jiff::Zoned) -> String {
    local.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
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
