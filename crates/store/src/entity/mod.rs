//! The tables as `SeaORM` sees them. Private to this crate: outside it there are only repositories,
//! so no query can be written that forgets its tenant.

pub(crate) mod agent;
pub(crate) mod agent_draft;
pub(crate) mod agent_version;
pub(crate) mod api_key;
pub(crate) mod appointment;
pub(crate) mod assignment;
pub(crate) mod attachment;
pub(crate) mod audit;
pub(crate) mod booked_tick;
pub(crate) mod business_setting;
pub(crate) mod catalogue_item;
pub(crate) mod channel_connection;
pub(crate) mod channel_contact;
pub(crate) mod channel_inbound;
pub(crate) mod channel_mark;
pub(crate) mod channel_outbound;
pub(crate) mod channel_talk;
pub(crate) mod chunk;
pub(crate) mod chunk_vector;
pub(crate) mod conversation;
pub(crate) mod conversation_dialogue;
pub(crate) mod credit;
pub(crate) mod deletion_receipt;
pub(crate) mod document;
pub(crate) mod document_source;
pub(crate) mod document_tag;
pub(crate) mod document_text;
pub(crate) mod event_delivery;
pub(crate) mod event_endpoint;
pub(crate) mod gap_decision;
pub(crate) mod history;
pub(crate) mod idempotency;
pub(crate) mod index_change;
pub(crate) mod invoice_request;
pub(crate) mod job;
pub(crate) mod knowledge_base;
pub(crate) mod lead;
pub(crate) mod lead_identity;
pub(crate) mod lead_merge;
pub(crate) mod learned_answer;
pub(crate) mod live_event;
pub(crate) mod loyalty_transaction;
pub(crate) mod membership;
pub(crate) mod message;
pub(crate) mod order;
pub(crate) mod password_reset;
pub(crate) mod plan;
pub(crate) mod prompt;
pub(crate) mod prompt_place;
pub(crate) mod redemption;
pub(crate) mod rehearsal_result;
pub(crate) mod rehearsal_run;
pub(crate) mod rehearsal_script;
pub(crate) mod retrieval;
pub(crate) mod secret;
pub(crate) mod session;
pub(crate) mod sign_in_failure;
pub(crate) mod temperature_change;
pub(crate) mod tenant;
pub(crate) mod tenant_version;
pub(crate) mod tool_call;
pub(crate) mod turn;
pub(crate) mod turn_feedback;
pub(crate) mod usage;
pub(crate) mod user;
pub(crate) mod voice_call;
pub(crate) mod website;
pub(crate) mod website_page;

use sea_orm::EntityTrait;

/// A table with a `tenant_id`. [`crate::TenantTx`] builds every query over one of these, with
/// the filter already in it.
pub(crate) trait TenantOwned: EntityTrait {
    const TENANT: Self::Column;
}

macro_rules! tenant_owned {
    ($($module:ident),+ $(,)?) => {$(
        impl TenantOwned for $module::Entity {
            const TENANT: Self::Column = $module::Column::TenantId;
        }
    )+};
}

tenant_owned!(
    agent,
    agent_draft,
    agent_version,
    api_key,
    appointment,
    assignment,
    attachment,
    audit,
    booked_tick,
    business_setting,
    catalogue_item,
    chunk,
    chunk_vector,
    channel_connection,
    channel_contact,
    channel_inbound,
    channel_mark,
    channel_outbound,
    channel_talk,
    conversation,
    conversation_dialogue,
    credit,
    document,
    document_source,
    document_tag,
    document_text,
    event_delivery,
    event_endpoint,
    gap_decision,
    history,
    idempotency,
    index_change,
    invoice_request,
    job,
    knowledge_base,
    lead,
    lead_identity,
    lead_merge,
    learned_answer,
    live_event,
    loyalty_transaction,
    membership,
    message,
    order,
    prompt,
    prompt_place,
    redemption,
    rehearsal_result,
    rehearsal_run,
    rehearsal_script,
    retrieval,
    secret,
    temperature_change,
    tenant_version,
    tool_call,
    turn,
    turn_feedback,
    usage,
    voice_call,
    website,
    website_page,
);
