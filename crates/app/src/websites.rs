//! Whole websites as knowledge: added by people, read page by page in the background, and again when
//! they are due.
//!
//! A reading finds addresses in the site's sitemap or by its links and looks at one of them at a time.
//! Every address is a row, and every step is one transaction under the lease of the job: killed
//! anywhere, the next attempt goes on with the next address. Each page is an ordinary document, whose
//! original is stored here and whose text is cut and embedded by a job of its own. Nothing is removed
//! before a reading has come to its end.

mod input;
mod keep;
mod manage;
mod preview;
mod progress;
mod reader;
mod schedule;
mod sieve;
mod survey;
mod visit;
mod wrap_up;

pub use input::{CreateWebsite, PreviewWebsite, UpdateWebsite};
pub use manage::{create, delete, get, list, pages, read_now, stop, update};
pub use preview::{WebsitePreview, preview};
pub(crate) use reader::{follow, read_website};
pub use schedule::enqueue_due;

use crate::App;
use quipu_core::extraction::Failure;
use quipu_core::job::NewJob;
use quipu_core::language::Language;
use quipu_core::website::SiteProblem;
use quipu_core::{Error, Result, Timestamp, UserId, WebsiteId};
use quipu_store::TenantTx;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The job that reads a website.
pub const READ_WEBSITE: &str = "read_website";

pub(crate) fn target(id: WebsiteId) -> String {
    format!("website:{id}")
}

/// What the job of a reading is told.
#[derive(Debug, Serialize, Deserialize)]
struct ReadingOrder {
    website_id: WebsiteId,
    /// Who wanted it, as the audit log calls them; nobody where the website was due. A key that
    /// works no more has nothing read any longer.
    #[serde(default)]
    by: Option<String>,
}

/// The order to read a website, of which there is one at a time.
fn reading(app: &App, order: &ReadingOrder, at: Timestamp, owner: Option<UserId>) -> NewJob {
    let id = order.website_id;
    NewJob {
        kind: READ_WEBSITE,
        payload: json!(order),
        dedup_key: Some(id.to_string()),
        run_at: at,
        max_attempts: app.job_attempts,
        owner,
    }
}

/// Why something is not read, as it is kept and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SiteReason {
    code: String,
    message: String,
}

impl SiteReason {
    fn problem(problem: SiteProblem, language: Language) -> Self {
        Self {
            code: problem.code().to_owned(),
            message: problem.message(language).to_owned(),
        }
    }

    fn failure(failure: Failure, language: Language) -> Self {
        Self {
            code: failure.code().to_owned(),
            message: failure.message(language).to_owned(),
        }
    }

    fn error(error: &Error, language: Language) -> Self {
        Self {
            code: error.code().as_str().to_owned(),
            message: error.message(language),
        }
    }

    fn told(&self) -> (&str, &str) {
        (&self.code, &self.message)
    }
}

/// The language in which the tenant is told what happened in the background.
async fn language(tx: &TenantTx) -> Result<Language> {
    let locale = tx.profile().get().await?.locale;
    Ok(Language::parse_or_default(
        locale.split('-').next().unwrap_or_default(),
    ))
}
