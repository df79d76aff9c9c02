//! Everything of a tenant, table by table, for an archive that the tenant takes away.

use crate::TenantTx;
use crate::entity::{
    TenantOwned, agent, agent_draft, agent_version, appointment, assignment, attachment, audit,
    business_setting, catalogue_item, channel_connection, channel_contact, channel_inbound,
    channel_outbound, channel_talk, conversation, credit, document, document_source, document_tag,
    document_text, event_delivery, event_endpoint, gap_decision, history, invoice_request,
    knowledge_base, lead, lead_identity, lead_merge, learned_answer, loyalty_transaction, message,
    order, prompt_place, redemption, rehearsal_result, rehearsal_run, rehearsal_script, retrieval,
    temperature_change, tool_call, turn, turn_feedback, usage, voice_call, website, website_page,
};
use crate::error::db;
use quipu_core::tenancy::PersonalCorpora;
use quipu_core::{Error, Result};
use sea_orm::sea_query::{Expr, ExprTrait, Order, SimpleExpr, Value as Bound};
use sea_orm::{
    ColumnTrait, EntityName, IdenStatic, Iterable, JsonValue, ModelTrait, PrimaryKeyToColumn,
    QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
};
use serde_json::{Map, json};
use uuid::Uuid;

/// The tables of an archive.
pub struct Export<'a>(pub(crate) &'a TenantTx);

/// From where an archive goes on in a table: the key of the last row that is in it.
#[derive(Clone, Debug)]
pub struct ExportCursor(Vec<Bound>);

/// Some rows of a table, in the order of their keys.
#[derive(Clone, Debug, Default)]
pub struct ExportedRows {
    pub rows: Vec<JsonValue>,
    /// Where there are more.
    pub next: Option<ExportCursor>,
}

/// Whose matter the rows of a table are.
#[derive(Clone, Copy)]
enum Whose {
    Business,
    /// Of whoever the column names, where it names somebody.
    Owner,
    OfKnowledgeBase,
    OfDocument,
    OfWebsite,
    OfTurn,
}

macro_rules! tables {
    ($($table:ident = $entity:ident, $whose:ident, $at_once:literal, [$($left_out:ident),*];)+) => {
        /// A table whose rows are the business's to take away.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ExportTable {
            $($table,)+
        }

        impl ExportTable {
            pub const ALL: &[Self] = &[$(Self::$table,)+];

            /// What the table is called in the database, and its file in the archive.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$table => $entity::Entity.table_name(),)+ }
            }
        }

        impl Export<'_> {
            /// Rows of a table from a place on: as many as fit into memory without doubt.
            ///
            /// # Errors
            /// When the database cannot be read.
            pub async fn rows(
                &self,
                table: ExportTable,
                after: Option<&ExportCursor>,
            ) -> Result<ExportedRows> {
                match table {
                    $(ExportTable::$table => {
                        let left_out = [$($entity::Column::$left_out.as_str(),)*];
                        self.of::<$entity::Entity>(Whose::$whose, $at_once, &left_out, after).await
                    })+
                }
            }
        }
    };
}

// The last column leaves out what only the product itself can use, and hashes of what is secret.
tables! {
    Agents = agent, Business, 100, [];
    AgentVersions = agent_version, Business, 20, [];
    AgentDrafts = agent_draft, Business, 20, [Revision];
    PromptPlaces = prompt_place, Business, 200, [];
    BusinessSettings = business_setting, Business, 20, [];
    CatalogueItems = catalogue_item, Business, 100, [NameKey];
    KnowledgeBases = knowledge_base, Owner, 100, [IndexVersion, SearchedWith];
    Assignments = assignment, OfKnowledgeBase, 200, [];
    Websites = website, OfKnowledgeBase, 100, [];
    WebsitePages = website_page, OfWebsite, 200, [];
    Documents = document, OfKnowledgeBase, 100, [Building, BuildingChunks, StorageVersion];
    DocumentTags = document_tag, OfDocument, 200, [];
    DocumentSources = document_source, OfDocument, 2, [];
    DocumentTexts = document_text, OfDocument, 2, [];
    Leads = lead, Business, 200, [SearchKey];
    LeadIdentities = lead_identity, Business, 200, [];
    LeadMerges = lead_merge, Business, 200, [];
    TemperatureChanges = temperature_change, Business, 200, [];
    Conversations = conversation, Business, 200, [];
    ChannelConnections = channel_connection, Business, 100, [Sealed];
    ChannelContacts = channel_contact, Business, 200, [];
    ChannelTalks = channel_talk, Business, 200, [];
    ChannelInbound = channel_inbound, Business, 100, [];
    ChannelOutbound = channel_outbound, Business, 100, [];
    VoiceCalls = voice_call, Business, 20, [];
    Messages = message, Business, 100, [];
    Attachments = attachment, Business, 200, [];
    Appointments = appointment, Business, 200, [];
    Orders = order, Business, 100, [];
    InvoiceRequests = invoice_request, Business, 100, [FolioKey];
    LoyaltyTransactions = loyalty_transaction, Business, 200, [];
    Redemptions = redemption, Business, 200, [];
    History = history, Business, 200, [];
    Turns = turn, Owner, 20, [];
    TurnFeedback = turn_feedback, OfTurn, 200, [];
    ToolCalls = tool_call, Business, 100, [];
    LearnedAnswers = learned_answer, Business, 100, [];
    GapDecisions = gap_decision, OfTurn, 200, [];
    RehearsalScripts = rehearsal_script, Business, 20, [];
    RehearsalRuns = rehearsal_run, Business, 20, [SubjectHash];
    RehearsalResults = rehearsal_result, Business, 50, [];
    Retrievals = retrieval, Owner, 200, [];
    EventEndpoints = event_endpoint, Business, 100, [Sealed];
    EventDeliveries = event_delivery, Business, 100, [];
    UsageCounters = usage, Business, 200, [];
    CreditEntries = credit, Business, 200, [];
    AuditLog = audit, Business, 100, [];
}

impl Export<'_> {
    async fn of<E: TenantOwned>(
        &self,
        whose: Whose,
        at_once: u64,
        left_out: &[&str],
        after: Option<&ExportCursor>,
    ) -> Result<ExportedRows> {
        let key: Vec<E::Column> = E::PrimaryKey::iter()
            .map(PrimaryKeyToColumn::into_column)
            .collect();
        let mut select = self.0.find::<E>();
        if let Some(theirs) = self.of_whoever_asks(whose) {
            select = select.filter(theirs);
        }
        if let Some(ExportCursor(last)) = after {
            let columns = key.iter().map(|column| Expr::col(*column));
            let last = last.iter().map(|value| Expr::value(value.clone()));
            select = select.filter(Expr::tuple(columns).gt(Expr::tuple(last)));
        }
        for column in &key {
            select = select.order_by(*column, Order::Asc);
        }
        let found = select
            .limit(at_once + 1)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let at_once = usize::try_from(at_once).map_err(Error::internal)?;
        let last = found.get(at_once.saturating_sub(1));
        let next = last.filter(|_| found.len() > at_once).map(|last| {
            let key = key.iter().map(|column| last.get(*column));
            ExportCursor(key.collect())
        });
        let rows = found.iter().take(at_once);
        let rows = rows.map(|row| written::<E>(row, left_out)).collect();
        Ok(ExportedRows { rows, next })
    }

    /// What is somebody's private matter is there for that person. On `PostgreSQL` the database itself
    /// hides most of it as well.
    fn of_whoever_asks(&self, whose: Whose) -> Option<SimpleExpr> {
        let own = |column: SimpleExpr| -> Option<SimpleExpr> {
            let shared = column.clone().is_null();
            match self.0.corpora() {
                PersonalCorpora::Everybodys => None,
                PersonalCorpora::Nobodys => Some(shared),
                PersonalCorpora::Of(person) => Some(shared.or(column.eq(person.uuid()))),
            }
        };
        let own_bases = || -> Option<Select<knowledge_base::Entity>> {
            let theirs = own(Expr::col(knowledge_base::Column::OwnerUserId))?;
            Some(self.0.find::<knowledge_base::Entity>().filter(theirs))
        };
        let in_bases = |column: SimpleExpr| -> Option<SimpleExpr> {
            let bases = own_bases()?
                .select_only()
                .column(knowledge_base::Column::Id);
            Some(column.in_subquery(bases.into_query()))
        };
        match whose {
            Whose::Business => None,
            Whose::Owner => own(Expr::col("owner_user_id")),
            Whose::OfKnowledgeBase => in_bases(Expr::col("knowledge_base_id")),
            Whose::OfDocument => {
                let theirs = in_bases(Expr::col(document::Column::KnowledgeBaseId))?;
                let documents = self.0.find::<document::Entity>().filter(theirs);
                let ids = documents.select_only().column(document::Column::Id);
                Some(Expr::col("document_id").in_subquery(ids.into_query()))
            }
            Whose::OfWebsite => {
                let theirs = in_bases(Expr::col(website::Column::KnowledgeBaseId))?;
                let websites = self.0.find::<website::Entity>().filter(theirs);
                let ids = websites.select_only().column(website::Column::Id);
                Some(Expr::col("website_id").in_subquery(ids.into_query()))
            }
            Whose::OfTurn => {
                let theirs = own(Expr::col(turn::Column::OwnerUserId))?;
                let turns = self.0.find::<turn::Entity>().filter(theirs);
                let ids = turns.select_only().column(turn::Column::Id);
                Some(Expr::col("turn_id").in_subquery(ids.into_query()))
            }
        }
    }

    /// Some of the files that lie beside the rows: whose they are, what they are called and where they
    /// lie. Those of documents come first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn files(&self, after: Option<ExportedFile>) -> Result<Vec<ExportedFile>> {
        const AT_ONCE: u64 = 200;
        let after = after.map(|file| (file.of_document, file.id));
        if !matches!(after, Some((false, _))) {
            use document::Column;
            let mut select = self.0.find::<document::Entity>();
            if let Some(theirs) = self.of_whoever_asks(Whose::OfKnowledgeBase) {
                select = select.filter(theirs);
            }
            if let Some((_, id)) = after {
                select = select.filter(Column::Id.gt(id));
            }
            let found: Vec<(Uuid, Option<String>, String)> = select
                .filter(Column::StoragePath.is_not_null())
                .order_by_asc(Column::Id)
                .limit(AT_ONCE)
                .select_only()
                .columns([Column::Id, Column::Filename, Column::StoragePath])
                .into_tuple()
                .all(&self.0.tx)
                .await
                .map_err(db)?;
            if !found.is_empty() {
                let file = |(id, filename, path): (Uuid, Option<String>, String)| ExportedFile {
                    of_document: true,
                    id,
                    filename: filename.unwrap_or_default(),
                    path,
                };
                return Ok(found.into_iter().map(file).collect());
            }
        }
        let mut select = self.0.find::<attachment::Entity>();
        if let Some((false, id)) = after {
            select = select.filter(attachment::Column::Id.gt(id));
        }
        let found: Vec<(Uuid, String, String)> = select
            .order_by_asc(attachment::Column::Id)
            .limit(AT_ONCE)
            .select_only()
            .columns([
                attachment::Column::Id,
                attachment::Column::Filename,
                attachment::Column::StoragePath,
            ])
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let file = |(id, filename, path): (Uuid, String, String)| ExportedFile {
            of_document: false,
            id,
            filename,
            path,
        };
        Ok(found.into_iter().map(file).collect())
    }
}

/// A file that belongs to a document or came with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    pub of_document: bool,
    pub id: Uuid,
    pub filename: String,
    /// Where the storage has it.
    pub path: String,
}

fn written<E: TenantOwned>(row: &E::Model, left_out: &[&str]) -> JsonValue {
    let mut object = Map::new();
    for column in E::Column::iter() {
        let name = column.as_str();
        // All rows are of one tenant, and where a storage has a file says nothing elsewhere.
        if ["tenant_id", "storage_path"].contains(&name) || left_out.contains(&name) {
            continue;
        }
        object.insert(name.to_owned(), told(row.get(column)));
    }
    JsonValue::Object(object)
}

fn told(value: Bound) -> JsonValue {
    match value {
        Bound::Bool(value) => json!(value),
        Bound::Int(value) => json!(value),
        Bound::BigInt(value) => json!(value),
        Bound::Float(value) => json!(value),
        Bound::Double(value) => json!(value),
        Bound::String(value) => json!(value),
        Bound::Uuid(value) => json!(value),
        Bound::Json(value) => value.map_or(JsonValue::Null, |value| *value),
        Bound::ChronoDateTimeUtc(value) => json!(value.map(|at| at.to_rfc3339())),
        // No table of the list has another type; bytes are vectors and what is sealed.
        _ => JsonValue::Null,
    }
}
