//! Reading the audit log. Entries are written by the use cases themselves.

use crate::{Actor, App};
use quipu_core::Result;
use quipu_core::access::Permission;
use quipu_core::audit::AuditEntry;
use quipu_core::page::{Page, PageRequest};
use quipu_store::tenant::AuditFilter;

/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn list(
    app: &App,
    actor: &Actor,
    filter: &AuditFilter,
    page: PageRequest,
) -> Result<Page<AuditEntry>> {
    actor.require(Permission::AuditRead)?;
    app.store
        .read(actor.scope())
        .await?
        .audit()
        .list(filter, page)
        .await
}
