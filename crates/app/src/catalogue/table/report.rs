//! What came of a file.

use crate::catalogue::prompt_places::ProposedForPrompt;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How many problems are listed; the number of wrong rows is always told.
const MOST_PROBLEMS: usize = 1_000;

/// A sentence in Spanish and English.
pub(super) type Texts = (String, String);

/// What is wrong with a row, each with its column where it is one.
pub(super) type RowProblems = Vec<(Option<&'static str>, Texts)>;

/// Something wrong in a file.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ImportProblem {
    /// The line in the file; the first is the header.
    #[schema(example = 17)]
    pub line: u64,
    /// The column, where it is one.
    pub column: Option<String>,
    /// In Spanish.
    pub es: String,
    /// In English.
    pub en: String,
}

/// What came of a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct ImportReport {
    pub rows: u64,
    pub created: u64,
    pub updated: u64,
    /// Rows that say nothing new.
    pub unchanged: u64,
    pub failed: u64,
    /// Nothing was saved because only a trial was asked for.
    pub dry_run: bool,
    /// The columns of the file that mean nothing here.
    pub ignored_columns: Vec<String>,
    /// The columns that stand in the file more than once. Rows in which they differ are wrong.
    pub repeated_columns: Vec<String>,
    /// In the order of the lines, at most a thousand.
    pub problems: Vec<ImportProblem>,
    /// For instructions: the important ones that have no place in the prompt, the most important
    /// first. They get one when somebody says so.
    #[serde(default)]
    pub proposed_for_prompt: Vec<ProposedForPrompt>,
}

/// What became of a row.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    Created,
    Updated,
    Unchanged,
}

impl ImportReport {
    pub(super) fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Created => self.created += 1,
            Outcome::Updated => self.updated += 1,
            Outcome::Unchanged => self.unchanged += 1,
        }
    }

    pub(super) fn fail(&mut self, line: u64, problems: RowProblems) {
        self.failed += 1;
        for (column, (es, en)) in problems {
            self.problems.push(ImportProblem {
                line,
                column: column.map(str::to_owned),
                es,
                en,
            });
        }
    }

    /// What came of some more of the rows that are counted already.
    pub(super) fn add(&mut self, more: Self) {
        self.created += more.created;
        self.updated += more.updated;
        self.unchanged += more.unchanged;
        self.failed += more.failed;
        self.problems.extend(more.problems);
    }

    /// How many rows are in the catalogue as the file has them.
    pub(super) fn saved(&self) -> u64 {
        self.created + self.updated + self.unchanged
    }

    /// Cells are read before anything is saved, and what is wrong is told line by line.
    pub(super) fn in_order(mut self) -> Self {
        self.problems.sort_by_key(|problem| problem.line);
        self.problems.truncate(MOST_PROBLEMS);
        self
    }
}
