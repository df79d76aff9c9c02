//! Calls over the network, whoever makes them: where they may go, what is believed of the answer,
//! when they are made again, and when a server is left alone for a while.

mod clients;
mod endpoint;
mod fault;
mod guard;
mod retry;
mod target;

pub(crate) use clients::Clients;
pub(crate) use endpoint::{Endpoint, Incoming, Opened, Refused};
pub(crate) use fault::{Fault, Then};
pub(crate) use guard::{Guard, Outcome};
pub(crate) use retry::Retry;
pub use retry::RetrySettings;
pub(crate) use target::Target;
