//! The embedders, rerankers and models that write across the network, against a scripted server on
//! the loopback interface, and those that run here, with models of a few numbers.

mod answers;
mod chat;
mod failures;
#[cfg(feature = "local-models")]
mod local;
#[cfg(feature = "local-models")]
mod local_rerank;
mod protocols;
mod reach;
mod rerank;
mod server;
