//! What an answer tells of each chunk: its page, its headings, where it was read.

use super::{add, search, start};
use crate::harness::{
    ask, document_path, eventually, kb_path, make_agent, make_kb, teach_file, teach_text,
};
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};

/// Six pages, short enough for two or three to share a chunk.
const PAGES: [(&str, &str); 6] = [
    (
        "La limpieza dental dura cuarenta minutos.",
        "¿cuánto dura la limpieza dental?",
    ),
    (
        "El blanqueamiento se hace con lámpara fría.",
        "¿cómo se hace el blanqueamiento?",
    ),
    (
        "La ortodoncia se controla cada cuatro semanas.",
        "¿cada cuánto se controla la ortodoncia?",
    ),
    (
        "El estacionamiento está en el sótano.",
        "¿dónde está el estacionamiento?",
    ),
    (
        "Las devoluciones se aceptan durante treinta días.",
        "¿se aceptan devoluciones?",
    ),
    (
        "El seguro Pacífico cubre las urgencias.",
        "¿el seguro cubre urgencias?",
    ),
];

fn book() -> String {
    let filler = "Este párrafo no dice nada de interés para nadie, y solo ocupa su sitio. ";
    let pages = PAGES.map(|(fact, _)| format!("{}{fact} {}", filler.repeat(2), filler.repeat(2)));
    pages.join("\u{c}")
}

db_test! {
    async fn the_best_hit_names_the_page_that_answers(db) {
        let app = start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Clínica").await;
        let document = teach_file(&client, &kb, "manual.txt", book().as_bytes()).await;
        for (page, (_, question)) in (1..).zip(PAGES) {
            let asked = json!({ "query": question, "similarity_threshold": 0.1 });
            let answer = search(&client, &kb, asked).await;
            let best = &answer["chunks"][0];
            assert_eq!(best["page_number"], page, "{question}: {answer}");
            let page = Some(page);
            let number = |field: &str| best[field].as_i64();
            assert!(number("page_start") <= page && page <= number("page_end"), "{best}");
        }
        let path = format!("{}/chunks", document_path(&kb, &document));
        let chunks = client.get(&path).await.ok(200);
        let chunks = chunks["data"].as_array().unwrap();
        assert_eq!(chunks[0]["page_start"], 1);
        assert_eq!(chunks.last().unwrap()["page_end"], 6);
        assert!(chunks.iter().any(|chunk| chunk["page_start"] != chunk["page_end"]));
    }

    async fn meaning_alone_answers_at_the_usual_threshold(db) {
        let app = start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Clínica").await;
        for (fact, question) in PAGES {
            teach_text(&client, &kb, question, fact).await;
        }
        for (fact, question) in PAGES {
            let answer = search(&client, &kb, json!({ "query": question, "mode": "dense" })).await;
            assert_eq!(answer["chunks"][0]["content"], fact, "{question}: {answer}");
        }
        let strange = json!({ "query": "¿quién ganó el mundial de fútbol?", "mode": "dense" });
        let answer = search(&client, &kb, strange).await;
        assert_eq!(answer["chunks"], json!([]), "{answer}");
    }
}

sqlite_test! {
    async fn a_citation_names_the_page_of_its_quote(db) {
        let app = start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let agent = make_agent(&client, "Maya").await;
        let kb = json!({ "id": agent["knowledge_base_id"] });
        // All six pages are one chunk.
        let facts = PAGES.map(|(fact, _)| fact).join("\u{c}");
        teach_file(&client, &kb, "manual.txt", facts.as_bytes()).await;
        let mut quoted = 0;
        for (_, question) in PAGES {
            let answer = ask(&client, "maya", question).await;
            for citation in answer["citations"].as_array().unwrap() {
                let quote = citation["quote"].as_str().unwrap();
                let page = (1..).zip(PAGES).find(|(_, (fact, _))| quote.starts_with(fact));
                assert_eq!(citation["page_number"].as_i64(), page.map(|(page, _)| page), "{answer}");
                quoted += 1;
            }
        }
        assert!(quoted > 3, "{quoted} quotes");
    }

    async fn a_knowledge_base_decides_whether_pages_are_told(db) {
        let app = start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Clínica").await;
        teach_file(&client, &kb, "manual.md", b"# Horario\n\nAbrimos a las nueve.").await;
        let asked = json!({ "query": "¿a qué hora abren?", "similarity_threshold": 0.1 });
        let best = search(&client, &kb, asked.clone()).await["chunks"][0].clone();
        assert_eq!(best["headings"], json!(["Horario"]));
        assert_eq!(best["source_url"], Value::Null);

        teach_file(&client, &kb, "dos.txt", "Uno.\u{c}Atendemos los domingos.".as_bytes()).await;
        let asked = json!({ "query": "¿atienden los domingos?", "similarity_threshold": 0.1 });
        let best = search(&client, &kb, asked.clone()).await["chunks"][0].clone();
        assert_eq!(best["page_number"], 2);
        let silent = json!({ "chunking_config": { "include_page_number": false } });
        client.patch(&kb_path(&kb), silent).await.ok(200);
        let best = search(&client, &kb, asked).await["chunks"][0].clone();
        for field in ["page_number", "page_start", "page_end"] {
            assert_eq!(best[field], Value::Null, "{best}");
        }
    }

    async fn a_search_counts_as_a_question(db) {
        let app = start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Clínica").await;
        teach_text(&client, &kb, "Wifi", "La clave del wifi es jaguar.").await;
        assert_eq!(client.get(&kb_path(&kb)).await.ok(200)["last_queried_at"], Value::Null);
        search(&client, &kb, json!({ "query": "¿cuál es la clave del wifi?" })).await;
        eventually("the time of the last question", async || {
            let kb = client.get(&kb_path(&kb)).await.ok(200);
            kb["last_queried_at"].is_string().then_some(())
        })
        .await;
    }

    async fn a_test_search_and_its_documents_have_the_names_they_were_specified_with(db) {
        let app = start(db).await;
        let tenant = app.tenant("acme").await;
        let client = tenant.admin.client;
        let kb = make_kb(&client, "Clínica").await;
        assert_eq!((&kb["total_documents"], &kb["total_chunks"]), (&json!(0), &json!(0)));
        let text = "La clave del wifi es jaguar.";
        let file = teach_file(&client, &kb, "wifi.txt", text.as_bytes()).await;
        let answer = search(&client, &kb, json!({
            "query": "¿cuál es la clave del wifi?",
            "filters": { "date_range": { "from": "2020-01-01T00:00:00.000Z", "to": "2999-12-31" } },
        })).await;
        let best = &answer["results"][0];
        assert_eq!(best["content"], text);
        for field in ["document_name", "page_number", "similarity_score"] {
            assert_eq!(best[field], answer["chunks"][0][field]);
        }
        for (name, ours) in [
            ("original_filename", "filename"),
            ("file_size_bytes", "size_bytes"),
            ("tokens_used", "tokens_count"),
            ("created_date", "document_date"),
            ("custom_metadata", "metadata"),
        ] {
            assert_eq!(file[name], file[ours], "{name}");
        }
        let id = |value: &Value| value["id"].as_str().unwrap().to_owned();
        assert_eq!(file["storage_path"], format!("{}/{}/wifi.txt", id(&kb), id(&file)));
        assert_eq!((&file["source"], &file["source_type"]), (&json!("file"), &json!("txt")));
        let me = client.get("/api/v1/auth/me").await.ok(200);
        let me = me["user"]["id"].as_str().or(me["id"].as_str()).map(str::to_owned);
        assert_eq!(file["created_by"].as_str().map(str::to_owned), me, "{file}");
        let place = json!({ "sede": "Norte" });
        let typed = json!({ "title": "Horario", "content": "Abrimos a las nueve.", "custom_metadata": place });
        let typed = add(&client, &kb, typed).await;
        assert_eq!((&typed["source_type"], &typed["storage_path"]), (&json!("manual"), &Value::Null));
        assert_eq!((&typed["metadata"], &typed["custom_metadata"]), (&place, &place));
        let dated = json!({ "created_date": "2026-11-15" });
        let dated = client.patch(&document_path(&kb, &typed), dated).await.ok(200);
        assert_eq!((&dated["document_date"], &dated["created_date"]), (&json!("2026-11-15"), &json!("2026-11-15")));

        let counted = client.get(&kb_path(&kb)).await.ok(200);
        assert_eq!((&counted["total_documents"], &counted["total_chunks"]), (&json!(2), &json!(2)));
        let bytes = text.len() + "Abrimos a las nueve.".len();
        assert_eq!(counted["total_size_bytes"], bytes);
        assert!(counted["total_tokens_used"].as_u64().unwrap() > 0, "{counted}");
        assert_eq!(counted["created_by"], file["created_by"]);
        let stats = client.get(&format!("{}/stats", kb_path(&kb))).await.ok(200);
        for field in ["total_documents", "total_chunks", "total_size_bytes"] {
            assert_eq!(stats[field], counted[field], "{field}");
        }
        assert_eq!(stats["total_tokens_used"], stats["tokens_used"]);
        let listed = client.get("/api/v1/knowledge-bases?scope=global").await.ok(200);
        assert_eq!(listed["data"][0]["total_documents"], 2);
        let tokens = json!({ "name": "Fichas", "chunking_config": { "unit": "tokens" } });
        let made = client.post("/api/v1/knowledge-bases", tokens).await.ok(201);
        let config = &made["chunking_config"];
        assert_eq!((&config["chunk_size"], &config["chunk_overlap"]), (&json!(800), &json!(100)));
    }
}
