//! Whatever happens to an index under a running server, searches go on, and it is made anew.

use super::{names, search, start, start_with};
use crate::harness::{TestApp, eventually, kb_path, make_kb, teach_text};
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::engine::Partition;
use quipu_testkit::{TestDatabase, db_test};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

const TEXTS: [(&str, &str); 3] = [
    ("Precios", "La limpieza dental cuesta 120 soles."),
    ("Horario", "Abrimos de lunes a sábado de nueve a seis."),
    ("Dirección", "Estamos en la avenida Larco 345, Miraflores."),
];
const ASKED: [(&str, &str); 3] = [
    ("¿cuánto cuesta la limpieza?", "Precios"),
    ("¿a qué hora abren?", "Horario"),
    ("¿en qué avenida están?", "Dirección"),
];

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

/// Does something to the index, and sees that everything is found again.
async fn survives(db: TestDatabase, harm: impl AsyncFn(&TestApp)) {
    let app = start(db).await;
    let client = app.tenant("acme").await.admin.client;
    let kb = make_kb(&client, "Clínica").await;
    for (title, text) in TEXTS {
        teach_text(&client, &kb, title, text).await;
    }
    let check = async || {
        for (query, title) in ASKED {
            let answer = search(
                &client,
                &kb,
                json!({ "query": query, "similarity_threshold": 0.2 }),
            )
            .await;
            assert_eq!(names(&answer).first(), Some(&title), "{query}: {answer}");
            assert_eq!(answer["degraded"], json!([]), "{query}");
        }
    };
    check().await;
    harm(&app).await;
    check().await;
    // A change makes the engine write again.
    teach_text(&client, &kb, "Yape", "Aceptamos pagos con Yape y Plin.").await;
    check().await;
    let answer = search(
        &client,
        &kb,
        json!({ "query": "¿aceptan yape?", "similarity_threshold": 0.2 }),
    )
    .await;
    assert_eq!(names(&answer).first(), Some(&"Yape"));
}

db_test! {
    async fn files_truncated_under_a_running_server(db) {
        if !db.is_postgres() {
            survives(db, async |app| {
                let all = files(&app.index());
                assert!(!all.is_empty());
                for file in all {
                    // The engine itself may have thrown one away meanwhile.
                    if let Ok(open) = fs::OpenOptions::new().write(true).open(&file) {
                        open.set_len(open.metadata().unwrap().len() / 2).unwrap();
                    }
                }
            })
            .await;
        }
    }

    async fn an_index_deleted_under_a_running_server(db) {
        survives(db, async |app| {
            if app.db.is_postgres() {
                assert_eq!(app.db.execute("DELETE FROM search_partitions").await, 1);
            } else {
                for entry in fs::read_dir(app.index()).unwrap().flatten() {
                    // The server may write into it meanwhile, and then it is not empty at its end.
                    while entry.path().is_dir() {
                        let _ = fs::remove_dir_all(entry.path());
                    }
                }
            }
        })
        .await;
    }

    async fn vectors_of_an_older_model_are_made_anew(db) {
        let app = start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("acme").await;
        let client = &tenant.admin.client;
        let kb = make_kb(client, "Clínica").await;
        let workers = app.start_some_workers();
        for (title, text) in TEXTS {
            teach_text(client, &kb, title, text).await;
        }
        let searched = async || client.get(&kb_path(&kb)).await.ok(200)["searched_with"]["model"].clone();
        let encoder = json!(EmbeddingConfig::default().model);
        eventually("vectors of the encoder", async || (searched().await == encoder).then_some(())).await;
        workers.stop().await;
        let older = "UPDATE chunk_vectors SET model = replace(model, '@2', '@1')";
        assert!(app.db.execute(older).await >= 6);

        let partition = Partition::named(tenant.id, kb["id"].as_str().unwrap().parse().unwrap());
        assert_eq!(quipu_app::embeddings::renew(&app.app).await.unwrap(), 1);
        assert_ne!(searched().await, encoder);
        app.start_workers();
        eventually("vectors of the encoder", async || (searched().await == encoder).then_some(())).await;
        assert_eq!(quipu_app::embeddings::renew(&app.app).await.unwrap(), 0);
        assert_eq!(app.app.engine.count(partition).await.unwrap(), 3);
        for (query, title) in ASKED {
            let body = json!({ "query": query, "similarity_threshold": 0, "mode": "dense" });
            let answer = search(client, &kb, body).await;
            assert_eq!(names(&answer).len(), 3, "{query} for {title}");
            assert_eq!(answer["degraded"], json!([]));
        }
    }
}
