//! The other channels, as customers have them.

use super::{ChannelLine, rosa};
use quipu_simulator::{SimulatedChannel, SimulatedCustomer};
use quipu_testkit::db_test;

async fn a_price_is_told(line: &ChannelLine, customer: &SimulatedCustomer) {
    let price = line
        .says(customer, "cuánto cuesta la limpieza dental?")
        .await;
    assert!(price.contains("S/") && !price.contains('*'), "{price}");
    line.rest().await;
    line.simulator.settle().await;
    line.rest().await;
    // What we sent comes back as an echo, and is nobody's taking over.
    let conversation = line.conversation().await;
    assert_eq!(conversation["handoff"]["mode"], "ai", "{conversation}");
    let again = line.says(customer, "a qué hora abren?").await;
    assert!(!again.is_empty());
    assert_eq!(line.sent_to(customer).len(), 2);
}

db_test! {
    async fn over_instagram(db) {
        let line = ChannelLine::open_on(db, SimulatedChannel::Instagram).await;
        a_price_is_told(&line, &SimulatedCustomer::new("17841400000000001", "rosa.q")).await;
    }

    async fn over_messenger(db) {
        let line = ChannelLine::open_on(db, SimulatedChannel::Messenger).await;
        a_price_is_told(&line, &SimulatedCustomer::new("6000000000000001", "Rosa Quispe")).await;
    }

    async fn over_tiktok(db) {
        let line = ChannelLine::open_on(db, SimulatedChannel::Tiktok).await;
        a_price_is_told(&line, &rosa()).await;
    }
}
