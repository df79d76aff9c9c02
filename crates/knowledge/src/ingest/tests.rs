use super::*;
use async_trait::async_trait;
use proptest::prelude::*;
use quipu_core::ErrorCode;
use quipu_core::chunking::SizeUnit;
use quipu_core::extraction::{Segment, SegmentKind};
use quipu_core::ports::{EmbedError, Embedded};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Tells texts about dogs from others, and counts how often it is asked.
#[derive(Default)]
struct Dogs {
    asked: AtomicUsize,
    broken: bool,
    away: bool,
}

#[async_trait]
impl Embedder for Dogs {
    fn model(&self) -> &'static str {
        "dogs"
    }

    fn dimensions(&self) -> usize {
        2
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Embedded, EmbedError> {
        assert_eq!(purpose, Purpose::Passage);
        if self.away {
            return Err(EmbedError::Transient("nobody there".to_owned()));
        }
        self.asked.fetch_add(texts.len(), Ordering::Relaxed);
        let vector = |text: &String| {
            if text.contains("perro") {
                vec![1.0, 0.0]
            } else {
                vec![0.0, 1.0]
            }
        };
        let missing = usize::from(self.broken);
        Ok(Embedded {
            vectors: texts.iter().skip(missing).map(vector).collect(),
            tokens: None,
        })
    }
}

fn document(segments: Vec<Segment>) -> Extracted {
    Extracted {
        segments,
        ..Extracted::default()
    }
}

fn flow(text: &str) -> Segment {
    Segment {
        text: text.to_owned(),
        ..Segment::default()
    }
}

async fn cut(extracted: &Extracted, config: &ChunkingConfig) -> Result<Vec<ChunkDraft>, Failure> {
    chunk_document(extracted, config, &Dogs::default())
        .await
        .unwrap()
}

fn point_into(text: &str, drafts: &[ChunkDraft]) {
    let chars: Vec<char> = text.chars().collect();
    let at = |position: i32| usize::try_from(position).unwrap();
    for (number, draft) in drafts.iter().enumerate() {
        assert_eq!(at(draft.index), number);
        let slice: String = chars[at(draft.start_char)..at(draft.end_char)]
            .iter()
            .collect();
        assert_eq!(slice, draft.content);
        assert_eq!(at(draft.tokens), crate::tokens::count(&draft.content));
    }
}

#[test]
fn chunks_are_numbered_and_point_into_the_document() {
    let text = "Atendemos de lunes a sábado en Miraflores. ".repeat(80);
    let chunks = chunk(&text);
    assert!(chunks.len() > 3);
    point_into(&text, &chunks);
    assert!(
        chunks[1].start_char < chunks[0].end_char,
        "neighbours overlap"
    );
    assert!(chunk(" \n ").is_empty());
}

#[tokio::test]
async fn chunks_know_their_page_and_headings() {
    let mut segment = flow("Limpieza: S/ 120");
    (segment.page, segment.headings) = (Some(3), vec!["Precios".to_owned()]);
    let drafts = cut(&document(vec![segment]), &ChunkingConfig::default()).await;
    let drafts = drafts.unwrap();
    assert_eq!(drafts[0].page, Some(3));
    assert_eq!(drafts[0].headings, ["Precios"]);
    assert_eq!(drafts[0].tokens, 8);
}

#[tokio::test]
async fn a_document_needs_words_and_not_too_many() {
    let config = ChunkingConfig::default();
    for segments in [Vec::new(), vec![flow(" \n")]] {
        assert_eq!(
            cut(&document(segments), &config).await,
            Err(Failure::NoText)
        );
    }
    let row = Segment {
        kind: SegmentKind::Unit,
        ..flow("a: 1")
    };
    let most = document(vec![row; MAX_CHUNKS]);
    assert_eq!(cut(&most, &config).await.unwrap().len(), MAX_CHUNKS);
    let mut many = most;
    many.segments.push(flow("fin"));
    assert_eq!(cut(&many, &config).await, Err(Failure::TooLong));
}

#[tokio::test]
async fn only_semantic_asks_the_embedder() {
    let dogs = "El perro duerme en su cama. El perro come a las ocho. El perro pasea con su amo. ";
    let rest = "El envío sale por la tarde. El pago se hace en línea. La tienda abre temprano. ";
    let extracted = document(vec![flow(&format!("{dogs}{rest}"))]);
    let config = |strategy| ChunkingConfig {
        strategy,
        min_chunk_size: 20,
        ..ChunkingConfig::default()
    };
    for strategy in [ChunkStrategy::Fixed, ChunkStrategy::Paragraph] {
        let embedder = Dogs::default();
        let drafts = chunk_document(&extracted, &config(strategy), &embedder).await;
        assert_eq!(drafts.unwrap().unwrap().len(), 1);
        assert_eq!(embedder.asked.into_inner(), 0);
    }
    let embedder = Dogs::default();
    let drafts = chunk_document(&extracted, &config(ChunkStrategy::Semantic), &embedder).await;
    let drafts = drafts.unwrap().unwrap();
    assert_eq!(embedder.asked.into_inner(), 6);
    let texts: Vec<&str> = drafts.iter().map(|draft| draft.content.as_str()).collect();
    assert_eq!(texts, [dogs.trim(), rest.trim()]);
    point_into(&extracted.text(), &drafts);

    let broken = Dogs {
        broken: true,
        ..Dogs::default()
    };
    let drafts = chunk_document(&extracted, &config(ChunkStrategy::Semantic), &broken).await;
    assert!(drafts.is_err(), "a vector is missing");

    let away = Dogs {
        away: true,
        ..Dogs::default()
    };
    let drafts = chunk_document(&extracted, &config(ChunkStrategy::Semantic), &away).await;
    let error = drafts.unwrap_err();
    assert_eq!(error.code(), ErrorCode::EmbeddingUnavailable);
}

#[test]
fn what_is_embedded_says_what_it_is_about_once() {
    let headings = ["Manual", "Precios", "Limpieza"].map(str::to_owned);
    assert_eq!(
        embedding_text(Some("Clínica"), &headings, "S/ 120"),
        "Clínica\nPrecios\nLimpieza\nS/ 120"
    );
    assert_eq!(
        embedding_text(None, &headings, "## Limpieza:\nS/ 120"),
        "Precios\n## Limpieza:\nS/ 120"
    );
    assert_eq!(
        embedding_text(Some("Manual"), &headings[..1], "texto"),
        "Manual\ntexto"
    );
    assert_eq!(embedding_text(Some(" "), &[], "texto"), "texto");
    let long = embedding_text(Some(&"ñ".repeat(500)), &[], "texto");
    assert_eq!(long.chars().count(), LONGEST_LINE + 1 + 5);
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
}

proptest! {
    #[test]
    fn sizes_in_tokens_hold(
        text in "([a-zA-Zñáé0-9]{1,14}[ ,.:;¿?\n]{1,3}){1,200}|[a-z日👍]{1,700}",
        size in 50_u32..90, overlap in 0_u32..45, unit in 0..3,
    ) {
        let strategy = [ChunkStrategy::Fixed, ChunkStrategy::Paragraph, ChunkStrategy::Semantic];
        let config = ChunkingConfig {
            strategy: strategy[usize::try_from(unit).unwrap()],
            unit: SizeUnit::Tokens,
            chunk_size: size,
            chunk_overlap: overlap.min(size / 2),
            max_chunk_size: size + 20,
            min_chunk_size: 10,
            ..ChunkingConfig::default()
        };
        let extracted = document(vec![flow(&text)]);
        let drafts = runtime().block_on(cut(&extracted, &config)).unwrap();
        point_into(&text, &drafts);
        let mut covered = 0;
        for draft in &drafts {
            prop_assert!(draft.tokens <= i32::try_from(size + 20).unwrap());
            let start = usize::try_from(draft.start_char).unwrap();
            let gap: String = text.chars().take(start).skip(covered).collect();
            prop_assert!(gap.trim().is_empty(), "lost {:?}", gap);
            covered = usize::try_from(draft.end_char).unwrap();
        }
        prop_assert!(text.chars().skip(covered).all(char::is_whitespace));
    }
}
