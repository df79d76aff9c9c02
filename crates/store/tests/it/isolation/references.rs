//! A row cannot point into another tenant, even when the code lets it try.

use crate::fixture::{ACTOR, TwoTenants, chunk, own_kb, text};
use crate::support::code;
use quipu_core::ErrorCode;
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
        let new = [chunk(9, "x")];
        assert_refused!(two, "A's knowledge base for B's agent", |tx| {
            tx.assignments().insert(ours.id, two.a.global_kb, 1, 1.0).await
        });
        assert_refused!(two, "B's knowledge base for A's agent", |tx| {
            tx.assignments().insert(theirs.id, two.b.global_kb, 1, 1.0).await
        });
        assert_refused!(two, "a knowledge base in B for A's agent", |tx| {
            tx.knowledge_bases().insert(&own_kb("intruder", theirs.id)).await
        });
        assert_refused!(two, "a document of B in A's knowledge base", |tx| {
            tx.documents().insert(&text(theirs.kb, "a new text"), ACTOR).await
        });
        assert_refused!(two, "chunks of B in A's document", |tx| {
            tx.chunks().replace(ours.kb, theirs.document, &new).await
        });
        assert_refused!(two, "chunks of B in A's knowledge base", |tx| {
            tx.chunks().replace(theirs.kb, ours.document, &new).await
        });
    }

    // Otherwise an error would tell B what A has.
    async fn what_another_tenant_has_does_not_change_the_refusal(db) {
        let two = TwoTenants::new(&db).await;
        let theirs = two.a.agent();
        assert_refused!(two, "a text that A has", |tx| {
            tx.documents().insert(&text(theirs.kb, &two.a.named("text")), ACTOR).await
        });
        assert_refused!(two, "an assignment that A has", |tx| {
            tx.assignments().insert(theirs.id, two.a.global_kb, 1, 1.0).await
        });
    }
}
