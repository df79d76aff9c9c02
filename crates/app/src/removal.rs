//! Deleting knowledge from every store, with proof.
//!
//! The rows go in one transaction, together with the order to remove the files. Then the files
//! go, everything is counted again, and the receipt says what was removed and what is left. The
//! order stays in the queue and is carried out once more later: whoever is killed in between, or
//! finishes an upload meanwhile, leaves nothing behind.

use crate::documents::PROCESS_DOCUMENT;
use crate::embeddings::EMBED_CHUNKS;
use crate::websites::READ_WEBSITE;
use crate::{Actor, App, after};
use quipu_core::engine::Partition;
use quipu_core::job::{ClaimedJob, NewJob};
use quipu_core::removal::{DeletionReceipt, RowCounts, StoreCounts};
use quipu_core::tenancy::TenantScope;
use quipu_core::{DocumentId, Error, KnowledgeBaseId, Result, TenantId, UserId};
use quipu_store::TenantTx;
use quipu_store::tenant::{NewAuditEntry, Target};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;

/// The job that removes files once more, some time after they were removed.
pub(crate) const REMOVE_FILES: &str = "remove_files";

/// Longer than a request that was under way can take to store a file.
const SWEEP_AGAIN: Duration = Duration::from_mins(15);

#[derive(Clone, Debug, Serialize, Deserialize)]
struct RemoveFiles {
    tenant_id: TenantId,
    /// Folders below the tenant's own; an empty one is all of it.
    prefixes: Vec<String>,
}

/// Calls off the work on a knowledge base that is about to go. Comes before anything else is written
/// or locked: workers lock their job first, and two orders would be a deadlock.
pub(crate) async fn call_off(tx: &TenantTx, kb: KnowledgeBaseId) -> Result<()> {
    let sites = tx.websites().ids_of(kb).await?;
    tx.removal().drop_readings(READ_WEBSITE, &sites).await?;
    tx.removal()
        .drop_work(kb, PROCESS_DOCUMENT, EMBED_CHUNKS)
        .await?;
    Ok(())
}

/// A deletion whose transaction is still open.
pub(crate) struct Removing {
    target: Target,
    prefixes: Vec<String>,
    rows: RowCounts,
}

/// Counts what is about to go. The caller deletes the rows in the same transaction.
pub(crate) async fn begin(
    app: &App,
    tx: &TenantTx,
    target: Target,
    prefixes: Vec<String>,
    owner: Option<UserId>,
) -> Result<Removing> {
    let rows = tx.removal().count(&target).await?;
    tx.jobs()
        .enqueue(&sweep(app, tx.tenant_id(), prefixes.clone(), owner))
        .await?;
    Ok(Removing {
        target,
        prefixes,
        rows,
    })
}

impl Removing {
    /// Commits, removes the files, counts again and writes the receipt down.
    pub(crate) async fn finish(
        self,
        app: &App,
        actor: &Actor,
        tx: TenantTx,
        action: &'static str,
        name: String,
    ) -> Result<DeletionReceipt> {
        let deleted_at = tx.now();
        let details = json!({ "rows": self.rows });
        actor.audit(&tx, action, name.clone(), details).await?;
        tx.commit().await?;

        // Rows whose knowledge base is gone would be hidden from whoever deleted it.
        let scope = TenantScope::of(actor.tenant_id());
        let removed = remove(app, scope, &self.prefixes, self.rows).await;
        let remaining = remaining(app, scope, &self.target, &self.prefixes).await?;
        let receipt = DeletionReceipt {
            target: name.clone(),
            removed,
            complete: remaining.is_nothing(),
            remaining,
            deleted_at,
        };
        let tx = app.store.begin(scope).await?;
        let details = serde_json::to_value(&receipt).map_err(Error::internal)?;
        actor.audit(&tx, "deletion.receipt", name, details).await?;
        tx.commit().await?;
        Ok(receipt)
    }
}

/// Removes what is below the prefixes from storage and from the search engine. What cannot be
/// reached now is left to the job.
pub(crate) async fn remove(
    app: &App,
    scope: TenantScope,
    prefixes: &[String],
    rows: RowCounts,
) -> StoreCounts {
    let mut removed = StoreCounts {
        rows,
        ..StoreCounts::default()
    };
    for prefix in prefixes {
        match app.originals.delete_prefix(scope, prefix).await {
            Ok(gone) => {
                removed.files += gone.files;
                removed.file_bytes += gone.bytes;
            }
            Err(error) => {
                tracing::warn!(%error, prefix, "files are left for the job that removes them");
            }
        }
    }
    match forget(app, scope, prefixes).await {
        Ok(entries) => removed.index_entries = entries,
        Err(error) => {
            tracing::warn!(%error, "index entries are left for the job that removes them");
        }
    }
    removed
}

/// Has the search engine forget what belongs to folders that are gone. Returns how many chunks it
/// held of that.
async fn forget(app: &App, scope: TenantScope, prefixes: &[String]) -> Result<u64> {
    let engine = &app.engine;
    let mut forgotten = 0;
    for part in parts(app, scope, prefixes).await? {
        match part {
            Part::Whole(partition) => forgotten += engine.remove(partition).await?,
            Part::Documents(partition, documents) => {
                let held = engine.count_of(partition, &documents).await?;
                engine.catch_up(partition).await?;
                forgotten += held - engine.count_of(partition, &documents).await?.min(held);
            }
        }
    }
    Ok(forgotten)
}

/// What the search engine still holds of folders that are gone.
async fn held(app: &App, scope: TenantScope, prefixes: &[String]) -> Result<u64> {
    let mut held = 0;
    for part in parts(app, scope, prefixes).await? {
        held += match part {
            Part::Whole(partition) => app.engine.count(partition).await?,
            Part::Documents(partition, documents) => {
                app.engine.count_of(partition, &documents).await?
            }
        };
    }
    Ok(held)
}

/// A part of the search engine.
enum Part {
    Whole(Partition),
    Documents(Partition, Vec<DocumentId>),
}

/// The parts that belong to folders: that of a tenant, of a knowledge base, or of a document in one.
async fn parts(app: &App, scope: TenantScope, prefixes: &[String]) -> Result<Vec<Part>> {
    let mut documents: BTreeMap<Partition, Vec<DocumentId>> = BTreeMap::new();
    let mut parts = Vec::new();
    for prefix in prefixes {
        if prefix.is_empty() {
            let all = app.engine.partitions(Some(scope.tenant_id())).await?;
            parts.extend(all.into_iter().map(Part::Whole));
            continue;
        }
        let (kb, document) = match prefix.split_once('/') {
            Some((kb, document)) => (kb, Some(document)),
            None => (prefix.as_str(), None),
        };
        let Ok(kb) = kb.parse() else { continue };
        let partition = Partition::of(scope, kb);
        match document.map(str::parse) {
            None => parts.push(Part::Whole(partition)),
            Some(Ok(document)) => documents.entry(partition).or_default().push(document),
            // A folder that is no document's.
            Some(Err(_)) => {}
        }
    }
    let documents = documents.into_iter();
    parts.extend(documents.map(|(partition, ids)| Part::Documents(partition, ids)));
    Ok(parts)
}

/// What is still there.
pub(crate) async fn remaining(
    app: &App,
    scope: TenantScope,
    target: &Target,
    prefixes: &[String],
) -> Result<StoreCounts> {
    let rows = app.store.read(scope).await?.removal().count(target).await?;
    let mut counts = StoreCounts {
        rows,
        ..StoreCounts::default()
    };
    for prefix in prefixes {
        let left = app.originals.count_prefix(scope, prefix).await?;
        counts.files += left.files;
        counts.file_bytes += left.bytes;
    }
    counts.index_entries = held(app, scope, prefixes).await?;
    Ok(counts)
}

/// The order to remove files once more. It names what is gone by id, which is its `owner`'s alone
/// to see when it was personal.
pub(crate) fn sweep(
    app: &App,
    tenant_id: TenantId,
    prefixes: Vec<String>,
    owner: Option<UserId>,
) -> NewJob {
    NewJob {
        kind: REMOVE_FILES,
        payload: json!(RemoveFiles {
            tenant_id,
            prefixes
        }),
        dedup_key: None,
        run_at: after(app.now(), SWEEP_AGAIN),
        max_attempts: 1000,
        owner,
    }
}

/// Does the job, for a tenant that is still there or one that is gone.
///
/// # Errors
/// When the storage cannot be reached; the queue then tries again.
pub(crate) async fn sweep_files(app: &App, job: &ClaimedJob) -> Result<bool> {
    let order: RemoveFiles =
        serde_json::from_value(job.payload.clone()).map_err(Error::internal)?;
    // A job of one tenant never touches the files of another, whatever its payload says.
    if job.tenant.is_some_and(|tenant| tenant != order.tenant_id) {
        return Err(Error::internal("a job names another tenant's files"));
    }
    let scope = TenantScope::of(order.tenant_id);
    let (mut files, mut bytes) = (0, 0);
    for prefix in &order.prefixes {
        let removed = app.originals.delete_prefix(scope, prefix).await?;
        files += removed.files;
        bytes += removed.bytes;
    }
    forget(app, scope, &order.prefixes).await?;
    let Some(tenant) = job.tenant else {
        let tx = app.store.platform().await?;
        let done = tx.queue().complete(job).await?;
        tx.commit().await?;
        return Ok(done);
    };
    let tx = app.store.begin(TenantScope::of(tenant)).await?;
    if files > 0 {
        tx.audit()
            .insert(NewAuditEntry {
                actor: "system".to_owned(),
                action: "deletion.swept",
                target: format!("job:{}", job.id),
                details: json!({ "files": files, "file_bytes": bytes }),
                request_id: None,
            })
            .await?;
    }
    if !tx.jobs().complete(job).await? {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}
