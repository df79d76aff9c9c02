//! A search that loses a step goes on without it and says so.

use super::scripted::{Scripted, Vectors, ask, search};
use crate::fixtures::{SameWords, chunk, kb, scope};
use crate::retrieve::{Deadlines, Missing, Search};
use async_trait::async_trait;
use quipu_core::Result;
use quipu_core::knowledge::ReadableKb;
use quipu_core::ports::{ChunkReader, ChunkSource};
use quipu_core::retrieval::RetrievalScope;
use std::time::Duration;

#[tokio::test]
async fn without_a_vector_words_are_looked_for_and_it_is_said() {
    let own = kb(0, 1.0);
    let chunks = [chunk(own.id, "limpieza")];
    for vectors in [Vectors::Fail, Vectors::Hang] {
        let engine = Scripted::default().finds(&own, &[(chunks[0].id, 0.5)]);
        let found = search(&engine, &vectors, &chunks, &[&own], &ask("limpieza"))
            .await
            .unwrap();
        assert_eq!(found.passages.len(), 1);
        assert_eq!(
            found.missing,
            Missing {
                meaning: true,
                ..Missing::default()
            }
        );
        assert!(
            engine
                .asked
                .lock()
                .unwrap()
                .iter()
                .all(|probe| probe.dense.is_none())
        );
    }
}

#[tokio::test(start_paused = true)]
async fn models_that_hang_are_waited_for_together() {
    let kbs: Vec<ReadableKb> = (0..8)
        .map(|number| {
            let mut kb = kb(0, 1.0);
            kb.searched_with.model = format!("model-{number}");
            kb
        })
        .collect();
    let chunks = [chunk(kbs[0].id, "limpieza")];
    let engine = Scripted::default().finds(&kbs[0], &[(chunks[0].id, 0.5)]);
    let all: Vec<&ReadableKb> = kbs.iter().collect();
    let began = tokio::time::Instant::now();
    let found = search(&engine, &Vectors::Hang, &chunks, &all, &ask("limpieza")).await;
    let found = found.unwrap();
    assert!(found.missing.meaning && found.passages.len() == 1);
    assert!(
        began.elapsed() < Duration::from_millis(150),
        "one deadline for all of them"
    );
}

/// Never comes back.
struct Stuck;

#[async_trait]
impl ChunkSource for Stuck {
    async fn open(&self, _: &RetrievalScope) -> Result<Box<dyn ChunkReader + '_>> {
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn texts_that_cannot_be_read_in_time_are_done_without() {
    let own = kb(0, 1.0);
    let engine = Scripted::default().finds(&own, &[(chunk(own.id, "limpieza").id, 0.5)]);
    let search = Search {
        engine: &engine,
        vectors: &Vectors::Work,
        chunks: &Stuck,
        words: &SameWords,
        reranker: None,
        deadlines: Deadlines::default(),
    };
    let found = search.retrieve(&scope(&[&own]), &ask("limpieza")).await;
    let found = found.unwrap();
    assert!(found.passages.is_empty() && found.missing.knowledge && !found.stale);
}

#[tokio::test]
async fn a_knowledge_base_that_does_not_answer_costs_nobody_the_others() {
    let (good, bad) = (kb(0, 1.0), kb(0, 1.0));
    let chunks = [chunk(good.id, "limpieza")];
    for slow in [true, false] {
        let mut engine = Scripted::default().finds(&good, &[(chunks[0].id, 0.5)]);
        if slow {
            engine.slow.push(bad.id);
        } else {
            engine.broken.push(bad.id);
        }
        let kbs = [&bad, &good];
        let found = search(&engine, &Vectors::Work, &chunks, &kbs, &ask("limpieza"))
            .await
            .unwrap();
        assert_eq!(found.passages.len(), 1);
        assert_eq!(
            found.missing,
            Missing {
                knowledge: true,
                ..Missing::default()
            }
        );
    }
}
