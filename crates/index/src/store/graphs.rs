//! When a partition needs a graph, and when it no longer does.

use super::Store;
use crate::dense::{self, Query};
use crate::fault::Outcome;
use crate::graph::Graph;
use crate::manifest::Refusal;
use crate::table::Table;
use quipu_core::engine::beside;
use std::path::PathBuf;
use std::sync::Arc;

/// What a graph must find of the nearest, or it is not used.
const ENOUGH: f32 = 0.99;
/// From how many rows it is asked for the nearest so many.
const SAMPLE: usize = 64;
const NEAREST: usize = 10;
/// Two rows at the same distance may change places by the way sums are rounded.
const CLOSE: f32 = 1e-6;

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

/// A graph with what it is worth.
pub(crate) struct Built {
    pub(crate) graph: Graph,
    /// Whether it finds what a scan finds. Vectors that point anywhere lead no search to its goal.
    finds_enough: bool,
}

impl GraphPlan {
    pub(crate) fn build(&self) -> Outcome<Built> {
        let graph = Graph::build(
            &self.folder,
            &self.table,
            &self.model,
            self.dimensions,
            self.upto,
            self.older.as_deref(),
        )?;
        let recall = self.recall(&graph).inspect_err(|_| graph.doom())?;
        let finds_enough = recall >= ENOUGH;
        if !finds_enough {
            tracing::info!(model = %self.model, recall, "a graph finds too little; the knowledge base stays scanned");
        }
        Ok(Built {
            graph,
            finds_enough,
        })
    }

    /// Of the rows nearest to vectors beside some of them, the share that the graph leads to.
    fn recall(&self, graph: &Graph) -> Outcome<f32> {
        let sample = dense::sample(&self.table, &self.model, self.dimensions, SAMPLE)?;
        let (mut found, mut all) = (0_u16, 0_u16);
        for (vector, number) in sample.iter().zip(0..) {
            let vector = beside(vector, number);
            let query = Query::new(&self.model, &vector);
            let best = |candidates: &[dense::Candidate]| -> Outcome<Vec<f32>> {
                let measured = dense::measure(&self.table, &query, candidates)?;
                let mut cosines: Vec<f32> =
                    measured.into_iter().map(|(_, cosine)| cosine).collect();
                cosines.sort_unstable_by(|a, b| b.total_cmp(a));
                cosines.truncate(NEAREST);
                Ok(cosines)
            };
            let exact = best(&dense::scan(&self.table, &query, 0, None, NEAREST)?)?;
            let rows = graph.search(query.codes(), dense::oversampled(NEAREST), |_| true)?;
            let reached = best(&dense::candidates(&self.table, &query, &rows))?;
            let least = exact.last().copied().unwrap_or(0.0) - CLOSE;
            let near = reached.iter().filter(|&&cosine| cosine >= least).count();
            found += u16::try_from(near.min(exact.len())).unwrap_or(0);
            all += u16::try_from(exact.len()).unwrap_or(0);
        }
        Ok(f32::from(found) / f32::from(all.max(1)))
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
                // What was refused is tried again when there is twice as much.
                let refused = self.manifest.refused.iter().any(|refused| {
                    refused.model == model
                        && refused.dimensions == dimensions
                        && live < 2 * refused.rows
                });
                if live <= self.exact_rows || refused {
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
    pub(crate) fn install(&mut self, plan: &GraphPlan, built: Built) -> Outcome<bool> {
        let graph = built.graph;
        if self.manifest.birth != plan.birth || self.words.is_none() {
            graph.doom();
            return Ok(false);
        }
        let is_old = |old: &Arc<Graph>| {
            old.entry.model == plan.model && old.entry.dimensions == plan.dimensions
        };
        let (old, kept): (Vec<_>, Vec<_>) = self.graphs.iter().cloned().partition(is_old);
        self.graphs = kept;
        let refused = &mut self.manifest.refused;
        refused.retain(|r| r.model != plan.model || r.dimensions != plan.dimensions);
        if built.finds_enough {
            self.graphs.push(Arc::new(graph));
        } else {
            refused.push(Refusal {
                model: plan.model.clone(),
                dimensions: plan.dimensions,
                rows: graph.entry.rows,
            });
            graph.doom();
        }
        self.save()?;
        for graph in old {
            graph.doom();
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
