//! The guard and the supervisor alone.

use super::{Part, messages};
use quipu_agents::guard::Guard;
use quipu_agents::supervisor::{Context, Supervisor};
use quipu_bench::{Times, Unit};
use quipu_core::agent::Vertical;
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 50;
const GUARD_P99_US: f64 = 500.0;
const SUPERVISOR_P99_US: f64 = 100.0;

pub(super) fn guard() -> Part {
    let guard = Guard::compiled();
    let mut part = Part::new("guard", about());
    let times = taken(|text| drop(black_box(guard.judge(text))));
    part.times(&times, Unit::Microseconds, [None, Some(GUARD_P99_US)]);
    part
}

pub(super) fn supervisor() -> Part {
    let supervisor = Supervisor::compiled();
    let context = Context {
        vertical: Vertical::Dental,
        ..Context::default()
    };
    let mut part = Part::new("supervisor", about());
    let times = taken(|text| drop(black_box(supervisor.understand(text, &context))));
    part.times(&times, Unit::Microseconds, [None, Some(SUPERVISOR_P99_US)]);
    part
}

fn about() -> String {
    let messages = messages::long().len();
    format!("{messages} messages of 300 characters, es and en, {ROUNDS} times each")
}

fn taken(read: impl Fn(&str)) -> Times {
    let messages = messages::long();
    for message in &messages {
        read(message);
    }
    let mut times = Times::default();
    for _ in 0..ROUNDS {
        for message in &messages {
            let began = Instant::now();
            read(message);
            times.push(began.elapsed());
        }
    }
    times
}
