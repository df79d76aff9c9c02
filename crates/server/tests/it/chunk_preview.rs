//! How a text would be cut, shown before the configuration of a knowledge base is saved, and which
//! documents are meant by a filter.

use crate::harness::{
    Client, TestApp, document_path, documents_path, id, kb_path, make_kb, make_personal_kb, ready,
    teach_file, teach_text,
};
use quipu_core::access::Role;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};

fn path(kb: &Value) -> String {
    format!("{}/chunks/preview", kb_path(kb))
}

async fn preview(client: &Client, kb: &Value, body: Value) -> Value {
    client.post(&path(kb), body).await.ok(200)
}

/// What is the same in a preview and in what was made.
fn told(chunks: &Value) -> Vec<Value> {
    let chunks = chunks["data"].as_array().unwrap();
    let fields = [
        "chunk_index",
        "content",
        "content_tokens",
        "page_number",
        "start_char",
        "end_char",
        "headings",
    ];
    chunks
        .iter()
        .map(|chunk| fields.iter().map(|field| chunk[field].clone()).collect())
        .collect()
}

fn rules(count: usize) -> Vec<String> {
    let rule = |i| format!("La regla número {i} dice que el plazo es de {i} días.");
    (1..=count).map(rule).collect()
}

db_test! {
    async fn what_is_shown_is_what_processing_makes(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Reglas").await;
        let rules = rules(40);
        let paragraphs: Vec<&str> = rules.iter().map(String::as_str).collect();
        let typed = teach_text(&client, &kb, "Reglas", &rules.join("\n\n")).await;
        let page = format!("<h1>Plazos</h1><p>{}</p>", paragraphs.join("</p><p>"));
        let file = teach_file(&client, &kb, "reglas.html", page.as_bytes()).await;
        for config in [
            json!({ "chunk_size": 300, "chunk_overlap": 50 }),
            json!({ "strategy": "paragraph", "unit": "tokens", "chunk_size": 60 }),
            json!({ "strategy": "semantic", "chunk_size": 200, "max_chunk_size": 400 }),
        ] {
            // What vectors took is written down when there is time, whatever is shown meanwhile.
            let kept = async || {
                let mut kb = client.get(&kb_path(&kb)).await.ok(200);
                kb["total_tokens_used"].take();
                kb
            };
            let before = kept().await;
            let ask = async |document: &Value| {
                let body = json!({ "document_id": id(document), "chunking_config": config, "limit": 50 });
                preview(&client, &kb, body).await
            };
            let shown = [ask(&typed).await, ask(&file).await];
            assert_eq!(kept().await, before, "nothing was changed");

            client.patch(&kb_path(&kb), json!({ "chunking_config": config })).await.ok(200);
            for (document, shown) in [&typed, &file].into_iter().zip(&shown) {
                let at = document_path(&kb, document);
                client.post(&format!("{at}/reprocess"), json!({})).await.ok(202);
                ready(&client, &kb, document).await;
                let made = client.get(&format!("{at}/chunks?limit=200")).await.ok(200);
                assert!(made["total"].as_u64().unwrap() > 3, "{config}");
                assert_eq!(shown["total"], made["total"], "{config}");
                assert_eq!(told(shown), told(&made), "{config}");
                assert_eq!((&shown["partial"], &shown["structured"]), (&json!(false), &json!(true)));
                let sizes = &shown["characters"];
                assert!(sizes["smallest"].as_u64() <= sizes["average"].as_u64(), "{sizes}");
                assert!(sizes["largest"].as_u64().unwrap() <= 2000, "{sizes}");
            }
            // The first one begins above the heading.
            assert_eq!(told(&shown[1]).last().unwrap()[6], json!(["Plazos"]), "headings of the file are told");
        }
    }
}

sqlite_test! {
    async fn a_typed_text_is_cut_without_being_kept(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Reglas").await;
        let text = rules(200).join("\n\n");
        let usual = preview(&client, &kb, json!({ "text": text })).await;
        assert_eq!(usual["data"].as_array().unwrap().len() as u64, usual["total"].as_u64().unwrap().min(20));
        let small = json!({ "text": text, "chunking_config": { "chunk_size": 60 }, "limit": 2 });
        let small = preview(&client, &kb, small).await;
        assert_eq!(small["data"].as_array().unwrap().len(), 2);
        assert!(small["total"].as_u64() > usual["total"].as_u64());
        let large = json!({ "text": "a ".repeat(50_000), "limit": 50, "chunking_config": { "chunk_size": 8000, "max_chunk_size": 16000, "chunk_overlap": 0 } });
        let large = preview(&client, &kb, large).await.to_string();
        assert!(large.len() < 50_000, "an answer has bounds: {}", large.len());
        let stats = client.get(&format!("{}/stats", kb_path(&kb))).await.ok(200);
        assert_eq!(stats["documents"], 0);

        for (field, wrong) in [
            ("text", json!({})),
            ("text", json!({ "text": "a", "document_id": uuid::Uuid::now_v7() })),
            ("text", json!({ "text": " " })),
            ("text", json!({ "text": "a".repeat(100_001) })),
            ("limit", json!({ "text": "a", "limit": 51 })),
            ("chunking_config.chunk_size", json!({ "text": "a", "chunking_config": { "chunk_size": 1 } })),
            ("chunking_config.separator_regex", json!({ "text": "a", "chunking_config": { "separator_regex": "(" } })),
        ] {
            let error = client.post(&path(&kb), wrong).await.refused(422, "VALIDATION_FAILED");
            assert_eq!(error["details"]["fields"][0]["field"], field, "{error}");
        }
        let nowhere = json!({ "document_id": uuid::Uuid::now_v7() });
        client.post(&path(&kb), nowhere).await.refused(404, "NOT_FOUND");
    }

    async fn who_may_not_save_is_shown_nothing(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        let member = app.member(&tenant, Role::Member).await.client;
        let shared = make_kb(admin, "Reglas").await;
        let text = teach_text(admin, &shared, "Wifi", "La clave del wifi es jaguar-11.").await;
        let other = make_kb(admin, "Otra").await;
        let body = json!({ "document_id": id(&text) });
        member.post(&path(&shared), body.clone()).await.refused(403, "FORBIDDEN");
        admin.post(&path(&other), body.clone()).await.refused(404, "NOT_FOUND");

        let own = make_personal_kb(&member, "Mía").await;
        let secret = teach_text(&member, &own, "Casillero", "Mi casillero es el 4471.").await;
        let body = json!({ "document_id": id(&secret) });
        let shown = preview(&member, &own, body.clone()).await;
        assert_eq!(shown["data"][0]["content"], "Mi casillero es el 4471.");
        admin.post(&path(&own), body.clone()).await.refused(404, "NOT_FOUND");
        admin.post(&path(&shared), body).await.refused(404, "NOT_FOUND");
    }

    async fn a_text_that_nobody_read_yet_cannot_be_cut(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Páginas").await;
        let at = format!("{}/url", documents_path(&kb));
        let page = client.post(&at, json!({ "url": "https://example.com/precios" })).await.ok(202);
        let body = json!({ "document_id": id(&page) });
        client.post(&path(&kb), body).await.refused(409, "DOCUMENT_STATE");
    }

    async fn ids_are_those_of_the_list(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Muchos").await;
        let at = format!("{}/text", documents_path(&kb));
        let mut made = Vec::new();
        for n in 0..7 {
            let body = json!({ "title": format!("Texto {n}"), "content": format!("Texto número {n}.") });
            made.push(json!(id(&client.post(&at, body).await.ok(202))));
        }
        let ids = async |query: &str| {
            client.get(&format!("{}/ids?{query}", documents_path(&kb))).await.ok(200)
        };
        let all = ids("").await;
        assert_eq!(all, json!({ "data": made, "total": 7, "next_cursor": null }));
        let first = ids("limit=3").await;
        assert_eq!((&first["data"], &first["total"]), (&json!(made[..3]), &json!(7)));
        let next = first["next_cursor"].as_str().unwrap();
        let rest = ids(&format!("limit=4&cursor={next}")).await;
        assert_eq!((&rest["data"], &rest["next_cursor"]), (&json!(made[3..]), &Value::Null));
        let some = ids("q=texto%205").await;
        assert_eq!((&some["data"], &some["total"]), (&json!([made[5]]), &json!(1)));
        assert_eq!(ids("status=failed").await["total"], 0);
        let wrong = client.get(&format!("{}/ids?limit=4001", documents_path(&kb))).await;
        wrong.refused(422, "VALIDATION_FAILED");
        let wrong = client.get(&format!("{}/ids?cursor=x", documents_path(&kb))).await;
        wrong.refused(400, "INVALID_CURSOR");
    }
}
