use crate::TenantTx;
use crate::entity::{
    appointment, assignment, attachment, channel_contact, channel_inbound, channel_outbound, chunk,
    chunk_vector, conversation, document, document_source, document_tag, document_text,
    event_delivery, idempotency, invoice_request, job, knowledge_base, lead, lead_merge,
    loyalty_transaction, message, order, redemption, rehearsal_result, rehearsal_script,
    temperature_change, tool_call, turn, turn_feedback, voice_call, website, website_page,
};
use crate::error::db;
use quipu_core::knowledge::DocumentStatus;
use quipu_core::removal::RowCounts;
use quipu_core::{DocumentId, KnowledgeBaseId, LeadId, Result, WebsiteId};
use sea_orm::sea_query::{Expr, ExprTrait, SimpleExpr};
use sea_orm::{ColumnTrait, PaginatorTrait, QueryFilter, QuerySelect, QueryTrait};
use uuid::Uuid;

/// Keys in one statement, far below SQLite's limit on bound values.
const BATCH: usize = 500;

/// Counting what a deletion takes, before it and after it.
pub struct Removal<'a>(pub(crate) &'a TenantTx);

/// What is deleted.
#[derive(Clone, Debug)]
pub enum Target {
    Documents(Vec<DocumentId>),
    KnowledgeBase(KnowledgeBaseId),
    /// A website with the documents that are its pages.
    Website(WebsiteId, Vec<DocumentId>),
    /// A lead, with their conversations and all that is in them, and all that they did.
    Lead(LeadId),
    /// Everything the tenant knows, and everybody it knows.
    Everything,
}

impl Removal<'_> {
    /// How many rows hang on the target, table by table.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn count(&self, target: &Target) -> Result<RowCounts> {
        let customers = match target {
            Target::Lead(id) => return self.count_customers(Some(*id)).await,
            Target::Everything => self.count_customers(None).await?,
            Target::Documents(_) | Target::KnowledgeBase(_) | Target::Website(..) => {
                RowCounts::default()
            }
        };
        let documents = || {
            let select = self.0.find::<document::Entity>();
            match target {
                Target::Documents(ids) | Target::Website(_, ids) => {
                    select.filter(document::Column::Id.is_in(ids.iter().map(|id| id.uuid())))
                }
                Target::KnowledgeBase(kb) => {
                    select.filter(document::Column::KnowledgeBaseId.eq(kb.uuid()))
                }
                Target::Lead(_) => select.filter(Expr::value(false)),
                Target::Everything => select,
            }
        };
        // What is left of a document's parts is counted by the ids that were asked for, not by
        // the documents that are left: an orphan is exactly what must be noticed.
        let in_documents = |column: SimpleExpr| -> SimpleExpr {
            match target {
                Target::Documents(ids) | Target::Website(_, ids) => {
                    column.is_in(ids.iter().map(|id| id.uuid()))
                }
                Target::KnowledgeBase(_) => column.in_subquery(
                    documents()
                        .select_only()
                        .column(document::Column::Id)
                        .into_query(),
                ),
                Target::Lead(_) => Expr::value(false),
                Target::Everything => Expr::value(true),
            }
        };
        let by_kb = |column: SimpleExpr, document: SimpleExpr| match target {
            Target::KnowledgeBase(kb) => column.eq(kb.uuid()),
            _ => in_documents(document),
        };
        let tx = &self.0.tx;
        let chunks = self.0.find::<chunk::Entity>().filter(by_kb(
            Expr::col(chunk::Column::KnowledgeBaseId),
            Expr::col(chunk::Column::DocumentId),
        ));
        let vectors = self.0.find::<chunk_vector::Entity>().filter(match target {
            Target::KnowledgeBase(kb) => chunk_vector::Column::KnowledgeBaseId.eq(kb.uuid()),
            Target::Documents(_) | Target::Website(..) => chunk_vector::Column::ChunkId
                .in_subquery(
                    chunks
                        .clone()
                        .select_only()
                        .column(chunk::Column::Id)
                        .into_query(),
                ),
            Target::Lead(_) => Expr::value(false),
            Target::Everything => Expr::value(true),
        });
        let texts = self
            .0
            .find::<document_text::Entity>()
            .filter(in_documents(Expr::col(document_text::Column::DocumentId)))
            .count(tx)
            .await
            .map_err(db)?
            + self
                .0
                .find::<document_source::Entity>()
                .filter(in_documents(Expr::col(document_source::Column::DocumentId)))
                .count(tx)
                .await
                .map_err(db)?;
        let (knowledge_bases, assignments) = self.count_bases(target).await?;
        let (websites, website_pages) = self.count_websites(target).await?;
        Ok(RowCounts {
            knowledge_bases,
            assignments,
            documents: documents().count(tx).await.map_err(db)?,
            chunks: chunks.count(tx).await.map_err(db)?,
            vectors: vectors.count(tx).await.map_err(db)?,
            texts,
            tags: self
                .0
                .find::<document_tag::Entity>()
                .filter(in_documents(Expr::col(document_tag::Column::DocumentId)))
                .count(tx)
                .await
                .map_err(db)?,
            websites,
            website_pages,
            ..customers
        })
    }

    /// Websites, and their addresses. A page goes with its document, and with its website.
    async fn count_websites(&self, target: &Target) -> Result<(u64, u64)> {
        let mut sites = self.0.find::<website::Entity>();
        let mut pages = self.0.find::<website_page::Entity>();
        match target {
            Target::Documents(ids) => {
                sites = sites.filter(Expr::value(false));
                let ids = ids.iter().map(|id| id.uuid());
                pages = pages.filter(website_page::Column::DocumentId.is_in(ids));
            }
            Target::Website(site, _) => {
                sites = sites.filter(website::Column::Id.eq(site.uuid()));
                pages = pages.filter(website_page::Column::WebsiteId.eq(site.uuid()));
            }
            Target::KnowledgeBase(kb) => {
                sites = sites.filter(website::Column::KnowledgeBaseId.eq(kb.uuid()));
                let of = sites.clone().select_only().column(website::Column::Id);
                let of = of.into_query();
                pages = pages.filter(website_page::Column::WebsiteId.in_subquery(of));
            }
            Target::Lead(_) => return Ok((0, 0)),
            Target::Everything => {}
        }
        let tx = &self.0.tx;
        Ok((
            sites.count(tx).await.map_err(db)?,
            pages.count(tx).await.map_err(db)?,
        ))
    }

    /// Leads, or one of them, with what they said and did, here and at channels.
    async fn count_customers(&self, id: Option<LeadId>) -> Result<RowCounts> {
        let (channel_contacts, channel_messages, voice_calls) = self.count_channels(id).await?;
        Ok(RowCounts {
            channel_contacts,
            channel_messages,
            voice_calls,
            ..self.count_leads(id).await?
        })
    }

    /// How channels know leads, or one of them, what came in from them and went out to them, and their
    /// calls.
    async fn count_channels(&self, id: Option<LeadId>) -> Result<(u64, u64, u64)> {
        let mut contacts = self.0.find::<channel_contact::Entity>();
        let mut inbound = self.0.find::<channel_inbound::Entity>();
        let mut outbound = self.0.find::<channel_outbound::Entity>();
        let mut calls = self.0.find::<voice_call::Entity>();
        if let Some(id) = id {
            contacts = contacts.filter(channel_contact::Column::LeadId.eq(id.uuid()));
            let theirs = contacts.clone().select_only();
            let theirs = theirs.column(channel_contact::Column::Id).into_query();
            let (came, went) = (
                channel_inbound::Column::ContactId.in_subquery(theirs.clone()),
                channel_outbound::Column::ContactId.in_subquery(theirs.clone()),
            );
            inbound = inbound.filter(came);
            outbound = outbound.filter(went);
            calls = calls.filter(voice_call::Column::ContactId.in_subquery(theirs));
        }
        let tx = &self.0.tx;
        let came = inbound.count(tx).await.map_err(db)?;
        let went = outbound.count(tx).await.map_err(db)?;
        Ok((
            contacts.count(tx).await.map_err(db)?,
            came + went,
            calls.count(tx).await.map_err(db)?,
        ))
    }

    /// The same without channels.
    async fn count_leads(&self, id: Option<LeadId>) -> Result<RowCounts> {
        let tx = &self.0.tx;
        let of = |column: SimpleExpr| match id {
            Some(id) => column.eq(id.uuid()),
            None => Expr::value(true),
        };
        let theirs = self
            .0
            .find::<conversation::Entity>()
            .filter(of(Expr::col(conversation::Column::LeadId)))
            .select_only()
            .column(conversation::Column::Id)
            .into_query();
        let asked = self
            .0
            .find::<turn::Entity>()
            .filter(of(Expr::col(turn::Column::LeadId)))
            .select_only()
            .column(turn::Column::Id)
            .into_query();
        let said = |column: SimpleExpr| match id {
            Some(_) => column.in_subquery(theirs.clone()),
            None => Expr::value(true),
        };
        macro_rules! count {
            ($module:ident, $wanted:expr) => {
                self.0
                    .find::<$module::Entity>()
                    .filter($wanted)
                    .count(tx)
                    .await
                    .map_err(db)?
            };
            ($module:ident) => {
                count!($module, of(Expr::col($module::Column::LeadId)))
            };
        }
        Ok(RowCounts {
            leads: count!(lead, of(Expr::col(lead::Column::Id))),
            conversations: count!(conversation),
            messages: count!(message, said(Expr::col(message::Column::ConversationId))),
            attachments: count!(
                attachment,
                said(Expr::col(attachment::Column::ConversationId))
            ),
            appointments: count!(appointment),
            orders: count!(order),
            invoice_requests: count!(invoice_request),
            redemptions: count!(redemption),
            loyalty_transactions: count!(loyalty_transaction),
            tool_calls: count!(tool_call),
            temperature_changes: count!(temperature_change),
            lead_merges: count!(lead_merge),
            kept_answers: count!(
                idempotency,
                of(Expr::col(idempotency::Column::LeadId))
                    .and(Expr::col(idempotency::Column::LeadId).is_not_null())
            ),
            events: count!(
                event_delivery,
                of(Expr::col(event_delivery::Column::LeadId))
                    .and(Expr::col(event_delivery::Column::LeadId).is_not_null())
            ),
            turns: count!(turn),
            opinions: count!(
                turn_feedback,
                match id {
                    Some(_) => Expr::col(turn_feedback::Column::TurnId).in_subquery(asked),
                    None => Expr::value(true),
                }
            ),
            // Those that a business made up are about nobody, and go with their agent.
            rehearsal_scripts: count!(
                rehearsal_script,
                said(Expr::col(rehearsal_script::Column::ConversationId))
                    .and(Expr::col(rehearsal_script::Column::ConversationId).is_not_null())
            ),
            rehearsal_results: count!(
                rehearsal_result,
                said(Expr::col(rehearsal_result::Column::ConversationId))
                    .and(Expr::col(rehearsal_result::Column::ConversationId).is_not_null())
            ),
            ..RowCounts::default()
        })
    }

    /// The knowledge bases themselves, and which agents read them.
    async fn count_bases(&self, target: &Target) -> Result<(u64, u64)> {
        let mut bases = self.0.find::<knowledge_base::Entity>();
        let mut assignments = self.0.find::<assignment::Entity>();
        match target {
            Target::Documents(_) | Target::Website(..) | Target::Lead(_) => return Ok((0, 0)),
            Target::KnowledgeBase(kb) => {
                bases = bases.filter(knowledge_base::Column::Id.eq(kb.uuid()));
                assignments = assignments.filter(assignment::Column::KnowledgeBaseId.eq(kb.uuid()));
            }
            Target::Everything => {}
        }
        let tx = &self.0.tx;
        Ok((
            bases.count(tx).await.map_err(db)?,
            assignments.count(tx).await.map_err(db)?,
        ))
    }

    /// Calls off the work on these documents, and forgets what there was of it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn drop_jobs(&self, kind: &str, ids: &[DocumentId]) -> Result<u64> {
        self.drop_keys(kind, ids.iter().map(ToString::to_string))
            .await
    }

    /// Calls off the reading of these websites, and forgets what there was of it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn drop_readings(&self, kind: &str, ids: &[WebsiteId]) -> Result<u64> {
        self.drop_keys(kind, ids.iter().map(ToString::to_string))
            .await
    }

    /// Calls off the work on a knowledge base and on the documents in it that are not done yet.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn drop_work(
        &self,
        kb: KnowledgeBaseId,
        on_documents: &str,
        on_base: &str,
    ) -> Result<u64> {
        let ended = [DocumentStatus::Completed, DocumentStatus::Failed].map(DocumentStatus::as_str);
        let open: Vec<Uuid> = self
            .0
            .find::<document::Entity>()
            .filter(document::Column::KnowledgeBaseId.eq(kb.uuid()))
            .filter(document::Column::Status.is_not_in(ended))
            .select_only()
            .column(document::Column::Id)
            .into_tuple()
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let mut dropped = 0;
        for batch in open.chunks(BATCH) {
            let keys = batch.iter().map(ToString::to_string);
            dropped += self.drop_keys(on_documents, keys).await?;
        }
        // A document that was done meanwhile has ordered this: it comes after them.
        Ok(dropped + self.drop_keys(on_base, [kb.to_string()]).await?)
    }

    async fn drop_keys(&self, kind: &str, keys: impl IntoIterator<Item = String>) -> Result<u64> {
        let done = self
            .0
            .delete::<job::Entity>()
            .filter(job::Column::Kind.eq(kind))
            .filter(job::Column::DedupKey.is_in(keys))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected)
    }
}
