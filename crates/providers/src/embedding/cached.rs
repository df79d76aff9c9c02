//! Questions that come again are not embedded again.

use crate::recent::Recent;
use async_trait::async_trait;
use quipu_core::ports::{EmbedError, Embedded, Embedder, Purpose};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A longer question is hardly asked twice in the same words.
const LONGEST_QUESTION: usize = 1_000;

/// An embedder that remembers the vectors of the last questions. Passages pass through: each is
/// embedded once and stored.
pub struct Cached {
    inner: Arc<dyn Embedder>,
    questions: Mutex<Recent<String, Vec<f32>>>,
}

impl Cached {
    #[must_use]
    pub fn new(inner: Arc<dyn Embedder>, most: usize) -> Self {
        Self {
            inner,
            questions: Mutex::new(Recent::new(most)),
        }
    }

    fn questions(&self) -> MutexGuard<'_, Recent<String, Vec<f32>>> {
        // At worst an entry is missing after a panic, and then it is asked for again.
        self.questions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Embedder for Cached {
    fn model(&self) -> &str {
        self.inner.model()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Embedded, EmbedError> {
        if purpose == Purpose::Passage {
            return self.inner.embed(texts, purpose).await;
        }
        let mut vectors: Vec<Option<Vec<f32>>> = {
            let mut questions = self.questions();
            let known = texts.iter().map(|text| questions.get(text).cloned());
            known.collect()
        };
        let new: Vec<usize> = (0..texts.len())
            .filter(|at| vectors[*at].is_none())
            .collect();
        if new.is_empty() {
            return Ok(Embedded {
                vectors: vectors.into_iter().flatten().collect(),
                tokens: Some(0),
            });
        }
        let asked: Vec<String> = new.iter().map(|at| texts[*at].clone()).collect();
        let found = self.inner.embed(&asked, purpose).await?;
        if found.vectors.len() != asked.len() {
            let why = format!("{} vectors for {} texts", found.vectors.len(), asked.len());
            return Err(EmbedError::Permanent(why));
        }
        let mut questions = self.questions();
        for ((at, text), vector) in new.into_iter().zip(asked).zip(found.vectors) {
            if text.len() <= LONGEST_QUESTION {
                questions.insert(text, vector.clone());
            }
            vectors[at] = Some(vector);
        }
        Ok(Embedded {
            vectors: vectors.into_iter().flatten().collect(),
            tokens: found.tokens,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says how long a text is, and remembers what it was asked.
    #[derive(Default)]
    struct Lengths {
        asked: Mutex<Vec<String>>,
        broken: bool,
    }

    #[async_trait]
    impl Embedder for Lengths {
        fn model(&self) -> &'static str {
            "lengths"
        }

        fn dimensions(&self) -> usize {
            1
        }

        async fn embed(&self, texts: &[String], _: Purpose) -> Result<Embedded, EmbedError> {
            if self.broken {
                return Err(EmbedError::Transient("away".to_owned()));
            }
            self.asked.lock().unwrap().extend_from_slice(texts);
            #[expect(clippy::cast_precision_loss, reason = "the texts are short")]
            let vectors = texts.iter().map(|text| vec![text.len() as f32]).collect();
            Ok(Embedded {
                vectors,
                tokens: Some(texts.len() as u64),
            })
        }
    }

    async fn ask(cached: &Cached, texts: &[&str], purpose: Purpose) -> (Vec<f32>, Option<u64>) {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        let embedded = cached.embed(&texts, purpose).await.unwrap();
        (embedded.vectors.concat(), embedded.tokens)
    }

    #[tokio::test]
    async fn a_question_is_asked_once_and_costs_once() {
        let inner = Arc::new(Lengths::default());
        let cached = Cached::new(inner.clone(), 2);
        let question = Purpose::Question;
        assert_eq!(ask(&cached, &["a"], question).await, (vec![1.0], Some(1)));
        assert_eq!(ask(&cached, &["a"], question).await, (vec![1.0], Some(0)));
        // Only what is new is asked, and the order stays.
        let several = ask(&cached, &["bb", "a", "ccc"], question).await;
        assert_eq!(several, (vec![2.0, 1.0, 3.0], Some(2)));
        assert_eq!(*inner.asked.lock().unwrap(), ["a", "bb", "ccc"]);
        // There is room for two, so the first one went.
        assert_eq!(ask(&cached, &["a"], question).await.1, Some(1));
        assert_eq!((cached.model(), cached.dimensions()), ("lengths", 1));
    }

    #[tokio::test]
    async fn passages_and_long_questions_are_not_kept() {
        let inner = Arc::new(Lengths::default());
        let cached = Cached::new(inner.clone(), 8);
        let long = "a".repeat(LONGEST_QUESTION + 1);
        for _ in 0..2 {
            ask(&cached, &["pasaje"], Purpose::Passage).await;
            ask(&cached, &[&long], Purpose::Question).await;
        }
        assert_eq!(inner.asked.lock().unwrap().len(), 4);
        ask(&cached, &["pasaje"], Purpose::Question).await;
        assert_eq!(
            inner.asked.lock().unwrap().len(),
            5,
            "a passage is no question"
        );
    }

    #[tokio::test]
    async fn failures_are_not_kept() {
        let broken = Lengths {
            broken: true,
            ..Lengths::default()
        };
        let cached = Cached::new(Arc::new(broken), 8);
        for _ in 0..2 {
            let failed = cached.embed(&["a".to_owned()], Purpose::Question).await;
            assert_eq!(failed, Err(EmbedError::Transient("away".to_owned())));
        }
    }
}
