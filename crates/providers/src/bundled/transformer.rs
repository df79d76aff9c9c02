//! A small transformer: it reads words in their context and takes milliseconds.

mod forward;
#[cfg(test)]
mod reference;
mod weights;

pub(crate) use forward::{Desk, sum};
#[cfg(test)]
pub(crate) use reference::{Reference, added};
pub(crate) use weights::{MOST_TOKENS, Transformer, floats};
