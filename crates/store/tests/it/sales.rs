//! What the database itself promises about tokens, codes, numbers of orders and folios.

use crate::fixture_sales::{add_lead, checked_balance, invoice, order, reason, redemption};
use crate::support::{HOUR, House, code};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use quipu_commerce::invoice::InvoiceStatus;
use quipu_commerce::loyalty::{
    RedemptionStatus, Transaction, TransactionKind, adjust, earn, expire, redeem,
};
use quipu_core::page::PageRequest;
use quipu_core::tenancy::TenantScope;
use quipu_core::{ErrorCode, LeadId, Timestamp};
use quipu_store::TenantTx;
use quipu_testkit::{TestDatabase, db_test};

struct Shop {
    house: House,
    scope: TenantScope,
}

impl Shop {
    async fn new(db: &TestDatabase) -> Self {
        let house = House::new(db).await;
        let scope = house.add_tenant("a").await;
        Self { house, scope }
    }

    async fn lead(&self) -> LeadId {
        add_lead(&self.house, self.scope).await
    }

    async fn begin(&self) -> TenantTx {
        self.house.begin(self.scope).await
    }
}

fn line(kind: TransactionKind, tokens: i64, at: Timestamp) -> Transaction {
    Transaction {
        kind,
        tokens,
        at,
        lapses_at: None,
    }
}

#[derive(Clone, Debug)]
enum Step {
    Earn { tokens: i64, lasts_hours: u8 },
    Redeem(i64),
    Adjust(i64),
    Wait(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (1..200_i64, 0..5_u8).prop_map(|(tokens, lasts_hours)| Step::Earn {
            tokens,
            lasts_hours
        }),
        (-5..150_i64).prop_map(Step::Redeem),
        (-150..150_i64).prop_map(Step::Adjust),
        (0..3_u8).prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 1..25)
}

db_test! {
    async fn a_balance_is_the_sum_of_its_ledger_whatever_happens(db) {
        let shop = Shop::new(&db).await;
        let mut runner = TestRunner::deterministic();
        for _ in 0..20 {
            let steps = steps().new_tree(&mut runner).unwrap().current();
            let lead = shop.lead().await;
            let mut expected = Vec::new();
            for step in &steps {
                let tx = shop.begin().await;
                assert!(tx.loyalty().lock(lead).await.unwrap());
                let ledger = tx.loyalty().ledger(lead).await.unwrap();
                assert_eq!(ledger, expected, "{steps:?}");
                let now = tx.now();
                let new = match step {
                    Step::Earn { tokens, lasts_hours } => {
                        let lasts = (*lasts_hours > 0).then(|| now + HOUR * u32::from(*lasts_hours));
                        earn(&ledger, *tokens, now, lasts).ok()
                    }
                    Step::Redeem(tokens) => redeem(&ledger, *tokens, now).ok(),
                    Step::Adjust(tokens) => adjust(&ledger, *tokens, now).ok(),
                    Step::Wait(hours) => {
                        shop.house.clock.advance(HOUR * u32::from(*hours));
                        expire(&ledger, shop.house.now())
                    }
                };
                if let Some(new) = new {
                    tx.loyalty().append(lead, &ledger, &new, reason(None)).await.unwrap();
                    expected.push(new);
                }
                tx.commit().await.unwrap();
                let balance = tx_balance(&shop, lead).await;
                let sum: i64 = expected.iter().map(|line| line.tokens).sum();
                assert_eq!(balance, sum, "{steps:?}");
                assert!(balance >= 0, "{steps:?}");
            }
        }
    }

    async fn the_database_refuses_a_balance_below_zero_and_a_second_award(db) {
        let shop = Shop::new(&db).await;
        let lead = shop.lead().await;
        let now = shop.house.now();
        let tx = shop.begin().await;
        let first = line(TransactionKind::Earn, 50, now);
        tx.loyalty().append(lead, &[], &first, reason(Some("order:1"))).await.unwrap();
        tx.commit().await.unwrap();

        let before = [first.clone()];
        let tx = shop.begin().await;
        let spent = line(TransactionKind::Redeem, -51, now);
        let refused = tx.loyalty().append(lead, &before, &spent, reason(None)).await.unwrap_err();
        assert_eq!(refused.code(), ErrorCode::TokensInsufficient);
        assert_eq!((&refused.details()["missing"], &refused.details()["balance"]), (&1.into(), &50.into()));
        drop(tx);

        let tx = shop.begin().await;
        let again = tx.loyalty().append(lead, &before, &first, reason(Some("order:1"))).await;
        assert_eq!(code(again), ErrorCode::AlreadyAwarded);
        drop(tx);
        // Somebody else cannot be given it either.
        let other = shop.lead().await;
        let tx = shop.begin().await;
        let again = tx.loyalty().append(other, &[], &first, reason(Some("order:1"))).await;
        assert_eq!(code(again), ErrorCode::AlreadyAwarded);
        drop(tx);
        // The same source may be spent on, and lines without one are many.
        let tx = shop.begin().await;
        let spent = line(TransactionKind::Redeem, -50, now);
        tx.loyalty().append(lead, &before, &spent, reason(Some("order:1"))).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(tx_balance(&shop, lead).await, 0);
    }

    async fn two_who_read_the_same_ledger_cannot_both_write(db) {
        let shop = Shop::new(&db).await;
        let lead = shop.lead().await;
        let now = shop.house.now();
        let first = line(TransactionKind::Earn, 50, now);
        let tx = shop.begin().await;
        tx.loyalty().append(lead, &[], &first, reason(None)).await.unwrap();
        tx.commit().await.unwrap();
        // Whoever forgets the lock runs into the number of the line.
        let tx = shop.begin().await;
        let late = tx.loyalty().append(lead, &[], &first, reason(None)).await;
        assert!(late.is_err());
        drop(tx);
        assert_eq!(tx_balance(&shop, lead).await, 50);
    }

    async fn a_ledger_is_told_in_its_order_page_by_page(db) {
        let shop = Shop::new(&db).await;
        let lead = shop.lead().await;
        let tx = shop.begin().await;
        let mut ledger = Vec::new();
        for tokens in 1..=7 {
            // All at one instant, so that no time tells them apart.
            let new = line(TransactionKind::Earn, tokens, tx.now());
            tx.loyalty().append(lead, &ledger, &new, reason(None)).await.unwrap();
            ledger.push(new);
        }
        tx.commit().await.unwrap();
        let tx = shop.begin().await;
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let page = tx.loyalty().list(lead, PageRequest { limit: 3, after }).await.unwrap();
            seen.extend(page.data.iter().map(|entry| entry.tokens));
            let Some(next) = page.next_cursor else { break };
            after = Some(next.parse().unwrap());
        }
        assert_eq!(seen, [7, 6, 5, 4, 3, 2, 1]);
        let after = Some(uuid::Uuid::now_v7());
        let nowhere = tx.loyalty().list(lead, PageRequest { limit: 3, after }).await;
        assert_eq!(code(nowhere), ErrorCode::InvalidCursor);
    }

    async fn a_code_is_used_once_and_not_after_its_time(db) {
        let shop = Shop::new(&db).await;
        let lead = shop.lead().await;
        let now = shop.house.now();
        let placed = order(now, Some(lead), 1);
        let mut short = redemption(now, lead, "CCCC-3333");
        short.expires_at = Some(shop.house.later(HOUR));
        let tx = shop.begin().await;
        tx.redemptions().insert(&short).await.unwrap();
        assert!(tx.redemptions().apply(short.id, placed.id).await.unwrap());
        assert!(!tx.redemptions().apply(short.id, placed.id).await.unwrap());
        assert!(!tx.redemptions().cancel(short.id).await.unwrap());
        let other = order(now, Some(lead), 2);
        assert!(!tx.redemptions().release(short.id, other.id).await.unwrap());
        assert!(tx.redemptions().release(short.id, placed.id).await.unwrap());
        assert_eq!(tx.redemptions().find(short.id).await.unwrap(), Some(short.clone()));
        tx.commit().await.unwrap();

        shop.house.clock.advance(HOUR);
        let tx = shop.begin().await;
        let late = tx.redemptions().find_by_code("CCCC-3333").await.unwrap().unwrap();
        assert_eq!(late.status, RedemptionStatus::Expired);
        assert!(!tx.redemptions().apply(short.id, placed.id).await.unwrap());
        assert!(!tx.redemptions().cancel(short.id).await.unwrap());
    }

    async fn a_folio_is_free_again_after_a_rejection(db) {
        let shop = Shop::new(&db).await;
        let now = shop.house.now();
        let mut first = invoice(now, "A-1", None);
        let tx = shop.begin().await;
        tx.invoice_requests().insert(&first, "A1").await.unwrap();
        tx.commit().await.unwrap();
        let tx = shop.begin().await;
        let again = tx.invoice_requests().insert(&invoice(now, "a1", None), "A1").await;
        assert_eq!(code(again), ErrorCode::DuplicateInvoice);
        drop(tx);
        let tx = shop.begin().await;
        first.status = InvoiceStatus::Rejected;
        assert!(tx.invoice_requests().resolve(&first).await.unwrap());
        assert!(!tx.invoice_requests().resolve(&first).await.unwrap());
        tx.invoice_requests().insert(&invoice(now, "a1", None), "A1").await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn no_two_orders_have_one_number(db) {
        let shop = Shop::new(&db).await;
        let now = shop.house.now();
        let tx = shop.begin().await;
        assert_eq!(tx.orders().next_number().await.unwrap(), 1);
        tx.orders().insert(&order(now, None, 1)).await.unwrap();
        assert_eq!(tx.orders().next_number().await.unwrap(), 2);
        assert!(tx.orders().insert(&order(now, None, 1)).await.is_err());
    }
}

async fn tx_balance(shop: &Shop, lead: LeadId) -> i64 {
    checked_balance(&shop.house.read(shop.scope).await, lead).await
}
