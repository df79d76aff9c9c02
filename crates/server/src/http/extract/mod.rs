//! What handlers are given. Reading, checking and refusing happen here, so that a handler holds
//! only what is already right.

mod address;
mod caller;
mod csv;
mod form;
mod json;
mod one_file;
mod origin;
mod page;
mod params;
mod tenant;

pub(super) use address::ClientAddress;
pub(super) use caller::{Caller, OwnPage, bearer};
pub(super) use csv::Csv;
pub(super) use form::{Form, Part, wrong_field};
pub(super) use json::{Json, json_bytes};
pub(super) use one_file::one_file;
pub(super) use origin::KnownOrigin;
pub(super) use page::{Paging, PagingParams};
pub(super) use params::{Path, Query, invalid as invalid_parameter};
pub(super) use tenant::{Headers, InTenant};
