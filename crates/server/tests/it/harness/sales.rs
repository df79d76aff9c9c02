//! A shop that sells, with a customer who collects.

use super::{Client, Tenant, TestApp, id};
use quipu_commerce::business::{BusinessProfile, CatalogueItem, Dish, Reward};
use quipu_commerce::ordering::Discount;
use quipu_core::conversation::NewConversation;
use quipu_core::lead::{Channel, NewLead};
use quipu_core::tenancy::TenantScope;
use quipu_core::{ConversationId, LeadId};
use quipu_testkit::TestDatabase;
use serde_json::{Value, json};
use uuid::Uuid;

/// What stands in the paths of loyalty, orders and invoice requests.
#[derive(Clone, Debug)]
pub(crate) struct SalesIds {
    pub(crate) lead: String,
    pub(crate) order: String,
    pub(crate) redemption: String,
    pub(crate) invoice_request: String,
}

impl SalesIds {
    pub(super) fn of_nothing() -> Self {
        let nothing = || Uuid::now_v7().to_string();
        Self {
            lead: nothing(),
            order: nothing(),
            redemption: nothing(),
            invoice_request: nothing(),
        }
    }

    /// One of each in a tenant.
    pub(super) async fn made(app: &TestApp, tenant: &Tenant) -> Self {
        let (client, slug) = (&tenant.admin.client, &tenant.slug);
        let mut taco = dish(&format!("Taco {slug}"), 1500);
        taco.aliases.push("pastor".to_owned());
        add_item(app, tenant, &taco).await;
        let reward = add_item(app, tenant, &reward(&format!("Premio {slug}"), 10)).await;
        let put = client
            .put("/api/v1/loyalty/programme", programme(slug))
            .await;
        put.ok(200);
        let lead = add_lead(app, tenant).await.to_string();
        let loyalty = format!("/api/v1/leads/{lead}/loyalty");
        let given = json!({ "tokens": 100, "reason": format!("regalo de {slug}") });
        client
            .post(&format!("{loyalty}/adjustments"), given)
            .await
            .ok(201);
        let path = format!("{loyalty}/redemptions");
        let redemption = client
            .post(&path, json!({ "reward_id": reward }))
            .await
            .ok(201);
        let wanted = json!({ "text": "dos de pastor", "lead_id": lead });
        let order = client.post("/api/v1/orders", wanted).await.ok(201);
        let wanted = json!({
            "folio": slug, "rfc": "EKU9003173C9", "name": slug, "tax_regime": "601",
            "cfdi_use": "G03", "email": format!("{slug}@quipu.test"), "lead_id": lead,
        });
        let invoice = client
            .post("/api/v1/invoice-requests", wanted)
            .await
            .ok(201);
        Self {
            lead,
            order: id(&order),
            redemption: id(&redemption),
            invoice_request: id(&invoice),
        }
    }
}

/// A shop of its own with a customer.
pub(crate) struct Shop {
    pub(crate) app: TestApp,
    pub(crate) tenant: Tenant,
    pub(crate) client: Client,
    pub(crate) lead: LeadId,
}

impl Shop {
    /// It sells a taco for 15.00, a coca for 12.50 and an agua for 10.00.
    pub(crate) async fn open(db: TestDatabase) -> Self {
        let app = TestApp::start_with(db, |options| options.workers = false).await;
        let tenant = app.tenant("taqueria").await;
        let mut taco = dish("Taco al pastor", 1500);
        taco.aliases.push("pastor".to_owned());
        for dish in [taco, dish("Coca-Cola", 1250), dish("Agua de jamaica", 1000)] {
            add_item(&app, &tenant, &dish).await;
        }
        let lead = add_lead(&app, &tenant).await;
        Self {
            client: tenant.admin.client.clone(),
            app,
            tenant,
            lead,
        }
    }

    pub(crate) fn scope(&self) -> TenantScope {
        self.tenant.scope()
    }

    pub(crate) fn loyalty(&self) -> String {
        format!("/api/v1/leads/{}/loyalty", self.lead)
    }

    /// Gives the customer tokens under an active programme.
    pub(crate) async fn give(&self, tokens: i64) {
        let put = self
            .client
            .put("/api/v1/loyalty/programme", programme("Club"));
        put.await.ok(200);
        let path = format!("{}/adjustments", self.loyalty());
        let given = json!({ "tokens": tokens, "reason": "regalo" });
        self.client.post(&path, given).await.ok(201);
    }

    pub(crate) async fn order(&self, wanted: Value) -> Value {
        self.client.post("/api/v1/orders", wanted).await.ok(201)
    }

    pub(crate) async fn balance(&self) -> Value {
        self.client.get(&self.loyalty()).await.ok(200)
    }
}

/// Ten tokens for every ten soles, which last for thirty days.
pub(crate) fn programme(name: &str) -> Value {
    json!({
        "name": name,
        "token_name": "tacopuntos",
        "earning": {
            "spend": { "tokens": 10, "every": amount(1000) },
            "per_appointment": 25,
            "lasts_days": 30,
        },
    })
}

pub(crate) fn amount(minor: i64) -> Value {
    json!({ "amount": minor, "currency": "PEN" })
}

pub(crate) fn dish(name: &str, price: i64) -> Dish {
    let data = json!({ "name": name, "price": amount(price) });
    serde_json::from_value(data).unwrap()
}

/// One that takes a tenth off.
pub(crate) fn reward(name: &str, tokens: i64) -> Reward {
    Reward {
        name: name.to_owned(),
        description: None,
        tokens,
        discount: Discount::Percent { percent: 10 },
        valid_days: None,
        active: true,
    }
}

pub(crate) async fn add_item<T: CatalogueItem>(app: &TestApp, tenant: &Tenant, item: &T) -> Uuid {
    let tx = app.app.store.begin(tenant.scope()).await.unwrap();
    let id = tx.catalogue().insert(item).await.unwrap();
    tx.commit().await.unwrap();
    id
}

pub(crate) async fn put_profile(
    app: &TestApp,
    tenant: &Tenant,
    change: impl FnOnce(&mut BusinessProfile),
) {
    let mut profile = BusinessProfile::default();
    change(&mut profile);
    let tx = app.app.store.begin(tenant.scope()).await.unwrap();
    tx.settings().put("profile", &profile).await.unwrap();
    tx.commit().await.unwrap();
}

/// Somebody without a name.
pub(crate) async fn add_lead(app: &TestApp, tenant: &Tenant) -> LeadId {
    let tx = app.app.store.begin(tenant.scope()).await.unwrap();
    let lead = tx.leads().insert(&NewLead::default()).await.unwrap();
    tx.commit().await.unwrap();
    lead
}

pub(crate) async fn add_conversation(
    app: &TestApp,
    tenant: &Tenant,
    lead: LeadId,
) -> ConversationId {
    let tx = app.app.store.begin(tenant.scope()).await.unwrap();
    let new = NewConversation {
        lead_id: lead,
        agent_id: None,
        channel: Channel::Web,
    };
    let conversation = tx.conversations().insert(&new).await.unwrap();
    tx.commit().await.unwrap();
    conversation
}
