//! How long texts take to become vectors, and passages to be judged.

use crate::library::Words;
use crate::machine::cores;
use crate::plan::EmbeddingPlan;
use crate::report::{PartReport, Target, Unit};
use crate::times::{Times, ms, number};
use quipu_core::ports::{Embedder, Purpose};
use quipu_core::{Error, Result};
use quipu_providers::{EncoderEmbedder, JudgeReranker, StaticEmbedder};

const QUESTION_TOKENS: usize = 12;
const PASSAGE_TOKENS: usize = 128;
const JUDGED_TOKENS: usize = 110;
/// How many passages are judged together, and in how many milliseconds on two cores.
const JUDGED: [(usize, f64); 2] = [(10, 60.0), (3, 25.0)];
/// The series of questions of this part.
const SERIES: u64 = 1;

pub(crate) async fn measure(
    plan: &EmbeddingPlan,
    words: &Words,
    report: &mut PartReport,
) -> Result<()> {
    let best = EncoderEmbedder::new();
    let kernels = EncoderEmbedder::kernels();
    report.about(format!(
        "one question at a time, {} of them, of 8 to 12 Spanish words; passages on {} cores",
        plan.questions,
        cores()
    ));
    report.about(format!(
        "kernel of the encoder: {} (available: {})",
        best.kernel(),
        kernels.join(", ")
    ));
    let times = ask(&StaticEmbedder::new(), words, plan.questions).await?;
    report.target(
        "static: a question, p50",
        ms(times.p50()) * 1e3,
        Unit::Microseconds,
        Target::AtMost(100.0),
    );
    let times = ask(&best, words, plan.questions).await?;
    report.figure(
        "encoder: such a question, tokens counted as they come, p50",
        ms(times.p50()),
        Unit::Milliseconds,
    );
    let question = best.time_of_question(QUESTION_TOKENS, plan.questions)?;
    report.target(
        format!("encoder: a question of {QUESTION_TOKENS} tokens, p50"),
        ms(question),
        Unit::Milliseconds,
        Target::AtMost(7.0),
    );
    // The target is one of two cores: what more of them do is not counted towards it.
    let two = 2.0 / number(cores().max(2));
    let passages = best.passages_per_second(PASSAGE_TOKENS, plan.passages)? * two;
    report.target(
        format!("encoder: passages of {PASSAGE_TOKENS} tokens, two cores"),
        passages,
        Unit::PerSecond,
        Target::AtLeast(40.0),
    );
    let judge = JudgeReranker::new();
    for (count, most) in JUDGED {
        let runs = plan.questions.div_ceil(10);
        let time = judge.time_of_judging(QUESTION_TOKENS, JUDGED_TOKENS, count, runs)?;
        report.target(
            format!("judge: {count} passages of {JUDGED_TOKENS} tokens, two cores, p50"),
            ms(time) / two,
            Unit::Milliseconds,
            Target::AtMost(most),
        );
    }
    // The last one needs nothing that a processor might not have.
    let portable = kernels
        .last()
        .copied()
        .filter(|name| *name != best.kernel());
    if let Some(portable) = portable.and_then(EncoderEmbedder::with_kernel) {
        let name = portable.kernel();
        let slow = portable.time_of_question(QUESTION_TOKENS, plan.questions.div_ceil(10))?;
        report.figure(
            format!("encoder: the question with the kernel `{name}`"),
            slow.as_secs_f64() / question.as_secs_f64().max(1e-9),
            Unit::Times,
        );
        let fewer = plan.passages.div_ceil(4);
        let slow = portable.passages_per_second(PASSAGE_TOKENS, fewer)? * two;
        report.figure(
            format!("encoder: passages per second, against the kernel `{name}`"),
            passages / slow.max(1e-9),
            Unit::Times,
        );
    }
    Ok(())
}

async fn ask(embedder: &dyn Embedder, words: &Words, count: usize) -> Result<Times> {
    let questions = words.questions(SERIES, count + count.div_ceil(10));
    let (warm, questions) = questions.split_at(count.div_ceil(10));
    for question in warm {
        vector(embedder, question).await?;
    }
    let mut times = Times::default();
    for question in questions {
        times.take(vector(embedder, question)).await?;
    }
    Ok(times)
}

/// The vector of a question, through the door that the product uses.
pub(crate) async fn vector(embedder: &dyn Embedder, question: &str) -> Result<Vec<f32>> {
    let texts = [question.to_owned()];
    let made = embedder.embed(&texts, Purpose::Question).await;
    let mut vectors = made.map_err(Error::from)?;
    Ok(vectors.vectors.pop().unwrap_or_default())
}
