//! Tickets and the invoices that customers want for them.

use super::naming::wrong;
use super::{Scene, Turn, sight};
use crate::invoices::{self, RequestInvoice};
use crate::profile;
use bytes::BytesMut;
use futures::{StreamExt, TryStreamExt, stream};
use quipu_agents::tool::arguments::{InvoiceData, ReceiptPhoto};
use quipu_commerce::money::{Currency, Money};
use quipu_commerce::receipt::{self, Compared, Receipt};
use quipu_core::chat::{Image, ImageType};
use quipu_core::conversation::AttachmentType;
use quipu_core::extraction::Failure;
use quipu_core::format::Format;
use quipu_core::language::Language;
use quipu_core::ports::ByteStream;
use quipu_core::{AttachmentId, ConversationId, Error, ErrorCode, Result};
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
    let request = invoices::create_in(turn.tx, &turn.by(), &input).await;
    // A model writes the total as one text.
    let names = [("total.amount", "total"), ("total.currency", "total")];
    let request = request.map_err(|error| error.with_fields_renamed(&names))?;
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
    let kind = match attachment.file_type {
        AttachmentType::Pdf => None,
        AttachmentType::Png => Some(ImageType::Png),
        AttachmentType::Jpeg => Some(ImageType::Jpeg),
        AttachmentType::Webp => Some(ImageType::Webp),
    };
    let reading = match kind {
        None => of_document(scene, stored.bytes, currency).await?,
        Some(kind) => of_picture(scene, conversation.id, kind, stored.bytes, currency).await?,
    };
    let reading = reading.map_err(|failure| {
        Error::new(ErrorCode::ReceiptUnreadable)
            .with("failure", failure.code())
            .with(
                "hint",
                "ask the customer for a sharper picture, or for the data",
            )
    })?;
    let receipt = &reading.receipt;
    let mut told = serde_json::to_value(receipt).map_err(Error::internal)?;
    told["total_text"] = json!(
        receipt
            .total
            .as_ref()
            .map(|total| total.value.format(scene.agent.language))
    );
    told["readers"] = json!(reading.readers);
    told["doubted"] = json!(reading.doubted);
    Ok(told)
}

/// What was read of a ticket.
struct Reading {
    receipt: Receipt,
    /// By whom.
    readers: &'static [&'static str],
    /// What they do not agree on.
    doubted: Vec<&'static str>,
}

impl Reading {
    fn by_one(receipt: Receipt, readers: &'static [&'static str]) -> Self {
        Self {
            receipt,
            readers,
            doubted: Vec::new(),
        }
    }
}

async fn of_document(
    scene: Scene<'_>,
    document: ByteStream,
    currency: Currency,
) -> Result<Result<Reading, Failure>> {
    let extractor = &scene.app.extractor;
    let extracted = extractor.extract(document, Format::Pdf, &|_| {}).await?;
    Ok(extracted.map(|extracted| {
        let receipt = receipt::read(&extracted.text(), currency);
        Reading::by_one(receipt, &["text"])
    }))
}

/// Reads a picture by text recognition and, where the agent has a model that sees, by that model at
/// the same time.
async fn of_picture(
    scene: Scene<'_>,
    conversation: ConversationId,
    kind: ImageType,
    picture: ByteStream,
    currency: Currency,
) -> Result<Result<Reading, Failure>> {
    // How large an attachment may be is bounded where it is taken.
    let bytes = picture.try_fold(BytesMut::new(), async |mut all, piece| {
        all.extend_from_slice(&piece);
        Ok(all)
    });
    let bytes = bytes.await?.freeze();
    let again = stream::iter([Ok(bytes.clone())]).boxed();
    let picture = Image { kind, bytes };
    let (recognised, seen) = tokio::join!(
        scene.app.extractor.recognise(again),
        sight::copy(scene, conversation, picture),
    );
    let recognised = recognised?.map(|text| receipt::read(&text, currency));
    let seen = seen.map(|text| receipt::read(&text, currency));
    Ok(match (recognised, seen.filter(Receipt::is_ticket)) {
        (Ok(recognised), Some(seen)) => {
            let Compared { receipt, doubted } = receipt::compare(recognised, seen);
            Ok(Reading {
                receipt,
                readers: &["ocr", "model"],
                doubted,
            })
        }
        (Ok(recognised), None) => Ok(Reading::by_one(recognised, &["ocr"])),
        (Err(_), Some(seen)) => Ok(Reading::by_one(seen, &["model"])),
        (Err(failure), None) => Err(failure),
    })
}
