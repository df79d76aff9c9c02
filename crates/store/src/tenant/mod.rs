//! The repositories of a tenant. Each hangs on a [`TenantTx`], which filters for it.

mod agent_drafts;
mod agent_versions;
mod agents;
mod api_keys;
mod appointments;
mod assignments;
mod attachments;
mod audit;
mod catalogue;
mod changes;
mod channel_connections;
mod channel_contacts;
mod channel_inbound;
mod channel_outbound;
mod chunks;
mod conversations;
mod credits;
mod documents;
mod event_deliveries;
mod event_endpoints;
mod export;
mod gaps;
mod history;
mod idempotency;
mod ingest;
mod invoice_requests;
mod jobs;
mod knowledge_bases;
mod lead_merges;
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
mod rehearsal_results;
mod rehearsal_runs;
mod rehearsal_scripts;
mod removal;
mod retrievals;
mod secrets;
mod settings;
mod stretches;
mod temperature_changes;
mod tool_calls;
mod turn_measures;
mod turns;
mod usage;
mod vectors;
mod voice_calls;
mod website_pages;
mod websites;

pub use agent_drafts::{AgentDrafts, NewDraft};
pub use agent_versions::{AgentVersions, NewVersion};
pub use agents::Agents;
pub(crate) use api_keys::into_api_key;
pub use api_keys::{ApiKeys, NewApiKey};
pub use appointments::{AppointmentFilter, Appointments};
pub use assignments::Assignments;
pub use attachments::Attachments;
pub use audit::{Audit, AuditFilter, NewAuditEntry};
pub use catalogue::{Catalogue, Told};
pub use changes::{Change, IndexChanges, IndexedChunk, IndexedDocument};
pub use channel_connections::ChannelConnections;
pub use channel_contacts::ChannelContacts;
pub use channel_inbound::ChannelInbound;
pub use channel_outbound::{ChannelOutbound, OutboundFilter};
pub use chunks::Chunks;
pub use conversations::Conversations;
pub use credits::Credits;
pub use documents::{Documents, Original};
pub use event_deliveries::EventDeliveries;
pub use event_endpoints::EventEndpoints;
pub use export::{Export, ExportCursor, ExportTable, ExportedFile, ExportedRows};
pub use gaps::Gaps;
pub use history::History;
pub use idempotency::{Idempotency, Recorded};
pub use ingest::{Ingest, IngestItem, NewChunk};
pub use invoice_requests::InvoiceRequests;
pub use jobs::Jobs;
pub(crate) use jobs::{is, null, waiting};
pub use knowledge_bases::{KnowledgeBases, NewKnowledgeBase, OpenKb};
pub use lead_merges::LeadMerges;
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
pub use rehearsal_results::RehearsalResults;
pub use rehearsal_runs::RehearsalRuns;
pub use rehearsal_scripts::RehearsalScripts;
pub use removal::{Removal, Target};
pub use retrievals::{NewRetrieval, Retrievals};
pub use secrets::{SealedSecret, Secrets, StoredSecret};
pub use settings::Settings;
pub use stretches::Stretches;
pub use temperature_changes::{TemperatureCause, TemperatureChanges};
pub use tool_calls::ToolCalls;
pub use turn_measures::{TurnMeasures, Within};
pub use turns::{TurnFilter, TurnViewer, Turns};
pub use usage::{Usage, UsageCounter};
pub use vectors::{Unembedded, Vectors};
pub use voice_calls::{VoiceCallFilter, VoiceCalls};
pub use website_pages::{FoundPage, PageContent, SitePage, WebsitePages};
pub use websites::{PageFault, SiteReading, Websites};

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
    agent_drafts: AgentDrafts,
    agent_versions: AgentVersions,
    agents: Agents,
    api_keys: ApiKeys,
    appointments: Appointments,
    assignments: Assignments,
    attachments: Attachments,
    audit: Audit,
    catalogue: Catalogue,
    channel_connections: ChannelConnections,
    channel_contacts: ChannelContacts,
    channel_inbound: ChannelInbound,
    channel_outbound: ChannelOutbound,
    chunks: Chunks,
    conversations: Conversations,
    credits: Credits,
    documents: Documents,
    event_deliveries: EventDeliveries,
    event_endpoints: EventEndpoints,
    export: Export,
    gaps: Gaps,
    history: History,
    idempotency: Idempotency,
    index_changes: IndexChanges,
    ingest: Ingest,
    invoice_requests: InvoiceRequests,
    jobs: Jobs,
    knowledge_bases: KnowledgeBases,
    lead_merges: LeadMerges,
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
    rehearsal_results: RehearsalResults,
    rehearsal_runs: RehearsalRuns,
    rehearsal_scripts: RehearsalScripts,
    removal: Removal,
    retrievals: Retrievals,
    secrets: Secrets,
    settings: Settings,
    temperature_changes: TemperatureChanges,
    tool_calls: ToolCalls,
    turn_measures: TurnMeasures,
    turns: Turns,
    usage: Usage,
    vectors: Vectors,
    voice_calls: VoiceCalls,
    website_pages: WebsitePages,
    websites: Websites,
}
