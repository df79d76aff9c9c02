//! Guessing at doors: passwords, shared secrets, links, addresses that have accounts.

use crate::harness::{PASSWORD, Reply, TestApp};
use quipu_core::access::{Permission, Role};
use quipu_testkit::{TestDatabase, db_test};
use serde_json::json;
use std::time::Duration;

const LOGIN: &str = "/api/v1/auth/login";
const N8N: &str = "/api/v1/secrets/n8n_shared_secret";

/// A server that believes what its proxy says of who asks.
async fn behind_a_proxy(db: TestDatabase) -> TestApp {
    TestApp::start_with(db, |options| {
        options.config.server.trust_forwarded_for = true;
        options.config.auth.sign_ins_per_minute = 1000;
    })
    .await
}

async fn login(app: &TestApp, from: &str, email: &str, password: &str) -> Reply {
    let body = json!({ "email": email, "password": password });
    let client = app.stranger().with("x-forwarded-for", from);
    client.post(LOGIN, body).await
}

async fn search(app: &TestApp, from: &str, secret: &str) -> Reply {
    let body = json!({ "agentId": "uno", "projectId": "acme", "query": "horario" });
    let client = app.stranger().with("x-forwarded-for", from);
    client
        .with("x-n8n-secret", secret)
        .post("/api/rag/search", body)
        .await
}

db_test! {
    async fn wrong_passwords_of_a_stranger_do_not_lock_the_right_one_out(db) {
        let app = behind_a_proxy(db).await;
        let ana = app.person_with_password("ana@prueba.test").await;
        for _ in 0..5 {
            login(&app, "198.51.100.7", &ana.email, "no es esta").await.refused(401, "BAD_CREDENTIALS");
        }
        login(&app, "198.51.100.7", &ana.email, PASSWORD).await.refused(429, "TOO_MANY_FAILURES");
        login(&app, "203.0.113.9", &ana.email, PASSWORD).await.ok(200);
        // Somebody else's success does not open the door for whoever guesses.
        login(&app, "198.51.100.7", &ana.email, PASSWORD).await.refused(429, "TOO_MANY_FAILURES");
        // All addresses of one connection of IPv6 are one.
        for n in 0..5 {
            login(&app, &format!("2001:4860:1:2::{n}"), &ana.email, "no es esta").await.refused(401, "BAD_CREDENTIALS");
        }
        login(&app, "2001:4860:1:2::77", &ana.email, PASSWORD).await.refused(429, "TOO_MANY_FAILURES");
        // Guessing from very many addresses at once ends too.
        let mut looked_at = 0;
        for n in 0..60 {
            for _ in 0..4 {
                let reply = login(&app, &format!("198.51.100.{}", 20 + n), &ana.email, "no es esta").await;
                looked_at += usize::from(reply.status == 401);
            }
        }
        assert!(looked_at <= 100, "{looked_at}");
        app.clock.advance(Duration::from_mins(16));
        login(&app, "203.0.113.9", &ana.email, PASSWORD).await.ok(200);
    }

    async fn what_everybody_tries_first_is_no_password(db) {
        let app = TestApp::start(db).await;
        let ana = app.person_with_password("ana@prueba.test").await;
        let works_at = app.tenant("dientefeliz").await;
        app.join(works_at.id, ana.id, Role::Member).await;
        let weak = ["1234567890", "aaaaaaaaaa", "qwertyuiop", "password123", "1q2w3e4r5t", "ana@prueba.test"];
        for weak in weak.into_iter().chain(["dientefeliz2026", "DienteFeliz"]) {
            let body = json!({ "current_password": PASSWORD, "new_password": weak });
            let error = ana.client.post("/api/v1/auth/password", body).await.refused(422, "VALIDATION_FAILED");
            assert!(error.to_string().contains("guessable"), "{error}");
        }
    }

    async fn a_token_is_not_used_up_by_a_password_that_is_refused(db) {
        let app = TestApp::start(db).await;
        let ana = app.person_with_password("ana@prueba.test").await;
        let root = app.super_admin().await.client;
        let path = format!("/api/v1/users/{}/reset-token", ana.id);
        let token = root.post(&path, json!({})).await.ok(200)["reset_token"].clone();
        let reset = async |password: &str| {
            let body = json!({ "reset_token": token, "password": password });
            app.stranger().post("/api/v1/auth/password/reset", body).await
        };
        let error = reset("ana@prueba.test").await.refused(422, "VALIDATION_FAILED");
        assert!(error.to_string().contains("guessable"), "{error}");
        assert!(reset("una frase que nadie adivina").await.status < 300);
        reset("otra frase que nadie adivina").await.refused(400, "INVALID_RESET_TOKEN");
    }

    async fn a_short_shared_secret_is_refused_and_guesses_are_counted(db) {
        let app = behind_a_proxy(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        admin.post("/api/v1/agents", json!({ "name": "Uno" })).await.ok(201);
        for weak in ["7", "secreto", "1234567890123456", "aaaaaaaaaaaaaaaaaaaa", "abcdefghijklmnop", "acme-acme-acme-acme"] {
            admin.put(N8N, json!({ "value": weak })).await.refused(422, "VALIDATION_FAILED");
        }
        let secret = "un secreto compartido y largo";
        admin.put(N8N, json!({ "value": secret })).await.ok(200);
        let mut looked_at = 0;
        for n in 0..100 {
            let reply = search(&app, "198.51.100.7", &format!("intento numero {n} de muchos")).await;
            looked_at += usize::from(reply.status == 401);
        }
        assert!(looked_at <= 30, "{looked_at} of 100 guesses were looked at");
        search(&app, "198.51.100.7", secret).await.refused(429, "TOO_MANY_FAILURES");
        // The tenant's own n8n goes on.
        search(&app, "203.0.113.9", secret).await.ok(200);
    }

    async fn one_key_does_not_spend_what_the_tenant_has(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant_on("acme", "free").await;
        let widget = app.program(&tenant, &[Permission::Chat, Permission::AgentsRead]).await;
        let mut served = 0;
        for _ in 0..200 {
            let reply = widget.get("/api/v1/agents").await;
            if reply.status == 429 {
                break;
            }
            served += 1;
        }
        assert!((1..200).contains(&served), "{served}");
        tenant.admin.client.get("/api/v1/agents").await.ok(200);
        let other = app.program(&tenant, &[Permission::AgentsRead]).await;
        other.get("/api/v1/agents").await.ok(200);
    }

    async fn a_key_that_makes_keys_has_one_share_of_the_requests(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant_on("acme", "free").await;
        let mut keys = vec![app.program(&tenant, &[Permission::AgentsRead, Permission::KeysWrite]).await];
        for generation in 0..3 {
            let body = json!({ "name": format!("{generation}"), "scopes": ["agents:read", "keys:write"] });
            let made = keys[generation].post("/api/v1/api-keys", body).await.ok(201);
            keys.push(app.stranger().bearer(made["key"].as_str().unwrap()));
        }
        for n in 0..200 {
            if keys[n % keys.len()].get("/api/v1/agents").await.status == 429 {
                break;
            }
        }
        let mut served = 0;
        for key in &keys {
            served += usize::from(key.get("/api/v1/agents").await.status == 200);
        }
        // One may come free again meanwhile.
        assert!(served <= 1, "{served} of {} keys were served", keys.len());
        let other = app.program(&tenant, &[Permission::AgentsRead]).await;
        other.get("/api/v1/agents").await.ok(200);
    }

    async fn a_calendar_link_ends_with_its_maker(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        let branch = admin.post("/api/v1/branches", crate::harness::sample("/api/v1/branches", "Centro")).await.ok(201);
        let path = format!("/api/v1/branches/{}/calendar", branch["id"].as_str().unwrap());
        let member = app.member(&tenant, Role::Member).await;
        let made = admin
            .post("/api/v1/api-keys", json!({ "name": "citas", "scopes": ["customers:read", "business:read"] }))
            .await
            .ok(201);
        let program = app.stranger().bearer(made["key"].as_str().unwrap());
        let of_member = member.client.get(&path).await.ok(200)["path"].as_str().unwrap().to_owned();
        let of_key = program.get(&path).await.ok(200)["path"].as_str().unwrap().to_owned();
        let of_admin = admin.get(&path).await.ok(200)["path"].as_str().unwrap().to_owned();
        for link in [&of_member, &of_key, &of_admin] {
            assert_eq!(app.stranger().get(link).await.status, 200);
        }
        let audit = admin.get("/api/v1/audit-log").await.text;
        assert_eq!(audit.matches("calendar_feed.link").count(), 3, "{audit}");
        assert_eq!(admin.delete(&format!("/api/v1/api-keys/{}", made["id"].as_str().unwrap())).await.status, 204);
        assert_eq!(admin.delete(&format!("/api/v1/members/{}", member.id)).await.status, 204);
        assert_eq!(app.stranger().get(&of_key).await.status, 404);
        assert_eq!(app.stranger().get(&of_member).await.status, 404);
        assert_eq!(app.stranger().get(&of_admin).await.status, 200);
        // Whoever comes back makes new links.
        app.clock.advance(Duration::from_secs(1));
        app.join(tenant.id, member.id, Role::Member).await;
        assert_eq!(app.stranger().get(&of_member).await.status, 404);
        let anew = member.client.get(&path).await.ok(200)["path"].as_str().unwrap().to_owned();
        assert_eq!(app.stranger().get(&anew).await.status, 200);
    }

    async fn who_has_an_account_elsewhere_is_told_a_few_times_and_written_down(db) {
        let app = TestApp::start(db).await;
        let (one, two) = (app.tenant("acme").await, app.tenant("otra").await);
        let admin = &one.admin.client;
        let invite = async |email: &str| {
            let body = json!({ "email": email, "name": "Ana", "role": "member" });
            admin.post("/api/v1/members", body).await
        };
        let mut told = 0;
        for n in 0..30 {
            let known = app.person(&format!("persona-{n}@prueba.test")).await;
            app.join(two.id, known.id, Role::Member).await;
            let reply = invite(&known.email).await;
            if reply.status == 429 {
                break;
            }
            reply.refused(409, "EMAIL_UNAVAILABLE");
            told += 1;
        }
        assert!((1..=10).contains(&told), "{told} of 30 were told");
        // Then nobody is, with an account or without.
        invite("nadie@prueba.test").await.refused(429, "TOO_MANY_FAILURES");
        // Many at once are told no more than one after another.
        let mut people = Vec::new();
        for n in 0..30 {
            let known = app.person(&format!("vecino-{n}@prueba.test")).await;
            app.join(one.id, known.id, Role::Member).await;
            people.push(known.email);
        }
        let (body, client) = (|email: &String| json!({ "email": email, "name": "Ana", "role": "member" }), &two.admin.client);
        let replies = people.iter().map(|email| client.post("/api/v1/members", body(email)));
        let replies = futures::future::join_all(replies).await;
        let told_at_once = replies.iter().filter(|reply| reply.status == 409).count();
        assert!((1..=10).contains(&told_at_once), "{told_at_once} of 30 were told");
        let audit = admin.get("/api/v1/audit-log?limit=100").await.text;
        assert_eq!(audit.matches("member.invite_refused").count(), told, "{audit}");
        assert!(!audit.contains("persona-"), "{audit}");
        // Another tenant is no worse off for it.
        let third = app.tenant("tercera").await;
        let body = json!({ "email": "nueva@prueba.test", "name": "Ana", "role": "member" });
        third.admin.client.post("/api/v1/members", body).await.ok(201);
    }
}

/// Whoever runs the platform sees who tries.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sign_ins_failures_and_lock_outs_are_counted() {
    let app = behind_a_proxy(TestDatabase::sqlite()).await;
    let ana = app.person_with_password("ana@prueba.test").await;
    login(&app, "203.0.113.9", &ana.email, PASSWORD)
        .await
        .ok(200);
    for _ in 0..6 {
        login(&app, "198.51.100.7", &ana.email, "no es esta").await;
    }
    let metrics = app.stranger().get("/metrics").await.text;
    for outcome in ["succeeded", "failed", "locked"] {
        let line = format!("quipu_sign_ins_total{{outcome=\"{outcome}\"}}");
        assert!(metrics.contains(&line), "{outcome}: {metrics}");
    }
}
