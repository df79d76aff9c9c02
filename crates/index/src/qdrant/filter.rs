//! Which points a call is about. None is about chunks of more than one tenant and knowledge base.

use super::point::{FOREVER, field};
use quipu_core::engine::Partition;
use quipu_core::{ChunkId, DocumentId, TenantId};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

#[derive(Clone, Debug)]
pub(super) struct Filter {
    must: Vec<Value>,
}

impl Filter {
    /// All points of a partition, whatever they are and however old.
    pub(super) fn of(partition: Partition) -> Self {
        let tenant = partition.tenant().uuid();
        let kb = partition.knowledge_base().uuid();
        Self { must: Vec::new() }
            .is(field::TENANT, tenant)
            .is(field::KNOWLEDGE_BASE, kb)
    }

    /// All points of a tenant, to tell which partitions it has.
    pub(super) fn of_tenant(tenant: TenantId) -> Self {
        Self { must: Vec::new() }.is(field::TENANT, tenant.uuid())
    }

    /// Those that count at a version.
    pub(super) fn at(self, version: i64) -> Self {
        self.range(field::BORN, "lte", version)
            .range(field::ENDED, "gt", version)
    }

    /// Those that were born after a version.
    pub(super) fn born_after(self, version: i64) -> Self {
        self.range(field::BORN, "gt", version)
    }

    pub(super) fn born_before(self, version: i64) -> Self {
        self.range(field::BORN, "lt", version)
    }

    /// Those whose end nobody has set.
    pub(super) fn without_end(self) -> Self {
        self.range(field::ENDED, "gte", FOREVER)
    }

    /// Those that ended after a version.
    pub(super) fn ended_after(self, version: i64) -> Self {
        self.range(field::ENDED, "gt", version)
            .range(field::ENDED, "lt", FOREVER)
    }

    /// Those that no longer count at a version, nor at any later one.
    pub(super) fn ended_by(self, version: i64) -> Self {
        self.range(field::ENDED, "lte", version)
    }

    pub(super) fn documents(self, documents: &[DocumentId]) -> Self {
        let ids: Vec<Uuid> = documents.iter().map(|id| id.uuid()).collect();
        self.any(field::DOCUMENT, ids)
    }

    pub(super) fn chunks(self, chunks: &[ChunkId]) -> Self {
        let ids: Vec<Uuid> = chunks.iter().map(|id| id.uuid()).collect();
        self.any(field::CHUNK, ids)
    }

    /// Those that have any of these terms.
    pub(super) fn terms(self, terms: &[&str]) -> Self {
        self.any(field::TERMS, terms)
    }

    pub(super) fn model(self, model: &str) -> Self {
        self.is(field::MODEL, model)
    }

    /// One point, by its name.
    pub(super) fn point(mut self, id: Uuid) -> Self {
        self.must.push(json!({ "has_id": [id] }));
        self
    }

    /// Those with this value in a field.
    pub(super) fn is(mut self, key: &str, value: impl Serialize) -> Self {
        self.must
            .push(json!({ "key": key, "match": { "value": value } }));
        self
    }

    fn any(mut self, key: &str, values: impl Serialize) -> Self {
        self.must
            .push(json!({ "key": key, "match": { "any": values } }));
        self
    }

    fn range(mut self, key: &str, than: &str, value: i64) -> Self {
        self.must
            .push(json!({ "key": key, "range": { than: value } }));
        self
    }

    pub(super) fn json(&self) -> Value {
        json!({ "must": self.must })
    }
}
