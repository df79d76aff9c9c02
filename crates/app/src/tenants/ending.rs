//! The end of a tenant: what goes with it, and the receipt.

use crate::{Actor, App, RequestInfo, removal};
use quipu_core::access::Permission;
use quipu_core::removal::{DeletionReceipt, StoreCounts};
use quipu_core::tenancy::TenantScope;
use quipu_core::validate::{Checks, Problem};
use quipu_core::{Error, Result, TenantId};
use quipu_store::tenant::Target;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The whole folder of a tenant.
const EVERYTHING: &str = "";

/// The end of the tenant one works in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EndTenant {
    /// The name of the tenant, written out, so that nobody ends one by mistake.
    #[schema(min_length = 1, max_length = 100, example = "Taquería El Farolito")]
    pub name: String,
}

/// What would go with the tenant.
///
/// # Errors
/// `FORBIDDEN` without the permission.
pub async fn what_ends(app: &App, actor: &Actor) -> Result<StoreCounts> {
    actor.require(Permission::TenantWrite)?;
    let scope = TenantScope::of(actor.tenant_id());
    removal::remaining(app, scope, &Target::Everything, &[EVERYTHING.to_owned()]).await
}

/// Ends the tenant one works in, with everything it owns.
///
/// # Errors
/// `FORBIDDEN` without the permission, `VALIDATION_FAILED` when the name is another, `PERSON_REQUIRED` for
/// a program: a key can leak, and what it ended would not come back.
pub async fn end_own(app: &App, actor: &Actor, input: &EndTenant) -> Result<DeletionReceipt> {
    actor.require(Permission::TenantWrite)?;
    let tenant = actor.tenant();
    if input.name.trim() != tenant.name {
        let mut checks = Checks::new();
        let allowed = tenant.name.clone();
        checks.problem("name", Problem::Unknown { allowed });
        checks.finish()?;
    }
    actor.require_person()?;
    end(app, tenant.id, &actor.name(), actor.request()).await
}

pub(super) async fn end(
    app: &App,
    id: TenantId,
    by: &str,
    request: &RequestInfo,
) -> Result<DeletionReceipt> {
    let scope = TenantScope::of(id);
    let everything = [EVERYTHING.to_owned()];
    let rows = app
        .store
        .read(scope)
        .await?
        .removal()
        .count(&Target::Everything)
        .await?;
    let tx = app.store.platform().await?;
    if !tx.tenants().delete(id).await? {
        return Err(Error::not_found("tenant"));
    }
    tx.queue()
        .enqueue(&removal::sweep(app, id, everything.to_vec(), None))
        .await?;
    let deleted_at = tx.now();
    tx.commit().await?;
    tracing::info!(tenant.id = %id, "tenant {id} was deleted");

    let removed = removal::remove(app, scope, &everything, rows).await;
    let remaining = removal::remaining(app, scope, &Target::Everything, &everything).await?;
    let receipt = DeletionReceipt {
        target: format!("tenant:{id}"),
        removed,
        complete: remaining.is_nothing(),
        remaining,
        deleted_at,
    };
    let tx = app.store.platform().await?;
    tx.receipts()
        .insert(&receipt, by, request.request_id.as_deref())
        .await?;
    tx.commit().await?;
    Ok(receipt)
}
