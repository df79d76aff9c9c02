//! The guarded reader and the guarded sender against real servers on the loopback interface.

mod bodies;
mod guard;
mod pages;
mod site;
mod visits;
mod webhooks;
