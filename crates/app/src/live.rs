//! What changes, told to whoever looks at it.
//!
//! Every process looks into the database for what any of them changed, as long as somebody listens to
//! it. So it does not matter who talks to which.

use crate::{Actor, App};
use quipu_core::live::{LiveEvent, LiveKind};
use quipu_core::{Result, UserId};
use std::collections::{HashSet, VecDeque};
use std::time::Duration;
use tokio::sync::{Notify, broadcast};
use tokio::time::Instant;

/// Pause between two looks into the database, each for all who listen. People are promised a second
/// from one screen to another, of which requests and drawing take the rest.
const LOOK: Duration = Duration::from_millis(120);
/// Numbers are given when something changes and seen when its transaction ends. Looking back this far
/// finds those that ended late.
const OVERLAP: Duration = Duration::from_secs(10);
const AT_ONCE: u64 = 1_000;
/// Changes that wait for a listener. Who is further behind is told to look at everything again.
const WAITING: usize = 4_096;

/// Passes changes on to who listens in this process.
pub struct LiveFeed {
    sender: broadcast::Sender<LiveEvent>,
    listened: Notify,
}

impl Default for LiveFeed {
    fn default() -> Self {
        Self {
            sender: broadcast::Sender::new(WAITING),
            listened: Notify::new(),
        }
    }
}

impl LiveFeed {
    /// All changes of all tenants from now on: only those that [concern](concerns) somebody are theirs.
    #[must_use]
    pub fn listen(&self) -> broadcast::Receiver<LiveEvent> {
        let receiver = self.sender.subscribe();
        self.listened.notify_one();
        receiver
    }

    fn is_heard(&self) -> bool {
        self.sender.receiver_count() > 0
    }
}

/// Whether there is any change of which somebody may hear.
#[must_use]
pub fn may_listen(actor: &Actor) -> bool {
    let permissions = actor.permissions();
    LiveKind::ALL
        .iter()
        .any(|kind| permissions.contains(&kind.permission()))
}

/// Whether somebody may hear of a change.
#[must_use]
pub fn concerns(actor: &Actor, event: &LiveEvent) -> bool {
    let own = |owner: UserId| actor.user_id() == Some(owner);
    event.tenant == actor.tenant_id()
        && event.owner.is_none_or(own)
        && actor.permissions().contains(&event.kind.permission())
}

/// Looks for changes while somebody listens. It never ends by itself.
pub async fn follow(app: &App) {
    loop {
        while !app.live.is_heard() {
            app.live.listened.notified().await;
        }
        match latest(app).await {
            Ok(latest) => tell(app, LiveTail::new(latest)).await,
            Err(error) => {
                tracing::warn!(%error, "changes cannot be looked for");
                tokio::time::sleep(LOOK * 10).await;
            }
        }
    }
}

async fn latest(app: &App) -> Result<i64> {
    let tx = app.store.platform_read().await?;
    tx.live_events().latest().await
}

async fn tell(app: &App, mut tail: LiveTail) {
    while app.live.is_heard() {
        let began = Instant::now();
        match look(app, &mut tail).await {
            // Nobody listens any more: what they would have heard is of no use.
            Ok(events) => events.into_iter().for_each(|event| {
                let _ = app.live.sender.send(event);
            }),
            Err(error) => tracing::debug!(%error, "a look for changes failed"),
        }
        // Where very much changes, looking takes a fifth of the time and no more.
        tokio::time::sleep(LOOK.max(began.elapsed() * 4)).await;
    }
}

async fn look(app: &App, tail: &mut LiveTail) -> Result<Vec<LiveEvent>> {
    let tx = app.store.platform_read().await?;
    let mut found = Vec::new();
    let mut after = tail.floor;
    loop {
        let events = tx.live_events().after(after, AT_ONCE).await?;
        let Some(last) = events.last() else { break };
        after = last.number;
        found.extend(events.into_iter().filter(|event| tail.is_new(event.number)));
    }
    tail.move_on(Instant::now());
    Ok(found)
}

/// Which numbers were seen, as far back as one may still come late.
struct LiveTail {
    /// Up to here nothing comes any more.
    floor: i64,
    seen: HashSet<i64>,
    /// The highest number that was seen at a time.
    marks: VecDeque<(Instant, i64)>,
}

impl LiveTail {
    fn new(floor: i64) -> Self {
        Self {
            floor,
            seen: HashSet::new(),
            marks: VecDeque::new(),
        }
    }

    fn is_new(&mut self, number: i64) -> bool {
        number > self.floor && self.seen.insert(number)
    }

    fn move_on(&mut self, now: Instant) {
        let highest = self.seen.iter().copied().max().unwrap_or(self.floor);
        self.marks.push_back((now, highest));
        while let Some((at, highest)) = self.marks.front()
            && now.duration_since(*at) > OVERLAP
        {
            self.floor = *highest;
            self.marks.pop_front();
        }
        let floor = self.floor;
        self.seen.retain(|number| *number > floor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_late_is_told_once() {
        let start = Instant::now();
        let mut tail = LiveTail::new(10);
        assert!(!tail.is_new(10));
        assert!(tail.is_new(11));
        assert!(tail.is_new(13));
        tail.move_on(start);
        // Its transaction ended after that of 13.
        assert!(tail.is_new(12));
        assert!(!tail.is_new(13));
        tail.move_on(start + OVERLAP / 2);
        assert!(!tail.is_new(12));
        // After a while nothing old is remembered, and nothing old is new.
        tail.move_on(start + OVERLAP * 3);
        assert_eq!((tail.floor, tail.seen.len()), (13, 0));
        assert!(!tail.is_new(12));
        assert!(tail.is_new(14));
    }
}
