//! Where everything is kept.
//!
//! There are two doors. [`Store::begin`] and [`Store::read`] open a tenant's transaction, in
//! which every repository is filtered by that tenant and, on PostgreSQL, row-level security
//! stands behind the filter. [`Store::platform`] opens the platform's own transaction, with the
//! few things that come before a tenant is known: sign-in, claiming jobs, managing tenants.

mod convert;
mod entity;
mod error;
mod kept;
mod migrate;
mod open;
pub mod originals;
mod pgvector;
pub mod platform;
pub mod tenant;
mod tx;

pub use open::{DatabaseSettings, Store};
pub use originals::{Originals, OriginalsSettings};
pub use pgvector::{PgvectorEngine, PgvectorSettings};
pub use tx::{PlatformTx, TenantTx};
