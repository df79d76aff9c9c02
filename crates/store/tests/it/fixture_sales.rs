//! A customer of each tenant with tokens, rewards, orders and requests.

use crate::material::ACTOR;
use crate::support::House;
use quipu_commerce::invoice::{InvoiceRequest, InvoiceStatus};
use quipu_commerce::loyalty::{Redemption, RedemptionStatus, earn};
use quipu_commerce::money::{Currency, Money};
use quipu_commerce::order::{Order, OrderStatus, OrderType};
use quipu_commerce::ordering::{Discount, total};
use quipu_core::lead::NewLead;
use quipu_core::tenancy::TenantScope;
use quipu_core::{InvoiceRequestId, LeadId, OrderId, RedemptionId, Timestamp};
use quipu_store::TenantTx;
use quipu_store::tenant::Reason;
use uuid::Uuid;

pub(crate) struct Sales {
    /// With fifty tokens.
    pub(crate) lead: LeadId,
    pub(crate) orders: Vec<Order>,
    /// One that can be used and one that was.
    pub(crate) redemption: Redemption,
    pub(crate) used: Redemption,
    pub(crate) invoice: InvoiceRequest,
}

pub(crate) async fn fill(house: &House, scope: TenantScope, slug: &str, size: usize) -> Sales {
    let now = house.now();
    let lead = add_lead(house, scope).await;
    let tx = house.begin(scope).await;
    let line = earn(&[], 50, now, None).unwrap();
    let source = source(slug);
    tx.loyalty()
        .append(lead, &[], &line, reason(Some(&source)))
        .await
        .unwrap();
    let mut orders = Vec::new();
    for number in 1..=i64::try_from(size).unwrap() {
        let order = order(now, Some(lead), number);
        tx.orders().insert(&order).await.unwrap();
        orders.push(order);
    }
    let code = slug.to_uppercase();
    let open = redemption(now, lead, &format!("{code}CCC-3333"));
    let mut used = redemption(now, lead, &format!("{code}DDD-4444"));
    used.status = RedemptionStatus::Used;
    used.order_id = Some(orders[0].id);
    for new in [&open, &used] {
        tx.redemptions().insert(new).await.unwrap();
    }
    let invoice = invoice(now, &folio(slug), Some(lead));
    tx.invoice_requests()
        .insert(&invoice, &folio(slug))
        .await
        .unwrap();
    tx.commit().await.unwrap();
    Sales {
        lead,
        orders,
        redemption: open,
        used,
        invoice,
    }
}

/// What the tokens of the fixture were for.
pub(crate) fn source(slug: &str) -> String {
    format!("{slug}-source")
}

pub(crate) fn folio(slug: &str) -> String {
    format!("{slug}-folio")
}

pub(crate) fn reason(source: Option<&str>) -> Reason<'_> {
    Reason {
        source,
        description: None,
        actor: ACTOR,
    }
}

pub(crate) async fn add_lead(house: &House, scope: TenantScope) -> LeadId {
    let tx = house.begin(scope).await;
    let lead = tx.leads().insert(&NewLead::default()).await.unwrap();
    tx.commit().await.unwrap();
    lead
}

pub(crate) fn order(now: Timestamp, lead: Option<LeadId>, number: i64) -> Order {
    Order {
        id: OrderId::generate(now),
        number,
        status: OrderStatus::Received,
        order_type: OrderType::Pickup,
        branch_id: None,
        branch_name: None,
        lines: Vec::new(),
        totals: total(&[], Money::zero(Currency::Pen), Discount::None).unwrap(),
        redemption_id: None,
        payment_method: None,
        delivery_address: None,
        delivery_zone: None,
        scheduled_for: None,
        estimated_at: now,
        notes: None,
        lead_id: lead,
        customer_name: None,
        conversation_id: None,
        agent_id: None,
        created_at: now,
        updated_at: now,
    }
}

pub(crate) fn redemption(now: Timestamp, lead: LeadId, code: &str) -> Redemption {
    Redemption {
        id: RedemptionId::generate(now),
        lead_id: lead,
        reward_id: Uuid::now_v7(),
        reward_name: "Agua fresca".to_owned(),
        tokens: 10,
        discount: Discount::Percent { percent: 10 },
        code: code.to_owned(),
        status: RedemptionStatus::Issued,
        order_id: None,
        expires_at: None,
        created_at: now,
        updated_at: now,
    }
}

pub(crate) fn invoice(now: Timestamp, folio: &str, lead: Option<LeadId>) -> InvoiceRequest {
    InvoiceRequest {
        id: InvoiceRequestId::generate(now),
        status: InvoiceStatus::Requested,
        folio: folio.to_owned(),
        ticket_date: None,
        total: None,
        rfc: "EKU9003173C9".to_owned(),
        name: "ESCUELA KEMPER URGATE".to_owned(),
        tax_regime: "601".to_owned(),
        cfdi_use: "G03".to_owned(),
        postal_code: None,
        email: "ana@example.com".to_owned(),
        warnings: Vec::new(),
        lead_id: lead,
        conversation_id: None,
        resolution: None,
        created_at: now,
        updated_at: now,
    }
}

/// The sum of the ledger, which must be what the lead has.
pub(crate) async fn checked_balance(tx: &TenantTx, lead: LeadId) -> i64 {
    let ledger = tx.loyalty().ledger(lead).await.unwrap();
    let balance = tx.loyalty().balance(lead).await.unwrap().unwrap();
    assert_eq!(quipu_commerce::loyalty::balance(&ledger), balance);
    assert!(balance >= 0);
    balance
}
