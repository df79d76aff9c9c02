mod going_without;
mod scripted;

use super::*;
use crate::fixtures::{EPOCH, SameWords, chunk, kb, scope};
use async_trait::async_trait;
use quipu_core::embedding::EmbeddingConfig;
use quipu_core::knowledge::{Chunk, ChunkTells};
use quipu_core::{ChunkId, ErrorCode};
use scripted::{Careless, Scripted, Vectors, ask, found, search};
use std::sync::Mutex;

#[tokio::test]
async fn a_chunk_from_outside_the_scope_is_dropped() {
    let (own, foreign) = (kb(0, 1.0), kb(0, 1.0));
    let chunks = [
        chunk(own.id, "La limpieza dura 40 minutos."),
        chunk(foreign.id, "limpieza"),
    ];
    let engine = Scripted::default().finds(&own, &[(chunks[0].id, 0.5), (chunks[1].id, 0.9)]);
    assert_eq!(
        found(&engine, &chunks, &[&own], &ask("limpieza")).await,
        [chunks[0].id]
    );
    assert!(
        found(&engine, &chunks, &[], &ask("limpieza"))
            .await
            .is_empty()
    );
}

#[tokio::test]
async fn the_best_come_first_as_many_as_are_wanted_and_none_below_the_threshold() {
    let own = kb(0, 1.0);
    let chunks: Vec<Chunk> = (0..30)
        .map(|i| chunk(own.id, &format!("texto {i}")))
        .collect();
    let hits: Vec<_> = chunks
        .iter()
        .zip(1_u8..)
        .map(|(chunk, i)| (chunk.id, f32::from(i) / 40.0))
        .collect();
    let engine = Scripted::default().finds(&own, &hits);
    let mut query = ask("limpieza");
    for top_k in [1, 5, 20] {
        query.top_k = top_k;
        let best: Vec<ChunkId> = chunks
            .iter()
            .rev()
            .take(top_k)
            .map(|chunk| chunk.id)
            .collect();
        assert_eq!(found(&engine, &chunks, &[&own], &query).await, best);
    }
    let all = search(&engine, &Vectors::Work, &chunks, &[&own], &query)
        .await
        .unwrap();
    query.threshold = all.passages[9].similarity;
    assert_eq!(found(&engine, &chunks, &[&own], &query).await.len(), 10);
    assert!(
        all.passages
            .is_sorted_by(|a, b| a.similarity >= b.similarity)
    );
    assert!(
        all.passages
            .iter()
            .all(|p| (0.0..=1.0).contains(&p.similarity))
    );
}

#[tokio::test]
async fn weight_and_priority_decide_between_knowledge_bases() {
    let (low, high) = (kb(5, 1.0), kb(1, 1.0));
    let chunks = [
        chunk(low.id, "Abrimos a las 9:00."),
        chunk(high.id, "Abrimos a las 10:00."),
    ];
    let finds =
        |engine: Scripted, kb: &ReadableKb, at: usize| engine.finds(kb, &[(chunks[at].id, 0.5)]);
    let engine = finds(finds(Scripted::default(), &low, 0), &high, 1);
    let order = found(&engine, &chunks, &[&low, &high], &ask("horario")).await;
    assert_eq!(order, [chunks[1].id, chunks[0].id]);
    let heavy = ReadableKb {
        search_weight: 2.0,
        ..low.clone()
    };
    let order = found(&engine, &chunks, &[&heavy, &high], &ask("horario")).await;
    assert_eq!(order, [chunks[0].id, chunks[1].id]);
}

#[tokio::test]
async fn what_is_gone_or_repeats_makes_room_for_what_follows() {
    let own = kb(0, 1.0);
    let mut twin = chunk(own.id, "La limpieza cuesta S/ 120.");
    let chunks = vec![
        chunk(own.id, "La limpieza cuesta S/ 120."),
        chunk(own.id, "Dura 40 minutos."),
    ];
    twin.id = ChunkId::generate(EPOCH);
    let gone = ChunkId::generate(EPOCH);
    let hits = [
        (gone, 0.9),
        (chunks[0].id, 0.8),
        (twin.id, 0.7),
        (chunks[1].id, 0.6),
    ];
    let engine = Scripted::default().finds(&own, &hits);
    let all = [chunks.clone(), vec![twin]].concat();
    let query = Query {
        top_k: 2,
        ..ask("limpieza")
    };
    assert_eq!(
        found(&engine, &all, &[&own], &query).await,
        [chunks[0].id, chunks[1].id]
    );
}

/// More is read when what was read at first says the same, and once more where that is gone.
#[tokio::test]
async fn many_that_say_the_same_hide_nothing_behind_them() {
    let own = kb(0, 1.0);
    let twins: Vec<Chunk> = (0..5)
        .map(|_| Chunk {
            id: ChunkId::generate(EPOCH),
            ..chunk(own.id, "La limpieza cuesta S/ 120.")
        })
        .collect();
    let last = chunk(own.id, "Dura 40 minutos.");
    let gone = (0..6).map(|_| ChunkId::generate(EPOCH));
    let ids = twins.iter().map(|chunk| chunk.id).chain(gone);
    let hits: Vec<(ChunkId, f32)> = ids.chain([last.id]).zip((0..).map(nearness)).collect();
    let engine = Scripted::default().finds(&own, &hits);
    let all = [twins.clone(), vec![last.clone()]].concat();
    let query = Query {
        top_k: 2,
        ..ask("limpieza")
    };
    let found = found(&engine, &all, &[&own], &query).await;
    assert_eq!(found, [twins[0].id, last.id]);
}

fn nearness(place: u8) -> f32 {
    0.9 - f32::from(place) / 100.0
}

#[tokio::test]
async fn a_greeting_searches_nothing_and_a_mode_leaves_a_leg_out() {
    let own = kb(0, 1.0);
    let engine = Scripted::default();
    assert!(
        found(&engine, &[], &[&own], &ask("hola, buenas tardes"))
            .await
            .is_empty()
    );
    assert!(engine.asked.lock().unwrap().is_empty());
    for (mode, words, vector) in [
        (Mode::Hybrid, true, true),
        (Mode::Dense, false, true),
        (Mode::Lexical, true, false),
    ] {
        let query = Query {
            mode,
            ..ask("limpieza")
        };
        found(&engine, &[], &[&own], &query).await;
        let asked = std::mem::take(&mut *engine.asked.lock().unwrap());
        assert_eq!(asked[0].question.concepts.is_empty(), !words);
        assert_eq!(asked[0].dense.is_some(), vector);
    }
}

#[tokio::test]
async fn a_short_question_is_asked_alone_and_with_the_one_before_it() {
    let own = kb(0, 1.0);
    let engine = Scripted::default();
    let mut query = ask("¿y para niños?");
    query.context = Some("¿Cuánto cuesta la consulta?".to_owned());
    found(&engine, &[], &[&own], &query).await;
    let asked = engine.asked.lock().unwrap();
    let ideas: Vec<usize> = asked
        .iter()
        .map(|probe| probe.question.concepts.len())
        .collect();
    assert_eq!(ideas.len(), 2);
    assert!(ideas[1] > ideas[0], "{ideas:?}");
}

#[tokio::test]
async fn what_is_out_of_range_is_refused() {
    let own = kb(0, 1.0);
    for wrong in [
        Query {
            top_k: 0,
            ..ask("limpieza")
        },
        Query {
            top_k: 21,
            ..ask("limpieza")
        },
        Query {
            top_k: usize::MAX,
            ..ask("limpieza")
        },
        Query {
            threshold: 1.1,
            ..ask("limpieza")
        },
        Query {
            threshold: -0.1,
            ..ask("limpieza")
        },
        Query {
            threshold: f32::NAN,
            ..ask("limpieza")
        },
    ] {
        let refused = search(&Scripted::default(), &Vectors::Work, &[], &[&own], &wrong).await;
        assert_eq!(refused.unwrap_err().code(), ErrorCode::ValidationFailed);
    }
}

/// A passage over two pages names the one that answers, whichever has more of the text.
#[tokio::test]
async fn the_page_of_a_passage_is_the_one_that_answers() {
    let own = kb(0, 1.0);
    let first = "La limpieza dura cuarenta minutos y no duele. ";
    let pages = serde_json::from_value(serde_json::json!([[0, 3], [first.chars().count(), 4]]));
    let both = Chunk {
        page_number: Some(3),
        pages: pages.unwrap(),
        source_url: Some("https://example.com/".to_owned()),
        ..chunk(own.id, &format!("{first}El blanqueamiento cuesta S/ 300."))
    };
    let chunks = [both.clone()];
    let engine = Scripted::default().finds(&own, &[(both.id, 0.9)]);
    let page = async |kb: &ReadableKb, text: &str| {
        let found = search(&engine, &Vectors::Work, &chunks, &[kb], &ask(text)).await;
        let passage = found.unwrap().passages.pop().unwrap();
        (
            passage.page_number,
            passage.pages.last(),
            passage.source_url,
        )
    };
    let url = both.source_url.clone();
    let asked = page(&own, "¿cuánto cuesta el blanqueamiento?").await;
    assert_eq!(asked, (Some(4), Some(4), url.clone()));
    assert_eq!(page(&own, "¿cuánto dura la limpieza?").await.0, Some(3));
    let unlike = page(&own, "¿tienen estacionamiento?").await.0;
    assert_eq!(unlike, Some(3), "most of the text stands there");

    // A knowledge base that does not want it told does not have it told.
    let silent = ReadableKb {
        tells: ChunkTells {
            page_number: false,
            source_url: false,
        },
        ..own.clone()
    };
    let asked = page(&silent, "¿cuánto cuesta el blanqueamiento?").await;
    assert_eq!(asked, (None, None, None));
}

/// Hears what it is asked for.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

#[async_trait]
impl QuestionVectors for Heard {
    async fn embed(&self, _: &EmbeddingConfig, texts: &[String]) -> Result<Vec<Vec<f32>>> {
        self.0.lock().unwrap().extend_from_slice(texts);
        Ok(vec![vec![1.0]; texts.len()])
    }
}

#[tokio::test]
async fn a_model_is_asked_without_greetings_and_frames() {
    let own = kb(0, 1.0);
    let heard = Heard::default();
    let search = Search {
        engine: &Scripted::default(),
        vectors: &heard,
        chunks: &Careless(Vec::new()),
        words: &SameWords,
        reranker: None,
        deadlines: Deadlines::default(),
    };
    let query = ask("Hola, buenas tardes, quisiera saber si tienen estacionamiento, gracias");
    search.retrieve(&scope(&[&own]), &query).await.unwrap();
    assert_eq!(*heard.0.lock().unwrap(), ["tienen estacionamiento"]);
}

/// Where nothing but meaning was looked for, that no word of the question was found says nothing.
#[tokio::test]
async fn meaning_alone_passes_the_usual_threshold() {
    let own = kb(0, 1.0);
    let one = chunk(own.id, "Los tacos cuestan 60 pesos.");
    let engine = Scripted::default().finds(&own, &[(one.id, 0.0)]);
    let query = Query {
        mode: Mode::Dense,
        threshold: DEFAULT_THRESHOLD,
        ..ask("¿a cómo los tacos?")
    };
    let found = search(
        &engine,
        &Vectors::Work,
        std::slice::from_ref(&one),
        &[&own],
        &query,
    )
    .await;
    assert_eq!(found.unwrap().passages.len(), 1);
}
