//! Messages as Graph takes them.

use super::server::{Server, account, client};
use crate::failure::FailureKind;
use crate::inbound::MediaKind;
use crate::outbound::{ChoiceOption, OutboundContent, OutboundMedia, Recipient, TemplateMessage};
use crate::signature::hmac_sha256;
use crate::whatsapp::send::{mark_read, message, send};
use secrecy::SecretString;
use serde_json::{Value, json};

fn text(text: &str) -> OutboundContent {
    OutboundContent::Text {
        text: text.to_owned(),
    }
}

fn ana() -> Recipient {
    Recipient {
        user_id: Some("MX.1".to_owned()),
        phone: Some("5215511112222".to_owned()),
    }
}

fn kind_of(content: &OutboundContent) -> FailureKind {
    message(&ana(), content, "").unwrap_err().kind
}

#[test]
fn a_text_goes_to_the_number_where_there_is_one() {
    let body = message(&ana(), &text("Hola"), "turn:7").unwrap();
    let expected = json!({
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        "to": "5215511112222",
        "type": "text",
        "text": { "body": "Hola", "preview_url": false },
        "biz_opaque_callback_data": "turn:7",
    });
    assert_eq!(body, expected);
    let mut unnumbered = ana();
    unnumbered.phone = None;
    let body = message(&unnumbered, &text("Hola"), "").unwrap();
    assert_eq!(body["recipient"], "MX.1");
    assert_eq!(body.get("to"), None);
    assert_eq!(body.get("biz_opaque_callback_data"), None);
    let nobody = message(&Recipient::default(), &text("Hola"), "");
    assert_eq!(nobody.unwrap_err().kind, FailureKind::Unreachable);
}

#[test]
fn what_whatsapp_takes_from_nobody_is_not_sent() {
    assert!(message(&ana(), &text(&"ñ".repeat(4_096)), "").is_ok());
    assert_eq!(kind_of(&text(&"ñ".repeat(4_097))), FailureKind::Rejected);
    assert_eq!(kind_of(&text(" \n")), FailureKind::Rejected);
}

#[test]
fn choices_are_tapped_or_written() {
    let option = |number: usize| ChoiceOption {
        id: format!("slot:{number}"),
        title: format!("Opción {number}"),
        description: None,
    };
    let choices = |count: usize| OutboundContent::Choices {
        text: "¿Cuál?".to_owned(),
        button: "Ver".to_owned(),
        options: (1..=count).map(option).collect(),
    };
    let body = |count| message(&ana(), &choices(count), "").unwrap();
    assert_eq!(body(3)["interactive"]["type"], "button");
    assert_eq!(body(10)["interactive"]["type"], "list");
    let written = body(11);
    assert_eq!(written["type"], "text");
    let words = written["text"]["body"].as_str().unwrap();
    assert!(words.starts_with("¿Cuál?\n\n1. Opción 1\n2. ") && words.ends_with("11. Opción 11"));
}

#[test]
fn a_template_is_filled_in() {
    let mut template = TemplateMessage {
        name: "recordatorio".to_owned(),
        language: "es_MX".to_owned(),
        body: vec!["Ana".to_owned(), "martes\n10:00".to_owned()],
        buttons: vec!["confirm:1".to_owned(), String::new(), "cancel:1".to_owned()],
    };
    let content = OutboundContent::Template(template.clone());
    let body = message(&ana(), &content, "").unwrap();
    let button = |index: &str, payload: &str| {
        json!({
            "type": "button", "sub_type": "quick_reply", "index": index,
            "parameters": [{ "type": "payload", "payload": payload }],
        })
    };
    let parameters = json!([
        { "type": "text", "text": "Ana" },
        { "type": "text", "text": "martes 10:00" },
    ]);
    let expected = json!({
        "name": "recordatorio",
        "language": { "code": "es_MX" },
        "components": [
            { "type": "body", "parameters": parameters },
            button("0", "confirm:1"),
            button("2", "cancel:1"),
        ],
    });
    assert_eq!(body["template"], expected);
    template.body[0] = " ".to_owned();
    assert_eq!(
        kind_of(&OutboundContent::Template(template.clone())),
        FailureKind::Template
    );
    template.body.clear();
    template.buttons.clear();
    let body = message(&ana(), &OutboundContent::Template(template), "").unwrap();
    assert_eq!(body["template"].get("components"), None);
}

#[test]
fn a_file_goes_by_its_address() {
    let file = |media: MediaKind, caption: &str| {
        OutboundContent::Media(OutboundMedia {
            media,
            url: "https://example.com/menu.pdf".to_owned(),
            filename: Some("menu.pdf".to_owned()),
            caption: Some(caption.to_owned()),
        })
    };
    let body = message(&ana(), &file(MediaKind::Document, "El menú"), "").unwrap();
    let expected = json!({
        "link": "https://example.com/menu.pdf", "caption": "El menú", "filename": "menu.pdf",
    });
    assert_eq!(
        (&body["type"], &body["document"]),
        (&json!("document"), &expected)
    );
    let body = message(&ana(), &file(MediaKind::Image, ""), "").unwrap();
    assert_eq!(
        body["image"],
        json!({ "link": "https://example.com/menu.pdf" })
    );
    assert_eq!(
        kind_of(&file(MediaKind::Audio, "oye")),
        FailureKind::Rejected
    );
    let long = "a".repeat(1_025);
    assert_eq!(
        kind_of(&file(MediaKind::Video, &long)),
        FailureKind::Rejected
    );
}

fn taken() -> Value {
    json!({
        "messaging_product": "whatsapp",
        "contacts": [{ "input": "5215511112222", "wa_id": "525511112222", "user_id": "MX.1" }],
        "messages": [{ "id": "wamid.9" }],
    })
}

#[tokio::test]
async fn a_message_is_sent_with_the_key_and_its_proof() {
    let server = Server::json(vec![(200, taken())]).await;
    let mut account = account();
    account.app_secret = Some(SecretString::from("secret"));
    let sent = send(&server.client(), &account, &ana(), &text("Hola"), "r").await;
    let sent = sent.unwrap();
    assert_eq!(sent.id, "wamid.9");
    assert_eq!(sent.recipient.phone.as_deref(), Some("525511112222"));
    assert_eq!(sent.recipient.user_id.as_deref(), Some("MX.1"));
    let asked = server.asked().await;
    let proof = hex::encode(hmac_sha256(b"secret", &[b"KEY"]));
    let line = format!("POST /v26.0/700/messages?appsecret_proof={proof} HTTP/1.1");
    assert_eq!(asked[0].line, line);
    assert!(asked[0].headers.contains("authorization: bearer key"));
    assert_eq!(asked[0].body["text"]["body"], "Hola");
}

#[tokio::test]
async fn what_graph_refuses_is_told_by_its_code() {
    let error = json!({ "error": { "code": 131_047, "message": "Re-engagement message" } });
    let answers = [
        (400, "", error.to_string().into_bytes()),
        (429, "retry-after: 30\r\n", b"slow down".to_vec()),
        (200, "", b"{}".to_vec()),
        (302, "location: https://example.com\r\n", Vec::new()),
    ];
    let server = Server::start(|_| answers.into()).await;
    let client = server.client();
    let expected = [
        (FailureKind::WindowClosed, Some(131_047), None),
        (FailureKind::Throttled, None, Some(30)),
        (FailureKind::Unknown, None, None),
        (FailureKind::Rejected, None, None),
    ];
    for (kind, code, wait) in expected {
        let sent = send(&client, &account(), &ana(), &text("Hola"), "").await;
        let failure = sent.unwrap_err();
        let said = (failure.kind, failure.code, failure.retry_after_seconds);
        assert_eq!(said, (kind, code, wait));
        assert!(!failure.to_string().contains("Hola"));
    }
}

#[tokio::test]
async fn a_message_is_marked_as_read() {
    let success = json!({ "success": true });
    let server = Server::json(vec![(200, success.clone()), (200, success)]).await;
    let client = server.client();
    mark_read(&client, &account(), "wamid.1", true)
        .await
        .unwrap();
    mark_read(&client, &account(), "wamid.1", false)
        .await
        .unwrap();
    let asked = server.asked().await;
    let mut expected = json!({
        "messaging_product": "whatsapp", "status": "read", "message_id": "wamid.1",
        "typing_indicator": { "type": "text" },
    });
    assert_eq!(asked[0].body, expected);
    expected.as_object_mut().unwrap().remove("typing_indicator");
    assert_eq!(asked[1].body, expected);
}

#[tokio::test]
async fn what_is_set_wrongly_is_told_before_anything_is_sent() {
    let mut wrong = account();
    wrong.token = SecretString::from("two\nlines");
    let nowhere = client("http://127.0.0.1:9");
    let failure = send(&nowhere, &wrong, &ana(), &text("Hola"), "").await;
    assert_eq!(failure.unwrap_err().kind, FailureKind::Account);
    let unset = client("graph");
    let failure = send(&unset, &account(), &ana(), &text("Hola"), "").await;
    assert_eq!(failure.unwrap_err().kind, FailureKind::Account);
    let failure = send(&nowhere, &account(), &ana(), &text("Hola"), "").await;
    assert_eq!(failure.unwrap_err().kind, FailureKind::Transient);
}
