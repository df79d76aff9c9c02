//! Requests for invoices.

use crate::harness::{Shop, amount, id};
use futures::future::join_all;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};

const INVOICES: &str = "/api/v1/invoice-requests";

fn wanted(folio: &str) -> Value {
    json!({
        "folio": folio,
        "rfc": "eku-900317-3c9",
        "name": "ESCUELA KEMPER URGATE",
        "tax_regime": "601",
        "cfdi_use": "g03",
        "email": "Ana@Example.com",
        "postal_code": "42501",
        "total": amount(11_600),
        "ticket_date": "2026-03-16",
    })
}

sqlite_test! {
    async fn a_request_is_made_listed_and_completed(db) {
        let shop = Shop::open(db).await;
        let client = &shop.client;
        let mut body = wanted("A-00123");
        body["lead_id"] = json!(shop.lead);
        let made = client.post(INVOICES, body).await.ok(201);
        assert_eq!(
            (&made["rfc"], &made["cfdi_use"], &made["email"], &made["status"]),
            (&json!("EKU9003173C9"), &json!("G03"), &json!("ana@example.com"), &json!("requested"))
        );
        assert_eq!(made["warnings"], json!([]));
        let path = format!("{INVOICES}/{}", id(&made));
        let listed = client.get(&format!("{INVOICES}?status=requested&lead_id={}", shop.lead)).await;
        assert_eq!(listed.ok(200)["data"], json!([made]));

        let complete = format!("{path}/complete");
        client.post(&complete, json!({ "resolution": " " })).await.refused(422, "VALIDATION_FAILED");
        let done = client.post(&complete, json!({ "resolution": "CFDI 8812" })).await.ok(200);
        assert_eq!((&done["status"], &done["resolution"]), (&json!("completed"), &json!("CFDI 8812")));
        let again = json!({ "resolution": "no" });
        client.post(&complete, again.clone()).await.refused(409, "INVOICE_STATE");
        client.post(&format!("{path}/reject"), again).await.refused(409, "INVOICE_STATE");
        let told = client.get(&path).await.ok(200);
        let actions: Vec<_> = told["history"].as_array().unwrap().iter().map(|e| &e["action"]).collect();
        assert_eq!(actions.len(), 2, "{told}");
        assert_eq!(told["resolution"], "CFDI 8812");
        assert_eq!(client.get(&format!("{INVOICES}?status=requested")).await.ok(200)["data"], json!([]));
    }

    async fn what_is_wrong_is_told_with_what_is_allowed(db) {
        let shop = Shop::open(db).await;
        for (field, value, told) in [
            ("rfc", json!("EKU9013173C9"), "RFC"),
            ("rfc", json!(""), "RFC"),
            ("tax_regime", json!("612"), "601, 603"),
            ("tax_regime", json!("999"), "601, 603"),
            ("cfdi_use", json!("D01"), "G01, G02, G03"),
            ("cfdi_use", json!("???"), "G01, G02, G03"),
            ("email", json!("nadie"), "correo"),
            ("postal_code", json!("123"), "código postal"),
            ("folio", json!("---"), "vacío"),
            ("name", json!(" "), "vacío"),
            ("total.amount", json!({ "amount": -1, "currency": "PEN" }), "entre 0"),
            ("total.amount", json!({ "amount": 0, "currency": "PEN" }), "no puede ser cero"),
            ("ticket_date", json!("2026-03-18"), "está en el futuro"),
            ("ticket_date", json!("2027-01-01"), "está en el futuro"),
            ("ticket_date", json!("2021-03-16"), "más de 5 años"),
            ("ticket_date", json!("0001-01-01"), "más de 5 años"),
            ("total.currency", json!({ "amount": 1, "currency": "MXN" }), "PEN"),
        ] {
            let mut body = wanted("B-1");
            body[field.split('.').next().unwrap()] = value;
            let error = shop.client.post(INVOICES, body).await.refused(422, "VALIDATION_FAILED");
            assert_eq!(error["details"]["fields"][0]["field"], field, "{error}");
            let message = error["message"].as_str().unwrap();
            assert!(message.contains(told), "{field}: {message}");
        }
        let mut body = wanted("B-1");
        body["rfc"] = json!("XAXX010101000");
        let error = shop.client.post(INVOICES, body).await.refused(422, "VALIDATION_FAILED");
        assert_eq!(error["details"]["fields"].as_array().unwrap().len(), 2, "{error}");
        // What is known and yet does not go together is not called unknown.
        for (change, field, told) in [
            (json!({ "tax_regime": "612" }), "tax_regime", "tax_regime no corresponde a rfc"),
            (json!({ "cfdi_use": "D01" }), "cfdi_use", "cfdi_use no corresponde a tax_regime 601"),
            (json!({ "rfc": "XAXX010101000", "tax_regime": "616" }), "cfdi_use", "cfdi_use no corresponde a rfc"),
        ] {
            let mut body = wanted("B-1");
            body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            let error = shop.client.post(INVOICES, body).await.refused(422, "VALIDATION_FAILED");
            let wrong_field = &error["details"]["fields"][0];
            assert_eq!((&wrong_field["field"], &wrong_field["problem"]), (&json!(field), &json!("not_together")));
            assert!(error["message"].as_str().unwrap().contains(told), "{error}");
        }
        // A doubtful number is taken, and staff are told.
        let mut body = wanted("B-1");
        body["rfc"] = json!("EKU9003173C8");
        body["ticket_date"] = json!("2021-03-17");
        body["name"] = json!("ESCUELA\u{202e} KEMPER");
        let made = shop.client.post(INVOICES, body).await.ok(201);
        assert_eq!(made["warnings"].as_array().unwrap().len(), 1, "{made}");
        assert_eq!(made["name"], "ESCUELA KEMPER");
    }
}

db_test! {
    async fn a_ticket_is_invoiced_once(db) {
        let shop = Shop::open(db).await;
        let client = &shop.client;
        let writings = ["A-00123", "a00123", " a - 00123 ", "#A-00123"];
        let tries = (0..8).map(|at| client.post(INVOICES, wanted(writings[at % 4])));
        let replies = join_all(tries).await;
        let won: Vec<_> = replies.iter().filter(|reply| reply.status == 201).collect();
        assert_eq!(won.len(), 1);
        for reply in replies.iter().filter(|reply| reply.status != 201) {
            reply.refused(409, "DUPLICATE_INVOICE");
        }
        client.post(INVOICES, wanted("A-124")).await.ok(201);
        let path = format!("{INVOICES}/{}/reject", id(&won[0].json()));
        client.post(&path, json!({ "resolution": "ilegible" })).await.ok(200);
        client.post(INVOICES, wanted("A-00123")).await.ok(201);
        client.post(INVOICES, wanted("A-00123")).await.refused(409, "DUPLICATE_INVOICE");
        // Another tenant has tickets of its own.
        let other = shop.app.tenant("otra").await.admin.client;
        other.post(INVOICES, wanted("A-00123")).await.ok(201);
        let mut body = wanted("C-1");
        body["lead_id"] = json!(shop.lead);
        other.post(INVOICES, body).await.refused(404, "NOT_FOUND");
    }
}

sqlite_test! {
    async fn a_request_that_is_sent_twice_is_one(db) {
        let shop = Shop::open(db).await;
        let client = shop.client.with("idempotency-key", "uno");
        let first = client.post(INVOICES, wanted("A-1")).await.ok(201);
        assert_eq!(client.post(INVOICES, wanted("A-1")).await.ok(201), first);
        client.post(INVOICES, wanted("A-2")).await.refused(409, "IDEMPOTENCY_MISMATCH");
        let listed = client.get(INVOICES).await.ok(200);
        assert_eq!(listed["data"], json!([first]));
    }
}
