//! Calendars that other programs follow.

use super::clinic::{APPOINTMENTS, Clinic};
use crate::harness::TestApp;
use quipu_testkit::sqlite_test;
use serde_json::json;

async fn open(app: &TestApp, path: &str) -> (u16, String) {
    let reply = app.stranger().get(path).await;
    (reply.status, reply.text)
}

sqlite_test! {
    async fn a_link_shows_the_appointments_until_it_is_revoked(db) {
        let clinic = Clinic::open(db).await;
        let mut wanted = clinic.wanted("2026-03-18T10:00");
        wanted["staff_id"] = json!(clinic.ana);
        wanted["customer_name"] = json!("Rosa; \"la 🦷\", vecina");
        clinic.client.post(APPOINTMENTS, wanted).await.ok(201);
        let link = async |path: String| {
            let link = clinic.client.get(&path).await.ok(200);
            link["path"].as_str().unwrap().to_owned()
        };
        let of_ana = link(format!("/api/v1/staff/{}/calendar", clinic.ana)).await;
        let of_luis = link(format!("/api/v1/staff/{}/calendar", clinic.luis)).await;
        let of_branch = link(format!("/api/v1/branches/{}/calendar", clinic.branch)).await;
        for path in [&of_ana, &of_branch] {
            let (status, text) = open(&clinic.app, path).await;
            assert_eq!(status, 200, "{text}");
            assert!(text.starts_with("BEGIN:VCALENDAR\r\n") && text.ends_with("END:VCALENDAR\r\n"));
            assert!(text.contains("DTSTART:20260318T150000Z"), "{text}");
            assert!(text.contains("Rosa\\; \"la 🦷\"\\, vecina"), "{text}");
        }
        let (_, text) = open(&clinic.app, &of_luis).await;
        assert!(!text.contains("VEVENT"), "{text}");
        // A changed link opens nothing, and neither does one of another person's.
        let mut forged = of_ana.clone().into_bytes();
        forged[40] = if forged[40] == b'A' { b'B' } else { b'A' };
        let forged = String::from_utf8(forged).unwrap();
        assert_eq!(open(&clinic.app, &forged).await.0, 404);
        assert_eq!(clinic.client.poke("/api/v1/calendars/revoke").await.status, 204);
        assert_eq!(open(&clinic.app, &of_ana).await.0, 404);
        let again = link(format!("/api/v1/staff/{}/calendar", clinic.ana)).await;
        assert_eq!(open(&clinic.app, &again).await.0, 200);
        // Whoever is made inactive sees no customers any more, until they are back.
        let ana = format!("/api/v1/staff/{}", clinic.ana);
        clinic.client.patch(&ana, json!({ "active": false })).await.ok(200);
        assert_eq!(open(&clinic.app, &again).await.0, 404);
        clinic.client.get(&format!("{ana}/calendar")).await.refused(404, "NOT_FOUND");
        clinic.client.patch(&ana, json!({ "active": true })).await.ok(200);
        assert_eq!(open(&clinic.app, &again).await.0, 200);
    }
}
