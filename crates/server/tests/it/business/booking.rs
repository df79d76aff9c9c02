//! Appointments, one after another.

use super::clinic::{APPOINTMENTS, Clinic};
use crate::harness::{id, make_lead, open_every_day};
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);

fn reason(error: &Value) -> &str {
    error["details"]["reason"].as_str().unwrap_or_default()
}

db_test! {
    async fn what_is_offered_can_be_booked_and_is_gone_then(db) {
        let clinic = Clinic::open(db).await;
        let free = clinic.free("2026-03-18", "").await;
        let hours: Vec<&str> = free.iter().map(|(time, _)| time.as_str()).collect();
        assert_eq!(hours, [
            "09:00", "09:00", "10:00", "10:00", "11:00", "11:00", "12:00", "12:00",
            "15:00", "15:00", "16:00", "16:00", "17:00", "17:00",
        ]);
        let first = clinic.book("2026-03-18T10:00").await;
        let second = clinic.book("2026-03-18T10:00").await;
        assert_ne!(first["staff_id"], second["staff_id"]);
        assert_eq!(first["status"], "confirmed");
        assert_eq!(first["local_start"], "2026-03-18T10:00:00-05:00");
        assert_eq!(first["price_min"]["amount"], 12_000);
        let wanted = clinic.wanted("2026-03-18T10:00");
        let error = clinic.client.post(APPOINTMENTS, wanted).await.refused(409, "SLOT_UNAVAILABLE");
        assert_eq!(reason(&error), "taken");
        assert!(!clinic.free("2026-03-18", "").await.iter().any(|(time, _)| time == "10:00"));
        // Whoever moves one of them is offered its own time too, in this tenant alone.
        let own = format!("&moving={}", id(&first));
        assert!(clinic.free("2026-03-18", &own).await.iter().any(|(time, _)| time == "10:00"));
        assert_eq!(clinic.free("2026-03-18", &format!("&moving={}", uuid::Uuid::now_v7())).await.len(), 12);
        // The same hour of another day, and the other hours, are free still.
        assert_eq!(clinic.free("2026-03-18", "").await.len(), 12);
        assert_eq!(clinic.free("2026-03-19", "").await.len(), 14);
    }

    async fn an_agenda_is_in_the_order_of_time(db) {
        let clinic = Clinic::open(db).await;
        for start in ["2026-03-19T10:00", "2026-03-18T16:00", "2026-03-18T10:00", "2026-03-18T10:00"] {
            clinic.book(start).await;
        }
        let mut starts = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = clinic.client.get(&format!("{APPOINTMENTS}?sort=start&limit=1{cursor}")).await.ok(200);
            starts.push(page["data"][0]["local_start"].as_str().unwrap()[5..16].to_owned());
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        assert_eq!(starts, ["03-18T10:00", "03-18T10:00", "03-18T16:00", "03-19T10:00"]);
        let newest = clinic.client.get(APPOINTMENTS).await.ok(200);
        assert_eq!(newest["data"][3]["local_start"], "2026-03-19T10:00:00-05:00");
    }
}

sqlite_test! {
    async fn whoever_names_an_hour_is_offered_what_is_near(db) {
        let clinic = Clinic::open(db).await;
        let times = async |more: &str| -> Vec<String> {
            let free = clinic.free("2026-03-18", more).await;
            free.into_iter().map(|(time, _)| time).collect()
        };
        assert_eq!(times("&time=16:00&limit=6").await, ["16:00", "16:00", "17:00", "17:00", "15:00", "15:00"]);
        clinic.book("2026-03-18T16:00").await;
        clinic.book("2026-03-18T16:00").await;
        assert_eq!(times("&time=16:00&limit=3").await, ["17:00", "17:00", "15:00"]);
        // The same hour of the next days, before another hour of the first.
        assert_eq!(times("&time=16:00&limit=5&days=3").await, ["16:00", "16:00", "16:00", "16:00", "17:00"]);
        for wrong in ["24:00", "5pm", "17", "17:60"] {
            let path = format!("/api/v1/availability?service_id={}&time={wrong}", clinic.cleaning);
            let error = clinic.client.get(&path).await.refused(422, "VALIDATION_FAILED");
            assert!(error.to_string().contains("not_a_time"), "{error}");
        }
    }

    async fn all_the_days_that_were_asked_for_are_told(db) {
        let clinic = Clinic::open(db).await;
        let ask = async |more: &str| {
            let path = format!("/api/v1/availability?service_id={}&date=2026-03-18{more}", clinic.cleaning);
            clinic.client.get(&path).await.ok(200)
        };
        let slots = |found: &Value| found["slots"].as_array().unwrap().clone();
        let days = |found: &Value| -> BTreeSet<String> {
            slots(found).iter().map(|slot| slot["date"].to_string()).collect()
        };
        let week = ask("&days=7").await;
        let last = ask("&days=1").await;
        assert!(slots(&week).len() > 50 && days(&week).len() >= 5, "{week}");
        assert_eq!((&week["has_more"], &week["next_cursor"]), (&json!(false), &Value::Null));
        assert_eq!(last["has_more"], false);
        // Page by page it is the same, in either order, whatever begins at the same time.
        for order in ["", "&time=16:00"] {
            let whole = slots(&ask(&format!("&days=7{order}")).await);
            let (mut told, mut cursor, mut pages) = (Vec::new(), String::new(), 0);
            loop {
                let page = ask(&format!("&days=7{order}&limit=7{cursor}")).await;
                assert!(slots(&page).len() <= 7 && page["reason"].is_null(), "{page}");
                told.extend(slots(&page));
                pages += 1;
                let Some(next) = page["next_cursor"].as_str() else {
                    assert_eq!(page["has_more"], false);
                    break;
                };
                assert_eq!(page["has_more"], true);
                cursor = format!("&cursor={next}");
            }
            assert_eq!(told, whole);
            assert_eq!(pages, whole.len().div_ceil(7));
        }
        let path = format!("/api/v1/availability?service_id={}&cursor=x", clinic.cleaning);
        clinic.client.get(&path).await.refused(400, "INVALID_CURSOR");
    }

    async fn times_that_make_no_sense_say_why(db) {
        let clinic = Clinic::open(db).await;
        for (start, why) in [
            ("2026-03-18T13:00", "closed"),
            ("2026-03-18T12:30", "closed"),
            ("2026-03-18T03:00", "closed"),
            ("2026-03-18T10:15", "off_grid"),
            ("2026-03-16T10:00", "in_the_past"),
        ] {
            let wanted = clinic.wanted(start);
            let error = clinic.client.post(APPOINTMENTS, wanted).await;
            assert_eq!(reason(&error.refused(409, "SLOT_UNAVAILABLE")), why, "{start}");
        }
        for start in ["", "mañana", "2027-02-29T10:00", "2026-03-18", "25:00"] {
            let wanted = clinic.wanted(start);
            let refused = clinic.client.post(APPOINTMENTS, wanted).await;
            refused.refused(422, "VALIDATION_FAILED");
        }
        for slot in ["slot-1", "1773846000.x.y", "9999999999999999.a.b"] {
            let wanted = json!({ "slot_id": slot });
            clinic.client.post(APPOINTMENTS, wanted).await.refused(422, "VALIDATION_FAILED");
        }
        let nobody = uuid::Uuid::now_v7();
        for (field, value) in [("service_id", nobody), ("branch_id", nobody), ("staff_id", nobody), ("lead_id", nobody)] {
            let mut wanted = clinic.wanted("2026-03-18T10:00");
            wanted[field] = json!(value);
            clinic.client.post(APPOINTMENTS, wanted).await.refused(404, "NOT_FOUND");
        }
        let empty = clinic.client.post(APPOINTMENTS, json!({})).await;
        empty.refused(422, "VALIDATION_FAILED");
    }
}

db_test! {
    async fn a_hold_is_kept_confirmed_or_expires(db) {
        let clinic = Clinic::open(db).await;
        let hold = |start: &str| {
            let mut wanted = clinic.wanted(start);
            wanted["hold"] = json!(true);
            wanted["staff_id"] = json!(clinic.ana);
            wanted
        };
        let kept = clinic.client.post(APPOINTMENTS, hold("2026-03-18T10:00")).await.ok(201);
        assert_eq!(kept["status"], "held");
        let again = clinic.client.post(APPOINTMENTS, hold("2026-03-18T10:00")).await;
        again.refused(409, "SLOT_UNAVAILABLE");
        let path = format!("{APPOINTMENTS}/{}", id(&kept));
        let confirmed = clinic.client.post(&format!("{path}/confirm"), json!({})).await.ok(200);
        assert_eq!((&confirmed["status"], &confirmed["hold_expires_at"]), (&json!("confirmed"), &Value::Null));
        clinic.app.clock.advance(MINUTE * 60);
        assert_eq!(clinic.client.get(&path).await.ok(200)["status"], "confirmed");

        let lost = clinic.client.post(APPOINTMENTS, hold("2026-03-18T11:00")).await.ok(201);
        clinic.app.clock.advance(MINUTE * 10);
        let path = format!("{APPOINTMENTS}/{}", id(&lost));
        let late = clinic.client.post(&format!("{path}/confirm"), json!({})).await;
        late.refused(409, "APPOINTMENT_STATE");
        assert_eq!(clinic.client.get(&path).await.ok(200)["status"], "expired");
        // The time is somebody else's now.
        let taken = clinic.client.post(APPOINTMENTS, hold("2026-03-18T11:00")).await.ok(201);
        assert_ne!(taken["id"], lost["id"]);
        assert_eq!(clinic.client.get(&path).await.ok(200)["status"], "expired");
    }

    async fn an_appointment_moves_whole_or_not_at_all(db) {
        let clinic = Clinic::open(db).await;
        let with_ana = |start: &str| {
            let mut wanted = clinic.wanted(start);
            wanted["staff_id"] = json!(clinic.ana);
            wanted
        };
        let moved = clinic.client.post(APPOINTMENTS, with_ana("2026-03-18T10:00")).await.ok(201);
        clinic.client.post(APPOINTMENTS, with_ana("2026-03-18T11:00")).await.ok(201);
        let path = format!("{APPOINTMENTS}/{}", id(&moved));
        let to = |start: &str| json!({ "start": start });
        let refused = clinic.client.post(&format!("{path}/reschedule"), to("2026-03-18T11:00")).await;
        refused.refused(409, "SLOT_UNAVAILABLE");
        let still = clinic.client.get(&path).await.ok(200);
        assert_eq!((&still["starts_at"], &still["revision"]), (&moved["starts_at"], &json!(0)));
        // It is in nobody's way but its own, and not even there.
        clinic.client.post(&format!("{path}/reschedule"), to("2026-03-18T10:00")).await.ok(200);
        let now = clinic.client.post(&format!("{path}/reschedule"), to("2026-03-19T16:00")).await.ok(200);
        assert_eq!(now["local_start"], "2026-03-19T16:00:00-05:00");
        assert_eq!(now["staff_id"], json!(clinic.ana));
        clinic.client.post(APPOINTMENTS, with_ana("2026-03-18T10:00")).await.ok(201);
        clinic.client.post(APPOINTMENTS, with_ana("2026-03-19T16:00")).await.refused(409, "SLOT_UNAVAILABLE");
        let history = clinic.client.get(&path).await.ok(200)["history"].clone();
        let actions: Vec<&str> = history.as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap()).collect();
        assert_eq!(actions, ["confirmed", "rescheduled", "rescheduled"]);
    }
}

sqlite_test! {
    async fn what_ended_stays_ended(db) {
        let clinic = Clinic::open(db).await;
        let post = async |booked: &Value, what: &str| {
            let path = format!("{APPOINTMENTS}/{}/{what}", id(booked));
            clinic.client.post(&path, json!({})).await
        };
        let booked = clinic.book("2026-03-18T10:00").await;
        post(&booked, "cancel").await.ok(200);
        for what in ["cancel", "complete", "confirm", "no-show"] {
            post(&booked, what).await.refused(409, "APPOINTMENT_STATE");
        }
        let again = clinic.client.post(&format!("{APPOINTMENTS}/{}/reschedule", id(&booked)), json!({ "start": "2026-03-18T11:00" })).await;
        again.refused(409, "APPOINTMENT_STATE");
        let booked = clinic.book("2026-03-18T10:00").await;
        for early in ["complete", "no-show"] {
            let error = post(&booked, early).await.refused(409, "APPOINTMENT_NOT_STARTED");
            assert!(error["message"].as_str().unwrap().contains("miércoles 18 de marzo a las 10:00"), "{error}");
        }
        clinic.app.clock.advance(MINUTE * 25 * 60);
        post(&booked, "no-show").await.ok(200);
        assert_eq!(post(&booked, "complete").await.ok(200)["status"], "completed");
        let notes = json!({ "notes": "Trajo \"radiografía\" 🦷" });
        let noted = clinic.client.patch(&format!("{APPOINTMENTS}/{}", id(&booked)), notes).await.ok(200);
        assert_eq!(noted["notes"], "Trajo \"radiografía\" 🦷");
    }

    async fn whoever_is_needed_cannot_be_deleted(db) {
        let clinic = Clinic::open(db).await;
        let mut wanted = clinic.wanted("2026-03-18T10:00");
        wanted["staff_id"] = json!(clinic.ana);
        let booked = clinic.client.post(APPOINTMENTS, wanted).await.ok(201);
        let ana = format!("/api/v1/staff/{}", clinic.ana);
        let branch = format!("/api/v1/branches/{}", clinic.branch);
        let cleaning = format!("/api/v1/services/{}", clinic.cleaning);
        for path in [&ana, &branch, &cleaning] {
            let error = clinic.client.delete(path).await.refused(409, "IN_USE");
            assert_eq!(error["details"]["count"], 1, "{path}");
            assert!(error["message"].as_str().unwrap().contains("1 cita por delante"), "{error}");
        }
        // Deactivated, she gets no new appointments and keeps those she has.
        clinic.client.patch(&ana, json!({ "active": false })).await.ok(200);
        assert!(clinic.free("2026-03-19", "").await.iter().all(|(_, who)| who == "Luis Soto"));
        let path = format!("{APPOINTMENTS}/{}/cancel", id(&booked));
        clinic.client.post(&path, json!({ "reason": "se mudó" })).await.ok(200);
        assert_eq!(clinic.client.delete(&ana).await.status, 204);
        let service = clinic.client.get(&format!("/api/v1/services/{}", clinic.cleaning)).await.ok(200);
        assert_eq!(service["staff"], json!([clinic.luis]));
        assert_eq!(clinic.client.delete(&cleaning).await.status, 204);
        // What was is still told by its name.
        let past = clinic.client.get(&format!("{APPOINTMENTS}/{}", id(&booked))).await.ok(200);
        assert_eq!(past["staff_name"], "Ana Quispe");
    }
}

db_test! {
    async fn the_same_key_books_once(db) {
        let clinic = Clinic::open(db).await;
        let keyed = clinic.client.with("idempotency-key", "cita-1");
        let first = keyed.post(APPOINTMENTS, clinic.wanted("2026-03-18T10:00")).await.ok(201);
        let second = keyed.post(APPOINTMENTS, clinic.wanted("2026-03-18T10:00")).await.ok(201);
        assert_eq!(first, second);
        assert_eq!(clinic.free("2026-03-18", "").await.len(), 13);
        keyed.post(APPOINTMENTS, clinic.wanted("2026-03-18T11:00")).await.refused(409, "IDEMPOTENCY_MISMATCH");
    }
}

sqlite_test! {
    async fn hours_time_off_and_buffers_are_kept(db) {
        let clinic = Clinic::open(db).await;
        let staff = |id: &str| format!("/api/v1/staff/{id}");
        let off = json!({ "time_off": [{ "from": "2026-03-18T09:00:00", "to": "2026-03-18T12:00:00", "reason": "congreso" }] });
        clinic.client.patch(&staff(&clinic.ana), off).await.ok(200);
        let own = json!({ "hours": open_every_day(&[("15:00", "17:00")]) });
        clinic.client.patch(&staff(&clinic.luis), own).await.ok(200);
        let free = clinic.free("2026-03-18", "").await;
        let of = |who: &str| -> Vec<&str> {
            free.iter().filter(|(_, name)| name == who).map(|(time, _)| time.as_str()).collect()
        };
        assert_eq!(of("Ana Quispe"), ["12:00", "15:00", "16:00", "17:00"]);
        assert_eq!(of("Luis Soto"), ["15:00", "16:00"]);
        let service = format!("/api/v1/services/{}", clinic.cleaning);
        clinic.client.patch(&service, json!({ "buffer_after_minutes": 30 })).await.ok(200);
        let mut wanted = clinic.wanted("2026-03-18T15:00");
        wanted["staff_id"] = json!(clinic.ana);
        clinic.client.post(APPOINTMENTS, wanted).await.ok(201);
        let free = clinic.free("2026-03-18", "").await;
        let ana: Vec<&str> = free.iter().filter(|(_, who)| who == "Ana Quispe").map(|(time, _)| time.as_str()).collect();
        assert_eq!(ana, ["12:00", "17:00"]);
        let holiday = json!({ "hours": { "exceptions": [{ "from": "2026-03-19", "label": "Feriado", "intervals": [] }] } });
        clinic.client.patch(&format!("/api/v1/branches/{}", clinic.branch), holiday).await.ok(200);
        assert_eq!(clinic.free("2026-03-19", "").await, Vec::<(String, String)>::new());
        assert!(!clinic.free("2026-03-20", "").await.is_empty());
    }

    async fn tables_are_given_by_the_size_of_the_party(db) {
        let clinic = Clinic::open(db).await;
        for (name, seats) in [("Mesa 1", 2), ("Mesa 2", 4), ("Mesa 3", 8)] {
            let table = json!({ "name": name, "seats": seats, "branch_id": clinic.branch });
            clinic.client.post("/api/v1/tables", table).await.ok(201);
        }
        let service = json!({ "name": "Mesa", "booked_with": "table", "duration_minutes": 60, "step_minutes": 60 });
        let service = id(&clinic.client.post("/api/v1/services", service).await.ok(201));
        let book = async |party: u16| {
            let wanted = json!({ "service_id": service, "start": "2026-03-18T12:00", "party": party });
            clinic.client.post(APPOINTMENTS, wanted).await
        };
        assert_eq!(book(2).await.ok(201)["table_name"], "Mesa 1");
        assert_eq!(book(2).await.ok(201)["table_name"], "Mesa 2");
        assert_eq!(book(5).await.ok(201)["table_name"], "Mesa 3");
        assert_eq!(reason(&book(2).await.refused(409, "SLOT_UNAVAILABLE")), "taken");
        assert_eq!(reason(&book(9).await.refused(409, "SLOT_UNAVAILABLE")), "too_small");
    }

    async fn a_class_has_as_many_places_as_the_branch(db) {
        let clinic = Clinic::open(db).await;
        clinic.client.patch(&format!("/api/v1/branches/{}", clinic.branch), json!({ "capacity": 2 })).await.ok(200);
        let service = json!({ "name": "Taller", "booked_with": "branch", "duration_minutes": 60, "step_minutes": 30 });
        let service = id(&clinic.client.post("/api/v1/services", service).await.ok(201));
        let book = async |start: &str| {
            let wanted = json!({ "service_id": service, "start": start });
            clinic.client.post(APPOINTMENTS, wanted).await.status
        };
        assert_eq!(book("2026-03-18T09:00").await, 201);
        assert_eq!(book("2026-03-18T09:30").await, 201);
        // Both places are taken from half past nine to ten, in different rows.
        assert_eq!(book("2026-03-18T09:30").await, 409);
        assert_eq!(book("2026-03-18T10:00").await, 201);
        assert_eq!(book("2026-03-18T10:30").await, 201);
    }
}

db_test! {
    async fn a_completed_appointment_earns_once(db) {
        let clinic = Clinic::open(db).await;
        let programme = json!({ "name": "Club", "earning": { "per_appointment": 7 } });
        clinic.client.put("/api/v1/loyalty/programme", programme).await.ok(200);
        let lead = id(&make_lead(&clinic.client, "Rosa").await);
        let mut wanted = clinic.wanted("2026-03-18T10:00");
        wanted["lead_id"] = json!(lead);
        let booked = clinic.client.post(APPOINTMENTS, wanted).await.ok(201);
        let path = format!("{APPOINTMENTS}/{}", id(&booked));
        clinic.app.clock.advance(MINUTE * 25 * 60);
        clinic.client.post(&format!("{path}/complete"), json!({})).await.ok(200);
        clinic.client.post(&format!("{path}/complete"), json!({})).await.refused(409, "APPOINTMENT_STATE");
        let balance = clinic.client.get(&format!("/api/v1/leads/{lead}/loyalty")).await.ok(200);
        assert_eq!(balance["balance"], 7);
    }
}

sqlite_test! {
    async fn customers_are_reminded_of_what_still_stands(db) {
        let clinic = Clinic::open(db).await;
        let lead = id(&make_lead(&clinic.client, "Rosa").await);
        crate::harness::make_agent(&clinic.client, "Maya").await;
        let conversation = json!({ "lead_id": lead, "channel": "web" });
        let conversation = id(&clinic.client.post("/api/v1/conversations", conversation).await.ok(201));
        let mut wanted = clinic.wanted("2026-03-20T10:00");
        wanted["conversation_id"] = json!(conversation);
        let booked = clinic.client.post(APPOINTMENTS, wanted).await.ok(201);
        assert_eq!(booked["lead_id"], json!(lead));
        // Who is known by name need not be named again.
        assert_eq!(booked["customer_name"], "Rosa");
        let path = format!("{APPOINTMENTS}/{}", id(&booked));
        // Moved by an hour: only the reminders of the new time count.
        clinic.client.post(&format!("{path}/reschedule"), json!({ "start": "2026-03-20T11:00" })).await.ok(200);
        clinic.app.start_workers();
        clinic.app.clock.advance(MINUTE * (50 * 60 + 1));
        let messages = format!("/api/v1/conversations/{conversation}/messages");
        let text = crate::harness::eventually("the reminder", async || {
            let found = clinic.client.get(&messages).await.ok(200);
            found["data"][0]["text"].as_str().map(str::to_owned)
        }).await;
        assert!(text.contains("Limpieza dental") && text.contains("11:00"), "{text}");
        let all = clinic.client.get(&messages).await.ok(200);
        assert_eq!(all["data"].as_array().unwrap().len(), 1, "{all}");
    }
}
