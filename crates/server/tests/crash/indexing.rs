//! A server that dies while it indexes, or finds its index gone, damaged or of another version,
//! starts, heals, and answers.

use crate::client::{Client, text};
use crate::dice::Dice;
use crate::home::{Home, Server};
use quipu_testkit::{TestDatabase, db_test};
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const DOCUMENTS: usize = 60;
const KILLS: usize = 8;
const PATIENCE: Duration = Duration::from_mins(5);

/// A word that only one document has.
fn word(number: usize) -> String {
    const SYLLABLES: [&str; 8] = ["bar", "cel", "dum", "fos", "gri", "lan", "mep", "tiv"];
    let at = |place: usize| SYLLABLES[number / 8_usize.pow(u32::try_from(place).unwrap()) % 8];
    format!("{}{}{}ax", at(0), at(1), at(2))
}

fn document(number: usize) -> Vec<u8> {
    let mut body = String::new();
    for line in 0..30 {
        let local = word(number);
        writeln!(
            body,
            "Servicio {line} del local {local}: cuesta {line} soles.
"
        )
        .unwrap();
    }
    body.into_bytes()
}

/// Everything is found, each document by its own word.
async fn check(home: &Home, client: &Client, kb: &str, numbers: &[usize]) {
    let patience = Instant::now() + PATIENCE;
    let path = format!("/api/v1/knowledge-bases/{kb}/documents");
    loop {
        let documents = client.all(&path).await;
        let done = documents
            .iter()
            .filter(|d| d["status"] == "completed")
            .count();
        if done == DOCUMENTS {
            break;
        }
        assert!(
            Instant::now() < patience,
            "{done} of {DOCUMENTS}:\n{}",
            home.log()
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let path = format!("/api/v1/knowledge-bases/{kb}/search");
    for &number in numbers {
        let query = format!("¿cuánto cuesta el servicio del local {}?", word(number));
        let asked = json!({ "query": query, "similarity_threshold": 0, "top_k": 3 });
        // A busy machine may miss the deadline of a search, which then says so.
        let answer = loop {
            let answer = client.post(&path, &asked).await;
            if answer["degraded"] == json!([]) {
                break answer;
            }
            assert!(
                Instant::now() < patience,
                "{query}: {answer}\n{}",
                home.log()
            );
        };
        let best = answer["chunks"][0]["content"].as_str().unwrap_or_default();
        assert!(
            best.contains(&word(number)),
            "{query}: {answer}\n{}",
            home.log()
        );
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// Ways in which an index is found after a restart. The embedded one lies in files, the other in
/// tables.
async fn harm(db: &TestDatabase, home: &Home, way: usize) {
    let index = home.dir().join("index");
    if db.is_postgres() {
        let sql = [
            "DROP TABLE search_vectors, search_terms, search_chunks, search_partitions",
            "COMMENT ON TABLE search_partitions IS 'another'",
            "DELETE FROM search_partitions",
        ];
        db.execute(sql[way]).await;
        return;
    }
    match way {
        0 => fs::remove_dir_all(&index).unwrap(),
        1 => {
            // As another version would have written it: nothing in it reads as it should.
            for file in files(&index) {
                let bytes = fs::read(&file).unwrap();
                let other: Vec<u8> = bytes.iter().map(|byte| byte.wrapping_add(1)).collect();
                fs::write(&file, other).unwrap();
            }
        }
        _ => {
            for file in files(&index) {
                let length = fs::metadata(&file).unwrap().len();
                let open = fs::OpenOptions::new().write(true).open(&file).unwrap();
                open.set_len(length * 2 / 3).unwrap();
            }
        }
    }
}

async fn restarted(home: &Home, client: &mut Client, server: Server) -> Server {
    server.process.kill().await;
    let server = home.start_server().ready().await;
    client.address.clone_from(&server.address);
    server
}

/// Puts back a copy of the database that is older than the index.
async fn put_back(
    db: &TestDatabase,
    home: &Home,
    client: &mut Client,
    server: Server,
    kb: &str,
) -> Server {
    async fn stopped(server: Server) {
        server.process.ask_to_stop();
        assert!(server.process.ended().await.success());
    }
    let path = PathBuf::from(db.url().trim_start_matches("sqlite://"));
    let database = || {
        let files = fs::read_dir(path.parent().unwrap()).unwrap().flatten();
        let files = files.filter(|file| file.file_name().to_string_lossy().starts_with("quipu.db"));
        files.map(|file| file.path())
    };
    stopped(server).await;
    let copies: Vec<(PathBuf, Vec<u8>)> = database()
        .map(|file| (file.clone(), fs::read(file).unwrap()))
        .collect();
    assert!(!copies.is_empty());
    let server = home.start_server().ready().await;
    client.address.clone_from(&server.address);
    let documents = format!("/api/v1/knowledge-bases/{kb}/documents");
    let all = client.all(&documents).await;
    let ids: Vec<&Value> = all.iter().map(|document| &document["id"]).collect();
    let gone = json!({ "document_ids": ids });
    client.post(&format!("{documents}/delete"), &gone).await;
    let path = format!("/api/v1/knowledge-bases/{kb}/search");
    client
        .post(&path, &json!({ "query": "servicio del local" }))
        .await;
    stopped(server).await;
    for file in database().collect::<Vec<_>>() {
        fs::remove_file(file).unwrap();
    }
    for (file, bytes) in copies {
        fs::write(file, bytes).unwrap();
    }
    let server = home.start_server().ready().await;
    client.address.clone_from(&server.address);
    server
}

db_test! {
    async fn an_index_survives_kills_and_comes_back_from_nothing(db) {
        let mut dice = Dice::new();
        let engine = if db.is_postgres() { "pgvector" } else { "embedded" };
        let home = Home::new(db.url())
            .await
            .without_demo()
            .set("QUIPU_JOBS__WORKERS", 2)
            .set("QUIPU_JOBS__LEASE_SECONDS", 2)
            .set("QUIPU_JOBS__MAX_ATTEMPTS", 50)
            .set("QUIPU_JOBS__POLL_MILLISECONDS", 20)
            .choose("QUIPU_SEARCH__ENGINE", engine);
        let mut server = home.start_server().ready().await;
        let mut client = Client::first_sign_in(&server).await;
        client.make_tenant("indice").await;
        let plain = json!({ "name": "Todo", "embedding_config": { "model": "quipu-es-en/static" } });
        let kb = client.post("/api/v1/knowledge-bases", &plain).await;
        let kb = text(&kb["id"]);

        let mut sent = 0;
        let mut kills = 0;
        while sent < DOCUMENTS || kills < KILLS {
            let until = Instant::now() + dice.millis(100, 700);
            while sent < DOCUMENTS && Instant::now() < until {
                match client.upload(&kb, &format!("{sent}.txt"), document(sent)).await {
                    Some((202 | 409, _)) => sent += 1,
                    Some((status, body)) => panic!("{status} {body}"),
                    None => break,
                }
                // Searching makes the engine take in what is new, and the kill falls into that.
                let path = format!("/api/v1/knowledge-bases/{kb}/search");
                client.post(&path, &json!({ "query": "servicio del local" })).await;
            }
            tokio::time::sleep(until.saturating_duration_since(Instant::now())).await;
            if kills < KILLS {
                kills += 1;
                server = restarted(&home, &mut client, server).await;
            }
        }
        let all: Vec<usize> = (0..DOCUMENTS).collect();
        check(&home, &client, &kb, &all).await;

        for way in 0..3 {
            server.process.ask_to_stop();
            assert!(server.process.ended().await.success());
            harm(&db, &home, way).await;
            server = home.start_server().ready().await;
            client.address.clone_from(&server.address);
            check(&home, &client, &kb, &[0, 7, 31, 59]).await;
        }

        // What was found is found again after a backup is put back, and what was not there is not.
        if !db.is_postgres() {
            server = put_back(&db, &home, &mut client, server, &kb).await;
            check(&home, &client, &kb, &[0, 7, 31, 59]).await;
        }

        // The command that does the same on purpose needs the index to itself.
        if !db.is_postgres() {
            let refused = home.command(&["reindex"]).output().await.unwrap();
            assert!(!refused.status.success());
        }
        server.process.ask_to_stop();
        assert!(server.process.ended().await.success());
        let done = home.command(&["reindex"]).output().await.unwrap();
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success(), "{said}\n{}", home.log());
        assert!(said.contains("were indexed anew"), "{said}");
        let server = home.start_server().ready().await;
        client.address.clone_from(&server.address);
        check(&home, &client, &kb, &[1, 58]).await;
        home.assert_no_panic();
    }
}
