//! Orders: read, reckoned, placed, followed and cancelled.

mod delivery;
mod rewards;
mod totals;

use crate::harness::{Shop, add_item, amount, dish, id};
use futures::future::join_all;
use quipu_commerce::business::{Dish, Item};
use quipu_commerce::money::Money;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const ORDERS: &str = "/api/v1/orders";

fn one(name: &str, quantity: i64) -> Value {
    json!({ "items": [{ "name": name, "quantity": quantity }] })
}

sqlite_test! {
    async fn an_order_in_the_customers_words_is_priced(db) {
        let shop = Shop::open(db).await;
        let wanted = json!({ "text": "dos de pastor y una coca", "customer_name": "Ana" });
        let quoted = shop.client.post("/api/v1/orders/quote", wanted.clone()).await.ok(200);
        assert_eq!(quoted["totals"]["total"], amount(4250));
        assert_eq!(shop.client.get(ORDERS).await.ok(200)["data"], json!([]));
        let order = shop.order(wanted).await;
        assert_eq!(
            (&order["number"], &order["status"], &order["order_type"]),
            (&json!(1), &json!("received"), &json!("pickup"))
        );
        assert_eq!((&order["lines"], &order["totals"]), (&quoted["lines"], &quoted["totals"]));
        assert_eq!(order["lines"][0]["quantity"], 2);
        assert_eq!(order["totals"]["subtotal"], amount(4250));
        // Thirty minutes after nine in Lima.
        assert_eq!(order["estimated_at"], "2026-03-17T14:30:00Z");
        let told = shop.client.get(&format!("{ORDERS}/{}", id(&order))).await.ok(200);
        assert_eq!(told["history"][0]["action"], "received");
        assert_eq!(told["customer_name"], "Ana");
    }

    async fn what_is_not_clear_is_asked_back(db) {
        let shop = Shop::open(db).await;
        let text = json!({ "text": "un taco y una hamburguesa" });
        for path in [ORDERS, "/api/v1/orders/quote"] {
            let error = shop.client.post(path, text.clone()).await.refused(422, "ORDER_UNCLEAR");
            let details = &error["details"];
            assert_eq!(details["lines"].as_array().unwrap().len(), 2, "{error}");
            assert_eq!(details["lines"][1]["kind"], "unknown", "{error}");
            assert!(details["questions"]["es"].as_str().unwrap().contains("hamburguesa"), "{error}");
            assert!(details["questions"]["en"].as_str().unwrap().contains("menu"), "{error}");
            assert!(error["message"].as_str().unwrap().contains("hamburguesa"), "{error}");
        }
        let nothing = json!({ "text": "hola, buenas tardes" });
        shop.client.post(ORDERS, nothing).await.refused(422, "ORDER_UNCLEAR");
        let mut sold_out = dish("Suadero", 1800);
        sold_out.available = false;
        let mut hidden = dish("Secreto", 1800);
        hidden.active = false;
        for dish in [&sold_out, &hidden] {
            add_item(&shop.app, &shop.tenant, dish).await;
        }
        let error = shop.client.post(ORDERS, one("suadero", 1)).await.refused(422, "ORDER_UNCLEAR");
        assert_eq!(error["details"]["lines"][0]["kind"], "unavailable");
        let error = shop.client.post(ORDERS, one("secreto", 1)).await.refused(422, "ORDER_UNCLEAR");
        assert_eq!(error["details"]["lines"][0]["kind"], "unknown");
        assert_eq!(shop.client.get(ORDERS).await.ok(200)["data"], json!([]));
    }

    async fn what_only_another_branch_sells_is_told_with_the_branch(db) {
        let shop = Shop::open(db).await;
        let mut branches = Vec::new();
        for name in ["Norte", "Sur"] {
            let made = shop.client.post("/api/v1/branches", json!({ "name": name })).await.ok(201);
            branches.push(made["id"].clone());
        }
        let tlayuda = json!({ "name": "Tlayuda", "price": amount(9_000), "branches": [branches[1]] });
        shop.client.post("/api/v1/menu-items", tlayuda).await.ok(201);
        let mut wanted = one("tlayuda", 1);
        wanted["branch_id"] = branches[0].clone();
        let error = shop.client.post(ORDERS, wanted.clone()).await.refused(409, "ORDER_REFUSED");
        assert_eq!(error["details"]["reason"], "not_at_branch");
        assert_eq!(error["details"]["branches"], json!([{ "id": branches[1], "name": "Sur" }]));
        assert!(error["message"].as_str().unwrap().contains("Tlayuda no se vende en Norte; sí en Sur"), "{error}");
        wanted["branch_id"] = branches[1].clone();
        shop.order(wanted).await;
    }

    async fn what_nobody_sees_in_a_text_is_left_out(db) {
        let shop = Shop::open(db).await;
        let order = shop.order(json!({
            "text": "un taco", "customer_name": "Ana\u{202e} Ruiz", "notes": "sin\u{2066} prisa\nal fondo",
        })).await;
        assert_eq!((&order["customer_name"], &order["notes"]), (&json!("Ana Ruiz"), &json!("sin prisa\nal fondo")));
        let body = json!({ "text": "un taco", "delivery_address": "Calle\u{1b}[31m 5" });
        let error = shop.client.post(ORDERS, body).await.refused(422, "VALIDATION_FAILED");
        let wrong_field = &error["details"]["fields"][0];
        assert_eq!((&wrong_field["field"], &wrong_field["problem"]), (&json!("delivery_address"), &json!("control_characters")));
    }

    async fn quantities_that_make_no_sense_are_refused(db) {
        let shop = Shop::open(db).await;
        for quantity in [0, -1, -99, 100, 1_000_000, i64::MAX, i64::MIN] {
            let error = shop.client.post(ORDERS, one("taco", quantity)).await;
            let error = error.refused(422, "ORDER_UNCLEAR");
            assert_eq!(error["details"]["lines"][0]["kind"], "wrong_quantity", "{quantity}");
        }
        for quantity in [json!(1.5), json!("dos"), json!(1e300)] {
            let body = json!({ "items": [{ "name": "taco", "quantity": quantity }] });
            shop.client.post(ORDERS, body).await.refused(400, "INVALID_JSON");
        }
        let error = shop.client.post(ORDERS, json!({ "text": "-3 tacos" })).await;
        assert_ne!(error.status, 500, "{}", error.text);
        assert_eq!(shop.order(one("taco", 99)).await["totals"]["total"], amount(148_500));
    }

    async fn bodies_are_bounded(db) {
        let shop = Shop::open(db).await;
        let long = "x".repeat(2001);
        let items = |count: usize| json!(vec![json!({ "name": "taco" }); count]);
        for (field, body) in [
            ("items", json!({})),
            ("items", json!({ "items": items(1), "text": "un taco" })),
            ("items", json!({ "items": [] })),
            ("items", json!({ "items": items(51) })),
            ("text", json!({ "text": long })),
            ("items[0].name", json!({ "items": [{ "name": "" }] })),
            ("items[0].notes", json!({ "items": [{ "name": "taco", "notes": vec!["x"; 9] }] })),
            ("items[0].notes[0]", json!({ "items": [{ "name": "taco", "notes": [long] }] })),
            ("items[0].options", json!({ "items": [{ "name": "taco", "options": vec!["x"; 21] }] })),
            ("notes", json!({ "text": "un taco", "notes": long })),
            ("delivery_address", json!({ "text": "un taco", "delivery_address": long })),
            ("customer_name", json!({ "text": "un taco", "customer_name": "" })),
            ("redemption_code", json!({ "text": "un taco", "redemption_code": long })),
            ("scheduled_for", json!({ "text": "un taco", "scheduled_for": "mañana" })),
            ("scheduled_for", json!({ "text": "un taco", "scheduled_for": "2026-03-17T08:59" })),
            ("scheduled_for", json!({ "text": "un taco", "scheduled_for": "2027-03-17T10:00" })),
        ] {
            let error = shop.client.post(ORDERS, body).await.refused(422, "VALIDATION_FAILED");
            assert_eq!(error["details"]["fields"][0]["field"], field, "{error}");
        }
        let odd = json!({ "text": "un taco", "propina": 5 });
        shop.client.post(ORDERS, odd).await.refused(400, "INVALID_JSON");
    }

    async fn notes_survive_as_they_were_written(db) {
        let shop = Shop::open(db).await;
        let note = "sin 🧅, \"bien dorado\" y con l'amour; DROP TABLE orders;--";
        let order = shop.order(json!({
            "items": [{ "name": "taco", "notes": [note] }],
            "notes": format!("{note}\nTocar el timbre 🔔"),
            "customer_name": "Ñoño O\u{2019}Higgins 👩‍🍳",
        })).await;
        let path = format!("{ORDERS}/{}", id(&order));
        let told = shop.client.get(&path).await.ok(200);
        assert_eq!(told["lines"][0]["notes"], json!([note]));
        assert_eq!(told["notes"], format!("{note}\nTocar el timbre 🔔"));
        assert_eq!(told["customer_name"], "Ñoño O\u{2019}Higgins 👩‍🍳");
    }

    async fn a_new_price_changes_no_order(db) {
        let shop = Shop::open(db).await;
        let before = shop.order(one("taco", 2)).await;
        let tx = shop.app.app.store.begin(shop.scope()).await.unwrap();
        let found: Option<Item<Dish>> = tx.catalogue().find_by_name("Taco al pastor").await.unwrap();
        let mut taco = found.unwrap();
        taco.data.price = Money::new(9_900, taco.data.price.currency);
        "Taco de oro".clone_into(&mut taco.data.name);
        tx.catalogue().update(taco.id, &taco.data).await.unwrap();
        tx.commit().await.unwrap();
        let told = shop.client.get(&format!("{ORDERS}/{}", id(&before))).await.ok(200);
        assert_eq!((&told["lines"], &told["totals"]), (&before["lines"], &before["totals"]));
        assert_eq!(shop.order(one("taco", 2)).await["totals"]["total"], amount(19_800));
        let path = format!("{ORDERS}/{}/status", id(&before));
        shop.client.post(&path, json!({ "status": "completed" })).await.ok(200);
        let told = shop.client.get(&format!("{ORDERS}/{}", id(&before))).await.ok(200);
        assert_eq!(told["totals"], before["totals"]);
    }

    async fn orders_go_forward_and_end(db) {
        let shop = Shop::open(db).await;
        let order = shop.order(one("taco", 1)).await;
        let path = format!("{ORDERS}/{}", id(&order));
        let become_ = async |status: &str| {
            shop.client.post(&format!("{path}/status"), json!({ "status": status })).await
        };
        assert_eq!(become_("preparing").await.ok(200)["status"], "preparing");
        let error = become_("received").await.refused(409, "ORDER_STATE");
        assert!(error["message"].as_str().unwrap().contains("en preparación"), "{error}");
        become_("ready").await.ok(200);
        let reason = json!({ "reason": "el cliente no llegó" });
        let cancelled = shop.client.post(&format!("{path}/cancel"), reason.clone()).await.ok(200);
        assert_eq!(cancelled["status"], "cancelled");
        shop.client.post(&format!("{path}/cancel"), reason).await.refused(409, "ORDER_STATE");
        become_("completed").await.refused(409, "ORDER_STATE");
        become_("lost").await.refused(400, "INVALID_JSON");
        let told = shop.client.get(&path).await.ok(200);
        let history = told["history"].as_array().unwrap();
        assert_eq!(history.len(), 4, "{told}");
        let cancelled = history.iter().find(|entry| entry["action"] == "cancelled").unwrap();
        assert_eq!(cancelled["details"]["reason"], "el cliente no llegó");
    }
}

db_test! {
    async fn lists_are_filtered(db) {
        let shop = Shop::open(db).await;
        let mut mine = one("taco", 1);
        mine["lead_id"] = json!(shop.lead);
        let mine = shop.order(mine).await;
        let other = shop.order(one("taco", 2)).await;
        let path = format!("{ORDERS}/{}/status", id(&other));
        shop.client.post(&path, json!({ "status": "ready" })).await.ok(200);
        let ids = async |query: &str| {
            let listed = shop.client.get(&format!("{ORDERS}?{query}")).await.ok(200);
            listed["data"].as_array().unwrap().iter().map(id).collect::<Vec<_>>()
        };
        assert_eq!(ids("").await.len(), 2);
        assert_eq!(ids("status=ready").await, [id(&other)]);
        assert_eq!(ids("status=ready,received").await, [id(&other), id(&mine)]);
        assert_eq!(ids(&format!("lead_id={}", shop.lead)).await, [id(&mine)]);
        assert_eq!(ids(&format!("branch_id={}", shop.lead)).await, [""; 0]);
        for odd in ["lost", "ready,lost", ""] {
            let odd = shop.client.get(&format!("{ORDERS}?status={odd}")).await;
            odd.refused(400, "INVALID_PARAMETER");
        }
    }

    async fn an_order_that_is_sent_twice_is_one(db) {
        let shop = Shop::open(db).await;
        let client = shop.client.with("idempotency-key", "uno");
        let replies = join_all((0..6).map(|_| client.post(ORDERS, one("taco", 2)))).await;
        let ids: BTreeSet<String> = replies.iter().map(|reply| id(&reply.ok(201))).collect();
        assert_eq!(ids.len(), 1);
        client.post(ORDERS, one("taco", 3)).await.refused(409, "IDEMPOTENCY_MISMATCH");
        assert_eq!(client.get(ORDERS).await.ok(200)["data"].as_array().unwrap().len(), 1);
    }

    async fn orders_at_once_have_numbers_of_their_own(db) {
        let shop = Shop::open(db).await;
        let replies = join_all((0..12).map(|_| shop.client.post(ORDERS, one("taco", 1)))).await;
        let numbers: BTreeSet<i64> = replies
            .iter()
            .map(|reply| reply.ok(201)["number"].as_i64().unwrap())
            .collect();
        assert_eq!(numbers, (1..=12).collect());
    }
}
