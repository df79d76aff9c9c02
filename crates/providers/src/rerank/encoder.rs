//! The bundled encoder as a second look at what a quicker model found.

use super::beginning;
use super::memory::TextMemory;
use async_trait::async_trait;
use futures::stream::{self, StreamExt, TryStreamExt};
use quipu_core::TenantId;
use quipu_core::ports::{Embedded, Embedder, Purpose, RerankError, Reranked, Reranker};
use quipu_simd::dot;
use std::sync::Arc;
use std::thread;

/// The encoder reads 256 tokens, and no 256 tokens of a language take more.
const MOST_BYTES: usize = 4 * 1024;
/// Passages worked on at once, whatever the machine has.
const MOST_AT_ONCE: usize = 16;

/// Compares the vectors of passages with that of the question, by a model that did not search.
pub struct EncoderReranker {
    embedder: Arc<dyn Embedder>,
    /// What passages of this tenant were judged lately.
    memory: Option<(Arc<TextMemory<Vec<f32>>>, TenantId)>,
}

impl EncoderReranker {
    /// One that makes every vector anew.
    #[must_use]
    pub fn new(embedder: Arc<dyn Embedder>) -> Self {
        let memory = None;
        Self { embedder, memory }
    }

    pub(super) fn remembering(
        embedder: Arc<dyn Embedder>,
        memory: Arc<TextMemory<Vec<f32>>>,
        tenant: TenantId,
    ) -> Self {
        let memory = Some((memory, tenant));
        Self { embedder, memory }
    }

    async fn passage(&self, text: &str) -> Result<Vec<f32>, RerankError> {
        let text = beginning(text, MOST_BYTES);
        let Some((memory, tenant)) = &self.memory else {
            return self.vector(text, Purpose::Passage).await;
        };
        if let Some(known) = memory.get(*tenant, text) {
            return Ok(known);
        }
        let vector = self.vector(text, Purpose::Passage).await?;
        memory.keep(*tenant, text, vector.clone());
        Ok(vector)
    }

    async fn vector(&self, text: &str, purpose: Purpose) -> Result<Vec<f32>, RerankError> {
        let text = [text.to_owned()];
        let Embedded { mut vectors, .. } = self.embedder.embed(&text, purpose).await?;
        match vectors.pop() {
            Some(vector) if vector.len() == self.embedder.dimensions() => Ok(vector),
            _ => {
                let why = format!("{}: no vector for a text", self.embedder.model());
                Err(RerankError::Permanent(why))
            }
        }
    }
}

#[async_trait]
impl Reranker for EncoderReranker {
    fn model(&self) -> &str {
        self.embedder.model()
    }

    async fn rerank(&self, question: &str, passages: &[String]) -> Result<Reranked, RerankError> {
        let question = beginning(question, MOST_BYTES);
        let question = self.vector(question, Purpose::Question).await?;
        // One by one they wait behind no document that is being embedded, and beside a few at a
        // time other questions still find their turn. When nobody waits any more the rest is not
        // begun.
        let vectors: Vec<_> = passages
            .iter()
            .map(|passage| self.passage(passage))
            .collect();
        let vectors: Vec<Vec<f32>> = stream::iter(vectors)
            .buffered(at_once())
            .try_collect()
            .await?;
        Ok(Reranked::Cosines {
            model: self.model().to_owned(),
            cosines: vectors
                .iter()
                .map(|vector| dot(&question, vector))
                .collect(),
        })
    }
}

fn at_once() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get().min(MOST_AT_ONCE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedding::{EncoderEmbedder, StaticEmbedder};
    use quipu_core::ports::EmbedError;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    async fn cosines(
        embedder: Arc<dyn Embedder>,
        question: &str,
        passages: &[String],
    ) -> (String, Vec<f32>) {
        let reranker = EncoderReranker::new(embedder);
        match reranker.rerank(question, passages).await.unwrap() {
            Reranked::Cosines { model, cosines } => (model, cosines),
            other @ Reranked::Relevances(_) => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn cosines_are_those_of_the_vectors_in_the_order_of_the_passages() {
        let encoder = EncoderEmbedder::new();
        let passages = texts(&["Se admiten mascotas.", "", "El envío tarda tres días."]);
        let question = "¿Puedo llevar a mi perro?";
        let (model, found) = cosines(Arc::new(encoder), question, &passages).await;
        assert_eq!(model, "quipu-es-en/encoder@2");
        let asked = encoder.embed(&texts(&[question]), Purpose::Question).await;
        let asked = asked.unwrap().vectors.remove(0);
        let vectors = encoder.embed(&passages, Purpose::Passage).await.unwrap();
        let expected: Vec<f32> = vectors.vectors.iter().map(|v| dot(&asked, v)).collect();
        assert_eq!(found, expected);
        assert!(found[0] > found[2] && found[1].abs() < f32::EPSILON);
    }

    #[tokio::test]
    async fn it_sees_what_the_quick_model_does_not() {
        // The quick model goes by words alone, and both wrong passages have those of the question.
        for (question, wrong, right) in [
            (
                "¿Cómo llego hasta ustedes?",
                "Si llega tarde a su cita, espere hasta que lo llamen.",
                "Estamos en la avenida Larco 345, frente al parque.",
            ),
            (
                "¿Cuánto demora en llegar mi pedido?",
                "Haga su pedido al llegar a la barra.",
                "La entrega a domicilio tarda entre 30 y 45 minutos.",
            ),
        ] {
            let passages = texts(&[wrong, right]);
            let (_, quick) = cosines(Arc::new(StaticEmbedder::new()), question, &passages).await;
            let (_, close) = cosines(Arc::new(EncoderEmbedder::new()), question, &passages).await;
            assert!(quick[0] > quick[1], "{question} {quick:?}");
            assert!(close[0] < close[1], "{question} {close:?}");
        }
    }

    #[tokio::test]
    async fn nothing_to_judge_is_no_error_and_long_texts_are_cut() {
        let (_, none) = cosines(Arc::new(EncoderEmbedder::new()), "hola", &[]).await;
        assert!(none.is_empty());
        let start = "mascotas ".repeat(MOST_BYTES / 9);
        let long = texts(&[&start, &format!("{start}{}", "ñ".repeat(MOST_BYTES))]);
        let (_, found) = cosines(Arc::new(EncoderEmbedder::new()), "perro", &long).await;
        assert!((found[0] - found[1]).abs() < 1e-6, "{found:?}");
    }

    /// Counts what it is asked and never comes back from a text that says so.
    #[derive(Default)]
    struct Slow(std::sync::Mutex<Vec<String>>);

    #[async_trait]
    impl Embedder for Slow {
        fn model(&self) -> &'static str {
            "slow"
        }

        fn dimensions(&self) -> usize {
            1
        }

        async fn embed(&self, texts: &[String], _: Purpose) -> Result<Embedded, EmbedError> {
            self.0.lock().unwrap().extend_from_slice(texts);
            if texts[0] == "nunca" {
                std::future::pending::<()>().await;
            }
            Ok(Embedded {
                vectors: vec![vec![1.0]; texts.len()],
                tokens: None,
            })
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_done_for_one_question_is_done_for_the_next_of_the_same_tenant() {
        let tenant = |number: u8| -> TenantId {
            let text = format!("00000000-0000-7000-8000-00000000000{number}");
            text.parse().unwrap()
        };
        let (slow, memory) = (Arc::new(Slow::default()), Arc::new(TextMemory::new(8)));
        let of =
            |number| EncoderReranker::remembering(slow.clone(), memory.clone(), tenant(number));
        let asked = || std::mem::take(&mut *slow.0.lock().unwrap());
        let first = of(1);
        let passages = texts(&["a", "nunca"]);
        let late = first.rerank("uno", &passages);
        let patience = std::time::Duration::from_secs(2);
        assert!(tokio::time::timeout(patience, late).await.is_err());
        assert_eq!(asked(), ["uno", "a", "nunca"]);
        let again = first.rerank("dos", &texts(&["a", "b"])).await.unwrap();
        assert_eq!(asked(), ["dos", "b"]);
        let cosines = vec![1.0, 1.0];
        let model = "slow".to_owned();
        assert_eq!(again, Reranked::Cosines { model, cosines });
        of(2).rerank("dos", &texts(&["a", "b"])).await.unwrap();
        assert_eq!(asked(), ["dos", "a", "b"], "another tenant's");
    }

    struct Broken(Option<EmbedError>);

    #[async_trait]
    impl Embedder for Broken {
        fn model(&self) -> &'static str {
            "broken"
        }

        fn dimensions(&self) -> usize {
            2
        }

        async fn embed(&self, _: &[String], _: Purpose) -> Result<Embedded, EmbedError> {
            match &self.0 {
                Some(error) => Err(error.clone()),
                None => Ok(Embedded::default()),
            }
        }
    }

    #[tokio::test]
    async fn a_model_that_fails_is_told_apart_from_one_that_is_away() {
        let passing = EmbedError::Transient("away".to_owned());
        for (error, transient) in [(Some(passing), true), (None, false)] {
            let reranker = EncoderReranker::new(Arc::new(Broken(error)));
            let failed = reranker.rerank("hola", &texts(&["a"])).await.unwrap_err();
            assert_eq!(matches!(failed, RerankError::Transient(_)), transient);
        }
    }
}
