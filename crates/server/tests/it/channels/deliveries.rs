//! What is delivered: once, in order, and from whom it says.

use super::{ChannelLine, connect, rosa};
use quipu_simulator::{CustomerWrites, SimulatedChannel};
use quipu_testkit::db_test;
use serde_json::json;

db_test! {
    async fn a_delivery_that_comes_again_is_answered_once(db) {
        let line = ChannelLine::open(db).await;
        let rosa = rosa();
        let delivered = line.deliver(&rosa, CustomerWrites::text("a qué hora abren?")).await;
        let account = &line.account.account_id;
        for _ in 0..3 {
            line.simulator.repeat(account, &delivered.message_id).await.unwrap();
        }
        line.rest().await;
        line.rest().await;
        assert_eq!(line.sent_to(&rosa).len(), 1);
    }

    async fn nobody_forges_a_delivery(db) {
        let line = ChannelLine::open(db).await;
        let path = format!("/api/webhooks/whatsapp/{}", line.connection);
        let body = json!({ "object": "whatsapp_business_account", "entry": [] });
        let stranger = line.app.stranger();
        stranger.post(&path, body.clone()).await.refused(401, "CHANNEL_UNSIGNED");
        let wrong = stranger.with("x-hub-signature-256", &format!("sha256={}", "0".repeat(64)));
        wrong.post(&path, body.clone()).await.refused(401, "CHANNEL_UNSIGNED");
        let other = format!("/api/webhooks/instagram/{}", line.connection);
        stranger.post(&other, body.clone()).await.refused(404, "NOT_FOUND");
        let nobody = format!("/api/webhooks/whatsapp/{}", uuid::Uuid::now_v7());
        stranger.post(&nobody, body).await.refused(404, "NOT_FOUND");
    }

    async fn the_address_is_verified_with_its_own_word(db) {
        let line = ChannelLine::open(db).await;
        let account = &line.account.account_id;
        let verified = line.simulator.verify(account).await.unwrap();
        assert!(verified.right, "{verified:?}");
        let path = format!(
            "/api/webhooks/whatsapp/{}?hub.mode=subscribe&hub.verify_token=x&hub.challenge=1",
            line.connection
        );
        line.app.stranger().get(&path).await.refused(401, "CHANNEL_UNSIGNED");
    }

    async fn the_same_number_is_another_customer_of_another_business(db) {
        let line = ChannelLine::open(db).await;
        let rosa = rosa();
        line.says(&rosa, "hola").await;
        let other = line.app.tenant("otra").await;
        let client = other.admin.client.clone();
        let (connection, account) =
            connect(&line.app, &client, &line.simulator, SimulatedChannel::Whatsapp, "777000111").await;
        let written = CustomerWrites::text("soy Rosa");
        line.simulator.write(&account.account_id, &rosa, written).await.unwrap();
        let leads = client.get("/api/v1/leads").await.ok(200);
        assert_eq!(leads["data"].as_array().unwrap().len(), 1);
        let leads = line.admin.get("/api/v1/leads").await.ok(200);
        assert_eq!(leads["data"].as_array().unwrap().len(), 1);
        // Neither sees nor uses the connection of the other.
        let path = format!("/api/v1/channels/{connection}");
        line.admin.get(&path).await.refused(404, "NOT_FOUND");
        let messages = format!("/api/v1/channel-messages?connection_id={connection}");
        line.admin.get(&messages).await.refused(404, "NOT_FOUND");
    }

    async fn what_is_written_to_another_number_is_not_ours(db) {
        let line = ChannelLine::open(db).await;
        let mut other = line.account.clone();
        other.account_id = "999".to_owned();
        line.simulator.connect(other);
        let written = CustomerWrites::text("hola");
        line.simulator.write("999", &rosa(), written).await.unwrap();
        let leads = line.admin.get("/api/v1/leads").await.ok(200);
        assert!(leads["data"].as_array().unwrap().is_empty(), "{leads}");
    }
}
