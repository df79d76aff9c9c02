//! Customers who write while servers are killed.

use super::chance::Chance;
use super::customer::{Customer, Talked};
use super::fleet::Fleet;
use super::line::ChannelLine;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};

/// How long a kill that is aimed waits for its moment.
const AIM: Duration = Duration::from_secs(3);
/// How long one that is not waits at most.
const LATEST_MS: u64 = 300;

/// How large a drill is.
#[derive(Clone, Copy)]
pub(super) struct DrillPlan {
    pub(super) messages: usize,
    pub(super) conversations: usize,
    pub(super) kills: usize,
    pub(super) rate: u32,
}

#[derive(Serialize)]
pub(super) struct Drill {
    pub(super) messages: usize,
    pub(super) conversations: usize,
    /// Messages that were written a few at once, and delivered in any order.
    pub(super) in_bursts: usize,
    /// Messages that were delivered twice.
    pub(super) duplicates: usize,
    /// Deliveries that were made again because nobody had acknowledged them.
    pub(super) redelivered: usize,
    pub(super) kills: usize,
    /// Kills right after the channel had taken a message, before its server could write that down.
    pub(super) aimed: usize,
    /// Answers that did not come in time.
    pub(super) waited_in_vain: usize,
    pub(super) seconds: f64,
}

/// Has customers write and servers be killed until everybody has said everything.
pub(super) async fn run(
    line: &Arc<ChannelLine>,
    fleet: &mut Fleet,
    plan: DrillPlan,
    chance: &mut Chance,
) -> anyhow::Result<Drill> {
    let began = Instant::now();
    let redelivered = line.redelivered();
    let before = *line.taken().borrow();
    let mut pace = tokio::time::interval(Duration::from_secs(1) / plan.rate);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let pace = Arc::new(Mutex::new(pace));
    let mut killer = chance.split();
    let mut customers = JoinSet::new();
    for number in 0..plan.conversations {
        let more = usize::from(number < plan.messages % plan.conversations);
        let customer = Customer {
            line: line.clone(),
            who: ChannelLine::customer(number),
            messages: plan.messages / plan.conversations + more,
            pace: pace.clone(),
            chance: chance.split(),
        };
        customers.spawn(customer.talk());
    }
    let talking = async {
        let mut all = Talked::default();
        while let Some(talked) = customers.join_next().await {
            let talked = talked??;
            all.in_bursts += talked.in_bursts;
            all.duplicates += talked.duplicates;
            all.waited_in_vain += talked.waited_in_vain;
        }
        anyhow::Ok(all)
    };
    let killing = kill(line, fleet, (plan, before), &mut killer);
    let (talked, aimed) = tokio::try_join!(talking, killing)?;
    Ok(Drill {
        messages: plan.messages,
        conversations: plan.conversations,
        in_bursts: talked.in_bursts,
        duplicates: talked.duplicates,
        redelivered: line.redelivered() - redelivered,
        kills: plan.kills,
        aimed,
        waited_in_vain: talked.waited_in_vain,
        seconds: began.elapsed().as_secs_f64(),
    })
}

/// Kills servers at moments that are spread over the drill, before which so much was acknowledged. Returns
/// how many kills hit the moment that is aimed at: the channel has taken a message, and its server does not
/// know yet.
async fn kill(
    line: &ChannelLine,
    fleet: &mut Fleet,
    (plan, before): (DrillPlan, usize),
    chance: &mut Chance,
) -> anyhow::Result<usize> {
    let mut taken = line.taken();
    let mut aimed = 0;
    for kill in 0..plan.kills {
        // The last tenth is left in peace, so that customers still write when a kill is due.
        let share = plan.messages * 9 / 10 / plan.kills;
        let moment = before + share * kill + chance.below(share);
        taken.wait_for(|taken| *taken >= moment).await?;
        if kill % 2 == 0 {
            let mut sent = line.arrivals.all();
            let hit = tokio::time::timeout(AIM, sent.changed()).await;
            aimed += usize::from(hit.is_ok());
        } else {
            tokio::time::sleep(chance.millis(LATEST_MS)).await;
        }
        let place = chance.below(fleet.count());
        fleet.kill(place).await?;
        eprintln!(
            "server {place} was killed and is back, kill {} of {}",
            kill + 1,
            plan.kills
        );
    }
    Ok(aimed)
}
