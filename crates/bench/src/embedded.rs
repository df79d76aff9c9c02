//! The embedded engine, opened and filled as the product does it.

use crate::library::{Library, partition};
use crate::plan::Subject;
use crate::times::refused;
use async_trait::async_trait;
use futures::stream::{self, StreamExt, TryStreamExt};
use quipu_core::Result;
use quipu_core::engine::{ChangeLog, Engine, Partition};
use quipu_index::{EmbeddedEngine, EmbeddedSettings};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How many knowledge bases are filled at a time.
const AT_ONCE: usize = 4;

/// Opens the folder as soon as the last tasks of an engine before it have let it go.
pub(crate) async fn open(
    settings: &EmbeddedSettings,
    log: Arc<dyn ChangeLog>,
) -> Result<EmbeddedEngine> {
    loop {
        let opened = EmbeddedEngine::open(settings.clone(), log.clone()).await?;
        if let Some(engine) = opened {
            return Ok(engine);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Takes in every knowledge base of the library.
pub(crate) async fn fill(engine: &dyn Engine, library: &Library) -> Result<()> {
    stream::iter((0..library.len()).map(|base| engine.catch_up(partition(base))))
        .buffer_unordered(AT_ONCE)
        .try_collect()
        .await
}

pub(crate) struct Embedded {
    pub(crate) engine: EmbeddedEngine,
    pub(crate) settings: EmbeddedSettings,
    pub(crate) graph_wait: Duration,
}

#[async_trait]
impl Subject for Embedded {
    fn engine(&self) -> &dyn Engine {
        &self.engine
    }

    async fn settle(&self, partition: Partition) -> Result<()> {
        let chunks = self.engine.count(partition).await?;
        if chunks <= self.settings.exact_rows as u64 {
            return Ok(());
        }
        let begin = Instant::now();
        while !self.engine.has_tried_a_graph(partition) {
            if begin.elapsed() > self.graph_wait {
                return Err(refused(format!(
                    "the graph of {chunks} chunks was not there after {} s",
                    begin.elapsed().as_secs()
                )));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }
}

/// The settings in words.
pub(crate) fn described(settings: &EmbeddedSettings) -> String {
    format!(
        "embedded engine: {} MiB for partitions, at most {} open, a graph above {} vectors",
        settings.memory_bytes >> 20,
        settings.max_open,
        settings.exact_rows
    )
}
