//! The judge inside the binary: a small transformer that reads question and passage together.

mod speed;
mod turns;

use super::beginning;
use super::memory::TextMemory;
use crate::bundled::{
    self, BEGINNING, DIMENSIONS, Desk, END, Transformer, WordPiece, cores, floats, sum,
};
use async_trait::async_trait;
use futures::stream::{self, StreamExt, TryStreamExt};
use quipu_core::TenantId;
use quipu_core::ports::{RerankError, Reranked, Reranker};
use quipu_core::reranking::BUILTIN_JUDGE;
use quipu_simd::{Kernel, dot};
use safetensors::SafeTensors;
use std::sync::{Arc, LazyLock, OnceLock};
use turns::TenantTurns;

/// What is read at once of a question and of a passage, in tokens with their marks.
const MOST_QUESTION: usize = 64;
const MOST_PASSAGE: usize = 189;
/// A longer passage is read in so many parts, and is worth what the best of them is.
const MOST_PARTS: usize = 3;
/// No so many tokens of a language take more.
const MOST_BYTES: usize = 8 * 1024;
/// What the end of the model looks at: the row of the first token, and the mean of all.
const LOOKED_AT: usize = 2 * DIMENSIONS;
/// Each takes milliseconds.
const MOST_PASSAGES: usize = 10;
/// What stood between title and text when the model was taught.
const BEHIND_TITLE: &str = ". ";

/// Tells how surely each passage answers a question.
pub struct JudgeReranker {
    kernel: Kernel,
    /// What this tenant had judged lately.
    memory: Option<(Arc<TextMemory<f32>>, TenantId)>,
}

impl Default for JudgeReranker {
    fn default() -> Self {
        Self::new()
    }
}

impl JudgeReranker {
    /// One that judges every passage anew.
    #[must_use]
    pub fn new() -> Self {
        Self {
            kernel: Kernel::best(),
            memory: None,
        }
    }

    pub(super) fn remembering(memory: Arc<TextMemory<f32>>, tenant: TenantId) -> Self {
        Self {
            memory: Some((memory, tenant)),
            ..Self::new()
        }
    }

    async fn relevance(&self, question: &str, passage: &str) -> Result<f32, RerankError> {
        let passage = passage.replacen('\n', BEHIND_TITLE, 1);
        let pair = (question, beginning(&passage, MOST_BYTES));
        let Some((memory, tenant)) = &self.memory else {
            return judge(self.kernel, None, pair).await;
        };
        if let Some(known) = memory.get(*tenant, pair) {
            return Ok(known);
        }
        let relevance = judge(self.kernel, Some(*tenant), pair).await?;
        memory.keep(*tenant, pair, relevance);
        Ok(relevance)
    }
}

#[async_trait]
impl Reranker for JudgeReranker {
    fn model(&self) -> &str {
        BUILTIN_JUDGE
    }

    fn most_passages(&self) -> usize {
        MOST_PASSAGES
    }

    async fn rerank(&self, question: &str, passages: &[String]) -> Result<Reranked, RerankError> {
        let question = beginning(question, MOST_BYTES);
        // One by one, so that other questions find their turn in between, and so that the rest is
        // not begun when nobody waits any more.
        let judging = passages.iter().enumerate().map(async |(at, passage)| {
            let relevance = self.relevance(question, passage).await?;
            Ok::<_, RerankError>((at, relevance))
        });
        // As they come: a core that was quicker does not wait for the other.
        let judging: Vec<_> = judging.collect();
        let mut judged: Vec<(usize, f32)> = stream::iter(judging)
            .buffer_unordered(cores())
            .try_collect()
            .await?;
        judged.sort_unstable_by_key(|(at, _)| *at);
        let relevances = judged.into_iter().map(|(_, relevance)| relevance);
        Ok(Reranked::Relevances(relevances.collect()))
    }
}

/// Judges on one core, when one is free of other judgements.
async fn judge(
    kernel: Kernel,
    tenant: Option<TenantId>,
    (question, passage): (&str, &str),
) -> Result<f32, RerankError> {
    static TURNS: LazyLock<TenantTurns> = LazyLock::new(|| TenantTurns::new(cores()));

    let turn = TURNS.take(tenant).await;
    let (question, passage) = (question.to_owned(), passage.to_owned());
    let judged = tokio::task::spawn_blocking(move || {
        // The work goes on when nobody waits for it any more, and so does its turn.
        let _turn = turn;
        let model = JudgeModel::bundled()?;
        let logit = model.logit(kernel, &question, &passage);
        Ok::<_, String>(1.0 / (1.0 + (-logit).exp()))
    });
    match judged.await {
        Ok(judged) => judged.map_err(RerankError::Permanent),
        Err(panicked) => Err(RerankError::Permanent(panicked.to_string())),
    }
}

struct JudgeModel {
    words: &'static WordPiece,
    transformer: Transformer,
    ending: JudgeHead,
}

impl JudgeModel {
    fn bundled() -> Result<&'static Self, String> {
        static MODEL: OnceLock<Result<JudgeModel, String>> = OnceLock::new();
        MODEL
            .get_or_init(|| {
                let file = SafeTensors::deserialize(bundled::JUDGE).map_err(|e| e.to_string())?;
                Ok(Self {
                    words: bundled::words()?,
                    transformer: Transformer::read(&file)?,
                    ending: JudgeHead::read(&file)?,
                })
            })
            .as_ref()
            .map_err(Clone::clone)
    }

    fn logit(&self, kernel: Kernel, question: &str, passage: &str) -> f32 {
        let (question, parts) = self.ids(question, passage);
        let mut desk = Desk::default();
        parts
            .iter()
            .map(|part| self.logit_of(kernel, &question, part, &mut desk))
            .fold(f32::NEG_INFINITY, f32::max)
    }

    fn logit_of(&self, kernel: Kernel, question: &[u16], passage: &[u16], desk: &mut Desk) -> f32 {
        let rows = self.transformer.rows(kernel, [question, passage], desk);
        self.ending.logit(rows)
    }

    /// The tokens of the question and of each part of the passage, with the marks of the beginning and
    /// of every end. The last part reaches back to be as long as the others.
    fn ids(&self, question: &str, passage: &str) -> (Vec<u16>, Vec<Vec<u16>>) {
        let inside = MOST_PASSAGE - 1;
        let mut asked = vec![BEGINNING];
        asked.extend(self.words.ids(question, MOST_QUESTION - 2));
        asked.push(END);
        let tokens = self.words.ids(passage, MOST_PARTS * inside);
        let parts = tokens.len().div_ceil(inside).max(1);
        let part = |number: usize| {
            let last = tokens.len().saturating_sub(inside);
            let tokens = tokens[(number * inside).min(last)..].iter();
            let tokens = tokens.take(inside).copied();
            tokens.chain([END]).collect()
        };
        (asked, (0..parts).map(part).collect())
    }
}

/// What makes one number of the rows of all tokens.
struct JudgeHead {
    pool: Vec<f32>,
    pool_bias: Vec<f32>,
    head: Vec<f32>,
    head_bias: f32,
}

impl JudgeHead {
    fn read(file: &SafeTensors<'_>) -> Result<Self, String> {
        Ok(Self {
            pool: floats(file, "pool.weight", DIMENSIONS * LOOKED_AT)?,
            pool_bias: floats(file, "pool.bias", DIMENSIONS)?,
            head: floats(file, "head.weight", DIMENSIONS)?,
            head_bias: floats(file, "head.bias", 1)?[0],
        })
    }

    fn logit(&self, rows: &[f32]) -> f32 {
        #[expect(clippy::cast_precision_loss, reason = "there are few hundred tokens")]
        let tokens = (rows.len() / DIMENSIONS) as f32;
        let mut seen = rows[..DIMENSIONS].to_vec();
        seen.extend(sum(rows).iter().map(|sum| sum / tokens));
        let pooled = self.pool.chunks_exact(LOOKED_AT).zip(&self.pool_bias);
        let pooled: Vec<f32> = pooled
            .map(|(weights, bias)| (dot(weights, &seen) + bias).tanh())
            .collect();
        dot(&self.head, &pooled) + self.head_bias
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundled::Reference;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct GoldenPair {
        question: String,
        passage: String,
        logit: f32,
    }

    fn golden() -> Vec<GoldenPair> {
        serde_json::from_str(include_str!("judge/golden.json")).unwrap()
    }

    #[test]
    fn judgements_are_the_published_ones() {
        let golden = golden();
        assert_eq!(golden.len(), 6);
        let model = JudgeModel::bundled().unwrap();
        // The published judgements are of the beginning of a passage.
        let texts: Vec<[Vec<u16>; 2]> = golden
            .iter()
            .map(|case| {
                let (question, mut parts) = model.ids(&case.question, &case.passage);
                [question, parts.swap_remove(0)]
            })
            .collect();
        let file = SafeTensors::deserialize(bundled::JUDGE).unwrap();
        let exact = Reference::new(&file).rows(&texts);
        for ((case, [question, passage]), rows) in golden.iter().zip(&texts).zip(&exact) {
            let exact = model.ending.logit(&rows.concat());
            assert!((exact - case.logit).abs() < 1e-2, "{exact} {}", case.logit);
            for kernel in Kernel::available() {
                let found = model.logit_of(kernel, question, passage, &mut Desk::default());
                let (name, text) = (kernel.name(), &case.question);
                assert!(
                    (found - exact).abs() < 0.2,
                    "{name}, {text}: {found} for {exact}"
                );
            }
        }
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    async fn judged(judge: &JudgeReranker, question: &str, passages: &[String]) -> Vec<f32> {
        match judge.rerank(question, passages).await.unwrap() {
            Reranked::Relevances(relevances) => relevances,
            other @ Reranked::Cosines { .. } => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn what_answers_is_told_from_what_is_near() {
        let passages = texts(&[
            "Abrimos de lunes a sábado de 9:00 a 19:00.",
            "Limpieza dental (profilaxis): S/ 120, dura 45 minutos.",
            "",
        ]);
        let found = judged(&JudgeReranker::new(), "¿a cómo la limpieza?", &passages).await;
        assert!(found[0] < 0.1 && found[1] > 0.9, "{found:?}");
        assert!(judged(&JudgeReranker::new(), "hola", &[]).await.is_empty());
    }

    #[tokio::test]
    async fn an_answer_at_the_end_of_a_long_passage_is_found() {
        let judge = JudgeReranker::new();
        let about = "Somos un consultorio familiar con seis odontólogos colegiados. ".repeat(25);
        let pays = "Aceptamos efectivo, Yape y tarjetas de crédito.";
        let ways = texts(&[&about, &format!("{about}{pays}")]);
        let found = judged(&judge, "¿aceptan yape?", &ways).await;
        assert!(found[0] < 0.1 && found[1] > 0.9, "{found:?}");
    }

    #[tokio::test]
    async fn only_so_much_of_long_texts_is_read() {
        let judge = JudgeReranker::new();
        let long = "Abrimos de lunes a sábado. ".repeat(400);
        let ways = texts(&[&format!("{long} perro"), &format!("{long} gato")]);
        let found = judged(&judge, "¿a qué hora abren?", &ways).await;
        assert_eq!(found[0].to_bits(), found[1].to_bits());
        let asked = format!("¿a qué hora abren? {long}");
        assert!(judged(&judge, &asked, &ways).await[0].is_finite());
    }

    #[tokio::test]
    async fn a_tenant_has_the_same_pair_judged_once() {
        let tenant = |number: u8| -> TenantId {
            let text = format!("00000000-0000-7000-8000-00000000000{number}");
            text.parse().unwrap()
        };
        let memory = Arc::new(TextMemory::new(8));
        let passage = "Se admiten mascotas.";
        let pair = ("¿mascotas?", passage);
        // What nobody would judge so shows where it comes from.
        memory.keep(tenant(1), pair, 0.125);
        let passages = texts(&[passage]);
        let first = JudgeReranker::remembering(memory.clone(), tenant(1));
        assert_eq!(judged(&first, pair.0, &passages).await, [0.125]);
        let other = JudgeReranker::remembering(memory.clone(), tenant(2));
        let found = judged(&other, pair.0, &passages).await;
        assert!(found[0] > 0.9, "another tenant's: {found:?}");
        assert_eq!(memory.get(tenant(2), pair), Some(found[0]));
        assert_eq!(memory.get(tenant(2), ("¿perros?", passage)), None);
    }

    #[test]
    fn speed_is_measured() {
        let judge = JudgeReranker::new();
        assert!(judge.time_of_judging(12, 20, 2, 1).unwrap().as_nanos() > 0);
    }
}
