//! What a booking has to say, how far ahead it may be, and what changes mean for those there are.

use super::clinic::{APPOINTMENTS, Clinic};
use crate::harness::{Client, Reply, TestApp, id, make_agent, open_every_day};
use quipu_testkit::{db_test, sqlite_test};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

fn reason(error: &Value) -> &str {
    error["details"]["reason"].as_str().unwrap_or_default()
}

fn codes(item: &Value) -> Vec<&str> {
    let warnings = item["warnings"].as_array().unwrap();
    warnings
        .iter()
        .map(|warning| warning["code"].as_str().unwrap())
        .collect()
}

async fn add_service(client: &Client, service: Value) -> String {
    id(&client.post("/api/v1/services", service).await.ok(201))
}

sqlite_test! {
    async fn a_booking_without_a_service_asks_which(db) {
        let clinic = Clinic::open(db).await;
        // With only one there is nothing to ask.
        let start = json!({ "start": "2026-03-18T10:00" });
        let booked = clinic.client.post(APPOINTMENTS, start.clone()).await.ok(201);
        assert_eq!(booked["service_id"], json!(clinic.cleaning));
        let crown = json!({ "name": "Corona", "staff": [clinic.ana] });
        add_service(&clinic.client, crown).await;
        let question = clinic.client.get("/api/v1/availability").await.refused(422, "SERVICE_REQUIRED");
        let booking = clinic.client.post(APPOINTMENTS, start).await.refused(422, "SERVICE_REQUIRED");
        for error in [&question, &booking] {
            let names: Vec<&Value> = error["details"]["services"].as_array().unwrap().iter().map(|service| &service["name"]).collect();
            assert_eq!(names, ["Corona", "Limpieza dental"], "{error}");
            assert!(error["message"].as_str().unwrap().contains("Corona, Limpieza dental"), "{error}");
        }
        // Luis does only one of them, and a number of people asks for a table.
        let of_luis = format!("/api/v1/availability?staff_id={}", clinic.luis);
        assert_eq!(clinic.client.get(&of_luis).await.ok(200)["service_id"], json!(clinic.cleaning));
        let table = json!({ "name": "Mesa 1", "seats": 4, "branch_id": clinic.branch });
        clinic.client.post("/api/v1/tables", table).await.ok(201);
        let tables = add_service(&clinic.client, json!({ "name": "Mesa", "booked_with": "table" })).await;
        let for_two = clinic.client.get("/api/v1/availability?party=2").await.ok(200);
        assert_eq!(for_two["service_id"], json!(tables));
        clinic.client.get("/api/v1/availability").await.refused(422, "SERVICE_REQUIRED");
        // Whoever is there but does nothing that can be booked is not booked for nothing.
        let idle = json!({ "name": "Eva", "branches": [clinic.branch] });
        let idle = id(&clinic.client.post("/api/v1/staff", idle).await.ok(201));
        let wanted = json!({ "start": "2026-03-18T11:00", "staff_id": idle });
        let error = clinic.client.post(APPOINTMENTS, wanted).await.refused(409, "SLOT_UNAVAILABLE");
        assert_eq!(reason(&error), "not_bookable");
    }

    async fn bookings_end_at_the_horizon(db) {
        let clinic = Clinic::open(db).await;
        let book = async |start: &str| clinic.client.post(APPOINTMENTS, clinic.wanted(start)).await;
        assert_eq!(reason(&book("2027-03-18T10:00").await.refused(409, "SLOT_UNAVAILABLE")), "too_far");
        assert_eq!(book("2027-03-16T10:00").await.status, 201);
        clinic.client.put("/api/v1/business", json!({ "booking_horizon_days": 30 })).await.ok(200);
        assert_eq!(reason(&book("2026-04-17T10:00").await.refused(409, "SLOT_UNAVAILABLE")), "too_far");
        assert_eq!(book("2026-04-16T09:00").await.status, 201);
        let path = format!("/api/v1/availability?service_id={}&date=2026-04-20", clinic.cleaning);
        let beyond = clinic.client.get(&path).await.ok(200);
        assert_eq!((&beyond["slots"], &beyond["reason"]), (&json!([]), &json!("too_far")));
        for days in [0, 731] {
            let wrong = json!({ "booking_horizon_days": days });
            clinic.client.put("/api/v1/business", wrong).await.refused(422, "VALIDATION_FAILED");
        }
    }

    async fn changes_warn_of_what_is_booked_and_no_longer_fits(db) {
        let clinic = Clinic::open(db).await;
        let mut wanted = clinic.wanted("2026-03-18T16:00");
        wanted["staff_id"] = json!(clinic.ana);
        let booked = clinic.client.post(APPOINTMENTS, wanted).await.ok(201);
        let ana = format!("/api/v1/staff/{}", clinic.ana);
        let branch = format!("/api/v1/branches/{}", clinic.branch);
        let service = format!("/api/v1/services/{}", clinic.cleaning);
        let affected = ["appointments_affected"];
        let away = clinic.client.patch(&ana, json!({ "active": false })).await.ok(200);
        assert_eq!(codes(&away), affected);
        assert_eq!(away["warnings"][0]["appointments"], json!([booked["id"]]));
        let es = away["warnings"][0]["es"].as_str().unwrap();
        assert!(es.contains("1 cita por delante") && es.contains("miércoles 18 de marzo a las 16:00"), "{es}");
        assert_eq!(codes(&clinic.client.get(&ana).await.ok(200)), affected);
        assert_eq!(codes(&clinic.client.patch(&ana, json!({ "active": true })).await.ok(200)), [""; 0]);
        let off = json!({ "time_off": [{ "from": "2026-03-18", "to": "2026-03-18" }] });
        assert_eq!(codes(&clinic.client.patch(&ana, off).await.ok(200)), affected);
        clinic.client.patch(&ana, json!({ "time_off": null })).await.ok(200);
        let mornings = json!({ "hours": open_every_day(&[("09:00", "13:00")]) });
        assert_eq!(codes(&clinic.client.patch(&branch, mornings).await.ok(200)), affected);
        let all_day = json!({ "hours": open_every_day(&[("09:00", "18:00")]) });
        assert_eq!(codes(&clinic.client.patch(&branch, all_day).await.ok(200)), [""; 0]);
        let without_ana = clinic.client.patch(&service, json!({ "staff": [clinic.luis] })).await.ok(200);
        assert_eq!(codes(&without_ana), affected);
        // What is over is nobody's concern.
        clinic.app.clock.advance(Duration::from_hours(48));
        assert_eq!(codes(&clinic.client.get(&service).await.ok(200)), [""; 0]);
    }

    async fn fewer_places_warn_of_the_bookings_beyond_them(db) {
        let clinic = Clinic::open(db).await;
        let branch = format!("/api/v1/branches/{}", clinic.branch);
        clinic.client.patch(&branch, json!({ "capacity": 3 })).await.ok(200);
        let service = json!({ "name": "Taller", "booked_with": "branch", "duration_minutes": 60, "step_minutes": 30 });
        let service = clinic.client.post("/api/v1/services", service).await.ok(201);
        let mut booked = Vec::new();
        for start in ["2026-03-18T09:00", "2026-03-18T09:30", "2026-03-18T09:30", "2026-03-18T10:00"] {
            let wanted = json!({ "service_id": service["id"], "start": start });
            booked.push(clinic.client.post(APPOINTMENTS, wanted).await.ok(201)["id"].clone());
        }
        assert_eq!(codes(&clinic.client.get(&branch).await.ok(200)), [""; 0]);
        let two = clinic.client.patch(&branch, json!({ "capacity": 2 })).await.ok(200);
        assert_eq!(codes(&two), ["appointments_affected"]);
        assert_eq!(two["warnings"][0]["appointments"], json!([booked[2]]));
        let one = clinic.client.patch(&branch, json!({ "capacity": 1 })).await.ok(200);
        assert_eq!(one["warnings"][0]["appointments"], json!([booked[1], booked[2]]));
        assert_eq!(codes(&clinic.client.patch(&branch, json!({ "capacity": 3 })).await.ok(200)), [""; 0]);
    }

    async fn more_people_than_could_ever_come_are_refused(db) {
        let clinic = Clinic::open(db).await;
        let mut wanted = clinic.wanted("2026-03-18T10:00");
        wanted["party"] = json!(900);
        let error = clinic.client.post(APPOINTMENTS, wanted.clone()).await.refused(422, "VALIDATION_FAILED");
        let wrong_field = &error["details"]["fields"][0];
        assert_eq!((&wrong_field["field"], &wrong_field["problem"]), (&json!("party"), &json!("out_of_range")));
        assert!(error["message"].as_str().unwrap().contains("entre 1 y 20"), "{error}");
        let path = format!("/api/v1/availability?service_id={}&party=900", clinic.cleaning);
        clinic.client.get(&path).await.refused(422, "VALIDATION_FAILED");
        wanted["party"] = json!(4);
        clinic.client.post(APPOINTMENTS, wanted).await.ok(201);
        // A branch takes as many as it has places.
        let branch = format!("/api/v1/branches/{}", clinic.branch);
        clinic.client.patch(&branch, json!({ "capacity": 50 })).await.ok(200);
        let service = json!({ "name": "Taller", "booked_with": "branch", "duration_minutes": 60, "step_minutes": 60 });
        let service = clinic.client.post("/api/v1/services", service).await.ok(201);
        let book = async |party: u16| {
            let wanted = json!({ "service_id": service["id"], "start": "2026-03-18T10:00", "party": party });
            clinic.client.post(APPOINTMENTS, wanted).await
        };
        book(51).await.refused(422, "VALIDATION_FAILED");
        book(50).await.ok(201);
    }

    async fn a_slot_of_another_service_moves_nothing(db) {
        let clinic = Clinic::open(db).await;
        let booked = clinic.book("2026-03-18T10:00").await;
        let service = json!({ "name": "Endodoncia", "duration_minutes": 60, "step_minutes": 60, "staff": [clinic.ana] });
        let other = clinic.client.post("/api/v1/services", service).await.ok(201);
        let slot_of = async |service: &str| {
            let path = format!("/api/v1/availability?service_id={service}&date=2026-03-19");
            clinic.client.get(&path).await.ok(200)["slots"][0]["slot_id"].clone()
        };
        let path = format!("{APPOINTMENTS}/{}", id(&booked));
        let reschedule = format!("{path}/reschedule");
        let wrong = json!({ "slot_id": slot_of(other["id"].as_str().unwrap()).await });
        let error = clinic.client.post(&reschedule, wrong).await.refused(422, "VALIDATION_FAILED");
        let wrong_field = &error["details"]["fields"][0];
        assert_eq!((&wrong_field["field"], &wrong_field["problem"]), (&json!("slot_id"), &json!("contradicts")));
        assert!(error["message"].as_str().unwrap().contains("slot_id contradice lo que dice service_id"), "{error}");
        assert_eq!(clinic.client.get(&path).await.ok(200)["starts_at"], booked["starts_at"]);
        let right = json!({ "slot_id": slot_of(&clinic.cleaning).await });
        clinic.client.post(&reschedule, right).await.ok(200);
    }

    async fn free_times_tell_the_clock_of_the_branch(db) {
        let clinic = Clinic::open(db).await;
        let branch = format!("/api/v1/branches/{}", clinic.branch);
        clinic.client.patch(&branch, json!({ "time_zone": "America/Tijuana" })).await.ok(200);
        let path = format!("/api/v1/availability?service_id={}&date=2026-03-18", clinic.cleaning);
        let free = clinic.client.get(&path).await.ok(200);
        assert_eq!(free["time_zone"], "America/Tijuana");
        assert_eq!(free["slots"][0]["local_start"], "2026-03-18T09:00:00-07:00");
    }

    async fn a_slot_stands_alone_and_cannot_be_made_up(db) {
        let clinic = Clinic::open(db).await;
        let path = format!("/api/v1/availability?service_id={}&from=2026-03-18", clinic.cleaning);
        let offered = clinic.client.get(&path).await.ok(200);
        let slot = &offered["slots"][0];
        assert_eq!((&slot["date"], &slot["time"]), (&json!("2026-03-18"), &json!("09:00")));
        assert_eq!(slot["local_start"], "2026-03-18T09:00:00-05:00");
        let text = slot["slot_id"].as_str().unwrap().to_owned();
        let others = if slot["staff_id"] == json!(clinic.ana) { &clinic.luis } else { &clinic.ana };
        for (field, value) in [("start", "2026-03-18T10:00"), ("staff_id", others.as_str()), ("branch_id", clinic.cleaning.as_str())] {
            let mut wanted = json!({ "slot_id": text });
            wanted[field] = json!(value);
            let error = clinic.client.post(APPOINTMENTS, wanted).await.refused(422, "VALIDATION_FAILED");
            let wrong_field = &error["details"]["fields"][0];
            assert_eq!((&wrong_field["field"], &wrong_field["problem"]), (&json!(field), &json!("contradicts")));
        }
        let service = json!({ "name": "Otra cosa", "duration_minutes": 30 });
        let other = clinic.client.post("/api/v1/services", service).await.ok(201);
        let wanted = json!({ "slot_id": text, "service_id": other["id"] });
        let error = clinic.client.post(APPOINTMENTS, wanted).await.refused(422, "VALIDATION_FAILED");
        let wrong_field = &error["details"]["fields"][0];
        assert_eq!((&wrong_field["field"], &wrong_field["problem"]), (&json!("service_id"), &json!("contradicts")));
        // Whatever part of it is made up, it is a slot that is not there.
        let parts: Vec<&str> = text.split('.').collect();
        for forged in 1..4 {
            let mut parts = parts.clone();
            let nobody = uuid::Uuid::now_v7().simple().to_string();
            parts[forged] = &nobody;
            let wanted = json!({ "slot_id": parts.join(".") });
            let error = clinic.client.post(APPOINTMENTS, wanted).await.refused(404, "NOT_FOUND");
            assert_eq!(error["details"]["resource"], "slot", "part {forged}");
        }
        let agreeing = json!({ "slot_id": text, "start": "2026-03-18T09:00", "staff_id": slot["staff_id"] });
        clinic.client.post(APPOINTMENTS, agreeing).await.ok(201);
    }

    async fn a_party_that_fits_no_table_is_told_so(db) {
        let clinic = Clinic::open(db).await;
        let table = json!({ "name": "Mesa 1", "seats": 4, "branch_id": clinic.branch });
        clinic.client.post("/api/v1/tables", table).await.ok(201);
        let service = add_service(&clinic.client, json!({ "name": "Mesa", "booked_with": "table" })).await;
        let reason_for = async |party: u16| {
            let path = format!("/api/v1/availability?service_id={service}&party={party}");
            clinic.client.get(&path).await.ok(200)["reason"].clone()
        };
        assert_eq!(reason_for(4).await, json!(null));
        assert_eq!(reason_for(5).await, "too_small");
    }

    async fn dates_alone_are_whole_days(db) {
        let clinic = Clinic::open(db).await;
        for start in ["2026-03-18T17:00", "2026-03-19T09:00", "2026-03-20T09:00"] {
            clinic.book(start).await;
        }
        let count = async |query: &str| {
            let found = clinic.client.get(&format!("{APPOINTMENTS}?{query}")).await.ok(200);
            found["data"].as_array().unwrap().len()
        };
        assert_eq!(count("from=2026-03-19").await, 2);
        assert_eq!(count("to=2026-03-19").await, 2);
        assert_eq!(count("from=2026-03-18&to=2026-03-18").await, 1);
        assert_eq!(count("from=2026-03-18T22:30:00Z&to=2026-03-19T14:00:00Z").await, 0);
        clinic.client.get(&format!("{APPOINTMENTS}?from=mañana")).await.refused(400, "INVALID_PARAMETER");
        let ana = format!("/api/v1/staff/{}", clinic.ana);
        let off = json!({ "time_off": [{ "from": "2026-03-23", "to": "2026-03-24" }] });
        let saved = clinic.client.patch(&ana, off).await.ok(200);
        assert_eq!(saved["time_off"][0]["to"], "2026-03-25T00:00:00");
        let with_ana = format!("&staff_id={}", clinic.ana);
        assert!(clinic.free("2026-03-24", &with_ana).await.is_empty());
        assert_eq!(clinic.free("2026-03-25", &with_ana).await.len(), 7);
        // What was saved is read as it was saved.
        let again = clinic.client.patch(&ana, json!({ "role": "Odontóloga" })).await.ok(200);
        assert_eq!(again["time_off"], saved["time_off"]);
    }
}

db_test! {
    async fn an_hour_that_is_repeated_is_booked_once_each_time(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("noche").await.admin.client;
        let branch = json!({ "name": "Madrid", "time_zone": "Europe/Madrid", "hours": open_every_day(&[("00:00", "00:00")]) });
        let branch = id(&client.post("/api/v1/branches", branch).await.ok(201));
        let staff = json!({ "name": "Sol", "branches": [branch] });
        let staff = id(&client.post("/api/v1/staff", staff).await.ok(201));
        let service = json!({ "name": "Guardia", "staff": [staff], "duration_minutes": 60, "step_minutes": 60 });
        add_service(&client, service).await;
        let day = client.get("/api/v1/availability?date=2026-10-25").await.ok(200);
        let slots = day["slots"].as_array().unwrap();
        assert_eq!(slots.len(), 25);
        let twice: Vec<&Value> = slots.iter().filter(|slot| slot["time"] == "02:00").map(|slot| &slot["local_start"]).collect();
        assert_eq!(twice, ["2026-10-25T02:00:00+02:00", "2026-10-25T02:00:00+01:00"]);
        for start in twice {
            let booked = client.post(APPOINTMENTS, json!({ "start": start })).await.ok(201);
            assert_eq!(&booked["local_start"], start);
            let again = client.post(APPOINTMENTS, json!({ "start": start })).await;
            assert_eq!(reason(&again.refused(409, "SLOT_UNAVAILABLE")), "taken");
        }
    }
}

sqlite_test! {
    async fn what_nobody_sees_and_what_nobody_means(db) {
        let clinic = Clinic::open(db).await;
        let services = "/api/v1/services";
        let hidden = json!({ "name": "Limpieza\u{200b} den\u{2060}tal" });
        clinic.client.post(services, hidden).await.refused(409, "ALREADY_EXISTS");
        let named = clinic.client.post(services, json!({ "name": "Coro\u{200b}na \u{202e}fija" })).await.ok(201);
        assert_eq!(named["name"], "Corona fija");
        clinic.client.post(services, json!({ "name": "\u{200b}\u{feff}" })).await.refused(422, "VALIDATION_FAILED");
        let soles = |amount: i64| json!({ "amount": amount, "currency": "PEN" });
        let one = format!("{services}/{}", clinic.cleaning);
        let promotion = |amount| json!({ "promotion": { "text": "Marzo", "price": soles(amount) } });
        assert_eq!(codes(&clinic.client.patch(&one, promotion(13_000)).await.ok(200)), ["promotion_dearer"]);
        assert_eq!(codes(&clinic.client.patch(&one, promotion(11_000)).await.ok(200)), [""; 0]);
        let booked = clinic.book("2026-03-18T10:00").await;
        assert_eq!(booked["price_min"], soles(11_000), "what is on offer is what it costs");
        let over = json!({ "promotion": { "text": "Febrero", "price": soles(11_000), "to": "2026-02-28" } });
        clinic.client.patch(&one, over).await.ok(200);
        assert_eq!(clinic.book("2026-03-18T11:00").await["price_min"], soles(12_000));
        let error = clinic.client.patch(&one, json!({ "name": null })).await.refused(400, "INVALID_JSON");
        assert!(error["message"].as_str().unwrap().contains("falta el campo name"), "{error}");
        let error = clinic.client.post(services, json!({ "name": 7 })).await.refused(400, "INVALID_JSON");
        assert!(error["message"].as_str().unwrap().contains("se espera un texto"), "{error}");
    }

    async fn what_takes_no_time_is_sold_and_not_booked(db) {
        let clinic = Clinic::open(db).await;
        let client = &clinic.client;
        let price = json!({ "amount": 90_000, "currency": "PEN" });
        let package = json!({ "name": "Bono de 10 sesiones", "price_min": price, "duration_minutes": null, "staff": [clinic.ana] });
        let made = client.post("/api/v1/services", package).await.ok(201);
        assert_eq!(made["duration_minutes"], Value::Null);
        assert_eq!(codes(&made), ["no_duration"]);
        let service = id(&made);
        let found = client.get(&format!("/api/v1/availability?service_id={service}")).await.ok(200);
        assert_eq!((&found["slots"], &found["reason"]), (&json!([]), &json!("no_duration")));
        let wanted = json!({ "service_id": service, "start": "2026-03-18T10:00" });
        let error = client.post(APPOINTMENTS, wanted.clone()).await.refused(409, "SLOT_UNAVAILABLE");
        assert_eq!(reason(&error), "no_duration");
        assert!(error["message"].as_str().unwrap().contains("sin cita"), "{error}");
        // It is no choice where what is booked is asked for.
        let cleaning = client.get("/api/v1/availability?date=2026-03-18").await.ok(200);
        assert_eq!(cleaning["service_id"], json!(clinic.cleaning));
        // A change can give it a time, and take it again.
        let path = format!("/api/v1/services/{service}");
        let kept = client.patch(&path, json!({ "category": "Bonos" })).await.ok(200);
        assert_eq!(kept["duration_minutes"], Value::Null);
        for nothing in [Value::Null, json!(0)] {
            client.patch(&path, json!({ "duration_minutes": 60 })).await.ok(200);
            client.post(APPOINTMENTS, wanted.clone()).await.ok(201);
            let taken = client.patch(&path, json!({ "duration_minutes": nothing })).await.ok(200);
            assert_eq!(taken["duration_minutes"], Value::Null);
            let error = client.post(APPOINTMENTS, wanted.clone()).await.refused(409, "SLOT_UNAVAILABLE");
            assert_eq!(reason(&error), "no_duration");
            for booked in client.get(APPOINTMENTS).await.ok(200)["data"].as_array().unwrap() {
                client.post(&format!("{APPOINTMENTS}/{}/cancel", id(booked)), json!({})).await;
            }
        }
        let wrong = json!({ "name": "Otro", "duration_minutes": 3 });
        client.post("/api/v1/services", wrong).await.refused(422, "VALIDATION_FAILED");
        // A table leaves the cell empty, and writes it so.
        let table = "nombre;precio mínimo;duración\nVale de regalo;100;\nMasaje;80;45\nGiftcard;50;0\nBono de 10 sesiones;950;\n";
        let request = client.request(Method::POST, "/api/v1/services/import");
        let request = request.header("content-type", "text/csv").body(table);
        let report = Reply::of(request).await.ok(200);
        assert_eq!((&report["created"], &report["updated"], &report["failed"]), (&json!(3), &json!(1), &json!(0)), "{report}");
        let all = client.get("/api/v1/services?limit=200").await.ok(200);
        let minutes = |name: &str| {
            let found = all["data"].as_array().unwrap().iter().find(|service| service["name"] == name);
            found.unwrap()["duration_minutes"].clone()
        };
        assert_eq!((minutes("Vale de regalo"), minutes("Giftcard")), (Value::Null, Value::Null));
        assert_eq!((minutes("Masaje"), minutes("Bono de 10 sesiones")), (json!(45), Value::Null));
        // Agents quote it, and say how it is bought.
        make_agent(client, "Maya").await;
        let told = client.post("/api/v1/agents/maya/tools/get_service_info", json!({ "arguments": { "service_name": "vale de regalo" } })).await.ok(200);
        assert_eq!((&told["result"]["duration_minutes"], &told["result"]["bookable"]), (&Value::Null, &json!(false)));
        let ask = async |text: &str| {
            let body = json!({ "messages": [{ "role": "user", "content": text }], "stream": false, "user": "visitante" });
            let answer = client.post("/api/agents/maya/chat", body).await.ok(200);
            answer["message"]["content"].as_str().unwrap().to_owned()
        };
        let quoted = ask("¿cuánto cuesta el vale de regalo?").await;
        assert!(quoted.contains("S/ 100"), "{quoted}");
        let booked = ask("quiero agendar una cita para el vale de regalo mañana").await;
        assert!(booked.contains("sin cita"), "{booked}");
    }
}
