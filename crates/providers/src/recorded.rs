//! What a test sees of the metrics.

use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Keeps the metrics of one test.
#[derive(Default)]
pub(crate) struct Recorded(Mutex<HashMap<String, Arc<AtomicU64>>>);

impl Recorded {
    fn cell(&self, key: &Key) -> Arc<AtomicU64> {
        let mut name = key.name().to_owned();
        for label in key.labels() {
            name = format!("{name} {}", label.value());
        }
        self.0.lock().unwrap().entry(name).or_default().clone()
    }

    pub(crate) fn value(&self, name: &str) -> u64 {
        self.0
            .lock()
            .unwrap()
            .get(name)
            .map_or(0, |cell| cell.load(Ordering::Relaxed))
    }
}

impl Recorder for Recorded {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.cell(key))
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::from_arc(self.cell(key))
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}
