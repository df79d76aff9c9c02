//! Where and when an order is wanted.

use super::{ORDERS, id, one};
use crate::harness::{Shop, add_item, amount, put_profile};
use quipu_commerce::business::{Branch, DeliveryZone};
use quipu_commerce::money::{Currency, Money};
use quipu_testkit::sqlite_test;
use serde_json::{Value, json};

fn zone(name: &str, fee: i64, minimum: Option<i64>) -> DeliveryZone {
    let data = json!({
        "name": name, "fee": amount(fee), "minimum": minimum.map(amount), "minutes": 20,
    });
    serde_json::from_value(data).unwrap()
}

/// Open from noon to eleven at night on every day but Wednesday.
fn branch(name: &str) -> Branch {
    let day = json!([{ "from": "12:00", "to": "23:00" }]);
    let weekly = json!({
        "monday": day, "tuesday": day, "thursday": day, "friday": day, "saturday": day,
        "sunday": day,
    });
    serde_json::from_value(json!({ "name": name, "hours": { "weekly": weekly } })).unwrap()
}

async fn deliver(shop: &Shop) {
    put_profile(&shop.app, &shop.tenant, |profile| {
        profile.orders.delivery = true;
        profile.orders.minimum = Some(Money::new(1_200, Currency::Pen));
        profile.payment_methods = vec!["Efectivo".to_owned(), "Tarjeta de crédito".to_owned()];
    })
    .await;
}

fn brought(address: &str, tacos: i64) -> Value {
    let mut order = one("taco", tacos);
    order["order_type"] = json!("delivery");
    order["delivery_address"] = json!(address);
    order
}

sqlite_test! {
    async fn deliveries_have_a_zone_a_fee_and_a_minimum(db) {
        let shop = Shop::open(db).await;
        let error = shop.client.post(ORDERS, brought("Roma Norte", 9)).await;
        let error = error.refused(409, "ORDER_REFUSED");
        assert_eq!(error["details"]["reason"], "not_offered");
        deliver(&shop).await;
        // Nothing says what it costs to bring it, so it costs nothing.
        let free = shop.order(brought("Calle 5", 1)).await;
        assert_eq!((&free["totals"]["delivery"], &free["delivery_zone"]), (&amount(0), &json!(null)));

        for zone in [zone("Roma Norte", 800, Some(5_000)), zone("Condesa", 500, None)] {
            add_item(&shop.app, &shop.tenant, &zone).await;
        }
        let mut closed = zone("Narvarte", 100, None);
        closed.active = false;
        add_item(&shop.app, &shop.tenant, &closed).await;

        let order = shop.order(brought("Orizaba 101, Roma Norte", 4)).await;
        assert_eq!((&order["delivery_zone"], &order["totals"]["delivery"]), (&json!("Roma Norte"), &amount(800)));
        assert_eq!(order["totals"]["total"], amount(6_800));
        // Thirty minutes to prepare and twenty on the way.
        assert_eq!(order["estimated_at"], "2026-03-17T14:50:00Z");

        let error = shop.client.post(ORDERS, brought("Orizaba 101, Roma Norte", 3)).await;
        let error = error.refused(409, "ORDER_REFUSED");
        assert_eq!((&error["details"]["reason"], &error["details"]["missing"]), (&json!("minimum"), &amount(500)));
        assert!(error["message"].as_str().unwrap().contains("Roma Norte"), "{error}");
        shop.order(brought("Ámsterdam 20, Condesa", 1)).await;

        for address in ["Narvarte", "Av. Siempre Viva 742"] {
            let error = shop.client.post(ORDERS, brought(address, 9)).await;
            let error = error.refused(422, "ORDER_UNCLEAR");
            assert_eq!(error["details"]["about"], "delivery_address");
            assert_eq!(error["details"]["zones"].as_array().unwrap().len(), 2, "{error}");
        }
        let mut nowhere = brought("x", 9);
        nowhere["delivery_address"] = json!(null);
        shop.client.post(ORDERS, nowhere).await.refused(422, "ORDER_UNCLEAR");
        // Both are offered, so that it must be said which is meant.
        let error = shop.client.post(ORDERS, one("taco", 1)).await.refused(422, "ORDER_UNCLEAR");
        assert_eq!(error["details"]["about"], "order_type");
        let mut small = one("agua", 1);
        small["order_type"] = json!("pickup");
        let error = shop.client.post(ORDERS, small).await.refused(409, "ORDER_REFUSED");
        assert_eq!(error["details"]["missing"], amount(200));
    }

    async fn payment_is_one_of_those_that_are_taken(db) {
        let shop = Shop::open(db).await;
        let mut order = one("taco", 1);
        order["order_type"] = json!("pickup");
        order["payment_method"] = json!("trueque");
        assert_eq!(shop.order(order.clone()).await["payment_method"], "trueque");
        deliver(&shop).await;
        let error = shop.client.post(ORDERS, order.clone()).await.refused(422, "VALIDATION_FAILED");
        assert!(error["message"].as_str().unwrap().contains("Efectivo"), "{error}");
        for (said, kept) in [("EFECTIVO", "Efectivo"), ("tarjeta", "Tarjeta de crédito")] {
            order["payment_method"] = json!(said);
            assert_eq!(shop.order(order.clone()).await["payment_method"], kept);
        }
    }

    async fn a_closed_place_takes_orders_for_when_it_is_open(db) {
        let shop = Shop::open(db).await;
        let branch_id = add_item(&shop.app, &shop.tenant, &branch("Centro")).await;
        // It is nine on a Tuesday.
        let error = shop.client.post(ORDERS, one("taco", 1)).await.refused(409, "ORDER_REFUSED");
        assert_eq!(error["details"]["reason"], "closed");
        assert_eq!(error["details"]["next_opening"], "2026-03-17T17:00:00Z");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("martes 17 de marzo a las 12:00"), "{message}");

        let at = |when: &str| {
            let mut order = one("taco", 1);
            order["scheduled_for"] = json!(when);
            order
        };
        let order = shop.order(at("2026-03-17T13:30")).await;
        assert_eq!(order["scheduled_for"], "2026-03-17T18:30:00Z");
        assert_eq!(order["estimated_at"], order["scheduled_for"]);
        assert_eq!((&order["branch_id"], &order["branch_name"]), (&json!(branch_id), &json!("Centro")));
        shop.order(at("2026-03-17T18:30:00Z")).await;
        for when in ["2026-03-17T23:00", "2026-03-18T13:00", "2026-03-17T11:59"] {
            let error = shop.client.post(ORDERS, at(when)).await.refused(409, "ORDER_REFUSED");
            assert_eq!(error["details"]["reason"], "closed_then", "{when}");
        }
        let english = shop.client.with("accept-language", "en");
        let error = english.post(ORDERS, at("2026-03-18T13:00")).await.refused(409, "ORDER_REFUSED");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("Thursday 19 March at 12:00"), "{message}");

        shop.app.clock.advance(std::time::Duration::from_hours(4));
        let order = shop.order(one("taco", 1)).await;
        assert_eq!(order["scheduled_for"], json!(null));
        // What is wanted sooner than it can be made comes when it is made.
        let order = shop.order(at("2026-03-17T13:05")).await;
        assert_eq!(order["estimated_at"], "2026-03-17T18:30:00Z");
    }

    async fn only_what_is_brought_is_on_its_way(db) {
        let shop = Shop::open(db).await;
        put_profile(&shop.app, &shop.tenant, |profile| profile.orders.delivery = true).await;
        let status = json!({ "status": "out_for_delivery" });
        let step = async |order: Value| {
            let order = shop.order(order).await;
            shop.client.post(&format!("{ORDERS}/{}/status", id(&order)), status.clone()).await
        };
        let mut wanted = one("taco", 1);
        wanted["order_type"] = json!("pickup");
        let error = step(wanted.clone()).await.refused(409, "ORDER_STATE");
        assert!(error["message"].as_str().unwrap().contains("para recoger"), "{error}");
        wanted["order_type"] = json!("delivery");
        wanted["delivery_address"] = json!("Av. Larco 345");
        assert_eq!(step(wanted).await.ok(200)["status"], "out_for_delivery");
    }

    async fn one_of_several_branches_must_be_named(db) {
        let shop = Shop::open(db).await;
        let mut open = branch("Centro");
        open.hours.weekly = quipu_commerce::calendar::WrittenHours::default();
        let here = add_item(&shop.app, &shop.tenant, &open).await;
        "Norte".clone_into(&mut open.name);
        let there = add_item(&shop.app, &shop.tenant, &open).await;
        "Sur".clone_into(&mut open.name);
        open.active = false;
        let closed = add_item(&shop.app, &shop.tenant, &open).await;
        let mut local = crate::harness::dish("Tlayuda", 9_000);
        local.branches.push(there.into());
        add_item(&shop.app, &shop.tenant, &local).await;

        let error = shop.client.post(ORDERS, one("taco", 1)).await.refused(422, "ORDER_UNCLEAR");
        let names: Vec<_> = error["details"]["branches"].as_array().unwrap().iter().map(|b| &b["name"]).collect();
        assert_eq!(names, [&json!("Centro"), &json!("Norte")]);
        let at = |branch: uuid::Uuid, name: &str| {
            let mut order = one(name, 1);
            order["branch_id"] = json!(branch);
            order
        };
        assert_eq!(shop.order(at(there, "tlayuda")).await["branch_name"], "Norte");
        shop.order(at(here, "taco")).await;
        let error = shop.client.post(ORDERS, at(here, "tlayuda")).await.refused(409, "ORDER_REFUSED");
        assert_eq!(error["details"]["branches"][0]["name"], "Norte");
        let other = shop.app.tenant("otra").await;
        let theirs = add_item(&shop.app, &other, &branch("Ajena")).await;
        for branch in [closed, theirs, uuid::Uuid::now_v7()] {
            let error = shop.client.post(ORDERS, at(branch, "taco")).await;
            error.refused(404, "NOT_FOUND");
        }
        let listed = shop.client.get(&format!("{ORDERS}?branch_id={there}")).await.ok(200);
        assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    }
}
