//! Models that write, all four protocols against one scripted server.

mod answers;
mod breaker;
mod errors;
mod harness;
mod reach;
mod tools;
mod waiting;
