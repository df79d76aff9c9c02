//! Documents: listed, looked into, changed, processed again and followed.

use crate::harness::{
    Client, Field, TestApp, all_pages, document_path, documents_path, docx, eventually, found, id,
    kb_path, make_kb, ready, settled, teach_file, teach_text, upload_file,
};
use quipu_fetch::{FetchSettings, GuardedFetcher};
use quipu_testkit::{TestDatabase, db_test, sqlite_test};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

async fn kb(app: &TestApp) -> (Client, Value) {
    let client = app.tenant("acme").await.admin.client;
    let kb = make_kb(&client, "Base").await;
    (client, kb)
}

async fn add_text(client: &Client, kb: &Value, body: Value) -> Value {
    let path = format!("{}/text", documents_path(kb));
    client.post(&path, body).await.ok(202)
}

/// Some sentences that differ, long enough for several chunks.
fn long_text(subject: &str) -> String {
    let rule =
        |i| format!("La regla número {i} sobre {subject} dice que el plazo es de {i} días 🦙.");
    (1..=40).map(rule).collect::<Vec<_>>().join("\n")
}

db_test! {
    async fn lists_are_filtered_sorted_and_paged(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        let mut made = Vec::new();
        for (title, size, category, tag) in [
            ("Ñandú", 30, "aves", "uno"),
            ("beta", 10, "aves", "dos"),
            ("Alfa_100%", 20, "letras", "uno"),
        ] {
            app.clock.advance(Duration::from_secs(1));
            let content = format!("{title} {}", "x".repeat(size));
            let body = json!({ "title": title, "content": content, "category": category, "tags": [tag] });
            made.push(id(&add_text(&client, &kb, body).await));
        }
        app.clock.advance(Duration::from_secs(1));
        let file = upload_file(&client, &kb, "Carta.csv", b"a,b\n1,2\n").await;
        let file = file["document_id"].as_str().unwrap().to_owned();
        app.clock.advance(Duration::from_secs(1));
        let path = format!("{}/url", documents_path(&kb));
        let url = client.post(&path, json!({ "url": "https://example.com/precios" })).await.ok(202);
        let url = id(&url);
        client.patch(&format!("{}/{}", documents_path(&kb), made[1]), json!({ "enabled": false })).await.ok(200);

        let list = documents_path(&kb);
        let ids = async |query: &str| -> Vec<String> {
            let listed = client.get(&format!("{list}?{query}")).await.ok(200);
            listed["data"].as_array().unwrap().iter().map(id).collect()
        };
        let [nandu, beta, alfa] = made.try_into().unwrap();
        assert_eq!(ids("").await, [&url, &file, &alfa, &beta, &nandu].map(String::clone));
        assert_eq!(ids("sort=oldest").await, [&nandu, &beta, &alfa, &file, &url].map(String::clone));
        let largest = ids("sort=largest").await;
        assert_eq!((largest[0].as_str(), largest[4].as_str()), (&*nandu, &*url));
        let by_name = ids("sort=name").await;
        let place = |id: &String| by_name.iter().position(|other| other == id).unwrap();
        assert!(place(&alfa) < place(&beta) && place(&beta) < place(&file), "{by_name:?}");
        for (query, expected) in [
            ("source=file", vec![&file]),
            ("source=url", vec![&url]),
            ("file_type=csv", vec![&file]),
            ("file_type=pdf", vec![]),
            ("category=aves", vec![&beta, &nandu]),
            ("tag=UNO", vec![&alfa, &nandu]),
            ("tag=uno&category=aves", vec![&nandu]),
            ("enabled=false", vec![&beta]),
            ("status=pending&source=file", vec![&file]),
            ("status=failed", vec![]),
            ("q=carta", vec![&file]),
            ("q=BETA", vec![&beta]),
            ("q=100%25", vec![&alfa]),
            ("q=_", vec![&alfa]),
            ("q=%25", vec![&alfa]),
        ] {
            let expected: Vec<String> = expected.into_iter().cloned().collect();
            assert_eq!(ids(query).await, expected, "{query}");
        }
        for sort in ["newest", "oldest", "name", "largest"] {
            let whole = ids(&format!("sort={sort}")).await;
            let mut paged = Vec::new();
            let mut cursor = String::new();
            loop {
                let page = client.get(&format!("{list}?sort={sort}&limit=2{cursor}")).await.ok(200);
                paged.extend(page["data"].as_array().unwrap().iter().map(id));
                match page["next_cursor"].as_str() {
                    Some(next) => cursor = format!("&cursor={next}"),
                    None => break,
                }
            }
            assert_eq!(paged, whole, "{sort}");
        }
        for bad in ["sort=otro", "status=x", "file_type=exe", "enabled=si", "otro=1", "q=%00"] {
            client.get(&format!("{list}?{bad}")).await.refused(400, "INVALID_PARAMETER");
        }
        let long = "a".repeat(201);
        for bad in [format!("q={long}"), "q=".to_owned(), format!("tag={long}"), format!("category={long}")] {
            client.get(&format!("{list}?{bad}")).await.refused(422, "VALIDATION_FAILED");
        }
    }
}

sqlite_test! {
    async fn what_is_said_of_a_document_can_be_changed(db) {
        let app = TestApp::start(db).await;
        let (client, kb) = kb(&app).await;
        let document = teach_text(&client, &kb, "Horario", "Abrimos a las nueve en punto.").await;
        let path = document_path(&kb, &document);
        let change = json!({
            "title": "Horario nuevo", "author": "Rosa", "document_date": "2026-11-15",
            "category": "local", "tags": ["B", "a", "b"], "metadata": { "x": [1, null] },
        });
        let changed = client.patch(&path, change).await.ok(200);
        assert_eq!((&changed["title"], &changed["author"]), (&json!("Horario nuevo"), &json!("Rosa")));
        assert_eq!((&changed["tags"], &changed["metadata"]), (&json!(["a", "b"]), &json!({ "x": [1, null] })));
        assert_eq!(changed["document_date"], "2026-11-15");
        let changed = client.patch(&path, json!({ "author": null, "category": null, "tags": null, "metadata": null })).await.ok(200);
        assert_eq!((&changed["author"], &changed["category"]), (&Value::Null, &Value::Null));
        assert_eq!((&changed["tags"], &changed["metadata"]), (&json!([]), &json!({})));
        assert_eq!(changed["title"], "Horario nuevo");
        for bad in [
            json!({ "title": "" }),
            json!({ "document_date": "ayer" }),
            json!({ "document_date": "2026-02-30" }),
            json!({ "metadata": [] }),
            json!({ "tags": [""] }),
        ] {
            client.patch(&path, bad).await.refused(422, "VALIDATION_FAILED");
        }
        let asked = "¿A qué hora abren?";
        let names = found(&client, &kb, asked).await;
        assert_eq!(names[0]["document_name"], "Horario nuevo");
        client.patch(&path, json!({ "enabled": false })).await.ok(200);
        assert!(found(&client, &kb, asked).await.is_empty());
        client.patch(&path, json!({ "enabled": true })).await.ok(200);
        assert_eq!(found(&client, &kb, asked).await.len(), 1);
    }

    async fn the_list_leaves_as_a_file(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        for i in 0..205 {
            let title = if i == 0 { "=1+1, \"sumas\"".to_owned() } else { format!("Texto {i}") };
            app.clock.advance(Duration::from_millis(1));
            add_text(&client, &kb, json!({ "title": title, "content": format!("Texto número {i}."), "tags": ["a", "b"] })).await;
        }
        let path = format!("{}/export", documents_path(&kb));
        let csv = client.get(&path).await;
        csv.ok(200);
        assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
        assert!(csv.header("content-disposition").starts_with("attachment; filename=\"documentos.csv\""));
        let lines: Vec<&str> = csv.text.trim_end().split("\r\n").collect();
        assert_eq!(lines.len(), 206);
        assert!(lines[0].starts_with("id,title,filename,source"), "{}", lines[0]);
        assert!(lines[1].contains("\" =1+1, \"\"sumas\"\"\""), "{}", lines[1]);
        assert!(lines[2].contains(",Texto 1,") && lines[2].contains(",a b,"), "{}", lines[2]);

        let whole = client.get(&format!("{path}?format=json")).await;
        let exported = whole.ok(200);
        assert_eq!(whole.header("content-type"), "application/json");
        let exported: HashSet<String> = exported.as_array().unwrap().iter().map(id).collect();
        let listed = all_pages(&client, &documents_path(&kb), 200).await;
        assert_eq!(exported, listed.iter().map(id).collect());
        let one = client.get(&format!("{path}?format=json&q=Texto%20204")).await.ok(200);
        assert_eq!(one.as_array().unwrap().len(), 1);
        client.get(&format!("{path}?format=xml")).await.refused(400, "INVALID_PARAMETER");
    }

    async fn an_original_comes_back_as_it_was_sent(db) {
        let app = TestApp::start(db).await;
        let (client, kb) = kb(&app).await;
        let word = docx("Menú", &["Lomo saltado."]);
        let page = b"<html><body><script>alert(1)</script><p>Hola a todos.</p></body></html>";
        for (name, bytes, kind) in [
            ("Menú \"del día\".docx".replace('"', "'"), &*word, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            ("pagina.html".to_owned(), page, "text/html; charset=utf-8"),
        ] {
            let document = upload_file(&client, &kb, &name, bytes).await;
            let path = format!("{}/download", document_path(&kb, &document));
            let client = client.with("accept-encoding", "gzip, br");
            let response = client.request(Method::GET, &path).send().await.unwrap();
            let header = |name: &str| response.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
            assert_eq!(header("content-type"), kind);
            assert_eq!(header("content-length"), bytes.len().to_string());
            assert_eq!(header("content-encoding"), "");
            assert_eq!(header("x-content-type-options"), "nosniff");
            assert!(header("content-security-policy").starts_with("default-src 'none'"));
            let disposition = header("content-disposition");
            assert!(disposition.starts_with("attachment; "), "{disposition}");
            if name.contains('ú') {
                assert!(disposition.contains("filename*=UTF-8''Men%C3%BA%20"), "{disposition}");
            }
            assert_eq!(response.bytes().await.unwrap(), bytes);
        }
        let text = teach_text(&client, &kb, "Precios", "La limpieza cuesta 120 soles.").await;
        let reply = client.get(&format!("{}/download", document_path(&kb, &text))).await;
        assert_eq!((reply.status, &*reply.text), (200, "La limpieza cuesta 120 soles."));
        assert!(reply.header("content-disposition").contains("Precios.txt"));
    }

    async fn positions_of_chunks_lead_into_the_text(db) {
        let app = TestApp::start(db).await;
        let (client, kb) = kb(&app).await;
        let change = json!({ "chunking_config": { "chunk_size": 200, "chunk_overlap": 40, "min_chunk_size": 20, "max_chunk_size": 400 } });
        client.patch(&kb_path(&kb), change).await.ok(200);
        let long = long_text("envíos");
        let markdown = format!("# Envíos\n\n{}\n\n## Devoluciones\n\n{}", long_text("envíos"), long_text("devoluciones"));
        let table: String = (0..30).fold("producto,precio\n".to_owned(), |csv, i| csv + &format!("Torta {i},{i} soles\n"));
        let word = docx("Reglas", &["El plazo es de tres días.", "La garantía dura dos años. ñ 🦙"]);
        let mut documents = vec![teach_text(&client, &kb, "Reglas", &long).await];
        for (name, bytes) in [("reglas.md", markdown.as_bytes()), ("precios.csv", table.as_bytes()), ("reglas.docx", &word)] {
            documents.push(teach_file(&client, &kb, name, bytes).await);
        }
        for document in &documents {
            let path = document_path(&kb, document);
            let reply = client.get(&format!("{path}/text")).await;
            assert!(reply.header("content-type").starts_with("text/plain"));
            let text: Vec<char> = reply.text.chars().collect();
            let chunks = all_pages(&client, &format!("{path}/chunks"), 3).await;
            assert_eq!(chunks.len(), usize::try_from(document["chunks_count"].as_u64().unwrap()).unwrap());
            for (i, chunk) in chunks.iter().enumerate() {
                let at = |name: &str| usize::try_from(chunk[name].as_u64().unwrap()).unwrap();
                let meant: String = text[at("start_char")..at("end_char")].iter().collect();
                assert_eq!(chunk["content"], meant, "{}", document["filename"]);
                assert_eq!(chunk["chunk_index"], i);
                assert!(chunk["content_tokens"].as_u64().unwrap() > 0);

                let looked_at = client.get(&format!("{path}/chunks/{}", id(chunk))).await.ok(200);
                assert_eq!(&looked_at["chunk"], chunk);
                assert_eq!(looked_at["before"], i.checked_sub(1).map_or(Value::Null, |i| chunks[i].clone()));
                assert_eq!(looked_at["after"], chunks.get(i + 1).cloned().unwrap_or_default());
                let context = looked_at["context"].as_str().unwrap();
                assert!(context.contains(&meant), "{context}");
                assert!(reply.text.contains(context));
            }
        }
        let headings = client.get(&format!("{}/chunks?limit=200", document_path(&kb, &documents[1]))).await.ok(200);
        let headings = headings["data"].as_array().unwrap().iter().map(|chunk| chunk["headings"].to_string());
        assert!(headings.clone().any(|path| path == "[\"Envíos\",\"Devoluciones\"]"), "{:?}", headings.collect::<Vec<_>>());

        let path = format!("{}/chunks", document_path(&kb, &documents[0]));
        for bad in ["cursor=-1", "cursor=a", "cursor=", "cursor=9999999999"] {
            client.get(&format!("{path}?{bad}")).await.refused(400, "INVALID_CURSOR");
        }
        client.get(&format!("{path}?limit=201")).await.refused(422, "VALIDATION_FAILED");
        let beyond = client.get(&format!("{path}?cursor=999999999")).await.ok(200);
        assert_eq!(beyond["data"], json!([]));
        client.get(&format!("{path}/{}", uuid::Uuid::now_v7())).await.refused(404, "NOT_FOUND");
    }
}

db_test! {
    async fn processing_again_keeps_what_readers_see(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        let text = json!({ "title": "Wifi", "content": "La contraseña del wifi es jaguar-11." });
        let document = add_text(&client, &kb, text).await;
        let path = document_path(&kb, &document);
        client.get(&format!("{path}/text")).await.refused(404, "NOT_FOUND");
        client.poke(&format!("{path}/reprocess")).await.refused(409, "DOCUMENT_STATE");
        let workers = app.start_some_workers();
        ready(&client, &kb, &document).await;
        workers.stop().await;

        let asked = "¿Cuál es la contraseña del wifi?";
        let again = client.poke(&format!("{path}/reprocess")).await.ok(202);
        assert_eq!((&again["status"], &again["progress_percent"]), (&json!("pending"), &json!(0)));
        assert_eq!(found(&client, &kb, asked).await.len(), 1);
        client.poke(&format!("{path}/reprocess")).await.refused(409, "DOCUMENT_STATE");

        // Called off, it stays as it was before, and says so.
        let cancelled = client.poke(&format!("{path}/cancel")).await.ok(200);
        assert_eq!((&cancelled["status"], &cancelled["error_code"]), (&json!("failed"), &json!("CANCELLED")));
        client.poke(&format!("{path}/cancel")).await.refused(409, "DOCUMENT_STATE");
        assert_eq!(found(&client, &kb, asked).await.len(), 1);

        let bulk = format!("{}/reprocess", documents_path(&kb));
        let missing = uuid::Uuid::now_v7();
        let outcome = client.post(&bulk, json!({ "document_ids": [document["id"], missing] })).await.ok(202);
        assert_eq!(outcome["accepted"], json!([document["id"]]));
        assert_eq!(outcome["not_found"], json!([missing]));
        let outcome = client.post(&bulk, json!({ "document_ids": [document["id"]] })).await.ok(202);
        assert_eq!((&outcome["accepted"], &outcome["skipped"]), (&json!([]), &json!([document["id"]])));
        client.post(&bulk, json!({ "document_ids": [] })).await.refused(422, "VALIDATION_FAILED");
        app.start_workers();
        let done = ready(&client, &kb, &document).await;
        assert_eq!(done["error_code"], Value::Null);
        assert_eq!(found(&client, &kb, asked).await.len(), 1);
    }
}

sqlite_test! {
    async fn all_that_failed_are_processed_again_at_once(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        let mut failed = Vec::new();
        for i in 0..3 {
            let document = add_text(&client, &kb, json!({ "content": format!("Texto {i}.") })).await;
            if i > 0 {
                client.poke(&format!("{}/cancel", document_path(&kb, &document))).await.ok(200);
                failed.push(document["id"].clone());
            }
        }
        let outcome = client.post(&format!("{}/reprocess", documents_path(&kb)), json!({})).await.ok(202);
        let accepted = outcome["accepted"].as_array().unwrap();
        assert_eq!(accepted.len(), failed.len(), "{outcome}");
        assert!(failed.iter().all(|id| accepted.contains(id)), "{outcome}");
        assert_eq!(outcome["more"], false);
        app.start_workers();
        for document in all_pages(&client, &documents_path(&kb), 50).await {
            ready(&client, &kb, &document).await;
        }
    }
}

db_test! {
    async fn a_new_version_is_seen_when_it_is_complete(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        let text = add_text(&client, &kb, json!({ "title": "Nota", "content": "El wifi es jaguar-11." })).await;
        let file = upload_file(&client, &kb, "caja.txt", b"La caja es puma-22.").await;
        let other = upload_file(&client, &kb, "otro.txt", b"Otro texto cualquiera.").await;
        let workers = app.start_some_workers();
        for document in [&text, &file, &other] {
            ready(&client, &kb, document).await;
        }
        workers.stop().await;
        let (text, file) = (document_path(&kb, &text), document_path(&kb, &file));
        let seen = async || {
            let a = client.get(&format!("{text}/text")).await.text;
            let b = client.get(&format!("{file}/text")).await.text;
            let wifi = found(&client, &kb, "¿Cuál es el wifi?").await;
            let safe = found(&client, &kb, "¿Cuál es la caja?").await;
            format!("{a} {b} {} {}", wifi[0]["content"], safe[0]["content"])
        };
        let before = seen().await;
        assert_eq!(before.matches("jaguar-11").count() + before.matches("puma-22").count(), 4, "{before}");

        let path = format!("{text}/text");
        let replaced = client.put(&path, json!({ "content": "El wifi es lince-33." })).await.ok(202);
        assert_eq!((&replaced["status"], &replaced["title"]), (&json!("pending"), &json!("Nota")));
        let path = format!("{file}/file");
        let fields = [Field::file("caja-nueva.txt", b"La caja es tigre-44.")];
        let replaced = client.form(Method::PUT, &path, &fields).await.ok(202);
        assert_eq!(replaced["filename"], "caja-nueva.txt");
        assert_eq!(seen().await, before, "nothing is to be seen of it yet");

        for (fields, status, code) in [
            (vec![Field::file("a.txt", b"A."), Field::file("b.txt", b"B.")], 422, "VALIDATION_FAILED"),
            (vec![Field::text("title", "x"), Field::file("a.txt", b"A.")], 422, "VALIDATION_FAILED"),
            (vec![Field::file("a.txt", b"A."), Field::text("title", "x")], 422, "VALIDATION_FAILED"),
            (vec![], 400, "INVALID_MULTIPART"),
            (vec![Field::file("a.txt", b"")], 422, "DOCUMENT_EMPTY"),
            (vec![Field::file("a.txt", b"Otro texto cualquiera.")], 409, "DUPLICATE_DOCUMENT"),
        ] {
            client.form(Method::PUT, &path, &fields).await.refused(status, code);
        }
        // A text is no file, however large the file is that comes for it, and a file no text.
        let large = vec![b'a'; 3_000_000];
        let reply = client.form(Method::PUT, &format!("{text}/file"), &[Field::file("a.txt", &large)]).await;
        reply.refused(409, "DOCUMENT_STATE");
        client.put(&format!("{file}/text"), json!({ "content": "x" })).await.refused(409, "DOCUMENT_STATE");

        app.start_workers();
        eventually("the new version", async || {
            let now = seen().await;
            let new = now.matches("lince-33").count() + now.matches("tigre-44").count();
            (new == 4).then_some(())
        })
        .await;
        let download = client.get(&format!("{file}/download")).await;
        assert_eq!(download.text, "La caja es tigre-44.");
        assert!(download.header("content-disposition").contains("caja-nueva.txt"));
        // The old original is gone.
        eventually("the end of the old original", async || {
            let kept = app.kept_files();
            let old = kept.iter().filter(|path| path.to_string_lossy().contains("caja.txt"));
            (old.count() == 0).then_some(())
        })
        .await;
        assert_eq!(app.kept_files().len(), 2);
    }
}

sqlite_test! {
    async fn a_page_is_read_only_where_everybody_could_read_it(db) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(serve_page(listener));
        let url = format!("http://127.0.0.1:{port}/horario");

        let app = TestApp::start(db).await;
        let (client, kb) = kb(&app).await;
        let path = format!("{}/url", documents_path(&kb));
        let added = client.post(&path, json!({ "url": url })).await.ok(202);
        assert_eq!((&added["source"], &added["source_url"]), (&json!("url"), &json!(url)));
        let failed = settled(&client, &kb, &added).await;
        assert_eq!((&failed["status"], &failed["error_code"]), (&json!("failed"), &json!("URL_NOT_ALLOWED")));
        let reply = client.post(&path, json!({ "url": url })).await;
        let error = reply.refused(409, "DUPLICATE_DOCUMENT");
        assert_eq!(error["details"]["document_id"], added["id"]);
        for bad in ["ftp://example.com", "javascript:alert(1)", "example.com", " "] {
            client.post(&path, json!({ "url": bad })).await.refused(422, "VALIDATION_FAILED");
        }

        let allowed = TestApp::start_with(TestDatabase::sqlite(), |options| {
            options.fetcher = Some(Arc::new(GuardedFetcher::new(FetchSettings {
                allow_networks: vec!["127.0.0.0/8".parse().unwrap()],
                allow_ports: vec![port],
                ..FetchSettings::default()
            })));
        })
        .await;
        let (client, kb) = self::kb(&allowed).await;
        let path = format!("{}/url", documents_path(&kb));
        let added = client.post(&path, json!({ "url": url })).await.ok(202);
        let done = ready(&client, &kb, &added).await;
        assert_eq!((&done["title"], &done["file_type"]), (&json!("Horario"), &json!("html")));
        let question = "¿A qué hora abre la farmacia?";
        let best = found(&client, &kb, question).await[0].clone();
        assert!(best["content"].as_str().unwrap().contains("siete"), "{best}");
        assert_eq!(best["source_url"], url);
        let silent = json!({ "chunking_config": { "include_source_url": false } });
        client.patch(&kb_path(&kb), silent).await.ok(200);
        assert_eq!(found(&client, &kb, question).await[0]["source_url"], Value::Null);
    }
}

db_test! {
    async fn events_tell_the_way_of_a_document(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        let mut events = Events::open(&client, &kb, None).await;
        let long = long_text("envíos");
        let document = add_text(&client, &kb, json!({ "content": long })).await;
        let first = events.next().await.unwrap();
        assert_eq!((&first["document_id"], &first["status"]), (&document["id"], &json!("pending")));
        // Time has to pass for the times of two changes to differ.
        let clock = app.clock.clone();
        let ticking = tokio::spawn(async move {
            loop {
                clock.advance(Duration::from_millis(10));
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
        app.start_workers();
        let mut percent = 0;
        let last = loop {
            let status = events.next().await.unwrap();
            let now = status["progress_percent"].as_i64().unwrap();
            assert!(now >= percent, "{status}");
            percent = now;
            if status["status"] == "completed" {
                break status;
            }
        };
        assert_eq!(percent, 100);
        let path = document_path(&kb, &document);
        assert_eq!(client.get(&format!("{path}/status")).await.ok(200), last);
        assert_eq!(last["chunks_created"], client.get(&path).await.ok(200)["chunks_count"]);

        // Another one goes on where this one was left.
        let left = events.last_id.clone();
        drop(events);
        let failed = upload_file(&client, &kb, "roto.docx", b"PK\x03\x04 word/document y nada").await;
        settled(&client, &kb, &failed).await;
        let mut events = Events::open(&client, &kb, Some(&left)).await;
        let told = loop {
            let status = events.next().await.unwrap();
            if status["document_id"] == failed["document_id"] && status["status"] == "failed" {
                break status;
            }
        };
        assert!(told["error_code"].is_string() && told["error_message"].is_string(), "{told}");

        // It ends with what it is about.
        client.delete(&kb_path(&kb)).await.ok(200);
        assert!(events.end().await);
        ticking.abort();
    }
}

sqlite_test! {
    async fn events_end_when_they_have_to(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        let tenant = client.get("/api/v1/tenant").await.ok(200);
        let path = format!("{}/events", kb_path(&kb));
        for bad in ["seconds=0", "seconds=301"] {
            client.get(&format!("{path}?{bad}")).await.refused(422, "VALIDATION_FAILED");
        }
        client.with("last-event-id", "ayer").get(&path).await.refused(400, "INVALID_HEADER");
        for harmless in ["-009999-01-02T01:59:59Z", "9999-12-30T22:00:00Z"] {
            client.with("last-event-id", harmless).get(&format!("{path}?seconds=1")).await.ok(200);
        }
        let stayed = std::time::Instant::now();
        let reply = client.get(&format!("{path}?seconds=1")).await;
        assert_eq!(reply.header("content-type"), "text/event-stream");
        assert!(stayed.elapsed() < Duration::from_secs(10));

        // A right that is taken away is noticed while somebody listens.
        let scope = quipu_core::tenancy::TenantScope::of(tenant["id"].as_str().unwrap().parse().unwrap());
        let person = app.person("eva@prueba.test").await;
        app.join(scope.tenant_id(), person.id, quipu_core::access::Role::Member).await;
        let mut events = Events::open(&person.client, &kb, None).await;
        client.delete(&format!("/api/v1/members/{}", person.id)).await.ok(204);
        assert!(events.end().await);

        // A server that stops does not wait for those who listen.
        let mut events = Events::open(&client, &kb, None).await;
        let stopping = std::time::Instant::now();
        app.stop.cancel();
        assert!(events.end().await);
        assert!(stopping.elapsed() < Duration::from_secs(5));
    }
}

/// A stream of events that is being read.
struct Events {
    response: Response,
    text: String,
    last_id: String,
}

impl Events {
    async fn open(client: &Client, kb: &Value, after: Option<&str>) -> Self {
        let mut client = client.clone();
        if let Some(after) = after {
            client = client.with("last-event-id", after);
        }
        let path = format!("{}/events", kb_path(kb));
        let client = client.with("accept-encoding", "gzip");
        let response = client.request(Method::GET, &path).send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert!(!response.headers().contains_key("content-encoding"));
        Self {
            response,
            text: String::new(),
            last_id: String::new(),
        }
    }

    /// The next event, or nothing when the stream has ended.
    async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let line = block.lines().find_map(|line| line.strip_prefix(name));
                    line.map(|value| value.trim().to_owned())
                };
                let (data, id) = (field("data:"), field("id:"));
                if let Some(data) = data {
                    assert_eq!(field("event:").as_deref(), Some("document"));
                    self.last_id = id.unwrap();
                    let value: Value = serde_json::from_str(&data).unwrap();
                    assert_eq!(value["updated_at"], self.last_id);
                    self.text = rest.to_owned();
                    return Some(value);
                }
                self.text = rest.to_owned();
                continue;
            }
            let piece = tokio::time::timeout(Duration::from_secs(30), self.response.chunk());
            match piece.await.expect("an event or the end") {
                Ok(Some(piece)) => self.text.push_str(std::str::from_utf8(&piece).unwrap()),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Whether the stream ends, whatever it still tells.
    async fn end(&mut self) -> bool {
        tokio::time::timeout(Duration::from_secs(30), async {
            while self.next().await.is_some() {}
        })
        .await
        .is_ok()
    }
}

/// Serves one page to whoever asks.
async fn serve_page(listener: TcpListener) {
    let page = "<!doctype html><html lang=\"es\"><head><title>Horario</title></head><body><main>\
                <h1>Horario</h1><p>La farmacia abre a las siete de la mañana.</p></main></body></html>";
    loop {
        let Ok((mut stream, _)) = listener.accept().await else {
            return;
        };
        let mut head = [0; 4096];
        drop(stream.read(&mut head).await);
        let answer = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\n\
             connection: close\r\n\r\n{page}",
            page.len()
        );
        drop(stream.write_all(answer.as_bytes()).await);
    }
}
