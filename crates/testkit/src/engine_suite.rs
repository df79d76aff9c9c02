//! What every search engine must do, whatever it keeps its partitions in.
//!
//! An engine's tests implement [`Subject`] and call [`engine_suite!`](crate::engine_suite). The
//! engine reads from a [`FakeLog`] and is held against a [`Reference`] that looks at everything.

mod cases;
mod data;
mod log;
mod reference;

pub use cases::*;
pub use data::{Dice, clustered, diffuse, document, document_id, entry, question, words};
pub use log::FakeLog;
pub use reference::Reference;

use async_trait::async_trait;
use quipu_core::engine::{ChangeLog, Engine, Partition, Probe};
use quipu_core::retrieval::RetrievalScope;
use quipu_core::{DocumentId, KnowledgeBaseId, TenantId};
use std::sync::Arc;
use uuid::Uuid;

/// The model of the vectors that the suite uses.
pub const MODEL: &str = "suite@1";
/// Another one, whose vectors have other dimensions.
pub const OTHER_MODEL: &str = "other@2";

/// An engine to be tested. All that one subject starts work on the same storage, as processes
/// after each other do.
#[async_trait]
pub trait Subject: Send + Sync {
    async fn start(&self, log: Arc<dyn ChangeLog>) -> Arc<dyn Engine>;

    /// A scope of a tenant with some knowledge bases. Only tests and `app` grant scopes.
    fn scope(&self, tenant: TenantId, kbs: &[KnowledgeBaseId]) -> RetrievalScope;
}

/// A knowledge base of the suite.
#[derive(Clone)]
pub struct Kb {
    pub tenant: TenantId,
    pub id: KnowledgeBaseId,
    pub scope: RetrievalScope,
}

impl Kb {
    /// # Panics
    /// When the subject grants a scope without the knowledge base.
    #[must_use]
    pub fn new(subject: &dyn Subject, tenant: u128, kb: u128) -> Self {
        let tenant = TenantId::from_uuid(Uuid::from_u128(tenant));
        let id = KnowledgeBaseId::from_uuid(Uuid::from_u128(kb));
        let scope = subject.scope(tenant, &[id]);
        assert!(scope.contains(id));
        Self { tenant, id, scope }
    }

    /// # Panics
    /// Never: a scope has its own knowledge base.
    #[must_use]
    pub fn partition(&self) -> Partition {
        self.scope.partition(self.id).expect("its own partition")
    }
}

/// A question to the suite's texts.
#[must_use]
pub fn probe(version: i64, text: &str, vector: Option<&[f32]>) -> Probe {
    Probe {
        version,
        question: question(text),
        dense: vector.map(|vector| (MODEL.to_owned(), vector.to_vec())),
        documents: None,
        limit: 10,
    }
}

/// The same, restricted to some documents.
#[must_use]
pub fn among(probe: Probe, documents: &[DocumentId]) -> Probe {
    Probe {
        documents: Some(documents.to_vec()),
        ..probe
    }
}

/// Makes a test of each case of the suite for the subject that an expression makes. With `if`, the
/// expression makes a subject or none, and has said then why there is none.
#[macro_export]
macro_rules! engine_suite {
    (if $subject:expr) => {
        $crate::engine_suite!(@cases $subject,
            two_tenants_do_not_see_each_other,
            a_scope_without_the_knowledge_base_finds_nothing,
            statistics_do_not_cross_partitions,
            filters_restrict_what_is_found,
            changes_replace_what_was_known,
            a_restart_changes_nothing,
            a_newer_version_is_taken_in_before_the_answer,
            a_log_that_forgot_begins_anew,
            hits_are_measured_both_ways,
            chunks_without_a_vector_are_found_by_words,
            models_do_not_mix,
            misspelled_words_are_corrected,
            nothing_near_is_missed,
            searches_see_whole_documents,
            a_removed_partition_stays_removed,
            an_unreadable_log_is_an_error_and_no_more,
            an_empty_knowledge_base_answers,
        );
    };
    ($subject:expr) => {
        $crate::engine_suite!(if Some($subject));
    };
    (@cases $subject:expr, $($case:ident),+ $(,)?) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $case() {
            if let Some(subject) = $subject {
                $crate::engine_suite::$case(&subject).await;
            }
        }
    )+};
}
