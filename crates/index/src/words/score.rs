//! How well the words of chunks answer a question, read from the lists of who has which term.

use super::View;
use super::found::{Match, Stretch, Window, stretches};
use super::threads::{each, worth};
use crate::fault::Outcome;
use crate::table::Rows;
use quipu_core::analysis::Question;
use quipu_core::analysis::bm25::{Score, Statistics, average, inverse_frequency};

/// No chunk scores more for an idea, of the idea's share of all.
const HIGHEST: f32 = 2.0;

/// The scores of all chunks of a partition.
pub(crate) struct Measured<'a> {
    view: &'a View,
    /// For each idea of the question, whether some chunk has it.
    pub(crate) known: Vec<bool>,
    /// What each idea weighs, of all together.
    shares: Vec<f32>,
    /// Who has which idea, in the order of the segments and of their documents.
    found: Vec<(Stretch, Vec<Window>)>,
}

impl<'a> Measured<'a> {
    pub(crate) fn new(view: &'a View, question: &Question) -> Outcome<Self> {
        let average = average(Statistics {
            chunks: view.chunks as u64,
            length: view.length,
        });
        let threads = worth(view.chunks);
        let stretches = stretches(view, threads);
        let windows = each(threads, &stretches, |stretch| {
            stretch.read(view, question, average)
        })?;
        let found: Vec<(Stretch, Vec<Window>)> = stretches.into_iter().zip(windows).collect();
        let counts: Vec<usize> = (0..question.concepts.len())
            .map(|idea| {
                let windows = found.iter().flat_map(|(_, windows)| windows);
                windows.map(|window| window.ideas[idea].len()).sum()
            })
            .collect();
        let known = counts.iter().map(|&count| count > 0).collect();
        let weights: Vec<f32> = counts
            .iter()
            .map(|&count| inverse_frequency(view.chunks as u64, count as u64))
            .collect();
        let total: f32 = weights.iter().sum();
        let shares = weights.iter().map(|weight| weight / total).collect();
        Ok(Self {
            view,
            known,
            shares,
            found,
        })
    }

    /// The score of a row.
    pub(crate) fn of(&self, row: u32) -> Score {
        let docs = self.view.segments.iter().enumerate();
        let mut docs = docs.flat_map(|(at, (reader, segment))| {
            let docs = segment.docs(row).filter(|&doc| !reader.is_deleted(doc));
            docs.map(move |doc| (at, doc))
        });
        let Some((segment, doc)) = docs.next() else {
            return Score::default();
        };
        let held = |(stretch, _): &&(Stretch, Vec<Window>)| {
            stretch.segment == segment && stretch.docs.contains(&doc)
        };
        let windows = self.found.iter().find(held);
        let window = windows.and_then(|(_, windows)| {
            let after = windows.partition_point(|window| window.first <= doc);
            windows.get(after.checked_sub(1)?)
        });
        let mut score = Score::default();
        for (share, found) in self.shares.iter().zip(window.map_or(&[][..], |w| &w.ideas)) {
            if let Ok(place) = found.binary_search_by_key(&doc, |found| found.doc) {
                score.coverage += share * found[place].strength;
                score.relevance += share * found[place].saturated;
            }
        }
        score
    }

    /// The rows that answer best, best first.
    pub(crate) fn best(&self, limit: usize, only: Option<&Rows>) -> Outcome<Vec<u32>> {
        // The heaviest ideas first: whoever has none of those may not need to be looked at.
        let mut ideas: Vec<usize> = (0..self.shares.len()).collect();
        ideas.sort_by(|&a, &b| self.shares[b].total_cmp(&self.shares[a]));
        let best = each(
            worth(self.view.chunks),
            &self.found,
            |(stretch, windows)| {
                let mut best = Best::new(limit);
                let longest = windows.iter().map(|window| window.length).max();
                let mut totals = vec![0.0; longest.unwrap_or(0)];
                for window in windows {
                    self.look(stretch, window, &ideas, &mut totals, only, &mut best);
                    totals.fill(0.0);
                }
                Ok(best)
            },
        )?;
        let mut all = Best::new(limit);
        for best in best {
            all.found.extend(best.found);
        }
        all.cut(limit);
        Ok(all.found.into_iter().map(|(_, row)| row).collect())
    }

    /// Takes in what is best of a window.
    fn look(
        &self,
        stretch: &Stretch,
        window: &Window,
        ideas: &[usize],
        totals: &mut [f32],
        only: Option<&Rows>,
        best: &mut Best,
    ) {
        let place = |found: &Match| (found.doc - window.first) as usize;
        // What the ideas behind the first ones can bring at most, and how many there have to be.
        let mut rest: f32 = self.shares.iter().sum::<f32>() * HIGHEST;
        let mut needed = 0;
        while needed < ideas.len() && rest >= best.worst {
            rest -= self.shares[ideas[needed]] * HIGHEST;
            needed += 1;
        }
        let (heavy, light) = ideas.split_at(needed);
        for &idea in heavy {
            for found in &window.ideas[idea] {
                totals[place(found)] += self.shares[idea] * (found.strength + found.saturated);
            }
        }
        for &idea in light {
            for found in &window.ideas[idea] {
                let total = &mut totals[place(found)];
                if *total > 0.0 {
                    *total += self.shares[idea] * (found.strength + found.saturated);
                }
            }
        }
        let rows = &self.view.segments[stretch.segment].1.rows;
        for &idea in heavy {
            for found in &window.ideas[idea] {
                // Looked at once, whatever other ideas it has.
                let total = std::mem::take(&mut totals[place(found)]);
                if total > 0.0 && total >= best.worst {
                    let row = rows[found.doc as usize];
                    if only.is_none_or(|only| only.contains(row)) {
                        best.take(total, row);
                    }
                }
            }
        }
    }
}

/// The best rows so far.
struct Best {
    limit: usize,
    found: Vec<(f32, u32)>,
    /// Whoever scores less is not among them.
    worst: f32,
}

impl Best {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            found: Vec::new(),
            worst: 0.0,
        }
    }

    fn take(&mut self, total: f32, row: u32) {
        self.found.push((total, row));
        if self.found.len() > 2 * self.limit + 64 {
            self.cut(self.limit);
            self.worst = self.found.last().map_or(0.0, |(worst, _)| *worst);
        }
    }

    fn cut(&mut self, limit: usize) {
        let best_first = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        self.found.sort_unstable_by(best_first);
        self.found.truncate(limit);
    }
}

#[cfg(test)]
mod tests;
