//! A house to test in: an open, migrated store and the clock it goes by.

use quipu_core::plan::{Plan, PlanLimits};
use quipu_core::tenancy::TenantScope;
use quipu_core::{Clock, ErrorCode, Result, Timestamp, UserId};
use quipu_store::platform::{NewTenant, NewUser};
use quipu_store::{DatabaseSettings, PlatformTx, Store, TenantTx};
use quipu_testkit::{ManualClock, TestDatabase};
use sea_orm::{ConnectOptions, Database, DatabaseConnection};
use std::sync::Arc;
use std::time::Duration;

pub(crate) const SECOND: Duration = Duration::from_secs(1);
pub(crate) const HOUR: Duration = Duration::from_hours(1);

pub(crate) struct House {
    pub(crate) store: Store,
    pub(crate) clock: Arc<ManualClock>,
}

impl House {
    pub(crate) async fn new(db: &TestDatabase) -> Self {
        db.fill(async |url| Self::at(url).await.store.close().await.unwrap())
            .await;
        let clock = Arc::new(ManualClock::default());
        let store = open(db.url(), clock.clone()).await;
        Self { store, clock }
    }

    pub(crate) async fn at(url: &str) -> Self {
        let clock = Arc::new(ManualClock::default());
        let store = open(url, clock.clone()).await;
        store.migrate().await.unwrap();
        Self { store, clock }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The instant `after` from now.
    pub(crate) fn later(&self, after: Duration) -> Timestamp {
        self.now() + after
    }

    pub(crate) async fn platform(&self) -> PlatformTx {
        self.store.platform().await.unwrap()
    }

    pub(crate) async fn begin(&self, scope: TenantScope) -> TenantTx {
        self.store.begin(scope).await.unwrap()
    }

    pub(crate) async fn read(&self, scope: TenantScope) -> TenantTx {
        self.store.read(scope).await.unwrap()
    }

    /// A tenant on a plan of its own.
    pub(crate) async fn add_tenant(&self, slug: &str) -> TenantScope {
        let tx = self.platform().await;
        let plan = format!("{slug}-plan");
        tx.plans().put(&open_handed_plan(&plan)).await.unwrap();
        let new = NewTenant {
            slug: slug.to_owned(),
            name: format!("Tenant {slug}"),
            plan,
            locale: "es-PE".to_owned(),
            time_zone: "America/Lima".to_owned(),
            creation: None,
        };
        let tenant = tx.tenants().insert(&new).await.unwrap();
        tx.commit().await.unwrap();
        TenantScope::of(tenant.id)
    }

    pub(crate) async fn add_user(&self, email: &str) -> UserId {
        let tx = self.platform().await;
        let user = tx.users().insert(&new_user(email)).await.unwrap();
        tx.commit().await.unwrap();
        user.id
    }
}

/// Another store on the same database, as another process would open it.
pub(crate) async fn open(url: &str, clock: Arc<ManualClock>) -> Store {
    let settings = DatabaseSettings {
        url: url.to_owned(),
        max_connections: 10,
        acquire_timeout: Duration::from_secs(10),
    };
    Store::open(&settings, clock).await.unwrap()
}

/// One plain connection beside the store, to see and do what no repository offers.
pub(crate) async fn raw(url: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    Database::connect(options).await.unwrap()
}

pub(crate) fn new_user(email: &str) -> NewUser {
    NewUser {
        email: email.to_owned(),
        name: format!("Person {email}"),
        password_hash: Some("hash".to_owned()),
        super_admin: false,
        must_change_password: false,
    }
}

/// The code of a result that must be an error.
pub(crate) fn code<T>(result: Result<T>) -> ErrorCode {
    match result {
        Ok(_) => panic!("an error was expected"),
        Err(error) => error.code(),
    }
}

fn open_handed_plan(slug: &str) -> Plan {
    Plan {
        slug: slug.to_owned(),
        name: slug.to_owned(),
        limits: PlanLimits {
            ai_agents_enabled: true,
            max_agents: None,
            max_members: None,
            max_knowledge_bases: None,
            max_documents_per_kb: None,
            max_kb_bytes: None,
            max_storage_bytes: None,
            monthly_credits: 1000,
            requests_per_minute: 60,
        },
    }
}
