//! Conversations with businesses in memory.

mod business;
mod desk;
mod refused;
mod sent;
mod stage;

mod absent;
mod alarms;
mod allergies;
mod anything;
mod asking;
mod booking;
mod changes;
mod choices;
mod clinic;
mod consent;
mod corrections;
mod danger;
mod dates;
mod exchanges;
mod holding;
mod leaving;
mod manners;
mod moving;
mod names;
mod notes;
mod ordering;
mod people;
mod portions;
mod several;
mod shorthand;
mod styles;
mod tables;
mod taqueria;
mod transcripts;
mod urgent;
