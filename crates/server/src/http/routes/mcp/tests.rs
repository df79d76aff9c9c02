use super::annotations::{self, CHANGES};
use super::message::{Body, MOST_MESSAGES, read};
use super::protocol::Version;
use super::resources;
use axum::http::HeaderMap;
use quipu_agents::tool::{self, Access};
use quipu_core::ErrorCode;
use serde_json::json;
use std::collections::BTreeSet;
use uuid::Uuid;

#[test]
fn every_tool_that_changes_something_is_described() {
    let writing = tool::ALL.iter().filter(|tool| tool.access == Access::Write);
    let writing: BTreeSet<&str> = writing.map(|tool| tool.name).collect();
    let described: BTreeSet<&str> = CHANGES.iter().map(|change| change.tool).collect();
    assert_eq!(writing, described);
    assert_eq!(CHANGES.len(), described.len(), "one is described twice");
    assert_eq!(
        annotations::of("cancel_order", false)["destructiveHint"],
        true
    );
    assert_eq!(
        annotations::of("create_order", false)["destructiveHint"],
        false
    );
    assert_eq!(annotations::of("get_menu", true)["readOnlyHint"], true);
    assert_eq!(
        annotations::of("never_heard_of", false)["destructiveHint"],
        true
    );
}

#[test]
fn what_is_no_message_is_not_read() {
    for right in [
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":"a","method":"ping","params":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{}}"#,
    ] {
        assert!(
            matches!(read(right.as_bytes()), Ok(Body::One(_))),
            "{right}"
        );
    }
    let long = "x".repeat(201);
    for wrong in [
        "",
        "null",
        "[]",
        "{",
        r#"{"id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":""}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","tenant":"x"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
        r#"{"jsonrpc":"2.0","result":{}}"#,
        &json!({ "jsonrpc": "2.0", "id": long, "method": "ping" }).to_string(),
        &json!({ "jsonrpc": "2.0", "id": 1, "method": long }).to_string(),
    ] {
        let error = read(wrong.as_bytes()).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidJson, "{wrong}");
    }
}

#[test]
fn a_batch_holds_only_so_many() {
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let most = json!(vec![ping.clone(); MOST_MESSAGES]).to_string();
    let more = json!(vec![ping; MOST_MESSAGES + 1]).to_string();
    assert!(matches!(read(most.as_bytes()), Ok(Body::Batch(_))));
    let error = read(more.as_bytes()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::TooManyItems);
}

#[test]
fn the_version_is_read_from_the_header() {
    let mut headers = HeaderMap::new();
    assert!(Version::of(&headers).unwrap().has_batches());
    for version in Version::ALL {
        headers.insert("mcp-protocol-version", version.as_str().parse().unwrap());
        assert_eq!(Version::of(&headers).unwrap(), version);
    }
    headers.insert("mcp-protocol-version", "2024-11-05".parse().unwrap());
    let error = Version::of(&headers).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidHeader);
}

#[test]
fn the_name_of_a_document_is_read_as_it_is_written() {
    let (kb, document) = (Uuid::now_v7().to_string(), Uuid::now_v7().to_string());
    let uri = resources::write(kb.parse().unwrap(), document.parse().unwrap());
    let read = resources::parse(&uri).unwrap();
    assert_eq!((read.0.to_string(), read.1.to_string()), (kb, document));
    for wrong in [
        "",
        "file:///etc/passwd",
        "quipu://knowledge-bases/x/documents/y",
        &uri[1..],
    ] {
        assert!(resources::parse(wrong).is_none(), "{wrong}");
    }
}
