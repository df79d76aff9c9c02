//! What is sent.

use super::stand_in::{Answer, Asked, StandIn, account, json as answer};
use crate::failure::{FailureKind, SendFailure};
use crate::inbound::MediaKind;
use crate::outbound::{
    ChoiceOption, OutboundContent, OutboundMedia, Recipient, SentMessage, TemplateMessage,
};
use crate::pages::{mark_seen, send};
use quipu_core::lead::Channel;
use serde_json::{Value, json};

fn text(text: &str) -> OutboundContent {
    OutboundContent::Text {
        text: text.to_owned(),
    }
}

fn customer() -> Recipient {
    Recipient {
        user_id: Some("71".to_owned()),
        phone: Some("51999".to_owned()),
    }
}

fn took(id: &str) -> Answer {
    answer(200, &json!({ "recipient_id": "71", "message_id": id }))
}

fn refusal(code: i64, subcode: i64) -> Answer {
    let error = json!({ "code": code, "error_subcode": subcode, "message": "no" });
    answer(400, &json!({ "error": error }))
}

async fn sent(
    channel: Channel,
    content: &OutboundContent,
    by_person: bool,
    answers: Vec<Answer>,
) -> (Result<SentMessage, SendFailure>, Vec<Asked>) {
    let mut graph = StandIn::start(answers).await;
    let account = account(channel);
    let outcome = send(&graph.client, &account, &customer(), content, by_person).await;
    (outcome, graph.asked())
}

#[tokio::test]
async fn a_text_goes_out_with_the_key_in_the_head() {
    let channels = [
        (Channel::Messenger, "POST /v26.0/900/messages HTTP/1.1"),
        (Channel::Instagram, "POST /ig/v26.0/900/messages HTTP/1.1"),
    ];
    for (channel, line) in channels {
        let (outcome, asked) = sent(channel, &text("Hola"), false, vec![took("m_1")]).await;
        let outcome = outcome.unwrap();
        assert_eq!(outcome.id, "m_1");
        assert_eq!(outcome.recipient.user_id.as_deref(), Some("71"));
        assert_eq!(asked[0].line, line);
        assert!(asked[0].head.contains("authorization: bearer the-key"));
        let expected = json!({
            "recipient": { "id": "71" },
            "messaging_type": "RESPONSE",
            "message": { "text": "Hola" },
        });
        assert_eq!(asked[0].body, expected);
    }
}

/// The proof was counted with `openssl dgst -sha256 -hmac the-secret` over `the-key`.
#[tokio::test]
async fn the_secret_of_the_application_is_proved() {
    let mut graph = StandIn::start(vec![took("m_1")]).await;
    let mut account = account(Channel::Messenger);
    account.app_secret = Some("the-secret".to_owned().into());
    send(&graph.client, &account, &customer(), &text("Hola"), false)
        .await
        .unwrap();
    let line = &graph.asked()[0].line;
    let proof = "8d687ef847994ba47102781e0b279d9bc06cd919c260f870feaf6de4d7c8b742";
    assert!(
        line.contains(&format!("/messages?appsecret_proof={proof} ")),
        "{line}"
    );
    assert!(!line.contains("the-key") && !line.contains("the-secret"));
}

#[tokio::test]
async fn a_person_may_answer_after_a_day_and_a_program_may_not() {
    let closed = || refusal(10, 2_018_278);
    let (outcome, asked) = sent(Channel::Messenger, &text("Hola"), false, vec![closed()]).await;
    assert_eq!(outcome.unwrap_err().kind, FailureKind::WindowClosed);
    assert_eq!(asked.len(), 1);

    let answers = vec![refusal(10, 2_534_022), took("m_1")];
    let (outcome, asked) = sent(Channel::Instagram, &text("Hola"), true, answers).await;
    assert_eq!(outcome.unwrap().id, "m_1");
    assert_eq!(asked[0].body["messaging_type"], "RESPONSE");
    assert_eq!(asked[0].body["tag"], Value::Null);
    assert_eq!(asked[1].body["messaging_type"], "MESSAGE_TAG");
    assert_eq!(asked[1].body["tag"], "HUMAN_AGENT");

    // Without leave for the tag it is still the window that is closed.
    let answers = vec![closed(), refusal(100, 0)];
    let (outcome, _) = sent(Channel::Messenger, &text("Hola"), true, answers).await;
    assert_eq!(outcome.unwrap_err().kind, FailureKind::WindowClosed);

    // Nobody insists with somebody who has blocked the page.
    let answers = vec![refusal(551, 1_545_041), took("m_1")];
    let (outcome, asked) = sent(Channel::Messenger, &text("Hola"), true, answers).await;
    assert_eq!(outcome.unwrap_err().kind, FailureKind::Unreachable);
    assert_eq!(asked.len(), 1);
}

#[tokio::test]
async fn choices_fit_on_buttons() {
    let titles = [
        ("Sí", "Sí"),
        ("Limpieza dental profunda", "Limpieza dental…"),
        ("Menú de doce tiempos", "Menú de doce tiempos"),
        ("Consulta pediátrica general", "Consulta pediátrica…"),
        ("Otorrinolaringólogo de guardia", "Otorrinolaringólogo…"),
        ("Electroencefalografista", "Electroencefalograf…"),
    ];
    let option = |(index, (title, _)): (usize, &(&str, &str))| ChoiceOption {
        id: format!("o{index}"),
        title: (*title).to_owned(),
        description: None,
    };
    let choices = |options: Vec<ChoiceOption>| OutboundContent::Choices {
        text: "¿Qué desea?".to_owned(),
        button: "Ver".to_owned(),
        options,
    };
    let options: Vec<ChoiceOption> = titles.iter().enumerate().map(option).collect();
    let content = choices(options.clone());
    let (outcome, asked) = sent(Channel::Messenger, &content, false, vec![took("m_1")]).await;
    outcome.unwrap();
    let replies = asked[0].body["message"]["quick_replies"]
        .as_array()
        .unwrap();
    for (index, (reply, (_, short))) in replies.iter().zip(titles).enumerate() {
        let expected =
            json!({ "content_type": "text", "title": short, "payload": format!("o{index}") });
        assert_eq!(*reply, expected);
    }
    assert_eq!(replies.len(), titles.len());

    let many = choices(options.into_iter().cycle().take(14).collect());
    let (outcome, asked) = sent(Channel::Messenger, &many, false, vec![]).await;
    assert_eq!(outcome.unwrap_err().kind, FailureKind::Rejected);
    assert!(asked.is_empty());
}

#[tokio::test]
async fn a_caption_goes_before_its_file() {
    let menu = OutboundContent::Media(OutboundMedia {
        media: MediaKind::Document,
        url: "https://ejemplo.pe/carta.pdf".to_owned(),
        filename: Some("carta.pdf".to_owned()),
        caption: Some("Nuestra carta".to_owned()),
    });
    let answers = vec![took("m_1"), took("m_2")];
    let (outcome, asked) = sent(Channel::Instagram, &menu, false, answers).await;
    assert_eq!(outcome.unwrap().id, "m_2");
    assert_eq!(asked[0].body["message"], json!({ "text": "Nuestra carta" }));
    let file = json!({ "type": "file", "payload": { "url": "https://ejemplo.pe/carta.pdf" } });
    assert_eq!(asked[1].body["message"], json!({ "attachment": file }));

    // A second attempt would repeat the words.
    let answers = vec![took("m_1"), refusal(2, 0)];
    let (outcome, _) = sent(Channel::Messenger, &menu, false, answers).await;
    let failure = outcome.unwrap_err();
    assert_eq!(
        (failure.kind, failure.code),
        (FailureKind::Unknown, Some(2))
    );
    assert!(!failure.may_pass());
}

#[tokio::test]
async fn what_the_channel_cannot_take_is_not_sent() {
    let template = OutboundContent::Template(TemplateMessage {
        name: "recordatorio".to_owned(),
        language: "es".to_owned(),
        body: Vec::new(),
        buttons: Vec::new(),
    });
    for (channel, content) in [
        (Channel::Messenger, template),
        (Channel::Messenger, text(" ")),
        (Channel::Messenger, text(&"ñ".repeat(2_001))),
        (Channel::Instagram, text(&"ñ".repeat(501))),
    ] {
        let (outcome, asked) = sent(channel, &content, true, vec![]).await;
        assert_eq!(outcome.unwrap_err().kind, FailureKind::Rejected);
        assert!(asked.is_empty());
    }
    for (channel, length) in [(Channel::Messenger, 2_000), (Channel::Instagram, 500)] {
        let content = text(&"ñ".repeat(length));
        assert!(
            sent(channel, &content, false, vec![took("m_1")])
                .await
                .0
                .is_ok()
        );
    }
    let graph = StandIn::start(vec![]).await;
    for (id, to) in [
        ("900", Recipient::default()),
        ("../900", customer()),
        ("", customer()),
    ] {
        let mut account = account(Channel::Messenger);
        account.account_id = id.to_owned();
        let outcome = send(&graph.client, &account, &to, &text("Hola"), false).await;
        assert!(!outcome.unwrap_err().may_pass());
    }
}

#[tokio::test]
async fn an_answer_without_an_id_is_a_doubt() {
    for body in [json!({}), json!({ "message_id": 7 }), json!([])] {
        let answers = vec![answer(200, &body)];
        let (outcome, _) = sent(Channel::Messenger, &text("Hola"), false, answers).await;
        assert_eq!(outcome.unwrap_err().kind, FailureKind::Unknown, "{body}");
    }
    let refused = vec![answer(200, &json!({ "error": { "code": 190 } }))];
    let (outcome, _) = sent(Channel::Messenger, &text("Hola"), false, refused).await;
    assert_eq!(outcome.unwrap_err().kind, FailureKind::Account);
}

#[tokio::test]
async fn seeing_and_writing_are_shown() {
    for (typing, expected) in [
        (true, vec!["mark_seen", "typing_on"]),
        (false, vec!["mark_seen"]),
    ] {
        let done = || answer(200, &json!({ "recipient_id": "71" }));
        let mut graph = StandIn::start(vec![done(), done()]).await;
        let account = account(Channel::Instagram);
        mark_seen(&graph.client, &account, &customer(), typing)
            .await
            .unwrap();
        let asked = graph.asked();
        let actions: Vec<&Value> = asked.iter().map(|one| &one.body["sender_action"]).collect();
        assert_eq!(actions, expected);
        assert!(asked.iter().all(|one| one.body["recipient"]["id"] == "71"));
    }
}
