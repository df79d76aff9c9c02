//! What people write, as words, numbers, days and times. Nothing here knows of any business.

mod time;
pub mod token;
pub mod urgency;
pub mod vocabulary;
pub mod when;

pub use time::Time;
