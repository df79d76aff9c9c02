//! Real processes, killed at the worst moments: what was promised still holds.

mod acknowledged;
mod client;
mod dice;
mod first_start;
mod full_disk;
mod home;
mod indexing;
mod ingestion;
mod size;
mod stopping;
mod tenant;
mod workers;
