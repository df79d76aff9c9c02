//! How long a customer waits for what a model has written already, and for a model that takes its
//! time.

use super::Part;
use super::clinic::Clinic;
use super::whole::looks_up_and_tells;
use anyhow::Context;
use quipu_agents::{Listener, Silence};
use quipu_bench::{Target, Times, Unit};
use quipu_scripted::Step;
use std::iter::once;
use std::time::{Duration, Instant};

/// Answers that are listened to, of so many turns that are measured, and of so many that are waited for.
const TURNS_PER_ANSWER: usize = 100;
const MOST_ANSWERS: usize = 20;
const TURNS_PER_SLOW_ANSWER: usize = 400;
const MOST_SLOW_ANSWERS: usize = 5;
/// Fifty words a second, about as fast as hosted models write.
const BETWEEN_WORDS: Duration = Duration::from_millis(20);
const SENTENCE_MS: f64 = 100.0;

const SLOW: Duration = Duration::from_millis(800);
const ONE_CALL_S: f64 = 1.5;
const TOOL_ROUND_S: f64 = 1.8;

/// As many sentences as an answer in writing has at most.
const ANSWER: &str = "Con gusto te cuento cómo es la visita. Primero revisamos tus dientes con \
    calma y te explicamos lo que vemos. Después limpiamos con ultrasonido, pulimos cada diente y al \
    final te damos consejos para el cepillado de todos los días.";

/// Notes when each part of an answer came.
struct Arrivals(Vec<(Instant, String)>);

impl Listener for Arrivals {
    fn text(&mut self, part: &str) {
        self.0.push((Instant::now(), part.to_owned()));
    }
}

/// From the word that ends a sentence leaving the model to the sentence reaching whoever listens.
pub(super) async fn sentences(clinic: &Clinic, turns: usize) -> anyhow::Result<Part> {
    let answers = (turns / TURNS_PER_ANSWER).clamp(1, MOST_ANSWERS);
    // A word comes with the space before it, so that the end of a sentence is known only with the
    // beginning of the next.
    let (first, others) = ANSWER.split_once(' ').unwrap_or((ANSWER, ""));
    let others = others.split(' ').map(|word| format!(" {word}"));
    let pieces: Vec<String> = once(first.to_owned()).chain(others).collect();
    let ends: Vec<usize> = (0..pieces.len())
        .filter(|at| pieces[*at].ends_with('.'))
        .collect();
    let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
    let mut times = Times::default();
    for _ in 0..answers {
        clinic.script([Step::pieces(&pieces).pausing(BETWEEN_WORDS)]);
        let _ = clinic.model.departures();
        let mut arrivals = Arrivals(Vec::new());
        clinic.ask(None, &mut arrivals).await?;
        // What opens the stream leaves before the first word.
        let departures = clinic.model.departures();
        let before = departures.len().saturating_sub(pieces.len());
        let mut heard = 0;
        let mut arrivals = arrivals.0.into_iter();
        for (number, end) in ends.iter().enumerate() {
            let left = departures
                .get(before + end)
                .context("a word did not leave")?;
            while heard <= number {
                let (at, part) = arrivals.next().context("a sentence did not arrive")?;
                heard += part.matches('.').count();
                if heard > number {
                    times.push(at.saturating_duration_since(*left));
                }
            }
        }
    }
    let about = format!(
        "from the word that ends a sentence leaving the model to the checked sentence leaving the \
         product; {answers} answers of {} sentences, a word every {} ms",
        ends.len(),
        BETWEEN_WORDS.as_millis()
    );
    let mut part = Part::new("streaming", about);
    let bound = Some(SENTENCE_MS);
    part.times(&times, Unit::Milliseconds, [bound, bound]);
    Ok(part)
}

/// The whole answer of a model that thinks before each of its answers.
pub(super) async fn slow_model(clinic: &Clinic, turns: usize) -> anyhow::Result<Part> {
    let answers = (turns / TURNS_PER_SLOW_ANSWER).clamp(1, MOST_SLOW_ANSWERS);
    let about = format!(
        "each call takes {} ms; {answers} turns of each kind, the slowest counts",
        SLOW.as_millis()
    );
    let mut part = Part::new("a slow model", about);
    for (name, bound, steps) in [
        ("one call", ONE_CALL_S, vec![Step::says(ANSWER).always()]),
        (
            "with one round of tools",
            TOOL_ROUND_S,
            looks_up_and_tells().to_vec(),
        ),
    ] {
        clinic.script(steps.into_iter().map(|step| step.after(SLOW)));
        let mut times = Times::default();
        for _ in 0..answers {
            times.push(clinic.ask(Some(0), &mut Silence).await?.0);
        }
        let slowest = times.within(100).as_secs_f64();
        part.add(name, slowest, Unit::Seconds, Some(Target::AtMost(bound)));
    }
    Ok(part)
}
