//! Messenger and direct messages of Instagram.
//!
//! Both speak the Messenger platform of Graph, so they are read and answered in one place. What
//! they deliver is signed, and the address confirmed, as with WhatsApp: see
//! [`is_signed`](crate::whatsapp::is_signed) and [`challenge`](crate::whatsapp::challenge).

mod attachments;
mod delivery;
mod envelope;
mod failures;
mod fields;
mod graph;
mod media;
mod message;
mod outgoing;
mod report;
mod send;
mod status;
mod touch;

pub use delivery::{parse, parse_item};
pub use failures::{explain, failure};
pub(crate) use media::media;
pub(crate) use report::report;
pub(crate) use send::{mark_seen, send};

#[cfg(test)]
mod tests;
