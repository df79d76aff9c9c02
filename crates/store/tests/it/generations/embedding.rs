//! Vectors are made in batches, and an attempt that was cut short is gone on with.

use super::Ground;
use crate::material::{MODEL, add_searchable, build, embed, load, searchable, vector};
use crate::schema::Schema;
use quipu_core::DocumentId;
use quipu_testkit::db_test;
use sea_orm::{ConnectionTrait, Statement};
use std::collections::HashSet;

const CHUNKS: usize = 1200;

fn many() -> Vec<String> {
    (0..CHUNKS).map(|n| format!("Artículo {n}.")).collect()
}

/// The vectors of a document as they lie in the table, with the number of their chunk.
async fn stored(schema: &Schema, document: DocumentId, model: &str) -> Vec<(i32, Vec<f32>)> {
    let sql = "SELECT c.chunk_index, v.vector FROM chunk_vectors v
               JOIN chunks c ON c.id = v.chunk_id
               WHERE c.document_id = $1 AND v.model = $2 ORDER BY 1";
    let values = [document.uuid().into(), model.into()];
    let backend = schema.0.get_database_backend();
    let statement = Statement::from_sql_and_values(backend, sql, values);
    let rows = schema.0.query_all_raw(statement).await.unwrap();
    rows.iter()
        .map(|row| {
            let bytes: Vec<u8> = row.try_get("", "vector").unwrap();
            let (floats, rest) = bytes.as_chunks::<4>();
            assert!(rest.is_empty());
            let floats = floats
                .iter()
                .map(|bytes| f32::from_le_bytes(*bytes))
                .collect();
            (row.try_get("", "chunk_index").unwrap(), floats)
        })
        .collect()
}

db_test! {
    // More chunks than one statement takes, in batches of which the first to end is not the first
    // to begin.
    async fn an_attempt_that_was_cut_short_is_gone_on_with(db) {
        let ground = Ground::new(&db).await;
        let many = many();
        let pieces: Vec<_> = many.iter().map(String::as_str).collect();
        let tx = ground.begin().await;
        let item = build(&tx, ground.document, &pieces).await;
        tx.commit().await.unwrap();

        let tx = ground.begin().await;
        assert_eq!(embed(&tx, &item, 300, 200).await.len(), 200);
        tx.commit().await.unwrap();
        let tx = ground.begin().await;
        assert_eq!(embed(&tx, &item, 0, 100).await.len(), 100);
        tx.commit().await.unwrap();
        // The worker is killed in the middle of this one.
        let tx = ground.begin().await;
        embed(&tx, &item, 0, 150).await;
        drop(tx);

        let tx = ground.begin().await;
        let again = load(&tx, ground.document).await;
        assert_eq!(again.building, Some(item.next_generation()));
        assert_eq!(usize::try_from(again.building_chunks).unwrap(), CHUNKS);
        let generation = item.next_generation();
        assert_eq!(tx.ingest().count_vectors(item.id, generation, MODEL).await.unwrap(), 300);
        let first = tx.ingest().unembedded(item.id, generation, MODEL, 0, 250).await.unwrap();
        let indices: Vec<_> = first.iter().map(|chunk| chunk.index).collect();
        let expected: Vec<_> = (100..300).chain(500..550).collect();
        assert_eq!(indices, expected, "those that are missing, in their order");
        assert_eq!(first[0].content, many[100]);
        assert_eq!((first[0].tokens, first[0].headings[1].as_str()), (3, "Parte 100"));
        tx.commit().await.unwrap();

        let mut embedded = HashSet::new();
        loop {
            let tx = ground.begin().await;
            let batch = embed(&tx, &item, 0, 256).await;
            if batch.is_empty() {
                break;
            }
            tx.commit().await.unwrap();
            for (id, _) in batch {
                assert!(embedded.insert(id), "a chunk was embedded twice");
            }
        }
        assert_eq!(embedded.len(), CHUNKS - 300);

        let tx = ground.begin().await;
        assert!(tx.ingest().publish(&item, generation).await.unwrap());
        tx.commit().await.unwrap();
        let expected: Vec<_> = (0..).take(CHUNKS).map(|n| (n, vector(n))).collect();
        assert_eq!(stored(&ground.schema, item.id, MODEL).await, expected);
        let tx = ground.read().await;
        let stats = tx.knowledge_bases().stats(ground.kb.id).await.unwrap().unwrap();
        // Three tokens for each chunk, those of the first version included.
        assert_eq!((stats.tokens, stats.tokens_used), (3600, 3606));
    }

    async fn a_vector_that_is_there_is_kept(db) {
        let ground = Ground::new(&db).await;
        let tx = ground.begin().await;
        let found = searchable(&tx, &[ground.kb.id]).await;
        let again: Vec<_> = found.iter().map(|chunk| (chunk.id, vector(99))).collect();
        tx.ingest().add_vectors(ground.kb.id, MODEL, &again, 0).await.unwrap();
        tx.ingest().add_vectors(ground.kb.id, "other", &again[..1], 0).await.unwrap();
        tx.ingest().add_vectors(ground.kb.id, MODEL, &[], 0).await.unwrap();
        tx.commit().await.unwrap();
        let expected = [(0, vector(0)), (1, vector(1))];
        assert_eq!(stored(&ground.schema, ground.document, MODEL).await, expected);
        assert_eq!(stored(&ground.schema, ground.document, "other").await, [(0, vector(99))]);

        // Models are counted apart, and so are documents.
        let tx = ground.begin().await;
        add_searchable(&tx, &ground.kb, &["otro"]).await;
        for (model, count, missing) in [(MODEL, 2, 0), ("other", 1, 1), ("third", 0, 2)] {
            let id = ground.document;
            assert_eq!(tx.ingest().count_vectors(id, 1, model).await.unwrap(), count);
            let waiting = tx.ingest().unembedded(id, 1, model, 0, 10).await.unwrap();
            assert_eq!(waiting.len(), missing, "{model}");
        }
    }
}
