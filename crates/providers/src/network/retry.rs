//! When a call is made again.

use super::fault::{Fault, Then};
use quipu_core::ports::Purpose;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use std::time::Duration;

/// A person waits for the answer to a question, so it is tried twice and soon.
const ATTEMPTS_OF_QUESTIONS: u32 = 2;
const LONGEST_WAIT_OF_QUESTIONS: Duration = Duration::from_secs(2);

/// How a call that failed in passing is made again.
#[derive(Clone, Copy, Debug)]
pub struct RetrySettings {
    /// Calls in all, the first one included.
    pub attempts: u32,
    /// The wait after the first failure; each further one doubles it.
    pub first_wait: Duration,
    /// No wait is longer. A server that asks for more is left alone.
    pub longest_wait: Duration,
}

impl Default for RetrySettings {
    fn default() -> Self {
        Self {
            attempts: 4,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(30),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Retry {
    settings: RetrySettings,
}

impl Retry {
    pub(crate) fn new(settings: RetrySettings) -> Self {
        Self { settings }
    }

    /// How long to wait before the next attempt, after so many failures; `None` to let it be.
    pub(crate) fn wait(&self, fault: &Fault, failures: u32, purpose: Purpose) -> Option<Duration> {
        let Then::Retry(asked) = fault.then else {
            return None;
        };
        let mut settings = self.settings;
        if purpose == Purpose::Question {
            settings.attempts = settings.attempts.min(ATTEMPTS_OF_QUESTIONS);
            settings.longest_wait = settings.longest_wait.min(LONGEST_WAIT_OF_QUESTIONS);
        }
        settings.wait(asked, failures)
    }

    /// The same for a call that must be over by a deadline: no wait is as long as what is left.
    pub(crate) fn wait_within(
        &self,
        asked: Option<Duration>,
        failures: u32,
        left: Duration,
    ) -> Option<Duration> {
        let wait = self.settings.wait(asked, failures)?;
        (wait < left).then_some(wait)
    }
}

impl RetrySettings {
    fn wait(self, asked: Option<Duration>, failures: u32) -> Option<Duration> {
        if failures >= self.attempts {
            return None;
        }
        let doubled = 2_u32.saturating_pow(failures.saturating_sub(1));
        let wait = self
            .first_wait
            .saturating_mul(doubled)
            .min(self.longest_wait);
        let wait = wait.mul_f64(0.5 + 0.5 * chance());
        match asked {
            // Coming back earlier would only be refused again.
            Some(asked) if asked > self.longest_wait => None,
            Some(asked) => Some(asked.max(wait)),
            None => Some(wait),
        }
    }
}

/// Between 0 and 1, so that those who failed together do not come back together.
fn chance() -> f64 {
    let drawn = getrandom::u32().unwrap_or(u32::MAX);
    f64::from(drawn) / f64::from(u32::MAX)
}

/// When the server wants to be asked again: in seconds, or at a time that is compared with its own
/// clock.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let after = text(RETRY_AFTER)?.trim();
    if let Ok(seconds) = after.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let parse = |date: &str| jiff::fmt::rfc2822::parse(date).ok();
    let (then, now) = (parse(after)?, parse(text(DATE)?)?);
    let seconds = then.timestamp().as_second() - now.timestamp().as_second();
    Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    fn retry() -> Retry {
        Retry::new(RetrySettings {
            attempts: 4,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(3),
        })
    }

    fn asking(seconds: u64) -> Fault {
        Fault {
            then: Then::Retry(Some(Duration::from_secs(seconds))),
            why: String::new(),
        }
    }

    #[test]
    fn waits_double_to_a_bound_and_end() {
        let fault = Fault::passing("503");
        for (failures, most) in [(1, 1000), (2, 2000), (3, 3000)] {
            let wait = retry().wait(&fault, failures, Purpose::Passage).unwrap();
            let wait = u64::try_from(wait.as_millis()).unwrap();
            assert!((most / 2..=most).contains(&wait), "{wait}");
        }
        assert_eq!(retry().wait(&fault, 4, Purpose::Passage), None);
        assert!(retry().wait(&fault, 1, Purpose::Question).is_some());
        assert_eq!(retry().wait(&fault, 2, Purpose::Question), None);
    }

    #[test]
    fn what_cannot_pass_is_not_tried_again() {
        for then in [Then::GiveUp, Then::TimedOut, Then::Rest] {
            let why = String::new();
            let wait = retry().wait(&Fault { then, why }, 1, Purpose::Passage);
            assert_eq!(wait, None);
        }
    }

    #[test]
    fn a_server_is_heard_up_to_a_bound() {
        let seconds = Duration::from_secs;
        let passage = Purpose::Passage;
        assert_eq!(retry().wait(&asking(3), 1, passage), Some(seconds(3)));
        assert!(retry().wait(&asking(0), 1, passage).unwrap() >= Duration::from_millis(500));
        assert_eq!(retry().wait(&asking(4), 1, passage), None);
        assert_eq!(retry().wait(&asking(3), 1, Purpose::Question), None);
    }

    #[test]
    fn nobody_waits_beyond_the_deadline() {
        let seconds = Duration::from_secs;
        let wait = |asked: u64, left| retry().wait_within(Some(seconds(asked)), 1, seconds(left));
        assert_eq!(wait(2, 3), Some(seconds(2)));
        assert_eq!(wait(2, 2), None);
        assert_eq!(wait(9, 60), None);
        assert!(retry().wait_within(None, 1, seconds(5)).is_some());
        assert_eq!(retry().wait_within(None, 4, seconds(5)), None);
    }

    #[test]
    fn both_spellings_of_when_are_read() {
        let headers = |after: &'static str, date: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, HeaderValue::from_static(after));
            headers.insert(DATE, HeaderValue::from_static(date));
            retry_after(&headers)
        };
        let noon = "Wed, 21 Oct 2015 12:00:00 GMT";
        assert_eq!(headers(" 7 ", noon), Some(Duration::from_secs(7)));
        assert_eq!(headers("0.5", noon), Some(Duration::from_millis(500)));
        let later = "Wed, 21 Oct 2015 12:00:09 GMT";
        assert_eq!(headers(later, noon), Some(Duration::from_secs(9)));
        assert_eq!(headers(noon, later), Some(Duration::ZERO));
        for wrong in ["-1", "soon", "NaN", "1e400"] {
            assert_eq!(headers(wrong, noon), None, "{wrong}");
        }
        assert_eq!(headers(later, "today"), None);
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}
