//! Several processes write the same partition, and some of them die while they do.

use super::subject::StandIn;
use quipu_core::engine::{ChangeLog, Engine};
use quipu_index::{QdrantEngine, QdrantSettings};
use quipu_testkit::engine_suite::{Dice, FakeLog, Kb, Reference, document_id, library, probes};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

fn start(settings: &QdrantSettings, log: &Arc<FakeLog>) -> Arc<QdrantEngine> {
    let log = Arc::clone(log) as Arc<dyn ChangeLog>;
    Arc::new(QdrantEngine::new(settings, log).unwrap())
}

/// Changes a document to one of chance, or deletes it.
fn change(log: &FakeLog, kb: &Kb, dice: &mut Dice) {
    let mut change = library(dice.roll(), 1, 1 + dice.below(4) as u128).remove(0);
    change.document = document_id(1 + dice.below(20) as u128);
    let number = change.document.uuid().as_u128() * 1_000;
    for (entry, chunk) in change.entries.iter_mut().zip(number..) {
        entry.chunk = uuid::Uuid::from_u128(chunk).into();
    }
    if dice.below(4) == 0 {
        change.entries.clear();
    }
    log.write(kb.partition(), vec![change]);
}

async fn check(engine: &QdrantEngine, log: &FakeLog, kb: &Kb, seed: u64) {
    for asked in probes(seed, log.version(kb.partition()), 3) {
        let found = engine.search(&kb.scope, kb.id, &asked).await.unwrap();
        Reference::new(log.entries(kb.partition())).check(&asked, &found);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_write_at_once_do_not_spoil_each_other() {
    let stand_in = StandIn::open(|_| {}).await;
    let log = Arc::new(FakeLog::default());
    log.set_portion(3);
    let kb = Kb::new(&stand_in, 1, 11);
    let engines: Vec<_> = (0..3).map(|_| start(&stand_in.settings, &log)).collect();
    let mut dice = Dice::new(1);
    for round in 0..12 {
        for _ in 0..8 {
            change(&log, &kb, &mut dice);
        }
        let tasks: Vec<_> = engines
            .iter()
            .map(|engine| {
                let (engine, log, kb) = (Arc::clone(engine), Arc::clone(&log), kb.clone());
                tokio::spawn(async move { check(&engine, &log, &kb, round).await })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    }
    let kept = log.entries(kb.partition()).len() as u64;
    assert_eq!(engines[0].count(kb.partition()).await.unwrap(), kept);
    stand_in.fake.change("_words", |points| {
        assert_eq!(points.len() as u64, kept, "nothing is left over");
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_dies_while_it_writes_leaves_no_trace() {
    let silence = Duration::from_millis(150);
    let stand_in = StandIn::open(|settings| settings.writer_silence = silence).await;
    let log = Arc::new(FakeLog::default());
    let kb = Kb::new(&stand_in, 1, 11);
    let survivor = start(&stand_in.settings, &log);
    let mut dice = Dice::new(2);
    change(&log, &kb, &mut dice);
    check(&survivor, &log, &kb, 0).await;
    // A process looks at the collections first; then come the calls with which it writes.
    for calls in 24..100 {
        for _ in 0..9 {
            change(&log, &kb, &mut dice);
        }
        log.set_portion(4);
        let hanging = stand_in.fake.stall_after(calls);
        let finished = die(&stand_in.settings, &log, &kb, hanging).await;
        stand_in.fake.go_on();
        // What the dead one had read has changed again before anybody goes on, and comes in other
        // portions.
        change(&log, &kb, &mut dice);
        log.set_portion(1 + dice.below(8));
        check(&survivor, &log, &kb, calls as u64).await;
        if finished {
            let kept = log.entries(kb.partition()).len();
            stand_in.fake.change("_words", |points| {
                assert_eq!(points.len(), kept, "nothing is left over");
            });
            return;
        }
    }
    panic!("it takes more calls to bring a partition up to date than were tried");
}

/// Runs a process that is gone, with all of its tasks, when a call is left hanging. Returns whether
/// it had finished.
async fn die(settings: &QdrantSettings, log: &Arc<FakeLog>, kb: &Kb, hanging: Arc<Notify>) -> bool {
    let (settings, log, partition) = (settings.clone(), Arc::clone(log), kb.partition());
    let doomed = tokio::task::spawn_blocking(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let engine = start(&settings, &log);
            tokio::select! {
                caught_up = engine.catch_up(partition) => caught_up.is_ok(),
                () = hanging.notified() => false,
            }
        })
    });
    doomed.await.unwrap()
}
