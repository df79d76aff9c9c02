//! Appointments that are made already, when what they need changes.

use super::premises;
use crate::{Actor, profile};
use jiff::tz::TimeZone;
use quipu_commerce::appointment::Appointment;
use quipu_commerce::business::{Agenda, CatalogueItem, Item, ItemKind, Service, Warning};
use quipu_commerce::calendar::{Span, Unavailable, describe_moment};
use quipu_core::Result;
use quipu_core::language::Language;
use quipu_core::text::count;
use quipu_store::TenantTx;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use uuid::Uuid;

/// How many appointments ahead are looked at.
const MOST_LOOKED_AT: u64 = 500;
/// How many of those that do not fit are named.
const MOST_NAMED: usize = 20;

/// Whether appointments need things of a kind.
pub(super) const fn is_booked(kind: ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::Branch | ItemKind::Staff | ItemKind::Table | ItemKind::Service
    )
}

/// So many appointments, in Spanish and English.
pub(super) fn appointments(number: u64) -> (String, String) {
    (
        count(number, "cita", "citas"),
        count(number, "appointment", "appointments"),
    )
}

/// Warns of the appointments ahead that need a thing and no longer fit its hours, its seats, its
/// places, or that it is there at all. They stand all the same: it is for people to move them.
pub(super) async fn warn<T: CatalogueItem>(
    tx: &TenantTx,
    actor: &Actor,
    item: &mut Item<T>,
) -> Result<()> {
    if !is_booked(T::KIND) {
        return Ok(());
    }
    let ahead = tx.appointments().needing(item.id, MOST_LOOKED_AT).await?;
    if ahead.is_empty() {
        return Ok(());
    }
    let all_looked_at = (ahead.len() as u64) < MOST_LOOKED_AT;
    let homeless = homeless(tx, actor, ahead).await?;
    item.warnings.extend(warning(&homeless, all_looked_at));
    Ok(())
}

/// Those that do not fit the catalogue as it is now, with the reason.
async fn homeless(
    tx: &TenantTx,
    actor: &Actor,
    ahead: Vec<Appointment>,
) -> Result<Vec<(Appointment, Unavailable)>> {
    let premises = premises(tx).await?;
    let zone = profile::time_zone(actor);
    let mut agendas: HashMap<Option<Uuid>, Agenda> = HashMap::new();
    let mut homeless = Vec::new();
    let mut kept: HashMap<Uuid, Vec<Span>> = HashMap::new();
    for appointment in ahead {
        let agenda = match agendas.entry(appointment.service_id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                let service = match appointment.service_id {
                    Some(id) => tx.catalogue().find::<Service>(id).await?,
                    None => None,
                };
                let service = service.as_ref().map(|service| &service.data);
                unknown.insert(Agenda::new(service, &premises, &zone))
            }
        };
        // Where there are fewer places than bookings, those that begin first keep theirs.
        let beside = kept.entry(appointment.resource()).or_default();
        match agenda.keeps(&appointment, beside) {
            Ok(taken) => beside.push(taken),
            Err(reason) => homeless.push((appointment, reason)),
        }
    }
    Ok(homeless)
}

fn warning(homeless: &[(Appointment, Unavailable)], all_looked_at: bool) -> Option<Warning> {
    let (first, reason) = homeless.first()?;
    let zone = TimeZone::get(&first.time_zone).unwrap_or(TimeZone::UTC);
    let local = first.starts_at.to_zoned(zone).datetime();
    let number = appointments(homeless.len() as u64);
    let least = if all_looked_at {
        ("", "")
    } else {
        ("al menos ", "at least ")
    };
    let mut warning = Warning::new(
        "appointments_affected",
        &format!(
            "Ya no encaja lo reservado: {}{} por delante, desde el {} ({}).",
            least.0,
            number.0,
            describe_moment(local, Language::Es),
            reason.text(Language::Es),
        ),
        &format!(
            "What is booked no longer fits: {}{} ahead, from {} on ({}).",
            least.1,
            number.1,
            describe_moment(local, Language::En),
            reason.text(Language::En),
        ),
    );
    let named = homeless.iter().take(MOST_NAMED);
    warning.appointments = named.map(|(appointment, _)| appointment.id).collect();
    Some(warning)
}
