//! Whole turns against a model that answers at once: guard, supervisor, search, prompt, a tool, the
//! checks, and what is kept.

use super::Part;
use super::clinic::{Clinic, PARAGRAPHS, TEXTS};
use quipu_agents::Silence;
use quipu_app::chat::Answered;
use quipu_bench::{Target, Times, Unit};
use quipu_scripted::Step;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Customers who ask at the same time.
const AT_ONCE: usize = 16;
/// Turns before any is measured.
const WARM_UP: usize = 50;

#[derive(Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    vectors: &'static str,
    p50_ms: f64,
    p99_ms: Option<f64>,
    a_second: f64,
}

pub(super) const STATIC: Bounds = Bounds {
    vectors: "static",
    p50_ms: 3.0,
    p99_ms: Some(15.0),
    a_second: 500.0,
};

pub(super) const ENCODER: Bounds = Bounds {
    vectors: "encoder",
    p50_ms: 14.0,
    p99_ms: None,
    a_second: 100.0,
};

/// A model that looks a service up and then tells its price, both at once.
pub(super) fn looks_up_and_tells() -> [Step; 2] {
    [
        Step::says(
            "La {{tool.get_service_info.name}} cuesta {{tool.get_service_info.price_range}}. \
             ¿Te busco un horario?",
        )
        .when(|asked| !asked.tool_results().is_empty())
        .always(),
        Step::calls(&[("get_service_info", r#"{"service_name":"Limpieza dental"}"#)]).always(),
    ]
}

/// One customer after the other, known ones and strangers, and then many at once.
pub(super) async fn measure(
    clinic: &Arc<Clinic>,
    turns: usize,
    bounds: Bounds,
) -> anyhow::Result<Vec<Part>> {
    clinic.script(looks_up_and_tells());
    for number in 0..WARM_UP {
        clinic.ask(Some(number % AT_ONCE), &mut Silence).await?;
    }
    let mut parts = Vec::new();
    for known in [true, false] {
        let (who, kept) = if known {
            ("a known customer", "kept in the database, before and after")
        } else {
            ("a stranger", "noted, and written a moment later")
        };
        let about = format!(
            "{turns} turns, each with a search in about {} chunks, a tool and two calls of the \
             model, which answers over loopback, at once and in this process (what it takes itself, to \
             read what it is asked and to write its answer, is not counted in the first figures but \
             shown last of them, and is counted for many customers at once); what is said is {kept}",
            TEXTS * PARAGRAPHS,
        );
        let name = format!("whole turn, {} vectors, {who}", bounds.vectors);
        let mut part = Part::new(name, about);
        let mut taken = Taken::default();
        for number in 0..turns {
            let customer = known.then_some(number % AT_ONCE);
            let before = clinic.model.own_time();
            let (time, answered) = clinic.ask(customer, &mut Silence).await?;
            let model = clinic.model.own_time().saturating_sub(before);
            taken.note(time, model, &answered);
        }
        let most = [Some(bounds.p50_ms), bounds.p99_ms];
        part.times(&taken.all, Unit::Milliseconds, most);
        let of_it = taken.steps.iter();
        let of_it = of_it.map(|(step, times)| (format!("of it {step}, p50"), times));
        let model = ("beside it the model itself, p50".to_owned(), &taken.model);
        for (name, times) in of_it.chain([model]) {
            let ms = times.p50().as_secs_f64() * 1e3;
            part.add(name, ms, Unit::Milliseconds, None);
        }
        let (a_second, times) = at_once(clinic, turns, known).await?;
        part.add(
            format!("turns a second, {AT_ONCE} customers at once"),
            a_second,
            Unit::PerSecond,
            Some(Target::AtLeast(bounds.a_second)),
        );
        part.times(&times, Unit::Milliseconds, [None, None]);
        parts.push(part);
    }
    Ok(parts)
}

/// How long turns took without what the model itself takes, and what they were doing meanwhile.
#[derive(Default)]
struct Taken {
    all: Times,
    steps: BTreeMap<String, Times>,
    model: Times,
}

impl Taken {
    fn note(&mut self, time: Duration, model: Duration, answered: &Answered) {
        self.all.push(time.saturating_sub(model));
        self.model.push(model);
        let Some(answer) = &answered.answer else {
            return;
        };
        let mut steps: BTreeMap<&str, u64> = BTreeMap::new();
        for step in &answer.trace.steps {
            *steps.entry(&step.name).or_default() += step.took_us;
        }
        if let Some(calls) = steps.get_mut("model") {
            *calls = calls.saturating_sub(micros(model));
        }
        // Who asks, with which agent and prompt; and what is kept in the end.
        steps.insert(
            "before and after",
            micros(time).saturating_sub(answer.trace.elapsed_us),
        );
        for (step, micros) in steps {
            let times = self.steps.entry(step.to_owned()).or_default();
            times.push(Duration::from_micros(micros));
        }
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

async fn at_once(
    clinic: &Arc<Clinic>,
    turns: usize,
    customer: bool,
) -> anyhow::Result<(f64, Times)> {
    let each = turns.div_ceil(AT_ONCE);
    let began = Instant::now();
    let asking: Vec<_> = (0..AT_ONCE)
        .map(|number| {
            let clinic = clinic.clone();
            tokio::spawn(async move {
                let mut times = Times::default();
                for _ in 0..each {
                    let customer = customer.then_some(number);
                    times.push(clinic.ask(customer, &mut Silence).await?.0);
                }
                anyhow::Ok(times)
            })
        })
        .collect();
    let mut times = Times::default();
    for asked in asking {
        times.extend(asked.await??);
    }
    let seconds = began.elapsed().as_secs_f64();
    let done = u32::try_from(each * AT_ONCE)?;
    Ok((f64::from(done) / seconds, times))
}
