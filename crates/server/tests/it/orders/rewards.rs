//! Rewards that orders use, and tokens that they earn.

use super::{ORDERS, one};
use crate::harness::{Shop, add_conversation, add_item, add_lead, amount, id, reward};
use futures::future::join_all;
use quipu_commerce::business::Reward;
use quipu_commerce::money::{Currency, Money};
use quipu_commerce::ordering::Discount;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};

impl Shop {
    async fn redeemed(&self, reward: &Reward) -> Value {
        let reward = add_item(&self.app, &self.tenant, reward).await;
        self.give(1_000).await;
        let path = format!("{}/redemptions", self.loyalty());
        self.client
            .post(&path, json!({ "reward_id": reward }))
            .await
            .ok(201)
    }
}

impl Shop {
    /// An order of the customer with a code.
    fn with_code(&self, tacos: i64, code: &Value) -> Value {
        let mut order = one("taco", tacos);
        order["redemption_code"] = code.clone();
        order["lead_id"] = json!(self.lead);
        order
    }
}

sqlite_test! {
    async fn a_reward_is_taken_off_and_given_back(db) {
        let shop = Shop::open(db).await;
        let redeemed = shop.redeemed(&reward("Diez por ciento", 40)).await;
        let code = redeemed["code"].as_str().unwrap().to_lowercase().replace('-', " ");
        let wanted = shop.with_code(4, &json!(code));
        let quoted = shop.client.post("/api/v1/orders/quote", wanted.clone()).await.ok(200);
        assert_eq!(quoted["reward_name"], "Diez por ciento");
        let order = shop.order(wanted).await;
        assert_eq!(order["totals"]["discount"], amount(600));
        assert_eq!(order["totals"]["total"], amount(5_400));
        assert_eq!(order["redemption_id"], redeemed["id"]);
        let list = format!("{}/redemptions", shop.loyalty());
        let used = shop.client.get(&list).await.ok(200)["data"][0].clone();
        assert_eq!((&used["status"], &used["order_id"]), (&json!("used"), &order["id"]));
        let again = shop.client.post(ORDERS, shop.with_code(4, &redeemed["code"])).await;
        again.refused(409, "REDEMPTION_STATE");
        let cancel = format!("/api/v1/redemptions/{}/cancel", id(&redeemed));
        shop.client.poke(&cancel).await.refused(409, "REDEMPTION_STATE");

        let path = format!("{ORDERS}/{}/cancel", id(&order));
        shop.client.post(&path, json!({ "reason": "cambio de planes" })).await.ok(200);
        let free = shop.client.get(&list).await.ok(200)["data"][0].clone();
        assert_eq!((&free["status"], &free["order_id"]), (&json!("issued"), &json!(null)));
        assert_eq!(shop.balance().await["balance"], 960);
        shop.order(shop.with_code(1, &redeemed["code"])).await;
    }

    async fn a_discount_never_exceeds_what_is_ordered(db) {
        let shop = Shop::open(db).await;
        let mut large = reward("Cien soles", 40);
        large.discount = Discount::Amount { amount: Money::new(10_000, Currency::Pen) };
        let redeemed = shop.redeemed(&large).await;
        let order = shop.order(shop.with_code(2, &redeemed["code"])).await;
        assert_eq!((&order["totals"]["discount"], &order["totals"]["total"]), (&amount(3_000), &amount(0)));
    }
}

db_test! {
    async fn of_two_orders_with_one_code_one_is_placed(db) {
        let shop = Shop::open(db).await;
        let redeemed = shop.redeemed(&reward("Diez por ciento", 40)).await;
        let tries = (0..8).map(|_| shop.client.post(ORDERS, shop.with_code(2, &redeemed["code"])));
        let replies = join_all(tries).await;
        assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 1);
        for reply in replies.iter().filter(|reply| reply.status != 201) {
            reply.refused(409, "REDEMPTION_STATE");
        }
        assert_eq!(shop.client.get(ORDERS).await.ok(200)["data"].as_array().unwrap().len(), 1);
    }
}

sqlite_test! {
    async fn a_code_is_its_owners(db) {
        let shop = Shop::open(db).await;
        let redeemed = shop.redeemed(&reward("Diez por ciento", 40)).await;
        let mut order = shop.with_code(2, &redeemed["code"]);
        order["lead_id"] = json!(add_lead(&shop.app, &shop.tenant).await);
        shop.client.post(ORDERS, order.clone()).await.refused(404, "NOT_FOUND");
        // Whoever names nobody is not told whether there is such a code.
        order["lead_id"] = json!(null);
        for code in [redeemed["code"].clone(), json!("CCCC-3333")] {
            order["redemption_code"] = code;
            for path in [ORDERS, "/api/v1/orders/quote"] {
                shop.client.post(path, order.clone()).await.refused(422, "LEAD_REQUIRED");
            }
        }
        // A conversation names its customer, too.
        order["redemption_code"] = redeemed["code"].clone();
        order["conversation_id"] = json!(add_conversation(&shop.app, &shop.tenant, shop.lead).await);
        shop.client.post("/api/v1/orders/quote", order).await.ok(200);
        for code in ["CCCC-3333", "nada", "🌮🌮🌮🌮"] {
            let refused = shop.client.post(ORDERS, shop.with_code(2, &json!(code))).await;
            refused.refused(404, "NOT_FOUND");
        }
        // Neither a code nor a customer is anything to another tenant.
        let other = shop.app.tenant("otra").await;
        add_item(&shop.app, &other, &crate::harness::dish("Taco", 100)).await;
        let client = &other.admin.client;
        let refused = client.post(ORDERS, shop.with_code(2, &redeemed["code"])).await;
        refused.refused(404, "NOT_FOUND");
        for field in ["lead_id", "conversation_id"] {
            let mut order = one("taco", 1);
            order[field] = json!(shop.lead);
            client.post(ORDERS, order).await.refused(404, "NOT_FOUND");
        }
    }

    async fn a_conversation_says_whose_order_it_is(db) {
        let shop = Shop::open(db).await;
        let conversation = add_conversation(&shop.app, &shop.tenant, shop.lead).await;
        let mut wanted = one("taco", 1);
        wanted["conversation_id"] = json!(conversation);
        let order = shop.order(wanted.clone()).await;
        assert_eq!((&order["lead_id"], &order["conversation_id"]), (&json!(shop.lead), &json!(conversation)));
        wanted["lead_id"] = json!(add_lead(&shop.app, &shop.tenant).await);
        shop.client.post(ORDERS, wanted.clone()).await.refused(404, "NOT_FOUND");
        let other = shop.app.tenant("otra").await;
        add_item(&shop.app, &other, &crate::harness::dish("Taco", 100)).await;
        wanted["lead_id"] = json!(null);
        other.admin.client.post(ORDERS, wanted).await.refused(404, "NOT_FOUND");
    }
}

db_test! {
    async fn completing_an_order_gives_its_tokens_once(db) {
        let shop = Shop::open(db).await;
        shop.give(1).await;
        let mut wanted = one("taco", 3);
        wanted["lead_id"] = json!(shop.lead);
        let order = shop.order(wanted.clone()).await;
        let path = format!("{ORDERS}/{}/status", id(&order));
        shop.client.post(&path, json!({ "status": "ready" })).await.ok(200);
        assert_eq!(shop.balance().await["balance"], 1);
        let done = json!({ "status": "completed" });
        let replies = join_all((0..6).map(|_| shop.client.post(&path, done.clone()))).await;
        assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1);
        // Ten for each full ten soles of forty-five.
        assert_eq!(shop.balance().await["balance"], 41);
        let told = shop.client.get(&format!("{ORDERS}/{}", id(&order))).await.ok(200);
        let history = told["history"].as_array().unwrap();
        assert!(history.iter().any(|entry| entry["details"]["tokens"] == 40), "{told}");
        let ledger = shop.client.get(&format!("{}/transactions", shop.loyalty())).await.ok(200);
        assert_eq!(ledger["data"][0]["source"], format!("order:{}", id(&order)));

        // Without a programme there is nothing to earn, and the order is completed all the same.
        let mut paused = crate::harness::programme("Club");
        paused["active"] = json!(false);
        shop.client.put("/api/v1/loyalty/programme", paused).await.ok(200);
        for order in [wanted, one("taco", 3)] {
            let order = shop.order(order).await;
            let path = format!("{ORDERS}/{}/status", id(&order));
            shop.client.post(&path, done.clone()).await.ok(200);
        }
        assert_eq!(shop.balance().await["balance"], 41);
    }
}
