//! The server as its users meet it: a real one on a port of its own.

// Only linked: many threads make and forget small things, which is where its allocator is quicker.
use quipu_heap as _;

mod agent_versions;
mod architecture;
mod auth;
mod bench_cli;
mod business;
mod channels;
mod chunk_preview;
mod clients;
mod config_cli;
mod connections;
mod customers;
mod deletion;
mod demo_answers;
mod documents;
mod errors;
mod eval_channels;
mod eval_cli;
mod eval_scenarios;
mod events;
mod extraction;
mod guide;
mod harness;
mod idempotency;
mod invoices;
mod isolation;
mod jobs;
mod knowledge_bases;
mod limits;
mod live;
mod loyalty;
mod mcp;
mod mind;
mod openapi;
mod orders;
mod outsider;
mod pages;
mod personal;
mod rehearsals;
mod search;
mod talk;
mod tenant_end;
mod uploads;
mod walk;
mod websites;
