//! What happens around every handler.

mod compress;
mod crowd;
mod drain;
mod finish;
mod measure;
mod rate;
mod request_id;
mod security;
mod timeout;

pub(super) use compress::{AsStored, compression};
pub(super) use crowd::crowd;
pub(super) use drain::drain;
pub(super) use finish::{finish, panicked};
pub(super) use measure::measure;
pub(super) use rate::{RateSlot, rate_headers};
pub(super) use request_id::{RequestId, request_id};
pub(super) use security::{cors, security_headers};
pub(super) use timeout::timeout;
