//! A clinic to ask for appointments.

use super::*;

/// A clinic in Lima on Monday, 2 March 2026, asked the day before.
pub(super) struct Clinic {
    pub(super) zone: TimeZone,
    pub(super) hours: Schedule,
    pub(super) own: Option<Schedule>,
    pub(super) terms: BookingTerms,
}

impl Clinic {
    pub(super) fn new(hours: &[(&str, &str)], duration_minutes: u16) -> Self {
        Self {
            zone: zone("America/Lima"),
            hours: daily(hours),
            own: None,
            terms: BookingTerms {
                duration_minutes,
                step_minutes: 30,
                ..BookingTerms::default()
            },
        }
    }

    pub(super) fn span(&self, from: &str, to: &str) -> Span {
        Span {
            start: self.at(from),
            end: self.at(to),
        }
    }

    pub(super) fn at(&self, time: &str) -> Timestamp {
        at(&format!("2026-03-02T{time}"), &self.zone)
    }

    pub(super) fn resource(&self, what: Bookable, busy: &[(&str, &str)]) -> Resource<'_> {
        Resource {
            what,
            zone: &self.zone,
            branch_hours: &self.hours,
            own_hours: self.own.iter().collect(),
            time_off: Vec::new(),
            busy: busy.iter().map(|(from, to)| self.span(from, to)).collect(),
            places: 1,
        }
    }

    pub(super) fn query(&self) -> AvailabilityQuery {
        AvailabilityQuery {
            from: self.at("00:00"),
            to: at("2026-03-03T00:00", &self.zone),
            now: at("2026-03-01T12:00", &self.zone),
            limit: 100,
            party: 1,
            staff: None,
            branch: None,
        }
    }

    pub(super) fn times(&self, slots: &[Slot]) -> Vec<String> {
        let time = |slot: &Slot| local(slot.start, &self.zone)[11..].to_owned();
        slots.iter().map(time).collect()
    }

    pub(super) fn offered(&self, resource: Resource<'_>) -> Vec<String> {
        self.times(&free_slots(&self.query(), &self.terms, &[resource]))
    }

    pub(super) fn check(&self, time: &str, resource: &Resource<'_>) -> Result<(), Unavailable> {
        let now = self.query().now;
        check(self.at(time), now, 1, &self.terms, resource)
    }
}
