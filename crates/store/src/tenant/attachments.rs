use crate::TenantTx;
use crate::convert::from_db;
use crate::entity::attachment;
use crate::error::db;
use crate::tx::newest_first;
use quipu_core::conversation::{Attachment, AttachmentType, NewAttachment};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{AttachmentId, ConversationId, Error, Result};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, PaginatorTrait, QueryFilter, QuerySelect, Set};

/// Files that came with conversations.
pub struct Attachments<'a>(pub(crate) &'a TenantTx);

impl Attachments<'_> {
    /// # Errors
    /// When the database cannot be written, or there is no such conversation.
    pub async fn insert(
        &self,
        conversation: ConversationId,
        new: &NewAttachment,
    ) -> Result<Attachment> {
        let row = attachment::ActiveModel {
            id: Set(new.id.uuid()),
            tenant_id: Set(self.0.uuid()),
            conversation_id: Set(conversation.uuid()),
            filename: Set(new.filename.clone()),
            file_type: Set(new.file_type.as_str().to_owned()),
            size_bytes: Set(new.size_bytes),
            storage_path: Set(new.storage_path.clone()),
            created_at: Set(self.0.db_now()),
        };
        let row = row.insert(&self.0.tx).await.map_err(db)?;
        attachment(row)
    }

    /// An attachment and where its file is.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: AttachmentId) -> Result<Option<(Attachment, String)>> {
        let row = self
            .0
            .find::<attachment::Entity>()
            .filter(attachment::Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        let Some(row) = row else { return Ok(None) };
        let path = row.storage_path.clone();
        Ok(Some((attachment(row)?, path)))
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        conversation: ConversationId,
        page: PageRequest,
    ) -> Result<Page<Attachment>> {
        let select = self
            .0
            .find::<attachment::Entity>()
            .filter(attachment::Column::ConversationId.eq(conversation.uuid()));
        let rows = newest_first(select, attachment::Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let found = rows
            .into_iter()
            .map(attachment)
            .collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(found, page, |found| found.id.uuid()))
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn count(&self, conversation: ConversationId) -> Result<u64> {
        self.0
            .find::<attachment::Entity>()
            .filter(attachment::Column::ConversationId.eq(conversation.uuid()))
            .count(&self.0.tx)
            .await
            .map_err(db)
    }

    /// The size of all the tenant's attachments.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn bytes(&self) -> Result<u64> {
        let total: Option<i64> = self
            .0
            .find::<attachment::Entity>()
            .select_only()
            .column_as(
                Expr::cust("CAST(COALESCE(SUM(size_bytes), 0) AS bigint)"),
                "total",
            )
            .into_tuple()
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(u64::try_from(total.unwrap_or(0)).unwrap_or(0))
    }
}

fn attachment(row: attachment::Model) -> Result<Attachment> {
    Ok(Attachment {
        id: row.id.into(),
        conversation_id: row.conversation_id.into(),
        filename: row.filename,
        file_type: AttachmentType::parse(&row.file_type)
            .ok_or_else(|| Error::internal("an attachment is of a type that is none"))?,
        size_bytes: row.size_bytes,
        created_at: from_db(row.created_at),
    })
}
