//! The embedders across the network, against a scripted server on the loopback interface.

mod answers;
mod failures;
mod protocols;
mod reach;
mod server;
