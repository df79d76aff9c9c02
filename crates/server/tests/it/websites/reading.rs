//! Which pages of a site are found and read.

use super::site::{Answer, Ground, TestSite, counts, path};
use crate::harness::{all_pages, documents_path, found};
use flate2::Compression;
use flate2::write::GzEncoder;
use quipu_testkit::{db_test, sqlite_test};
use serde_json::{Value, json};
use std::io::Write;

fn packed(text: &str) -> Answer {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(text.as_bytes()).unwrap();
    Answer::Plain(packed.finish().unwrap().into())
}

db_test! {
    async fn a_sitemap_says_what_is_read(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        site.text(
            "/robots.txt",
            format!("User-agent: *\nDisallow: /privado\nSitemap: {}\n", site.url("/mapas.xml")),
        );
        let (first, second) = (site.url("/uno.xml"), site.url("/dos.xml.gz"));
        site.text(
            "/mapas.xml",
            format!("<sitemapindex><sitemap><loc>{first}</loc></sitemap><sitemap><loc>{second}</loc></sitemap></sitemapindex>"),
        );
        site.sitemap("/uno.xml", &["/horario?utm_source=x", "/privado/caja", "/foto.png", "/blog/nada"]);
        let more = site.url("/precios");
        site.put("/dos.xml.gz", packed(&format!("<urlset><url><loc>{more}</loc></url></urlset>")));
        site.page("/", "Inicio de la farmacia", &["/suelta"]);
        site.page("/horario", "La farmacia abre a las siete de la mañana.", &["/suelta"]);
        site.page("/precios", "La consulta cuesta cuarenta pesos.", &[]);
        site.page("/suelta", "Nadie nombra esta página.", &[]);

        let added = ground.add(json!({ "exclude": ["/blog/*"] })).await;
        assert_eq!(added["status"], "waiting");
        let done = ground.ready(&added).await;
        assert_eq!(counts(&done), [2, 2, 0, 2, 0, 1, 0]);
        assert_eq!(done["error_code"], Value::Null);
        assert_eq!(ground.documents().await, ["/horario", "/precios"]);
        let pages = ground.pages(&added).await;
        assert_eq!(pages["/privado/caja"], ("skipped".to_owned(), json!("ROBOTS_DISALLOW")));
        assert_eq!(pages["/horario"], ("read".to_owned(), Value::Null));
        assert!(!site.asked().iter().any(|path| path.starts_with("/privado") || path == "/suelta"));
        // Each page was asked for once: what is read is what is kept.
        let asked = site.asked();
        assert_eq!(asked.iter().filter(|path| *path == "/horario").count(), 1);
        let best = found(&ground.client, &ground.kb, "¿A qué hora abre la farmacia?").await[0].clone();
        assert_eq!(best["source_url"], site.url("/horario"));
        let listed = ground.client.get(&ground.sites()).await.ok(200);
        assert_eq!(listed["data"][0]["id"], added["id"]);
        let same = json!({ "address": site.url("/#aqui") });
        ground.client.post(&ground.sites(), same).await.refused(409, "ALREADY_EXISTS");
    }
}

sqlite_test! {
    async fn links_are_followed_as_far_as_wanted(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        let other = TestSite::open().await;
        site.page("/", "Inicio", &["/a", "a?utm_source=x#fin", "/vieja", "/dentro", "/fuera", &other.url("/x"), "/doble?x=1"]);
        site.page("/a", "Página a", &["/b", "mailto:ana@ejemplo.com"]);
        site.page("/b", "Página b", &["/c"]);
        site.page("/c", "Página c", &[]);
        site.page("/nueva", "Página nueva", &[]);
        site.put("/vieja", Answer::Moved("/nueva".to_owned()));
        site.put("/dentro", Answer::Moved("http://10.0.0.1:8080/secreto".to_owned()));
        site.put("/fuera", Answer::Moved(other.url("/x")));
        site.put("/doble?x=1", Answer::Html("<link rel=canonical href=/b><p>Página b".to_owned()));
        // There is no sitemap: links are the way out.
        let added = ground.add(json!({ "found_by": "sitemap", "depth": 2 })).await;
        let done = ground.ready(&added).await;
        assert_eq!(ground.documents().await, ["/", "/a", "/b", "/nueva"]);
        let pages = ground.pages(&added).await;
        assert_eq!(pages["/vieja"], ("skipped".to_owned(), json!("SAME_AS_ANOTHER_PAGE")));
        assert_eq!(pages["/dentro"], ("skipped".to_owned(), json!("LEAVES_SITE")));
        assert_eq!(pages["/fuera"], ("failed".to_owned(), json!("URL_NOT_ALLOWED")));
        assert_eq!(pages["/doble?x=1"], ("skipped".to_owned(), json!("SAME_AS_ANOTHER_PAGE")));
        assert!(other.asked().is_empty());
        assert_eq!(done["counts"]["failed"], 1);
        // One link less.
        let change = json!({ "depth": 1, "include": ["/", "/a", "/vieja", "/nueva"] });
        ground.client.patch(&path(&added), change).await.ok(200);
        let again = ground.read_again(&added).await;
        assert_eq!(again["counts"]["removed"], 1);
        assert_eq!(ground.documents().await, ["/", "/a", "/nueva"]);
    }

    async fn a_site_has_no_more_pages_than_it_may(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        let all: Vec<String> = (0..12).map(|n| format!("/p{n}")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        site.page("/", "Inicio", &all);
        for path in &all {
            site.page(path, &format!("Texto de {path}"), &[]);
        }
        let added = ground.add(json!({ "found_by": "links", "max_pages": 5 })).await;
        let done = ground.ready(&added).await;
        assert_eq!(counts(&done)[..2], [5, 5]);
        assert_eq!(done["error_code"], "PAGE_BUDGET_REACHED");
        assert_eq!(ground.documents().await.len(), 5);
        ground.client.patch(&path(&added), json!({ "max_pages": 3 })).await.ok(200);
        ground.read_again(&added).await;
        assert_eq!(ground.documents().await.len(), 3);
    }

    async fn what_the_plan_leaves_no_room_for_is_said(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        ground.app.plan("pequeno", |limits| limits.max_documents_per_kb = Some(2)).await;
        let root = ground.app.super_admin().await.client;
        let tenant = format!("/api/v1/tenants/{}", ground.tenant.id);
        root.patch(&tenant, json!({ "plan": "pequeno" })).await.ok(200);
        site.sitemap("/sitemap.xml", &["/1", "/2", "/3", "/4"]);
        for n in 1..5 {
            site.page(&format!("/{n}"), &format!("Texto {n}"), &[]);
        }
        let added = ground.add(json!({})).await;
        let done = ground.ready(&added).await;
        assert_eq!(done["error_code"], "PLAN_LIMIT_REACHED");
        assert!(!done["error_message"].as_str().unwrap().is_empty());
        assert_eq!(counts(&done), [4, 2, 0, 2, 0, 0, 2]);
        assert_eq!(ground.documents().await.len(), 2);
        // The last page is not even asked for.
        assert!(!site.asked().contains(&"/4".to_owned()));
    }

    async fn a_page_that_is_there_already_is_left_alone(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        site.page("/", "Inicio", &["/a"]);
        site.page("/a", "Página a", &[]);
        let url = format!("{}/url", documents_path(&ground.kb));
        ground.client.post(&url, json!({ "url": site.url("/a") })).await.ok(202);
        let added = ground.add(json!({ "found_by": "links" })).await;
        ground.ready(&added).await;
        let pages = ground.pages(&added).await;
        assert_eq!(pages["/a"], ("skipped".to_owned(), json!("ALREADY_A_DOCUMENT")));
        // The site takes with it what came with it.
        let receipt = ground.client.delete(&path(&added)).await.ok(200);
        assert_eq!(receipt["complete"], true);
        let rows = &receipt["removed"]["rows"];
        assert_eq!((&rows["documents"], &rows["websites"]), (&json!(1), &json!(1)));
        assert_eq!(ground.documents().await, ["/a"]);
        ground.client.get(&path(&added)).await.refused(404, "NOT_FOUND");
        assert_eq!(ground.app.kept_files().len(), 1);
    }

    async fn a_site_can_be_looked_at_before_it_is_added(db) {
        let ground = Ground::new(db).await;
        let site = &ground.site;
        site.text("/robots.txt", "User-agent: quipu\nDisallow: /no\n".to_owned());
        site.page("/", "Inicio", &["/a", "/no", "/b"]);
        site.page("/a", "Página a", &["/c"]);
        let look = format!("{}/preview", ground.sites());
        let body = json!({ "address": site.url("/"), "exclude": ["/b"] });
        let seen = ground.client.post(&look, body).await.ok(200);
        let addresses = ["/", "/a", "/c"].map(|path| site.url(path));
        assert_eq!(seen["addresses"], json!(addresses));
        assert_eq!((&seen["found"], &seen["found_by"]), (&json!(3), &json!("links")));
        assert_eq!((&seen["skipped_by_robots"], &seen["more"]), (&json!(1), &json!(false)));
        let documents = all_pages(&ground.client, &documents_path(&ground.kb), 50).await;
        assert!(documents.is_empty());
        let private = json!({ "address": "http://10.0.0.1/" });
        ground.client.post(&look, private).await.refused(422, "WEBSITE_UNREADABLE");
        for bad in [
            json!({ "address": "ftp://ejemplo.com" }),
            json!({ "address": site.url("/"), "depth": 6 }),
            json!({ "address": site.url("/"), "max_pages": 2001 }),
            json!({ "address": site.url("/"), "include": ["sin-barra"] }),
            json!({ "address": site.url("/"), "exclude": vec!["/a"; 21] }),
            json!({ "address": site.url("/?token=abc") }),
        ] {
            ground.client.post(&look, bad.clone()).await.refused(422, "VALIDATION_FAILED");
            ground.client.post(&ground.sites(), bad).await.refused(422, "VALIDATION_FAILED");
        }
    }
}
