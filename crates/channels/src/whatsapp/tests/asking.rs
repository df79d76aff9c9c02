//! What is asked of Graph: files, the state of a number, and templates.

use super::server::{Answer, Server, account, client};
use crate::client::ChannelClient;
use crate::failure::{FailureKind, SendFailure};
use crate::inbound::{MediaKind, MediaReference};
use crate::whatsapp::{media, report, templates};
use bytes::Bytes;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const BYTES: &[u8] = b"bytes of a picture";

fn picture(id: Option<&str>, url: Option<&str>, sha256: Option<&str>) -> MediaReference {
    MediaReference {
        media: MediaKind::Image,
        id: id.map(str::to_owned),
        url: url.map(str::to_owned),
        mime_type: None,
        sha256: sha256.map(str::to_owned),
        filename: None,
        caption: None,
        recorded: false,
    }
}

fn described(origin: &str, more: Value) -> Answer {
    let mut description = more;
    description["url"] = format!("{origin}/file").into();
    (200, "", description.to_string().into_bytes())
}

fn given() -> Answer {
    (200, "", BYTES.to_vec())
}

async fn fetched(client: &ChannelClient, file: &MediaReference) -> Result<Bytes, SendFailure> {
    media(client, &account(), file, 100).await
}

async fn refused(client: &ChannelClient, file: &MediaReference) -> FailureKind {
    fetched(client, file).await.unwrap_err().kind
}

#[tokio::test]
async fn a_file_lies_where_graph_says() {
    let hash = hex::encode(Sha256::digest(BYTES));
    let known = json!({ "sha256": hash, "file_size": BYTES.len() });
    let server = Server::start(|origin| vec![described(origin, known), given()]).await;
    let read = fetched(&server.client(), &picture(Some("55"), None, None)).await;
    assert_eq!(&read.unwrap()[..], BYTES);
    let asked = server.asked().await;
    assert_eq!(asked[0].line, "GET /v26.0/55 HTTP/1.1");
    assert_eq!(asked[1].line, "GET /file HTTP/1.1");
    let has_key = |headers: &str| headers.contains("authorization: bearer key");
    assert!(asked.iter().all(|asked| has_key(&asked.headers)));
    assert!(asked[1].headers.contains("user-agent: quipu"));
}

#[tokio::test]
async fn a_file_without_an_id_lies_at_its_address() {
    let server = Server::start(|_| vec![given()]).await;
    let address = format!("{}/file", server.origin);
    let read = fetched(&server.client(), &picture(None, Some(&address), None)).await;
    assert_eq!(&read.unwrap()[..], BYTES);
    let nowhere = refused(&server.client(), &picture(None, None, None)).await;
    assert_eq!(nowhere, FailureKind::Rejected);
}

#[tokio::test]
async fn the_key_is_not_sent_where_anybody_says() {
    let elsewhere = Server::start(|_| vec![given()]).await;
    let address = format!("{}/file", elsewhere.origin);
    let answer = json!({ "url": address });
    let server = Server::json(vec![(200, answer)]).await;
    let told = refused(&server.client(), &picture(Some("55"), None, None)).await;
    assert_eq!(told, FailureKind::Rejected);
    let given = refused(&server.client(), &picture(None, Some(&address), None)).await;
    assert_eq!(given, FailureKind::Rejected);
    assert!(elsewhere.was_left_alone());
}

#[tokio::test]
async fn a_file_that_is_too_large_is_not_read() {
    let known = json!({ "file_size": "101" });
    let server = Server::start(|origin| vec![described(origin, known)]).await;
    let announced = refused(&server.client(), &picture(Some("55"), None, None)).await;
    assert_eq!(announced, FailureKind::Rejected);
    let large = |origin: &str| vec![described(origin, json!({})), (200, "", vec![0; 101])];
    let server = Server::start(large).await;
    let arrived = refused(&server.client(), &picture(Some("55"), None, None)).await;
    assert_eq!(arrived, FailureKind::Rejected);
}

#[tokio::test]
async fn a_file_arrives_as_it_was_sent() {
    let other = hex::encode(Sha256::digest(b"another picture"));
    let known = json!({ "sha256": other });
    let server = Server::start(|origin| vec![described(origin, known), given()]).await;
    let told = refused(&server.client(), &picture(Some("55"), None, None)).await;
    assert_eq!(told, FailureKind::Transient);
    // Where Graph does not say, the delivery did.
    let server = Server::start(|origin| vec![described(origin, json!({})), given()]).await;
    let delivered = refused(&server.client(), &picture(Some("55"), None, Some(&other))).await;
    assert_eq!(delivered, FailureKind::Transient);
}

#[tokio::test]
async fn graph_says_why_there_is_no_file() {
    let expired = json!({ "error": { "code": 190 } });
    let gone = json!({ "error": { "code": 100 } });
    let server = Server::json(vec![(401, expired), (400, gone)]).await;
    let file = picture(Some("../900"), None, None);
    assert_eq!(refused(&server.client(), &file).await, FailureKind::Account);
    assert_eq!(
        refused(&server.client(), &file).await,
        FailureKind::Rejected
    );
    assert_eq!(server.asked().await[0].line, "GET /v26.0/..%2F900 HTTP/1.1");
    let server = Server::start(|origin| vec![described(origin, json!({})), (404, "", vec![])]);
    let server = server.await;
    assert_eq!(
        refused(&server.client(), &file).await,
        FailureKind::Rejected
    );
}

#[tokio::test]
async fn a_number_is_described() {
    let number = json!({
        "id": "700", "display_phone_number": "+52 55 0000 0000", "verified_name": "Clínica Sol",
        "quality_rating": "GREEN",
    });
    let apps = json!({ "data": [{ "whatsapp_business_api_data": { "id": "1" } }] });
    let none = json!({ "data": [] });
    let answers = vec![
        (200, number.clone()),
        (200, apps),
        (200, number.clone()),
        (200, none),
    ];
    let server = Server::json(answers).await;
    let client = server.client();
    let described = report(&client, &account()).await.unwrap();
    assert_eq!(described.name.as_deref(), Some("+52 55 0000 0000"));
    assert_eq!(described.quality.as_deref(), Some("GREEN"));
    assert_eq!(described.subscribed, Some(true));
    let described = report(&client, &account()).await.unwrap();
    assert_eq!(described.subscribed, Some(false));
    let asked = server.asked().await;
    let fields = "display_phone_number%2Cverified_name%2Cquality_rating";
    assert_eq!(
        asked[0].line,
        format!("GET /v26.0/700?fields={fields} HTTP/1.1")
    );
    assert_eq!(asked[1].line, "GET /v26.0/900/subscribed_apps HTTP/1.1");
    let server = Server::json(vec![(200, number)]).await;
    let mut alone = account();
    alone.parent_id = None;
    let described = report(&server.client(), &alone).await.unwrap();
    assert_eq!(described.subscribed, None);
}

fn template(name: &str) -> Value {
    json!({
        "id": "12", "name": name, "language": "es_MX", "status": "APPROVED",
        "category": "UTILITY",
        "components": [
            { "type": "HEADER", "format": "TEXT", "text": "Tu cita" },
            { "type": "BODY", "text": "Hola {{1}}, tu cita es {{2}}." },
            { "type": "BUTTONS", "buttons": [
                { "type": "QUICK_REPLY", "text": "Confirmo" },
                { "type": "URL", "text": "Ver", "url": "https://example.com" },
                { "type": "QUICK_REPLY", "text": "Cancelar" },
            ] },
        ],
    })
}

fn page(items: &Value, after: &str) -> (u16, Value) {
    let cursors = json!({ "before": "a", "after": after });
    (
        200,
        json!({ "data": items, "paging": { "cursors": cursors } }),
    )
}

#[tokio::test]
async fn templates_are_read_page_by_page() {
    let answers = vec![
        page(&json!([template("cita"), { "id": "13" }]), "b&c"),
        page(&json!([template("recordatorio")]), "d"),
        page(&json!([]), "e"),
    ];
    let server = Server::json(answers).await;
    let read = templates(&server.client(), &account()).await.unwrap();
    let names: Vec<_> = read.iter().map(|template| &*template.name).collect();
    assert_eq!(names, ["cita", "recordatorio"]);
    assert_eq!(read[0].body, "Hola {{1}}, tu cita es {{2}}.");
    assert_eq!(read[0].reply_buttons, 2);
    assert_eq!(
        (&*read[0].status, &*read[0].category),
        ("APPROVED", "UTILITY")
    );
    let asked = server.asked().await;
    let start = "GET /v26.0/900/message_templates?fields=id%2Cname%2Clanguage%2Cstatus\
                 %2Ccategory%2Ccomponents&limit=100";
    assert_eq!(asked[0].line, format!("{start} HTTP/1.1"));
    assert_eq!(asked[1].line, format!("{start}&after=b%26c HTTP/1.1"));
    assert_eq!(asked[2].line, format!("{start}&after=d HTTP/1.1"));
}

#[tokio::test]
async fn templates_without_end_are_read_for_ten_pages() {
    let one = json!([template("cita")]);
    let pages = (0..10).map(|number| page(&one, &number.to_string()));
    let server = Server::json(pages.collect()).await;
    let read = templates(&server.client(), &account()).await.unwrap();
    assert_eq!(read.len(), 10);
    let mut alone = account();
    alone.parent_id = None;
    let unknown = templates(&client("http://127.0.0.1:9"), &alone).await;
    assert_eq!(unknown.unwrap_err().kind, FailureKind::Rejected);
}
