//! The terms of a partition, read only when a question has a word that it does not have.

use super::fault::Outcome;
use super::filter::Filter;
use super::point::field;
use super::record::Record;
use super::server::Server;
use quipu_core::engine::Partition;
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use uuid::Uuid;

/// How many terms are remembered, of all partitions together.
const MOST_TERMS: usize = 2_000_000;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    partition: Partition,
    incarnation: Uuid,
    version: i64,
}

/// The vocabularies that were read last, the latest first.
#[derive(Default)]
pub(super) struct Vocabularies {
    known: Mutex<VecDeque<(Key, Arc<Vec<String>>)>>,
}

impl Vocabularies {
    pub(super) async fn of(
        &self,
        server: &Server,
        collection: &str,
        partition: Partition,
        record: &Record,
    ) -> Outcome<Arc<Vec<String>>> {
        #[derive(Deserialize)]
        struct Term {
            value: String,
        }
        let key = Key {
            partition,
            incarnation: record.incarnation,
            version: record.version,
        };
        if let Some(terms) = self.find(key) {
            return Ok(terms);
        }
        let filter = Filter::of(partition).at(record.version);
        let found: Vec<Term> = server.values(collection, field::TERMS, &filter).await?;
        let terms = Arc::new(found.into_iter().map(|term| term.value).collect());
        self.keep(key, Arc::clone(&terms));
        Ok(terms)
    }

    fn find(&self, key: Key) -> Option<Arc<Vec<String>>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let at = known.iter().position(|(kept, _)| *kept == key)?;
        let found = known.remove(at)?;
        let terms = Arc::clone(&found.1);
        known.push_front(found);
        Some(terms)
    }

    fn keep(&self, key: Key, terms: Arc<Vec<String>>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        // An older version of the same partition is not asked for again.
        known.retain(|(kept, _)| kept.partition != key.partition);
        known.push_front((key, terms));
        let mut total = 0;
        known.retain(|(_, terms)| {
            total += terms.len();
            total <= MOST_TERMS
        });
    }
}
