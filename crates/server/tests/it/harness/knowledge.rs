use super::form::Field;
use super::{Client, Reply, eventually, id};
use reqwest::Method;
use serde_json::{Value, json};

pub(crate) const KBS: &str = "/api/v1/knowledge-bases";

/// Makes a knowledge base for the whole tenant.
pub(crate) async fn make_kb(client: &Client, name: &str) -> Value {
    client.post(KBS, json!({ "name": name })).await.ok(201)
}

/// Makes one for its maker alone.
pub(crate) async fn make_personal_kb(client: &Client, name: &str) -> Value {
    let body = json!({ "name": name, "scope": "personal" });
    client.post(KBS, body).await.ok(201)
}

pub(crate) fn kb_path(kb: &Value) -> String {
    format!("{KBS}/{}", id(kb))
}

pub(crate) fn documents_path(kb: &Value) -> String {
    format!("{KBS}/{}/documents", id(kb))
}

/// The path of a document, whether it comes from a listing or from the answer to an upload.
pub(crate) fn document_path(kb: &Value, document: &Value) -> String {
    let id = document["id"]
        .as_str()
        .or_else(|| document["document_id"].as_str())
        .unwrap();
    format!("{}/{id}", documents_path(kb))
}

pub(crate) async fn upload(client: &Client, kb: &Value, fields: &[Field<'_>]) -> Reply {
    client.form(Method::POST, &documents_path(kb), fields).await
}

/// Uploads one file without waiting for its processing.
pub(crate) async fn upload_file(client: &Client, kb: &Value, name: &str, bytes: &[u8]) -> Value {
    upload(client, kb, &[Field::file(name, bytes)])
        .await
        .ok(202)
}

/// Waits until the processing of a document has ended, well or not.
pub(crate) async fn settled(client: &Client, kb: &Value, document: &Value) -> Value {
    let path = document_path(kb, document);
    eventually("end of the processing", async || {
        let document = client.get(&path).await.ok(200);
        let status = document["status"].as_str().unwrap();
        matches!(status, "completed" | "failed").then_some(document)
    })
    .await
}

pub(crate) async fn ready(client: &Client, kb: &Value, document: &Value) -> Value {
    let document = settled(client, kb, document).await;
    assert_eq!(document["status"], "completed", "{document}");
    document
}

/// Uploads one file and waits until it can be searched.
pub(crate) async fn teach_file(client: &Client, kb: &Value, name: &str, bytes: &[u8]) -> Value {
    let uploaded = upload_file(client, kb, name, bytes).await;
    ready(client, kb, &uploaded).await
}

/// Adds a text and waits until it can be searched.
pub(crate) async fn teach_text(client: &Client, kb: &Value, title: &str, text: &str) -> Value {
    let path = format!("{}/text", documents_path(kb));
    let body = json!({ "title": title, "content": text });
    let added = client.post(&path, body).await.ok(202);
    ready(client, kb, &added).await
}

pub(crate) async fn assign(client: &Client, kb: &Value, agent: &str) -> Value {
    let path = format!("{}/assignments", kb_path(kb));
    client.post(&path, json!({ "agent": agent })).await.ok(200)
}

/// What a search in the knowledge base finds.
pub(crate) async fn found(client: &Client, kb: &Value, query: &str) -> Vec<Value> {
    let path = format!("{}/search", kb_path(kb));
    let body = json!({ "query": query, "similarity_threshold": 0.2 });
    let answer = client.post(&path, body).await.ok(200);
    answer["chunks"].as_array().unwrap().clone()
}
