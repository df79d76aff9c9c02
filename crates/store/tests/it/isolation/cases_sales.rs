//! The cases of loyalty, orders and invoice requests.

use super::cases::{Case, Kind, cases, everything, is_taken};
use crate::fixture_sales::{folio, invoice, order, reason, redemption, source};
use quipu_commerce::invoice::InvoiceStatus;
use quipu_commerce::loyalty::{TransactionKind, earn};
use quipu_commerce::order::OrderStatus;
use quipu_core::ErrorCode;
use quipu_store::tenant::OrderFilter;

pub(super) fn all() -> Vec<Case> {
    [loyalty(), redemptions(), orders(), invoice_requests()].concat()
}

fn loyalty() -> Vec<Case> {
    cases! {
        Read "loyalty.balance" => |tx, a| tx.loyalty().balance(a.sales.lead).await?.is_some();
        // It locks the row, and so it is no reading.
        Write "loyalty.lock" => |tx, a| tx.loyalty().lock(a.sales.lead).await?;
        Read "loyalty.ledger" => |tx, a| !tx.loyalty().ledger(a.sales.lead).await?.is_empty();
        Read "loyalty.place_of" => |tx, a| {
            tx.loyalty().place_of(TransactionKind::Earn, &source(a.slug)).await?.is_some()
        };
        Read "loyalty.list" => |tx, a| {
            !tx.loyalty().list(a.sales.lead, everything()).await?.data.is_empty()
        };
        Write "loyalty.append" => |tx, a| {
            let line = earn(&[], 5, a.now, None).unwrap();
            let before = [line.clone()];
            tx.loyalty().append(a.sales.lead, &before, &line, reason(None)).await.is_ok()
        };
    }
}

fn redemptions() -> Vec<Case> {
    cases! {
        Write "redemptions.insert" => |tx, a| {
            let again = redemption(a.now, a.sales.lead, &a.sales.redemption.code);
            is_taken(tx.redemptions().insert(&again).await)
        };
        Read "redemptions.find" => |tx, a| {
            tx.redemptions().find(a.sales.redemption.id).await?.is_some()
        };
        Read "redemptions.find_by_code" => |tx, a| {
            tx.redemptions().find_by_code(&a.sales.redemption.code).await?.is_some()
        };
        Read "redemptions.list" => |tx, a| {
            !tx.redemptions().list(a.sales.lead, everything()).await?.data.is_empty()
        };
        Write "redemptions.apply" => |tx, a| {
            tx.redemptions().apply(a.sales.redemption.id, a.sales.orders[0].id).await?
        };
        Write "redemptions.cancel" => |tx, a| {
            tx.redemptions().cancel(a.sales.redemption.id).await?
        };
        Write "redemptions.release" => |tx, a| {
            tx.redemptions().release(a.sales.used.id, a.sales.orders[0].id).await?
        };
    }
}

fn orders() -> Vec<Case> {
    cases! {
        Read "orders.next_number" => |tx, _a| tx.orders().next_number().await? == 3;
        Write "orders.insert" => |tx, a| {
            tx.orders().insert(&order(a.now, Some(a.sales.lead), 99)).await.is_ok()
        };
        Write "orders.save" => |tx, a| {
            let mut changed = a.sales.orders[0].clone();
            changed.status = OrderStatus::Ready;
            tx.orders().save(&changed).await?
        };
        Read "orders.find" => |tx, a| tx.orders().find(a.sales.orders[0].id).await?.is_some();
        // It locks the row, and so it is no reading.
        Write "orders.find_locked" => |tx, a| {
            tx.orders().find_locked(a.sales.orders[0].id).await?.is_some()
        };
        Read "orders.find_by_number" => |tx, a| {
            let found = tx.orders().find_by_number(1).await?;
            found.is_some_and(|order| order.id == a.sales.orders[0].id)
        };
        Read "orders.list" => |tx, a| {
            let listed = tx.orders().list(&OrderFilter::default(), everything()).await?;
            listed.data.iter().any(|order| order.id == a.sales.orders[0].id)
        };
    }
}

fn invoice_requests() -> Vec<Case> {
    cases! {
        Write "invoice_requests.insert" => |tx, a| {
            let again = invoice(a.now, &folio(a.slug), None);
            let refused = tx.invoice_requests().insert(&again, &folio(a.slug)).await;
            refused.is_err_and(|error| error.code() == ErrorCode::DuplicateInvoice)
        };
        Read "invoice_requests.find" => |tx, a| {
            tx.invoice_requests().find(a.sales.invoice.id).await?.is_some()
        };
        Read "invoice_requests.list" => |tx, a| {
            let listed = tx.invoice_requests().list(None, None, everything()).await?;
            listed.data.iter().any(|request| request.id == a.sales.invoice.id)
        };
        Write "invoice_requests.resolve" => |tx, a| {
            let mut resolved = a.sales.invoice.clone();
            resolved.status = InvoiceStatus::Completed;
            tx.invoice_requests().resolve(&resolved).await?
        };
    }
}
