//! A stretch of the opening hours of one day.

use quipu_core::validate::Problem;

/// The minutes of a day by the clock on the wall.
pub(super) const DAY: u16 = 24 * 60;
/// A night may last until noon of the next day.
const LATEST: u16 = DAY + 12 * 60;

/// From one minute to another, counted from the midnight that begins the day. It is never empty, and
/// shorter than 24 hours unless it is the whole day, so that two times of the clock tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interval {
    opens: u16,
    closes: u16,
}

impl Interval {
    pub const WHOLE_DAY: Self = Self {
        opens: 0,
        closes: DAY,
    };

    /// `None` for what is empty, too long, begins on another day or ends after noon of the next.
    #[must_use]
    pub fn new(opens: u16, closes: u16) -> Option<Self> {
        let interval = Self { opens, closes };
        let told_by_clock = opens < closes && opens < DAY && closes - opens < DAY;
        (interval == Self::WHOLE_DAY || (told_by_clock && closes <= LATEST)).then_some(interval)
    }

    /// The interval between two times of the clock, where an end that is not after the beginning
    /// belongs to the next day. From midnight to midnight is the whole day; any other time to
    /// itself is taken for a slip, because it could mean all or nothing.
    pub(super) fn between(from: u16, to: u16) -> Result<Self, Problem> {
        let closes = match from.cmp(&to) {
            std::cmp::Ordering::Less => to,
            std::cmp::Ordering::Equal if from == 0 => DAY,
            std::cmp::Ordering::Equal => return Err(Problem::Empty),
            std::cmp::Ordering::Greater => to + DAY,
        };
        Self::new(from, closes).ok_or(Problem::Order)
    }

    /// The minute at which it begins, less than 24 hours.
    #[must_use]
    pub const fn opens(self) -> u16 {
        self.opens
    }

    /// The first minute that is no longer in it. From 24 hours on it is of the next day.
    #[must_use]
    pub const fn closes(self) -> u16 {
        self.closes
    }

    /// One interval in place of two that touch, where one can hold both.
    pub(super) fn joined(self, next: Self) -> Option<Self> {
        (self.closes == next.opens)
            .then(|| Self::new(self.opens, next.closes))
            .flatten()
    }

    /// Whether it lasts into the hours that the next day begins with.
    pub(super) fn runs_into(self, next_day: &[Self]) -> bool {
        next_day.iter().any(|next| next.opens + DAY < self.closes)
    }
}

/// Reads a time of the clock such as "09:00" or "9:00"; "24:00" is the end of the day.
pub(super) fn read_time(text: &str) -> Option<u16> {
    let (hours, minutes) = text.trim().split_once(':')?;
    let number = |digits: &str| {
        let digits = digits
            .bytes()
            .all(|b| b.is_ascii_digit())
            .then_some(digits)?;
        digits.parse::<u16>().ok()
    };
    if !(1..=2).contains(&hours.len()) || minutes.len() != 2 {
        return None;
    }
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    let minute = hours * 60 + minutes;
    (minutes < 60 && minute <= DAY).then_some(minute)
}

/// Writes a minute as a time of the clock, which begins anew at midnight: "09:00", "02:00".
pub(super) fn write_time(minute: u16) -> String {
    let minute = minute % DAY;
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        for (text, minute) in [
            ("00:00", 0),
            ("9:05", 545),
            ("09:05", 545),
            (" 23:59 ", 1439),
            ("24:00", 1440),
        ] {
            assert_eq!(read_time(text), Some(minute), "{text}");
        }
        for odd in [
            "", "9", ":", "9:", ":30", "25:00", "24:01", "9:60", "9:5", "009:00", "+9:00", "-1:00",
            "9:+5", "9.30", "9:30pm", "09:00:00", "٩:٠٠", "٠:00", "99:99",
        ] {
            assert_eq!(read_time(odd), None, "{odd}");
        }
    }

    #[test]
    fn an_end_that_is_not_later_belongs_to_the_next_day_until_noon() {
        let minutes = |from, to| Interval::between(from, to).map(|i| (i.opens, i.closes));
        assert_eq!(minutes(540, 780), Ok((540, 780)));
        assert_eq!(minutes(1080, 120), Ok((1080, 1560)));
        assert_eq!(minutes(1080, 0), Ok((1080, 1440)));
        assert_eq!(minutes(1080, 1440), Ok((1080, 1440)));
        assert_eq!(minutes(1200, 720), Ok((1200, 2160)));
        assert_eq!(minutes(1200, 721), Err(Problem::Order));
        assert_eq!(minutes(0, 0), Ok((0, 1440)));
        assert_eq!(minutes(0, 1440), Ok((0, 1440)));
        assert_eq!(minutes(540, 540), Err(Problem::Empty));
        assert_eq!(minutes(1440, 120), Err(Problem::Order));
    }
}
