//! The engine on a Qdrant server.

mod subject;
mod suite;
mod together;
mod wire;
