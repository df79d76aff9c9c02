//! A whole conversation over WhatsApp, as a customer has it.

use super::{ChannelLine, rosa};
use quipu_simulator::{CustomerWrites, MessageState, SignalKind};
use quipu_testkit::db_test;
use serde_json::{Value, json};
use std::time::Duration;

const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0,
    0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0,
];

db_test! {
    async fn a_visit_is_booked_by_tapping(db) {
        let line = ChannelLine::open(db).await;
        let rosa = rosa();
        let hello = line.says(&rosa, "hola").await;
        assert!(hello.contains("Maya") || hello.contains("ayud"), "{hello}");
        let price = line.says(&rosa, "cuánto cuesta la limpieza dental?").await;
        assert!(price.contains("S/"), "{price}");
        line.says(&rosa, "quiero una cita para limpieza dental mañana en Miraflores").await;
        let offered = line.sent_to(&rosa).pop().unwrap();
        assert!(!offered.options.is_empty(), "nothing to tap: {offered:?}");
        let first = offered.options[0].id.clone();
        let mut answer = line.writes(&rosa, CustomerWrites::tap(&first)).await;
        for _ in 0..3 {
            let asks_name = answer.contains("nombre");
            let last = line.sent_to(&rosa).pop().unwrap();
            if last.options.iter().any(|option| option.title == "Sí") {
                break;
            }
            assert!(asks_name, "neither a name nor a yes is asked for: {answer}");
            answer = line.says(&rosa, "Rosa Quispe").await;
        }
        let done = line.writes(&rosa, CustomerWrites::tap("Sí")).await;
        let appointments = line.admin.get("/api/v1/appointments").await.ok(200);
        assert_eq!(appointments["data"].as_array().unwrap().len(), 1, "{done}");
        let conversation = line.conversation().await;
        assert_eq!(conversation["channel"], "whatsapp");
        assert_eq!(conversation["lead_name"], "Rosa Quispe");
        let leads = line.admin.get("/api/v1/leads").await.ok(200);
        assert_eq!(leads["data"].as_array().unwrap().len(), 1);
        assert_eq!(leads["data"][0]["phone"], "+51 987 654 321");
        let read = line.simulator.signals(&line.account.account_id);
        assert!(read.iter().any(|signal| signal.kind == SignalKind::Typing), "{read:?}");
    }

    async fn how_far_a_message_came_is_known_and_what_it_cost(db) {
        let line = ChannelLine::open(db).await;
        let rosa = rosa();
        line.says(&rosa, "a qué hora abren?").await;
        line.rest().await;
        line.simulator.settle().await;
        let id = line.sent_to(&rosa)[0].id.clone();
        line.simulator.report(&line.account.account_id, &id, MessageState::Read, None).unwrap();
        line.simulator.settle().await;
        let sent = line.admin.get("/api/v1/channel-messages").await.ok(200);
        assert_eq!(sent["data"][0]["state"], "read", "{sent}");
        assert_eq!(sent["data"][0]["external_id"], json!(id));
        assert!(sent["data"][0]["category"].is_string(), "{sent}");
        let conversation = line.conversation().await;
        let path = format!("/api/v1/conversations/{}/channel", conversation["id"].as_str().unwrap());
        let channel = line.admin.get(&path).await.ok(200);
        assert_eq!(channel["open"], true);
        assert_eq!(channel["cost"]["messages"], 1);
    }

    async fn a_photo_is_kept_with_its_conversation(db) {
        let line = ChannelLine::open(db).await;
        let rosa = rosa();
        line.writes(&rosa, CustomerWrites::image(PNG, "image/png", Some("este es mi ticket"))).await;
        let conversation = line.conversation().await;
        let path = format!("/api/v1/conversations/{}/attachments", conversation["id"].as_str().unwrap());
        let files = line.admin.get(&path).await.ok(200);
        assert_eq!(files["data"].as_array().unwrap().len(), 1);
        assert_eq!(files["data"][0]["file_type"], "png");
    }

    async fn a_recording_is_asked_for_in_writing(db) {
        let line = ChannelLine::open(db).await;
        let answer = line.writes(&rosa(), CustomerWrites::voice(*b"OggS")).await;
        assert!(answer.contains("no puedo escuchar"), "{answer}");
    }

    async fn a_burst_is_answered_once(db) {
        let line = ChannelLine::open(db).await;
        let path = format!("/api/v1/channels/{}", line.connection);
        let settings = json!({ "settings": { "debounce_ms": 5_000 } });
        line.admin.patch(&path, settings).await.ok(200);
        let rosa = rosa();
        for text in ["hola", "una consulta", "cuánto cuesta la limpieza dental?"] {
            line.deliver(&rosa, CustomerWrites::text(text)).await;
        }
        line.rest().await;
        assert!(line.sent_to(&rosa).is_empty(), "the customer was not given time");
        line.app.clock.advance(Duration::from_secs(6));
        line.rest().await;
        line.rest().await;
        let sent = line.sent_to(&rosa);
        assert_eq!(sent.len(), 1, "{sent:?}");
        assert!(sent[0].text.as_deref().unwrap().contains("S/"), "{sent:?}");
    }

    async fn whoever_hides_their_number_is_answered_at_their_id(db) {
        let line = ChannelLine::open(db).await;
        let hidden = rosa().hidden();
        let answer = line.says(&hidden, "a qué hora abren?").await;
        assert!(!answer.is_empty());
        let again = line.says(&hidden, "y los sábados?").await;
        assert!(!again.is_empty());
        let leads = line.admin.get("/api/v1/leads").await.ok(200);
        assert_eq!(leads["data"].as_array().unwrap().len(), 1);
        assert!(leads["data"][0]["phone"].is_null());
    }

    async fn a_customer_who_opts_out_gets_no_reminders(db) {
        let line = ChannelLine::open(db).await;
        let rosa = rosa();
        line.says(&rosa, "BAJA").await;
        let conversation = line.conversation().await;
        let path = format!("/api/v1/conversations/{}/channel", conversation["id"].as_str().unwrap());
        let channel: Value = line.admin.get(&path).await.ok(200);
        assert!(channel["opted_out_at"].is_string(), "{channel}");
    }
}
