//! What a site asks for, where nobody may go, and who may see what is read.

use super::site::{Answer, Ground, path};
use crate::harness::{TestApp, eventually, kb_path, make_kb, make_personal_kb};
use quipu_core::access::Role;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};
use std::time::Duration;

sqlite_test! {
    async fn nothing_is_read_while_nobody_knows_what_may_be(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        site.put("/robots.txt", Answer::Status(503));
        site.page("/", "Inicio", &["/a"]);
        let added = ground.add(json!({ "found_by": "links" })).await;
        eventually("the first attempt", async || {
            site.asked().contains(&"/robots.txt".to_owned()).then_some(())
        })
        .await;
        assert_eq!(ground.get(&added).await["status"], "waiting");
        assert_eq!(site.asked(), ["/robots.txt"]);
        site.text("/robots.txt", "User-agent: *\nDisallow: /a\n".to_owned());
        let done = eventually("another attempt", async || {
            ground.app.clock.advance(Duration::from_mins(5));
            let now = ground.get(&added).await;
            (now["status"] == "ready").then_some(now)
        })
        .await;
        assert_eq!(done["counts"]["skipped_by_robots"], 1);
        assert_eq!(ground.documents().await, ["/"]);
    }

    async fn a_site_that_never_answers_fails_and_says_so(db) {
        let ground = Ground::with(db, |options| options.config.jobs.max_attempts = 1).await;
        ground.site.put("/robots.txt", Answer::Status(503));
        let added = ground.add(json!({ "refresh": "weekly" })).await;
        let failed = ground.ended(&added).await;
        assert_eq!((&failed["status"], &failed["error_code"]), (&json!("failed"), &json!("SITE_UNREACHABLE")));
        // It is tried again when its time comes.
        assert_ne!(failed["next_read_at"], Value::Null);
    }

    async fn a_site_that_forbids_everything_is_not_read(db) {
        let ground = Ground::new(db).await;
        ground.site.text("/robots.txt", "User-agent: *\nDisallow: /\n".to_owned());
        ground.site.page("/", "Inicio", &[]);
        let added = ground.add(json!({ "found_by": "links" })).await;
        let failed = ground.ended(&added).await;
        assert_eq!(failed["error_code"], "ROBOTS_DISALLOW");
        assert_eq!(ground.site.asked(), ["/robots.txt"]);
    }

    async fn a_site_inside_the_house_is_not_read(db) {
        // Here nothing is allowed that is not public.
        let app = TestApp::start(db).await;
        let client = app.tenant("acme").await.admin.client;
        let kb = make_kb(&client, "Sitio").await;
        let body = json!({ "address": "http://127.0.0.1:8080/" });
        let added = client.post(&format!("{}/websites", kb_path(&kb)), body).await.ok(202);
        let failed = eventually("the refusal", async || {
            let now = client.get(&path(&added)).await.ok(200);
            (now["status"] == "failed").then_some(now)
        })
        .await;
        assert_eq!(failed["error_code"], "URL_NOT_ALLOWED");
    }

    async fn a_site_that_leads_inside_the_house_is_not_followed(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        site.put("/robots.txt", Answer::Moved("http://192.168.0.1:8080/robots.txt".to_owned()));
        site.page("/", "Inicio", &[]);
        let added = ground.add(json!({ "found_by": "links" })).await;
        let failed = ground.ended(&added).await;
        assert_eq!(failed["error_code"], "URL_NOT_ALLOWED");
        site.put("/robots.txt", Answer::Status(404));
        site.put("/", Answer::Moved("http://10.0.0.1:8080/".to_owned()));
        let failed = ground.read_again(&added).await;
        assert_eq!(failed["error_code"], "LEAVES_SITE");
    }
}

db_test! {
    async fn what_a_site_says_of_itself_can_be_kept_whatever_it_says(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        let root = site.url("");
        site.text("/robots.txt", format!("User-agent: *\nDisallow: /a\0b\nSitemap: {root}/mapa.txt\nSitemap: \0\n"));
        site.text("/mapa.txt", format!("{root}/\0uno\n{root}/dos\n"));
        site.page("/dos", "Página dos", &[]);
        let added = ground.add(json!({})).await;
        ground.ready(&added).await;
        assert_eq!(ground.documents().await, ["/dos"]);
    }

    async fn what_somebody_reads_for_themselves_is_nobody_elses(db) {
        let ground = Ground::new(db).await;
        ground.site.page("/", "Inicio", &[]);
        let owner = ground.app.member(&ground.tenant, Role::Member).await.client;
        let kb = make_personal_kb(&owner, "Mías").await;
        let sites = format!("{}/websites", kb_path(&kb));
        let body = json!({ "address": ground.site.url("/"), "found_by": "links" });
        let added = owner.post(&sites, body).await.ok(202);
        eventually("the reading", async || {
            let now = owner.get(&path(&added)).await.ok(200);
            (now["status"] == "ready").then_some(())
        })
        .await;
        let pages = owner.get(&format!("{}/pages", path(&added))).await.ok(200);
        assert_eq!(pages["data"].as_array().unwrap().len(), 1);
        let admin = &ground.client;
        admin.get(&sites).await.refused(404, "NOT_FOUND");
        admin.get(&path(&added)).await.refused(404, "NOT_FOUND");
        admin.get(&format!("{}/pages", path(&added))).await.refused(404, "NOT_FOUND");
        for order in ["read", "stop"] {
            admin.post(&format!("{}/{order}", path(&added)), json!({})).await.refused(404, "NOT_FOUND");
        }
        admin.delete(&path(&added)).await.refused(404, "NOT_FOUND");
        let audit = admin.get("/api/v1/audit-log?limit=200").await.ok(200).to_string();
        assert!(!audit.contains(&ground.site.url("/")), "{audit}");
        owner.delete(&path(&added)).await.ok(200);
    }
}
