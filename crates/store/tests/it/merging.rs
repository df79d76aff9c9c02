//! Two leads become one, and nothing of the other is left behind, whatever refers to leads.

use crate::fixture::TwoTenants;
use crate::fixture_business::{appointment, hour_from};
use crate::fixture_sales::{add_lead, checked_balance, reason};
use crate::material::ACTOR;
use crate::schema::Schema;
use quipu_commerce::loyalty::{Transaction, earn, redeem};
use quipu_core::LeadId;
use quipu_core::lead_merge::MovedRows;
use quipu_core::tenancy::TenantScope;
use quipu_store::TenantTx;
use quipu_testkit::db_test;
use serde_json::json;
use std::collections::BTreeSet;
use std::time::Duration;

/// Where somebody who is gone may still be named: who they are now, what was done, what others are being
/// told at the moment, and where files lie, which are removed with whoever they are now.
const NAMED_AFTERWARDS: [&str; 4] = ["lead_merges", "audit_log", "live_events", "attachments"];

/// The tables in which a lead is named, however the database writes an id.
async fn naming(schema: &Schema, scope: TenantScope, lead: LeadId) -> BTreeSet<String> {
    let id = lead.to_string();
    let bare = id.replace('-', "");
    let snapshot = schema.snapshot(scope.tenant_id()).await;
    let named = snapshot.into_iter().filter(|(table, rows)| {
        !NAMED_AFTERWARDS.contains(&table.as_str())
            && rows.iter().any(|row| {
                let row = row.to_lowercase();
                row.contains(&id) || row.contains(&bare)
            })
    });
    named.map(|(table, _)| table).collect()
}

async fn join(tx: &TenantTx, gone: LeadId, stays: LeadId) -> MovedRows {
    let moved = tx.lead_merges().move_all(gone, stays).await.unwrap();
    assert!(tx.leads().delete(gone).await.unwrap());
    tx.lead_merges()
        .add(gone, stays, &moved, ACTOR)
        .await
        .unwrap();
    moved
}

async fn enter(tx: &TenantTx, lead: LeadId, lines: &[Transaction]) {
    for (at, line) in lines.iter().enumerate() {
        let before = &lines[..at];
        tx.loyalty()
            .append(lead, before, line, reason(None))
            .await
            .unwrap();
    }
}

db_test! {
    // A table that refers to leads and is not moved fails this by its name, and so does one that the
    // fixture leaves empty.
    async fn nothing_names_a_lead_who_became_another(db) {
        let two = TwoTenants::new(&db).await;
        let (house, schema, scope) = (&two.house, Schema::of(&db).await, two.a.scope);
        let (guest, buyer) = (two.a.customers.lead, two.a.sales.lead);
        let neighbour = schema.snapshot(two.b.id()).await;
        let tx = house.begin(scope).await;
        let mut booked = appointment(house.now(), two.a.business.branch, two.a.business.staff, house.now());
        booked.lead_id = Some(guest);
        tx.appointments().insert(&booked, hour_from(house.now())).await.unwrap();
        let keys = tx.idempotency();
        keys.claim(ACTOR, "suyo", "order.create", "hash").await.unwrap();
        keys.record(ACTOR, "suyo", json!({ "name": "Zoraida" }), Some(guest)).await.unwrap();
        tx.commit().await.unwrap();

        let mut expected = BTreeSet::new();
        for table in schema.tenant_tables().await {
            if schema.columns(&table).await.iter().any(|column| column == "lead_id") {
                expected.insert(table);
            }
        }
        expected.remove("lead_merges");
        let mut before = naming(&schema, scope, guest).await;
        before.append(&mut naming(&schema, scope, buyer).await);
        let missing: Vec<_> = expected.difference(&before).collect();
        assert!(missing.is_empty(), "the fixture has nothing of a lead in {missing:?}");

        let stays = add_lead(house, scope).await;
        let tx = house.begin(scope).await;
        let tokens = checked_balance(&tx, buyer).await;
        let first = join(&tx, buyer, guest).await;
        let second = join(&tx, guest, stays).await;
        assert_eq!((first.orders, first.redemptions, first.invoice_requests), (2, 2, 1));
        assert_eq!((second.conversations, second.identities, second.appointments), (1, 1, 1));
        assert_eq!((second.orders, second.loyalty_transactions, second.kept_answers), (2, 1, 1));
        assert_eq!((first.channel_contacts, second.channel_contacts), (0, 1));
        // The one of the fixture, and the one that was just made.
        assert_eq!(second.lead_merges, 2);
        assert_eq!(checked_balance(&tx, stays).await, tokens);
        tx.commit().await.unwrap();
        for gone in [guest, buyer] {
            assert_eq!(naming(&schema, scope, gone).await, BTreeSet::new());
        }
        let tx = house.read(scope).await;
        assert_eq!(tx.appointments().find(booked.id).await.unwrap().unwrap().lead_id, Some(stays));
        assert_eq!(tx.lead_merges().of(stays).await.unwrap().len(), 3);
        assert_eq!(tx.lead_merges().find(guest).await.unwrap(), Some((stays, second)));
        drop(tx);
        // And all of it goes with who stays.
        let tx = house.begin(scope).await;
        assert!(tx.leads().delete(stays).await.unwrap());
        tx.commit().await.unwrap();
        for gone in [guest, buyer, stays] {
            assert_eq!(naming(&schema, scope, gone).await, BTreeSet::new());
        }
        assert_eq!(schema.snapshot(two.b.id()).await, neighbour);
    }

    async fn two_ledgers_are_one_in_the_order_of_time(db) {
        let two = TwoTenants::new(&db).await;
        let (house, scope) = (&two.house, two.a.scope);
        let (ours, theirs) = (add_lead(house, scope).await, add_lead(house, scope).await);
        let at = |hours: u64| house.now() + Duration::from_hours(hours);
        let tx = house.begin(scope).await;
        // Enough lines for several statements.
        let mut mine: Vec<Transaction> = Vec::new();
        for hour in 0..250 {
            mine.push(earn(&mine, 2, at(2 * hour), None).unwrap());
        }
        let mut other: Vec<Transaction> = Vec::new();
        for hour in 0..230 {
            other.push(earn(&other, 3, at(2 * hour + 1), None).unwrap());
        }
        other.push(redeem(&other, 100, at(461)).unwrap());
        enter(&tx, ours, &mine).await;
        enter(&tx, theirs, &other).await;
        let moved = join(&tx, theirs, ours).await;
        assert_eq!(moved.loyalty_transactions, 231);
        assert_eq!(checked_balance(&tx, ours).await, 2 * 250 + 3 * 230 - 100);
        let both = tx.loyalty().ledger(ours).await.unwrap();
        assert_eq!(both.len(), 481);
        assert!(both.windows(2).all(|lines| lines[0].at <= lines[1].at));
        // The next line finds its place.
        let next = earn(&both, 1, at(9_000), None).unwrap();
        tx.loyalty().append(ours, &both, &next, reason(None)).await.unwrap();
        checked_balance(&tx, ours).await;
    }
}
