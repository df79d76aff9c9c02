//! What can still be booked.

mod asked;
mod cursor;
mod service;
mod slot_id;

pub(crate) use asked::{Asked, Choice, Names, Which, local_start};
pub(crate) use slot_id::SlotId;

use crate::{Actor, App};
use cursor::SlotCursor;
use jiff::civil::Date;
use quipu_commerce::business::Agenda;
use quipu_commerce::calendar::{AvailabilityQuery, Slot, Span, nearest_first, read_minute};
use quipu_core::access::Permission;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{AppointmentId, BranchId, Result, StaffId, TableId, Timestamp};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

const DEFAULT_DAYS: u16 = 7;
const FIRST_STRETCH_HOURS: i64 = 3 * 24;
const MOST_DAYS: i64 = 90;
/// Whoever asks for some days gets them whole, as far as that is one page.
const DEFAULT_SLOTS: u16 = 500;
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
    /// A time of the clock of the branch, such as 17:00. What begins nearest to it comes first, on
    /// whichever of the days; without it, what begins soonest.
    pub time: Option<String>,
    /// How many people come.
    pub party: Option<u16>,
    pub limit: Option<u16>,
    /// The `next_cursor` of the page before, asked for in the same way.
    pub cursor: Option<String>,
    /// For whoever cannot wait: no notice is needed.
    pub urgent: bool,
    /// The appointment that is to be moved, whose own time counts as free.
    pub moving: Option<AppointmentId>,
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
    /// The same with the offset of the clock, which tells apart the two of an hour that is repeated
    /// when clocks are set back. An appointment can be made with it as its `start`.
    #[schema(example = "2026-11-20T10:30:00-05:00")]
    pub local_start: String,
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
    /// The clock that dates without a zone are meant on: that of the branch, or of the first that
    /// there is.
    pub time_zone: String,
    pub slots: Vec<FreeSlot>,
    /// Whether more is free in those days than is told here.
    pub has_more: bool,
    /// Pass it as `cursor` to be told what comes next; `null` when that was all.
    pub next_cursor: Option<String>,
    /// Why nothing is free, when nothing is.
    pub reason: Option<NoSlots>,
}

/// Why there is nothing to offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoSlots {
    /// Nobody does it there, or it cannot be booked.
    NotBookable,
    /// It is sold and takes no time, such as a voucher: there is no time to book.
    NoDuration,
    /// No table has so many seats.
    TooSmall,
    /// Those days lie further ahead than the business takes bookings for.
    TooFar,
    /// Everything is taken or closed in those days.
    Full,
}

/// # Errors
/// `NOT_FOUND` for a service, branch or person that is not there, `VALIDATION_FAILED`, or
/// `SERVICE_REQUIRED` when none is named and several can be booked.
pub async fn find(app: &App, actor: &Actor, wanted: &Wanted) -> Result<Availability> {
    actor.require(Permission::BusinessRead)?;
    if wanted.moving.is_some() {
        // What is free without it tells when somebody comes.
        actor.require(Permission::CustomersRead)?;
    }
    let tx = app.store.read(actor.scope()).await?;
    find_in(&tx, actor, wanted).await
}

pub(crate) async fn find_in(tx: &TenantTx, actor: &Actor, wanted: &Wanted) -> Result<Availability> {
    let minute = check(wanted)?;
    let cursor = wanted.cursor.as_deref();
    let cursor = cursor.map(|cursor| SlotCursor::read(cursor, minute.is_some()));
    let cursor = cursor.transpose()?;
    let which = Which {
        service: Choice::of(wanted.service_id),
        branch: wanted.branch_id,
        staff: wanted.staff_id,
        party: wanted.party,
    };
    let asked = Asked::load(tx, actor, which).await?;
    asked.check_party(wanted.party)?;
    let mut agenda = asked.agenda.clone();
    if wanted.urgent {
        agenda.waive_notice();
    }
    let answer = |slots: Vec<FreeSlot>, next: Option<SlotCursor>, reason| Availability {
        service_id: asked.service.as_ref().map(|service| service.id),
        service_name: asked
            .service
            .as_ref()
            .map(|service| service.data.name.clone()),
        time_zone: asked.zone().iana_name().unwrap_or("UTC").to_owned(),
        slots,
        has_more: next.is_some(),
        next_cursor: next.map(|next| next.to_string()),
        reason,
    };
    let mut query = asked.query(tx.now(), wanted);
    let nothing = if asked.lacks_duration() {
        Some(NoSlots::NoDuration)
    } else if agenda.is_empty() {
        Some(NoSlots::NotBookable)
    } else if !agenda.seats(query.party) {
        Some(NoSlots::TooSmall)
    } else if query.from > agenda.terms.latest(query.now) {
        Some(NoSlots::TooFar)
    } else {
        None
    };
    if nothing.is_some() {
        return Ok(answer(Vec::new(), None, nothing));
    }
    let limit = query.limit;
    // One more than is told says whether there is more.
    query.limit += 1 + cursor.map_or(0, SlotCursor::told);
    if let Some(SlotCursor::Starting { at, .. }) = cursor {
        query.from = query.from.max(at);
    }
    let mut slots = look_through(tx, &mut agenda, &query, minute, wanted.moving).await?;
    if let Some(cursor) = cursor {
        cursor.skip(&mut slots);
    }
    let more = slots.len() > limit;
    slots.truncate(limit);
    let slots: Vec<FreeSlot> = slots.iter().map(|slot| asked.show(slot)).collect();
    let next = SlotCursor::after(&slots, cursor, minute.is_some()).filter(|_| more);
    let reason = (slots.is_empty() && cursor.is_none()).then_some(NoSlots::Full);
    Ok(answer(slots, next, reason))
}

/// Looks through the days a stretch at a time, each twice as long as the one before: whoever asks
/// for the next few slots does not wait for the bookings of three months to be read. Whoever names a
/// time does, as what is nearest to it may be on the last of the days.
async fn look_through(
    tx: &TenantTx,
    agenda: &mut Agenda,
    query: &AvailabilityQuery,
    minute: Option<u16>,
    moving: Option<AppointmentId>,
) -> Result<Vec<Slot>> {
    let resources = agenda.resource_ids();
    let mut slots = Vec::new();
    let mut stretch = AvailabilityQuery {
        to: query.from,
        ..query.clone()
    };
    let mut hours = FIRST_STRETCH_HOURS;
    while stretch.to < query.to && (minute.is_some() || slots.len() < query.limit) {
        stretch.from = stretch.to;
        let days = Span {
            start: stretch.from,
            end: stretch.from,
        };
        stretch.to = days.widened(0, hours).end.min(query.to);
        stretch.limit = match minute {
            Some(_) => usize::MAX,
            None => query.limit - slots.len(),
        };
        let between = Span {
            start: stretch.from,
            end: stretch.to,
        };
        // A booking that begins before the stretch may last into it.
        let between = between.widened(48, 48);
        let busy = tx.appointments().busy(&resources, between, moving).await?;
        agenda.fill(&busy);
        slots.extend(agenda.slots(&stretch));
        if let Some(minute) = minute {
            nearest_first(&mut slots, minute, |branch| agenda.zone(branch));
            slots.truncate(query.limit);
        }
        hours *= 2;
    }
    Ok(slots)
}

/// Checks what is asked for, and reads the minute of the day that it names.
fn check(wanted: &Wanted) -> Result<Option<u16>> {
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
    let minute = wanted.time.as_deref().map(read_minute);
    if minute == Some(None) {
        checks.problem("time", Problem::NotATime);
    }
    checks.finish()?;
    Ok(minute.flatten())
}
