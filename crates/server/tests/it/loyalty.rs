//! Tokens: earned, spent, given back and lapsed.

use crate::harness::{Shop, add_item, add_lead, id, programme, reward};
use futures::future::join_all;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use quipu_app::loyalty::{self, Adjustment, Award};
use quipu_commerce::loyalty::{Redemption, balance, spendable};
use quipu_commerce::money::{Currency, Money};
use quipu_core::{ErrorCode, RedemptionId};
use quipu_testkit::{db_test, sqlite_test};
use serde_json::json;
use std::time::Duration;

const DAY: Duration = Duration::from_hours(24);
const PROGRAMME: &str = "/api/v1/loyalty/programme";

/// What somebody does to a customer's tokens.
#[derive(Clone, Debug)]
enum Step {
    Buy(i64),
    /// The same purchase as one before.
    BuyAgain(usize),
    Visit,
    Adjust(i64),
    Redeem,
    /// One of those before.
    Cancel(usize),
    Wait(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (0..20_000_i64).prop_map(Step::Buy),
        (0..5_usize).prop_map(Step::BuyAgain),
        Just(Step::Visit),
        (-200..200_i64).prop_map(Step::Adjust),
        Just(Step::Redeem),
        (0..5_usize).prop_map(Step::Cancel),
        (0..20_u8).prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 1..20)
}

sqlite_test! {
    async fn a_programme_is_made_and_changed(db) {
        let shop = Shop::open(db).await;
        let client = &shop.client;
        client.get(PROGRAMME).await.refused(404, "NOT_FOUND");
        let made = client.put(PROGRAMME, programme(" Club Taco ")).await.ok(200);
        assert_eq!((&made["name"], &made["active"]), (&json!("Club Taco"), &json!(true)));
        assert_eq!(client.get(PROGRAMME).await.ok(200), made);
        let mut wrong = programme("");
        wrong["earning"]["spend"]["every"] = json!({ "amount": 0, "currency": "MXN" });
        wrong["earning"]["lasts_days"] = json!(0);
        let error = client.put(PROGRAMME, wrong).await.refused(422, "VALIDATION_FAILED");
        assert_eq!(error["details"]["fields"].as_array().unwrap().len(), 4, "{error}");
        assert_eq!(client.get(PROGRAMME).await.ok(200), made);
    }

    async fn tokens_are_given_spent_and_returned(db) {
        let shop = Shop::open(db).await;
        let client = &shop.client;
        let (app, tenant) = (&shop.app, &shop.tenant);
        let cheap = add_item(app, tenant, &reward("Agua gratis", 40)).await;
        let dear = add_item(app, tenant, &reward("Cena", 500)).await;
        let mut gone = reward("Antiguo", 1);
        gone.active = false;
        let gone = add_item(app, tenant, &gone).await;
        let redeem = format!("{}/redemptions", shop.loyalty());
        let refused = client.post(&redeem, json!({ "reward_id": cheap })).await;
        refused.refused(409, "LOYALTY_INACTIVE");

        shop.give(100).await;
        let before = shop.balance().await;
        assert_eq!((&before["balance"], &before["spendable"]), (&json!(100), &json!(100)));
        assert_eq!((&before["token_name"], &before["next_lapse"]), (&json!("tacopuntos"), &json!(null)));
        let reach = before["rewards_within_reach"].as_array().unwrap();
        assert_eq!(reach.len(), 1, "{before}");
        assert_eq!(reach[0]["id"], json!(cheap));

        let error = client.post(&redeem, json!({ "reward_id": dear })).await;
        let error = error.refused(409, "TOKENS_INSUFFICIENT");
        assert_eq!((&error["details"]["missing"], &error["details"]["balance"]), (&json!(400), &json!(100)));
        client.post(&redeem, json!({ "reward_id": gone })).await.refused(404, "NOT_FOUND");
        let nothing = uuid::Uuid::now_v7();
        client.post(&redeem, json!({ "reward_id": nothing })).await.refused(404, "NOT_FOUND");

        let redeemed = client.post(&redeem, json!({ "reward_id": cheap })).await.ok(201);
        let code = redeemed["code"].as_str().unwrap();
        assert_eq!((code.len(), &code[4..5]), (9, "-"), "{code}");
        assert_eq!(shop.balance().await["balance"], 60);
        assert_eq!(client.get(&redeem).await.ok(200)["data"], json!([redeemed]));

        let cancel = format!("/api/v1/redemptions/{}/cancel", id(&redeemed));
        let cancelled = client.poke(&cancel).await.ok(200);
        assert_eq!(cancelled["status"], "cancelled");
        client.poke(&cancel).await.refused(409, "REDEMPTION_STATE");
        let after = shop.balance().await;
        assert_eq!(after["balance"], 100);
        // What never lapsed does not begin to.
        assert_eq!(after["next_lapse"], json!(null));

        let path = format!("{}/transactions?limit=2", shop.loyalty());
        let page = client.get(&path).await.ok(200);
        let kinds: Vec<_> = page["data"].as_array().unwrap().iter().map(|line| &line["kind"]).collect();
        assert_eq!(kinds, [&json!("adjust"), &json!("redeem")]);
        let cursor = page["next_cursor"].as_str().unwrap();
        let last = client.get(&format!("{path}&cursor={cursor}")).await.ok(200);
        assert_eq!(last["data"][0]["description"], "regalo");
    }

    async fn what_cannot_be_adjusted_is_refused(db) {
        let shop = Shop::open(db).await;
        shop.give(10).await;
        let path = format!("{}/adjustments", shop.loyalty());
        for (tokens, reason) in [(0, "nada"), (2_000_000_000, "demasiado"), (i64::MIN, "x"), (5, " ")] {
            let body = json!({ "tokens": tokens, "reason": reason });
            shop.client.post(&path, body).await.refused(422, "VALIDATION_FAILED");
        }
        // More than a ledger holds, together with what is there.
        let body = json!({ "tokens": 1_000_000_000, "reason": "lleno" });
        shop.client.post(&path, body).await.refused(422, "VALIDATION_FAILED");
        let body = json!({ "tokens": -11, "reason": "de más" });
        shop.client.post(&path, body).await.refused(409, "TOKENS_INSUFFICIENT");
        // Each says what is the matter, in both languages.
        for (tokens, es, en) in [
            (0, "tokens no puede ser cero", "tokens must not be zero"),
            (1_000_000_000, "con el saldo actual caben 999999990 más", "there is room for 999999990"),
            (-11, "el saldo disponible es 10 y faltan 1", "10 can be spent, and 1 more are needed"),
        ] {
            let body = json!({ "tokens": tokens, "reason": "x" });
            let english = shop.client.with("accept-language", "en");
            for (client, told) in [(&shop.client, es), (&english, en)] {
                let message = client.post(&path, body.clone()).await.json()["error"]["message"].clone();
                assert!(message.as_str().unwrap().contains(told), "{tokens}: {message}");
            }
        }
        let reason = "por la 🌮 \"fría\" y el 'retraso'";
        let body = json!({ "tokens": -10, "reason": reason });
        assert_eq!(shop.client.post(&path, body).await.ok(201)["description"], reason);
        assert_eq!(shop.balance().await["balance"], 0);
    }
}

db_test! {
    async fn of_sixteen_who_spend_the_same_tokens_one_does(db) {
        let shop = Shop::open(db).await;
        let reward = add_item(&shop.app, &shop.tenant, &reward("Agua gratis", 40)).await;
        shop.give(75).await;
        let path = format!("{}/redemptions", shop.loyalty());
        let tries = (0..16).map(|_| shop.client.post(&path, json!({ "reward_id": reward })));
        let replies = join_all(tries).await;
        let won = replies.iter().filter(|reply| reply.status == 201).count();
        assert_eq!(won, 1);
        for reply in replies.iter().filter(|reply| reply.status != 201) {
            reply.refused(409, "TOKENS_INSUFFICIENT");
        }
        assert_eq!(shop.balance().await["balance"], 35);
        let listed = shop.client.get(&path).await.ok(200);
        assert_eq!(listed["data"].as_array().unwrap().len(), 1);
    }

    async fn of_eight_who_cancel_one_returns_the_tokens(db) {
        let shop = Shop::open(db).await;
        let reward = add_item(&shop.app, &shop.tenant, &reward("Agua gratis", 40)).await;
        shop.give(50).await;
        let path = format!("{}/redemptions", shop.loyalty());
        let made = shop.client.post(&path, json!({ "reward_id": reward })).await.ok(201);
        let cancel = format!("/api/v1/redemptions/{}/cancel", id(&made));
        let replies = join_all((0..8).map(|_| shop.client.poke(&cancel))).await;
        assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1);
        assert_eq!(shop.balance().await["balance"], 50);
    }
}

sqlite_test! {
    async fn a_request_that_is_sent_twice_has_one_effect(db) {
        let shop = Shop::open(db).await;
        let reward = add_item(&shop.app, &shop.tenant, &reward("Agua gratis", 40)).await;
        shop.give(100).await;
        for (key, path, body) in [
            ("uno", "adjustments", json!({ "tokens": 7, "reason": "x" })),
            ("dos", "redemptions", json!({ "reward_id": reward })),
        ] {
            let client = shop.client.with("idempotency-key", key);
            let path = format!("{}/{path}", shop.loyalty());
            let first = client.post(&path, body.clone()).await.ok(201);
            assert_eq!(client.post(&path, body.clone()).await.ok(201), first);
            // The same key for somebody else is another request.
            let other = add_lead(&shop.app, &shop.tenant).await;
            let path = path.replace(&shop.lead.to_string(), &other.to_string());
            client.post(&path, body).await.refused(409, "IDEMPOTENCY_MISMATCH");
        }
        assert_eq!(shop.balance().await["balance"], 67);
    }
}

db_test! {
    async fn tokens_lapse_and_are_written_down(db) {
        let shop = Shop::open(db).await;
        let reward = add_item(&shop.app, &shop.tenant, &reward("Agua gratis", 40)).await;
        shop.give(5).await;
        let tx = shop.app.app.store.begin(shop.scope()).await.unwrap();
        let spent = Award::Purchase(Money::new(5_999, Currency::Pen));
        let earned = loyalty::award_in(&tx, "test", shop.lead, spent, "order:1").await.unwrap();
        assert_eq!(earned.unwrap().tokens, 50);
        tx.commit().await.unwrap();
        let before = shop.balance().await;
        assert_eq!(before["next_lapse"]["tokens"], 50);

        shop.app.clock.advance(DAY * 30);
        let client = shop.app.sign_in(shop.tenant.admin.id).await;
        let lapsed = client.get(&shop.loyalty()).await.ok(200);
        assert_eq!((&lapsed["balance"], &lapsed["spendable"]), (&json!(55), &json!(5)));
        assert_eq!(lapsed["rewards_within_reach"], json!([]));
        let path = format!("{}/redemptions", shop.loyalty());
        let error = client.post(&path, json!({ "reward_id": reward })).await;
        assert_eq!(error.refused(409, "TOKENS_INSUFFICIENT")["details"]["missing"], 35);

        let path = format!("{}/adjustments", shop.loyalty());
        client.post(&path, json!({ "tokens": 35, "reason": "cortesía" })).await.ok(201);
        let written = client.get(&shop.loyalty()).await.ok(200);
        assert_eq!((&written["balance"], &written["spendable"]), (&json!(40), &json!(40)));
        let path = format!("{}/redemptions", shop.loyalty());
        client.post(&path, json!({ "reward_id": reward })).await.ok(201);
    }
}

sqlite_test! {
    async fn what_comes_back_lapses_when_it_would_have(db) {
        let shop = Shop::open(db).await;
        let reward = add_item(&shop.app, &shop.tenant, &reward("Cena", 60)).await;
        shop.give(20).await;
        let tx = shop.app.app.store.begin(shop.scope()).await.unwrap();
        let spent = Award::Purchase(Money::new(5_999, Currency::Pen));
        loyalty::award_in(&tx, "test", shop.lead, spent, "order:1").await.unwrap();
        tx.commit().await.unwrap();
        let before = shop.balance().await["next_lapse"].clone();
        assert_eq!(before["tokens"], 50);
        let path = format!("{}/redemptions", shop.loyalty());
        let wanted = json!({ "reward_id": reward });
        let made = shop.client.post(&path, wanted.clone()).await.ok(201);
        shop.app.clock.advance(DAY);
        let client = shop.app.sign_in(shop.tenant.admin.id).await;
        client.poke(&format!("/api/v1/redemptions/{}/cancel", id(&made))).await.ok(200);
        let after = client.get(&shop.loyalty()).await.ok(200);
        assert_eq!((&after["balance"], &after["next_lapse"]), (&json!(70), &before));

        let made = client.post(&path, wanted).await.ok(201);
        shop.app.clock.advance(DAY * 29);
        let client = shop.app.sign_in(shop.tenant.admin.id).await;
        client.poke(&format!("/api/v1/redemptions/{}/cancel", id(&made))).await.ok(200);
        let late = client.get(&shop.loyalty()).await.ok(200);
        assert_eq!((&late["balance"], &late["spendable"]), (&json!(20), &json!(20)));
    }

    async fn what_lapses_is_written_down_for_whoever_stays_away(db) {
        let shop = Shop::open(db).await;
        shop.give(5).await;
        let began = shop.app.app.now();
        for (lead, source) in [(shop.lead, "order:1"), (add_lead(&shop.app, &shop.tenant).await, "order:2")] {
            let tx = shop.app.app.store.begin(shop.scope()).await.unwrap();
            let spent = Award::Purchase(Money::new(5_000, Currency::Pen));
            loyalty::award_in(&tx, "test", lead, spent, source).await.unwrap().unwrap();
            tx.commit().await.unwrap();
        }
        assert_eq!(loyalty::write_down_lapsed(&shop.app.app, began).await.unwrap(), 0);
        shop.app.clock.advance(DAY * 30);
        let client = shop.app.sign_in(shop.tenant.admin.id).await;
        let lead = format!("/api/v1/leads/{}", shop.lead);
        assert_eq!(client.get(&lead).await.ok(200)["token_balance"], 55);
        // What lapsed before the last look is not looked for again.
        let now = shop.app.app.now();
        assert_eq!(loyalty::write_down_lapsed(&shop.app.app, now).await.unwrap(), 0);
        assert_eq!(loyalty::write_down_lapsed(&shop.app.app, began).await.unwrap(), 2);
        assert_eq!(loyalty::write_down_lapsed(&shop.app.app, began).await.unwrap(), 0);
        assert_eq!(client.get(&lead).await.ok(200)["token_balance"], 5);
        let lines = client.get(&format!("{}/transactions", shop.loyalty())).await.ok(200);
        let last = &lines["data"][0];
        assert_eq!((&last["kind"], &last["tokens"], &last["actor"]), (&json!("expire"), &json!(-50), &json!("system")));
    }

    async fn codes_expire(db) {
        let shop = Shop::open(db).await;
        let mut short = reward("Agua gratis", 40);
        short.valid_days = Some(2);
        let reward = add_item(&shop.app, &shop.tenant, &short).await;
        shop.give(40).await;
        let path = format!("{}/redemptions", shop.loyalty());
        let made = shop.client.post(&path, json!({ "reward_id": reward })).await.ok(201);
        shop.app.clock.advance(DAY * 2);
        let client = shop.app.sign_in(shop.tenant.admin.id).await;
        assert_eq!(client.get(&path).await.ok(200)["data"][0]["status"], "expired");
        let cancel = format!("/api/v1/redemptions/{}/cancel", id(&made));
        client.poke(&cancel).await.refused(409, "REDEMPTION_STATE");
        let order = json!({ "text": "un taco", "redemption_code": made["code"], "lead_id": shop.lead });
        client.post("/api/v1/orders", order).await.refused(409, "REDEMPTION_STATE");
    }
}

db_test! {
    async fn no_sequence_of_events_breaks_a_balance(db) {
        let shop = Shop::open(db).await;
        let reward = add_item(&shop.app, &shop.tenant, &reward("Agua gratis", 40)).await;
        shop.give(1).await;
        let store = &shop.app.app.store;
        let mut runner = TestRunner::deterministic();
        for case in 0..12 {
            let steps = steps().new_tree(&mut runner).unwrap().current();
            let lead = add_lead(&shop.app, &shop.tenant).await;
            let mut issued: Vec<RedemptionId> = Vec::new();
            let mut bought: Vec<String> = Vec::new();
            for (at, step) in steps.iter().enumerate() {
                let tx = store.begin(shop.scope()).await.unwrap();
                let source = format!("order:{case}-{at}");
                let spent = |minor| Award::Purchase(Money::new(minor, Currency::Pen));
                let done = match step {
                    Step::Buy(minor) => {
                        let earned = loyalty::award_in(&tx, "t", lead, spent(*minor), &source).await;
                        if earned.as_ref().is_ok_and(Option::is_some) {
                            bought.push(source);
                        }
                        earned.map(|_| ())
                    }
                    Step::BuyAgain(which) => match bought.get(*which) {
                        None => Ok(()),
                        Some(source) => {
                            let again = loyalty::award_in(&tx, "t", lead, spent(5_000), source).await;
                            assert_eq!(again.unwrap_err().code(), ErrorCode::AlreadyAwarded);
                            continue;
                        }
                    },
                    Step::Visit => {
                        let visit = Award::Appointment;
                        let source = format!("appointment:{case}-{at}");
                        loyalty::award_in(&tx, "t", lead, visit, &source).await.map(|_| ())
                    }
                    Step::Adjust(tokens) => {
                        let input = Adjustment { tokens: *tokens, reason: "azar".to_owned() };
                        loyalty::adjust_in(&tx, "t", lead, &input).await.map(|_| ())
                    }
                    Step::Redeem => {
                        let made = loyalty::redeem_in(&tx, "t", lead, reward).await;
                        made.map(|made: Redemption| issued.push(made.id))
                    }
                    Step::Cancel(which) => match issued.get(*which) {
                        None => Ok(()),
                        Some(id) => loyalty::cancel_in(&tx, "t", *id).await.map(|_| ()),
                    },
                    Step::Wait(days) => {
                        shop.app.clock.advance(DAY * u32::from(*days));
                        loyalty::expire_in(&tx, "t", lead).await
                    }
                };
                match done {
                    Ok(()) => tx.commit().await.unwrap(),
                    Err(error) => {
                        let expected = [
                            ErrorCode::TokensInsufficient,
                            ErrorCode::RedemptionState,
                            ErrorCode::ValidationFailed,
                        ];
                        assert!(expected.contains(&error.code()), "{error} {steps:?}");
                    }
                }
                let tx = store.read(shop.scope()).await.unwrap();
                let ledger = tx.loyalty().ledger(lead).await.unwrap();
                let told = loyalty::balance_in(&tx, lead).await.unwrap();
                assert_eq!(told.balance, balance(&ledger), "{steps:?}");
                assert_eq!(told.spendable, spendable(&ledger, tx.now()), "{steps:?}");
                assert!(told.balance >= told.spendable && told.spendable >= 0, "{steps:?}");
                // No line was ever drawn on tokens that were not there.
                let mut sum = 0;
                for line in &ledger {
                    sum += line.tokens;
                    assert!(sum >= 0, "{steps:?}");
                }
            }
        }
    }

    async fn another_tenants_reward_cannot_be_had(db) {
        let shop = Shop::open(db).await;
        shop.give(100).await;
        let other = shop.app.tenant("otra").await;
        let theirs = add_item(&shop.app, &other, &reward("Ajeno", 1)).await;
        let path = format!("{}/redemptions", shop.loyalty());
        let refused = shop.client.post(&path, json!({ "reward_id": theirs })).await;
        refused.refused(404, "NOT_FOUND");
        other.admin.client.get(&shop.loyalty()).await.refused(404, "NOT_FOUND");
        assert_eq!(shop.balance().await["balance"], 100);
    }
}
