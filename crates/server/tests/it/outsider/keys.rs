//! To whom keys are sent, and what is left of one that was revoked.

use crate::harness::{Client, KBS, Options, TestApp};
use crate::talk::Talk;
use quipu_core::access::{Permission, Role};
use quipu_testkit::model::{Dialect, ScriptedModel, Step};
use quipu_testkit::{TestDatabase, db_test};
use serde_json::{Value, json};

const KEY: &str = "sk-muy-privada-1234567890";

async fn with_model(db: TestDatabase, model: &ScriptedModel) -> TestApp {
    let host = model.host();
    TestApp::start_with(db, |options: &mut Options| {
        options.config.models.allow_hosts = vec![host.clone()];
        options.config.embeddings.allow_hosts = vec![host];
    })
    .await
}

/// Whether the key was shown to the stand-in in any way, after so many requests.
fn was_told(model: &ScriptedModel, after: usize) -> bool {
    let told = |value: &[u8]| String::from_utf8_lossy(value).contains(KEY);
    model.requests().iter().skip(after).any(|asked| {
        let in_headers = asked.headers.values().any(|value| told(value.as_bytes()));
        in_headers || asked.query.contains(KEY) || asked.body.to_string().contains(KEY)
    })
}

async fn put(client: &Client, name: &str, body: Value) -> Value {
    let path = format!("/api/v1/secrets/{name}");
    client.put(&path, body).await.ok(200)
}

db_test! {
    async fn a_member_has_no_key_sent_to_a_server_of_theirs(db) {
        let model = ScriptedModel::start([Step::raw(200, "{}").always()]).await;
        let app = with_model(db, &model).await;
        let tenant = app.tenant("acme").await;
        put(&tenant.admin.client, "custom_embedding_api_key", json!({ "value": KEY })).await;
        let base = model.base(Dialect::Openai);
        let custom = json!({ "provider": "custom", "model": "m", "dimensions": 4, "base_url": base });
        let member = app.member(&tenant, Role::Member).await.client;
        let body = json!({ "name": "Mía", "scope": "personal", "embedding_config": custom });
        let error = member.post(KBS, body).await.refused(422, "VALIDATION_FAILED");
        assert!(error.to_string().contains("embedding_config.provider"), "{error}");
        let made = member.post(KBS, json!({ "name": "Mía", "scope": "personal" })).await.ok(201);
        let path = format!("{KBS}/{}", made["id"].as_str().unwrap());
        let reply = member.patch(&path, json!({ "embedding_config": custom })).await;
        reply.refused(422, "VALIDATION_FAILED");
        assert!(!was_told(&model, 0));
    }

    async fn a_key_goes_to_the_servers_that_it_was_stored_for(db) {
        let model = ScriptedModel::start([Step::says("Hola.").always()]).await;
        let app = with_model(db, &model).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        let manager = app.member(&tenant, Role::Manager).await.client;
        manager.post("/api/v1/agents", json!({ "name": "Uno" })).await.ok(201);
        let origin = format!("http://{}", model.host());
        for (provider, name, dialect) in [
            ("openai_compatible", "openai_compatible_api_key", Dialect::Openai),
            ("ollama", "ollama_api_key", Dialect::Ollama),
        ] {
            let before = model.requests().len();
            let stored = put(admin, name, json!({ "value": KEY })).await;
            assert_eq!(stored["origins"], json!([]));
            let config = json!({ "provider": provider, "model": "m", "base_url": model.base(dialect) });
            for settings in [
                json!({ "model": config, "fallback_model": null, "voice_model": null }),
                json!({ "model": null, "voice_model": config }),
                json!({ "model": config, "fallback_model": config }),
            ] {
                manager.patch("/api/v1/agents/uno", json!({ "settings": settings })).await.ok(200);
                for channel in ["web", "voice"] {
                    let messages = json!([{ "role": "user", "content": "¿qué tal?" }]);
                    let body = json!({ "messages": messages, "stream": false, "channel": channel });
                    manager.post("/api/agents/uno/chat", body).await.ok(200);
                }
            }
            assert!(!was_told(&model, before), "{provider}");
            // Whoever may write secrets says where it may go, without saying the key again.
            let bound = put(admin, name, json!({ "origins": [origin] })).await;
            assert_eq!((bound["origins"].clone(), bound["mask"].clone()), (json!([origin]), stored["mask"].clone()));
            let messages = json!([{ "role": "user", "content": "¿qué tal?" }]);
            let body = json!({ "messages": messages, "stream": false });
            manager.post("/api/agents/uno/chat", body).await.ok(200);
            assert!(was_told(&model, before), "{provider}");
            let before = model.requests().len();
            // A new value stays bound to the same servers, and is bound to others only by name.
            assert_eq!(put(admin, name, json!({ "value": KEY })).await["origins"], json!([origin]));
            put(admin, name, json!({ "origins": ["https://otro.example"] })).await;
            let body = json!({ "messages": [{ "role": "user", "content": "¿y ahora?" }], "stream": false });
            manager.post("/api/agents/uno/chat", body).await.ok(200);
            assert!(!was_told(&model, before), "{provider}");
        }
        let audit = admin.get("/api/v1/audit-log?limit=100").await;
        assert!(audit.text.contains("https://otro.example") && !audit.text.contains(KEY), "{}", audit.text);
    }

    async fn origins_are_named_by_whoever_may_write_secrets_and_nobody_else(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        let path = "/api/v1/secrets/openai_compatible_api_key";
        admin.put(path, json!({ "origins": ["https://a.example"] })).await.refused(404, "NOT_FOUND");
        put(admin, "openai_compatible_api_key", json!({ "value": KEY })).await;
        for wrong in ["https://a.example/v1", "a.example", "https://ana:clave@a.example", "*", "file:///"] {
            let reply = admin.put(path, json!({ "origins": [wrong] })).await;
            reply.refused(422, "VALIDATION_FAILED");
        }
        admin.put(path, json!({})).await.refused(422, "VALIDATION_FAILED");
        let reply = admin.put("/api/v1/secrets/openai_api_key", json!({ "value": KEY, "origins": ["https://a.example"] })).await;
        reply.refused(422, "VALIDATION_FAILED");
        let manager = app.member(&tenant, Role::Manager).await.client;
        let error = manager.put(path, json!({ "origins": ["https://a.example"] })).await;
        assert_eq!(error.refused(403, "FORBIDDEN")["details"]["permission"], "secrets:write");
        let many: Vec<String> = (0..21).map(|n| format!("https://a{n}.example")).collect();
        admin.put(path, json!({ "origins": many })).await.refused(422, "VALIDATION_FAILED");
    }

    async fn a_key_in_an_address_is_refused_and_one_that_is_there_is_not_shown(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        let agent = admin.post("/api/v1/agents", json!({ "name": "Uno" })).await.ok(201);
        for base in [
            format!("https://modelos.example/v1?api_key={KEY}"),
            format!("https://{KEY}@modelos.example/v1"),
            format!("https://ana:{KEY}@modelos.example/v1"),
            format!("https//ana:{KEY}@modelos.example/v1"),
            format!("ftp://ana:{KEY}@modelos.example/v1"),
            format!("ana:{KEY}@modelos.example"),
        ] {
            let config = json!({ "provider": "openai_compatible", "model": "m", "base_url": base });
            let settings = json!({ "settings": { "model": config } });
            let reply = admin.patch("/api/v1/agents/uno", settings.clone()).await;
            assert!(!reply.text.contains(KEY), "{}", reply.text);
            reply.refused(422, "VALIDATION_FAILED");
            let config = json!({ "provider": "custom", "model": "m", "dimensions": 4, "base_url": base });
            let reply = admin.post(KBS, json!({ "name": "Otra", "embedding_config": config })).await;
            reply.refused(422, "VALIDATION_FAILED");
        }
        let azure = "https://modelos.example/v1?api-version=2024-10-21";
        let config = json!({ "provider": "openai_compatible", "model": "m", "base_url": azure });
        admin.patch("/api/v1/agents/uno", json!({ "settings": { "model": config } })).await.ok(200);
        // As it was stored before addresses were looked at.
        let stored = json!({ "model": {
            "provider": "openai_compatible", "model": "m", "base_url": format!("https://modelos.example/v1?api_key={KEY}"),
        } });
        app.db.execute(&format!("UPDATE agents SET settings = '{stored}'")).await;
        let id = agent["id"].as_str().unwrap();
        for path in [format!("/api/v1/agents/{id}"), "/api/v1/agents".to_owned()] {
            let reply = admin.get(&path).await;
            assert!(reply.ok(200).to_string().contains("https://modelos.example/v1"), "{}", reply.text);
            assert!(!reply.text.contains(KEY), "{}", reply.text);
        }
        // Whoever only reads learns the server, in whatever form a key may stand behind it.
        let stored = json!({ "model": {
            "provider": "openai_compatible", "model": "m", "base_url": format!("https://modelos.example/nvapi-{KEY}/v1"),
        } });
        app.db.execute(&format!("UPDATE agents SET settings = '{stored}'")).await;
        let member = app.member(&tenant, Role::Member).await.client;
        for reader in [member, app.program(&tenant, &[Permission::Chat, Permission::AgentsRead]).await] {
            let seen = reader.get("/api/v1/agents/uno").await.ok(200);
            assert_eq!(seen["settings"]["model"]["base_url"], "https://modelos.example", "{seen}");
        }
    }

    async fn a_key_leaves_no_way_in_or_out_behind(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let program = app.program(&tenant, Permission::ALL).await;
        let member = app.member(&tenant, Role::Member).await;
        put(&tenant.admin.client, "openai_compatible_api_key", json!({ "value": KEY })).await;
        let promoted = format!("/api/v1/members/{}", member.id);
        for (path, body) in [
            ("/api/v1/secrets/n8n_shared_secret", json!({ "value": "un secreto compartido y largo" })),
            ("/api/v1/secrets/openai_compatible_api_key", json!({ "origins": ["https://a.example"] })),
            // Its owner reads along at the provider.
            ("/api/v1/secrets/openai_api_key", json!({ "value": "sk-de-alguien-mas" })),
        ] {
            program.put(path, body.clone()).await.refused(403, "PERSON_REQUIRED");
            tenant.admin.client.put(path, body).await.ok(200);
        }
        let admin = json!({ "role": "admin" });
        program.patch(&promoted, admin.clone()).await.refused(403, "PERSON_REQUIRED");
        tenant.admin.client.patch(&promoted, admin).await.ok(200);
        // What customers say is not sent where a key said that has long been taken back.
        let config = json!({ "provider": "openai_compatible", "model": "m", "base_url": "https://a.example/v1" });
        let settings = json!({ "settings": { "model": config } });
        let make = json!({ "name": "Dos", "settings": settings["settings"] });
        program.post("/api/v1/agents", make).await.refused(403, "PERSON_REQUIRED");
        program.post("/api/v1/agents", json!({ "name": "Uno" })).await.ok(201);
        program.patch("/api/v1/agents/uno", settings.clone()).await.refused(403, "PERSON_REQUIRED");
        program.put("/api/v1/agents/uno/draft", settings.clone()).await.refused(403, "PERSON_REQUIRED");
        tenant.admin.client.patch("/api/v1/agents/uno", settings.clone()).await.ok(200);
        program.patch("/api/v1/agents/uno", settings).await.ok(200);
        // By the path some servers tell whose account it is.
        let elsewhere = json!({ "settings": { "model": { "base_url": "https://a.example/otra-cuenta/v1" } } });
        program.patch("/api/v1/agents/uno", elsewhere.clone()).await.refused(403, "PERSON_REQUIRED");
        tenant.admin.client.patch("/api/v1/agents/uno", elsewhere).await.ok(200);
    }

    async fn a_key_has_no_knowledge_sent_or_read_for_ever(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let program = app.program(&tenant, Permission::ALL).await;
        let admin = &tenant.admin.client;
        let config = json!({ "provider": "custom", "model": "m", "dimensions": 32, "base_url": "https://a.example/v1" });
        let elsewhere = json!({ "name": "Lejos", "embedding_config": config });
        program.post(KBS, elsewhere.clone()).await.refused(403, "PERSON_REQUIRED");
        let kb = program.post(KBS, json!({ "name": "Cerca" })).await.ok(201);
        let path = format!("{KBS}/{}", kb["id"].as_str().unwrap());
        let change = json!({ "embedding_config": config });
        program.patch(&path, change.clone()).await.refused(403, "PERSON_REQUIRED");
        // A person may, and then a program changes what else there is.
        admin.patch(&path, change.clone()).await.ok(200);
        program.patch(&path, json!({ "name": "Aquí", "embedding_config": config })).await.ok(200);

        let sites = format!("{path}/websites");
        let site = |refresh: &str| json!({ "address": format!("https://{refresh}.example/"), "refresh": refresh });
        program.post(&sites, site("daily")).await.refused(403, "PERSON_REQUIRED");
        let added = program.post(&sites, site("never")).await.ok(202);
        let added = format!("/api/v1/websites/{}", added["id"].as_str().unwrap());
        let daily = json!({ "refresh": "daily" });
        program.patch(&added, daily.clone()).await.refused(403, "PERSON_REQUIRED");
        admin.patch(&added, daily.clone()).await.ok(200);
        program.patch(&added, daily).await.ok(200);
    }

    async fn whoever_is_shut_out_keeps_no_token_of_others(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let (root, other) = (app.super_admin().await, app.super_admin().await);
        let set = async |token: &Value| {
            let body = json!({ "reset_token": token, "password": "un telar de alpaca gris" });
            app.stranger().post("/api/v1/auth/password/reset", body).await
        };
        let shut_out = json!({ "status": "suspended" });
        let path = format!("/api/v1/users/{}/reset-token", root.id);
        let held = other.client.poke(&path).await.ok(200)["reset_token"].clone();
        let invited = json!({ "email": "nadie@acme.test", "name": "Nadie", "role": "admin" });
        let invited = tenant.admin.client.post("/api/v1/members", invited).await.ok(201);
        root.client.patch(&format!("/api/v1/users/{}", other.id), shut_out.clone()).await.ok(200);
        set(&held).await.refused(400, "INVALID_RESET_TOKEN");
        // The token of an invitation went with them; another one goes with the admin who asked for it.
        let path = format!("/api/v1/members/{}/reset-token", invited["user_id"].as_str().unwrap());
        let held = tenant.admin.client.poke(&path).await.ok(200)["reset_token"].clone();
        root.client.patch(&format!("/api/v1/users/{}", tenant.admin.id), shut_out).await.ok(200);
        set(&held).await.refused(400, "INVALID_RESET_TOKEN");
    }

    async fn the_keys_of_whoever_leaves_end_for_good(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = app.member(&tenant, Role::Admin).await;
        let asked = json!({ "name": "suya", "scopes": ["agents:read"] });
        let key = admin.client.post("/api/v1/api-keys", asked).await.ok(201)["key"].clone();
        let program = app.stranger().bearer(key.as_str().unwrap());
        program.get("/api/v1/agents").await.ok(200);
        tenant.admin.client.delete(&format!("/api/v1/members/{}", admin.id)).await.ok(204);
        let root = app.super_admin().await.client.in_tenant(&tenant.slug);
        let back = json!({ "email": admin.email, "name": "De vuelta", "role": "admin" });
        root.post("/api/v1/members", back).await.ok(201);
        program.get("/api/v1/agents").await.refused(401, "UNAUTHENTICATED");
    }

    async fn a_key_lets_nobody_in_again(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let program = app.program(&tenant, Permission::ALL).await;
        let other = app.member(&tenant, Role::Admin).await;
        let path = format!("/api/v1/members/{}", other.id);
        tenant.admin.client.patch(&path, json!({ "status": "suspended" })).await.ok(200);
        let back = json!({ "status": "active" });
        program.patch(&path, back.clone()).await.refused(403, "PERSON_REQUIRED");
        other.client.get("/api/v1/secrets").await.refused(400, "TENANT_REQUIRED");
        tenant.admin.client.patch(&path, back).await.ok(200);
    }

    async fn a_key_that_hears_nothing_takes_no_place_from_who_does(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let visitor = app.program(&tenant, &[Permission::Chat]).await;
        visitor.get("/api/v1/events?seconds=1").await.refused(403, "FORBIDDEN");
    }

    async fn the_audit_log_tells_no_instructions_and_of_addresses_the_server(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        admin.post("/api/v1/agents", json!({ "name": "Uno" })).await.ok(201);
        let model = json!({ "provider": "openai_compatible", "model": "m", "base_url": "https://a.example/sala-azul/v1" });
        let experiment = json!({ "name": "otra", "percent": 50, "system_instructions": "El margen de prueba es violeta." });
        let body = json!({ "settings": { "model": model, "system_instructions": "El margen es violeta.", "experiment": experiment } });
        admin.patch("/api/v1/agents/uno", body.clone()).await.ok(200);
        admin.put("/api/v1/agents/uno/draft", body).await.ok(200);
        let auditor = app.program(&tenant, &[Permission::AuditRead]).await;
        let log = auditor.get("/api/v1/audit-log?limit=100").await;
        log.ok(200);
        assert!(log.text.contains("https://a.example"), "{}", log.text);
        assert!(!log.text.contains("violeta") && !log.text.contains("sala-azul"), "{}", log.text);
    }

    async fn a_page_behind_a_key_in_its_address_is_not_taken(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let kb = client.post(KBS, json!({ "name": "Web" })).await.ok(201);
        let path = format!("{KBS}/{}/documents/url", kb["id"].as_str().unwrap());
        for address in ["https://ana:clave@a.example/carta", "https://a.example/carta?api_key=clave"] {
            let error = client.post(&path, json!({ "url": address })).await.refused(422, "VALIDATION_FAILED");
            assert!(error.to_string().contains("private_page"), "{error}");
        }
    }

    async fn what_a_key_made_ends_with_it(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        let keys = "/api/v1/api-keys";
        let make = async |maker: &Client, scopes: Value| {
            let made = maker.post(keys, json!({ "name": "clave", "scopes": scopes })).await.ok(201);
            let client = app.stranger().bearer(made["key"].as_str().unwrap());
            (made["id"].as_str().unwrap().to_owned(), client)
        };
        let all = json!(["keys:write", "keys:read", "agents:read"]);
        let (first, parent) = make(admin, all.clone()).await;
        let (_, child) = make(&parent, all.clone()).await;
        let (_, grandchild) = make(&child, all.clone()).await;
        let (_, other) = make(admin, all).await;
        grandchild.get("/api/v1/agents").await.ok(200);
        assert_eq!(admin.delete(&format!("{keys}/{first}")).await.status, 204);
        for gone in [&parent, &child, &grandchild] {
            gone.get("/api/v1/agents").await.refused(401, "UNAUTHENTICATED");
        }
        other.get("/api/v1/agents").await.ok(200);
        let audit = admin.get("/api/v1/audit-log").await.text;
        assert_eq!(audit.matches("api_key.revoke").count(), 3, "{audit}");
    }

    async fn an_invitation_ends_with_the_rights_of_whoever_made_it(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        let members = "/api/v1/members";
        for (number, leaves) in ["demoted", "removed", "stays"].into_iter().enumerate() {
            let other = app.member(&tenant, Role::Admin).await;
            let body = json!({ "email": format!("nueva{number}@prueba.test"), "name": "Nueva", "role": "admin" });
            let invited = other.client.post(members, body).await.ok(201);
            let path = format!("{members}/{}", other.id);
            match leaves {
                "demoted" => drop(admin.patch(&path, json!({ "role": "member" })).await.ok(200)),
                "removed" => drop(admin.delete(&path).await),
                _ => {}
            }
            let body = json!({ "reset_token": invited["invitation"]["reset_token"], "password": "una frase bastante larga" });
            let set = app.stranger().post("/api/v1/auth/password/reset", body).await;
            if leaves == "stays" {
                assert_eq!(set.status, 204, "{}", set.text);
            } else {
                set.refused(400, "INVALID_RESET_TOKEN");
            }
        }
    }

    async fn a_key_is_given_no_invitation(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        let scopes = quipu_core::access::Permission::ALL;
        let made = admin.post("/api/v1/api-keys", json!({ "name": "clave", "scopes": scopes })).await.ok(201);
        let program = app.stranger().bearer(made["key"].as_str().unwrap());
        let members = "/api/v1/members";
        let body = json!({ "email": "nueva@prueba.test", "name": "Nueva", "role": "admin" });
        let invited = program.post(members, body).await.ok(201);
        assert_eq!(invited["invitation"], Value::Null, "{invited}");
        // A person hands the token out.
        let path = format!("{members}/{}/reset-token", invited["user_id"].as_str().unwrap());
        program.poke(&path).await.refused(403, "PERSON_REQUIRED");
        let token = admin.poke(&path).await;
        assert!(token.json()["reset_token"].is_string(), "{}", token.text);
        let body = json!({ "email": "otra@prueba.test", "name": "Otra", "role": "member" });
        let invited = admin.post(members, body).await.ok(201);
        assert!(invited["invitation"]["reset_token"].is_string(), "{invited}");
    }
}

/// Where an agent names no server, the installation's is asked, which a bound key is not for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bound_key_is_not_sent_to_the_server_of_the_installation() {
    let model = ScriptedModel::start([Step::says("Hola.").always()]).await;
    let (host, base) = (model.host(), model.base(Dialect::Ollama));
    let app = TestApp::start_with(TestDatabase::sqlite(), |options: &mut Options| {
        options.config.models.allow_hosts = vec![host];
        options.config.models.ollama_base_url = base;
    })
    .await;
    let tenant = app.tenant("acme").await;
    let admin = &tenant.admin.client;
    let config = json!({ "provider": "ollama", "model": "m" });
    let made = json!({ "name": "Uno", "settings": { "model": config } });
    admin.post("/api/v1/agents", made).await.ok(201);
    for (origins, told) in [(json!(["https://otro.example"]), false), (json!([]), true)] {
        let before = model.requests().len();
        let secret = json!({ "value": KEY, "origins": origins });
        put(admin, "ollama_api_key", secret).await;
        let messages = json!([{ "role": "user", "content": "¿qué tal?" }]);
        let body = json!({ "messages": messages, "stream": false });
        admin.post("/api/agents/uno/chat", body).await.ok(200);
        assert!(model.requests().len() > before);
        assert_eq!(was_told(&model, before), told);
    }
}

/// Nothing of the key that a model's server has is left in what a tenant reads of a turn.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_for_another_server_makes_a_turn_that_says_it_is_less() {
    let talk = Talk::open(TestDatabase::sqlite(), [Step::says("No debería.").always()]).await;
    put(
        &talk.admin,
        "openai_compatible_api_key",
        json!({ "value": KEY }),
    )
    .await;
    let answer = talk.ask("hola, ¿qué servicios tienen?").await;
    assert_eq!(answer["degraded"], true, "{answer}");
    assert!(talk.model.requests().is_empty());
}
