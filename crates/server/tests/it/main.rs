//! The server as its users meet it: a real one on a port of its own.

mod architecture;
mod auth;
mod business;
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
mod invoices;
mod isolation;
mod jobs;
mod knowledge_bases;
mod limits;
mod loyalty;
mod openapi;
mod orders;
mod personal;
mod search;
mod uploads;
mod walk;
