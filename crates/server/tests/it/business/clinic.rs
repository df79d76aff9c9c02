//! A clinic with two people, open from nine to one and from three to six in Lima.

use crate::harness::{Client, Tenant, TestApp, id, open_every_day};
use quipu_testkit::TestDatabase;
use serde_json::{Value, json};

pub(super) const APPOINTMENTS: &str = "/api/v1/appointments";

pub(super) struct Clinic {
    pub(super) app: TestApp,
    pub(super) tenant: Tenant,
    pub(super) client: Client,
    pub(super) branch: String,
    pub(super) ana: String,
    pub(super) luis: String,
    /// An hour with Ana or Luis, every hour.
    pub(super) cleaning: String,
}

impl Clinic {
    pub(super) async fn open(db: TestDatabase) -> Self {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("clinica").await;
        Self::in_tenant(app, tenant).await
    }

    pub(super) async fn in_tenant(app: TestApp, tenant: Tenant) -> Self {
        let client = tenant.admin.client.clone();
        let hours = open_every_day(&[("09:00", "13:00"), ("15:00", "18:00")]);
        let branch = json!({ "name": "Centro", "city": "Lima", "hours": hours });
        let branch = id(&client.post("/api/v1/branches", branch).await.ok(201));
        let mut people = Vec::new();
        for name in ["Ana Quispe", "Luis Soto"] {
            let staff = json!({ "name": name, "branches": [branch] });
            people.push(id(&client.post("/api/v1/staff", staff).await.ok(201)));
        }
        let service = json!({
            "name": "Limpieza dental",
            "aliases": ["limpieza"],
            "price_min": { "amount": 12_000, "currency": "PEN" },
            "duration_minutes": 60,
            "step_minutes": 60,
            "staff": people,
        });
        let cleaning = id(&client.post("/api/v1/services", service).await.ok(201));
        let luis = people.pop().unwrap();
        let ana = people.pop().unwrap();
        Self {
            app,
            tenant,
            client,
            branch,
            ana,
            luis,
            cleaning,
        }
    }

    pub(super) fn wanted(&self, start: &str) -> Value {
        json!({ "service_id": self.cleaning, "start": start })
    }

    pub(super) async fn book(&self, start: &str) -> Value {
        let wanted = self.wanted(start);
        self.client.post(APPOINTMENTS, wanted).await.ok(201)
    }

    /// The times that are free on a day, with whom.
    pub(super) async fn free(&self, date: &str, more: &str) -> Vec<(String, String)> {
        let service = &self.cleaning;
        let path = format!("/api/v1/availability?service_id={service}&date={date}{more}");
        let found = self.client.get(&path).await.ok(200);
        let slots = found["slots"].as_array().unwrap();
        let text = |slot: &Value, name: &str| slot[name].as_str().unwrap().to_owned();
        slots
            .iter()
            .map(|slot| (text(slot, "time"), text(slot, "staff_name")))
            .collect()
    }
}
