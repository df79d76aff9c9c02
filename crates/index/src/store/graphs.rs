//! When a partition needs a graph, and when it no longer does.

use super::Store;
use crate::fault::Outcome;
use crate::graph::Graph;
use crate::table::Table;
use std::path::PathBuf;
use std::sync::Arc;

/// A graph that is worth building.
pub(crate) struct GraphPlan {
    folder: PathBuf,
    birth: String,
    table: Table,
    model: String,
    dimensions: usize,
    upto: u32,
    older: Option<Arc<Graph>>,
}

impl GraphPlan {
    pub(crate) fn build(&self) -> Outcome<Graph> {
        Graph::build(
            &self.folder,
            &self.table,
            &self.model,
            self.dimensions,
            self.upto,
            self.older.as_deref(),
        )
    }
}

impl Store {
    /// A graph is kept until half of what makes one necessary is gone.
    pub(super) fn drop_small_graphs(&mut self) -> Outcome<bool> {
        let (kept, gone): (Vec<_>, Vec<_>) = self.graphs.iter().cloned().partition(|graph| {
            let entry = &graph.entry;
            self.table.live_of(&entry.model, entry.dimensions, 0) > self.exact_rows / 2
        });
        if gone.is_empty() {
            return Ok(false);
        }
        self.graphs = kept;
        self.save()?;
        for graph in gone {
            graph.doom();
        }
        Ok(true)
    }

    /// The graph that is missing most, if any is.
    pub(crate) fn plan_graph(&self) -> Option<GraphPlan> {
        self.table
            .models()
            .into_iter()
            .find_map(|(model, dimensions)| {
                let live = self.table.live_of(&model, dimensions, 0);
                if live <= self.exact_rows {
                    return None;
                }
                let graph = self.graphs.iter().find(|graph| {
                    graph.entry.model == model && graph.entry.dimensions == dimensions
                });
                let older = match graph {
                    None => None,
                    Some(graph) => {
                        let tail = self.table.live_of(&model, dimensions, graph.entry.upto);
                        let dead = graph.entry.rows.saturating_sub(live - tail);
                        if dead * 3 > graph.entry.rows {
                            None
                        } else if tail > self.exact_rows / 2 {
                            Some(Arc::clone(graph))
                        } else {
                            return None;
                        }
                    }
                };
                Some(GraphPlan {
                    folder: self.folder.clone(),
                    birth: self.manifest.birth.clone(),
                    table: self.table.clone(),
                    model,
                    dimensions,
                    upto: self.manifest.next_row,
                    older,
                })
            })
    }

    /// Uses a graph from now on, unless the partition is no longer the one it was built for.
    pub(crate) fn install(&mut self, plan: &GraphPlan, graph: Graph) -> Outcome<bool> {
        if self.manifest.birth != plan.birth || self.words.is_none() {
            graph.doom();
            return Ok(false);
        }
        let is_old = |old: &Arc<Graph>| {
            old.entry.model == plan.model && old.entry.dimensions == plan.dimensions
        };
        let (old, kept): (Vec<_>, Vec<_>) = self.graphs.iter().cloned().partition(is_old);
        self.graphs = kept;
        self.graphs.push(Arc::new(graph));
        self.save()?;
        for graph in old {
            graph.doom();
        }
        Ok(true)
    }
}
