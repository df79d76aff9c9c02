//! How long a channel waits until a delivery is acknowledged, which it is when everything in it is stored.

use super::chance::Chance;
use super::line::ChannelLine;
use quipu_bench::Times;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

#[derive(Serialize)]
pub(super) struct Acknowledgement {
    pub(super) deliveries: usize,
    pub(super) rate: u32,
    pub(super) p50_ms: f64,
    pub(super) p95_ms: f64,
    pub(super) p99_ms: f64,
    pub(super) slowest_ms: f64,
    /// Deliveries that were not acknowledged the first time.
    pub(super) not_at_once: usize,
}

/// Delivers so many messages a second, of one customer after the other, whatever became of those before:
/// a time begins when a delivery is due. What is written is answered meanwhile.
pub(super) async fn measure(
    line: &Arc<ChannelLine>,
    customers: usize,
    rate: u32,
    seconds: u32,
    chance: &mut Chance,
) -> anyhow::Result<Acknowledgement> {
    let deliveries = usize::try_from(rate.saturating_mul(seconds))?;
    let mut due = tokio::time::interval(Duration::from_secs(1) / rate);
    let mut under_way = JoinSet::new();
    for number in 0..deliveries {
        let at = due.tick().await;
        let customer = ChannelLine::customer(number % customers);
        let prepared = line.write(&customer, chance)?;
        let line = line.clone();
        under_way.spawn(async move {
            let at_once = line.deliver(&prepared).await?;
            anyhow::Ok((at.elapsed(), at_once))
        });
    }
    let mut times = Times::default();
    let mut not_at_once = 0;
    while let Some(ended) = under_way.join_next().await {
        let (time, at_once) = ended??;
        times.push(time);
        not_at_once += usize::from(!at_once);
    }
    let ms = |percent| times.within(percent).as_secs_f64() * 1e3;
    Ok(Acknowledgement {
        deliveries,
        rate,
        p50_ms: ms(50),
        p95_ms: ms(95),
        p99_ms: ms(99),
        slowest_ms: ms(100),
        not_at_once,
    })
}
