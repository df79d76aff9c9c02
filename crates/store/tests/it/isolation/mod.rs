//! The two-tenant suite: nothing of one tenant is seen, changed or pointed at by the other.

mod cases;
mod cases_business;
mod cases_channels;
mod cases_customers;
mod cases_events;
mod cases_mind;
mod cases_rehearsals;
mod cases_sales;
mod cases_websites;
mod methods;
mod owners;
mod readable;
mod references;
mod row_security;
