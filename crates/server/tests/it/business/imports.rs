//! Tables that are long, wrong in many ways, or stop midway.

use crate::harness::{Client, Content, Reply, TestApp, all_pages};
use quipu_testkit::sqlite_test;
use reqwest::Method;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const FAQS: &str = "/api/v1/faqs/import";

async fn import(client: &Client, path: &str, table: &str) -> Reply {
    let table = Content::Csv(table.to_owned());
    client.call(Method::POST, path, &table).await
}

fn questions(rows: usize) -> String {
    let mut table = "pregunta,respuesta\n".to_owned();
    for row in 0..rows {
        writeln!(table, "¿Pregunta {row}?,Respuesta {row}").unwrap();
    }
    table
}

sqlite_test! {
    async fn rows_say_what_is_wrong_with_them(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("taqueria").await.admin.client;
        let table = "nombre,precio,Price,posición\n\
             Taco,10,10,\n\
             Sope,10,12,\n\
             TACO,11,,\n\
             Tlayuda,,,\n\
             Agua,5,,1,con limón\n\
             Torta,10,,70000\n\
             Zu\u{200b}mo,5,,3,\n\
             Zumo,6,,\n";
        let report = import(&client, "/api/v1/menu-items/import", table).await.ok(200);
        assert_eq!(report["repeated_columns"], json!(["price"]));
        assert_eq!((&report["created"], &report["failed"]), (&json!(2), &json!(6)), "{report}");
        let problems = report["problems"].as_array().unwrap();
        let told: Vec<(u64, &str)> = problems
            .iter()
            .map(|problem| (problem["line"].as_u64().unwrap(), problem["column"].as_str().unwrap_or_default()))
            .collect();
        let expected = [(3, "price"), (4, "name"), (5, "price"), (6, ""), (7, "position"), (9, "name")];
        assert_eq!(told, expected, "{report}");
        for problem in problems {
            let es = problem["es"].as_str().unwrap();
            for english in ["missing", "expected", "field", "invalid"] {
                assert!(!es.contains(english), "{es}");
            }
        }
        let all = client.get("/api/v1/menu-items").await.ok(200);
        let names: Vec<&Value> = all["data"].as_array().unwrap().iter().map(|item| &item["name"]).collect();
        assert_eq!(names, ["Zumo", "Taco"]);
    }

    async fn misplaced_quotes_and_nul_characters_are_told(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("clinica").await.admin.client;
        let table = "pregunta,respuesta\r\n\
             ¿Uno?,\"x\"y\r\n\
             ¿Dos?,\"dice \"\"sí\"\"\"\r\n\
             ¿Tres?,a\0b\r\n";
        let report = import(&client, FAQS, table).await.ok(200);
        assert_eq!((&report["created"], &report["failed"]), (&json!(1), &json!(2)), "{report}");
        let problems = report["problems"].as_array().unwrap();
        for (problem, line, es) in [(&problems[0], 2, "comillas mal puestas"), (&problems[1], 4, "carácter nulo")] {
            assert_eq!(problem["line"], line, "{report}");
            assert!(problem["es"].as_str().unwrap().contains(es), "{report}");
        }
        let all = client.get("/api/v1/faqs").await.ok(200);
        assert_eq!(all["data"][0]["answer"], "dice \"sí\"");
    }

    async fn whoever_else_writes_gets_a_turn_during_a_long_import(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("larga").await.admin.client;
        let other = app.tenant("corta").await.admin.client;
        let done = Arc::new(AtomicBool::new(false));
        let importing = tokio::spawn({
            let (client, done) = (client.clone(), done.clone());
            async move {
                let reply = import(&client, FAQS, &questions(1_500)).await;
                done.store(true, Ordering::SeqCst);
                reply
            }
        });
        let mut turns = 0;
        while !done.load(Ordering::SeqCst) {
            let category = json!({ "name": format!("Categoría {turns}") });
            other.post("/api/v1/menu-categories", category).await.ok(201);
            turns += 1;
            if turns == 90 {
                break;
            }
        }
        let report = importing.await.unwrap().ok(200);
        assert_eq!(report["created"], 1_500);
        assert!(turns >= 5, "others wrote {turns} times during the import");
    }

    async fn an_import_that_stops_says_what_was_saved_and_goes_on_the_next_time(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let client = app.tenant("clinica").await.admin.client;
        let table = questions(2_000);
        let importing = tokio::spawn({
            let (client, table) = (client.clone(), table.clone());
            async move { import(&client, FAQS, &table).await }
        });
        crate::harness::eventually("the first rows", async || {
            let page = client.get("/api/v1/faqs?limit=1").await.ok(200);
            (page["data"] != json!([])).then_some(())
        })
        .await;
        app.clock.advance(Duration::from_mins(10));
        let error = importing.await.unwrap().refused(503, "IMPORT_STOPPED");
        let saved = error["details"]["saved"].as_u64().unwrap();
        assert!(saved > 0 && saved < 2_000, "{error}");
        assert_eq!(error["details"]["line"], saved + 2, "{error}");
        assert!(error["message"].as_str().unwrap().contains(&format!("{saved} filas")), "{error}");
        assert_eq!(all_pages(&client, "/api/v1/faqs", 200).await.len() as u64, saved);
        let report = import(&client, FAQS, &table).await.ok(200);
        let counts = (&report["unchanged"], &report["updated"], &report["created"]);
        assert_eq!(counts, (&json!(saved), &json!(0), &json!(2_000 - saved)), "{report}");
    }

    async fn a_trial_waits_for_nobody_who_writes(db) {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("clinica").await;
        let client = &tenant.admin.client;
        // The first request of a session notes when it was used.
        client.get("/api/v1/faqs").await.ok(200);
        let writing = app.app.store.begin(tenant.scope()).await.unwrap();
        let path = format!("{FAQS}?dry_run=true");
        let table = questions(250);
        let trial = tokio::time::timeout(Duration::from_secs(10), import(client, &path, &table));
        let report = trial.await.expect("a trial that waits for a writer").ok(200);
        assert_eq!((&report["created"], &report["dry_run"]), (&json!(250), &json!(true)));
        drop(writing);
        assert_eq!(client.get("/api/v1/faqs").await.ok(200)["data"], json!([]));
    }
}
