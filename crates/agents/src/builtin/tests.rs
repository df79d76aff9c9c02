//! Conversations with businesses in memory.

mod business;
mod desk;
mod stage;

mod anything;
mod asking;
mod booking;
mod corrections;
mod leaving;
mod ordering;
mod styles;
mod transcripts;
