//! The engine on a Qdrant server.

mod fake;
mod subject;
mod suite;
mod together;
mod wire;
