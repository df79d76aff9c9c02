//! Files on their way in: what is taken, what is refused, and how.

use crate::harness::{
    Client, Field, Reply, TestApp, document_path, documents_path, docx, found, kb_path, make_kb,
    png, ready, settled, teach_file, upload, upload_file, written,
};
use futures::{StreamExt, stream};
use quipu_testkit::{TestDatabase, db_test, sqlite_test};
use reqwest::{Body, Method};
use serde_json::{Value, json};
use std::time::Duration;

const MB: usize = 1024 * 1024;

/// A small file of each kind, and a question that only it answers.
fn files() -> Vec<(&'static str, &'static str, Vec<u8>, &'static str)> {
    vec![
        ("horario.txt", "txt", "Abrimos la panadería a las seis de la mañana.".into(), "¿A qué hora abren la panadería?"),
        ("envios.md", "md", "# Envíos\n\nEl envío a Cusco tarda cuatro días hábiles.\n".into(), "¿Cuánto tarda el envío a Cusco?"),
        ("precios.csv", "csv", "producto,precio\nTorta de lúcuma,85 soles\nPionono,40 soles\n".into(), "¿Cuánto cuesta la torta de lúcuma?"),
        ("datos.json", "json", json!({ "sucursal": { "telefono de Arequipa": "054-223311" } }).to_string().into(), "¿Cuál es el telefono de Arequipa?"),
        ("garantia.html", "html", "<!doctype html><html><head><title>Garantía</title></head><body><nav>Inicio</nav><main><p>La garantía de los hornos dura dos años.</p></main></body></html>".into(), "¿Cuánto dura la garantía de los hornos?"),
        ("talleres.docx", "docx", docx("Talleres", &["El taller de chocolate se dicta los sábados en Barranco."]), "¿Cuándo se dicta el taller de chocolate?"),
    ]
}

async fn kb(app: &TestApp) -> (Client, Value) {
    let client = app.tenant("acme").await.admin.client;
    let kb = make_kb(&client, "Base").await;
    (client, kb)
}

async fn count(client: &Client, kb: &Value) -> usize {
    let listed = client.get(&documents_path(kb)).await.ok(200);
    listed["data"].as_array().unwrap().len()
}

db_test! {
    async fn several_files_come_in_one_form_and_can_be_searched(db) {
        let app = TestApp::start(db).await;
        let (client, kb) = kb(&app).await;
        let files = files();
        let fields: Vec<Field<'_>> = files
            .iter()
            .map(|(name, _, bytes, _)| Field::file(name, bytes))
            .collect();
        let answer = upload(&client, &kb, &fields).await.ok(202);
        assert_eq!(answer["refused"], json!([]), "{answer}");
        let documents = answer["documents"].as_array().unwrap();
        assert_eq!(documents.len(), files.len());
        // The first file is also told where programs that send one look for it.
        for (name, value) in documents[0].as_object().unwrap() {
            assert_eq!(&answer[name], value, "{name}");
        }
        for (document, (name, kind, bytes, question)) in documents.iter().zip(&files) {
            assert_eq!(document["filename"], *name);
            assert_eq!((&document["file_type"], &document["size_bytes"]), (&json!(kind), &json!(bytes.len())));
            assert_eq!(document["status"], "pending");
            assert!(document["estimated_processing_time_seconds"].as_u64().unwrap() >= 1);
            let done = ready(&client, &kb, document).await;
            assert!(done["chunks_count"].as_i64().unwrap() >= 1, "{done}");
            assert_eq!((&done["source"], &done["progress_percent"]), (&json!("file"), &json!(100)));
            let found = found(&client, &kb, question).await;
            assert_eq!(found[0]["document_id"], document["document_id"], "{question}: {found:?}");
        }
        let stats = client.get(&format!("{}/stats", kb_path(&kb))).await.ok(200);
        assert_eq!((&stats["documents"], &stats["documents_pending"]), (&json!(files.len()), &json!(0)));
        assert!(stats["tokens_used"].as_u64().unwrap() > 0, "{stats}");
    }
}

sqlite_test! {
    async fn a_file_is_what_is_in_it(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        let word = docx("Carta", &["Estimados señores."]);
        for (name, bytes, kind) in [
            ("carta.pdf", &*word, "docx"),
            ("carta", b"Un texto sin nombre de archivo.", "txt"),
            ("nota.txt", b"%PDF-1.7\nno es texto", "pdf"),
        ] {
            let answer = upload_file(&client, &kb, name, bytes).await;
            assert_eq!(answer["file_type"], kind, "{name}: {answer}");
        }
        for (name, bytes) in [("foto.pdf", png()), ("foto.docx", png()), ("programa.txt", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0".to_vec())] {
            let reply = upload(&client, &kb, &[Field::file(name, &bytes)]).await;
            let error = reply.refused(415, "FORMAT_NOT_SUPPORTED");
            assert_eq!(error["details"]["filename"], name);
        }
        assert_eq!(count(&client, &kb).await, 3);
        assert_eq!(app.kept_files().len(), 3, "what was refused is not kept");
    }

    async fn each_file_stands_for_itself(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        let image = png();
        let fields = [
            Field::file("vacio.txt", b""),
            Field::file("uno.txt", b"Uno."),
            Field::file("foto.png", &image),
            Field::file("dos.txt", b"Dos."),
            Field::file("otra-vez.txt", b"Uno."),
        ];
        let spanish = upload(&client, &kb, &fields).await.ok(202);
        let names: Vec<&Value> = spanish["documents"].as_array().unwrap().iter().map(|d| &d["filename"]).collect();
        assert_eq!(names, [&json!("uno.txt"), &json!("dos.txt")]);
        let told = |answer: &Value| -> Vec<(String, String)> {
            answer["refused"].as_array().unwrap().iter().map(|refused| {
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                (text(&refused["filename"]), text(&refused["error"]["code"]))
            }).collect()
        };
        let expected = [
            ("vacio.txt", "DOCUMENT_EMPTY"),
            ("foto.png", "FORMAT_NOT_SUPPORTED"),
            ("otra-vez.txt", "DUPLICATE_DOCUMENT"),
        ].map(|(name, code)| (name.to_owned(), code.to_owned()));
        assert_eq!(told(&spanish), expected);
        let twin = &spanish["refused"][2]["error"];
        assert_eq!(twin["details"]["document_id"], spanish["document_id"]);
        assert!(twin["message"].as_str().unwrap().starts_with("Ese contenido"), "{twin}");

        // When nothing is taken, the first refusal is the answer.
        let english = client.with("accept-language", "en");
        let error = upload(&english, &kb, &fields[..1]).await.refused(422, "DOCUMENT_EMPTY");
        assert_eq!(error["message"], "The file vacio.txt is empty.");
        let error = upload(&client, &kb, &fields[1..3]).await.refused(409, "DUPLICATE_DOCUMENT");
        assert_eq!(error["details"]["document_id"], spanish["document_id"]);
        assert_eq!(app.kept_files().len(), 2);
    }
}

db_test! {
    async fn the_same_content_is_there_once_until_it_is_deleted(db) {
        let app = TestApp::start(db).await;
        let (client, kb) = kb(&app).await;
        let first = teach_file(&client, &kb, "a.txt", b"El mismo texto de siempre.").await;
        for name in ["a.txt", "b.txt"] {
            let reply = upload(&client, &kb, &[Field::file(name, b"El mismo texto de siempre.")]).await;
            let error = reply.refused(409, "DUPLICATE_DOCUMENT");
            assert_eq!(error["details"]["document_id"], first["id"]);
        }
        let other = make_kb(&client, "Otra").await;
        teach_file(&client, &other, "a.txt", b"El mismo texto de siempre.").await;
        client.delete(&document_path(&kb, &first)).await.ok(200);
        let again = teach_file(&client, &kb, "a.txt", b"El mismo texto de siempre.").await;
        assert_ne!(again["id"], first["id"]);
        assert_eq!(found(&client, &kb, "¿Cuál es el mismo texto de siempre?").await.len(), 1);
    }

    async fn ten_at_once_are_one_document(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        let fields = [Field::file("a.txt", b"Un texto muy solicitado.")];
        let replies = futures::future::join_all((0..10).map(|_| upload(&client, &kb, &fields))).await;
        let taken = replies.iter().filter(|reply| reply.status == 202).count();
        assert_eq!(taken, 1, "{replies:?}");
        for reply in replies.iter().filter(|reply| reply.status != 202) {
            assert_eq!(reply.status, 409, "{}", reply.text);
        }
        assert_eq!((count(&client, &kb).await, app.kept_files().len()), (1, 1));
    }
}

sqlite_test! {
    async fn what_is_said_of_the_files_stays_with_them(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        let metadata = json!({ "autor": "Rosa", "año": 2026 }).to_string();
        let fields = [
            Field::text("title", "Carta de verano"),
            Field::text("category", "cartas"),
            Field::text("tags", "Verano, precios,,verano"),
            Field::text("tags", "lima"),
            Field::text("metadata", &metadata),
            Field::file("carta.txt", b"Ceviche, 35 soles."),
            Field::text("title", ""),
            Field { name: "adjunto", filename: Some("otra.txt"), value: b"Causa, 20 soles." },
        ];
        let answer = upload(&client, &kb, &fields).await.ok(202);
        let documents = answer["documents"].as_array().unwrap();
        assert_eq!(documents.len(), 2, "{answer}");
        let first = client.get(&document_path(&kb, &documents[0])).await.ok(200);
        assert_eq!((&first["title"], &first["category"]), (&json!("Carta de verano"), &json!("cartas")));
        assert_eq!(first["tags"], json!(["lima", "precios", "verano"]));
        assert_eq!(first["metadata"]["autor"], "Rosa");
        let second = client.get(&document_path(&kb, &documents[1])).await.ok(200);
        assert_eq!((&second["title"], &second["category"]), (&Value::Null, &json!("cartas")));

        let long = "a".repeat(256);
        let many = vec!["x"; 100].iter().enumerate().map(|(i, x)| format!("{x}{i}")).collect::<Vec<_>>().join(",");
        for (name, value) in [
            ("metadata", "[1]"),
            ("metadata", "{"),
            ("metadata", "{\"a\":\"\\u0000\"}"),
            ("titulo", "Carta"),
            ("title", &long),
            ("title", "a\u{7}b"),
            ("tags", &many),
        ] {
            let fields = [Field::text(name, value), Field::file("mal.txt", b"Nunca.")];
            let error = upload(&client, &kb, &fields).await.refused(422, "VALIDATION_FAILED");
            assert_eq!(error["details"]["fields"][0]["field"], name, "{value}: {error}");
        }
        assert_eq!(count(&client, &kb).await, 2);
    }

    async fn what_is_no_form_with_a_file_is_refused(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        let path = documents_path(&kb);
        let send = async |kind: &str, body: Vec<u8>| {
            let request = client.request(Method::POST, &path).header("content-type", kind);
            Reply::of(request.body(body)).await
        };
        let (kind, whole) = written(&[Field::file("a.txt", b"Un texto.")]);
        for cut in [0, 1, 20, 60, whole.len() - 30, whole.len() - 10] {
            send(&kind, whole[..cut].to_vec()).await.refused(400, "INVALID_MULTIPART");
        }
        for kind in ["application/json", "multipart/form-data", "text/plain"] {
            send(kind, whole.clone()).await.refused(400, "INVALID_MULTIPART");
        }
        let (kind, no_file) = written(&[Field::text("title", "Nada")]);
        send(&kind, no_file).await.refused(400, "INVALID_MULTIPART");
        let (kind, nothing) = written(&[]);
        send(&kind, nothing).await.refused(400, "INVALID_MULTIPART");
        // A head that does not end is not waited for.
        let mut endless = format!("--{}\r\n", kind.split('=').nth(1).unwrap()).into_bytes();
        endless.resize(3 * MB, b'a');
        send(&kind, endless).await.refused(400, "INVALID_MULTIPART");
        assert_eq!((count(&client, &kb).await, app.kept_files().len()), (0, 0));
        // A file before the cut is there; it was whole.
        let (kind, two) = written(&[Field::file("a.txt", b"Uno."), Field::file("b.txt", b"Dos.")]);
        let answer = send(&kind, two[..two.len() - 60].to_vec()).await.ok(202);
        assert_eq!(answer["filename"], "a.txt");
        assert_eq!(answer["refused"][0]["error"]["code"], "INVALID_MULTIPART", "{answer}");
        assert_eq!((count(&client, &kb).await, app.kept_files().len()), (1, 1));
    }

    async fn sizes_and_numbers_are_bounded(db) {
        let app = TestApp::start_with(db, |options| {
            options.workers = false;
            options.config.uploads.max_request_bytes = 12 * MB as u64;
            options.config.uploads.max_files = 2;
        })
        .await;
        let (client, kb) = kb(&app).await;
        let large = vec![b'a'; 10 * MB + 1];
        let reply = upload(&client, &kb, &[Field::file("largo.txt", &large)]).await;
        let error = reply.refused(413, "FILE_TOO_LARGE");
        assert_eq!(error["details"]["max_bytes"], 10 * MB);
        assert_eq!(error["details"]["filename"], "largo.txt");
        // The next file of the same form does not suffer for it.
        let fields = [Field::file("largo.txt", &large), Field::file("corto.txt", b"Corto.")];
        let answer = upload(&client, &kb, &fields).await.ok(202);
        assert_eq!((&answer["filename"], &answer["refused"][0]["error"]["code"]), (&json!("corto.txt"), &json!("FILE_TOO_LARGE")));
        let exact = &large[..10 * MB];
        upload_file(&client, &kb, "justo.txt", exact).await;

        let larger = vec![b'b'; 13 * MB];
        let reply = upload(&client, &kb, &[Field::file("enorme.txt", &larger)]).await;
        let error = reply.refused(413, "BODY_TOO_LARGE");
        assert_eq!(error["details"]["max_bytes"], 12 * MB);
        assert!(error["message"].as_str().unwrap().contains("12582912"), "{error}");
        // Without a length at its head it is found out on the way.
        let (kind, body) = written(&[Field::file("uno.txt", b"Antes."), Field::file("enorme.txt", &larger)]);
        let pieces: Vec<Result<Vec<u8>, std::io::Error>> = body.chunks(MB).map(|piece| Ok(piece.to_vec())).collect();
        let request = client
            .request(Method::POST, &documents_path(&kb))
            .header("content-type", kind)
            .body(Body::wrap_stream(stream::iter(pieces)));
        match request.send().await {
            Ok(response) => {
                let answer: Value = response.json().await.unwrap();
                assert_eq!(answer["filename"], "uno.txt", "{answer}");
                let last = answer["refused"].as_array().unwrap().last().unwrap();
                assert_eq!(last["error"]["code"], "BODY_TOO_LARGE", "{answer}");
            }
            // A client that is still sending when the limit is reached may be cut off.
            Err(error) => assert!(error.is_request() || error.is_body(), "{error:?}"),
        }

        let fields = ["1", "2", "3"].map(|name| Field { name: "file", filename: Some(name), value: name.as_bytes() });
        let answer = upload(&client, &kb, &fields).await.ok(202);
        assert_eq!(answer["documents"].as_array().unwrap().len(), 2, "{answer}");
        assert_eq!(answer["refused"][0]["error"]["code"], "VALIDATION_FAILED", "{answer}");
        assert_eq!(count(&client, &kb).await, app.kept_files().len());
    }

    async fn whoever_is_refused_is_told_however_much_they_send(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        let stranger = app.tenant("beta").await.admin.client;
        let large = vec![b'a'; 9 * MB];
        let fields = [Field::file("largo.txt", &large)];
        for _ in 0..3 {
            upload(&stranger, &kb, &fields).await.refused(404, "NOT_FOUND");
        }
        client.patch(&kb_path(&kb), json!({ "status": "archived" })).await.ok(200);
        upload(&client, &kb, &fields).await.refused(409, "KNOWLEDGE_BASE_ARCHIVED");
        assert_eq!(app.kept_files().len(), 0);
    }

    async fn the_name_of_the_workflows_is_the_same_door(db) {
        let app = TestApp::start(db).await;
        let (client, kb) = kb(&app).await;
        let path = documents_path(&kb).replace("/api/v1/knowledge-bases", "/api/corpus");
        let fields = [Field::file("nota.txt", b"El corpus se llena por aqui.")];
        let answer = client.form(Method::POST, &path, &fields).await.ok(202);
        let done = ready(&client, &kb, &answer).await;
        assert_eq!(done["filename"], "nota.txt");
    }

    async fn names_are_only_names(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let (client, kb) = kb(&app).await;
        for (i, (sent, kept)) in [
            ("../../../etc/passwd", "passwd"),
            ("C:\\\\Users\\\\ana\\\\carta.txt", "carta.txt"),
            ("..", "documento"),
            ("menú ñandú \u{1f999}.txt", "menú ñandú \u{1f999}.txt"),
            ("<script>.txt", "<script>.txt"),
            ("", "documento"),
        ].into_iter().enumerate() {
            let text = format!("Texto {i}.");
            let answer = upload_file(&client, &kb, sent, text.as_bytes()).await;
            assert_eq!(answer["filename"], kept, "{sent}");
            let reply = client.get(&format!("{}/download", document_path(&kb, &answer))).await;
            assert_eq!((reply.status, &*reply.text), (200, &*text), "{sent}");
        }
        assert_eq!(app.kept_files().len(), 6);
    }

    async fn a_broken_file_fails_with_a_reason_and_can_be_replaced(db) {
        let app = TestApp::start(db).await;
        let (client, kb) = kb(&app).await;
        let word = docx("Carta", &["Estimados señores."]);
        let cut = [&word[..word.len() / 2], b"word/document"].concat();
        let answer = upload_file(&client, &kb, "carta.docx", &cut).await;
        let failed = settled(&client, &kb, &answer).await;
        assert_eq!(failed["status"], "failed", "{failed}");
        assert_eq!(failed["error_code"], "DOCUMENT_DAMAGED", "{failed}");
        assert!(failed["error_message"].as_str().unwrap().contains("dañado"), "{failed}");
        assert_eq!(failed["chunks_count"], 0);
        let path = format!("{}/file", document_path(&kb, &failed));
        let fields = [Field::file("carta.docx", &word)];
        client.form(Method::PUT, &path, &fields).await.ok(202);
        let done = ready(&client, &kb, &failed).await;
        assert_eq!((&done["error_code"], &done["error_message"]), (&Value::Null, &Value::Null));
        assert_eq!(found(&client, &kb, "estimados señores").await.len(), 1);
    }
}

/// Sends the form in pieces with a pause before the last.
async fn slowly(client: &Client, path: &str, text: &[u8], pause: Duration) -> Reply {
    let (kind, body) = written(&[Field::file("lento.txt", text)]);
    let (first, last) = body.split_at(body.len() - 20);
    let pieces = [first.to_vec(), last.to_vec()].into_iter().enumerate();
    let pieces = stream::iter(pieces).then(move |(i, piece)| async move {
        if i > 0 {
            tokio::time::sleep(pause).await;
        }
        Ok::<_, std::io::Error>(piece)
    });
    let request = client.request(Method::POST, path);
    let request = request.header("content-type", kind);
    Reply::of(request.body(Body::wrap_stream(pieces))).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_line_has_more_time_than_other_requests() {
    let app = TestApp::start_with(TestDatabase::sqlite(), |options| {
        options.workers = false;
        options.config.server.request_timeout_seconds = 4;
        options.config.uploads.timeout_seconds = 12;
    })
    .await;
    let (client, kb) = kb(&app).await;
    let path = documents_path(&kb);
    let reply = slowly(&client, &path, b"Lento.", Duration::from_secs(5)).await;
    assert_eq!(reply.ok(202)["filename"], "lento.txt");
    let reply = slowly(&client, &path, b"Demasiado.", Duration::from_secs(14)).await;
    reply.refused(503, "TIMEOUT");
    assert_eq!(count(&client, &kb).await, 1);
}
