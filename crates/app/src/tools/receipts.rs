//! Tickets and the invoices that customers want for them.

use super::naming::wrong;
use super::{Scene, Turn};
use crate::invoices::{self, RequestInvoice};
use crate::profile;
use quipu_agents::tool::arguments::{InvoiceData, ReceiptPhoto};
use quipu_core::conversation::AttachmentType;
use quipu_core::format::Format;
use quipu_core::language::Language;
use quipu_core::money::Money;
use quipu_core::{AttachmentId, Error, ErrorCode, Result};
use serde_json::{Value, json};

pub(super) async fn request_invoice(turn: &Turn<'_>, asked: InvoiceData) -> Result<Value> {
    let currency = profile::currency(turn.tx).await?;
    let total = match &asked.total {
        Some(text) => Some(Money::parse(text, currency).map_err(|problem| {
            let told = |language| format!("total {}", problem.text(language));
            wrong("total", told(Language::Es), told(Language::En))
        })?),
        None => None,
    };
    let input = RequestInvoice {
        folio: asked.folio,
        rfc: asked.rfc,
        name: asked.name,
        tax_regime: asked.tax_regime,
        cfdi_use: asked.cfdi_use,
        email: asked.email,
        postal_code: asked.postal_code,
        total,
        ticket_date: asked.ticket_date,
        lead_id: turn.scene.lead.map(|lead| lead.id),
        conversation_id: turn.conversation_id(),
    };
    let request = invoices::create_in(turn.tx, &turn.by(), &input).await?;
    Ok(json!({
        "success": true,
        "invoice_request_id": request.id,
        "folio": request.folio,
        "status": request.status,
        "warnings": request.warnings,
        "message": turn.says(
            format!("Solicitud de factura registrada para el folio {}.", request.folio),
            format!("The invoice for the folio {} was asked for.", request.folio),
        ),
    }))
}

/// Reads a ticket that the customer sent in this conversation. That takes seconds, in which no
/// transaction is open.
pub(super) async fn extract(scene: Scene<'_>, asked: ReceiptPhoto) -> Result<Value> {
    let Some(conversation) = scene.conversation else {
        return Err(Error::new(ErrorCode::ConversationRequired));
    };
    let id = AttachmentId::from_uuid(asked.attachment_id);
    let missing = || Error::not_found("attachment");
    let tx = scene.app.store.read(scene.actor.scope()).await?;
    let found = tx.attachments().find(id).await?;
    let currency = profile::currency(&tx).await?;
    drop(tx);
    let (attachment, path) = found.ok_or_else(missing)?;
    if attachment.conversation_id != conversation.id {
        return Err(missing());
    }
    let stored = scene.app.originals.read(scene.actor.scope(), &path).await?;
    let stored = stored.ok_or_else(missing)?;
    let text = match attachment.file_type {
        AttachmentType::Pdf => {
            let read = scene
                .app
                .extractor
                .extract(stored.bytes, Format::Pdf, &|_| {});
            read.await?.map(|extracted| extracted.text())
        }
        AttachmentType::Png | AttachmentType::Jpeg | AttachmentType::Webp => {
            scene.app.extractor.recognise(stored.bytes).await?
        }
    };
    let text = text.map_err(|failure| {
        Error::new(ErrorCode::ReceiptUnreadable)
            .with("failure", failure.code())
            .with(
                "hint",
                "ask the customer for a sharper picture, or for the data",
            )
    })?;
    let receipt = quipu_core::receipt::read(&text, currency);
    let mut told = serde_json::to_value(&receipt).map_err(Error::internal)?;
    told["total_text"] = json!(
        receipt
            .total
            .as_ref()
            .map(|total| total.value.format(scene.agent.language))
    );
    Ok(told)
}
