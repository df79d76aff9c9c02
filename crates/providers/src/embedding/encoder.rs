//! A small transformer: it reads words in their context and takes milliseconds.

mod forward;
#[cfg(test)]
mod reference;
mod speed;
mod weights;

use super::bundled;
use super::table::DIMENSIONS;
use super::word_piece::{SPECIAL, WordPiece};
use async_trait::async_trait;
use forward::Desk;
use quipu_core::ports::{EmbedError, Embedded, Embedder, Purpose};
use quipu_simd::Kernel;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::thread;
use tokio::sync::Semaphore;
use weights::{MOST_TOKENS, Weights};

/// Name and version of the model. Other weights or another tokenizer need another version, because
/// stored vectors would no longer be comparable.
const MODEL: &str = "quipu-es-en/encoder@1";
/// The marks around every text.
const BEGINNING: u16 = 2;
const END: u16 = 3;
/// No more than this is read of a text, even without a single token in it.
const MOST_BYTES: usize = 64 * 1024;
/// Threads for one batch, whatever the machine has.
const MOST_THREADS: usize = 32;
/// The niceness of work that gives way.
#[cfg(target_os = "linux")]
const LEAST_URGENT: i32 = 19;

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

fn cores() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get().min(MOST_THREADS))
}

/// Vectors number 0 to `number`, each made by the first thread that is free.
fn in_threads(
    threads: usize,
    gives_way: bool,
    number: usize,
    vector: impl Fn(usize, &mut Desk) -> Vec<f32> + Sync,
) -> Vec<Vec<f32>> {
    let next = AtomicUsize::new(0);
    let work = || {
        if gives_way {
            give_way();
        }
        let mut desk = Desk::default();
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= number {
                return done;
            }
            done.push((at, vector(at, &mut desk)));
        }
    };
    let mut done = thread::scope(|scope| {
        // The thread that calls is used for other things afterwards and must stay as it is.
        let own = usize::from(!gives_way);
        let others: Vec<_> = (own..threads).map(|_| scope.spawn(work)).collect();
        let mut done = if gives_way { Vec::new() } else { work() };
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, vector)| vector).collect()
}

/// Has this thread, which ends with its work, take only what others leave of the processor.
fn give_way() {
    // Elsewhere this would be about the whole process.
    #[cfg(target_os = "linux")]
    rustix::process::setpriority_process(None, LEAST_URGENT).ok();
}

struct Model {
    words: &'static WordPiece,
    weights: Weights,
}

impl Model {
    fn bundled() -> Result<&'static Self, String> {
        static MODEL: OnceLock<Result<Model, String>> = OnceLock::new();
        MODEL
            .get_or_init(|| {
                let words = bundled::words()?;
                let weights = Weights::bundled()?;
                Ok(Self { words, weights })
            })
            .as_ref()
            .map_err(Clone::clone)
    }

    fn vector(&self, kernel: Kernel, text: &str, desk: &mut Desk) -> Vec<f32> {
        let ids = self.ids(text);
        if ids.iter().all(|id| usize::from(*id) < SPECIAL.len()) {
            return vec![0.0; DIMENSIONS];
        }
        self.weights.vector(kernel, &ids, desk)
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
    use super::reference::Reference;
    use super::*;
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
        let texts: Vec<Vec<u16>> = golden.iter().map(|case| model.ids(&case.text)).collect();
        let exact = Reference::new().vectors(&texts);
        for ((case, ids), exact) in golden.iter().zip(&texts).zip(&exact) {
            assert_eq!(ids[1..ids.len() - 1], case.ids, "{}", case.text);
            assert!((dot(exact, exact) - 1.0).abs() < 1e-4);
            for (found, expected) in exact.iter().zip(&case.encoder) {
                assert!((found - expected).abs() < 1e-4, "{}", case.text);
            }
            for kernel in Kernel::available() {
                let found = model.weights.vector(kernel, ids, &mut Desk::default());
                let name = kernel.name();
                assert!((dot(&found, &found) - 1.0).abs() < 1e-4, "{name}");
                let cosine = dot(&found, exact);
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

    #[cfg(target_os = "linux")]
    #[test]
    fn only_the_threads_of_a_batch_give_way() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let before = niceness();
        for (gives_way, expected) in [(false, before), (true, LEAST_URGENT)] {
            let seen = in_threads(2, gives_way, 8, |_, _| {
                #[expect(clippy::cast_precision_loss, reason = "niceness is small")]
                let niceness = niceness() as f32;
                vec![niceness]
            });
            #[expect(clippy::cast_precision_loss, reason = "niceness is small")]
            let expected = vec![vec![expected as f32]; 8];
            assert_eq!(seen, expected);
            assert_eq!(niceness(), before, "the caller goes on as it was");
        }
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
