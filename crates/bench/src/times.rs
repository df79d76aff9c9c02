//! Times that were taken, and what is told of them.

use quipu_core::{Error, Result};
use std::time::{Duration, Instant};

#[derive(Clone, Debug, Default)]
pub struct Times(Vec<Duration>);

impl Times {
    /// Takes the time of some work.
    pub(crate) async fn take<T>(&mut self, work: impl Future<Output = Result<T>>) -> Result<T> {
        let begin = Instant::now();
        let done = work.await?;
        self.0.push(begin.elapsed());
        Ok(done)
    }

    pub fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The time within which so many of a hundred were done.
    #[must_use]
    pub fn within(&self, percent: usize) -> Duration {
        let mut times = self.0.clone();
        times.sort_unstable();
        let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(place).copied().unwrap_or_default()
    }

    #[must_use]
    pub fn p50(&self) -> Duration {
        self.within(50)
    }

    #[must_use]
    pub fn p99(&self) -> Duration {
        self.within(99)
    }
}

pub(crate) fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A number of things as one that can be divided.
pub(crate) fn number(count: impl TryInto<u32>) -> f64 {
    f64::from(count.try_into().unwrap_or(u32::MAX))
}

/// An error that says to whoever measures what stands in the way.
pub(crate) fn refused(why: impl Into<String>) -> Error {
    Error::internal(why.into())
}

impl Extend<Duration> for Times {
    fn extend<T: IntoIterator<Item = Duration>>(&mut self, times: T) {
        self.0.extend(times);
    }
}

impl IntoIterator for Times {
    type Item = Duration;
    type IntoIter = std::vec::IntoIter<Duration>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_are_within_the_middle() {
        let times = Times((1..=100).rev().map(Duration::from_millis).collect());
        assert_eq!(times.p50(), Duration::from_millis(51));
        assert_eq!(times.p99(), Duration::from_millis(100));
        assert_eq!(Times::default().p50(), Duration::ZERO);
    }
}
