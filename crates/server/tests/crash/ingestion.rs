//! A server that is killed again and again while it takes files in: every file ends completed, once.

use crate::client::{Client, text};
use crate::dice::Dice;
use crate::home::Home;
use crate::size::thorough;
use quipu_core::KnowledgeBaseId;
use quipu_core::page::MAX_LIMIT;
use quipu_store::tenant::Target;
use quipu_testkit::db_test;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fmt::Write;
use std::time::{Duration, Instant};

const DOCUMENTS: usize = 200;
const KILLS: usize = 20;
/// How long the last start may take to finish what the kills left.
const PATIENCE: Duration = Duration::from_mins(4);

db_test! {
    async fn every_file_ends_completed_however_often_the_server_dies(db) {
        let mut dice = Dice::new();
        let home = Home::new(db.url())
            .await
            .without_demo()
            .set("QUIPU_JOBS__WORKERS", 3)
            .set("QUIPU_JOBS__LEASE_SECONDS", 2)
            .set("QUIPU_JOBS__MAX_ATTEMPTS", 50)
            .set("QUIPU_JOBS__POLL_MILLISECONDS", 20);
        let mut server = home.start_server().ready().await;
        let mut client = Client::first_sign_in(&server).await;
        let scope = client.make_tenant("ingesta").await;
        let plain = json!({ "name": "Todo", "embedding_config": { "model": "quipu-es-en/static" } });
        let kb = client.post("/api/v1/knowledge-bases", &plain).await;
        let kb = text(&kb["id"]);

        let started = Instant::now();
        let mut sent = 0;
        let mut kills = 0;
        // Files are sent between the kills and during them: one that was not acknowledged is sent
        // again, and is then there or a duplicate of itself.
        let (all, most_kills) = (thorough(DOCUMENTS), thorough(KILLS));
        while sent < all || kills < most_kills {
            let until = Instant::now() + dice.millis(100, 900);
            while sent < all && Instant::now() < until {
                let (name, body) = file(sent);
                let answer = client.upload(&kb, &name, body).await;
                match answer {
                    Some((202 | 409, _)) => sent += 1,
                    Some((status, body)) => panic!("{name}: {status} {body}"),
                    None => break,
                }
            }
            tokio::time::sleep(until.saturating_duration_since(Instant::now())).await;
            if kills < most_kills {
                server.process.kill().await;
                kills += 1;
                server = home.start_server().ready().await;
                client.address = server.address.clone();
            }
        }
        let killed_for = started.elapsed();

        let path = format!("/api/v1/knowledge-bases/{kb}/documents");
        let patience = Instant::now() + PATIENCE;
        let documents = loop {
            let documents = client.all(&path).await;
            let waiting = documents.iter().filter(|d| {
                ["pending", "processing"].contains(&d["status"].as_str().unwrap_or_default())
            });
            let waiting = waiting.count();
            if waiting == 0 {
                break documents;
            }
            assert!(Instant::now() < patience, "{waiting} documents are stuck:\n{}", home.log());
            tokio::time::sleep(Duration::from_millis(200)).await;
        };
        home.assert_no_panic();
        assert_eq!(documents.len(), all);
        let mut chunks = 0;
        for document in &documents {
            assert_eq!(document["status"], "completed", "{document}");
            let count = check_chunks(&client, &path, document).await;
            assert_eq!(document["chunks_count"], json!(count), "{document}");
            chunks += count;
        }
        let app = home.app().await;
        let id: KnowledgeBaseId = kb.parse().unwrap();
        let tx = app.store.read(scope).await.unwrap();
        let stored = tx.removal().count(&Target::KnowledgeBase(id)).await.unwrap();
        assert_eq!(stored.documents, all as u64);
        assert_eq!(stored.chunks, chunks, "chunks of versions that nobody sees");
        assert_eq!(stored.vectors, chunks, "each chunk has one vector");
        println!(
            "{all} documents, {chunks} chunks; {most_kills} kills after {killed_for:?}, done after {:?}",
            started.elapsed()
        );
    }
}

/// Chunks are numbered without a gap, and what they say stands where they say it does.
async fn check_chunks(client: &Client, path: &str, document: &Value) -> u64 {
    let id = text(&document["id"]);
    let whole = client.text(&format!("{path}/{id}/text")).await;
    let whole: Vec<char> = whole.chars().collect();
    let mut seen = HashSet::new();
    let mut next = 0_u64;
    let mut cursor = String::new();
    loop {
        let page = format!("{path}/{id}/chunks?limit={MAX_LIMIT}{cursor}");
        let page = client.get(&page).await;
        for chunk in page["data"].as_array().unwrap() {
            assert_eq!(chunk["chunk_index"], json!(next), "{chunk}");
            assert!(seen.insert(chunk["id"].to_string()), "{chunk}");
            let at = |name: &str| usize::try_from(chunk[name].as_u64().unwrap()).unwrap();
            let there: String = whole[at("start_char")..at("end_char")].iter().collect();
            assert_eq!(there, text(&chunk["content"]));
            next += 1;
        }
        match page["next_cursor"].as_str() {
            Some(at) => cursor = format!("&cursor={at}"),
            None => return next,
        }
    }
}

/// A file of its own for each number, of several kinds and sizes.
fn file(number: usize) -> (String, Vec<u8>) {
    let lines = 5 + number * 7 % 120;
    let mut body = String::new();
    let name = match number % 5 {
        0 => {
            for line in 0..lines {
                writeln!(
                    body,
                    "Servicio {line} de la sede {number}: cuesta S/ {line}.\n"
                )
                .unwrap();
            }
            format!("servicios-{number}.txt")
        }
        1 => {
            writeln!(body, "servicio,precio,sede").unwrap();
            for line in 0..lines * 4 {
                writeln!(body, "Servicio {line},{line}.50,Sede {number}").unwrap();
            }
            format!("precios-{number}.csv")
        }
        2 => {
            for line in 0..lines {
                writeln!(
                    body,
                    "## Pregunta {line}\n\nEn la sede {number} sí, {line} veces.\n"
                )
                .unwrap();
            }
            format!("preguntas-{number}.md")
        }
        3 => {
            body.push_str("<!doctype html><title>Sede</title><h1>Precios</h1>");
            for line in 0..lines {
                write!(
                    body,
                    "<p>El servicio {line} de la sede {number} cuesta {line}.</p>"
                )
                .unwrap();
            }
            format!("sede-{number}.html")
        }
        _ => return (format!("carta-{number}.pdf"), pdf(number, lines)),
    };
    (name, body.into_bytes())
}

/// A small PDF with one line of text on each page.
fn pdf(number: usize, pages: usize) -> Vec<u8> {
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        String::new(),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    let mut kids = String::new();
    for page in 0..pages {
        let line = format!("Plato {page} de la carta {number}: cuesta {page} soles");
        let stream = format!("BT /F1 12 Tf 50 700 Td ({line}) Tj ET");
        write!(kids, "{} 0 R ", objects.len() + 1).unwrap();
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {} 0 R/Resources<</Font<</F1 3 0 R>>>>>>",
            objects.len() + 2
        ));
        objects.push(format!(
            "<</Length {}>>stream\n{stream}\nendstream",
            stream.len()
        ));
    }
    objects[1] = format!("<</Type/Pages/Count {pages}/Kids[{kids}]>>");
    let mut out = String::from("%PDF-1.5\n");
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(out.len());
        write!(out, "{} 0 obj\n{object}\nendobj\n", at + 1).unwrap();
    }
    let table = out.len();
    write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).unwrap();
    for place in places {
        writeln!(out, "{place:010} 00000 n ").unwrap();
    }
    write!(
        out,
        "trailer<</Size {}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF",
        objects.len() + 1
    )
    .unwrap();
    out.into_bytes()
}
