//! What a business offers, what can be booked there, and what its agent can do.

mod booking;
mod calendars;
mod catalogue;
mod clinic;
mod crowd;
mod demo;
mod forgetting;
mod imports;
mod rehearsing;
mod rules;
mod settling;
mod tables;
mod tools;
mod turns;
