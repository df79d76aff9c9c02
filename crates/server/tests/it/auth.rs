//! Who gets in, how, and what they may do once inside.

use crate::harness::{
    Client, Documented, Ids, Needs, ONLY_PEOPLE, Operation, PASSWORD, Person, Populated, Reply,
    Tenant, TestApp, add_website, ask, documented, fresh, id, make_agent, make_kb, operations,
};
use quipu_app::{bootstrap, secrets, token};
use quipu_core::ErrorCode;
use quipu_core::access::{Permission, Role};
use quipu_server::config::{Config, Overrides};
use quipu_server::setup;
use quipu_testkit::{db_test, sqlite_test};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;

const LOGIN: &str = "/api/v1/auth/login";
const ME: &str = "/api/v1/auth/me";
const AGENTS: &str = "/api/v1/agents";
const ANOTHER: &str = "otra frase de prueba";

async fn login(app: &TestApp, email: &str, password: &str) -> Reply {
    let body = json!({ "email": email, "password": password });
    app.stranger().post(LOGIN, body).await
}

/// An error without the one part that differs from request to request.
fn without_id(mut error: Value) -> Value {
    error.as_object_mut().unwrap().remove("request_id");
    error
}

/// What also asks for the right to see customers.
const ABOUT_CUSTOMERS: [&str; 5] = [
    "create_script_from_conversation",
    "judge_rehearsal_result",
    "answer_gap",
    "dismiss_gap",
    "reopen_gap",
];

/// Ids of nothing but a knowledge base and its website: rights are looked at before anything is looked
/// up, and whose the knowledge base is decides which right it takes.
async fn almost_nothing(tenant: &Tenant, operation: &Documented) -> Ids {
    let client = &tenant.admin.client;
    let kb = make_kb(client, "Base").await;
    Ids {
        website: if operation.id.contains("website") {
            add_website(client, &kb, "sitio").await
        } else {
            Ids::of_nothing().website
        },
        knowledge_base: id(&kb),
        ..Ids::of_nothing()
    }
}

sqlite_test! {
    async fn signing_in_says_the_same_whatever_is_wrong(db) {
        let app = TestApp::start(db).await;
        let ana = app.person_with_password("ana@prueba.test").await;
        let eva = app.person_with_password("eva@prueba.test").await;
        let root = app.super_admin().await.client;
        let suspend = json!({ "status": "suspended" });
        root.patch(&format!("/api/v1/users/{}", eva.id), suspend)
            .await
            .ok(200);

        // An address is one identity however it is typed.
        let reply = login(&app, " ANA@Prueba.test ", PASSWORD).await;
        let signed_in = reply.ok(200);
        assert_eq!(signed_in["user"]["id"], json!(ana.id));
        let cookie = reply.header("set-cookie");
        for part in [
            "quipu_session=qs_",
            "HttpOnly",
            "SameSite=Lax",
            "Path=/",
            "Max-Age=604800",
        ] {
            assert!(cookie.contains(part), "{cookie}");
        }
        let client = app.stranger().bearer(signed_in["token"].as_str().unwrap());
        client.get(ME).await.ok(200);

        let wrong = login(&app, &ana.email, "no es esta")
            .await
            .refused(401, "BAD_CREDENTIALS");
        let unknown = login(&app, "nadie@prueba.test", PASSWORD).await;
        let unknown = unknown.refused(401, "BAD_CREDENTIALS");
        let suspended = login(&app, &eva.email, PASSWORD)
            .await
            .refused(401, "BAD_CREDENTIALS");
        assert_eq!(without_id(wrong.clone()), without_id(unknown));
        assert_eq!(without_id(wrong), without_id(suspended));
    }

    async fn an_address_is_locked_after_five_failures_known_or_not(db) {
        let app = TestApp::start(db).await;
        let ana = app.person_with_password("ana@prueba.test").await;
        for email in [&*ana.email, "nadie@prueba.test"] {
            for _ in 0..5 {
                login(&app, email, "no es esta")
                    .await
                    .refused(401, "BAD_CREDENTIALS");
            }
            let reply = login(&app, email, PASSWORD).await;
            let error = reply.refused(429, "TOO_MANY_FAILURES");
            assert_eq!(reply.header("retry-after"), "900");
            assert_eq!(error["details"]["retry_after_seconds"], 900);
        }
        // Whoever is signed in already is not thrown out by a stranger's failures.
        ana.client.get(ME).await.ok(200);
        app.clock.advance(Duration::from_secs(899));
        login(&app, &ana.email, PASSWORD)
            .await
            .refused(429, "TOO_MANY_FAILURES");
        app.clock.advance(Duration::from_secs(1));
        login(&app, &ana.email, PASSWORD).await.ok(200);
    }
}

db_test! {
    async fn attempts_made_at_once_count_like_any_others(db) {
        let app = TestApp::start(db).await;
        let ana = app.person_with_password("ana@prueba.test").await;
        let tries = (0..12).map(|_| login(&app, &ana.email, "no es esta"));
        let replies = futures::future::join_all(tries).await;
        let refused = replies.iter().filter(|reply| reply.status == 401).count();
        assert!(refused <= 5, "{refused} of 12 guesses were looked at");
        login(&app, &ana.email, PASSWORD)
            .await
            .refused(429, "TOO_MANY_FAILURES");
    }
}

sqlite_test! {
    async fn one_network_address_cannot_try_without_end(db) {
        let app = TestApp::start_with(db, |options| {
            options.config.auth.sign_ins_per_minute = 2;
        })
        .await;
        let reset = "/api/v1/auth/password/reset";
        let body = json!({ "reset_token": "qr_x", "password": PASSWORD });
        for _ in 0..2 {
            app.stranger()
                .post(reset, body.clone())
                .await
                .refused(400, "INVALID_RESET_TOKEN");
        }
        // A proxy's header is not believed unless the configuration says so.
        let elsewhere = app.stranger().with("x-forwarded-for", "203.0.113.9");
        let reply = elsewhere.post(reset, body).await;
        reply.refused(429, "TOO_MANY_FAILURES");
        assert!(reply.header("retry-after").parse::<u64>().unwrap() >= 1);
    }

    async fn behind_a_trusted_proxy_each_client_has_its_own_attempts(db) {
        let app = TestApp::start_with(db, |options| {
            options.config.auth.sign_ins_per_minute = 1;
            options.config.server.trust_forwarded_for = true;
        })
        .await;
        let attempt = async |forwarded: &str| {
            let body = json!({ "reset_token": "qr_x", "password": PASSWORD });
            let client = app.stranger().with("x-forwarded-for", forwarded);
            client
                .post("/api/v1/auth/password/reset", body)
                .await
                .code()
        };
        assert_eq!(attempt("203.0.113.1").await, "INVALID_RESET_TOKEN");
        assert_eq!(attempt("203.0.113.2").await, "INVALID_RESET_TOKEN");
        // What the client put in front of the proxy's own entry is not believed.
        assert_eq!(
            attempt("198.51.100.7, 203.0.113.1").await,
            "TOO_MANY_FAILURES"
        );
    }

    async fn cookies_are_for_https_only_where_there_is_https(db) {
        let app = TestApp::start_with(db, |options| {
            options.config.server.public_url = "https://quipu.example.com".to_owned();
        })
        .await;
        let ana = app.person_with_password("ana@prueba.test").await;
        let reply = login(&app, &ana.email, PASSWORD).await;
        let token = reply.ok(200)["token"].as_str().unwrap().to_owned();
        let cookie = reply.header("set-cookie");
        assert!(cookie.starts_with("__Host-quipu_session=qs_"), "{cookie}");
        assert!(cookie.ends_with("; Secure"), "{cookie}");
        // One that another host of the domain could have planted is not read.
        let with = |name: &str| app.stranger().with("cookie", &format!("{name}={token}"));
        with("quipu_session").get(ME).await.refused(401, "UNAUTHENTICATED");
        let browser = with("__Host-quipu_session");
        browser.get(ME).await.ok(200);
        let left = browser.poke("/api/v1/auth/logout").await;
        left.ok(204);
        let forgotten = left.header("set-cookie");
        assert!(forgotten.starts_with("__Host-quipu_session=;"), "{forgotten}");
        assert!(forgotten.ends_with("; Max-Age=0; Secure"), "{forgotten}");
    }

    async fn a_browser_signs_in_without_a_script_seeing_the_token(db) {
        let app = TestApp::start(db).await;
        let ana = app.person_with_password("ana@prueba.test").await;
        let body = json!({ "email": ana.email, "password": PASSWORD, "cookie_only": true });
        let reply = app.stranger().post("/api/v1/auth/login", body.clone()).await;
        assert!(reply.ok(200)["token"].is_null());
        assert!(!reply.text.contains("qs_"));
        assert!(reply.header("set-cookie").contains("=qs_"));
        // Nobody is signed in by another's page, as somebody else.
        let elsewhere = app.stranger().with("sec-fetch-site", "cross-site");
        let reply = elsewhere.post("/api/v1/auth/login", body).await;
        reply.refused(403, "CROSS_SITE_REQUEST");
    }

    async fn a_cookie_reads_anywhere_and_writes_only_from_our_own_pages(db) {
        let app = TestApp::start_with(db, |options| {
            options.config.server.cors_origins = vec!["https://panel.example.com".to_owned()];
        })
        .await;
        let tenant = app.tenant("acme").await;
        let token = tenant.admin.client.token().to_owned();
        let browser = app
            .stranger()
            .with("cookie", &format!("theme=dark; quipu_session={token}"));
        browser.get(AGENTS).await.ok(200);
        browser
            .with("sec-fetch-site", "cross-site")
            .get(AGENTS)
            .await
            .ok(200);

        let host = app.url.trim_start_matches("http://").to_owned();
        let own = format!("http://{host}");
        let cases: [(&[(&'static str, &str)], bool); 10] = [
            (&[], true),
            (&[("sec-fetch-site", "same-origin")], true),
            (&[("sec-fetch-site", "none")], true),
            (&[("origin", &own)], true),
            (
                &[
                    ("origin", "https://panel.example.com"),
                    ("sec-fetch-site", "cross-site"),
                ],
                true,
            ),
            (&[("sec-fetch-site", "cross-site")], false),
            (&[("sec-fetch-site", "same-site")], false),
            (&[("origin", "https://malo.example.com")], false),
            (&[("origin", "null")], false),
            (&[("origin", &own), ("sec-fetch-site", "cross-site")], false),
        ];
        for (headers, allowed) in cases {
            let page = headers.iter().fold(browser.clone(), |page, (name, value)| {
                page.with(name, value)
            });
            let reply = page
                .post(AGENTS, json!({ "name": format!("A{}", fresh()) }))
                .await;
            if allowed {
                reply.ok(201);
            } else {
                reply.refused(403, "CROSS_SITE_REQUEST");
            }
        }
        // A bearer token is never sent by a browser on its own, so it may come from anywhere.
        let program = tenant.admin.client.with("sec-fetch-site", "cross-site");
        program
            .post(AGENTS, json!({ "name": "Programa" }))
            .await
            .ok(201);
    }

    async fn signing_out_ends_the_session_at_once(db) {
        let app = TestApp::start(db).await;
        let ana = app.person("ana@prueba.test").await;
        let other = app.sign_in(ana.id).await;
        assert_eq!(
            other
                .get("/api/v1/auth/sessions")
                .await
                .ok(200)
                .as_array()
                .unwrap()
                .len(),
            2
        );
        let reply = ana.client.poke("/api/v1/auth/logout").await;
        reply.ok(204);
        assert!(reply.header("set-cookie").contains("Max-Age=0"));
        ana.client.get(ME).await.refused(401, "UNAUTHENTICATED");

        let sessions = other.get("/api/v1/auth/sessions").await.ok(200);
        assert_eq!(sessions[0]["current"], true);
        let path = format!(
            "/api/v1/auth/sessions/{}",
            sessions[0]["id"].as_str().unwrap()
        );
        other.delete(&path).await.ok(204);
        other.get(ME).await.refused(401, "UNAUTHENTICATED");
    }

    async fn changing_the_password_asks_for_the_old_one_and_ends_other_sessions(db) {
        let app = TestApp::start(db).await;
        let ana = app.person_with_password("ana@prueba.test").await;
        let other = app.sign_in(ana.id).await;
        let change = async |current: &str, new: &str| {
            let body = json!({ "current_password": current, "new_password": new });
            ana.client.post("/api/v1/auth/password", body).await
        };
        change("no es esta", ANOTHER)
            .await
            .refused(401, "BAD_CREDENTIALS");
        change(PASSWORD, "corta")
            .await
            .refused(422, "VALIDATION_FAILED");
        other.get(ME).await.ok(200);
        change(PASSWORD, ANOTHER).await.ok(204);
        other.get(ME).await.refused(401, "UNAUTHENTICATED");
        ana.client.get(ME).await.ok(200);
        login(&app, &ana.email, PASSWORD)
            .await
            .refused(401, "BAD_CREDENTIALS");
        login(&app, &ana.email, ANOTHER).await.ok(200);
    }

    async fn a_one_time_password_must_be_changed_before_anything_else(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let known = app.person_with_password("semilla@prueba.test").await;
        let tx = app.platform().await;
        let hash = tx.users().password_hash(known.id).await.unwrap();
        drop(tx);
        let new = app
            .add_person("nueva@prueba.test", |new| {
                new.password_hash = hash;
                new.super_admin = true;
                new.must_change_password = true;
            })
            .await;
        let client = new.client.in_tenant(&tenant.slug);
        let ids = Ids::of_nothing();
        let mut known = operations();
        for operation in documented() {
            let Some(known) = known.remove(operation.id.as_str()) else {
                continue;
            };
            if matches!(
                known.needs,
                Needs::Nothing | Needs::Person | Needs::SharedSecret
            ) {
                continue;
            }
            let path = operation.path_to(&ids);
            let reply = client
                .call(operation.method.clone(), &path, &known.body)
                .await;
            assert_eq!(reply.code(), "PASSWORD_CHANGE_REQUIRED", "{}", operation.id);
        }
        client.get(ME).await.ok(200);
        let body = json!({ "current_password": PASSWORD, "new_password": ANOTHER });
        client.post("/api/v1/auth/password", body).await.ok(204);
        client.get(AGENTS).await.ok(200);
        client.get("/api/v1/tenants").await.ok(200);
    }

    async fn a_reset_token_works_once_and_for_a_while(db) {
        let app = TestApp::start(db).await;
        let ana = app.person_with_password("ana@prueba.test").await;
        let root = app.super_admin().await.client;
        let issue = async || {
            let reply = root
                .poke(&format!("/api/v1/users/{}/reset-token", ana.id))
                .await;
            reply.ok(200)["reset_token"].as_str().unwrap().to_owned()
        };
        let reset = async |token: Value, password: &str| {
            let body = json!({ "reset_token": token, "password": password });
            app.stranger()
                .post("/api/v1/auth/password/reset", body)
                .await
        };
        let older = issue().await;
        let token = issue().await;
        assert!(token.starts_with("qr_"), "{token}");
        // A newer token takes the place of the older one.
        reset(json!(older), ANOTHER)
            .await
            .refused(400, "INVALID_RESET_TOKEN");
        reset(json!(token), "corta")
            .await
            .refused(422, "VALIDATION_FAILED");
        ana.client.get(ME).await.ok(200);
        reset(json!(token), ANOTHER).await.ok(204);
        ana.client.get(ME).await.refused(401, "UNAUTHENTICATED");
        login(&app, &ana.email, ANOTHER).await.ok(200);
        reset(json!(token), PASSWORD)
            .await
            .refused(400, "INVALID_RESET_TOKEN");

        let late = issue().await;
        app.clock.advance(Duration::from_hours(24));
        reset(json!(late), PASSWORD)
            .await
            .refused(400, "INVALID_RESET_TOKEN");
        for bad in ["", "qr_", "garbage", "qs_x", "qr_\u{1F600}"] {
            reset(json!(bad), PASSWORD)
                .await
                .refused(400, "INVALID_RESET_TOKEN");
        }
        for bad in [Value::Null, json!(7), json!([]), json!("\0")] {
            reset(bad, PASSWORD).await.refused(400, "INVALID_JSON");
        }
        login(&app, &ana.email, ANOTHER).await.ok(200);
    }

    async fn only_the_very_token_is_let_in(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let session = tenant.admin.client.token().to_owned();
        let key = app
            .program(&tenant, Permission::ALL)
            .await
            .token()
            .to_owned();
        for token in [&session, &key] {
            app.stranger().bearer(token).get(AGENTS).await.ok(200);
            let body = &token[3..];
            let flipped = if body.starts_with('A') { 'B' } else { 'A' };
            for forged in [
                String::new(),
                "qs_".to_owned(),
                "qk_".to_owned(),
                body.to_owned(),
                token[..token.len() - 1].to_owned(),
                format!("{token}A"),
                format!("{}{flipped}{}", &token[..3], &body[1..]),
                token.to_uppercase(),
                format!("qs_{}", token::hash(token)),
                format!("qk_{body}' OR '1'='1"),
                format!("{}{}", &token[..3], "A".repeat(43)),
                "A".repeat(5000),
                if token.starts_with("qs_") {
                    format!("qk_{body}")
                } else {
                    format!("qs_{body}")
                },
            ] {
                let reply = app.stranger().bearer(&forged).get(AGENTS).await;
                reply.refused(401, "UNAUTHENTICATED");
            }
        }
        for header in ["Basic YTpi", "Bearer", "bearer", &session, ""] {
            let reply = app
                .stranger()
                .with("authorization", header)
                .get(AGENTS)
                .await;
            reply.refused(401, "UNAUTHENTICATED");
        }
        app.stranger()
            .get(AGENTS)
            .await
            .refused(401, "UNAUTHENTICATED");
        app.clock.advance(Duration::from_hours(168));
        app.stranger()
            .bearer(&session)
            .get(AGENTS)
            .await
            .refused(401, "UNAUTHENTICATED");
        app.stranger().bearer(&key).get(AGENTS).await.ok(200);
    }

    async fn keys_end_by_revocation_and_by_date(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        let expires_at = app.later(Duration::from_hours(1));
        let body = json!({ "name": "corta", "scopes": ["agents:read"], "expires_at": expires_at });
        let short = key_of(&app, &admin.post("/api/v1/api-keys", body).await);
        let body = json!({ "name": "larga", "scopes": ["agents:read"] });
        let made = admin.post("/api/v1/api-keys", body).await;
        let id = made.json()["id"].as_str().unwrap().to_owned();
        let long = key_of(&app, &made);
        short.get(AGENTS).await.ok(200);
        app.clock.advance(Duration::from_hours(1));
        short.get(AGENTS).await.refused(401, "UNAUTHENTICATED");
        long.get(AGENTS).await.ok(200);
        admin
            .delete(&format!("/api/v1/api-keys/{id}"))
            .await
            .ok(204);
        long.get(AGENTS).await.refused(401, "UNAUTHENTICATED");
        // It stays in the list, so that people see what there was; its text is nowhere.
        let shown = admin.get(&format!("/api/v1/api-keys/{id}")).await;
        assert!(shown.ok(200)["revoked_at"].is_string());
        assert!(!shown.text.contains(long.token()));

        let past = json!({ "name": "vieja", "scopes": ["chat"], "expires_at": app.now() });
        admin
            .post("/api/v1/api-keys", past)
            .await
            .refused(422, "VALIDATION_FAILED");
    }

    async fn a_key_never_does_more_than_its_maker_may_do_now(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let root = app.super_admin().await.client;
        let admin = &tenant.admin.client;
        let Maker {
            person,
            reads,
            writes,
        } = Maker::new(&app, &tenant).await;
        let user = format!("/api/v1/users/{}", person.id);
        let member = format!("/api/v1/members/{}", person.id);
        let work = async |expected: u16| {
            for key in [&reads, &writes] {
                let reply = key.get(AGENTS).await;
                assert_eq!(reply.status, expected, "{}", reply.text);
            }
        };
        work(200).await;

        root.patch(&user, json!({ "status": "suspended" }))
            .await
            .ok(200);
        work(401).await;
        person
            .client
            .get(AGENTS)
            .await
            .refused(401, "UNAUTHENTICATED");
        root.patch(&user, json!({ "status": "active" }))
            .await
            .ok(200);
        work(200).await;
        // Suspension ended the session for good.
        person
            .client
            .get(AGENTS)
            .await
            .refused(401, "UNAUTHENTICATED");
        let again = app.sign_in(person.id).await;
        again.get(AGENTS).await.ok(200);

        admin
            .patch(&member, json!({ "status": "suspended" }))
            .await
            .ok(200);
        work(401).await;
        again
            .in_tenant(&tenant.slug)
            .get(AGENTS)
            .await
            .refused(404, "NOT_FOUND");
        admin
            .patch(&member, json!({ "status": "active" }))
            .await
            .ok(200);
        work(200).await;

        let keys = "/api/v1/api-keys";
        writes.get(keys).await.ok(200);
        admin
            .patch(&member, json!({ "role": "member" }))
            .await
            .ok(200);
        work(200).await;
        writes.get(keys).await.refused(403, "FORBIDDEN");
        again.get(keys).await.refused(403, "FORBIDDEN");

        admin.delete(&member).await.ok(204);
        work(401).await;
        again
            .in_tenant(&tenant.slug)
            .get(AGENTS)
            .await
            .refused(404, "NOT_FOUND");
    }

    async fn a_key_made_with_a_key_ends_with_the_first_ones_maker(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let Maker { person, writes, .. } = Maker::new(&app, &tenant).await;
        let body = json!({ "name": "nieta", "scopes": ["agents:read"] });
        let made = writes.post("/api/v1/api-keys", body).await;
        assert_eq!(made.ok(201)["created_by"], json!(person.id));
        let grandchild = key_of(&app, &made);
        grandchild.get(AGENTS).await.ok(200);
        let admin = &tenant.admin.client;
        admin
            .delete(&format!("/api/v1/members/{}", person.id))
            .await
            .ok(204);
        grandchild.get(AGENTS).await.refused(401, "UNAUTHENTICATED");
    }

    async fn each_operation_wants_its_permission(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let people = [
            (Some(Role::Member), app.member(&tenant, Role::Member).await),
            (
                Some(Role::Manager),
                app.member(&tenant, Role::Manager).await,
            ),
            (Some(Role::Admin), app.member(&tenant, Role::Admin).await),
            (None, app.super_admin().await),
        ];
        let mut wrong = Vec::new();
        let mut known = operations();
        for operation in documented() {
            let Some(known) = known.remove(operation.id.as_str()) else {
                continue;
            };
            let refusal = match known.needs {
                Needs::Permission(_) | Needs::Tenant => "FORBIDDEN",
                Needs::SuperAdmin => "SUPER_ADMIN_ONLY",
                _ => continue,
            };
            // Once somebody has deleted it, the others are told that it is not there, and not that they may not.
            let path = operation.path_to(&almost_nothing(&tenant, &operation).await);
            for (role, person) in &people {
                let allowed = match (role, known.needs) {
                    (None, _) | (_, Needs::Tenant) => true,
                    (Some(role), Needs::Permission(p)) => role.permissions().contains(&p),
                    _ => false,
                };
                let client = person.client.in_tenant(&tenant.slug);
                let reply = client
                    .call(operation.method.clone(), &path, &known.body)
                    .await;
                let refused = reply.status == 403 && reply.code() == refusal;
                if refused == allowed || reply.status >= 500 {
                    wrong.push(format!("{} as {role:?}: {}", operation.id, reply.text));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    async fn each_operation_wants_its_scope(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let mut known = operations();
        let mut needed: HashMap<Permission, Vec<(Documented, Operation)>> = HashMap::new();
        let everything = app.program(&tenant, Permission::ALL).await;
        let call = async |client: &Client, operation: &Documented, known: &Operation| {
            let path = operation.path_to(&almost_nothing(&tenant, operation).await);
            client
                .call(operation.method.clone(), &path, &known.body)
                .await
        };
        for operation in documented() {
            let Some(known) = known.remove(operation.id.as_str()) else {
                continue;
            };
            match known.needs {
                Needs::Permission(scope) => needed.entry(scope).or_default().push((operation, known)),
                Needs::SuperAdmin => {
                    let refused = call(&everything, &operation, &known).await;
                    refused.refused(403, "SUPER_ADMIN_ONLY");
                }
                _ => {}
            }
        }
        let mut wrong = Vec::new();
        for (scope, operations) in needed {
            let others = Permission::ALL.iter().copied().filter(|&p| p != scope);
            let with = app.program(&tenant, &[scope]).await;
            let without = app.program(&tenant, &others.collect::<Vec<_>>()).await;
            for (operation, known) in operations {
                // Inviting hands out a role, and nobody hands out more than they hold.
                let with = if operation.id == "invite_member" {
                    let held = Role::Member.permissions().into_iter().chain([scope]);
                    &app.program(&tenant, &held.collect::<Vec<_>>()).await
                } else if operation.id == "export_tenant" {
                    // Whoever takes everything away could have read it row by row.
                    let read = Permission::ALL.iter().copied();
                    let read = read.filter(|permission| permission.as_str().ends_with(":read"));
                    &app.program(&tenant, &read.chain([scope]).collect::<Vec<_>>()).await
                } else if ONLY_PEOPLE.contains(&operation.id.as_str()) {
                    // Only people store what opens something, whatever a key may do.
                    &tenant.admin.client
                } else if ABOUT_CUSTOMERS.contains(&operation.id.as_str()) {
                    &app.program(&tenant, &[scope, Permission::CustomersRead]).await
                } else {
                    &with
                };
                let allowed = call(with, &operation, &known).await;
                let refused = call(&without, &operation, &known).await;
                let error = refused.json();
                let named = &error["error"]["details"]["permission"];
                if allowed.status == 403 || refused.status != 403 || named != scope.as_str() {
                    wrong.push(format!(
                        "{}: {} {}",
                        operation.id, allowed.text, refused.text
                    ));
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        // A key cannot hand on what it does not have.
        let maker = app.program(&tenant, &[Permission::KeysWrite]).await;
        let body = json!({ "name": "más", "scopes": ["keys:write", "secrets:write"] });
        let error = maker
            .post("/api/v1/api-keys", body)
            .await
            .refused(403, "FORBIDDEN");
        assert_eq!(error["details"]["permission"], "secrets:write");
    }

    async fn a_token_issued_before_does_not_open_a_tenant_joined_later(db) {
        let app = TestApp::start(db).await;
        let (a, b) = (app.tenant("acme").await, app.tenant("beta").await);
        let root = app.super_admin().await;
        let person = app.member(&a, Role::Member).await;
        let issued = a
            .admin
            .client
            .poke(&format!("/api/v1/members/{}/reset-token", person.id))
            .await;
        let token = issued.ok(200)["reset_token"].clone();
        let body = json!({ "email": person.email, "name": "Ana", "role": "admin" });
        root.client.in_tenant("beta").post("/api/v1/members", body).await.ok(201);
        let reset = json!({ "reset_token": token, "password": PASSWORD });
        app.stranger()
            .post("/api/v1/auth/password/reset", reset)
            .await
            .refused(400, "INVALID_RESET_TOKEN");
        drop(b);
    }

    async fn a_key_makes_nobody_who_may_do_more_than_itself(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let body = json!({ "name": "rrhh", "scopes": ["members:read", "members:write"] });
        let made = tenant.admin.client.post("/api/v1/api-keys", body).await;
        let key = made.ok(201)["key"].as_str().unwrap().to_owned();
        let key = app.stranger().with("authorization", &format!("Bearer {key}"));
        let invite = json!({ "email": "x@acme.test", "name": "X", "role": "admin" });
        key.post("/api/v1/members", invite).await.refused(403, "FORBIDDEN");
        key.poke(&format!("/api/v1/members/{}/reset-token", tenant.admin.id))
            .await
            .refused(403, "PERSON_REQUIRED");
    }
}

db_test! {
    async fn a_tenants_admin_gets_no_hold_of_accounts_that_open_other_tenants(db) {
        let app = TestApp::start(db).await;
        let (a, b) = (app.tenant("acme").await, app.tenant("beta").await);
        let root = app.super_admin().await;
        let shared = app.member(&a, Role::Member).await;
        let invite = |email: &str| json!({ "email": email, "name": "Ana", "role": "member" });
        let admin = &b.admin.client;
        let members = "/api/v1/members";
        for email in [&shared.email, &root.email] {
            admin
                .post(members, invite(email))
                .await
                .refused(409, "EMAIL_UNAVAILABLE");
        }
        let invited = root
            .client
            .in_tenant("beta")
            .post(members, invite(&shared.email))
            .await;
        assert_eq!(invited.ok(201)["invitation"], Value::Null);
        admin
            .post(members, invite(&shared.email))
            .await
            .refused(409, "ALREADY_EXISTS");

        let reset = |id| format!("/api/v1/members/{id}/reset-token");
        for tenant in [&a, &b] {
            let reply = tenant.admin.client.poke(&reset(shared.id)).await;
            reply.refused(409, "MEMBER_ELSEWHERE");
        }
        root.client
            .in_tenant("acme")
            .poke(&reset(shared.id))
            .await
            .ok(200);
        let own = app.member(&b, Role::Member).await;
        admin.poke(&reset(own.id)).await.ok(200);
        // A platform administrator's account opens everything, even as a member of one tenant.
        app.join(b.id, root.id, Role::Member).await;
        admin
            .poke(&reset(root.id))
            .await
            .refused(409, "MEMBER_ELSEWHERE");
    }

    async fn a_tenant_keeps_its_last_admin(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        let path = |person: &Person| format!("/api/v1/members/{}", person.id);
        let last = path(&tenant.admin);
        for change in [
            json!({ "role": "manager" }),
            json!({ "status": "suspended" }),
        ] {
            admin.patch(&last, change).await.refused(409, "LAST_ADMIN");
        }
        admin.delete(&last).await.refused(409, "LAST_ADMIN");
        // A suspended admin administers nothing and does not count.
        let second = app.member(&tenant, Role::Admin).await;
        admin
            .patch(&path(&second), json!({ "status": "suspended" }))
            .await
            .ok(200);
        admin.delete(&last).await.refused(409, "LAST_ADMIN");
        admin
            .patch(&path(&second), json!({ "status": "active" }))
            .await
            .ok(200);

        // Two admins who demote each other at the same moment leave one.
        let (one, two) = (path(&tenant.admin), path(&second));
        let down = json!({ "role": "member" });
        let (first, other) = tokio::join!(
            admin.patch(&two, down.clone()),
            second.client.patch(&one, down.clone()),
        );
        let mut codes = [first.code(), other.code()];
        codes.sort();
        assert!(codes[0].is_empty(), "{codes:?}");
        assert!(
            ["LAST_ADMIN", "FORBIDDEN"].contains(&&*codes[1]),
            "{codes:?}"
        );
    }
}

sqlite_test! {
    async fn the_n8n_secret_opens_one_tenant(db) {
        let app = TestApp::start(db).await;
        let (a, b) = (
            Populated::new(&app, "zafiro").await,
            Populated::new(&app, "topacio").await,
        );
        let search = async |secret: Option<&str>, project: &str, agent: &str| {
            let caller = match secret {
                Some(secret) => app.stranger().with("x-n8n-secret", secret),
                None => app.stranger(),
            };
            let query = "contraseña del wifi";
            let body =
                json!({ "agentId": agent, "projectId": project, "query": query, "threshold": 0.1 });
            caller.post("/api/rag/search", body).await
        };
        let (secret, other) = (a.n8n_secret(), b.n8n_secret());
        for project in [a.tenant.slug.clone(), a.tenant.id.to_string()] {
            let found = search(Some(&secret), &project, &a.ids.agent).await.ok(200);
            assert_eq!(found["success"], true);
            assert!(
                found["results"][0]["content"]
                    .as_str()
                    .unwrap()
                    .contains("zafiro-9931")
            );
            assert_eq!(found["metadata"]["projectId"], json!(a.tenant.id));
            assert!(found["metadata"]["timing"]["total"].is_u64());
        }
        for wrong in [Some("otra cosa"), Some(""), Some(&*other), None] {
            let reply = search(wrong, "zafiro", &a.ids.agent).await;
            reply.refused(401, "UNAUTHENTICATED");
        }
        for project in ["nadie", &uuid::Uuid::now_v7().to_string(), ""] {
            let reply = search(Some(&secret), project, &a.ids.agent).await;
            reply.refused(401, "UNAUTHENTICATED");
        }
        search(Some(&other), "topacio", &a.ids.agent)
            .await
            .refused(404, "NOT_FOUND");
        // A person's token is no shared secret, and the shared secret is no token.
        let reply = search(Some(a.admin().token()), "zafiro", &a.ids.agent).await;
        reply.refused(401, "UNAUTHENTICATED");
        app.stranger()
            .bearer("secreto")
            .get(AGENTS)
            .await
            .refused(401, "UNAUTHENTICATED");
        a.admin()
            .delete("/api/v1/secrets/n8n_shared_secret")
            .await
            .ok(204);
        let reply = search(Some(&secret), "zafiro", &a.ids.agent).await;
        reply.refused(401, "UNAUTHENTICATED");
    }

    async fn whoever_has_several_tenants_names_one(db) {
        let app = TestApp::start(db).await;
        let (a, b) = (app.tenant("acme").await, app.tenant("beta").await);
        make_agent(&a.admin.client, "Ágata").await;
        let person = app.member(&a, Role::Manager).await;
        assert_eq!(
            person.client.get(AGENTS).await.ok(200)["data"][0]["slug"],
            "agata"
        );
        app.join(b.id, person.id, Role::Member).await;
        person
            .client
            .get(AGENTS)
            .await
            .refused(400, "TENANT_REQUIRED");
        for (named, agents) in [("acme", 1), (&*a.id.to_string(), 1), ("beta", 0)] {
            let seen = person.client.in_tenant(named).get(AGENTS).await.ok(200);
            assert_eq!(seen["data"].as_array().unwrap().len(), agents, "{named}");
        }
        // The role is the one in the tenant that is named.
        let body = json!({ "name": "Nueva" });
        person
            .client
            .in_tenant("beta")
            .post(AGENTS, body.clone())
            .await
            .refused(403, "FORBIDDEN");
        person
            .client
            .in_tenant("acme")
            .post(AGENTS, body)
            .await
            .ok(201);
        person
            .client
            .in_tenant("nada")
            .get(AGENTS)
            .await
            .refused(404, "NOT_FOUND");
        let root = app.super_admin().await.client;
        root.get(AGENTS).await.refused(400, "TENANT_REQUIRED");
        root.in_tenant("beta").get(AGENTS).await.ok(200);
        root.in_tenant("nada")
            .get(AGENTS)
            .await
            .refused(404, "NOT_FOUND");
    }

    async fn a_suspended_tenant_stands_still(db) {
        let app = TestApp::start(db).await;
        let a = Populated::new(&app, "zafiro").await;
        let b = app.tenant("beta").await;
        let root = app.super_admin().await.client;
        let path = format!("/api/v1/tenants/{}", a.tenant.id);
        root.patch(&path, json!({ "status": "suspended" }))
            .await
            .ok(200);
        for caller in [a.admin(), &a.program] {
            caller.get(AGENTS).await.refused(403, "TENANT_SUSPENDED");
            let chat = format!("/api/agents/{}/chat", a.ids.agent);
            let messages = json!([{ "role": "user", "content": "hola" }]);
            let reply = caller.post(&chat, json!({ "messages": messages })).await;
            reply.refused(403, "TENANT_SUSPENDED");
        }
        let n8n = app.stranger().with("x-n8n-secret", &a.n8n_secret());
        let body = json!({ "agentId": a.ids.agent, "projectId": "zafiro", "query": "wifi" });
        n8n.post("/api/rag/search", body)
            .await
            .refused(403, "TENANT_SUSPENDED");
        b.admin.client.get(AGENTS).await.ok(200);
        // The platform can still look, and let it go on.
        root.in_tenant("zafiro").get(AGENTS).await.ok(200);
        root.patch(&path, json!({ "status": "active" }))
            .await
            .ok(200);
        ask(a.admin(), &a.ids.agent, "hola").await;
    }

    async fn nobody_suspends_themselves(db) {
        let app = TestApp::start(db).await;
        let root = app.super_admin().await;
        let path = format!("/api/v1/users/{}", root.id);
        let body = json!({ "status": "suspended" });
        root.client
            .patch(&path, body)
            .await
            .refused(409, "NOT_YOURSELF");
        root.client.get(ME).await.ok(200);
    }
}

db_test! {
    async fn another_master_key_is_noticed_before_it_is_used(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let with_key = async |key: [u8; 32]| {
            let folder = tempfile::tempdir().unwrap();
            let mut config = Config::load(None, Overrides::default()).unwrap();
            config.data.dir = folder.path().to_owned();
            let (store, clock) = (app.app.store.clone(), app.clock.clone());
            setup::assemble(&config, store, clock, &key).await.unwrap()
        };
        // Nothing is sealed yet, so any key will do.
        secrets::check_master_key(&with_key([8; 32]).await).await.unwrap();
        let path = "/api/v1/secrets/openai_api_key";
        tenant.admin.client.put(path, json!({ "value": "sk-muy-privado" })).await.ok(200);
        secrets::check_master_key(&app.app).await.unwrap();
        let error = secrets::check_master_key(&with_key([8; 32]).await).await.unwrap_err();
        assert_eq!(error.code(), ErrorCode::SecretUnreadable);
    }
}

sqlite_test! {
    async fn the_first_administrator_can_sign_in_however_the_address_was_typed(db) {
        let app = TestApp::start(db).await;
        let made = bootstrap::prepare(&app.app, "Jefa@Prueba.TEST").await.unwrap().unwrap();
        assert_eq!(made.email, "jefa@prueba.test");
        login(&app, "Jefa@Prueba.TEST", &made.one_time_password).await.ok(200);
        assert!(bootstrap::prepare(&app.app, "otra@prueba.test").await.unwrap().is_none());
    }

    async fn secrets_are_never_told(db) {
        let app = TestApp::start(db).await;
        let tenant = app.tenant("acme").await;
        let admin = &tenant.admin.client;
        let value = "sk-muy-privado-1234";
        let path = "/api/v1/secrets/openai_api_key";
        let put = admin.put(path, json!({ "value": value })).await;
        assert_eq!(put.ok(200)["mask"], "••••1234");
        let listed = admin.get("/api/v1/secrets").await;
        let audit = admin.get("/api/v1/audit-log").await;
        for reply in [&put, &listed, &audit] {
            assert!(!reply.text.contains("muy-privado"), "{}", reply.text);
        }
        // What lies in the database is sealed.
        let tx = app.app.store.read(tenant.scope()).await.unwrap();
        let sealed = tx
            .secrets()
            .find_sealed("openai_api_key")
            .await
            .unwrap()
            .unwrap();
        assert!(!String::from_utf8_lossy(&sealed.sealed).contains("privado"));
        let reply = admin.send(Method::GET, path, None).await;
        reply.refused(405, "METHOD_NOT_ALLOWED");
    }
}

/// An admin of the tenant with two keys they made.
struct Maker {
    person: Person,
    reads: Client,
    writes: Client,
}

impl Maker {
    async fn new(app: &TestApp, tenant: &Tenant) -> Self {
        let person = app.member(tenant, Role::Admin).await;
        let make = async |scopes: &[&str]| {
            let body = json!({ "name": "clave", "scopes": scopes });
            key_of(app, &person.client.post("/api/v1/api-keys", body).await)
        };
        Self {
            reads: make(&["agents:read"]).await,
            writes: make(&["agents:read", "keys:read", "keys:write"]).await,
            person,
        }
    }
}

/// A program with the key that was just made.
fn key_of(app: &TestApp, made: &Reply) -> Client {
    let key = made.ok(201)["key"].as_str().unwrap().to_owned();
    app.stranger().bearer(&key)
}
