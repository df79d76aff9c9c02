//! Catalogues as tables: what people have in a spreadsheet, row by row.
//!
//! A row is a merge patch for the thing it names, so that a file changes what its columns say and
//! leaves the rest, and a wrong row is a wrong patch and says why. The good rows are saved.

mod cells;
mod columns;
mod exporting;
mod importing;
mod names;
mod quotes;
mod reading;
mod report;

pub use columns::{Column, Tabular};
pub use exporting::export;
pub(crate) use exporting::harmless;
pub use importing::import;
pub use report::{ImportProblem, ImportReport};
