//! What a business sells, and when.
//!
//! Like the vocabulary it is made of, nothing here performs I/O or reads a clock: the time arrives
//! as an argument.

pub mod appointment;
pub mod business;
pub mod calendar;
pub mod feed;
pub mod invoice;
pub mod loyalty;
pub mod money;
pub mod order;
pub mod ordering;
pub mod receipt;
pub mod tax;
