//! Conversations with businesses in memory.

mod business;
mod desk;
mod stage;

mod anything;
mod asking;
mod booking;
mod changes;
mod clinic;
mod corrections;
mod holding;
mod leaving;
mod manners;
mod moving;
mod ordering;
mod people;
mod styles;
mod tables;
mod taqueria;
mod transcripts;
mod urgent;
