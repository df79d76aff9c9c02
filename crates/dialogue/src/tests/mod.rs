//! Conversations with a business in memory, and the laws of the policy.

mod asides;
mod flows;
mod laws;
mod world;
