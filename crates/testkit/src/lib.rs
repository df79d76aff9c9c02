//! What tests share. A dev-dependency only.

mod clock;
mod database;
pub mod engine_suite;
pub mod qdrant;

pub use clock::ManualClock;
pub use database::TestDatabase;
pub use quipu_scripted as model;

/// The folder of the package whose tests run, given the one in which they were compiled. Checkouts share what was
/// built, so that the other one may be gone.
#[must_use]
pub fn package_folder(compiled_in: &str) -> std::path::PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR");
    here.unwrap_or_else(|| compiled_in.into()).into()
}

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
