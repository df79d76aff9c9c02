//! The vector of a text as a small transformer reads it: words in their context.

mod speed;

use super::vectors::normalise;
use crate::bundled::{
    self, BEGINNING, DIMENSIONS, Desk, END, MOST_TOKENS, SPECIAL, Transformer, WordPiece, cores,
    in_threads,
};
use async_trait::async_trait;
use quipu_core::ports::{EmbedError, Embedded, Embedder, Purpose};
use quipu_simd::Kernel;
use safetensors::SafeTensors;
use std::sync::{Arc, LazyLock, OnceLock};
use tokio::sync::Semaphore;

/// Name and version of the model. Other weights or another tokenizer need another version, because
/// stored vectors would no longer be comparable.
const MODEL: &str = "quipu-es-en/encoder@2";
/// No more than this is read of a text, even without a single token in it.
const MOST_BYTES: usize = 64 * 1024;

/// The bundled encoder. Its weights are read when the first text comes, not before.
#[derive(Clone, Copy, Debug)]
pub struct EncoderEmbedder {
    kernel: Kernel,
    gives_way: bool,
}

impl Default for EncoderEmbedder {
    fn default() -> Self {
        Self::new()
    }
}

impl EncoderEmbedder {
    /// With the quickest instructions of this processor.
    #[must_use]
    pub fn new() -> Self {
        Self {
            kernel: Kernel::best(),
            gives_way: false,
        }
    }

    /// The same for work behind what people wait for: batches take what others leave of the
    /// processor. A question is in nobody's way.
    #[must_use]
    pub fn giving_way() -> Self {
        Self {
            gives_way: true,
            ..Self::new()
        }
    }

    /// With the instructions of that name, if this processor has them; to compare.
    #[must_use]
    pub fn with_kernel(name: &str) -> Option<Self> {
        Kernel::named(name).map(|kernel| Self {
            kernel,
            gives_way: false,
        })
    }

    /// The names of all instructions that this processor can use, the quickest first.
    #[must_use]
    pub fn kernels() -> Vec<&'static str> {
        Kernel::available().into_iter().map(Kernel::name).collect()
    }

    /// The name of the instructions in use.
    #[must_use]
    pub fn kernel(&self) -> &'static str {
        self.kernel.name()
    }
}

#[async_trait]
impl Embedder for EncoderEmbedder {
    fn model(&self) -> &str {
        MODEL
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> Result<Embedded, EmbedError> {
        /// A batch takes all cores, so a second one would only slow the first.
        static BATCHES: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(1)));
        /// One that gives way holds up no other.
        static LATER: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(1)));
        /// A question takes one core and waits for no batch, only for as many other questions as
        /// would leave each of them a part of a core.
        static QUESTIONS: LazyLock<Arc<Semaphore>> =
            LazyLock::new(|| Arc::new(Semaphore::new(cores())));

        let gives_way = self.gives_way && texts.len() > 1;
        let turns = match texts.len() {
            0 | 1 => &QUESTIONS,
            _ if gives_way => &LATER,
            _ => &BATCHES,
        };
        let turn = Arc::clone(turns).acquire_owned().await;
        let turn = turn.map_err(|closed| EmbedError::Permanent(closed.to_string()))?;
        let texts = texts.to_vec();
        let kernel = self.kernel;
        let vectors = tokio::task::spawn_blocking(move || {
            // The work goes on when nobody waits for it any more, and so does its turn.
            let _turn = turn;
            let model = Model::bundled()?;
            let threads = cores().min(texts.len());
            let vector = |at: usize, desk: &mut Desk| model.vector(kernel, &texts[at], desk);
            Ok::<_, String>(in_threads(threads, gives_way, texts.len(), vector))
        });
        let vectors = match vectors.await {
            Ok(vectors) => vectors.map_err(EmbedError::Permanent)?,
            Err(panicked) => return Err(EmbedError::Permanent(panicked.to_string())),
        };
        Ok(Embedded {
            vectors,
            tokens: None,
        })
    }
}

struct Model {
    words: &'static WordPiece,
    transformer: Transformer,
}

impl Model {
    fn bundled() -> Result<&'static Self, String> {
        static MODEL: OnceLock<Result<Model, String>> = OnceLock::new();
        MODEL
            .get_or_init(|| {
                let words = bundled::words()?;
                let file = SafeTensors::deserialize(bundled::ENCODER_LAYERS);
                let transformer = Transformer::read(&file.map_err(|e| e.to_string())?)?;
                Ok(Self { words, transformer })
            })
            .as_ref()
            .map_err(Clone::clone)
    }

    fn vector(&self, kernel: Kernel, text: &str, desk: &mut Desk) -> Vec<f32> {
        let ids = self.ids(text);
        if ids.iter().all(|id| usize::from(*id) < SPECIAL.len()) {
            return vec![0.0; DIMENSIONS];
        }
        self.vector_of(kernel, &ids, desk)
    }

    /// The vector of a text, given its tokens with the marks of beginning and end.
    fn vector_of(&self, kernel: Kernel, ids: &[u16], desk: &mut Desk) -> Vec<f32> {
        let mut vector = bundled::sum(self.transformer.rows(kernel, [ids, &[]], desk));
        normalise(&mut vector);
        vector
    }

    /// The tokens of a text between the marks of its beginning and end.
    fn ids(&self, text: &str) -> Vec<u16> {
        let text = &text[..text.floor_char_boundary(MOST_BYTES)];
        let mut ids = vec![BEGINNING];
        ids.extend(self.words.ids(text, MOST_TOKENS - 2));
        ids.push(END);
        ids
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled::{Reference, added};
    use quipu_simd::dot;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Golden {
        text: String,
        ids: Vec<u16>,
        encoder: Vec<f32>,
    }

    fn golden() -> Vec<Golden> {
        serde_json::from_str(include_str!("golden.json")).unwrap()
    }

    #[test]
    fn vectors_are_the_published_ones() {
        let golden = golden();
        assert_eq!(golden.len(), 20);
        let model = Model::bundled().unwrap();
        let texts: Vec<[Vec<u16>; 2]> = golden
            .iter()
            .map(|case| [model.ids(&case.text), Vec::new()])
            .collect();
        let file = SafeTensors::deserialize(bundled::ENCODER_LAYERS).unwrap();
        let exact = Reference::new(&file).rows(&texts);
        for ((case, [ids, _]), rows) in golden.iter().zip(&texts).zip(&exact) {
            let nothing = vec![0.0; DIMENSIONS];
            let mut exact = rows.iter().fold(nothing, |sum, row| added(&sum, row));
            normalise(&mut exact);
            assert_eq!(*ids, case.ids, "{}", case.text);
            assert!((dot(&exact, &exact) - 1.0).abs() < 1e-4);
            for (found, expected) in exact.iter().zip(&case.encoder) {
                assert!((found - expected).abs() < 1e-4, "{}", case.text);
            }
            for kernel in Kernel::available() {
                let found = model.vector_of(kernel, ids, &mut Desk::default());
                let name = kernel.name();
                assert!((dot(&found, &found) - 1.0).abs() < 1e-4, "{name}");
                let cosine = dot(&found, &exact);
                assert!(cosine > 0.999, "{name}, {}: {cosine}", case.text);
            }
        }
    }

    async fn embedded<const N: usize>(texts: [&str; N]) -> Vec<Vec<f32>> {
        let encoder = EncoderEmbedder::new();
        let texts = texts.map(str::to_owned);
        let embedded = encoder.embed(&texts, Purpose::Passage).await;
        embedded.unwrap().vectors
    }

    #[tokio::test]
    async fn nearer_in_meaning_is_nearer() {
        let vectors = embedded([
            "¿Puedo llevar a mi perro?",
            "Se admiten mascotas en la terraza.",
            "El envío tarda tres días.",
            "",
            "🙂 [CLS]",
        ])
        .await;
        assert!(dot(&vectors[0], &vectors[1]) > dot(&vectors[0], &vectors[2]) + 0.1);
        assert_eq!(vectors[3], [0.0; DIMENSIONS]);
        assert_eq!(vectors[4], [0.0; DIMENSIONS]);
    }

    #[tokio::test]
    async fn a_batch_gives_in_order_what_each_text_gives_alone() {
        let texts = [
            "Abrimos a las nueve.",
            "We open at nine o'clock on weekdays.",
            "Sí",
            "¿Cuánto cuesta?",
        ];
        let batch = embedded(texts).await;
        for (text, vector) in texts.iter().zip(&batch) {
            assert_eq!(&embedded([text]).await[0], vector, "{text}");
        }
    }

    #[tokio::test]
    async fn who_gives_way_finds_the_same() {
        let texts = ["Abrimos a las nueve.", "¿Cuánto cuesta?", "Sí"];
        let later = EncoderEmbedder::giving_way()
            .embed(&texts.map(str::to_owned), Purpose::Passage)
            .await;
        assert_eq!(later.unwrap().vectors, embedded(texts).await);
    }

    #[tokio::test]
    async fn only_the_beginning_of_a_long_text_counts() {
        let beginning = "Abrimos de lunes a sábado. ".repeat(50);
        let vectors = embedded([
            &format!("{beginning} perro"),
            &format!("{beginning} gato"),
            &(" ".repeat(MOST_BYTES) + "gato"),
        ])
        .await;
        assert_eq!(vectors[0], vectors[1]);
        assert_eq!(vectors[2], [0.0; DIMENSIONS]);
    }

    #[tokio::test]
    async fn nothing_to_embed_is_no_error() {
        let embedded = EncoderEmbedder::new().embed(&[], Purpose::Passage).await;
        assert!(embedded.unwrap().vectors.is_empty());
    }

    #[test]
    fn speed_is_measured_with_any_kernel() {
        for name in EncoderEmbedder::kernels() {
            let encoder = EncoderEmbedder::with_kernel(name).unwrap();
            assert_eq!(encoder.kernel(), name);
            assert!(encoder.time_of_question(12, 1).unwrap().as_nanos() > 0);
            assert!(encoder.passages_per_second(5, 2).unwrap() > 0.0);
        }
    }
}
