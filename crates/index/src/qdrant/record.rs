//! What is known of a partition as a whole, and who may change it.
//!
//! Each partition has one record. A writer claims it by changing it under a condition, which the
//! server checks and applies in one step, and then looks whether it was the one. Who holds a claim
//! shows it by counting on; a claim whose count stands still is of a writer that died, and can be
//! taken over. Nobody's clock is compared with anybody else's.

use super::collections::Collections;
use super::fault::{Fault, Outcome};
use super::filter::Filter;
use super::point::{field, record_id};
use super::server::Server;
use quipu_core::engine::Partition;
use quipu_core::{KnowledgeBaseId, TenantId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

pub(super) const WRITER: &str = "writer";
pub(super) const BEAT: &str = "beat";
pub(super) const VERSION: &str = "version";
pub(super) const INCARNATION: &str = "incarnation";
pub(super) const REACHED: &str = "reached";
pub(super) const TIDY: &str = "tidy";
/// The writer of a record that nobody has claimed.
const NOBODY: &str = "nobody";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    tenant_id: Uuid,
    knowledge_base_id: Uuid,
    /// It is another one after the partition was emptied: versions may begin again then.
    pub(super) incarnation: Uuid,
    /// What searches see.
    pub(super) version: i64,
    /// How far the change log was taken in. Searches see it when all of it was.
    pub(super) reached: i64,
    /// What no longer counted at this version may be gone.
    pub(super) floor: i64,
    /// How many chunks there are, and the sum of their lengths.
    pub(super) chunks: u64,
    pub(super) length: u64,
    pub(super) models: Vec<Model>,
    writer: String,
    /// It never goes back, so that whoever claims a record as it was seen finds out whether anybody
    /// else has claimed it in between.
    beat: u64,
    /// Whether the last writer finished what it began.
    pub(super) tidy: bool,
}

/// How many vectors of a model there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Model {
    pub(super) name: String,
    pub(super) dimensions: usize,
    pub(super) vectors: u64,
}

impl Record {
    fn new(partition: Partition) -> Self {
        Self {
            tenant_id: partition.tenant().uuid(),
            knowledge_base_id: partition.knowledge_base().uuid(),
            incarnation: fresh(),
            version: 0,
            reached: 0,
            floor: 0,
            chunks: 0,
            length: 0,
            models: Vec::new(),
            writer: NOBODY.to_owned(),
            beat: 0,
            tidy: true,
        }
    }

    pub(super) fn is_claimed(&self) -> bool {
        self.writer != NOBODY
    }

    /// Whether a claim has shown no life since an earlier look.
    pub(super) fn is_as_silent_as(&self, earlier: &Self) -> bool {
        self.is_claimed() && self.writer == earlier.writer && self.beat == earlier.beat
    }
}

/// The right to change a partition.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) partition: Partition,
    token: String,
    /// Where it counts on from.
    pub(super) beat: u64,
}

pub(super) struct Records {
    server: Arc<Server>,
    collections: Arc<Collections>,
}

#[derive(Deserialize)]
struct Kept {
    payload: Record,
}

impl Records {
    pub(super) fn new(server: Arc<Server>, collections: Arc<Collections>) -> Self {
        Self {
            server,
            collections,
        }
    }

    pub(super) async fn read(&self, partition: Partition) -> Outcome<Option<Record>> {
        let collection = self.collections.records().await?;
        let id = record_id(partition);
        let kept: Option<Kept> = self.server.retrieve(&collection, id).await?;
        let record = kept.map(|kept| kept.payload);
        let own = |record: &Record| {
            record.tenant_id == partition.tenant().uuid()
                && record.knowledge_base_id == partition.knowledge_base().uuid()
        };
        match record {
            Some(record) if !own(&record) => Err(Fault::Garbled("a foreign record".to_owned())),
            record => Ok(record),
        }
    }

    /// The partitions that have a record, of one tenant or of all, and how far each has come.
    pub(super) async fn list(&self, tenant: Option<TenantId>) -> Outcome<Vec<(Partition, i64)>> {
        #[derive(Deserialize)]
        struct Owner {
            tenant_id: Uuid,
            knowledge_base_id: Uuid,
            version: i64,
        }
        #[derive(Deserialize)]
        struct Owned {
            payload: Owner,
        }
        let collection = self.collections.records().await?;
        let filter = tenant.map(Filter::of_tenant);
        let fields = [field::TENANT, field::KNOWLEDGE_BASE, VERSION].map(str::to_owned);
        let found: Vec<Owned> = self
            .server
            .scroll(&collection, filter.as_ref(), &fields)
            .await?;
        let named = |owned: Owned| {
            let partition = Partition::named(
                TenantId::from_uuid(owned.payload.tenant_id),
                KnowledgeBaseId::from_uuid(owned.payload.knowledge_base_id),
            );
            (partition, owned.payload.version)
        };
        Ok(found.into_iter().map(named).collect())
    }

    /// Claims a partition as it was seen. `None` when somebody else changed or claimed it.
    pub(super) async fn claim(
        &self,
        partition: Partition,
        seen: Option<&Record>,
    ) -> Outcome<Option<(Claim, Record)>> {
        let collection = self.collections.records().await?;
        let made;
        let seen = if let Some(seen) = seen {
            seen
        } else {
            let record = Record::new(partition);
            let point = json!({
                "id": record_id(partition),
                "vector": {},
                "payload": record,
            });
            self.server.insert(&collection, &point).await?;
            made = record;
            &made
        };
        let claim = Claim {
            partition,
            token: fresh().to_string(),
            beat: seen.beat + 1,
        };
        let filter = Filter::of(partition)
            .point(record_id(partition))
            .is(INCARNATION, seen.incarnation)
            .is(VERSION, seen.version)
            .is(WRITER, &seen.writer)
            .is(BEAT, seen.beat);
        let change = json!({ WRITER: claim.token, BEAT: claim.beat, TIDY: false });
        self.server.set(&collection, &change, &filter).await?;
        let now = self.read(partition).await?;
        let won = now.filter(|now| now.writer == claim.token);
        Ok(won.map(|mut now| {
            // What was left undone by the writer before is what the claimant must know.
            now.tidy = seen.tidy;
            (claim, now)
        }))
    }

    /// Changes the record, or finds that the claim was lost.
    pub(super) async fn change(&self, claim: &Claim, change: &Value) -> Outcome<Record> {
        self.set(claim, change).await?;
        let now = self.read(claim.partition).await?;
        now.filter(|now| now.writer == claim.token)
            .ok_or(Fault::Changed)
    }

    /// Shows that the writer lives.
    pub(super) async fn beat(&self, claim: &Claim, beat: u64) -> Outcome<()> {
        self.change(claim, &json!({ BEAT: beat })).await.map(drop)
    }

    pub(super) async fn release(&self, claim: &Claim) -> Outcome<()> {
        self.set(claim, &json!({ WRITER: NOBODY })).await
    }

    /// Says that the partition is empty, before it is emptied.
    pub(super) async fn reset(&self, claim: &Claim) -> Outcome<Record> {
        let Record {
            incarnation,
            version,
            reached,
            floor,
            chunks,
            length,
            models,
            ..
        } = Record::new(claim.partition);
        let change = json!({
            INCARNATION: incarnation,
            VERSION: version,
            REACHED: reached,
            "floor": floor,
            "chunks": chunks,
            "length": length,
            "models": models,
        });
        self.change(claim, &change).await
    }

    /// Deletes the record, which must be the last of a partition to go.
    pub(super) async fn delete(&self, claim: &Claim) -> Outcome<()> {
        let collection = self.collections.records().await?;
        let filter = claimed(claim);
        self.server.delete(&collection, &filter).await
    }

    async fn set(&self, claim: &Claim, change: &Value) -> Outcome<()> {
        let collection = self.collections.records().await?;
        let filter = claimed(claim);
        self.server.set(&collection, change, &filter).await
    }
}

/// The record, as long as the claim to it holds.
fn claimed(claim: &Claim) -> Filter {
    Filter::of(claim.partition)
        .point(record_id(claim.partition))
        .is(WRITER, &claim.token)
}

fn fresh() -> Uuid {
    Uuid::now_v7()
}
