//! What is deleted is gone from every store, and the receipt says exactly what that was.

use crate::harness::{
    Client, Field, KBS, TestApp, all_pages, ask, assign, document_path, documents_path, eventually,
    found, id, kb_path, make_agent, ready, teach_file, teach_text, upload, upload_file,
};
use quipu_testkit::db_test;
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const NOTE: &[u8] = b"El casillero de la entrada se abre con la llave azul.";
const TEXT: &str = "El toldo de la tienda se guarda en el deposito del fondo.";

/// What a receipt counts.
#[derive(Clone, Copy, Default)]
struct Counts {
    knowledge_bases: u64,
    assignments: u64,
    documents: u64,
    chunks: u64,
    texts: u64,
    tags: u64,
    files: u64,
    file_bytes: usize,
}

impl Counts {
    fn json(self) -> Value {
        json!({
            "rows": {
                "knowledge_bases": self.knowledge_bases,
                "assignments": self.assignments,
                "documents": self.documents,
                "chunks": self.chunks,
                "vectors": self.chunks,
                "texts": self.texts,
                "tags": self.tags,
                "leads": 0,
                "conversations": 0,
                "messages": 0,
                "attachments": 0,
                "appointments": 0,
                "orders": 0,
                "invoice_requests": 0,
                "redemptions": 0,
                "loyalty_transactions": 0,
                "tool_calls": 0,
                "kept_answers": 0,
                "turns": 0,
                "opinions": 0,
                "rehearsal_results": 0,
                "websites": 0,
                "website_pages": 0,
                "temperature_changes": 0,
                "lead_merges": 0,
                "rehearsal_scripts": 0,
                "channel_contacts": 0,
                "channel_messages": 0,
                "voice_calls": 0,
                "events": 0,
            },
            "files": self.files,
            "file_bytes": self.file_bytes,
            "index_entries": self.chunks,
        })
    }
}

#[track_caller]
fn check(receipt: &Value, target: &str, removed: Counts) {
    assert_eq!(receipt["target"], target, "{receipt}");
    assert_eq!(receipt["removed"], removed.json(), "{receipt}");
    assert_eq!(receipt["remaining"], Counts::default().json(), "{receipt}");
    assert_eq!(receipt["complete"], true, "{receipt}");
}

/// The receipt as the audit log has it.
async fn kept(client: &Client, target: &str) -> Value {
    let log = all_pages(client, "/api/v1/audit-log", 100).await;
    let mut receipts = log
        .iter()
        .filter(|entry| entry["action"] == "deletion.receipt" && entry["target"] == target);
    receipts.next().unwrap()["details"].clone()
}

fn chunks(documents: &[&Value]) -> u64 {
    let counts = documents.iter().map(|document| &document["chunks_count"]);
    counts.map(|count| count.as_u64().unwrap()).sum()
}

/// A knowledge base whose chunks have one vector each, for ever.
async fn plain_kb(client: &Client, name: &str) -> Value {
    let body = json!({ "name": name, "embedding_config": { "model": "quipu-es-en/static" } });
    client.post(KBS, body).await.ok(201)
}

/// Waits until the search engine knows everything: a search takes in what is new before it answers,
/// unless that takes too long for whoever asks.
async fn indexed(client: &Client, kb: &Value) {
    let path = format!("{}/search", kb_path(kb));
    eventually("a search in everything", async || {
        let answer = client
            .post(&path, json!({ "query": "precio" }))
            .await
            .ok(200);
        (answer["degraded"] == json!([])).then_some(())
    })
    .await;
}

async fn tagged_file(client: &Client, kb: &Value) -> Value {
    let fields = [
        Field::text("tags", "llaves,azul"),
        Field::file("nota.txt", NOTE),
    ];
    let uploaded = upload(client, kb, &fields).await.ok(202);
    ready(client, kb, &uploaded).await
}

/// A table with so many rows, each of which becomes a chunk.
fn table(rows: usize) -> String {
    let mut csv = "producto,precio\n".to_owned();
    for row in 0..rows {
        writeln!(csv, "Torta de lúcuma número {row},{} soles", row % 97).unwrap();
    }
    csv
}

db_test! {
    async fn one_document(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = plain_kb(&client, "Base").await;
        let file = tagged_file(&client, &kb).await;
        let text = teach_text(&client, &kb, "Toldo", TEXT).await;
        assert_eq!(app.kept_files().len(), 1);
        indexed(&client, &kb).await;

        let receipt = client.delete(&document_path(&kb, &file)).await.ok(200);
        let target = format!("document:{}", id(&file));
        let removed = Counts {
            documents: 1, chunks: chunks(&[&file]), texts: 1, tags: 2, files: 1, file_bytes: NOTE.len(),
            ..Counts::default()
        };
        check(&receipt, &target, removed);
        assert_eq!(kept(&client, &target).await, receipt);
        assert!(app.kept_files().is_empty());
        client.get(&document_path(&kb, &file)).await.refused(404, "NOT_FOUND");
        client.delete(&document_path(&kb, &file)).await.refused(404, "NOT_FOUND");
        for question in ["¿Con qué llave se abre el casillero?", "¿Dónde se guarda el toldo de la tienda?"] {
            let found = found(&client, &kb, question).await;
            assert_eq!(found.iter().map(|chunk| &chunk["document_id"]).collect::<Vec<_>>(), [&text["id"]]);
        }

        let receipt = client.delete(&document_path(&kb, &text)).await.ok(200);
        let removed = Counts { documents: 1, chunks: chunks(&[&text]), texts: 2, ..Counts::default() };
        check(&receipt, &format!("document:{}", id(&text)), removed);
    }

    async fn one_document_before_and_after_its_second_version(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = plain_kb(&client, "Base").await;
        // Deleted before anybody has read it.
        let file = upload_file(&client, &kb, "nota.txt", NOTE).await;
        let receipt = client.delete(&document_path(&kb, &file)).await.ok(200);
        let removed = Counts { documents: 1, files: 1, file_bytes: NOTE.len(), ..Counts::default() };
        check(&receipt, &format!("document:{}", file["document_id"].as_str().unwrap()), removed);
        let waiting = client.get("/api/v1/jobs?status=queued").await.ok(200);
        let waiting = waiting["data"].as_array().unwrap();
        assert!(waiting.iter().all(|job| job["kind"] == "remove_files"), "{waiting:?}");

        // Deleted while a second version waits beside the first.
        let file = upload_file(&client, &kb, "nota.txt", NOTE).await;
        let workers = app.start_some_workers();
        let first = ready(&client, &kb, &file).await;
        indexed(&client, &kb).await;
        workers.stop().await;
        let path = format!("{}/file", document_path(&kb, &file));
        let newer = b"El casillero se abre con la llave roja.";
        let fields = [Field::file("nota.txt", newer)];
        client.form(reqwest::Method::PUT, &path, &fields).await.ok(202);
        assert_eq!(app.kept_files().len(), 2);
        let receipt = client.delete(&document_path(&kb, &file)).await.ok(200);
        let removed = Counts {
            documents: 1, chunks: chunks(&[&first]), texts: 1, files: 2, file_bytes: NOTE.len() + newer.len(),
            ..Counts::default()
        };
        check(&receipt, &format!("document:{}", id(&first)), removed);
        assert!(app.kept_files().is_empty());
        app.start_workers();
        let again = teach_file(&client, &kb, "nota.txt", NOTE).await;
        assert_ne!(again["id"], first["id"]);
    }

    async fn many_documents(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = plain_kb(&client, "Base").await;
        let other = plain_kb(&client, "Otra").await;
        let file = tagged_file(&client, &kb).await;
        let text = teach_text(&client, &kb, "Toldo", TEXT).await;
        let stays = teach_file(&client, &kb, "horario.txt", b"Abrimos a las nueve.").await;
        let elsewhere = teach_file(&client, &other, "horario.txt", b"Cerramos a las seis.").await;
        indexed(&client, &kb).await;
        let path = format!("{}/delete", documents_path(&kb));
        let ids = json!({ "document_ids": [file["id"], text["id"], elsewhere["id"], uuid::Uuid::now_v7(), file["id"]] });
        let receipt = client.post(&path, ids.clone()).await.ok(200);
        let removed = Counts {
            documents: 2, chunks: chunks(&[&file, &text]), texts: 3, tags: 2, files: 1, file_bytes: NOTE.len(),
            ..Counts::default()
        };
        let target = receipt["target"].as_str().unwrap().to_owned();
        check(&receipt, &target, removed);
        assert!(target.contains(&id(&kb)), "{target}");
        assert_eq!(kept(&client, &target).await, receipt);
        client.get(&document_path(&kb, &stays)).await.ok(200);
        client.get(&document_path(&other, &elsewhere)).await.ok(200);
        assert_eq!(app.kept_files().len(), 2);
        // Nothing is left to delete, and that is no mistake.
        let receipt = client.post(&path, ids).await.ok(200);
        assert_eq!(receipt["removed"], Counts::default().json());
        for bad in [json!([]), json!(vec![uuid::Uuid::now_v7(); 1001])] {
            let reply = client.post(&path, json!({ "document_ids": bad })).await;
            reply.refused(422, "VALIDATION_FAILED");
        }
    }

    async fn a_knowledge_base(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        make_agent(&client, "Uno").await;
        make_agent(&client, "Dos").await;
        let kb = plain_kb(&client, "Base").await;
        let stays = plain_kb(&client, "Otra").await;
        teach_file(&client, &stays, "nota.txt", NOTE).await;
        let file = tagged_file(&client, &kb).await;
        let text = teach_text(&client, &kb, "Toldo", TEXT).await;
        assign(&client, &kb, "uno").await;
        assign(&client, &kb, "dos").await;
        let asked = "¿Dónde se guarda el toldo de la tienda?";
        assert_eq!(ask(&client, "uno", asked).await["grounded"], true);

        let receipt = client.delete(&kb_path(&kb)).await.ok(200);
        let target = format!("knowledge_base:{}", id(&kb));
        let removed = Counts {
            knowledge_bases: 1, assignments: 2, documents: 2, chunks: chunks(&[&file, &text]),
            texts: 3, tags: 2, files: 1, file_bytes: NOTE.len(),
        };
        check(&receipt, &target, removed);
        assert_eq!(kept(&client, &target).await, receipt);
        assert_eq!(ask(&client, "uno", asked).await["grounded"], false);
        assert_eq!(app.kept_files().len(), 1);
        assert_eq!(found(&client, &stays, "¿Con qué llave se abre el casillero?").await.len(), 1);
    }

    async fn an_agent_and_its_documents(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let agent = make_agent(&client, "Uno").await;
        let own = json!({ "id": agent["knowledge_base_id"] });
        let body = json!({ "embedding_config": { "model": "quipu-es-en/static" } });
        client.patch(&kb_path(&own), body).await.ok(200);
        let shared = plain_kb(&client, "Base").await;
        teach_file(&client, &shared, "otra.txt", b"Esto se queda.").await;
        assign(&client, &shared, "uno").await;
        let text = teach_text(&client, &own, "Toldo", TEXT).await;
        indexed(&client, &own).await;
        let path = format!("/api/v1/agents/uno/knowledge/{}", id(&text));
        let receipt = client.delete(&path).await.ok(200);
        let removed = Counts { documents: 1, chunks: chunks(&[&text]), texts: 2, ..Counts::default() };
        check(&receipt, &format!("document:{}", id(&text)), removed);

        let file = tagged_file(&client, &own).await;
        indexed(&client, &own).await;
        let receipt = client.delete("/api/v1/agents/uno").await.ok(200);
        let removed = Counts {
            knowledge_bases: 1, documents: 1, chunks: chunks(&[&file]), texts: 1, tags: 2, files: 1, file_bytes: NOTE.len(),
            ..Counts::default()
        };
        let target = format!("agent:{}", id(&agent));
        check(&receipt, &target, removed);
        assert_eq!(kept(&client, &target).await, receipt);
        client.get(&kb_path(&own)).await.refused(404, "NOT_FOUND");
        let left = client.get(&format!("{}/assignments", kb_path(&shared))).await.ok(200);
        assert_eq!(left, json!([]));
        assert_eq!(app.kept_files().len(), 1);
    }

    async fn a_tenant_with_thousands_of_chunks(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let neighbour = app.tenant("beta").await.admin.client;
        let theirs = plain_kb(&neighbour, "Base").await;
        teach_file(&neighbour, &theirs, "nota.txt", NOTE).await;
        make_agent(client, "Uno").await;
        let kb = plain_kb(client, "Base").await;
        assign(client, &kb, "uno").await;
        let csv = table(5000);
        let large = teach_file(client, &kb, "precios.csv", csv.as_bytes()).await;
        assert_eq!(large["chunks_count"], 5000);
        let file = tagged_file(client, &kb).await;
        indexed(client, &kb).await;
        let folder = app.originals().join(tenant.id.to_string());
        assert!(folder.exists());

        let root = app.super_admin().await;
        let path = format!("/api/v1/tenants/{}", tenant.id);
        let receipt = root.client.delete(&path).await.ok(200);
        let target = format!("tenant:{}", tenant.id);
        let removed = Counts {
            knowledge_bases: 2, assignments: 1, documents: 2, chunks: chunks(&[&large, &file]),
            texts: 2, tags: 2, files: 2, file_bytes: csv.len() + NOTE.len(),
        };
        check(&receipt, &target, removed);
        assert!(!folder.exists());
        assert_eq!(app.kept_files().len(), 1);
        let receipts = root.client.get("/api/v1/deletion-receipts").await.ok(200);
        let entry = &receipts["data"][0];
        assert_eq!((&entry["receipt"], &entry["actor"]), (&receipt, &json!(format!("user:{}", root.id))));
        assert!(entry["request_id"].is_string(), "{entry}");
        root.client.delete(&path).await.refused(404, "NOT_FOUND");
        neighbour.get("/api/v1/deletion-receipts").await.refused(403, "SUPER_ADMIN_ONLY");
        assert_eq!(found(&neighbour, &theirs, "¿Con qué llave se abre el casillero?").await.len(), 1);
    }

    async fn a_search_that_runs_meanwhile_does_not_bring_it_back(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = plain_kb(&client, "Base").await;
        let query = json!({ "query": "¿Cuánto cuesta la torta de lúcuma?", "similarity_threshold": 0.1, "top_k": 20 });
        let path = format!("{}/search", kb_path(&kb));
        let mut overlapped = 0;
        for round in 0..10 {
            // Enough to search that some searches outlast the deletion, on a fast machine too.
            let csv = format!("{}Torta de ronda {round},1 sol\n", table(2000));
            let document = teach_file(&client, &kb, "precios.csv", csv.as_bytes()).await;
            // Each searches again and again until the document is gone, so that some searches begin
            // before its end and end after it.
            let over = Arc::new(AtomicBool::new(false));
            let searches: Vec<_> = (0..12)
                .map(|_| {
                    let (client, path, query) = (client.clone(), path.clone(), query.clone());
                    let over = over.clone();
                    tokio::spawn(async move {
                        let mut made = Vec::new();
                        while !over.load(Ordering::SeqCst) {
                            let began = Instant::now();
                            let found = client.post(&path, query.clone()).await.ok(200);
                            let found = found["chunks"].as_array().unwrap().len();
                            made.push((began, Instant::now(), found));
                        }
                        made
                    })
                })
                .collect();
            tokio::time::sleep(Duration::from_millis(5 * round)).await;
            client.delete(&document_path(&kb, &document)).await.ok(200);
            let deleted = Instant::now();
            tokio::time::sleep(Duration::from_millis(300)).await;
            over.store(true, Ordering::SeqCst);
            for search in searches {
                for (began, ended, found) in search.await.unwrap() {
                    overlapped += usize::from(began < deleted && deleted < ended);
                    // An answer that was on its way already may be read a moment later.
                    let late = ended > deleted + Duration::from_millis(100);
                    assert!(!late || found == 0, "a search returned what was deleted");
                }
            }
            if overlapped >= 5 {
                break;
            }
        }
        assert!(overlapped > 0, "no search ran while something was deleted");
        assert!(found(&client, &kb, "torta de lúcuma").await.is_empty());
    }
}
