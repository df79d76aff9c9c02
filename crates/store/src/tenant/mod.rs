//! The repositories of a tenant. Each hangs on a [`TenantTx`], which filters for it.

mod agents;
mod api_keys;
mod appointments;
mod assignments;
mod attachments;
mod audit;
mod catalogue;
mod changes;
mod chunks;
mod conversations;
mod credits;
mod documents;
mod history;
mod idempotency;
mod ingest;
mod invoice_requests;
mod jobs;
mod knowledge_bases;
mod leads;
mod learned_answers;
mod loyalty;
mod members;
mod messages;
mod orders;
mod profile;
mod prompt_places;
mod prompts;
mod redemptions;
mod removal;
mod retrievals;
mod secrets;
mod settings;
mod tool_calls;
mod turn_measures;
mod turns;
mod usage;
mod vectors;

pub use agents::Agents;
pub(crate) use api_keys::into_api_key;
pub use api_keys::{ApiKeys, NewApiKey};
pub use appointments::{AppointmentFilter, Appointments};
pub use assignments::Assignments;
pub use attachments::Attachments;
pub use audit::{Audit, NewAuditEntry};
pub use catalogue::{Catalogue, Told};
pub use changes::{Change, IndexChanges, IndexedChunk, IndexedDocument};
pub use chunks::Chunks;
pub use conversations::Conversations;
pub use credits::Credits;
pub use documents::{Documents, Original};
pub use history::History;
pub use idempotency::{Idempotency, Recorded};
pub use ingest::{Ingest, IngestItem, NewChunk};
pub use invoice_requests::InvoiceRequests;
pub use jobs::Jobs;
pub(crate) use jobs::{is, null, waiting};
pub use knowledge_bases::{KnowledgeBases, NewKnowledgeBase, OpenKb};
pub use leads::Leads;
pub use learned_answers::{Decision, LearnedAnswers};
pub use loyalty::{Loyalty, Reason};
pub use members::Members;
pub use messages::Messages;
pub use orders::{OrderFilter, Orders};
pub use profile::{Profile, TenantChange};
pub use prompt_places::PromptPlaces;
pub use prompts::{PromptKey, Prompts, StoredPrompt};
pub use redemptions::Redemptions;
pub use removal::{Removal, Target};
pub use retrievals::{NewRetrieval, Retrievals};
pub use secrets::{SealedSecret, Secrets, StoredSecret};
pub use settings::Settings;
pub use tool_calls::ToolCalls;
pub use turn_measures::{TurnMeasures, Within};
pub use turns::{TurnFilter, TurnViewer, Turns};
pub use usage::{Usage, UsageCounter};
pub use vectors::{Unembedded, Vectors};

use crate::TenantTx;
use sea_orm::sea_query::SimpleExpr;
use sea_orm::{EntityTrait, QueryTrait, Select};

/// The one value that a query finds, or NULL, as part of another query. Unlike EXISTS and IN it is
/// looked up for each row on its own: PostgreSQL cannot take it for a join, which it plans badly as
/// long as it has not counted a table that is being filled.
fn one<E: EntityTrait>(query: Select<E>) -> SimpleExpr {
    SimpleExpr::SubQuery(None, Box::new(query.into_query().into()))
}

macro_rules! repositories {
    ($($method:ident: $name:ident),+ $(,)?) => {
        impl TenantTx {
            $(#[must_use]
            pub fn $method(&self) -> $name<'_> {
                $name(self)
            })+
        }
    };
}

repositories! {
    agents: Agents,
    api_keys: ApiKeys,
    appointments: Appointments,
    assignments: Assignments,
    attachments: Attachments,
    audit: Audit,
    catalogue: Catalogue,
    chunks: Chunks,
    conversations: Conversations,
    credits: Credits,
    documents: Documents,
    history: History,
    idempotency: Idempotency,
    index_changes: IndexChanges,
    ingest: Ingest,
    invoice_requests: InvoiceRequests,
    jobs: Jobs,
    knowledge_bases: KnowledgeBases,
    leads: Leads,
    learned_answers: LearnedAnswers,
    members: Members,
    messages: Messages,
    loyalty: Loyalty,
    orders: Orders,
    profile: Profile,
    prompt_places: PromptPlaces,
    prompts: Prompts,
    redemptions: Redemptions,
    removal: Removal,
    retrievals: Retrievals,
    secrets: Secrets,
    settings: Settings,
    tool_calls: ToolCalls,
    turn_measures: TurnMeasures,
    turns: Turns,
    usage: Usage,
    vectors: Vectors,
}
