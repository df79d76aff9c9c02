//! Whole turns against a model that answers at once: guard, supervisor, search, prompt, a tool, the
//! checks, and what is kept.

use super::Part;
use super::clinic::{Clinic, TEXTS};
use quipu_agents::Silence;
use quipu_bench::{Target, Times, Unit};
use quipu_scripted::Step;
use std::sync::Arc;
use std::time::Instant;

/// Customers who ask at the same time.
const AT_ONCE: usize = 16;
/// Turns before any is measured.
const WARM_UP: usize = 50;

#[derive(Clone, Copy)]
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

/// One customer after the other, known ones and unknown ones, and then many at once.
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
    for (who, customer) in [("a known customer", true), ("a stranger", false)] {
        let about = format!(
            "{}; {turns} turns, each with a search in about {} chunks, a tool and two calls of the \
             model, which answers over loopback and at once, in this process",
            if customer {
                "what is said is kept in the database before and after"
            } else {
                "what is said is noted and written a moment later"
            },
            TEXTS * 50,
        );
        let name = match (bounds.vectors, customer) {
            ("static", true) => "whole turn, static, a known customer",
            ("static", false) => "whole turn, static, a stranger",
            (_, true) => "whole turn, encoder, a known customer",
            (_, false) => "whole turn, encoder, a stranger",
        };
        let mut part = Part::new(name, about);
        let mut times = Times::default();
        for number in 0..turns {
            let customer = customer.then_some(number % AT_ONCE);
            times.push(clinic.ask(customer, &mut Silence).await?.0);
        }
        part.times(
            &times,
            Unit::Milliseconds,
            [Some(bounds.p50_ms), bounds.p99_ms],
        );
        let (a_second, times) = at_once(clinic, turns, customer).await?;
        let target = Some(Target::AtLeast(bounds.a_second));
        part.add(
            &format!("turns a second, {AT_ONCE} customers at once ({who})"),
            a_second,
            Unit::PerSecond,
            target,
        );
        part.times(&times, Unit::Milliseconds, [None, None]);
        parts.push(part);
    }
    Ok(parts)
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
