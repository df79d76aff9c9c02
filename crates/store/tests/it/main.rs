//! What the store promises, tried on `SQLite` and on `PostgreSQL`.

mod access;
mod agents;
mod credits;
mod customers;
mod documents;
mod durability;
mod fixture;
mod fixture_business;
mod fixture_customers;
mod fixture_mind;
mod fixture_sales;
mod generations;
mod idempotency;
mod isolation;
mod kept;
mod material;
mod migrations;
mod mind;
mod originals;
mod personal;
mod pgvector;
mod queue;
mod removal;
mod sales;
mod schema;
mod support;
