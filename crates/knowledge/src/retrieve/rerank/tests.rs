mod scripted;

use super::*;
use crate::Query;
use crate::SecondLook;
use crate::fixtures::{SameWords, kb, scope};
use crate::retrieve::Deadlines;
use proptest::prelude::*;
use quipu_core::embedding::BUILTIN_ENCODER;
use quipu_core::knowledge::ReadableKb;
use quipu_core::language::Language;
use scripted::{ENCODER, Failing, Judge, World};
use std::time::Duration;

fn ask() -> Query {
    Query {
        threshold: 0.0,
        second_look: SecondLook::Best,
        ..Query::new("limpieza dental".to_owned(), Language::Es)
    }
}

async fn search(
    world: &World,
    reranker: Option<&dyn Reranker>,
    kbs: &[&ReadableKb],
    query: &Query,
) -> Retrieval {
    let search = Search {
        engine: world,
        vectors: world,
        chunks: world,
        words: &SameWords,
        reranker,
        deadlines: Deadlines {
            rerank: Duration::from_millis(100),
            ..Deadlines::default()
        },
    };
    search.retrieve(&scope(kbs), query).await.unwrap()
}

fn texts(retrieval: &Retrieval) -> Vec<&str> {
    let passages = retrieval.passages.iter();
    passages.map(|p| p.content.as_str()).collect()
}

fn similarity(retrieval: &Retrieval, text: &str) -> f32 {
    let found = retrieval.passages.iter().find(|p| p.content == text);
    found.unwrap().similarity
}

const THREE: [(&str, f32); 3] = [("uno", 0.6), ("dos", 0.5), ("tres", 0.4)];

#[tokio::test]
async fn relevances_change_the_order_and_similarities_stay_in_it() {
    let own = kb(0, 1.0);
    let world = World::default().with(&own, &THREE);
    let judge = Judge::new(false, &[("uno", 0.02), ("tres", 0.99)]);
    let found = search(&world, Some(&judge), &[&own], &ask()).await;
    assert_eq!(texts(&found), ["tres", "dos", "uno"]);
    let similarities = || found.passages.iter().map(|p| p.similarity);
    assert!(similarities().is_sorted_by(|a, b| a > b));
    assert!(similarities().all(|similarity| (0.0..=1.0).contains(&similarity)));
    assert!(!found.missing.reranking && !found.stale);
    assert!(found.timings.total >= found.timings.rerank + found.timings.reading);
    assert_eq!(*world.reads.lock().unwrap(), [3], "the texts are read once");
    let asked = judge.asked.lock().unwrap();
    assert_eq!(asked[0].0, "limpieza dental");
    assert_eq!(asked[0].1, ["uno", "dos", "tres"], "by the first order");
}

#[tokio::test]
async fn a_threshold_is_for_what_the_second_look_makes_of_it() {
    let own = kb(0, 1.0);
    let world = World::default().with(&own, &[("uno", 0.9), ("dos", 0.0)]);
    let judge = Judge::new(false, &[("uno", 0.0), ("dos", 0.999)]);
    let without = search(&world, None, &[&own], &ask()).await;
    let with = search(&world, Some(&judge), &[&own], &ask()).await;
    let threshold = 0.7;
    assert!(similarity(&without, "uno") > threshold && similarity(&without, "dos") < threshold);
    assert!(similarity(&with, "uno") < threshold && similarity(&with, "dos") > threshold);
    let query = Query { threshold, ..ask() };
    // What the search alone would have left out is looked at and found.
    let found = search(&world, Some(&judge), &[&own], &query).await;
    assert_eq!(texts(&found), ["dos"]);
}

#[tokio::test]
async fn cosines_are_worth_what_those_of_their_model_are_worth() {
    // The cosines of the passages that the encoder brings first in the tests of `providers`.
    let own = kb(0, 1.0);
    let (wrong, right) = ("espere hasta que lo llamen", "frente al parque");
    let world = World::default().with(&own, &[(wrong, 0.1), (right, 0.1)]);
    let judge = Judge::new(true, &[(wrong, 0.192), (right, 0.254)]);
    let found = search(&world, Some(&judge), &[&own], &ask()).await;
    assert_eq!(texts(&found), [right, wrong]);

    // As if the knowledge base had been searched with the encoder and had those vectors.
    let mut searched = world.found[&own.id].clone();
    for (hit, cosine) in searched.iter_mut().zip([0.192, 0.254]) {
        hit.cosine = Some(cosine);
    }
    let later = World {
        found: HashMap::from([(own.id, searched)]),
        chunks: world.chunks.clone(),
        ..World::default()
    };
    let with_encoder = with_encoder(&own);
    let alone = search(&later, None, &[&with_encoder], &ask()).await;
    assert_eq!(texts(&alone), [right, wrong]);
    for text in [right, wrong] {
        let (again, alone) = (similarity(&found, text), similarity(&alone, text));
        assert!((again - alone).abs() < 1e-6, "{again} {alone}");
    }
}

fn with_encoder(kb: &ReadableKb) -> ReadableKb {
    let mut kb = kb.clone();
    kb.searched_with.model = BUILTIN_ENCODER.to_owned();
    kb
}

#[tokio::test]
async fn what_was_searched_with_the_same_model_is_not_judged_again() {
    let own = with_encoder(&kb(0, 1.0));
    let world = World::default().with(&own, &THREE);
    let judge = Judge::new(true, &[("uno", 0.0), ("cuatro", 0.9)]);
    let found = search(&world, Some(&judge), &[&own], &ask()).await;
    let alone = search(
        &world,
        None,
        &[&own],
        &Query {
            second_look: SecondLook::None,
            ..ask()
        },
    )
    .await;
    assert_eq!(texts(&found), texts(&alone));
    assert!(judge.asked.lock().unwrap().is_empty());
    assert!(!found.missing.reranking, "nothing is missing");
    assert_eq!(found.timings.rerank, Duration::ZERO);

    // Beside another one it keeps what it had.
    let other = kb(0, 1.0);
    let world = World::default()
        .with(&own, &THREE)
        .with(&other, &[("cuatro", 0.1)]);
    let both = [&own, &other];
    let found = search(&world, Some(&judge), &both, &ask()).await;
    assert_eq!(judge.asked.lock().unwrap()[0].1, ["cuatro"]);
    for (text, _) in THREE {
        let (again, alone) = (similarity(&found, text), similarity(&alone, text));
        assert!((again - alone).abs() < 1e-6, "{text}");
    }
    let first = search(&world, None, &both, &ask()).await;
    assert!(similarity(&found, "cuatro") > similarity(&first, "cuatro") + 0.01);
}

#[tokio::test]
async fn whoever_fails_costs_the_second_look_and_nothing_else() {
    let own = kb(0, 1.0);
    let world = World::default().with(&own, &THREE);
    let alone = search(
        &world,
        None,
        &[&own],
        &Query {
            second_look: SecondLook::None,
            ..ask()
        },
    )
    .await;
    assert!(!alone.missing.reranking, "nobody asked for it");
    let cosines = |cosines: &[f32]| Reranked::Cosines {
        model: ENCODER.to_owned(),
        cosines: cosines.to_vec(),
    };
    for failing in [
        Failing::Down,
        Failing::Hangs,
        Failing::Says(Reranked::Relevances(vec![])),
        Failing::Says(Reranked::Relevances(vec![0.1, 0.9])),
        Failing::Says(Reranked::Relevances(vec![0.1, 0.5, 0.9, 1.0])),
        Failing::Says(Reranked::Relevances(vec![0.1, 0.5, f32::NAN])),
        Failing::Says(Reranked::Relevances(vec![0.1, 0.5, 7.0])),
        Failing::Says(Reranked::Relevances(vec![0.1, 0.5, -0.5])),
        Failing::Says(cosines(&[0.1, 0.5])),
        Failing::Says(cosines(&[0.1, 0.5, f32::INFINITY])),
    ] {
        let began = Instant::now();
        let found = search(&world, Some(&failing), &[&own], &ask()).await;
        assert!(began.elapsed() < Duration::from_secs(2), "never a hang");
        assert!(found.missing.reranking);
        assert_eq!(texts(&found), texts(&alone));
        for (text, _) in THREE {
            let (found, alone) = (similarity(&found, text), similarity(&alone, text));
            assert!((found - alone).abs() < 1e-6);
        }
    }
    let nobody = search(&world, None, &[&own], &ask()).await;
    assert!(nobody.missing.reranking);
    assert_eq!(texts(&nobody), texts(&alone));
    let late = search(&world, Some(&Failing::Hangs), &[&own], &ask()).await;
    assert!(late.timings.rerank >= Duration::from_millis(100));
}

#[tokio::test]
async fn without_it_nothing_is_read_or_asked_that_was_not_before() {
    let own = kb(0, 1.0);
    let world = World::default().with(&own, &THREE);
    let judge = Judge::new(false, &[("tres", 1.0)]);
    let query = Query {
        second_look: SecondLook::None,
        ..ask()
    };
    let found = search(&world, Some(&judge), &[&own], &query).await;
    assert_eq!(texts(&found), ["uno", "dos", "tres"]);
    assert_eq!(*world.reads.lock().unwrap(), [3]);
    assert!(judge.asked.lock().unwrap().is_empty());
}

#[tokio::test]
async fn the_best_fifty_are_looked_at_and_ten_are_kept() {
    let own = kb(0, 1.0);
    let names: Vec<String> = (0..60_u16).map(|i| format!("texto {i}")).collect();
    let hits: Vec<(&str, f32)> = names
        .iter()
        .zip(0_u16..)
        .map(|(name, i)| (name.as_str(), 0.8 - f32::from(i) / 100.0))
        .collect();
    let mut world = World::default().with(&own, &hits);
    let judge = Judge::new(false, &[("texto 49", 0.9999), ("texto 50", 0.9999)]);
    let found = search(&world, Some(&judge), &[&own], &ask()).await;
    assert_eq!(judge.asked.lock().unwrap()[0].1.len(), READ);
    let read: usize = world.reads.lock().unwrap().iter().sum();
    assert_eq!(read, READ, "no text is read twice");
    assert_eq!(texts(&found)[0], "texto 49");
    assert_eq!(found.passages.len(), 5);
    let all = Query { top_k: 20, ..ask() };
    let found = search(&world, Some(&judge), &[&own], &all).await;
    assert_eq!(found.passages.len(), 20);

    // What is gone is neither judged nor shown, and it is said.
    world.chunks.remove(49);
    let found = search(&world, Some(&judge), &[&own], &ask()).await;
    assert_eq!(judge.asked.lock().unwrap()[2].1.len(), READ - 1);
    assert_eq!(texts(&found)[0], "texto 0");
    assert!(found.stale);

    // Nor is what no scope holds.
    world.chunks[0].knowledge_base_id = kb(0, 1.0).id;
    let found = search(&world, Some(&judge), &[&own], &ask()).await;
    assert_eq!(texts(&found)[0], "texto 1");
    let asked = &judge.asked.lock().unwrap()[3].1;
    assert!(!asked.contains(&"texto 0".to_owned()));
}

#[tokio::test]
async fn weight_and_priority_still_decide_between_knowledge_bases() {
    let (low, high) = (kb(5, 1.0), kb(1, 1.0));
    let heavy = ReadableKb {
        search_weight: 1.5,
        ..low.clone()
    };
    for (cosines, first) in [(false, 0.8), (true, 0.4)] {
        let judge = Judge::new(cosines, &[("baja", first), ("alta", first)]);
        let world = World::default()
            .with(&low, &[("baja", 0.3)])
            .with(&high, &[("alta", 0.3)]);
        let found = search(&world, Some(&judge), &[&low, &high], &ask()).await;
        assert_eq!(texts(&found), ["alta", "baja"]);
        let found = search(&world, Some(&judge), &[&heavy, &high], &ask()).await;
        assert_eq!(texts(&found), ["baja", "alta"]);
        let same = similarity(&found, "baja") - similarity(&found, "alta");
        assert!(same.abs() < 1e-6, "a weight orders and makes nothing surer");
    }
}

#[tokio::test]
async fn a_short_question_is_judged_with_the_one_before_it_and_passages_with_their_title() {
    let own = kb(0, 1.0);
    let mut world = World::default().with(&own, &THREE);
    world.chunks[0].document_title = Some("Tarifas".to_owned());
    world.chunks[0].headings = vec!["Limpieza".to_owned()];
    let query = Query {
        text: "¿y para niños?".to_owned(),
        context: Some("¿Cuánto cuesta la limpieza?".to_owned()),
        ..ask()
    };
    for cosines in [false, true] {
        let judge = Judge::new(cosines, &[("uno", 0.05), ("tres", 0.9)]);
        let found = search(&world, Some(&judge), &[&own], &query).await;
        assert_eq!(texts(&found)[0], "tres");
        let asked = judge.asked.lock().unwrap();
        assert_eq!(asked[0].0, "¿y para niños?\n¿Cuánto cuesta la limpieza?");
        assert_eq!(asked[0].1[0], "Tarifas\nLimpieza\nuno");
    }
}

#[test]
fn what_was_asked_before_does_not_crowd_out_what_is_asked() {
    let before = format!("{}¿Cuánto cuesta la limpieza?", "ñandú ".repeat(5_000));
    let query = Query {
        text: "¿y para niños?".to_owned(),
        context: Some(before),
        ..ask()
    };
    let asked = asked(&query);
    assert!(asked.starts_with("¿y para niños?\n"));
    assert!(asked.ends_with("¿Cuánto cuesta la limpieza?"));
    assert_eq!(asked.chars().count(), 15 + LONGEST_BEFORE);
}

#[tokio::test]
async fn what_says_the_same_in_another_document_makes_room() {
    let own = kb(0, 1.0);
    let world = World::default().with(
        &own,
        &[
            ("La limpieza cuesta S/ 120.", 0.6),
            ("LA LIMPIEZA  cuesta: S/ 120", 0.55),
            ("La limpieza cuesta S/ 130.", 0.5),
            ("Dura 40 minutos.", 0.4),
        ],
    );
    let judge = Judge::new(false, &[("cuesta: S/ 120", 0.99), ("S/ 120.", 0.9)]);
    let query = Query { top_k: 3, ..ask() };
    let found = search(&world, Some(&judge), &[&own], &query).await;
    let better = "LA LIMPIEZA  cuesta: S/ 120";
    let rest = ["La limpieza cuesta S/ 130.", "Dura 40 minutos."];
    assert_eq!(texts(&found), [&[better], &rest[..]].concat());
    let query = Query {
        second_look: SecondLook::None,
        ..query
    };
    let found = search(&world, None, &[&own], &query).await;
    assert_eq!(
        texts(&found),
        [&["La limpieza cuesta S/ 120."], &rest[..]].concat()
    );
}

proptest! {
    #[test]
    fn two_judgements_make_one_between_them(
        a in 0.0_f32..=1.0,
        b in 0.0_f32..=1.0,
        better in 0.0_f32..=1.0,
    ) {
        let made = with_service(a, b);
        let (low, high) = (a.min(b), a.max(b));
        prop_assert!(made >= low - 1e-5 && made <= high + 1e-5);
        if better > b {
            prop_assert!(with_service(a, better) >= made);
        }
        if better > a {
            prop_assert!(with_service(better, b) >= made);
        }
    }
}
