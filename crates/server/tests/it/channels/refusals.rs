//! A channel that does not take what it is sent.

use super::{ChannelLine, rosa};
use quipu_simulator::{CustomerWrites, SimulatedChannel, SimulatedFailure};
use quipu_testkit::db_test;
use std::time::Duration;

fn failure(code: i64) -> SimulatedFailure {
    SimulatedFailure::by_code(SimulatedChannel::Whatsapp, code).unwrap()
}

async fn state(line: &ChannelLine) -> (String, String) {
    let sent = line.admin.get("/api/v1/channel-messages").await.ok(200);
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    (
        text(&sent["data"][0]["state"]),
        text(&sent["data"][0]["fault"]["kind"]),
    )
}

db_test! {
    async fn too_much_at_once_goes_out_later(db) {
        let line = ChannelLine::open(db).await;
        let rosa = rosa();
        let account = &line.account.account_id;
        line.simulator.fail_next(account, failure(130_429), 2);
        line.deliver(&rosa, CustomerWrites::text("a qué hora abren?")).await;
        for _ in 0..2 {
            line.rest().await;
            line.rest().await;
            assert_eq!(state(&line).await.0, "waiting");
            line.app.clock.advance(Duration::from_mins(11));
        }
        line.rest().await;
        line.rest().await;
        assert_eq!(line.sent_to(&rosa).len(), 1);
        assert!(matches!(state(&line).await.0.as_str(), "sent" | "delivered"));
    }

    async fn a_key_that_is_not_good_is_told_and_nothing_is_lost(db) {
        let line = ChannelLine::open(db).await;
        let rosa = rosa();
        let account = &line.account.account_id;
        line.simulator.fail_next(account, failure(190), 1);
        line.deliver(&rosa, CustomerWrites::text("a qué hora abren?")).await;
        line.rest().await;
        line.rest().await;
        let path = format!("/api/v1/channels/{}", line.connection);
        let connection = line.admin.get(&path).await.ok(200);
        assert_eq!(connection["fault"]["code"], 190, "{connection}");
        line.app.clock.advance(Duration::from_mins(6));
        line.rest().await;
        line.rest().await;
        assert_eq!(line.sent_to(&rosa).len(), 1);
        let connection = line.admin.get(&path).await.ok(200);
        assert!(connection["fault"].is_null(), "{connection}");
    }

    async fn who_cannot_be_reached_is_told_in_words(db) {
        let line = ChannelLine::open(db).await;
        let account = &line.account.account_id;
        line.simulator.fail_next(account, failure(131_026), 1);
        line.deliver(&rosa(), CustomerWrites::text("a qué hora abren?")).await;
        line.rest().await;
        line.rest().await;
        assert_eq!(state(&line).await, ("failed".to_owned(), "unreachable".to_owned()));
    }
}
