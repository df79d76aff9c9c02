//! How close leads were to buying, and who said so.

use super::lead_path;
use crate::harness::{LEADS, TestApp, all_pages, id, make_agent, make_lead};
use quipu_testkit::db_test;
use serde_json::{Value, json};

fn history(lead: &Value) -> String {
    format!("{}/temperature-history", lead_path(lead))
}

db_test! {
    async fn each_change_is_told_with_who_made_it(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let ana = client.post(LEADS, json!({ "name": "Ana", "temperature": "cold" })).await.ok(201);
        let beto = make_lead(client, "Beto").await;
        assert_eq!(all_pages(client, &history(&beto), 10).await.len(), 0);
        for temperature in [json!("hot"), json!("hot"), Value::Null] {
            client.patch(&lead_path(&ana), json!({ "temperature": temperature, "name": "Ana Q." })).await.ok(200);
        }
        // What leaves it as it was is no change.
        client.patch(&lead_path(&ana), json!({ "notes": "De tarde." })).await.ok(200);
        let told = all_pages(client, &history(&ana), 1).await;
        let changes: Vec<_> = told.iter().map(|one| (&one["before"], &one["after"])).collect();
        let (none, cold, hot) = (&Value::Null, &json!("cold"), &json!("hot"));
        assert_eq!(changes, [(hot, none), (cold, hot), (none, cold)]);
        let by = format!("user:{}", tenant.admin.id);
        assert!(told.iter().all(|one| one["actor"] == by.as_str() && one["turn_id"].is_null()), "{told:?}");

        // What an agent notices names the turn in which it did.
        let agent = make_agent(client, "Maya").await;
        let question = json!([{ "role": "user", "content": "¿cuánto cuesta la limpieza dental?" }]);
        let body = json!({ "messages": question, "user": "visitante-1", "stream": false });
        let answer = client.post("/api/agents/maya/chat", body).await.ok(200);
        let visitor = client.get(&format!("{LEADS}?channel=web&external_id=visitante-1")).await.ok(200)["data"][0].clone();
        let noticed = all_pages(client, &history(&visitor), 10).await;
        assert_eq!(noticed.len(), 1, "{noticed:?}");
        assert_eq!(noticed[0]["after"], answer["temperature"], "{answer}");
        assert_eq!(noticed[0]["actor"], format!("agent:{}", id(&agent)));
        assert_eq!(noticed[0]["turn_id"], answer["turn_id"]);

        let neighbour = app.tenant("beta").await.admin.client;
        neighbour.get(&history(&ana)).await.refused(404, "NOT_FOUND");
        let receipt = client.delete(&lead_path(&ana)).await.ok(200);
        assert_eq!(receipt["removed"]["rows"]["temperature_changes"], 3, "{receipt}");
        assert_eq!(receipt["remaining"]["rows"]["temperature_changes"], 0, "{receipt}");
        client.get(&history(&ana)).await.refused(404, "NOT_FOUND");
    }
}
