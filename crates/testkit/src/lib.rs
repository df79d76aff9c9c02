//! What tests share. A dev-dependency only.

mod clock;
mod database;
pub mod engine_suite;
pub mod qdrant;

pub use clock::ManualClock;
pub use database::TestDatabase;
pub use quipu_scripted as model;

/// Runs a test once on SQLite and once on PostgreSQL, each on an empty database of its own.
///
/// ```text
/// db_test! {
///     async fn a_tenant_keeps_its_name(db) { … db.url() … }
/// }
/// ```
#[macro_export]
macro_rules! db_test {
    ($($(#[$meta:meta])* async fn $name:ident($db:ident) $body:block)+) => {$(
        $(#[$meta])*
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            async fn body($db: $crate::TestDatabase) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                body($crate::TestDatabase::sqlite()).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                if let Some(db) = $crate::TestDatabase::postgres().await {
                    body(db).await;
                }
            }
        }
    )+};
}

/// Runs a test on SQLite alone: for what the databases have no part in. What differs between them
/// (isolation, races, the queue, search, deletion, migrations) belongs into [`db_test`].
#[macro_export]
macro_rules! sqlite_test {
    ($($(#[$meta:meta])* async fn $name:ident($db:ident) $body:block)+) => {$(
        $(#[$meta])*
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let $db = $crate::TestDatabase::sqlite();
            $body
        }
    )+};
}
