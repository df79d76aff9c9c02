//! Who answers on a channel: the agent, or a person from our inbox or from their own phone.

use super::{ChannelLine, rosa};
use quipu_simulator::{CustomerWrites, MessageAuthor};
use quipu_testkit::db_test;
use serde_json::json;
use std::time::Duration;

async fn mode(line: &ChannelLine) -> String {
    let conversation = line.conversation().await;
    conversation["handoff"]["mode"].as_str().unwrap().to_owned()
}

db_test! {
    async fn whoever_answers_from_their_phone_takes_over_and_the_agent_comes_back(db) {
        let line = ChannelLine::open(db).await;
        let rosa = rosa();
        line.says(&rosa, "a qué hora abren?").await;
        let account = &line.account.account_id;
        line.simulator.echo(account, &rosa, "Hola Rosa, le habla la doctora", None).await.unwrap();
        line.rest().await;
        let conversation = line.conversation().await;
        assert_eq!(conversation["handoff"]["mode"], "human");
        assert!(conversation["handoff"]["returns_at"].is_string(), "{conversation}");
        let path = format!("/api/v1/conversations/{}/messages", conversation["id"].as_str().unwrap());
        let messages = line.admin.get(&path).await.ok(200);
        assert_eq!(messages["data"][0]["role"], "human");
        let before = line.sent_to(&rosa).len();
        line.deliver(&rosa, CustomerWrites::text("gracias doctora, cuánto cuesta la limpieza?")).await;
        line.rest().await;
        assert_eq!(line.sent_to(&rosa).len(), before, "the agent talks over a person");
        line.app.clock.advance(Duration::from_mins(61));
        let mut returned = mode(&line).await;
        for _ in 0..200 {
            if returned == "ai" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
            returned = mode(&line).await;
        }
        assert_eq!(returned, "ai", "the countdown has ended");
        let answer = line.says(&rosa, "cuánto cuesta la limpieza dental?").await;
        assert!(answer.contains("S/"), "{answer}");
    }

    async fn what_a_person_writes_in_the_inbox_arrives(db) {
        let line = ChannelLine::open(db).await;
        let rosa = rosa();
        line.says(&rosa, "hola").await;
        let conversation = line.conversation().await;
        let path = format!("/api/v1/conversations/{}/messages", conversation["id"].as_str().unwrap());
        let body = json!({ "role": "human", "text": "Le escribe **Carla**, de recepción" });
        line.admin.post(&path, body).await.ok(201);
        line.rest().await;
        let sent = line.sent_to(&rosa).pop().unwrap();
        assert_eq!(sent.text.as_deref(), Some("Le escribe *Carla*, de recepción"));
        assert_eq!(mode(&line).await, "human");
        let note = json!({ "role": "note", "text": "cliente frecuente" });
        line.admin.post(&path, note).await.ok(201);
        line.rest().await;
        let all = line.simulator.messages(&line.account.account_id);
        let ours = all.iter().filter(|message| message.author != MessageAuthor::Customer);
        assert_eq!(ours.count(), 2, "a note left the house");
    }

    async fn outside_the_window_only_a_template_arrives(db) {
        let line = ChannelLine::open(db).await;
        let rosa = rosa();
        line.says(&rosa, "hola").await;
        line.app.clock.advance(Duration::from_hours(25));
        let conversation = line.conversation().await;
        let path = format!("/api/v1/conversations/{}", conversation["id"].as_str().unwrap());
        let body = json!({ "role": "human", "text": "¿Sigue interesada?" });
        line.admin.post(&format!("{path}/messages"), body).await.refused(409, "CHANNEL_WINDOW_CLOSED");
        let templates = format!("/api/v1/channels/{}/templates", line.connection);
        let templates = line.admin.get(&templates).await.ok(200);
        let approved = templates.as_array().unwrap().iter().find(|one| one["status"] == "APPROVED");
        let approved = approved.unwrap();
        let places = approved["body"].as_str().unwrap().matches("{{").count();
        let body = json!({
            "name": approved["name"],
            "language": approved["language"],
            "values": vec!["Rosa"; places],
        });
        line.admin.post(&format!("{path}/template"), body).await.ok(201);
        line.rest().await;
        let sent = line.sent_to(&rosa).pop().unwrap();
        assert_eq!(sent.template.as_deref(), approved["name"].as_str());
    }
}
