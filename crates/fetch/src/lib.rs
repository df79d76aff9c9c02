//! Reads public web pages for people who give an address, and nothing else.
//!
//! Whoever may name an address may try to reach through us what they cannot reach themselves: the
//! database next door, the metadata service of the cloud. So every hop is checked from scratch:
//! the address is parsed, its host resolved once, every answer must be public, and the connection
//! is pinned to what was checked, so that asking the name again cannot change where it goes.
//!
//! What a tenant wants to be told is posted to an address of theirs by the same rules, one hop far.

mod body;
mod fault;
mod fetcher;
mod filename;
mod media;
mod resolver;
mod settings;
mod target;
mod visit;
mod webhook;

pub use fetcher::GuardedFetcher;
pub use ipnet::IpNet;
pub use resolver::{Resolver, SystemResolver};
pub use settings::FetchSettings;
pub use webhook::GuardedSender;
