//! Who and what can be booked for a service, put together from the catalogue.

use super::{BookedWith, Branch, Item, Service, Staff, Table};
use crate::appointment::Appointment;
use crate::calendar::{
    AvailabilityQuery, Bookable, BookingTerms, Resource, Schedule, Slot, Span, Unavailable, check,
    free_slots, stands,
};
use jiff::tz::TimeZone;
use quipu_core::Timestamp;
use quipu_core::{BranchId, StaffId, TableId};
use std::collections::HashMap;
use uuid::Uuid;

/// The most people who come to one person together, or to a branch that has fewer places. A family
/// does; whoever wants to bring more talks to a person.
const LARGEST_PARTY: u16 = 20;

/// What the catalogue says about where and with whom.
#[derive(Clone, Debug, Default)]
pub struct Premises {
    pub branches: Vec<Item<Branch>>,
    pub staff: Vec<Item<Staff>>,
    pub tables: Vec<Item<Table>>,
}

impl Premises {
    #[must_use]
    pub fn branch(&self, id: BranchId) -> Option<&Item<Branch>> {
        self.branches.iter().find(|branch| branch.id == id.uuid())
    }

    #[must_use]
    pub fn staff_member(&self, id: StaffId) -> Option<&Item<Staff>> {
        self.staff.iter().find(|staff| staff.id == id.uuid())
    }

    #[must_use]
    pub fn table(&self, id: TableId) -> Option<&Item<Table>> {
        self.tables.iter().find(|table| table.id == id.uuid())
    }
}

/// One thing that can be booked, with everything that it needs.
#[derive(Clone, Debug)]
struct Entry {
    what: Bookable,
    zone: TimeZone,
    branch_hours: Schedule,
    own_hours: Vec<Schedule>,
    time_off: Vec<Span>,
    busy: Vec<Span>,
    places: u16,
}

impl Entry {
    fn resource(&self) -> Resource<'_> {
        Resource {
            what: self.what,
            zone: &self.zone,
            branch_hours: &self.branch_hours,
            own_hours: self.own_hours.iter().collect(),
            time_off: self.time_off.clone(),
            busy: self.busy.clone(),
            places: self.places,
        }
    }
}

/// Everything that can be booked for one service.
#[derive(Clone, Debug)]
pub struct Agenda {
    entries: Vec<Entry>,
    pub terms: BookingTerms,
}

impl Agenda {
    /// What is active, does the service, and is at one of its branches. Without a service it is
    /// whoever attends, for as long as the default terms say.
    #[must_use]
    pub fn new(service: Option<&Service>, premises: &Premises, tenant_zone: &TimeZone) -> Self {
        let booked_with = service.map_or(BookedWith::Staff, Service::books);
        let terms = service.map_or_else(BookingTerms::default, Service::terms);
        let service_hours = service.and_then(Service::schedule);
        let active = |branch: &&Item<Branch>| branch.data.active;
        let mut entries = Vec::new();
        for branch in premises.branches.iter().filter(active) {
            let id = BranchId::from_uuid(branch.id);
            if service.is_some_and(|service| !service.is_done_at(id)) {
                continue;
            }
            let zone = branch.data.zone(tenant_zone);
            let entry = |what: Bookable, places: u16| Entry {
                what,
                zone: zone.clone(),
                branch_hours: branch.data.schedule(),
                own_hours: service_hours.clone().into_iter().collect(),
                time_off: Vec::new(),
                busy: Vec::new(),
                places,
            };
            match booked_with {
                BookedWith::Staff => {
                    let here = premises.staff.iter().filter(|staff| {
                        let does = |service: &Service| {
                            service.staff.contains(&StaffId::from_uuid(staff.id))
                        };
                        staff.data.active
                            && staff.data.branches.contains(&id)
                            && service.is_none_or(does)
                    });
                    for staff in here {
                        let what = Bookable::Staff {
                            staff: StaffId::from_uuid(staff.id),
                            branch: id,
                        };
                        let mut entry = entry(what, 1);
                        entry.own_hours.extend(staff.data.schedule());
                        let off = staff.data.time_off.iter();
                        entry.time_off = off.filter_map(|off| off.span(&entry.zone)).collect();
                        entries.push(entry);
                    }
                }
                BookedWith::Table => {
                    let here = premises
                        .tables
                        .iter()
                        .filter(|table| table.data.active && table.data.branch_id == id);
                    for table in here {
                        let what = Bookable::Table {
                            table: TableId::from_uuid(table.id),
                            branch: id,
                            seats: table.data.seats,
                        };
                        entries.push(entry(what, 1));
                    }
                }
                BookedWith::Branch => {
                    entries.push(entry(Bookable::Branch { branch: id }, branch.data.capacity));
                }
                BookedWith::Nothing => {}
            }
        }
        Self { entries, terms }
    }

    /// Whether an appointment that was made still has its place here, beside others that have
    /// theirs. Returns the time that it takes.
    ///
    /// # Errors
    /// The reason why it has not.
    pub fn keeps(&self, appointment: &Appointment, beside: &[Span]) -> Result<Span, Unavailable> {
        let mut entries = self.entries.iter();
        let entry = entries.find(|entry| {
            resource_id(entry.what) == appointment.resource()
                && entry.what.branch() == appointment.branch_id
        });
        let entry = entry.ok_or(Unavailable::NotBookable)?;
        let booked = Span {
            start: appointment.starts_at,
            end: appointment.ends_at,
        };
        let mut resource = entry.resource();
        // People and tables have one place, which never grows less.
        if matches!(entry.what, Bookable::Branch { .. }) {
            resource.busy = beside.to_vec();
        }
        stands(booked, appointment.party, &self.terms, &resource)?;
        Ok(self.terms.held_by(booked))
    }

    /// The most people who may come to any of it. Tables have seats, which say so themselves.
    #[must_use]
    pub fn largest_party(&self) -> Option<u16> {
        let most = self.entries.iter().map(|entry| match entry.what {
            Bookable::Table { .. } => u16::MAX,
            Bookable::Staff { .. } => LARGEST_PARTY,
            Bookable::Branch { .. } => entry.places.max(LARGEST_PARTY),
        });
        most.max()
    }

    /// Whether so many people fit anywhere.
    #[must_use]
    pub fn seats(&self, party: u16) -> bool {
        self.entries.iter().any(|entry| entry.what.fits(party))
    }

    /// Drops the notice that a booking usually needs, for whoever cannot wait.
    pub fn waive_notice(&mut self) {
        self.terms.minimum_notice_minutes = 0;
    }

    /// Keeps only what is asked for.
    pub fn retain(&mut self, wanted: impl Fn(Bookable) -> bool) {
        self.entries.retain(|entry| wanted(entry.what));
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What bookings of it take up, each once.
    #[must_use]
    pub fn resource_ids(&self) -> Vec<Uuid> {
        let mut ids: Vec<Uuid> = self.entries.iter().map(|e| resource_id(e.what)).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The time zone of a branch that can be booked.
    #[must_use]
    pub fn zone(&self, branch: BranchId) -> Option<&TimeZone> {
        let entry = self.entries.iter().find(|e| e.what.branch() == branch)?;
        Some(&entry.zone)
    }

    /// The time zones of all that can be booked, in the order of the branches.
    pub fn zones(&self) -> impl Iterator<Item = &TimeZone> {
        self.entries.iter().map(|entry| &entry.zone)
    }

    /// Fills in what is taken. Whoever attends at two branches is taken at both.
    pub fn fill(&mut self, busy: &HashMap<Uuid, Vec<Span>>) {
        for entry in &mut self.entries {
            entry.busy = busy
                .get(&resource_id(entry.what))
                .cloned()
                .unwrap_or_default();
        }
    }

    /// The free slots.
    #[must_use]
    pub fn slots(&self, query: &AvailabilityQuery) -> Vec<Slot> {
        let resources: Vec<Resource<'_>> = self.entries.iter().map(Entry::resource).collect();
        free_slots(query, &self.terms, &resources)
    }

    /// Chooses what to book at an instant: of what is free, the smallest table, or whoever has
    /// least to do around then.
    ///
    /// # Errors
    /// The reason that came nearest to being free.
    pub fn choose(
        &self,
        start: Timestamp,
        now: Timestamp,
        party: u16,
    ) -> Result<(Bookable, u16), Unavailable> {
        let mut nearest = None;
        let mut best: Option<(u16, usize, &Entry)> = None;
        for entry in &self.entries {
            match check(start, now, party, &self.terms, &entry.resource()) {
                Ok(()) => {
                    let seats = match entry.what {
                        Bookable::Table { seats, .. } => seats,
                        Bookable::Staff { .. } | Bookable::Branch { .. } => 0,
                    };
                    let rank = (seats, entry.busy.len());
                    if best.is_none_or(|(seats, busy, _)| rank < (seats, busy)) {
                        best = Some((rank.0, rank.1, entry));
                    }
                }
                Err(reason) => nearest = nearest.max(Some(rank_of(reason))),
            }
        }
        match (best, nearest) {
            (Some((_, _, entry)), _) => Ok((entry.what, entry.places)),
            (None, Some((_, reason))) => Err(reason),
            (None, None) => Err(Unavailable::NotBookable),
        }
    }
}

/// What a booking takes up.
#[must_use]
pub fn resource_id(what: Bookable) -> Uuid {
    match what {
        Bookable::Staff { staff, .. } => staff.uuid(),
        Bookable::Table { table, .. } => table.uuid(),
        Bookable::Branch { branch } => branch.uuid(),
    }
}

/// How near a reason is to being free: a time that is taken tells more than one that never was.
fn rank_of(reason: Unavailable) -> (u8, Unavailable) {
    let rank = match reason {
        Unavailable::Taken => 9,
        Unavailable::OffGrid => 8,
        Unavailable::Away => 7,
        Unavailable::OutsideStaffHours => 6,
        Unavailable::Closed => 5,
        Unavailable::TooSmall => 4,
        Unavailable::TooFar => 3,
        Unavailable::TooSoon => 2,
        Unavailable::InThePast => 1,
        Unavailable::NotBookable | Unavailable::NoDuration => 0,
    };
    (rank, reason)
}
