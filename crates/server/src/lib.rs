//! The server: everything that faces the outside, and the one place that names concrete back ends.

pub mod cli;
pub mod clock;
pub mod config;
pub mod demo;
pub mod http;
pub mod master_key;
mod private;
pub mod setup;
pub mod telemetry;
pub mod worker;
