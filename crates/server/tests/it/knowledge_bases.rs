//! Knowledge bases: made, changed, archived, handed to agents and deleted.

use crate::harness::{
    Field, KBS, TestApp, all_pages, ask, assign, document_path, documents_path, found, id, kb_path,
    make_agent, make_kb, make_personal_kb, ready, teach_file, teach_text, upload,
};
use futures::future::join_all;
use quipu_app::business::{self, BusinessContent};
use quipu_core::access::Role;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};

const WIFI: &str = "La contraseña del wifi de la tienda es jaguar-11.";
const ASKED: &str = "¿Cuál es la contraseña del wifi?";

sqlite_test! {
    async fn a_knowledge_base_is_made_read_changed_and_deleted(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let made = make_kb(client, "Productos").await;
        assert_eq!(
            (&made["scope"], &made["status"], &made["language"]),
            (&json!("global"), &json!("active"), &json!("es"))
        );
        assert!(made["owner_user_id"].is_null() && made["agent_id"].is_null(), "{made}");
        let chunking = &made["chunking_config"];
        assert_eq!(
            (&chunking["strategy"], &chunking["chunk_size"], &chunking["chunk_overlap"]),
            (&json!("fixed"), &json!(1000), &json!(200))
        );
        assert_eq!(made["embedding_config"]["dimensions"], 384);
        let path = kb_path(&made);
        assert_eq!(client.get(&path).await.ok(200), made);

        let change = json!({
            "name": " Productos 2026 ",
            "description": "Lo que vendemos.",
            "language": "en",
            "chunking_config": { "strategy": "paragraph", "chunk_size": 400, "chunk_overlap": 0 },
        });
        let changed = client.patch(&path, change).await.ok(200);
        assert_eq!(changed["name"], "Productos 2026");
        assert_eq!(changed["description"], "Lo que vendemos.");
        assert_eq!(changed["chunking_config"]["strategy"], "paragraph");
        assert_eq!(changed["chunking_config"]["max_chunk_size"], 2000);
        let changed = client.patch(&path, json!({ "description": null })).await.ok(200);
        assert_eq!(changed["description"], Value::Null);
        assert_eq!(changed["name"], "Productos 2026");

        for (field, bad) in [
            ("name", json!({ "name": " " })),
            ("chunking_config.chunk_size", json!({ "chunking_config": { "chunk_size": 1 } })),
            ("embedding_config.model", json!({ "embedding_config": { "model": "otro" } })),
        ] {
            let error = client.patch(&path, bad).await.refused(422, "VALIDATION_FAILED");
            assert_eq!(error["details"]["fields"][0]["field"], field, "{error}");
        }
        let stats = client.get(&format!("{path}/stats")).await.ok(200);
        assert_eq!((&stats["documents"], &stats["chunks"]), (&json!(0), &json!(0)));

        let receipt = client.delete(&path).await.ok(200);
        assert_eq!(receipt["target"], format!("knowledge_base:{}", id(&made)));
        assert_eq!((&receipt["complete"], &receipt["removed"]["rows"]["knowledge_bases"]), (&json!(true), &json!(1)));
        client.get(&path).await.refused(404, "NOT_FOUND");
        client.delete(&path).await.refused(404, "NOT_FOUND");
    }

    async fn lists_are_filtered_and_paged(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("acme").await.admin.client;
        make_agent(&client, "Uno").await;
        for i in 0..12 {
            make_kb(&client, &format!("Base {i}")).await;
        }
        let mine = make_personal_kb(&client, "Mía").await;
        let old = make_kb(&client, "Antigua").await;
        client.patch(&kb_path(&old), json!({ "status": "archived" })).await.ok(200);
        assert_eq!(all_pages(&client, KBS, 5).await.len(), 15);
        let ids = async |query: &str| {
            let listed = client.get(&format!("{KBS}?limit=200&{query}")).await.ok(200);
            let listed = listed["data"].as_array().unwrap().clone();
            listed.iter().map(id).collect::<Vec<_>>()
        };
        assert_eq!(ids("scope=personal").await, [id(&mine)]);
        assert_eq!(ids("scope=agent").await.len(), 1);
        assert_eq!(ids("status=archived").await, [id(&old)]);
        assert_eq!(ids("scope=global&status=active").await.len(), 12);
        for bad in ["scope=otro", "status=otro", "nombre=x"] {
            let reply = client.get(&format!("{KBS}?{bad}")).await;
            reply.refused(400, "INVALID_PARAMETER");
        }
    }

    async fn members_read_what_managers_make(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let manager = app.member(&tenant, Role::Manager).await.client;
        let member = app.member(&tenant, Role::Member).await.client;
        let kb = make_kb(&manager, "Productos").await;
        teach_text(&manager, &kb, "Wifi", WIFI).await;
        member.get(&kb_path(&kb)).await.ok(200);
        assert_eq!(found(&member, &kb, ASKED).await.len(), 1);
        for (path, body) in [
            (KBS.to_owned(), json!({ "name": "Otra" })),
            (format!("{}/text", documents_path(&kb)), json!({ "content": "hola" })),
        ] {
            let error = member.post(&path, body).await.refused(403, "FORBIDDEN");
            assert_eq!(error["details"]["permission"], "knowledge:write");
        }
        member.delete(&kb_path(&kb)).await.refused(403, "FORBIDDEN");
    }
}

db_test! {
    async fn an_agent_reads_what_is_assigned_to_it(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let agent = make_agent(&client, "Uno").await;
        make_agent(&client, "Dos").await;
        let kb = make_kb(&client, "Tienda").await;
        teach_text(&client, &kb, "Wifi", WIFI).await;
        let knows = async |agent: &str| {
            let answer = ask(&client, agent, ASKED).await;
            answer.to_string().contains("jaguar-11")
        };
        assert!(!knows("uno").await);
        let made = assign(&client, &kb, "uno").await;
        assert_eq!(
            (&made["agent_id"], &made["knowledge_base_id"]),
            (&agent["id"], &kb["id"])
        );
        assert_eq!((&made["priority"], &made["search_weight"]), (&json!(1), &json!(1.0)));
        assert!(knows("uno").await && !knows("dos").await);

        let path = format!("{}/assignments", kb_path(&kb));
        let body = json!({ "agent": id(&agent), "priority": 7, "search_weight": 0.5 });
        client.post(&path, body).await.ok(200);
        let listed = client.get(&path).await.ok(200);
        assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
        assert_eq!((&listed[0]["priority"], &listed[0]["search_weight"]), (&json!(7), &json!(0.5)));
        assert!(knows("uno").await);
        for bad in [
            json!({ "agent": "uno", "priority": 0 }),
            json!({ "agent": "uno", "search_weight": 10.5 }),
            json!({ "agent": "uno", "search_weight": -1 }),
        ] {
            client.post(&path, bad).await.refused(422, "VALIDATION_FAILED");
        }
        client.post(&path, json!({ "agent": "nadie" })).await.refused(404, "NOT_FOUND");

        client.delete(&format!("{path}/uno")).await.ok(204);
        client.delete(&format!("{path}/uno")).await.refused(404, "NOT_FOUND");
        assert!(!knows("uno").await);
    }
}

sqlite_test! {
    async fn the_search_of_a_workflow_tells_where_a_passage_came_from(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let agent = make_agent(&client, "Uno").await;
        let kb = make_kb(&client, "Tienda").await;
        teach_file(&client, &kb, "wifi.txt", WIFI.as_bytes()).await;
        let own = json!({ "id": agent["knowledge_base_id"] });
        teach_text(&client, &own, "Horario", "Abrimos la tienda a las nueve.").await;
        assign(&client, &kb, "uno").await;
        let secret = json!({ "value": "un secreto compartido y largo" });
        client.put("/api/v1/secrets/n8n_shared_secret", secret).await.ok(200);
        let n8n = app.stranger().with("x-n8n-secret", "un secreto compartido y largo");
        for (query, source, title) in [
            (ASKED, "txt", "wifi.txt"),
            ("¿A qué hora abren la tienda?", "manual", "Horario"),
        ] {
            let body = json!({ "agentId": "uno", "projectId": "acme", "query": query, "threshold": 0.3 });
            let answer = n8n.post("/api/rag/search", body).await.ok(200);
            let best = &answer["results"][0];
            assert_eq!((&best["source"], &best["title"]), (&json!(source), &json!(title)), "{answer}");
        }
    }

    async fn an_archived_one_is_kept_but_neither_searched_nor_written(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        make_agent(&client, "Uno").await;
        let kb = make_kb(&client, "Tienda").await;
        let document = teach_text(&client, &kb, "Wifi", WIFI).await;
        assign(&client, &kb, "uno").await;
        assert_eq!(ask(&client, "uno", ASKED).await["grounded"], true);

        let (path, documents) = (kb_path(&kb), documents_path(&kb));
        client.patch(&path, json!({ "status": "archived" })).await.ok(200);
        assert_eq!(ask(&client, "uno", ASKED).await["grounded"], false);
        let one = document_path(&kb, &document);
        for (path, body) in [
            (format!("{path}/search"), json!({ "query": ASKED })),
            (format!("{documents}/text"), json!({ "content": "hola" })),
            (format!("{documents}/url"), json!({ "url": "https://example.com" })),
            (format!("{documents}/reprocess"), json!({})),
            (format!("{one}/reprocess"), json!({})),
        ] {
            let reply = client.post(&path, body).await;
            reply.refused(409, "KNOWLEDGE_BASE_ARCHIVED");
        }
        let reply = client.patch(&one, json!({ "title": "Otro" })).await;
        reply.refused(409, "KNOWLEDGE_BASE_ARCHIVED");
        let reply = upload(&client, &kb, &[Field::file("a.txt", b"hola")]).await;
        reply.refused(409, "KNOWLEDGE_BASE_ARCHIVED");

        assert_eq!(client.get(&one).await.ok(200)["title"], "Wifi");
        assert_eq!(client.get(&format!("{one}/text")).await.text, WIFI);
        client.patch(&path, json!({ "status": "active" })).await.ok(200);
        assert_eq!(ask(&client, "uno", ASKED).await["grounded"], true);
        assert_eq!(found(&client, &kb, ASKED).await.len(), 1);
    }
}

db_test! {
    async fn those_that_come_with_something_stay_with_it(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let agent = make_agent(client, "Uno").await;
        make_agent(client, "Dos").await;
        let own = json!({ "id": agent["knowledge_base_id"] });
        assert_eq!(client.get(&kb_path(&own)).await.ok(200)["scope"], "agent");
        let refuse = async |kb: &Value| {
            let reply = client.delete(&kb_path(kb)).await;
            reply.refused(409, "KNOWLEDGE_BASE_MANAGED");
            let path = format!("{}/assignments", kb_path(kb));
            let reply = client.post(&path, json!({ "agent": "dos" })).await;
            reply.refused(409, "KNOWLEDGE_BASE_MANAGED");
        };
        refuse(&own).await;
        // In all else an agent's own is like any other.
        teach_text(client, &own, "Wifi", WIFI).await;
        assert_eq!(ask(client, "uno", ASKED).await["grounded"], true);
        assert_eq!(ask(client, "dos", ASKED).await["grounded"], false);

        let tx = app.app.store.begin(tenant.scope()).await.unwrap();
        let content = BusinessContent {
            kind: "policy",
            source_id: "devoluciones".to_owned(),
            title: "Devoluciones".to_owned(),
            text: "Las devoluciones se aceptan durante 30 días con el recibo.".to_owned(),
            category: Some("políticas".to_owned()),
            tags: vec!["ventas".to_owned()],
        };
        let document = business::index(&app.app, &tx, &content).await.unwrap();
        tx.commit().await.unwrap();
        let listed = client.get(&format!("{KBS}?scope=business")).await.ok(200);
        let kb = listed["data"][0].clone();
        let document = json!({ "id": document.to_string() });
        let document = ready(client, &kb, &document).await;
        assert_eq!((&document["source"], &document["tags"]), (&json!("business"), &json!(["ventas"])));
        refuse(&kb).await;
        for agent in ["uno", "dos"] {
            let answer = ask(client, agent, "¿Cuántos días hay para devoluciones?").await;
            assert!(answer.to_string().contains("30 días"), "{answer}");
        }
        let one = document_path(&kb, &document);
        let path = format!("{}/text", documents_path(&kb));
        for reply in [
            client.post(&path, json!({ "content": "hola" })).await,
            client.patch(&one, json!({ "title": "Otro" })).await,
            client.poke(&format!("{one}/reprocess")).await,
            client.delete(&one).await,
            upload(client, &kb, &[Field::file("a.txt", b"hola")]).await,
        ] {
            reply.refused(409, "KNOWLEDGE_BASE_MANAGED");
        }
    }
}

sqlite_test! {
    async fn a_plan_says_how_many_people_may_make(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        app.plan("dos-bases", |limits| limits.max_knowledge_bases = Some(2)).await;
        let tenant = app.tenant_on("acme", "dos-bases").await;
        let client = &tenant.admin.client;
        // Those that come with an agent do not count.
        make_agent(client, "Uno").await;
        make_kb(client, "Una").await;
        let bodies = ["Dos", "Tres", "Cuatro"].map(|name| json!({ "name": name }));
        let replies = join_all(bodies.into_iter().map(|body| client.post(KBS, body))).await;
        let made = replies.iter().filter(|reply| reply.status == 201).count();
        let full = replies.iter().filter(|reply| reply.code() == "PLAN_LIMIT_REACHED").count();
        assert_eq!((made, full), (1, 2), "{replies:?}");
        let body = json!({ "name": "Mía", "scope": "personal" });
        let error = client.post(KBS, body.clone()).await.refused(403, "PLAN_LIMIT_REACHED");
        assert_eq!(error["details"]["limit"], "max_knowledge_bases");
        let listed = client.get(&format!("{KBS}?scope=global")).await.ok(200);
        client.delete(&kb_path(&listed["data"][0])).await.ok(200);
        client.post(KBS, body).await.ok(201);
    }

    async fn a_trial_search_tells_what_it_found_and_where(db) {
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Tienda").await;
        let document = teach_text(&client, &kb, "Wifi", WIFI).await;
        teach_text(&client, &kb, "Horario", "Abrimos de nueve a seis, de lunes a viernes.").await;
        let path = format!("{}/search", kb_path(&kb));
        let answer = client.post(&path, json!({ "query": ASKED })).await.ok(200);
        assert_eq!(answer["total_chunks_searched"], 2);
        assert!(answer["search_time_ms"].is_u64(), "{answer}");
        let results = answer["chunks"].as_array().unwrap();
        assert_eq!(results.len(), 1, "{answer}");
        let result = &results[0];
        assert_eq!(result["content"], WIFI);
        assert_eq!(
            (&result["document_id"], &result["document_name"]),
            (&document["id"], &json!("Wifi"))
        );
        assert_eq!(
            (&result["start_char"], &result["end_char"], &result["page_number"]),
            (&json!(0), &json!(WIFI.chars().count()), &Value::Null)
        );
        assert!(result["similarity_score"].as_f64().unwrap() > 0.45, "{result}");
        let chunks = client.get(&format!("{}/chunks", document_path(&kb, &document))).await.ok(200);
        assert_eq!(result["chunk_id"], chunks["data"][0]["id"]);

        let all = json!({ "query": ASKED, "similarity_threshold": 0, "top_k": 1 });
        let answer = client.post(&path, all).await.ok(200);
        assert_eq!(answer["chunks"].as_array().unwrap().len(), 1);
        for (field, bad) in [
            ("top_k", json!({ "query": "a", "top_k": 21 })),
            ("top_k", json!({ "query": "a", "top_k": 0 })),
            ("similarity_threshold", json!({ "query": "a", "similarity_threshold": 1.5 })),
            ("query", json!({ "query": " " })),
        ] {
            let error = client.post(&path, bad).await.refused(422, "VALIDATION_FAILED");
            assert_eq!(error["details"]["fields"][0]["field"], field, "{error}");
        }
    }
}
