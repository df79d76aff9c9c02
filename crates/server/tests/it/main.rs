//! The server as its users meet it: a real one on a port of its own.

mod architecture;
mod auth;
mod clients;
mod config_cli;
mod customers;
mod deletion;
mod demo_answers;
mod documents;
mod errors;
mod eval_cli;
mod extraction;
mod harness;
mod idempotency;
mod isolation;
mod jobs;
mod knowledge_bases;
mod limits;
mod openapi;
mod personal;
mod search;
mod uploads;
mod walk;
