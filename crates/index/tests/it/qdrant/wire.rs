//! What is sent, and what happens when the server does not do what it should.

use super::subject::settings;
use crate::subject::scope;
use quipu_core::engine::{Engine, Found, Partition};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{Error, ErrorCode, KnowledgeBaseId, TenantId};
use quipu_index::{QdrantEngine, QdrantSettings};
use quipu_testkit::engine_suite::{FakeLog, among, document, document_id, entry, probe};
use quipu_testkit::qdrant::{KEY, QdrantStandIn, Step};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use uuid::Uuid;

const TENANT: TenantId = TenantId::from_uuid(Uuid::from_u128(1));
const KB: KnowledgeBaseId = KnowledgeBaseId::from_uuid(Uuid::from_u128(11));

fn rights() -> RetrievalScope {
    scope(TENANT, &[KB])
}

fn partition() -> Partition {
    Partition::named(TENANT, KB)
}

/// A log of one document with two chunks.
fn log() -> Arc<FakeLog> {
    let log = Arc::new(FakeLog::default());
    let entries = vec![
        entry(1, "limpieza dental", "Precios", Some(vec![0.6, 0.8])),
        entry(2, "horario de oficina", "", Some(vec![1.0, 0.0])),
    ];
    log.write(partition(), vec![document(1, entries)]);
    log
}

fn engine(settings: &QdrantSettings) -> QdrantEngine {
    QdrantEngine::new(settings, log()).unwrap()
}

async fn search(engine: &QdrantEngine, text: &str) -> Result<Found, Error> {
    let asked = probe(1, text, Some(&[1.0, 0.0]));
    engine.search(&rights(), KB, &asked).await
}

/// The error is one that says what is wrong, and does not tell the key.
fn unavailable<T: std::fmt::Debug>(outcome: Result<T, Error>) -> String {
    let error = outcome.unwrap_err();
    assert_eq!(error.code(), ErrorCode::SearchUnavailable, "{error}");
    let text = format!("{error}");
    assert!(!text.contains(KEY), "{text}");
    text
}

#[tokio::test]
async fn every_call_carries_the_key_and_names_the_partition() {
    let fake = QdrantStandIn::open().await;
    let engine = engine(&settings(&fake));
    assert_eq!(search(&engine, "limpieza").await.unwrap().hits.len(), 2);
    search(&engine, "limpiesa").await.unwrap();
    let few = among(probe(1, "limpieza", Some(&[1.0, 0.0])), &[document_id(1)]);
    engine.search(&rights(), KB, &few).await.unwrap();
    assert_eq!(engine.count(partition()).await.unwrap(), 2);
    let documents = [document_id(1), document_id(2)];
    assert_eq!(engine.count_of(partition(), &documents).await.unwrap(), 2);
    assert_eq!(
        engine.partitions(Some(TENANT)).await.unwrap(),
        [partition()]
    );
    assert_eq!(engine.remove(partition()).await.unwrap(), 2);
    let mut filtered = 0;
    for seen in fake.seen() {
        assert_eq!(seen.headers["api-key"], KEY, "{}", seen.path);
        let about_points = ["count", "scroll", "query", "facet", "payload", "delete"];
        let lists_partitions = seen.path.ends_with("_partitions/points/scroll");
        if about_points.iter().any(|end| seen.path.ends_with(end)) && !lists_partitions {
            let must = seen.body["filter"]["must"].as_array().unwrap();
            let names = |key: &str, id: Uuid| {
                let wanted = json!({ "key": key, "match": { "value": id } });
                must.contains(&wanted)
            };
            assert!(names("tenant_id", TENANT.uuid()), "{}", seen.body);
            assert!(names("knowledge_base_id", KB.uuid()), "{}", seen.body);
            filtered += 1;
        }
        for point in seen.body["points"].as_array().into_iter().flatten() {
            assert_eq!(point["payload"]["tenant_id"], json!(TENANT.uuid()));
            assert_eq!(point["payload"]["knowledge_base_id"], json!(KB.uuid()));
        }
    }
    assert!(filtered > 20, "{filtered}");
    fake.change("", |points| assert!(points.is_empty(), "nothing is left"));
}

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    let fake = QdrantStandIn::open().await;
    let engine = engine(&settings(&fake));
    fake.script(&[Step::Status(503), Step::Status(429), Step::HangUp]);
    assert_eq!(search(&engine, "limpieza").await.unwrap().hits.len(), 2);
    let paths: Vec<String> = fake.seen().into_iter().map(|seen| seen.path).collect();
    assert!(paths[..4].iter().all(|path| *path == paths[0]));
    fake.script(&[const { Step::Status(503) }; 4]);
    unavailable(engine.count(partition()).await);
    assert_eq!(fake.seen().len(), 4);
}

#[tokio::test]
async fn what_is_refused_is_not_tried_again() {
    let fake = QdrantStandIn::open().await;
    let engine = engine(&settings(&fake));
    for status in [400, 401, 403, 422] {
        fake.script(&[Step::Status(status)]);
        let why = unavailable(engine.count(partition()).await);
        assert!(why.contains(&status.to_string()), "{why}");
        assert_eq!(fake.seen().len(), 1);
    }
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_not_waited_for() {
    let fake = QdrantStandIn::open().await;
    let mut settings = settings(&fake);
    settings.timeout = Duration::from_millis(100);
    let engine = engine(&settings);
    fake.script(&[Step::Slow(Duration::from_secs(20))]);
    let began = Instant::now();
    unavailable(search(&engine, "limpieza").await);
    assert!(began.elapsed() < Duration::from_secs(5));
    settings.url = "http://127.0.0.1:9".to_owned();
    let away = QdrantEngine::new(&settings, log()).unwrap();
    unavailable(search(&away, "limpieza").await);
}

#[tokio::test]
async fn what_makes_no_sense_is_an_error() {
    let fake = QdrantStandIn::open().await;
    let mut settings = settings(&fake);
    settings.answer_bytes = 100_000;
    let engine = engine(&settings);
    search(&engine, "limpieza").await.unwrap();
    let large = format!(
        "{{\"result\":{{\"count\":1}},\"x\":\"{}\"}}",
        "y".repeat(200_000)
    );
    for body in [
        "<html>",
        "{}",
        "{\"result\":{\"count\":-1}}",
        "",
        large.as_str(),
    ] {
        // The record is read before anything is counted.
        fake.script(&[Step::Body(body.to_owned())]);
        unavailable(engine.count(partition()).await);
    }
    for url in ["qdrant", "ftp://qdrant", ""] {
        assert!(QdrantEngine::new(&QdrantSettings::new(url), log()).is_err());
    }
}

#[tokio::test]
async fn a_point_of_somebody_else_is_never_a_hit() {
    let fake = QdrantStandIn::open().await;
    let engine = engine(&settings(&fake));
    search(&engine, "limpieza").await.unwrap();
    // The server is broken: what it has under these names is not what it was given.
    fake.change("_words", |points| {
        for point in points.values_mut() {
            point["payload"]["chunk_id"] = json!(Uuid::from_u128(99));
        }
    });
    unavailable(search(&engine, "limpieza").await);
}

#[tokio::test]
async fn what_was_lost_is_noticed_and_written_again() {
    let fake = QdrantStandIn::open().await;
    let engine = engine(&settings(&fake));
    for lost in ["_words", "_2"] {
        search(&engine, "limpieza").await.unwrap();
        fake.change(lost, |points| drop(points.pop_first()));
        let found = search(&engine, "limpieza").await.unwrap();
        assert_eq!((found.hits.len(), found.chunks), (2, 2), "{lost}");
    }
    fake.clear();
    unavailable(search(&engine, "limpieza").await);
    assert_eq!(search(&engine, "limpieza").await.unwrap().hits.len(), 2);
}

#[tokio::test]
async fn a_writer_that_died_is_followed_by_another() {
    let fake = QdrantStandIn::open().await;
    let engine = engine(&settings(&fake));
    // It had claimed the partition and written some of what it read, and came no further.
    search(&engine, "limpieza").await.unwrap();
    fake.change("_partitions", |points| {
        for record in points.values_mut() {
            let record = &mut record["payload"];
            record["version"] = json!(0);
            record["reached"] = json!(0);
            record["writer"] = json!("somebody");
            record["tidy"] = json!(false);
        }
    });
    fake.change("_words", |points| {
        let (_, mut orphan) = points.pop_first().unwrap();
        orphan["payload"]["born"] = json!(7);
        points.insert(Uuid::from_u128(5).to_string(), orphan);
    });
    let found = search(&engine, "limpieza").await.unwrap();
    assert_eq!((found.hits.len(), found.chunks), (2, 2));
    fake.change("_words", |points| {
        let born = |point: &Value| point["payload"]["born"] == json!(1);
        assert!(points.len() == 2 && points.values().all(born));
    });
}
