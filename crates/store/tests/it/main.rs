//! What the store promises, tried on `SQLite` and on `PostgreSQL`.

mod access;
mod agents;
mod credits;
mod durability;
mod fixture;
mod idempotency;
mod isolation;
mod migrations;
mod queue;
mod schema;
mod support;
