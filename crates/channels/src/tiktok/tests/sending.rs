use super::super::media::is_of_tiktok;
use super::super::outbound::words;
use super::super::{explain, failure, media, report, send};
use super::{BUSINESS, CONVERSATION, content_of};
use crate::account::{ChannelAccount, ChannelEndpoints};
use crate::client::ChannelClient;
use crate::failure::FailureKind;
use crate::inbound::{InboundContent, MediaKind, MediaReference};
use crate::outbound::{ChoiceOption, OutboundContent, OutboundMedia, Recipient};
use quipu_core::language::Language;
use quipu_core::lead::Channel;
use secrecy::SecretString;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread::JoinHandle;
use url::Url;

#[test]
fn codes_say_what_is_to_be_done() {
    let kind = |status, body: Value| failure(status, None, &body).kind;
    for (code, expected) in [
        (40_001, FailureKind::Account),
        (40_002, FailureKind::Rejected),
        (40_007, FailureKind::Unreachable),
        (40_064, FailureKind::WindowClosed),
        (40_100, FailureKind::Throttled),
        (40_105, FailureKind::Account),
        (51_065, FailureKind::Transient),
        (51_999, FailureKind::Transient),
        (49_999, FailureKind::Rejected),
    ] {
        assert_eq!(
            kind(200, json!({ "code": code, "message": "x" })),
            expected,
            "{code}"
        );
    }
    assert_eq!(kind(503, json!({ "code": 1 })), FailureKind::Transient);
    assert_eq!(kind(200, Value::Null), FailureKind::Unknown);
    assert_eq!(kind(504, Value::Null), FailureKind::Unknown);
    assert_eq!(kind(500, Value::Null), FailureKind::Transient);
    assert_eq!(kind(429, Value::Null), FailureKind::Throttled);
    assert_eq!(kind(401, Value::Null), FailureKind::Account);
    let said = failure(
        429,
        Some(7),
        &json!({ "code": "40100", "message": "Ana dijo" }),
    );
    assert_eq!(
        (said.code, said.retry_after_seconds),
        (Some(40_100), Some(7))
    );
    assert!(!said.to_string().contains("Ana"));
}

#[test]
fn each_known_code_is_explained_in_both_languages() {
    for code in [
        40_000, 40_001, 40_016, 40_064, 40_102, 40_908, 50_000, 51_065,
    ] {
        let (es, en) = (explain(code, Language::Es), explain(code, Language::En));
        assert!(es.is_some() && en.is_some() && es != en, "{code}");
    }
    assert_eq!(explain(12_345, Language::Es), None);
}

#[test]
fn files_are_fetched_from_tiktok_alone() {
    let endpoint = "https://business-api.tiktok.com";
    let is_of = |text: &str| is_of_tiktok(&Url::parse(text).unwrap(), endpoint);
    for good in [
        "https://business-api.tiktok.com/a",
        "https://p16-sign.tiktokcdn-us.com/a?x-expires=1",
        "https://TIKTOK.com/a",
        "https://v.byteoversea.com/a",
    ] {
        assert!(is_of(good), "{good}");
    }
    for bad in [
        "http://p16.tiktokcdn.com/a",
        "https://p16.tiktokcdn.com:8443/a",
        "https://a@p16.tiktokcdn.com/a",
        "https://eviltiktok.com/a",
        "https://tiktok.com.evil.example/a",
        "https://evil.example/tiktok.com",
        "https://127.0.0.1/a",
        "https://tiktok.com./a",
        "file:///etc/passwd",
    ] {
        assert!(!is_of(bad), "{bad}");
    }
    let stand_in = Url::parse("http://127.0.0.1:9/a").unwrap();
    assert!(is_of_tiktok(&stand_in, "http://127.0.0.1:9/"));
    assert!(!is_of_tiktok(&stand_in, "http://127.0.0.1:8/"));
}

#[test]
fn things_to_tap_are_numbered() {
    let option = |title: &str, description: Option<&str>| ChoiceOption {
        id: "x".to_owned(),
        title: title.to_owned(),
        description: description.map(str::to_owned),
    };
    let choices = OutboundContent::Choices {
        text: "¿Cuál?".to_owned(),
        button: "Ver".to_owned(),
        options: vec![option("Pan", None), option("Torta", Some("de chocolate"))],
    };
    let written = "¿Cuál?\n\n1. Pan\n2. Torta – de chocolate";
    assert_eq!(words(&choices).unwrap(), written);
    let text = |text: String| words(&OutboundContent::Text { text }).map_err(|e| e.kind);
    assert!(text("ñ".repeat(6_000)).is_ok());
    assert_eq!(text("ñ".repeat(6_001)), Err(FailureKind::Rejected));
    assert_eq!(text(" \n".to_owned()), Err(FailureKind::Rejected));
    let picture = OutboundContent::Media(OutboundMedia {
        media: MediaKind::Image,
        url: "https://example.com/a.png".to_owned(),
        filename: None,
        caption: None,
    });
    assert_eq!(
        words(&picture).map_err(|e| e.kind),
        Err(FailureKind::Rejected)
    );
}

/// Answers one request after another, and gives back what was asked.
fn stand_in(answers: Vec<(u16, String)>) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let own = address.clone();
    let serve = move || {
        let answer = |(status, body): (u16, String)| {
            let (mut stream, _) = listener.accept().unwrap();
            let (mut asked, mut piece) = (Vec::new(), [0; 4_096]);
            while !is_whole(&asked) {
                let read = stream.read(&mut piece).unwrap();
                asked.extend_from_slice(&piece[..read]);
            }
            let body = body.replace("{own}", &own);
            let head = format!(
                "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}",
                body.len()
            );
            write!(stream, "{head}\r\n\r\n{body}").unwrap();
            String::from_utf8(asked).unwrap()
        };
        answers.into_iter().map(answer).collect()
    };
    (address, std::thread::spawn(serve))
}

fn is_whole(asked: &[u8]) -> bool {
    let text = String::from_utf8_lossy(asked).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"));
    body.len() >= length.map_or(0, |length| length.trim().parse().unwrap())
}

fn client(tiktok: String) -> ChannelClient {
    let endpoints = ChannelEndpoints {
        graph: String::new(),
        instagram: String::new(),
        tiktok,
        vapi: String::new(),
        graph_version: String::new(),
    };
    ChannelClient::new(endpoints).unwrap()
}

fn account() -> ChannelAccount {
    ChannelAccount {
        channel: Channel::Tiktok,
        account_id: BUSINESS.to_owned(),
        parent_id: None,
        token: SecretString::from("key-1"),
        app_secret: None,
    }
}

#[tokio::test]
async fn a_message_is_sent_into_its_conversation() {
    let (address, server) = stand_in(vec![
        (
            200,
            r#"{"code":0,"data":{"message":{"message_id":"m-9"}}}"#.to_owned(),
        ),
        (200, r#"{"code":40105,"message":"no","data":{}}"#.to_owned()),
        (200, r#"{"code":0,"data":{}}"#.to_owned()),
    ]);
    let (client, account) = (client(address), account());
    let to = Recipient {
        user_id: Some(CONVERSATION.to_owned()),
        phone: None,
    };
    let hello = OutboundContent::Text {
        text: "Hola".to_owned(),
    };
    let sent = send(&client, &account, &to, &hello).await.unwrap();
    assert_eq!((sent.id.as_str(), &sent.recipient), ("m-9", &to));
    let refused = send(&client, &account, &to, &hello).await.unwrap_err();
    assert_eq!(
        (refused.kind, refused.code),
        (FailureKind::Account, Some(40_105))
    );
    let nameless = send(&client, &account, &to, &hello).await.unwrap_err();
    assert_eq!(nameless.kind, FailureKind::Unknown);
    let nobody = send(&client, &account, &Recipient::default(), &hello)
        .await
        .unwrap_err();
    assert_eq!(nobody.kind, FailureKind::Unreachable);
    let asked = server.join().unwrap();
    assert!(asked[0].starts_with("POST /open_api/v1.3/business/message/send/ HTTP"));
    assert!(asked[0].contains("access-token: key-1"));
    let body: Value = serde_json::from_str(asked[0].split_once("\r\n\r\n").unwrap().1).unwrap();
    let expected = json!({
        "business_id": BUSINESS, "recipient_type": "CONVERSATION", "recipient": CONVERSATION,
        "message_type": "TEXT", "text": { "body": "Hola" },
    });
    assert_eq!(body, expected);
}

fn picture() -> MediaReference {
    let content = content_of(&json!({ "type": "image", "image": { "media_id": "f-9" } }));
    let InboundContent::Media(picture) = content else {
        panic!("{content:?}");
    };
    picture
}

#[tokio::test]
async fn a_file_is_asked_for_and_then_fetched() {
    let (address, server) = stand_in(vec![
        (
            200,
            r#"{"code":0,"data":{"download_url":"{own}/file?a=1"}}"#.to_owned(),
        ),
        (200, "bytes".to_owned()),
        (
            200,
            r#"{"code":0,"data":{"download_url":"{own}/file"}}"#.to_owned(),
        ),
        (403, String::new()),
        (
            200,
            r#"{"code":0,"data":{"download_url":"https://evil.example/f"}}"#.to_owned(),
        ),
    ]);
    let (client, account, picture) = (client(address), account(), picture());
    let bytes = media(&client, &account, &picture, 5).await.unwrap();
    assert_eq!(bytes.as_ref(), b"bytes");
    let old = media(&client, &account, &picture, 5).await.unwrap_err();
    assert_eq!(old.kind, FailureKind::Rejected);
    let elsewhere = media(&client, &account, &picture, 5).await.unwrap_err();
    assert_eq!(elsewhere.kind, FailureKind::Rejected);
    let asked = server.join().unwrap();
    assert!(
        asked[0].contains(r#""media_type":"IMAGE""#) && asked[0].contains(r#""media_id":"f-9""#)
    );
    assert!(asked[1].starts_with("GET /file?a=1 HTTP") && asked[1].contains("x-user: key-1"));
    let strange = MediaReference {
        id: Some("[]".to_owned()),
        ..picture
    };
    assert!(media(&client, &account, &strange, 5).await.is_err());
}

#[tokio::test]
async fn a_report_has_the_name() {
    let answer = r#"{"code":0,"data":{"display_name":"Panadería","username":"pan"}}"#.to_owned();
    let (address, server) = stand_in(vec![(200, answer)]);
    let report = report(&client(address), &account()).await.unwrap();
    assert_eq!(report.name.as_deref(), Some("Panadería"));
    let asked = server.join().unwrap();
    assert!(
        asked[0].starts_with("GET /open_api/v1.3/business/get/?business_id=biz-open-id&fields=")
    );
}
