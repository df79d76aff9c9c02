//! What is somebody's own is nobody else's: not for colleagues, not for admins, not for the
//! platform, not for programs.

use crate::harness::{
    Client, Field, KBS, Options, Person, Tenant, TestApp, all_pages, ask, assign, document_path,
    documents_path, found, id, kb_path, make_agent, make_kb, make_lead, make_personal_kb, ready,
    teach_file, teach_text, upload,
};
use quipu_core::UserId;
use quipu_core::access::{Permission, Role};
use quipu_core::page::PageRequest;
use quipu_testkit::db_test;
use quipu_testkit::model::{Dialect, ScriptedModel, Step};
use reqwest::Method;
use serde_json::{Value, json};

/// A word that is in everything that belongs to the owner.
const MARK: &str = "ocelote";
const SECRET: &str = "Mi casillero ocelote es el número 4471.";
const ASKED: &str = "¿Qué número es mi casillero ocelote?";

struct World {
    app: TestApp,
    tenant: Tenant,
    owner: Client,
    owner_id: UserId,
    kb: Value,
    document: Value,
    /// Everybody who is not the owner, by name.
    others: Vec<(&'static str, Client)>,
}

impl World {
    async fn new(db: quipu_testkit::TestDatabase) -> Self {
        Self::with(db, |_| {}).await
    }

    async fn with(db: quipu_testkit::TestDatabase, change: impl FnOnce(&mut Options)) -> Self {
        let app = TestApp::start_with(db, change).await;
        let tenant = app.tenant("acme").await;
        let Person {
            id: owner_id,
            client: owner,
            ..
        } = app.member(&tenant, Role::Member).await;
        let body = json!({ "name": "Maya", "allows_personal_corpus": true });
        tenant
            .admin
            .client
            .post("/api/v1/agents", body)
            .await
            .ok(201);
        let kb = make_personal_kb(&owner, "Notas de ocelote").await;
        let document = teach_file(&owner, &kb, "ocelote.txt", SECRET.as_bytes()).await;
        assign(&owner, &kb, "maya").await;
        let others = vec![
            (
                "a colleague",
                app.member(&tenant, Role::Member).await.client,
            ),
            ("a manager", app.member(&tenant, Role::Manager).await.client),
            ("the admin", tenant.admin.client.clone()),
            (
                "the platform",
                app.super_admin().await.client.in_tenant("acme"),
            ),
            ("a program", app.program(&tenant, Permission::ALL).await),
        ];
        Self {
            app,
            tenant,
            owner,
            owner_id,
            kb,
            document,
            others,
        }
    }
}

db_test! {
    async fn a_server_that_somebody_else_named_is_told_none_of_it(db) {
        let model = ScriptedModel::start([Step::says("Con gusto le ayudo.").always()]).await;
        let host = model.host();
        let world = World::with(db, |options| options.config.models.allow_hosts = vec![host]).await;
        let chat = json!({ "messages": [{ "role": "user", "content": ASKED }], "stream": false });
        let told = world.owner.post("/api/agents/maya/chat", chat.clone()).await.ok(200);
        assert!(told["message"]["content"].as_str().unwrap().contains("4471"), "{told}");
        let config = json!({ "settings": { "model": {
            "provider": "openai_compatible", "model": "modelo", "base_url": model.base(Dialect::Openai),
        } } });
        world.tenant.admin.client.patch("/api/v1/agents/maya", config).await.ok(200);
        world.owner.post("/api/agents/maya/chat", chat.clone()).await.ok(200);
        let asked = format!("{:?}", model.requests());
        assert!(asked.contains("casillero") && !asked.contains("4471"), "{asked}");
        // Nor when it looks for it itself.
        let _ = model.clear();
        let query = json!({ "query": ASKED }).to_string();
        model.add([
            Step::calls(&[("search_knowledge_base", &query)]).when(|asked| asked.tool_results().is_empty()).always(),
            Step::says("No lo sé.").always(),
        ]);
        world.owner.post("/api/agents/maya/chat", chat).await.ok(200);
        let asked = model.requests();
        assert!(asked.iter().any(|asked| !asked.tool_results().is_empty()));
        assert!(!format!("{asked:?}").contains("4471"), "{asked:?}");
    }

    async fn nobody_else_reads_what_its_owner_asked(db) {
        let world = World::new(db).await;
        // Some find something, some find nothing, and all are the owner's own.
        let asked = [ASKED, "¿quién sabe del jaguar?", "¿y el tapir de la receta?"];
        for (at, query) in asked.iter().enumerate() {
            let path = if at == 1 {
                format!("{}/search", kb_path(&world.kb))
            } else {
                "/api/v1/agents/maya/search".to_owned()
            };
            world.owner.post(&path, json!({ "query": query })).await.ok(200);
        }
        let chat = json!({ "messages": [{ "role": "user", "content": asked[1] }], "stream": false });
        world.owner.post("/api/agents/maya/chat", chat).await.ok(200);
        let admin = &world.tenant.admin.client;
        admin.post("/api/v1/agents/maya/search", json!({ "query": "¿y el horario?" })).await.ok(200);
        quipu_app::retrievals::flush(&world.app.app).await.unwrap();
        for (who, client) in &world.others {
            let reply = client.get("/api/v1/retrievals").await;
            if *who == "a colleague" {
                reply.refused(403, "FORBIDDEN");
                continue;
            }
            let log = reply.ok(200);
            let entries = log["data"].as_array().unwrap();
            let queries: Vec<&str> = entries.iter().map(|e| e["query"].as_str().unwrap()).collect();
            assert_eq!(queries, ["¿y el horario?"], "{who}");
        }
    }

    async fn nobody_else_reaches_it_by_any_route(db) {
        let world = World::new(db).await;
        let (kb, document) = (&world.kb, &world.document);
        let (base, documents) = (kb_path(kb), documents_path(kb));
        let one = document_path(kb, document);
        let chunks = world.owner.get(&format!("{one}/chunks")).await.ok(200);
        let chunk = format!("{one}/chunks/{}", id(&chunks["data"][0]));
        for (who, client) in &world.others {
            for path in [
                base.clone(),
                format!("{base}/stats"),
                format!("{base}/assignments"),
                format!("{base}/events?seconds=1"),
                documents.clone(),
                format!("{documents}/export"),
                format!("{documents}/export?format=json"),
                one.clone(),
                format!("{one}/status"),
                format!("{one}/text"),
                format!("{one}/download"),
                format!("{one}/chunks"),
                chunk.clone(),
            ] {
                let reply = client.get(&path).await;
                assert_eq!((reply.status, &*reply.code()), (404, "NOT_FOUND"), "{who} {path}");
            }
            let ids = json!({ "document_ids": [document["id"]] });
            for (method, path, body) in [
                (Method::PATCH, base.clone(), json!({ "name": "Mía" })),
                (Method::DELETE, base.clone(), json!({})),
                (Method::POST, format!("{base}/search"), json!({ "query": ASKED })),
                (Method::POST, format!("{base}/assignments"), json!({ "agent": "maya" })),
                (Method::DELETE, format!("{base}/assignments/maya"), json!({})),
                (Method::POST, format!("{documents}/text"), json!({ "content": "hola" })),
                (Method::POST, format!("{documents}/url"), json!({ "url": "https://example.com" })),
                (Method::POST, format!("{documents}/delete"), ids.clone()),
                (Method::POST, format!("{documents}/reprocess"), ids),
                (Method::PATCH, one.clone(), json!({ "title": "Mío" })),
                (Method::DELETE, one.clone(), json!({})),
                (Method::POST, format!("{one}/reprocess"), json!({})),
                (Method::POST, format!("{one}/cancel"), json!({})),
                (Method::PUT, format!("{one}/text"), json!({ "content": "hola" })),
            ] {
                let reply = client.send(method, &path, Some(&body)).await;
                assert_eq!((reply.status, &*reply.code()), (404, "NOT_FOUND"), "{who} {path}");
            }
            for (method, path) in [
                (Method::POST, documents.clone()),
                (Method::POST, documents.replace(KBS, "/api/corpus")),
                (Method::PUT, format!("{one}/file")),
            ] {
                let file = Field::file("a.txt", b"hola");
                let reply = client.form(method, &path, &[file]).await;
                assert_eq!((reply.status, &*reply.code()), (404, "NOT_FOUND"), "{who} {path}");
            }
        }
        // The owner still has it all.
        assert_eq!(found(&world.owner, kb, ASKED).await.len(), 1);
        assert_eq!(world.owner.get(&format!("{one}/download")).await.text, SECRET);
        assert_eq!(world.owner.get(&one).await.ok(200), *document);
    }

    async fn nothing_that_is_listed_tells_of_it(db) {
        let world = World::new(db).await;
        let owner = &world.owner;
        // Work on it is the owner's own matter too, whether it goes well or not.
        let broken = [b"PK\x03\x04 word/document".to_vec(), vec![0; 300]].concat();
        let reply = upload(owner, &world.kb, &[Field::file("ocelote-roto.docx", &broken)]).await;
        let failed = crate::harness::settled(owner, &world.kb, &reply.ok(202)).await;
        assert_eq!(failed["status"], "failed", "{failed}");
        owner
            .patch(&document_path(&world.kb, &world.document), json!({ "title": "ocelote dos" }))
            .await
            .ok(200);
        owner.patch(&kb_path(&world.kb), json!({ "description": "de ocelote" })).await.ok(200);

        for (who, client) in &world.others {
            let listed = all_pages(client, KBS, 200).await;
            assert!(listed.iter().all(|kb| kb["id"] != world.kb["id"]), "{who}");
            for path in [
                KBS,
                "/api/v1/jobs?limit=200",
                "/api/v1/audit-log?limit=200",
                "/api/v1/agents?limit=200",
                "/api/v1/agents/maya/knowledge?limit=200",
                "/api/v1/usage",
                "/api/v1/usage/credits?limit=200",
            ] {
                let reply = client.get(path).await;
                assert!(matches!(reply.status, 200 | 403), "{who} {path}: {}", reply.text);
                assert!(!reply.text.contains(MARK), "{who} {path}: {}", reply.text);
            }
        }
        let theirs = [id(&world.document), id(&failed)];
        let scope = world.tenant.scope();
        let tx = world.app.app.store.read(scope).await.unwrap();
        let page = PageRequest::default();
        let jobs = tx.jobs().list(Some(world.owner_id), None, page).await.unwrap();
        let jobs: Vec<_> = jobs
            .data
            .into_iter()
            .filter(|job| theirs.iter().any(|id| job.payload.to_string().contains(id)))
            .collect();
        assert_eq!(jobs.len(), 2);
        for (who, client) in &world.others {
            let reply = client.get("/api/v1/jobs?limit=200").await;
            assert!(theirs.iter().all(|id| !reply.text.contains(id)), "{who}: {}", reply.text);
            for job in &jobs {
                let path = format!("/api/v1/jobs/{}", job.id);
                for reply in [
                    client.get(&path).await,
                    client.poke(&format!("{path}/cancel")).await,
                    client.poke(&format!("{path}/retry")).await,
                ] {
                    assert!(matches!(reply.status, 403 | 404), "{who}: {}", reply.text);
                }
            }
        }
        let listed = all_pages(owner, KBS, 200).await;
        assert!(listed.iter().any(|kb| kb["id"] == world.kb["id"]));
    }

    async fn an_agent_reads_it_in_its_owners_chats_alone(db) {
        let world = World::new(db).await;
        let knows = async |client: &Client| {
            let answer = ask(client, "maya", ASKED).await;
            answer.to_string().contains("4471")
        };
        assert!(knows(&world.owner).await);
        for (who, client) in &world.others {
            assert!(!knows(client).await, "{who}");
        }
        let admin = &world.others[2].1;
        // Nor does the agent's search tell a program.
        let secret = json!({ "value": "un secreto compartido y largo" });
        admin.put("/api/v1/secrets/n8n_shared_secret", secret).await.ok(200);
        let n8n = world.app.stranger().with("x-n8n-secret", "un secreto compartido y largo");
        let body = json!({ "agentId": "maya", "projectId": "acme", "query": ASKED, "threshold": 0 });
        let reply = n8n.post("/api/rag/search", body).await;
        reply.ok(200);
        assert!(!reply.text.contains("4471"), "{}", reply.text);

        // Switching it off counts from the next question on, and so does switching it on again.
        for allowed in [false, true, false] {
            let body = json!({ "allows_personal_corpus": allowed });
            let agent = admin.patch("/api/v1/agents/maya", body).await.ok(200);
            assert_eq!(agent["allows_personal_corpus"], allowed);
            assert_eq!(knows(&world.owner).await, allowed);
            assert_eq!(found(&world.owner, &world.kb, ASKED).await.len(), 1, "it is still theirs");
        }
    }

    async fn nobody_is_quoted_it_in_a_conversation_with_a_customer(db) {
        let world = World::new(db).await;
        let owner = &world.owner;
        let lead = make_lead(owner, "Rosa").await;
        let says = json!([{ "role": "user", "content": ASKED }]);
        let chat = "/api/agents/maya/chat";
        let mut conversations = Vec::new();
        for named in [
            json!({ "messages": says, "stream": false, "lead_id": lead["id"] }),
            json!({ "messages": says, "stream": false, "user": "una visita" }),
        ] {
            let reply = owner.post(chat, named).await;
            conversations.push(reply.ok(200)["conversation_id"].clone());
            assert!(!reply.text.contains("4471"), "{}", reply.text);
        }
        let again = json!({ "messages": says, "stream": false, "conversation_id": conversations[0] });
        let reply = owner.post(chat, again).await;
        reply.ok(200);
        assert!(!reply.text.contains("4471"), "{}", reply.text);
        let completion = json!({ "model": "maya", "messages": says, "user": "una visita" });
        let reply = owner.post("/v1/chat/completions", completion).await;
        reply.ok(200);
        assert!(!reply.text.contains("4471"), "{}", reply.text);
        for conversation in &conversations {
            let path = format!("/api/v1/conversations/{}/messages", conversation.as_str().unwrap());
            let said = world.tenant.admin.client.get(&path).await;
            said.ok(200);
            assert!(!said.text.contains("4471"), "{}", said.text);
        }

        // Neither by a tool, nor over the Model Context Protocol.
        let tool = "/api/v1/agents/maya/tools/search_knowledge_base";
        let mut body = json!({ "arguments": { "query": ASKED } });
        assert!(owner.post(tool, body.clone()).await.text.contains("4471"), "it is theirs without a customer");
        body["context"] = json!({ "lead_id": lead["id"] });
        let reply = owner.post(tool, body).await;
        reply.ok(200);
        assert!(!reply.text.contains("4471"), "{}", reply.text);
        let over_mcp = async |client: &Client, method: &str, params: Value| {
            let call = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            let reply = client.with("mcp-protocol-version", "2025-06-18").post("/mcp/maya", call).await;
            reply.ok(200);
            reply.text
        };
        let for_rosa = owner.with("x-quipu-lead", lead["id"].as_str().unwrap());
        let call = json!({ "name": "search_knowledge_base", "arguments": { "query": ASKED } });
        assert!(!over_mcp(&for_rosa, "tools/call", call).await.contains("4471"));
        assert!(over_mcp(owner, "resources/list", json!({})).await.contains(MARK));
        assert!(!over_mcp(&for_rosa, "resources/list", json!({})).await.contains(MARK));
        let uri = format!("quipu://knowledge-bases/{}/documents/{}", id(&world.kb), id(&world.document));
        let read = json!({ "uri": uri });
        assert!(over_mcp(owner, "resources/read", read.clone()).await.contains("4471"));
        assert!(!over_mcp(&for_rosa, "resources/read", read).await.contains("4471"));
    }

    async fn an_agent_that_does_not_allow_it_is_not_given_one(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        let agent = make_agent(admin, "Uno").await;
        assert_eq!(agent["allows_personal_corpus"], false, "unless asked for");
        let member = app.member(&tenant, Role::Member).await.client;
        let kb = make_personal_kb(&member, "Notas").await;
        let path = format!("{}/assignments", kb_path(&kb));
        let body = json!({ "agent": "uno" });
        let reply = member.post(&path, body.clone()).await;
        reply.refused(409, "PERSONAL_CORPUS_NOT_ALLOWED");
        admin
            .patch("/api/v1/agents/uno", json!({ "allows_personal_corpus": true }))
            .await
            .ok(200);
        member.post(&path, body.clone()).await.ok(200);
        // A member hands out only what is theirs.
        let shared = make_kb(admin, "De todos").await;
        let path = format!("{}/assignments", kb_path(&shared));
        member.post(&path, body).await.refused(403, "FORBIDDEN");
    }

    async fn only_people_have_their_own(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let program = app.program(&tenant, Permission::ALL).await;
        let body = json!({ "name": "Mía", "scope": "personal" });
        program.post(KBS, body).await.refused(403, "PERSON_REQUIRED");
        // A member has the whole of their own, although they may not write to what is shared.
        let member = app.member(&tenant, Role::Member).await.client;
        let kb = make_personal_kb(&member, "Mía").await;
        let document = teach_text(&member, &kb, "Nota", SECRET).await;
        let one = document_path(&kb, &document);
        member.patch(&one, json!({ "title": "Otra" })).await.ok(200);
        member.poke(&format!("{one}/reprocess")).await.ok(202);
        ready(&member, &kb, &document).await;
        member.patch(&kb_path(&kb), json!({ "name": "Mía dos" })).await.ok(200);
        member.delete(&one).await.ok(200);
        member.delete(&kb_path(&kb)).await.ok(200);
    }

    async fn it_goes_when_its_owner_goes(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let person = app.member(&tenant, Role::Member).await;
        let kb = make_personal_kb(&person.client, "Mía").await;
        teach_file(&person.client, &kb, "nota.txt", SECRET.as_bytes()).await;
        let folder = app.originals().join(tenant.id.to_string()).join(id(&kb));
        assert!(folder.exists(), "{}", folder.display());
        let admin = &tenant.admin.client;
        admin.delete(&format!("/api/v1/members/{}", person.id)).await.ok(204);
        assert!(!folder.exists());
        // Coming back does not bring it back.
        app.join(tenant.id, person.id, Role::Member).await;
        person.client.get(&kb_path(&kb)).await.refused(404, "NOT_FOUND");
        assert!(all_pages(&person.client, KBS, 200).await.is_empty());
    }
}
