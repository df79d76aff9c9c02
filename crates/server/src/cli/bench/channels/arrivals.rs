//! What reached customers, as the stand-in of the channel took it.

use quipu_simulator::{SimulatedMessage, Simulator};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// What arrived so far.
pub(super) struct Arrivals {
    arrived: Mutex<Arrived>,
    /// How much arrived in all.
    all: watch::Sender<usize>,
}

/// How often something arrived that the business knows by one name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) times: usize,
    /// Its place among everything that arrived, when it did for the first time.
    pub(super) first: usize,
}

#[derive(Default)]
struct Arrived {
    named: HashMap<String, Arrival>,
    unnamed: usize,
    /// How many different answers each customer got.
    answers: HashMap<String, watch::Sender<usize>>,
}

impl Arrivals {
    /// Notes from now on what the business sends.
    pub(super) fn follow(simulator: &Simulator) -> Arc<Self> {
        let arrivals = Arc::new(Self {
            arrived: Mutex::default(),
            all: watch::channel(0).0,
        });
        let mut sent = simulator.follow_sent();
        let noting = arrivals.clone();
        tokio::spawn(async move {
            while let Some(message) = sent.recv().await {
                noting.note(message);
            }
        });
        arrivals
    }

    /// How many different answers somebody has, now and whenever that changes.
    pub(super) fn answers_to(&self, customer: &str) -> watch::Receiver<usize> {
        let mut arrived = self.lock();
        let answers = arrived.answers.entry(customer.to_owned());
        answers.or_insert_with(|| watch::channel(0).0).subscribe()
    }

    /// How much arrived in all, now and whenever that changes.
    pub(super) fn all(&self) -> watch::Receiver<usize> {
        self.all.subscribe()
    }

    /// What arrived, by the names that the business gave it.
    pub(super) fn named(&self) -> HashMap<String, Arrival> {
        self.lock().named.clone()
    }

    /// How much arrived without a name.
    pub(super) fn unnamed(&self) -> usize {
        self.lock().unnamed
    }

    fn note(&self, message: SimulatedMessage) {
        let first = *self.all.borrow();
        let mut arrived = self.lock();
        let is_new = match message.reference {
            None => {
                arrived.unnamed += 1;
                true
            }
            Some(name) => {
                let known = arrived.named.entry(name);
                let known = known.or_insert(Arrival { times: 0, first });
                known.times += 1;
                known.times == 1
            }
        };
        if is_new {
            let answers = arrived.answers.entry(message.customer_id);
            let answers = answers.or_insert_with(|| watch::channel(0).0);
            answers.send_modify(|answers| *answers += 1);
        }
        drop(arrived);
        self.all.send_modify(|all| *all += 1);
    }

    fn lock(&self) -> MutexGuard<'_, Arrived> {
        self.arrived.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
