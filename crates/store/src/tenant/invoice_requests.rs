use crate::TenantTx;
use crate::convert::to_db;
use crate::entity::invoice_request::{ActiveModel, Column, Entity, Model};
use crate::error::{db, violates};
use crate::tx::newest_first;
use quipu_commerce::invoice::{InvoiceRequest, InvoiceStatus};
use quipu_core::page::{Page, PageRequest};
use quipu_core::{Error, ErrorCode, InvoiceRequestId, LeadId, Result};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, DbErr, QueryFilter, Set};

/// The invoices that customers asked for.
pub struct InvoiceRequests<'a>(pub(crate) &'a TenantTx);

impl InvoiceRequests<'_> {
    /// The key is what two writings of one folio share.
    ///
    /// # Errors
    /// `DUPLICATE_INVOICE` when there is a request with that folio that was not rejected.
    pub async fn insert(&self, new: &InvoiceRequest, folio_key: &str) -> Result<()> {
        ActiveModel {
            id: Set(new.id.uuid()),
            tenant_id: Set(self.0.uuid()),
            status: Set(new.status.as_str().to_owned()),
            folio_key: Set(folio_key.to_owned()),
            lead_id: Set(new.lead_id.map(LeadId::uuid)),
            data: Set(serde_json::to_value(new).map_err(Error::internal)?),
            created_at: Set(to_db(new.created_at)),
            updated_at: Set(to_db(new.updated_at)),
        }
        .insert(&self.0.tx)
        .await
        .map_err(|error| duplicate(error, &new.folio))?;
        Ok(())
    }

    /// # Errors
    /// When the database cannot be read.
    pub async fn find(&self, id: InvoiceRequestId) -> Result<Option<InvoiceRequest>> {
        let row = self
            .0
            .find::<Entity>()
            .filter(Column::Id.eq(id.uuid()))
            .one(&self.0.tx)
            .await
            .map_err(db)?;
        row.map(read).transpose()
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn list(
        &self,
        status: Option<InvoiceStatus>,
        lead: Option<LeadId>,
        page: PageRequest,
    ) -> Result<Page<InvoiceRequest>> {
        let mut select = self.0.find::<Entity>();
        if let Some(status) = status {
            select = select.filter(Column::Status.eq(status.as_str()));
        }
        if let Some(lead) = lead {
            select = select.filter(Column::LeadId.eq(lead.uuid()));
        }
        let rows = newest_first(select, Column::Id, page)
            .all(&self.0.tx)
            .await
            .map_err(db)?;
        let requests = rows.into_iter().map(read).collect::<Result<Vec<_>>>()?;
        Ok(Page::from_rows(requests, page, |request| request.id.uuid()))
    }

    /// Writes how a request was dealt with. `false` when it was dealt with already.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn resolve(&self, resolved: &InvoiceRequest) -> Result<bool> {
        let data = serde_json::to_value(resolved).map_err(Error::internal)?;
        let done = self
            .0
            .update::<Entity>()
            .filter(Column::Id.eq(resolved.id.uuid()))
            .filter(Column::Status.eq(InvoiceStatus::Requested.as_str()))
            .col_expr(Column::Status, Expr::value(resolved.status.as_str()))
            .col_expr(Column::Data, Expr::value(data))
            .col_expr(Column::UpdatedAt, Expr::value(self.0.db_now()))
            .exec(&self.0.tx)
            .await
            .map_err(db)?;
        Ok(done.rows_affected == 1)
    }
}

fn read(row: Model) -> Result<InvoiceRequest> {
    serde_json::from_value(row.data).map_err(Error::internal)
}

fn duplicate(error: DbErr, folio: &str) -> Error {
    let columns = "invoice_requests.tenant_id, invoice_requests.folio_key";
    if violates(&error, "invoice_requests_folio_key", columns) {
        return Error::new(ErrorCode::DuplicateInvoice).with("folio", folio);
    }
    db(error)
}
