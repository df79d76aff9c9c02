//! What is read in every turn and seldom changes, kept in memory: agents, what they may read, the
//! catalogue, settings.
//!
//! Nothing here can be old. Each tenant has a version in the database, which triggers change together
//! with any of those things; a transaction asks for it once, and takes from memory only what was read
//! under the same version. Transactions that write take nothing: they must see what they wrote.

use crate::TenantTx;
use crate::entity::tenant_version;
use crate::error::db;
use quipu_core::{Result, TenantId};
use sea_orm::QuerySelect;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OnceCell;

/// How many things are kept, of all tenants together: some tens of megabytes. All of them are read
/// again when there are more.
const MOST_KEPT: usize = 10_000;

/// What a thing is called: its type keeps two readers from taking each other's for their own.
type Key = (TypeId, String);
type Thing = Arc<dyn Any + Send + Sync>;

#[derive(Default)]
pub(crate) struct Kept(Mutex<Tenants>);

#[derive(Default)]
struct Tenants {
    by_tenant: HashMap<TenantId, Read>,
    weight: usize,
}

/// What was read of a tenant under one version.
struct Read {
    version: i64,
    things: HashMap<Key, Thing>,
    weight: usize,
}

impl Kept {
    fn get(&self, tenant: TenantId, version: i64, key: &Key) -> Option<Thing> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let read = kept.by_tenant.get(&tenant)?;
        let things = (read.version == version).then_some(&read.things)?;
        things.get(key).cloned()
    }

    fn put(&self, tenant: TenantId, version: i64, key: Key, thing: Thing, weight: usize) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.weight + weight > MOST_KEPT {
            *kept = Tenants::default();
        }
        let Tenants {
            by_tenant,
            weight: all,
        } = &mut *kept;
        let read = by_tenant.entry(tenant);
        let read = read.or_insert_with(|| Read::under(version));
        if read.version != version {
            *all -= read.weight;
            *read = Read::under(version);
        }
        // Two that read the same at once both put it here; it takes room once.
        if read.things.insert(key, thing).is_none() {
            read.weight += weight;
            *all += weight;
        }
    }
}

impl Read {
    fn under(version: i64) -> Self {
        Self {
            version,
            things: HashMap::new(),
            weight: 0,
        }
    }
}

/// What a transaction knows of what is kept.
pub(crate) struct Remembering {
    kept: Arc<Kept>,
    /// The version of the tenant, asked for when it is first needed.
    version: OnceCell<Option<i64>>,
}

impl Remembering {
    pub(crate) fn new(kept: Arc<Kept>) -> Self {
        Self {
            kept,
            version: OnceCell::new(),
        }
    }
}

/// How much room a thing takes, in things of ordinary size.
pub(crate) trait Weight {
    fn weight(&self) -> usize;
}

impl<T> Weight for Vec<T> {
    fn weight(&self) -> usize {
        1 + self.len()
    }
}

impl<T> Weight for Option<T> {
    fn weight(&self) -> usize {
        1
    }
}

impl TenantTx {
    /// What was read under this name and has not changed since; or else what `read` reads now.
    pub(crate) async fn kept<T, F>(&self, name: String, read: F) -> Result<Arc<T>>
    where
        T: Weight + Send + Sync + 'static,
        F: Future<Output = Result<T>>,
    {
        let Some(remembering) = &self.remembering else {
            return read.await.map(Arc::new);
        };
        // Asked for before anything is read: what is read then may be newer than this version says,
        // and is never older.
        let version = *remembering
            .version
            .get_or_try_init(|| self.version())
            .await?;
        let Some(version) = version else {
            return read.await.map(Arc::new);
        };
        let tenant = self.tenant_id();
        let key = (TypeId::of::<T>(), name);
        let known = remembering.kept.get(tenant, version, &key);
        if let Some(known) = known.and_then(|known| known.downcast::<T>().ok()) {
            return Ok(known);
        }
        let fresh = Arc::new(read.await?);
        let weight = fresh.weight();
        let thing: Thing = fresh.clone();
        remembering.kept.put(tenant, version, key, thing, weight);
        Ok(fresh)
    }

    async fn version(&self) -> Result<Option<i64>> {
        self.find::<tenant_version::Entity>()
            .select_only()
            .column(tenant_version::Column::Version)
            .into_tuple()
            .one(&self.tx)
            .await
            .map_err(db)
    }
}
