//! Why a time cannot be booked.

use super::availability::{full_between, held_ticks, hours_between, time_off};
use super::local::{LocalSpan, grid, timeline};
use super::occupancy::full;
use super::resource::{BookingTerms, Resource};
use super::span::{Span, floor};
use super::zone::{ZoneClock, timestamp};
use quipu_core::language::Language;
use quipu_core::{Error, ErrorCode, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The first reason that stands in the way, in this order.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Unavailable {
    /// Nobody does it there, or it cannot be booked any more.
    NotBookable,
    /// It is sold and takes no time, such as a voucher.
    NoDuration,
    InThePast,
    /// There is less notice than the service asks for.
    TooSoon,
    /// It lies further ahead than the business takes bookings for.
    TooFar,
    /// The table has fewer seats than people come.
    TooSmall,
    /// The branch is closed at the start, or closes before the end.
    Closed,
    /// The branch is open, but whoever attends is not there for all of it.
    OutsideStaffHours,
    /// It falls into time off.
    Away,
    /// It is not one of the starts that are offered.
    OffGrid,
    /// Every place is taken at some moment of it, buffers included.
    Taken,
}

impl Unavailable {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotBookable => "not_bookable",
            Self::NoDuration => "no_duration",
            Self::InThePast => "in_the_past",
            Self::TooSoon => "too_soon",
            Self::TooFar => "too_far",
            Self::TooSmall => "too_small",
            Self::Closed => "closed",
            Self::OutsideStaffHours => "outside_staff_hours",
            Self::Away => "away",
            Self::OffGrid => "off_grid",
            Self::Taken => "taken",
        }
    }

    /// The reason for a person, as a part of a sentence. Why somebody is away is nobody's business.
    #[must_use]
    pub const fn text(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::NotBookable, Language::Es) => "eso no se puede reservar ahí",
            (Self::NotBookable, Language::En) => "that cannot be booked there",
            (Self::NoDuration, Language::Es) => {
                "eso se vende sin cita: no tiene duración que reservar"
            }
            (Self::NoDuration, Language::En) => {
                "that is sold without an appointment: it has no duration to book"
            }
            (Self::InThePast, Language::Es) => "esa hora ya pasó",
            (Self::InThePast, Language::En) => "that time has passed",
            (Self::TooSoon, Language::Es) => "hay que reservar con más anticipación",
            (Self::TooSoon, Language::En) => "bookings need more notice",
            (Self::TooFar, Language::Es) => "todavía no se reserva para una fecha tan lejana",
            (Self::TooFar, Language::En) => "bookings are not taken that far ahead yet",
            (Self::TooSmall, Language::Es) => "no hay asientos para tantas personas",
            (Self::TooSmall, Language::En) => "there are not enough seats",
            (Self::Closed, Language::Es) => "a esa hora está cerrado o cierra antes de terminar",
            (Self::Closed, Language::En) => "it is closed then, or closes before the end",
            (Self::OutsideStaffHours | Self::Away, Language::Es) => "a esa hora no se atiende",
            (Self::OutsideStaffHours | Self::Away, Language::En) => "nobody attends then",
            (Self::OffGrid, Language::Es) => "las reservas no empiezan a esa hora",
            (Self::OffGrid, Language::En) => "bookings do not start at that time",
            (Self::Taken, Language::Es) => "esa hora ya está ocupada",
            (Self::Taken, Language::En) => "that time is taken",
        }
    }
}

impl From<Unavailable> for Error {
    fn from(reason: Unavailable) -> Self {
        let text = |language| reason.text(language).to_owned();
        Self::new(ErrorCode::SlotUnavailable)
            .with("reason", reason.as_str())
            .with_texts("reason_text", text(Language::Es), text(Language::En))
    }
}

/// Whether a booking may start at an instant. It may exactly when [`free_slots`](super::free_slots)
/// offers it for this resource.
///
/// # Errors
/// The first reason why it may not.
pub fn check(
    start: Timestamp,
    now: Timestamp,
    party: u16,
    terms: &BookingTerms,
    resource: &Resource<'_>,
) -> Result<(), Unavailable> {
    unless(start >= now, Unavailable::InThePast)?;
    unless(start >= terms.earliest(now), Unavailable::TooSoon)?;
    unless(start <= terms.latest(now), Unavailable::TooFar)?;
    unless(resource.what.fits(party), Unavailable::TooSmall)?;
    let from = floor(start);
    let (hours, clock) = attended(from, from + terms.duration(), resource)?;
    let mut starts = grid(hours, terms.step_minutes, clock);
    let offered = timestamp(from) == start && starts.any(|offered| offered == from);
    unless(offered, Unavailable::OffGrid)?;
    let (first, past) = held_ticks(terms, from, from);
    let taken = full_between(resource, terms, from, from).meets(first, past);
    unless(!taken, Unavailable::Taken)
}

/// Whether something that is booked already still has its place: enough seats, open and attended
/// hours for all of it, and a place beside what else the resource is busy with.
///
/// # Errors
/// The first reason why it has not.
pub fn stands(
    booked: Span,
    party: u16,
    terms: &BookingTerms,
    resource: &Resource<'_>,
) -> Result<(), Unavailable> {
    unless(resource.what.fits(party), Unavailable::TooSmall)?;
    let (from, to) = booked.seconds();
    attended(from, to, resource)?;
    let (first, past) = terms.held_by(booked).ticks();
    let taken = full(&resource.busy, resource.places, (first, past)).meets(first, past);
    unless(!taken, Unavailable::Taken)
}

/// The hours around a stretch of time, when it is open and attended for all of it.
fn attended(
    from: i64,
    to: i64,
    resource: &Resource<'_>,
) -> Result<(Vec<LocalSpan>, ZoneClock), Unavailable> {
    let clock = ZoneClock::new(resource.zone, from, to);
    let hours = |own| hours_between(resource.branch_hours, own, &clock, (from, to));
    let open = timeline(&hours(&[]), &clock).holds(from, to);
    unless(open, Unavailable::Closed)?;
    let hours = hours(&resource.own_hours);
    let attended = timeline(&hours, &clock).holds(from, to);
    unless(attended, Unavailable::OutsideStaffHours)?;
    unless(!time_off(resource).meets(from, to), Unavailable::Away)?;
    Ok((hours, clock))
}

fn unless(holds: bool, reason: Unavailable) -> Result<(), Unavailable> {
    if holds { Ok(()) } else { Err(reason) }
}
