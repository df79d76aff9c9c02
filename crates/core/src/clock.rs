//! Time, passed in.

pub use jiff::Timestamp;

/// Where "now" comes from. The server hands in the system clock, tests hand in their own.
pub trait Clock: Send + Sync {
    /// The current instant in whole microseconds, which both databases store without loss.
    fn now(&self) -> Timestamp;
}
