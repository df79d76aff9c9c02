//! The documents that an agent reads.

use super::error::invalid_params;
use super::methods::{Listing, Turn, only_page, parameters};
use quipu_app::agent_documents;
use quipu_core::knowledge::Document;
use quipu_core::{DocumentId, Error, ErrorCode, KnowledgeBaseId, Result};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// How many documents a page lists.
const PAGE: u64 = 100;
/// How much of a document is read out. Whoever needs more searches.
const MOST_CHARS: usize = 500_000;
/// How long a cursor of ours is at most: two ids and a dot.
const LONGEST_CURSOR: usize = 80;
const BASES: &str = "quipu://knowledge-bases/";
const DOCUMENTS: &str = "/documents/";

pub(super) async fn list(turn: &Turn<'_>, params: Option<&Value>) -> Result<Value> {
    let asked: Listing = parameters(params)?;
    let cursor = asked.cursor.as_deref();
    if cursor.is_some_and(|cursor| cursor.len() > LONGEST_CURSOR) {
        return Err(Error::new(ErrorCode::InvalidCursor));
    }
    let (app, agent) = (&turn.state.app, turn.agent_id());
    let found = agent_documents::list(
        app,
        turn.actor,
        &agent,
        turn.customer.is_named(),
        PAGE,
        cursor,
    )
    .await?;
    let told: Vec<Value> = found.data.iter().map(describe).collect();
    let mut listed = Map::from_iter([("resources".to_owned(), json!(told))]);
    if let Some(next) = found.next_cursor {
        listed.insert("nextCursor".to_owned(), json!(next));
    }
    Ok(Value::Object(listed))
}

fn describe(document: &Document) -> Value {
    let id = document.id.to_string();
    let title = document.title.as_deref();
    let name = title.or(document.filename.as_deref()).unwrap_or(&id);
    json!({
        "uri": write(document.knowledge_base_id, document.id),
        "name": name,
        "title": name,
        "description": document.preview,
        // Whatever the file was, its text is what is read out.
        "mimeType": "text/plain",
        "annotations": { "lastModified": document.updated_at },
    })
}

/// Resources have no names that a client could make up.
pub(super) fn templates(params: Option<&Value>) -> Result<Value> {
    only_page(params)?;
    Ok(json!({ "resourceTemplates": [] }))
}

#[derive(Deserialize)]
struct Reading {
    uri: String,
}

pub(super) async fn read(turn: &Turn<'_>, params: Option<&Value>) -> Result<Value> {
    let asked: Reading = parameters(params)?;
    let Some((kb, document)) = parse(&asked.uri) else {
        let (es, en) = ("uri no es de un documento", "uri is not that of a document");
        return Err(invalid_params(es.to_owned(), en.to_owned()));
    };
    let (app, agent) = (&turn.state.app, turn.agent_id());
    let read = agent_documents::text(
        app,
        turn.actor,
        &agent,
        turn.customer.is_named(),
        kb,
        document,
        MOST_CHARS,
    )
    .await?;
    let mut content = json!({
        "uri": write(kb, document),
        "mimeType": "text/plain",
        "text": read.text,
    });
    if read.truncated {
        content["_meta"] = json!({ "quipu/truncated": true });
    }
    Ok(json!({ "contents": [content] }))
}

pub(super) fn write(kb: KnowledgeBaseId, document: DocumentId) -> String {
    format!("{BASES}{kb}{DOCUMENTS}{document}")
}

pub(super) fn parse(uri: &str) -> Option<(KnowledgeBaseId, DocumentId)> {
    let (kb, document) = uri.strip_prefix(BASES)?.split_once(DOCUMENTS)?;
    Some((kb.parse().ok()?, document.parse().ok()?))
}
