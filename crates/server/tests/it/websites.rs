//! Whole websites as knowledge, against a real site on a port of its own.

mod reading;
mod refreshing;
mod ruling;
mod site;
