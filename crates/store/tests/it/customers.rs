//! Leads, their conversations, and what is left when they go.

use crate::fixture::new_agent;
use crate::fixture_customers::{Customers, fill, new_conversation, new_message};
use crate::schema::Schema;
use crate::support::House;
use quipu_core::conversation::{MessageRole, NewMessage};
use quipu_core::lead::{LeadChange, LeadFilter, NewLead};
use quipu_core::page::PageRequest;
use quipu_core::removal::RowCounts;
use quipu_core::tenancy::TenantScope;
use quipu_store::tenant::{Target, TemperatureCause};
use quipu_testkit::{TestDatabase, db_test};
use serde_json::json;

async fn house(db: &TestDatabase) -> (House, TenantScope, Customers) {
    let house = House::new(db).await;
    let scope = house.add_tenant("a").await;
    let tx = house.begin(scope).await;
    let agent = tx.agents().insert(&new_agent("maya")).await.unwrap();
    let customers = fill(&tx, "a", agent).await;
    tx.commit().await.unwrap();
    (house, scope, customers)
}

db_test! {
    async fn a_lead_goes_with_everything_of_theirs(db) {
        let (house, scope, theirs) = house(&db).await;
        let tx = house.begin(scope).await;
        let agent = tx.agents().insert(&new_agent("luna")).await.unwrap();
        let stays = fill(&tx, "b", agent).await;
        for (key, lead) in [("suyo", Some(theirs.lead)), ("de otra", Some(stays.lead)), ("de nadie", None)] {
            let keys = tx.idempotency();
            keys.claim("user:1", key, "order.create", "hash").await.unwrap();
            keys.record("user:1", key, json!({ "name": "Zoraida" }), lead).await.unwrap();
        }
        let target = Target::Lead(theirs.lead);
        let counted = tx.removal().count(&target).await.unwrap();
        let one_each = RowCounts { leads: 1, conversations: 1, messages: 1, attachments: 1, kept_answers: 1, temperature_changes: 1, lead_merges: 1, ..RowCounts::default() };
        assert_eq!(counted, one_each);
        assert!(tx.leads().delete(theirs.lead).await.unwrap());
        assert!(!tx.leads().delete(theirs.lead).await.unwrap());
        assert_eq!(tx.removal().count(&target).await.unwrap(), RowCounts::default());
        tx.commit().await.unwrap();
        let left = Schema::of(&db).await.snapshot(scope.tenant_id()).await;
        for table in ["leads", "lead_identities", "conversations", "messages", "attachments"] {
            assert_eq!(left[table].len(), 1, "{table}: {:?}", left[table]);
        }
        // Of whoever stays: asked, and handed over to a person who took it.
        assert_eq!(left["history"].len(), 3, "{:?}", left["history"]);
        assert_eq!(left["idempotency_keys"].len(), 2, "{:?}", left["idempotency_keys"]);
        let tx = house.read(scope).await;
        assert!(tx.leads().find(stays.lead).await.unwrap().is_some());
        assert!(tx.leads().find_by_identity(&theirs.identity).await.unwrap().is_none());
    }

    // The clock stands still here, as it does within a transaction.
    async fn what_is_said_at_one_instant_stays_in_order(db) {
        let (house, scope, theirs) = house(&db).await;
        let tx = house.begin(scope).await;
        let lead = tx.leads().find(theirs.lead).await.unwrap().unwrap();
        let new = new_conversation(lead.id, lead.agent_id.unwrap());
        let conversation = tx.conversations().insert(&new).await.unwrap();
        for n in 0..40 {
            let role = [MessageRole::User, MessageRole::Assistant, MessageRole::Note][n % 3];
            let new = NewMessage { role, ..new_message(&n.to_string()) };
            tx.messages().insert(conversation, &new).await.unwrap();
        }
        let said = [MessageRole::User, MessageRole::Assistant];
        let recent = tx.messages().recent(conversation, 4, &said).await.unwrap();
        let texts: Vec<_> = recent.iter().map(|message| message.text.as_str()).collect();
        assert_eq!(texts, ["34", "36", "37", "39"]);
        let mut seen = Vec::new();
        let mut page = PageRequest { limit: 7, after: None };
        loop {
            let found = tx.messages().list(conversation, &[], page).await.unwrap();
            seen.extend(found.data.into_iter().map(|message| message.text));
            let Some(cursor) = found.next_cursor else { break };
            page.after = Some(cursor.parse().unwrap());
        }
        let expected: Vec<_> = (0..40).rev().map(|n| n.to_string()).collect();
        assert_eq!(seen, expected);
    }

    async fn leads_are_found_however_they_are_written(db) {
        let (house, scope, theirs) = house(&db).await;
        let tx = house.begin(scope).await;
        let new = NewLead {
            name: Some("José \"Pepe\" Núñez_100%".to_owned()),
            email: Some("pepe@correo.pe".to_owned()),
            phone: Some("+51 987-654-321".to_owned()),
            ..NewLead::default()
        };
        let id = tx.leads().insert(&new).await.unwrap();
        let found = async |text: &str| {
            let filter = LeadFilter { text: Some(text.to_owned()), ..LeadFilter::default() };
            let listed = tx.leads().list(&filter, PageRequest::default()).await.unwrap();
            listed.data.iter().map(|lead| lead.id).collect::<Vec<_>>()
        };
        for text in ["jose", "JOSÉ", "\"pepe\"", "núñez_1", "100%", "PEPE@", "987-654", "51987654321"] {
            assert_eq!(found(text).await, [id], "{text}");
        }
        for text in ["_ose", "jos%", "nunez", "jose\\"] {
            assert!(found(text).await.is_empty(), "{text}");
        }
        // What is found follows what is changed, and the rest stays.
        let change = LeadChange { name: Some(Some("Rosa".to_owned())), phone: Some(None), ..LeadChange::default() };
        assert!(tx.leads().update(id, &change, TemperatureCause::by("user:1")).await.unwrap());
        assert_eq!(found("rosa").await, [id]);
        assert_eq!(found("pepe@").await, [id]);
        assert!(found("987").await.is_empty() && found("jose").await.is_empty());
        assert!(!found("rosa").await.contains(&theirs.lead));
    }
}
