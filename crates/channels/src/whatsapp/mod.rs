//! WhatsApp, by the Cloud API of Meta.
//!
//! A delivery is verified by its signature in [`verify`], and read in `parse`. What is sent goes to
//! Graph, and what Graph answers instead of taking it is told apart by its code in [`refusal`].

mod choices;
mod content;
mod envelope;
mod fields;
mod graph;
mod media;
mod message;
mod notice;
mod parse;
mod reading;
pub mod refusal;
mod report;
mod send;
mod status;
mod templates;
pub mod verify;

#[cfg(test)]
mod tests;

pub use parse::parse;
pub use refusal::{explain, failure, kind};
pub use verify::{challenge, is_signed};

pub(crate) use media::media;
pub(crate) use report::report;
pub(crate) use send::{mark_read, send};
pub(crate) use templates::templates;
