//! Readings after the first: what changed, what went, and what interrupts them.

use super::site::{Answer, Ground, counts, path};
use crate::harness::{eventually, found, id, teach_text};
use quipu_app::websites;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};
use std::time::Duration;

sqlite_test! {
    async fn only_what_changed_is_read_anew_and_what_vanished_goes(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        site.sitemap("/sitemap.xml", &["/fija", "/marcada", "/cambia", "/borrada", "/olvidada"]);
        site.put("/fija", Answer::Html("<title>Fija</title><form><input value=1></form><p>Texto fijo".to_owned()));
        site.put("/marcada", Answer::Marked("<p>Texto marcado".to_owned(), "\"v1\""));
        site.page("/cambia", "La consulta cuesta cuarenta pesos.", &[]);
        site.page("/borrada", "Texto borrado", &[]);
        site.page("/olvidada", "Texto olvidado", &[]);
        let added = ground.add(json!({})).await;
        ground.ready(&added).await;
        assert_eq!(ground.documents().await.len(), 5);

        // What nobody reads on a page has changed, and one page says so itself.
        site.put("/fija", Answer::Html("<title>Fija</title><form><input value=2></form><p>Texto fijo".to_owned()));
        site.page("/cambia", "La consulta cuesta cincuenta pesos.", &[]);
        site.put("/borrada", Answer::Status(410));
        site.sitemap("/sitemap.xml", &["/fija", "/marcada", "/cambia", "/borrada"]);
        let done = ground.read_again(&added).await;
        assert_eq!(counts(&done), [4, 3, 2, 1, 2, 0, 0]);
        assert_eq!(ground.documents().await, ["/cambia", "/fija", "/marcada"]);
        let best = found(&ground.client, &ground.kb, "¿Cuánto cuesta la consulta?").await[0].clone();
        assert!(best["content"].as_str().unwrap().contains("cincuenta"), "{best}");
        // The old originals are gone.
        eventually("the end of old originals", async || {
            (ground.app.kept_files().len() == 3).then_some(())
        })
        .await;
    }

    async fn a_reading_that_does_not_see_everything_removes_nothing(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        site.page("/", "Inicio", &["/a"]);
        site.page("/a", "Página a", &["/b"]);
        site.page("/b", "Página b", &[]);
        let added = ground.add(json!({ "found_by": "links" })).await;
        ground.ready(&added).await;
        // The only way to b does not answer.
        site.put("/a", Answer::Status(503));
        let done = ground.read_again(&added).await;
        assert_eq!(counts(&done), [2, 1, 1, 0, 0, 0, 1]);
        assert_eq!(ground.documents().await, ["/", "/a", "/b"]);
        // Nor does a site that is all gone take anything along.
        for path in ["/", "/a", "/b"] {
            site.put(path, Answer::Status(404));
        }
        let done = ground.read_again(&added).await;
        assert_eq!((&done["status"], &done["error_code"]), (&json!("failed"), &json!("PAGE_GONE")));
        assert_eq!(ground.documents().await, ["/", "/a", "/b"]);
        // It comes back, and so does its reading.
        site.page("/", "Inicio", &["/a"]);
        site.page("/a", "Página a", &[]);
        let done = ground.read_again(&added).await;
        assert_eq!((&done["status"], &done["counts"]["removed"]), (&json!("ready"), &json!(1)));
        assert_eq!(ground.documents().await, ["/", "/a"]);
    }

    async fn a_page_that_cannot_be_read_any_more_hides_what_it_leads_to(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        site.page("/", "Inicio", &["/a"]);
        site.page("/a", "Página a", &["/b"]);
        site.page("/b", "Página b", &[]);
        let added = ground.add(json!({ "found_by": "links" })).await;
        ground.ready(&added).await;
        for refused in [Answer::Status(403), Answer::Plain(vec![0, 1, 2, 3].into())] {
            site.put("/a", refused);
            let done = ground.read_again(&added).await;
            assert_eq!((&done["status"], &done["counts"]["removed"]), (&json!("ready"), &json!(0)));
            assert_eq!(ground.documents().await, ["/", "/a", "/b"]);
        }
    }

    async fn a_sitemap_that_is_none_any_more_does_not_say_that_pages_are_gone(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        site.text("/robots.txt", format!("Sitemap: {}", site.url("/mapa.xml")));
        site.sitemap("/mapa.xml", &["/a", "/b"]);
        site.page("/", "Inicio", &[]);
        site.page("/a", "Página a", &[]);
        site.page("/b", "Página b", &[]);
        let added = ground.add(json!({})).await;
        ground.ready(&added).await;
        assert_eq!(ground.documents().await, ["/a", "/b"]);
        site.put("/mapa.xml", Answer::Html("<!doctype html><p>En mantenimiento".to_owned()));
        let done = ground.read_again(&added).await;
        assert_eq!(done["counts"]["removed"], 0);
        assert_eq!(ground.documents().await, ["/", "/a", "/b"]);
        site.sitemap("/mapa.xml", &["/a"]);
        let done = ground.read_again(&added).await;
        assert_eq!(done["counts"]["removed"], 2);
        assert_eq!(ground.documents().await, ["/a"]);
    }

    async fn a_site_that_loses_most_of_its_pages_is_read_twice_before_they_go(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        let paths: Vec<String> = (0..12).map(|n| format!("/p/{n}")).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        site.sitemap("/sitemap.xml", &paths);
        let there = || for path in &paths {
            site.page(path, &format!("Texto de {path}"), &[]);
        };
        there();
        let added = ground.add(json!({})).await;
        ground.ready(&added).await;
        // It is being mended, and sends everybody to one page.
        site.page("/pausa", "Volvemos pronto", &[]);
        for path in &paths {
            site.put(path, Answer::Moved("/pausa".to_owned()));
        }
        let done = ground.read_again(&added).await;
        assert_eq!((&done["status"], &done["error_code"]), (&json!("ready"), &json!("MOST_PAGES_MISSING")), "{done}");
        assert_eq!(ground.documents().await.len(), 13);
        there();
        let done = ground.read_again(&added).await;
        assert_eq!((&done["counts"]["removed"], &done["error_code"]), (&json!(1), &Value::Null));
        // One that is gone for good says so twice.
        site.sitemap("/sitemap.xml", &["/p/3"]);
        let done = ground.read_again(&added).await;
        assert_eq!((&done["counts"]["removed"], &done["error_code"]), (&json!(0), &json!("MOST_PAGES_MISSING")));
        let done = ground.read_again(&added).await;
        assert_eq!((&done["counts"]["removed"], &done["error_code"]), (&json!(11), &Value::Null));
        assert_eq!(ground.documents().await, ["/p/3"]);
        // Whoever wants fewer pages has them gone at once.
        site.sitemap("/sitemap.xml", &paths);
        ground.read_again(&added).await;
        ground.client.patch(&path(&added), json!({ "include": ["/p/3"] })).await.ok(200);
        let done = ground.read_again(&added).await;
        assert_eq!((&done["counts"]["removed"], &done["error_code"]), (&json!(11), &Value::Null));
    }

    async fn a_reading_is_stopped_and_begun_anew(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        site.page("/", "Inicio", &["/lenta"]);
        site.page("/lenta", "Página lenta", &[]);
        let gate = site.hold("/lenta");
        let added = ground.add(json!({ "found_by": "links" })).await;
        eventually("the slow page", async || {
            site.asked().contains(&"/lenta".to_owned()).then_some(())
        })
        .await;
        let stopped = ground.client.post(&format!("{}/stop", path(&added)), json!({})).await.ok(200);
        assert_eq!(stopped["status"], "stopped");
        ground.client.post(&format!("{}/stop", path(&added)), json!({})).await.refused(409, "WEBSITE_STATE");
        gate.add_permits(10);
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(ground.get(&added).await["status"], "stopped");
        assert_eq!(ground.documents().await, ["/"]);
        let done = ground.read_again(&added).await;
        assert_eq!((&done["status"], &done["counts"]["read"]), (&json!("ready"), &json!(2)));
        assert_eq!(ground.documents().await, ["/", "/lenta"]);
    }
}

db_test! {
    async fn a_reading_that_is_cut_off_goes_on_where_it_was(db) {
        let ground = Ground::with(db, |options| options.workers = false).await;
        let site = &ground.site;
        site.sitemap("/sitemap.xml", &["/1", "/2", "/3", "/4"]);
        for n in 1..5 {
            site.page(&format!("/{n}"), &format!("Texto {n}"), &[]);
        }
        let gate = site.hold("/3");
        let added = ground.add(json!({})).await;
        let workers = ground.app.start_some_workers();
        eventually("the slow page", async || {
            site.asked().contains(&"/3".to_owned()).then_some(())
        })
        .await;
        // In the middle of a page, and without a word.
        workers.stop().await;
        assert_eq!(ground.get(&added).await["status"], "reading");
        gate.add_permits(10);
        ground.app.start_workers();
        let done = ground.ready(&added).await;
        assert_eq!(counts(&done), [4, 4, 0, 4, 0, 0, 0]);
        assert_eq!(ground.documents().await, ["/1", "/2", "/3", "/4"]);
        let asked = site.asked();
        for (page, times) in [("/1", 1), ("/2", 1), ("/3", 2), ("/4", 1), ("/sitemap.xml", 1)] {
            assert_eq!(asked.iter().filter(|path| *path == page).count(), times, "{page}");
        }
    }

    async fn what_a_key_has_read_ends_with_it(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        site.page("/", "Inicio", &["/lenta"]);
        site.page("/lenta", "Página lenta", &["/otra"]);
        site.page("/otra", "Otra página", &[]);
        let gate = site.hold("/lenta");
        let scopes = json!(["knowledge:write", "knowledge:read"]);
        let made = ground.client.post("/api/v1/api-keys", json!({ "name": "web", "scopes": scopes })).await.ok(201);
        let program = ground.app.stranger().bearer(made["key"].as_str().unwrap());
        let body = json!({ "address": site.url("/"), "found_by": "links" });
        let added = program.post(&ground.sites(), body).await.ok(202);
        eventually("the slow page", async || {
            site.asked().contains(&"/lenta".to_owned()).then_some(())
        })
        .await;
        ground.client.delete(&format!("/api/v1/api-keys/{}", id(&made))).await.ok(204);
        gate.add_permits(10);
        assert_eq!(ground.ended(&added).await["status"], "stopped");
        assert!(!site.asked().contains(&"/otra".to_owned()));
        // A person has it read to its end.
        assert_eq!(ground.read_again(&added).await["status"], "ready");
    }

    async fn a_slow_site_keeps_no_document_waiting(db) {
        let ground = Ground::with(db, |options| options.config.jobs.workers = 1).await;
        let site = &ground.site;
        site.page("/", "Inicio", &["/lenta"]);
        site.page("/lenta", "Página lenta", &[]);
        let gate = site.hold("/lenta");
        let added = ground.add(json!({ "found_by": "links" })).await;
        eventually("the slow page", async || {
            site.asked().contains(&"/lenta".to_owned()).then_some(())
        })
        .await;
        teach_text(&ground.client, &ground.kb, "Horario", "Abrimos a las siete.").await;
        assert_eq!(ground.get(&added).await["status"], "reading");
        gate.add_permits(10);
        assert_eq!(ground.ready(&added).await["counts"]["read"], 2);
    }

    async fn a_site_is_read_again_when_it_is_due_and_once(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        site.page("/", "Inicio de la farmacia", &[]);
        let added = ground.add(json!({ "found_by": "links", "refresh": "daily" })).await;
        let done = ground.ready(&added).await;
        let next = ground.app.later(Duration::from_hours(24));
        assert_eq!(done["next_read_at"], json!(next));
        assert_eq!(websites::enqueue_due(&ground.app.app).await.unwrap(), 0);

        site.page("/", "La farmacia se ha mudado", &[]);
        site.forget_asked();
        ground.app.clock.advance(Duration::from_hours(25));
        let app = &ground.app.app;
        let (one, two) = tokio::join!(websites::enqueue_due(app), websites::enqueue_due(app));
        assert!(one.unwrap() + two.unwrap() <= 1, "it is due once");
        let again = eventually("another reading", async || {
            let now = ground.get(&added).await;
            (now["last_read_at"] != done["last_read_at"]).then_some(now)
        })
        .await;
        assert_eq!(counts(&again), [1, 1, 0, 1, 0, 0, 0]);
        assert_eq!(again["next_read_at"], json!(ground.app.later(Duration::from_hours(24))));
        // Nobody is asked to read it any more.
        let never = ground.client.patch(&path(&added), json!({ "refresh": "never" })).await.ok(200);
        assert_eq!(never["next_read_at"], Value::Null);
        ground.app.clock.advance(Duration::from_hours(100));
        assert_eq!(websites::enqueue_due(app).await.unwrap(), 0);
    }
}
