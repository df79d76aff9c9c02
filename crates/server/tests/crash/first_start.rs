//! A first start that is cut off, at every stage of it, is completed by the next.

use crate::client::{Client, EMAIL, PASSWORD};
use crate::dice::Dice;
use crate::home::Home;
use crate::tenant::until_idle;
use quipu_testkit::db_test;
use serde_json::json;
use std::time::Duration;

const KILLS: u64 = 24;

db_test! {
    async fn a_first_start_that_was_killed_is_completed(db) {
        let mut dice = Dice::new();
        let home = Home::new(db.url()).await.set("QUIPU_JOBS__LEASE_SECONDS", 1);
        // Each start gets a little further than the one before, until one is ready.
        let mut ready = 0;
        for kill in 0..KILLS {
            let starting = home.start_server();
            let time = Duration::from_millis(kill * 15) + dice.millis(0, 15);
            match tokio::time::timeout(time, starting.ready()).await {
                Ok(server) => {
                    ready += 1;
                    server.process.kill().await;
                }
                // Dropped, and so killed.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
        let server = home.start_server().ready().await;
        home.assert_no_panic();
        println!("{ready} of {KILLS} starts were ready before they were killed");

        // The one-time password may be lost with the start that printed it.
        let mut command = home.command(&["admin", "reset-token", EMAIL]);
        let output = command.output().await.unwrap();
        assert!(output.status.success(), "{}", home.log());
        let token = String::from_utf8(output.stdout).unwrap();
        let anybody = Client::new(&server.address, "");
        let reset = json!({ "reset_token": token.trim(), "password": PASSWORD });
        anybody.post("/api/v1/auth/password/reset", &reset).await;
        let admin = Client::sign_in(&server.address, PASSWORD).await;
        let me = admin.get("/api/v1/auth/me").await;
        assert_eq!(me["user"]["super_admin"], true, "{me}");
        assert_eq!(me["user"]["must_change_password"], false, "{me}");
        assert_eq!(admin.all("/api/v1/users").await.len(), 1);
        assert_eq!(admin.all("/api/v1/tenants").await.len(), 3);
        assert_eq!(admin.get("/api/v1/plans").await.as_array().unwrap().len(), 3);

        let key = std::fs::read_to_string(home.dir().join("demo-api-key")).unwrap();
        let demo = Client::new(&server.address, key.trim());
        let agents = demo.all("/api/v1/agents").await;
        assert_eq!(agents.len(), 1, "{agents:?}");
        // What the business offers came whole or not at all.
        assert_eq!(demo.all("/api/v1/branches").await.len(), 1);
        assert_eq!(demo.all("/api/v1/rewards").await.len(), 5);
        until_idle(&home.app().await.store).await;
        let documents = demo.all("/api/v1/agents/maya/knowledge").await;
        assert_eq!(documents.len(), 1, "{documents:?}");
        assert_eq!(documents[0]["status"], "completed", "{documents:?}");
        let question = json!({
            "messages": [{ "role": "user", "content": "¿Cuánto cuesta la limpieza dental?" }],
            "stream": false,
        });
        let answer = demo.post("/api/agents/maya/chat", &question).await;
        assert_eq!(answer["grounded"], true, "{answer}");
    }
}
