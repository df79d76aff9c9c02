//! The embedded engine in a folder of its own.

use async_trait::async_trait;
use quipu_core::engine::{ChangeLog, Engine, Partition};
use quipu_core::knowledge::{KbScope, ReadableKb};
use quipu_core::language::Language;
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{AgentId, KnowledgeBaseId, TenantId};
use quipu_index::{EmbeddedEngine, EmbeddedSettings};
use quipu_testkit::engine_suite::Subject;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;
use uuid::Uuid;

pub(crate) struct Embedded {
    folder: TempDir,
    pub(crate) settings: EmbeddedSettings,
}

impl Default for Embedded {
    fn default() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = EmbeddedSettings::new(folder.path().join("index"));
        Self { folder, settings }
    }
}

impl Embedded {
    pub(crate) fn with(change: impl FnOnce(&mut EmbeddedSettings)) -> Self {
        let mut subject = Self::default();
        change(&mut subject.settings);
        subject
    }

    pub(crate) async fn engine(&self, log: Arc<dyn ChangeLog>) -> Arc<EmbeddedEngine> {
        assert!(self.folder.path().exists());
        // The last tasks of an engine before it may have the folder a moment longer.
        loop {
            let opened = EmbeddedEngine::open(self.settings.clone(), log.clone()).await;
            if let Some(engine) = opened.unwrap() {
                return Arc::new(engine);
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }

    pub(crate) fn folder_of(&self, partition: Partition) -> PathBuf {
        let tenant = partition.tenant().to_string();
        let kb = partition.knowledge_base().to_string();
        self.settings.root.join(tenant).join(kb)
    }
}

#[async_trait]
impl Subject for Embedded {
    async fn start(&self, log: Arc<dyn ChangeLog>) -> Arc<dyn Engine> {
        self.engine(log).await
    }

    fn scope(&self, tenant: TenantId, kbs: &[KnowledgeBaseId]) -> RetrievalScope {
        scope(tenant, kbs)
    }
}

/// A scope of a tenant with some knowledge bases.
pub(crate) fn scope(tenant: TenantId, kbs: &[KnowledgeBaseId]) -> RetrievalScope {
    let agent = AgentId::from_uuid(Uuid::from_u128(1));
    let readable = kbs.iter().map(|&id| ReadableKb {
        id,
        name: "Base".to_owned(),
        scope: KbScope::Global,
        language: Language::Es,
        priority: 0,
        search_weight: 1.0,
        index_version: 0,
        searched_with: quipu_core::embedding::EmbeddingConfig::default(),
        tells: quipu_core::knowledge::ChunkTells::default(),
    });
    RetrievalScope::grant(tenant, agent, None, readable.collect())
}
