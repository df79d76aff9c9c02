//! A partition as a search sees it: complete, at one version, whatever is written meanwhile.

use crate::dense::{self, Query};
use crate::fault::Outcome;
use crate::graph::Graph;
use crate::table::{LiveRows, Rows, Table};
use crate::words::{Measured, Terms, View};
use quipu_core::DocumentId;
use quipu_core::engine::{Found, Hit, Probe};
use std::collections::BTreeMap;
use std::sync::Arc;

/// More is never asked for.
const MOST: usize = 1_000;
/// From how many chunks on both legs run at the same time.
const MANY: usize = 20_000;

pub(crate) struct Snapshot {
    pub(crate) version: i64,
    pub(crate) exact_rows: usize,
    pub(crate) table: Table,
    /// Each with those of its rows that still count.
    pub(crate) graphs: Vec<(Arc<Graph>, LiveRows)>,
    /// Whether a graph was built and found too little to be used.
    pub(crate) refused: bool,
    pub(crate) words: Option<View>,
}

impl Snapshot {
    pub(crate) fn chunks(&self) -> usize {
        self.table.live()
    }

    pub(crate) fn chunks_of(&self, documents: &[DocumentId]) -> usize {
        self.table.rows_of(documents).count()
    }

    pub(crate) fn search(&self, probe: &Probe) -> Outcome<Found> {
        let mut found = Found {
            hits: Vec::new(),
            known: vec![false; probe.question.concepts.len()],
            chunks: self.chunks(),
        };
        let Some(words) = self.words.as_ref().filter(|_| found.chunks > 0) else {
            return Ok(found);
        };
        let limit = probe.limit.min(MOST);
        let only = probe
            .documents
            .as_deref()
            .map(|only| self.table.rows_of(only));
        let query = probe
            .dense
            .as_ref()
            .map(|(model, vector)| Query::new(model, vector));
        let by_vector = || match &query {
            Some(query) => self.nearest(query, only.as_ref(), limit),
            None => Ok(Vec::new()),
        };
        let by_words = || -> Outcome<(Measured<'_>, Vec<u32>)> {
            let vocabulary = Terms::new(words);
            let question = probe.question.clone().corrected(&vocabulary);
            vocabulary.finish()?;
            let measured = Measured::new(words, &question)?;
            let best = measured.best(limit, only.as_ref())?;
            Ok((measured, best))
        };
        let (nearest, by_words) = if found.chunks < MANY || query.is_none() {
            (by_vector(), by_words())
        } else {
            std::thread::scope(|scope| {
                let vectors = scope.spawn(by_vector);
                let by_words = by_words();
                match vectors.join() {
                    Ok(nearest) => (nearest, by_words),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            })
        };
        let (measured, by_words) = by_words?;
        found.known.clone_from(&measured.known);
        let mut cosines: BTreeMap<u32, Option<f32>> = BTreeMap::new();
        cosines.extend(
            nearest?
                .into_iter()
                .map(|(row, cosine)| (row, Some(cosine))),
        );
        if let Some(query) = &query {
            let unknown: Vec<u32> = by_words
                .iter()
                .copied()
                .filter(|row| !cosines.contains_key(row))
                .collect();
            let candidates = dense::candidates(&self.table, query, &unknown);
            let known = dense::measure(&self.table, query, &candidates)?;
            cosines.extend(known.into_iter().map(|(row, cosine)| (row, Some(cosine))));
        }
        for row in by_words {
            cosines.entry(row).or_insert(None);
        }
        found.hits = cosines
            .into_iter()
            .filter_map(|(row, cosine)| {
                let (chunk, document) = self.table.ids(row)?;
                let score = measured.of(row);
                Some(Hit {
                    chunk,
                    document,
                    cosine,
                    coverage: score.coverage,
                    relevance: score.relevance,
                })
            })
            .collect();
        Ok(found)
    }

    /// The nearest rows with their cosines, nearest first.
    fn nearest(
        &self,
        query: &Query<'_>,
        only: Option<&Rows>,
        limit: usize,
    ) -> Outcome<Vec<(u32, f32)>> {
        let graph = self.graphs.iter().find(|(graph, _)| {
            graph.entry.model == query.model && graph.entry.dimensions == query.vector.len()
        });
        // Few rows are scanned sooner than a graph is searched for them, and among many that are gone
        // it does not find them all.
        let few = self.chunks() <= self.exact_rows / 2;
        let graph =
            graph.filter(|_| !few && only.is_none_or(|only| only.count() > self.exact_rows));
        let mut candidates = match graph {
            Some((graph, live)) => self.by_graph(graph, live, query, only, limit)?,
            None => Vec::new(),
        };
        let from = if candidates.is_empty() {
            0
        } else {
            graph.map_or(0, |(graph, _)| graph.entry.upto)
        };
        candidates.extend(dense::scan(&self.table, query, from, only, limit)?);
        let mut nearest = dense::measure(&self.table, query, &candidates)?;
        nearest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        nearest.truncate(limit);
        Ok(nearest)
    }

    /// Nothing when the graph found less than there must be: then everything is scanned.
    fn by_graph(
        &self,
        graph: &Graph,
        live: &LiveRows,
        query: &Query<'_>,
        only: Option<&Rows>,
        limit: usize,
    ) -> Outcome<Vec<dense::Candidate>> {
        let wanted = |row: u32| only.is_none_or(|only| only.contains(row)) && live.contains(row);
        let count = dense::oversampled(limit);
        let rows = graph.search(query.codes(), count, wanted)?;
        if rows.len() < limit {
            return Ok(Vec::new());
        }
        Ok(dense::candidates(&self.table, query, &rows))
    }
}
