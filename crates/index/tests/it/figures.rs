//! How long searches take. Run in release, with the sizes in `QUIPU_BENCH_CHUNKS`:
//! `cargo test --release -p quipu-index --test it figures -- --ignored --nocapture`

use crate::subject::Embedded;
use quipu_index::{BenchPlan, bench};
use quipu_testkit::engine_suite::Kb;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long and says nothing about right or wrong"]
async fn figures() {
    let sizes = std::env::var("QUIPU_BENCH_CHUNKS").unwrap_or("2000,50000".to_owned());
    for chunks in sizes.split(',').map(|size| size.parse().unwrap()) {
        let subject = Embedded::default();
        let kb = Kb::new(&subject, 1, 1);
        let plan = BenchPlan {
            root: subject.settings.root.clone(),
            chunks,
            questions: 300,
            wait_for_graph: Duration::from_hours(1),
        };
        println!("{:?}", bench(&kb.scope, kb.id, &plan).await.unwrap());
    }
}
