//! Which service is meant where none is named.

use quipu_commerce::business::{BookedWith, Item, Service};
use quipu_core::{BranchId, Error, ErrorCode, Result, StaffId};
use serde_json::json;

/// How many services are named to choose from.
const MOST_NAMED: usize = 30;

/// What else was asked for.
#[derive(Clone, Copy)]
pub(super) struct Around {
    pub(super) branch: Option<BranchId>,
    pub(super) staff: Option<StaffId>,
    /// Whether it was said how many people come.
    pub(super) party: bool,
}

pub(super) enum Meant {
    One(Box<Item<Service>>),
    /// None that can be booked fits what else was asked for.
    None,
    /// The business has no services that can be booked: whoever attends is.
    Anything,
}

/// The only service that can be booked and fits. Where several do, the number of people asks for
/// the tables, if just one service books those.
///
/// # Errors
/// `SERVICE_REQUIRED`, with the services to choose from.
pub(super) fn meant(services: Vec<Item<Service>>, around: Around) -> Result<Meant> {
    let bookable = |service: &Item<Service>| match service.data.books() {
        BookedWith::Nothing => false,
        BookedWith::Staff => !service.data.staff.is_empty(),
        BookedWith::Table | BookedWith::Branch => true,
    };
    let mut bookable: Vec<Item<Service>> = services.into_iter().filter(bookable).collect();
    if bookable.is_empty() {
        return Ok(Meant::Anything);
    }
    bookable.retain(|service| fits(&service.data, around));
    let with_table = |service: &Item<Service>| service.data.books() == BookedWith::Table;
    let tables = bookable
        .iter()
        .filter(|service| with_table(service))
        .count();
    if around.party && tables == 1 {
        bookable.retain(with_table);
    }
    match bookable.len() {
        0 => Ok(Meant::None),
        1 => Ok(bookable
            .pop()
            .map_or(Meant::None, |only| Meant::One(Box::new(only)))),
        _ => Err(required(&bookable)),
    }
}

fn fits(service: &Service, around: Around) -> bool {
    let who = around
        .staff
        .is_none_or(|staff| service.books() == BookedWith::Staff && service.staff.contains(&staff));
    who && around
        .branch
        .is_none_or(|branch| service.is_done_at(branch))
}

fn required(services: &[Item<Service>]) -> Error {
    let offered = || services.iter().take(MOST_NAMED);
    let listed: Vec<_> = offered()
        .map(|service| json!({ "id": service.id, "name": service.data.name }))
        .collect();
    let names: Vec<&str> = offered()
        .map(|service| service.data.name.as_str())
        .collect();
    let names = names.join(", ");
    Error::new(ErrorCode::ServiceRequired)
        .with("field", "service_id")
        .with("services", listed)
        .with_texts("names", names.clone(), names)
}
