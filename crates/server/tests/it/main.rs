//! The server as its users meet it: a real one on a port of its own.

mod architecture;
mod auth;
mod config_cli;
mod demo_answers;
mod errors;
mod harness;
mod idempotency;
mod isolation;
mod jobs;
mod limits;
mod openapi;
mod walk;
