//! Many at once: no time is booked twice.

use super::clinic::{APPOINTMENTS, Clinic};
use futures::future::join_all;
use quipu_app::appointments::{self, CancelAppointment, MakeAppointment, RescheduleAppointment};
use quipu_app::{Actor, RequestInfo};
use quipu_commerce::appointment::{Appointment, AppointmentStatus};
use quipu_core::access::Principal;
use quipu_core::{ErrorCode, Result};
use quipu_testkit::db_test;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const CLIENTS: usize = 64;
/// Twenty slots: two days of seven with two people are twenty-eight, so some are left out.
const SLOTS: usize = 20;

/// How often each client tries, and how often the whole is done. By hand:
/// `QUIPU_TEST_ATTEMPTS=200 QUIPU_TEST_RUNS=10`.
fn setting(name: &str, usual: usize) -> usize {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A small generator: the same numbers for the same client, so that a failure can be seen again.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

db_test! {
    async fn twenty_slots_are_twenty_appointments(db) {
        let clinic = Clinic::open(db).await;
        let principal = Principal::System;
        let slug = clinic.tenant.slug.clone();
        let app = &clinic.app.app;
        let (attempts, runs) = (setting("QUIPU_TEST_ATTEMPTS", 20), setting("QUIPU_TEST_RUNS", 1));
        for run in 0..runs {
            let date = jiff::civil::date(2026, 4, 1).checked_add(jiff::Span::new().days(i64::try_from(run).unwrap() * 2)).unwrap();
            let path = format!(
                "/api/v1/availability?service_id={}&date={date}&days=2&limit=20", clinic.cleaning
            );
            let offered = clinic.client.get(&path).await.ok(200);
            let slots: Vec<String> = offered["slots"].as_array().unwrap().iter()
                .map(|slot| slot["slot_id"].as_str().unwrap().to_owned()).collect();
            assert_eq!(slots.len(), SLOTS);
            let refused = AtomicUsize::new(0);
            let clients = (0..CLIENTS).map(|client| {
                let (slots, refused, slug) = (&slots, &refused, &slug);
                let principal = principal.clone();
                let clinic = &clinic;
                async move {
                    let actor = Actor::enter(app, principal, Some(slug), RequestInfo::default()).await.unwrap();
                    let mut dice = Dice((run * CLIENTS + client) as u64);
                    let mut own: Vec<Appointment> = Vec::new();
                    for attempt in 0..attempts {
                        let slot = slots[dice.below(SLOTS)].clone();
                        let done = match dice.below(10) {
                            // Most hold first and confirm, late or never.
                            0..=3 => {
                                let wanted = MakeAppointment { slot_id: Some(slot), hold: true, ..MakeAppointment::default() };
                                match appointments::make(app, &actor, wanted).await {
                                    Ok(held) if dice.below(3) > 0 => appointments::confirm(app, &actor, held.id).await,
                                    other => other,
                                }
                            }
                            4..=6 => {
                                let wanted = MakeAppointment { slot_id: Some(slot), ..MakeAppointment::default() };
                                appointments::make(app, &actor, wanted).await
                            }
                            7 if !own.is_empty() => {
                                let moved = own[dice.below(own.len())].id;
                                let to = RescheduleAppointment { slot_id: Some(slot), ..RescheduleAppointment::default() };
                                appointments::reschedule(app, &actor, moved, &to).await
                            }
                            8 if !own.is_empty() && attempt < attempts / 2 => {
                                let gone = own.swap_remove(dice.below(own.len()));
                                appointments::cancel(app, &actor, gone.id, &CancelAppointment::default()).await
                            }
                            9 if client == 0 => {
                                clinic.app.clock.advance(Duration::from_mins(2));
                                continue;
                            }
                            _ => continue,
                        };
                        count(done, &mut own, refused);
                    }
                }
            });
            join_all(clients).await;
            // Whoever comes last takes what is left, once the holds are over.
            clinic.app.clock.advance(Duration::from_hours(1));
            let actor = Actor::enter(app, principal.clone(), Some(&slug), RequestInfo::default()).await.unwrap();
            for slot in &slots {
                let wanted = MakeAppointment { slot_id: Some(slot.clone()), ..MakeAppointment::default() };
                match appointments::make(app, &actor, wanted).await {
                    Ok(_) => {}
                    Err(error) => assert_eq!(error.code(), ErrorCode::SlotUnavailable, "{error}"),
                }
            }
            let last = date.checked_add(jiff::Span::new().days(2)).unwrap();
            let list = format!("{APPOINTMENTS}?status=confirmed&from={date}T00:00:00Z&to={last}T12:00:00Z&limit=200");
            let booked = clinic.client.get(&list).await.ok(200);
            let booked = booked["data"].as_array().unwrap();
            assert_eq!(booked.len(), SLOTS, "run {run}");
            let mut by_place: HashMap<(String, String), usize> = HashMap::new();
            for one in booked {
                let text = |name: &str| one[name].as_str().unwrap().to_owned();
                *by_place.entry((text("staff_id"), text("starts_at"))).or_default() += 1;
            }
            assert!(by_place.values().all(|count| *count == 1), "{by_place:?}");
            assert!(refused.load(Ordering::Relaxed) > CLIENTS, "nobody stood in anybody's way");
        }
    }

    async fn the_same_key_from_many_books_once(db) {
        let clinic = Clinic::open(db).await;
        let keyed = clinic.client.with("idempotency-key", "una-cita");
        let wanted = clinic.wanted("2026-03-18T10:00");
        let all = join_all((0..16).map(|_| keyed.post(APPOINTMENTS, wanted.clone()))).await;
        let ids: Vec<Value> = all.iter().map(|reply| reply.ok(201)["id"].clone()).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        assert_eq!(clinic.free("2026-03-18", "").await.len(), 13);
    }
}

/// Keeps what somebody has, and refuses every surprise.
fn count(done: Result<Appointment>, own: &mut Vec<Appointment>, refused: &AtomicUsize) {
    match done {
        Ok(appointment) if appointment.status == AppointmentStatus::Confirmed => {
            own.retain(|known| known.id != appointment.id);
            own.push(appointment);
        }
        Ok(_) => {}
        Err(error) => {
            let code = error.code();
            assert!(
                matches!(
                    code,
                    ErrorCode::SlotUnavailable | ErrorCode::AppointmentState
                ),
                "{error}"
            );
            refused.fetch_add(1, Ordering::Relaxed);
        }
    }
}
