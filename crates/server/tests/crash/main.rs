//! Real processes, killed at the worst moments: what was promised still holds. And what they write down.

mod acknowledged;
mod client;
mod dice;
mod first_start;
mod full_disk;
mod home;
mod indexing;
mod ingestion;
mod knocking;
mod size;
mod stopping;
mod tenant;
mod workers;
