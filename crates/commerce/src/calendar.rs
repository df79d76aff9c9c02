//! The calendar of a business: when it is open, and what can still be booked.
//!
//! Hours are kept as people say them, in minutes of the local clock, and become instants only where
//! they meet appointments. The clock of a zone may skip an hour or repeat one: a time that is
//! skipped means the first that exists after it, one that is repeated means the first of the two,
//! and an interval is what lies between the instants of its ends. Within an interval bookings may
//! begin at both instants of a time that is repeated. Bookings are counted in ticks of five minutes,
//! the same that the database keeps, so that what is offered can be booked.

mod availability;
mod description;
mod interval;
mod local;
mod nearest;
mod now;
mod occupancy;
mod resource;
mod schedule;
mod span;
#[cfg(test)]
mod tests;
mod unavailable;
mod written;
mod zone;

pub use availability::free_slots;
pub use description::{describe_date, describe_moment};
pub use interval::Interval;
pub use nearest::{nearest_first, read_minute};
pub use now::{clock_of, describe_now, full_date};
pub use resource::{
    AvailabilityQuery, Bookable, BookingTerms, DEFAULT_HORIZON_DAYS, LONGEST_HORIZON_DAYS,
    MAX_QUERY_DAYS, MAX_SLOTS, Resource, Slot,
};
pub use schedule::{HoursException, Schedule, WeeklyHours};
pub use span::{Span, TICK_SECONDS, covering_ticks};
pub use unavailable::{Unavailable, check, stands};
pub use written::{
    MAX_EXCEPTION_DAYS, MAX_EXCEPTIONS, MAX_INTERVALS, WrittenException, WrittenHours,
    WrittenInterval, WrittenSchedule,
};
