//! A customer who writes, waits for an answer and writes again; now and then several messages at once,
//! which are delivered in any order.

use super::chance::Chance;
use super::line::ChannelLine;
use quipu_simulator::SimulatedCustomer;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::Interval;

/// How long an answer is waited for before the customer writes again all the same.
const PATIENCE: Duration = Duration::from_mins(3);
/// One round of so many is a burst, of at most so many messages.
const BURSTS: usize = 3;
const LARGEST_BURST: usize = 4;
/// One message of so many is delivered twice; half of those at the same time, the others up to so much
/// later.
const DUPLICATES: usize = 10;
const LATEST_DUPLICATE_MS: u64 = 3_000;

pub(super) struct Customer {
    pub(super) line: Arc<ChannelLine>,
    pub(super) who: SimulatedCustomer,
    pub(super) messages: usize,
    /// Lets so many messages of all customers go out in a second.
    pub(super) pace: Arc<Mutex<Interval>>,
    pub(super) chance: Chance,
}

/// What became of the talk of a customer.
#[derive(Clone, Copy, Default)]
pub(super) struct Talked {
    /// Messages that were written in bursts.
    pub(super) in_bursts: usize,
    /// Deliveries that were made once more although they had been acknowledged, or at the same time.
    pub(super) duplicates: usize,
    /// Answers that did not come in time.
    pub(super) waited_in_vain: usize,
}

impl Customer {
    pub(super) async fn talk(mut self) -> anyhow::Result<Talked> {
        let mut talked = Talked::default();
        let mut answers = self.line.arrivals.answers_to(&self.who.id);
        let mut duplicates = JoinSet::new();
        let mut left = self.messages;
        while left > 0 {
            let size = self.burst().min(left);
            left -= size;
            if size > 1 {
                talked.in_bursts += size;
            }
            let before = *answers.borrow_and_update();
            talked.duplicates += self.say(size, &mut duplicates).await?;
            let answered = answers.wait_for(|known| *known > before);
            if tokio::time::timeout(PATIENCE, answered).await.is_err() {
                talked.waited_in_vain += 1;
            }
        }
        while duplicates.join_next().await.is_some() {}
        Ok(talked)
    }

    fn burst(&mut self) -> usize {
        if self.chance.one_in(BURSTS) {
            2 + self.chance.below(LARGEST_BURST - 1)
        } else {
            1
        }
    }

    /// Writes some messages and delivers them at once, in any order, some of them twice. Returns how many
    /// of these there were.
    async fn say(&mut self, size: usize, duplicates: &mut JoinSet<()>) -> anyhow::Result<usize> {
        let mut written = Vec::with_capacity(size);
        for _ in 0..size {
            self.pace.lock().await.tick().await;
            written.push(self.line.write(&self.who, &mut self.chance)?);
        }
        self.chance.shuffle(&mut written);
        let mut twice = 0;
        for prepared in &written {
            if !self.chance.one_in(DUPLICATES) {
                continue;
            }
            twice += 1;
            let pause = if self.chance.one_in(2) {
                Duration::ZERO
            } else {
                self.chance.millis(LATEST_DUPLICATE_MS)
            };
            let (line, prepared) = (self.line.clone(), prepared.clone());
            duplicates.spawn(async move {
                tokio::time::sleep(pause).await;
                // It is acknowledged by its other delivery.
                let _ = line.deliver_once(&prepared).await;
            });
        }
        let delivered = written.iter().map(|prepared| self.line.deliver(prepared));
        futures::future::try_join_all(delivered).await?;
        Ok(twice)
    }
}
