//! A time of the day as people say it.

use serde::{Deserialize, Serialize};

/// A time of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Time {
    /// Minutes since midnight.
    pub minute: u16,
    /// Whether it is known which half of the day is meant. "A las 5" may be either.
    pub certain: bool,
}

impl Time {
    const HALF_DAY: u16 = 12 * 60;

    /// Whether both can be the same moment.
    #[must_use]
    pub fn agrees_with(self, other: Self) -> bool {
        if self.certain && other.certain {
            self.minute == other.minute
        } else {
            self.minute % Self::HALF_DAY == other.minute % Self::HALF_DAY
        }
    }
}
