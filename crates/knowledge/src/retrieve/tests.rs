use super::*;
use crate::fixtures::{chunk, kb, scope};
use async_trait::async_trait;
use quipu_core::ErrorCode;

/// Returns all it has, whatever the scope says.
struct Careless(Vec<Chunk>);

#[async_trait]
impl ChunkSource for Careless {
    async fn chunks(&self, _: &RetrievalScope) -> Result<Vec<Chunk>> {
        Ok(self.0.clone())
    }
}

fn ask(text: &str) -> Query {
    Query {
        text: text.to_owned(),
        context: None,
        language: Language::Es,
        top_k: 5,
        threshold: 0.0,
    }
}

async fn found(chunks: Vec<Chunk>, kbs: &[&ReadableKb], query: &Query) -> Vec<Passage> {
    retrieve(&Careless(chunks), &scope(kbs), query)
        .await
        .unwrap()
        .passages
}

#[tokio::test]
async fn a_chunk_from_outside_the_scope_is_dropped() {
    let (own, foreign) = (kb(0, 1.0), kb(0, 1.0));
    let source = Careless(vec![
        chunk(own.id, "La limpieza dura 40 minutos."),
        chunk(foreign.id, "La limpieza cuesta S/ 120 limpieza limpieza."),
    ]);
    let result = retrieve(&source, &scope(&[&own]), &ask("limpieza"))
        .await
        .unwrap();
    assert_eq!(result.total_chunks_searched, 1);
    assert_eq!(result.passages.len(), 1);
    assert!(
        result
            .passages
            .iter()
            .all(|p| p.knowledge_base_id == own.id)
    );
    let nothing = retrieve(&source, &scope(&[]), &ask("limpieza"))
        .await
        .unwrap();
    assert!(nothing.passages.is_empty() && nothing.total_chunks_searched == 0);
}

#[tokio::test]
async fn statistics_stay_inside_a_knowledge_base() {
    let (own, other) = (kb(0, 1.0), kb(0, 1.0));
    let mine = || {
        vec![
            chunk(own.id, "limpieza dental"),
            chunk(own.id, "consulta dental"),
        ]
    };
    let alone = found(mine(), &[&own], &ask("limpieza dental")).await;
    let mut together = mine();
    together.extend((0..20).map(|_| chunk(other.id, "limpieza de alfombras")));
    let with_others = found(together, &[&own, &other], &ask("limpieza dental")).await;
    let similarity = |list: &[Passage]| {
        list.iter()
            .find(|p| p.content == "limpieza dental")
            .unwrap()
            .similarity
    };
    assert!((similarity(&alone) - similarity(&with_others)).abs() < 1e-6);
}

#[tokio::test]
async fn weight_moves_the_ranking_and_priority_breaks_ties() {
    let (low, high) = (kb(1, 1.0), kb(9, 1.0));
    let chunks = vec![
        chunk(low.id, "Abrimos a las 9:00."),
        chunk(high.id, "Abrimos a las 9:00."),
    ];
    let tie = found(chunks.clone(), &[&low, &high], &ask("a qué hora abren")).await;
    assert_eq!(tie[0].knowledge_base_id, high.id);
    let heavy = ReadableKb {
        search_weight: 2.0,
        ..low.clone()
    };
    let weighted = found(chunks, &[&heavy, &high], &ask("a qué hora abren")).await;
    assert_eq!(weighted[0].knowledge_base_id, low.id);
    assert!((weighted[0].similarity - weighted[1].similarity).abs() < 1e-6);
}

#[tokio::test]
async fn unanswerable_questions_stay_under_the_threshold() {
    let own = kb(0, 1.0);
    let chunks = vec![
        chunk(own.id, "Limpieza dental: S/ 120."),
        chunk(own.id, "Cirugía de muelas: S/ 400."),
    ];
    for text in ["¿venden zapatos?", "cuánto cuesta un corte de pelo", "hola"] {
        let query = Query {
            threshold: DEFAULT_THRESHOLD,
            ..ask(text)
        };
        assert!(
            found(chunks.clone(), &[&own], &query).await.is_empty(),
            "{text}"
        );
    }
    let query = Query {
        threshold: DEFAULT_THRESHOLD,
        ..ask("a cómo la limpeza")
    };
    assert_eq!(
        found(chunks, &[&own], &query).await.len(),
        1,
        "misspelled, but known"
    );
}

#[tokio::test]
async fn each_question_of_a_message_is_looked_for() {
    let own = kb(0, 1.0);
    let chunks = vec![
        chunk(own.id, "Aceptamos Yape."),
        chunk(own.id, "Atendemos niños."),
    ];
    let query = Query {
        threshold: DEFAULT_THRESHOLD,
        ..ask("¿venden zapatos? ¿atienden niños? ¿aceptan yape?")
    };
    assert_eq!(found(chunks, &[&own], &query).await.len(), 2);
}

#[tokio::test]
async fn the_question_before_moves_the_ranking_only() {
    let own = kb(0, 1.0);
    let chunks = vec![
        chunk(own.id, "Los sábados regalamos cepillos."),
        chunk(own.id, "Los sábados, horario de 9:00 a 14:00."),
    ];
    let follow_up = Query {
        context: Some("a qué hora atienden".to_owned()),
        ..ask("¿y los sábados?")
    };
    let passages = found(chunks, &[&own], &follow_up).await;
    assert!(passages[0].content.contains("9:00"));
    assert!((passages[0].similarity - passages[1].similarity).abs() < 1e-6);
}

#[tokio::test]
async fn overlapping_chunks_of_a_document_are_shown_once() {
    let own = kb(0, 1.0);
    let first = chunk(own.id, "La limpieza dental dura 40 minutos");
    let mut second = Chunk {
        document_id: first.document_id,
        index: 1,
        ..chunk(own.id, "limpieza dental dura 40 minutos.")
    };
    (second.start_char, second.end_char) = (3, 35);
    let mut neighbour = Chunk {
        document_id: first.document_id,
        index: 2,
        ..chunk(own.id, "minutos. Otra limpieza dura más.")
    };
    (neighbour.start_char, neighbour.end_char) = (27, 59);
    let passages = found(
        vec![first, second, neighbour],
        &[&own],
        &ask("cuánto dura la limpieza"),
    )
    .await;
    assert_eq!(passages.len(), 2);
    let one = Query {
        top_k: 1,
        ..ask("limpieza")
    };
    assert_eq!(
        found(
            vec![chunk(own.id, "limpieza"), chunk(own.id, "limpiezas")],
            &[&own],
            &one
        )
        .await
        .len(),
        1
    );
}

#[tokio::test]
async fn limits_are_checked() {
    for query in [
        Query {
            top_k: 0,
            ..ask("x")
        },
        Query {
            top_k: MAX_TOP_K + 1,
            ..ask("x")
        },
        Query {
            threshold: 1.5,
            ..ask("x")
        },
        Query {
            threshold: f32::NAN,
            ..ask("x")
        },
    ] {
        let error = retrieve(&Careless(vec![]), &scope(&[]), &query)
            .await
            .unwrap_err();
        assert_eq!(error.code(), ErrorCode::ValidationFailed);
    }
}
