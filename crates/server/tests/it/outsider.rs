//! What somebody tries who wants more than they were given.

mod connections;
mod customers;
mod doors;
mod files;
mod keys;
mod messages;
