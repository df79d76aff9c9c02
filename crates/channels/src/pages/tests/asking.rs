//! Files and reports.

use super::stand_in::{Answer, StandIn, account, json as answer};
use crate::client::AccountReport;
use crate::failure::FailureKind;
use crate::inbound::{MediaKind, MediaReference};
use crate::pages::media::may_be_read;
use crate::pages::report::is_subscribed;
use crate::pages::{media, report};
use quipu_core::lead::Channel;
use serde_json::json;
use url::Url;

fn file(url: &str) -> MediaReference {
    MediaReference {
        media: MediaKind::Image,
        id: None,
        url: Some(url.to_owned()),
        mime_type: None,
        sha256: None,
        filename: None,
        caption: None,
        recorded: false,
    }
}

fn leading(to: &str) -> Answer {
    (302, format!("location: {to}\r\n"), String::new())
}

fn bytes(length: usize) -> Answer {
    (200, String::new(), "x".repeat(length))
}

#[test]
fn only_the_channel_is_asked_for_files() {
    let own = Url::parse("http://127.0.0.1:4010").unwrap();
    for (url, expected) in [
        ("https://scontent.xx.fbcdn.net/v/1.jpg?oe=1", true),
        (
            "https://lookaside.fbsbx.com/ig_messaging_cdn/?asset_id=1",
            true,
        ),
        ("https://a.cdninstagram.com/1", true),
        ("http://127.0.0.1:4010/files/1", true),
        ("http://127.0.0.1:4011/files/1", false),
        ("https://127.0.0.1:4010/files/1", false),
        ("http://scontent.xx.fbcdn.net/1", false),
        ("https://scontent.xx.fbcdn.net:8443/1", false),
        ("https://fbcdn.net/1", false),
        ("https://evilfbcdn.net/1", false),
        ("https://a.fbcdn.net.ejemplo.com/1", false),
        ("https://ejemplo.com/a.fbcdn.net", false),
        ("https://a.fbcdn.net@ejemplo.com/1", false),
        ("https://ana@a.fbcdn.net/1", false),
        ("https://169.254.169.254/", false),
        ("file:///etc/a.fbcdn.net", false),
    ] {
        let parsed = Url::parse(url).unwrap();
        assert_eq!(may_be_read(&parsed, Some(&own)), expected, "{url}");
    }
    let own = Url::parse("data:own").ok();
    let data = Url::parse("data:own").unwrap();
    assert!(!may_be_read(&data, own.as_ref()));
}

#[tokio::test]
async fn a_file_is_read_without_the_key_and_no_further_than_allowed() {
    let mut graph = StandIn::start(vec![leading("/files/2"), bytes(8), bytes(9)]).await;
    let account = account(Channel::Instagram);
    let image = file(&format!("{}/files/1", graph.base));
    let read = media(&graph.client, &account, &image, 8).await.unwrap();
    assert_eq!(read.len(), 8);
    let asked = graph.asked();
    assert_eq!(asked[1].line, "GET /files/2 HTTP/1.1");
    assert!(asked.iter().all(|one| !one.head.contains("authorization")));
    let larger = media(&graph.client, &account, &image, 8).await.unwrap_err();
    assert_eq!(larger.kind, FailureKind::Rejected);
}

#[tokio::test]
async fn a_file_does_not_lead_elsewhere() {
    let elsewhere = leading("https://169.254.169.254/latest");
    let round: Vec<Answer> = (0..5).map(|_| leading("/files/1")).collect();
    for answers in [vec![elsewhere], vec![leading("http://[")], round] {
        let mut graph = StandIn::start(answers).await;
        let image = file(&format!("{}/files/1", graph.base));
        let account = account(Channel::Messenger);
        let failure = media(&graph.client, &account, &image, 8).await.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Rejected);
        assert!(!failure.reason.contains("169") && graph.asked().len() <= 4);
    }
}

#[tokio::test]
async fn a_file_that_is_gone_says_nothing_of_the_key() {
    for (status, kind) in [
        (401, FailureKind::Rejected),
        (403, FailureKind::Rejected),
        (404, FailureKind::Rejected),
        (429, FailureKind::Throttled),
        (503, FailureKind::Transient),
    ] {
        let wait = (status, "retry-after: 7\r\n".to_owned(), String::new());
        let graph = StandIn::start(vec![wait]).await;
        let image = file(&format!("{}/files/1", graph.base));
        let account = account(Channel::Messenger);
        let failure = media(&graph.client, &account, &image, 8).await.unwrap_err();
        assert_eq!((failure.kind, failure.retry_after_seconds), (kind, Some(7)));
    }
    let graph = StandIn::start(vec![]).await;
    let account = account(Channel::Messenger);
    let nowhere = MediaReference {
        url: None,
        ..file("")
    };
    assert!(media(&graph.client, &account, &nowhere, 8).await.is_err());
}

#[tokio::test]
async fn a_report_names_the_account_and_says_whether_we_hear_of_it() {
    for (channel, field, line) in [
        (
            Channel::Messenger,
            "name",
            "GET /v26.0/900?fields=name HTTP/1.1",
        ),
        (
            Channel::Instagram,
            "username",
            "GET /ig/v26.0/900?fields=username HTTP/1.1",
        ),
    ] {
        let about = answer(200, &json!({ "id": "900", field: "Cevichería Ñ" }));
        let programs = json!({ "data": [{ "subscribed_fields": ["messages"] }] });
        let mut graph = StandIn::start(vec![about, answer(200, &programs)]).await;
        let expected = AccountReport {
            name: Some("Cevichería Ñ".to_owned()),
            quality: None,
            subscribed: Some(true),
        };
        assert_eq!(
            report(&graph.client, &account(channel)).await.unwrap(),
            expected
        );
        let asked = graph.asked();
        assert_eq!(asked[0].line, line);
        assert!(
            asked[1]
                .line
                .ends_with("/v26.0/900/subscribed_apps HTTP/1.1")
        );
    }
}

#[tokio::test]
async fn a_bad_key_is_told_and_a_missing_permission_is_not_a_bad_key() {
    let expired = || {
        answer(
            400,
            &json!({ "error": { "code": 190, "error_subcode": 463 } }),
        )
    };
    let graph = StandIn::start(vec![expired()]).await;
    let failure = report(&graph.client, &account(Channel::Messenger))
        .await
        .unwrap_err();
    assert_eq!(
        (failure.kind, failure.code),
        (FailureKind::Account, Some(463))
    );

    let about = answer(200, &json!({ "name": "Página" }));
    let lacking = answer(403, &json!({ "error": { "code": 200 } }));
    let graph = StandIn::start(vec![about, lacking]).await;
    let report = report(&graph.client, &account(Channel::Messenger))
        .await
        .unwrap();
    assert_eq!(
        (report.name.as_deref(), report.subscribed),
        (Some("Página"), None)
    );
}

#[test]
fn somebody_hears_of_messages_or_nobody_does() {
    for (programs, expected) in [
        (json!({ "data": [] }), Some(false)),
        (json!({ "data": [{ "name": "Quipu" }] }), Some(true)),
        (
            json!({ "data": [{ "subscribed_fields": ["feed"] }] }),
            Some(false),
        ),
        (
            json!({ "data": [{ "subscribed_fields": [] }, {}] }),
            Some(true),
        ),
        (json!({}), None),
        (json!([]), None),
    ] {
        assert_eq!(is_subscribed(&programs), expected, "{programs}");
    }
}
