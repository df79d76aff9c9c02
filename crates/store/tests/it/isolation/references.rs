//! A row cannot point into another tenant, even when the code lets it try.

use crate::fixture::{TwoTenants, own_kb};
use crate::fixture_channels::{identity, new_call, new_connection, new_inbound, new_outbound};
use crate::fixture_customers::new_conversation;
use crate::fixture_events::new_delivery;
use crate::fixture_websites::{address, content, settings};
use crate::material::{ACTOR, MODEL, chunks, load, typed, vector};
use crate::support::code;
use quipu_core::ErrorCode;
use quipu_core::channel::{ConnectionChange, NewConnection, NewOutbound, NewVoiceCall};
use quipu_core::extraction::DocumentInfo;
use quipu_store::tenant::IngestItem;
use quipu_testkit::db_test;

/// Inside B, in a transaction of its own: `PostgreSQL` ends one at the first error.
macro_rules! assert_refused {
    ($two:ident, $what:literal, |$tx:ident| $attempt:expr) => {{
        let $tx = $two.house.begin($two.b.scope).await;
        assert_eq!(code($attempt), ErrorCode::Internal, $what);
    }};
}

db_test! {
    async fn the_database_refuses_to_point_into_another_tenant(db) {
        let two = TwoTenants::new(&db).await;
        let (theirs, ours) = (two.a.agent(), two.b.agent());
        let (new, info) = (chunks(&["x"]), DocumentInfo::default());
        let now = two.house.now();
        let mine = load(&two.house.read(two.b.scope).await, ours.document).await;
        let into_their_document = IngestItem { id: theirs.document, ..mine.clone() };
        let into_their_kb = IngestItem { kb: theirs.kb.clone().into_inner(), ..mine };
        assert_refused!(two, "A's knowledge base for B's agent", |tx| {
            tx.assignments().insert(ours.id, two.a.global_kb.id, 1, 1.0).await
        });
        assert_refused!(two, "B's knowledge base for A's agent", |tx| {
            tx.assignments().insert(theirs.id, two.b.global_kb.id, 1, 1.0).await
        });
        assert_refused!(two, "a knowledge base in B for A's agent", |tx| {
            tx.knowledge_bases().insert(&own_kb("intruder", theirs.id)).await
        });
        assert_refused!(two, "a document of B in A's knowledge base", |tx| {
            tx.documents().insert(&theirs.kb, &typed(now, "a new text"), ACTOR).await
        });
        assert_refused!(two, "chunks of B in A's document", |tx| {
            tx.ingest().build(&into_their_document, "x", &info, "x", &new).await
        });
        assert_refused!(two, "chunks of B in A's knowledge base", |tx| {
            tx.ingest().build(&into_their_kb, "x", &info, "x", &new).await
        });
        assert_refused!(two, "a vector of B for A's chunk", |tx| {
            let vectors = [(theirs.chunk, vector(0))];
            tx.ingest().add_vectors(ours.kb.id, "other", &vectors, 1).await
        });
        assert_refused!(two, "a vector of B for a chunk of A's that has none", |tx| {
            let draft = &two.a.draft;
            let inside = two.house.read(two.a.scope).await;
            let waiting = inside.ingest().unembedded(draft.id, 1, MODEL, 0, 1).await.unwrap();
            tx.ingest().add_vectors(ours.kb.id, MODEL, &[(waiting[0].id, vector(0))], 1).await
        });
        assert_refused!(two, "a website of B in A's knowledge base", |tx| {
            let address = address("b", "another");
            tx.websites().insert(&theirs.kb, &address, &settings(), ACTOR).await
        });
        assert_refused!(two, "a page of B's website that is A's document", |tx| {
            tx.website_pages().read(two.b.websites.waiting, &content(theirs)).await
        });
    }

    async fn no_channel_reaches_into_another_tenant(db) {
        let two = TwoTenants::new(&db).await;
        let (theirs, ours) = (&two.a.channels, &two.b.channels);
        let (now, somebody) = (two.house.now(), identity("somebody"));
        let agent_id = Some(two.a.agent().id);
        assert_refused!(two, "a connection of B with A's agent", |tx| {
            let new = new_connection(now, "another".to_owned());
            tx.channel_connections().insert(&NewConnection { agent_id, ..new }).await
        });
        assert_refused!(two, "A's agent for B's connection", |tx| {
            let change = ConnectionChange { agent_id: Some(agent_id), ..ConnectionChange::default() };
            tx.channel_connections().update(ours.connection, &change).await
        });
        assert_refused!(two, "a contact of B at A's connection", |tx| {
            let (connection, lead) = (theirs.connection, two.b.customers.lead);
            tx.channel_contacts().insert(connection, lead, &somebody).await
        });
        assert_refused!(two, "a contact of B who is A's lead", |tx| {
            let (connection, lead) = (ours.connection, two.a.customers.lead);
            tx.channel_contacts().insert(connection, lead, &somebody).await
        });
        assert_refused!(two, "a conversation of B with A's contact", |tx| {
            let new = new_conversation(two.b.customers.lead, two.b.agent().id);
            let conversation = tx.conversations().insert(&new).await.unwrap();
            tx.channel_contacts().hold_conversation(theirs.contact, conversation).await
        });
        assert_refused!(two, "a conversation of A with B's contact", |tx| {
            let conversation = two.a.customers.conversation;
            tx.channel_contacts().hold_conversation(ours.contact, conversation).await
        });
        assert_refused!(two, "a delivery of B at A's connection", |tx| {
            tx.channel_inbound().mark(theirs.connection, "another").await
        });
        for (connection, contact) in [
            (ours.connection, theirs.contact),
            (theirs.connection, ours.contact),
        ] {
            assert_refused!(two, "something that came to B from A", |tx| {
                let new = new_inbound(connection, contact, "another", now);
                tx.channel_inbound().insert(&new).await
            });
            assert_refused!(two, "something that goes from B to A", |tx| {
                tx.channel_outbound().insert(&new_outbound(connection, contact, "x")).await
            });
        }
        assert_refused!(two, "a call of B at A's connection", |tx| {
            tx.voice_calls().insert(&new_call(theirs.connection, "another")).await
        });
        assert_refused!(two, "a call of A's contact", |tx| {
            let contact = Some(theirs.contact);
            let new = new_call(ours.connection, "another");
            tx.voice_calls().insert(&NewVoiceCall { contact, ..new }).await
        });
        assert_refused!(two, "a call in A's conversation", |tx| {
            let conversation = Some(two.a.customers.conversation);
            let new = new_call(ours.connection, "another");
            tx.voice_calls().insert(&NewVoiceCall { conversation, ..new }).await
        });
        assert_refused!(two, "something that is sent in A's conversation", |tx| {
            let conversation = Some(two.a.customers.conversation);
            let new = new_outbound(ours.connection, ours.contact, "x");
            tx.channel_outbound().insert(&NewOutbound { conversation, ..new }).await
        });
    }

    async fn no_event_is_told_to_another_tenant(db) {
        let two = TwoTenants::new(&db).await;
        assert_refused!(two, "an event of B at A's endpoint", |tx| {
            let new = new_delivery(tx.now(), two.a.events.endpoint, None);
            tx.event_deliveries().insert(&new).await
        });
    }

    // Otherwise an error would tell B what A has.
    async fn what_another_tenant_has_does_not_change_the_refusal(db) {
        let two = TwoTenants::new(&db).await;
        let theirs = two.a.agent();
        assert_refused!(two, "a text that A has", |tx| {
            let twin = typed(two.house.now(), &two.a.named("text"));
            tx.documents().insert(&theirs.kb, &twin, ACTOR).await
        });
        assert_refused!(two, "an assignment that A has", |tx| {
            tx.assignments().insert(theirs.id, two.a.global_kb.id, 1, 1.0).await
        });
        let connection = two.a.channels.connection;
        assert_refused!(two, "a contact that A has", |tx| {
            let lead = two.b.customers.lead;
            tx.channel_contacts().insert(connection, lead, &identity(two.a.slug)).await
        });
        assert_refused!(two, "a delivery that A has", |tx| {
            tx.channel_inbound().mark(connection, &two.a.named("mark")).await
        });
    }
}
